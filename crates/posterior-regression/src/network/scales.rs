//! Laplace approximations under several scales of the prior, each weighted by its evidence.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::softmax_in_place;

use super::latent::quantiles_of_mixture;
use super::{HessianKind, Joint, NetworkFitOptions, NetworkHyperparameters, NetworkLaplace, fit};
use crate::Error;
use crate::glm::{ScalePrior, scale_prior};

/// An average over the standard deviation of the prior, which is unknown and has a half-Cauchy distribution.
///
/// [`tune`](crate::network::tune) takes the one scale under which the data are most probable. Where they say
/// little this is the smallest there is, at which every prediction is the same and claims to be certain. Here
/// each of nine scales, four in a factor of ten from a tenth of the median to ten times it, has a
/// [`NetworkLaplace`] approximation at its own mode, and predictions are averages with weights proportional
/// to evidence times prior.
///
/// # Accuracy
/// Intervals of probabilities are too short. Of the probabilities at new rows, two inputs and 20 units with
/// weights drawn from a prior of unknown scale, 87 % were in their intervals of 90 % at 60 rows and 85 % at
/// 200; 77 % and 78 % where that scale was 2; 93 % where the log odds were linear in the inputs, 95 % and
/// more where they were constant. A function that varies faster than the prior expects is taken for noise
/// until the data are many: of 1.5 sin 2x 45 % at 60 rows, 79 % at 200. The cause is the Gaussian at one
/// mode, whose evidence is some nats too small under large scales, where many modes count; more starts, and
/// mixtures of their modes, change nothing. Weighted draws of the prior, which stand for the exact posterior,
/// had 84 % where this had 63 % (networks of scale 2, ten tables of 60 rows), and for the sine 59 % where
/// this had 43 %: the rest is the prior's.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::network::{
///     Activation, HessianKind, NetworkHyperparameters, Joint, Network, NetworkData, ScaleMixture, NetworkFitOptions,
/// };
///
/// // Eight coins that know nothing of x.
/// let x = DMatrix::from_fn(8, 1, |i, _| i as f64 - 3.5);
/// let coins = NetworkData::binary(x, &[true, false, false, true, true, false, false, true])?;
/// let network = Network::new(1, &[5], 1, Activation::Tanh)?;
/// let joint = Joint::new(network, coins, NetworkHyperparameters::new(1.0)?)?;
/// let average = ScaleMixture::new(&joint, 1.0, HessianKind::GaussNewton, &NetworkFitOptions::default())?;
/// let at = DMatrix::from_element(1, 1, 0.0);
/// let [low, high] = [0.05, 0.95].map(|p| average.response_quantiles(&at, &[p]).map(|found| found[0][0]));
/// assert!(high? - low? > 0.2);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
///
/// # References
/// A. Gelman, Prior distributions for variance parameters in hierarchical models, Bayesian Analysis 1, 2006.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(remote = "Self"))]
pub struct ScaleMixture {
    parts: Vec<Part>,
    ln_evidence: f64,
}

/// One scale.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Part {
    scale: f64,
    weight: f64,
    laplace: NetworkLaplace,
    /// By how much ln p(y, w) of the worst start is below that of the best.
    disagreement: f64,
}

impl ScaleMixture {
    /// Trains and approximates under each scale; the precisions of the joint are those at the scale 1.
    ///
    /// # Cost
    /// Nine times that of [`fit`] and of [`NetworkLaplace::new`].
    ///
    /// # Errors
    /// A median that is not positive and finite; those of [`fit`] and [`NetworkLaplace::new`].
    pub fn new(
        joint: &Joint,
        median: f64,
        kind: HessianKind,
        options: &NetworkFitOptions,
    ) -> Result<Self, Error> {
        let mut parts = Vec::new();
        let mut ln_weights = Vec::new();
        for (scale, probability) in ScalePrior::half_cauchy(median)?.points() {
            let precisions: Vec<f64> =
                joint.hyperparameters().precisions().iter().map(|own| own / (scale * scale)).collect();
            let noise_variance = joint.hyperparameters().noise_variance();
            let own = NetworkHyperparameters::by_layer(&precisions)?.with_noise_variance(noise_variance)?;
            let joint = joint.clone().with_hyperparameters(own)?;
            let mode = fit(&joint, options, &mut Silent)?.model;
            let laplace = NetworkLaplace::new(&joint, &mode.weights, kind)?;
            let ends = mode.starts.iter().map(|end| end.unwrap_or(f64::NEG_INFINITY));
            let disagreement = mode.ln_joint - ends.fold(f64::INFINITY, f64::min);
            ln_weights.push(laplace.ln_evidence() + probability.ln());
            parts.push(Part { scale, weight: 0.0, laplace, disagreement });
        }
        let ln_evidence = softmax_in_place(&mut ln_weights);
        for (part, weight) in parts.iter_mut().zip(ln_weights) {
            part.weight = weight;
        }
        Ok(Self { parts, ln_evidence })
    }

    /// ln p(y), averaged over the scales.
    pub const fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// Each scale with its probability.
    pub fn weights(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.parts.iter().map(|part| (part.scale, part.weight))
    }

    /// The median of the scale: the smallest that has at least half of the probability at or below it.
    pub fn median(&self) -> f64 {
        scale_prior::median(self.weights())
    }

    /// By how many nats the worst start ended below the best, averaged over the scales: large where
    /// predictions depend on where the search began.
    pub fn disagreement(&self) -> f64 {
        self.parts.iter().filter(|part| part.weight > 0.0).map(|part| part.weight * part.disagreement).sum()
    }

    /// E y at each row of `x`: [`NetworkOutputs::response`](crate::network::NetworkOutputs::response),
    /// averaged.
    ///
    /// # Errors
    /// As for [`NetworkLaplace::latent`].
    pub fn response(&self, x: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        let mut sum: Option<DMatrix<f64>> = None;
        for part in self.parts.iter().filter(|part| part.weight > 0.0) {
            let own = part.laplace.latent(x)?.response() * part.weight;
            sum = Some(sum.map_or_else(|| own.clone(), |sum| sum + &own));
        }
        Ok(sum.unwrap_or_else(|| DMatrix::zeros(x.nrows(), 0)))
    }

    /// The quantiles of E[y | f] at each row of `x` for each level:
    /// [`NetworkOutputs::response_quantiles`](crate::network::NetworkOutputs::response_quantiles) of the
    /// mixture.
    ///
    /// # Errors
    /// As for [`NetworkLaplace::latent`], and a level that is not strictly between 0 and 1.
    pub fn response_quantiles(&self, x: &DMatrix<f64>, levels: &[f64]) -> Result<Vec<DMatrix<f64>>, Error> {
        let latents = self.parts.iter().map(|part| Ok((part.weight, part.laplace.latent(x)?)));
        let latents: Vec<_> = latents.collect::<Result<_, Error>>()?;
        let distributions: Vec<_> = latents.iter().map(|(weight, latent)| (*weight, latent)).collect();
        quantiles_of_mixture(&distributions, levels)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for ScaleMixture {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for ScaleMixture {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let own = Self::deserialize(deserializer)?;
        let shape = |part: &Part| (part.laplace.network().clone(), part.laplace.head());
        let alike = own.parts.windows(2).all(|pair| shape(&pair[0]) == shape(&pair[1]));
        let fits = alike && own.parts.iter().map(|part| part.weight).sum::<f64>() > 0.0;
        fits.then_some(own).ok_or_else(|| serde::de::Error::custom("expected networks of one shape"))
    }
}
