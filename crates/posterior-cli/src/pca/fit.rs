//! `posterior pca fit`.

use std::fmt::Write as _;
use std::time::Instant;

use serde::Serialize;

use super::data_input::Data;
use super::method::{Found, run as find};
use super::{artefacts, report};
use crate::args::{Format, PcaFit, PcaMethod};
use crate::failure::Failure;
use crate::output::{grouped, percent, significant};
use crate::output_folder::OutputFolder;
use crate::{output, text_table, threads};

/// What a run tells.
#[derive(Serialize)]
pub(super) struct Output<'a> {
    method: &'static str,
    rows: usize,
    columns: &'a [String],
    mean: &'a [f64],
    scale: &'a [f64],
    /// A list for each component, a number for each column.
    components: Vec<Vec<f64>>,
    explained_variance: &'a [f64],
    explained_share: Vec<f64>,
    noise_variance: Values<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ln_likelihood: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elbo: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effective_components: Option<usize>,
    warnings: &'a [String],
    seed: u64,
    seconds: f64,
}

/// One number, or one for each column.
#[derive(Serialize)]
#[serde(untagged)]
enum Values<'a> {
    One(f64),
    Each(&'a [f64]),
}

/// The name of a method, as it is asked for.
pub(super) const fn name(method: PcaMethod) -> &'static str {
    match method {
        PcaMethod::Pca => "pca",
        PcaMethod::Ppca => "ppca",
        PcaMethod::Bayesian => "bayesian",
        PcaMethod::Factor => "factor",
    }
}

/// The share of each component in the variance of all columns.
pub(super) fn shares(found: &Found) -> Vec<f64> {
    found.variances.iter().map(|variance| variance / found.total).collect()
}

/// Runs the verb.
pub(crate) fn run(args: &PcaFit) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    let data = Data::read(args)?;
    let out = OutputFolder::claim(args.out.as_deref(), artefacts::NAMES)?;
    let mut found = find(args, &data)?;
    found.warnings.splice(0..0, data.rows.notes.iter().cloned());
    for warning in &found.warnings {
        output::note(args.common.quiet, &format!("note: {warning}"));
    }
    let output = Output {
        method: name(args.method),
        rows: data.observations.len(),
        columns: &data.rows.names,
        mean: &found.mean,
        scale: &data.rows.scales,
        components: found.components.column_iter().map(|column| column.iter().copied().collect()).collect(),
        explained_variance: &found.variances,
        explained_share: shares(&found),
        noise_variance: match found.noise.as_slice() {
            [one] => Values::One(*one),
            each => Values::Each(each),
        },
        ln_likelihood: found.ln_likelihood,
        elbo: found.bound.map(|(bound, _)| bound),
        effective_components: found.bound.map(|(_, effective)| effective),
        warnings: &found.warnings,
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
    };
    if let Some(folder) = out {
        artefacts::write(&folder, &data, &found, &output, &report::page(args, &data, &found))?;
        folder.finish(args.common.quiet, "report.html")?;
    }
    match args.common.format {
        Format::Text => output::print(&text(args, &data, &found)),
        Format::Json => output::print_json(&output),
    }
}

fn text(args: &PcaFit, data: &Data, found: &Found) -> String {
    let rows = grouped(data.observations.len() as u64);
    let mut text = format!(
        "{}: {}, {rows} rows, {} columns\n",
        data.rows.source,
        name(args.method),
        data.rows.names.len()
    );
    // Writing to a string cannot fail.
    if let Some(ln_likelihood) = found.ln_likelihood {
        let _ = writeln!(text, "ln likelihood {ln_likelihood:.4}");
    }
    if let Some((bound, effective)) = found.bound {
        let _ = writeln!(text, "ln evidence at least {bound:.4}; {effective} components are needed");
    }
    let numbers: Vec<String> = (1..=found.variances.len()).map(|j| j.to_string()).collect();
    let header: Vec<&str> = std::iter::once("").chain(numbers.iter().map(String::as_str)).collect();
    let line = |name: &str, cells: Vec<String>| [vec![name.to_owned()], cells].concat();
    let mut lines = vec![
        line("variance", found.variances.iter().map(|&variance| significant(variance)).collect()),
        line("share", shares(found).iter().map(|&share| percent(share)).collect()),
    ];
    lines.extend(
        data.rows.names.iter().enumerate().map(|(t, column)| {
            line(column, found.components.row(t).iter().map(|&x| significant(x)).collect())
        }),
    );
    text += &text_table::aligned(&header, lines);
    match found.noise.as_slice() {
        [one] => {
            let _ = writeln!(text, "noise variance {}", significant(*one));
        }
        each => {
            let each = data
                .rows
                .names
                .iter()
                .zip(each)
                .map(|(column, &noise)| format!("{column} {}", significant(noise)));
            let _ = writeln!(text, "noise variances: {}", each.collect::<Vec<_>>().join(", "));
        }
    }
    text
}
