//! Orthogonal reduction of an array to lower triangular form, by reflections of its columns: the one step of
//! all recursions in square-root form.

#![expect(clippy::inline_always, reason = "with sizes that are known, only what is inlined is unrolled")]

/// What is smaller than this part of its row is rounding: 8 ε, squared.
const NEGLIGIBLE: f64 = 64.0 * f64::EPSILON * f64::EPSILON;

/// An array [T B; U C] whose columns are rotated until B is zero, T stays lower triangular with a diagonal
/// that is not negative, and T Tᵀ is what T Tᵀ + B Bᵀ was. All parts are stored column by column.
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
        let (p, r, q) = (self.pivots, self.block, self.below);
        // Of sizes that are known, the compiler now knows the lengths.
        let mut array = Array {
            pivots: p,
            block: r,
            below: q,
            t: &mut self.t[..p * p],
            b: &mut self.b[..p * r],
            u: &mut self.u[..q * p],
            c: &mut self.c[..q * r],
            products: &mut self.products[..p],
            products_below: &mut self.products_below[..q],
        };
        for row in 0..p {
            array.eliminate(row);
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
        let pivot = &mut self.t[row * p + row + 1..(row + 1) * p];
        let pivot_below = &mut self.u[row * q..(row + 1) * q];
        let products = &mut self.products[row + 1..p];
        let products_below = &mut *self.products_below;
        set_multiple(products, v, pivot);
        set_multiple(products_below, v, pivot_below);
        for r in 0..self.block {
            let along = self.b[r * p + row];
            add_multiple(products, along, &self.b[r * p + row + 1..(r + 1) * p]);
            add_multiple(products_below, along, &self.c[r * q..(r + 1) * q]);
        }
        for product in products.iter_mut().chain(products_below.iter_mut()) {
            *product *= weight;
        }
        add_multiple(pivot, -v, products);
        add_multiple(pivot_below, -v, products_below);
        for r in 0..self.block {
            let along = self.b[r * p + row];
            add_multiple(&mut self.b[r * p + row + 1..(r + 1) * p], -along, products);
            add_multiple(&mut self.c[r * q..(r + 1) * q], -along, products_below);
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

/// y := c x.
#[inline(always)]
fn set_multiple(y: &mut [f64], c: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = c * x;
    }
}

/// y := y + c x.
#[inline(always)]
fn add_multiple(y: &mut [f64], c: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += c * x;
    }
}

/// Sizes from which on zeros are passed over: smaller loops are unrolled.
const SPARSE: usize = 5;

/// out := A B, for A (n x k) and B (k x c), column by column. Zeros of B cost nothing.
#[inline(always)]
pub(crate) fn product(n: usize, k: usize, c: usize, a: &[f64], b: &[f64], out: &mut [f64]) {
    let (a, b, out) = (&a[..n * k], &b[..k * c], &mut out[..n * c]);
    for j in 0..c {
        let column = &mut out[j * n..(j + 1) * n];
        column.fill(0.0);
        for l in 0..k {
            let factor = b[j * k + l];
            if n < SPARSE || factor != 0.0 {
                add_multiple(column, factor, &a[l * n..(l + 1) * n]);
            }
        }
    }
}

/// out := A Bᵀ, for A (n x k) and B (c x k), column by column. Zeros of B cost nothing.
#[inline(always)]
pub(crate) fn product_transposed(n: usize, k: usize, c: usize, a: &[f64], b: &[f64], out: &mut [f64]) {
    let (a, b, out) = (&a[..n * k], &b[..c * k], &mut out[..n * c]);
    for j in 0..c {
        let column = &mut out[j * n..(j + 1) * n];
        column.fill(0.0);
        for l in 0..k {
            let factor = b[l * c + j];
            if n < SPARSE || factor != 0.0 {
                add_multiple(column, factor, &a[l * n..(l + 1) * n]);
            }
        }
    }
}
