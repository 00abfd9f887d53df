//! A precision for each weight: automatic relevance determination, the relevance vector machine.

use posterior_math::check::{self, DimensionError};
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};

use super::sparse::{Active, Sparse};
use super::{EvidenceOptions, RelevanceMethod};
use crate::Error;
use crate::linear::{LinearData, LinearPosterior, WeightPrior, known_noise};

/// A feature whose precision is above this multiple of β |φ|² is left out.
const IRRELEVANT: f64 = 1e9;

/// β is not followed beyond this multiple of 1/mean y².
const LARGEST_PRECISION: f64 = 1e14;

/// Which features matter, and the posterior with these alone.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Relevance {
    /// The precision α of the prior of each weight: 0 for free ones, infinite for those that are left out.
    pub prior_precisions: Vec<f64>,
    /// The noise variance σ².
    pub noise_variance: f64,
    /// ln p(y | α, β), with a density of 1 for free weights.
    pub ln_evidence: f64,
    /// The columns in the model, free ones among them, in order.
    pub columns: Vec<usize>,
    /// The posterior of the weights of these columns.
    pub posterior: LinearPosterior,
}

/// The precisions of all weights, and that of the noise, that maximise the evidence: most become infinite,
/// and their features are left out.
///
/// With kernels at the inputs as features, this is the relevance vector machine. The evidence has local
/// maxima. The trace is ln p(y); a step that estimates the noise anew may lower it.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::evidence::{EvidenceOptions, relevance};
/// use posterior_regression::linear::LinearData;
///
/// // Ten features, of which the third is the response.
/// let design = DMatrix::from_fn(30, 10, |i, j| ((i * i * (j + 2)) as f64 * 0.37).sin());
/// let y: Vec<f64> = (0..30).map(|i| 2.0 * design[(i, 2)] + 0.01 * (i as f64 * 5.1).cos()).collect();
/// let found = relevance(&LinearData::new(&design, &y)?, &[], &EvidenceOptions::default(), &mut Silent)?;
/// assert!(found.model.columns.contains(&2));
/// assert!(found.model.columns.len() < 10);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
///
/// # Errors
/// As [`fixed_points`](super::fixed_points).
pub fn relevance(
    data: &LinearData<'_>,
    free: &[usize],
    options: &EvidenceOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<Relevance>, Error> {
    check::dimension("outputs", 1, data.outputs)?;
    let sparse = Sparse::new(data, free)?;
    if !(sparse.rows > 0.0) {
        let (expected, found) = (free.len() + 1, data.informative());
        return Err(DimensionError::new("rows (at least)", expected, found).into());
    }
    let square = check::positive("relevance", "mean square of the responses", sparse.square() / sparse.rows)?;
    let mut state = State { beta: 10.0 / square, most: LARGEST_PRECISION / square, active: Vec::new() };
    if options.method == RelevanceMethod::FixedPoints {
        state.beta = 2.0 / square;
        for index in 0..sparse.columns.len() {
            let (norm, _) = sparse.feature(index);
            if norm > 0.0 {
                let proportion = square * sparse.rows / (2.0 * norm * sparse.columns.len() as f64);
                state.active.push((index, proportion.recip()));
            }
        }
    }
    let mut solved = sparse.solve(&state.active, state.beta)?;
    let mut progress = Progress::new(solved.ln_evidence, options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let change = match options.method {
            RelevanceMethod::FixedPoints => state.all_at_once(&sparse, &solved),
            RelevanceMethod::OneByOne => state.one_by_one(&sparse, &solved, options.tolerance),
        };
        solved = sparse.solve(&state.active, state.beta)?;
        if progress.stopped_after(solved.ln_evidence) {
            break Stop::Observer;
        }
        if change <= options.tolerance {
            break Stop::Converged;
        }
    };
    let report = progress.finish(stop);
    Ok(Fitted { model: state.finish(data, free, &sparse, solved.ln_evidence)?, report })
}

struct State {
    beta: f64,
    /// The largest β.
    most: f64,
    /// Features in the model, with their precisions, in order.
    active: Vec<(usize, f64)>,
}

impl State {
    /// α = γ/m² for every weight, and the noise; how much the largest change was, in logarithms.
    fn all_at_once(&mut self, sparse: &Sparse, solved: &Active) -> f64 {
        let mut change: f64 = 0.0;
        let mut kept = Vec::new();
        for (k, &(index, alpha)) in self.active.iter().enumerate() {
            let determined = 1.0 - alpha * solved.variances[k];
            let next = determined / (solved.mean[k] * solved.mean[k]);
            if next > 0.0 && next < IRRELEVANT * self.beta * sparse.feature(index).0 {
                change = change.max((next / alpha).ln().abs());
                kept.push((index, next));
            } else {
                change = f64::INFINITY;
            }
        }
        change = change.max(self.estimate_noise(sparse, solved));
        self.active = kept;
        change
    }

    /// β = (n - γ)/|y - Φ m|²; how much its logarithm changed.
    fn estimate_noise(&mut self, sparse: &Sparse, solved: &Active) -> f64 {
        let undetermined: f64 = self
            .active
            .iter()
            .zip(solved.variances.iter())
            .map(|((_, alpha), variance)| alpha * variance)
            .sum();
        let left = sparse.rows - self.active.len() as f64 + undetermined;
        // Where nothing is left but rounding, there is no noise.
        let beta = if left > 0.0 { (left / solved.residuals).min(self.most) } else { self.most };
        let change = (beta / self.beta).ln().abs();
        self.beta = beta;
        change
    }

    /// The best of adding, estimating anew and deleting one feature; where nothing is left to gain, the
    /// noise.
    fn one_by_one(&mut self, sparse: &Sparse, solved: &Active, tolerance: f64) -> f64 {
        let measures = sparse.sparsity_and_quality(&self.active, solved, self.beta);
        let mut best = (0.0, None);
        for (index, &(s, q)) in measures.iter().enumerate() {
            let place = self.active.binary_search_by_key(&index, |&(j, _)| j);
            let old = place.ok().map(|place| self.active[place].1);
            let (gain, new) = gain(s, q, old, IRRELEVANT * self.beta * sparse.feature(index).0);
            // A change of ln α by d gains d² or so: below this proportion, the step is converged.
            let moved = match (old, new) {
                (Some(old), Some(new)) => (new / old).ln().abs() > 0.5 * tolerance,
                (old, new) => old.is_some() != new.is_some(),
            };
            if moved && gain > best.0 {
                best = (gain, Some((place, index, new)));
            }
        }
        match best.1 {
            Some((Ok(place), _, Some(alpha))) => self.active[place].1 = alpha,
            Some((Ok(place), _, None)) => {
                self.active.remove(place);
            }
            Some((Err(place), index, Some(alpha))) => self.active.insert(place, (index, alpha)),
            Some((Err(_), _, None)) | None => return self.estimate_noise(sparse, solved),
        }
        f64::INFINITY
    }

    fn finish(
        &self,
        data: &LinearData<'_>,
        free: &[usize],
        sparse: &Sparse,
        ln_evidence: f64,
    ) -> Result<Relevance, Error> {
        let mut prior_precisions = vec![f64::INFINITY; data.features()];
        for &column in free {
            prior_precisions[column] = 0.0;
        }
        self.active.iter().for_each(|&(index, alpha)| prior_precisions[sparse.columns[index]] = alpha);
        let columns: Vec<usize> =
            (0..data.features()).filter(|&column| prior_precisions[column] < f64::INFINITY).collect();
        let names = data.names();
        let names: Vec<String> = columns.iter().map(|&column| names[column].clone()).collect();
        let design = data.design.select_columns(&columns);
        let chosen = LinearData { design: &design, names: Some(&names), ..*data };
        let variances: Vec<f64> = columns.iter().map(|&column| prior_precisions[column].recip()).collect();
        let prior = WeightPrior::independent(&vec![0.0; columns.len()], &variances)?;
        let noise_variance = self.beta.recip();
        let posterior = known_noise(&chosen, &prior, noise_variance)?;
        Ok(Relevance { prior_precisions, noise_variance, ln_evidence, columns, posterior })
    }
}

/// What the best precision of one feature gains over the old one, and that precision; none is infinite. s and
/// q are its sparsity and quality factors (Tipping and Faul, equations 17 to 21).
fn gain(s: f64, q: f64, old: Option<f64>, largest: f64) -> (f64, Option<f64>) {
    let relevance = q * q - s;
    let best = s * s / relevance;
    let new = (relevance > 0.0 && best < largest && best > 0.0).then_some(best);
    // ln p(y) as a function of this α, less its value at infinity.
    let height = |alpha: f64| 0.5 * (q * q / (alpha + s) - (s / alpha).ln_1p());
    let gain = new.map_or(0.0, height) - old.map_or(0.0, height);
    (gain, new)
}
