//! Words in order, and pairs that belong together.

use posterior_text::corpus::*;

use super::{source, words};

fn texts(texts: &[&str]) -> Texts {
    let csv = format!("text\n{}\n", texts.join("\n"));
    read_csv_texts(source("texts.csv", csv), "text", None).unwrap()
}

fn options() -> VocabularyOptions {
    VocabularyOptions {
        tokenizer: Tokenizer { min_length: 1, ..Tokenizer::default() },
        ..VocabularyOptions::default()
    }
}

#[test]
fn words_keep_their_order_and_the_bag_is_the_same() {
    let texts = texts(&["War and peace and war", "the peace", "of all wars"]);
    let options =
        VocabularyOptions { stop_words: StopWords::new(["of", "the"]), min_documents: 1, ..options() };
    let (sequences, report) = texts.sequences(options.clone()).unwrap();
    assert_eq!(sequences.vocabulary(), words("all and peace war wars"));
    assert_eq!(sequences.documents(), [vec![3, 1, 2, 1, 3], vec![2], vec![0, 4]]);
    let (corpus, other) = texts.count(options).unwrap();
    assert_eq!((sequences.corpus().unwrap(), report), (corpus, other));
    assert_eq!(sequences.tokens(), 8);
}

#[test]
fn sequences_are_checked() {
    let names = words("one");
    assert!(WordSequences::new(vec![], vec![], vec![]).is_err());
    assert!(WordSequences::new(words("a b"), names.clone(), vec![vec![2]]).is_err());
    assert!(WordSequences::new(words("a b"), names.clone(), vec![]).is_err());
    let empty = WordSequences::new(words("a b"), names, vec![vec![]]).unwrap();
    assert!(empty.corpus().is_err());
    assert_eq!(empty.phrases(&PhraseOptions::default()).unwrap(), []);
}

/// Of 12 pairs "a b" is 4, a stands first 5 times, b second 6 times.
#[test]
fn scores_are_those_of_the_table_of_counts() {
    let text = vec![0, 1, 2, 0, 1, 2, 0, 1, 1, 0, 1, 1, 0];
    // Pairs: ab bc ca ab bc ca ab bb ba ab bb ba.
    let sequences = WordSequences::new(words("a b c"), words("one"), vec![text]).unwrap();
    let find = |options: &PhraseOptions| {
        let all = sequences.phrases(options).unwrap();
        *all.iter().find(|phrase| (phrase.first, phrase.second) == (0, 1)).unwrap()
    };
    let all = PhraseOptions { min_count: 1, ..PhraseOptions::default() };
    let ratio = find(&all.clone().with_score(PhraseScore::LogLikelihoodRatio, 0.0));
    assert_eq!(ratio.count, 4);
    // a first 4, b second 6, of 12: cells 4, 0, 2, 6 with expectations 2, 2, 4, 4.
    let expected = 2.0 * (4.0 * 2_f64.ln() + 2.0 * 0.5_f64.ln() + 6.0 * 1.5_f64.ln());
    assert!((ratio.score - expected).abs() < 1e-12, "{} {expected}", ratio.score);
    let npmi = find(&all.with_score(PhraseScore::NormalizedMutualInformation, -1.0));
    assert!((npmi.score - 2_f64.ln() / 3_f64.ln()).abs() < 1e-14);
    let nan = PhraseOptions::default().with_score(PhraseScore::LogLikelihoodRatio, f64::NAN);
    assert!(sequences.phrases(&nan).is_err());
}

#[test]
fn words_that_only_come_together_become_one() {
    let mut lines = vec!["the united states of america", "states of the union", "united states"];
    lines.extend(["the peace of the union", "united states and peace"].repeat(3));
    let (sequences, _) = texts(&lines).sequences(options()).unwrap();
    let phrases = sequences.phrases(&PhraseOptions { min_count: 3, ..PhraseOptions::default() }).unwrap();
    let spelt = |phrase: &Phrase| {
        let word = |id: u32| sequences.vocabulary()[id as usize].clone();
        format!("{} {}", word(phrase.first), word(phrase.second))
    };
    assert_eq!(spelt(&phrases[0]), "united states");
    assert!(phrases.is_sorted_by(|a, b| a.score >= b.score));
    let joined = sequences.join(&phrases[..1]).unwrap();
    assert_eq!(joined.tokens(), sequences.tokens() - 5);
    assert!(joined.vocabulary().contains(&"united_states".to_owned()));
    // "united" is nowhere alone, "states" is.
    assert!(!joined.vocabulary().contains(&"united".to_owned()));
    assert!(joined.vocabulary().contains(&"states".to_owned()));
    assert!(joined.vocabulary().is_sorted());
    let first: Vec<&str> =
        joined.documents()[0].iter().map(|&id| joined.vocabulary()[id as usize].as_str()).collect();
    assert_eq!(first, ["the", "united_states", "of", "america"]);
    // Nothing to join: the same words.
    assert_eq!(sequences.join(&[]).unwrap(), sequences);
}

#[test]
fn the_stronger_of_two_overlapping_pairs_wins() {
    let sequences = WordSequences::new(words("a b c"), words("one"), vec![vec![0, 1, 2, 0, 1]]).unwrap();
    let all = PhraseOptions {
        min_count: 1,
        ..PhraseOptions::default().with_score(PhraseScore::LogLikelihoodRatio, 0.0)
    };
    let phrases = sequences.phrases(&all).unwrap();
    let pair = |first: u32, second: u32| {
        *phrases.iter().find(|phrase| (phrase.first, phrase.second) == (first, second)).unwrap()
    };
    let mut strong = pair(1, 2);
    strong.score = 9.0;
    let joined = sequences.join(&[pair(0, 1), strong]).unwrap();
    assert_eq!(joined.vocabulary(), words("a a_b b_c"));
    assert_eq!(joined.documents(), [vec![0, 2, 1]]);
}

#[test]
fn stop_words_of_languages() {
    for (code, word) in [("de", "und"), ("fr", "avec"), ("en", "the"), ("es", "para")] {
        assert!(StopWords::language(code).unwrap().contains(word), "{code}");
    }
    assert!(StopWords::languages().len() > 40 && StopWords::languages().is_sorted());
    for &code in StopWords::languages() {
        assert!(!StopWords::language(code).unwrap().is_empty(), "{code}");
    }
    let error = StopWords::language("xx").unwrap_err();
    assert!(error.hint().unwrap().contains("de, "), "{:?}", error.hint());
}
