//! Where the centres begin.

use pulp::{Arch, Simd, WithSimd};
use rand::{Rng, RngExt};

use super::frame::Rows;
use super::kernel::squared_distance;
use super::options::Start;
use crate::error::Error;

/// The first centres, in the frame of the rows, one after the other.
pub(super) fn centres<R: Rng + ?Sized>(
    rows: &Rows,
    clusters: usize,
    start: &Start,
    rng: &mut R,
) -> Result<Vec<f64>, Error> {
    match start {
        Start::PlusPlus => plus_plus(rows, clusters, 1, rng),
        Start::GreedyPlusPlus => plus_plus(rows, clusters, 2 + (clusters as f64).ln() as usize, rng),
        Start::RandomRows => random_rows(rows, clusters, rng),
        Start::Centres(given) => {
            let bad = given.iter().position(|value| !value.is_finite());
            match bad {
                None => Ok(rows.frame.rows_inside(given)),
                Some(place) => Err(Error::NotFinite {
                    row: place % given.nrows(),
                    column: place / given.nrows(),
                    value: given[place],
                    hint: " in a centre to start from",
                }),
            }
        }
    }
}

/// The first places of a shuffle of all rows of positive weight.
fn random_rows<R: Rng + ?Sized>(rows: &Rows, clusters: usize, rng: &mut R) -> Result<Vec<f64>, Error> {
    let mut places: Vec<usize> = (0..rows.len()).filter(|&i| rows.weight(i) > 0.0).collect();
    if places.len() < clusters {
        return Err(rows.too_few(clusters));
    }
    for i in 0..clusters {
        let other = rng.random_range(i..places.len());
        places.swap(i, other);
    }
    Ok(places[..clusters].iter().flat_map(|&i| rows.row(i)).copied().collect())
}

/// Centres drawn by their distance to those before, the best of `trials` draws each time.
fn plus_plus<R: Rng + ?Sized>(
    rows: &Rows,
    clusters: usize,
    trials: usize,
    rng: &mut R,
) -> Result<Vec<f64>, Error> {
    let first = draw(&cumulate((0..rows.len()).map(|i| rows.weight(i))), rng).unwrap_or(0);
    let mut centres = rows.row(first).to_vec();
    let mut nearest = Nearest::to(rows, rows.row(first));
    for number in 1..clusters {
        let masses = cumulate(nearest.squares.iter().enumerate().map(|(i, square)| rows.weight(i) * square));
        let mut best: Option<(usize, Nearest)> = None;
        for _ in 0..trials {
            let row = draw(&masses, rng).ok_or_else(|| rows.too_few(clusters))?;
            let with = nearest.with(rows, &centres, rows.row(row), number as u32);
            if best.as_ref().is_none_or(|(_, least)| with.inertia < least.inertia) {
                best = Some((row, with));
            }
        }
        let (row, with) = best.expect("invariant: at least one trial");
        centres.extend_from_slice(rows.row(row));
        nearest = with;
    }
    Ok(centres)
}

fn cumulate(masses: impl Iterator<Item = f64>) -> Vec<f64> {
    masses
        .scan(0.0, |sum, mass| {
            *sum += mass;
            Some(*sum)
        })
        .collect()
}

/// A place, with probability proportional to its mass; nothing if there is no mass.
pub(super) fn draw<R: Rng + ?Sized>(cumulated: &[f64], rng: &mut R) -> Option<usize> {
    let total = *cumulated.last()?;
    if !(total > 0.0) {
        return None;
    }
    let level = total * rng.random::<f64>();
    let place = cumulated.partition_point(|&sum| sum <= level);
    // A product that was rounded up to the total: the last place of positive mass.
    Some(if place < cumulated.len() { place } else { cumulated.partition_point(|&sum| sum < total) })
}

/// The nearest centre of each row so far.
#[derive(Debug, Clone)]
struct Nearest {
    squares: Vec<f64>,
    labels: Vec<u32>,
    /// Σ w times the squares.
    inertia: f64,
}

impl Nearest {
    /// To the only centre.
    fn to(rows: &Rows, centre: &[f64]) -> Self {
        let far = Self {
            squares: vec![f64::INFINITY; rows.len()],
            labels: vec![0; rows.len()],
            inertia: f64::INFINITY,
        };
        far.with(rows, &[], centre, 0)
    }

    /// With one more centre. Rows whose centre is at least twice as far from it as from them stay.
    fn with(&self, rows: &Rows, centres: &[f64], next: &[f64], number: u32) -> Self {
        let slack = 1.0 - 16.0 * (rows.dimension as f64 + 8.0) * f64::EPSILON;
        let mut quarters: Vec<f64> = centres
            .chunks_exact(rows.dimension)
            .map(|centre| 0.25 * squared_distance(centre, next) * slack)
            .collect();
        quarters.resize(quarters.len().max(1), 0.0);
        Arch::new().dispatch(With { before: self, rows, quarters: &quarters, next, number })
    }
}

struct With<'a> {
    before: &'a Nearest,
    rows: &'a Rows,
    /// A quarter of the squared distance of each centre to the next one.
    quarters: &'a [f64],
    next: &'a [f64],
    number: u32,
}

impl WithSimd for With<'_> {
    type Output = Nearest;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Nearest {
        let mut after = self.before.clone();
        after.inertia = 0.0;
        for (i, (square, label)) in after.squares.iter_mut().zip(&mut after.labels).enumerate() {
            if *square > self.quarters[*label as usize] {
                let other = squared_distance(self.rows.row(i), self.next);
                if other < *square {
                    (*square, *label) = (other, self.number);
                }
            }
            after.inertia += self.rows.weight(i) * *square;
        }
        after
    }
}
