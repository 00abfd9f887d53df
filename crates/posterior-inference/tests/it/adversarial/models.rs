//! Random models with everything that can go wrong: no variables, variables with one state, empty scopes,
//! zeros, numbers at the ends of the range, the same scope twice, evidence on everything.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_pgm::{BayesianNetwork, Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::any_model::{Random, shuffled};

/// The adversary of this seed: a network if the seed is even, a field if it is odd.
pub(super) fn adversary(seed: u64) -> Random {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let cards: Vec<usize> = (0..rng.random_range(0..7)).map(|_| rng.random_range(1..4)).collect();
    let model: Box<dyn GraphicalModel> = if seed.is_multiple_of(2) {
        Box::new(network(&mut rng, &cards))
    } else {
        Box::new(field(&mut rng, &cards))
    };
    let evidence = evidence(&mut rng, &cards);
    Random { model, evidence }
}

fn network<R: Rng>(rng: &mut R, cards: &[usize]) -> BayesianNetwork {
    let ids = shuffled(rng, cards.len());
    let density = *[0.0, 0.3, 0.6, 1.0].get(rng.random_range(0..4)).unwrap();
    let tables = (0..cards.len()).map(|place| {
        let mut family: Vec<usize> =
            ids[..place].iter().copied().filter(|_| rng.random_bool(density)).collect();
        family.push(ids[place]);
        let card = cards[ids[place]];
        let cells: usize = family.iter().map(|&v| cards[v]).product();
        let values = (0..cells / card).flat_map(|_| row(rng, card)).collect();
        table(&family, cards, values)
    });
    let tables: Vec<Table> = tables.collect();
    BayesianNetwork::normalized(Variables::numbered(cards).unwrap(), tables).unwrap().0
}

/// A distribution: any, a certainty, or with all but impossible states.
fn row<R: Rng>(rng: &mut R, card: usize) -> Vec<f64> {
    let sure = rng.random_range(0..card);
    let small = match rng.random_range(0..5) {
        0 => 0.0,
        1 => 1e-300,
        2 => 5e-324,
        _ => 1.0,
    };
    (0..card).map(|state| if state == sure { 1.0 } else { small * rng.random::<f64>() }).collect()
}

fn field<R: Rng>(rng: &mut R, cards: &[usize]) -> MarkovRandomField {
    let mut tables: Vec<Table> = Vec::new();
    for _ in 0..rng.random_range(0..8) {
        let mut scope = shuffled(rng, cards.len());
        match rng.random_range(0..10) {
            0 => {}
            1 | 2 if !tables.is_empty() => {
                let old = &tables[rng.random_range(0..tables.len())];
                scope.retain(|&v| old.axis(VarId::new(v)).is_some());
            }
            _ => scope.truncate(rng.random_range(0..4)),
        }
        let cells = scope.iter().map(|&v| cards[v]).product();
        let values = values(rng, cells);
        tables.push(table(&scope, cards, values));
    }
    MarkovRandomField::new(Variables::numbered(cards).unwrap(), tables).unwrap()
}

/// The numbers of a factor, of one of many kinds.
fn values<R: Rng>(rng: &mut R, cells: usize) -> Vec<f64> {
    let kind = rng.random_range(0..16);
    let mut number = || match kind {
        0 => 0.0,
        1 => 1e300,
        2 => 1e-300,
        3 => 5e-324 * f64::from(rng.random_range(0..4)),
        4 | 5 => 10_f64.powf(600.0 * rng.random::<f64>() - 300.0),
        6 | 7 => f64::from(rng.random_range(0..2)),
        8 | 9 if rng.random_bool(0.3) => 0.0,
        10 if rng.random_bool(0.5) => 1e-160 * rng.random::<f64>(),
        11 => f64::MAX,
        _ => rng.random(),
    };
    (0..cells).map(|_| number()).collect()
}

/// Nothing, anything, or everything was seen.
fn evidence<R: Rng>(rng: &mut R, cards: &[usize]) -> Evidence {
    let [none, hard] = [[1.0, 0.0], [0.5, 0.25], [0.2, 0.4], [0.0, 1.0]][rng.random_range(0..4)];
    let mut evidence = Evidence::none();
    for (i, &card) in cards.iter().enumerate() {
        let v = VarId::new(i);
        let dice: f64 = rng.random();
        if dice < none {
            continue;
        }
        if dice < none + hard {
            evidence.insert(v, posterior_pgm::Finding::State(rng.random_range(0..card)));
        } else {
            let mut likelihood = values(rng, card);
            likelihood[rng.random_range(0..card)] += 1e-300;
            evidence = evidence.with_likelihood(v, likelihood);
        }
    }
    evidence
}

fn table(scope: &[usize], cards: &[usize], values: Vec<f64>) -> Table {
    let own = scope.iter().map(|&v| cards[v]).collect();
    Table::new(scope.iter().map(|&v| VarId::new(v)).collect(), own, values).unwrap()
}
