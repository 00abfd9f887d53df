//! Cuts of models of tables against enumeration.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_inference::graph_cut::GraphCut;
use posterior_inference::{Enumeration, Error, MapEngine};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use rand::{Rng, RngExt};

use crate::examples::voting;

/// A field of up to nine variables of one or two states whose pairs rather agree, with zeros, and evidence
/// about it.
fn random(seed: u64) -> (MarkovRandomField, Evidence) {
    let mut rng = stream(seed, &[]);
    let n = rng.random_range(1..10);
    let cards: Vec<usize> = (0..n).map(|_| if rng.random_bool(0.1) { 1 } else { 2 }).collect();
    let mut tables = Vec::new();
    for _ in 0..rng.random_range(0..15) {
        let (i, j) = (rng.random_range(0..n), rng.random_range(0..n));
        let scope = if i == j { vec![i] } else { vec![i, j] };
        let own: Vec<usize> = scope.iter().map(|&v| cards[v]).collect();
        let values = match own[..] {
            [2, 2] => agreeing(&mut rng),
            _ => (0..own.iter().product()).map(|_| weight(&mut rng)).collect(),
        };
        tables.push(Table::new(scope.into_iter().map(VarId::new).collect(), own, values).unwrap());
    }
    let mut evidence = Evidence::none();
    for (i, &card) in cards.iter().enumerate() {
        evidence = match rng.random_range(0..6) {
            0 => evidence.with(VarId::new(i), rng.random_range(0..card)),
            1 => evidence
                .with_likelihood(VarId::new(i), (0..card).map(|_| 0.1 + rng.random::<f64>()).collect()),
            _ => evidence,
        };
    }
    (MarkovRandomField::new(Variables::numbered(&cards).unwrap(), tables).unwrap(), evidence)
}

fn weight<R: Rng>(rng: &mut R) -> f64 {
    if rng.random_bool(0.1) { 0.0 } else { rng.random::<f64>() }
}

/// f(0,0) f(1,1) ≥ f(0,1) f(1,0).
fn agreeing<R: Rng>(rng: &mut R) -> Vec<f64> {
    let mut f: Vec<f64> = (0..4).map(|_| weight(rng)).collect();
    if f[0] * f[3] < f[1] * f[2] {
        f.swap(0, 1);
        f.swap(2, 3);
    }
    f
}

#[test]
fn cuts_find_the_states_that_enumeration_finds() {
    let mut possible = 0;
    for seed in 0..1000 {
        let (model, evidence) = random(seed);
        let expected = Enumeration::default().most_probable(&model, &evidence);
        match (GraphCut.most_probable(&model, &evidence), expected) {
            (Ok(best), Ok(expected)) => {
                assert!((best.ln_value - expected.ln_value).abs() < 1e-10, "{seed}: {best:?} {expected:?}");
                assert!(best.optimal && best.states.len() == model.variables().len());
                possible += 1;
            }
            (best, expected) => assert_eq!(best, expected, "{seed}"),
        }
    }
    assert!((500..1000).contains(&possible), "{possible}");
}

#[test]
fn friends_who_vote_alike_all_vote_one() {
    let best = GraphCut.most_probable(&voting(), &Evidence::none()).unwrap();
    assert_eq!(best.states, [1; 4]);
    assert!((best.ln_value - 10_000_f64.ln()).abs() < 1e-14);
    let output = GraphCut.most_probable(&voting(), &Evidence::of([(VarId::new(0), 0)])).unwrap();
    assert!((output.ln_value - 625_f64.ln()).abs() < 1e-13);
}

#[test]
fn what_no_cut_solves_is_refused_by_name() {
    let model = |cards: &[usize], scope: &[usize], values: &[f64]| {
        let own = scope.iter().map(|&v| cards[v]).collect();
        let scope = scope.iter().map(|&v| VarId::new(v)).collect();
        let table = Table::new(scope, own, values.to_vec()).unwrap();
        MarkovRandomField::new(Variables::numbered(cards).unwrap(), vec![table]).unwrap()
    };
    let message =
        |model: &MarkovRandomField| GraphCut.most_probable(model, &Evidence::none()).unwrap_err().to_string();
    let disagree = model(&[2, 2, 2], &[2, 1], &[1.0, 2.0, 2.0, 1.0]);
    assert_eq!(message(&disagree), "no cut for X2, X1: it prefers different states");
    assert_eq!(message(&model(&[3], &[0], &[1.0; 3])), "no cut for X0: it has more than two states");
    let three = model(&[2, 2, 2], &[0, 1, 2], &[1.0; 8]);
    assert_eq!(message(&three), "no cut for X0, X1, X2: it reads more than two variables");
    // Seen, one variable of the three makes it a factor of two.
    assert!(GraphCut.most_probable(&three, &Evidence::of([(VarId::new(1), 0)])).is_ok());
    assert!(matches!(
        GraphCut.most_probable(&disagree, &Evidence::of([(VarId::new(1), 2)])),
        Err(Error::Model(_))
    ));
}
