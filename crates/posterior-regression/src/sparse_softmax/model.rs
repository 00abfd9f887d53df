//! Rows with their classes.

use posterior_math::check::{self, ParamError};
use posterior_math::iteration::{Fitted, Observer};
use posterior_math::optimize::{LbfgsOptions, NewtonOptions, minimize_l1, minimize_newton_cg};
use posterior_math::sparse::SparseMatrix;

use super::fit::SparseSoftmaxFit;
use super::loss::{Loss, Rows, Shape};
use crate::Error;

pub(super) const TYPE: &str = "SparseSoftmax";

/// How coefficients are held back: by λ ((1 - α)/2 Σ β² + α Σ |β|), all columns but the intercepts.
///
/// ```
/// use posterior_regression::sparse_softmax::SparsePenalty;
///
/// let lasso = SparsePenalty { mixing: 1.0, ..SparsePenalty::ridge(0.5) };
/// assert_eq!(lasso.strength, 0.5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SparsePenalty {
    /// λ > 0, against the sum of the rows' losses: 1/C of scikit-learn. The precision of a normal prior of
    /// the coefficients, where α is 0.
    pub strength: f64,
    /// α, the proportion of the penalty that is of absolute values: 0 is ridge regression, 1 the lasso, and
    /// all between an elastic net.
    pub mixing: f64,
}

impl SparsePenalty {
    /// Of squares alone.
    pub const fn ridge(strength: f64) -> Self {
        Self { strength, mixing: 0.0 }
    }

    pub(super) fn check(&self) -> Result<(), ParamError> {
        check::positive("SparsePenalty", "strength", self.strength)?;
        check::probability("SparsePenalty", "mixing", self.mixing)?;
        Ok(())
    }
}

/// Softmax regression of a sparse design: P(class k | x) ∝ exp(aₖ + xᵀβₖ), the intercepts aₖ free.
///
/// Of two classes one column of coefficients is fitted, the log-odds of class 1 against class 0; of more, one
/// for each class, which the penalty tells apart. The objective is that of scikit-learn's
/// `LogisticRegression`.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::sparse::SparseMatrix;
/// use posterior_regression::sparse_softmax::{SparsePenalty, SparseSoftmax};
///
/// // Four texts of two words: whether each word is there.
/// let design = SparseMatrix::from_triplets(4, 2, [(0, 0, 1.0), (1, 0, 1.0), (2, 1, 1.0), (3, 1, 1.0)])?;
/// let model = SparseSoftmax::new(&design, &[0, 0, 1, 1], 2)?;
/// let fit = model.fit(&SparsePenalty::ridge(1.0), &mut Silent)?.model;
/// assert!((fit.coefficient(0, 1) + fit.coefficient(1, 1)).abs() < 1e-9);
/// assert!(fit.probabilities(&design)?[(3, 1)] > 0.6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SparseSoftmax<'a> {
    pub(super) design: &'a SparseMatrix,
    pub(super) labels: &'a [usize],
    pub(super) classes: usize,
    pub(super) weights: Vec<f64>,
}

impl<'a> SparseSoftmax<'a> {
    /// The model of rows with labels 0, …, classes - 1, each row of weight 1.
    ///
    /// # Errors
    /// Fewer than two classes, no rows; another number of labels than of rows; a label that is no class.
    pub fn new(design: &'a SparseMatrix, labels: &'a [usize], classes: usize) -> Result<Self, Error> {
        check::enough("classes", 2, classes)?;
        check::enough("rows", 1, design.rows())?;
        check::dimension("labels of rows", design.rows(), labels.len())?;
        if let Some(row) = labels.iter().position(|label| *label >= classes) {
            let (value, requirement) = (labels[row] as f64, "below the number of classes");
            return Err(Error::Observation { what: "the label", row, value, requirement });
        }
        Ok(Self { design, labels, classes, weights: vec![1.0; labels.len()] })
    }

    /// With a weight for each row: it counts as so many. Rows of weight 0 are left out.
    ///
    /// # Errors
    /// Another number of weights than of rows; one that is negative or not finite; none above 0.
    pub fn with_weights(self, weights: &[f64]) -> Result<Self, Error> {
        check::dimension("weights of rows", self.labels.len(), weights.len())?;
        check::each(weights, |weight| check::non_negative(TYPE, "weight", weight))?;
        check::positive(TYPE, "sum of the weights", weights.iter().sum())?;
        Ok(Self { weights: weights.to_vec(), ..self })
    }

    /// Without these rows, by their numbers.
    ///
    /// # Errors
    /// There is no such row; no other row is left.
    pub fn without(&self, rows: impl IntoIterator<Item = usize>) -> Result<Self, Error> {
        let mut weights = self.weights.clone();
        for row in rows {
            let there = check::require(row < weights.len(), TYPE, "row", row as f64, "a row");
            there?;
            weights[row] = 0.0;
        }
        self.clone().with_weights(&weights)
    }

    /// The coefficients that minimise -Σ w ln P(class | x) + λ ((1 - α)/2 Σ β² + α Σ |β|): the most probable
    /// ones. By Newton's method with conjugate gradients without absolute values, else by OWL-QN.
    ///
    /// # Errors
    /// A penalty that is not positive, mixing outside of 0 to 1.
    ///
    /// # Cost
    /// (stored entries + rows) times classes for each product or evaluation, some tens to hundreds of them.
    pub fn fit(
        &self,
        penalty: &SparsePenalty,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<SparseSoftmaxFit>, Error> {
        let start = vec![0.0; self.shape().len()];
        self.fit_from(penalty, &start, &TOLERANCE, observer)
    }

    /// The same from a start, to a tolerance of the gradient.
    pub(super) fn fit_from(
        &self,
        penalty: &SparsePenalty,
        start: &[f64],
        tolerance: &Tolerance,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<SparseSoftmaxFit>, Error> {
        penalty.check()?;
        let shape = self.shape();
        let mut loss = Loss::new(self.rows(), penalty.strength * (1.0 - penalty.mixing));
        let found = if penalty.mixing == 0.0 {
            let options = NewtonOptions {
                gradient_tolerance: tolerance.0,
                initial_radius: 10.0,
                ..NewtonOptions::default()
            };
            minimize_newton_cg(loss, start, &options, observer)
        } else {
            let held = penalty.strength * penalty.mixing;
            let penalties: Vec<f64> =
                (0..shape.len()).map(|place| if shape.is_intercept(place) { 0.0 } else { held }).collect();
            let options = LbfgsOptions {
                gradient_tolerance: tolerance.0,
                max_iterations: 20_000,
                ..LbfgsOptions::default()
            };
            let smooth = |x: &[f64], gradient: &mut [f64]| loss.value_and_gradient(x, gradient);
            minimize_l1(smooth, &penalties, start, &options, observer)?
        };
        Ok(Fitted { model: SparseSoftmaxFit::new(shape, found.model.point), report: found.report })
    }

    pub(super) fn rows(&self) -> Rows<'_> {
        Rows { design: self.design, labels: self.labels, classes: self.classes, weights: &self.weights }
    }

    pub(super) fn shape(&self) -> Shape {
        self.rows().shape()
    }
}

/// Of the largest component of the gradient, times max(1, |value|).
pub(super) struct Tolerance(pub(super) f64);

const TOLERANCE: Tolerance = Tolerance(1e-9);
