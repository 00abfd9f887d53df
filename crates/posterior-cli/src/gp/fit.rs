//! `posterior gp fit`.

use super::answer::scores;
use super::data_input::Data;
use super::model::{AREA, Model};
use super::settings::Settings;
use super::{model, report};
use crate::args::GpFit;
use crate::failure::Failure;
use crate::long_work::LongWork;
use crate::outcome::Outcome;
use crate::rows_input::{never_changes, note_of_constant};
use crate::run::Run;
use crate::scores::CrossValidation;
use crate::{folds, model_file};

/// Runs the verb.
pub(crate) fn run(args: &GpFit) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let all = Data::read(args)?;
    let order = folds::order(all.inputs.nrows(), all.outputs.classes_of_rows(), args.common.seed);
    let parts = args.validation.held_out.map(|proportion| folds::held_out(&order, proportion)).transpose()?;
    let (data, places) = match parts {
        Some(parts) => (all.rows(&parts.fitted), all.held_out(&parts.predicted)),
        None => (all.clone(), all.places(args)?),
    };
    let settings = model::settings(args, &data)?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    // A search for a kernel shows what it tries.
    let parts = 1 + args.validation.folds.map_or(0, usize::from);
    let quiet = args.common.quiet || parts > 1 && settings.kernel_path.is_some();
    let work = LongWork::of(parts, "fitting", quiet);
    let (mut answer, paths) = model::answer(&settings, &data, &places.inputs)?;
    work.step();
    answer.score(places.outcomes.as_deref());
    answer.kernel_path.clone_from(&settings.kernel_path);
    answer.row_numbers.clone_from(&places.keys.numbers);
    answer.warnings.extend(all.left_out.clone());
    answer.warnings.extend(places.left_out.clone());
    if args.validation.held_out.is_some() && answer.scores.is_none() {
        return Err(unscored("--held-out"));
    }
    let folds = args.validation.folds;
    let cross_validation = folds.map(|count| cross_validated(args, &all, &order, count, &work));
    drop(work);
    answer.cross_validation = cross_validation.transpose()?;
    if let Outcome::Numbers(outputs) = &data.outputs
        && never_changes(outputs)
    {
        answer.warnings.extend(note_of_constant(&[&data.y_name]));
    }
    run.write("report.html", |folder| {
        let settings = settings.with_parameters(answer.free.clone(), answer.posterior.clone());
        model_file::put(folder, AREA, &Model { settings, data: data.clone() })?;
        report::write(folder, &run, &data, &places.keys, &answer, &paths)
    })?;
    run.notes(&answer.warnings);
    if let Some(integration) = &answer.integration {
        run.note(&format!(
            "note: predictions are averages over the parameters that the data allow: {integration}; each costs one posterior, and --parameters known \
             takes those of most evidence as known"
        ));
    } else if answer.search.is_some() && args.parameters.is_none() {
        run.note("note: estimated parameters are taken as known with this many rows; --parameters integrated averages over all that the data allow");
    }
    run.print(|| &answer, || super::text::of(&data, &answer))
}

/// The scores of all rows, each part predicted by a fit to the others.
fn cross_validated(
    args: &GpFit,
    all: &Data,
    order: &[usize],
    folds: u16,
    work: &LongWork,
) -> Result<CrossValidation, Failure> {
    let (mut outcomes, mut predictions) = (Vec::new(), Vec::new());
    let mut classes = Vec::new();
    for fold in 0..folds {
        let parts = folds::fold(order, usize::from(folds), usize::from(fold))?;
        let (data, places) = (all.rows(&parts.fitted), all.held_out(&parts.predicted));
        let settings = Settings { paths: false, components: false, ..model::settings(args, &data)? };
        let (answer, _) = model::answer(&settings, &data, &places.inputs)?;
        work.step();
        outcomes.extend(places.outcomes.unwrap_or_default());
        predictions.extend(answer.predictions);
        classes = answer.classes;
    }
    let scores = scores(&classes, &outcomes, &predictions).ok_or_else(|| unscored("--folds"))?;
    Ok(CrossValidation { folds, scores })
}

/// That predictions of this option have no scores.
fn unscored(option: &str) -> Failure {
    let why = "the noise of a new outcome is not known, so that predictions have no score: give --noise too";
    Failure::Usage(format!("{option}: {why}"))
}
