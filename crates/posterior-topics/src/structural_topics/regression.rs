//! The regression of log-ratios on features, and what the documents know of it.
//!
//! ```text
//! p(Sigma) ∝ |Sigma|^(-n/2) exp(-n/2 tr(S Sigma^-1)),   Gamma | Sigma ~ MN(0, V, Sigma)
//! ```
//!
//! with `n = topics + 1`, `S = v (I + 1 1')` and the diagonal `V` of the options. Log-ratios of independent
//! weights have the covariance `I + 1 1'`: the prior is the same whichever topic they are taken to.

use posterior_math::linalg::{
    Cholesky, DMatrix, SymmetricEigen, gram_of_columns, multiply, transpose_multiply,
};
use posterior_math::{ParamError, check};

use super::options::{StructuralTopicsOptions, TYPE};

/// What the covariance of a start is, of that of the prior.
const WIDE: f64 = 10.0;

/// Features of documents and what follows from them and from the prior.
#[derive(Debug, Clone)]
pub(super) struct Design {
    /// Documents x (1 + features): a constant, and features of mean zero and standard deviation one.
    x: DMatrix<f64>,
    /// As how many documents each one counts.
    weights: Vec<f64>,
    pub(super) units: FeatureUnits,
    prior_precisions: Vec<f64>,
    /// Of `X'X` and the prior precisions.
    factor: Cholesky,
    /// `n` and `S` of the prior.
    prior_weight: f64,
    prior_covariance: DMatrix<f64>,
}

/// Means and standard deviations of features.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FeatureUnits {
    pub(super) means: Vec<f64>,
    pub(super) scales: Vec<f64>,
}

/// Coefficients, (1 + features) x (topics - 1), and the spread around them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Regression {
    pub(super) gamma: DMatrix<f64>,
    pub(super) covariance: DMatrix<f64>,
    pub(super) precision: DMatrix<f64>,
    pub(super) ln_determinant: f64,
}

/// What documents know of their log-ratios, added up.
#[derive(Debug)]
pub(super) struct Information {
    /// The prior's for coefficients: blocks of topics by features.
    coefficients: DMatrix<f64>,
    /// How many documents with known log-ratios know as much of the covariance.
    documents: f64,
}

impl FeatureUnits {
    fn of(features: &DMatrix<f64>) -> Self {
        let means: Vec<f64> = features.column_iter().map(|column| column.mean()).collect();
        let sd = |column: usize| match features.column(column).variance().sqrt() {
            sd if sd > 0.0 => sd,
            _ => 1.0,
        };
        let scales = (0..features.ncols()).map(sd).collect();
        Self { means, scales }
    }

    /// A constant, and features in these units.
    ///
    /// # Errors
    /// Another number of features, or one that is not finite.
    pub(super) fn row(&self, features: &[f64]) -> Result<Vec<f64>, ParamError> {
        let (expected, found) = (self.means.len(), features.len());
        check::require(found == expected, TYPE, "number of features", found as f64, "that of the fit")?;
        let mut row = vec![1.0];
        for (j, &feature) in features.iter().enumerate() {
            check::finite(TYPE, "features", feature).map_err(|error| error.at(j))?;
            let own = (feature - self.means[j]) / self.scales[j];
            row.push(check::finite(TYPE, "features", own).map_err(|error| error.at(j))?);
        }
        Ok(row)
    }

    /// Coefficients of the features as they are, of those in these units.
    pub(super) fn undone(&self, gamma: &DMatrix<f64>) -> DMatrix<f64> {
        let mut own = gamma.clone();
        for (j, (mean, scale)) in self.means.iter().zip(&self.scales).enumerate() {
            for k in 0..own.ncols() {
                own[(1 + j, k)] /= scale;
                own[(0, k)] -= own[(1 + j, k)] * mean;
            }
        }
        own
    }
}

impl Design {
    pub(super) fn new(
        features: &DMatrix<f64>,
        options: &StructuralTopicsOptions,
    ) -> Result<Self, ParamError> {
        let units = FeatureUnits::of(features);
        for (j, &scale) in units.scales.iter().enumerate() {
            check::finite(TYPE, "features", scale).map_err(|error| error.at(j))?;
        }
        let mut x = DMatrix::zeros(features.nrows(), 1 + features.ncols());
        for d in 0..features.nrows() {
            let own: Vec<f64> = features.row(d).iter().copied().collect();
            x.row_mut(d).iter_mut().zip(units.row(&own)?).for_each(|(to, x)| *to = x);
        }
        let mut prior_precisions = vec![options.feature_variance.recip(); x.ncols()];
        prior_precisions[0] = options.intercept_variance.recip();
        let weights = vec![1.0; x.nrows()];
        let factor = factor(&x, &weights, &prior_precisions)?;
        let size = options.topics - 1;
        let prior_covariance = (DMatrix::identity(size, size) + DMatrix::from_element(size, size, 1.0))
            * options.document_variance;
        let prior_weight = (options.topics + 1) as f64;
        Ok(Self { x, weights, units, prior_precisions, factor, prior_weight, prior_covariance })
    }

    /// The same documents, each of which counts as so many.
    pub(super) fn weighted(&self, weights: Vec<f64>) -> Result<Self, ParamError> {
        let factor = factor(&self.x, &weights, &self.prior_precisions)?;
        Ok(Self { weights, factor, ..self.clone() })
    }

    /// As how many documents each one counts.
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// A document's row: the constant, and features in their units.
    pub(super) fn row(&self, document: usize) -> Vec<f64> {
        self.x.row(document).iter().copied().collect()
    }

    /// No effects, and a covariance under which documents may be of one topic each.
    pub(super) fn wide(&self) -> Result<Regression, ParamError> {
        let gamma = DMatrix::zeros(self.x.ncols(), self.prior_covariance.ncols());
        Regression::new(gamma, &self.prior_covariance * WIDE)
    }

    /// The means of log-ratios, documents x (topics - 1).
    pub(super) fn means(&self, gamma: &DMatrix<f64>) -> DMatrix<f64> {
        multiply(&self.x, gamma)
    }

    /// The most probable regression given log-ratios, documents x (topics - 1), each with some spread: the
    /// sum of their covariances. The coefficients that are spent on the mean are counted (as in REML).
    pub(super) fn given(&self, eta: &DMatrix<f64>, spread: &DMatrix<f64>) -> Result<Regression, ParamError> {
        let gamma = self.factor.solve(&transpose_multiply(&rows_by(&self.x, &self.weights), eta));
        let roots: Vec<f64> = self.weights.iter().map(|weight| weight.sqrt()).collect();
        let residuals = rows_by(&(eta - self.means(&gamma)), &roots);
        let scale = &self.prior_covariance * self.prior_weight
            + spread
            + gram_of_columns(&residuals)
            + gram_of_columns(&self.shrunk(&gamma));
        Regression::new(gamma, scale / (self.free_documents() + self.prior_weight))
    }

    /// ln p(coefficients, covariance), up to a constant; the coefficients that [`given`](Self::given) counts
    /// are taken from it.
    pub(super) fn ln_prior(&self, regression: &Regression) -> f64 {
        let spent = self.documents() - self.free_documents();
        let scale =
            &self.prior_covariance * self.prior_weight + gram_of_columns(&self.shrunk(&regression.gamma));
        -0.5 * ((self.prior_weight - spent) * regression.ln_determinant + regression.precision.dot(&scale))
    }

    /// What is known before the documents.
    pub(super) fn prior_information(&self, regression: &Regression) -> Information {
        let precisions = DMatrix::from_diagonal(&self.prior_precisions.clone().into());
        let coefficients = regression.precision.kronecker(&precisions);
        Information { coefficients, documents: self.prior_weight }
    }

    fn shrunk(&self, gamma: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(gamma.nrows(), gamma.ncols(), |j, k| self.prior_precisions[j].sqrt() * gamma[(j, k)])
    }

    /// Documents less the coefficients that they determine.
    fn free_documents(&self) -> f64 {
        let of_prior = self.factor.inverse_diagonal();
        let left: f64 = of_prior.iter().zip(&self.prior_precisions).map(|(v, p)| v * p).sum();
        self.documents() - (self.x.ncols() as f64 - left)
    }

    fn documents(&self) -> f64 {
        self.weights.iter().sum()
    }
}

/// The factor of `X'WX` and the prior precisions.
fn factor(x: &DMatrix<f64>, weights: &[f64], prior_precisions: &[f64]) -> Result<Cholesky, ParamError> {
    let roots: Vec<f64> = weights.iter().map(|weight| weight.sqrt()).collect();
    let mut gram = gram_of_columns(&rows_by(x, &roots));
    for (j, precision) in prior_precisions.iter().enumerate() {
        gram[(j, j)] += precision;
    }
    Cholesky::decompose(gram)
        .map_err(|_| ParamError::new(TYPE, "features", f64::NAN, "products in the range of f64"))
}

/// Each row times its factor.
fn rows_by(matrix: &DMatrix<f64>, factors: &[f64]) -> DMatrix<f64> {
    DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |row, column| matrix[(row, column)] * factors[row])
}

impl Regression {
    /// # Errors
    /// A covariance that is not positive definite.
    pub(super) fn new(gamma: DMatrix<f64>, covariance: DMatrix<f64>) -> Result<Self, ParamError> {
        let factor = Cholesky::new(&covariance)
            .map_err(|_| ParamError::new(TYPE, "covariance", f64::NAN, "positive definite"))?;
        let (precision, ln_determinant) = (factor.inverse(), factor.ln_determinant());
        Ok(Self { gamma, covariance, precision, ln_determinant })
    }
}

impl Information {
    /// Of no document.
    pub(super) fn none(regression: &Regression) -> Self {
        let (rows, columns) = regression.gamma.shape();
        Self { coefficients: DMatrix::zeros(rows * columns, rows * columns), documents: 0.0 }
    }

    /// Adds a document with this row of features whose log-ratios have this curvature: what is known of them
    /// if they were known, less what is not (Louis 1982).
    pub(super) fn add(&mut self, row: &[f64], curvature: &Cholesky, regression: &Regression) {
        let hidden = curvature.solve(&regression.precision);
        let known = &regression.precision - multiply(&regression.precision, &hidden);
        let size = known.nrows();
        // A variance is known as the square of what is known of the log-ratios.
        let part = 1.0 - hidden.trace() / size as f64;
        self.documents += part * part;
        let features = row.len();
        for k in 0..size {
            for (j, x) in row.iter().enumerate() {
                let column = k * features + j;
                for l in k..size {
                    let scaled = known[(l, k)] * x;
                    let entries = self.coefficients.column_mut(column);
                    let entries = entries.into_iter().skip(l * features).zip(row);
                    entries.for_each(|(entry, x)| *entry += scaled * x);
                }
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.coefficients += &other.coefficients;
        self.documents += other.documents;
    }

    /// The covariance of coefficients, topics by features, and the degrees of freedom of the covariance of
    /// log-ratios.
    ///
    /// The information is that of a mode, where a document may know less than nothing in some direction. If
    /// all of them together do, nothing but the prior is known in that direction.
    pub(super) fn known(mut self, prior: Self) -> Result<(DMatrix<f64>, f64), ParamError> {
        self.coefficients.fill_upper_triangle_with_lower_triangle();
        let singular = |_| ParamError::new(TYPE, "information", f64::NAN, "a matrix with eigenvalues");
        let factor = Cholesky::decompose(&self.coefficients + &prior.coefficients);
        let factor = factor.or_else(|_| {
            let eigen = SymmetricEigen::new(&self.coefficients).map_err(singular)?;
            let known = eigen.function_of_matrix(|value| value.max(0.0));
            Cholesky::decompose(known + prior.coefficients).map_err(singular)
        })?;
        Ok((factor.inverse(), prior.documents + self.documents))
    }
}

#[cfg(test)]
mod tests;
