//! Topics that are given some of their words: a file of names with words.

use std::fmt;
use std::path::Path;

use posterior::table::read_bytes;
use posterior::topics::corpus::Source;
use posterior::topics::lda::Seed;
use serde::Deserialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};

use crate::failure::Failure;

/// The first topics by name, and the words that they are given.
#[derive(Debug, Default)]
pub(super) struct Seeds {
    pub(super) names: Vec<String>,
    pub(super) words: Vec<Seed>,
    /// Words that the vocabulary does not have.
    pub(super) notes: Vec<String>,
}

/// A topic as the file has it.
#[derive(Debug, PartialEq)]
struct Named {
    name: String,
    /// Words, with a weight where there is one.
    words: Vec<(String, Option<f64>)>,
}

impl Seeds {
    /// Reads a file for a vocabulary; words without a weight have `weight`.
    pub(super) fn read(path: &Path, vocabulary: &[String], weight: f64) -> Result<Self, Failure> {
        let (source, bytes) = read_bytes(path)?;
        let begins = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        let named = if begins == Some(&b'{') {
            of_json(&bytes).map_err(|error| wrong(&source, &error.to_string()))?
        } else {
            of_lines(&source, &Source::open(path)?.read_to_string()?)?
        };
        if named.is_empty() {
            return Err(wrong(&source, "no topic is there"));
        }
        let mut found = Self::default();
        for (topic, Named { name, words }) in named.into_iter().enumerate() {
            if found.names.contains(&name) {
                return Err(wrong(&source, &format!("the topic {name:?} is there twice")));
            }
            let mut missing = Vec::new();
            let before = found.words.len();
            for (word, own) in words {
                let weight = own.unwrap_or(weight);
                if !(weight > 0.0 && weight.is_finite()) {
                    return Err(wrong(
                        &source,
                        &format!("{name:?}: the weight of {word:?} is {weight}, expected a number above 0"),
                    ));
                }
                match place(vocabulary, &word) {
                    Some(word) => found.words.push(Seed { topic, word, weight }),
                    None => missing.push(word),
                }
            }
            if found.words.len() == before {
                let message = format!(
                    "{source}: {name:?}: none of its words is in the vocabulary of the corpus: {}",
                    missing.join(", ")
                );
                return Err(Failure::data(message).with_hint("rare words, frequent ones and stop words are left out: see --min-df, --max-df and --stop-words"));
            }
            if !missing.is_empty() {
                found
                    .notes
                    .push(format!("seeds of {name} that are not in the vocabulary: {}", missing.join(", ")));
            }
            found.names.push(name);
        }
        Ok(found)
    }

    /// Refuses fewer topics than have names.
    pub(super) fn check(&self, least: usize) -> Result<(), Failure> {
        if self.names.len() <= least {
            return Ok(());
        }
        let count = self.names.len();
        Err(Failure::Usage(format!(
            "--topics {least}: --seeds names {count} topics, and all of them are fitted"
        )))
    }
}

fn wrong(source: &str, what: &str) -> Failure {
    let failure = Failure::data(format!("{source}: {what}"));
    failure.with_hint(
        "expected JSON such as {\"war\": [\"army\", \"fleet\"]}, or lines of a name, a tab, and words",
    )
}

/// The word's number: as it is written, or in small letters.
fn place(vocabulary: &[String], word: &str) -> Option<usize> {
    let of = |word: &str| vocabulary.iter().position(|known| known == word);
    of(word).or_else(|| of(&word.to_lowercase()))
}

/// Lines of a name, a tab, and words, between which are blanks, tabs or commas.
fn of_lines(source: &str, text: &str) -> Result<Vec<Named>, Failure> {
    let mut named = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fault = |what: &str| wrong(source, &format!("line {}: {what}", number + 1));
        let (name, words) =
            line.split_once('\t').ok_or_else(|| fault("expected a name, a tab, and words"))?;
        let words: Vec<(String, Option<f64>)> = words
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty())
            .map(|word| (word.to_owned(), None))
            .collect();
        let name = name.trim().to_owned();
        if name.is_empty() || words.is_empty() {
            return Err(fault("expected a name, a tab, and words"));
        }
        named.push(Named { name, words });
    }
    Ok(named)
}

/// An object of lists of words, or of objects of weights; in the order of the file.
fn of_json(bytes: &[u8]) -> serde_json::Result<Vec<Named>> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let pairs: Vec<(String, Words)> = reader.deserialize_map(InOrder(std::marker::PhantomData))?;
    reader.end()?;
    Ok(pairs.into_iter().map(|(name, words)| Named { name, words: words.0 }).collect())
}

/// The entries of an object in their order.
struct InOrder<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
    type Value = Vec<(String, T)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(entry) = map.next_entry()? {
            all.push(entry);
        }
        Ok(all)
    }
}

/// The words of a topic.
struct Words(Vec<(String, Option<f64>)>);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Own;
        impl<'de> Visitor<'de> for Own {
            type Value = Words;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of words, or an object of words with weights")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Words, A::Error> {
                let mut words = Vec::new();
                while let Some(word) = list.next_element()? {
                    words.push((word, None));
                }
                Ok(Words(words))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Words, A::Error> {
                let pairs: Vec<(String, f64)> = InOrder(std::marker::PhantomData).visit_map(map)?;
                Ok(Words(pairs.into_iter().map(|(word, weight)| (word, Some(weight))).collect()))
            }
        }
        deserializer.deserialize_any(Own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_keep_their_order() {
        let named = of_json(br#" {"war": ["army", "fleet"], "art": {"music": 8}} "#).unwrap();
        assert_eq!((named[0].name.as_str(), named[1].name.as_str()), ("war", "art"));
        assert_eq!(named[0].words, [("army".to_owned(), None), ("fleet".to_owned(), None)]);
        assert_eq!(named[1].words, [("music".to_owned(), Some(8.0))]);
        let lines = of_lines("s", "war\tarmy fleet\n\nart\tmusic\n").unwrap();
        assert_eq!(lines[0], named[0]);
        assert!(of_json(br#"{"war": 3}"#).is_err() && of_json(br#"{"war": []} x"#).is_err());
        assert!(of_lines("s", "war army").is_err() && of_lines("s", "war\t ,").is_err());
    }
}
