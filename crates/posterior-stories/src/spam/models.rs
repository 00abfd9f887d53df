//! Five models, each message predicted by a model of the other folds.

use std::io::Write;

use posterior::evaluation::Reliability;
use posterior::report::{Figure, Page, PageTable, Ribbon, ribbons};
use posterior::text::naive_bayes::{
    ClassCounts, ClassPosterior, Counted, EventModel, cross_validate, select_smoothing, smoothing_by_evidence,
};
use posterior::topics::Corpus;

use super::learning::{frequent, logistic_said};
use super::read::Messages;
use super::scores::Scores;
use super::{FOLDS, SPAM, options};
use crate::story::tell_table;
use crate::{Outcome, calibration};

/// Five models, each message predicted by a model of the other folds.
pub(super) fn compared(out: &mut dyn Write, messages: &Messages, page: &mut Page) -> Outcome<()> {
    let frequent = frequent(&messages.corpus)?;
    let bayes = |corpus: &Corpus, model| cross_validate(corpus, &messages.labels, 2, &options(model), FOLDS);
    let rows = [
        ("Bernoulli", spam_of(&bayes(&messages.corpus, EventModel::Bernoulli)?)),
        ("multinomial", spam_of(&bayes(&messages.corpus, EventModel::Multinomial)?)),
        ("complement", spam_of(&bayes(&messages.corpus, EventModel::Complement)?)),
        ("Bernoulli*", spam_of(&bayes(&frequent, EventModel::Bernoulli)?)),
        ("logistic*", logistic_folds(&frequent, &messages.labels)?),
    ];
    let names =
        ["", "accuracy", "precision", "recall", "area under the curve", "ln loss", "calibration error"];
    let mut table = PageTable::with_columns(&names);
    for (name, said) in &rows {
        let scores = Scores::of(said, &messages.labels)?;
        table.rows.push(scores.cells(name));
        if *name == "multinomial" {
            page.fact("accuracy of the multinomial model", format!("{:.2} %", 100.0 * scores.accuracy));
            page.fact("its calibration error", format!("{:.4}", scores.calibration_error));
            let caption = "Messages by the probability that they were given: the proportion that is spam, and where it would be nine times in ten. \
                           Dependent words are counted as if each were new evidence, so that points leave the diagonal for the middle.";
            // The proportion that is spam among messages of like probability.
            let pairs = said.iter().zip(&messages.labels).map(|(&p, &label)| (p, label == SPAM));
            let picture = calibration::picture(&Reliability::of(10, pairs)?);
            page.lead = Some(Figure::new(picture, caption));
            page.section(
                "Taken for which",
                "Messages by what they are and what they are taken for.",
                scores.confusion(),
            );
        }
    }
    let text = "Each message was predicted by a model of the other nine tenths. With a star: the same few frequent words for both.";
    tell_table(out, page, "Five models", text, table)?;
    writeln!(out, "* the {} most frequent words only, the same for both", frequent.vocabulary().len())?;
    Ok(())
}

fn spam_of(said: &[Option<ClassPosterior>]) -> Vec<f64> {
    said.iter().map(|said| said.as_ref().map_or(0.0, |said| said.probabilities[SPAM])).collect()
}

fn logistic_folds(corpus: &Corpus, labels: &[usize]) -> Outcome<Vec<f64>> {
    let mut all = vec![0.0; labels.len()];
    for fold in 0..FOLDS {
        let (test, train): (Vec<usize>, Vec<usize>) = (0..labels.len()).partition(|d| d % FOLDS == fold);
        for (d, p) in test.iter().zip(logistic_said(corpus, labels, &train, &test)?) {
            all[*d] = p;
        }
    }
    Ok(all)
}

/// The smoothing of the multinomial model by held-out loss, and by evidence.
pub(super) fn smoothing(out: &mut dyn Write, messages: &Messages, page: &mut Page) -> Outcome<f64> {
    let candidates = [0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0];
    let multinomial = options(EventModel::Multinomial);
    let choice = select_smoothing(&messages.corpus, &messages.labels, 2, &multinomial, &candidates, FOLDS)?;
    writeln!(out, "\nadded to counts   held-out ln loss")?;
    for (candidate, loss) in candidates.iter().zip(&choice.ln_losses) {
        writeln!(out, "{candidate:15}   {loss:.4}")?;
    }
    let counts = ClassCounts::of(Counted::Occurrences, &messages.corpus, &messages.labels, 2)?;
    let (evidence, _) = smoothing_by_evidence(&counts)?;
    writeln!(out, "the least loss is at {}; the evidence is largest at {evidence:.3}", choice.smoothing)?;
    let line = candidates.iter().zip(&choice.ln_losses).map(|(smoothing, &loss)| (smoothing.log10(), loss));
    let ribbon = Ribbon { line: line.collect(), ..Ribbon::default() };
    let text = format!(
        "What is added to each count. The held-out loss is least at {}, the evidence largest at {evidence:.3}.",
        choice.smoothing
    );
    let picture = ribbons(("log10 of what is added", "held-out ln loss"), &[ribbon], &[], None);
    page.section("Smoothing", text, Figure::new(picture, "Mean -ln p of the true class in ten folds."));
    Ok(choice.smoothing)
}
