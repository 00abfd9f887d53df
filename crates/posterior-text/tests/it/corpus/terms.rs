//! n-grams of words and of characters.

use posterior_text::Corpus;
use posterior_text::corpus::{
    CorpusBuilder, Removed, StopWords, TextTerms, Tokenizer, VocabularyOptions, VocabularyReport,
};

use super::message;

fn options(terms: TextTerms) -> VocabularyOptions {
    let tokenizer = Tokenizer { min_length: 1, ..Tokenizer::default() };
    VocabularyOptions { tokenizer, terms, ..VocabularyOptions::default() }
}

fn count(texts: &[&str], options: VocabularyOptions) -> (Corpus, VocabularyReport) {
    let mut builder = CorpusBuilder::new(options).unwrap();
    for text in texts {
        builder.push("a text", text);
    }
    builder.build().unwrap()
}

fn dense(corpus: &Corpus) -> Vec<Vec<u32>> {
    let row = |d| {
        let mut row = vec![0; corpus.vocabulary().len()];
        let document = corpus.document(d);
        document.words.iter().zip(document.counts).for_each(|(&word, &n)| row[word as usize] = n);
        row
    };
    (0..corpus.documents()).map(row).collect()
}

/// scikit-learn 1.9.1's `CountVectorizer(ngram_range=(1, 2))`.
#[test]
fn words_and_pairs_are_those_of_scikit_learn() {
    let texts = ["The cat sat on the mat", "a cat and a dog", "dogs and cats and mats"];
    let (corpus, _) = count(&texts, options(TextTerms::Words { least: 1, most: 2 }));
    let expected = [
        "a", "a cat", "a dog", "and", "and a", "and cats", "and mats", "cat", "cat and", "cat sat", "cats",
        "cats and", "dog", "dogs", "dogs and", "mat", "mats", "on", "on the", "sat", "sat on", "the",
        "the cat", "the mat",
    ];
    assert_eq!(corpus.vocabulary(), expected);
    assert_eq!(
        dense(&corpus),
        [
            [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 2, 1, 1],
            [2, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 2, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0],
        ]
    );
}

/// scikit-learn 1.9.1's `CountVectorizer(analyzer='char_wb', ngram_range=(2, 3))`.
#[test]
fn characters_of_words_are_those_of_scikit_learn() {
    let (corpus, _) = count(&["tree tea", "teatree"], options(TextTerms::Characters { least: 2, most: 3 }));
    let expected = [
        " t", " te", " tr", "a ", "at", "atr", "e ", "ea", "ea ", "eat", "ee", "ee ", "re", "ree", "te",
        "tea", "tr", "tre",
    ];
    assert_eq!(corpus.vocabulary(), expected);
    assert_eq!(
        dense(&corpus),
        [
            [2, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1],
            [1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1],
        ]
    );
    // Letters of two bytes are one character, and a word of fewer than the least has no sequence.
    let (corpus, _) = count(&["né o"], options(TextTerms::Characters { least: 4, most: 9 }));
    assert_eq!(corpus.vocabulary(), [" né "]);
}

#[test]
fn sequences_with_a_word_that_is_left_out_are_left_out() {
    let options = VocabularyOptions {
        stop_words: StopWords::new(["of"]),
        tokenizer: Tokenizer { min_length: 2, ..Tokenizer::default() },
        ..options(TextTerms::Words { least: 1, most: 3 })
    };
    let (corpus, report) = count(&["state of the art", "a state art"], options.clone());
    // "state art" is of the second text: no sequence leaps over a word.
    assert_eq!(corpus.vocabulary(), ["art", "state", "state art", "the", "the art"]);
    assert_eq!(dense(&corpus), [[1, 1, 0, 1, 1], [1, 1, 1, 0, 0]]);
    assert!(report.removed(Removed::StopWord).words > 0 && report.removed(Removed::TooShort).words > 0);
    // A new text has the same terms.
    let mut found = Vec::new();
    TextTerms::Words { least: 2, most: 2 }
        .each(options.tokenizer, "State of the art", |own| found.push(own.to_owned()));
    assert_eq!(found, ["state of", "of the", "the art"]);
}

#[test]
fn wrong_terms_are_refused() {
    for terms in [TextTerms::Words { least: 0, most: 1 }, TextTerms::Characters { least: 3, most: 2 }] {
        assert!(message(CorpusBuilder::new(options(terms))).contains("TextTerms"));
    }
    let stop = VocabularyOptions {
        stop_words: StopWords::english(),
        ..options(TextTerms::Characters { least: 2, most: 2 })
    };
    assert!(message(CorpusBuilder::new(stop)).contains("stop_words"));
}
