//! `posterior regress fit`.

use std::time::Instant;

use posterior::regression::Error;
use posterior::regression::glm::Family as GlmFamily;

use super::answer::Answer;
use super::data_input::{Data, Outcome};
use super::report::Shown;
use super::{artefacts, classes, generalized, linear, network};
use crate::args::{Family, Format, RegressFit};
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::{output, threads};

/// Runs the verb.
pub(crate) fn run(args: &RegressFit) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    if args.prior_sd.is_some_and(|sd| !(sd > 0.0 && sd.is_finite())) {
        return Err(Failure::Usage("--prior-sd: expected a positive number".to_owned()));
    }
    let data = Data::read(args)?;
    let out = OutputFolder::claim(args.out.as_deref(), artefacts::NAMES)?;
    let mut answer = answer(args, &data)?;
    if let Outcome::Classes { labels, .. } = &data.outcome {
        answer.classes.clone_from(labels);
        answer.positive_class = labels.get(1).filter(|_| labels.len() == 2).cloned();
    }
    if constant(&data.outcome) {
        answer.warnings.push(CONSTANT.to_owned());
    }
    answer.seconds = start.elapsed().as_secs_f64();
    if let Some(folder) = out {
        artefacts::write(&folder, &data, &answer, &Shown::new(&data, &answer))?;
        folder.finish(args.common.quiet, "report.html")?;
    }
    match args.common.format {
        Format::Text => output::print(&super::text::of(&data, &answer)),
        Format::Json => {
            // The text has them itself.
            for warning in &answer.warnings {
                output::note(args.common.quiet, &format!("note: {warning}"));
            }
            output::print_json(&answer)
        }
    }
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

/// Whether no two rows have different outcomes; one row has not.
pub(super) fn constant(outcome: &Outcome) -> bool {
    fn alike<T: PartialEq>(all: &[T]) -> bool {
        all.iter().all(|own| *own == all[0])
    }
    match outcome {
        Outcome::Numbers(values) => alike(values),
        Outcome::Classes { of_row, .. } => alike(of_row),
        Outcome::Counts(counts) => alike(counts),
    }
}

/// A fit that was refused, in the words of the library.
#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
pub(super) fn refused(error: Error) -> Failure {
    Failure::data(error.to_string())
}
