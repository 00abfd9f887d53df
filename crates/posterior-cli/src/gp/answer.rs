//! What a fit says, whatever the likelihood and the method.

use posterior::gp::Kernel;
use serde::Serialize;

/// The answer of `gp fit`; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) likelihood: &'static str,
    /// How the posterior was computed.
    pub(super) method: String,
    /// Why so.
    pub(super) reason: String,
    pub(super) kernel: Kernel,
    pub(super) hyperparameters: Vec<Hyperparameter>,
    pub(super) ln_marginal_likelihood: f64,
    /// Derivatives of it, by each parameter on its free scale: by ln θ for positive ones.
    pub(super) gradient: Vec<f64>,
    /// Noise that had to be added for a factor of the covariance, and why; usually none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) jitter: Option<Jitter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) search: Option<Search>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) leave_one_out: Option<LeaveOneOut>,
    pub(super) predictions: Vec<Predicted>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) components: Vec<Component>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) classes: Vec<String>,
    pub(super) warnings: Vec<String>,
    pub(super) seed: u64,
    pub(super) seconds: f64,
}

/// A parameter of the kernel, the mean or the noise.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Hyperparameter {
    pub(super) name: String,
    pub(super) value: f64,
    /// The standard error on the free scale: a relative one for positive parameters; null where the data say nothing.
    pub(super) standard_error: Option<f64>,
    /// Whether the free scale is the logarithm.
    #[serde(skip)]
    pub(super) of_logarithm: bool,
    /// The limit that a search ran into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct Jitter {
    pub(super) variance: f64,
    pub(super) cause: String,
}

/// How the parameters were found.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Search {
    pub(super) converged: bool,
    pub(super) iterations: usize,
    pub(super) starts: usize,
    /// Searches that ended as high as the best.
    pub(super) agreeing: usize,
}

/// What each output would have been predicted to be from all others.
#[derive(Debug, Serialize)]
pub(super) struct LeaveOneOut {
    pub(super) ln_score: f64,
    /// The share of outputs in their central intervals of 90 %.
    pub(super) coverage_90: f64,
    #[serde(skip)]
    pub(super) residuals: Vec<f64>,
}

/// The function at a place.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Predicted {
    pub(super) x: Vec<f64>,
    /// Of the function; of several classes one for each, else one.
    pub(super) mean: Values,
    pub(super) variance: Values,
    /// Of the second class, or of each of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) probability: Option<Values>,
    /// The mean of a new count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) response: Option<f64>,
}

/// A number, or one for each class.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Values {
    One(f64),
    Each(Vec<f64>),
}

impl Values {
    /// The numbers.
    pub(super) fn all(&self) -> &[f64] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Each(values) => values,
        }
    }
}

/// A term of the kernel by itself, at the places of the predictions.
#[derive(Debug, Serialize)]
pub(super) struct Component {
    pub(super) kernel: Kernel,
    pub(super) mean: Vec<f64>,
    pub(super) variance: Vec<f64>,
}

/// A kernel with four digits of each number, for people.
pub(super) fn short(kernel: &Kernel) -> String {
    let rounded: Vec<f64> = kernel.parameters().iter().map(|own| four_digits(own.value)).collect();
    kernel.with_parameters(&rounded).map_or_else(|_| kernel.to_string(), |rounded| rounded.to_string())
}

fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
