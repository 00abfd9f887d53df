//! `posterior series forecast`.

use super::report;
use super::saved_model::{AREA, Model};
use super::series_input::Input;
use super::smooth::finish;
use super::specification::Recipe;
use crate::args::SeriesForecast;
use crate::failure::Failure;
use crate::model_file;
use crate::run::Run;

/// Runs the verb.
pub(crate) fn run(args: &SeriesForecast) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let (source, model): (_, Model) = model_file::read(&args.model, AREA)?;
    let seen = model.table().map_err(|why| model_file::no_model(&source, AREA, why))?;
    let date_form = model.date_form.as_deref();
    let input = match &args.data {
        Some(path) => Input::followed_by(seen, path, &args.table, date_form)?,
        None => Input::of_cells(&seen, date_form)?,
    };
    run.claim(args.out.as_deref(), report::NAMES)?;
    let recipe = |parameters| Recipe {
        model: &model.components,
        parameters,
        fit: false,
        seed: args.common.seed,
        given: "of the model",
    };
    let recipes: Vec<Recipe<'_>> = model.parameters.iter().map(|own| recipe(own)).collect();
    finish(&run, &recipes, &input, args.forecast as usize, date_form)
}
