//! Against random search, also with more trials, on functions whose least values are known.

use posterior_decision::optimization::{
    Acquisition, Axis, BetaSchedule, ExpectedImprovement, GpUcb, KnowledgeGradient, LnExpectedImprovement,
    MaxValueEntropy, Optimizer, OptimizerOptions, ProbabilityOfImprovement, Space, ThompsonAcquisition,
};
use posterior_dist::stream::stream;
use rand::RngExt;

use super::branin;

const SEEDS: std::ops::Range<u64> = 0..5;

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

type Function = fn(&[f64]) -> f64;

/// The median regret of a rule over the seeds.
fn regret(
    rule: &dyn Acquisition,
    space: &Space,
    (function, least): (Function, f64),
    trials: usize,
    refit: usize,
    seeds: std::ops::Range<u64>,
) -> f64 {
    let run = |seed| {
        let options = OptimizerOptions { seed, refit_every: refit, ..OptimizerOptions::default() };
        let mut optimizer = Optimizer::new(space.clone(), options).unwrap();
        for _ in 0..trials {
            let point = optimizer.ask(rule).unwrap();
            optimizer.tell(&point, function(&point)).unwrap();
        }
        let trace = optimizer.trace();
        assert!(trace.is_sorted_by(|a, b| a >= b));
        trace[trials - 1] - least
    };
    median(seeds.map(run).collect())
}

/// The median regret of random search, over many more seeds.
fn random_regret(space: &Space, function: Function, least: f64, trials: usize) -> f64 {
    let run = |seed| {
        let mut rng = stream(seed, &[]);
        let mut best = f64::INFINITY;
        for _ in 0..trials {
            let draw = |axis: &Axis, place: f64| match *axis {
                Axis::Real { lower, upper } => lower + place * (upper - lower),
                _ => unreachable!("only real axes"),
            };
            let point: Vec<f64> = space.axes().iter().map(|axis| draw(axis, rng.random())).collect();
            best = best.min(function(&point));
        }
        best - least
    };
    median((0..501).map(run).collect())
}

#[test]
fn every_rule_beats_four_times_as_many_random_trials_on_branin() {
    let space =
        Space::new(&[Axis::Real { lower: -5.0, upper: 10.0 }, Axis::Real { lower: 0.0, upper: 15.0 }])
            .unwrap();
    let least = 0.397_887_357_729_738;
    let (random, longer) =
        (random_regret(&space, branin, least, 25), random_regret(&space, branin, least, 100));
    let rules: [Box<dyn Acquisition>; 7] = [
        Box::new(LnExpectedImprovement),
        Box::new(ExpectedImprovement),
        Box::new(ProbabilityOfImprovement::new(0.01).unwrap()),
        Box::new(GpUcb::new(BetaSchedule::Constant(4.0)).unwrap()),
        Box::new(ThompsonAcquisition::new(256).unwrap()),
        Box::new(MaxValueEntropy::default()),
        Box::new(KnowledgeGradient::default()),
    ];
    let regrets: Vec<f64> =
        rules.iter().map(|rule| regret(&**rule, &space, (branin, least), 25, 1, SEEDS)).collect();
    println!("{regrets:?} against {random}, {longer}");
    assert!(regrets[0] < 0.1 * random);
    // With a quarter of its trials.
    for (rule, found) in rules.iter().zip(regrets) {
        assert!(found >= -1e-9 && found < longer, "{rule:?}: {found} against {longer}");
    }
}

/// Hartmann's function of six variables: least value -3.32237.
fn hartmann(x: &[f64]) -> f64 {
    const A: [[f64; 6]; 4] = [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ];
    const P: [[f64; 6]; 4] = [
        [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
        [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
        [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
        [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
    ];
    let term = |(c, (a, p)): (f64, (&[f64; 6], &[f64; 6]))| {
        let square: f64 = (0..6).map(|j| a[j] * (x[j] - p[j]).powi(2)).sum();
        -c * (-square).exp()
    };
    [1.0, 1.2, 3.0, 3.2].into_iter().zip(A.iter().zip(&P)).map(term).sum()
}

#[test]
fn six_variables_beat_random_search() {
    let at = [0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573];
    assert!((hartmann(&at) + 3.32237).abs() < 1e-5);
    let space = Space::new(&[Axis::Real { lower: 0.0, upper: 1.0 }; 6]).unwrap();
    let random = random_regret(&space, hartmann, -3.32237, 60);
    let found = regret(&LnExpectedImprovement, &space, (hartmann, -3.32237), 60, 4, SEEDS);
    println!("{found} against {random}");
    assert!(found < 1e-2 && found < 0.25 * random, "{found} against {random}");
}

/// What the documentation says, with the options that everybody has.
#[test]
#[ignore = "slow"]
fn six_variables_are_found_to_four_digits() {
    let space = Space::new(&[Axis::Real { lower: 0.0, upper: 1.0 }; 6]).unwrap();
    let least = -3.322_368_011_391_339;
    let found = regret(&LnExpectedImprovement, &space, (hartmann, least), 60, 1, 0..20);
    assert!((-1e-9..1.5e-4).contains(&found), "{found}");
}
