//! What holds for any counts: order, relabelling, duplicated features, sums of contributions, the logistic
//! form, files.

use posterior_math::check::DimensionError;
use posterior_text::Error;
use posterior_text::naive_bayes::*;
use proptest::prelude::*;

use super::{assert_close, bag, corpus_of, document, mean_ln_loss};

const WORDS: usize = 5;
const MODELS: [EventModel; 5] = [
    EventModel::Bernoulli,
    EventModel::Multinomial,
    EventModel::Polya,
    EventModel::Complement,
    EventModel::NormalizedComplement,
];

fn texts() -> impl Strategy<Value = Vec<[u32; WORDS]>> {
    let text = prop::array::uniform5(0_u32..4);
    prop::collection::vec(text, 3..9).prop_filter("a token", |texts| texts.iter().flatten().any(|&n| n > 0))
}

fn any_options() -> impl Strategy<Value = NaiveBayesOptions> {
    let model = prop::sample::select(MODELS.to_vec());
    (model, 0.01..3.0_f64, prop::bool::ANY, prop::bool::ANY).prop_map(
        |(model, smoothing, length, presence)| {
            let multinomial = matches!(model, EventModel::Multinomial | EventModel::Polya);
            let length = if length && multinomial {
                DocumentLength::Poisson { documents: 0.5 }
            } else {
                DocumentLength::Ignored
            };
            let counted = if presence { Counted::Presence } else { Counted::Occurrences };
            let options = NaiveBayesOptions { model, smoothing, ..NaiveBayesOptions::default() };
            NaiveBayesOptions { length, counted, ..options }
        },
    )
}

fn fit(texts: &[[u32; WORDS]], options: &NaiveBayesOptions) -> NaiveBayes {
    NaiveBayes::fit(&corpus_of(texts), &labels(texts.len()), 3, options).unwrap()
}

fn labels(texts: usize) -> Vec<usize> {
    (0..texts).map(|d| d * d % 3).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn one_by_one_in_any_order_and_in_parts(texts in texts(), options in any_options()) {
        let whole = fit(&texts, &options);
        let labels = labels(texts.len());
        let mut parts = [0, 1].map(|_| ClassCounts::new(options.counts(), 3, WORDS).unwrap());
        for (d, text) in texts.iter().enumerate().rev() {
            parts[d % 2].push(document(&bag(text)), labels[d]).unwrap();
        }
        // One more, which is taken back.
        parts[0].push(document(&bag(&[1, 2, 0, 0, 3])), 2).unwrap();
        parts[0].pop(document(&bag(&[1, 2, 0, 0, 3])), 2).unwrap();
        let [mut all, other] = parts;
        all.merge(&other).unwrap();
        prop_assert_eq!(&all, whole.counts());
        prop_assert_eq!(NaiveBayes::from_counts(all, &options).unwrap(), whole);
    }

    #[test]
    fn contributions_add_up_to_the_log_odds(texts in texts(), text in prop::array::uniform5(0_u32..4), options in any_options()) {
        let model = fit(&texts, &options);
        let bag = bag(&text);
        let scores = model.ln_joint(document(&bag));
        for (class, against) in [(0, 1), (1, 2), (2, 0)] {
            let why = model.explain(document(&bag), class, against).unwrap().unwrap();
            prop_assert!((why.ln_odds - (scores[class] - scores[against])).abs() < 1e-12);
            prop_assert!((why.sum() - why.ln_odds).abs() < 1e-11, "{why:?}");
            prop_assert!(why.words.is_sorted_by(|a, b| a.ln_odds.abs() >= b.ln_odds.abs()));
        }
    }

    #[test]
    fn log_odds_are_linear_but_for_urns(texts in texts(), options in any_options()) {
        prop_assume!(options.model != EventModel::Polya && options.length == DocumentLength::Ignored);
        let model = fit(&texts, &options);
        let odds = |text: &[u32; WORDS]| {
            let scores = model.ln_joint(document(&bag(text)));
            scores[0] - scores[1]
        };
        let none = odds(&[0; WORDS]);
        let unit = |word: usize| std::array::from_fn(|w| u32::from(w == word));
        let slopes: Vec<f64> = (0..WORDS).map(|word| odds(&unit(word)) - none).collect();
        for text in &texts {
            let x = |&n: &u32| match options.counts() {
                Counted::Occurrences => f64::from(n),
                Counted::Presence => f64::from(n.min(1)),
            };
            let line: f64 = none + text.iter().zip(&slopes).map(|(n, slope)| x(n) * slope).sum::<f64>();
            prop_assert!((odds(text) - line).abs() < 1e-11);
        }
    }

    #[test]
    fn other_names_of_the_classes_change_nothing_else(texts in texts(), options in any_options()) {
        let model = fit(&texts, &options);
        let renamed: Vec<usize> = labels(texts.len()).iter().map(|label| (label + 1) % 3).collect();
        let other = NaiveBayes::fit(&corpus_of(&texts), &renamed, 3, &options).unwrap();
        for text in &texts {
            let (own, other) = (model.ln_joint(document(&bag(text))), other.ln_joint(document(&bag(text))));
            for class in 0..3 {
                prop_assert!((own[class] - other[(class + 1) % 3]).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn a_written_model_is_the_same(texts in texts(), options in any_options()) {
        let model = fit(&texts, &options);
        let json = serde_json::to_string(&model).unwrap();
        prop_assert_eq!(serde_json::from_str::<NaiveBayes>(&json).unwrap(), model);
    }

    #[test]
    fn a_batch_is_each_text(texts in texts(), options in any_options()) {
        let model = fit(&texts, &options);
        let corpus = corpus_of(&texts);
        let matrix = model.ln_joint_of_all(&corpus);
        for (d, posterior) in model.posteriors(&corpus).into_iter().enumerate() {
            prop_assert_eq!(&posterior, &model.posterior(corpus.document(d)));
            let sum: f64 = posterior.unwrap().probabilities.iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-14);
            prop_assert_eq!(matrix.row(d).iter().copied().collect::<Vec<_>>(), model.ln_joint(corpus.document(d)));
        }
    }
}

#[test]
fn a_duplicated_word_is_counted_twice() {
    // Words 0 and 1 always come together: the model takes them for two pieces of evidence.
    let twice = [[1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 1], [1, 1, 1], [0, 0, 0]];
    let once = twice.map(|[a, _, c]| [a, c]);
    let labels = [0, 0, 1, 1, 1, 0];
    let options = NaiveBayesOptions {
        model: EventModel::Bernoulli,
        prior: ClassPrior::Uniform,
        ..NaiveBayesOptions::default()
    };
    let odds = |model: &NaiveBayes, text: &[u32]| {
        let scores = model.ln_joint(document(&bag(text)));
        scores[0] - scores[1]
    };
    let twice = NaiveBayes::fit(&corpus_of(&twice), &labels, 2, &options).unwrap();
    let once = NaiveBayes::fit(&corpus_of(&once), &labels, 2, &options).unwrap();
    for (a, c) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let (both, single) = (odds(&twice, &[a, a, c]), odds(&once, &[a, c]));
        // θ of the word is (1 + 2)/(2 + 3) in class 0 and (1 + 1)/(2 + 3) in the other.
        let evidence = if a == 1 { (3.0_f64 / 2.0).ln() } else { (2.0_f64 / 3.0).ln() };
        assert_close(both, single + evidence, 1e-13);
    }
}

#[test]
fn the_urn_is_the_chain_of_its_predictions() {
    let texts = [[2, 0, 1], [0, 3, 1], [1, 1, 0]];
    let options =
        NaiveBayesOptions { model: EventModel::Polya, smoothing: 0.3, ..NaiveBayesOptions::default() };
    let model = NaiveBayes::fit(&corpus_of(&texts), &[0, 1, 1], 2, &options).unwrap();
    // Token by token, each fitted before the next: multinomial models of one token.
    let one = NaiveBayesOptions { model: EventModel::Multinomial, ..options.clone() };
    let found = model.ln_joint(document(&bag(&[2, 1, 1])));
    for (class, found) in found.iter().enumerate() {
        let mut counts = model.counts().clone();
        let mut ln = model.ln_prior()[class];
        for word in [1, 0, 2, 0] {
            let step = NaiveBayes::from_counts(counts.clone(), &one).unwrap();
            ln += step.ln_parameters(class).unwrap()[word];
            let token: [u32; 3] = std::array::from_fn(|w| u32::from(w == word));
            counts.push(document(&bag(&token)), class).unwrap();
        }
        assert_close(*found, ln, 1e-13);
    }
}

#[test]
fn held_out_folds_are_models_of_the_rest() {
    let texts = [[2, 0, 1], [0, 3, 1], [1, 1, 0], [0, 1, 1], [3, 0, 0], [0, 2, 2], [1, 0, 1]];
    let labels = [0, 1, 0, 1, 0, 1, 0];
    let options = NaiveBayesOptions { smoothing: 0.4, ..NaiveBayesOptions::default() };
    let corpus = corpus_of(&texts);
    let said = cross_validate(&corpus, &labels, 2, &options, 3).unwrap();
    for (d, said) in said.iter().enumerate() {
        let rest: Vec<usize> = (0..texts.len()).filter(|other| other % 3 != d % 3).collect();
        let rest_labels: Vec<usize> = rest.iter().map(|&d| labels[d]).collect();
        let model = NaiveBayes::fit(&corpus.select(&rest).unwrap(), &rest_labels, 2, &options).unwrap();
        assert_eq!(*said, model.posterior(corpus.document(d)));
    }
    let choice = select_smoothing(&corpus, &labels, 2, &options, &[0.0, 0.1, 0.4, 50.0], 3).unwrap();
    assert_close(choice.ln_losses[2], mean_ln_loss(&said, &labels), 1e-14);
    let least = choice.ln_losses.iter().copied().fold(f64::INFINITY, f64::min);
    let losses = choice.ln_losses.iter().zip([0.0, 0.1, 0.4, 50.0]);
    assert!(losses.clone().any(|(&loss, smoothing)| loss == least && smoothing == choice.smoothing));
    // Without smoothing, word 2 of the other class is impossible in some fold.
    assert!(cross_validate(&corpus, &labels, 2, &options, 1).is_err());
    assert!(cross_validate(&corpus, &labels, 2, &options, 8).is_err());
    // One label short.
    let refused = |result: Result<(), Error>| {
        matches!(result, Err(Error::Dimension(DimensionError { expected: 7, found: 6, .. })))
    };
    assert!(refused(cross_validate(&corpus, &labels[1..], 2, &options, 3).map(|_| ())));
    assert!(refused(select_smoothing(&corpus, &labels[1..], 2, &options, &[0.4], 3).map(|_| ())));
}
