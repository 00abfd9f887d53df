//! The likelihood of series as a function of the parameters of a model.

use std::fmt;

use posterior_dist::PointGradient;
use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_math::check;

use super::score::Wanted;
use super::score::score_of;
use super::{Derivative, Parameter, ParametricModel};
use crate::{Error, Series, StateSpace};

/// A distribution of a parameter, in natural units.
type Prior = Box<dyn PointGradient<Point = f64> + Send + Sync>;

/// ln p(y | θ) of independent series, as a function of the parameters θ that are not fixed, with priors of
/// them or without.
///
/// As a [`GradTarget`] it is the log-density ln p(y | θ) + ln p(θ) + ln |dθ / du| of the free values u of
/// these parameters: what samplers draw from. [`maximize`](super::fit()) climbs it without the last
/// term, so that the mode is that of θ.
///
/// ```
/// use posterior_dist::target::GradTarget;
/// use posterior_kalman::learning::{ModelFamily, MarginalTarget, Parameter, ParameterScale};
/// use posterior_kalman::{Initial, ObservationEquation, Series, StateSpace, TransitionEquation};
/// use posterior_math::linalg::DMatrix;
///
/// let scalar = |value| DMatrix::from_element(1, 1, value);
/// let parameters = vec![
///     Parameter::new("level variance", ParameterScale::Positive, 1.0)?,
///     Parameter::new("noise variance", ParameterScale::Positive, 1.0)?,
/// ];
/// let local_level = ModelFamily::new(parameters, move |variances| {
///     StateSpace::new(
///         TransitionEquation::constant(&scalar(1.0), &scalar(variances[0]))?,
///         ObservationEquation::constant(&scalar(1.0), &scalar(variances[1]))?,
///         Initial::diffuse(1)?,
///     )
/// });
/// let series = [Series::univariate(&[0.3, 1.2, 0.7, 1.9])?];
/// let likelihood = MarginalTarget::new(&local_level, &series)?
///     .with_fixed("noise variance", 1.0)?
///     .with_prior("level variance", posterior_dist::Exponential::new(2.0)?)?;
/// let mut slope = [0.0];
/// likelihood.ln_density_grad(&[-1.0], &mut slope)?;
/// // Of ln p(y), of the prior, and of the Jacobian.
/// assert!((slope[0] - (-0.194286135842454 - 2.0 * (-1_f64).exp() + 1.0)).abs() < 1e-10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MarginalTarget<'a, M> {
    model: &'a M,
    series: &'a [Series],
    parameters: Vec<Parameter>,
    /// The free values of those that do not move.
    fixed: Vec<Option<f64>>,
    priors: Vec<Option<Prior>>,
}

impl<'a, M: ParametricModel> MarginalTarget<'a, M> {
    /// The likelihood of these series, with all parameters unknown.
    ///
    /// # Errors
    /// If two parameters have the same name, there is no model where the search begins, or a series does not
    /// fit it.
    pub fn new(model: &'a M, series: &'a [Series]) -> Result<Self, Error> {
        let parameters = model.parameters();
        for (place, parameter) in parameters.iter().enumerate() {
            let twice = parameters[..place].iter().any(|other| other.name() == parameter.name());
            check::require(!twice, "Likelihood", "parameter", place as f64, "of a name of its own")?;
        }
        let start: Vec<f64> = parameters.iter().map(Parameter::start_free).collect();
        let first = model.at(&start)?;
        for series in series {
            first.check(series)?;
        }
        let fixed = vec![None; parameters.len()];
        let priors = parameters.iter().map(|_| None).collect();
        Ok(Self { model, series, parameters, fixed, priors })
    }

    /// The same with a parameter that has this value, in natural units.
    ///
    /// # Errors
    /// If there is no parameter of this name, or it cannot have this value.
    pub fn with_fixed(mut self, name: &str, value: f64) -> Result<Self, Error> {
        let place = self.place(name)?;
        let free = self.parameters[place].scale().free(value);
        check::require(
            free.is_finite(),
            "Likelihood",
            "fixed value",
            value,
            "inside of what its scale allows",
        )?;
        self.fixed[place] = Some(free);
        Ok(self)
    }

    /// The same with a distribution of a parameter in natural units; it says how probable values are relative
    /// to each other, and need not be of the parameter's range.
    ///
    /// # Errors
    /// If there is no parameter of this name.
    pub fn with_prior(
        mut self,
        name: &str,
        distribution: impl PointGradient<Point = f64> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let place = self.place(name)?;
        self.priors[place] = Some(Box::new(distribution));
        Ok(self)
    }

    fn place(&self, name: &str) -> Result<usize, Error> {
        self.parameters.iter().position(|parameter| parameter.name() == name).ok_or_else(|| {
            let known: Vec<&str> = self.parameters.iter().map(Parameter::name).collect();
            Error::UnknownParameter { name: name.to_owned(), known: known.join(", ") }
        })
    }

    /// All parameters, fixed or not.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The places, among all parameters, of those that are not fixed.
    pub fn unknown(&self) -> Vec<usize> {
        (0..self.parameters.len()).filter(|&place| self.fixed[place].is_none()).collect()
    }

    /// How many numbers were observed.
    pub fn observed(&self) -> usize {
        self.series.iter().map(Series::observed).sum()
    }

    /// Where the search begins: the free values of the parameters that are not fixed.
    pub fn start(&self) -> Vec<f64> {
        self.unknown().into_iter().map(|place| self.parameters[place].start_free()).collect()
    }

    /// The free values of all parameters, from those that are not fixed.
    ///
    /// # Panics
    /// If there is not one for each.
    #[track_caller]
    pub fn complete(&self, unknown: &[f64]) -> Vec<f64> {
        assert_eq!(unknown.len(), self.dim(), "the number of parameters that are not fixed");
        let mut rest = unknown.iter();
        let next = |fixed: &Option<f64>| fixed.or_else(|| rest.next().copied()).unwrap_or(f64::NAN);
        self.fixed.iter().map(next).collect()
    }

    /// The model at these free values of the parameters that are not fixed.
    ///
    /// # Errors
    /// If there is none.
    ///
    /// # Panics
    /// If there is not one value for each.
    #[track_caller]
    pub fn at(&self, unknown: &[f64]) -> Result<StateSpace, Error> {
        self.model.at(&self.complete(unknown))
    }

    /// ln p(y | θ), and its gradient in the free values of the parameters that are not fixed.
    ///
    /// # Errors
    /// If there is no model at these values, it cannot have made the series, or the gradient has another
    /// length.
    ///
    /// # Panics
    /// If there is not one value for each.
    #[track_caller]
    pub fn ln_likelihood(&self, unknown: &[f64], gradient: &mut [f64]) -> Result<f64, Error> {
        check::dimension("length of the gradient", unknown.len(), gradient.len())?;
        let free = self.complete(unknown);
        let model = self.model.at(&free)?;
        let unknown = self.unknown().into_iter();
        let derivatives =
            unknown.map(|place| self.model.derivative(&free, place)).collect::<Result<Vec<_>, _>>()?;
        let moves = |own: &Derivative| own.transition.matrix.is_some() || own.observation.matrix.is_some();
        let wanted = if derivatives.iter().any(moves) { Wanted::All } else { Wanted::NoMatrices };
        let scores = self.series.iter().map(|series| score_of(&model, series, wanted));
        let scores = scores.collect::<Result<Vec<_>, _>>()?;
        for (slope, derivative) in gradient.iter_mut().zip(&derivatives) {
            *slope = 0.0;
            for score in &scores {
                *slope += score.along(derivative)?;
            }
        }
        Ok(scores.iter().map(|score| score.ln_likelihood).sum())
    }

    /// ln p(θ) of the parameters that are not fixed, by the densities in natural units; adds its gradient in
    /// their free values.
    pub(super) fn ln_prior(&self, unknown: &[f64], gradient: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for ((&free, slope), place) in unknown.iter().zip(gradient).zip(self.unknown()) {
            if let Some(distribution) = &self.priors[place] {
                let scale = self.parameters[place].scale();
                let value = scale.natural(free);
                sum += distribution.ln_pdf(&value);
                *slope += distribution.point_gradient(&value) * scale.slope(free);
            }
        }
        sum
    }
}

impl<M> fmt::Debug for MarginalTarget<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let priors: Vec<bool> = self.priors.iter().map(Option::is_some).collect();
        f.debug_struct("Likelihood")
            .field("parameters", &self.parameters)
            .field("fixed", &self.fixed)
            .field("have priors", &priors)
            .finish_non_exhaustive()
    }
}

impl<M: ParametricModel> Target for MarginalTarget<'_, M> {
    fn dim(&self) -> usize {
        self.fixed.iter().filter(|fixed| fixed.is_none()).count()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.ln_density_grad(x, &mut vec![0.0; x.len()])
    }
}

impl<M: ParametricModel> GradTarget for MarginalTarget<'_, M> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let mut sum = self.ln_likelihood(x, gradient).map_err(EvalError::reject)?;
        sum += self.ln_prior(x, gradient);
        for ((&free, slope), place) in x.iter().zip(gradient).zip(self.unknown()) {
            let (ln_slope, change) = self.parameters[place].scale().ln_slope(free);
            sum += ln_slope;
            *slope += change;
        }
        if sum.is_finite() { Ok(sum) } else { Err(EvalError::reject(format!("ln p(x) is {sum}"))) }
    }
}
