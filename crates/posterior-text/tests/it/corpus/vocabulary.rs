//! Filters of words, and what they report.

use posterior_text::corpus::{
    CorpusBuilder, Document, Proportion, Removed, StopWords, Tokenizer, VocabularyOptions, VocabularyReport,
};
use posterior_text::{Corpus, Error};

use super::{complaint, message, source};

fn count(texts: &[&str], options: VocabularyOptions) -> Result<(Corpus, VocabularyReport), Error> {
    let mut builder = CorpusBuilder::new(options)?;
    for (number, text) in (1..).zip(texts) {
        builder.push(number.to_string(), text);
    }
    builder.build()
}

fn options() -> VocabularyOptions {
    VocabularyOptions::default()
}

#[test]
fn words_are_numbered_alphabetically_and_counted() {
    let (corpus, report) = count(&["War and peace, war!", "PEACE; and más"], options()).unwrap();
    assert_eq!(corpus.vocabulary(), ["and", "más", "peace", "war"]);
    assert_eq!(corpus.document(0), Document { words: &[0, 2, 3], counts: &[1, 1, 2] });
    assert_eq!(report.found, Proportion { tokens: 7, words: 4 });
    assert_eq!(report.kept, report.found);
}

#[test]
fn every_filter_reports_what_it_removed_and_nothing_twice() {
    let texts =
        ["of the war war war land land tax rare", "the war peace land tax", "the war peace", "the of"];
    let options = VocabularyOptions {
        stop_words: StopWords::new(["the", "of"]),
        min_documents: 2,
        max_document_proportion: 0.5,
        max_words: Some(2),
        ..options()
    };
    let (corpus, report) = count(&texts, options).unwrap();
    assert_eq!(corpus.vocabulary(), ["land", "peace"]);
    assert_eq!(corpus.empty_documents(), [3]);
    let removed = Removed::ALL.map(|filter| (report.removed(filter).tokens, report.removed(filter).words));
    assert_eq!(removed, [(2, 1), (4, 1), (1, 1), (5, 1), (2, 1)]);
    let tokens: u64 = removed.iter().map(|(tokens, _)| tokens).sum();
    assert_eq!(report.found.tokens, report.kept.tokens + tokens);
}

#[test]
fn a_proportion_of_documents_is_met_exactly() {
    let texts: Vec<String> =
        (0..100).map(|d| if d < 29 { "tax war".into() } else { "war".to_owned() }).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (corpus, _) =
        count(&texts, VocabularyOptions { max_document_proportion: 0.29, ..options() }).unwrap();
    assert_eq!(corpus.vocabulary(), ["tax"]);
}

#[test]
fn equally_frequent_words_are_taken_from_the_alphabet() {
    let (corpus, _) =
        count(&["zinc apple mango zinc"], VocabularyOptions { max_words: Some(2), ..options() }).unwrap();
    assert_eq!(corpus.vocabulary(), ["apple", "zinc"]);
}

#[test]
fn an_empty_vocabulary_names_the_filter_to_loosen() {
    let rare = VocabularyOptions { min_documents: 3, stop_words: StopWords::english(), ..options() };
    let (message, hint) = complaint(count(&["the war tax land", "of war"], rare));
    assert_eq!(
        message,
        "no words are left of 5 distinct ones: 1 too short, 1 stop words, 3 in too few documents"
    );
    assert_eq!(hint, "allow words in fewer than 3 documents");
    let frequent = VocabularyOptions { max_document_proportion: 0.5, ..options() };
    let (_, hint) = complaint(count(&["war", "war"], frequent));
    assert_eq!(hint, "allow words in more than 0.5 of the documents");
    let stop = VocabularyOptions { stop_words: StopWords::english(), ..options() };
    let (message, hint) = complaint(count(&["whereas therefore"], stop));
    assert_eq!(message, "no words are left of 2 distinct ones: 2 stop words");
    assert_eq!(hint, "use fewer stop words");
}

#[test]
fn nothing_to_count_is_refused() {
    assert_eq!(message(count(&[], options())), "no documents: there is nothing to count words of");
    assert_eq!(message(count(&["12", "--"], options())), "no words in the 2 documents");
}

#[test]
fn options_out_of_range_are_refused() {
    for proportion in [0.0, -0.5, 1.5, f64::NAN] {
        let error =
            CorpusBuilder::new(VocabularyOptions { max_document_proportion: proportion, ..options() })
                .unwrap_err();
        assert!(error.is_parameter(), "{proportion}");
    }
    let error = message(CorpusBuilder::new(VocabularyOptions { max_words: Some(0), ..options() }));
    assert_eq!(error, "VocabularyOptions: max_words = 0 must be at least 1");
}

#[test]
fn lists_of_stop_words_are_read_with_comments() {
    let list = StopWords::read(source("s.txt", "# ours\nuh um # and\r\n\nDon't\n")).unwrap();
    assert_eq!(list.iter().collect::<Vec<_>>(), ["Don't", "uh", "um"]);
    let (corpus, _) = count(&["Um, don't tax"], VocabularyOptions { stop_words: list, ..options() }).unwrap();
    assert_eq!(corpus.vocabulary(), ["tax"]);
    let (message, hint) = complaint(StopWords::read(source("s.txt", "# none\n")));
    assert_eq!(message, "s.txt: no words: expected a list of stop words, one a line");
    assert_eq!(hint, "leave the option out to keep all words");
}

#[test]
fn short_words_can_be_kept() {
    let options =
        VocabularyOptions { tokenizer: Tokenizer { min_length: 1, ..Tokenizer::default() }, ..options() };
    let (corpus, _) = count(&["I am"], options).unwrap();
    assert_eq!(corpus.vocabulary(), ["am", "i"]);
}
