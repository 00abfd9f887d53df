//! Training sequence by sequence: against training on all data at a time, by hand, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;

use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::optimize::{LbfgsOptions, Objective as _, minimize};
use posterior_sequence::crf::{
    Averaging, CrfObjective, CrfVocabulary, Dataset, FeatureOptions, Features, LabelEnds, PerceptronLearner,
    PerceptronOptions, SgdLearner, SgdOptions, WeightChoice, averaged_perceptron, sgd,
};
use proptest::prelude::*;
use rand::RngExt;

/// Sentences of a chain of three labels whose words, steps and dense numbers tell something of them.
fn sentences(count: usize, noise: f64, seed: u64) -> Dataset {
    let mut rng = posterior_dist::stream::stream(seed, &[]);
    let mut data = Dataset::with_vocabulary(CrfVocabulary::new().with_dense(1));
    for _ in 0..count {
        let mut label: usize = rng.random_range(0..3);
        let mut labels = Vec::new();
        let mut sentence = data.sequence();
        for t in 0..rng.random_range(1..8) {
            label = if rng.random_bool(0.8) { (label + 1) % 3 } else { rng.random_range(0..3) };
            let output = if rng.random_bool(noise) { rng.random_range(0..3) } else { label };
            let word = format!("word={}", 4 * output + rng.random_range(0..4));
            sentence.token([(word.as_str(), 1.0), ("bias", 0.5)]).unwrap();
            if t > 0 {
                sentence.step([("step", 1.0)]).unwrap();
            }
            sentence.dense(&[label as f64 - 1.0 + rng.random_range(-1.0..1.0)]).unwrap();
            labels.push(["A", "B", "C"][label]);
        }
        let sentence = sentence.finish();
        data.push(sentence, labels).unwrap();
    }
    data
}

fn all(data: &Dataset) -> Features {
    let options = FeatureOptions {
        states: WeightChoice::All,
        transitions: WeightChoice::All,
        ends: LabelEnds::Weighted,
        ..FeatureOptions::default()
    };
    Features::select(data, &options).unwrap()
}

fn objective(data: &Dataset, features: &Features, weights: &[f64]) -> f64 {
    CrfObjective::new(data, features, 1.0).unwrap().evaluate(weights, &mut vec![0.0; weights.len()])
}

#[test]
fn descent_comes_near_the_minimum_of_all_data_at_a_time() {
    let data = sentences(300, 0.3, 1);
    let features = all(&data);
    let zeros = vec![0.0; features.len()];
    let all_at_a_time = CrfObjective::new(&data, &features, 1.0).unwrap();
    let best = minimize(all_at_a_time, &zeros, &LbfgsOptions::default(), &mut Silent);
    let least = best.model.value;
    let start = objective(&data, &features, &zeros);
    for (averaging, proportion) in [(Averaging::Mean, 2e-4), (Averaging::Last, 5e-3)] {
        let options = SgdOptions { averaging, epochs: 60, tolerance: 0.0, seed: 3, ..SgdOptions::default() };
        let fitted = sgd(&data, features.clone(), &options, &mut Silent).unwrap();
        let reached = objective(&data, &features, fitted.model.weights());
        assert!(reached >= least - 1e-6);
        assert!(reached - least < proportion * (start - least), "{averaging:?} {reached} {least} {start}");
        // At weights 0 the estimate is exact.
        assert!((fitted.report.trace[0] - start).abs() < 1e-9 * start);
        assert_eq!(fitted.report.iterations(), 60);
    }
}

#[test]
fn one_step_by_hand() {
    let mut data = Dataset::new();
    let mut pair = data.sequence();
    pair.present(["a"]).unwrap().token([("b", 2.0)]).unwrap();
    let pair = pair.finish();
    data.push(pair, ["X", "Y"]).unwrap();
    let options = FeatureOptions {
        states: WeightChoice::All,
        transitions: WeightChoice::All,
        ..FeatureOptions::default()
    };
    let features = Features::select(&data, &options).unwrap();
    // λ = 2 l2/n = 2. All labels are as probable: p = 1/2 at each position, 1/4 of each pair.
    let mut learner = SgdLearner::new(features, &SgdOptions::default(), 0.1, 1).unwrap();
    let ln_p = learner.learn(&data.sequences()[0], &data.labels()[0], 1.0).unwrap();
    assert!((ln_p + 4_f64.ln()).abs() < 1e-14);
    let found = learner.weights();
    let wanted = [0.05, -0.05, -0.1, 0.1, -0.025, 0.075, -0.025, -0.025];
    for (own, wanted) in found.iter().zip(wanted) {
        assert!((own - wanted).abs() < 1e-15, "{found:?}");
    }
    // A sequence without weight only lets the weights shrink, by 1/(1 + λ rate).
    learner.learn(&data.sequences()[0], &data.labels()[0], 0.0).unwrap();
    let rate = 0.1 / 1.2_f64.powf(0.75);
    assert!((learner.weights()[0] - 0.05 / (1.0 + 2.0 * rate)).abs() < 1e-15);
}

#[test]
fn the_result_is_that_of_the_seed() {
    let data = sentences(40, 0.3, 2);
    let fit = |seed: u64| {
        let options = SgdOptions { epochs: 3, seed, ..SgdOptions::default() };
        sgd(&data, all(&data), &options, &mut Silent).unwrap().model
    };
    assert_eq!(fit(1), fit(1));
    assert_ne!(fit(1), fit(2));
    let walk = |seed: u64| {
        let options = PerceptronOptions { seed, ..PerceptronOptions::default() };
        averaged_perceptron(&data, all(&data), &options, &mut Silent).unwrap().model
    };
    assert_eq!(walk(1), walk(1));
    assert_ne!(walk(1), walk(2));
}

#[test]
fn a_perceptron_learns_what_can_be_separated() {
    let data = sentences(60, 0.0, 3);
    let fitted = averaged_perceptron(
        &data,
        all(&data),
        &PerceptronOptions { epochs: 100, ..PerceptronOptions::default() },
        &mut Silent,
    )
    .unwrap();
    assert_eq!(fitted.report.stop, Stop::Converged);
    assert_eq!(fitted.report.trace.last(), Some(&0.0));
    let wrong: usize = data
        .sequences()
        .iter()
        .zip(data.labels())
        .map(|(sequence, labels)| {
            let best = fitted.model.tag(sequence).states;
            best.iter().zip(labels).filter(|(best, label)| best != label).count()
        })
        .sum();
    // The mean of weights most of which separate.
    assert!(wrong * 50 < data.tokens(), "{wrong} of {}", data.tokens());
}

#[test]
fn a_perceptron_by_hand() {
    let mut data = Dataset::new();
    for (words, labels) in [(["a", "b"], ["X", "Y"]), (["b", "a"], ["X", "X"])] {
        let mut pair = data.sequence();
        pair.present([words[0]]).unwrap().present([words[1]]).unwrap();
        let pair = pair.finish();
        data.push(pair, labels).unwrap();
    }
    let features = Features::select(&data, &FeatureOptions::default()).unwrap();
    // (a, X), (b, X), (b, Y), X to X, X to Y.
    assert_eq!(features.len(), 5);
    let mut learner = PerceptronLearner::new(features);
    // All are as good, so X X: what X Y holds beyond it grows, what it holds beyond X Y falls.
    assert_eq!(learner.learn(&data.sequences()[0], &data.labels()[0], 1.0).unwrap(), 1);
    assert_eq!(learner.weights(), [0.0, -1.0, 1.0, -1.0, 1.0]);
    // "b a" has the scores X X -2, X Y 0, Y X 1, Y Y 1. Against Y X, (b, X) and X to X grow to 0, and (b, Y)
    // falls to 0.
    assert_eq!(learner.learn(&data.sequences()[1], &data.labels()[1], 1.0).unwrap(), 1);
    // The mean of (0, -1, 1, -1, 1) and (0, 0, 0, 0, 1).
    assert_eq!(learner.weights(), [0.0, -0.5, 0.5, -0.5, 1.0]);
}

#[test]
fn observers_see_epochs_and_may_stop() {
    let data = sentences(30, 0.3, 4);
    let mut seen = Vec::new();
    let mut observer = |step: &Step| {
        seen.push(step.objective);
        if step.iteration == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let fitted = sgd(&data, all(&data), &SgdOptions::default(), &mut observer).unwrap();
    assert_eq!(fitted.report.stop, Stop::Observer);
    assert_eq!(fitted.report.trace[1..], seen);
    let fitted =
        sgd(&data, all(&data), &SgdOptions { tolerance: 0.5, ..SgdOptions::default() }, &mut Silent).unwrap();
    assert!(fitted.report.converged());
    let none = SgdOptions { epochs: 0, ..SgdOptions::default() };
    let fitted = sgd(&data, all(&data), &none, &mut Silent).unwrap();
    assert!(fitted.model.weights().iter().all(|weight| *weight == 0.0));
}

#[test]
fn what_cannot_be_is_refused() {
    let data = sentences(5, 0.3, 5);
    let bad = [
        SgdOptions { l2: 0.0, ..SgdOptions::default() },
        SgdOptions { l2: f64::NAN, ..SgdOptions::default() },
        SgdOptions { first_step: Some(0.0), ..SgdOptions::default() },
        SgdOptions { first_step: Some(f64::INFINITY), ..SgdOptions::default() },
        SgdOptions { tolerance: -1.0, ..SgdOptions::default() },
    ];
    for options in bad {
        assert!(sgd(&data, all(&data), &options, &mut Silent).is_err(), "{options:?}");
    }
    let empty = Dataset::with_vocabulary(data.vocabulary().clone());
    assert!(sgd(&empty, all(&data), &SgdOptions::default(), &mut Silent).is_err());
    assert!(averaged_perceptron(&empty, all(&data), &PerceptronOptions::default(), &mut Silent).is_err());
    let mut learner = SgdLearner::new(all(&data), &SgdOptions::default(), 0.1, 5).unwrap();
    let sequence = &data.sequences()[0];
    assert!(learner.learn(sequence, &vec![0; sequence.len() + 1], 1.0).is_err());
    assert!(learner.learn(sequence, &vec![3; sequence.len()], 1.0).is_err());
    assert!(learner.learn(sequence, &vec![0; sequence.len()], f64::NAN).is_err());
    let mut walker = PerceptronLearner::new(all(&data));
    assert!(walker.learn(sequence, &vec![0; sequence.len() + 1], 1.0).is_err());
    assert!(walker.learn(sequence, &vec![0; sequence.len()], -1.0).is_err());
}

#[test]
fn empty_sequences_and_steps_too_long_are_no_trouble() {
    let mut data = sentences(20, 0.3, 6);
    let nothing = data.sequence().finish();
    data.push(nothing, Vec::<&str>::new()).unwrap();
    let fitted =
        sgd(&data, all(&data), &SgdOptions { epochs: 2, ..SgdOptions::default() }, &mut Silent).unwrap();
    assert!(fitted.report.trace.iter().all(|own| own.is_finite()));
    averaged_perceptron(&data, all(&data), &PerceptronOptions::default(), &mut Silent).unwrap();
    // A step of 1e300 is an error when scores overflow, and never NaN.
    if let Ok(fitted) = sgd(
        &data,
        all(&data),
        &(SgdOptions { first_step: Some(1e300), ..SgdOptions::default() }),
        &mut Silent,
    ) {
        assert!(fitted.model.weights().iter().all(|weight| weight.is_finite()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// A sequence of weight 2 is stepped twice as far, from the same place.
    #[test]
    fn a_step_is_as_long_as_its_weight(seed in 0..1000_u64, weight in 0.1..3.0_f64) {
        let data = sentences(1, 0.3, seed);
        let step = |weight: f64| {
            let mut learner = SgdLearner::new(all(&data), &SgdOptions::default(), 0.1, 1).unwrap();
            learner.learn(&data.sequences()[0], &data.labels()[0], weight).unwrap();
            learner.weights()
        };
        for (one, more) in step(1.0).iter().zip(step(weight)) {
            prop_assert!((weight * one - more).abs() < 1e-12);
        }
    }
}
