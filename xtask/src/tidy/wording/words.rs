//! Words in texts and in names: `AnyLaw`, `any_law` and "any law" are the same two words.

use super::Words;

/// A word in lower case, and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) line: usize,
}

/// The words of a text; names are taken apart at underscores and at capitals, and whatever is no letter or
/// digit ends a word.
pub(super) fn split(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for run in line.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
            words.extend(humps(run).into_iter().map(|text| Word { text, line: i + 1 }));
        }
    }
    words
}

/// `AnyLaw` is any and law, `LDAModel` is lda and model.
fn humps(run: &str) -> Vec<String> {
    let letters: Vec<char> = run.chars().collect();
    let mut humps = vec![String::new()];
    for (i, &letter) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| letters[i]);
        let after = letters.get(i + 1);
        let begins = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_uppercase() && after.is_some_and(|after| after.is_lowercase())
            });
        if begins {
            humps.push(String::new());
        }
        if let Some(last) = humps.last_mut() {
            last.extend(letter.to_lowercase());
        }
    }
    humps
}

/// The lines on which one of the words stands outside of its phrases, and the form that stands there.
pub(super) fn lines(list: &Words, text: &[Word]) -> Vec<(usize, &'static str)> {
    let phrases: Vec<Vec<&str>> = list.phrases.iter().map(|phrase| phrase.split(' ').collect()).collect();
    let mut found = Vec::new();
    for &form in list.forms {
        let own: Vec<&str> = form.split(' ').collect();
        for at in (0..text.len()).filter(|&at| stands(&own, text, at)) {
            let excused = phrases.iter().any(|phrase| within(phrase, &own, text, at));
            if !excused {
                found.push((text[at].line, form));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Whether the words stand in the text from `at` on.
fn stands(words: &[&str], text: &[Word], at: usize) -> bool {
    text.len() - at >= words.len() && words.iter().zip(&text[at..]).all(|(word, own)| *word == own.text)
}

/// Whether the words at `at` are part of a phrase.
fn within(phrase: &[&str], words: &[&str], text: &[Word], at: usize) -> bool {
    let offsets = phrase.windows(words.len()).enumerate().filter(|(_, window)| *window == words);
    offsets.into_iter().any(|(offset, _)| at.checked_sub(offset).is_some_and(|at| stands(phrase, text, at)))
}
