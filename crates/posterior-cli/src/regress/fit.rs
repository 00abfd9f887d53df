//! `posterior regress fit`.

use posterior::regression::glm::Family as GlmFamily;

use super::answer::{Answer, constant};
use super::data_input::Data;
use super::{classes, generalized, linear, network, report};
use crate::args::{Family, Format, RegressFit};
use crate::failure::Failure;
use crate::outcome::Outcome;
use crate::run::Run;

/// Runs the verb.
pub(crate) fn run(args: &RegressFit) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    if args.prior_sd.is_some_and(|sd| !(sd > 0.0 && sd.is_finite())) {
        return Err(Failure::Usage("--prior-sd: expected a positive number".to_owned()));
    }
    let data = Data::read(args)?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    let mut answer = answer(args, &data)?;
    answer.warnings.extend(data.coding.left_out.clone());
    if let Outcome::Classes { labels, .. } = &data.outcome {
        answer.classes.clone_from(labels);
        answer.positive_class = labels.get(1).filter(|_| labels.len() == 2).cloned();
    }
    if constant(&data.outcome) {
        answer.warnings.push(CONSTANT.to_owned());
    }
    run.write("report.html", |folder| report::write(folder, &run, &data, &answer))?;
    // The text has them itself.
    if args.common.format == Format::Json {
        run.notes(&answer.warnings);
    }
    run.print(|| &answer, || super::text::of(&data, &answer))
}

fn answer(args: &RegressFit, data: &Data) -> Result<Answer, Failure> {
    match (&data.outcome, args.family) {
        (_, Family::Mlp) => network::answer(args, data),
        (Outcome::Classes { labels, of_row }, _) if labels.len() > 2 => {
            classes::answer(args, data, of_row, labels)
        }
        (Outcome::Numbers(values), _) => linear::answer(args, data, values),
        (Outcome::Counts(counts), _) => {
            let counts: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
            generalized::answer(args, data, GlmFamily::Poisson, &counts)
        }
        (Outcome::Classes { of_row, .. }, _) => {
            let events: Vec<f64> = of_row.iter().map(|&class| class as f64).collect();
            generalized::answer(args, data, GlmFamily::Logit, &events)
        }
    }
}

const CONSTANT: &str = "the outcome is the same in every row: nothing can be said of what it depends on, nor of how much it varies";
