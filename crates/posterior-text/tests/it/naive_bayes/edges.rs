//! Misuse and limits: classes without data, texts without known words, damaged files.

use posterior_text::corpus::Document;
use posterior_text::naive_bayes::*;

use super::{assert_close, bag, corpus_of, document};

#[test]
fn a_class_without_data_keeps_the_prior() {
    for model in [EventModel::Bernoulli, EventModel::Multinomial, EventModel::Polya] {
        let options = NaiveBayesOptions { model, smoothing: 0.5, ..NaiveBayesOptions::default() };
        let model = NaiveBayes::fit(&corpus_of(&[[1, 2], [2, 0]]), &[0, 0], 2, &options).unwrap();
        assert_close(model.ln_parameters(1).unwrap()[0].exp(), 0.5, 1e-15);
        // (0 + 1)/(2 + 2).
        assert_close(model.ln_prior()[1].exp(), 0.25, 1e-15);
    }
    let proportions =
        NaiveBayesOptions { prior: ClassPrior::Learned { add: 0.0 }, ..NaiveBayesOptions::default() };
    let model = NaiveBayes::fit(&corpus_of(&[[1, 2], [2, 0]]), &[0, 0], 2, &proportions).unwrap();
    assert_eq!(model.posterior(document(&bag(&[1, 1]))).unwrap().probabilities, [1.0, 0.0]);
}

#[test]
fn nothing_to_learn_from_is_refused_without_a_prior() {
    let corpus = corpus_of(&[[1, 2], [2, 0]]);
    for model in [EventModel::Bernoulli, EventModel::Multinomial] {
        let options = NaiveBayesOptions { model, smoothing: 0.0, ..NaiveBayesOptions::default() };
        let error = NaiveBayes::fit(&corpus, &[0, 0], 2, &options).unwrap_err();
        assert!(error.is_parameter(), "{error}");
    }
    for model in [EventModel::Polya, EventModel::Complement, EventModel::NormalizedComplement] {
        let options = NaiveBayesOptions { model, smoothing: 0.0, ..NaiveBayesOptions::default() };
        assert!(NaiveBayes::fit(&corpus, &[0, 1], 2, &options).is_err());
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let corpus = corpus_of(&[[1, 2], [2, 0]]);
    let fit = |options: NaiveBayesOptions| NaiveBayes::fit(&corpus, &[0, 1], 2, &options);
    for smoothing in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(fit(NaiveBayesOptions { smoothing, ..NaiveBayesOptions::default() }).is_err());
    }
    for prior in [
        ClassPrior::Learned { add: -1.0 },
        ClassPrior::Given(vec![0.5]),
        ClassPrior::Given(vec![0.5, 0.6]),
        ClassPrior::Given(vec![1.5, -0.5]),
        ClassPrior::Given(vec![f64::NAN, 0.5]),
    ] {
        assert!(fit(NaiveBayesOptions { prior, ..NaiveBayesOptions::default() }).is_err());
    }
    let length = DocumentLength::Poisson { documents: 1.0 };
    assert!(
        fit(NaiveBayesOptions { model: EventModel::Bernoulli, length, ..NaiveBayesOptions::default() })
            .is_err()
    );
    let length = DocumentLength::Poisson { documents: f64::NAN };
    assert!(fit(NaiveBayesOptions { length, ..NaiveBayesOptions::default() }).is_err());
    let given =
        fit(NaiveBayesOptions { prior: ClassPrior::Given(vec![0.25, 0.75]), ..NaiveBayesOptions::default() })
            .unwrap();
    assert_close(given.ln_prior()[1].exp(), 0.75, 1e-15);
}

#[test]
fn labels_and_counts_must_fit() {
    let corpus = corpus_of(&[[1, 2], [2, 0]]);
    assert!(NaiveBayes::fit(&corpus, &[0], 2, &NaiveBayesOptions::default()).is_err());
    assert!(NaiveBayes::fit(&corpus, &[0, 2], 2, &NaiveBayesOptions::default()).is_err());
    assert!(NaiveBayes::fit(&corpus, &[], 0, &NaiveBayesOptions::default()).is_err());
    assert!(ClassCounts::new(Counted::Presence, usize::MAX, usize::MAX).is_err());
    let mut counts = ClassCounts::of(Counted::Occurrences, &corpus, &[0, 1], 2).unwrap();
    assert!(counts.push(corpus.document(0), 2).is_err());
    assert!(counts.push_weighted(corpus.document(0), 0, -1.0).is_err());
    assert!(counts.pop(corpus.document(0), 1).is_err());
    assert!(counts.merge(&ClassCounts::new(Counted::Presence, 2, 2).unwrap()).is_err());
    let bernoulli = NaiveBayesOptions { model: EventModel::Bernoulli, ..NaiveBayesOptions::default() };
    assert!(NaiveBayes::from_counts(counts, &bernoulli).is_err());
}

#[test]
fn unknown_words_are_counted_and_say_nothing() {
    for model in [EventModel::Bernoulli, EventModel::Multinomial, EventModel::Polya, EventModel::Complement] {
        let options = NaiveBayesOptions { model, ..NaiveBayesOptions::default() };
        let model = NaiveBayes::fit(&corpus_of(&[[1, 2], [2, 0]]), &[0, 1], 2, &options).unwrap();
        let known = model.posterior(Document { words: &[1], counts: &[3] }).unwrap();
        let more = model.posterior(Document { words: &[1, 2, u32::MAX], counts: &[3, 4, 5] }).unwrap();
        assert_eq!((known.unknown, more.unknown), (0, 9));
        assert_eq!(known.probabilities, more.probabilities);
        let why = model.explain(Document { words: &[1, 2], counts: &[3, 4] }, 0, 1).unwrap().unwrap();
        assert_eq!(why.words.len(), 1);
    }
}

#[test]
fn a_text_without_a_word_has_the_prior_and_what_absence_says() {
    let fit = |model| {
        let options = NaiveBayesOptions {
            model,
            prior: ClassPrior::Given(vec![0.2, 0.8]),
            ..NaiveBayesOptions::default()
        };
        NaiveBayes::fit(&corpus_of(&[[1, 1], [1, 0]]), &[0, 1], 2, &options).unwrap()
    };
    let none = Document { words: &[], counts: &[] };
    let multinomial = fit(EventModel::Multinomial).posterior(none).unwrap();
    assert_close(multinomial.probabilities[0], 0.2, 1e-14);
    // θ of the second word is 2/3 and 1/3, of the first 2/3 in both.
    let bernoulli = fit(EventModel::Bernoulli).posterior(none).unwrap();
    assert_close(bernoulli.probabilities[0], 0.2 / (0.2 + 0.8 * 2.0), 1e-14);
}

#[test]
fn lengths_speak_by_their_poisson_distribution() {
    // Texts of 2 and 4 tokens of the same word.
    let corpus = corpus_of(&[[2, 0], [4, 0]]);
    let length = DocumentLength::Poisson { documents: 0.0 };
    let options = NaiveBayesOptions { length, smoothing: 1e-9, ..NaiveBayesOptions::default() };
    let model = NaiveBayes::fit(&corpus, &[0, 1], 2, &options).unwrap();
    let scores = model.ln_joint(document(&bag(&[5, 0])));
    // Poisson(5; 4)/Poisson(5; 2) = 2^5 e^-2.
    assert_close(scores[1] - scores[0], 32_f64.ln() - 2.0, 1e-7);
    // A class without a document has the mean of all, which is 3.
    let model = NaiveBayes::fit(&corpus, &[0, 0], 2, &options).unwrap();
    let scores = model.ln_joint(document(&bag(&[0, 0])));
    assert_close(scores[0] - scores[1], 3_f64.ln(), 1e-12);
}

#[test]
fn complement_models_make_no_texts() {
    let options = NaiveBayesOptions { model: EventModel::Complement, ..NaiveBayesOptions::default() };
    let model = NaiveBayes::fit(&corpus_of(&[[1, 2], [2, 0]]), &[0, 1], 2, &options).unwrap();
    assert!(model.most_likely_words(0).is_err());
    assert!(model.sample(0, &mut posterior_dist::stream::stream(1, &[])).is_err());
    assert_eq!(model.ln_parameters(0), None);
}

#[test]
fn damaged_files_are_refused() {
    let model =
        NaiveBayes::fit(&corpus_of(&[[1, 2], [2, 0]]), &[0, 1], 2, &NaiveBayesOptions::default()).unwrap();
    let json = serde_json::to_string(&model).unwrap();
    for (from, to) in [
        ("posterior-naive-bayes-1", "posterior-naive-bayes-9"),
        ("\"documents\":1.0", "\"documents\":-1.0"),
        ("[[0,1.0]", "[[7,1.0]"),
        ("[[0,1.0]", "[[1,1.0]"),
        ("[[0,1.0]", "[[0,-1.0]"),
        ("\"smoothing\":1.0", "\"smoothing\":-1.0"),
        ("\"vocabulary\":2", "\"vocabulary\":99999999999999"),
    ] {
        let damaged = json.replacen(from, to, 1);
        assert_ne!(damaged, json, "{from}");
        assert!(serde_json::from_str::<NaiveBayes>(&damaged).is_err(), "{damaged}");
    }
}
