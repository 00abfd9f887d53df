//! Random models that are small enough for enumeration, with zeros in their tables.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_pgm::{BayesianNetwork, Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A model and evidence about it, of which a part is virtual. The evidence may be impossible.
pub(crate) struct Random {
    pub(crate) model: Box<dyn GraphicalModel>,
    pub(crate) evidence: Evidence,
}

/// One of the random models: a network if the seed is even, a field if it is odd.
pub(crate) fn random(seed: u64) -> Random {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let cards: Vec<usize> = (0..rng.random_range(1..8)).map(|_| rng.random_range(1..4)).collect();
    let model: Box<dyn GraphicalModel> = if seed.is_multiple_of(2) {
        Box::new(network(&mut rng, &cards))
    } else {
        Box::new(field(&mut rng, &cards))
    };
    let evidence = evidence(&mut rng, &cards);
    Random { model, evidence }
}

fn network<R: Rng>(rng: &mut R, cards: &[usize]) -> BayesianNetwork {
    // Variables get their ids in a random order, so that parents can have greater ones.
    let ids = shuffled(rng, cards.len());
    let tables = (0..cards.len()).map(|place| {
        let mut parents: Vec<usize> = ids[..place].to_vec();
        parents.retain(|_| rng.random_bool(0.5));
        parents.truncate(3);
        parents.push(ids[place]);
        let card = cards[ids[place]];
        let rows = parents.iter().map(|&v| cards[v]).product::<usize>() / card;
        table(&parents, cards, (0..rows).flat_map(|_| row(rng, card)).collect())
    });
    BayesianNetwork::new(Variables::numbered(cards).unwrap(), tables.collect()).unwrap()
}

fn field<R: Rng>(rng: &mut R, cards: &[usize]) -> MarkovRandomField {
    let tables = (0..rng.random_range(0..8)).map(|_| {
        let mut scope = shuffled(rng, cards.len());
        scope.truncate(rng.random_range(0..4));
        let cells = scope.iter().map(|&v| cards[v]).product();
        table(&scope, cards, (0..cells).map(|_| value(rng)).collect())
    });
    MarkovRandomField::new(Variables::numbered(cards).unwrap(), tables.collect()).unwrap()
}

fn evidence<R: Rng>(rng: &mut R, cards: &[usize]) -> Evidence {
    let mut evidence = Evidence::none();
    for (i, &card) in cards.iter().enumerate() {
        evidence = match rng.random_range(0..6) {
            0 => evidence.with(VarId::new(i), rng.random_range(0..card)),
            1 => evidence.with_likelihood(VarId::new(i), row(rng, card)),
            _ => evidence,
        };
    }
    evidence
}

fn table(scope: &[usize], cards: &[usize], values: Vec<f64>) -> Table {
    let own = scope.iter().map(|&v| cards[v]).collect();
    Table::new(scope.iter().map(|&v| VarId::new(v)).collect(), own, values).unwrap()
}

/// A distribution, in which some states are impossible.
fn row<R: Rng>(rng: &mut R, card: usize) -> Vec<f64> {
    let mut row: Vec<f64> = (0..card).map(|_| value(rng)).collect();
    row[rng.random_range(0..card)] += 0.5;
    let sum: f64 = row.iter().sum();
    row.iter().map(|value| value / sum).collect()
}

/// A number between 0 and 1, which is 0 one time in four.
fn value<R: Rng>(rng: &mut R) -> f64 {
    if rng.random_bool(0.25) { 0.0 } else { rng.random() }
}

/// The numbers below `n` in random order.
pub(crate) fn shuffled<R: Rng>(rng: &mut R, n: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        numbers.swap(i, rng.random_range(0..=i));
    }
    numbers
}
