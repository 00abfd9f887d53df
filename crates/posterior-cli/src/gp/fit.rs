//! `posterior gp fit`.

use super::data_input::Data;
use super::model::{AREA, Model};
use super::{model, report};
use crate::args::GpFit;
use crate::failure::Failure;
use crate::model_file;
use crate::outcome::Outcome;
use crate::rows_input::{never_changes, note_of_constant};
use crate::run::Run;

/// Runs the verb.
pub(crate) fn run(args: &GpFit) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let data = Data::read(args)?;
    let settings = model::settings(args, &data)?;
    let places = data.places(args)?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    let (mut answer, paths) = model::answer(&settings, &data, &places.inputs)?;
    answer.score(places.outcomes.as_deref());
    if let Outcome::Numbers(outputs) = &data.outputs
        && never_changes(outputs)
    {
        answer.warnings.extend(note_of_constant(&[&data.y_name]));
    }
    run.write("report.html", |folder| {
        let settings = settings.with_parameters(answer.free.clone());
        model_file::put(folder, AREA, &Model { settings, data: data.clone() })?;
        report::write(folder, &run, &data, &places.keys, &answer, &paths)
    })?;
    run.notes(&answer.warnings);
    run.print(|| &answer, || super::text::of(&data, &answer))
}
