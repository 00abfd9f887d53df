//! Where the centres begin.

use pulp::{Arch, Simd, WithSimd};
use rand::{Rng, RngExt};

use super::frame::Rows;
use super::kernel::squared_distance;
use super::options::CentreStart;
use crate::error::Error;

/// The first centres, in the frame of the rows, one after the other.
pub(super) fn centres<R: Rng + ?Sized>(
    rows: &Rows,
    clusters: usize,
    start: &CentreStart,
    rng: &mut R,
) -> Result<Vec<f64>, Error> {
    match start {
        CentreStart::PlusPlus => plus_plus(rows, clusters, 1, rng),
        CentreStart::GreedyPlusPlus => plus_plus(rows, clusters, 2 + (clusters as f64).ln() as usize, rng),
        CentreStart::RandomRows => random_rows(rows, clusters, rng),
        CentreStart::Centres(given) => {
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
    for _ in 1..clusters {
        let masses = cumulate(nearest.squares.iter().enumerate().map(|(i, square)| rows.weight(i) * square));
        let drawn = (0..trials).map(|_| draw(&masses, rng)).collect::<Option<Vec<usize>>>();
        let drawn = drawn.ok_or_else(|| rows.too_few(clusters))?;
        let mut trials: Vec<Trial<'_>> =
            drawn.iter().map(|&i| Trial::new(rows, &centres, rows.row(i))).collect();
        if trials.len() > 1 {
            Arch::new().dispatch(Try { rows, nearest: &nearest, trials: &mut trials });
        }
        let best = (1..trials.len())
            .fold(0, |best, i| if trials[i].inertia < trials[best].inertia { i } else { best });
        Arch::new().dispatch(Add { rows, nearest: &mut nearest, trial: &trials[best] });
        centres.extend_from_slice(rows.row(drawn[best]));
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
#[derive(Debug)]
struct Nearest {
    squares: Vec<f64>,
    labels: Vec<u32>,
}

impl Nearest {
    /// To the only centre.
    fn to(rows: &Rows, centre: &[f64]) -> Self {
        let squares = (0..rows.len()).map(|i| squared_distance(rows.row(i), centre)).collect();
        Self { squares, labels: vec![0; rows.len()] }
    }
}

/// A row that may become the next centre.
#[derive(Debug)]
struct Trial<'a> {
    centre: &'a [f64],
    /// A quarter of its squared distance to each centre: rows that are nearer to theirs stay.
    quarters: Vec<f64>,
    /// Σ w times the squared distance to the nearest centre, with it.
    inertia: f64,
}

impl<'a> Trial<'a> {
    fn new(rows: &Rows, centres: &[f64], centre: &'a [f64]) -> Self {
        let slack = 1.0 - 16.0 * (rows.dimension as f64 + 8.0) * f64::EPSILON;
        let quarter = |other: &[f64]| 0.25 * squared_distance(other, centre) * slack;
        Self { centre, quarters: centres.chunks_exact(rows.dimension).map(quarter).collect(), inertia: 0.0 }
    }

    /// The squared distance of row i to its nearest centre, with this one.
    #[inline(always)]
    fn square(&self, rows: &Rows, nearest: &Nearest, i: usize) -> f64 {
        let square = nearest.squares[i];
        if square > self.quarters[nearest.labels[i] as usize] {
            square.min(squared_distance(rows.row(i), self.centre))
        } else {
            square
        }
    }
}

/// The inertia with each of several trials.
struct Try<'a, 'b> {
    rows: &'a Rows,
    nearest: &'a Nearest,
    trials: &'a mut [Trial<'b>],
}

impl WithSimd for Try<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for i in 0..self.rows.len() {
            let weight = self.rows.weight(i);
            for trial in self.trials.iter_mut() {
                trial.inertia += weight * trial.square(self.rows, self.nearest, i);
            }
        }
    }
}

/// Makes a trial the next centre.
struct Add<'a, 'b> {
    rows: &'a Rows,
    nearest: &'a mut Nearest,
    trial: &'a Trial<'b>,
}

impl WithSimd for Add<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let number = self.trial.quarters.len() as u32;
        for i in 0..self.rows.len() {
            let square = self.trial.square(self.rows, self.nearest, i);
            if square < self.nearest.squares[i] {
                (self.nearest.squares[i], self.nearest.labels[i]) = (square, number);
            }
        }
    }
}
