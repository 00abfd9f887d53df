//! k-means on small samples, for many rows.

use posterior_dist::stream::stream;
use posterior_math::check;
use posterior_math::iteration::{Observer, Progress, Stop};
use rand::{Rng, RngExt};

use super::assignment::{Skip, assign};
use super::frame::Rows;
use super::lloyd::Clustering;
use super::model::{KMeans, nearest};
use super::options::{CentreStart, KMeansOptions};
use super::start;
use crate::error::Error;
use crate::observations::Observations;

/// How to run k-means on mini-batches.
#[derive(Debug, Clone, PartialEq)]
pub struct MiniBatchOptions {
    /// The number of centres, at least 1.
    pub clusters: usize,
    /// Where they begin: chosen from a sample of three batches, and of at least three rows for each centre.
    pub start: CentreStart,
    /// How many rows are drawn for each step. 1024 by default.
    pub batch: usize,
    /// The run converges when the inertia of the batches, smoothed over one pass through the data, has not
    /// become lower for so many steps. 10 by default.
    pub patience: usize,
    /// The largest number of steps. 1000 by default.
    pub max_iterations: usize,
}

impl MiniBatchOptions {
    /// The default options for this many centres.
    pub const fn new(clusters: usize) -> Self {
        Self { clusters, start: CentreStart::GreedyPlusPlus, batch: 1024, patience: 10, max_iterations: 1000 }
    }
}

impl Default for MiniBatchOptions {
    /// Two clusters.
    fn default() -> Self {
        Self::new(2)
    }
}

/// k-means on mini-batches (Sculley, Web-scale k-means clustering, WWW 2010).
///
/// Each step draws a batch of rows, with replacement and with probability proportional to weight, and moves
/// each centre to the mean of all rows that it was ever nearest to. O(batch k d) a step, and one pass over
/// all rows at the end for labels and inertia. The inertia is not monotone: the trace holds what each batch
/// says of it, before its step, and ends with that of all rows. Centres that no row is nearest to stay.
///
/// # Errors
/// As for [`fit`](super::fit), and if batches are to be empty.
pub fn mini_batch(
    data: &Observations,
    options: &MiniBatchOptions,
    seed: u64,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Clustering, Error> {
    check::at_least_one("MiniBatchOptions", "batch", options.batch)?;
    (KMeansOptions { start: options.start.clone(), ..KMeansOptions::new(options.clusters) })
        .check(data.dimension())?;
    let rows = Rows::about_mean(data)?;
    let rng = &mut stream(seed, &[0]);
    let sampler = Sampler::new(&rows);
    let mut centres = first_centres(&rows, options, &sampler, rng)?;
    let (mut counts, d) = (vec![0.0; options.clusters], rows.dimension);
    let total = data.total_weight();
    let estimate = |sum: f64| rows.frame.squares_outside(sum / options.batch as f64 * total);
    let batch = |centres: &[f64], rng: &mut _| {
        let batch = rows.take(&sampler.draw(options.batch, rng));
        assign(&batch, centres, &mut vec![0; batch.len()], &mut [], &Skip::Nobody)
    };
    let mut sums = batch(&centres, rng);
    let mut progress = Progress::new(estimate(sums.inertia), options.max_iterations, observer);
    let proportion = (2.0 * options.batch as f64 / (rows.len() as f64 + 1.0)).min(1.0);
    let (mut smooth, mut lowest, mut waited) = (sums.inertia, sums.inertia, 0);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        for (j, centre) in centres.chunks_exact_mut(d).enumerate().filter(|&(j, _)| sums.weights[j] > 0.0) {
            counts[j] += sums.weights[j];
            for (c, total) in centre.iter_mut().zip(&sums.totals[j * d..]) {
                *c += (total - sums.weights[j] * *c) / counts[j];
            }
        }
        sums = batch(&centres, rng);
        smooth += proportion * (sums.inertia - smooth);
        waited = if smooth < lowest { 0 } else { waited + 1 };
        lowest = lowest.min(smooth);
        if progress.stopped_after(estimate(sums.inertia)) {
            break Stop::Observer;
        }
        if waited >= options.patience {
            break Stop::Converged;
        }
    };
    let (labels, all) = nearest(&rows, &centres);
    let mut report = progress.finish(stop);
    report.trace.push(rows.frame.squares_outside(all.inertia));
    let model = KMeans::from_frame(&rows.frame, &centres);
    Ok(Clustering { model, labels, report, half_steps: Vec::new(), reseeded: 0 })
}

/// The start, from a sample.
fn first_centres<R: Rng + ?Sized>(
    rows: &Rows,
    options: &MiniBatchOptions,
    sampler: &Sampler,
    rng: &mut R,
) -> Result<Vec<f64>, Error> {
    let wanted = 3 * options.batch.max(options.clusters);
    if wanted >= rows.len() {
        return start::centres(rows, options.clusters, &options.start, rng);
    }
    let sample = rows.take(&sampler.draw(wanted, rng));
    // A sample may miss rows that all data have.
    start::centres(&sample, options.clusters, &options.start, rng)
        .or_else(|_| start::centres(rows, options.clusters, &options.start, rng))
}

/// Rows by their weight.
struct Sampler {
    rows: usize,
    cumulated: Option<Vec<f64>>,
}

impl Sampler {
    fn new(rows: &Rows) -> Self {
        Self { rows: rows.len(), cumulated: rows.cumulated_weights() }
    }

    fn draw<R: Rng + ?Sized>(&self, count: usize, rng: &mut R) -> Vec<usize> {
        let place = |rng: &mut R| match &self.cumulated {
            None => rng.random_range(0..self.rows),
            Some(sums) => start::draw(sums, rng).unwrap_or(0),
        };
        (0..count).map(|_| place(rng)).collect()
    }
}
