//! Asking and telling: nothing twice, failures, pending points, noise, and going on from a file.

use posterior_decision::Error;
use posterior_decision::optimization::{
    Acquisition, Axis, BetaSchedule, ExpectedImprovement, GpUcb, KnowledgeGradient, LinearConstraint,
    LnExpectedImprovement, MaxValueEntropy, Optimizer, OptimizerOptions, OutcomeNoise,
    ProbabilityOfImprovement, Space, ThompsonAcquisition,
};

use super::branin;

type Function = fn(&[f64]) -> f64;

fn rules() -> Vec<Box<dyn Acquisition>> {
    vec![
        Box::new(LnExpectedImprovement),
        Box::new(ExpectedImprovement),
        Box::new(ProbabilityOfImprovement::new(0.01).unwrap()),
        Box::new(GpUcb::new(BetaSchedule::Constant(4.0)).unwrap()),
        Box::new(ThompsonAcquisition::new(64).unwrap()),
        Box::new(MaxValueEntropy::default()),
        Box::new(KnowledgeGradient::default()),
    ]
}

fn square(side: f64) -> Space {
    Space::new(&[Axis::Real { lower: -side, upper: side }, Axis::Real { lower: -side, upper: side }]).unwrap()
}

/// 12 points, each of them once, whatever the rule; then none is left.
#[test]
fn a_small_space_is_tried_point_by_point() {
    let space = Space::new(&[Axis::Integer { lower: -1, upper: 2 }, Axis::Category { count: 3 }]).unwrap();
    for rule in rules() {
        let mut optimizer = Optimizer::new(space.clone(), OptimizerOptions::default()).unwrap();
        let mut tried: Vec<Vec<f64>> = Vec::new();
        for _ in 0..12 {
            let point = optimizer.ask(&*rule).unwrap();
            space.check(&point).unwrap();
            assert!(!tried.contains(&point), "{rule:?} {point:?}");
            optimizer.tell(&point, point[0] * point[0] + point[1]).unwrap();
            tried.push(point);
        }
        assert!(matches!(optimizer.ask(&*rule), Err(Error::Exhausted)));
        assert_eq!(optimizer.best().unwrap(), (&[0.0, 0.0][..], 0.0));
    }
}

/// With noise a point may be tried again, and a space of two points has to.
#[test]
fn under_noise_points_come_again() {
    let space = Space::new(&[Axis::Category { count: 2 }]).unwrap();
    let options = OptimizerOptions { noise: OutcomeNoise::Variance(0.01), ..OptimizerOptions::default() };
    let mut optimizer = Optimizer::new(space, options).unwrap();
    for trial in 0..8 {
        let point = optimizer.ask(&LnExpectedImprovement).unwrap();
        let noise = if trial % 2 == 0 { 0.1 } else { -0.1 };
        optimizer.tell(&point, point[0] + noise).unwrap();
    }
    let recommended = optimizer.recommend().unwrap();
    assert_eq!(recommended.point, [0.0]);
    assert!(recommended.mean.abs() < 0.1 && recommended.sd < 0.1, "{recommended:?}");
}

/// Points that are pending are not asked for again and keep others away.
#[test]
fn several_points_for_parallel_trials_differ() {
    let mut optimizer = Optimizer::new(square(1.0), OptimizerOptions::default()).unwrap();
    for _ in 0..6 {
        let point = optimizer.ask(&LnExpectedImprovement).unwrap();
        optimizer.tell(&point, point[0] * point[0] + point[1]).unwrap();
    }
    let batch: Vec<Vec<f64>> = (0..4).map(|_| optimizer.ask(&LnExpectedImprovement).unwrap()).collect();
    assert_eq!(optimizer.pending(), batch);
    for (i, a) in batch.iter().enumerate() {
        for b in &batch[..i] {
            let distance = (a[0] - b[0]).hypot(a[1] - b[1]);
            assert!(distance > 1e-4, "{batch:?}");
        }
    }
    optimizer.tell(&batch[2], 1.0).unwrap();
    assert_eq!(optimizer.pending().len(), 3);
}

/// The left half fails, and the least value there would be lower.
#[test]
fn failures_are_avoided() {
    let space = Space::new(&[Axis::Real { lower: -1.0, upper: 1.0 }]).unwrap();
    let mut optimizer = Optimizer::new(space, OptimizerOptions::default()).unwrap();
    let mut failures = 0;
    for _ in 0..16 {
        let point = optimizer.ask(&LnExpectedImprovement).unwrap();
        if point[0] < 0.0 {
            failures += 1;
            optimizer.tell_failure(&point).unwrap();
        } else {
            optimizer.tell(&point, point[0]).unwrap();
        }
    }
    let (point, value) = optimizer.best().unwrap();
    assert_eq!(point[0], value);
    assert!(value < 0.05 && failures < 10, "{value} {failures}");
    // All fail: the design goes on.
    let mut optimizer = Optimizer::new(square(1.0), OptimizerOptions::default()).unwrap();
    for _ in 0..10 {
        let point = optimizer.ask(&LnExpectedImprovement).unwrap();
        optimizer.tell_failure(&point).unwrap();
    }
    assert!(optimizer.best().is_none() && optimizer.trace().iter().all(|best| *best == f64::INFINITY));
    assert!(matches!(optimizer.recommend(), Err(Error::NoValue)));
}

/// Constant functions, and values of all sizes: choices do not depend on units.
#[test]
fn units_do_not_matter() {
    let run = |scale: f64, shift: f64| {
        let mut optimizer = Optimizer::new(square(1.0), OptimizerOptions::default()).unwrap();
        for _ in 0..9 {
            let point = optimizer.ask(&LnExpectedImprovement).unwrap();
            let value = scale * (point[0] * point[0] + point[1] + shift);
            optimizer.tell(&point, value).unwrap();
        }
        optimizer.trials().iter().map(|trial| trial.point.clone()).collect::<Vec<_>>()
    };
    let plain = run(1.0, 0.0);
    for points in [run(2_f64.powi(500), 0.0), run(2_f64.powi(-500), 0.0)] {
        for (a, b) in plain.iter().flatten().zip(points.iter().flatten()) {
            assert!((a - b).abs() < 1e-6, "{a} {b}");
        }
    }
    assert_eq!(run(0.0, 0.0).len(), 9);
}

#[test]
fn a_learning_rate_is_found_on_its_logarithmic_axis() {
    let space = Space::new(&[
        Axis::Log { lower: 1e-6, upper: 1.0 },
        Axis::Integer { lower: 1, upper: 20 },
        Axis::Category { count: 3 },
    ])
    .unwrap();
    let mut optimizer =
        Optimizer::new(space, OptimizerOptions { seed: 3, ..OptimizerOptions::default() }).unwrap();
    let function = |p: &[f64]| {
        (p[0].log10() + 3.0).powi(2) + 0.05 * (p[1] - 7.0).powi(2) + if p[2] == 1.0 { 0.0 } else { 1.0 }
    };
    for _ in 0..35 {
        let point = optimizer.ask(&LnExpectedImprovement).unwrap();
        optimizer.tell(&point, function(&point)).unwrap();
    }
    let (point, value) = optimizer.best().unwrap();
    assert!(value < 0.05 && point[1] == 7.0 && point[2] == 1.0, "{point:?} {value}");
}

#[test]
fn what_can_not_be_is_refused() {
    let real = |lower, upper| Space::new(&[Axis::Real { lower, upper }]);
    for (lower, upper) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (-1e308, 1e308)] {
        real(lower, upper).unwrap_err();
    }
    for axis in [
        Axis::Log { lower: 0.0, upper: 1.0 },
        Axis::Integer { lower: 3, upper: 3 },
        Axis::Integer { lower: i64::MIN, upper: i64::MAX },
        Axis::Category { count: 1 },
        Axis::Category { count: 65 },
    ] {
        Space::new(&[axis]).unwrap_err();
    }
    Space::new(&[]).unwrap_err();
    let mut optimizer = Optimizer::new(square(1.0), OptimizerOptions::default()).unwrap();
    for point in [&[0.0][..], &[0.0, 1.5], &[f64::NAN, 0.0]] {
        optimizer.tell(point, 0.0).unwrap_err();
        optimizer.tell_failure(point).unwrap_err();
    }
    for value in [f64::NAN, f64::INFINITY, 1e301] {
        optimizer.tell(&[0.0, 0.0], value).unwrap_err();
    }
    assert!(matches!(optimizer.recommend(), Err(Error::NoValue)));
    for options in [
        OptimizerOptions { candidates: 0, ..OptimizerOptions::default() },
        OptimizerOptions { refit_every: 0, ..OptimizerOptions::default() },
        OptimizerOptions { noise: OutcomeNoise::Variance(-1.0), ..OptimizerOptions::default() },
    ] {
        Optimizer::new(square(1.0), options).unwrap_err();
    }
}

/// Whatever the rule: the same seed asks for the same points, another one for others.
#[test]
fn the_seed_decides() {
    for rule in rules() {
        let run = |seed: u64| {
            let options = OptimizerOptions { seed, refit_every: 2, ..OptimizerOptions::default() };
            let mut optimizer = Optimizer::new(square(4.0), options).unwrap();
            for _ in 0..9 {
                let point = optimizer.ask(&*rule).unwrap();
                optimizer.tell(&point, branin(&point)).unwrap();
            }
            optimizer
        };
        assert_eq!(run(1), run(1), "{rule:?}");
        assert_ne!(run(1).trials(), run(2).trials(), "{rule:?}");
    }
}

/// Written and read after each step, with points pending: the same questions to the bit.
#[cfg(feature = "serde")]
#[test]
fn a_file_goes_on_as_if_nothing_had_happened() {
    let options =
        OptimizerOptions { refit_every: 3, noise: OutcomeNoise::Learned, ..OptimizerOptions::default() };
    let mut optimizer = Optimizer::new(square(4.0), options).unwrap();
    let mut resumed = optimizer.clone();
    let rule = ThompsonAcquisition::new(64).unwrap();
    for trial in 0..14 {
        let point = optimizer.ask(&rule).unwrap();
        let text = serde_json::to_string(&resumed).unwrap();
        resumed = serde_json::from_str(&text).unwrap();
        assert_eq!(resumed.ask(&rule).unwrap(), point);
        if trial % 5 != 4 {
            optimizer.tell(&point, branin(&point)).unwrap();
            resumed.tell(&point, branin(&point)).unwrap();
        }
        assert_eq!(resumed, optimizer);
    }
    assert_eq!(optimizer.pending().len(), 2);
    // What a file may say is checked.
    let text = serde_json::to_string(&optimizer).unwrap();
    serde_json::from_str::<Optimizer>(&text.replace("-4.0", "400.0")).unwrap_err();
    serde_json::from_str::<Optimizer>(&text.replacen("\"values\":[", "\"values\":[-1.0,", 1)).unwrap_err();
}

/// Points by this program and by another one, which got the same outcomes in the same order, are the same.
#[test]
fn what_others_try_is_pending() {
    let options =
        || OptimizerOptions { noise: OutcomeNoise::Learned, seed: 2, ..OptimizerOptions::default() };
    let mut own = Optimizer::new(square(4.0), options()).unwrap();
    let mut history: Vec<(Vec<f64>, Option<f64>)> = Vec::new();
    for trial in 0..14 {
        let mut other = Optimizer::new(square(4.0), options()).unwrap();
        for (point, value) in &history {
            match value {
                None => other.add_pending(point).unwrap(),
                Some(value) => other.tell(point, *value).unwrap(),
            }
        }
        let point = own.ask(&LnExpectedImprovement).unwrap();
        assert_eq!(other.ask(&LnExpectedImprovement).unwrap(), point, "{trial}");
        history.push((point.clone(), None));
        if trial % 4 != 3 {
            own.tell(&point, branin(&point)).unwrap();
            history.push((point.clone(), Some(branin(&point))));
        }
    }
    assert_eq!(own.pending().len(), 3);
    own.add_pending(&[5.0, 0.0]).unwrap_err();
}

/// A plane over the simplex x + y ≤ 1 is least in a corner, a paraboloid on the wall.
#[test]
fn constraints_hold_and_their_walls_are_found() {
    let unit = [Axis::Real { lower: 0.0, upper: 1.0 }; 2];
    let simplex = LinearConstraint { coefficients: vec![1.0, 1.0], bound: 1.0 };
    let space = Space::new(&unit).unwrap().with_constraints(std::slice::from_ref(&simplex)).unwrap();
    let functions: [(Function, f64); 2] =
        [(|p| p[0] - 2.0 * p[1], -2.0), (|p| (p[0] - 0.8).powi(2) + (p[1] - 0.6).powi(2), 0.08)];
    for (function, least) in functions {
        let mut optimizer = Optimizer::new(space.clone(), OptimizerOptions::default()).unwrap();
        for _ in 0..25 {
            let point = optimizer.ask(&LnExpectedImprovement).unwrap();
            assert!(point[0] + point[1] <= 1.0 + 1e-9, "{point:?}");
            optimizer.tell(&point, function(&point)).unwrap();
        }
        let (point, value) = optimizer.best().unwrap();
        assert!(value - least < 2e-3, "{point:?} {value}");
    }
    let refused = |coefficients: Vec<f64>, bound: f64| {
        let axes = [unit[0], Axis::Category { count: 3 }];
        Space::new(&axes).unwrap().with_constraints(&[LinearConstraint { coefficients, bound }]).unwrap_err()
    };
    refused(vec![1.0], 1.0);
    refused(vec![1.0, 1.0], 1.0);
    refused(vec![f64::NAN, 0.0], 1.0);
    refused(vec![1.0, 0.0], -0.5);
    let mut optimizer = Optimizer::new(space, OptimizerOptions::default()).unwrap();
    optimizer.tell(&[0.9, 0.9], 0.0).unwrap_err();
}

/// f = x + 2 y, and nothing of z: one fifth, four fifths, nothing; a product has interactions.
#[test]
fn importance_is_the_part_of_the_variance() {
    let cube = Space::new(&[Axis::Real { lower: -1.0, upper: 1.0 }; 3]).unwrap();
    let importance = |function: fn(&[f64]) -> f64| {
        let mut optimizer = Optimizer::new(cube.clone(), OptimizerOptions::default()).unwrap();
        for i in 0..5 {
            for j in 0..5 {
                let point = [
                    f64::from(i) / 2.0 - 1.0,
                    f64::from(j) / 2.0 - 1.0,
                    f64::from((3 * i + j) % 5) / 2.0 - 1.0,
                ];
                optimizer.tell(&point, function(&point)).unwrap();
            }
        }
        optimizer.surrogate().unwrap().importance().unwrap()
    };
    for (found, expected) in importance(|p| p[0] + 2.0 * p[1]).iter().zip([0.2, 0.8, 0.0]) {
        assert!((found - expected).abs() < 0.02, "{found} {expected}");
    }
    // All of the variance of x y is an interaction: each has a total effect of 1.
    let product = importance(|p| p[0] * p[1]);
    assert!(product[0] > 0.9 && product[1] > 0.9 && product[2] < 0.1, "{product:?}");
    assert_eq!(importance(|_| 3.0), [0.0; 3]);
}
