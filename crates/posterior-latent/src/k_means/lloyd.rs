//! The two half steps in turns.

use posterior_dist::stream::stream;
use posterior_math::iteration::{Fall, Observer, Progress, Report, Stop};

use super::assignment::{Skip, Sums, assign};
use super::bounds::{drift, separation};
use super::empty::reseed;
use super::frame::Rows;
use super::kernel::squared_distance;
use super::model::KMeans;
use super::options::{KMeansOptions, NearestSearch};
use super::start;
use crate::error::Error;
use crate::observations::Observations;

/// From how many centres on bounds are worth their keeping.
const BOUNDS_FROM: usize = 8;

/// What of a rise of the inertia is rounding, as a proportion of it.
const ROUNDING: f64 = 1e-10;

/// What of a squared distance is rounding of its centre, in the frame of the data.
const ROUNDING_OF_CENTRES: f64 = 1e-26;

/// Clusters that k-means found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Clustering {
    /// The centres.
    pub model: KMeans,
    /// The nearest centre of each row: what [`KMeans::assign`] says.
    pub labels: Vec<usize>,
    /// The inertia at the start and after each step, and why the run stopped. Low is good; a fall, in the
    /// sense of the report, is a step that raised it by more than rounding.
    pub report: Report,
    /// The inertia after each half step: after the first assignment, and then in turns after the centres
    /// moved and after rows were assigned. Empty for mini-batches.
    pub half_steps: Vec<f64>,
    /// How many times a cluster had become empty and its centre was put at the row that cost most.
    pub reseeded: usize,
}

impl Clustering {
    /// Σ wᵢ |xᵢ - c(i)|² of the data it was fitted to.
    #[expect(clippy::missing_panics_doc, reason = "the trace begins with the start")]
    pub fn inertia(&self) -> f64 {
        *self.report.trace.last().expect("invariant: the trace begins with the start")
    }
}

/// k-means from one start.
///
/// One step moves the centres to the means of their rows and assigns the rows anew: O(n k d) operations,
/// fewer where bounds spare comparisons. A cluster that has become empty takes the row that costs most. Rows
/// of weight 0 are assigned, and count for nothing else. Equal seeds give equal bits, on any machine and for
/// any number of threads.
///
/// # Errors
/// If an option can't be, if a value is missing, if given centres do not fit, or if there are fewer different
/// rows of positive weight than centres.
pub fn fit(
    data: &Observations,
    options: &KMeansOptions,
    seed: u64,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Clustering, Error> {
    options.check(data.dimension())?;
    let rows = Rows::about_mean(data)?;
    run(&rows, options, seed, 0, observer)
}

/// The run from one of many starts.
pub(super) fn run(
    rows: &Rows,
    options: &KMeansOptions,
    seed: u64,
    index: u64,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Clustering, Error> {
    let centres = start::centres(rows, options.clusters, &options.start, &mut stream(seed, &[index]))?;
    let mut state = State::new(rows, centres, options);
    let outside = |inertia: f64| rows.frame.squares_outside(inertia);
    let mut sums = state.assign()?;
    let mut half_steps = vec![outside(sums.inertia)];
    let mut progress = Progress::new(outside(sums.inertia), options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let moved = state.update(&sums);
        half_steps.push(outside(moved));
        let before = std::mem::replace(&mut sums, state.assign()?);
        half_steps.push(outside(sums.inertia));
        if progress.stopped_after(outside(sums.inertia)) {
            break Stop::Observer;
        }
        let settled =
            sums.changed == 0 || before.inertia - sums.inertia <= options.tolerance * before.inertia;
        if settled {
            break Stop::Converged;
        }
    };
    let mut report = progress.finish(stop);
    if state.just_reseeded {
        // Rows may be nearer to a new centre than to their own.
        let last = state.assign_all().inertia;
        half_steps.push(outside(last));
        if let Some(end) = report.trace.last_mut() {
            *end = outside(last);
        }
    }
    let rounding = outside(ROUNDING_OF_CENTRES * sums.weights.iter().sum::<f64>());
    let falls = rises(&report.trace, rounding);
    Ok(Clustering {
        model: KMeans::from_frame(&rows.frame, &state.centres),
        labels: state.labels.into_iter().map(|label| label as usize).collect(),
        report: Report { falls, ..report },
        half_steps,
        reseeded: state.reseeded,
    })
}

/// Steps that raised the inertia by more than rounding.
fn rises(trace: &[f64], rounding: f64) -> Vec<Fall> {
    let pairs = trace.iter().zip(trace.iter().skip(1)).enumerate();
    let rises = pairs.filter(|(_, (before, after))| **after - **before > ROUNDING * **before + rounding);
    rises.map(|(step, (before, after))| Fall::new(step + 1, after - before)).collect()
}

/// Where a run stands.
struct State<'a> {
    rows: &'a Rows,
    centres: Vec<f64>,
    labels: Vec<u32>,
    /// Lower bounds on the distance of each row to all centres but its own, as these stood at `anchors`.
    lower: Vec<f64>,
    anchors: Option<Vec<f64>>,
    reseeded: usize,
    just_reseeded: bool,
}

impl<'a> State<'a> {
    fn new(rows: &'a Rows, centres: Vec<f64>, options: &KMeansOptions) -> Self {
        let bounded = match options.search {
            NearestSearch::Auto => options.clusters >= BOUNDS_FROM,
            NearestSearch::Exhaustive => false,
            NearestSearch::Bounds => true,
        };
        Self {
            rows,
            centres,
            labels: vec![u32::MAX; rows.len()],
            lower: vec![0.0; if bounded { rows.len() } else { 0 }],
            anchors: None,
            reseeded: 0,
            just_reseeded: false,
        }
    }

    /// Each row to its nearest centre, and rows to clusters that have none.
    fn assign(&mut self) -> Result<Sums, Error> {
        let d = self.rows.dimension;
        let bounds = self.anchors.as_ref().filter(|_| !self.lower.is_empty());
        let sums =
            match bounds.map(|anchors| (separation(&self.centres, d), drift(anchors, &self.centres, d))) {
                None => self.assign_all(),
                Some((separation, drift)) => {
                    let skip = Skip::Bounded { separation: &separation, drift: &drift };
                    assign(self.rows, &self.centres, &mut self.labels, &mut self.lower, &skip)
                }
            };
        self.anchors = Some(self.centres.clone());
        let placed = reseed(self.rows, &sums.weights, &mut self.centres, &mut self.labels)?;
        self.just_reseeded = !placed.is_empty();
        self.reseeded += placed.len();
        for &row in &placed {
            if let Some(lower) = self.lower.get_mut(row) {
                *lower = 0.0;
            }
        }
        if placed.is_empty() {
            return Ok(sums);
        }
        let corrected = assign(self.rows, &self.centres, &mut self.labels, &mut [], &Skip::Everybody);
        Ok(Sums { changed: sums.changed + placed.len(), ..corrected })
    }

    fn assign_all(&mut self) -> Sums {
        assign(self.rows, &self.centres, &mut self.labels, &mut self.lower, &Skip::Nobody)
    }

    /// Each centre to the mean of its rows; the inertia then, which is lower by Σ W |move|².
    fn update(&mut self, sums: &Sums) -> f64 {
        let d = self.rows.dimension;
        let mut lowered = 0.0;
        let totals = sums.totals.chunks_exact(d).zip(&sums.weights);
        for (centre, (total, &weight)) in self.centres.chunks_exact_mut(d).zip(totals) {
            let mean: Vec<f64> = total.iter().map(|t| t / weight).collect();
            lowered += weight * squared_distance(centre, &mean);
            centre.copy_from_slice(&mean);
        }
        (sums.inertia - lowered).max(0.0)
    }
}
