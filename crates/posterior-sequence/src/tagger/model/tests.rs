//! Tags of small sentences against all rows of tags.

use super::*;

fn tagger(context: TagContext) -> Tagger {
    let sentence = |text: &str| -> TaggedSentence {
        let pairs = text.split(' ').filter_map(|pair| pair.split_once('/'));
        pairs.map(|(word, tag)| (word.to_owned(), tag.to_owned())).collect()
    };
    let known = ["the/D dog/N barks/V", "a/D cat/N sleeps/V", "dogs/N bark/V", "Barks/N bark/V the/D dog/N"]
        .map(sentence);
    Tagger::fit(&known, &TaggerOptions { context, beam: 0.0, ..TaggerOptions::default() }).unwrap()
}

/// ln of the weight of a row of tags.
fn weight(tagger: &Tagger, nodes: &[f64], tags: &[usize]) -> f64 {
    let k = tagger.tags.len();
    let mark = tagger.transitions.mark();
    let (mut before, mut last, mut sum) = (mark, mark, 0.0);
    for (t, &tag) in tags.iter().enumerate() {
        sum += tagger.transitions.ln_row(before, last)[tag] + nodes[t * k + tag];
        (before, last) = (last, tag);
    }
    sum + tagger.transitions.ln_row(before, last)[mark]
}

#[test]
fn tags_and_marginals_are_those_of_all_rows() {
    for context in [TagContext::One, TagContext::Two] {
        let tagger = tagger(context);
        let k = tagger.tags.len();
        for words in [
            &["barks"][..],
            &["the", "cow"],
            &["Barks", "the", "xyz-1", "dogs"],
            &["a", "dog", "bark", "a", "cat"],
        ] {
            let nodes = tagger.ln_nodes(words);
            let mut best = (f64::NEG_INFINITY, Vec::new());
            let (mut total, mut marginals) = (0.0, vec![0.0; words.len() * k]);
            for row in 0..k.pow(words.len() as u32) {
                let tags: Vec<usize> = (0..words.len()).map(|t| row / k.pow(t as u32) % k).collect();
                let ln = weight(&tagger, &nodes, &tags);
                if ln > best.0 {
                    best = (ln, tags.clone());
                }
                total += ln.exp();
                tags.iter().enumerate().for_each(|(t, tag)| marginals[t * k + tag] += ln.exp());
            }
            assert_eq!(tagger.tag(words), best.1, "{context:?} {words:?}");
            let found = tagger.marginals(words).unwrap();
            assert!(
                (found.ln_z - total.ln()).abs() < 1e-12 * total.ln().abs().max(1.0),
                "{context:?} {words:?}"
            );
            for (found, expected) in found.nodes.iter().zip(&marginals) {
                assert!((found - expected / total).abs() < 1e-12);
            }
        }
        assert!(tagger.tag::<&str>(&[]).is_empty());
    }
}

#[test]
fn distributions_of_words_are_dirichlet_means() {
    let tagger = tagger(TagContext::Two);
    // Tags are met in the order D, N, V. "barks" was V once, as "Barks" N once: in lower case both.
    let below = tagger.suffixes.distribution("barks", false);
    let folded: Vec<f64> = [0.0, 1.0, 1.0].iter().zip(&below).map(|(count, p)| (count + p) / 3.0).collect();
    let expected: Vec<f64> =
        [0.0, 0.0, 1.0].iter().zip(&folded).map(|(count, p)| (count + p) / 2.0).collect();
    for (found, expected) in tagger.distribution("barks", false).iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-15);
    }
    // A word never seen has the distribution of its ending.
    assert_eq!(tagger.distribution("works", false), tagger.suffixes.distribution("works", false));
    for word in ["works", "", "12", "A-1", "\u{130}"] {
        assert!((tagger.distribution(word, true).iter().sum::<f64>() - 1.0).abs() < 1e-14);
    }
    assert!(tagger.knows("Barks") && !tagger.knows("The"));
}

#[test]
fn misuse_is_refused() {
    let options = TaggerOptions::default();
    assert!(Tagger::fit(&[], &options).is_err() && Tagger::fit(&[Vec::new()], &options).is_err());
    let known = [vec![("a".to_owned(), "D".to_owned())]];
    for options in [
        TaggerOptions { transitions: 0.0, ..options },
        TaggerOptions { words: f64::NAN, ..options },
        TaggerOptions { beam: 1.0, ..options },
    ] {
        assert!(Tagger::fit(&known, &options).is_err());
    }
    // One tag is certain.
    let tagger = Tagger::fit(&known, &options).unwrap();
    assert_eq!(tagger.tag_names(&["x", "y"]), ["D", "D"]);
    assert!(tagger.marginals(&["x"]).unwrap().nodes.iter().all(|p| (p - 1.0).abs() < 1e-15));
}
