//! What a distribution of known type has, asked in one way.
//!
//! Each distribution implements the traits that it has in closed form. `(&Probe(&distribution)).skewness()`
//! is the distribution's if it implements [`Shape`], and `None` if it does not: method resolution prefers the
//! trait that is implemented for `Probe` over the one that is implemented for `&Probe`. It does so where the
//! type is known, hence in a macro only.

use crate::moments::{Entropy, Mode, Moments, Shape};

/// A point of a sample space that is a number on the line: `f64`, `u64`, `usize` or `bool`.
pub trait Coordinate: Sized {
    /// Whether the points are counted.
    const DISCRETE: bool;

    /// The point at x, if there is one.
    fn at(x: f64) -> Option<Self>;

    /// Where it is.
    fn coordinate(self) -> f64;
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

/// A distribution that is asked.
pub(super) struct Probe<'a, L>(pub(super) &'a L);

/// Of a distribution with [`Moments`].
pub(super) trait HasMoments {
    fn mean(&self) -> Option<f64>;
    fn variance(&self) -> Option<f64>;
}

impl<L: Moments<Mean = f64, Variance = f64>> HasMoments for Probe<'_, L> {
    fn mean(&self) -> Option<f64> {
        self.0.mean()
    }

    fn variance(&self) -> Option<f64> {
        self.0.variance()
    }
}

/// Of a distribution without.
pub(super) trait LacksMoments {
    fn mean(&self) -> Option<f64>;
    fn variance(&self) -> Option<f64>;
}

impl<L> LacksMoments for &Probe<'_, L> {
    fn mean(&self) -> Option<f64> {
        None
    }

    fn variance(&self) -> Option<f64> {
        None
    }
}

/// Of a distribution with [`Shape`].
pub(super) trait HasShape {
    fn skewness(&self) -> Option<f64>;
    fn excess_kurtosis(&self) -> Option<f64>;
}

impl<L: Shape> HasShape for Probe<'_, L> {
    fn skewness(&self) -> Option<f64> {
        self.0.skewness()
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        self.0.excess_kurtosis()
    }
}

/// Of a distribution without.
pub(super) trait LacksShape {
    fn skewness(&self) -> Option<f64>;
    fn excess_kurtosis(&self) -> Option<f64>;
}

impl<L> LacksShape for &Probe<'_, L> {
    fn skewness(&self) -> Option<f64> {
        None
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        None
    }
}

/// Of a distribution with [`Entropy`].
pub(super) trait HasEntropy {
    fn entropy(&self) -> Option<f64>;
}

impl<L: Entropy> HasEntropy for Probe<'_, L> {
    fn entropy(&self) -> Option<f64> {
        Some(self.0.entropy())
    }
}

/// Of a distribution without.
pub(super) trait LacksEntropy {
    fn entropy(&self) -> Option<f64>;
}

impl<L> LacksEntropy for &Probe<'_, L> {
    fn entropy(&self) -> Option<f64> {
        None
    }
}

/// Of a distribution with [`Mode`].
pub(super) trait HasMode<P> {
    fn mode(&self) -> Option<P>;
}

impl<L: Mode> HasMode<<L::Point as ToOwned>::Owned> for Probe<'_, L>
where
    L::Point: ToOwned,
{
    fn mode(&self) -> Option<<L::Point as ToOwned>::Owned> {
        self.0.mode()
    }
}

/// Of a distribution without.
pub(super) trait LacksMode<P> {
    fn mode(&self) -> Option<P>;
}

impl<L, P> LacksMode<P> for &Probe<'_, L> {
    fn mode(&self) -> Option<P> {
        None
    }
}
