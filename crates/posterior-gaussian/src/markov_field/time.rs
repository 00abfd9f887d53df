//! Fields along equal steps of time.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{Cholesky, DMatrix, MatrixError};
use posterior_math::sparse::{Ordering, SparseMatrix, SparseSymmetric};

use super::NAME;
use super::base::{Base, refused};
use super::field::{GaussianMarkovField, built};

impl GaussianMarkovField {
    /// The random walk of order 1: steps xₜ₊₁ - xₜ are independent with precision τ, and Σ xₜ = 0.
    ///
    /// Q = τ Dᵀ D has rank n - 1, and |Q| = n τ^(n-1) without the eigenvalue 0.
    ///
    /// # Errors
    /// Fewer than 2 points, or a precision that is not positive and finite.
    ///
    /// # References
    /// H. Rue, L. Held, Gaussian Markov Random Fields (2005), section 3.3.1.
    pub fn random_walk(n: usize, precision: f64) -> Result<Self, ParamError> {
        differences(n, &[-1.0, 1.0], precision)
    }

    /// The random walk of order 2: xₜ₊₁ - 2 xₜ + xₜ₋₁ are independent with precision τ, Σ xₜ = 0 and
    /// Σ t xₜ = 0.
    ///
    /// Q = τ Dᵀ D has rank n - 2, and |Q| = n² (n² - 1) / 12 τ^(n-2) without the eigenvalues 0.
    ///
    /// # Errors
    /// Fewer than 3 points, or a precision that is not positive and finite.
    ///
    /// # References
    /// H. Rue, L. Held, Gaussian Markov Random Fields (2005), section 3.4.1.
    pub fn second_order_random_walk(n: usize, precision: f64) -> Result<Self, ParamError> {
        differences(n, &[1.0, -2.0, 1.0], precision)
    }

    /// The stationary autoregression xₜ = Σₖ φₖ xₜ₋ₖ + noise of this precision, at n times.
    ///
    /// Q has p entries beside the diagonal in each row: n p² operations for everything.
    ///
    /// # Errors
    /// A precision that is not positive and finite, or coefficients for which the process is not stationary.
    ///
    /// # References
    /// M. M. Siddiqui, On the inversion of the sample covariance matrix in a stationary autoregressive
    /// process, Ann. Math. Stat. 29 (1958): the first p times.
    ///
    /// ```
    /// use posterior_gaussian::GaussianMarkovField;
    ///
    /// // Variance 1 / (1 - 0.8²), and correlations 0.8ᵏ.
    /// let series = GaussianMarkovField::autoregression(&[0.8], 1.0, 50)?;
    /// let column = series.covariances(20);
    /// assert!((column[20] - 1.0 / 0.36).abs() < 1e-12);
    /// assert!((column[23] / column[20] - 0.512).abs() < 1e-12);
    /// # Ok::<(), posterior_gaussian::math::ParamError>(())
    /// ```
    pub fn autoregression(coefficients: &[f64], precision: f64, n: usize) -> Result<Self, ParamError> {
        check::positive(NAME, "precision", precision)?;
        check::each(coefficients, |phi| check::finite(NAME, "coefficients", phi))?;
        let p = coefficients.len();
        // The polynomial 1 - φ₁ z - … - φ_p z^p.
        let a: Vec<f64> = [1.0].into_iter().chain(coefficients.iter().map(|phi| -phi)).collect();
        let first = DMatrix::from_fn(p, p, |i, j| {
            let term = |k: usize| a[i - k] * a[j - k] - a[p - (i - k)] * a[p - (j - k)];
            precision * (0..=i.min(j)).map(term).sum::<f64>()
        });
        let moving = |_: MatrixError| {
            ParamError::new(
                NAME,
                "coefficients",
                coefficients.iter().sum(),
                "those of a stationary autoregression (the value is their sum)",
            )
        };
        let factor = Cholesky::new(&first).map_err(moving)?;
        let count = n.min(p);
        let start = if count == p {
            first
        } else {
            // Fewer times than coefficients: the covariance of the first ones.
            let covariance = factor.inverse().view((0, 0), (count, count)).into_owned();
            Cholesky::decompose(covariance).map_err(moving)?.inverse()
        };
        let begin =
            (0..count).flat_map(|j| (j..count).map(move |i| (i, j))).map(|(i, j)| (i, j, start[(i, j)]));
        let rows =
            (p..n).enumerate().flat_map(|(row, t)| a.iter().enumerate().map(move |(k, a)| (row, t - k, *a)));
        let steps = SparseMatrix::from_triplets(n.saturating_sub(p), n, rows).map_err(refused)?;
        let steps = steps.gram(&vec![precision; n.saturating_sub(p)]).map_err(refused)?;
        let precision = built(SparseSymmetric::from_triplets(n, steps.triplets().chain(begin)))?;
        Self::new(&vec![0.0; n], precision, &Ordering::Natural)
    }
}

/// Independent differences, with the polynomials that they do not see fixed to be orthogonal to x.
fn differences(n: usize, pattern: &[f64], precision: f64) -> Result<GaussianMarkovField, ParamError> {
    check::positive(NAME, "precision", precision)?;
    let order = pattern.len() - 1;
    check::require(n > order, NAME, "points", n as f64, "more than the order of the random walk")?;
    let rows = n - order;
    let entries = (0..rows).flat_map(|t| pattern.iter().enumerate().map(move |(k, c)| (t, t + k, *c)));
    let map = SparseMatrix::from_triplets(rows, n, entries).map_err(refused)?;
    let matrix = map.gram(&vec![precision; rows]).map_err(refused)?;
    // Constants and the time from the middle, in units of half the length.
    let middle = (n as f64 - 1.0) / 2.0;
    let null =
        DMatrix::from_fn(
            n,
            order,
            |t, power| if power == 0 { 1.0 } else { (t as f64 - middle) / middle.max(1.0) },
        );
    let base = Base::new(matrix, null.clone(), null.transpose(), &Ordering::Natural)?;
    GaussianMarkovField::centred(&vec![0.0; n], base)
}
