//! Orthogonal reduction of an array to lower triangular form, by reflections of its columns: the one step of all recursions in
//! square-root form.

#![expect(clippy::inline_always, reason = "with sizes that are known, only what is inlined is unrolled")]

/// What is smaller than this part of its row is rounding: 8 ε, squared.
const NEGLIGIBLE: f64 = 64.0 * f64::EPSILON * f64::EPSILON;

/// An array [T B; U C] whose columns are rotated until B is zero, T stays lower triangular with a diagonal that is not negative,
/// and T Tᵀ is what T Tᵀ + B Bᵀ was. All parts are stored column by column.
#[derive(Debug)]
pub(crate) struct Array<'a> {
    /// Rows and columns of T.
    pub(crate) pivots: usize,
    /// Columns of B.
    pub(crate) block: usize,
    /// Rows of U and C, which go along.
    pub(crate) below: usize,
    /// T, lower triangular.
    pub(crate) t: &'a mut [f64],
    /// B; afterwards rubbish.
    pub(crate) b: &'a mut [f64],
    /// U.
    pub(crate) u: &'a mut [f64],
    /// C.
    pub(crate) c: &'a mut [f64],
    /// Room for as many numbers as T has rows.
    pub(crate) products: &'a mut [f64],
    /// Room for as many numbers as U has rows.
    pub(crate) products_below: &'a mut [f64],
}

impl Array<'_> {
    /// Reduces the array.
    ///
    /// A row that is, up to rounding, a combination of those above it gets a zero on the diagonal.
    #[inline(always)]
    pub(crate) fn reduce(&mut self) {
        for row in 0..self.pivots {
            self.eliminate(row);
        }
    }

    #[inline(always)]
    fn eliminate(&mut self, row: usize) {
        let p = self.pivots;
        let (mut first, mut rest) = (self.t[row * p + row], 0.0);
        for r in 0..self.block {
            rest += self.b[r * p + row] * self.b[r * p + row];
        }
        let mut scale = 1.0;
        if !(1e-250..1e250).contains(&(first * first + rest)) {
            scale = self.rescale(row);
            first /= scale;
            rest = 0.0;
            for r in 0..self.block {
                rest += self.b[r * p + row] * self.b[r * p + row];
            }
        }
        let square = first * first + rest;
        let mut done = 0.0;
        for k in 0..row {
            done += (self.t[k * p + row] / scale) * (self.t[k * p + row] / scale);
        }
        if square <= NEGLIGIBLE * (done + square) {
            self.t[row * p + row] = 0.0;
            for r in 0..self.block {
                self.b[r * p + row] = 0.0;
            }
        } else if rest <= 1e-36 * square {
            // A rotation by less than 1e-18.
            if first < 0.0 {
                self.flip(row);
            }
        } else {
            let length = square.sqrt();
            // The reflection that makes the diagonal positive, without cancellation.
            let v = if first > 0.0 { -rest / (first + length) } else { first - length };
            self.reflect(row, v, -1.0 / (length * v));
            self.t[row * p + row] = length * scale;
        }
    }

    /// Columns `row` of T and all of B, below the row: minus their part along (v, b), twice.
    #[inline(always)]
    fn reflect(&mut self, row: usize, v: f64, weight: f64) {
        let (p, q) = (self.pivots, self.below);
        for k in row + 1..p {
            self.products[k] = v * self.t[row * p + k];
        }
        for k in 0..q {
            self.products_below[k] = v * self.u[row * q + k];
        }
        for r in 0..self.block {
            let along = self.b[r * p + row];
            for k in row + 1..p {
                self.products[k] += along * self.b[r * p + k];
            }
            for k in 0..q {
                self.products_below[k] += along * self.c[r * q + k];
            }
        }
        for k in row + 1..p {
            self.products[k] *= weight;
            self.t[row * p + k] -= self.products[k] * v;
        }
        for k in 0..q {
            self.products_below[k] *= weight;
            self.u[row * q + k] -= self.products_below[k] * v;
        }
        for r in 0..self.block {
            let along = self.b[r * p + row];
            for k in row + 1..p {
                self.b[r * p + k] -= self.products[k] * along;
            }
            for k in 0..q {
                self.c[r * q + k] -= self.products_below[k] * along;
            }
        }
    }

    /// The other sign for a column of T and U.
    fn flip(&mut self, row: usize) {
        for entry in &mut self.t[row * self.pivots + row..(row + 1) * self.pivots] {
            *entry = -*entry;
        }
        for entry in &mut self.u[row * self.below..(row + 1) * self.below] {
            *entry = -*entry;
        }
    }

    /// Divides a row of B by the largest entry of the row, which it returns: a reflection has no scale.
    #[cold]
    fn rescale(&mut self, row: usize) -> f64 {
        let p = self.pivots;
        let mut largest = self.t[row * p + row].abs();
        for r in 0..self.block {
            let entry = self.b[r * p + row].abs();
            // `f64::max` would lose a NaN.
            largest = if entry <= largest { largest } else { entry };
        }
        if largest == 0.0 {
            return 1.0;
        }
        for r in 0..self.block {
            self.b[r * p + row] /= largest;
        }
        largest
    }
}

/// out := A B, for A (n x k) and B (k x c), column by column.
#[inline(always)]
pub(crate) fn product(n: usize, k: usize, c: usize, a: &[f64], b: &[f64], out: &mut [f64]) {
    for j in 0..c {
        for i in 0..n {
            out[j * n + i] = 0.0;
        }
        for l in 0..k {
            let factor = b[j * k + l];
            for i in 0..n {
                out[j * n + i] += a[l * n + i] * factor;
            }
        }
    }
}

/// out := A Bᵀ, for A (n x k) and B (c x k), column by column.
#[inline(always)]
pub(crate) fn product_transposed(n: usize, k: usize, c: usize, a: &[f64], b: &[f64], out: &mut [f64]) {
    for j in 0..c {
        for i in 0..n {
            out[j * n + i] = 0.0;
        }
        for l in 0..k {
            let factor = b[l * c + j];
            for i in 0..n {
                out[j * n + i] += a[l * n + i] * factor;
            }
        }
    }
}
