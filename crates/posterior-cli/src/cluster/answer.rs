//! What a fit says, whatever the method.

use serde::Serialize;

/// The answer of `cluster fit`; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) covariance: Option<&'static str>,
    pub(super) rows: usize,
    pub(super) columns: Vec<String>,
    /// How many components the model has; of a sampler, how many groups its partition has.
    pub(super) k: usize,
    pub(super) weights: Vec<f64>,
    pub(super) means: Vec<Vec<f64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) covariances: Vec<Vec<Vec<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ln_likelihood: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) elbo: Option<f64>,
    /// The sum of squared distances to the centres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) inertia: Option<f64>,
    /// The objective after each step; of a sampler ln p of its state after each sweep kept.
    pub(super) trace: Vec<f64>,
    pub(super) converged: Option<bool>,
    /// Whether the probabilities of groups leave out what is not known of the parameters; none of k-means,
    /// which has no probabilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parameters_known: Option<bool>,
    /// The group of each row.
    pub(super) assignments: Vec<usize>,
    /// The probability that each row is in its group; 1 for k-means.
    #[serde(skip)]
    pub(super) certainty: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) selection: Vec<Candidate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) posterior_of_k: Option<Vec<CountShare>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agreement: Option<Agreement>,
    pub(super) warnings: Vec<String>,
    pub(super) seed: u64,
    pub(super) seconds: f64,
}

/// One number of components of those that were tried.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Candidate {
    pub(super) k: usize,
    /// Which number this is: the largest is taken.
    pub(super) criterion: &'static str,
    pub(super) score: f64,
}

/// How probable a number of groups is.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct CountShare {
    pub(super) k: usize,
    pub(super) probability: f64,
}

/// How the groups agree with those that were known.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Agreement {
    pub(super) label: String,
    pub(super) adjusted_rand: f64,
    /// Rows of each known group in each found one.
    pub(super) table: Vec<Vec<usize>>,
    pub(super) names: Vec<String>,
}

impl Answer {
    /// Whether probabilities come from parameters that were estimated and taken as known.
    pub(super) fn takes_parameters_as_known(&self) -> bool {
        self.parameters_known == Some(true)
    }

    /// Rows in each group.
    pub(super) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.means.len()];
        for &group in &self.assignments {
            sizes[group] += 1;
        }
        sizes
    }
}
