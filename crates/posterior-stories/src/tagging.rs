//! Which part of speech is a word? Tags by counting, and what the words before add to what a word says of
//! itself.
//!
//! Needs `sequence/ewt_train.tsv` and `ewt_dev.tsv` of the sources: the train and dev portions of the English
//! Web Treebank of Universal Dependencies, columns word, universal tag, another tag. Prints how many tags are
//! right, of known and of unknown words, by the most frequent tag of each word and by hidden Markov models
//! with one and two tags before; what is taken for what; how the proportions grow with the sentences; and the
//! words in doubt. Words of the texts are shown by themselves, and no sentence.

mod doubts;
mod mistakes;
mod more;
mod scores;

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use posterior::report::Page;
use posterior::sequence::tagger::TaggedSentence;
use posterior::text::columns::{Separator, TableReader};

use crate::{Ending, Outcome, Sources};

/// The sentences, in the folder of the sources.
const TRAIN: &str = "sequence/ewt_train.tsv";
const DEV: &str = "sequence/ewt_dev.tsv";

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written, or the sentences cannot be read.
pub fn tell(out: &mut dyn Write, sources: &Sources) -> Outcome<Ending> {
    let files = [TRAIN, DEV].map(|name| sources.file(name));
    let [Some(train), Some(dev)] = files else {
        return Ok(Ending::Skipped(format!(
            "it needs {TRAIN} and {DEV}, of the English Web Treebank of Universal Dependencies: texts are not embedded"
        )));
    };
    let (train, dev) = (sentences(&train)?, sentences(&dev)?);
    let words = |sentences: &[TaggedSentence]| sentences.iter().map(Vec::len).sum::<usize>();
    writeln!(
        out,
        "{} sentences of {} words to count, {} of {} to tag",
        train.len(),
        words(&train),
        dev.len(),
        words(&dev)
    )?;
    let mut page = Page::new("Hidden Markov models", "Nouns, verbs and words never seen");
    page.standfirst.push(
        "Most words have one tag nearly always, and whoever gives each its most frequent one is right six times in seven. What is left are words that can be several things, and \
         words that nobody has counted: the tags before say what may come now, and the ending of a word says what it may be."
            .to_owned(),
    );
    let compared = scores::compared(out, &train, &dev, &mut page)?;
    mistakes::mistakes(out, &compared, &dev, &mut page)?;
    doubts::in_doubt(out, &compared, &dev, &mut page)?;
    more::more_sentences(out, &train, &dev, &mut page)?;
    "Universal Dependencies, English Web Treebank, train and dev portions (CC BY-SA 4.0)."
        .clone_into(&mut page.source);
    Ok(Ending::Completed(page))
}

/// Words with their universal tags.
fn sentences(path: &Path) -> Outcome<Vec<TaggedSentence>> {
    let in_file = |error: &dyn std::error::Error| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| in_file(&error))?;
    let tables = TableReader::new(BufReader::new(file)).with_separator(Separator::Tab).with_columns(3);
    let mut sentences = Vec::new();
    for table in tables {
        let table = table.map_err(|error| in_file(&error))?;
        let word = |token| (table.cell(token, 0).to_owned(), table.cell(token, 1).to_owned());
        sentences.push((0..table.len()).map(word).collect());
    }
    Ok(sentences)
}

fn words(sentence: &[(String, String)]) -> Vec<&str> {
    sentence.iter().map(|(word, _)| word.as_str()).collect()
}
