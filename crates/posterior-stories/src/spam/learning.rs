//! Naive Bayes and logistic regression on the same words, with more and more messages.

use std::io::Write;

use posterior::evaluation::ProbabilityScores;
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::math::log_space::logistic;
use posterior::regression::glm::{CoefficientPrior, Family, Glm, GlmData, GlmFitOptions};
use posterior::report::{Figure, Page, Ribbon, ribbons};
use posterior::text::naive_bayes::{EventModel, NaiveBayes};
use posterior::topics::Corpus;

use super::read::Messages;
use super::{SPAM, options};
use crate::Outcome;

/// Words that logistic regression sees, and naive Bayes beside it.
const FREQUENT: usize = 300;

/// The same messages with their most frequent words only.
pub(super) fn frequent(corpus: &Corpus) -> Outcome<Corpus> {
    let frequencies = corpus.document_frequencies();
    let mut words: Vec<usize> = (0..frequencies.len()).collect();
    words.sort_by_key(|&word| (std::cmp::Reverse(frequencies[word]), word));
    words.truncate(FREQUENT);
    words.sort_unstable();
    let vocabulary = words.iter().map(|&word| corpus.vocabulary()[word].clone()).collect();
    Ok(corpus.in_vocabulary(vocabulary)?.0)
}

/// A row of an intercept and of which words are there, for each message.
fn design(corpus: &Corpus, documents: &[usize]) -> DMatrix<f64> {
    let mut rows = DMatrix::zeros(documents.len(), corpus.vocabulary().len() + 1);
    for (row, &d) in documents.iter().enumerate() {
        rows[(row, 0)] = 1.0;
        for &word in corpus.document(d).words {
            rows[(row, word as usize + 1)] = 1.0;
        }
    }
    rows
}

/// The probabilities of spam of some messages by a logistic regression on others.
pub(super) fn logistic_said(
    corpus: &Corpus,
    labels: &[usize],
    train: &[usize],
    test: &[usize],
) -> Outcome<Vec<f64>> {
    let rows = design(corpus, train);
    let response: Vec<f64> = train.iter().map(|&d| labels[d] as f64).collect();
    let data = GlmData::new(&rows, &response)?;
    let prior = CoefficientPrior::isotropic(rows.ncols(), 2.0)?;
    let fitted =
        Glm::new(Family::Logit, data)?.with_prior(prior)?.fit(&GlmFitOptions::default(), &mut Silent)?.model;
    let said = |&d: &usize| {
        let words = corpus.document(d).words.iter();
        logistic(
            fitted.coefficients[0] + words.map(|&word| fitted.coefficients[word as usize + 1]).sum::<f64>(),
        )
    };
    Ok(test.iter().map(said).collect())
}

/// The mean -ln p(class | text) of some messages by naive Bayes on others.
fn bayes_loss(corpus: &Corpus, labels: &[usize], train: &[usize], test: &[usize]) -> Outcome<f64> {
    let own: Vec<usize> = train.iter().map(|&d| labels[d]).collect();
    let model = NaiveBayes::fit(&corpus.select(train)?, &own, 2, &options(EventModel::Bernoulli))?;
    let mut said = ProbabilityScores::new(1);
    for &d in test {
        let posterior = model.posterior(corpus.document(d));
        said.push(&posterior.map_or_else(|| vec![0.0; 2], |posterior| posterior.probabilities), labels[d])?;
    }
    Ok(said.mean_ln_loss().unwrap_or(f64::NAN))
}

/// The errors on the last fifth of the messages, learned from more and more of the others (Ng and Jordan
/// 2002).
pub(super) fn curves(out: &mut dyn Write, messages: &Messages, page: &mut Page) -> Outcome<()> {
    let corpus = frequent(&messages.corpus)?;
    let labels = &messages.labels;
    let n = labels.len();
    let test: Vec<usize> = (n - n / 5..n).collect();
    writeln!(
        out,
        "\nlearnt from   naive Bayes   logistic regression   (ln loss of {} other messages)",
        test.len()
    )?;
    let (mut bayes, mut regression) = (Vec::new(), Vec::new());
    let mut size = 20;
    while size <= n - test.len() {
        let train: Vec<usize> = (0..size).collect();
        let loss = bayes_loss(&corpus, labels, &train, &test)?;
        let other = logistic_said(&corpus, labels, &train, &test)?;
        let of_truth = |(&p, &d): (&f64, &usize)| if labels[d] == SPAM { p } else { 1.0 - p };
        let other_loss = other.iter().zip(&test).map(|pair| -of_truth(pair).ln());
        let other_loss = other_loss.sum::<f64>() / test.len() as f64;
        writeln!(out, "{size:11}   {loss:11.4}   {other_loss:19.4}")?;
        bayes.push(((size as f64).log10(), loss));
        regression.push(((size as f64).log10(), other_loss));
        size *= 2;
    }
    let lines = [("naive Bayes", bayes), ("logistic regression", regression)];
    let lines: Vec<Ribbon> = lines.map(|(name, line)| Ribbon::line(name.to_owned(), line)).into();
    let text = "Where messages are few, the model of how they are made is ahead; where they are many, the one that only tells them apart.";
    page.section(
        "Learning from more and more messages",
        text,
        Figure::new(
            ribbons(("log10 of the number of messages", "ln loss"), &lines, &[], None),
            "The mean -ln p of the true class of other messages, by the same words.",
        ),
    );
    Ok(())
}
