//! Weights, populations, rejection and approximations of nothing, of one, and of what is not a number.

use posterior_dist::Normal;
use posterior_dist::stream::stream;
use posterior_dist::target::{FromFn, FromGradFn, OnTheLine};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_sampling::importance::{
    ImportanceWeights, Resampling, importance_sampling, leave_one_out, pareto_smoothed, widely_applicable,
};
use posterior_sampling::metropolis::{AdaptiveWalk, RandomWalk};
use posterior_sampling::rejection::{
    AdaptiveRejection, AdaptiveRejectionOptions, RejectionOptions, rejection,
};
use posterior_sampling::tempering::{
    AnnealedImportance, Flat, ParallelTempering, SequentialMonteCarlo, Steps, TemperatureSchedule, Tempered,
};
use posterior_sampling::variational::Advi;
use posterior_sampling::{Error, Run, Start};

use super::ODD;

const NEVER: f64 = f64::NEG_INFINITY;

#[test]
fn weights_are_numbers_and_not_all_zero() {
    for bad in [vec![f64::NAN], vec![0.0, f64::INFINITY], vec![f64::NAN, NEVER]] {
        assert!(matches!(ImportanceWeights::from_ln(bad), Err(Error::Parameter(_))));
    }
    assert!(matches!(ImportanceWeights::from_ln(vec![]), Err(Error::NoWeight { draws: 0 })));
    assert!(matches!(ImportanceWeights::from_ln(vec![NEVER; 3]), Err(Error::NoWeight { draws: 3 })));
    let huge = ImportanceWeights::from_ln(vec![f64::MAX, -f64::MAX]).unwrap();
    assert_eq!((huge.normalised(), huge.ess()), (&[1.0, 0.0][..], 1.0));
    assert!(huge.mean(&[1.0]).is_err() && huge.mean(&[f64::NAN, 0.0]).is_err());
    assert_eq!(huge.mean(&[2.0, f64::NAN]).unwrap().value, 2.0);
}

#[test]
fn one_draw_has_no_standard_error() {
    let one = ImportanceWeights::from_ln(vec![0.0]).unwrap();
    for estimate in [one.mean(&[3.0]).unwrap(), one.plain_mean(&[3.0]).unwrap()] {
        assert!(estimate.value == 3.0 && estimate.standard_error.is_nan(), "{estimate:?}");
    }
    assert!(one.ln_mean().is_err());
}

#[test]
fn resampling_takes_weights_that_have_a_sum() {
    let schemes =
        [Resampling::Multinomial, Resampling::Residual, Resampling::Stratified, Resampling::Systematic];
    for scheme in schemes {
        let mut rng = stream(1, &[]);
        for bad in [vec![], vec![0.0; 3], vec![f64::NAN, 1.0], vec![-1.0, 2.0], vec![f64::MAX; 2]] {
            assert!(scheme.indices(&bad, 3, &mut rng).is_err(), "{scheme:?} {bad:?}");
        }
        assert_eq!(scheme.indices(&[1.0], 0, &mut rng).unwrap(), [0; 0]);
        let tiny = f64::MIN_POSITIVE / 1e10;
        for weights in [[0.0, 1.0, 0.0], [0.0, tiny, 0.0], [0.0, f64::MAX, 0.0]] {
            assert_eq!(scheme.indices(&weights, 1000, &mut rng).unwrap(), [1; 1000], "{scheme:?}");
        }
    }
}

#[test]
fn smoothed_weights_are_numbers() {
    for efficiency in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        assert!(pareto_smoothed(vec![0.0, 1.0], efficiency).is_err(), "{efficiency}");
    }
    assert!(pareto_smoothed(vec![], 1.0).is_err() && pareto_smoothed(vec![NEVER; 9], 1.0).is_err());
    let line = |n: usize, slope: f64| (0..n).map(|s| slope * s as f64).collect::<Vec<f64>>();
    let mut all = vec![vec![0.0], vec![0.0, NEVER], vec![7.0; 50], line(100, 1e300), line(100, -1e305)];
    all.extend((2..40).map(|n| line(n, 0.3)));
    all.push([vec![0.0; 99], vec![1e-16]].concat());
    all.push([vec![NEVER; 99], line(30, 1.0)].concat());
    for ln_weights in all {
        for efficiency in [1e-300, 1.0, 1e300] {
            let smoothed = pareto_smoothed(ln_weights.clone(), efficiency).unwrap();
            let weights = smoothed.weights.normalised();
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{ln_weights:?} {weights:?}");
            assert!(!smoothed.shape.is_nan() && smoothed.tail <= ln_weights.len());
        }
    }
}

#[test]
fn cross_validation_needs_draws_and_observations() {
    for (rows, columns) in [(0, 0), (0, 3), (1, 3), (5, 0)] {
        let nothing = DMatrix::zeros(rows, columns);
        assert!(leave_one_out(&nothing, 1.0).is_err() && widely_applicable(&nothing).is_err());
    }
    for odd in [f64::NAN, f64::INFINITY, NEVER] {
        let mut matrix = DMatrix::from_element(6, 2, -1.0);
        matrix[(4, 1)] = odd;
        for refused in [leave_one_out(&matrix, 1.0).map(drop), widely_applicable(&matrix).map(drop)] {
            assert!(matches!(refused, Err(Error::LnLikelihood { draw: 4, observation: 1, .. })));
        }
    }
    let single = leave_one_out(&DMatrix::from_element(6, 1, -1.0), 1.0).unwrap();
    assert!((single.elpd.value + 1.0).abs() < 1e-14 && single.elpd.standard_error.is_nan());
}

fn prior() -> OnTheLine<Normal> {
    OnTheLine::new(Normal::mean_sd(0.0, 1.0).unwrap()).unwrap()
}

#[test]
fn importance_sampling_of_nothing_is_refused() {
    let mut rng = stream(1, &[]);
    let target = FromFn::new(1, |_: &[f64]| 0.0);
    assert!(matches!(importance_sampling(&target, &prior(), 0, &mut rng), Err(Error::NoWeight { draws: 0 })));
    let other = FromFn::new(2, |_: &[f64]| 0.0);
    assert!(matches!(importance_sampling(&other, &prior(), 9, &mut rng), Err(Error::Dimension { .. })));
    for odd in [f64::NAN, f64::INFINITY, NEVER] {
        let nowhere = FromFn::new(1, move |_: &[f64]| odd);
        let refused = importance_sampling(&nowhere, &prior(), 9, &mut rng);
        assert!(matches!(refused, Err(Error::NoWeight { draws: 9 })), "{odd}");
    }
}

#[test]
fn populations_of_nothing_are_refused() {
    let likelihood = FromFn::new(1, |x: &[f64]| -(x[0] - 1.0).powi(2));
    let walk = || RandomWalk::new(0.5).map_err(Error::from);
    let small =
        SequentialMonteCarlo { particles: 8, islands: 2, moves: 1, ..SequentialMonteCarlo::default() };
    let options = [
        SequentialMonteCarlo { particles: 0, ..small.clone() },
        SequentialMonteCarlo { islands: 0, ..small.clone() },
        SequentialMonteCarlo { moves: 0, ..small.clone() },
        SequentialMonteCarlo { resample_below: f64::NAN, ..small.clone() },
        SequentialMonteCarlo { target_accept: 1.0, ..small.clone() },
        SequentialMonteCarlo {
            steps: Steps::ConditionalEss { proportion: f64::NAN, most: 9 },
            ..small.clone()
        },
        SequentialMonteCarlo { steps: Steps::ConditionalEss { proportion: 0.5, most: 0 }, ..small.clone() },
    ];
    for options in options {
        let refused = options.run(&prior(), &likelihood, |_| walk()).unwrap_err();
        assert!(matches!(refused, Error::Parameter(_)), "{refused}");
    }
    for odd in [f64::NAN, f64::INFINITY, NEVER] {
        let nowhere = FromFn::new(1, move |_: &[f64]| odd);
        let refused = small.run(&prior(), &nowhere, |_| walk()).unwrap_err();
        assert!(matches!(refused, Error::NoWeight { draws: 8 }), "{refused}");
        let annealed = AnnealedImportance {
            paths: 8,
            ..AnnealedImportance::new(TemperatureSchedule::power(3, 1.0).unwrap())
        };
        let refused = annealed.run(&prior(), &nowhere, |_| walk()).unwrap_err();
        assert!(matches!(refused, Error::NoWeight { draws: 8 }), "{refused}");
        assert!(AnnealedImportance { paths: 0, ..annealed }.run(&prior(), &likelihood, |_| walk()).is_err());
    }
    // One particle, one population: an answer without an error bar, no panic.
    let one = SequentialMonteCarlo { particles: 1, islands: 1, ..small }
        .run(&prior(), &likelihood, |_| walk())
        .unwrap();
    assert!(one.ln_evidence().ln_value.is_finite() && one.ln_evidence().standard_error.is_nan());
    assert!(one.expectation(|x| x[0]).unwrap().standard_error.is_nan());
}

#[test]
fn schedules_and_ladders_that_do_not_lead_anywhere_are_refused() {
    let bad = [
        vec![],
        vec![0.0],
        vec![1.0],
        vec![0.0, f64::NAN, 1.0],
        vec![0.0, 0.5, 0.5, 1.0],
        vec![0.0, 2.0, 1.0],
    ];
    for betas in bad {
        assert!(TemperatureSchedule::new(betas.clone()).is_err(), "{betas:?}");
    }
    assert!(TemperatureSchedule::power(0, 2.0).is_err() && TemperatureSchedule::power(10, 1e9).is_err());
    for odd in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        assert!(TemperatureSchedule::power(4, odd).is_err());
    }
    for odd in [f64::NAN, f64::INFINITY, -1e-300] {
        assert!(Tempered::new(Flat::new(1), Flat::new(1), odd).is_err());
    }
    assert!(matches!(Tempered::new(Flat::new(1), Flat::new(2), 1.0), Err(Error::Dimension { .. })));
    let bad: [&[f64]; 6] = [&[], &[1.0], &[0.5, 0.1], &[1.0, 1.0], &[1.0, f64::NAN], &[1.0, -0.5]];
    for betas in bad {
        assert!(ParallelTempering::new(AdaptiveWalk::default(), betas).is_err(), "{betas:?}");
    }
    for (levels, smallest) in [(0, 0.1), (1, 0.1), (3, 0.0), (3, 1.0), (3, f64::NAN)] {
        assert!(ParallelTempering::geometric(AdaptiveWalk::default(), levels, smallest).is_err());
    }
    // Down to a flat distribution, which is improper: the hot chain drifts, and stays among the numbers.
    let target = Tempered::new(Flat::new(1), FromFn::new(1, |x: &[f64]| -x[0] * x[0]), 1.0).unwrap();
    let ladder = ParallelTempering::new(AdaptiveWalk::default(), &[1.0, 0.5, 0.0]).unwrap();
    let run = Run { chains: 1, warm_up: 3000, draws: 100, ..Run::default() };
    let reference = Tempered::new(Flat::new(1), target.likelihood(), 1.0).unwrap();
    let draws = run.sample(&reference, &ladder, &Start::default()).unwrap().draws;
    assert!(draws.parameter(0).concat().iter().all(|x| x.is_finite()));
}

#[test]
fn rejection_without_a_bound_or_an_end_is_refused() {
    let distribution = Normal::mean_sd(0.0, 1.0).unwrap();
    let mut rng = stream(1, &[]);
    for bound in [f64::NAN, f64::INFINITY, NEVER] {
        let options = RejectionOptions { ln_bound: bound, ..RejectionOptions::default() };
        assert!(rejection(&distribution, |_: &f64| 0.0, 5, &options, &mut rng).is_err());
    }
    for draws in [0, 1] {
        assert!(
            rejection(&distribution, |_: &f64| 0.0, draws, &RejectionOptions::default(), &mut rng).is_err()
        );
    }
    for attempts in [0, 10] {
        let options = RejectionOptions { max_attempts: attempts, ..RejectionOptions::default() };
        let refused = rejection(&distribution, |_: &f64| NEVER, 5, &options, &mut rng).map(drop);
        assert!(matches!(refused, Err(Error::Attempts { accepted: 0, .. })));
    }
    for odd in [f64::NAN, f64::INFINITY] {
        assert!(
            rejection(&distribution, move |_: &f64| odd, 5, &RejectionOptions::default(), &mut rng).is_err()
        );
    }
}

#[test]
fn adaptive_rejection_on_no_support_is_refused() {
    let normal = |x: f64| (-0.5 * x * x, -x);
    let bad = [(f64::NAN, 1.0), (0.0, f64::NAN), (1.0, 1.0), (2.0, 1.0), (f64::INFINITY, NEVER)];
    for support in bad {
        assert!(AdaptiveRejection::with_derivative(normal, support, 1.0).is_err(), "{support:?}");
    }
    for start in [f64::NAN, f64::INFINITY, 5.0, -5.0, 9.0] {
        assert!(AdaptiveRejection::with_derivative(normal, (-5.0, 5.0), start).is_err());
    }
    for odd in ODD {
        // A density that is odd everywhere: flat over a finite support if it is a number.
        let made = AdaptiveRejection::with_derivative(move |_| (odd, 0.0), (-5.0, 5.0), 0.5);
        if let Ok(made) = made {
            let options =
                AdaptiveRejectionOptions { max_attempts: 1000, ..AdaptiveRejectionOptions::default() };
            match made.with_options(options).draws(20, &mut stream(2, &[])) {
                Ok(draws) => assert!(draws.iter().all(|x| x.abs() < 5.0), "{odd}"),
                // Beside such numbers the envelope is lost in rounding.
                Err(why) => {
                    assert!(odd.abs() == f64::MAX && matches!(why, Error::Attempts { .. }), "{odd}: {why}");
                }
            }
        }
        let endless = AdaptiveRejection::with_derivative(move |_| (odd, 0.0), (NEVER, f64::INFINITY), 0.5);
        assert!(endless.is_err(), "{odd}");
    }
    let made = AdaptiveRejection::with_derivative(normal, (NEVER, f64::INFINITY), 0.5).unwrap();
    let options =
        AdaptiveRejectionOptions { max_attempts: 0, max_knots: 0, ..AdaptiveRejectionOptions::default() };
    let refused = made.with_options(options).sample(&mut stream(2, &[]));
    assert!(matches!(refused, Err(Error::Attempts { .. })));
}

#[test]
fn approximations_without_a_start_or_a_step_are_refused() {
    let target = FromGradFn::new(1, |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = -x[0];
        -0.5 * x[0] * x[0]
    });
    let fit = |options: Advi, start: &[f64]| options.fit(&target, start, &mut stream(1, &[]), &mut Silent);
    for odd in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        assert!(fit(Advi { initial_sd: odd, ..Advi::default() }, &[0.0]).is_err());
        assert!(fit(Advi { tolerance: odd, ..Advi::default() }, &[0.0]).is_err());
        assert!(fit(Advi { rate: odd, ..Advi::default() }, &[0.0]).is_err());
    }
    assert!(fit(Advi { rate: 1.1, ..Advi::default() }, &[0.0]).is_err());
    assert!(fit(Advi { pairs: 0, ..Advi::default() }, &[0.0]).is_err());
    assert!(matches!(fit(Advi::default(), &[]), Err(Error::Dimension { .. })));
    for odd in [f64::NAN, f64::INFINITY] {
        assert!(fit(Advi::default(), &[odd]).is_err_and(|why| why.is_start()), "{odd}");
    }
    assert!(fit(Advi { max_iterations: 0, ..Advi::default() }, &[0.0]).is_ok());
}
