//! `posterior compare`: saved models side by side on one table.

use std::path::Path;

use posterior::evaluation::stacking_weights;
use posterior::table::read_bytes;
use serde::Serialize;

use crate::args::{Compare, TableArgs};
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::output::{grouped, significant};
use crate::run::Run;
use crate::scores::{OutcomeScores, mean_and_error};
use crate::{classify, gp, model_file, regress, text_table};

/// Models by the outcomes of one table; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
struct Output {
    data: String,
    /// The column of the outcome.
    y: String,
    /// Rows whose outcome is known.
    rows: usize,
    /// In the order of the command.
    models: Vec<Compared>,
}

/// A model beside the others.
#[derive(Debug, Serialize)]
struct Compared {
    model: String,
    /// The mean of ln p of an outcome, and its standard error over the rows.
    ln_score: Number,
    ln_score_error: Number,
    /// By how much it is below that of the best model, and the standard error of that by the differences of
    /// the rows.
    below_best: Number,
    below_best_error: Number,
    /// In the average of all predictions that has the highest score.
    stacking_weight: f64,
}

/// Runs the verb.
pub(crate) fn run(args: &Compare) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    if args.data == Path::new("-") {
        let message = "--data: each model reads the table: name a file, not standard input";
        return Err(Failure::Usage(message.to_owned()));
    }
    let scored = args.models.iter().map(|path| outcome_scores(path, &args.data, &args.table));
    let mut scored = scored.collect::<Result<Vec<OutcomeScores>, _>>()?;
    let Some(first) = scored.first() else {
        return Err(Failure::Usage("expected models to compare".to_owned()));
    };
    for other in &scored {
        if other.y != first.y || !other.kind.is_like(&first.kind) {
            let of = |own: &OutcomeScores| format!("{} predicts {} ({})", own.model, own.y, own.kind.name());
            let message = format!("{}, {}: expected models of one outcome", of(first), of(other));
            return Err(Failure::data(message));
        }
    }
    let (y, data) = (first.y.clone(), first.data.clone());
    for own in &mut scored {
        own.ln_scores.retain(|score| !score.is_nan());
    }
    let rows = scored[0].ln_scores.len();
    if rows == 0 {
        return Err(Failure::data(format!("{data}: column {y}: all cells are missing")));
    }
    let scores: Vec<Vec<f64>> = scored.iter().map(|own| own.ln_scores.clone()).collect();
    let weights = stacking_weights(&scores).map_err(refused)?;
    let mean = |own: &[f64]| own.iter().sum::<f64>() / rows as f64;
    let best = (1..scores.len())
        .fold(0, |best, own| if mean(&scores[own]) > mean(&scores[best]) { own } else { best });
    let models = scored.iter().zip(weights).map(|(own, stacking_weight)| {
        let [ln_score, ln_score_error] = mean_and_error(&own.ln_scores);
        let below = scores[best].iter().zip(&own.ln_scores);
        let below: Vec<f64> = below.map(|(a, b)| if a == b { 0.0 } else { a - b }).collect();
        let [below_best, below_best_error] = mean_and_error(&below);
        let model = own.model.clone();
        Compared { model, ln_score, ln_score_error, below_best, below_best_error, stacking_weight }
    });
    let output = Output { data, y, rows, models: models.collect() };
    run.print(|| &output, || text(&output))
}

/// The scores of a model of whatever area.
fn outcome_scores(path: &Path, data: &Path, table: &TableArgs) -> Result<OutcomeScores, Failure> {
    let file = model_file::path(path);
    let (source, bytes) = read_bytes(&file)?;
    if model_file::is_of(&bytes, regress::predict::AREA) {
        regress::predict::outcome_scores(&file, data, table)
    } else if model_file::is_of(&bytes, gp::predict::AREA) {
        gp::predict::outcome_scores(&file, data, table)
    } else if model_file::is_of(&bytes, classify::predict::AREA) {
        classify::predict::outcome_scores(&file, data, table)
    } else {
        let message = format!("{source}: no model of `fit` of `posterior regress`, `gp` or `classify`");
        Err(Failure::data(message).with_hint("each writes one as model.json with --out DIR"))
    }
}

fn text(output: &Output) -> String {
    let mut order: Vec<&Compared> = output.models.iter().collect();
    order.sort_by(|a, b| b.ln_score.0.total_cmp(&a.ln_score.0));
    let rows = order.into_iter().map(|own| {
        let numbers = [own.ln_score, own.ln_score_error, own.below_best, own.below_best_error];
        let cells = numbers.map(|number| significant(number.0)).into_iter();
        std::iter::once(own.model.clone())
            .chain(cells)
            .chain([format!("{:.3}", own.stacking_weight)])
            .collect()
    });
    let header = ["model", "ln score", "error", "below best", "error", "stacking weight"];
    let table = text_table::aligned(&header, rows.collect());
    let rows = grouped(output.rows as u64);
    format!(
        "{}: {} of {rows} rows\n\n{table}ln score: the mean of ln p of an outcome; errors: standard errors over the rows.\n",
        output.data, output.y
    )
}
