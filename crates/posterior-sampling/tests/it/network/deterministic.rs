//! Zeros: what they do to chains, and what is said of it.

use posterior_inference::{Engine, Error, Targets};
use posterior_pgm::{BayesianNetwork, Evidence};
use posterior_sampling::network::{Blocking, ForwardSampling, NetworkGibbs};

use super::{network, var};

/// Two fair coins, the second biased, and whether they differ.
fn exclusive_or() -> BayesianNetwork {
    network(
        3,
        &[(&[0], &[0.5, 0.5]), (&[1], &[0.3, 0.7]), (&[0, 1, 2], &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0])],
    )
}

#[test]
fn an_exclusive_or_that_was_seen_never_moves_and_the_report_says_so() {
    let seen = Evidence::of([(var(2), 1)]);
    let single = NetworkGibbs { blocking: Blocking::Single, chains: 8, ..NetworkGibbs::default() };
    let beliefs = single.query(&exclusive_or(), &Targets::All, &seen).unwrap();
    let report = beliefs.report();
    assert!(!report.converged);
    assert!(
        report.warnings[0]
            .starts_with("the possible states of X0, X1 fall into 2 classes that no move joins"),
        "{:?}",
        report.warnings
    );
    // Chains that stand still in different places.
    assert_eq!(report.sampling.as_ref().unwrap().rhat, Some(f64::INFINITY));
    // Chains that never moved tell as much as one draw each.
    assert!(beliefs.standard_errors(var(0)).unwrap()[1] > 0.1);
}

#[test]
fn blocks_move_what_zeros_tie_together() {
    // P(X0 = 1, X1 = 0 | differ) = 0.5 · 0.3 / (0.5 · 0.3 + 0.5 · 0.7).
    let seen = Evidence::of([(var(2), 1)]);
    let blocks = [
        Blocking::default(),
        Blocking::These(vec![vec![var(1), var(0)]]),
        Blocking::These(vec![vec![var(0), var(2), var(1)]]),
    ];
    for blocking in blocks {
        let engine = NetworkGibbs { blocking, ..NetworkGibbs::default() };
        let beliefs = engine.query(&exclusive_or(), &Targets::All, &seen).unwrap();
        assert!(beliefs.report().converged, "{:?}", beliefs.report().warnings);
        let (p, error) = (beliefs.marginal(var(0)).unwrap()[1], beliefs.standard_errors(var(0)).unwrap()[1]);
        assert!((p - 0.3).abs() < 4.0 * error && error < 0.005, "{p} {error}");
    }
}

#[test]
fn blocks_that_cannot_be_are_refused() {
    let twice = Blocking::These(vec![vec![var(0), var(1)], vec![var(1)]]);
    let ask = |blocking: Blocking| {
        let engine = NetworkGibbs { blocking, ..NetworkGibbs::default() };
        engine.query(&exclusive_or(), &Targets::All, &Evidence::none()).unwrap_err().to_string()
    };
    assert!(ask(twice).contains("\"X1\""));
    assert!(ask(Blocking::These(vec![vec![var(7)]])).contains('7'));
    assert!(ask(Blocking::Auto { states: 0 }).contains("must be positive"));
}

#[test]
fn copies_too_many_to_count_are_reported_as_unknown() {
    let copies: Vec<([usize; 2], [f64; 4])> = (0..29).map(|i| ([i, i + 1], [1.0, 0.0, 0.0, 1.0])).collect();
    let tables: Vec<(&[usize], &[f64])> =
        copies.iter().map(|(scope, values)| (&scope[..], &values[..])).collect();
    let model = super::field(30, &tables);
    let single = NetworkGibbs { blocking: Blocking::Single, draws: 100, ..NetworkGibbs::default() };
    let beliefs = single.query(&model, &Targets::All, &Evidence::none()).unwrap();
    let warning = &beliefs.report().warnings[0];
    assert!(
        warning.starts_with("zeros in the tables of X0, X1, X2, X3, 26 more may keep chains"),
        "{warning}"
    );
    // With what was seen of one all are certain, and nothing is left to warn of.
    let beliefs = single.query(&model, &Targets::All, &Evidence::of([(var(4), 1)])).unwrap();
    assert!(beliefs.report().warnings.is_empty(), "{:?}", beliefs.report().warnings);
    assert!((0..30).all(|v| beliefs.marginal(var(v)).unwrap()[1] == 1.0));
}

/// A start needs a search where each variable alone looks free: a parity of ten, and a colouring that has
/// none.
#[test]
fn starts_are_searched_for() {
    let different: &[f64] = &[0.0, 1.0, 1.0, 0.0];
    let even_ring: Vec<[usize; 2]> = (0..10).map(|i| [i, (i + 1) % 10]).collect();
    let tables: Vec<(&[usize], &[f64])> = even_ring.iter().map(|scope| (&scope[..], different)).collect();
    let ask = |model| {
        NetworkGibbs { draws: 200, ..NetworkGibbs::default() }.query(&model, &Targets::All, &Evidence::none())
    };
    assert!(ask(super::field(10, &tables)).is_ok());
    // A ring of an odd number cannot alternate: no engine finds a state, and all prove that there is none.
    let odd_ring: Vec<[usize; 2]> = (0..9).map(|i| [i, (i + 1) % 9]).collect();
    let tables: Vec<(&[usize], &[f64])> = odd_ring.iter().map(|scope| (&scope[..], different)).collect();
    let model = super::field(9, &tables);
    let lw = ForwardSampling { draws: 100, ..ForwardSampling::default() };
    assert_eq!(lw.query(&model, &Targets::All, &Evidence::none()).unwrap_err(), Error::ImpossibleEvidence);
    assert_eq!(ask(model).unwrap_err(), Error::ImpossibleEvidence);
}

#[test]
fn draws_that_never_agree_are_an_error_with_their_number() {
    // One in 10⁶ each, three times: too rare for a thousand draws, not impossible.
    let rare: &[f64] = &[1.0 - 1e-6, 1e-6];
    let model = network(2, &[(&[0], rare), (&[0, 1], &[1.0 - 1e-6, 1e-6, 0.5, 0.5])]);
    let seen = Evidence::of([(var(0), 1), (var(1), 1)]);
    let refused = ForwardSampling { draws: 1000, ..ForwardSampling::logic_sampling() }
        .query(&model, &Targets::All, &seen)
        .unwrap_err();
    assert!(matches!(refused, Error::NoDraw { tried: 1000, .. }));
    assert_eq!(
        refused.to_string(),
        "none of 1000 draws agrees with the evidence: it is too rare, or impossible; draw more, or weight draws \
         instead of refusing them"
    );
    let certain = network(2, &[(&[0], &[1.0, 0.0]), (&[0, 1], &[1.0, 0.0, 0.5, 0.5])]);
    let refused = (ForwardSampling { draws: 1000, ..ForwardSampling::logic_sampling() })
        .query(&certain, &Targets::All, &seen)
        .unwrap_err();
    assert_eq!(refused, Error::ImpossibleEvidence);
}
