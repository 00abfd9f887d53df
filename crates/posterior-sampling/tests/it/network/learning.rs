//! Fields learned by sampling, against exact maximum likelihood.

use std::ops::ControlFlow;

use posterior_dist::AliasTable;
use posterior_dist::stream::stream;
use posterior_inference::JunctionTree;
use posterior_inference::learning::{LogLinearOptions, fit_log_linear};
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_pgm::{GraphicalModel, LogLinear, Records, Table, Variables};
use posterior_sampling::network::{Negative, SampledLearning, fit_by_sampling};
use rand::distr::Distribution;

use super::{var, voting};

/// One weight for "both vote 0" and one for "both vote 1", shared by the four friendships.
fn friendships() -> LogLinear {
    let both = |state: usize| {
        let values: Vec<f64> = (0..16)
            .map(|votes: usize| {
                let vote = |i: usize| votes >> (3 - i) & 1;
                (0..4).filter(|&i| vote(i) == state && vote((i + 1) % 4) == state).count() as f64
            })
            .collect();
        Table::new((0..4).map(var).collect(), vec![2; 4], values).unwrap()
    };
    LogLinear::new(Variables::numbered(&[2; 4]).unwrap(), vec![both(0), both(1)], vec![0.0; 2]).unwrap()
}

/// Polls of the vote, drawn exactly.
fn polls(n: usize, seed: u64) -> Records {
    let model = voting();
    let votes: Vec<Vec<usize>> = (0..16).map(|i| (0..4).map(|v| i >> (3 - v) & 1).collect()).collect();
    let weights: Vec<f64> = votes.iter().map(|votes: &Vec<usize>| model.ln_score(votes).exp()).collect();
    let distribution = AliasTable::from_weights(&weights).unwrap();
    let mut rng = stream(seed, &[]);
    let mut records = Records::new(Variables::numbered(&[2; 4]).unwrap());
    for _ in 0..n {
        let poll: Vec<Option<usize>> =
            votes[distribution.sample(&mut rng)].iter().map(|&vote| Some(vote)).collect();
        records.push(&poll).unwrap();
    }
    records
}

fn exact(model: LogLinear, records: &Records) -> Vec<f64> {
    let means = model.feature_means(records).unwrap();
    let options = LogLinearOptions::default();
    let fit = fit_log_linear(&JunctionTree::default(), model, &means, &options, &mut Silent).unwrap();
    fit.model.weights().to_vec()
}

/// Weights over several seeds: mean and standard error of the mean.
fn over_seeds(model: &LogLinear, records: &Records, options: SampledLearning) -> Vec<(f64, f64)> {
    let seeds = 8;
    let fits: Vec<Vec<f64>> = (0..seeds)
        .map(|seed| {
            let fit =
                fit_by_sampling(model.clone(), records, &SampledLearning { seed, ..options }, &mut Silent)
                    .unwrap();
            assert_eq!(fit.report.stop, Stop::MaxIterations);
            fit.model.weights().to_vec()
        })
        .collect();
    (0..model.weights().len())
        .map(|k| {
            let mean = fits.iter().map(|w| w[k]).sum::<f64>() / seeds as f64;
            let variance = fits.iter().map(|w| (w[k] - mean).powi(2)).sum::<f64>() / (seeds - 1) as f64;
            (mean, (variance / seeds as f64).sqrt())
        })
        .collect()
}

#[test]
fn persistent_chains_find_the_weights_of_greatest_likelihood() {
    let records = polls(2000, 1);
    let model = friendships();
    let best = exact(model.clone(), &records);
    // And these are near the truth, ln 5 and ln 10.
    assert!((best[0] - 5_f64.ln()).abs() < 0.3 && (best[1] - 10_f64.ln()).abs() < 0.3, "{best:?}");
    let options = SampledLearning { steps: 1500, ..SampledLearning::default() }.with_rate(0.3, 100.0);
    for (k, (mean, error)) in over_seeds(&model, &records, options).into_iter().enumerate() {
        assert!((mean - best[k]).abs() < 5.0 * error, "{k}: {mean} ± {error}, not {}", best[k]);
        assert!(error < 0.03, "{error}");
    }
}

#[test]
fn saturated_fields_of_mixed_states_are_learned_too() {
    let variables = Variables::numbered(&[2, 3]).unwrap();
    let mut records = Records::new(variables.clone());
    for (states, count) in [([0, 0], 30), ([0, 1], 10), ([0, 2], 20), ([1, 0], 5), ([1, 1], 25), ([1, 2], 10)]
    {
        for _ in 0..count {
            records.push(&states.map(Some)).unwrap();
        }
    }
    let model = LogLinear::indicators(variables, &[vec![var(0), var(1)]]).unwrap();
    // The first cell has weight 0, the others the logarithms of their odds against it.
    let best: Vec<f64> = [10.0, 20.0, 5.0, 25.0, 10.0].map(|count: f64| (count / 30.0).ln()).to_vec();
    for negative in [Negative::Persistent, Negative::Contrastive] {
        let options =
            (SampledLearning { negative, sweeps: 10, ..SampledLearning::default() }).with_rate(2.0, 100.0);
        let fits = over_seeds(&model, &records, options);
        for (k, (mean, error)) in fits.into_iter().enumerate() {
            assert!(
                (mean - best[k]).abs() < 5.0 * error + 0.01,
                "{negative:?} {k}: {mean} ± {error}, not {}",
                best[k]
            );
        }
    }
}

/// The bias of contrastive divergence falls with its sweeps.
#[test]
fn more_sweeps_less_bias() {
    let records = polls(2000, 2);
    let model = friendships();
    let best = exact(model.clone(), &records);
    let off = |sweeps| {
        let options = SampledLearning {
            negative: Negative::Contrastive,
            sweeps,
            steps: 800,
            ..SampledLearning::default()
        }
        .with_rate(0.5, 100.0);
        let fits = over_seeds(&model, &records, options);
        fits.iter().zip(&best).map(|((mean, _), best)| (mean - best).abs()).fold(0.0, f64::max)
    };
    assert!(off(20) < 0.05, "{}", off(20));
}

#[test]
fn an_observer_may_stop_and_penalties_shrink() {
    let (records, model) = (polls(500, 3), friendships());
    let options = SampledLearning { steps: 50, ..SampledLearning::default() };
    let mut steps = 0;
    let mut stop_early = |step: &Step| {
        steps += 1;
        if step.iteration == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let fit = fit_by_sampling(model.clone(), &records, &options, &mut stop_early).unwrap();
    assert_eq!((steps, fit.report.stop, fit.report.trace.len()), (5, Stop::Observer, 6));
    let [free, held] = [0.0, 1.0].map(|penalty| {
        let options = SampledLearning { steps: 500, penalty, ..SampledLearning::default() };
        fit_by_sampling(model.clone(), &records, &options, &mut Silent).unwrap().model.weights()[1]
    });
    assert!(held < 0.7 * free, "{held} {free}");
}

#[test]
fn what_cannot_be_learned_is_refused() {
    let (records, model) = (polls(10, 4), friendships());
    let ask = |options: SampledLearning| {
        fit_by_sampling(model.clone(), &records, &options, &mut Silent).unwrap_err().to_string()
    };
    assert_eq!(
        ask(SampledLearning { particles: 0, ..SampledLearning::default() }),
        "SampledLearning: particles = 0 must be positive"
    );
    assert!(ask(SampledLearning::default().with_rate(f64::NAN, 1.0)).contains("rate = NaN"));
    assert!(ask(SampledLearning { averaged: 1.5, ..SampledLearning::default() }).contains("averaged = 1.5"));
    let none = Records::new(model.variables().clone());
    assert!(fit_by_sampling(model, &none, &SampledLearning::default(), &mut Silent).is_err());
}
