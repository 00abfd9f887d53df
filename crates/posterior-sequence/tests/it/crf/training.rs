//! Training on all data at a time.

use std::ops::ControlFlow;

use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::{NewtonOptions, Objective as _, minimize_newton};
use posterior_sequence::crf::{
    CrfObjective, CrfVocabulary, Dataset, FeatureOptions, Features, TrainingOptions, fit, train_from,
    train_until,
};

use super::{all, rich, sentences};

/// Numbers without a pattern, in [-1, 1].
fn noise(i: usize) -> f64 {
    ((i * 7919 + 12345) as f64 * 0.618_033_988_749_895).fract() * 2.0 - 1.0
}

/// Points with three classes that overlap: one position each, three dense features, of which the first is 1.
fn points(n: usize) -> Dataset {
    let mut data = Dataset::with_vocabulary(CrfVocabulary::new().with_dense(3).with_labels(["a", "b", "c"]));
    for i in 0..n {
        let (x, y) = (noise(2 * i), noise(2 * i + 1));
        let mut sequence = data.sequence();
        sequence.present::<&str>([]).unwrap().dense(&[1.0, x, y]).unwrap();
        let sequence = sequence.finish();
        let side = x + 0.5 * y + noise(5 * i + 3);
        let label = if side < -0.4 {
            0
        } else if side < 0.4 {
            1
        } else {
            2
        };
        data.push_numbered(sequence, vec![label], 1.0).unwrap();
    }
    data
}

#[test]
fn of_one_position_it_is_logistic_regression() {
    let data = points(60);
    let features = Features::select(&data, &FeatureOptions::default()).unwrap();
    assert_eq!(features.len(), 9);
    let options = TrainingOptions { l2: 0.05, gradient_tolerance: 1e-12, ..TrainingOptions::default() };
    let fitted = fit(&data, features, &options, &mut Silent).unwrap();
    assert!(fitted.report.converged());
    // Newton's method with the Hessian of the textbook (Bishop 4.110), weights w[feature][class].
    let softmax = |w: &[f64], gradient: &mut [f64], hessian: &mut DMatrix<f64>| {
        let mut value = 0.0;
        hessian.fill(0.0);
        for (i, (g, w)) in gradient.iter_mut().zip(w).enumerate() {
            *g = 0.1 * w;
            hessian[(i, i)] = 0.1;
            value += 0.05 * w * w;
        }
        for (sequence, labels) in data.sequences().iter().zip(data.labels()) {
            let x = sequence.dense(0);
            let score = |k: usize| (0..3).map(|f| w[f * 3 + k] * x[f]).sum::<f64>();
            let z: f64 = (0..3).map(|k| score(k).exp()).sum();
            let p: Vec<f64> = (0..3).map(|k| score(k).exp() / z).collect();
            value -= p[labels[0]].ln();
            for i in 0..9 {
                let (f, k) = (i / 3, i % 3);
                gradient[i] += x[f] * (p[k] - f64::from(u8::from(labels[0] == k)));
                for j in 0..9 {
                    let (g, l) = (j / 3, j % 3);
                    let same = f64::from(u8::from(k == l));
                    hessian[(i, j)] += x[f] * x[g] * p[k] * (same - p[l]);
                }
            }
        }
        value
    };
    let newton = minimize_newton(softmax, &[0.0; 9], &NewtonOptions::default(), &mut Silent).model;
    let last = fitted.report.trace[fitted.report.iterations()];
    assert!((last - newton.value).abs() < 1e-10, "{last} {}", newton.value);
    for (found, expected) in fitted.model.weights().iter().zip(&newton.point) {
        assert!((found - expected).abs() < 1e-7, "{found} {expected}");
    }
}

#[test]
fn the_minimum_is_where_the_gradient_is_zero_and_the_trace_falls() {
    for data in [sentences(), rich()] {
        let features = Features::select(&data, &all()).unwrap();
        let options = TrainingOptions { l2: 0.2, gradient_tolerance: 1e-10, ..TrainingOptions::default() };
        let fitted = fit(&data, features.clone(), &options, &mut Silent).unwrap();
        assert!(fitted.report.converged());
        let mut gradient = vec![0.0; features.len()];
        let value =
            CrfObjective::new(&data, &features, 0.2).unwrap().evaluate(fitted.model.weights(), &mut gradient);
        assert_eq!(value, fitted.report.trace[fitted.report.iterations()]);
        assert!(gradient.iter().all(|g| g.abs() < 1e-8));
        // By rounding it may rise.
        assert!(fitted.report.trace.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-14)));
        // From there it goes no further.
        let again = train_from(fitted.model.clone(), &data, &options, &mut Silent).unwrap();
        assert_eq!((again.report.iterations(), &again.model), (0, &fitted.model));
    }
}

#[test]
fn absolute_penalties_make_weights_zero_where_they_should() {
    let data = sentences();
    let features = Features::select(&data, &all()).unwrap();
    let (l1, l2) = (0.3, 0.05);
    let options = TrainingOptions { l1, l2, gradient_tolerance: 1e-9, ..TrainingOptions::default() };
    let fitted = fit(&data, features.clone(), &options, &mut Silent).unwrap();
    assert!(fitted.report.converged(), "{:?}", fitted.report);
    let weights = fitted.model.weights();
    let mut gradient = vec![0.0; features.len()];
    let smooth = CrfObjective::new(&data, &features, l2).unwrap().evaluate(weights, &mut gradient);
    // The conditions of Karush, Kuhn and Tucker, which make it the minimum of a convex function.
    for (w, g) in weights.iter().zip(&gradient) {
        if *w == 0.0 {
            assert!(g.abs() <= l1 + 1e-7, "{g}");
        } else {
            assert!((g + l1 * w.signum()).abs() < 1e-7, "{w} {g}");
        }
    }
    let objective = smooth + l1 * weights.iter().map(|w| w.abs()).sum::<f64>();
    assert!((objective - fitted.report.trace[fitted.report.iterations()]).abs() < 1e-12);
    let nonzero = fitted.model.nonzero();
    assert!(nonzero > 0 && nonzero < features.len() / 2, "{nonzero} of {}", features.len());
    // So large a penalty that nothing pays.
    let none = fit(&data, features, &TrainingOptions { l1: 100.0, ..options }, &mut Silent).unwrap();
    assert_eq!(none.model.nonzero(), 0);
}

#[test]
fn a_tiny_absolute_penalty_leaves_the_minimum_where_it_is() {
    let data = sentences();
    let features = Features::select(&data, &all()).unwrap();
    let options = TrainingOptions { l2: 0.2, gradient_tolerance: 1e-9, ..TrainingOptions::default() };
    let smooth = fit(&data, features.clone(), &options, &mut Silent).unwrap();
    let penalised = fit(&data, features, &TrainingOptions { l1: 1e-9, ..options }, &mut Silent).unwrap();
    for (a, b) in smooth.model.weights().iter().zip(penalised.model.weights()) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}

#[test]
fn the_observer_sees_the_trace_and_can_stop() {
    let data = sentences();
    let features = Features::select(&data, &all()).unwrap();
    let mut seen = Vec::new();
    let mut observer = |step: &Step| {
        seen.push(step.objective);
        if step.iteration == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let fitted = fit(&data, features, &TrainingOptions::default(), &mut observer).unwrap();
    assert_eq!(fitted.report.stop, Stop::Observer);
    assert_eq!(seen, fitted.report.trace[1..]);
}

#[test]
fn held_out_sequences_end_the_training_at_their_best() {
    let data = points(40);
    let mut held_out = Dataset::with_vocabulary(data.vocabulary().clone().frozen());
    for i in 40..140 {
        let more = points(i + 1);
        held_out.push_numbered(more.sequences()[i].clone(), more.labels()[i].clone(), 1.0).unwrap();
    }
    // Features of each point alone, to overfit with.
    let mut crowded = Dataset::with_vocabulary(data.vocabulary().clone());
    for (i, labels) in data.labels().iter().enumerate() {
        let mut sequence = crowded.sequence();
        let point = format!("{i}");
        sequence.present([point]).unwrap().dense(data.sequences()[i].dense(0)).unwrap();
        let sequence = sequence.finish();
        crowded.push_numbered(sequence, labels.clone(), 1.0).unwrap();
    }
    let features = Features::select(&crowded, &all()).unwrap();
    let options = TrainingOptions { l2: 0.0, max_iterations: 200, ..TrainingOptions::default() };
    let early = train_until(&held_out, 3, &crowded, features.clone(), &options, &mut Silent).unwrap();
    assert_eq!(early.report.stop, Stop::Observer);
    let mut judge = CrfObjective::new(&held_out, &features, 0.0).unwrap();
    let best = judge.ln_likelihood(early.model.weights());
    // Every stop of a run without held-out sequences is no better up to there, and the end is worse.
    for steps in 0..=early.report.iterations() {
        let stopped = fit(
            &crowded,
            features.clone(),
            &TrainingOptions { max_iterations: steps, ..options },
            &mut Silent,
        )
        .unwrap();
        assert!(judge.ln_likelihood(stopped.model.weights()) <= best, "{steps}");
    }
    let late = fit(&crowded, features.clone(), &options, &mut Silent).unwrap();
    assert!(judge.ln_likelihood(late.model.weights()) < best - 1.0);
    assert!(train_until(&held_out, 0, &crowded, features.clone(), &options, &mut Silent).is_err());
    let nothing = Dataset::with_vocabulary(held_out.vocabulary().clone());
    assert!(train_until(&nothing, 3, &crowded, features, &options, &mut Silent).is_err());
}

#[test]
fn penalties_that_are_none_are_refused() {
    let data = sentences();
    let features = || Features::select(&data, &all()).unwrap();
    for options in [
        TrainingOptions { l1: -1.0, ..TrainingOptions::default() },
        TrainingOptions { l1: f64::NAN, ..TrainingOptions::default() },
        TrainingOptions { l2: -1.0, ..TrainingOptions::default() },
        TrainingOptions { l2: f64::INFINITY, ..TrainingOptions::default() },
    ] {
        assert!(fit(&data, features(), &options, &mut Silent).is_err());
    }
}

#[test]
fn shards_give_the_bits_of_any_number_of_threads() {
    // So many sequences that there are several shards; with the feature `rayon` on 1, 2 and 3 threads.
    let data = points(3000);
    let features = Features::select(&data, &FeatureOptions::default()).unwrap();
    let run = || {
        let mut gradient = vec![0.0; features.len()];
        let value = CrfObjective::new(&data, &features, 0.1).unwrap().evaluate(&[0.3; 9], &mut gradient);
        (value.to_bits(), gradient.into_iter().map(f64::to_bits).collect::<Vec<_>>())
    };
    let first = run();
    #[cfg(feature = "rayon")]
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(run), first, "{threads} threads");
    }
    assert_eq!(run(), first);
}
