//! Products of parts of matrices that are held in larger slices.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use pulp::{Arch, Simd, WithSimd};

use super::vector::{add_multiple, dot};

/// A matrix in a slice, by strides, one of which is 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    pub(super) entries: &'a [f64],
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) row_stride: usize,
    pub(super) column_stride: usize,
}

impl<'a> View<'a> {
    /// `height` rows from `from` on of columns that are `stride` entries long.
    pub(crate) fn panel(entries: &'a [f64], stride: usize, from: usize, height: usize) -> Self {
        let columns = entries.len() / stride.max(1);
        let entries = if columns == 0 { &[] } else { &entries[from..] };
        Self { entries, rows: height, columns, row_stride: 1, column_stride: stride }
    }

    /// The same matrix with rows and columns exchanged.
    pub(crate) const fn transposed(self) -> Self {
        Self {
            entries: self.entries,
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
        }
    }
}

/// Writes c A B into columns that are `stride` entries long, by plain loops.
pub(super) fn multiply_plainly(target: &mut [f64], stride: usize, c: f64, a: View<'_>, b: View<'_>) {
    Arch::new().dispatch(Plain { target, stride, c, a, b });
}

struct Plain<'a> {
    target: &'a mut [f64],
    stride: usize,
    c: f64,
    a: View<'a>,
    b: View<'a>,
}

impl WithSimd for Plain<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { target, stride, c, a, b } = self;
        let entry = |k: usize, j: usize| b.entries[k * b.row_stride + j * b.column_stride];
        for j in 0..b.columns {
            let own = &mut target[j * stride..j * stride + a.rows];
            if a.row_stride == 1 {
                own.fill(0.0);
                for k in 0..a.columns {
                    add_multiple(own, c * entry(k, j), &a.entries[k * a.column_stride..][..a.rows]);
                }
            } else {
                for (i, own) in own.iter_mut().enumerate() {
                    let row = &a.entries[i * a.row_stride..][..a.columns];
                    *own = if b.row_stride == 1 {
                        c * dot(row, &b.entries[j * b.column_stride..][..b.rows])
                    } else {
                        c * row.iter().enumerate().map(|(k, left)| left * entry(k, j)).sum::<f64>()
                    };
                }
            }
        }
    }
}
