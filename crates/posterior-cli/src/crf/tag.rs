//! `posterior crf tag` and `posterior crf eval`.

use std::fmt::Write as _;

use serde::Serialize;

use super::answer::Top;
use super::model_file::ModelFile;
use super::report;
use super::scores::Scores;
use super::sequences_input::{Form, Sequences};
use crate::args::{CrfEval, CrfInput, CrfTag};
use crate::failure::Failure;
use crate::run::Run;

#[derive(Serialize)]
struct Tagged {
    /// The labels of each sequence.
    tags: Vec<Vec<String>>,
    /// The probability of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    probabilities: Option<Vec<Vec<f64>>>,
    /// Attributes that the model does not have, and leaves out.
    unknown_attributes: usize,
}

/// Runs `tag`.
pub(crate) fn run(args: &CrfTag) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let file = ModelFile::read(&args.model)?;
    let cook = file.cook()?;
    let sequences = Sequences::read(&args.data, &args.file)?;
    cook.check(&sequences)?;
    run.claim(args.out.as_deref(), &["tagged.txt"])?;
    let labels = file.model.vocabulary().labels();
    let (mut tags, mut probabilities, mut unknown_attributes) = (Vec::new(), Vec::new(), 0);
    for index in 0..sequences.len() {
        let sequence = cook
            .sequence(file.model.sequence(), &sequences, index)
            .map_err(|error| Failure::data(format!("{}: {error}", sequences.source)))?;
        unknown_attributes += sequence.unknown();
        let best = file.model.tag(&sequence).states;
        if args.marginals {
            let nodes = file.model.marginals(&sequence).nodes;
            let own = best.iter().zip(nodes.chunks_exact(labels.len()));
            probabilities.push(own.map(|(&label, row)| row[label]).collect::<Vec<f64>>());
        }
        let name = |label: &usize| labels.name(*label).unwrap_or_default().to_owned();
        tags.push(best.iter().map(name).collect::<Vec<String>>());
    }
    let tagged = Tagged { tags, probabilities: args.marginals.then_some(probabilities), unknown_attributes };
    let text = || text(&sequences, &tagged, args.file.input);
    run.write("tagged.txt", |folder| folder.put_text("tagged.txt", &text()))?;
    run.print(|| &tagged, text)
}

/// The lines of the file with a label, and its probability, at their ends; of lists of attributes the labels
/// alone.
fn text(sequences: &Sequences, tagged: &Tagged, input: CrfInput) -> String {
    let between = if input == CrfInput::Columns { ' ' } else { '\t' };
    let mut text = String::new();
    for (index, tags) in tagged.tags.iter().enumerate() {
        for (token, tag) in tags.iter().enumerate() {
            if let Form::Tables(tables) = &sequences.form {
                for cell in tables[index].row(token) {
                    text.push_str(cell);
                    text.push(between);
                }
            }
            text.push_str(tag);
            if let Some(probabilities) = &tagged.probabilities {
                // Writing to a string cannot fail.
                let _ = write!(text, "{between}{:.4}", probabilities[index][token]);
            }
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

/// Runs `eval`.
pub(crate) fn eval(args: &CrfEval) -> Result<(), Failure> {
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
    run.print(|| &scores, || super::text::of_scores(&scores))
}
