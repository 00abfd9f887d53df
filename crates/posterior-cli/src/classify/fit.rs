//! `posterior classify fit`.

use std::time::Instant;

use super::answer::{self, Answer};
use super::model_file::ModelFile;
use crate::args::ClassifyFit;
use crate::failure::Failure;

/// Runs the verb.
pub(crate) fn run(args: &ClassifyFit) -> Result<(), Failure> {
    let start = Instant::now();
    let task = &args.task;
    let out = answer::prepare(task)?;
    let (answer, names, classifier) = Answer::by_folds(task, start)?;
    answer.tell(task, Some(&ModelFile::new(names, classifier)), out)
}
