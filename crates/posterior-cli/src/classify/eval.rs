//! `posterior classify eval`.

use std::time::Instant;

use super::answer::{self, Answer};
use super::model_file::ModelFile;
use crate::args::ClassifyEval;
use crate::failure::Failure;

/// Runs the verb.
pub(crate) fn run(args: &ClassifyEval) -> Result<(), Failure> {
    let start = Instant::now();
    let task = &args.task;
    let out = answer::prepare(task)?;
    let answer = match &args.model {
        Some(path) => Answer::by_model(task, &ModelFile::read(path)?, &path.display().to_string(), start)?,
        None => Answer::by_folds(task, start)?.0,
    };
    answer.tell(task, None, out)
}
