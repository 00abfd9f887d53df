//! A single choice by weights.

/// The index in whose proportion of the line of weights `target` falls, which is a draw in proportion to the
/// weights if `target` is uniform below their sum. O(K), nothing is made; for many draws from the same
/// weights there are [`CumulativeTable`](crate::CumulativeTable) and [`AliasTable`](crate::AliasTable).
///
/// Never an index of weight zero; the last one with a weight where rounding carries the target beyond all of
/// them; `None` where no weight is positive.
///
/// ```
/// use posterior_dist::choose;
///
/// let weights = [1.0, 0.0, 3.0];
/// assert_eq!([0.0, 0.999, 1.0, 4.0].map(|target| choose(&weights, target)), [Some(0), Some(0), Some(2),
/// Some(2)]); assert_eq!(choose(&[0.0, 0.0], 0.0), None);
/// ```
pub fn choose(weights: &[f64], target: f64) -> Option<usize> {
    let mut left = target;
    let mut chosen = None;
    for (index, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        chosen = Some(index);
        if left < weight {
            break;
        }
        left -= weight;
    }
    chosen
}
