//! Points of sample spaces that are numbers.

use crate::density::{Density, Univariate};

/// A point of a sample space that is a number on the line: `f64`, `u64`, `i64`, `usize` or `bool`.
pub trait Coordinate: Sized {
    /// Whether the points are counted.
    const DISCRETE: bool;

    /// The point at x, if there is one.
    fn at(x: f64) -> Option<Self>;

    /// Where it is.
    fn coordinate(self) -> f64;
}

/// The least point with at least the probability `p` up to it, as a point of the sample space: a count of a
/// distribution of counts, where [`Univariate::quantile`] is a number of the line.
///
/// None where no point is: of a `p` outside of [0, 1], and where all of an endless support lies below.
///
/// ```
/// use posterior_dist::{Bernoulli, Poisson, quantile_point};
///
/// assert_eq!(quantile_point(&Poisson::new(3.0)?, 0.9), Some(5_u64));
/// assert_eq!(quantile_point(&Bernoulli::new(0.2)?, 0.9), Some(true));
/// assert_eq!(quantile_point(&Poisson::new(3.0)?, 1.0), None);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
pub fn quantile_point<D>(distribution: &D, p: f64) -> Option<D::Point>
where
    D: Univariate + Density<Point: Coordinate>,
{
    let x = distribution.quantile(p);
    if x.is_finite() { D::Point::at(x) } else { None }
}

impl Coordinate for f64 {
    const DISCRETE: bool = false;

    fn at(x: f64) -> Option<Self> {
        Some(x)
    }

    fn coordinate(self) -> f64 {
        self
    }
}

/// x, if it is a whole number of 64 bits.
fn whole(x: f64) -> Option<u64> {
    ((0.0..18_446_744_073_709_552_000.0).contains(&x) && x == x.trunc()).then_some(x as u64)
}

impl Coordinate for u64 {
    const DISCRETE: bool = true;

    fn at(x: f64) -> Option<Self> {
        whole(x)
    }

    fn coordinate(self) -> f64 {
        self as f64
    }
}

impl Coordinate for i64 {
    const DISCRETE: bool = true;

    fn at(x: f64) -> Option<Self> {
        let beyond = 2_f64.powi(63);
        let inside = (-beyond..beyond).contains(&x);
        (inside && x == x.trunc()).then_some(x as Self)
    }

    fn coordinate(self) -> f64 {
        self as f64
    }
}

impl Coordinate for usize {
    const DISCRETE: bool = true;

    fn at(x: f64) -> Option<Self> {
        whole(x).and_then(|x| x.try_into().ok())
    }

    fn coordinate(self) -> f64 {
        self as f64
    }
}

impl Coordinate for bool {
    const DISCRETE: Self = true;

    fn at(x: f64) -> Option<Self> {
        match x {
            0.0 => Some(false),
            1.0 => Some(true),
            _ => None,
        }
    }

    fn coordinate(self) -> f64 {
        f64::from(u8::from(self))
    }
}
