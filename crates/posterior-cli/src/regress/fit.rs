//! `posterior regress fit`.

use super::answer::{Answer, constant, scores};
use super::checks::Checks;
use super::data_input::{Data, Source};
use super::errors::RobustErrors;
use super::estimate::Estimate;
use super::model::{AREA, Known, Model};
use super::{classes, effects, generalized, hierarchical, linear, network, ordinal, report, sparse};
use crate::args::{Family, Format, RegressEngine, RegressFit, ValidationArgs};
use crate::failure::{Failure, refused};
use crate::folds::Parts;
use crate::long_work::LongWork;
use crate::outcome::Outcome;
use crate::run::Run;
use crate::scores::CrossValidation;
use crate::{folds, model_file};

/// Runs the verb.
pub(crate) fn run(args: &RegressFit) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    if args.prior_sd.is_some_and(|sd| !(sd > 0.0 && sd.is_finite())) {
        return Err(Failure::Usage("--prior-sd: expected a positive number".to_owned()));
    }
    if !(args.mixing > 0.0 && args.mixing <= 1.0) {
        return Err(Failure::Usage("--mixing: expected a number above 0 and up to 1".to_owned()));
    }
    let source = Source::open(args)?;
    if source.has_effects(args) {
        hierarchical::refuse(args)?;
    } else {
        refuse_without_effects(args)?;
    }
    if args.event.is_some() && !matches!(args.family, Family::Weibull | Family::Exponential) {
        let message = "--event is for times: --family weibull or exponential";
        return Err(Failure::Usage(message.to_owned()));
    }
    let order = match &args.validation {
        ValidationArgs { held_out: None, folds: None } => Vec::new(),
        _ => folds::order(source.table.len(), source.outcome(args)?.classes_of_rows(), args.common.seed),
    };
    let data = match args.validation.held_out {
        Some(proportion) => part(args, &source, &folds::held_out(&order, proportion)?)?,
        None => Data::of(args, &source, &source.table, None)?,
    };
    run.claim(args.out.as_deref(), report::NAMES)?;
    let work = run.work(1 + args.validation.folds.map_or(0, usize::from), "fitting");
    let folds = args.validation.folds;
    let cross_validation = folds.map(|count| cross_validated(args, &source, &order, count, &work));
    let (mut answer, known) = answer(args, &data)?;
    beside(args, &data, &known, &mut answer)?;
    drop(work);
    answer.cross_validation = cross_validation.transpose()?;
    answer.warnings.extend(source.left_out.clone());
    answer.warnings.extend(data.places.left_out.clone());
    answer.warnings.extend(data.coding.left_out());
    answer.every = data.every().filter(|_| !data.places.are_new);
    answer.row_numbers.clone_from(&data.places.keys.numbers);
    if let Outcome::Classes { labels, .. } = &data.outcome {
        answer.classes.clone_from(labels);
        answer.positive_class = labels.get(1).filter(|_| labels.len() == 2).cloned();
    }
    if constant(&data.outcome) && data.offsets.is_none() && data.coding.has_intercept() {
        answer.warnings.push(CONSTANT.to_owned());
    }
    let outcome = data.outcome.kind();
    if let Some(outcomes) = &data.places.outcomes {
        answer.scores = scores(&outcome, outcomes, &answer.predictions);
    }
    run.write("report.html", |folder| {
        let (family, engine) = (answer.family.clone(), answer.engine.clone());
        let (y, coding) = (data.y_name.clone(), data.coding.clone());
        model_file::put(folder, AREA, &Model { family, engine, y, outcome, coding, known })?;
        report::write(folder, &run, &data, &answer)
    })?;
    // The text has them itself.
    if args.common.format == Format::Json {
        run.notes(&answer.warnings);
    }
    run.print(|| &answer, || super::text::of(&data, &answer))
}

/// Draws of the coefficients for effects, and sets of outcomes that are made anew.
const DRAWS_OF_EFFECTS: usize = 4000;
const SETS_OF_OUTCOMES: usize = 1000;

/// What is asked for beside the fit: effects, checks, errors.
fn beside(args: &RegressFit, data: &Data, known: &Known, answer: &mut Answer) -> Result<(), Failure> {
    let points = |option: &str, count| {
        let points = known.points(data.coding.has_intercept(), count, args.common.seed);
        points.ok_or_else(|| {
            let why = "the outcome is the same in every row, or there are more columns than rows";
            Failure::data(format!("--{option}: no draws of all coefficients together: {why}"))
        })
    };
    if args.effects {
        let points = points("effects", DRAWS_OF_EFFECTS)?;
        let effects = effects::effects(&points, data).map_err(refused)?;
        answer.effects = Some(effects.into_iter().map(|own| Estimate::of(own, data.level)).collect());
    }
    if args.checks {
        let points = points("checks", SETS_OF_OUTCOMES)?;
        answer.checks = Some(Checks::of(&points, data, args.common.seed));
    }
    if let Some(kind) = &args.errors {
        let errors = RobustErrors::of(args, kind, data, generalized::distribution(args)?)?;
        answer.warnings.extend(errors.warning());
        answer.errors = Some(errors);
    }
    Ok(())
}

/// The rows of a table, some of which are held out.
fn part(args: &RegressFit, source: &Source, parts: &Parts) -> Result<Data, Failure> {
    Data::of(args, source, &source.table.rows(&parts.fitted), Some(&source.table.rows(&parts.predicted)))
}

/// The scores of all rows, each part predicted by a fit to the others.
fn cross_validated(
    args: &RegressFit,
    source: &Source,
    order: &[usize],
    folds: u16,
    work: &LongWork,
) -> Result<CrossValidation, Failure> {
    let (mut outcomes, mut predictions) = (Vec::new(), Vec::new());
    let kind = source.outcome(args)?.kind();
    for fold in 0..folds {
        let data = part(args, source, &folds::fold(order, usize::from(folds), usize::from(fold))?)?;
        let (answer, _) = answer(args, &data)?;
        work.step();
        outcomes.extend(data.places.outcomes.unwrap_or_default());
        predictions.extend(answer.predictions);
    }
    let scores = scores(&kind, &outcomes, &predictions)
        .ok_or_else(|| Failure::Usage("--folds: no row has a score".to_owned()))?;
    Ok(CrossValidation { folds, scores })
}

fn answer(args: &RegressFit, data: &Data) -> Result<(Answer, Known), Failure> {
    if data.effects.is_some() {
        let (answer, known) = hierarchical::answer(args, data)?;
        return Ok((answer, Known::Hierarchical(known)));
    }
    refuse(args, data)?;
    if args.is_sparse() {
        let (answer, known) = sparse::answer(args, data, &data.outcome.heights())?;
        return Ok((answer, Known::Sparse(known)));
    }
    Ok(match (&data.outcome, args.family) {
        (_, Family::Mlp) => {
            let (answer, known) = network::answer(args, data)?;
            (answer, Known::Network(known))
        }
        (Outcome::Classes { labels, of_row }, Family::Ordinal) => {
            let (answer, known) = ordinal::answer(args, data, of_row, labels.len())?;
            (answer, Known::Ordinal(known))
        }
        (Outcome::Classes { labels, of_row }, _) if labels.len() > 2 => {
            let (answer, known) = classes::answer(args, data, of_row, labels)?;
            (answer, Known::Softmax(known))
        }
        (Outcome::Numbers(values), Family::Gaussian) => {
            let (answer, known) = linear::answer(args, data, values)?;
            (answer, Known::Linear(known))
        }
        _ => {
            let (answer, known) = generalized::answer(args, data, &data.outcome.heights())?;
            (answer, Known::Generalized(known))
        }
    })
}

/// Refuses what a family does not have.
fn refuse(args: &RegressFit, data: &Data) -> Result<(), Failure> {
    let several = matches!(&data.outcome, Outcome::Classes { labels, .. } if labels.len() > 2);
    let family = match args.family {
        Family::Mlp => "a network",
        Family::Ordinal => "an ordinal regression",
        Family::Softmax if several => "a regression of more than two classes",
        _ => "",
    };
    if !family.is_empty() && data.coding.has_offset() {
        return Err(Failure::Usage(format!(
            "an offset is for numbers, counts and two classes, not for {family}"
        )));
    }
    if args.family == Family::Mlp && data.weights.is_some() {
        return Err(Failure::Usage("--weights: a network counts each row once".to_owned()));
    }
    if !family.is_empty() && !data.coding.has_intercept() {
        let message = format!("--formula: {family} has an intercept, which `0 +` and `- 1` would leave out");
        return Err(Failure::Usage(message));
    }
    Ok(())
}

/// Refuses what only formulas with effects have.
fn refuse_without_effects(args: &RegressFit) -> Result<(), Failure> {
    let needs = "needs a formula with effects, as in --formula \"y ~ x + (1 | g)\"";
    match args.engine {
        Some(RegressEngine::Reml) => Err(Failure::Usage(format!("--engine reml {needs}"))),
        Some(RegressEngine::Ml) => Err(Failure::Usage(format!("--engine ml {needs}"))),
        _ if args.family.takes_formula() => {
            let message = "--family: this one takes --formula \"y ~ a + b\" in place of --y and --x";
            Err(Failure::Usage(message.to_owned()))
        }
        _ if !args.effect_priors.is_empty() => Err(Failure::Usage(format!("--effect-prior {needs}"))),
        _ if args.verify => Err(Failure::Usage(format!("--verify {needs}"))),
        _ if args.neighbours.is_some() => Err(Failure::Usage(format!("--neighbours {needs}"))),
        _ => Ok(()),
    }
}

const CONSTANT: &str = "the outcome is the same in every row: nothing can be said of what it depends on, nor of how much it varies";
