//! `posterior pca fit`.

use std::fmt::Write as _;

use serde::Serialize;

use super::method::{Data, Found, run as find};
use super::report;
use super::transform::{AREA, Model};
use crate::args::{PcaFit, name};
use crate::failure::Failure;
use crate::json::Values;
use crate::output::{grouped, percent, significant};
use crate::run::Run;
use crate::{model_file, text_table};

/// What a run tells.
#[derive(Serialize)]
struct Output<'a> {
    method: String,
    rows: usize,
    columns: &'a [String],
    mean: &'a [f64],
    scale: &'a [f64],
    /// A list for each component, a number for each column.
    components: Vec<Vec<f64>>,
    explained_variance: &'a [f64],
    explained_proportion: Vec<f64>,
    noise_variance: Values,
    #[serde(skip_serializing_if = "Option::is_none")]
    ln_likelihood: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elbo: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effective_components: Option<usize>,
    warnings: &'a [String],
}

/// Runs the verb.
pub(crate) fn run(args: &PcaFit) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let data = Data::read(args)?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    let mut found = run.during("fitting", || find(args, &data))?;
    found.warnings.splice(0..0, data.rows.notes.iter().cloned());
    run.notes(&found.warnings);
    let output = Output {
        method: name(args.method),
        rows: data.observations.len(),
        columns: &data.rows.names,
        mean: &found.mean,
        scale: &data.rows.scales,
        components: found.components.column_iter().map(|column| column.iter().copied().collect()).collect(),
        explained_variance: &found.variances,
        explained_proportion: found.proportions(),
        noise_variance: match found.noise.as_slice() {
            [one] => Values::One(*one),
            each => Values::Each(each.to_vec()),
        },
        ln_likelihood: found.ln_likelihood,
        elbo: found.bound.map(|(bound, _)| bound),
        effective_components: found.bound.map(|(_, effective)| effective),
        warnings: &found.warnings,
    };
    run.write("report.html", |folder| {
        let (method, columns) = (name(args.method), data.rows.columns());
        model_file::put(folder, AREA, &Model { method, columns, components: found.model.clone() })?;
        report::write(folder, &run, args, &data, &found)
    })?;
    run.print(|| &output, || text(args, &data, &found))
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
        line("proportion", found.proportions().iter().map(|&proportion| percent(proportion)).collect()),
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
