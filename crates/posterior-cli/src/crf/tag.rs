//! `posterior crf tag` and `posterior crf eval`.

use std::fmt::Write as _;

use posterior::sequence::chain::Path;

use super::answer::Top;
use super::decoder::Decoder;
use super::model_file::ModelFile;
use super::report;
use super::scores::Scores;
use super::sequences_input::{Form, Sequences};
use super::tagged::{Tagged, Whole};
use super::tagged_conllu;
use crate::args::{CrfEval, CrfInput, CrfTag};
use crate::failure::Failure;
use crate::run::Run;

/// Runs `tag`.
pub(crate) fn run(args: &CrfTag) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let file = ModelFile::read(&args.model)?;
    let cook = file.cook()?;
    let decoder = Decoder::new(&file.model, args.constraints)?;
    let sequences = Sequences::read(&args.data, &args.file, &file.conllu_columns()?)?;
    cook.check(&sequences)?;
    run.claim(args.out.as_deref(), &["tagged.txt"])?;
    let labels = file.model.vocabulary().labels();
    let (mut best, mut unknown_attributes) = (Vec::new(), 0);
    for index in 0..sequences.len() {
        let sequence = cook
            .sequence(file.model.sequence(), &sequences, index)
            .map_err(|error| Failure::data(format!("{}: {error}", sequences.source)))?;
        unknown_attributes += sequence.unknown();
        let scores = decoder.scores(&sequence);
        let nodes = args.marginals.then(|| scores.chain().marginals().nodes);
        let whole = |(path, ln_probability): (Path, f64)| Whole {
            probability: ln_probability.exp(),
            ln_probability,
            tags: path.states.iter().map(|&own| labels.name(own).unwrap_or_default().to_owned()).collect(),
            marginals: nodes.as_ref().map(|nodes| {
                let own = path.states.iter().zip(nodes.chunks_exact(labels.len()));
                own.map(|(&label, row)| row[label]).collect()
            }),
        };
        let found: Vec<Whole> = match args.best {
            Some(count) => scores.k_best(count as usize).into_iter().map(whole).collect(),
            None => scores.chain().best_path().map(|path| whole((path, 0.0))).into_iter().collect(),
        };
        if found.is_empty() {
            return Err(sequences.impossible(index));
        }
        best.push(found);
    }
    let first = best.iter().filter_map(|found| found.first());
    let tagged = Tagged {
        tags: first.clone().map(|own| own.tags.clone()).collect(),
        probabilities: first.map(|own| own.marginals.clone()).collect(),
        best: args.best.is_some().then_some(best),
        unknown_attributes,
    };
    let text = match &sequences.conllu {
        Some(conllu) => tagged_conllu::text(conllu, &tagged)?,
        None => text(&sequences, &tagged, args.file.input),
    };
    run.write("tagged.txt", |folder| folder.put_text("tagged.txt", &text))?;
    run.print(|| &tagged, || text)
}

/// The lines of the file with a label, and its probability, at their ends; of lists of attributes the labels
/// alone. Of several labellings of a sequence each has a line with its place and probability before it, as
/// CRF++ has it.
fn text(sequences: &Sequences, tagged: &Tagged, input: CrfInput) -> String {
    let between = if input == CrfInput::Columns { ' ' } else { '\t' };
    let mut text = String::new();
    for (index, tags) in tagged.tags.iter().enumerate() {
        let Some(best) = &tagged.best else {
            let probabilities = tagged.probabilities.as_ref().map(|all| &all[index][..]);
            add_lines(&mut text, sequences, index, (tags, probabilities), between);
            continue;
        };
        for (rank, own) in best[index].iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "# {rank} {:.6}", own.probability);
            add_lines(&mut text, sequences, index, (&own.tags, own.marginals.as_deref()), between);
        }
    }
    text
}

/// A sequence with these labels, and their probabilities.
fn add_lines(
    text: &mut String,
    sequences: &Sequences,
    index: usize,
    (tags, probabilities): (&[String], Option<&[f64]>),
    between: char,
) {
    for (token, tag) in tags.iter().enumerate() {
        if let Form::Tables(tables) = &sequences.form {
            for cell in tables[index].row(token) {
                text.push_str(cell);
                text.push(between);
            }
        }
        text.push_str(tag);
        if let Some(probabilities) = probabilities {
            // Writing to a string cannot fail.
            let _ = write!(text, "{between}{:.4}", probabilities[token]);
        }
        text.push('\n');
    }
    text.push('\n');
}

/// Runs `eval`.
pub(crate) fn eval(args: &CrfEval) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let file = ModelFile::read(&args.model)?;
    let cook = file.cook()?;
    let sequences = Sequences::read(&args.data, &args.file, &file.conllu_columns()?)?;
    cook.check(&sequences)?;
    sequences.check_labels()?;
    if sequences.columns() != cook.columns() {
        let failure = Failure::data(format!("{}: no column of labels", sequences.source));
        return Err(failure.with_hint("`posterior crf tag` labels without them"));
    }
    run.claim(args.out.as_deref(), report::NAMES)?;
    let all: Vec<usize> = (0..sequences.len()).collect();
    let decoder = Decoder::new(&file.model, args.constraints)?;
    let scores = Scores::of(&decoder, &cook, &sequences, &all, &file.words)?;
    run.write("report.html", |folder| {
        let report = report::of_scores(&file.model, &scores, &sequences.source, &[], &Top::all(&file.model));
        report::write(folder, &scores, &report)
    })?;
    run.print(|| &scores, || super::text::of_scores(&scores))
}
