//! Points of sample spaces that are numbers.

/// A point of a sample space that is a number on the line: `f64`, `u64`, `i64`, `usize` or `bool`.
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
