//! The mode, and what its curvature says of constrained values.

use posterior_dist::target::{EvalError, GradTarget, Target, negated};
use posterior_math::iteration::{Fitted, Observer};
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::{LbfgsOptions, minimize};

use super::StanPosterior;
use super::quantities::numbers_of;
use crate::fault::{Fault, ModelError};
use crate::graph::compile;
use crate::run::Run;
use crate::trace::Trace;
use crate::value::Num;

/// The density of a program on unconstrained coordinates, with the Jacobian of the constraints or without.
///
/// Without it, the maximum is that of the density of the constrained parameters: the posterior mode, or the
/// maximum of the likelihood where there is no prior.
#[derive(Debug, Clone, Copy)]
pub struct StanDensity<'a> {
    posterior: &'a StanPosterior,
    jacobian: bool,
}

impl Target for StanDensity<'_> {
    fn dim(&self) -> usize {
        self.posterior.dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.posterior.ln_density_of(x, self.jacobian, None)
    }
}

impl GradTarget for StanDensity<'_> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        self.posterior.ln_density_of(x, self.jacobian, Some(gradient))
    }
}

/// Where a search for the mode ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Optimum {
    /// The point, by its unconstrained coordinates.
    pub point: Vec<f64>,
    /// The log density there.
    pub ln_density: f64,
    /// The largest absolute component of its gradient there.
    pub gradient_norm: f64,
    /// Gradients that the search took.
    pub gradients: usize,
}

impl StanPosterior {
    /// The density as a target, with the Jacobian of the constraints or without.
    pub const fn density(&self, jacobian: bool) -> StanDensity<'_> {
        StanDensity { posterior: self, jacobian }
    }

    /// A local maximum of the density by L-BFGS, with the Jacobian of the constraints or without.
    ///
    /// Points that the program refuses shorten a step. The trace of the report is of -ln p.
    ///
    /// # Errors
    /// A start that the program refuses; a fault that ends the run; a point of another dimension.
    ///
    /// ```
    /// use posterior_math::{iteration::Silent, optimize::LbfgsOptions};
    /// use posterior_model::StanModel;
    ///
    /// let program = "parameters { real<lower=0> s; } model { s ~ gamma(3, 2); }";
    /// let posterior = StanModel::parse(program)?.with_data("{}")?;
    /// let mode = |jacobian| {
    ///     let options = LbfgsOptions::default();
    ///     let found = posterior.maximize(jacobian, &[0.1], &options, &mut Silent).unwrap();
    ///     posterior.values(&found.model.point, true, None).unwrap()[0]
    /// };
    /// assert!((mode(false) - 1.0).abs() < 1e-8); // (3 - 1) / 2
    /// assert!((mode(true) - 1.5).abs() < 1e-8); // of ln s: 3 / 2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn maximize(
        &self,
        jacobian: bool,
        start: &[f64],
        options: &LbfgsOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<Optimum>, EvalError> {
        let density = self.density(jacobian);
        density.ln_density(start)?;
        let mut fatal = None;
        let objective = |x: &[f64], gradient: &mut [f64]| {
            negated(density.ln_density_grad(x, gradient), gradient, &mut fatal)
        };
        let Fitted { model: found, report } = minimize(objective, start, options, observer);
        match fatal {
            Some(error) => Err(error),
            None => Ok(Fitted {
                model: Optimum {
                    ln_density: -found.value,
                    gradient_norm: found.gradient_norm,
                    gradients: found.evaluations,
                    point: found.point,
                },
                report,
            }),
        }
    }

    /// Derivatives of parameters and transformed parameters, a row for each in the order of
    /// [`names`](Self::names), by the unconstrained coordinates.
    ///
    /// # Errors
    /// What goes wrong in the program, with its line.
    pub fn derivatives(&self, x: &[f64]) -> Result<DMatrix<f64>, ModelError> {
        let values = || -> Result<_, Fault> {
            let mut run = Run::new(&self.code, Trace::new(x), None);
            run.frame.clone_from(&self.frame);
            let numbers: Vec<Num> = (0..x.len()).map(|at| Num::N(at as u32)).collect();
            self.put_parameters(&mut run, &numbers)?;
            self.transformed(&mut run)?;
            let values = numbers_of(&run, &self.outputs(true, false));
            Ok((compile(&run.machine.trace, self.dim, &values), values.len()))
        };
        let (graph, rows) = values().map_err(|fault| fault.error(self.code.text()))?;
        let mut workspace = graph.workspace();
        graph.forward(x, &mut workspace);
        let mut all = DMatrix::zeros(rows, self.dim);
        let mut seeds = vec![0.0; rows];
        for row in 0..rows {
            seeds[row] = 1.0;
            graph.backward(&seeds, &mut workspace);
            seeds[row] = 0.0;
            for (place, slope) in all.row_mut(row).iter_mut().zip(&workspace.adjoints) {
                *place = *slope;
            }
        }
        Ok(all)
    }

    /// Standard errors of parameters and transformed parameters, in the order of [`names`](Self::names), from
    /// a covariance of the unconstrained coordinates: √(d C dᵀ) with the derivatives d at the point.
    ///
    /// # Errors
    /// As [`derivatives`](Self::derivatives).
    ///
    /// # Panics
    /// If the covariance is of another size.
    pub fn standard_errors(&self, x: &[f64], covariance: &DMatrix<f64>) -> Result<Vec<f64>, ModelError> {
        let derivatives = self.derivatives(x)?;
        let products = &derivatives * covariance;
        let square = |row: usize| products.row(row).dot(&derivatives.row(row)).max(0.0);
        Ok((0..derivatives.nrows()).map(|row| square(row).sqrt()).collect())
    }
}
