//! `posterior classify eval`.

use super::answer::Answer;
use super::model_file::ModelFile;
use super::{report, text};
use crate::args::ClassifyEval;
use crate::failure::Failure;
use crate::run::Run;

/// Runs the verb.
pub(crate) fn run(args: &ClassifyEval) -> Result<(), Failure> {
    let task = &args.task;
    let mut run = Run::start(&task.common)?;
    run.claim(task.out.as_deref(), report::NAMES)?;
    let answer = match &args.model {
        Some(path) => Answer::by_model(task, &ModelFile::read(path)?, &path.display().to_string())?,
        None => Answer::by_folds(task)?.0,
    };
    run.write("report.html", |folder| report::write(folder, &answer))?;
    run.print(|| &answer, || text::of(&answer))
}
