//! Options and models that can't be.

use posterior_inference::{Budget, Engine, Error, FactorEngine, JointEngine, Targets};
use posterior_pgm::Evidence;
use posterior_sampling::network::{ForwardSampling, NetworkGibbs};

use super::{alarm, var, voting};

fn refusal<E: Engine>(engine: &E) -> String {
    engine.query(&alarm(), &Targets::All, &Evidence::none()).unwrap_err().to_string()
}

#[test]
fn options_that_cannot_be_are_named() {
    assert_eq!(
        refusal(&NetworkGibbs { chains: 0, ..NetworkGibbs::default() }),
        "NetworkGibbs: chains = 0 must be positive"
    );
    assert_eq!(
        refusal(&NetworkGibbs { draws: 11, ..NetworkGibbs::default() }),
        "NetworkGibbs: draws = 11 must be at least 12"
    );
    assert_eq!(
        refusal(&ForwardSampling { draws: 0, ..ForwardSampling::default() }),
        "ForwardSampling: draws = 0 must be positive"
    );
    assert_eq!(
        refusal(&ForwardSampling { draws: 0, ..ForwardSampling::logic_sampling() }),
        "ForwardSampling: draws = 0 must be positive"
    );
}

#[test]
fn memory_is_refused_before_it_is_taken() {
    let budget = Budget::bytes(1 << 20);
    let refused = [
        (NetworkGibbs { draws: 1 << 40, budget, ..NetworkGibbs::default() }).query(
            &alarm(),
            &Targets::All,
            &Evidence::none(),
        ),
        (NetworkGibbs { chains: 1 << 40, budget, ..NetworkGibbs::default() }).query(
            &alarm(),
            &Targets::All,
            &Evidence::none(),
        ),
        (ForwardSampling { draws: 1 << 40, budget, ..ForwardSampling::default() }).query(
            &alarm(),
            &Targets::All,
            &Evidence::none(),
        ),
    ];
    assert!(refused.into_iter().all(|own| own.unwrap_err().is_too_large()));
}

#[test]
fn a_field_has_no_parents_to_draw_first() {
    let refused =
        ForwardSampling::logic_sampling().query(&voting(), &Targets::All, &Evidence::none()).unwrap_err();
    assert_eq!(refused, Error::NotDirected { engine: "logic sampling" });
}

#[test]
fn joints_are_of_different_variables() {
    let (gibbs, lw, logic) =
        (NetworkGibbs::default(), ForwardSampling::default(), ForwardSampling::logic_sampling());
    let (model, none) = (alarm(), Evidence::none());
    let twice = [var(0), var(0)];
    let errors = [
        gibbs.joint(&model, &gibbs.plan(&model, &Targets::All).unwrap(), &none, &twice),
        lw.joint(&model, &lw.plan(&model, &Targets::All).unwrap(), &none, &twice),
        logic.joint(&model, &logic.plan(&model, &Targets::All).unwrap(), &none, &twice),
    ];
    assert!(errors.into_iter().all(|own| own.unwrap_err().to_string().contains("\"X0\"")));
}

/// Draws give each factor's posterior in its own layout, seen variables certain.
#[test]
fn factors_have_posteriors() {
    let seen = Evidence::of([(var(2), 1)]);
    let (gibbs, lw) = (NetworkGibbs::default(), ForwardSampling::default());
    let model = alarm();
    let all = Targets::All;
    let exact = posterior_inference::JunctionTree::default();
    let (exact, _) = exact.factor_marginals(&model, &exact.plan(&model, &all).unwrap(), &seen).unwrap();
    let (chains, _) = gibbs.factor_marginals(&model, &gibbs.plan(&model, &all).unwrap(), &seen).unwrap();
    let (weighted, _) = lw.factor_marginals(&model, &lw.plan(&model, &all).unwrap(), &seen).unwrap();
    for ((exact, chains), weighted) in exact.iter().zip(&chains).zip(&weighted) {
        assert_eq!((exact.scope(), exact.scope()), (chains.scope(), weighted.scope()));
        for ((exact, chains), weighted) in exact.values().iter().zip(chains.values()).zip(weighted.values()) {
            assert!((exact - weighted).abs() < 0.01, "{exact} {weighted}");
            assert!((exact - chains).abs() < 0.1, "{exact} {chains}");
            assert!(*exact > 0.0 || *chains == 0.0 && *weighted == 0.0);
        }
    }
}

/// A model of no variable, and one whose variables were all seen.
#[test]
fn nothing_to_draw_is_no_reason_to_fail() {
    let empty = super::field(0, &[]);
    assert!(NetworkGibbs::default().query(&empty, &Targets::All, &Evidence::none()).is_ok());
    assert!(ForwardSampling::default().query(&empty, &Targets::All, &Evidence::none()).is_ok());
    let seen = Evidence::of((0..4).map(|v| (var(v), 1)));
    let beliefs = NetworkGibbs::default().query(&voting(), &Targets::All, &seen).unwrap();
    assert_eq!(beliefs.marginal(var(3)).unwrap(), [0.0, 1.0]);
    let beliefs = ForwardSampling::default().query(&voting(), &Targets::All, &seen).unwrap();
    assert!((beliefs.ln_z().value() - 10_000_f64.ln()).abs() < 1e-12);
}
