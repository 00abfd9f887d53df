//! `posterior crf fit`.

use std::collections::BTreeSet;
use std::path::Path;

use posterior::math::iteration::{Fitted, Stop};
use posterior::sequence::crf::{ConditionalRandomField, Dataset};

use super::answer::{Answer, Top};
use super::decoder::Decoder;
use super::model_file::{AREA, ModelFile};
use super::recipe::{Cook, Recipe};
use super::scores::Scores;
use super::sequences_input::Sequences;
use super::{report, text, training};
use crate::args::{CrfAlgorithm, CrfFit, name};
use crate::failure::{Failure, refused};
use crate::folds::sequences_held_out;
use crate::model_file;
use crate::run::Run;

/// Sequences that mistakes are counted in.
enum Holdout {
    None,
    Proportion(f64),
    File(Sequences),
}

/// Runs the verb.
pub(crate) fn run(args: &CrfFit) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    training::algorithm(args)?;
    let recipe = Recipe::of(args.templates.as_deref(), args.file.input)?;
    let sequences = Sequences::read(&args.data, &args.file, &[])?;
    sequences.check_labels()?;
    let cook = Cook::new(recipe, sequences.columns()).map_err(refused)?;
    cook.check(&sequences)?;
    let holdout = holdout(args, &cook)?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    let (training, held_out) = split(&holdout, sequences.len(), args.common.seed)?;
    let (data, words) = dataset(&cook, &sequences, &training)?;
    let fitted = training::fit(args, &data)?;
    let all: Vec<usize>;
    let (judged, indices, evaluated_on) = match &holdout {
        Holdout::None => (&sequences, &training, "training".to_owned()),
        Holdout::Proportion(_) => (&sequences, &held_out, "holdout".to_owned()),
        Holdout::File(file) => {
            all = (0..file.len()).collect();
            (file, &all, file.source.clone())
        }
    };
    let scores = Scores::of(&Decoder::free(&fitted.model), &cook, judged, indices, &words)?;
    let answer = answer(args, &data, &fitted, evaluated_on, scores)?;
    run.write("report.html", |folder| {
        model_file::put(
            folder,
            AREA,
            &ModelFile::new(&cook, sequences.conllu_columns(), &words, &fitted.model),
        )?;
        report::write(folder, &answer.scores, &report::of_fit(&run, &fitted.model, &answer))
    })?;
    if !answer.converged {
        run.note("note: the fit did not converge: allow more with --iterations");
    }
    run.print(|| &answer, || text::of_fit(&answer))
}

fn holdout(args: &CrfFit, cook: &Cook) -> Result<Holdout, Failure> {
    let Some(text) = &args.held_out else { return Ok(Holdout::None) };
    match text.parse::<f64>() {
        Ok(proportion) if proportion > 0.0 && proportion < 1.0 => Ok(Holdout::Proportion(proportion)),
        Ok(_) => Err(Failure::Usage("--held-out: a proportion is above 0 and below 1".to_owned())),
        Err(_) => {
            let file = Sequences::read(Path::new(text), &args.file, &[])?;
            file.check_labels()?;
            cook.check(&file)?;
            if file.columns() != cook.columns() {
                return Err(Failure::data(format!("{}: no column of labels", file.source)));
            }
            Ok(Holdout::File(file))
        }
    }
}

/// The sequences of the fit, and those held out, each in their order.
fn split(holdout: &Holdout, count: usize, seed: u64) -> Result<(Vec<usize>, Vec<usize>), Failure> {
    let Holdout::Proportion(proportion) = holdout else { return Ok(((0..count).collect(), Vec::new())) };
    let parts = sequences_held_out(count, *proportion, seed);
    let parts =
        parts.ok_or_else(|| Failure::data(format!("{count} sequences are too few to hold some out")))?;
    Ok((parts.fitted, parts.predicted))
}

/// The sequences with these indices, and the words in them.
fn dataset(
    cook: &Cook,
    sequences: &Sequences,
    indices: &[usize],
) -> Result<(Dataset, BTreeSet<String>), Failure> {
    let refused = |error: posterior::sequence::Error| Failure::data(format!("{}: {error}", sequences.source));
    let (mut data, mut words) = (Dataset::new(), BTreeSet::new());
    for &index in indices {
        let sequence = cook.sequence(data.sequence(), sequences, index).map_err(refused)?;
        data.push(sequence, sequences.labels(index)).map_err(refused)?;
        words.extend(sequences.words(index).into_iter().flatten().map(str::to_owned));
    }
    Ok((data, words))
}

fn answer(
    args: &CrfFit,
    data: &Dataset,
    fitted: &Fitted<ConditionalRandomField>,
    evaluated_on: String,
    scores: Scores,
) -> Result<Answer, Failure> {
    let algorithm = training::algorithm(args)?;
    let model = &fitted.model;
    Ok(Answer {
        algorithm: name(algorithm),
        l1: args.l1,
        l2: (algorithm != CrfAlgorithm::Perceptron).then(|| training::l2(args)),
        training_sequences: data.len(),
        training_tokens: data.tokens(),
        attributes: model.vocabulary().attributes().len(),
        weights: model.weights().len(),
        nonzero_weights: model.weights().iter().filter(|weight| **weight != 0.0).count(),
        objective_trace: fitted.report.trace.clone(),
        iterations: fitted.report.iterations(),
        converged: fitted.report.stop == Stop::Converged,
        evaluated_on,
        scores,
        top_features: Top::all(model),
    })
}
