//! The messages, as texts and as words.

use posterior::topics::Corpus;
use posterior::topics::corpus::{Apostrophes, CorpusBuilder, Digits, Tokenizer, VocabularyOptions};

use super::messages;
use crate::Outcome;
use crate::Sources;

/// Messages, as texts and as words.
pub(super) struct Messages {
    pub(super) texts: Vec<String>,
    pub(super) labels: Vec<usize>,
    pub(super) corpus: Corpus,
    pub(super) source: &'static str,
}

pub(super) fn read(sources: &Sources) -> Outcome<Messages> {
    let (text, source) = match sources.file("spam/sms_spam.tsv") {
        Some(path) => {
            let text =
                std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            (text, "SMS Spam Collection")
        }
        None => (
            messages::MESSAGES.to_owned(),
            "Messages made up for this story: the SMS Spam Collection is not here (spam/sms_spam.tsv)",
        ),
    };
    let tokenizer = Tokenizer {
        digits: Digits::Keep,
        apostrophes: Apostrophes::Keep,
        min_length: 1,
        ..Tokenizer::default()
    };
    let mut builder = CorpusBuilder::new(VocabularyOptions { tokenizer, ..VocabularyOptions::default() })?;
    let (mut texts, mut labels) = (Vec::new(), Vec::new());
    for (line, message) in text.lines().filter(|line| !line.is_empty()).enumerate() {
        let (label, message) = message.split_once('\t').ok_or("expected a label, a tab and a message")?;
        labels.push(usize::from(label == "spam"));
        builder.push((line + 1).to_string(), message);
        texts.push(message.to_owned());
    }
    Ok(Messages { texts, labels, corpus: builder.build()?.0, source })
}
