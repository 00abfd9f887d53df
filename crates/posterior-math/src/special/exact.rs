//! Products with twice the digits of f64: the rounded result, and what the rounding left.
//!
//! T. J. Dekker, A floating-point technique for extending the available precision, Numerische Mathematik 18
//! (1971).

/// x² as a rounded number and what the rounding left, for x² below the overflow.
pub(super) fn exact_square(x: f64) -> (f64, f64) {
    let high = upper_half(x);
    let low = x - high;
    let square = x * x;
    (square, ((high * high - square) + 2.0 * high * low) + low * low)
}

/// x y as a rounded number and what the rounding left, for a product in the range of f64.
///
/// Of a sum that nearly cancels, such as 1 + x y next to its root, the second number holds the digits. The
/// bits are the same on every machine, with or without an instruction that multiplies and adds.
///
/// # References
/// T. J. Dekker, A floating-point technique for extending the available precision, Numerische Mathematik 18
/// (1971).
///
/// ```
/// use posterior_math::special::exact_product;
///
/// let (product, rest) = exact_product(1.0 + 2.0_f64.powi(-30), 1.0 - 2.0_f64.powi(-30));
/// assert_eq!((product, rest), (1.0, -(2.0_f64.powi(-60))));
/// ```
pub fn exact_product(x: f64, y: f64) -> (f64, f64) {
    let (x_high, y_high) = (upper_half(x), upper_half(y));
    let (x_low, y_low) = (x - x_high, y - y_high);
    let product = x * y;
    (product, ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low)
}

/// The first 26 of the 53 digits.
fn upper_half(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !((1 << 27) - 1))
}
