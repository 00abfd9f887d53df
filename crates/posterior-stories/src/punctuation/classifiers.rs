//! The same question to classifiers that take characters as features: naive Bayes, logistic regression, and a
//! conditional random field, beside the table of contexts.

use std::io::Write;

use posterior::evaluation::Confusion;
use posterior::math::iteration::Silent;
use posterior::math::sparse::SparseMatrix;
use posterior::regression::sparse_softmax::{SparsePenalty, SparseSoftmax};
use posterior::report::{Page, PageTable, TableColumn};
use posterior::sequence::crf::{
    self, AttributeSequence, CrfVocabulary, Dataset, FeatureOptions, Features, TrainingOptions,
};
use posterior::text::corpus::Document;
use posterior::text::naive_bayes::{ClassCounts, NaiveBayes, NaiveBayesOptions};
use posterior::text::punctuation::{CLASSES, ContextSmoothing, PunctuationModel, Symbol, score};

use super::N;
use crate::Outcome;
use crate::story::tell_table;

/// Characters after the place, where they are shown.
const AFTER: usize = 4;

/// What a model says of a place: the probabilities of the classes.
type Probabilities = Vec<f64>;

/// Texts as places with features and classes.
struct Task {
    train: Dataset,
    test: AttributeSequence,
    truth: Vec<usize>,
}

impl Task {
    fn new(known: &[&str], test: &str, places: impl Fn(&str) -> Vec<(Vec<String>, usize)>) -> Outcome<Self> {
        let labels = Symbol::ALL.iter().map(ToString::to_string);
        let mut train = Dataset::with_vocabulary(CrfVocabulary::new().with_labels(labels));
        for text in known {
            let mut sequence = train.sequence();
            let mut classes = Vec::new();
            for (features, class) in places(text) {
                sequence.present(features)?;
                classes.push(class);
            }
            let sequence = sequence.finish();
            train.push_numbered(sequence, classes, 1.0)?;
        }
        let (mut sequence, mut truth) = (train.vocabulary().sequence(), Vec::new());
        for (features, class) in places(test) {
            sequence.present(features)?;
            truth.push(class);
        }
        let test = sequence.finish();
        Ok(Self { train, test, truth })
    }

    fn classes(&self) -> Vec<usize> {
        self.train.labels().concat()
    }

    /// Only features of single characters: those of several would be counted twice.
    fn naive_bayes(&self) -> Outcome<Vec<Probabilities>> {
        let names = self.train.vocabulary().attributes();
        let single =
            |&(feature, _): &(usize, f64)| names.name(feature).is_some_and(|name| name.starts_with('='));
        let document = |sequence: &AttributeSequence, t: usize| {
            let mut words: Vec<u32> =
                sequence.attributes(t).filter(single).map(|(feature, _)| feature as u32).collect();
            words.sort_unstable();
            words
        };
        let options = NaiveBayesOptions::default();
        let mut counts = ClassCounts::new(options.counts(), CLASSES, names.len())?;
        for (sequence, labels) in self.train.sequences().iter().zip(self.train.labels()) {
            for (t, &class) in labels.iter().enumerate() {
                let words = document(sequence, t);
                counts.push(Document { words: &words, counts: &vec![1; words.len()] }, class)?;
            }
        }
        let model = NaiveBayes::from_counts(counts, &options)?;
        let say = |t: usize| {
            let words = document(&self.test, t);
            let posterior = model.posterior(Document { words: &words, counts: &vec![1; words.len()] });
            posterior.map(|own| own.probabilities).ok_or_else(|| "a class that is never seen".into())
        };
        (0..self.test.len()).map(say).collect()
    }

    fn logistic(&self) -> Outcome<Vec<Probabilities>> {
        let columns = self.train.vocabulary().attributes().len();
        let design = |sequences: &[AttributeSequence]| {
            let places = sequences.iter().flat_map(|own| (0..own.len()).map(move |t| (own, t)));
            let rows = places.clone().count();
            let entries = places.enumerate().flat_map(|(row, (own, t))| {
                own.attributes(t).map(move |(feature, value)| (row, feature, value))
            });
            SparseMatrix::from_triplets(rows, columns, entries)
        };
        let (train, test) = (design(self.train.sequences())?, design(std::slice::from_ref(&self.test))?);
        let classes = self.classes();
        let model = SparseSoftmax::new(&train, &classes, CLASSES)?;
        let fitted = model.fit(&SparsePenalty::ridge(1.0), &mut Silent)?.model;
        let probabilities = fitted.probabilities(&test)?;
        Ok(probabilities.row_iter().map(|row| row.iter().copied().collect()).collect())
    }

    fn random_field(&self) -> Outcome<Vec<Probabilities>> {
        let features = Features::select(&self.train, &FeatureOptions::default())?;
        let options = TrainingOptions { max_iterations: 40, ..TrainingOptions::default() };
        let model = crf::fit(&self.train, features, &options, &mut Silent)?.model;
        let nodes = model.marginals(&self.test).nodes;
        Ok(nodes.chunks_exact(CLASSES).map(<[f64]>::to_vec).collect())
    }

    fn judged(&self, output: &[Probabilities]) -> Outcome<Judged> {
        let mut confusion = Confusion::new(CLASSES);
        let mut loss = 0.0;
        for (probabilities, &truth) in output.iter().zip(&self.truth) {
            confusion.push(
                truth,
                (0..CLASSES).fold(CLASSES - 1, |best, class| {
                    if probabilities[class] > probabilities[best] { class } else { best }
                }),
            )?;
            loss -= probabilities[truth].ln();
        }
        Ok(Judged { ln_loss: Some(loss / self.truth.len() as f64), confusion })
    }
}

struct Judged {
    ln_loss: Option<f64>,
    confusion: Confusion,
}

/// Features of a place: characters by their distance, and those next to each other.
fn around(before: &[char], after: &[char]) -> Vec<String> {
    let mut features = Vec::new();
    for (distance, own) in before.iter().rev().enumerate() {
        features.push(format!("=-{distance}{own}"));
    }
    for (distance, own) in after.iter().enumerate() {
        features.push(format!("=+{distance}{own}"));
    }
    for length in 2..=before.len() {
        features.push(format!("-{}", String::from_iter(&before[before.len() - length..])));
    }
    for length in 2..=after.len() {
        features.push(format!("+{}", String::from_iter(&after[..length])));
    }
    features
}

/// The class of each character but the first, by those before it.
fn next(text: &str) -> Vec<(Vec<String>, usize)> {
    let text: Vec<char> = text.chars().collect();
    let place = |t: usize| {
        let before = &text[t.saturating_sub(N + 1)..t];
        (around(before, &[]), Symbol::of(text[t]) as usize)
    };
    (1..text.len()).map(place).collect()
}

/// Characters without marks, and the class of what followed each.
fn bare(text: &str) -> (Vec<char>, Vec<usize>) {
    let (mut characters, mut classes): (Vec<char>, Vec<usize>) = (Vec::new(), Vec::new());
    for character in text.chars() {
        match (Symbol::of(character), classes.last_mut()) {
            (Symbol::Other, _) => {
                characters.push(character);
                classes.push(Symbol::Other as usize);
            }
            // Of several marks the first.
            (mark, Some(class)) if *class == Symbol::Other as usize => *class = mark as usize,
            _ => {}
        }
    }
    (characters, classes)
}

/// The mark that followed a character, by characters on both sides.
fn lost(text: &str) -> Vec<(Vec<String>, usize)> {
    let (text, classes) = bare(text);
    let place = |(t, class): (usize, usize)| {
        let before = &text[t.saturating_sub(N)..=t];
        let after = &text[t + 1..text.len().min(t + 1 + AFTER)];
        (around(before, after), class)
    };
    classes.into_iter().enumerate().map(place).collect()
}

/// What three classifiers make of it, all from the message before the one that is predicted.
pub(super) fn classifiers(out: &mut dyn Write, known: &[&str], test: &str, page: &mut Page) -> Outcome<()> {
    let known = &known[known.len().saturating_sub(1)..];
    let table_of_contexts = PunctuationModel::fit(known, N, &ContextSmoothing::KneserNey)?;
    let scores = score(&table_of_contexts, &[test])?;
    let contexts = Judged { ln_loss: Some(scores.ln_loss), confusion: scores.confusion };
    let forward = Task::new(known, test, next)?;
    let sides = Task::new(known, test, lost)?;
    let restored = table_of_contexts.restore(&String::from_iter(bare(test).0), 20);
    let pairs = sides.truth.iter().copied().zip(bare(&restored).1);
    let restored = Judged { ln_loss: None, confusion: Confusion::of(CLASSES, pairs)? };
    let rows = [
        ("before", "Kneser-Ney", contexts),
        ("before", "naive Bayes", forward.judged(&forward.naive_bayes()?)?),
        ("before", "logistic", forward.judged(&forward.logistic()?)?),
        ("bare text", "Kneser-Ney", restored),
        ("bare text", "naive Bayes", sides.judged(&sides.naive_bayes()?)?),
        ("bare text", "logistic", sides.judged(&sides.logistic()?)?),
        ("bare text", "random field", sides.judged(&sides.random_field()?)?),
    ];
    let columns = ["log loss", "right %", "macro-F1"].map(TableColumn::number);
    let columns =
        [TableColumn::text("seen"), TableColumn::text("model")].into_iter().chain(columns).collect();
    let cells = |(seen, model, own): (&str, &str, Judged)| {
        let percent = own.confusion.accuracy().map(|right| format!("{:.2}", 100.0 * right));
        let f1 = own.confusion.macro_f1().map(|f1| format!("{f1:.3}"));
        let loss = own.ln_loss.map(|loss| format!("{loss:.4}"));
        let mut row = vec![seen.to_owned(), model.to_owned()];
        row.extend([loss, percent, f1].map(Option::unwrap_or_default));
        row
    };
    let table = PageTable { columns, rows: rows.map(cells).into() };
    let text = format!(
        "All learn from the message before. Features are the last {} characters by their distance and, for the logistic regression and the random field, those next to each other together. Of the bare text, from \
         which all marks were taken, the {AFTER} characters after the place are seen too, and the question is which mark stood there. Naive Bayes holds characters for independent, \
         and is far too sure. The random field adds what a mark says of the next.",
        N + 1
    );
    tell_table(out, page, "Characters as features", text, table)
}
