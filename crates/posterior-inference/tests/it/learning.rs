//! Learning where inference is needed: missing states, hidden variables, Markov random fields.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_graph::Dag;
use posterior_inference::em::EmOptions;
use posterior_inference::learning::{
    FittingOptions, LogLinearOptions, fit_log_linear, fit_marginals, fit_network, fit_pseudo_likelihood,
};
use posterior_inference::{Engine, Enumeration, Error, FactorEngine, JointEngine, Targets};
use posterior_math::iteration::{Silent, Stop};
use posterior_math::optimize::LbfgsOptions;
use posterior_pgm::{
    BayesianNetwork, CptPrior, Evidence, FamilyCounts, GraphicalModel, LogLinear, MarkovRandomField, Records,
    Table, VarId, Variables,
};
use rand::RngExt;

use crate::corpus::assert_close;
use crate::examples::{alarm, student, voting};

const ENGINE: fn() -> Enumeration = Enumeration::default;

fn v(index: usize) -> VarId {
    VarId::new(index)
}

/// The log-likelihood of records, by the sum over all joint states.
fn ln_likelihood(model: &BayesianNetwork, records: &Records) -> f64 {
    let of = |record| {
        let beliefs = ENGINE().query(model, &Targets::These(vec![]), &records.evidence(record));
        beliefs.unwrap().ln_z().value()
    };
    (0..records.len()).map(of).sum()
}

/// Draws from the joint table of a model, with each state missing with this probability.
fn draw(model: &dyn GraphicalModel, count: usize, missing: f64, seed: u64) -> Records {
    let all: Vec<VarId> = model.variables().ids().collect();
    let plan = ENGINE().plan(model, &Targets::All).unwrap();
    let joint = ENGINE().joint(model, &plan, &Evidence::none(), &all).unwrap();
    let mut rng = stream(seed, &[]);
    let mut records = Records::new(model.variables().clone());
    for _ in 0..count {
        let mut place = 0;
        let mut u: f64 = rng.random();
        while place + 1 < joint.values().len() && u >= joint.values()[place] {
            u -= joint.values()[place];
            place += 1;
        }
        let mut states = vec![None; all.len()];
        for (state, &card) in states.iter_mut().zip(joint.cards()).rev() {
            *state = Some(place % card).filter(|_| rng.random::<f64>() >= missing);
            place /= card;
        }
        records.push(&states).unwrap();
    }
    records
}

/// Tables with the structure of this model, drawn from uniform priors.
fn random_start(model: &BayesianNetwork, seed: u64) -> BayesianNetwork {
    let counts = FamilyCounts::zeros_like(model).unwrap();
    counts.posterior(&CptPrior::Symmetric(1.0)).unwrap().draw(&mut stream(seed, &[])).unwrap()
}

#[test]
fn expectation_maximisation_of_complete_data_is_counting() {
    let records = draw(&student(), 200, 0.0, 1);
    let start = random_start(&student(), 2);
    let fitted = fit_network(&ENGINE(), start, &records, 0.0, &EmOptions::default(), &mut Silent).unwrap();
    let counted = FamilyCounts::of(&records, student().graph()).unwrap().maximum_likelihood().unwrap().0;
    // The families of the student network list intelligence before difficulty: compare by joint
    // probabilities.
    for states in [[0, 0, 0, 0, 0], [1, 1, 2, 1, 0], [1, 0, 1, 0, 1]] {
        let (a, b) = (fitted.model.ln_score(&states), counted.ln_score(&states));
        assert!(a == b || (a - b).abs() < 1e-12, "{a} {b}");
    }
    assert!(fitted.report.iterations() <= 2, "{:?}", fitted.report.trace);
}

#[test]
fn the_likelihood_of_missing_data_never_falls_and_ends_at_a_maximum() {
    let records = draw(&student(), 60, 0.3, 3);
    let options = EmOptions { tolerance: 1e-13, max_iterations: 5000, ..EmOptions::default() };
    let fitted =
        fit_network(&ENGINE(), random_start(&student(), 4), &records, 0.0, &options, &mut Silent).unwrap();
    assert_eq!(fitted.report.falls, []);
    let best = ln_likelihood(&fitted.model, &records);
    assert!((fitted.report.trace.last().unwrap() - best).abs() < 1e-9);
    for other in 0..20 {
        // A little of another network: no direction leads up.
        let away = random_start(&student(), 100 + other);
        let mixed = fitted.model.factors().iter().zip(away.factors()).map(|(own, away)| {
            let values = own.values().iter().zip(away.values()).map(|(a, b)| 0.999 * a + 0.001 * b);
            Table::new(own.scope().to_vec(), own.cards().to_vec(), values.collect()).unwrap()
        });
        let mixed = BayesianNetwork::new(student().variables().clone(), mixed.collect()).unwrap();
        assert!(ln_likelihood(&mixed, &records) <= best + 1e-7, "start {other}");
    }
}

#[test]
fn a_prior_adds_to_every_count() {
    let records = draw(&alarm(), 50, 0.2, 5);
    let options = EmOptions { tolerance: 1e-12, ..EmOptions::default() };
    let fitted =
        fit_network(&ENGINE(), random_start(&alarm(), 6), &records, 0.5, &options, &mut Silent).unwrap();
    assert_eq!(fitted.report.falls, []);
    let ln_prior: f64 = fitted.model.factors().iter().flat_map(Table::values).map(|p| 0.5 * p.ln()).sum();
    let objective = ln_likelihood(&fitted.model, &records) + ln_prior;
    assert!((fitted.report.trace.last().unwrap() - objective).abs() < 1e-9);
    assert!(fitted.model.factors().iter().flat_map(Table::values).all(|&p| p > 0.0));
}

#[test]
fn a_start_with_zeros_is_no_end_under_a_prior() {
    // The radio never errs in the start's table: ln θ of the prior is -infinity there.
    let records = draw(&alarm(), 50, 0.2, 9);
    let options = EmOptions { tolerance: 1e-12, ..EmOptions::default() };
    let fitted = fit_network(&ENGINE(), alarm(), &records, 0.5, &options, &mut Silent).unwrap();
    assert!(fitted.report.converged() && fitted.report.iterations() > 1);
    assert!(fitted.model.factors().iter().flat_map(Table::values).all(|&p| p > 0.0));
}

/// Which coin was tossed three times is hidden: the network is the mixture of two binomials of the example of
/// EM.
#[test]
fn a_hidden_coin_is_a_mixture() {
    let variables = Variables::new(["coin", "1", "2", "3"].map(|name| (name, ["a", "b"]))).unwrap();
    let toss = |i| Table::new(vec![v(0), v(i)], vec![2, 2], vec![0.2, 0.8, 0.5, 0.5]).unwrap();
    let coin = Table::new(vec![v(0)], vec![2], vec![0.3, 0.7]).unwrap();
    let start = BayesianNetwork::new(variables.clone(), vec![coin, toss(1), toss(2), toss(3)]).unwrap();
    let mut records = Records::new(variables);
    for heads in [3, 1, 1, 2, 1] {
        records
            .push(&[
                None,
                Some(usize::from(heads > 0)),
                Some(usize::from(heads > 1)),
                Some(usize::from(heads > 2)),
            ])
            .unwrap();
    }
    let fitted = fit_network(&ENGINE(), start, &records, 0.0, &EmOptions::default(), &mut Silent).unwrap();
    assert_eq!(fitted.report.falls, []);
    // Tosses may differ here, so that the likelihood is at least that of coins whose tosses are alike.
    assert!(*fitted.report.trace.last().unwrap() >= -10.2804834);
}

#[test]
fn a_record_that_cannot_be_is_named() {
    let mut records = Records::new(alarm().variables().clone());
    records.push(&[None, Some(0), None, Some(0)]).unwrap();
    records.push(&[None, Some(1), None, Some(0)]).unwrap();
    let error =
        fit_network(&ENGINE(), alarm(), &records, 0.0, &EmOptions::default(), &mut Silent).unwrap_err();
    assert_eq!(error.to_string(), "record 1: the network says that it is impossible");
    let other = Records::new(student().variables().clone());
    let error = fit_network(&ENGINE(), alarm(), &other, 0.0, &EmOptions::default(), &mut Silent);
    assert!(matches!(error, Err(Error::OtherModel { .. })));
}

/// The voting field as a log-linear model: an indicator for each pair of votes but the first.
fn pairs() -> LogLinear {
    let scopes: Vec<Vec<VarId>> = voting().factors().iter().map(|factor| factor.scope().to_vec()).collect();
    LogLinear::indicators(voting().variables().clone(), &scopes).unwrap()
}

/// The exact mean of each indicator.
fn voting_means() -> Vec<f64> {
    let plan = ENGINE().plan(&voting(), &Targets::All).unwrap();
    let (marginals, _) = ENGINE().factor_marginals(&voting(), &plan, &Evidence::none()).unwrap();
    marginals.iter().flat_map(|pair| pair.values()[1..].to_vec()).collect()
}

/// ln f(0,0) f(1,1) / f(0,1) f(1,0): what rescaling a pair's factor by its variables does not change.
fn ln_odds_ratio(factor: &Table) -> f64 {
    let f = factor.values();
    (f[0] * f[3] / (f[1] * f[2])).ln()
}

#[test]
fn voting_potentials_come_back_from_exact_moments() {
    let options = LogLinearOptions {
        lbfgs: LbfgsOptions { gradient_tolerance: 1e-11, max_iterations: 5000, ..LbfgsOptions::default() },
        ..LogLinearOptions::default()
    };
    let fitted = fit_log_linear(&ENGINE(), pairs(), &voting_means(), &options, &mut Silent).unwrap();
    let (field, ln_scale) = fitted.model.field().unwrap();
    for factor in field.factors() {
        assert!((ln_odds_ratio(factor) - 50_f64.ln()).abs() < 1e-6, "{factor:?}");
    }
    let ln_z = |model: &dyn GraphicalModel| {
        ENGINE().query(model, &Targets::All, &Evidence::none()).unwrap().ln_z().value()
    };
    // p(1, 1, 1, 1) = 10000 / 11327.
    let ln_p = fitted.model.score(&[1; 4]) - ln_z(&field) - ln_scale;
    assert!((ln_p - (10000.0_f64 / 11327.0).ln()).abs() < 1e-8);
}

#[test]
fn with_a_penalty_the_moments_miss_by_its_gradient() {
    let options = LogLinearOptions { penalty: 0.03, ..LogLinearOptions::default() };
    let fitted = fit_log_linear(&ENGINE(), pairs(), &voting_means(), &options, &mut Silent).unwrap();
    assert!(fitted.report.converged());
    let (field, _) = fitted.model.field().unwrap();
    let plan = ENGINE().plan(&field, &Targets::All).unwrap();
    let (marginals, _) = ENGINE().factor_marginals(&field, &plan, &Evidence::none()).unwrap();
    let expected: Vec<f64> = marginals.iter().flat_map(|pair| pair.values()[1..].to_vec()).collect();
    for ((mean, model), weight) in voting_means().iter().zip(&expected).zip(fitted.model.weights()) {
        assert!((mean - model - 0.03 * weight).abs() < 1e-7);
    }
}

#[test]
fn a_saturated_field_has_the_frequencies_of_the_data() {
    let records = draw(&voting(), 300, 0.0, 7);
    let all: Vec<VarId> = voting().variables().ids().collect();
    let start = LogLinear::indicators(voting().variables().clone(), &[all]).unwrap();
    let means = start.feature_means(&records).unwrap();
    // A little penalty: votes that no record has would have the weight -infinity.
    let options = LogLinearOptions { penalty: 1e-9, ..LogLinearOptions::default() };
    let fitted = fit_log_linear(&ENGINE(), start, &means, &options, &mut Silent).unwrap();
    let field = fitted.model.field().unwrap().0;
    let joint = field.factors()[0].normalized().unwrap();
    assert_close(&joint.values()[1..], &means, 1e-6, "frequencies");
}

/// Records with exactly the frequencies of the voting field: 11327 of them.
fn voting_population() -> Records {
    let mut records = Records::new(voting().variables().clone());
    for states in 0..16_usize {
        let votes: Vec<usize> = (0..4).map(|friend| states >> friend & 1).collect();
        let own: Vec<Option<usize>> = votes.iter().copied().map(Some).collect();
        let score = voting().ln_score(&votes).exp().round() as usize;
        (0..score).for_each(|_| records.push(&own).unwrap());
    }
    records
}

#[test]
fn pseudo_likelihood_finds_the_truth_in_the_population() {
    let records = voting_population();
    assert_eq!(records.len(), 11327);
    let options = LogLinearOptions {
        lbfgs: LbfgsOptions { gradient_tolerance: 1e-10, ..LbfgsOptions::default() },
        ..LogLinearOptions::default()
    };
    let fitted = fit_pseudo_likelihood(pairs(), &records, &options, &mut Silent).unwrap();
    for factor in fitted.model.field().unwrap().0.factors() {
        assert!((ln_odds_ratio(factor) - 50_f64.ln()).abs() < 1e-6, "{factor:?}");
    }
    assert!(
        fit_pseudo_likelihood(pairs(), &Records::new(voting().variables().clone()), &options, &mut Silent)
            .is_err()
    );
}

#[test]
fn proportional_fitting_meets_the_marginals_and_is_maximum_likelihood() {
    let plan = ENGINE().plan(&voting(), &Targets::All).unwrap();
    let (targets, _) = ENGINE().factor_marginals(&voting(), &plan, &Evidence::none()).unwrap();
    let fitted = fit_marginals(
        &ENGINE(),
        voting().variables().clone(),
        &targets,
        &FittingOptions { tolerance: 1e-12, ..FittingOptions::default() },
        &mut Silent,
    )
    .unwrap();
    assert!(fitted.report.converged());
    assert!(fitted.report.trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-12));
    for factor in fitted.model.factors() {
        assert!((ln_odds_ratio(factor) - 50_f64.ln()).abs() < 1e-8);
    }
}

#[test]
fn marginals_that_contradict_each_other_do_not_converge() {
    let variables = voting().variables().clone();
    let pair = |a, b, values: [f64; 4]| Table::new(vec![v(a), v(b)], vec![2, 2], values.to_vec()).unwrap();
    // A is 1 with probability 0.5 in one, and 0.8 in the other.
    let targets = [pair(0, 1, [0.25, 0.25, 0.25, 0.25]), pair(0, 2, [0.1, 0.1, 0.4, 0.4])];
    let options = FittingOptions { max_iterations: 50, ..FittingOptions::default() };
    let fitted = fit_marginals(&ENGINE(), variables.clone(), &targets, &options, &mut Silent).unwrap();
    assert_eq!(fitted.report.stop, Stop::MaxIterations);
    let short = [pair(0, 1, [0.25, 0.25, 0.25, 0.2])];
    assert!(fit_marginals(&ENGINE(), variables, &short, &options, &mut Silent).is_err());
}

#[test]
fn chow_and_liu_a_tree_of_marginals_is_met_in_one_round() {
    let graph = Dag::named(["A", "B", "C", "D"], [("A", "B"), ("B", "C"), ("B", "D")]).unwrap();
    let records = draw(&voting(), 500, 0.0, 8);
    let counts = FamilyCounts::of(&records, &graph).unwrap();
    let targets: Vec<Table> =
        counts.families()[1..].iter().map(|table| table.normalized().unwrap()).collect();
    let fitted = fit_marginals(
        &ENGINE(),
        voting().variables().clone(),
        &targets,
        &FittingOptions::default(),
        &mut Silent,
    )
    .unwrap();
    assert!(fitted.report.iterations() <= 2);
    let model: &MarkovRandomField = &fitted.model;
    let network = counts.maximum_likelihood().unwrap().0;
    let ln_z = ENGINE().query(model, &Targets::All, &Evidence::none()).unwrap().ln_z().value();
    for states in [[0, 0, 0, 0], [1, 1, 1, 1], [1, 1, 0, 1]] {
        let (a, b) = (model.ln_score(&states) - ln_z, network.ln_score(&states));
        assert!(a == b || (a - b).abs() < 1e-10, "{a} {b}");
    }
}
