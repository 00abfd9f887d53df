//! `posterior cluster assign`.

use std::fmt::Write as _;

use posterior::latent::Observations;
use serde::Serialize;

use super::answer::{Agreement, agreement, rows_of};
use super::model::{AREA, Assigned, Groups, Model};
use crate::args::ClusterAssign;
use crate::failure::{Failure, refused};
use crate::output::{PARAMETERS_KNOWN, grouped, shortest, significant};
use crate::predictions_file;
use crate::rows_input::Rows;
use crate::run::Run;
use crate::{model_file, text_table};

/// Rows of the table of groups, for people.
const ROWS: usize = 24;

/// The groups of new rows; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
struct Output {
    model: String,
    method: String,
    rows: usize,
    columns: Vec<String>,
    k: usize,
    /// Whether the probabilities leave out what is not known of the parameters.
    parameters_known: bool,
    assignments: Vec<usize>,
    /// The number of each of these rows in its file, from 1, where they are not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    row_numbers: Option<Vec<usize>>,
    /// Of each row the probability of each group; none of k-means.
    #[serde(skip_serializing_if = "Option::is_none")]
    probabilities: Option<Vec<Vec<f64>>>,
    /// ln of the density of all rows, in the units of the table; none of k-means.
    #[serde(skip_serializing_if = "Option::is_none")]
    ln_likelihood: Option<f64>,
    /// ln of the density of each row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ln_densities: Vec<f64>,
    /// The distance of each row to its centre, in the units of the fit; of k-means only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    distances: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agreement: Option<Agreement>,
}

/// Runs the verb.
pub(crate) fn run(args: &ClusterAssign) -> Result<(), Failure> {
    let mut run = Run::start(&args.input.common)?;
    run.claim(args.input.out.as_deref(), &[predictions_file::NAME])?;
    let (source, model): (_, Model) = model_file::read(&args.input.model, AREA)?;
    if !model.groups.columns().is_some_and(|count| model.columns.are(count)) {
        return Err(model_file::no_model(
            &source,
            AREA,
            "its columns are not as many as those of its groups",
        ));
    }
    let data = Rows::for_model(
        &args.input.data,
        &args.input.table,
        &model.columns,
        args.label.as_ref(),
        args.missing.of_method(!matches!(model.groups, Groups::Centres(_))),
    )?;
    run.notes(&data.notes);
    let observations = Observations::with_missing(&data.values).map_err(refused)?;
    let mut assigned = model.groups.assign(&observations).map_err(refused)?;
    for (row, own) in assigned.ln_densities.iter_mut().enumerate() {
        *own += data.ln_jacobian_of(row);
    }
    let output = Output {
        model: source,
        method: model.method,
        rows: data.values.nrows(),
        k: model.groups.count(),
        columns: model.columns.names,
        parameters_known: matches!(model.groups, Groups::Mixture(_)),
        probabilities: assigned.probabilities.as_ref().map(rows_of),
        ln_likelihood: assigned.probabilities.is_some().then(|| assigned.ln_densities.iter().sum()),
        agreement: agreement(&data, &assigned.groups),
        ln_densities: assigned.ln_densities.clone(),
        distances: assigned.distances.clone(),
        assignments: assigned.groups.clone(),
        row_numbers: data.keys.numbers.clone(),
    };
    run.write(predictions_file::NAME, |folder| {
        let beside = match output.k {
            k if assigned.probabilities.is_some() => {
                let p = (0..k).map(|group| format!("p_{group}"));
                p.chain(["ln_density".to_owned()]).collect()
            }
            _ => vec!["distance".to_owned()],
        };
        let header = std::iter::once("predicted".to_owned()).chain(beside);
        data.keys.put(
            folder,
            predictions_file::NAME,
            header,
            (0..output.rows).map(|row| cells(&assigned, row)),
        )
    })?;
    run.print(|| &output, || text(&data, &output, &assigned))
}

/// The group of a row, and what is said of it.
fn cells(assigned: &Assigned, row: usize) -> Vec<String> {
    let numbers: Vec<f64> = match &assigned.probabilities {
        Some(p) => p.row(row).iter().copied().chain([assigned.ln_densities[row]]).collect(),
        None => vec![assigned.distances[row]],
    };
    std::iter::once(assigned.groups[row].to_string()).chain(numbers.into_iter().map(shortest)).collect()
}

fn text(data: &Rows, output: &Output, assigned: &Assigned) -> String {
    let rows = grouped(output.rows as u64);
    // Writing to a string cannot fail.
    let mut text = format!("{}: {rows} rows in {} groups ({})\n\n", data.source, output.k, output.method);
    let what = if assigned.probabilities.is_some() { "probability" } else { "distance" };
    let step = output.rows.div_ceil(ROWS).max(1);
    let row = |row: usize| {
        let group = assigned.groups[row];
        let number =
            assigned.probabilities.as_ref().map_or_else(|| assigned.distances[row], |p| p[(row, group)]);
        vec![data.keys.number(row).to_string(), group.to_string(), significant(number)]
    };
    let shown = (0..output.rows).step_by(step).map(row).collect();
    text += &text_table::right(&["row", "group", what], shown);
    if step > 1 {
        let _ = writeln!(
            text,
            "({} of {rows} rows; all with --format json or --out)",
            output.rows.div_ceil(step)
        );
    }
    if let Some(ln_likelihood) = output.ln_likelihood {
        let of_row = ln_likelihood / output.rows.max(1) as f64;
        let _ = writeln!(text, "ln density of a row {}, on average", significant(of_row));
    }
    if output.parameters_known {
        let _ = writeln!(text, "{PARAMETERS_KNOWN}.");
    }
    if let Some(agreement) = &output.agreement {
        let _ = writeln!(
            text,
            "adjusted Rand index {} with {}",
            significant(agreement.adjusted_rand),
            agreement.label
        );
    }
    text
}
