//! `posterior crf eval`.

use super::answer::Top;
use super::model_file::ModelFile;
use super::scores::Scores;
use super::sequences_input::Sequences;
use super::{report, text};
use crate::args::CrfEval;
use crate::failure::Failure;
use crate::run::Run;

/// Runs the verb.
pub(crate) fn run(args: &CrfEval) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let file = ModelFile::read(&args.model)?;
    let cook = file.cook()?;
    let sequences = Sequences::read(&args.data, &args.file)?;
    cook.check(&sequences)?;
    if sequences.columns() != cook.columns() {
        let failure = Failure::data(format!("{}: no column of labels", sequences.source));
        return Err(failure.with_hint("`posterior crf tag` labels without them"));
    }
    run.claim(args.out.as_deref(), report::NAMES)?;
    let all: Vec<usize> = (0..sequences.len()).collect();
    let scores = Scores::of(&file.model, &cook, &sequences, &all, &file.words)?;
    run.write("report.html", |folder| {
        let report = report::of_scores(&file.model, &scores, &sequences.source, &[], &Top::all(&file.model));
        report::write(folder, &scores, &report)
    })?;
    run.print(|| &scores, || text::of_scores(&scores))
}
