//! Arguments of the functions that are timed: drawn from wide ranges, in a random order, which defeats branch
//! prediction.

use posterior::dist::stream::stream;
use rand::{Rng, RngExt};

/// Rows of arguments of one function.
pub type Rows = Vec<Vec<f64>>;

const ROWS: usize = 20_000;

/// x from 0.001 to 1000.
pub fn positive() -> Rows {
    rows(1, |rng| vec![spread(rng, 1e-3, 1e3)])
}

/// a from 0.01 to 1000, and x about a.
pub fn shapes() -> Rows {
    rows(2, shape)
}

/// p, a, and the x that shapes() would have.
pub fn shape_quantiles() -> Rows {
    rows(3, |rng| [vec![probability(rng)], shape(rng)].concat())
}

/// a and b from 0.1 to 100, x in (0, 1).
pub fn shape_pairs() -> Rows {
    rows(4, shape_pair)
}

/// p, a, b, x.
pub fn shape_pair_quantiles() -> Rows {
    rows(5, |rng| [vec![probability(rng)], shape_pair(rng)].concat())
}

/// x from -5 to 5.
pub fn centered() -> Rows {
    rows(6, |rng| vec![rng.random_range(-5.0..5.0)])
}

/// Half of them in the middle, half in the lower tail from 1e-15.
pub fn probabilities() -> Rows {
    rows(7, |rng| vec![probability(rng)])
}

/// Degrees of freedom from 1 to 100, x from -10 to 10.
pub fn degrees() -> Rows {
    rows(8, degree)
}

/// p, degrees of freedom, x.
pub fn degree_quantiles() -> Rows {
    rows(9, |rng| [vec![probability(rng)], degree(rng)].concat())
}

fn rows<R>(task: u64, mut draw: impl FnMut(&mut rand_pcg::Pcg64) -> R) -> Vec<R> {
    let mut rng = stream(11, &[task]);
    (0..ROWS).map(|_| draw(&mut rng)).collect()
}

fn spread<R: Rng>(rng: &mut R, low: f64, high: f64) -> f64 {
    rng.random_range(low.ln()..high.ln()).exp()
}

fn probability<R: Rng>(rng: &mut R) -> f64 {
    if rng.random() { spread(rng, 1e-15, 0.5) } else { rng.random_range(0.001..0.999) }
}

fn shape<R: Rng>(rng: &mut R) -> Vec<f64> {
    let a = spread(rng, 1e-2, 1e3);
    vec![a, a * spread(rng, 0.1, 5.0)]
}

fn shape_pair<R: Rng>(rng: &mut R) -> Vec<f64> {
    vec![spread(rng, 0.1, 100.0), spread(rng, 0.1, 100.0), rng.random_range(0.001..0.999)]
}

fn degree<R: Rng>(rng: &mut R) -> Vec<f64> {
    vec![spread(rng, 1.0, 100.0), rng.random_range(-10.0..10.0)]
}
