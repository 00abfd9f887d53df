//! How exact a distribution function and a quantile in f64 can be.
//!
//! A probability that is computed has a relative error of some units of rounding, 1e-12 with what the special
//! functions are held to by their tables. A number x that is computed is rounded itself, and so are the
//! numbers that it is made of: x = μ + σz is off by the rounding of μ and of σz, however small their sum is.
//! Both errors are those of a problem next by: the parameters moved by their last digits. A quantile x of p
//! is therefore right if the distribution function is at most p somewhat below x and at least p somewhat
//! above it, where *somewhat* is the rounding of what x was made of, and both comparisons allow for the
//! relative error of a probability. No allowance is made for steepness: it is in the two points at which the
//! function is asked.

/// The relative error that a probability may have.
pub(super) const RELATIVE: f64 = 1e-12;

/// The least probability that two routes can be asked to agree on: a few steps of the smallest subnormal
/// number.
pub(super) const LEAST: f64 = 4e-323;

/// Last digits by which x, and what it was made of, may be off.
const STEPS: f64 = 16.0;

/// What a point of a distribution is rounded with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rounding {
    /// Itself: x is a product of powers.
    Relative,
    /// Itself and a number that was added: x = μ + …, with |μ|.
    Added(f64),
    /// Its logarithm was added to this number and is rounded itself: x = exp(μ + …), with |μ|.
    Exponent(f64),
    /// The one or the other, with the larger of their numbers.
    Either(f64),
}

impl Rounding {
    /// The two numbers that x cannot be distinguished from.
    pub(super) fn around(self, x: f64) -> [f64; 2] {
        if !x.is_finite() {
            return [x.next_down(), x.next_up()];
        }
        let relative = STEPS * f64::EPSILON;
        let [low, high] = match self {
            Self::Relative => [x - relative * x.abs(), x + relative * x.abs()],
            Self::Added(shift) => {
                let step = relative * x.abs().max(shift);
                [x - step, x + step]
            }
            Self::Exponent(shift) => {
                let factor = (relative * (1.0 + shift + x.abs().ln().abs())).exp();
                [x / factor, x * factor]
            }
            Self::Either(shift) => {
                let ([a, b], [c, d]) = (Self::Added(shift).around(x), Self::Exponent(shift).around(x));
                [a.min(c), b.max(d)]
            }
        };
        // Subnormal numbers are further apart.
        [low.min(x.next_down().next_down()), high.max(x.next_up().next_up())]
    }
}

/// Whether two probabilities are one but for rounding.
pub(super) fn agree(a: f64, b: f64, relative: f64) -> bool {
    (a - b).abs() <= relative * a.abs().max(b.abs()) + LEAST
}

/// Whether a is at most b but for rounding.
pub(super) fn at_most(a: f64, b: f64, relative: f64) -> bool {
    a <= b * (1.0 + relative) + LEAST
}
