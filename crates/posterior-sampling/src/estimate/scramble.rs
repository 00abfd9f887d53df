//! Owen's scrambling: random digits that keep a net a net.

use posterior_dist::stream::stream;
use rand::RngExt;

/// Digits of a point that are permuted, each depending on those before.
const DIGITS: u32 = 32;

/// Digits of a scrambled number: a half is added below them, and the sum is exact.
const KEPT: u32 = 52;

/// The scrambling of one coordinate: a random flip for each binary digit and each value of the digits before
/// it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scramble {
    key: u64,
}

impl Scramble {
    /// The scrambling of this coordinate under this seed.
    pub(super) fn new(seed: u64, coordinate: usize) -> Self {
        Self { key: stream(seed, &[coordinate as u64]).random() }
    }

    /// The scrambled number, in (0, 1), of which these are the first 32 digits.
    pub(super) fn apply(self, digits: u32) -> f64 {
        let mut flips = 0_u64;
        for done in 0..DIGITS {
            // A leading one tells prefixes of different lengths apart.
            let prefix = 1_u64 << done | u64::from(digits) >> (DIGITS - done);
            flips = flips << 1 | self.random(prefix) >> 63;
        }
        let rest = self.random(1 << DIGITS | u64::from(digits)) >> (64 - (KEPT - DIGITS));
        let scrambled = (u64::from(digits) ^ flips) << (KEPT - DIGITS) | rest;
        (scrambled as f64 + 0.5) / (1_u64 << KEPT) as f64
    }

    /// A random word for each prefix: two rounds of the finaliser of SplitMix64 under the key.
    const fn random(self, prefix: u64) -> u64 {
        mixed(mixed(prefix.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.key).wrapping_add(self.key))
    }
}

/// The finaliser of SplitMix64 (Stafford's variant 13).
const fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
