//! Bayesian PCA: how many components, by a prior under which unneeded ones vanish.

use std::borrow::Cow;

use posterior_inference::variational::{AscentOptions, CoordinateAscent, coordinate_ascent};
use posterior_math::check;
use posterior_math::iteration::{Observer, Report};
use posterior_math::linalg::{Cholesky, DMatrix, gram_of_columns, multiply, transpose_multiply};
use posterior_math::special::{digamma, ln_gamma};

use super::analysis::{PcaOptions, fit};
use super::centred::{Centred, orient};
use super::choice::ComponentChoice;
use super::factor_model::FactorModel;
use crate::error::Error;
use crate::observations::Observations;

/// How to run Bayesian PCA.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BayesianOptions {
    /// The most components; d - 1 where there are fewer coordinates. 10 by default.
    pub components: usize,
    /// Shape and rate of the gamma priors of the precisions of the columns of W and of the noise, for data of
    /// unit variance. 10^-3 by default: next to nothing is said.
    pub prior: (f64, f64),
    /// How to run coordinate ascent.
    pub ascent: AscentOptions,
}

impl Default for BayesianOptions {
    fn default() -> Self {
        let ascent = AscentOptions { tolerance: 1e-10, max_iterations: 20_000, ..AscentOptions::default() };
        Self { components: 10, prior: (1e-3, 1e-3), ascent }
    }
}

/// The approximate posterior of Bayesian PCA.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BayesianComponents {
    /// The model at E W and 1 / E τ, columns of W descending in length. Columns that are switched off are
    /// near 0, and stay.
    pub model: FactorModel,
    /// E α: the precision of the prior of each column.
    pub relevance: Vec<f64>,
    /// How many columns are longer than what is unknown of them: |E W_j|² above its posterior variance.
    pub effective: usize,
    /// The bound on ln p(x) at the start and after each sweep.
    pub report: Report,
}

/// Bayesian PCA (Bishop, Variational principal components, ICANN 1999).
///
/// x = W z + μ + e with e ~ N(0, I/τ), columns W_j ~ N(0, I/α_j), and gamma priors of τ and of each α_j; μ is
/// the mean of the data. q(z) q(W) q(α) q(τ) is raised from the principal components: O(n d²) once and O(d²
/// k) a sweep. Columns that the data do not need lose their length.
///
/// # Errors
/// If a value is missing, if there is but one coordinate or no variance, or if a prior or the number of
/// components is not positive.
pub fn bayesian(
    data: &Observations,
    options: &BayesianOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<BayesianComponents, Error> {
    check::positive("BayesianOptions", "shape", options.prior.0)?;
    check::positive("BayesianOptions", "rate", options.prior.1)?;
    let d = data.dimension();
    let k = options.components.min(d.saturating_sub(1));
    check::require(
        k > 0,
        "BayesianOptions",
        "components",
        k as f64,
        "at least 1 and less than the coordinates",
    )?;
    let data = &*data.counted();
    let centred = Centred::about_mean(data)?;
    let n = data.total_weight();
    let unit = (centred.rows.norm_squared() / (n * d as f64)).sqrt();
    check::positive("bayesian", "variance of the data", unit)?;
    let posterior = Posterior {
        scatter: gram_of_columns(&(&centred.rows / unit)),
        n,
        prior: options.prior,
        // From the unit of the computation to that of the data.
        ln_scale: -n * d as f64 * (unit.ln() - centred.scale.ln()),
    };
    let outside = unit / centred.scale;
    let analysis = fit(data, &PcaOptions { choice: ComponentChoice::Count(k), ..PcaOptions::default() })?;
    let fitted =
        coordinate_ascent(&posterior, posterior.start(&analysis, outside, k)?, &options.ascent, observer)?;
    let state = fitted.model;
    let lengths: Vec<f64> = state.loadings.column_iter().map(|column| column.norm_squared()).collect();
    let mut order: Vec<usize> = (0..k).collect();
    order.sort_by(|&a, &b| lengths[b].total_cmp(&lengths[a]));
    let mut loadings = state.loadings.select_columns(&order) * outside;
    orient(&mut loadings);
    let noise = outside * outside / state.tau.mean();
    Ok(BayesianComponents {
        model: FactorModel::new(&centred.mean, &loadings, &vec![noise; d])?,
        relevance: order.iter().map(|&j| state.alphas[j].mean() / outside / outside).collect(),
        effective: (0..k).filter(|&j| lengths[j] > d as f64 * state.rows[(j, j)]).count(),
        report: fitted.report,
    })
}

/// A gamma distribution.
#[derive(Debug, Clone, Copy)]
struct GammaFactor {
    shape: f64,
    rate: f64,
}

impl GammaFactor {
    fn mean(self) -> f64 {
        self.shape / self.rate
    }

    fn ln_mean(self) -> f64 {
        digamma(self.shape) - self.rate.ln()
    }

    /// E ln p + H against a gamma prior.
    fn bound(self, (shape, rate): (f64, f64)) -> f64 {
        let entropy =
            self.shape - self.rate.ln() + ln_gamma(self.shape) + (1.0 - self.shape) * digamma(self.shape);
        shape * rate.ln() - ln_gamma(shape) + (shape - 1.0) * self.ln_mean() - rate * self.mean() + entropy
    }
}

/// All factors of q.
struct State {
    /// E W.
    loadings: DMatrix<f64>,
    /// The covariance of each row of W.
    rows: DMatrix<f64>,
    ln_rows: f64,
    /// The covariance of each z.
    hidden: DMatrix<f64>,
    ln_hidden: f64,
    /// Σ x E zᵀ.
    cross: DMatrix<f64>,
    /// Σ E z zᵀ.
    squares: DMatrix<f64>,
    alphas: Vec<GammaFactor>,
    tau: GammaFactor,
}

/// The model and its data, in a unit of variance 1.
struct Posterior {
    /// Σ w x xᵀ.
    scatter: DMatrix<f64>,
    n: f64,
    prior: (f64, f64),
    ln_scale: f64,
}

impl Posterior {
    fn dimension(&self) -> f64 {
        self.scatter.nrows() as f64
    }

    /// From the principal components, with the noise that they leave.
    fn start(&self, analysis: &super::PrincipalComponents, outside: f64, k: usize) -> Result<State, Error> {
        let d = self.scatter.nrows();
        let noise = (analysis.dropped_variance() / outside / outside / (d - k) as f64).max(1e-6);
        let mut loadings = DMatrix::zeros(d, k);
        for (j, direction) in analysis.components().column_iter().enumerate() {
            let own = analysis.variances()[j] / outside / outside;
            loadings.set_column(j, &(direction * (own - noise).max(1e-3 * own).sqrt()));
        }
        let lengths: Vec<f64> = loadings.column_iter().map(|column| column.norm_squared()).collect();
        let shape = self.prior.0 + 0.5 * self.dimension();
        let mut state = State {
            loadings,
            rows: DMatrix::zeros(k, k),
            ln_rows: 0.0,
            hidden: DMatrix::zeros(k, k),
            ln_hidden: 0.0,
            cross: DMatrix::zeros(d, k),
            squares: DMatrix::zeros(k, k),
            alphas: lengths
                .iter()
                .map(|length| GammaFactor { shape, rate: self.prior.1 + 0.5 * length })
                .collect(),
            tau: GammaFactor { shape: self.prior.0 + 0.5 * self.n * self.dimension(), rate: 1.0 },
        };
        state.tau.rate = state.tau.shape * noise;
        self.update_hidden(&mut state)?;
        Self::update_loadings(&mut state)?;
        Ok(state)
    }

    /// E WᵀW.
    fn gram(&self, state: &State) -> DMatrix<f64> {
        gram_of_columns(&state.loadings) + &state.rows * self.dimension()
    }

    fn update_hidden(&self, state: &mut State) -> Result<(), Error> {
        let k = state.loadings.ncols();
        let tau = state.tau.mean();
        let precision = Cholesky::decompose(self.gram(state) * tau + DMatrix::identity(k, k))?;
        state.hidden = precision.inverse();
        state.ln_hidden = -precision.ln_determinant();
        let gain = multiply(&state.loadings, &state.hidden) * tau;
        state.cross = multiply(&self.scatter, &gain);
        state.squares = transpose_multiply(&gain, &state.cross) + &state.hidden * self.n;
        Ok(())
    }

    fn update_loadings(state: &mut State) -> Result<(), Error> {
        let tau = state.tau.mean();
        let mut precision = &state.squares * tau;
        for (j, alpha) in state.alphas.iter().enumerate() {
            precision[(j, j)] += alpha.mean();
        }
        let precision = Cholesky::decompose(precision)?;
        state.rows = precision.inverse();
        state.ln_rows = -precision.ln_determinant();
        state.loadings = multiply(&state.cross, &state.rows) * tau;
        Ok(())
    }

    /// E |W_j|².
    fn square(&self, state: &State, j: usize) -> f64 {
        state.loadings.column(j).norm_squared() + self.dimension() * state.rows[(j, j)]
    }

    /// E Σ |x - W z|².
    fn misfit(&self, state: &State) -> f64 {
        self.scatter.trace() - 2.0 * state.loadings.dot(&state.cross) + self.gram(state).dot(&state.squares)
    }
}

impl CoordinateAscent for Posterior {
    type State = State;
    type Error = Error;

    fn factors(&self) -> usize {
        4
    }

    fn factor_name(&self, factor: usize) -> Cow<'static, str> {
        Cow::Borrowed(
            ["hidden z", "loadings W", "precisions of columns", "precision of the noise"][factor.min(3)],
        )
    }

    fn update(&self, state: &mut State, factor: usize) -> Result<(), Error> {
        match factor {
            0 => self.update_hidden(state)?,
            1 => Self::update_loadings(state)?,
            2 => {
                for j in 0..state.alphas.len() {
                    state.alphas[j].rate = self.prior.1 + 0.5 * self.square(state, j);
                }
            }
            _ => state.tau.rate = self.prior.1 + 0.5 * self.misfit(state),
        }
        Ok(())
    }

    fn elbo(&self, state: &State) -> Result<f64, Error> {
        let (d, k, ln_tau) = (self.dimension(), state.alphas.len() as f64, std::f64::consts::TAU.ln());
        let fit =
            0.5 * self.n * d * (state.tau.ln_mean() - ln_tau) - 0.5 * state.tau.mean() * self.misfit(state);
        // E ln p(z) + H(z), and the same of the rows of W: the 2π cancel.
        let hidden = 0.5 * self.n * (k + state.ln_hidden) - 0.5 * state.squares.trace();
        let mut loadings = 0.5 * d * (k + state.ln_rows);
        for (j, alpha) in state.alphas.iter().enumerate() {
            loadings += 0.5 * d * alpha.ln_mean() - 0.5 * alpha.mean() * self.square(state, j);
        }
        let precisions: f64 = state.alphas.iter().map(|alpha| alpha.bound(self.prior)).sum();
        Ok(fit + hidden + loadings + precisions + state.tau.bound(self.prior) + self.ln_scale)
    }
}

#[cfg(test)]
mod tests;
