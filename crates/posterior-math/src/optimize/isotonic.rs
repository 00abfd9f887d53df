//! Least squares under an order.

use crate::check::{self, ParamError};

/// The numbers f₁ ≤ f₂ ≤ … nearest to given ones: they minimise Σ wᵢ (fᵢ - yᵢ)², for pairs (yᵢ, wᵢ) in
/// their order. Isotonic regression by pooling adjacent violators: exact, in O(n).
///
/// ```
/// use posterior_math::optimize::isotonic_regression;
///
/// let rising = isotonic_regression(&[(1.0, 1.0), (4.0, 1.0), (1.0, 2.0), (3.0, 1.0)])?;
/// assert_eq!(rising, [1.0, 2.0, 2.0, 3.0]);
/// # Ok::<(), posterior_math::check::ParamError>(())
/// ```
///
/// # Errors
/// A number that is not finite, or a weight that is not positive and finite, with its index.
///
/// # References
/// M. Ayer et al., An empirical distribution function for sampling with incomplete information, Annals of
/// Mathematical Statistics 26, 1955.
pub fn isotonic_regression(points: &[(f64, f64)]) -> Result<Vec<f64>, ParamError> {
    const NAME: &str = "isotonic_regression";
    // Mean, weight, and how many.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (index, &(value, weight)) in points.iter().enumerate() {
        check::finite(NAME, "value", value).map_err(|error| error.at(index))?;
        check::positive(NAME, "weight", weight).map_err(|error| error.at(index))?;
        let mut block = (value, weight, 1);
        while let Some(&last) = blocks.last() {
            if last.0 < block.0 {
                break;
            }
            blocks.pop();
            let weight = last.1 + block.1;
            let part = block.1 / weight;
            block = (last.0 + part * (block.0 - last.0), weight, last.2 + block.2);
        }
        blocks.push(block);
    }
    Ok(blocks.into_iter().flat_map(|(mean, _, count)| std::iter::repeat_n(mean, count)).collect())
}
