//! `posterior series forecast`.

use posterior::table::MemoryLimit;

use super::candidates::Choice;
use super::recipe::Recipe;
use super::report;
use super::saved_model::{AREA, ColumnModel, Model};
use super::series_input::{Input, Known};
use super::smooth::finish;
use super::timeline::Timeline;
use crate::args::{ParameterKnowledge, SeriesForecast};
use crate::failure::Failure;
use crate::model_file;
use crate::run::Run;

/// Steps, if the number is not given and there are no regressors.
const AHEAD: u32 = 12;

/// Runs the verb.
pub(crate) fn run(args: &SeriesForecast) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let (source, model): (_, Model) = model_file::read(&args.model, AREA)?;
    let seen = model.table().map_err(|why| model_file::no_model(&source, AREA, why))?;
    let date_form = model.date_form.as_deref();
    let known = Known { regressors: &model.regressors, trials: model.trials.as_deref() };
    let input = match &args.data {
        Some(path) => Input::followed_by(seen, path, &args.table, known, date_form)?,
        None => Input::of_cells(&seen, known, date_form)?,
    };
    run.claim(args.out.as_deref(), report::NAMES)?;
    let none = if model.regressors.is_empty() { AHEAD } else { 0 };
    let timeline = Timeline::new(&input, args.forecast.unwrap_or(none) as usize, &model.calendar)?;
    let trials = timeline.trials(&input);
    let recipes: Vec<_> = model.columns.iter().map(|own| recipe(own, args, &trials)).collect();
    finish(&run, &recipes, (&input, &timeline, &model.calendar), None, date_form)
}

/// The model of a column as it is, with what is not known of its parameters.
fn recipe<'a>(own: &'a ColumnModel, args: &SeriesForecast, trials: &[u64]) -> (Choice, Recipe<'a>) {
    let choice = Choice {
        model: own.components.clone(),
        transform: own.transform,
        likelihood: own.likelihood,
        candidates: Vec::new(),
        note: None,
    };
    let recipe = Recipe {
        parameters: &own.parameters,
        fit: false,
        knowledge: ParameterKnowledge::Known,
        points: own.points.clone(),
        trials: trials.to_vec(),
        seed: args.common.seed,
        given: "of the model",
        memory: MemoryLimit::new(args.table.memory),
        level: args.level.level,
    };
    (choice, recipe)
}
