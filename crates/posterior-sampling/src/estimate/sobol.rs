//! The Sobol sequence, plain and scrambled.

mod directions;

use posterior_math::check::ParamError;

use self::directions::{POLYNOMIALS, STARTS};
use super::scramble::Scramble;

/// Binary digits of a coordinate.
const DIGITS: usize = 32;

/// Points of [0, 1)ⁿ that fill it evenly: of the first 2ᵐ, each coordinate has one in each of 2ᵐ equal
/// intervals, and boxes of volume 2^(t-m) with dyadic sides have 2ᵗ points each.
///
/// Take a power of two of points, from the first on; dropping the first spoils the net. Scrambled, each point
/// is uniform in (0, 1)ⁿ, all together are as even as before, and the mean of a function over them has no
/// bias. The order is that of the Gray code. The sequence ends after 2³² points.
///
/// ```
/// use posterior_sampling::estimate::Sobol;
///
/// let points: Vec<Vec<f64>> = Sobol::new(2)?.take(4).collect();
/// assert_eq!(points, [[0.0, 0.0], [0.5, 0.5], [0.75, 0.25], [0.25, 0.75]]);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// S. Joe, F. Kuo, Constructing Sobol sequences with better two-dimensional projections, SIAM J. Sci. Comput.
/// 30, 2008; A. Owen, Randomly permuted (t,m,s)-nets and (t,s)-sequences, 1995.
#[derive(Debug, Clone, PartialEq)]
pub struct Sobol {
    directions: Vec<[u32; DIGITS]>,
    scrambles: Option<Vec<Scramble>>,
    digits: Vec<u32>,
    index: u64,
}

impl Sobol {
    /// The largest dimension.
    pub const MAX_DIM: usize = POLYNOMIALS.len() + 1;

    /// The sequence itself, from the origin on.
    ///
    /// # Errors
    /// A dimension of zero, or above [`MAX_DIM`](Self::MAX_DIM).
    pub fn new(dim: usize) -> Result<Self, ParamError> {
        if !(1..=Self::MAX_DIM).contains(&dim) {
            return Err(ParamError::new("Sobol", "dim", dim as f64, "from 1 to 512"));
        }
        Ok(Self { directions: directions(dim), scrambles: None, digits: vec![0; dim], index: 0 })
    }

    /// The sequence with random digits: each binary digit of a coordinate is flipped or not, at random for
    /// each value of the digits before it (Owen's nested scrambling).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn scrambled(dim: usize, seed: u64) -> Result<Self, ParamError> {
        let scrambles =
            (0..dim.min(Self::MAX_DIM)).map(|coordinate| Scramble::new(seed, coordinate)).collect();
        Ok(Self { scrambles: Some(scrambles), ..Self::new(dim)? })
    }

    /// The number of coordinates.
    pub const fn dim(&self) -> usize {
        self.digits.len()
    }

    /// Writes the next point; false if there is none.
    ///
    /// # Panics
    /// If `point` has another length.
    #[track_caller]
    pub fn next_point(&mut self, point: &mut [f64]) -> bool {
        assert_eq!(point.len(), self.dim(), "a point of another dimension");
        if self.index >> DIGITS != 0 {
            return false;
        }
        for (i, (x, &digits)) in point.iter_mut().zip(&self.digits).enumerate() {
            *x = match &self.scrambles {
                None => f64::from(digits) / (1_u64 << DIGITS) as f64,
                Some(scrambles) => scrambles[i].apply(digits),
            };
        }
        let changed = self.index.trailing_ones() as usize;
        if changed < DIGITS {
            for (digits, directions) in self.digits.iter_mut().zip(&self.directions) {
                *digits ^= directions[changed];
            }
        }
        self.index += 1;
        true
    }
}

impl Iterator for Sobol {
    type Item = Vec<f64>;

    fn next(&mut self) -> Option<Vec<f64>> {
        let mut point = vec![0.0; self.dim()];
        self.next_point(&mut point).then_some(point)
    }
}

/// For each coordinate and each binary digit of the index, what that digit flips.
fn directions(dim: usize) -> Vec<[u32; DIGITS]> {
    let mut all = vec![std::array::from_fn(|k| 1 << (DIGITS - 1 - k))];
    let mut starts = STARTS.as_slice();
    for &polynomial in &POLYNOMIALS[..dim - 1] {
        let (own, rest) = starts.split_at(polynomial.ilog2() as usize);
        all.push(recurrence(polynomial, own));
        starts = rest;
    }
    all
}

/// The recurrence of a polynomial of degree s: v(k) = a₁ v(k-1) ⊕ ... ⊕ v(k-s) ⊕ v(k-s)/2ˢ.
fn recurrence(polynomial: u16, starts: &[u16]) -> [u32; DIGITS] {
    let degree = starts.len();
    let mut directions = [0; DIGITS];
    for k in 0..DIGITS {
        directions[k] = match starts.get(k) {
            Some(&start) => u32::from(start) << (DIGITS - 1 - k),
            None => (1..=degree)
                .filter(|back| polynomial >> (degree - back) & 1 == 1)
                .fold(directions[k - degree] >> degree, |value, back| value ^ directions[k - back]),
        };
    }
    directions
}
