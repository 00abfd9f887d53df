//! `posterior classify fit` and `posterior classify eval`.

use super::answer::Answer;
use super::model_file::{AREA, ModelFile};
use super::report;
use crate::args::{ClassifyEval, ClassifyTask};
use crate::failure::Failure;
use crate::model_file;
use crate::run::Run;

/// Runs `fit`.
pub(crate) fn run(task: &ClassifyTask) -> Result<(), Failure> {
    let mut run = Run::start(&task.common)?;
    run.claim(task.out.as_deref(), report::NAMES)?;
    let (answer, names, classifier) = run.during("fitting", || Answer::by_folds(task))?;
    run.notes(&answer.warnings);
    run.write("report.html", |folder| {
        let label = task.label.clone();
        model_file::put(folder, AREA, &ModelFile { label, classes: names, classifier })?;
        report::write(folder, &answer)
    })?;
    run.print(|| &answer, || answer.text())
}

/// Runs `eval`.
pub(crate) fn eval(args: &ClassifyEval) -> Result<(), Failure> {
    let task = &args.task;
    let mut run = Run::start(&task.common)?;
    run.claim(task.out.as_deref(), report::NAMES)?;
    let answer = match &args.model {
        Some(path) => Answer::by_model(task, &ModelFile::read(path)?, &path.display().to_string())?,
        None => run.during("fitting", || Answer::by_folds(task))?.0,
    };
    run.notes(&answer.warnings);
    run.write("report.html", |folder| report::write(folder, &answer))?;
    run.print(|| &answer, || answer.text())
}
