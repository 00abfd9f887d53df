//! Tables against a twin that computes each index anew.

use posterior_graph::VarId;
use proptest::prelude::*;

use super::{Contraction, Table};
use crate::{Counting, ExpectationSemiring, LogSumProduct, MaxProduct, MinSum, Semiring, SumProduct};

/// All joint states of these variables, the last fastest.
fn states(cards: &[usize]) -> Vec<Vec<usize>> {
    cards.iter().fold(vec![vec![]], |all, &card| {
        all.iter().flat_map(|s| (0..card).map(move |state| [s.as_slice(), &[state]].concat())).collect()
    })
}

/// ⊕ of ⊗, state by state.
fn naive<S: Semiring>(tables: &[&Table<S::Value>], keep: &[VarId], cards: &[usize]) -> Vec<S::Value> {
    let out_cards: Vec<usize> = keep.iter().map(|v| cards[v.index()]).collect();
    let mut out = vec![S::ZERO; out_cards.iter().product()];
    for state in states(cards) {
        // Variables in no table count once.
        let is_idle = |v: usize| tables.iter().all(|t| t.axis(VarId::new(v)).is_none());
        if (0..cards.len()).any(|v| is_idle(v) && state[v] > 0) {
            continue;
        }
        let at = |t: &&Table<S::Value>| t.at(&t.scope().iter().map(|v| state[v.index()]).collect::<Vec<_>>());
        let product = tables.iter().map(at).fold(S::ONE, S::multiply);
        let place = keep.iter().fold(0, |place, v| place * cards[v.index()] + state[v.index()]);
        out[place] = S::add(out[place], product);
    }
    out
}

/// Numbers of states, tables over some of the variables in any order, and variables to keep in any order.
fn case() -> impl Strategy<Value = (Vec<usize>, Vec<Table>, Vec<VarId>)> {
    prop::collection::vec(1_usize..4, 1..6)
        .prop_flat_map(|cards| {
            let n = cards.len();
            let order = || Just((0..n).collect::<Vec<usize>>()).prop_shuffle();
            let one =
                (order(), 0..=n, prop::collection::vec(prop_oneof![1 => Just(0.0), 3 => 0.1..2.0_f64], 243));
            let own = cards.clone();
            let tables = prop::collection::vec(one, 1..4).prop_map(move |raw| {
                let table = |(order, len, values): (Vec<usize>, usize, Vec<f64>)| {
                    let scope: Vec<VarId> = order[..len].iter().map(|&v| VarId::new(v)).collect();
                    let own: Vec<usize> = order[..len].iter().map(|&v| own[v]).collect();
                    let cells: usize = own.iter().product();
                    Table::new(scope, own, values[..cells].to_vec()).unwrap()
                };
                raw.into_iter().map(table).collect::<Vec<_>>()
            });
            (Just(cards), tables, order(), 0..=n)
        })
        .prop_map(|(cards, tables, order, len)| {
            let known = |v: &VarId| tables.iter().any(|t| t.axis(*v).is_some());
            let keep = order[..len].iter().map(|&v| VarId::new(v)).filter(known).collect();
            (cards, tables, keep)
        })
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!(x == y || (x - y).abs() <= 1e-13 * y.abs().max(1.0), "{a:?} {b:?}");
    }
}

proptest! {
    #[test]
    fn contractions_are_sums_of_products((cards, tables, keep) in case()) {
        let tables: Vec<&Table> = tables.iter().collect();
        let own = Table::product_marginal::<SumProduct>(&tables, &keep).unwrap();
        close(own.values(), &naive::<SumProduct>(&tables, &keep, &cards));
        let own = Table::product_marginal::<MaxProduct>(&tables, &keep).unwrap();
        close(own.values(), &naive::<MaxProduct>(&tables, &keep, &cards));
        let own = Table::product_marginal::<MinSum>(&tables, &keep).unwrap();
        close(own.values(), &naive::<MinSum>(&tables, &keep, &cards));
        let pairs: Vec<Table<(f64, f64)>> = tables.iter().map(|t| t.map(|p| (p, p * (p + 1.0)))).collect();
        let pairs: Vec<&Table<(f64, f64)>> = pairs.iter().collect();
        let own = Table::product_marginal::<ExpectationSemiring>(&pairs, &keep).unwrap();
        let expected = naive::<ExpectationSemiring>(&pairs, &keep, &cards);
        let own: (Vec<f64>, Vec<f64>) = own.values().iter().copied().unzip();
        let expected: (Vec<f64>, Vec<f64>) = expected.into_iter().unzip();
        close(&own.0, &expected.0);
        close(&own.1, &expected.1);
    }

    #[test]
    fn marginals_and_products_are_contractions((cards, tables, _) in case(), seed in 0_usize..1000) {
        let a = &tables[0];
        let keep: Vec<VarId> =
            a.scope().iter().rev().enumerate().filter(|(i, _)| seed >> i & 1 == 0).map(|(_, &v)| v).collect();
        close(a.marginal::<SumProduct>(&keep).unwrap().values(), &naive::<SumProduct>(&[a], &keep, &cards));
        close(a.marginal::<MaxProduct>(&keep).unwrap().values(), &naive::<MaxProduct>(&[a], &keep, &cards));
        let logs = a.map(f64::ln);
        let own = logs.marginal::<LogSumProduct>(&keep).unwrap();
        close(own.map(f64::exp).values(), &naive::<SumProduct>(&[a], &keep, &cards));
        let counts = a.map(|value| u64::from(value > 0.0));
        let own = counts.marginal::<Counting>(&keep).unwrap();
        prop_assert_eq!(own.values(), naive::<Counting>(&[&counts], &keep, &cards));
        if let Some(b) = tables.get(1) {
            let product = a.product::<SumProduct>(b).unwrap();
            close(product.values(), &naive::<SumProduct>(&[a, b], product.scope(), &cards));
            let back = product.quotient(b).unwrap();
            let others = b.map(|value| f64::from(u8::from(value != 0.0)));
            close(back.values(), &naive::<SumProduct>(&[a, &others], product.scope(), &cards));
        }
    }

    #[test]
    fn parts_orders_and_maxima((_, tables, _) in case(), which in 0_usize..5, state in 0_usize..3) {
        let table = &tables[0];
        let Some(&v) = table.scope().get(which) else { return Ok(()) };
        let card = table.cards()[which];
        let state = state % card;
        let part = table.reduce(&[(v, state)]).unwrap();
        let (best, argmax) = table.maximum_over(v).unwrap();
        prop_assert_eq!(part.scope(), best.scope());
        for (i, own) in states(part.cards()).into_iter().enumerate() {
            let full = |state: usize| { let mut full = own.clone(); full.insert(which, state); table.at(&full) };
            prop_assert_eq!(part.values()[i], full(state));
            let first = (0..card).fold(0, |best, s| if full(s) > full(best) { s } else { best });
            prop_assert_eq!((best.values()[i], argmax[i] as usize), (full(first), first));
        }
        let mut order = table.scope().to_vec();
        order.rotate_left(which);
        let turned = table.reordered(&order).unwrap();
        for mut own in states(table.cards()) {
            let value = table.at(&own);
            own.rotate_left(which);
            prop_assert_eq!(turned.at(&own), value);
        }
    }
}

#[test]
fn the_entropy_of_two_coins_comes_out_of_one_pass() {
    let coin = |v: usize, p: f64| Table::new(vec![VarId::new(v)], vec![2], vec![p, 1.0 - p]).unwrap();
    let surprise = |t: &Table| t.map(|p| (p, -p * p.ln()));
    let (a, b) = (surprise(&coin(0, 0.5)), surprise(&coin(1, 0.25)));
    let (total, entropy) =
        Table::product_marginal::<ExpectationSemiring>(&[&a, &b], &[]).unwrap().values()[0];
    assert_eq!(total, 1.0);
    assert!((entropy - (2_f64.ln() + 0.25 * 4_f64.ln() + 0.75 * (4.0_f64 / 3.0).ln())).abs() < 1e-15);
}

#[test]
fn what_does_not_fit_is_refused() {
    let v = VarId::new;
    let a = Table::new(vec![v(0), v(1)], vec![2, 3], vec![1.0; 6]).unwrap();
    let b = Table::new(vec![v(1)], vec![2], vec![1.0; 2]).unwrap();
    assert!(Contraction::new(&[&a, &b], &[]).is_err());
    assert!(Contraction::new(&[&a], &[v(2)]).is_err());
    assert!(Contraction::new(&[&a], &[v(0), v(0)]).is_err());
    assert!(a.maximum_over(v(2)).is_err());
    assert!(a.reordered(&[v(0)]).is_err());
    assert!(a.reordered(&[v(0), v(0)]).is_err());
    assert!(a.reordered(&[v(0), v(2)]).is_err());
}

#[test]
fn long_runs_are_cut() {
    let v = VarId::new;
    let values: Vec<f64> = (0..5000).map(f64::from).collect();
    let long = Table::new(vec![v(0)], vec![5000], values).unwrap();
    let sum = Contraction::new(&[&long, &long], &[]).unwrap();
    assert_eq!(sum.joint_states(), 5000);
    assert_eq!(
        sum.run::<SumProduct>(&[&long, &long]).values()[0],
        (0..5000_u64).map(|i| i * i).sum::<u64>() as f64
    );
    assert_eq!(long.product::<SumProduct>(&long).unwrap().values()[4999], 4999.0 * 4999.0);
}
