//! Words: what tells spam, why a message is spam, and spam that a model writes.

use std::io::Write;

use posterior::dist::stream::stream;
use posterior::report::{Figure, Interval, Page, intervals};
use posterior::text::naive_bayes::{self, EventModel, NaiveBayes};

use super::read::Messages;
use super::{SPAM, options};
use crate::Outcome;

const LEVEL: f64 = 0.9;

pub(super) fn telling(
    out: &mut dyn Write,
    messages: &Messages,
    model: &NaiveBayes,
    page: &mut Page,
) -> Outcome<()> {
    let vocabulary = messages.corpus.vocabulary();
    writeln!(out, "\nwords that tell spam, ln of how much more frequent, with 90 % intervals")?;
    let words = model.telling_words(SPAM, LEVEL, 10)?;
    if let Some(first) = words.first() {
        page.fact("most telling word", vocabulary[first.word as usize].as_str());
    }
    for word in &words {
        let name = &vocabulary[word.word as usize];
        writeln!(out, "  {name:12} {:5.2}  [{:.2}, {:.2}]", word.mean, word.lower, word.upper)?;
    }
    let interval = |word: &naive_bayes::TellingWord| Interval {
        name: vocabulary[word.word as usize].clone(),
        low: word.lower,
        middle: word.mean,
        high: word.upper,
    };
    let picture = intervals("Words that tell spam", &words.iter().map(interval).collect::<Vec<_>>());
    page.section(
        "Words that tell spam",
        "",
        Figure::new(
            picture,
            "ln of how much more frequent a word is in spam than in other messages, with intervals of 90 %.",
        ),
    );
    Ok(())
}

/// The first spam message, as a sum.
pub(super) fn explained(
    out: &mut dyn Write,
    messages: &Messages,
    model: &NaiveBayes,
    page: &mut Page,
) -> Outcome<()> {
    let Some(d) = messages.labels.iter().position(|&label| label == SPAM) else { return Ok(()) };
    let Some(why) = model.explain(messages.corpus.document(d), SPAM, 1 - SPAM)? else { return Ok(()) };
    writeln!(out, "\nwhy is this spam: {}", messages.texts[d])?;
    writeln!(out, "  {:12} {:6.2}", "(any message)", why.prior)?;
    let vocabulary = messages.corpus.vocabulary();
    for word in why.words.iter().take(8) {
        writeln!(out, "  {:12} {:6.2}", vocabulary[word.word as usize], word.ln_odds)?;
    }
    let rest: f64 = why.words.iter().skip(8).map(|word| word.ln_odds).sum();
    writeln!(out, "  {:12} {rest:6.2}", "(the rest)")?;
    writeln!(out, "  {:12} {:6.2}  = ln of the odds, together {:.2}", "sum", why.sum(), why.ln_odds)?;
    let bar = |name: String, value: f64| Interval {
        name,
        low: value.min(0.0),
        middle: value,
        high: value.max(0.0),
    };
    let mut rows = vec![bar("(any message)".to_owned(), why.prior)];
    rows.extend(why.words.iter().map(|word| bar(vocabulary[word.word as usize].clone(), word.ln_odds)));
    page.section(
        "Why one message is spam",
        messages.texts[d].clone(),
        Figure::new(
            intervals("Contributions of words", &rows),
            "What each word adds to the logarithm of the odds of spam: all together they are the answer.",
        ),
    );
    Ok(())
}

/// The most likely spam, and some that the models draw.
pub(super) fn written(out: &mut dyn Write, messages: &Messages, page: &mut Page) -> Outcome<()> {
    let vocabulary = messages.corpus.vocabulary();
    let model = NaiveBayes::fit(&messages.corpus, &messages.labels, 2, &options(EventModel::Bernoulli))?;
    let spelt = |words: &[u32]| {
        let words: Vec<&str> = words.iter().map(|&word| vocabulary[word as usize].as_str()).collect();
        words.join(" ")
    };
    let likely = spelt(&model.most_likely_words(SPAM)?);
    writeln!(out, "\nthe most likely spam has the words: {likely}")?;
    let mut items = vec![format!("Most likely, by the Bernoulli model: {likely}")];
    let smoothed = naive_bayes::NaiveBayesOptions { smoothing: 0.01, ..options(EventModel::Multinomial) };
    let model = NaiveBayes::fit(&messages.corpus, &messages.labels, 2, &smoothed)?;
    let mut rng = stream(1, &[]);
    for _ in 0..3 {
        let drawn = model.sample(SPAM, &mut rng)?;
        let words: Vec<u32> =
            drawn.iter().flat_map(|&(word, count)| std::iter::repeat_n(word, count as usize)).collect();
        writeln!(out, "drawn: {}", spelt(&words))?;
        items.push(format!("Drawn from the multinomial model: {}", spelt(&words)));
    }
    page.section("Spam that the models write", "", items);
    Ok(())
}
