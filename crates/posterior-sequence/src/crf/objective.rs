//! What training minimises.

use posterior_math::check;
use posterior_math::optimize;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use crate::chain::Transitions;
use crate::error::Error;
use crate::parallel::map;

use super::dataset::Dataset;
use super::features::Features;
use super::sequence::AttributeSequence;
use super::shard::{Point, Shard};
use super::whole_rows::WholeRows;

/// The largest number of shards.
const MAX_SHARDS: usize = 8;

/// Additions to a gradient for each weight, below which a further shard does not pay: gradients that do not
/// fit into the cache together cost more than they save.
const WORK: usize = 24;

/// Weights that are summed over shards at a time.
const BLOCK: usize = 4096;

/// No score may be beyond this.
const LARGEST_SCORE: f64 = 1e300;

/// -Σ weight · ln p(y | x) + l2 |w|² as a function of the weights w, with its gradient: the expected less the
/// observed features.
///
/// Convex. Sequences with a label that the features do not have are left out, see [`skipped`](Self::skipped).
///
/// An evaluation costs O(K) for each attribute of each position and O(K²) for each step. With the feature
/// `rayon` it runs on the threads of the pool: sequences are cut into shards in a way that depends on the
/// data alone, and what they give is added in their order, so that results are the same to the bit on any
/// number of threads. There are at most 8 shards, and no more gradients in memory than would take the place
/// of the attributes.
///
/// ```
/// use posterior_math::optimize::Objective as _;
/// use posterior_sequence::crf::{Dataset, FeatureOptions, Features, CrfObjective};
///
/// let mut data = Dataset::new();
/// let mut sentence = data.sequence();
/// sentence.present(["the"])?.present(["dog"])?;
/// let sentence = sentence.finish();
/// data.push(sentence, ["DET", "NOUN"])?;
/// let features = Features::select(&data, &FeatureOptions::default())?;
/// let mut objective = CrfObjective::new(&data, &features, 0.0)?;
/// let mut gradient = vec![0.0; features.len()];
/// // Without weights, all labels are equally probable at both positions.
/// let value = objective.evaluate(&[0.0; 3], &mut gradient);
/// assert!((value - 2.0 * 2_f64.ln()).abs() < 1e-14);
/// assert!((gradient[0] + 0.5).abs() < 1e-14);
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Debug)]
pub struct CrfObjective<'a> {
    data: &'a Dataset,
    features: &'a Features,
    whole: WholeRows<'a>,
    l2: f64,
    shards: Vec<Shard>,
    skipped: usize,
    /// The largest sum of |values| in a score.
    reach: f64,
}

impl<'a> CrfObjective<'a> {
    /// The objective for these data and weights of these features.
    ///
    /// # Errors
    /// If the penalty is negative or not finite, or the data have another number of dense features.
    pub fn new(data: &'a Dataset, features: &'a Features, l2: f64) -> Result<Self, Error> {
        check::non_negative("crf::Objective", "l2", l2)?;
        check::dimension("dense features of a position", features.width, data.vocabulary().dense())?;
        let costs: Vec<usize> = data.sequences().iter().map(|sequence| cost(sequence, features)).collect();
        let total: usize = costs.iter().sum();
        let count = (total / (WORK * features.len().max(1))).clamp(1, MAX_SHARDS);
        // A power of two is dealt evenly to two, four or eight threads.
        let count = 1 << count.ilog2();
        let unknown = |labels: &&Vec<usize>| labels.iter().any(|&label| label >= features.labels);
        Ok(Self {
            data,
            features,
            whole: WholeRows::new(features),
            l2,
            shards: shards(&costs, total, count, features.labels),
            skipped: data.labels().iter().filter(unknown).count(),
            reach: data.sequences().iter().map(reach).fold(0.0, f64::max),
        })
    }

    /// The number of sequences that are left out because of a label that the features do not have.
    pub const fn skipped(&self) -> usize {
        self.skipped
    }

    /// Σ weight · ln p(y | x), without the penalty; NaN if a weight is not finite, or one is so large that
    /// scores overflow.
    ///
    /// # Panics
    /// If there are not as many weights as features.
    #[track_caller]
    pub fn ln_likelihood(&mut self, weights: &[f64]) -> f64 {
        assert_eq!(weights.len(), self.features.len(), "one weight for each feature");
        let Some((first, transitions)) = self.prepare(weights) else { return f64::NAN };
        let (features, spread) = self.whole.spread(weights);
        let at =
            Point { data: self.data, features, weights: spread, first: &first, transitions: &transitions };
        for_each(&mut self.shards, |shard| shard.evaluate(at));
        -self.shards.iter().map(|shard| shard.value).sum::<f64>()
    }

    /// Scores that are the same for all sequences, unless scores could overflow.
    fn prepare(&self, weights: &[f64]) -> Option<(Vec<f64>, Transitions)> {
        let largest = weights
            .iter()
            .fold(0.0, |largest: f64, w| if w.is_nan() || w.abs() > largest { w.abs() } else { largest });
        // A weight each for a transition, a first and a last label beside what the attributes give.
        if !(largest * (self.reach + 3.0) < LARGEST_SCORE) {
            return None;
        }
        let transitions = Transitions::from_ln(&self.features.transition_scores(weights)).ok()?;
        Some((self.features.first_scores(weights), transitions))
    }
}

impl optimize::Objective for CrfObjective<'_> {
    /// # Panics
    /// If there are not as many weights, or derivatives, as features.
    #[track_caller]
    fn evaluate(&mut self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        assert_eq!(weights.len(), self.features.len(), "one weight for each feature");
        assert_eq!(gradient.len(), self.features.len(), "one derivative for each feature");
        let Some((first, transitions)) = self.prepare(weights) else {
            gradient.fill(f64::NAN);
            return f64::NAN;
        };
        let (features, spread) = self.whole.spread(weights);
        let at =
            Point { data: self.data, features, weights: spread, first: &first, transitions: &transitions };
        for_each(&mut self.shards, |shard| shard.differentiate(at));
        let penalty = self.l2 * collect(gradient, weights, &self.shards, &self.whole, self.l2);
        self.shards.iter().map(|shard| shard.value).sum::<f64>() + penalty
    }
}

/// Writes the gradient, and returns |w|².
fn collect(gradient: &mut [f64], weights: &[f64], shards: &[Shard], whole: &WholeRows<'_>, l2: f64) -> f64 {
    let block = |(): &mut (), (index, out): (usize, &mut [f64])| {
        let range = index * BLOCK..index * BLOCK + out.len();
        let weights = &weights[range.clone()];
        let mut square = 0.0;
        for (out, w) in out.iter_mut().zip(weights) {
            *out = 2.0 * l2 * w;
            square += w * w;
        }
        for shard in shards {
            whole.add_back(range.start, &shard.gradient, out);
        }
        square
    };
    map(gradient.chunks_mut(BLOCK).enumerate().collect(), || (), block).into_iter().sum()
}

fn for_each(shards: &mut [Shard], work: impl Fn(&mut Shard) + Sync + Send) {
    #[cfg(feature = "rayon")]
    shards.par_iter_mut().with_max_len(1).for_each(work);
    #[cfg(not(feature = "rayon"))]
    shards.iter_mut().for_each(work);
}

/// About how many additions a sequence costs.
fn cost(sequence: &AttributeSequence, features: &Features) -> usize {
    let k = features.labels;
    (sequence.nodes.len() + sequence.len() * (k + features.width) + sequence.steps.len() * k) * k
}

/// Neighbouring sequences in `count` shards of about the same cost.
fn shards(costs: &[usize], total: usize, count: usize, labels: usize) -> Vec<Shard> {
    let mut shards = Vec::with_capacity(count);
    let (mut begin, mut spent) = (0, 0);
    for (index, cost) in costs.iter().enumerate() {
        spent += cost;
        if spent * count >= total * (shards.len() + 1) || index + 1 == costs.len() {
            shards.push(Shard::new(begin..index + 1, labels));
            begin = index + 1;
        }
    }
    shards
}

/// The largest sum of |values| at one position, or of one step.
fn reach(sequence: &AttributeSequence) -> f64 {
    let sum =
        |entries: &mut dyn Iterator<Item = (usize, f64)>| entries.map(|(_, value)| value.abs()).sum::<f64>();
    (0..sequence.len())
        .map(|t| {
            let dense = sequence.dense(t).iter().map(|feature| feature.abs()).sum::<f64>();
            sum(&mut sequence.attributes(t)) + dense + sum(&mut sequence.step_attributes(t))
        })
        .fold(0.0, f64::max)
}
