//! What a fit says about parameters.

use posterior_dist::target::Target;
use posterior_math::linalg::{Cholesky, DMatrix};

use super::{MarginalTarget, ParameterScale, ParametricModel};
use crate::{Error, StateSpace};

/// Free values so far out that the natural one is at its boundary.
const OUT: [f64; 2] = [-700.0, 40.0];

/// One parameter of a [`FittedParameters`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ParameterEstimate {
    /// Its name.
    pub name: String,
    /// Its value in natural units.
    pub value: f64,
    /// The standard error in natural units; `None` if it was fixed, is at a boundary, or the data do not tell
    /// it from others.
    pub standard_error: Option<f64>,
    /// What kind of value it is.
    pub status: Status,
}

/// What kind of value an estimate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// A maximum inside of the range.
    Inside,
    /// Nothing is lost by going to the boundary of the range: a variance that the data say is zero.
    AtBoundary,
    /// It was given.
    Fixed,
}

/// The most probable parameters, and how sure they are.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FittedParameters {
    /// The model with these parameters.
    pub model: StateSpace,
    /// All parameters, in the order of the model.
    pub parameters: Vec<ParameterEstimate>,
    /// The free values of those that were not fixed.
    pub free: Vec<f64>,
    /// The covariance of the free values: the inverse of the negative Hessian of the objective. Rows and
    /// columns of parameters at a boundary are zero. `None` where the objective has no maximum in the others.
    pub covariance: Option<DMatrix<f64>>,
    /// ln p(y | θ).
    pub ln_likelihood: f64,
    /// ln p(θ); zero without priors.
    pub ln_prior: f64,
    /// The largest derivative of the objective in a free value.
    pub gradient_norm: f64,
    /// How many numbers were observed.
    pub observed: usize,
    /// How many directions of the start are diffuse.
    pub diffuse: usize,
}

impl FittedParameters {
    /// At the free values at which a search ended.
    pub(super) fn new<M: ParametricModel>(
        likelihood: &MarginalTarget<'_, M>,
        free: Vec<f64>,
        gradient_norm: f64,
    ) -> Result<Self, Error> {
        let model = likelihood.at(&free)?;
        let mut slope = vec![0.0; free.len()];
        let ln_likelihood = likelihood.ln_likelihood(&free, &mut slope)?;
        let ln_prior = likelihood.ln_prior(&free, &mut slope);
        let unknown = likelihood.unknown();
        let at_boundary: Vec<bool> =
            (0..free.len()).map(|k| is_at_boundary(likelihood, &free, k, ln_likelihood + ln_prior)).collect();
        let covariance = covariance(likelihood, &free, &at_boundary);
        let mut parameters: Vec<ParameterEstimate> = likelihood
            .parameters()
            .iter()
            .zip(likelihood.complete(&free))
            .map(|(parameter, free)| ParameterEstimate {
                name: parameter.name().to_owned(),
                value: parameter.scale().natural(free),
                standard_error: None,
                status: Status::Fixed,
            })
            .collect();
        for (k, &place) in unknown.iter().enumerate() {
            parameters[place].status = if at_boundary[k] { Status::AtBoundary } else { Status::Inside };
            let slope = likelihood.parameters()[place].scale().slope(free[k]);
            parameters[place].standard_error = covariance
                .as_ref()
                .filter(|_| !at_boundary[k])
                .map(|covariance| covariance[(k, k)].sqrt() * slope.abs());
        }
        let diffuse = model.initial().diffuse_directions().ncols();
        let observed = likelihood.observed();
        Ok(Self {
            model,
            parameters,
            free,
            covariance,
            ln_likelihood,
            ln_prior,
            gradient_norm,
            observed,
            diffuse,
        })
    }

    /// The parameter of this name.
    pub fn parameter(&self, name: &str) -> Option<&ParameterEstimate> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// How many numbers were learned: the parameters that were not fixed, and the diffuse directions of the
    /// start.
    pub fn degrees_of_freedom(&self) -> usize {
        self.free.len() + self.diffuse
    }

    /// Akaike's criterion, 2 k - 2 ln p(y), for k [`degrees_of_freedom`](Self::degrees_of_freedom): the
    /// smaller the better.
    pub fn aic(&self) -> f64 {
        2.0 * self.degrees_of_freedom() as f64 - 2.0 * self.ln_likelihood
    }

    /// The Bayesian criterion, k ln n - 2 ln p(y), for n observed numbers.
    pub fn bic(&self) -> f64 {
        self.degrees_of_freedom() as f64 * (self.observed.max(1) as f64).ln() - 2.0 * self.ln_likelihood
    }
}

/// Whether the objective is, up to what a search can tell, as high at the end of the parameter's range.
fn is_at_boundary<M: ParametricModel>(
    likelihood: &MarginalTarget<'_, M>,
    free: &[f64],
    k: usize,
    highest: f64,
) -> bool {
    let ends: &[f64] = match likelihood.parameters()[likelihood.unknown()[k]].scale() {
        ParameterScale::Real => &[],
        ParameterScale::Positive => &OUT[..1],
        ParameterScale::Within(_) => &[-OUT[1], OUT[1]],
    };
    ends.iter().any(|&end| {
        let mut point = free.to_vec();
        point[k] = end;
        objective(likelihood, &point, &mut vec![0.0; free.len()])
            .is_some_and(|value| value >= highest - 1e-6 - 1e-7 * highest.abs())
    })
}

/// ln p(y | θ) + ln p(θ) and its gradient; `None` where there is no model.
pub(super) fn objective<M: ParametricModel>(
    likelihood: &MarginalTarget<'_, M>,
    free: &[f64],
    gradient: &mut [f64],
) -> Option<f64> {
    let value = likelihood.ln_likelihood(free, gradient).ok()?;
    Some(value + likelihood.ln_prior(free, gradient)).filter(|value| value.is_finite())
}

/// By differences of fourth order of the exact gradient.
fn covariance<M: ParametricModel>(
    likelihood: &MarginalTarget<'_, M>,
    free: &[f64],
    at_boundary: &[bool],
) -> Option<DMatrix<f64>> {
    let inside: Vec<usize> = (0..likelihood.dim()).filter(|&k| !at_boundary[k]).collect();
    let mut information = DMatrix::zeros(inside.len(), inside.len());
    let mut slope = vec![0.0; free.len()];
    for (column, &k) in inside.iter().enumerate() {
        let h = f64::EPSILON.powf(0.2) * free[k].abs().max(1.0);
        for (steps, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
            let mut point = free.to_vec();
            point[k] += steps * h;
            objective(likelihood, &point, &mut slope)?;
            for (row, &j) in inside.iter().enumerate() {
                information[(row, column)] -= weight * slope[j] / (12.0 * h);
            }
        }
    }
    posterior_math::linalg::symmetrize(&mut information);
    let within = Cholesky::new(&information).ok()?.inverse();
    let mut covariance = DMatrix::zeros(free.len(), free.len());
    for (row, &i) in inside.iter().enumerate() {
        for (column, &j) in inside.iter().enumerate() {
            covariance[(i, j)] = within[(row, column)];
        }
    }
    Some(covariance)
}
