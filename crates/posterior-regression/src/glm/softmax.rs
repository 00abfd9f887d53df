//! Several classes: softmax (multinomial logistic) regression.

mod averaged;
mod class_prior;

use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer};
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::log_space::ln_sum_exp;
use std::f64::consts::TAU;

pub use self::averaged::SoftmaxDraws;
use self::class_prior::ClassPrior;
use super::climb::{GlmFitOptions, Hill, Slopes, Summit, climb};
use super::fitted::independent;
use super::gram::weighted_gram;
use super::observations::GlmData;
use super::prior::CoefficientPrior;
use crate::Error;
use crate::linear::data::finite;

/// P(class k | x) ∝ exp(oₖ + xᵀβₖ) with β₀ = 0: class 0 is the reference, which fixes the gauge.
///
/// The coefficients of class k are log-odds against class 0, and the prior is one of them, the same for every
/// class but 0. With two classes it is logistic regression.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::glm::{GlmFitOptions, SoftmaxRegression};
///
/// // An intercept alone: the log-odds of the counts.
/// let design = DMatrix::from_element(6, 1, 1.0);
/// let model = SoftmaxRegression::new(&design, &[0, 1, 1, 2, 2, 2], 3)?;
/// let fit = model.fit(&GlmFitOptions::default(), &mut Silent)?.model;
/// assert!((fit.coefficients[(0, 1)] - 3_f64.ln()).abs() < 1e-12);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SoftmaxRegression<'a> {
    design: &'a DMatrix<f64>,
    labels: &'a [usize],
    /// The labels.
    numbers: Vec<f64>,
    classes: usize,
    names: Vec<String>,
    prior: ClassPrior,
    weights: Option<&'a [f64]>,
    offset: Option<&'a DMatrix<f64>>,
}

/// A fitted softmax regression.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SoftmaxFit {
    /// One row for each column of the design, one column for each class from 1 on.
    pub coefficients: DMatrix<f64>,
    /// The inverse of the information (with the prior's) of all coefficients, class after class.
    pub covariance: DMatrix<f64>,
    /// ln p(labels | coefficients).
    pub ln_likelihood: f64,
    /// ln p(labels) by Laplace's approximation, where the prior is proper.
    pub ln_evidence: Option<f64>,
}

/// Separation is looked for after this many steps.
const PATIENCE: usize = 8;

/// Ties between classes, as a proportion of the largest change.
const TIE: f64 = 1e-6;

impl<'a> SoftmaxRegression<'a> {
    /// The model of rows with labels 0, …, classes - 1, with a flat prior.
    ///
    /// # Errors
    /// Fewer than two classes; a label that is none of them; other numbers of labels than of rows; no rows,
    /// no columns, inputs that are not finite.
    pub fn new(design: &'a DMatrix<f64>, labels: &'a [usize], classes: usize) -> Result<Self, Error> {
        check::enough("classes", 2, classes)?;
        if let Some(row) = labels.iter().position(|label| *label >= classes) {
            let value = labels[row] as f64;
            return Err(Error::Observation {
                what: "the label",
                row,
                value,
                requirement: "below the number of classes",
            });
        }
        let numbers: Vec<f64> = labels.iter().map(|label| *label as f64).collect();
        let names = GlmData::new(design, &numbers)?.names().to_vec();
        let prior = ClassPrior::Against(CoefficientPrior::flat(design.ncols()));
        Ok(Self { design, labels, numbers, classes, names, prior, weights: None, offset: None })
    }

    /// With a weight of each row: how often it counts.
    ///
    /// # Errors
    /// Other than one finite number for each row, none negative, one of them positive.
    pub fn with_weights(self, weights: &'a [f64]) -> Result<Self, Error> {
        GlmData::new(self.design, &self.numbers)?.with_weights(weights)?;
        Ok(Self { weights: Some(weights), ..self })
    }

    /// With known parts of the log-odds against class 0: a row for each row, a column for each class from 1
    /// on. Predictions are without them.
    ///
    /// # Errors
    /// Another shape; a number that is not finite.
    pub fn with_offset(self, offset: &'a DMatrix<f64>) -> Result<Self, Error> {
        check::dimension("rows of the offset", self.design.nrows(), offset.nrows())?;
        check::dimension("columns of the offset", self.classes - 1, offset.ncols())?;
        finite("the offset", offset.nrows(), offset.as_slice())?;
        Ok(Self { offset: Some(offset), ..self })
    }

    /// With a prior of the log-odds of each class against class 0.
    ///
    /// # Errors
    /// A prior of another number of columns.
    pub fn with_prior(self, prior: CoefficientPrior) -> Result<Self, Error> {
        let columns = self.design.ncols();
        Ok(Self { prior: ClassPrior::Against(prior.of_columns(columns)?), ..self })
    }

    /// The most probable coefficients, by Newton's method.
    ///
    /// # Cost
    /// n p² k² / 2 operations for each step, with k = classes - 1.
    ///
    /// # Errors
    /// [`Error::Collinear`] and [`Error::Separated`], where the prior is flat.
    pub fn fit(
        &self,
        options: &GlmFitOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<SoftmaxFit>, Error> {
        let mut hill = self.target()?;
        let (p, k) = (self.design.ncols(), self.classes - 1);
        let summit = self.climbed(&mut hill, vec![0.0; p * k], options, observer)?;
        let factor = independent(&hill.information(&summit.point), &self.class_names())?;
        let ln_likelihood = hill.ln_likelihood(&summit.point);
        let ln_evidence = (0..p).all(|column| self.prior.holds(column)).then(|| {
            let ln_joint = ln_likelihood + hill.ln_prior(&summit.point);
            ln_joint + 0.5 * ((p * k) as f64 * TAU.ln() - factor.ln_determinant())
        });
        let covariance = factor.inverse();
        let coefficients = DMatrix::from_vec(p, k, summit.point);
        let model = SoftmaxFit { coefficients, covariance, ln_likelihood, ln_evidence };
        Ok(Fitted { model, report: summit.report })
    }

    /// The density of the coefficients, for samplers and searches.
    ///
    /// ```
    /// use posterior_dist::target::GradTarget;
    /// use posterior_math::linalg::DMatrix;
    /// use posterior_regression::glm::SoftmaxRegression;
    ///
    /// let design = DMatrix::from_element(6, 1, 1.0);
    /// let model = SoftmaxRegression::new(&design, &[0, 1, 1, 2, 2, 2], 3)?;
    /// let mut gradient = [0.0; 2];
    /// let ln_density = model.target()?.ln_density_grad(&[0.0, 0.0], &mut gradient)?;
    /// assert!((ln_density + 6.0 * 3_f64.ln()).abs() < 1e-12);
    /// // Of 6 labels 2 of each class are expected.
    /// assert!(gradient[0].abs() < 1e-12 && (gradient[1] - 1.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn target(&self) -> Result<SoftmaxTarget<'_, 'a>, Error> {
        let data = GlmData::new(self.design, &self.numbers)?;
        let data = self.weights.map_or(Ok(data.clone()), |weights| data.with_weights(weights))?;
        Ok(SoftmaxTarget { model: self, data })
    }

    fn climbed(
        &self,
        hill: &mut SoftmaxTarget<'_, 'a>,
        start: Vec<f64>,
        options: &GlmFitOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Summit, Error> {
        // Which columns repeat others does not depend on the classes.
        independent(&hill.information(&start), &self.class_names())?;
        climb(hill, start, options, observer)
    }

    fn class_names(&self) -> Vec<String> {
        (1..self.classes).flat_map(|_| self.names.iter().cloned()).collect()
    }
}

impl SoftmaxFit {
    /// The probabilities of the classes (columns, from 0 on) of rows with these inputs.
    ///
    /// # Errors
    /// Other numbers of columns than in the fit; a number that is not finite.
    pub fn probabilities(&self, design: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        check::dimension("columns of new rows", self.coefficients.nrows(), design.ncols())?;
        finite("feature", design.nrows(), design.as_slice())?;
        let predictors = posterior_math::linalg::multiply(design, &self.coefficients);
        let mut probabilities = DMatrix::zeros(design.nrows(), predictors.ncols() + 1);
        let mut row_of = vec![0.0; predictors.ncols() + 1];
        for row in 0..design.nrows() {
            for (class, predictor) in row_of.iter_mut().enumerate().skip(1) {
                *predictor = predictors[(row, class - 1)];
            }
            row_of[0] = 0.0;
            let ln_sum = ln_sum_exp(&row_of);
            for (class, predictor) in row_of.iter().enumerate() {
                probabilities[(row, class)] = (predictor - ln_sum).exp();
            }
        }
        Ok(probabilities)
    }
}

/// ln p(labels, β) with the prior of [`SoftmaxRegression::with_prior`], for samplers: class after class
/// from 1 on, the coefficients of its log-odds against class 0. Where the prior is flat it counts as 1.
#[derive(Debug, Clone, PartialEq)]
pub struct SoftmaxTarget<'m, 'a> {
    model: &'m SoftmaxRegression<'a>,
    data: GlmData<'m>,
}

impl Target for SoftmaxTarget<'_, '_> {
    fn dim(&self) -> usize {
        self.data.columns() * (self.model.classes - 1)
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(self.ln_likelihood(x) + self.ln_prior(x))
    }
}

impl GradTarget for SoftmaxTarget<'_, '_> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let (probabilities, ln_likelihood) = self.probabilities(x);
        self.gradient_of(&probabilities, gradient);
        self.model.prior.add_gradient(x, self.data.columns(), gradient);
        Ok(ln_likelihood + self.ln_prior(x))
    }
}

impl SoftmaxTarget<'_, '_> {
    /// The predictors of each class with their offsets, the reference among them.
    fn predictors(&self, x: &[f64]) -> Vec<Vec<f64>> {
        let mut predictors = self.products(x);
        if let Some(offset) = self.model.offset {
            for (column, known) in predictors[1..].iter_mut().zip(offset.column_iter()) {
                column.iter_mut().zip(&known).for_each(|(predictor, known)| *predictor += known);
            }
        }
        predictors
    }

    /// xᵀβ of each class, 0 of the reference.
    fn products(&self, x: &[f64]) -> Vec<Vec<f64>> {
        let p = self.data.columns();
        let of_class = |class: usize| self.data.predictors(&x[class * p..(class + 1) * p]);
        std::iter::once(vec![0.0; self.data.rows()])
            .chain((0..self.model.classes - 1).map(of_class))
            .collect()
    }

    /// The probabilities of each class, and the log-likelihood.
    fn probabilities(&self, x: &[f64]) -> (Vec<Vec<f64>>, f64) {
        let mut columns = self.predictors(x);
        let mut ln_likelihood = 0.0;
        let mut row_of = vec![0.0; columns.len()];
        for (row, &label) in self.model.labels.iter().enumerate() {
            for (place, column) in row_of.iter_mut().zip(&columns) {
                *place = column[row];
            }
            let ln_sum = ln_sum_exp(&row_of);
            ln_likelihood += self.data.weight(row) * (row_of[label] - ln_sum);
            for (column, predictor) in columns.iter_mut().zip(&row_of) {
                column[row] = (predictor - ln_sum).exp();
            }
        }
        (columns, ln_likelihood)
    }

    fn ln_likelihood(&self, x: &[f64]) -> f64 {
        self.probabilities(x).1
    }

    fn ln_prior(&self, x: &[f64]) -> f64 {
        self.model.prior.ln_density(x, self.data.columns())
    }

    fn information(&self, x: &[f64]) -> DMatrix<f64> {
        self.information_of(&self.probabilities(x).0)
    }

    /// Σ (δ π_c - π_c π_d) x xᵀ, block by block.
    fn information_of(&self, probabilities: &[Vec<f64>]) -> DMatrix<f64> {
        let (p, k) = (self.data.columns(), self.model.classes - 1);
        let mut information = DMatrix::zeros(p * k, p * k);
        for c in 0..k {
            for d in 0..=c {
                let pairs = probabilities[c + 1].iter().zip(&probabilities[d + 1]).enumerate();
                let weights: Vec<f64> = pairs
                    .map(|(row, (a, b))| {
                        let product = if c == d { a * (1.0 - a).max(0.0) } else { a * b };
                        self.data.weight(row) * product
                    })
                    .collect();
                let sign = if c == d { 1.0 } else { -1.0 };
                let block = weighted_gram(&self.data, &weights) * sign;
                information.view_mut((c * p, d * p), (p, p)).copy_from(&block);
                information.view_mut((d * p, c * p), (p, p)).copy_from(&block);
            }
        }
        self.model.prior.add_precision(k, &mut information);
        information
    }

    /// Of the log-likelihood.
    fn gradient_of(&self, probabilities: &[Vec<f64>], gradient: &mut [f64]) {
        for (class, part) in gradient.chunks_mut(self.data.columns()).enumerate() {
            let rows = probabilities[class + 1].iter().zip(self.model.labels).enumerate();
            let residuals: Vec<f64> = rows
                .map(|(row, (pi, label))| {
                    self.data.weight(row) * (f64::from(u8::from(*label == class + 1)) - pi)
                })
                .collect();
            for (column, slope) in part.iter_mut().enumerate() {
                *slope = self.data.column(column).iter().zip(&residuals).map(|(x, own)| x * own).sum();
            }
        }
    }
}

impl Hill for SoftmaxTarget<'_, '_> {
    type Error = Error;

    fn value(&mut self, x: &[f64]) -> f64 {
        self.ln_likelihood(x) + self.ln_prior(x)
    }

    fn slopes(&mut self, x: &[f64]) -> Result<Slopes, Error> {
        let (probabilities, ln_likelihood) = self.probabilities(x);
        let mut gradient = vec![0.0; x.len()];
        self.gradient_of(&probabilities, &mut gradient);
        self.model.prior.add_gradient(x, self.data.columns(), &mut gradient);
        let factor = Cholesky::new(&self.information_of(&probabilities)).ok();
        Ok(Slopes { value: ln_likelihood + self.ln_prior(x), gradient, factor })
    }

    /// A step along which no row's own class falls behind another, and some row's gains, leads up for ever.
    fn look(&mut self, _: &[f64], step: &[f64], iteration: usize) -> Result<(), Error> {
        let held = step
            .iter()
            .enumerate()
            .any(|(i, part)| *part != 0.0 && self.model.prior.holds(i % self.data.columns()));
        if iteration < PATIENCE || held {
            return Ok(());
        }
        let changes = self.products(step);
        let largest = changes.iter().flatten().fold(0.0_f64, |largest, change| largest.max(change.abs()));
        let (mut gains, mut complete) = (0, true);
        let rows = self.model.labels.iter().enumerate().filter(|(row, _)| self.data.weight(*row) > 0.0);
        for (row, &label) in rows {
            let others = changes.iter().enumerate().filter(|(class, _)| *class != label);
            let lead =
                others.map(|(_, change)| changes[label][row] - change[row]).fold(f64::INFINITY, f64::min);
            if lead < -TIE * largest {
                return Ok(());
            }
            gains += usize::from(lead > TIE * largest);
            complete &= lead > TIE * largest;
        }
        // Rows may tie with one other class and gain on a third: then the step still leads up.
        let column = (0..step.len())
            .max_by(|&a, &b| step[a].abs().total_cmp(&step[b].abs()))
            .map_or_else(String::new, |place| self.model.names[place % self.data.columns()].clone());
        Err(Error::Separated { column, complete, rows: gains, direction: step.to_vec() })
    }
}
