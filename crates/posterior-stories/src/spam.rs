//! Is this message spam? Naive Bayes, why it says so, why it is too sure, and logistic regression beside it.
//!
//! The messages are the SMS Spam Collection (5,574, of which 747 are spam) where the sources have
//! `spam/sms_spam.tsv`, else 60 short ones made up here. Prints accuracy, precision, recall, the area under
//! the curve, log loss and calibration error of five models in ten folds; the smoothing that is best; the
//! words that tell spam, with intervals; the sum that makes one message spam; spam that the model writes; and
//! how the errors of naive Bayes and of logistic regression fall with the number of messages.

mod learning;
mod messages;
mod models;
mod read;
mod scores;
mod words;

use std::io::Write;

use posterior::report::Page;
use posterior::text::naive_bayes::{ClassPrior, EventModel, NaiveBayes, NaiveBayesOptions};

use crate::{Ending, Outcome, Sources};

const SPAM: usize = 1;
const FOLDS: usize = 10;

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written, or the messages cannot be read.
pub fn tell(out: &mut dyn Write, sources: &Sources) -> Outcome<Ending> {
    let messages = read::read(sources)?;
    let spam = messages.labels.iter().filter(|&&label| label == SPAM).count();
    writeln!(out, "{}: {} messages, {spam} of them spam", messages.source, messages.labels.len())?;
    writeln!(out, "{} distinct words", messages.corpus.vocabulary().len())?;
    let mut page = Page::new("Spam", "Right nearly always, and too sure of it");
    models::compared(out, &messages, &mut page)?;
    let smoothing = models::smoothing(out, &messages, &mut page)?;
    let options = NaiveBayesOptions { smoothing, ..options(EventModel::Multinomial) };
    let model = NaiveBayes::fit(&messages.corpus, &messages.labels, 2, &options)?;
    words::telling(out, &messages, &model, &mut page)?;
    words::explained(out, &messages, &model, &mut page)?;
    words::written(out, &messages, &mut page)?;
    learning::curves(out, &messages, &mut page)?;
    messages.source.clone_into(&mut page.source);
    Ok(Ending::Completed(page))
}

fn options(model: EventModel) -> NaiveBayesOptions {
    NaiveBayesOptions { model, prior: ClassPrior::Learned { add: 1.0 }, ..NaiveBayesOptions::default() }
}
