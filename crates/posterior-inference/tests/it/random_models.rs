//! Random models, for what holds of all.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_pgm::{Evidence, MarkovRandomField, Table, VarId, Variables};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A generator of a seed.
pub(crate) fn rng(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

/// A table with numbers between 0.05 and 1.05, some of which are zero instead.
pub(crate) fn table(scope: Vec<VarId>, cards: &[usize], zeros: f64, rng: &mut Pcg64Mcg) -> Table {
    let own: Vec<usize> = scope.iter().map(|v| cards[v.index()]).collect();
    let cells = own.iter().product();
    let mut number = || if rng.random_bool(zeros) { 0.0 } else { 0.05 + rng.random::<f64>() };
    Table::new(scope, own, (0..cells).map(|_| number()).collect()).unwrap()
}

/// A forest of factors over 1 to 9 variables with 1 to 4 states: factors of up to four variables, some over
/// one variable alone, in any order of variables.
pub(crate) fn forest(zeros: f64, rng: &mut Pcg64Mcg) -> MarkovRandomField {
    let n = rng.random_range(1..10);
    let cards: Vec<usize> = (0..n).map(|_| rng.random_range(1..5)).collect();
    let mut names: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        names.swap(i, rng.random_range(0..=i));
    }
    let mut factors = Vec::new();
    let mut next = 1;
    while next < n {
        let end = (next + rng.random_range(1..4)).min(n);
        if rng.random_bool(0.85) {
            let old = rng.random_range(0..next);
            let mut scope: Vec<VarId> = (next..end).chain([old]).map(|i| VarId::new(names[i])).collect();
            let turn = rng.random_range(0..scope.len());
            scope.rotate_left(turn);
            factors.push(table(scope, &cards, zeros, rng));
        }
        next = end;
    }
    for v in 0..n {
        if rng.random_bool(0.4) {
            factors.push(table(vec![VarId::new(v)], &cards, zeros / 3.0, rng));
        }
    }
    MarkovRandomField::new(Variables::numbered(&cards).unwrap(), factors).unwrap()
}

/// A field with a factor for each pair of `pairs` and each variable, whose logarithms are normal with this
/// scale.
pub(crate) fn pairwise(
    cards: &[usize],
    pairs: &[(usize, usize)],
    scale: f64,
    rng: &mut Pcg64Mcg,
) -> MarkovRandomField {
    let mut normal = || {
        let sum: f64 = (0..12).map(|_| rng.random::<f64>()).sum();
        (scale * (sum - 6.0)).exp()
    };
    let mut factors = Vec::new();
    for &(a, b) in pairs {
        let values = (0..cards[a] * cards[b]).map(|_| normal()).collect();
        let scope = vec![VarId::new(a), VarId::new(b)];
        factors.push(Table::new(scope, vec![cards[a], cards[b]], values).unwrap());
    }
    for (v, &card) in cards.iter().enumerate() {
        let values = (0..card).map(|_| normal()).collect();
        factors.push(Table::new(vec![VarId::new(v)], vec![card], values).unwrap());
    }
    MarkovRandomField::new(Variables::numbered(cards).unwrap(), factors).unwrap()
}

/// Some states, and some likelihoods, of these variables.
pub(crate) fn evidence(variables: &Variables, rng: &mut Pcg64Mcg) -> Evidence {
    let mut evidence = Evidence::none();
    for v in variables.ids() {
        let card = variables.card(v);
        match rng.random_range(0..6) {
            0 => evidence = evidence.with(v, rng.random_range(0..card)),
            1 => {
                let likelihood = (0..card).map(|_| 0.1 + rng.random::<f64>()).collect();
                evidence = evidence.with_likelihood(v, likelihood);
            }
            _ => {}
        }
    }
    evidence
}
