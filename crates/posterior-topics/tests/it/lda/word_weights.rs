//! Vectors and matrices of concentrations of words: every engine against an enumeration, or against its
//! equations written out.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::special::{digamma, ln_multivariate_beta};
use posterior_testkit::accuracy::{assert_all_close, assert_close};
use posterior_topics::lda::blocked_gibbs::{self, LdaBlockedGibbsOptions};
use posterior_topics::lda::collapsed_variational::{self, LdaCollapsedVariationalOptions, Order, Precision};
use posterior_topics::lda::gibbs::{LdaGibbsOptions, TopicSampler, TopicStart};
use posterior_topics::lda::online::{LdaOnlineOptions, OnlineVariationalBayes};
use posterior_topics::lda::variational::{self, LdaVariationalOptions, VariationalBayes};
use posterior_topics::lda::{Hyperparameters, Lda, Seed, WordWeights, gibbs, online};
use posterior_topics::{Corpus, TopicModel as _};

use crate::lda::enumeration::{ln_evidence_of, toy};
use crate::lda::gibbs::toy as states;

const ALPHA: [f64; 2] = [0.3, 1.1];

/// Weights with `beta = 1/2`, and the concentrations that they mean.
fn cases() -> [(WordWeights, [[f64; 3]; 2]); 4] {
    let seeds = [(1, 2, 1.5), (0, 1, 0.25), (1, 2, 0.5), (1, 0, 0.1)];
    let seeds = seeds.map(|(topic, word, weight)| Seed { topic, word, weight }).to_vec();
    [
        (WordWeights::Equal, [[0.5; 3]; 2]),
        (vec![0.4, 2.2, 1.0].into(), [[0.2, 1.1, 0.5]; 2]),
        (
            DMatrix::from_row_slice(2, 3, &[3.0, 0.2, 0.9, 0.5, 0.5, 2.4]).into(),
            [[1.5, 0.1, 0.45], [0.25, 0.25, 1.2]],
        ),
        (seeds.into(), [[0.5, 0.75, 0.5], [0.6, 0.5, 2.5]]),
    ]
}

fn rows(beta: [[f64; 3]; 2]) -> Vec<Vec<f64>> {
    beta.map(|row| row.to_vec()).to_vec()
}

fn gibbs_options(word_weights: WordWeights) -> LdaGibbsOptions {
    LdaGibbsOptions { alpha: ALPHA.to_vec().into(), word_weights, ..states::options() }
}

#[test]
fn the_joint_sums_to_the_enumerated_evidence() {
    for (weights, beta) in cases() {
        let (_, ln_evidence) = states::posterior(&toy(), &gibbs_options(weights));
        assert_close(ln_evidence, ln_evidence_of(&toy(), &ALPHA, &rows(beta)), 1e-13);
    }
}

/// The conditional of each token in each state, from the joint of the two states that differ in it.
#[test]
fn conditionals_are_ratios_of_the_joint() {
    let corpus = toy();
    for (weights, _) in cases() {
        let options = gibbs_options(weights);
        let ln = states::ln_joints(&corpus, &options);
        for s in 0..states::STATES {
            for (i, (d, w)) in states::PLACES.into_iter().enumerate() {
                let [zero, one] = [s & !(1 << i), s | 1 << i].map(|s| (ln[s] - ln[s | 1 << i]).exp());
                let found = states::chain(&corpus, &options, s).conditional(d, w, states::topics(s)[i]);
                assert_all_close(&found, &[zero / (zero + one), one / (zero + one)], 1e-12);
            }
        }
    }
}

/// Variational Bayes by its three equations, a step of each document and then of the topics.
fn naive_step(corpus: &Corpus, beta: &[Vec<f64>], gamma: &mut DMatrix<f64>, lambda: &mut DMatrix<f64>) {
    let before = lambda.clone();
    *lambda = DMatrix::from_fn(2, 3, |k, v| beta[k][v]);
    for (d, document) in corpus.iter().enumerate() {
        let mut next = ALPHA;
        for (&w, &n) in document.words.iter().zip(document.counts) {
            let weights = [0, 1].map(|k| {
                let ln_phi = digamma(before[(k, w as usize)]) - digamma(before.row(k).sum());
                (digamma(gamma[(d, k)]) + ln_phi).exp()
            });
            for k in 0..2 {
                let expected = f64::from(n) * weights[k] / (weights[0] + weights[1]);
                next[k] += expected;
                lambda[(k, w as usize)] += expected;
            }
        }
        (gamma[(d, 0)], gamma[(d, 1)]) = (next[0], next[1]);
    }
}

#[test]
fn variational_steps_are_the_equations_and_stay_below_the_evidence() {
    let corpus = toy();
    for (word_weights, beta) in cases() {
        let options = LdaVariationalOptions {
            topics: 2,
            alpha: ALPHA.to_vec().into(),
            beta: 0.5,
            word_weights,
            document_steps: 1,
            threads: 1,
            ..LdaVariationalOptions::default()
        };
        let exact = ln_evidence_of(&corpus, &ALPHA, &rows(beta));
        let mut gamma = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 0.7, 1.9]);
        let mut lambda = DMatrix::from_row_slice(2, 3, &[3.0, 2.0, 1.0, 1.0, 1.5, 2.5]);
        let mut posterior = VariationalBayes::from_parameters(&corpus, &options, &gamma, &lambda).unwrap();
        posterior.update_documents();
        let mut before = posterior.bound();
        for _ in 0..30 {
            posterior.update_topics();
            naive_step(&corpus, &rows(beta), &mut gamma, &mut lambda);
            assert_all_close(posterior.gamma().as_slice(), gamma.as_slice(), 1e-12);
            assert_all_close(posterior.lambda().as_slice(), lambda.as_slice(), 1e-12);
            assert!(posterior.bound() >= before - 1e-13);
            posterior.update_documents();
            assert!(posterior.bound() >= before - 1e-13 && posterior.bound() < exact);
            before = posterior.bound();
        }
        assert!(exact - before < 2.5, "{before} of {exact}");
    }
}

#[test]
fn of_one_topic_the_bound_is_the_evidence() {
    let weights = vec![0.4, 2.2, 1.0];
    let options = LdaVariationalOptions {
        topics: 1,
        beta: 0.5,
        word_weights: weights.into(),
        threads: 1,
        ..LdaVariationalOptions::default()
    };
    let fitted = variational::fit(&toy(), &options, &mut Silent).unwrap();
    let exact = ln_multivariate_beta(&[2.2, 3.1, 2.5]) - ln_multivariate_beta(&[0.2, 1.1, 0.5]);
    assert_close(*fitted.report.trace.last().unwrap(), exact, 1e-13);
    let phi = [2.2 / 7.8, 3.1 / 7.8, 2.5 / 7.8];
    assert_all_close(fitted.model.topics().topic_word().as_slice(), &phi, 1e-14);
}

/// The fixed point of collapsed variational Bayes of zeroth order, token by token.
fn naive_collapsed(corpus: &Corpus, beta: &[Vec<f64>]) -> DMatrix<f64> {
    let mut pairs: Vec<(usize, usize, f64, [f64; 2])> = Vec::new();
    for (d, document) in corpus.iter().enumerate() {
        for (&w, &n) in document.words.iter().zip(document.counts) {
            pairs.push((d, w as usize, f64::from(n), [0.5; 2]));
        }
    }
    let sum = |pairs: &[(usize, usize, f64, [f64; 2])], k: usize, keep: &dyn Fn(usize, usize) -> bool| {
        pairs.iter().filter(|pair| keep(pair.0, pair.1)).map(|pair| pair.2 * pair.3[k]).sum::<f64>()
    };
    for _ in 0..3000 {
        for i in 0..pairs.len() {
            let (d, w, _, own) = pairs[i];
            let weights = [0, 1].map(|k| {
                let document = sum(&pairs, k, &|e, _| e == d) - own[k] + ALPHA[k];
                let word = sum(&pairs, k, &|_, v| v == w) - own[k] + beta[k][w];
                document * word / (sum(&pairs, k, &|_, _| true) - own[k] + beta[k].iter().sum::<f64>())
            });
            pairs[i].3 = weights.map(|weight| weight / (weights[0] + weights[1]));
        }
    }
    let totals = [0, 1].map(|k| sum(&pairs, k, &|_, _| true) + beta[k].iter().sum::<f64>());
    DMatrix::from_fn(2, 3, |k, v| (sum(&pairs, k, &|_, w| w == v) + beta[k][v]) / totals[k])
}

#[test]
fn collapsed_variational_bayes_has_the_fixed_point_of_its_equations() {
    let corpus = toy();
    for (word_weights, beta) in cases().into_iter().skip(2) {
        for groups in [1, 2] {
            let options = LdaCollapsedVariationalOptions {
                topics: 2,
                alpha: ALPHA.to_vec().into(),
                beta: 0.5,
                word_weights: word_weights.clone(),
                max_iterations: 3000,
                tolerance: 0.0,
                precision: Precision::Double,
                groups: Some(groups),
                threads: 1,
                ..LdaCollapsedVariationalOptions::default()
            };
            let fitted = collapsed_variational::fit(&corpus, &options, &mut Silent).unwrap();
            let expected = naive_collapsed(&corpus, &rows(beta));
            assert_all_close(fitted.model.topics().topic_word().as_slice(), expected.as_slice(), 1e-9);
        }
    }
}

/// With a rate of one and all documents in a batch, a push is a pass of variational Bayes.
#[test]
fn a_whole_batch_at_rate_one_is_a_pass() {
    let corpus = toy();
    for (word_weights, _) in cases() {
        let online = LdaOnlineOptions {
            topics: 2,
            alpha: ALPHA.to_vec().into(),
            beta: 0.5,
            word_weights: word_weights.clone(),
            decay: 0.0,
            documents: Some(2),
            document_steps: 2000,
            document_tolerance: 0.0,
            threads: 1,
            ..LdaOnlineOptions::default()
        };
        let batch = LdaVariationalOptions {
            topics: 2,
            alpha: ALPHA.to_vec().into(),
            beta: 0.5,
            word_weights,
            document_steps: 2000,
            document_tolerance: 0.0,
            threads: 1,
            ..LdaVariationalOptions::default()
        };
        let mut stream = OnlineVariationalBayes::new(corpus.vocabulary().to_vec(), &online).unwrap();
        let start = DMatrix::repeat(2, 2, 1.5);
        let mut passes =
            VariationalBayes::from_parameters(&corpus, &batch, &start, &stream.lambda()).unwrap();
        for _ in 0..3 {
            stream.push(&corpus).unwrap();
            passes.update_documents();
            passes.update_topics();
            assert_all_close(stream.lambda().as_slice(), passes.lambda().as_slice(), 1e-9);
        }
        let (model, lambda) = (stream.model(), stream.lambda());
        let phi = DMatrix::from_fn(2, 3, |k, v| lambda[(k, v)] / lambda.row(k).sum());
        assert_all_close(model.topics().topic_word().as_slice(), phi.as_slice(), 1e-13);
    }
}

/// Documents of two themes; a topic that is given a word of the first has it, whatever the engine, and learns
/// nothing of `beta` meanwhile.
#[test]
fn a_guided_topic_keeps_its_number_in_every_engine() {
    let words: Vec<String> = (0..10).map(|v| v.to_string()).collect();
    let row = |d: u32| -> Vec<(u32, u32)> { (0..5).map(|v| (5 * (d % 2) + v, 4 + (d + v) % 3)).collect() };
    let names = (0..16).map(|d| d.to_string()).collect();
    let corpus = Corpus::from_rows(words, names, (0..16).map(row).collect()).unwrap();
    let (topics, hyperparameters) = (2, Hyperparameters::Optimized);
    for seed in 0..3 {
        let word_weights = WordWeights::Seeded(vec![Seed { topic: 1, word: 0, weight: 200.0 }]);
        let check = |engine: &str, model: Lda| {
            assert_eq!(model.beta(), 0.01, "{engine}");
            let own: f64 = (0..5).map(|v| model.topics().topic_word()[(1, v)]).sum();
            assert!(own > 0.95, "{engine}: {own}");
        };
        let (alpha, threads) = (LdaGibbsOptions::default().alpha, 1);
        let options =
            LdaGibbsOptions { topics, seed, hyperparameters, threads, ..LdaGibbsOptions::default() };
        let progressive = LdaGibbsOptions {
            word_weights: word_weights.clone(),
            start: TopicStart::Progressive,
            sampler: TopicSampler::Dense,
            iterations: 100,
            alpha,
            ..options
        };
        check("Gibbs", gibbs::fit(&corpus, &progressive, &mut Silent).unwrap().model);
        let options = LdaBlockedGibbsOptions {
            topics,
            seed,
            hyperparameters,
            threads,
            word_weights: word_weights.clone(),
            alpha: 0.5.into(),
            iterations: 300,
            ..LdaBlockedGibbsOptions::default()
        };
        check("blocked", blocked_gibbs::fit(&corpus, &options, &mut Silent).unwrap().model);
        let options = LdaVariationalOptions {
            topics,
            seed,
            hyperparameters,
            threads,
            word_weights: word_weights.clone(),
            alpha: 0.5.into(),
            ..LdaVariationalOptions::default()
        };
        check("variational", variational::fit(&corpus, &options, &mut Silent).unwrap().model);
        for order in [Order::Zeroth, Order::Second] {
            let options = LdaCollapsedVariationalOptions {
                topics,
                seed,
                hyperparameters,
                threads,
                order,
                word_weights: word_weights.clone(),
                alpha: 0.5.into(),
                ..LdaCollapsedVariationalOptions::default()
            };
            check("collapsed", collapsed_variational::fit(&corpus, &options, &mut Silent).unwrap().model);
        }
        let options = LdaOnlineOptions {
            topics,
            seed,
            hyperparameters,
            threads,
            word_weights,
            alpha: 0.5.into(),
            batch: 4,
            passes: 20,
            ..LdaOnlineOptions::default()
        };
        check("online", online::fit(&corpus, &options, &mut Silent).unwrap().model);
    }
}

#[test]
fn weights_that_do_not_fit_are_refused() {
    let corpus = toy();
    let fit = |word_weights: WordWeights| {
        let options = LdaVariationalOptions { topics: 2, word_weights, ..LdaVariationalOptions::default() };
        variational::fit(&corpus, &options, &mut Silent).err().map(|error| error.to_string())
    };
    assert!(fit(vec![1.0; 3].into()).is_none());
    for (weights, message) in [
        (vec![1.0; 2].into(), "weights of words"),
        (vec![1.0, -1.0, 1.0].into(), "word_weights"),
        (vec![1.0, f64::NAN, 1.0].into(), "word_weights"),
        (vec![1.0, 1.0, 1e40].into(), "word_weights"),
        (DMatrix::repeat(3, 3, 1.0).into(), "a row for each topic"),
        (DMatrix::repeat(2, 4, 1.0).into(), "weights of words"),
        (vec![Seed { topic: 0, word: 3, weight: 1.0 }].into(), "seed word 3 of 3"),
    ] {
        let found = fit(weights).unwrap();
        assert!(found.contains(message), "{found}");
    }
}
