//! `posterior mcmc compare`: models by their predictions of what they have not seen.

use std::path::Path;

use posterior::dist::stream::stream;
use posterior::evaluation::stacking_weights;
use posterior::math::linalg::DMatrix;
use posterior::sampling::Draws;
use posterior::sampling::diagnostics::ess_mean;
use posterior::sampling::importance::{
    PsisLeaveOneOut, leave_one_out, pseudo_bma_weights, widely_applicable,
};
use posterior::table::MemoryLimit;
use posterior_report::{Figure, Interval, Page, PageTable, intervals};
use serde::Serialize;

use super::draws_input::Input;
use crate::args::{McmcCompare, PredictiveCriterion};
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::output::{cell, grouped, significant};
use crate::output_folder::OutputFolder;
use crate::run::{Run, read_by_posterior};
use crate::scores::mean_and_error;
use crate::text_table;

/// What a run writes.
const NAMES: &[&str] = &["comparison.csv", "pointwise.csv", "report.html"];
/// Where the stream of the bootstrap begins.
const BOOTSTRAP: u64 = 1;
/// Rows of the table of observations.
const SHOWN: usize = 50;

/// Models by the same observations; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
struct Output {
    criterion: &'static str,
    observations: usize,
    /// In the order of the command.
    models: Vec<Compared>,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Compared {
    model: String,
    chains: usize,
    draws: usize,
    /// The expected log predictive density of all observations.
    elpd: Number,
    elpd_error: Number,
    effective_parameters: Number,
    /// By how much it is below that of the best model, with the standard error of the difference.
    below_best: Number,
    below_best_error: Number,
    stacking_weight: f64,
    pseudo_bma_weight: f64,
    /// Observations, from 1, whose term cannot be trusted.
    unreliable: Vec<usize>,
    #[serde(skip)]
    pointwise: Vec<f64>,
    /// Shape of the weights of each observation; none of the information criterion.
    #[serde(skip)]
    shapes: Vec<f64>,
}

/// Runs the verb.
pub(crate) fn run(args: &McmcCompare) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    run.claim(args.out.as_deref(), NAMES)?;
    let work = run.work(args.models.len(), "models");
    let mut models = Vec::with_capacity(args.models.len());
    for path in &args.models {
        let input = Input::of_model(path, MemoryLimit::new(args.memory))?
            .only(std::slice::from_ref(&args.ln_likelihood))?;
        models.push(scored(&input, args.criterion)?);
        work.step();
    }
    drop(work);
    let observations = models[0].pointwise.len();
    if let Some(other) = models.iter().find(|own| own.pointwise.len() != observations) {
        let message = format!(
            "{}: {} observations, and {} has {observations}",
            other.model,
            other.pointwise.len(),
            models[0].model
        );
        return Err(Failure::data(message).with_hint("models are compared by the same observations"));
    }
    weigh(&mut models, args.common.seed)?;
    let warnings = models.iter().filter_map(|own| warning(own, args.criterion)).collect();
    let criterion = match args.criterion {
        PredictiveCriterion::Loo => "loo",
        PredictiveCriterion::Waic => "waic",
    };
    let output = Output { criterion, observations, models, warnings };
    run.write("report.html", |folder| write(folder, &run, &output))?;
    run.print(|| &output, || text(&output))
}

/// A model by itself.
fn scored(input: &Input, criterion: PredictiveCriterion) -> Result<Compared, Failure> {
    let draws = &input.draws;
    let wrong = |error: posterior::sampling::Error| Failure::data(format!("{}: {error}", input.source));
    let (elpd, effective_parameters, pointwise, shapes, unreliable) = match criterion {
        PredictiveCriterion::Loo => {
            let loo = left_out(draws).map_err(wrong)?;
            let unreliable = loo.unreliable();
            (loo.elpd, loo.effective_parameters, loo.pointwise, loo.shapes, unreliable)
        }
        PredictiveCriterion::Waic => {
            let waic = widely_applicable(&matrix(draws)).map_err(wrong)?;
            (waic.elpd, waic.effective_parameters, waic.pointwise, Vec::new(), waic.unreliable)
        }
    };
    Ok(Compared {
        model: input.source.clone(),
        chains: draws.chains(),
        draws: draws.len(),
        elpd: Number(elpd.value),
        elpd_error: Number(elpd.standard_error),
        effective_parameters: Number(effective_parameters),
        below_best: Number(0.0),
        below_best_error: Number(0.0),
        stacking_weight: 0.0,
        pseudo_bma_weight: 0.0,
        unreliable: unreliable.into_iter().map(|place| place + 1).collect(),
        pointwise,
        shapes,
    })
}

/// Draws as rows.
fn matrix(draws: &Draws) -> DMatrix<f64> {
    let rows = draws.chains() * draws.len();
    let numbers = (0..rows).flat_map(|row| draws.draw(row / draws.len(), row % draws.len()).iter().copied());
    DMatrix::from_row_iterator(rows, draws.names().len(), numbers)
}

/// Leave-one-out cross-validation by draws of ln p of each observation.
pub(crate) fn left_out(draws: &Draws) -> Result<PsisLeaveOneOut, posterior::sampling::Error> {
    leave_one_out(&matrix(draws), relative_efficiency(draws))
}

/// Effective draws of a draw, for the mean of p of an observation: the average over the observations.
fn relative_efficiency(draws: &Draws) -> f64 {
    let all = (draws.chains() * draws.len()) as f64;
    let efficiencies = (0..draws.names().len()).map(|observation| {
        let mut chains = draws.parameter(observation);
        let most = chains.iter().flatten().fold(f64::NEG_INFINITY, |most, &ln| most.max(ln));
        chains.iter_mut().flatten().for_each(|ln| *ln = (*ln - most).exp());
        // Of an observation with the same p in all draws, or of too few draws, nothing can be said.
        ess_mean(&chains).map_or(1.0, |ess| ess / all)
    });
    efficiencies.sum::<f64>() / draws.names().len() as f64
}

/// Compares with the best, and gives each its weights.
fn weigh(models: &mut [Compared], seed: u64) -> Result<(), Failure> {
    let pointwise: Vec<Vec<f64>> = models.iter().map(|own| own.pointwise.clone()).collect();
    let stacking = stacking_weights(&pointwise).map_err(refused)?;
    let pseudo_bma = pseudo_bma_weights(&pointwise, &mut stream(seed, &[BOOTSTRAP])).map_err(refused)?;
    let best = (1..models.len())
        .fold(0, |best, own| if models[own].elpd.0 > models[best].elpd.0 { own } else { best });
    for (place, own) in models.iter_mut().enumerate() {
        let terms: Vec<f64> = pointwise[best].iter().zip(&pointwise[place]).map(|(a, b)| a - b).collect();
        let n = terms.len() as f64;
        let [below, error] = mean_and_error(&terms).map(|own| own.0 * n);
        (own.below_best, own.below_best_error) = (Number(below), Number(error));
        (own.stacking_weight, own.pseudo_bma_weight) = (stacking[place], pseudo_bma[place]);
    }
    Ok(())
}

fn warning(own: &Compared, criterion: PredictiveCriterion) -> Option<String> {
    let (count, all) = (own.unreliable.len(), own.pointwise.len());
    (count > 0).then(|| {
        let (what, advice) = match criterion {
            PredictiveCriterion::Loo => (
                "the Pareto shape k is above what so many draws can bear",
                "fit the model without each of them, or doubt the model",
            ),
            PredictiveCriterion::Waic => ("ln p varies by more than 0.4", "take --criterion loo"),
        };
        format!("{}: of {count} of {all} observations {what}: {advice}", own.model)
    })
}

/// The best first.
fn order(output: &Output) -> Vec<&Compared> {
    let mut order: Vec<&Compared> = output.models.iter().collect();
    order.sort_by(|a, b| b.elpd.0.total_cmp(&a.elpd.0));
    order
}

fn cells(own: &Compared) -> Vec<String> {
    let numbers = [own.elpd, own.elpd_error, own.effective_parameters, own.below_best, own.below_best_error];
    let weights = [own.stacking_weight, own.pseudo_bma_weight].map(|weight| format!("{weight:.3}"));
    std::iter::once(own.model.clone())
        .chain(numbers.map(|number| significant(number.0)))
        .chain(weights)
        .chain([own.unreliable.len().to_string()])
        .collect()
}

const COLUMNS: [&str; 9] =
    ["model", "elpd", "error", "parameters", "below best", "error", "stacking", "pseudo-BMA+", "unreliable"];

fn text(output: &Output) -> String {
    let table = text_table::aligned(&COLUMNS, order(output).into_iter().map(cells).collect());
    let warnings = output.warnings.iter().map(|own| format!("warning: {own}")).collect::<Vec<_>>().join("\n");
    let observations = grouped(output.observations as u64);
    format!(
        "{observations} observations, {}\n\n{table}elpd: the sum of ln p of each observation by a fit without it; errors: standard \
         errors over the observations.\n{warnings}",
        name(output)
    )
}

fn name(output: &Output) -> &'static str {
    if output.criterion == "loo" {
        "leave-one-out cross-validation by Pareto-smoothed importance sampling"
    } else {
        "the widely applicable information criterion"
    }
}

/// Writes everything that a run leaves in `folder`.
fn write(folder: &OutputFolder, run: &Run<'_>, output: &Output) -> Result<(), Failure> {
    let header = [
        "model",
        "elpd",
        "elpd_error",
        "effective_parameters",
        "below_best",
        "below_best_error",
        "stacking_weight",
        "pseudo_bma_weight",
        "unreliable",
    ];
    let rows = output.models.iter().map(|own| {
        let numbers =
            [own.elpd, own.elpd_error, own.effective_parameters, own.below_best, own.below_best_error];
        std::iter::once(own.model.clone()).chain(numbers.map(|number| cell(number.0))).chain([
            cell(own.stacking_weight),
            cell(own.pseudo_bma_weight),
            own.unreliable.len().to_string(),
        ])
    });
    folder.put_table("comparison.csv", header, rows)?;
    let rows = output.models.iter().flat_map(|own| {
        (0..own.pointwise.len()).map(|place| {
            let shape = own.shapes.get(place).map_or_else(String::new, |&shape| cell(shape));
            [own.model.clone(), (place + 1).to_string(), cell(own.pointwise[place]), shape]
        })
    });
    folder.put_table("pointwise.csv", ["model", "observation", "elpd", "pareto_k"], rows)?;
    let mut page = page(output);
    let source = output.models.iter().map(|own| own.model.as_str()).collect::<Vec<_>>().join(", ");
    run.sign(&mut page, read_by_posterior(&source), &[("criterion", &output.criterion)]);
    folder.put_text("report.html", &page.html())
}

/// The name of a model's file without its ending.
fn short(own: &Compared) -> String {
    Path::new(&own.model).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn page(output: &Output) -> Page {
    let order = order(output);
    let mut page = Page::new("Models by their draws", format!("{} predicts best", short(order[0])));
    let next = order.get(1).map_or_else(String::new, |own| {
        let (below, error) = (own.below_best.0, own.below_best_error.0);
        let verdict = if below > 2.0 * error && below > 4.0 {
            "the difference is more than chance"
        } else {
            "it may be chance"
        };
        format!(
            "The next, {}, is {} nats below it, with a standard error of {}: {verdict}.",
            short(own),
            significant(below),
            significant(error)
        )
    });
    page.standfirst.push(next);
    let rows: Vec<Interval> = order
        .iter()
        .map(|own| {
            let (middle, error) = (-own.below_best.0, own.below_best_error.0);
            Interval {
                name: own.model.clone(),
                low: middle - 2.0 * error,
                middle,
                high: middle + 2.0 * error,
            }
        })
        .collect();
    let caption = "How much the expected log predictive density of each model is above that of the best, in nats, \
                   with two standard errors of the difference to each side.";
    page.lead = Some(Figure::new(intervals("Differences of elpd", &rows), caption));
    let text = format!(
        "By {}. Stacking weights make the average of all predictions best; those of pseudo-BMA+ follow the elpd and their uncertainty.",
        name(output)
    );
    page.section("The models", text, PageTable::new(COLUMNS, order.iter().map(|own| cells(own))));
    if !output.warnings.is_empty() {
        page.section("What to do", "Some terms cannot be trusted.", output.warnings.clone());
        let rows = order.iter().flat_map(|own| {
            own.unreliable.iter().map(|&place| {
                let shape = own.shapes.get(place - 1).map_or_else(String::new, |shape| format!("{shape:.2}"));
                vec![own.model.clone(), place.to_string(), significant(own.pointwise[place - 1]), shape]
            })
        });
        let text = format!("The first {SHOWN}; pointwise.csv has all.");
        let columns = ["model", "observation", "elpd", "Pareto k"];
        page.section("Unreliable observations", text, PageTable::new(columns, rows.take(SHOWN)));
    }
    page
}
