//! The estimators against exact likelihoods.

use posterior_math::linalg::DMatrix;
use posterior_sampling::tempering::TemperatureSchedule;
use posterior_topics::held_out::{
    Annealed, Chib, HeldOutEstimate, LeftToRight, Particles, annealed, chib, exact, left_to_right,
};
use posterior_topics::{Corpus, Topics};

use super::{corpus, documents, random_topics, topics};

const ALPHA: [f64; 3] = [0.3, 0.8, 0.15];

fn three() -> Topics {
    topics(&[
        &[0.55, 0.30, 0.05, 0.05, 0.05],
        &[0.05, 0.10, 0.60, 0.20, 0.05],
        &[0.05, 0.05, 0.05, 0.15, 0.70],
    ])
}

fn unseen() -> Corpus {
    corpus(5, &[&[(0, 3), (1, 2), (2, 4), (4, 3)], &[(0, 1), (3, 8), (4, 1)], &[(2, 2), (4, 20)]])
}

/// How many standard errors the mean of the estimates of p(w) is from p(w).
fn deviations(estimate: &HeldOutEstimate, exact: &HeldOutEstimate) -> Vec<f64> {
    let pairs = estimate.ln_likelihood.iter().zip(&exact.ln_likelihood).zip(&estimate.standard_errors);
    pairs.map(|((ln, exact), error)| -(exact - ln).exp_m1() / error).collect()
}

/// All within 4 standard errors: a false alarm once in 15,000 documents. Errors are small enough for the
/// tails not to hide.
fn assert_unbiased(name: &str, unseen: &Corpus, estimate: &HeldOutEstimate) {
    let known = exact(&three(), &ALPHA, unseen, 10_000).unwrap();
    for (d, deviation) in deviations(estimate, &known).into_iter().enumerate() {
        assert!(deviation.abs() < 4.0, "{name}, document {d}: {deviation} standard errors");
        assert!(estimate.standard_errors[d] < 0.05, "{name}, document {d}: {}", estimate.standard_errors[d]);
    }
}

#[test]
fn left_to_right_is_unbiased_whatever_is_revisited() {
    for (particles, revisited) in [(1, 0), (1, usize::MAX), (5, 0), (5, 3), (5, usize::MAX)] {
        let options =
            LeftToRight { particles, revisited, runs: 20_000 / particles, seed: 4, ..LeftToRight::default() };
        let estimate = left_to_right(&three(), &ALPHA, &unseen(), &options).unwrap();
        assert_unbiased(&format!("{particles} particles, {revisited} revisited"), &unseen(), &estimate);
    }
    let alone = LeftToRight {
        particles: 1,
        scheme: Particles::Alone,
        runs: 20_000,
        seed: 9,
        ..LeftToRight::default()
    };
    assert_unbiased("alone", &unseen(), &left_to_right(&three(), &ALPHA, &unseen(), &alone).unwrap());
}

/// Many particles that go on alone do not find the likelihood: the mean of each prediction is over topics
/// that were drawn without the newest word. Without revisiting, the distribution of those topics is q(z) =
/// prod p(z_n | w_n, z_<n), and the limit a sum over assignments.
#[test]
fn particles_alone_have_a_bias_that_more_of_them_do_not_cure() {
    let phi = topics(&[&[0.9, 0.1], &[0.1, 0.9]]);
    let unseen = corpus(2, &[&[(0, 6), (1, 6)]]);
    let alpha = [0.2, 0.2];
    let known = exact(&phi, &alpha, &unseen, 100).unwrap();
    let run = |scheme| {
        let options = LeftToRight { revisited: 0, particles: 2_000, runs: 100, ..LeftToRight::default() };
        left_to_right(&phi, &alpha, &unseen, &LeftToRight { scheme, ..options }).unwrap()
    };
    let alone = deviations(&run(Particles::Alone), &known)[0];
    assert!(alone.abs() > 8.0, "{alone}");
    let resampled = deviations(&run(Particles::Resampled), &known)[0];
    assert!(resampled.abs() < 4.0, "{resampled}");
}

/// Shorter documents: the mean of a short chain's estimates is made by rare large ones.
fn short() -> Corpus {
    corpus(5, &[&[(0, 2), (2, 1), (4, 1)], &[(3, 3)], &[(2, 1), (3, 2), (4, 2)]])
}

#[test]
fn the_mode_s_posterior_is_unbiased() {
    for length in [1, 2, 3, 10] {
        let options = Chib { length, warm_up: 2, runs: 40_000, seed: 5, ..Chib::default() };
        let estimate = chib(&three(), &ALPHA, &short(), &options).unwrap();
        assert_unbiased(&format!("length {length}"), &short(), &estimate);
    }
}

#[test]
fn annealing_is_unbiased() {
    for steps in [2, 20] {
        let options = Annealed {
            runs: 40_000,
            seed: 6,
            ..Annealed::new(TemperatureSchedule::power(steps, 2.0).unwrap())
        };
        let estimate = annealed(&three(), &ALPHA, &short(), &options).unwrap();
        assert_unbiased(&format!("{steps} steps"), &short(), &estimate);
    }
}

/// All ways of asking, for documents of a realistic size.
fn all(topics: &Topics, alpha: &[f64], unseen: &Corpus) -> [HeldOutEstimate; 4] {
    let annealing = Annealed { runs: 20, ..Annealed::new(TemperatureSchedule::power(400, 2.0).unwrap()) };
    [
        left_to_right(topics, alpha, unseen, &LeftToRight::default()).unwrap(),
        left_to_right(topics, alpha, unseen, &LeftToRight { revisited: 20, ..LeftToRight::default() })
            .unwrap(),
        chib(topics, alpha, unseen, &Chib { length: 400, runs: 20, ..Chib::default() }).unwrap(),
        annealed(topics, alpha, unseen, &annealing).unwrap(),
    ]
}

#[test]
fn estimators_agree_and_rank_models_alike() {
    let truth = random_topics(8, 60, 0.1, 1);
    let unseen = documents(&truth, 0.3, (15, 60), 2);
    let noise = random_topics(8, 60, 0.1, 3);
    let blurred = |proportion: f64| {
        let phi = truth.topic_word() * (1.0 - proportion) + noise.topic_word() * proportion;
        Topics::new(
            truth.vocabulary().to_vec(),
            phi,
            truth.weights().to_vec(),
            truth.word_proportions().to_vec(),
        )
        .unwrap()
    };
    let models = [0.0, 0.1, 0.3, 0.6].map(blurred);
    let scores = models.each_ref().map(|model| all(model, &[0.3; 8], &unseen));
    for pair in scores.windows(2) {
        for (better, worse) in pair[0].iter().zip(&pair[1]) {
            assert!(better.perplexity() < worse.perplexity());
        }
    }
    for score in &scores {
        for other in &score[1..] {
            let error = score[0].total_standard_error().hypot(other.total_standard_error());
            let difference = (score[0].total() - other.total()).abs();
            // The logarithm's bias of half a squared error a document comes on top.
            let bias: f64 =
                other.standard_errors.iter().chain(&score[0].standard_errors).map(|e| e * e / 2.0).sum();
            assert!(difference < 4.0 * error + bias, "{difference} against {error} and {bias}");
        }
    }
}

#[test]
fn threads_do_not_matter_and_seeds_do() {
    let truth = random_topics(4, 20, 0.2, 1);
    let unseen = documents(&truth, 0.3, (7, 25), 2);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| all(&truth, &[0.3; 4], &unseen))
    };
    assert_eq!(on(1), on(3));
    let other = left_to_right(&truth, &[0.3; 4], &unseen, &LeftToRight { seed: 1, ..LeftToRight::default() })
        .unwrap();
    assert_ne!(other, on(1)[0]);
}

#[test]
fn a_word_without_a_topic_is_impossible_and_no_words_are_certain() {
    let phi = topics(&[&[0.5, 0.5, 0.0], &[0.1, 0.9, 0.0]]);
    let unseen = corpus(3, &[&[(0, 1), (2, 1)], &[], &[(1, 2)]]);
    let annealing = Annealed::new(TemperatureSchedule::power(5, 1.0).unwrap());
    for found in [
        exact(&phi, &[1.0, 1.0], &unseen, 10).unwrap(),
        left_to_right(&phi, &[1.0, 1.0], &unseen, &LeftToRight::default()).unwrap(),
        chib(&phi, &[1.0, 1.0], &unseen, &Chib::default()).unwrap(),
        annealed(&phi, &[1.0, 1.0], &unseen, &annealing).unwrap(),
    ] {
        assert_eq!(found.ln_likelihood[..2], [f64::NEG_INFINITY, 0.0]);
        assert!(found.ln_likelihood[2].is_finite());
        assert_eq!(found.perplexity(), f64::INFINITY);
    }
}

#[test]
fn extreme_concentrations_and_tiny_probabilities() {
    // All of the prior on one topic: p(w) is its unigram likelihood.
    let tiny = 1e-300;
    let phi = Topics::new(
        super::words(2),
        DMatrix::from_row_slice(2, 2, &[tiny, 1.0 - tiny, 1.0 - tiny, tiny]),
        vec![0.5, 0.5],
        vec![0.5, 0.5],
    )
    .unwrap();
    let unseen = corpus(2, &[&[(1, 30)]]);
    for alpha in [[1e150, 1e-150], [1e307, 1e-300]] {
        let options = LeftToRight::default();
        let found = left_to_right(&phi, &alpha, &unseen, &options).unwrap();
        assert!(found.ln_likelihood[0].abs() < 1e-9, "{found:?}");
        let found = chib(&phi, &alpha, &unseen, &Chib::default()).unwrap();
        assert!(found.ln_likelihood[0].abs() < 1e-9, "{found:?}");
        let found = exact(&phi, &alpha, &unseen, 100).unwrap();
        assert!(found.ln_likelihood[0].abs() < 1e-9, "{found:?}");
    }
}
