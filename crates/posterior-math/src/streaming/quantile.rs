//! Quantiles of numbers that are all there.

/// The quantile at `p` of numbers in rising order, on a straight line between the two of them that are next
/// to it.
///
/// With the numbers x₀ ≤ x₁ ≤ … of which there are n, and (n - 1) p = i + w for a whole i and 0 ≤ w < 1, it
/// is (1 - w) xᵢ + w xᵢ₊₁: definition 7 of Hyndman and Fan, R's `type = 7`. No difference is taken, so that
/// nothing overflows; equal neighbours give the number itself.
///
/// NaN of no numbers, where `p` is not from 0 to 1, and between -∞ and ∞. A number that is NaN has no place
/// in an order: where `f64::total_cmp` put it, the quantiles next to it are NaN, and no others. Of numbers in
/// another order the result means nothing.
///
/// # References
/// R. J. Hyndman, Y. Fan, Sample quantiles in statistical packages, The American Statistician 50, 1996.
///
/// ```
/// use posterior_math::streaming::quantile_of_sorted;
///
/// assert_eq!(quantile_of_sorted(&[1.0, 2.0, 4.0], 0.5), 2.0);
/// assert_eq!(quantile_of_sorted(&[1.0, 2.0, 4.0], 0.75), 3.0);
/// assert!(quantile_of_sorted(&[], 0.5).is_nan());
/// ```
pub fn quantile_of_sorted(sorted: &[f64], p: f64) -> f64 {
    if sorted.is_empty() || !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    let place = p * (sorted.len() - 1) as f64;
    let below = place.floor();
    let (index, weight) = (below as usize, place - below);
    match sorted.get(index + 1) {
        Some(&next) if weight > 0.0 && next != sorted[index] => {
            sorted[index] * (1.0 - weight) + next * weight
        }
        _ => sorted[index],
    }
}
