//! What holds of every run.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_topics::corpus::split_tokens;
use posterior_topics::plsa::{self, Parameters, PlsaOptions, Tempering};
use posterior_topics::{Corpus, TopicModel};
use proptest::prelude::*;

use super::{corpus, fit, random_counts};

/// ln p of the counts under the parameters, by the definition.
fn ln_likelihood(corpus: &Corpus, proportions: &[f64], theta: &DMatrix<f64>, phi: &DMatrix<f64>) -> f64 {
    let product = theta * phi;
    let mut ln = 0.0;
    for (d, document) in corpus.iter().enumerate() {
        for (&word, &count) in document.words.iter().zip(document.counts) {
            ln += f64::from(count) * (proportions[d] * product[(d, word as usize)]).ln();
        }
    }
    ln
}

#[test]
fn the_trace_is_the_likelihood_of_the_parameters() {
    // Wide rows have several lanes, and counts above one are scored by themselves.
    let corpus = corpus(&random_counts(30, 40, 1));
    for topics in [1, 7, 8, 9, 33] {
        let fitted = fit(&corpus, &PlsaOptions { topics, max_iterations: 5, ..PlsaOptions::default() });
        let ln = ln_likelihood(
            &corpus,
            fitted.model.document_proportions(),
            &fitted.doc_topic,
            fitted.model.topics().topic_word(),
        );
        assert_close(*fitted.report.trace.last().unwrap(), ln, 1e-13);
    }
}

/// One step by dense sums over documents, words and topics, as the equations have it.
fn dense_step(
    corpus: &Corpus,
    theta: &DMatrix<f64>,
    phi: &DMatrix<f64>,
    added: [f64; 2],
) -> [DMatrix<f64>; 2] {
    let (mut n_theta, mut n_phi) = (theta.map(|_| added[0]), phi.map(|_| added[1]));
    for (d, document) in corpus.iter().enumerate() {
        for (&word, &count) in document.words.iter().zip(document.counts) {
            let w = word as usize;
            let joint: Vec<f64> = (0..theta.ncols()).map(|k| theta[(d, k)] * phi[(k, w)]).collect();
            let sum: f64 = joint.iter().sum();
            for (k, q) in joint.iter().enumerate() {
                n_theta[(d, k)] += f64::from(count) * q / sum;
                n_phi[(k, w)] += f64::from(count) * q / sum;
            }
        }
    }
    let normalized = |counts: DMatrix<f64>| {
        DMatrix::from_fn(counts.nrows(), counts.ncols(), |i, j| counts[(i, j)] / counts.row(i).sum())
    };
    [normalized(n_theta), normalized(n_phi)]
}

#[test]
fn a_step_is_the_equations_with_priors_too() {
    let corpus = corpus(&random_counts(12, 9, 2));
    for (alpha, beta) in [(1.0, 1.0), (1.5, 1.0), (1.0, 1.02), (1.3, 2.0)] {
        let options =
            PlsaOptions { topics: 3, topic_prior: alpha, word_prior: beta, ..PlsaOptions::default() };
        let before = fit(&corpus, &PlsaOptions { max_iterations: 2, ..options });
        let after = fit(&corpus, &PlsaOptions { max_iterations: 3, ..options });
        let phi = before.model.topics().topic_word();
        let [theta, phi] = dense_step(&corpus, &before.doc_topic, phi, [alpha - 1.0, beta - 1.0]);
        assert!(before.parameters() != after.parameters());
        // Topics may change places between the two: compare what does not know their names.
        assert_all_close(
            (&theta * &phi).as_slice(),
            (&after.doc_topic * after.model.topics().topic_word()).as_slice(),
            1e-12,
        );
    }
}

#[test]
fn a_flat_prior_is_none_and_the_mode_is_that_of_lda() {
    let corpus = corpus(&random_counts(10, 8, 3));
    let start =
        fit(&corpus, &PlsaOptions { topics: 2, max_iterations: 1, ..PlsaOptions::default() }).parameters();
    let run = |options: PlsaOptions| {
        let options = PlsaOptions { tolerance: 0.0, max_iterations: 20_000, ..options };
        plsa::fit_from(&corpus, &start, &options, &mut Silent).unwrap()
    };
    let flat = run(PlsaOptions { topic_prior: 1.0, word_prior: 1.0, ..PlsaOptions::default() });
    assert_eq!(flat, run(PlsaOptions::default()));

    // At the mode of ln p(W | theta, phi) + ln Dir(theta; alpha) + ln Dir(phi; beta) no small move is uphill.
    let (alpha, beta) = (1.2, 1.1);
    let mode = run(PlsaOptions { topic_prior: alpha, word_prior: beta, ..PlsaOptions::default() });
    let (theta, phi) = (&mode.doc_topic, mode.model.topics().topic_word());
    let objective = |theta: &DMatrix<f64>, phi: &DMatrix<f64>| {
        ln_likelihood(&corpus, mode.model.document_proportions(), theta, phi)
            + (alpha - 1.0) * theta.map(f64::ln).sum()
            + (beta - 1.0) * phi.map(f64::ln).sum()
    };
    let best = objective(theta, phi);
    assert_close(best, *mode.report.trace.last().unwrap(), 1e-13);
    let h = 1e-4;
    for d in 0..10 {
        let mut moved = theta.clone();
        let slope = |moved: &mut DMatrix<f64>, h: f64| {
            moved[(d, 0)] = theta[(d, 0)] + h;
            moved[(d, 1)] = theta[(d, 1)] - h;
            objective(moved, phi)
        };
        let step = h * theta[(d, 0)].min(theta[(d, 1)]);
        let (up, down) = (slope(&mut moved, step), slope(&mut moved, -step));
        // Central differences of an objective near -200 that is rounded at 1e-14 of it.
        assert_within((up - down) / (2.0 * h), 0.0, 1e-6);
        assert!(up < best + 1e-10 && down < best + 1e-10);
    }
}

#[test]
fn margins_match_after_one_step() {
    let counts = random_counts(7, 6, 4);
    let corpus = corpus(&counts);
    let fitted = fit(&corpus, &PlsaOptions { topics: 3, max_iterations: 1, ..PlsaOptions::default() });
    let tokens = corpus.tokens() as f64;
    let symmetric = fitted.symmetric();
    let joint = DMatrix::from_fn(7, 6, |d, w| {
        (0..3)
            .map(|k| {
                symmetric.topic()[k] * symmetric.topic_document()[(k, d)] * symmetric.topic_word()[(k, w)]
            })
            .sum::<f64>()
    });
    for (d, row) in counts.iter().enumerate() {
        let proportion = row.iter().sum::<u32>();
        assert_close(joint.row(d).sum(), f64::from(proportion) / tokens, 1e-13);
    }
    for w in 0..6 {
        let proportion: u32 = counts.iter().map(|row| row[w]).sum();
        assert_close(joint.column(w).sum(), f64::from(proportion) / tokens, 1e-13);
        assert_close(fitted.model.topics().word_proportions()[w], f64::from(proportion) / tokens, 1e-13);
    }
    let back = symmetric.asymmetric();
    assert_eq!(back.symmetric().topic().len(), 3);
    assert_all_close(back.symmetric().topic(), symmetric.topic(), 1e-13);
}

#[test]
fn names_of_topics_do_not_matter() {
    let corpus = corpus(&random_counts(9, 7, 5));
    let start =
        fit(&corpus, &PlsaOptions { topics: 3, max_iterations: 1, ..PlsaOptions::default() }).parameters();
    let symmetric = start.symmetric();
    let options = PlsaOptions { max_iterations: 30, tolerance: 0.0, ..PlsaOptions::default() };
    let one = plsa::fit_from(&corpus, &start, &options, &mut Silent).unwrap();
    let order = [2, 0, 1];
    let shuffled = Parameters::new(
        (0..9)
            .map(|d| (0..3).map(|k| symmetric.topic()[k] * symmetric.topic_document()[(k, d)]).sum())
            .collect(),
        one_columns(&start, &order, &corpus),
        symmetric.topic_word().select_rows(&order),
    )
    .unwrap();
    let other = plsa::fit_from(&corpus, &shuffled, &options, &mut Silent).unwrap();
    assert_all_close(&one.report.trace, &other.report.trace, 1e-12);
    assert_all_close(one.doc_topic.select_columns(&order).as_slice(), other.doc_topic.as_slice(), 1e-9);
}

/// p(z | d) of the parameters with topics in another order.
fn one_columns(start: &Parameters, order: &[usize], corpus: &Corpus) -> DMatrix<f64> {
    let none = PlsaOptions { max_iterations: 0, ..PlsaOptions::default() };
    let fitted = plsa::fit_from(corpus, start, &none, &mut Silent).unwrap();
    fitted.doc_topic.select_columns(order)
}

#[test]
fn folding_in_a_document_of_the_fit_gives_its_proportions() {
    let corpus = corpus(&random_counts(9, 7, 6));
    for prior in [1.0, 1.4] {
        let options = PlsaOptions {
            topics: 2,
            topic_prior: prior,
            tolerance: 0.0,
            max_iterations: 20_000,
            ..PlsaOptions::default()
        };
        let fitted = fit(&corpus, &options);
        for d in 0..9 {
            let theta = fitted.model.proportions(corpus.document(d));
            let row: Vec<f64> = fitted.doc_topic.row(d).iter().copied().collect();
            // Both stop short of the edge by about the square root of what their likelihoods can tell.
            for (a, b) in theta.iter().zip(&row) {
                assert_within(*a, *b, 1e-4);
            }
        }
    }
}

#[test]
fn tempering_predicts_held_out_words_better() {
    // Few tokens for many parameters.
    let corpus = corpus(&random_counts(40, 30, 7));
    let split = split_tokens(&corpus, 1).unwrap();
    let options = PlsaOptions { topics: 8, word_prior: 1.01, ..PlsaOptions::default() };
    let fitted = plsa::fit_tempered(&split.observed, &split.scored, &options, &Tempering::default()).unwrap();
    let report = &fitted.report;
    assert!(report.stages.windows(2).all(|pair| pair[0].held_out <= pair[1].held_out));
    assert!(report.stages.len() > 1 && report.exponent < 1.0, "{report:?}");
    let score = |theta: &DMatrix<f64>, phi: &DMatrix<f64>| {
        ln_likelihood(&split.scored, &[1.0; 40], theta, phi) / split.scored.tokens() as f64
    };
    let tempered = score(&fitted.doc_topic, fitted.model.topics().topic_word());
    assert_close(tempered, report.held_out, 1e-12);
    let full = fit(&split.observed, &options);
    assert!(tempered > score(&full.doc_topic, full.model.topics().topic_word()) + 0.1);
}

#[test]
fn threads_do_not_change_the_result() {
    let corpus = corpus(&random_counts(300, 90, 8));
    let options = PlsaOptions { topics: 10, max_iterations: 8, ..PlsaOptions::default() };
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(&corpus, &options))
    };
    let one = run(1);
    for threads in [2, 5] {
        assert_eq!(one, run(threads));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_objective_never_falls(
        seed in 0_u64..1000,
        topics in 1_usize..6,
        topic_prior in 1.0_f64..2.0,
        word_prior in 1.0_f64..2.0,
    ) {
        let mut counts = random_counts(6, 5, seed);
        counts[0][0] += 1;
        let corpus = corpus(&counts);
        let options = PlsaOptions { topics, topic_prior, word_prior, starts: 2, seed, ..PlsaOptions::default() };
        let fitted = fit(&corpus, &options);
        prop_assert!(fitted.report.falls.is_empty());
        prop_assert!(fitted.doc_topic.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p)));
        let weights = fitted.model.topics().weights();
        prop_assert!(weights.windows(2).all(|pair| pair[0] >= pair[1]));
    }
}
