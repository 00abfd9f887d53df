//! A fitted distribution, and how sure its parameters are.

use posterior_math::check;
use posterior_math::optimize::{RootOptions, find_root};

use super::objective::{Problem, solve};
use super::{Estimable, FitError, FitOptions, Sample};
use crate::catalogue::Coordinate;
use crate::continuous::StudentT;
use crate::density::Univariate;

/// A standard deviation of a free coordinate from which on the data do not tell the parameter.
const LOOSE: f64 = 20.0;

/// A free coordinate that is as good as infinite.
const FAR: f64 = 60.0;

/// A distribution fitted to a sample.
#[derive(Debug, Clone)]
pub struct FittedDistribution<'a, D> {
    /// The distribution.
    pub distribution: D,
    /// The logarithm of the likelihood, or of the density for numbers of the real line.
    pub ln_likelihood: f64,
    problem: Problem<'a, D>,
    /// The free numbers of the maximum.
    top: Vec<f64>,
    /// What was maximised, there.
    value: f64,
    /// Covariances of the free numbers, a row after the other.
    covariance: Vec<f64>,
}

/// One parameter of a fitted distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParameterFit {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// Its standard error; `None` if it was not estimated.
    pub standard_error: Option<f64>,
    /// Where it lies with the asked probability; `None` if it was not estimated or no interval was asked for.
    pub interval: Option<(f64, f64)>,
}

/// The distribution of maximum likelihood for a sample, or of the largest posterior density where parameters
/// have priors.
///
/// By L-BFGS in the logarithms of positive parameters and the log-odds of proportions, then one step of
/// Newton's method.
///
/// # Errors
/// [`FitError::NoMaximum`] where the likelihood has no maximum inside the parameters' ranges; an observation
/// that the distribution cannot have; unknown or wanted parameters.
///
/// # Cost
/// Some 20 passes over the sample for the fit and 8 for each parameter's standard error. Slopes of what is
/// censored, truncated or has priors are differences: 4 evaluations for each parameter more.
///
/// ```
/// use posterior_dist::Weibull;
/// use posterior_dist::fit::{FitOptions, Observation, Sample, fit};
///
/// // Hours until six lamps failed; two were still alight after 100.
/// let hours = [24.0, 41.0, 58.0, 63.0, 77.0, 94.0].map(Observation::At);
/// let sample = Sample::new([&hours[..], &[Observation::Above(100.0); 2]].concat())?;
/// let lamps = fit::<Weibull>(&sample, &FitOptions::default())?;
/// let [shape, _scale] = lamps.parameters(0.95)?[..] else { unreachable!("two parameters") };
/// let (low, high) = shape.interval.ok_or("was estimated")?;
/// assert!(low < shape.value && shape.value < high);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit<'a, D: Estimable>(
    sample: &'a Sample,
    options: &FitOptions,
) -> Result<FittedDistribution<'a, D>, FitError> {
    let problem = Problem::<D>::new(sample, options)?;
    let n = problem.dimension();
    // A density can be as high as one likes at a single point.
    if n > 1 && !<D::Point as Coordinate>::DISCRETE && sample.is_one_value() {
        return Err(FitError::OneValue);
    }
    let (mut top, _) = problem.climb(&vec![0.0; n], None).ok_or(FitError::NotConverged)?;
    let mut slopes = vec![0.0; n];
    problem.value_and_slopes(&top, &mut slopes);
    let step = solve(&problem.curvature(&top), &slopes);
    if step.iter().all(|own| own.abs() < 1e-2) {
        top.iter_mut().zip(&step).for_each(|(own, step)| *own += step);
    }
    let curvature = problem.curvature(&top);
    let mut covariance = Vec::with_capacity(n * n);
    for place in 0..n {
        let unit: Vec<f64> = (0..n).map(|other| f64::from(u8::from(other == place))).collect();
        covariance.extend(solve(&curvature, &unit));
    }
    let is_known = |place: usize| {
        let variance = covariance[place * n + place];
        variance > 0.0 && variance < LOOSE * LOOSE && top[place].abs() < FAR
    };
    let at = problem.parameters(&top);
    if let Some(place) = (0..n).find(|place| !is_known(*place)) {
        let parameter = problem.name(place);
        return Err(FitError::NoMaximum { parameter, value: problem.parameter(place, top[place]) });
    }
    problem.value_and_slopes(&top, &mut slopes);
    // The height that is missing to the top, in nats.
    let missing = posterior_math::vector::dot(&slopes, &solve(&curvature, &slopes));
    if !(missing < 1e-8 * sample.count().max(1.0)) {
        return Err(FitError::NotConverged);
    }
    let distribution = D::from_parameters(&at)?;
    if let Some(reason) = distribution.irregular() {
        return Err(FitError::Irregular { reason });
    }
    let ln_likelihood = problem.ln_likelihood(&distribution);
    let value = problem.value(&top);
    Ok(FittedDistribution { distribution, ln_likelihood, problem, top, value, covariance })
}

/// Student's quantile for an interval of this probability, and by how much the profile of a log-likelihood
/// may fall in it.
pub(super) fn allowed_fall(count: f64, estimated: usize, level: f64) -> Result<(f64, f64), FitError> {
    let degrees = (count - (estimated as f64 - 1.0)).max(1.0);
    let t = StudentT::new(degrees, 0.0, 1.0)?.upper_quantile(0.5 * (1.0 - level));
    Ok((t, 0.5 * count * (t * t / degrees).ln_1p()))
}

impl<D: Estimable> FittedDistribution<'_, D> {
    /// The number of parameters that were estimated.
    pub const fn estimated(&self) -> usize {
        self.problem.dimension()
    }

    /// Akaike's criterion, 2k - 2 ln L: low is good.
    pub fn aic(&self) -> f64 {
        2.0 * (self.estimated() as f64 - self.ln_likelihood)
    }

    /// The Bayesian information criterion, k ln n - 2 ln L: low is good.
    pub fn bic(&self) -> f64 {
        self.estimated() as f64 * self.problem.sample().count().ln() - 2.0 * self.ln_likelihood
    }

    /// All parameters with their standard errors and intervals of a probability.
    ///
    /// # Errors
    /// A probability that is not between 0 and 1.
    pub fn parameters(&self, level: f64) -> Result<Vec<ParameterFit>, FitError> {
        let level = check::open_probability("FittedDistribution", "level", level)?;
        let mut all = self.parameters_alone();
        for (index, own) in all.iter_mut().enumerate() {
            own.interval = self.problem.place(index).map(|place| self.interval(place, level)).transpose()?;
        }
        Ok(all)
    }

    /// All parameters with their standard errors, without intervals, which take some ten times as long as the
    /// fit.
    pub fn parameters_alone(&self) -> Vec<ParameterFit> {
        let one = |(index, (&name, value))| {
            let standard_error = self.problem.place(index).map(|place| self.standard_error(place));
            ParameterFit { name, value, standard_error, interval: None }
        };
        D::PARAMETERS.iter().zip(self.distribution.parameters()).enumerate().map(one).collect()
    }

    /// By the curvature at the maximum: the inverse of the observed information.
    fn standard_error(&self, place: usize) -> f64 {
        let variance = self.covariance[place * self.estimated() + place];
        self.problem.slope(place, &self.top).abs() * variance.sqrt()
    }

    /// By the profile likelihood: the values of the parameter for which the likelihood, at its best over the
    /// others, is not below that of the maximum by more than an interval of Student's distribution allows;
    /// that of the mean of a normal sample is exact.
    fn interval(&self, place: usize, level: f64) -> Result<(f64, f64), FitError> {
        let (t, fall) = allowed_fall(self.problem.sample().count(), self.estimated(), level)?;
        let step = t * self.covariance[place * self.estimated() + place].sqrt();
        let [low, high] = [-1.0, 1.0].map(|side: f64| self.end(place, side * step, fall));
        Ok((low, high))
    }

    /// Where the profile has fallen by `fall`, going by `step` first.
    fn end(&self, place: usize, step: f64, fall: f64) -> f64 {
        let n = self.estimated();
        let excess = |free: f64| {
            // The others begin where they would be best if the likelihood were Gaussian.
            let moved = (free - self.top[place]) / self.covariance[place * n + place];
            let mut start: Vec<f64> =
                (0..n).map(|other| self.top[other] + moved * self.covariance[place * n + other]).collect();
            start[place] = free;
            let best = if n == 1 { Some(self.problem.value(&start)) } else { self.best(&start, place) };
            // What has no distribution has no likelihood.
            best.filter(|own| !own.is_nan()).map_or(f64::INFINITY, |value| self.value - value - fall)
        };
        let (mut near, mut far) = (self.top[place], self.top[place] + step);
        while excess(far) < 0.0 {
            if (far - self.top[place]).abs() > FAR {
                return self.problem.parameter(place, far * f64::INFINITY);
            }
            near = far;
            far += 0.7 * (far - self.top[place]);
        }
        let options = RootOptions { relative: 1e-10, absolute: 1e-10, ..RootOptions::default() };
        self.problem.parameter(place, find_root(excess, near, far, &options).point)
    }

    /// The maximum over all but one, from this start or from that of the whole fit.
    fn best(&self, start: &[f64], held: usize) -> Option<f64> {
        let climb = |start: &[f64]| self.problem.climb(start, Some(held)).map(|own| own.1);
        climb(start).or_else(|| {
            let mut start = start.to_vec();
            (0..start.len()).filter(|other| *other != held).for_each(|other| start[other] = self.top[other]);
            climb(&start)
        })
    }
}
