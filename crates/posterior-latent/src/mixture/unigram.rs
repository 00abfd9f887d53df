//! The unigram model: the words of a document, given how many there are, are independent draws from one
//! distribution.

use std::iter::zip;

use posterior_dist::{
    Categorical, Conjugate, Density, Dirichlet, Expectation, ExpectedDensity, ExponentialFamily,
    FisherInformation, Mode, Natural, PriorDensity, Stats, Sums,
};
use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;
use posterior_math::special::ln_pochhammer;
use rand::Rng;
use rand::distr::Distribution;

/// The distribution of a document's words, given their number; a document is its counts of words.
///
/// # Density
/// p(n) = Π_v θ_v^(n_v), of the words in their order; that of the empty document is 1.
///
/// Documents of any length are points of one family, in contrast to
/// [`Multinomial`](posterior_dist::Multinomial). A mixture of them has one topic for each document.
///
/// # Numerics
/// The expectation, and ln Z(w) = ln Σ exp(w_v) outside of ln Z = 0, are those of a document of one word.
///
/// ```
/// use posterior_dist::{Categorical, Density};
/// use posterior_latent::mixture::UnigramDistribution;
///
/// let english = UnigramDistribution::new(Categorical::from_probabilities(&[0.5, 0.25, 0.25])?);
/// assert!((english.ln_pdf(&[2, 1, 0]) - 0.0625_f64.ln()).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct UnigramDistribution {
    words: Categorical,
}

impl UnigramDistribution {
    /// Words from this distribution.
    pub const fn new(words: Categorical) -> Self {
        Self { words }
    }

    /// The probabilities θ of the words.
    pub const fn words(&self) -> &Categorical {
        &self.words
    }
}

impl Density for UnigramDistribution {
    type Point = [u64];

    fn ln_pdf(&self, counts: &[u64]) -> f64 {
        if counts.len() != self.words.categories() {
            return f64::NEG_INFINITY;
        }
        let cells = zip(counts, self.words.ln_probabilities()).filter(|(count, _)| **count > 0);
        cells.map(|(&count, ln_theta)| count as f64 * ln_theta).sum()
    }
}

/// Counts, and ln θ.
impl ExponentialFamily for UnigramDistribution {
    /// The number of words in the vocabulary.
    type Fixed = usize;
    type Summary = Sums;

    fn fixed(&self) -> usize {
        self.words.categories()
    }

    fn statistic_len(&vocabulary: &usize) -> usize {
        vocabulary
    }

    fn check_point(&vocabulary: &usize, counts: &[u64]) -> Result<(), ParamError> {
        let length = counts.len();
        check::require(
            length == vocabulary,
            "Unigram",
            "length",
            length as f64,
            "the size of the vocabulary",
        )?;
        Ok(())
    }

    fn add_statistic(_: &usize, counts: &[u64], weight: f64, sum: &mut [f64]) {
        for (sum, &count) in zip(sum, counts) {
            *sum += weight * count as f64;
        }
    }

    fn ln_base(_: &usize, _: &[u64]) -> f64 {
        0.0
    }

    fn ln_partition(natural: &Natural<Self>) -> f64 {
        posterior_math::log_space::ln_sum_exp(natural.as_slice())
    }

    fn natural(&self) -> Natural<Self> {
        let coordinates = self.words.ln_probabilities().to_vec();
        Natural::new(self.fixed(), coordinates)
            .expect("invariant: as many logarithms as words, none of them NaN")
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Categorical::from_ln_weights(natural.as_slice()).map(Self::new)
    }

    fn expectation(&self) -> Expectation<Self> {
        let coordinates = self.words.probabilities().to_vec();
        Expectation::new(self.fixed(), coordinates).expect("invariant: as many probabilities as words")
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Categorical::from_weights(expectation.as_slice()).map(Self::new)
    }
}

impl FisherInformation for UnigramDistribution {
    fn fisher_information(&self) -> DMatrix<f64> {
        let theta = self.words.probabilities();
        DMatrix::from_fn(
            theta.len(),
            theta.len(),
            |i, j| if i == j { theta[i] } else { 0.0 } - theta[i] * theta[j],
        )
    }
}

/// The distribution of the next document's words, given their number, where θ is Dirichlet.
#[derive(Debug, Clone, PartialEq)]
pub struct UnigramPredictive {
    prior: Dirichlet,
}

impl Density for UnigramPredictive {
    type Point = [u64];

    fn ln_pdf(&self, counts: &[u64]) -> f64 {
        if counts.len() == self.prior.concentration().len() {
            ln_evidence(&self.prior, counts.iter().map(|&count| count as f64))
        } else {
            f64::NEG_INFINITY
        }
    }
}

/// ln B(α + n) / B(α).
fn ln_evidence(prior: &Dirichlet, counts: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for (&alpha, count) in zip(prior.concentration(), counts) {
        sum += ln_pochhammer(alpha, count);
        total += count;
    }
    sum - ln_pochhammer(prior.concentration().iter().sum(), total)
}

fn check_size(prior: &Dirichlet, vocabulary: usize) -> Result<(), ParamError> {
    let size = prior.concentration().len();
    check::require(size == vocabulary, "Dirichlet", "size", size as f64, "that of the vocabulary")?;
    Ok(())
}

impl Conjugate<Dirichlet> for UnigramDistribution {
    type Predictive = UnigramPredictive;

    fn posterior(prior: &Dirichlet, stats: &Stats<Self>) -> Result<Dirichlet, ParamError> {
        check_size(prior, *stats.fixed())?;
        Dirichlet::new(
            &zip(prior.concentration(), stats.sum()).map(|(alpha, count)| alpha + count).collect::<Vec<_>>(),
        )
    }

    fn predictive(prior: &Dirichlet, vocabulary: &usize) -> Result<UnigramPredictive, ParamError> {
        check_size(prior, *vocabulary)?;
        Ok(UnigramPredictive { prior: prior.clone() })
    }

    fn ln_evidence(prior: &Dirichlet, stats: &Stats<Self>) -> Result<f64, ParamError> {
        check_size(prior, *stats.fixed())?;
        Ok(ln_evidence(prior, stats.sum().iter().copied()))
    }

    fn expected_density(prior: &Dirichlet, vocabulary: &usize) -> Result<ExpectedDensity<Self>, ParamError> {
        check_size(prior, *vocabulary)?;
        Ok(ExpectedDensity::new(Natural::new(*vocabulary, prior.expected_ln())?, 0.0))
    }

    fn most_probable(prior: &Dirichlet, vocabulary: &usize) -> Result<Option<Self>, ParamError> {
        check_size(prior, *vocabulary)?;
        prior.mode().map(|theta| Categorical::from_weights(&theta).map(Self::new)).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Dirichlet, vocabulary: &usize, rng: &mut R) -> Result<Self, ParamError> {
        check_size(prior, *vocabulary)?;
        let theta: Vec<f64> = prior.sample(rng);
        Categorical::from_weights(&theta).map(Self::new)
    }
}

impl PriorDensity<UnigramDistribution> for Dirichlet {
    fn ln_density_of(&self, distribution: &UnigramDistribution) -> f64 {
        self.ln_pdf(distribution.words.probabilities())
    }
}
