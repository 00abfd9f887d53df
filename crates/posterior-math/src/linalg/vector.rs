//! The two loops over vectors that the small kernels are made of.

/// Lanes of a sum: enough for the widest vectors, and a fixed order of additions.
const LANES: usize = 8;

/// Σ aᵢ bᵢ over the shorter of the two, in lanes of eight.
#[inline]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    let [s0, s1, s2, s3, s4, s5, s6, s7] = sums;
    ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7)) + rest
}

/// y := y - c x.
#[inline]
pub(super) fn subtract_multiple(y: &mut [f64], c: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= c * x;
    }
}

/// Σ aᵢ bₙ₋₁₋ᵢ for two slices of one length n, in lanes of eight.
#[inline]
pub(super) fn dot_reversed(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_rest, b_chunks) = b.as_rchunks::<LANES>();
    for (x, y) in a_chunks.iter().zip(b_chunks.iter().rev()) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[LANES - 1 - lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest.iter().rev()).map(|(x, y)| x * y).sum();
    let [s0, s1, s2, s3, s4, s5, s6, s7] = sums;
    ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7)) + rest
}

/// yᵢ := yᵢ + c xₙ₋₁₋ᵢ for two slices of one length n.
#[inline]
pub(super) fn add_reversed_multiple(y: &mut [f64], c: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x.iter().rev()) {
        *y += c * x;
    }
}
