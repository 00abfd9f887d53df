//! Triangular distribution on an interval [low, high].

use std::f64::consts::{LN_2, SQRT_2};

use rand::distr::StandardUniform;

use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::ln_ratio;

/// The distribution of a guess with a lowest, a most probable and a highest value.
///
/// # Density
/// p(x) = 2 (x - a) / ((b - a)(m - a)) up to the mode m, 2 (b - x) / ((b - a)(b - m)) from there
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | a | `low` | finite | `loc` (SciPy) |
/// | m | `mode` | from `low` to `high` | `loc + c scale` (SciPy) |
/// | b | `high` | above `low`, by a finite width | `loc + scale` (SciPy) |
///
/// # Moments
/// mean (a + m + b)/3, variance (a² + m² + b² - am - ab - mb)/18, skewness √2 (a + b - 2m)(2a - b - m)(a -
/// 2b + m) / (5 (a² + m² + b² - am - ab - mb)^(3/2)), excess kurtosis -3/5, mode m, entropy ½ + ln((b - a)/2)
///
/// # Example
/// ```
/// use posterior_dist::{Triangular, Univariate};
///
/// let days = Triangular::new(1.0, 2.0, 5.0)?;
/// assert_eq!(days.cdf(2.0), 0.25);
/// assert_eq!(days.to_string(), "triangular(1, 2, 5)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangular {
    low: f64,
    mode: f64,
    high: f64,
    width: f64,
}

impl Triangular {
    /// The lower end, the mode and the upper end.
    ///
    /// # Errors
    /// If they are not finite, do not ascend, the ends are the same, or their distance is beyond f64.
    pub fn new(low: f64, mode: f64, high: f64) -> Result<Self, ParamError> {
        check::finite("Triangular", "low", low)?;
        let width = high - low;
        let proper = width > 0.0 && width < f64::INFINITY;
        check::require(proper, "Triangular", "high", high, "above low, by a finite width")?;
        check::require((low..=high).contains(&mode), "Triangular", "mode", mode, "from low to high")?;
        Ok(Self { low, mode, high, width })
    }

    /// The lower end.
    pub const fn low(&self) -> f64 {
        self.low
    }

    /// The upper end.
    pub const fn high(&self) -> f64 {
        self.high
    }

    /// The parts of the width below and above the mode.
    fn parts(&self) -> (f64, f64) {
        ((self.mode - self.low) / self.width, (self.high - self.mode) / self.width)
    }

    /// Distances from the end on the same side of the mode as x, and of the mode from it; in widths.
    fn side(&self, x: f64) -> (f64, f64) {
        let (below, above) = self.parts();
        if x < self.mode {
            ((x - self.low) / self.width, below)
        } else {
            ((self.high - x) / self.width, above)
        }
    }

    /// The tail beyond x on its side of the mode, and the other one; in both cases a sum of positive terms.
    fn tails(&self, x: f64) -> (f64, f64) {
        let (below, above) = self.parts();
        let (distance, part) = self.side(x);
        if part == 0.0 {
            return (0.0, 1.0);
        }
        let (gap, other) = ((x - self.mode).abs() / self.width, if x < self.mode { above } else { below });
        let rest = gap * ((part + distance) / part) + other;
        (distance * (distance / part), rest.min(1.0))
    }
}

parametric!(Triangular, "triangular", new[low, mode, high]);

impl Density for Triangular {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x < self.low || x > self.high {
            return f64::NEG_INFINITY;
        }
        let height = if x < self.mode {
            ln_ratio(x - self.low, self.mode - self.low)
        } else if x > self.mode {
            ln_ratio(self.high - x, self.high - self.mode)
        } else {
            x - self.mode
        };
        height + LN_2 - self.width.ln()
    }
}

impl PointGradient for Triangular {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if self.low < x && x < self.mode {
            (x - self.low).recip()
        } else if self.mode < x && x < self.high {
            -(self.high - x).recip()
        } else {
            f64::NAN
        }
    }
}

impl ParameterGradient for Triangular {
    type Gradient = [f64; 3];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 3] {
        let of_width = self.width.recip();
        if self.low < x && x < self.mode {
            let of_part = (self.mode - self.low).recip();
            [of_width + of_part - (x - self.low).recip(), -of_part, -of_width]
        } else if self.mode < x && x < self.high {
            let of_part = (self.high - self.mode).recip();
            [of_width, of_part, (self.high - x).recip() - of_width - of_part]
        } else {
            [f64::NAN; 3]
        }
    }
}

impl Univariate for Triangular {
    fn cdf(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        if x <= self.low || x >= self.high {
            return if x <= self.low { 0.0 } else { 1.0 };
        }
        let (tail, rest) = self.tails(x);
        if x < self.mode { tail } else { rest }
    }

    fn sf(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        if x <= self.low || x >= self.high {
            return if x <= self.low { 1.0 } else { 0.0 };
        }
        let (tail, rest) = self.tails(x);
        if x < self.mode { rest } else { tail }
    }

    fn quantile(&self, p: f64) -> f64 {
        self.point(p, 1.0 - p)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.point(1.0 - q, q)
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let upper = self.sf(x);
        if upper < 0.5 { (-upper).ln_1p() } else { self.ln_tail(x, self.cdf(x), x < self.mode) }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let lower = self.cdf(x);
        if lower < 0.5 { (-lower).ln_1p() } else { self.ln_tail(x, self.sf(x), x >= self.mode) }
    }
}

impl Triangular {
    /// The logarithm of a `tail` at x, also where f64 cannot hold the tail, which is `beyond` x on its side
    /// of the mode or the other one.
    fn ln_tail(&self, x: f64, tail: f64, beyond: bool) -> f64 {
        if tail >= f64::MIN_POSITIVE || !(self.low < x && x < self.high) {
            return tail.ln();
        }
        let (distance, part, other) = if x < self.mode {
            (x - self.low, self.mode - self.low, self.high - self.mode)
        } else {
            (self.high - x, self.high - self.mode, self.mode - self.low)
        };
        if beyond {
            ln_ratio(distance, self.width) + ln_ratio(distance, part)
        } else {
            let gap = (x - self.mode).abs();
            ln_ratio(gap * (1.0 + distance / part) + other, self.width)
        }
    }

    /// The point with p below and q above it, from the end on its side of the mode.
    fn point(&self, p: f64, q: f64) -> f64 {
        let (below, above) = self.parts();
        if !(p >= 0.0 && q >= 0.0) {
            return f64::NAN;
        }
        if p == 0.0 || q == 0.0 {
            return if p == 0.0 { self.low } else { self.high };
        }
        // In widths: how far an end is when the smaller one of the two probabilities is on its side of the
        // mode, and how far the mode is when it is not. The mode may be close to an end of a wide
        // distribution.
        let from_end = |tail: f64, part: f64| tail.sqrt() * part.sqrt();
        let from_mode = |tail: f64, rest: f64, part: f64, other: f64| {
            other.sqrt() * ((tail - part) / (other.sqrt() + rest.sqrt()))
        };
        let x = if p <= q {
            if p < below {
                self.low + self.width * from_end(p, below)
            } else {
                self.mode + self.width * from_mode(p, q, below, above)
            }
        } else if q < above {
            self.high - self.width * from_end(q, above)
        } else {
            self.mode - self.width * from_mode(q, p, above, below)
        };
        x.clamp(self.low, self.high)
    }
}

impl Moments for Triangular {
    fn mean(&self) -> Option<f64> {
        Some(self.low / 3.0 + self.mode / 3.0 + self.high / 3.0)
    }

    fn variance(&self) -> Option<f64> {
        let (below, above) = self.parts();
        Some((below * below + below * above + above * above) / 18.0 * self.width * self.width)
    }
}

impl Shape for Triangular {
    fn skewness(&self) -> Option<f64> {
        let (below, above) = self.parts();
        let square = below * below + below * above + above * above;
        let product = (above - below) * (2.0 * below + above) * (below + 2.0 * above);
        Some(SQRT_2 * product / (5.0 * square.powf(1.5)))
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        Some(-0.6)
    }
}

impl Entropy for Triangular {
    fn entropy(&self) -> f64 {
        0.5 + self.width.ln() - LN_2
    }
}

impl Mode for Triangular {
    fn mode(&self) -> Option<f64> {
        Some(self.mode)
    }
}

impl Distribution<f64> for Triangular {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let u: f64 = StandardUniform.sample(rng);
        self.point(u, 1.0 - u).clamp(self.low, self.high)
    }
}
