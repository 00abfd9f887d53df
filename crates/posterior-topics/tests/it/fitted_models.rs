//! Models that were fitted, not made up, go to JSON and back: equal, with equal answers to the bit.

use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_text::naive_bayes::table::{ClassTable, ColumnDistribution, TableClassifier, TableOptions};
use posterior_text::naive_bayes::{self, EventModel, NaiveBayes};
use posterior_topics::corpus::{
    CorpusBuilder, Document, StopWords, Tokenizer, VocabularyOptions, WordSequences,
};
use posterior_topics::unigram::Unigram;
use posterior_topics::{
    Corpus, TopicModel, bigram_topics, dirichlet_regression, document_mixture, hdp, lda,
    nonnegative_factorization, pitman_yor_topics, plsa, semantic_analysis,
};
use proptest::prelude::*;
use rand::RngExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// What is read of what was written; it is equal.
#[track_caller]
fn again<M: PartialEq + Debug + Serialize + DeserializeOwned>(model: &M) -> M {
    let text = serde_json::to_string(model).unwrap();
    let read: M = serde_json::from_str(&text).unwrap();
    assert_eq!(&read, model);
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    read
}

/// Twelve documents over eight words, each with a word at least.
fn corpus(seed: u64) -> Corpus {
    let mut rng = stream(seed, &[1]);
    let mut row = |d: u32| -> Vec<(u32, u32)> {
        (0..8).map(|w| (w, rng.random_range(0..3) + 3 * u32::from(w % 3 == d % 3))).collect()
    };
    let rows = (0..12).map(&mut row).collect();
    let words = (0..8).map(|w| format!("w{w}")).collect();
    Corpus::from_rows(words, (0..12).map(|d| d.to_string()).collect(), rows).unwrap()
}

fn topics<M: TopicModel + PartialEq + Debug + Serialize + DeserializeOwned>(model: &M, corpus: &Corpus) {
    let read = again(model);
    let bits = |model: &M| -> Vec<u64> {
        (0..corpus.documents())
            .flat_map(|d| model.proportions(corpus.document(d)))
            .chain(model.topics().topic_word().iter().copied())
            .map(f64::to_bits)
            .collect()
    };
    assert_eq!(bits(&read), bits(model));
}

/// A document of another vocabulary is refused in the same words by every kind of model.
#[test]
fn a_word_outside_of_the_vocabulary_is_named() {
    fn message(model: &(impl TopicModel + std::panic::RefUnwindSafe)) -> String {
        let document = Document { words: &[3, 8], counts: &[1, 1] };
        let refused = std::panic::catch_unwind(|| model.proportions(document)).unwrap_err();
        refused.downcast_ref::<String>().unwrap().clone()
    }
    let corpus = corpus(1);
    let gibbs = lda::gibbs::LdaGibbsOptions { topics: 2, iterations: 5, ..Default::default() };
    let plsa = plsa::PlsaOptions { topics: 2, ..Default::default() };
    let mixture = document_mixture::DocumentMixtureOptions { topics: 2, ..Default::default() };
    let factors = nonnegative_factorization::FactorizationOptions { topics: 2, ..Default::default() };
    let messages = [
        message(&lda::gibbs::fit(&corpus, &gibbs, &mut Silent).unwrap().model),
        message(&plsa::fit(&corpus, &plsa, &mut Silent).unwrap().model),
        message(&document_mixture::fit(&corpus, &mixture, &mut Silent).unwrap().model),
        message(&nonnegative_factorization::fit(&corpus, &factors, &mut Silent).unwrap().model),
    ];
    for message in messages {
        assert_eq!(message, "word id 8 is outside of the vocabulary of 8 words");
    }
}

/// A file whose parts do not go together is refused in words.
#[test]
fn damaged_models_are_refused() {
    fn refused<M: DeserializeOwned>(model: &impl Serialize, from: &str, to: &str) -> String {
        let text = serde_json::to_string(model).unwrap();
        assert!(text.contains(from), "{text}");
        serde_json::from_str::<M>(&text.replacen(from, to, 1)).err().unwrap().to_string()
    }
    let corpus = corpus(2);
    let options = nonnegative_factorization::FactorizationOptions { topics: 2, ..Default::default() };
    let model = nonnegative_factorization::fit(&corpus, &options, &mut Silent).unwrap().model;
    let said =
        refused::<nonnegative_factorization::Factorization>(&model, "\"weights\":[1.0,", "\"weights\":[");
    assert!(said.starts_with("factors, weights and topics are of different sizes"), "{said}");
    let said = refused::<nonnegative_factorization::Factorization>(
        &model,
        "\"weights\":[1.0,",
        "\"weights\":[-1.0,",
    );
    assert!(said.starts_with("factors and weights must be finite, and none below zero"), "{said}");
    let model = Unigram::fit(&corpus, 0.5).unwrap().model;
    let said = refused::<Unigram>(&model, "posterior-unigram-1", "posterior-unigram-9");
    assert!(said.starts_with("format \"posterior-unigram-9\", expected \"posterior-unigram-1\""), "{said}");
    let options = semantic_analysis::SemanticAnalysisOptions { components: 2, ..Default::default() };
    let analysis = semantic_analysis::fit(&corpus, &options).unwrap();
    let said = refused::<semantic_analysis::SemanticAnalysis>(
        &analysis,
        "\"vocabulary\":[\"w0\",",
        "\"vocabulary\":[",
    );
    assert!(said.starts_with("words, documents and components are of different sizes"), "{said}");
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>();
    let sequences = WordSequences::new(names(3), names(2), vec![vec![0, 1, 2], vec![2, 1, 0]]).unwrap();
    let options = bigram_topics::BigramTopicsOptions { topics: 2, iterations: 5, ..Default::default() };
    let model = bigram_topics::fit(&sequences, &options, &mut Silent).unwrap().model;
    let said = refused::<bigram_topics::BigramTopics>(&model, "\"offsets\":[0,", "\"offsets\":[1,");
    assert!(said.starts_with("the pairs of words contradict themselves"), "{said}");
}

/// One text by the tokenizer of a vocabulary has the counts that the corpus of that text has in it.
#[test]
fn a_new_text_is_counted_as_a_corpus_of_it_would_be() {
    let vocabulary = ["bank", "loan", "money", "river", "zebra"].map(str::to_owned).to_vec();
    let text = "The bank's loan: Money, MONEY and no river bank";
    let one = Tokenizer::default().count(text, &vocabulary);
    let mut builder = CorpusBuilder::new(VocabularyOptions::default()).unwrap();
    builder.push("new", text);
    let (corpus, unknown) = builder.build().unwrap().0.in_vocabulary(vocabulary.clone()).unwrap();
    assert_eq!(one.document(), corpus.document(0));
    assert_eq!(one.unknown(), unknown);
    assert_eq!((unknown.words, unknown.tokens), (2, 2)); // the, and
    let none = Tokenizer::default().count("Nichts davon", &vocabulary);
    assert_eq!((none.document().tokens(), none.unknown().tokens), (0, 2));
}

#[test]
fn the_report_on_a_vocabulary_says_what_each_filter_removed() {
    let options = VocabularyOptions { stop_words: StopWords::english(), ..VocabularyOptions::default() };
    let mut builder = CorpusBuilder::new(options).unwrap();
    builder.push("first", "The war and the peace");
    let text = builder.build().unwrap().1.to_string();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines.len(), 7);
    assert_eq!(lines[0], ["found", "4", "words", "5", "tokens"]);
    assert_eq!(lines[2], ["stop", "words", "2", "words", "3", "tokens"]);
    assert_eq!(lines[6], ["kept", "2", "words", "2", "tokens"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn topic_models(seed in any::<u64>(), k in 1_usize..4) {
        let corpus = corpus(seed);
        let mut options = lda::gibbs::LdaGibbsOptions { topics: k, seed, ..lda::gibbs::LdaGibbsOptions::default() };
        options.iterations = 15;
        topics(&lda::gibbs::fit(&corpus, &options, &mut Silent).unwrap().model, &corpus);
        let options = hdp::HdpOptions { iterations: 15, seed, ..hdp::HdpOptions::default() };
        topics(&hdp::fit(&corpus, &options, &mut Silent).unwrap().model, &corpus);
        let options = pitman_yor_topics::PitmanYorTopicsOptions { topics: k, iterations: 15, seed, ..pitman_yor_topics::PitmanYorTopicsOptions::default() };
        topics(&pitman_yor_topics::fit(&corpus, &options, &mut Silent).unwrap().model, &corpus);
    }

    #[test]
    fn mixtures_and_factors(seed in any::<u64>(), k in 1_usize..4) {
        let corpus = corpus(seed);
        let options = document_mixture::DocumentMixtureOptions { topics: k, seed, ..Default::default() };
        topics(&document_mixture::fit(&corpus, &options, &mut Silent).unwrap().model, &corpus);
        topics(&Unigram::fit(&corpus, 0.5).unwrap().model, &corpus);
        let options = plsa::PlsaOptions { topics: k, seed, ..Default::default() };
        topics(&plsa::fit(&corpus, &options, &mut Silent).unwrap().model, &corpus);
        for divergence in [
            nonnegative_factorization::FactorizationDivergence::KullbackLeibler,
            nonnegative_factorization::FactorizationDivergence::Frobenius,
        ] {
            let options = nonnegative_factorization::FactorizationOptions { topics: k, divergence, seed, ..Default::default() };
            topics(&nonnegative_factorization::fit(&corpus, &options, &mut Silent).unwrap().model, &corpus);
        }
        let options = semantic_analysis::SemanticAnalysisOptions { components: k, seed, ..Default::default() };
        let analysis = semantic_analysis::fit(&corpus, &options).unwrap();
        prop_assert_eq!(again(&analysis).project(corpus.document(0)), analysis.project(corpus.document(0)));
    }

    #[test]
    fn models_of_features_and_of_order(seed in any::<u64>(), k in 1_usize..4) {
        let corpus = corpus(seed);
        let features = DMatrix::from_fn(12, 1, |d, _| f64::from(d % 3 == 0));
        let options = dirichlet_regression::DirichletRegressionOptions { topics: k, iterations: 60, seed, ..Default::default() };
        let model = dirichlet_regression::fit(&corpus, &features, &options, &mut Silent).unwrap().model;
        topics(&model, &corpus);
        let at = |model: &dirichlet_regression::DirichletRegression| model.proportions_at(corpus.document(1), &[0.7]).unwrap();
        prop_assert_eq!(at(&again(&model)), at(&model));
        let documents = vec![vec![0, 1, 2, 0, 1], vec![2, 1, 0], vec![], vec![1, 1, 1, 2]];
        let names = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>();
        let sequences = WordSequences::new(names(3), names(4), documents).unwrap();
        for word_prior in [bigram_topics::WordPrior::Shared, bigram_topics::WordPrior::PerTopic] {
            let options = bigram_topics::BigramTopicsOptions { topics: k, iterations: 15, word_prior, seed, ..Default::default() };
            let model = bigram_topics::fit(&sequences, &options, &mut Silent).unwrap().model;
            let said = |model: &bigram_topics::BigramTopics| model.ln_predictive(&[0, 1, 1], &[2, 2, 0]);
            prop_assert_eq!(said(&again(&model)).to_bits(), said(&model).to_bits());
        }
    }

    #[test]
    fn naive_bayes_of_texts(seed in any::<u64>(), smoothing in 0.01_f64..2.0) {
        let corpus = corpus(seed);
        let labels: Vec<usize> = (0..12).map(|d| (d * d + seed as usize % 2) % 3).collect();
        for model in [EventModel::Bernoulli, EventModel::Multinomial, EventModel::Polya, EventModel::Complement] {
            let options = naive_bayes::NaiveBayesOptions { model, smoothing, ..naive_bayes::NaiveBayesOptions::default() };
            let model = NaiveBayes::fit(&corpus, &labels, 3, &options).unwrap();
            let read = again(&model);
            let bits = |model: &NaiveBayes| -> Vec<u64> {
                let said = (0..12).map(|d| model.posterior(corpus.document(d)).unwrap().probabilities);
                said.flatten().map(f64::to_bits).collect()
            };
            prop_assert_eq!(bits(&read), bits(&model));
        }
    }

    #[test]
    fn naive_bayes_of_rows(seed in any::<u64>()) {
        let mut rng = stream(seed, &[2]);
        let rows = DMatrix::from_fn(20, 2, |_, j| {
            if j == 0 { rng.random::<f64>() * 1e3 } else { f64::from(rng.random_range(0..3)) }
        });
        let labels: Vec<usize> = (0..20).map(|i| i % 2).collect();
        let columns = [ColumnDistribution::Normal, ColumnDistribution::Categorical { levels: 3 }];
        let table = ClassTable::of(&columns, &rows, &labels, 2).unwrap();
        let read = again(&table);
        let bits = |table: &ClassTable| -> Vec<u64> {
            let model = TableClassifier::from_table(table, &TableOptions::default()).unwrap();
            let said = |i: usize| {
                let row: Vec<f64> = rows.row(i).iter().copied().collect();
                model.posterior(&row).unwrap().unwrap().probabilities
            };
            (0..20).flat_map(said).map(f64::to_bits).collect()
        };
        prop_assert_eq!(bits(&read), bits(&table));
    }
}
