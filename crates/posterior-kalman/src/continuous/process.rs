//! Gauss-Markov processes as expressions.

use posterior_math::autodiff::Real;
use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{DMatrix, Discretization};

use super::block::Block;
use super::expression::Expression;
use super::leaf::Leaf;
use super::linear_system::LinearSystem;
use super::matern::Matern;
use super::polynomial::{Constant, IntegratedWiener, Linear};
use super::resonators::{Cosine, Periodic};
use super::squared_exponential::SquaredExponential;
use crate::Error;

/// A Gauss-Markov process f(t) with mean zero, as an expression.
///
/// Its state x(t), n numbers, moves by x(t + dt) = A(dt) x(t) + noise with covariance Q; f(t) = h x(t).
/// Variances are 1 unless [`scaled`](Self::scaled). All parameters are positive, and a fit moves their
/// logarithms.
#[derive(Debug, Clone, PartialEq)]
pub struct Process {
    pub(super) expression: Expression,
}

/// A parameter of a process that a fit may move, on the scale of its logarithm.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ProcessParameter {
    /// What it is called: `2.matern32.length_scale` in the second term of a sum.
    pub name: String,
    /// Its value: positive.
    pub value: f64,
}

fn leaf(leaf: Leaf, values: &[f64]) -> Process {
    Process { expression: Expression::Leaf(leaf, values.to_vec()) }
}

impl Process {
    /// Matérn with ν = 1/2: k = e^(-|τ|/l), the Ornstein-Uhlenbeck process.
    ///
    /// # Errors
    /// If the length scale l is not positive and finite, as for all that have one.
    pub fn matern12(length_scale: f64) -> Result<Self, ParamError> {
        Self::matern(0, length_scale)
    }

    /// The Ornstein-Uhlenbeck process: another name of [`matern12`](Self::matern12).
    ///
    /// # Errors
    /// As [`matern12`](Self::matern12).
    pub fn ornstein_uhlenbeck(length_scale: f64) -> Result<Self, ParamError> {
        Self::matern12(length_scale)
    }

    /// Matérn with ν = 3/2: k = (1 + √3 |τ|/l) e^(-√3 |τ|/l).
    ///
    /// # Errors
    /// As [`matern12`](Self::matern12).
    pub fn matern32(length_scale: f64) -> Result<Self, ParamError> {
        Self::matern(1, length_scale)
    }

    /// Matérn with ν = 5/2: k = (1 + √5 |τ|/l + 5 τ²/(3 l²)) e^(-√5 |τ|/l).
    ///
    /// # Errors
    /// As [`matern12`](Self::matern12).
    pub fn matern52(length_scale: f64) -> Result<Self, ParamError> {
        Self::matern(2, length_scale)
    }

    /// Matérn with ν = p + 1/2, whose functions have p derivatives: those are the states.
    ///
    /// # Numerics
    /// Beside the standard deviations of the states, A and Q are good to 5e-14 for p ≤ 2, 1e-12 for p = 5 and
    /// 1e-10 for p = 7.
    ///
    /// # Errors
    /// If the length scale is not positive and finite, or the order p is larger than 7.
    ///
    /// # References
    /// J. Hartikainen, S. Särkkä, Kalman filtering and smoothing solutions to temporal Gaussian process
    /// regression models, MLSP (2010).
    pub fn matern(order: usize, length_scale: f64) -> Result<Self, ParamError> {
        let process = Matern::new(order)?;
        check::positive(process.name(), "length_scale", length_scale)?;
        Ok(leaf(Leaf::Matern(process), &[length_scale]))
    }

    /// The Wiener process, or Brownian motion, from time 0: k = min(s, t).
    pub fn wiener() -> Self {
        leaf(Leaf::Wiener(IntegratedWiener { integrals: 0 }), &[])
    }

    /// The integral of the Wiener process, from time 0: k = min³/3 + |s - t| min²/2. Its regression is the
    /// cubic spline.
    pub fn integrated_wiener() -> Self {
        leaf(Leaf::Wiener(IntegratedWiener { integrals: 1 }), &[])
    }

    /// The Wiener process, integrated several times, from time 0. Its states are its derivatives.
    ///
    /// # Errors
    /// More than 7 integrals.
    pub fn repeatedly_integrated_wiener(integrals: usize) -> Result<Self, ParamError> {
        check::require(integrals <= 7, "Process", "integrals", integrals as f64, "at most 7")?;
        Ok(leaf(Leaf::Wiener(IntegratedWiener { integrals }), &[]))
    }

    /// f(t) = w with a standard normal w: k = 1.
    pub fn constant() -> Self {
        leaf(Leaf::Constant(Constant), &[])
    }

    /// f(t) = w t with a standard normal w: k = s t.
    pub fn linear() -> Self {
        leaf(Leaf::Linear(Linear), &[])
    }

    /// A wave of random phase: k = cos(2π τ / period). Multiplied with [`matern12`](Self::matern12), a damped
    /// one.
    ///
    /// # Errors
    /// If the period is not positive and finite.
    pub fn cosine(period: f64) -> Result<Self, ParamError> {
        check::positive("cosine", "period", period)?;
        Ok(leaf(Leaf::Cosine(Cosine), &[period]))
    }

    /// Periodic functions, k = exp(-2 sin²(π τ / period) / l²), as a constant and `terms` harmonics.
    ///
    /// What is cut off is the [`approximation_error`](Self::approximation_error).
    /// [`periodic_terms`](Self::periodic_terms) says how many are needed.
    ///
    /// # Errors
    /// If the period is not positive and finite, or the length scale is below 0.001 or not finite.
    ///
    /// # References
    /// A. Solin, S. Särkkä, Explicit link between periodic covariance functions and state space models,
    /// AISTATS (2014).
    pub fn periodic(length_scale: f64, period: f64, terms: usize) -> Result<Self, ParamError> {
        Periodic::check(&[length_scale, period])?;
        Ok(leaf(Leaf::Periodic(Periodic { terms }), &[length_scale, period]))
    }

    /// How many harmonics bring the error of [`periodic`](Self::periodic) down to `error`.
    ///
    /// # Errors
    /// If the length scale is below 0.001 or not finite, or the error is not positive.
    pub fn periodic_terms(length_scale: f64, error: f64) -> Result<usize, ParamError> {
        Periodic::check(&[length_scale, 1.0])?;
        check::positive("periodic", "error", error)?;
        Ok(Periodic::terms_for(length_scale, error))
    }

    /// The squared exponential k = exp(-τ²/(2 l²)), by a process with `order` states.
    ///
    /// e^(-x) in its spectrum is replaced by a Padé approximant. The error is
    /// [`approximation_error`](Self::approximation_error): 0.14 with 2 states, 0.017 with 4, 2.1e-3 with 6,
    /// 1.8e-4 with 8, 2.5e-6 with 12.
    ///
    /// # Errors
    /// If the length scale is not positive and finite, or the order is not from 1 to 12.
    ///
    /// # References
    /// S. Särkkä, R. Piché, On convergence and accuracy of state-space approximations of squared exponential
    /// covariance functions, MLSP (2014).
    pub fn rbf(length_scale: f64, order: usize) -> Result<Self, Error> {
        check::positive("rbf", "length_scale", length_scale)?;
        Ok(leaf(Leaf::SquaredExponential(SquaredExponential::new(order)?), &[length_scale]))
    }

    /// What is seen by the row h of the stationary solution of dx = F x dt + L dβ, with the diffusion D = L q
    /// Lᵀ.
    ///
    /// # Errors
    /// If the sizes do not agree, a number is not finite, D is not symmetric and positive semidefinite, or an
    /// eigenvalue of F has a real part that is not negative.
    ///
    /// ```
    /// use posterior_kalman::continuous::Process;
    /// use posterior_math::linalg::DMatrix;
    ///
    /// // An oscillator with friction, pushed by white noise.
    /// let drift = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -4.0, -0.5]);
    /// let diffusion = DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 0.0, 2.0]);
    /// let process = Process::sde(&drift, &diffusion, &[1.0, 0.0])?;
    /// assert!((process.kernel(0.0, 0.0) - 0.5).abs() < 1e-15); // q / (2 · friction · ω²)
    /// # Ok::<(), posterior_kalman::Error>(())
    /// ```
    pub fn sde(drift: &DMatrix<f64>, diffusion: &DMatrix<f64>, observation: &[f64]) -> Result<Self, Error> {
        Ok(leaf(Leaf::System(LinearSystem::stationary(drift, diffusion, observation)?), &[]))
    }

    /// As [`sde`](Self::sde), from time 0, where the state has this covariance.
    ///
    /// # Errors
    /// If the sizes do not agree, a number is not finite, or D or the covariance is not symmetric and
    /// positive semidefinite.
    pub fn sde_from_origin(
        drift: &DMatrix<f64>,
        diffusion: &DMatrix<f64>,
        observation: &[f64],
        covariance: &DMatrix<f64>,
    ) -> Result<Self, Error> {
        let system = LinearSystem::from_origin(drift, diffusion, observation, covariance)?;
        Ok(leaf(Leaf::System(system), &[]))
    }

    /// √variance f(t).
    ///
    /// # Errors
    /// If the variance is not positive and finite.
    pub fn scaled(self, variance: f64) -> Result<Self, ParamError> {
        check::positive("Process", "variance", variance)?;
        Ok(Self { expression: Expression::Scaled(variance, Box::new(self.expression)) })
    }

    /// The same with parameters that no fit moves.
    #[must_use]
    pub fn fixed(self) -> Self {
        Self { expression: Expression::Fixed(Box::new(self.expression)) }
    }

    /// The sum with an independent process: the states of both, one below the other.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let mut terms = match self.expression {
            Expression::Sum(terms) => terms,
            term => vec![term],
        };
        match other.expression {
            Expression::Sum(others) => terms.extend(others),
            term => terms.push(term),
        }
        Self { expression: Expression::Sum(terms) }
    }

    /// The process whose covariance function is the product: the states are all products of states.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self { expression: Expression::Product(Box::new(self.expression), Box::new(other.expression)) }
    }

    /// The terms of a sum, in the order of their states; of anything else, itself.
    pub fn terms(&self) -> Vec<Self> {
        match &self.expression {
            Expression::Sum(terms) => terms.iter().map(|term| Self { expression: term.clone() }).collect(),
            _ => vec![self.clone()],
        }
    }

    /// The number n of states.
    pub fn states(&self) -> usize {
        self.expression.states()
    }

    /// The row h that reads the process off its state.
    pub fn observation(&self) -> Vec<f64> {
        self.expression.observation()
    }

    /// The first time at which there is such a process: -∞, or 0 for what starts there.
    pub fn origin(&self) -> f64 {
        self.expression.origin()
    }

    /// Whether the distribution of the state is the same at all times.
    pub fn is_stationary(&self) -> bool {
        self.expression.is_stationary()
    }

    /// Whether the noise of a step depends on its length only: always, but for products with what is not
    /// stationary.
    pub fn has_even_steps(&self) -> bool {
        self.expression.has_even_steps()
    }

    /// What a fit may move, in the order of the expression.
    pub fn parameters(&self) -> Vec<ProcessParameter> {
        let mut found = Vec::new();
        self.expression.collect_parameters("", &mut found);
        found.into_iter().map(|(name, value)| ProcessParameter { name, value }).collect()
    }

    /// The same expression with other values of its parameters.
    ///
    /// # Errors
    /// If there is not one value for each parameter, or one is not positive and finite.
    pub fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        let expected = self.parameters().len();
        if values.len() != expected {
            let requirement = "as many as the process has parameters";
            return Err(ParamError::new("Process", "number of values", values.len() as f64, requirement));
        }
        for (index, &value) in values.iter().enumerate() {
            check::positive("Process", "parameter", value).map_err(|error| error.at(index))?;
        }
        let expression = self.expression.with_parameters(&mut values.iter().copied());
        expression.check()?;
        Ok(Self { expression })
    }

    /// A and Q of a step of length `dt` ≥ 0 that starts at time `from`; it matters when only where steps are
    /// not [even](Self::has_even_steps). A step of length 0 is the identity without noise.
    ///
    /// Not a number where the matrices are beyond the range of f64.
    pub fn step(&self, from: f64, dt: f64) -> Discretization {
        let n = self.states();
        let (mut transition, mut noise) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
        self.expression.step(
            &mut &self.expression.constants::<f64>()[..],
            (from, dt),
            &mut Block::whole(transition.as_mut_slice(), n),
            &mut Block::whole(noise.as_mut_slice(), n),
        );
        Discretization { transition, noise }
    }

    /// Cov[x(t)]. Not a number before the [`origin`](Self::origin).
    pub fn covariance(&self, time: f64) -> DMatrix<f64> {
        let n = self.states();
        if time < self.origin() {
            return DMatrix::from_element(n, n, f64::NAN);
        }
        let mut covariance = DMatrix::zeros(n, n);
        self.expression.covariance(
            &mut &self.expression.constants::<f64>()[..],
            time,
            &mut Block::whole(covariance.as_mut_slice(), n),
        );
        covariance
    }

    /// k(s, t) = Cov[f(s), f(t)] = h A(|t - s|) P(min(s, t)) hᵀ. Not a number before the
    /// [`origin`](Self::origin).
    pub fn kernel(&self, s: f64, t: f64) -> f64 {
        let (from, dt) = (s.min(t), (t - s).abs());
        let row = DMatrix::from_row_slice(1, self.states(), &self.observation());
        (&row * self.step(from, dt).transition * self.covariance(from) * row.transpose())[(0, 0)]
    }

    /// A and Q of a step, for these values of the parameters.
    pub(crate) fn write_step<R: Real>(
        &self,
        values: &[R],
        step: (f64, f64),
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    ) {
        self.expression.step(&mut &*values, step, transition, noise);
    }

    /// The covariance of the state, for these values of the parameters.
    pub(crate) fn write_covariance<R: Real>(&self, values: &[R], time: f64, covariance: &mut Block<'_, R>) {
        self.expression.covariance(&mut &*values, time, covariance);
    }

    /// A bound on |k(s, t) - k*(s, t)| for times up to `horizon` from 0, where k* is the covariance function
    /// that is approximated.
    ///
    /// Zero where nothing is. For one periodic or squared exponential term it is the largest error, not only
    /// a bound.
    pub fn approximation_error(&self, horizon: f64) -> f64 {
        self.expression.error(horizon)
    }
}
