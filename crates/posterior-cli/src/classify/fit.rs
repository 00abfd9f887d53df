//! `posterior classify fit` and `posterior classify eval`.

use super::answer::Answer;
use super::labels;
use super::model_file::{AREA, ModelFile};
use super::report;
use crate::args::{ClassifyEval, ClassifyTask};
use crate::failure::Failure;
use crate::model_file;
use crate::run::Run;

/// Runs `fit`.
pub(crate) fn run(task: &ClassifyTask) -> Result<(), Failure> {
    let mut run = Run::start(&task.common)?;
    if task.labels.is_some() {
        return labels::fit(task, run);
    }
    run.claim(task.out.as_deref(), report::NAMES)?;
    let (answer, file) = run.during("fitting", || Answer::by_folds(task))?;
    run.notes(&answer.warnings);
    run.write("report.html", |folder| {
        model_file::put(folder, AREA, &file)?;
        report::write(folder, &answer)
    })?;
    run.print(|| &answer, || answer.text())
}

/// Runs `eval`.
pub(crate) fn eval(args: &ClassifyEval) -> Result<(), Failure> {
    let task = &args.task;
    let mut run = Run::start(&task.common)?;
    let model = args.model.as_deref().map(ModelFile::read).transpose()?;
    if task.labels.is_some() || model.as_ref().is_some_and(|own| own.separator.is_some()) {
        return labels::eval(args, model, run);
    }
    run.claim(task.out.as_deref(), report::NAMES)?;
    let answer = match model.zip(args.model.as_deref()) {
        Some((model, path)) => Answer::by_model(task, &model, &path.display().to_string())?,
        None => run.during("fitting", || Answer::by_folds(task))?.0,
    };
    run.notes(&answer.warnings);
    run.write("report.html", |folder| report::write(folder, &answer))?;
    run.print(|| &answer, || answer.text())
}
