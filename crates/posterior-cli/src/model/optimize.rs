//! `posterior model optimize`.

use crate::output::significant;
use posterior::dist::target::Target as _;
use posterior::inference::laplace::laplace_by_gradient;
use posterior::math::iteration::Silent;
use posterior::math::optimize::LbfgsOptions;
use posterior::sampling::Draws;
use serde::Serialize;

use super::input::Input;
use super::laplace;
use super::quantities::bracketed;
use crate::args::ModelOptimize;
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::run::Run;
use crate::text_table;

const FILE: &str = "mode.csv";

#[derive(Serialize)]
struct Output {
    ln_density: Number,
    jacobian: bool,
    converged: bool,
    stop: String,
    iterations: usize,
    gradients: usize,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    name: String,
    value: Number,
    /// Not asked for, or of a generated quantity, which has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    sd: Option<Number>,
}

/// Runs the verb.
pub(crate) fn run(args: &ModelOptimize) -> Result<(), Failure> {
    let common = &args.input.common;
    let mut run = Run::start(common)?;
    let input = Input::read(&args.input, &run)?;
    let posterior = &input.posterior;
    run.claim(args.input.out.as_deref(), &[FILE])?;
    // Second derivatives are a row for each coordinate.
    let rows = if args.standard_errors { posterior.dim().max(1) } else { 1 };
    input.check_memory(&args.input, rows, 0)?;
    let start = input.point(&args.start.init, common.seed)?;
    let options = LbfgsOptions {
        memory: usize::from(args.history_size),
        max_iterations: args.iter as usize,
        ..laplace::search()
    };
    let search = || posterior.maximize(args.jacobian, &start, &options, &mut Silent);
    let found = run.during("the mode", search).map_err(refused)?;
    let (mut point, mut ln_density) = (found.model.point, found.model.ln_density);
    let mut errors = vec![];
    if args.standard_errors {
        let target = posterior.density(args.jacobian);
        let own = || laplace_by_gradient(&target, &point, &options, &mut Silent);
        let own = run.during("second derivatives", own).map_err(|error| {
            refused(error).with_hint("without --standard-errors the best point that was found is printed")
        })?;
        (point, ln_density) = (own.mode.clone(), own.ln_density);
        errors = posterior.standard_errors(&point, own.distribution.covariance()).map_err(refused)?;
    }
    let names: Vec<String> =
        posterior.names(true, true).map_err(refused)?.iter().map(|name| bracketed(name)).collect();
    let values = posterior.values(&point, true, Some((common.seed, 1))).map_err(refused)?;
    run.write(FILE, |folder| {
        let draws = Draws::new(names.clone(), vec![values.clone()]).map_err(refused)?;
        let draws = draws.with_statistics(vec!["lp".to_owned()], vec![vec![ln_density]]).map_err(refused)?;
        folder.put(FILE, |out| draws.cmdstan(0).method("optimize").write(out))?;
        input.put_levels(folder)
    })?;
    let parameter = |(place, (name, value)): (usize, (&String, &f64))| Parameter {
        name: name.clone(),
        value: Number(*value),
        sd: errors.get(place).map(|sd| Number(*sd)),
    };
    let output = Output {
        ln_density: Number(ln_density),
        jacobian: args.jacobian,
        converged: found.report.converged(),
        stop: format!("{:?}", found.report.stop),
        iterations: found.report.iterations(),
        gradients: found.model.gradients,
        parameters: names.iter().zip(&values).enumerate().map(parameter).collect(),
    };
    let text = text(&output, args.standard_errors);
    run.print(|| output, || text)
}

fn text(output: &Output, with_errors: bool) -> String {
    let header: &[&str] = if with_errors { &["", "value", "sd"] } else { &["", "value"] };
    let row = |own: &Parameter| {
        let mut row = vec![own.name.clone(), significant(own.value.0)];
        if with_errors {
            row.push(own.sd.map_or_else(|| "-".to_owned(), |sd| significant(sd.0)));
        }
        row
    };
    let table = text_table::aligned(header, output.parameters.iter().map(row).collect());
    let which = if output.jacobian { "with the Jacobian of the constraints" } else { "without Jacobian" };
    let warning = if output.converged {
        String::new()
    } else {
        format!(
            "warning: no mode was reached ({}): try --iter, another --init, or look whether the density is bounded\n",
            output.stop
        )
    };
    format!(
        "{table}log density {} {which}, after {} steps and {} gradients\n{warning}",
        significant(output.ln_density.0),
        output.iterations,
        output.gradients
    )
}
