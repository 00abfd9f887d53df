//! `posterior classify fit`.

use super::answer::Answer;
use super::model_file::ModelFile;
use super::{report, text};
use crate::args::ClassifyFit;
use crate::failure::Failure;
use crate::run::Run;

/// Runs the verb.
pub(crate) fn run(args: &ClassifyFit) -> Result<(), Failure> {
    let task = &args.task;
    let mut run = Run::start(&task.common)?;
    run.claim(task.out.as_deref(), report::NAMES)?;
    let (answer, names, classifier) = Answer::by_folds(task)?;
    run.write("report.html", |folder| {
        folder.put_json("model.json", &ModelFile::new(names, classifier))?;
        report::write(folder, &answer)
    })?;
    run.print(|| &answer, || text::of(&answer))
}
