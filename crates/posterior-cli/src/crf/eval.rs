//! `posterior crf eval`.

use std::time::Instant;

use serde::Serialize;

use super::model_file::ModelFile;
use super::scores::Scores;
use super::sequences_input::Sequences;
use super::{artefacts, text};
use crate::args::{CrfEval, Format};
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::{output, threads};

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    scores: Scores,
    seed: u64,
    seconds: f64,
}

/// Runs the verb.
pub(crate) fn run(args: &CrfEval) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    let file = ModelFile::read(&args.model)?;
    let cook = file.cook()?;
    let sequences = Sequences::read(&args.data, &args.file)?;
    cook.check(&sequences)?;
    if sequences.columns() != cook.columns() {
        let failure = Failure::data(format!("{}: no column of labels", sequences.source));
        return Err(failure.with_hint("`posterior crf tag` labels without them"));
    }
    let out = OutputFolder::claim(args.out.as_deref(), artefacts::NAMES)?;
    let all: Vec<usize> = (0..sequences.len()).collect();
    let scores = Scores::of(&file.model, &cook, &sequences, &all, &file.words)?;
    if let Some(folder) = out {
        artefacts::write_eval(&folder, &file.model, &scores, &sequences.source)?;
        folder.finish(args.common.quiet, "report.html")?;
    }
    match args.common.format {
        Format::Text => output::print(&text::of_scores(&scores)),
        Format::Json => output::print_json(&Answer {
            scores,
            seed: args.common.seed,
            seconds: start.elapsed().as_secs_f64(),
        }),
    }
}
