//! Squared differences of all pairs of two lists of numbers.

use pulp::{Arch, Simd, WithSimd};

/// Larger differences count as this one: sums of squares stay finite.
const LARGEST: f64 = 1e150;

/// Lanes of a sum.
const LANES: usize = 8;

/// Adds ((xᵢ - yⱼ) c)² to entry i + j n of `sums`, where n is the length of x.
///
/// Differences, times c, beyond 1e150 count as 1e150. NaN stays NaN.
///
/// # Panics
/// Unless there is one sum for each pair.
///
/// ```
/// let mut sums = [0.0; 4];
/// posterior_math::elementwise::add_squared_differences(&mut sums, &[0.0, 3.0], &[1.0, 2.0], 2.0);
/// assert_eq!(sums, [4.0, 16.0, 16.0, 4.0]);
/// ```
#[track_caller]
pub fn add_squared_differences(sums: &mut [f64], x: &[f64], y: &[f64], c: f64) {
    assert_eq!(sums.len(), x.len() * y.len(), "one sum for each pair");
    if !x.is_empty() {
        Arch::new().dispatch(Add { sums, x, y, c });
    }
}

/// Σ wᵢⱼ ((xᵢ - yⱼ) c)², where the weight wᵢⱼ is entry i + j n of `weights`; differences as in
/// [`add_squared_differences`].
///
/// # Panics
/// Unless there is one weight for each pair.
///
/// ```
/// let sum = posterior_math::elementwise::sum_squared_differences(&[1.0, 0.5], &[0.0, 3.0], &[1.0], 2.0);
/// assert_eq!(sum, 4.0 + 0.5 * 16.0);
/// ```
#[track_caller]
pub fn sum_squared_differences(weights: &[f64], x: &[f64], y: &[f64], c: f64) -> f64 {
    assert_eq!(weights.len(), x.len() * y.len(), "one weight for each pair");
    if x.is_empty() { 0.0 } else { Arch::new().dispatch(Sum { weights, x, y, c }) }
}

#[inline(always)]
fn square(x: f64, y: f64, c: f64) -> f64 {
    let size = ((x - y) * c).abs();
    let size = if size > LARGEST { LARGEST } else { size };
    size * size
}

struct Add<'a> {
    sums: &'a mut [f64],
    x: &'a [f64],
    y: &'a [f64],
    c: f64,
}

impl WithSimd for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { sums, x, y, c } = self;
        for (column, &y) in sums.chunks_exact_mut(x.len()).zip(y) {
            for (sum, &x) in column.iter_mut().zip(x) {
                *sum += square(x, y, c);
            }
        }
    }
}

struct Sum<'a> {
    weights: &'a [f64],
    x: &'a [f64],
    y: &'a [f64],
    c: f64,
}

impl WithSimd for Sum<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let Self { weights, x, y, c } = self;
        let (x_chunks, x_rest) = x.as_chunks::<LANES>();
        let mut lanes = [0.0; LANES];
        let mut rest = 0.0;
        for (column, &y) in weights.chunks_exact(x.len()).zip(y) {
            let (w_chunks, w_rest) = column.as_chunks::<LANES>();
            for (w, x) in w_chunks.iter().zip(x_chunks) {
                for lane in 0..LANES {
                    lanes[lane] += w[lane] * square(x[lane], y, c);
                }
            }
            for (w, &x) in w_rest.iter().zip(x_rest) {
                rest += w * square(x, y, c);
            }
        }
        lanes.iter().sum::<f64>() + rest
    }
}
