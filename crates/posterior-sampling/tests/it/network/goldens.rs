//! Numbers known in closed form: the vote among friends, the alarm.

use posterior_inference::{Engine, JointEngine, LnZ, Targets};
use posterior_pgm::Evidence;
use posterior_sampling::network::{BlockOrder, Blocking, ForwardSampling, NetworkGibbs};

use super::{alarm, var, voting};

/// p(v = 1) and its standard error.
fn one<E: Engine>(
    engine: &E,
    model: &dyn posterior_pgm::GraphicalModel,
    evidence: &Evidence,
    v: usize,
) -> (f64, f64) {
    let beliefs = engine.query(model, &Targets::These(vec![var(v)]), evidence).unwrap();
    (beliefs.marginal(var(v)).unwrap()[1], beliefs.standard_errors(var(v)).unwrap()[1])
}

#[track_caller]
fn near((p, error): (f64, f64), exact: f64, largest_error: f64) {
    assert!((p - exact).abs() < 4.0 * error, "{p} ± {error}, not {exact}");
    assert!(error < largest_error, "{error}");
}

#[test]
fn friends_vote_as_the_sixteen_scores_say() {
    let (model, none) = (voting(), Evidence::none());
    let exact = 10426.0 / 11327.0;
    let gibbs = NetworkGibbs { draws: 20_000, ..NetworkGibbs::default() };
    near(one(&gibbs, &model, &none, 0), exact, 0.005);
    near(one(&NetworkGibbs { scan: BlockOrder::Random, ..gibbs.clone() }, &model, &none, 0), exact, 0.008);
    near(one(&ForwardSampling::default(), &model, &none, 0), exact, 0.002);
    // A friend across: P(A = 1 | C) = 10201 / 10426 and 225 / 901.
    for (state, exact) in [(1, 10201.0 / 10426.0), (0, 225.0 / 901.0)] {
        let seen = Evidence::of([(var(2), state)]);
        near(one(&gibbs, &model, &seen, 0), exact, 0.005);
        near(one(&ForwardSampling::default(), &model, &seen, 0), exact, 0.005);
    }
}

#[test]
fn ln_z_of_the_vote_has_an_error_bar() {
    let beliefs = ForwardSampling::default().query(&voting(), &Targets::All, &Evidence::none()).unwrap();
    let LnZ::Estimate { value, standard_error } = beliefs.ln_z() else { panic!("an estimate") };
    assert!((value - 11327_f64.ln()).abs() < 4.0 * standard_error && standard_error < 0.01);
    let gibbs = NetworkGibbs::default().query(&voting(), &Targets::All, &Evidence::none()).unwrap();
    assert_eq!(gibbs.ln_z().value().to_string(), "NaN");
}

#[test]
fn opposite_friends_together() {
    let (model, none) = (voting(), Evidence::none());
    let pair = [var(2), var(0)];
    let targets = Targets::These(pair.to_vec());
    let gibbs = NetworkGibbs { draws: 20_000, ..NetworkGibbs::default() };
    let joint = gibbs.joint(&model, &gibbs.plan(&model, &targets).unwrap(), &none, &pair).unwrap();
    let exact = [676.0, 225.0, 225.0, 10201.0];
    for (p, exact) in joint.values().iter().zip(exact) {
        assert!((p - exact / 11327.0).abs() < 0.02, "{p} {}", exact / 11327.0);
    }
    let lw = ForwardSampling::default();
    let joint = lw.joint(&model, &lw.plan(&model, &targets).unwrap(), &none, &pair).unwrap();
    for (p, exact) in joint.values().iter().zip(exact) {
        assert!((p - exact / 11327.0).abs() < 0.01, "{p}");
    }
    assert!((joint.total() - 1.0).abs() < 1e-12);
}

/// The exact chain has the sweep eigenvalue 0.877 for what votes have in common: independent draws are worth
/// (1 + λ) / (1 − λ) = 15.3 of its.
#[test]
fn effective_draws_of_the_vote_are_those_of_its_spectrum() {
    let gibbs = NetworkGibbs { draws: 100_000, ..NetworkGibbs::default() };
    let beliefs = gibbs.query(&voting(), &Targets::All, &Evidence::none()).unwrap();
    let sampling = beliefs.report().sampling.clone().unwrap();
    let worth = sampling.kept as f64 / sampling.effective_size;
    let lambda = 0.876_951_302_922;
    let slowest = (1.0 + lambda) / (1.0 - lambda);
    // A single vote is nearly all of the slowest mode.
    assert!(worth > 0.6 * slowest && worth < 1.1 * slowest, "{worth} {slowest}");
    assert!(sampling.rhat.unwrap() < 1.01);
    assert!(beliefs.report().converged, "{:?}", beliefs.report().warnings);
}

#[test]
fn an_alarm_keeps_one_draw_in_five_hundred() {
    let seen = Evidence::of([(var(2), 1)]);
    let logic = ForwardSampling { draws: 1_000_000, ..ForwardSampling::logic_sampling() };
    let beliefs = logic.query(&alarm(), &Targets::All, &seen).unwrap();
    let sampling = beliefs.report().sampling.clone().unwrap();
    let p_alarm: f64 = 0.001_998_990_109_9;
    let expected = 1e6 * p_alarm;
    assert!((sampling.kept as f64 - expected).abs() < 4.5 * expected.sqrt(), "{}", sampling.kept);
    let LnZ::Estimate { value, standard_error } = beliefs.ln_z() else { panic!("an estimate") };
    assert!((value - p_alarm.ln()).abs() < 4.0 * standard_error);
    assert!((standard_error - 1.0 / expected.sqrt()).abs() < 0.002);
    let p_burglar = 0.495_255_126_574_651;
    near(one(&logic, &alarm(), &seen, 0), p_burglar, 0.02);
    // A burglar is in one draw of a thousand, and of those that weigh anything he is in half.
    near(one(&ForwardSampling::default(), &alarm(), &seen, 0), p_burglar, 0.03);
    // With the radio the earthquake is certain, and the burglar is not explained.
    let radio = Evidence::of([(var(2), 1), (var(3), 1)]);
    near(one(&ForwardSampling::default(), &alarm(), &radio, 0), 0.082_722_030_380_863_68, 0.01);
    near(
        one(&NetworkGibbs { draws: 20_000, ..NetworkGibbs::default() }, &alarm(), &radio, 0),
        0.082_722_030_380_863_68,
        0.01,
    );
}

/// Two friends who agree 999 times in 1,000: a chain of single votes changes sides once in 1,000 sweeps, one
/// of pairs in every second.
#[test]
fn a_slow_chain_has_wide_error_bars_and_a_block_is_fast() {
    let model = super::field(2, &[(&[0, 1], &[0.999, 0.001, 0.001, 0.999])]);
    let ask = |blocking: Blocking| {
        let engine = NetworkGibbs { blocking, ..NetworkGibbs::default() };
        let beliefs = engine.query(&model, &Targets::All, &Evidence::none()).unwrap();
        let (p, error) = (beliefs.marginal(var(0)).unwrap()[1], beliefs.standard_errors(var(0)).unwrap()[1]);
        assert!((p - 0.5).abs() < 4.0 * error, "{p} {error}");
        (error, beliefs.report().clone())
    };
    let (error, report) = ask(Blocking::Single);
    assert!(error > 0.04 && !report.converged, "{error} {report:?}");
    assert!(
        report.warnings.iter().any(|own| own.starts_with("the draws of X0 are worth only")),
        "{report:?}"
    );
    let (error, report) = ask(Blocking::default());
    assert!(error < 0.004 && report.converged, "{error} {report:?}");
}

#[test]
fn without_evidence_rejection_is_forward_sampling() {
    let beliefs =
        ForwardSampling::logic_sampling().query(&alarm(), &Targets::All, &Evidence::none()).unwrap();
    let sampling = beliefs.report().sampling.clone().unwrap();
    assert_eq!((sampling.draws, sampling.kept), (100_000, 100_000));
    assert_eq!(beliefs.ln_z(), LnZ::Estimate { value: 0.0, standard_error: 0.0 });
    assert_eq!(beliefs.report().engine, "logic sampling");
    let (p, error) = (beliefs.marginal(var(2)).unwrap()[1], beliefs.standard_errors(var(2)).unwrap()[1]);
    near((p, error), 0.001_998_990_109_9, 0.0003);
}
