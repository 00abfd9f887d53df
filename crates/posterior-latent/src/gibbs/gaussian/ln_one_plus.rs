//! A logarithm without branches, for loops over lanes.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

/// The bits of √½: below it a mantissa is doubled.
const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;

/// The bits of 2⁵², whose last place is 1.
const TWO_TO_52: u64 = 0x4330_0000_0000_0000;

/// ln 2, with zeros in its last places, and the rest of it.
const LN_2: [f64; 2] = [6.931_471_803_691_238_164_90e-1, 1.908_214_929_270_587_700_02e-10];

/// The coefficients of FreeBSD's `e_log.c`, of (ln(1 + f) - f + f² / 2) in s = f / (2 + f); they are good to
/// 2⁻⁵⁸.
const SERIES: [f64; 7] = [
    6.666_666_666_666_735_130e-1,
    3.999_999_999_940_941_908e-1,
    2.857_142_874_366_239_149e-1,
    2.222_219_843_214_978_396e-1,
    1.818_357_216_161_805_012e-1,
    1.531_383_769_920_937_332e-1,
    1.479_819_860_511_658_591e-1,
];

/// ln(1 + x) of a number from 0 to 1e308, with an absolute error of 2⁻⁵³ or a unit of the last place: 1 + x
/// is rounded. NaN or some large number for what is no such number.
#[inline(always)]
pub(super) fn ln_one_plus(x: f64) -> f64 {
    let u = 1.0 + x;
    let bits = u.to_bits();
    // u = 2^e m with m from √½ to √2, and e at least 0.
    let exponent = bits.wrapping_sub(ROOT_HALF) >> 52;
    let m = f64::from_bits(bits.wrapping_sub(exponent << 52));
    let e = f64::from_bits(exponent | TWO_TO_52) - f64::from_bits(TWO_TO_52);
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let [a, b, c, d, g, h, i] = SERIES;
    let series = z * (a + z * (b + z * (c + z * (d + z * (g + z * (h + z * i))))));
    let half = 0.5 * f * f;
    e * LN_2[0] - ((half - (s * (half + series) + e * LN_2[1])) - f)
}

#[cfg(test)]
mod tests {
    use super::ln_one_plus;

    #[test]
    fn it_is_the_logarithm_of_the_library() {
        let grid = (-600..=3080).map(|i| 10_f64.powf(f64::from(i) * 0.1));
        for x in grid.chain([0.0, 0.414, 0.415, 1.0, 1.828_427, 1e308]) {
            let (found, expected) = (ln_one_plus(x), x.ln_1p());
            assert!((found - expected).abs() <= 2.3e-16 * expected.max(1.0), "{x}: {found} {expected}");
        }
    }
}
