//! What has no value says why.

use posterior_sampling::diagnostics as d;
use posterior_sampling::diagnostics::Undefined;

use super::autoregressive;

type Figure = fn(&[Vec<f64>]) -> Result<f64, Undefined>;

/// Each figure with the fewest draws of a chain for which it has a value.
fn figures() -> Vec<(&'static str, Figure, usize)> {
    vec![
        ("rhat", d::rhat, 4),
        ("rhat_bulk", d::rhat_bulk, 4),
        ("rhat_folded", d::rhat_folded, 4),
        ("rhat_split", d::rhat_split, 4),
        ("rhat_classic", d::rhat_classic, 2),
        ("ess_mean", d::ess_mean, 12),
        ("ess_bulk", d::ess_bulk, 12),
        ("ess_tail", d::ess_tail, 12),
        ("ess_median", d::ess_median, 12),
        ("ess_quantile", |x| d::ess_quantile(x, 0.3), 12),
        ("ess_sd", d::ess_sd, 12),
        ("mcse_mean", d::mcse_mean, 12),
        ("mcse_sd", d::mcse_sd, 12),
        ("mcse_quantile", |x| d::mcse_quantile(x, 0.3), 12),
    ]
}

#[test]
fn few_draws_are_refused_and_enough_are_not() {
    for (name, figure, needed) in figures() {
        let few = autoregressive(1, 4, needed - 1, 0.0);
        assert_eq!(figure(&few), Err(Undefined::TooFew { needed, found: needed - 1 }), "{name}");
        for draws in needed..needed + 9 {
            let value = figure(&autoregressive(1, 4, draws, 0.0)).unwrap();
            assert!(value.is_finite() && value > 0.0, "{name} of {draws} draws is {value}");
        }
    }
}

#[test]
fn draws_that_are_all_the_same_have_no_diagnostics() {
    for (name, figure, _) in figures() {
        for value in [0.1, 0.0, -1e300] {
            assert_eq!(figure(&vec![vec![value; 100]; 4]), Err(Undefined::Constant { value }), "{name}");
        }
    }
    assert_eq!(d::mean(&[[0.1; 7]]), Ok(0.1));
    assert_eq!(d::sd(&[[0.1; 7]]), Ok(0.0));
    assert_eq!(d::quantile(&[[0.1; 7]], 0.3), Ok(0.1));
    assert_eq!(d::autocorrelation(&[3.0; 9], 2), Err(Undefined::Constant { value: 3.0 }));
    assert_eq!(d::e_bfmi(&[3.0; 9]), Err(Undefined::Constant { value: 3.0 }));
}

#[test]
fn a_draw_that_is_not_a_number_is_named() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut chains = autoregressive(2, 4, 100, 0.0);
        chains[2][7] = value;
        for (name, figure, _) in figures() {
            let Err(why) = figure(&chains) else { panic!("{name} has a value") };
            assert_eq!(why.to_string(), format!("draw 8 of chain 3 is {value}"), "{name}");
        }
    }
}

#[test]
fn chains_of_different_lengths_are_refused() {
    let mut chains = autoregressive(3, 4, 100, 0.0);
    chains[1].pop();
    for (name, figure, _) in figures() {
        assert_eq!(figure(&chains), Err(Undefined::Unequal { chain: 1, expected: 100, found: 99 }), "{name}");
    }
}

#[test]
fn no_chain_is_refused() {
    for (name, figure, _) in figures() {
        assert!(matches!(figure(&[]), Err(Undefined::FewChains { .. })), "{name}");
    }
    assert!(matches!(d::mean::<Vec<f64>>(&[]), Err(Undefined::FewChains { .. })));
    assert_eq!(d::sd(&[[2.5]]), Err(Undefined::TooFew { needed: 2, found: 1 }));
    assert_eq!(d::sd(&[[1.0], [3.0]]), Ok(2.0_f64.sqrt()));
    assert_eq!(d::mean(&[Vec::new()]), Err(Undefined::TooFew { needed: 1, found: 0 }));
}

#[test]
fn one_chain_is_split() {
    let chain = autoregressive(4, 1, 1000, 0.0);
    for (name, figure, _) in figures() {
        if name == "rhat_classic" {
            assert_eq!(figure(&chain), Err(Undefined::FewChains { needed: 2, found: 1 }));
        } else {
            assert!(figure(&chain).unwrap().is_finite(), "{name}");
        }
    }
    assert!(d::rhat(&chain).unwrap() < 1.01);
    let drift: Vec<f64> = chain[0].iter().enumerate().map(|(t, x)| x + t as f64 / 500.0).collect();
    assert!(d::rhat(&[drift]).unwrap() > 1.15);
}

#[test]
fn what_chance_explains_is_more_for_short_chains() {
    let limit = |length| d::rhat_limit(&autoregressive(5, 4, length, 0.0));
    assert_eq!(limit(4000), d::LARGEST_RHAT);
    assert!(limit(40) > limit(200) && limit(200) > d::LARGEST_RHAT, "{} {}", limit(40), limit(200));
    assert_eq!(d::rhat_limit(&[[0.0; 100]; 4]), d::LARGEST_RHAT);
}

#[test]
fn chains_that_are_stuck_apart_have_not_met() {
    let chains: Vec<Vec<f64>> = (0..4).map(|c| vec![f64::from(c) * 0.1; 100]).collect();
    for rhat in [d::rhat, d::rhat_bulk, d::rhat_folded, d::rhat_split, d::rhat_classic] {
        assert_eq!(rhat(&chains), Ok(f64::INFINITY));
    }
    assert!(d::ess_bulk(&chains).unwrap() < 9.0, "{:?}", d::ess_bulk(&chains));
}

#[test]
fn one_stuck_chain_of_four_is_seen() {
    let mut chains = autoregressive(6, 4, 500, 0.0);
    chains[3].fill(0.2);
    assert!(d::rhat(&chains).unwrap() > 1.1);
    assert!(d::ess_bulk(&chains).unwrap().is_finite());
}

#[test]
fn draws_of_two_values_have_figures() {
    // ±1: distances from the median 0 are all 1; a coin of 0 and 1: all draws are below the 95 % quantile.
    let coins = |low: f64| -> Vec<Vec<f64>> {
        autoregressive(5, 2, 200, 0.0)
            .iter()
            .map(|c| c.iter().map(|&x| if x < 0.0 { low } else { 1.0 }).collect())
            .collect()
    };
    let mut even = coins(-1.0);
    for chain in &mut even {
        (0..100).for_each(|i| chain[100 + i] = -chain[i]);
    }
    assert_eq!(d::rhat_folded(&even), Err(Undefined::Alike));
    assert_eq!(d::rhat(&even), d::rhat_bulk(&even));
    let coin = coins(0.0);
    assert_eq!(d::ess_tail(&coin), d::ess_quantile(&coin, 0.05));
    assert_eq!(d::ess_quantile(&coin, 0.95), Err(Undefined::Alike));
}

#[test]
fn arguments_are_checked() {
    let chains = autoregressive(5, 2, 200, 0.0);
    for p in [-0.1, 1.1, f64::NAN] {
        assert!(matches!(d::quantile(&chains, p), Err(Undefined::Argument(_))));
        assert!(matches!(d::ess_quantile(&chains, p), Err(Undefined::Argument(_))));
        assert!(matches!(d::mcse_quantile(&chains, p), Err(Undefined::Argument(_))));
        assert!(matches!(d::geweke_z(&chains[0], p, 0.5), Err(Undefined::Argument(_))));
    }
    assert!(matches!(d::geweke_z(&chains[0], 0.6, 0.5), Err(Undefined::Argument(_))));
    assert!(matches!(d::geweke_z(&[], 0.1, 0.5), Err(Undefined::TooFew { .. })));
    assert!(matches!(d::geweke_z(&chains[0], 0.01, 0.5), Err(Undefined::TooFew { .. })));
    assert!(matches!(d::e_bfmi(&[1.0, 2.0, 3.0]), Err(Undefined::TooFew { .. })));
}

#[test]
fn groups_of_chains_are_checked() {
    let none: [[[f64; 2]; 2]; 0] = [];
    assert!(matches!(d::rhat_nested(&none), Err(Undefined::FewChains { .. })));
    assert!(matches!(d::rhat_nested(&[[[1.0, 2.0]]]), Err(Undefined::FewChains { .. })));
    assert!(matches!(d::rhat_nested(&[[[1.0]], [[2.0]]]), Err(Undefined::TooFew { needed: 2, found: 1 })));
    let uneven = [vec![vec![1.0, 2.0]], vec![vec![1.0, 2.0], vec![2.0, 3.0]]];
    assert!(matches!(d::rhat_nested(&uneven), Err(Undefined::FewChains { .. })));
}
