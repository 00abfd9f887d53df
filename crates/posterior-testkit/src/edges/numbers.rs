//! Random numbers for parameters, points and probabilities: of every size that f64 has, and next to where
//! formulas change.

use posterior_dist::stream::stream;
use rand::{Rng, RngExt};
use rand_pcg::Pcg64;

/// The bits of infinity: those of the positive finite numbers are below.
const INFINITE: u64 = 0x7ff0_0000_0000_0000;

/// What formulas treat apart, and the ends of f64.
const SPECIAL: [f64; 20] = [
    0.0,
    0.5,
    1.0,
    2.0,
    3.0,
    1.0 / 3.0,
    1.0 - f64::EPSILON / 2.0,
    1.0 + f64::EPSILON,
    10.0,
    1e15,
    9_007_199_254_740_991.0,
    9_007_199_254_740_992.0,
    1e17,
    1.8446744073709552e19,
    1e100,
    1e-100,
    5e-324,
    f64::MIN_POSITIVE,
    f64::EPSILON,
    f64::MAX,
];

/// Numbers by a seed.
#[derive(Debug)]
pub(super) struct Numbers {
    rng: Pcg64,
}

impl Numbers {
    pub(super) fn of(seed: u64) -> Self {
        Self { rng: stream(seed, &[]) }
    }

    pub(super) fn rng(&mut self) -> &mut dyn Rng {
        &mut self.rng
    }

    /// A whole number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.rng.random_range(0..end)
    }

    fn unit(&mut self) -> f64 {
        self.rng.random()
    }

    /// Positive and finite, with any bits: the logarithm is uniform, but for the subnormal numbers.
    fn magnitude(&mut self) -> f64 {
        f64::from_bits(self.rng.random_range(1..INFINITE))
    }

    /// 10ᵗ with t uniform up to `decades` on both sides of 0.
    pub(super) fn decades(&mut self, decades: f64) -> f64 {
        10_f64.powf(decades * (2.0 * self.unit() - 1.0))
    }

    /// A parameter that is to be positive. One in a hundred has any bits, sign, infinity and NaN included:
    /// constructors decide.
    pub(super) fn positive(&mut self) -> f64 {
        match self.below(100) {
            0 => f64::from_bits(self.rng.random()),
            1..30 => self.magnitude(),
            30..55 => self.decades(20.0),
            55..80 => self.decades(3.0),
            80..88 => self.decades(1.0).ceil(),
            88..94 => 1.0 + self.magnitude().min(1.0),
            _ => SPECIAL[self.below(SPECIAL.len())],
        }
    }

    /// A number of either sign.
    pub(super) fn real(&mut self) -> f64 {
        let size = self.positive();
        if self.unit() < 0.5 { -size } else { size }
    }

    /// A number near another one, or not.
    pub(super) fn near(&mut self, x: f64) -> f64 {
        match self.below(6) {
            0 => x.next_up(),
            1 => x.next_down(),
            2 => x * (1.0 + self.decades(8.0).min(1.0) * 1e-8),
            3 => x + self.real(),
            4 => x * self.decades(1.0),
            _ => self.real(),
        }
    }

    /// A number from 0 to 1, often next to an end.
    pub(super) fn probability(&mut self) -> f64 {
        match self.below(10) {
            0..3 => self.unit(),
            3..5 => self.magnitude().min(0.5),
            5..7 => self.decades(18.0).min(1.0),
            7 => 1.0 - self.decades(16.0).min(1.0),
            8 => f64::from_bits(self.rng.random_range(0..=1_f64.to_bits())),
            _ => [0.0, 1.0, 0.5, 5e-324, 1.0 - f64::EPSILON / 2.0, 0.1][self.below(6)],
        }
    }

    /// A whole number up to 2⁵³, which is as far as the texts of counts go; now and then another number.
    pub(super) fn count(&mut self) -> f64 {
        match self.below(50) {
            0 => self.positive(),
            1..20 => 10_f64.powf(15.95 * self.unit()).floor(),
            20..35 => 10_f64.powf(4.0 * self.unit()).floor(),
            35..48 => self.below(12) as f64,
            _ => [0.0, 1.0, 9_007_199_254_740_992.0, 9_007_199_254_740_991.0][self.below(4)],
        }
    }
}
