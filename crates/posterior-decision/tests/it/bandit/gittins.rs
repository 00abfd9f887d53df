//! Gittins' index against the published table and against another characterisation.

use posterior_decision::bandit::{Gittins, IndexRule, gittins_index};

use super::indices;

/// J. C. Gittins, 1989, discount 0.9: rows β = 1, 2, 3 and columns α = 1, 2, 3.
#[test]
fn the_published_table_is_met() {
    let table = [[0.7029, 0.8001, 0.8452], [0.5001, 0.6346, 0.7072], [0.3796, 0.5163, 0.6010]];
    for (beta, row) in table.iter().enumerate() {
        for (alpha, &published) in row.iter().enumerate() {
            let found = gittins_index(alpha as f64 + 1.0, beta as f64 + 1.0, 0.9).unwrap();
            assert!((found - published).abs() <= 6e-5, "{} {}: {found} {published}", alpha + 1, beta + 1);
        }
    }
}

/// Katehakis and Veinott 1987: (1 - γ) times the value of an arm that may be restarted in its first state at
/// any time.
fn by_restarts(alpha: f64, beta: f64, discount: f64) -> f64 {
    let depth = (1e-12_f64.ln() / discount.ln()).ceil() as usize;
    let mut restart = 0.0;
    loop {
        let mut values = vec![restart; depth + 2];
        let mut first = 0.0;
        for played in (0..=depth).rev() {
            for successes in 0..=played {
                let mean = (alpha + successes as f64) / (alpha + beta + played as f64);
                let go_on =
                    mean + discount * (mean * values[successes + 1] + (1.0 - mean) * values[successes]);
                first = go_on;
                values[successes] = go_on.max(restart);
            }
        }
        if (first - restart).abs() < 1e-11 * first {
            return (1.0 - discount) * first;
        }
        restart = first;
    }
}

#[test]
fn another_characterisation_agrees() {
    for (alpha, beta, discount) in
        [(1.0, 1.0, 0.9), (3.0, 1.0, 0.8), (0.5, 2.5, 0.95), (20.0, 30.0, 0.9), (1.0, 1.0, 0.5)]
    {
        let (found, expected) =
            (gittins_index(alpha, beta, discount).unwrap(), by_restarts(alpha, beta, discount));
        assert!((found - expected).abs() < 1e-9, "{alpha} {beta} {discount}: {found} {expected}");
    }
}

#[test]
fn the_index_is_the_mean_where_the_future_is_nothing() {
    assert!((gittins_index(2.0, 3.0, 1e-6).unwrap() - 0.4).abs() < 1e-6);
    assert!((gittins_index(1e12, 1e12, 0.9).unwrap() - 0.5).abs() < 1e-6);
}

#[test]
fn nonsense_is_refused() {
    assert!(gittins_index(0.0, 1.0, 0.9).is_err() && gittins_index(1.0, f64::NAN, 0.9).is_err());
    assert!(gittins_index(1.0, 1.0, 1.0).is_err() && gittins_index(1.0, 1.0, 0.0).is_err());
    assert!(Gittins::default().check_reward(0.5).is_err());
}

#[test]
fn the_policy_prefers_what_it_knows_less() {
    let found = indices(&Gittins { discount: 0.9, ..Gittins::default() }, &[(2, 1), (20, 10)]);
    assert!(found[0] > found[1] && found[1] > 0.5);
    assert!((found[0] - gittins_index(2.0, 2.0, 0.9).unwrap()).abs() < 1e-15);
}
