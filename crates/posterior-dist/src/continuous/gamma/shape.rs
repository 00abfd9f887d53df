//! The shape of a gamma distribution, from how far the logarithm of the mean is above the mean of the
//! logarithm.

use posterior_math::check::{self, ParamError};
use posterior_math::special::{stirling_remainder_derivative, trigamma};

/// The a with ln a - ψ(a) = `gap`, by Newton's method for the logarithm of the gap as a function of ln a,
/// which is almost a line: three or four steps to full precision.
///
/// # Errors
/// If the gap is not positive (by Jensen's inequality it is zero only if all points are equal) or gives no
/// finite shape.
pub(crate) fn shape_of_gap(type_name: &'static str, gap: f64) -> Result<f64, ParamError> {
    check::positive(type_name, "ln of the mean minus mean of ln", gap)?;
    // Minka's approximation; its limits are 1 / (2 gap) and 1 / gap.
    let root = if gap < 1e8 { ((gap - 3.0) * (gap - 3.0) + 24.0 * gap).sqrt() + 3.0 - gap } else { 12.0 };
    let mut shape = root / 12.0 / gap;
    for _ in 0..30 {
        let (value, slope) = gap_and_slope(shape);
        let step = (value / gap).ln() * (value / (shape * slope));
        let next = shape * step.exp();
        if !(next > 0.0 && next < f64::INFINITY) || next == shape {
            break;
        }
        shape = next;
        if step.abs() < 1e-10 {
            break;
        }
    }
    check::positive(type_name, "shape of largest likelihood", shape)
}

/// ln a - ψ(a) and minus its derivative, ψ₁(a) - 1/a.
fn gap_and_slope(a: f64) -> (f64, f64) {
    let value = 0.5 / a - stirling_remainder_derivative(a);
    let slope = if a < 1e3 { trigamma(a) - a.recip() } else { 0.5 / a / a * (1.0 + (3.0 * a).recip()) };
    (value, slope)
}

#[cfg(test)]
mod tests {
    use super::{gap_and_slope, shape_of_gap};

    #[test]
    fn the_gap_comes_back_from_its_shape() {
        for exponent in -2000..=2000 {
            let shape = 10_f64.powf(f64::from(exponent) / 10.0);
            let found = shape_of_gap("test", gap_and_slope(shape).0);
            // Where a is tiny the gap is 1/a - ln(1/a) …: its own rounding is that of a.
            assert!(found.is_ok_and(|a| (a / shape - 1.0).abs() < 4e-15), "{shape:e}: {found:?}");
        }
    }

    #[test]
    fn no_gap_has_no_shape() {
        for gap in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320] {
            assert!(shape_of_gap("test", gap).is_err(), "{gap}");
        }
    }
}
