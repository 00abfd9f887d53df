//! The SMS Spam Collection: figures of scikit-learn in `baselines.json`, ten folds by line number.

use posterior_testkit::shared::shared_file;
use posterior_text::Corpus;
use posterior_text::corpus::*;
use posterior_text::naive_bayes::*;

use super::{assert_close, mean_ln_loss};

/// Runs of a-z and 0-9 in lower case.
fn messages(test: &str) -> Option<(Corpus, Vec<usize>)> {
    let text = std::fs::read_to_string(shared_file(test, "data/spam/sms_spam.tsv")?).unwrap();
    let tokenizer = Tokenizer {
        letters: LetterSet::Ascii,
        digits: Digits::Keep,
        apostrophes: Apostrophes::Split,
        min_length: 1,
        ..Tokenizer::default()
    };
    let mut builder =
        CorpusBuilder::new(VocabularyOptions { tokenizer, ..VocabularyOptions::default() }).unwrap();
    let mut labels = Vec::new();
    for (line, message) in text.lines().enumerate() {
        let (label, message) = message.split_once('\t').unwrap();
        labels.push(usize::from(label == "spam"));
        builder.push(line.to_string(), message);
    }
    Some((builder.build().unwrap().0, labels))
}

#[test]
fn accuracy_recall_and_precision_as_scikit_learn() {
    let Some((corpus, labels)) = messages("accuracy_recall_and_precision_as_scikit_learn") else { return };
    assert_eq!((corpus.documents(), labels.iter().sum::<usize>()), (5574, 747));
    assert_eq!(corpus.vocabulary().len(), 8745);
    // Log loss: scikit-learn 1.9.1 on the counts of CountVectorizer over all messages.
    for (model, expected, ln_loss) in [
        (
            EventModel::Multinomial,
            [0.9817007534983854, 0.9477911646586346, 0.9182879377431906],
            0.1035539324428472,
        ),
        (
            EventModel::Bernoulli,
            [0.9818801578758521, 0.8862115127175368, 0.976401179941003],
            0.15022464070257535,
        ),
    ] {
        let options = NaiveBayesOptions {
            model,
            prior: ClassPrior::Learned { add: 0.0 },
            ..NaiveBayesOptions::default()
        };
        let said = cross_validate(&corpus, &labels, 2, &options, 10).unwrap();
        assert_close(mean_ln_loss(&said, &labels), ln_loss, 1e-11);
        let said: Vec<usize> = said.into_iter().map(|posterior| posterior.unwrap().class()).collect();
        let count = |good: fn(usize, usize) -> bool| {
            said.iter().zip(&labels).filter(|&(&said, &label)| good(said, label)).count() as f64
        };
        let found = count(|said, label| said == 1 && label == 1);
        assert_close(count(|said, label| said == label) / 5574.0, expected[0], 1e-14);
        assert_close(found / 747.0, expected[1], 1e-14);
        assert_close(found / count(|said, _| said == 1), expected[2], 1e-14);
    }
}

#[test]
fn smoothing_by_evidence_and_by_held_out_loss() {
    let Some((corpus, labels)) = messages("smoothing_by_evidence_and_by_held_out_loss") else { return };
    let options = NaiveBayesOptions::default();
    let counts = ClassCounts::of(Counted::Occurrences, &corpus, &labels, 2).unwrap();
    let (k, _) = smoothing_by_evidence(&counts).unwrap();
    let choice = select_smoothing(&corpus, &labels, 2, &options, &[1e-3, k, 1.0, 10.0], 10).unwrap();
    println!("evidence says {k}, losses {:?}", choice.ln_losses);
    assert!((0.01..1.0).contains(&k), "{k}");
    assert!(choice.ln_losses[3] > choice.ln_losses[1]);
}
