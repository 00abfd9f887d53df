//! Bounds of outcomes that are known from trials only.

use posterior_decision::Error;
use posterior_decision::optimization::{
    Acquisition, Axis, BetaSchedule, GpUcb, KnowledgeGradient, LnExpectedImprovement, MaxValueEntropy,
    Optimizer, OptimizerOptions, OutcomeConstraint, OutcomeNoise, ProbabilityOfImprovement, Space,
    ThompsonAcquisition,
};

const EXACT: OutcomeConstraint = OutcomeConstraint { bound: 0.0, noise: OutcomeNoise::None };

/// The unit square with so many constraints.
fn square(constraints: &[OutcomeConstraint], options: OptimizerOptions) -> Optimizer {
    let space = Space::new(&[Axis::Real { lower: 0.0, upper: 1.0 }; 2]).unwrap();
    Optimizer::new(space, OptimizerOptions { constraints: constraints.to_vec(), ..options }).unwrap()
}

/// The toy problem of Gramacy et al., Technometrics 58 (2016): the least x + y on a wavy shore and inside of
/// a circle is 0.5998, at (0.1954, 0.4044).
fn shore(point: &[f64]) -> (f64, [f64; 2]) {
    let (x, y) = (point[0], point[1]);
    let wave = (std::f64::consts::TAU * (x * x - 2.0 * y)).sin();
    (x + y, [1.5 - x - 2.0 * y - 0.5 * wave, x * x + y * y - 1.5])
}

#[test]
fn the_least_value_on_a_shore_is_found() {
    let mut regrets: Vec<f64> = (0..3)
        .map(|seed| {
            let options = OptimizerOptions { seed, refit_every: 2, ..OptimizerOptions::default() };
            let mut optimizer = square(&[EXACT; 2], options);
            for _ in 0..30 {
                let point = optimizer.ask(&LnExpectedImprovement).unwrap();
                let (value, constrained) = shore(&point);
                optimizer.tell_constrained(&point, value, &constrained).unwrap();
            }
            let (point, value) = optimizer.best().unwrap();
            assert!(shore(point).1.iter().all(|own| *own <= 0.0));
            assert_eq!(*optimizer.trace().last().unwrap(), value);
            value - 0.599_788
        })
        .collect();
    regrets.sort_by(f64::total_cmp);
    println!("{regrets:?}");
    assert!(regrets[0] > -1e-6 && regrets[1] < 1e-3, "{regrets:?}");
}

/// A twentieth of the square keeps the bound and no point that is known: the rule looks for one first.
#[test]
fn what_keeps_the_bounds_is_looked_for_first() {
    let distance = |point: &[f64]| (point[0] - 0.83).powi(2) + (point[1] - 0.21).powi(2) - 0.016;
    let mut optimizer = square(&[EXACT], OptimizerOptions::default());
    for point in [[0.1, 0.1], [0.1, 0.9], [0.5, 0.5], [0.9, 0.9], [0.3, 0.7], [0.6, 0.95]] {
        optimizer.tell_constrained(&point, point[0], &[distance(&point)]).unwrap();
    }
    assert!(optimizer.best().is_none() && optimizer.trace().iter().all(|best| best.is_infinite()));
    assert!(matches!(optimizer.recommend(), Err(Error::NoFeasible)));
    for _ in 0..19 {
        let point = optimizer.ask(&LnExpectedImprovement).unwrap();
        optimizer.tell_constrained(&point, point[0], &[distance(&point)]).unwrap();
    }
    let (_, value) = optimizer.best().unwrap();
    assert!(value - (0.83 - 0.016_f64.sqrt()) < 1e-2, "{value}");
    let recommended = optimizer.recommend().unwrap();
    assert!(
        distance(&recommended.point) <= 0.0 && (recommended.mean - value).abs() < 1e-3,
        "{recommended:?}"
    );
}

/// Noise on both, and failures: the point that is recommended keeps the bound of the function itself.
#[test]
fn noisy_bounds_are_smoothed() {
    let noisy = OutcomeConstraint { bound: 0.5, noise: OutcomeNoise::Variance(0.0025) };
    let options = OptimizerOptions { noise: OutcomeNoise::Variance(0.0025), ..OptimizerOptions::default() };
    let mut optimizer = square(&[noisy], options);
    for trial in 0..40 {
        let point = optimizer.ask(&LnExpectedImprovement).unwrap();
        let noise = if trial % 2 == 0 { 0.05 } else { -0.05 };
        if trial % 10 == 3 {
            optimizer.tell_failure(&point).unwrap();
        } else {
            // The least -x where x + y² is at most a half.
            let constrained = point[0] + point[1] * point[1] - noise;
            optimizer.tell_constrained(&point, -point[0] + noise, &[constrained]).unwrap();
        }
    }
    let found = optimizer.recommend().unwrap();
    let x = found.point[0];
    assert!((0.42..0.56).contains(&x) && x + found.point[1].powi(2) < 0.56, "{found:?}");
    let surrogates = optimizer.constraint_surrogates().unwrap();
    assert_eq!(surrogates.len(), 1);
    let mean = surrogates[0].predict(&[vec![0.4, 0.2]]).unwrap().mean[0];
    assert!((mean - 0.44).abs() < 0.05, "{mean}");
}

#[test]
fn what_can_not_be_is_refused() {
    let mut optimizer = square(&[EXACT; 2], OptimizerOptions::default());
    assert!(matches!(optimizer.constraint_surrogates(), Err(Error::NoValue)));
    let rules: [Box<dyn Acquisition>; 4] = [
        Box::new(GpUcb::new(BetaSchedule::Constant(4.0)).unwrap()),
        Box::new(ThompsonAcquisition::default()),
        Box::new(MaxValueEntropy::default()),
        Box::new(KnowledgeGradient::default()),
    ];
    for rule in rules {
        assert!(matches!(optimizer.ask(&*rule), Err(Error::Acquisition { .. })), "{rule:?}");
    }
    assert!(optimizer.pending().is_empty());
    optimizer.ask(&ProbabilityOfImprovement::new(0.0).unwrap()).unwrap();
    let at = [0.5, 0.5];
    optimizer.tell(&at, 1.0).unwrap_err();
    for constrained in [&[1.0][..], &[1.0; 3], &[0.0, f64::NAN], &[f64::INFINITY, 0.0], &[0.0, 1e301]] {
        optimizer.tell_constrained(&at, 1.0, constrained).unwrap_err();
    }
    optimizer.tell_constrained(&[0.5, 2.0], 1.0, &[0.0; 2]).unwrap_err();
    assert!(optimizer.trials().is_empty());
    for (bound, noise) in
        [(f64::NAN, OutcomeNoise::None), (1e301, OutcomeNoise::None), (0.0, OutcomeNoise::Variance(0.0))]
    {
        let constraints = vec![OutcomeConstraint { bound, noise }];
        let space = Space::new(&[Axis::Category { count: 2 }]).unwrap();
        Optimizer::new(space, OptimizerOptions { constraints, ..OptimizerOptions::default() }).unwrap_err();
    }
}

/// With a bound that everything keeps the points are those without one.
#[test]
fn a_bound_that_binds_nothing_changes_nothing() {
    let run = |constraints: &[OutcomeConstraint]| {
        let mut optimizer = square(constraints, OptimizerOptions::default());
        for _ in 0..10 {
            let point = optimizer.ask(&LnExpectedImprovement).unwrap();
            let (value, constrained) = shore(&point);
            optimizer.tell_constrained(&point, value, &constrained[..constraints.len()]).unwrap();
        }
        optimizer.trials().iter().map(|trial| trial.point.clone()).collect::<Vec<_>>()
    };
    let free = run(&[]);
    assert_eq!(run(&[OutcomeConstraint { bound: 1e9, ..EXACT }]), free);
    assert_ne!(run(&[OutcomeConstraint { bound: 0.5, ..EXACT }]), free);
}

/// Written and read after each step: the same questions to the bit.
#[cfg(feature = "serde")]
#[test]
fn a_file_goes_on_as_if_nothing_had_happened() {
    let noisy = OutcomeConstraint { bound: 0.1, noise: OutcomeNoise::Learned };
    let options = OptimizerOptions { refit_every: 3, ..OptimizerOptions::default() };
    let mut optimizer = square(&[EXACT, noisy], options);
    let mut resumed = optimizer.clone();
    for trial in 0..12 {
        let point = optimizer.ask(&LnExpectedImprovement).unwrap();
        resumed = serde_json::from_str(&serde_json::to_string(&resumed).unwrap()).unwrap();
        assert_eq!(resumed.ask(&LnExpectedImprovement).unwrap(), point);
        let (value, constrained) = shore(&point);
        for own in [&mut optimizer, &mut resumed] {
            if trial == 8 {
                own.tell_failure(&point).unwrap();
            } else {
                own.tell_constrained(&point, value, &constrained).unwrap();
            }
        }
        assert_eq!(resumed, optimizer);
    }
    let text = serde_json::to_string(&optimizer).unwrap();
    serde_json::from_str::<Optimizer>(&text.replacen("\"constrained\":[", "\"constrained\":[1.0,", 1))
        .unwrap_err();
    serde_json::from_str::<Optimizer>(&text.replacen("\"constraints\":[[", "\"constraints\":[[-1.0,", 1))
        .unwrap_err();
}
