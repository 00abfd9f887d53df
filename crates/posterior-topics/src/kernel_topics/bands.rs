//! Proportions of topics over time with their uncertainty, from the curves of all topics.

use posterior_dist::stream::stream;
use posterior_math::linalg::DMatrix;
use posterior_math::streaming::quantile_of_sorted;
use posterior_math::{ParamError, check, elementwise};
use rand::RngExt;
use rand_distr::StandardNormal;
use rayon::prelude::*;

use super::covariates::Covariates;
use super::curves::Curves;
use super::scales::{Sharing, TimeKernel};
use crate::checks::size;
use crate::{Error, TrendBands};

/// More draws say nothing more: the quantiles are exact to their thousandth by then.
const MOST_DRAWS: usize = 1_000_000;

/// Options of [`bands`].
///
/// ```
/// use posterior_topics::kernel_topics::BandOptions;
///
/// let options = BandOptions { level: 0.9, draws: 500, ..BandOptions::default() };
/// assert_eq!(options.seed, 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BandOptions {
    /// The probability that a band is to hold a proportion with, at each time. 0.95 by default.
    pub level: f64,
    /// Draws of all curves, of which quantiles are taken, from 2 to a million. 2000 by default.
    pub draws: usize,
    /// The kernel of the curves: how smooth they are.
    pub kernel: TimeKernel,
    /// Whether all topics change at one pace.
    pub sharing: Sharing,
    /// The seed of the draws. 0 by default.
    pub seed: u64,
}

impl Default for BandOptions {
    fn default() -> Self {
        let (kernel, sharing) = (TimeKernel::default(), Sharing::default());
        Self { level: 0.95, draws: 2000, kernel, sharing, seed: 0 }
    }
}

impl BandOptions {
    pub(super) fn check(&self) -> Result<(), ParamError> {
        check::open_probability("BandOptions", "level", self.level)?;
        let some = (2..=MOST_DRAWS).contains(&self.draws);
        check::require(some, "BandOptions", "draws", self.draws as f64, "from 2 to a million").map(|_| ())
    }
}

/// The proportion of each topic at `times` with its band, from the proportions (documents x topics), lengths
/// in tokens and times of the documents of any fitted model.
///
/// Each topic has a curve, a Gaussian process over time with noise between documents; its parameters are
/// those that make the documents most probable. A band is about the typical document of its time, `softmax`
/// of the curves: it says how well the trend is known, not how far documents lie apart. Where documents are
/// rare it is wide. Documents without tokens or with a time that is not finite are left out. With one topic
/// all proportions are one.
///
/// At each time the curves are drawn jointly; parameters are held at their best values, so that bands are a
/// little too narrow when documents are few.
///
/// Cost: some tens of Cholesky factors of documents x documents for each topic; a filter in place of them
/// from 1000 documents on, unless the kernel is squared exponential.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_topics::kernel_topics::{BandOptions, bands};
///
/// // A topic that grows from a tenth to nine tenths.
/// let times: Vec<f64> = (0..20).map(|t| 1900.0 + f64::from(t)).collect();
/// let doc_topic = DMatrix::from_fn(20, 2, |d, k| {
///     let proportion = 0.1 + 0.8 * d as f64 / 19.0;
///     if k == 0 { proportion } else { 1.0 - proportion }
/// });
/// let trend = bands(&doc_topic, &[500; 20], &times, &[1902.0, 1917.0], &BandOptions::default())?;
/// assert!(trend.upper[(0, 0)] < trend.lower[(1, 0)]);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
///
/// # Errors
/// If the three do not speak of the same number of documents, a proportion is negative or not finite, no
/// document is left, `times` is not increasing and finite, or an option is out of its range.
pub fn bands(
    doc_topic: &DMatrix<f64>,
    lengths: &[u64],
    document_times: &[f64],
    times: &[f64],
    options: &BandOptions,
) -> Result<TrendBands, Error> {
    options.check()?;
    check_times(times)?;
    let (documents, topics) = doc_topic.shape();
    size("lengths of documents", documents, lengths.len())?;
    size("times of documents", documents, document_times.len())?;
    if topics == 0 {
        return Err(Error::Corpus("there is no topic".to_owned()));
    }
    let used: Vec<usize> =
        (0..documents).filter(|&d| lengths[d] > 0 && document_times[d].is_finite()).collect();
    let covariates = Covariates::new(&used.iter().map(|&d| document_times[d]).collect::<Vec<_>>())?;
    if topics == 1 {
        let ones = DMatrix::from_element(times.len(), 1, 1.0);
        let (lower, upper) = (ones.clone(), ones.clone());
        return Ok(TrendBands { times: times.to_vec(), median: ones, lower, upper, level: options.level });
    }
    let lengths: Vec<u64> = used.iter().map(|&d| lengths[d]).collect();
    let proportions = doc_topic.select_rows(&used);
    let curves = Curves::learn(&proportions, &lengths, &covariates, options.kernel, options.sharing)?;
    of_curves(&curves, times, options)
}

/// The bands of curves at `times`, labels left out.
pub(super) fn of_curves(curves: &Curves, times: &[f64], options: &BandOptions) -> Result<TrendBands, Error> {
    options.check()?;
    check_times(times)?;
    let (mean, variance) = curves.over_time(times)?;
    let (count, topics) = mean.shape();
    // The curves are about zero in sum: as if a K-th of all of them had been taken from each. Differences of
    // topics, all that shares depend on, are as those of independent curves whose variances are larger by
    // this.
    let whole = topics as f64 / (topics as f64 - 1.0);
    // The same noise at each time, so that bands are as smooth as the curves.
    let mut rng = stream(options.seed, &[]);
    let noise: Vec<f64> = (0..options.draws * topics).map(|_| rng.sample(StandardNormal)).collect();
    let rows: Vec<Vec<[f64; 3]>> = (0..count)
        .into_par_iter()
        .map(|t| {
            let distribution: Vec<(f64, f64)> =
                (0..topics).map(|k| (mean[(t, k)], (whole * variance[(t, k)]).sqrt())).collect();
            quantiles_of_proportions(&distribution, &noise, options.level)
        })
        .collect();
    let matrix = |which: usize| DMatrix::from_fn(count, topics, |t, k| rows[t][k][which]);
    let (lower, median, upper) = (matrix(0), matrix(1), matrix(2));
    Ok(TrendBands { times: times.to_vec(), median, lower, upper, level: options.level })
}

/// Lower end, median and upper end of `softmax_k` of independent Gaussian numbers (mean and standard
/// deviation each).
fn quantiles_of_proportions(distribution: &[(f64, f64)], noise: &[f64], level: f64) -> Vec<[f64; 3]> {
    let topics = distribution.len();
    let draws = noise.len() / topics;
    let mut proportions = vec![0.0; noise.len()];
    for (draw, noise) in proportions.chunks_exact_mut(topics).zip(noise.chunks_exact(topics)) {
        for ((proportion, (mean, sd)), noise) in draw.iter_mut().zip(distribution).zip(noise) {
            *proportion = mean + sd * noise;
        }
        let largest = draw.iter().fold(f64::NEG_INFINITY, |a: f64, &b| a.max(b));
        for proportion in draw {
            *proportion -= largest;
        }
    }
    elementwise::exp(&mut proportions);
    for draw in proportions.chunks_exact_mut(topics) {
        let sum: f64 = draw.iter().sum();
        for proportion in draw {
            *proportion /= sum;
        }
    }
    let tail = 0.5 * (1.0 - level);
    let levels = [tail, 0.5, 1.0 - tail];
    let of_topic = |k: usize| {
        let mut ordered: Vec<f64> = (0..draws).map(|draw| proportions[draw * topics + k]).collect();
        // A quantile is between two neighbours in order: only these are put in their places.
        let mut from = 0;
        for level in levels {
            let below = (level * (draws - 1) as f64).floor() as usize;
            for place in below..=(below + 1).min(draws - 1) {
                if place >= from {
                    ordered[from..].select_nth_unstable_by(place - from, f64::total_cmp);
                    from = place + 1;
                }
            }
        }
        levels.map(|p| quantile_of_sorted(&ordered, p))
    };
    (0..topics).map(of_topic).collect()
}

fn check_times(times: &[f64]) -> Result<(), Error> {
    for (index, &time) in times.iter().enumerate() {
        check::finite("bands", "times", time).map_err(|error| error.at(index))?;
    }
    match (1..times.len()).find(|&i| times[i] <= times[i - 1]) {
        Some(i) => Err(ParamError::new("bands", "times", times[i], "increasing").at(i).into()),
        None => Ok(()),
    }
}
