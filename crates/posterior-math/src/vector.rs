//! Loops over vectors: sums in a fixed order, so that vectors of any width give
//! the same bits.

#![cfg_attr(not(feature = "linalg"), expect(dead_code, reason = "the kernels of matrices take the others"))]
#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

/// Lanes of a sum.
const LANES: usize = 8;

/// Σ aᵢ bᵢ over the shorter of the two, in eight sums side by side, so that it is compiled for the vectors of
/// its caller.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    total(sums) + a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum::<f64>()
}

/// The dot products of b with four columns as long as b.
#[inline(always)]
pub(crate) fn dot_four(columns: [&[f64]; 4], b: &[f64]) -> [f64; 4] {
    let n = b.len();
    let [p, q, r, s] = columns;
    let (p, q) = (p[..n].as_chunks::<LANES>(), q[..n].as_chunks::<LANES>());
    let (r, s) = (r[..n].as_chunks::<LANES>(), s[..n].as_chunks::<LANES>());
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [[0.0; LANES]; 4];
    for ((y, (p, q)), (r, s)) in b_chunks.iter().zip(p.0.iter().zip(q.0)).zip(r.0.iter().zip(s.0)) {
        for lane in 0..LANES {
            sums[0][lane] += p[lane] * y[lane];
            sums[1][lane] += q[lane] * y[lane];
            sums[2][lane] += r[lane] * y[lane];
            sums[3][lane] += s[lane] * y[lane];
        }
    }
    let mut rest = [0.0; 4];
    for ((y, (p, q)), (r, s)) in b_rest.iter().zip(p.1.iter().zip(q.1)).zip(r.1.iter().zip(s.1)) {
        rest[0] += p * y;
        rest[1] += q * y;
        rest[2] += r * y;
        rest[3] += s * y;
    }
    [total(sums[0]) + rest[0], total(sums[1]) + rest[1], total(sums[2]) + rest[2], total(sums[3]) + rest[3]]
}

#[inline(always)]
fn total([s0, s1, s2, s3, s4, s5, s6, s7]: [f64; LANES]) -> f64 {
    ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}

/// y := y - Σₖ cₖ xₖ for four columns as long as y.
#[inline(always)]
pub(crate) fn subtract_four(y: &mut [f64], c: [f64; 4], columns: [&[f64]; 4]) {
    let n = y.len();
    let [p, q, r, s] = columns;
    let (p, q, r, s) = (&p[..n], &q[..n], &r[..n], &s[..n]);
    for i in 0..n {
        y[i] -= (c[0] * p[i] + c[1] * q[i]) + (c[2] * r[i] + c[3] * s[i]);
    }
}

/// Column j of a matrix with n rows, from row `from` on.
#[inline(always)]
pub(crate) fn column(matrix: &[f64], n: usize, j: usize, from: usize) -> &[f64] {
    &matrix[j * n..][from..n]
}

/// Columns j to j + 3 of a matrix with n rows, from row `from` on.
#[inline(always)]
pub(crate) fn four_columns(matrix: &[f64], n: usize, j: usize, from: usize) -> [&[f64]; 4] {
    [
        column(matrix, n, j, from),
        column(matrix, n, j + 1, from),
        column(matrix, n, j + 2, from),
        column(matrix, n, j + 3, from),
    ]
}

/// y := y + c x.
#[inline(always)]
pub(crate) fn add_multiple(y: &mut [f64], c: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += c * x;
    }
}

/// y := y - c x.
#[inline(always)]
pub(crate) fn subtract_multiple(y: &mut [f64], c: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= c * x;
    }
}

/// Σ aᵢ bₙ₋₁₋ᵢ for two slices of one length n, in lanes of eight.
#[inline(always)]
pub(crate) fn dot_reversed(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_rest, b_chunks) = b.as_rchunks::<LANES>();
    for (x, y) in a_chunks.iter().zip(b_chunks.iter().rev()) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[LANES - 1 - lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest.iter().rev()).map(|(x, y)| x * y).sum();
    total(sums) + rest
}

/// yᵢ := yᵢ + c xₙ₋₁₋ᵢ for two slices of one length n.
#[inline(always)]
pub(crate) fn add_reversed_multiple(y: &mut [f64], c: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x.iter().rev()) {
        *y += c * x;
    }
}
