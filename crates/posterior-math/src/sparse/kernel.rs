//! Dense kernels on panels: columns one after the other in one slice.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use pulp::{Arch, Simd, WithSimd};

use crate::linalg::{View, multiply_views};
use crate::vector::{column, four_columns, subtract_four, subtract_multiple};

/// Columns of a block of a panel.
const BLOCK: usize = 48;

/// From this height on, wider strips of a product pay, for all that they compute beyond the triangle.
const TALL: usize = 1000;

/// Rows of a block below the triangle: what fits into the nearest cache together.
const ROWS: usize = 64;

/// Up to so many multiplications for a product of two panels, plain loops are faster than blocks.
const PLAIN: usize = 6000;

/// The factor of a panel with `rows` rows in place: A = L S Lᵀ with the signs S, which are found; `None`
/// where all have to be positive. On failure the column, with its pivot on the diagonal.
pub(super) fn factor(panel: &mut [f64], rows: usize, signs: Option<&mut [f64]>) -> Result<(), usize> {
    factor_part(panel, rows, 0, signs, &mut (Vec::new(), Vec::new()))
}

/// The same for columns whose diagonal begins in row `from`, by halves: the second one takes what the first
/// one leaves to it.
fn factor_part(
    panel: &mut [f64],
    rows: usize,
    from: usize,
    mut signs: Option<&mut [f64]>,
    work: &mut (Vec<f64>, Vec<f64>),
) -> Result<(), usize> {
    let width = panel.len() / rows;
    if width <= BLOCK {
        return Arch::new().dispatch(Factor { panel, rows, from, signs });
    }
    let half = (width / 2).next_multiple_of(BLOCK);
    let (left, right) = panel.split_at_mut(half * rows);
    factor_part(left, rows, from, signs.as_deref_mut().map(|signs| &mut signs[..half]), work)?;
    let (row, change) = work;
    let found = signs.as_deref().map(|signs| &signs[..half]);
    update(left, (rows, from + half, width - half), found, row, change);
    let height = rows - from - half;
    let columns = right.chunks_exact_mut(rows).zip(change.chunks_exact(height));
    for (j, (own, change)) in columns.enumerate() {
        for (own, change) in own[from + half + j..].iter_mut().zip(&change[j..]) {
            *own += change;
        }
    }
    let signs = signs.map(|signs| &mut signs[half..]);
    factor_part(right, rows, from + half, signs, work).map_err(|column| half + column)
}

struct Factor<'a> {
    panel: &'a mut [f64],
    rows: usize,
    from: usize,
    signs: Option<&'a mut [f64]>,
}

impl WithSimd for Factor<'_> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        let Self { panel, rows, from, mut signs } = self;
        let width = panel.len() / rows;
        // The triangle first, then what is below, by blocks of rows.
        let mut scaled = vec![0.0; width * width];
        for j in 0..width {
            let (left, right) = panel.split_at_mut(j * rows);
            let own = &mut right[from + j..from + width];
            subtract_columns(own, left, rows, from + j, from + width, &scaled[j * width..j * width + j]);
            let pivot = own[0];
            let sign = if signs.is_some() { pivot.signum() } else { 1.0 };
            if !(pivot * sign > 0.0 && pivot.abs() < f64::INFINITY) {
                return Err(j);
            }
            if let Some(signs) = signs.as_deref_mut() {
                signs[j] = sign;
            }
            let root = pivot.abs().sqrt();
            let factor = sign / root;
            for entry in own.iter_mut() {
                *entry *= factor;
            }
            own[0] = root;
            for (below, entry) in scaled[j..].iter_mut().step_by(width).skip(j + 1).zip(&own[1..]) {
                *below = entry * sign;
            }
        }
        let mut begin = from + width;
        while begin < rows {
            let end = rows.min(begin + ROWS);
            for j in 0..width {
                let (left, right) = panel.split_at_mut(j * rows);
                let sign = signs.as_deref().map_or(1.0, |signs| signs[j]);
                let factor = sign / right[from + j];
                let own = &mut right[begin..end];
                subtract_columns(own, left, rows, begin, end, &scaled[j * width..j * width + j]);
                for entry in own.iter_mut() {
                    *entry *= factor;
                }
            }
            begin = end;
        }
        Ok(())
    }
}

/// y := y - Σₖ cₖ xₖ for rows `begin` to `end` of the columns on the left.
#[inline(always)]
fn subtract_columns(y: &mut [f64], left: &[f64], rows: usize, begin: usize, end: usize, c: &[f64]) {
    let part = |k: usize| &left[k * rows + begin..k * rows + end];
    let mut k = 0;
    while k + 4 <= c.len() {
        subtract_four(
            y,
            [c[k], c[k + 1], c[k + 2], c[k + 3]],
            [part(k), part(k + 1), part(k + 2), part(k + 3)],
        );
        k += 4;
    }
    while k < c.len() {
        subtract_multiple(y, c[k], part(k));
        k += 1;
    }
}

/// With fewer columns than this a product is not worth its preparation.
const FEW: usize = 6;

/// What a panel takes from the columns of its first `width` rows from `from` on: the lower trapezoid of
/// -X S X₁ᵀ, where X are the rows from `from` on and X₁ the first ones of them. Written to `target`, with as
/// many rows as X. The shape is (all rows, `from`, `width`).
pub(super) fn update(
    panel: &[f64],
    (rows, from, width): (usize, usize, usize),
    signs: Option<&[f64]>,
    row: &mut Vec<f64>,
    target: &mut Vec<f64>,
) {
    let height = rows - from;
    target.resize(height * width, 0.0);
    let columns = panel.len() / rows;
    row.clear();
    for (j, column) in panel.chunks_exact(rows).enumerate() {
        let sign = signs.map_or(1.0, |signs| signs[j]);
        row.extend(column[from..from + width].iter().map(|entry| entry * sign));
    }
    if columns <= FEW || width < FEW || columns * height * width <= PLAIN {
        Arch::new().dispatch(Plain { panel, rows, from, width, row, target });
        return;
    }
    let strip = if height > TALL { 4 * BLOCK } else { 2 * BLOCK };
    for j in (0..width).step_by(strip) {
        let part = strip.min(width - j);
        let left = View::panel(panel, rows, from + j, height - j);
        let right = View::panel(row, width, j, part).transposed();
        multiply_views(&mut target[j * height + j..], height, -1.0, left, right);
    }
}

struct Plain<'a> {
    panel: &'a [f64],
    rows: usize,
    from: usize,
    width: usize,
    row: &'a [f64],
    target: &'a mut [f64],
}

impl WithSimd for Plain<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { panel, rows, from, width, row, target } = self;
        let columns = panel.len() / rows;
        let height = rows - from;
        for j in 0..width {
            let own = &mut target[j * height + j..(j + 1) * height];
            own.fill(0.0);
            let begin = from + j;
            let mut k = 0;
            while k + 4 <= columns {
                let c = [0, 1, 2, 3].map(|step| row[(k + step) * width + j]);
                subtract_four(own, c, four_columns(panel, rows, k, begin));
                k += 4;
            }
            while k < columns {
                subtract_multiple(own, row[k * width + j], column(panel, rows, k, begin));
                k += 1;
            }
        }
    }
}

/// x := L⁻¹ x for the triangle of a panel, and what is below in x loses what the panel says.
pub(super) fn solve_lower(panel: &[f64], rows: usize, x: &mut [f64]) {
    Arch::new().dispatch(SolveLower { panel, rows, x });
}

struct SolveLower<'a> {
    panel: &'a [f64],
    rows: usize,
    x: &'a mut [f64],
}

impl WithSimd for SolveLower<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { panel, rows, x } = self;
        for (j, column) in panel.chunks_exact(rows).enumerate() {
            let (head, tail) = x[j..].split_at_mut(1);
            head[0] /= column[j];
            subtract_multiple(tail, head[0], &column[j + 1..]);
        }
    }
}

/// The first coordinates of x := L⁻ᵀ x, where those below the triangle are solved.
pub(super) fn solve_lower_transpose(panel: &[f64], rows: usize, x: &mut [f64]) {
    Arch::new().dispatch(SolveTranspose { panel, rows, x });
}

struct SolveTranspose<'a> {
    panel: &'a [f64],
    rows: usize,
    x: &'a mut [f64],
}

impl WithSimd for SolveTranspose<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { panel, rows, x } = self;
        for (j, column) in panel.chunks_exact(rows).enumerate().rev() {
            let (head, tail) = x[j..].split_at_mut(1);
            head[0] = (head[0] - crate::vector::dot(&column[j + 1..], tail)) / column[j];
        }
    }
}
