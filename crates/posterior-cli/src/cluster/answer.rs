//! What a fit says, whatever the method.

use posterior::latent::Error;
use posterior::latent::partition::{Partition, adjusted_rand_index};
use posterior::math::linalg::DMatrix;
use serde::Serialize;

use crate::args::{ClusterFit, ClusterMethod};
use crate::failure::Failure;
use crate::rows_input::Rows;

/// The answer of `cluster fit`; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) covariance: Option<String>,
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

/// A fit that was refused, in the words of the library.
#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
pub(super) fn refused(error: Error) -> Failure {
    Failure::data(error.to_string())
}

/// What a method found, in the units of the fit.
pub(super) struct Outcome {
    pub(super) method: &'static str,
    pub(super) covariance: Option<String>,
    pub(super) weights: Vec<f64>,
    pub(super) means: Vec<Vec<f64>>,
    pub(super) covariances: Vec<DMatrix<f64>>,
    pub(super) trace: Vec<f64>,
    pub(super) converged: Option<bool>,
    pub(super) assignments: Vec<usize>,
    pub(super) certainty: Vec<f64>,
    pub(super) selection: Vec<Candidate>,
    pub(super) warnings: Vec<String>,
}

impl Outcome {
    /// The answer in the units of the table; `finish` adds what only one method has.
    pub(super) fn answer(self, args: &ClusterFit, data: &Rows, finish: impl FnOnce(&mut Answer)) -> Answer {
        let in_units = |mean: Vec<f64>| {
            mean.into_iter().enumerate().map(|(column, value)| value * data.scales[column]).collect()
        };
        let square = |covariance: DMatrix<f64>| {
            let row = |i: usize| {
                let entry = |j: usize| covariance[(i, j)] * data.scales[i] * data.scales[j];
                (0..covariance.ncols()).map(entry).collect()
            };
            (0..covariance.nrows()).map(row).collect()
        };
        let mut warnings = data.notes.clone();
        warnings.extend(self.warnings);
        if self.converged == Some(false) {
            warnings.push("the fit did not converge: allow more with --iterations".to_owned());
        }
        let mut answer = Answer {
            method: self.method,
            covariance: self.covariance,
            rows: data.values.nrows(),
            columns: data.names.clone(),
            k: self.means.len(),
            weights: self.weights,
            means: self.means.into_iter().map(in_units).collect(),
            covariances: self.covariances.into_iter().map(square).collect(),
            ln_likelihood: None,
            elbo: None,
            inertia: None,
            trace: self.trace,
            converged: self.converged,
            parameters_known: match args.method {
                ClusterMethod::Kmeans => None,
                ClusterMethod::Gmm | ClusterMethod::MapGmm | ClusterMethod::VbGmm => Some(true),
                ClusterMethod::GibbsGmm | ClusterMethod::Dp => Some(false),
            },
            agreement: agreement(data, &self.assignments),
            assignments: self.assignments,
            certainty: self.certainty,
            selection: self.selection,
            posterior_of_k: None,
            warnings,
        };
        finish(&mut answer);
        answer
    }
}

/// The groups against those that were known.
fn agreement(data: &Rows, assignments: &[usize]) -> Option<Agreement> {
    let known = data.groups.as_ref()?;
    let found = Partition::from_labels(assignments);
    let adjusted_rand = adjusted_rand_index(&found, &Partition::from_labels(&known.each)).ok()?;
    let groups = assignments.iter().max().map_or(0, |most| most + 1);
    let mut table = vec![vec![0; groups]; known.names.len()];
    for (&group, &label) in assignments.iter().zip(&known.each) {
        table[label][group] += 1;
    }
    Some(Agreement { label: known.column.clone(), adjusted_rand, table, names: known.names.clone() })
}
