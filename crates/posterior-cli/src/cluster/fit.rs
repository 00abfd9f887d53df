//! `posterior cluster fit`.

use std::time::Instant;

use posterior::datasets::tables::OLD_FAITHFUL;
use posterior::latent::Error;
use posterior::latent::partition::{Partition, adjusted_rand_index};
use posterior::math::linalg::DMatrix;

use super::answer::{Agreement, Answer, Candidate};
use super::report::Shown;
use super::{artefacts, gaussian, k_means, sampled};
use crate::args::{ClusterFit, ClusterMethod, Counts, Format};
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::rows_input::Rows;
use crate::table::listed;
use crate::{output, threads};

/// Runs the verb.
pub(crate) fn run(args: &ClusterFit) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    let data = rows(args)?;
    let out = OutputFolder::claim(args.out.as_deref(), artefacts::NAMES)?;
    let mut answer = answer(args, &data)?;
    answer.seconds = start.elapsed().as_secs_f64();
    if let Some(folder) = out {
        artefacts::write(&folder, &data, &answer, &Shown::new(&data, &answer))?;
        folder.finish(args.common.quiet, "report.html")?;
    }
    for warning in &answer.warnings {
        output::note(args.common.quiet, &format!("note: {warning}"));
    }
    match args.common.format {
        Format::Text => output::print(&super::text::of(&data, &answer)),
        Format::Json => output::print_json(&answer),
    }
}

/// What the options ask for, or the embedded table.
fn rows(args: &ClusterFit) -> Result<Rows, Failure> {
    let rows = match &args.data {
        Some(path) => Rows::read(path, &args.table, &args.x, args.label.as_ref())?,
        None => Rows::embedded(&OLD_FAITHFUL),
    };
    Ok(if args.scale { rows.scaled() } else { rows })
}

fn answer(args: &ClusterFit, data: &Rows) -> Result<Answer, Failure> {
    let default = if args.method == ClusterMethod::VbGmm { 10 } else { 3 };
    let counts = args.k.unwrap_or(Counts { least: default, most: default });
    check(args, data, counts)?;
    match args.method {
        ClusterMethod::Kmeans => k_means::answer(args, data, counts),
        ClusterMethod::Gmm | ClusterMethod::MapGmm => gaussian::by_em(args, data, counts),
        ClusterMethod::VbGmm => gaussian::by_variational_bayes(args, data, counts),
        ClusterMethod::GibbsGmm if counts.least < counts.most => {
            Err(Failure::Usage("--method gibbs-gmm: one number of components, or --method dp".to_owned()))
        }
        ClusterMethod::GibbsGmm => sampled::finite(args, data, counts),
        ClusterMethod::Dp => sampled::process(args, data),
    }
}

/// Refuses columns that a mixture cannot have: so many that their covariances take too much memory, and such
/// as never change.
fn check(args: &ClusterFit, data: &Rows, counts: Counts) -> Result<(), Failure> {
    if args.method == ClusterMethod::Kmeans {
        return Ok(());
    }
    // As they are fitted, as their factors, and in the answer.
    let squares = counts.most.saturating_mul(3);
    let way_out =
        "take --method kmeans, fewer columns with --x, or their principal components (`posterior pca fit`)";
    data.check_squares(&format!("a mixture of {}", counts.most), squares, way_out)?;
    let constant = data.constant();
    if constant.is_empty() {
        return Ok(());
    }
    let message = if data.values.nrows() == 1 {
        format!("{}: one row: expected two or more", data.source)
    } else {
        format!("{}: expected columns that change, found {}", data.source, listed(&constant))
    };
    Err(Failure::data(message).with_hint("--x names the columns to take"))
}

/// A fit that was refused, in the words of the library.
#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
pub(super) fn refused(error: Error) -> Failure {
    Failure::data(error.to_string())
}

/// What a method found, in the units of the fit.
pub(super) struct Outcome {
    pub(super) method: &'static str,
    pub(super) covariance: Option<&'static str>,
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
            seed: args.common.seed,
            seconds: 0.0,
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
