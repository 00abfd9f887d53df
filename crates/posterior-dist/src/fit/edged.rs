//! Families whose likelihood has edges: the ends of a uniform distribution, the kinks at the location of
//! Laplace's and at the mode of a triangular one. Estimates are order statistics, and intervals are exact or
//! those of a profile likelihood, which is continuous where its slopes are not.

use posterior_math::check;
use posterior_math::optimize::{RootOptions, find_root};

use super::estimate::allowed_fall;
use super::family_fit::FamilyFit;
use super::{FitError, FitOptions, Observation, ParameterFit, Sample};
use crate::continuous::{Laplace, Triangular, Uniform};
use crate::grammar::Parametric;

/// A standard error and an interval.
type Estimate = (f64, Option<(f64, f64)>);

/// Values in order with their weights, and the parameters that are given.
struct Values {
    points: Vec<(f64, f64)>,
    count: f64,
    known: Vec<Option<f64>>,
}

impl Values {
    /// # Errors
    /// What is known by limits alone, windows and priors, of which no edge is estimated.
    fn new<D: Parametric>(sample: &Sample, options: &FitOptions) -> Result<Self, FitError> {
        let mut known = vec![None; D::PARAMETERS.len()];
        let index = |name: &str| {
            let found = D::PARAMETERS.iter().position(|own| *own == name);
            found.ok_or_else(|| FitError::NoParameter { name: name.to_owned(), parameters: D::PARAMETERS })
        };
        for (name, value) in &options.known {
            known[index(name)?] = Some(*value);
        }
        if let Some((name, _)) = options.priors.first() {
            let place = index(name)?;
            return Err(match known[place] {
                Some(_) => FitError::PriorOfKnown { parameter: D::PARAMETERS[place] },
                None => FitError::Edges { refused: "a prior" },
            });
        }
        if sample.window().is_some() {
            return Err(FitError::Edges { refused: "a window outside of which nothing is seen" });
        }
        let mut points = Vec::with_capacity(sample.observations().len());
        for (own, weight) in sample.observations().filter(|own| own.1 > 0.0) {
            let Observation::At(x) = own else {
                return Err(FitError::Edges { refused: "a value that is known by limits alone" });
            };
            points.push((x, weight));
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(Self { count: points.iter().map(|own| own.1).sum(), points, known })
    }

    fn first(&self) -> f64 {
        self.points.first().map_or(f64::NAN, |own| own.0)
    }

    fn last(&self) -> f64 {
        self.points.last().map_or(f64::NAN, |own| own.0)
    }

    /// The number of parameters that are estimated.
    fn estimated(&self) -> usize {
        self.known.iter().filter(|own| own.is_none()).count()
    }

    /// Σ w |x - at|.
    fn distances(&self, at: f64) -> f64 {
        self.points.iter().map(|own| own.1 * (own.0 - at).abs()).sum()
    }

    /// Where as much weight is below as above: the middle, if it is an interval.
    fn median(&self) -> f64 {
        let mut below = 0.0;
        for pair in self.points.windows(2) {
            below += pair[0].1;
            if below > 0.5 * self.count {
                return pair[0].0;
            }
            if below == 0.5 * self.count {
                return 0.5 * pair[0].0 + 0.5 * pair[1].0;
            }
        }
        self.last()
    }

    /// The fit with these parameters, of which an estimated one is a value, its standard error and its
    /// interval.
    fn fitted<D: Parametric + Into<crate::catalogue::AnyUnivariate>>(
        &self,
        distribution: D,
        ln_likelihood: f64,
        estimates: &[Estimate],
    ) -> FamilyFit {
        let values = distribution.parameters();
        let mut parameters = Vec::with_capacity(values.len());
        for (index, &value) in values.iter().enumerate() {
            let (error, interval) = estimates[index];
            let standard_error = self.known[index].is_none().then_some(error);
            parameters.push(ParameterFit { name: D::PARAMETERS[index], value, standard_error, interval });
        }
        let k = self.estimated() as f64;
        FamilyFit {
            distribution: distribution.into(),
            parameters,
            ln_likelihood,
            aic: 2.0 * (k - ln_likelihood),
            bic: k * self.count.ln() - 2.0 * ln_likelihood,
        }
    }
}

/// What is asked of intervals.
fn checked(level: Option<f64>) -> Result<Option<f64>, FitError> {
    Ok(level.map(|level| check::open_probability("FittedDistribution", "level", level)).transpose()?)
}

/// The smallest and the largest value are the ends, and each interval begins there. Its other end is exact:
/// with both ends unknown the distance of an end from the largest value, in units of the range, exceeds t
/// with probability (1 + t)^(1 - n); with the other end known the exponent is -n.
pub(super) fn uniform(
    sample: &Sample,
    options: &FitOptions,
    level: Option<f64>,
) -> Result<FamilyFit, FitError> {
    let (values, level) = (Values::new::<Uniform>(sample, options)?, checked(level)?);
    let [low, high] = [values.known[0].unwrap_or(values.first()), values.known[1].unwrap_or(values.last())];
    if values.first() < low || values.last() > high {
        return Err(FitError::Observation {
            index: 0,
            requirement: "a value that the distribution has, as all others",
        });
    }
    let (width, n) = (high - low, values.count);
    let degrees = n + 1.0 - values.estimated() as f64;
    if !(width > 0.0) || !(degrees > 0.0) {
        return Err(FitError::OneValue);
    }
    // The deviation of the largest of n uniform numbers.
    let error = width * (n / (n + 2.0)).sqrt() / (n + 1.0);
    let beyond = level.map(|level| width * (-(1.0 - level).ln() / degrees).exp_m1());
    let estimates = [
        (error, beyond.filter(|_| values.known[0].is_none()).map(|beyond| (low - beyond, low))),
        (error, beyond.filter(|_| values.known[1].is_none()).map(|beyond| (high, high + beyond))),
    ];
    Ok(values.fitted(Uniform::new(low, high)?, -n * width.ln(), &estimates))
}

/// The point beyond `start` in the direction of `step` where a function that rises from 0 reaches `fall`.
fn reach(start: f64, step: f64, fall: f64, rise: impl Fn(f64) -> f64) -> f64 {
    let (mut near, mut far) = (start, start + step);
    while rise(far) < fall && far.is_finite() {
        (near, far) = (far, far + 2.0 * (far - start));
    }
    let options = RootOptions { relative: 1e-12, absolute: 0.0, ..RootOptions::default() };
    find_root(|at| rise(at) - fall, near, far, &options).point
}

/// The median, and the mean distance from it. The profile likelihoods are closed: n ln Σ|x - μ| of the
/// location, n (ln b + b̂/b) of the scale.
pub(super) fn laplace(
    sample: &Sample,
    options: &FitOptions,
    level: Option<f64>,
) -> Result<FamilyFit, FitError> {
    let (values, level) = (Values::new::<Laplace>(sample, options)?, checked(level)?);
    let n = values.count;
    let location = values.known[0].unwrap_or_else(|| values.median());
    let distances = values.distances(location);
    let scale = values.known[1].unwrap_or(distances / n);
    if !(scale > 0.0) || (values.estimated() > 1 && sample.is_one_value()) {
        return Err(FitError::OneValue);
    }
    let distribution = Laplace::new(location, scale)?;
    let ln_likelihood = -n * (scale.ln() + std::f64::consts::LN_2) - distances / scale;
    let error = scale / n.sqrt();
    let mut estimates = [(error, None); 2];
    if let Some(level) = level {
        let (t, fall) = allowed_fall(n, values.estimated(), level)?;
        if values.known[0].is_none() {
            let rise = |at: f64| {
                let others = values.distances(at);
                if values.known[1].is_some() {
                    (others - distances) / scale
                } else {
                    n * (others / distances).ln()
                }
            };
            estimates[0].1 =
                Some((reach(location, -t * error, fall, rise), reach(location, t * error, fall, rise)));
        }
        if values.known[1].is_none() {
            // In ln b.
            let rise = |ln: f64| n * (ln + (-ln).exp_m1());
            let [low, high] = [-1.0, 1.0].map(|side| reach(0.0, side * t / n.sqrt(), fall, rise));
            estimates[1].1 = Some((scale * low.exp(), scale * high.exp()));
        }
    }
    Ok(values.fitted(distribution, ln_likelihood, &estimates))
}

/// The mode of a triangular distribution with given ends is one of the values, for between two of them the
/// log-likelihood is convex.
///
/// # References
/// E. H. Oliver, A maximum likelihood oddity, The American Statistician 26 (1972).
pub(super) fn triangular(
    sample: &Sample,
    options: &FitOptions,
    level: Option<f64>,
) -> Result<FamilyFit, FitError> {
    let (values, level) = (Values::new::<Triangular>(sample, options)?, checked(level)?);
    // The likelihood of the ends has no curvature to measure how sure they are: their information is
    // infinite.
    let given = |index: usize| {
        values.known[index].ok_or(FitError::Wanted { parameter: Triangular::PARAMETERS[index] })
    };
    let [low, high] = [given(0)?, given(2)?];
    let profile = ModeProfile::new(&values, low, high);
    let mut candidates: Vec<f64> = values.points.iter().map(|own| own.0).collect();
    candidates.insert(0, low);
    candidates.push(high);
    let best = candidates.iter().copied().max_by(|&a, &b| profile.at(a).total_cmp(&profile.at(b)));
    let mode = values.known[1].or(best).unwrap_or(low);
    let distribution = Triangular::new(low, mode, high)?;
    let top = profile.at(mode);
    if !top.is_finite() {
        return Err(FitError::Observation {
            index: 0,
            requirement: "a value that the distribution has, as all others",
        });
    }
    let error = ((mode - low) * (high - mode) / values.count).sqrt();
    let interval = match level.filter(|_| values.known[1].is_none()) {
        Some(level) => Some(profile.interval(&candidates, top - allowed_fall(values.count, 1, level)?.1)),
        None => None,
    };
    let ln_likelihood = top + values.count * (std::f64::consts::LN_2 - (high - low).ln());
    Ok(values.fitted(distribution, ln_likelihood, &[(0.0, None), (error, interval), (0.0, None)]))
}

/// The log-likelihood of the mode of a triangular distribution, less that of a uniform one of height 2.
struct ModeProfile<'a> {
    values: &'a Values,
    low: f64,
    high: f64,
    /// Of the first values: weight, Σ w ln(x - low), and Σ w ln(high - x) of the others.
    below: Vec<[f64; 3]>,
}

impl<'a> ModeProfile<'a> {
    fn new(values: &'a Values, low: f64, high: f64) -> Self {
        let mut below = vec![[0.0; 3]; values.points.len() + 1];
        for (index, &(x, weight)) in values.points.iter().enumerate() {
            let [before, sum, _] = below[index];
            below[index + 1] = [before + weight, sum + weight * (x - low).ln(), 0.0];
        }
        for (index, &(x, weight)) in values.points.iter().enumerate().rev() {
            below[index][2] = below[index + 1][2] + if x < high { weight * (high - x).ln() } else { 0.0 };
        }
        Self { values, low, high, below }
    }

    fn at(&self, mode: f64) -> f64 {
        let outside = self.values.first() < self.low
            || self.values.last() > self.high
            || (self.values.first() == self.low && mode > self.low)
            || (self.values.last() == self.high && mode < self.high);
        if outside {
            return f64::NEG_INFINITY;
        }
        let place = self.values.points.partition_point(|own| own.0 < mode);
        let [weight, lower, upper] = self.below[place];
        let rest = self.values.count - weight;
        let side = |weight: f64, sum: f64, length: f64| {
            if weight > 0.0 && length > 0.0 { sum - weight * length.ln() } else { 0.0 }
        };
        side(weight, lower, mode - self.low) + side(rest, upper, self.high - mode)
    }

    /// From the first to the last mode at which the log-likelihood is at least this.
    fn interval(&self, candidates: &[f64], least: f64) -> (f64, f64) {
        let reached = |place: &usize| self.at(candidates[*place]) >= least;
        let first = (0..candidates.len()).find(reached).unwrap_or(0);
        let last = (0..candidates.len()).rfind(reached).unwrap_or(candidates.len() - 1);
        let options = RootOptions { relative: 1e-12, absolute: 0.0, ..RootOptions::default() };
        let excess = |mode: f64| (self.at(mode) - least).max(-1e300);
        let cross = |outside: usize, inside: usize| {
            find_root(excess, candidates[outside], candidates[inside], &options).point
        };
        let low = if first == 0 { candidates[0] } else { cross(first - 1, first) };
        let high = if last + 1 == candidates.len() { candidates[last] } else { cross(last + 1, last) };
        (low, high)
    }
}
