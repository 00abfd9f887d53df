//! What a fit says, whatever the method.

use std::ops::RangeInclusive;

use posterior::latent::partition::{Partition, adjusted_rand_index};
use posterior::math::linalg::DMatrix;
use serde::Serialize;

use crate::args::{ClusterFit, ClusterMethod, name};
use crate::failure::Failure;
use crate::long_work::LongWork;
use crate::rows_input::Rows;

/// The answer of `cluster fit`; its JSON is the contract of the command line.
#[derive(Debug, Default, Serialize)]
pub(super) struct Answer {
    pub(super) method: String,
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
    /// The number of each of these rows in its file, from 1, where they are not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) row_numbers: Option<Vec<usize>>,
    /// The probability that each row is in its group; 1 for k-means.
    #[serde(skip)]
    pub(super) certainty: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) selection: Vec<Candidate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) posterior_of_k: Option<Vec<CountProportion>>,
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
pub(super) struct CountProportion {
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

impl Answer {
    /// What a method found, in the units of the fit.
    pub(super) fn new(args: &ClusterFit, data: &Rows) -> Self {
        Self {
            method: name(args.method),
            covariance: (args.method != ClusterMethod::Kmeans).then(|| name(args.covariance)),
            rows: data.values.nrows(),
            columns: data.names.clone(),
            parameters_known: match args.method {
                ClusterMethod::Kmeans => None,
                ClusterMethod::Gmm | ClusterMethod::MapGmm | ClusterMethod::VbGmm => Some(true),
                ClusterMethod::GibbsGmm | ClusterMethod::Dp => Some(false),
            },
            ..Self::default()
        }
    }

    /// The same in the units of the table, with what all methods say.
    pub(super) fn in_units(mut self, data: &Rows) -> Self {
        let scale = |row: &mut Vec<f64>| row.iter_mut().zip(&data.scales).for_each(|(own, by)| *own *= by);
        self.means.iter_mut().for_each(scale);
        for rows in &mut self.covariances {
            for (row, by) in rows.iter_mut().zip(&data.scales) {
                for own in row.iter_mut() {
                    *own *= by;
                }
                scale(row);
            }
        }
        self.warnings.splice(0..0, data.notes.iter().cloned());
        if self.converged == Some(false) {
            self.warnings.push("the fit did not converge: allow more with --iterations".to_owned());
        }
        self.k = self.means.len();
        self.agreement = agreement(data, &self.assignments);
        self
    }
}

/// The rows of a matrix.
pub(super) fn rows_of(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

/// A score, what has it, and all that were compared.
type Best<T> = (f64, T, Vec<Candidate>);

/// The fit of the highest score among those of several numbers of components, with its score and all others;
/// none of no numbers.
pub(super) fn best_of<T>(
    counts: RangeInclusive<usize>,
    criterion: &'static str,
    quiet: bool,
    mut fit: impl FnMut(usize) -> Result<(f64, T), Failure>,
) -> Result<Option<Best<T>>, Failure> {
    let work = LongWork::of(counts.clone().count(), "clusters", quiet);
    let mut best: Option<(f64, T)> = None;
    let mut selection = Vec::new();
    for k in counts {
        work.say(format!("{k} clusters"));
        let (score, found) = fit(k)?;
        work.step();
        selection.push(Candidate { k, criterion, score });
        if best.as_ref().is_none_or(|(highest, _)| score > *highest) {
            best = Some((score, found));
        }
    }
    Ok(best.map(|(score, found)| (score, found, selection)))
}

/// The groups against those that were known.
pub(super) fn agreement(data: &Rows, assignments: &[usize]) -> Option<Agreement> {
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
