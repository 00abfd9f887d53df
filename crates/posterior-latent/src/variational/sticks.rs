//! Weights as pieces of a stick: the truncated Dirichlet and Pitman-Yor processes.

use posterior_dist::{Bernoulli, Beta, Conjugate, Entropy, Gamma, KlDivergence, PitmanYor, Stats};
use posterior_math::check::{self, ParamError};

/// The prior of weights π_k = v_k Π_{j<k} (1 - v_j) with v_k ~ Beta(1 - d, θ + k d), of which the last is 1.
///
/// That is the process truncated as in Ishwaran and James 2001: what it leaves out is about 4 n exp(-(T - 1)
/// / θ) of the probability of n points, where the discount is zero. With more pieces than the data need,
/// those at the end stay the prior.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StickPrior {
    process: PitmanYor,
    truncation: usize,
    concentration: Option<Gamma>,
}

/// The factor q of the sticks, and of the concentration where it is fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct StickFactor {
    prior: StickPrior,
    sticks: Vec<Beta>,
    /// The θ with which the sticks were updated.
    theta: f64,
    concentration: Option<Gamma>,
}

impl StickPrior {
    /// The first `truncation` pieces of a process of known concentration.
    ///
    /// # Errors
    /// If the truncation is zero.
    pub fn new(process: PitmanYor, truncation: usize) -> Result<Self, ParamError> {
        check::require(truncation > 0, "StickPrior", "truncation", truncation as f64, "positive")?;
        Ok(Self { process, truncation, concentration: None })
    }

    /// The first `truncation` pieces of a Dirichlet process, whose concentration α is fitted.
    ///
    /// # Errors
    /// If the truncation is zero.
    pub fn learning_concentration(prior: Gamma, truncation: usize) -> Result<Self, ParamError> {
        let process = PitmanYor::chinese_restaurant(prior.shape() / prior.rate())?;
        Ok(Self { concentration: Some(prior), ..Self::new(process, truncation)? })
    }

    /// The process; where the concentration is fitted, that with its prior mean.
    pub const fn process(&self) -> &PitmanYor {
        &self.process
    }

    /// The number of pieces.
    pub const fn truncation(&self) -> usize {
        self.truncation
    }

    /// The prior of the concentration, if it is fitted.
    pub const fn concentration(&self) -> Option<&Gamma> {
        self.concentration.as_ref()
    }

    /// p(v_k | θ) of the piece k from 0.
    fn stick(&self, k: usize, theta: f64) -> Result<Beta, ParamError> {
        let discount = self.process.discount();
        Beta::new(1.0 - discount, theta + (k as f64 + 1.0) * discount)
    }

    /// ln ∫ p(z | v) p(v | θ) dv.
    fn ln_evidence(&self, counts: &[f64], theta: f64) -> Result<f64, ParamError> {
        let mut sum = 0.0;
        for (k, stats) in breaks(counts).enumerate() {
            sum += Bernoulli::ln_evidence(&self.stick(k, theta)?, &stats?)?;
        }
        Ok(sum)
    }

    /// The factor before any data.
    pub(super) fn factor(&self) -> Result<StickFactor, ParamError> {
        let theta = self.process.concentration();
        let sticks = (0..self.truncation - 1).map(|k| self.stick(k, theta)).collect::<Result<_, _>>()?;
        Ok(StickFactor { prior: *self, sticks, theta, concentration: self.concentration })
    }
}

impl StickFactor {
    /// The prior p of the sticks.
    pub const fn prior(&self) -> &StickPrior {
        &self.prior
    }

    /// q(v_k) of all pieces but the last, which is 1.
    pub fn sticks(&self) -> &[Beta] {
        &self.sticks
    }

    /// q of the concentration, if it is fitted.
    pub const fn concentration(&self) -> Option<&Gamma> {
        self.concentration.as_ref()
    }

    /// The concentration, or its mean.
    pub fn expected_concentration(&self) -> f64 {
        self.concentration
            .as_ref()
            .map_or(self.theta, |distribution| distribution.shape() / distribution.rate())
    }

    /// The sticks given expected counts and the concentration as it is.
    pub(super) fn update_sticks(&mut self, counts: &[f64]) -> Result<(), ParamError> {
        let theta = self.expected_concentration();
        let update = |(k, stats): (usize, Result<Stats<Bernoulli>, ParamError>)| {
            Bernoulli::posterior(&self.prior.stick(k, theta)?, &stats?)
        };
        self.sticks = breaks(counts).enumerate().map(update).collect::<Result<_, _>>()?;
        self.theta = theta;
        Ok(())
    }

    /// The concentration given the sticks, if it is learned: Gamma(a + T - 1, b - Σ E ln(1 - v_k)).
    pub(super) fn update_concentration(&mut self) -> Result<(), ParamError> {
        if let Some(prior) = self.prior.concentration {
            let (shape, rate) = (prior.shape() + self.sticks.len() as f64, prior.rate() - self.ln_left());
            self.concentration = Some(Gamma::shape_rate(shape, rate)?);
        }
        Ok(())
    }

    /// E ln p(z | v) - KL(q(v, θ) ‖ p(v, θ)), of counts that q would have if it were updated with them and
    /// with the concentration that it was updated with last.
    pub(super) fn ln_evidence(&self, counts: &[f64]) -> Result<f64, ParamError> {
        Ok(self.prior.ln_evidence(counts, self.theta)? - self.divergence_of_concentration())
    }

    /// Whether an update leads to at least as large a bound with the first counts as with the second ones.
    pub(super) fn prefers(&self, counts: &[f64], others: &[f64]) -> Result<bool, ParamError> {
        let theta = self.expected_concentration();
        Ok(self.prior.ln_evidence(counts, theta)? >= self.prior.ln_evidence(others, theta)?)
    }

    /// KL(q(v, θ) ‖ p(v, θ)).
    pub(super) fn divergence(&self) -> Result<f64, ParamError> {
        let mut sum = self.divergence_of_concentration();
        for (k, stick) in self.sticks.iter().enumerate() {
            sum += stick.kl_divergence(&self.prior.stick(k, self.theta)?);
        }
        Ok(sum)
    }

    /// What a random concentration adds to the divergence of the sticks from those with θ:
    /// KL(q(α) ‖ p(α)) - E ln p(v | α) + E ln p(v | θ), with p(v | α) = Π α (1 - v_k)^(α - 1).
    fn divergence_of_concentration(&self) -> f64 {
        let (Some(prior), Some(posterior)) = (&self.prior.concentration, &self.concentration) else {
            return 0.0;
        };
        let pieces = self.sticks.len() as f64;
        let ln_ratio = posterior.expected_ln() - self.theta.ln();
        let excess = self.expected_concentration() - self.theta;
        posterior.kl_divergence(prior) - pieces * ln_ratio - excess * self.ln_left()
    }

    /// Σ E ln(1 - v_k).
    fn ln_left(&self) -> f64 {
        self.sticks.iter().map(Beta::expected_ln_complement).sum()
    }

    /// E ln π_k.
    pub(super) fn expected_ln(&self) -> Vec<f64> {
        let mut left = 0.0;
        let piece = |stick: &Beta| {
            let whole = left + stick.expected_ln();
            left += stick.expected_ln_complement();
            whole
        };
        let mut pieces: Vec<f64> = self.sticks.iter().map(piece).collect();
        pieces.push(left);
        pieces
    }

    /// E π_k: the sticks are independent.
    pub(super) fn expected(&self) -> Vec<f64> {
        let mut left = 1.0;
        let piece = |stick: &Beta| {
            let total = stick.alpha() + stick.beta();
            let whole = left * (stick.alpha() / total);
            left *= stick.beta() / total;
            whole
        };
        let mut pieces: Vec<f64> = self.sticks.iter().map(piece).collect();
        pieces.push(left);
        pieces
    }

    /// The entropy of q(v, θ).
    pub(super) fn entropy(&self) -> f64 {
        let sticks: f64 = self.sticks.iter().map(Entropy::entropy).sum();
        sticks + self.concentration.as_ref().map_or(0.0, Entropy::entropy)
    }
}

/// For all pieces but the last, how often the stick was broken there and how often beyond.
fn breaks(counts: &[f64]) -> impl Iterator<Item = Result<Stats<Bernoulli>, ParamError>> {
    // Counts beyond a piece, from the end, so that nothing is subtracted.
    let mut beyond = vec![0.0; counts.len()];
    for k in (1..counts.len()).rev() {
        beyond[k - 1] = beyond[k] + counts[k];
    }
    let pieces = counts.len().saturating_sub(1);
    let pairs: Vec<(f64, f64)> = counts.iter().copied().zip(beyond).take(pieces).collect();
    pairs.into_iter().map(|(here, beyond)| Stats::from_totals((), vec![here], here + beyond, 0.0))
}
