//! `posterior series forecast`.

use super::candidates::Choice;
use super::report;
use super::saved_model::{AREA, ColumnModel, Model};
use super::series_input::Input;
use super::smooth::finish;
use super::specification::Recipe;
use super::timeline::Timeline;
use crate::args::{ParameterKnowledge, SeriesForecast};
use crate::failure::Failure;
use crate::level::Level;
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
    let input = match &args.data {
        Some(path) => Input::followed_by(seen, path, &args.table, &model.regressors, date_form)?,
        None => Input::of_cells(&seen, &model.regressors, date_form)?,
    };
    run.claim(args.out.as_deref(), report::NAMES)?;
    let recipes: Vec<_> =
        model.columns.iter().map(|own| recipe(own, args.common.seed, args.level.level)).collect();
    let none = if model.regressors.is_empty() { AHEAD } else { 0 };
    let timeline = Timeline::new(&input, args.forecast.unwrap_or(none) as usize)?;
    finish(&run, &recipes, (&input, &timeline), None, date_form)
}

/// The model of a column as it is, with what is not known of its parameters.
fn recipe(own: &ColumnModel, seed: u64, level: Level) -> (Choice, Recipe<'_>) {
    let choice = Choice { model: own.components.clone(), transform: own.transform, candidates: Vec::new() };
    let recipe = Recipe {
        parameters: &own.parameters,
        fit: false,
        knowledge: ParameterKnowledge::Known,
        points: own.points.clone(),
        seed,
        given: "of the model",
        level,
    };
    (choice, recipe)
}
