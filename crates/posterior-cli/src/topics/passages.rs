//! The passages of texts that are most about each topic.

use std::collections::BTreeMap;

use posterior::math::linalg::DMatrix;
use posterior::topics::Topics;
use posterior::topics::corpus::Tokenizer;
use posterior::topics::similarity::most_typical;

use super::corpus_input::Input;
use crate::args::TopicsFit;
use crate::failure::Failure;
use crate::report::Passage;

/// Documents of a topic that have a passage each.
const DOCUMENTS: usize = 2;
/// Words of a passage, all of them counted.
const WORDS: usize = 45;

/// For each topic that the page shows a passage of each of its most typical documents: the stretch of words
/// that is most about the topic.
///
/// Texts are read again for this. Nothing where the corpus has counts alone, or comes from standard input.
pub(super) fn passages(
    args: &TopicsFit,
    input: &Input,
    topics: &Topics,
    doc_topic: &DMatrix<f64>,
    shown: usize,
) -> Result<Vec<Vec<Passage>>, Failure> {
    let corpus = &input.corpus;
    let Some(texts) = input
        .place(args)
        .texts(&input.reading)?
        .map(|own| own.texts)
        .filter(|own| own.len() == input.corpus.documents())
    else {
        return Ok(Vec::new());
    };
    let words: BTreeMap<&str, usize> =
        corpus.vocabulary().iter().enumerate().map(|(id, word)| (word.as_str(), id)).collect();
    let tokenizer = input.reading.tokenizer();
    let passages = |k: usize| -> Result<Vec<Passage>, Failure> {
        let passages = most_typical(doc_topic, k, DOCUMENTS)?
            .into_iter()
            .filter_map(|(d, _)| {
                let theta: Vec<f64> = doc_topic.row(d).iter().copied().collect();
                // Words come again, and each needs a sum over all topics.
                let mut known = BTreeMap::new();
                let about = |token: &str| {
                    let of = |&word: &usize| {
                        *known.entry(word).or_insert_with(|| responsibility(topics, &theta, word, k))
                    };
                    words.get(token).map_or(0.0, of)
                };
                let text = passage(&texts[d].text, tokenizer, about)?;
                Some(Passage { document: corpus.names()[d].clone(), text })
            })
            .collect();
        Ok(passages)
    };
    (0..shown).map(passages).collect()
}

/// `p(z = k | w, theta)`: how much of this word's occurrences in the document are the topic's.
fn responsibility(topics: &Topics, theta: &[f64], word: usize, k: usize) -> f64 {
    let joint = |k: usize| theta[k] * topics.topic_word()[(k, word)];
    let total: f64 = (0..theta.len()).map(joint).sum();
    if total > 0.0 { joint(k) / total } else { 0.0 }
}

/// The stretch of `WORDS` words with the largest sum of `about` over its tokens; `None` for a text that is
/// not about it at all.
fn passage(text: &str, tokenizer: Tokenizer, mut about: impl FnMut(&str) -> f64) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let scores: Vec<f64> =
        words.iter().map(|word| tokenizer.tokens(word).map(|token| about(&token)).sum()).collect();
    let width = WORDS.min(words.len());
    let mut sum: f64 = scores[..width].iter().sum();
    let (mut best, mut most) = (0, sum);
    for start in 1..=words.len() - width {
        sum += scores[start + width - 1] - scores[start - 1];
        if sum > most + 1e-9 {
            (best, most) = (start, sum);
        }
    }
    if !(most > 0.0) {
        return None;
    }
    let before = if best > 0 { "… " } else { "" };
    let after = if best + width < words.len() { " …" } else { "" };
    Some(format!("{before}{}{after}", words[best..best + width].join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stretch_with_most_of_the_topic() {
        let text =
            format!("{}war and the army, war! {}", "peace of mind ".repeat(30), "trade grows ".repeat(40));
        let about = |token: &str| f64::from(u8::from(["war", "army"].contains(&token)));
        let found = passage(&text, Tokenizer::default(), about).unwrap();
        assert!(found.starts_with("… ") && found.ends_with(" …"), "{found}");
        assert!(found.contains("war and the army, war!"), "{found}");
        assert_eq!(found.split_whitespace().count(), WORDS + 2);
    }

    #[test]
    fn short_texts_and_texts_about_something_else() {
        let about = |token: &str| f64::from(u8::from(token == "war"));
        assert_eq!(passage("the war", Tokenizer::default(), about).as_deref(), Some("the war"));
        assert_eq!(passage("the peace", Tokenizer::default(), about), None);
        assert_eq!(passage("", Tokenizer::default(), about), None);
    }
}
