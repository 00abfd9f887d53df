//! Random models of few variables.

use std::error::Error;

use posterior::dist::stream::stream;
use posterior::pgm::{BayesianNetwork, Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use rand::{Rng, RngExt};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn table(scope: &[usize], cards: &[usize], mut number: impl FnMut() -> f64) -> Outcome<Table> {
    let own: Vec<usize> = scope.iter().map(|&v| cards[v]).collect();
    let values = (0..own.iter().product()).map(|_| number()).collect();
    Ok(Table::new(scope.iter().map(|&v| VarId::new(v)).collect(), own, values)?)
}

/// A number between 0 and 1, which is 0 one time in four.
fn value<R: Rng>(rng: &mut R) -> f64 {
    if rng.random_bool(0.25) { 0.0 } else { rng.random() }
}

/// Numbers below `n`, shuffled.
fn shuffled<R: Rng>(rng: &mut R, n: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        numbers.swap(i, rng.random_range(0..=i));
    }
    numbers
}

/// A network or a field of up to seven variables, and evidence about it, which may be impossible.
pub(super) fn any(seed: u64) -> Outcome<(Box<dyn GraphicalModel>, Evidence)> {
    let mut rng = stream(seed, &[1]);
    let cards: Vec<usize> = (0..rng.random_range(1..8)).map(|_| rng.random_range(1..4)).collect();
    let model: Box<dyn GraphicalModel> = if seed.is_multiple_of(2) {
        Box::new(network(&mut rng, &cards)?)
    } else {
        Box::new(field(&mut rng, &cards)?)
    };
    let evidence = evidence(model.variables(), seed);
    Ok((model, evidence))
}

fn network<R: Rng>(rng: &mut R, cards: &[usize]) -> Outcome<BayesianNetwork> {
    let order = shuffled(rng, cards.len());
    let mut tables = Vec::new();
    for (place, &child) in order.iter().enumerate() {
        let mut scope: Vec<usize> = order[..place].iter().copied().filter(|_| rng.random_bool(0.5)).collect();
        scope.truncate(3);
        let rows: usize = scope.iter().map(|&v| cards[v]).product();
        scope.push(child);
        let mut values = Vec::new();
        for _ in 0..rows {
            let mut row: Vec<f64> = (0..cards[child]).map(|_| value(rng)).collect();
            row[rng.random_range(0..cards[child])] += 0.5;
            let sum: f64 = row.iter().sum();
            values.extend(row.iter().map(|own| own / sum));
        }
        let mut values = values.into_iter();
        tables.push(table(&scope, cards, || values.next().unwrap_or(f64::NAN))?);
    }
    Ok(BayesianNetwork::new(Variables::numbered(cards)?, tables)?)
}

fn field<R: Rng>(rng: &mut R, cards: &[usize]) -> Outcome<MarkovRandomField> {
    let mut tables = Vec::new();
    for _ in 0..rng.random_range(0..8) {
        let mut scope = shuffled(rng, cards.len());
        scope.truncate(rng.random_range(0..4));
        tables.push(table(&scope, cards, || value(rng))?);
    }
    Ok(MarkovRandomField::new(Variables::numbered(cards)?, tables)?)
}

/// Some states, and some likelihoods.
pub(super) fn evidence(variables: &Variables, seed: u64) -> Evidence {
    let mut rng = stream(seed, &[2]);
    let mut evidence = Evidence::none();
    for v in variables.ids() {
        let card = variables.card(v);
        evidence = match rng.random_range(0..6) {
            0 => evidence.with(v, rng.random_range(0..card)),
            1 => evidence.with_likelihood(v, (0..card).map(|_| 0.1 + rng.random::<f64>()).collect()),
            _ => evidence,
        };
    }
    evidence
}

/// A forest of factors of up to four variables, with zeros.
pub(super) fn forest(seed: u64) -> Outcome<MarkovRandomField> {
    let mut rng = stream(seed, &[3]);
    let n = rng.random_range(2..10);
    let cards: Vec<usize> = (0..n).map(|_| rng.random_range(1..5)).collect();
    let names = shuffled(&mut rng, n);
    let (mut tables, mut next) = (Vec::new(), 1);
    while next < n {
        let end = (next + rng.random_range(1..4)).min(n);
        let mut scope = names[next..end].to_vec();
        scope.push(names[rng.random_range(0..next)]);
        let turn = rng.random_range(0..scope.len());
        scope.rotate_left(turn);
        tables.push(table(&scope, &cards, || {
            if rng.random_bool(0.1) { 0.0 } else { 0.05 + rng.random::<f64>() }
        })?);
        next = end;
    }
    Ok(MarkovRandomField::new(Variables::numbered(&cards)?, tables)?)
}

/// A sum of twelve uniform numbers, about normal, in the exponent.
fn weight<R: Rng>(rng: &mut R) -> f64 {
    let sum: f64 = (0..12).map(|_| rng.random::<f64>()).sum();
    (sum - 6.0).exp()
}

/// Five variables with loops, all weights positive.
pub(super) fn loopy(seed: u64) -> Outcome<MarkovRandomField> {
    let mut rng = stream(seed, &[4]);
    let cards = [2, 3, 2, 2, 3];
    let pairs = [[0, 1], [1, 2], [2, 3], [0, 3], [0, 2], [3, 4], [1, 4]];
    let mut tables =
        pairs.iter().map(|pair| table(pair, &cards, || weight(&mut rng))).collect::<Outcome<Vec<_>>>()?;
    for v in 0..cards.len() {
        tables.push(table(&[v], &cards, || weight(&mut rng))?);
    }
    Ok(MarkovRandomField::new(Variables::numbered(&cards)?, tables)?)
}

/// A square grid of binary variables, of which neighbours rather agree.
pub(super) fn agreeing_grid(side: usize, seed: u64) -> Outcome<MarkovRandomField> {
    let mut rng = stream(seed, &[5]);
    let cards = vec![2; side * side];
    let mut tables = Vec::new();
    for v in 0..side * side {
        tables.push(table(&[v], &cards, || weight(&mut rng))?);
        let right = (v % side + 1 < side).then_some(v + 1);
        let below = (v + side < side * side).then_some(v + side);
        for other in [right, below].into_iter().flatten() {
            let (agree, differ) = (1.0 + 2.0 * rng.random::<f64>(), rng.random::<f64>());
            let mut values = [agree, differ, differ, agree].into_iter();
            tables.push(table(&[v, other], &cards, || values.next().unwrap_or(f64::NAN))?);
        }
    }
    Ok(MarkovRandomField::new(Variables::numbered(&cards)?, tables)?)
}
