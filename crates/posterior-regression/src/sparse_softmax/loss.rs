//! The loss of coefficients, with its gradient and products with its Hessian.

use posterior_math::log_space::ln_softmax_in_place;
use posterior_math::optimize::CurvedObjective;
use posterior_math::sparse::SparseMatrix;

/// Where each coefficient stands in a vector of all: those of a column side by side, the intercepts last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) columns: usize,
    /// One of two classes, of class 1; else one for each class.
    pub(super) vectors: usize,
}

impl Shape {
    pub(super) const fn len(self) -> usize {
        (self.columns + 1) * self.vectors
    }

    pub(super) const fn place(self, column: usize, vector: usize) -> usize {
        column * self.vectors + vector
    }

    pub(super) const fn is_intercept(self, place: usize) -> bool {
        place >= self.columns * self.vectors
    }
}

/// Rows with their classes and weights.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) design: &'a SparseMatrix,
    pub(super) labels: &'a [usize],
    pub(super) classes: usize,
    pub(super) weights: &'a [f64],
}

impl Rows<'_> {
    pub(super) const fn shape(&self) -> Shape {
        let vectors = if self.classes == 2 { 1 } else { self.classes };
        Shape { columns: self.design.columns(), vectors }
    }
}

/// -Σ w ln P + ½ τ Σ β².
pub(super) struct Loss<'a> {
    rows: Rows<'a>,
    shape: Shape,
    precision: f64,
    /// The last point of an evaluation, and rows x vectors the probabilities there.
    point: Vec<f64>,
    evaluated: Vec<f64>,
    /// Those at the point of the products; a point that is refused has none.
    accepted: Vec<f64>,
}

impl<'a> Loss<'a> {
    pub(super) fn new(rows: Rows<'a>, precision: f64) -> Self {
        let (point, evaluated, accepted) = (Vec::new(), Vec::new(), Vec::new());
        Self { rows, shape: rows.shape(), precision, point, evaluated, accepted }
    }

    /// Xᵀ R with the sums of rows last, for R rows x vectors, added.
    fn add_transposed(&self, rows: &[f64], sums: &mut [f64]) {
        let k = self.shape.vectors;
        let (columns, intercepts) = sums.split_at_mut(self.shape.columns * k);
        for (i, j, value) in self.rows.design.triplets() {
            let to = &mut columns[j * k..][..k];
            to.iter_mut().zip(&rows[i * k..][..k]).for_each(|(to, from)| *to += value * from);
        }
        for row in rows.chunks_exact(k) {
            intercepts.iter_mut().zip(row).for_each(|(to, from)| *to += from);
        }
    }

    pub(super) fn value_and_gradient(&mut self, x: &[f64], gradient: &mut [f64]) -> f64 {
        let k = self.shape.vectors;
        let mut rows = predictors(self.rows.design, self.shape, x);
        let mut value = 0.0;
        let mut all = vec![0.0; self.rows.classes];
        let first = self.rows.classes - k;
        let mut residuals = vec![0.0; rows.len()];
        for (i, row) in rows.chunks_exact_mut(k).enumerate() {
            let (weight, label) = (self.rows.weights[i], self.rows.labels[i]);
            all[..first].fill(0.0);
            all[first..].copy_from_slice(row);
            ln_softmax_in_place(&mut all);
            value -= if weight > 0.0 { weight * all[label] } else { 0.0 };
            let to = &mut residuals[i * k..][..k];
            for (vector, (p, residual)) in row.iter_mut().zip(to).enumerate() {
                *p = all[first + vector].exp();
                *residual = weight * (*p - f64::from(u8::from(label == first + vector)));
            }
        }
        self.evaluated = rows;
        gradient.fill(0.0);
        self.add_transposed(&residuals, gradient);
        for (place, (own, slope)) in x.iter().zip(gradient).enumerate() {
            if !self.shape.is_intercept(place) {
                value += 0.5 * self.precision * own * own;
                *slope += self.precision * own;
            }
        }
        value
    }

    /// H v = Xᵀ W (diag p - p pᵀ) X v + τ v for these probabilities.
    fn product_at(&self, probabilities: &[f64], v: &[f64], product: &mut [f64]) {
        let k = self.shape.vectors;
        let mut rows = predictors(self.rows.design, self.shape, v);
        let each = rows.chunks_exact_mut(k).zip(probabilities.chunks_exact(k)).zip(self.rows.weights);
        for ((row, p), &weight) in each {
            let mean: f64 = row.iter().zip(p).map(|(own, p)| own * p).sum();
            row.iter_mut().zip(p).for_each(|(own, p)| *own = weight * p * (*own - mean));
        }
        product.fill(0.0);
        self.add_transposed(&rows, product);
        for (place, (own, to)) in v.iter().zip(product).enumerate() {
            if !self.shape.is_intercept(place) {
                *to += self.precision * own;
            }
        }
    }
}

/// X B with the intercepts, rows x vectors.
pub(super) fn predictors(design: &SparseMatrix, shape: Shape, x: &[f64]) -> Vec<f64> {
    let k = shape.vectors;
    let (columns, intercepts) = x.split_at(shape.columns * k);
    let mut rows = intercepts.repeat(design.rows());
    for (i, j, value) in design.triplets() {
        let from = &columns[j * k..][..k];
        rows[i * k..][..k].iter_mut().zip(from).for_each(|(to, from)| *to += value * from);
    }
    rows
}

impl CurvedObjective for Loss<'_> {
    fn evaluate(&mut self, x: &[f64], gradient: &mut [f64]) -> f64 {
        let value = self.value_and_gradient(x, gradient);
        self.point = x.to_vec();
        value
    }

    fn curvature(&mut self, x: &[f64], v: &[f64], product: &mut [f64]) {
        // The first product after an evaluation says whether its point was accepted.
        if self.point == x {
            std::mem::swap(&mut self.accepted, &mut self.evaluated);
        }
        self.point.clear();
        self.product_at(&self.accepted, v, product);
    }
}
