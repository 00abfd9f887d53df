//! The distribution of a response that is not known yet.

use std::sync::Arc;

use posterior_dist::{invert_cdf, least_count};
use posterior_math::check;
use posterior_math::log_space::ln_sum_exp;
use posterior_math::optimize::{RootOptions, find_root};
use posterior_math::special::{LN_TAU, normal_cdf, normal_quantile};

use crate::Error;
use crate::fit::HierarchicalFit;
use crate::hyperparameter::Hyperparameter;
use crate::marginal::{Component, LatentMarginal, by_weight};
use crate::response::Response;

/// Groups of points by the first hyperparameters of the response, and parts of the predictor in each group.
const GROUPS: [usize; 2] = [12, 3];
const PARTS: [usize; 3] = [12, 4, 2];
/// Standard deviations of a predictor over which sums go, to each side, and the largest distance of points;
/// in standard deviations of the response it is at most the other number.
const REACH: f64 = 7.0;
const STEP: f64 = 1.0;
const STEP_OF_RESPONSE: f64 = 1.4;
/// A response with less than this part of the predictor's standard deviation adds a normal variable to it.
const NARROW: f64 = 0.1;
/// Standard deviations beyond which a part has nothing.
const FAR: f64 = 12.0;
/// Predictors of the same weight that stand for a normal one, where quantiles are of a function of it.
const OF_NODE: u32 = 64;
/// What a number of steps may lose by rounding.
const ROUNDING: f64 = 1e-9;
/// How often a bracket is doubled before it is all numbers.
const DOUBLINGS: i32 = 60;

/// The distribution of a response that is not known yet: over the predictor and the hyperparameters of the
/// response, and of the response given them. [`HierarchicalFit::new_response`] makes one.
///
/// Points of the hyperparameters that are alike are taken together: probabilities of the response have
/// errors of about 0.002 at most; those of its mean are of all points.
///
/// ```
/// use posterior_hierarchical::{FamilyResponse, HierarchicalModel, HierarchicalOptions};
///
/// let counts = [2.0, 3.0, 0.0, 1.0, 5.0, 8.0, f64::NAN];
/// let model = HierarchicalModel::with_missing(FamilyResponse::negative_binomial(), &counts)?.intercept()?;
/// let fit = model.fit(&HierarchicalOptions::default())?;
/// let next = fit.new_response(&fit.predictors()[6])?;
/// let [low, high] = next.interval(0.9);
/// assert_eq!([low, high], [0.0, 9.0]);
/// assert!(next.cdf(high) >= 0.95 && next.cdf(high - 1.0) < 0.95);
/// # Ok::<(), posterior_hierarchical::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct NewResponse {
    response: Arc<dyn Response>,
    weight: f64,
    /// The points of the fit.
    nodes: Vec<Node>,
    /// The same, few of them.
    parts: Vec<Part>,
}

/// The predictor at one point of the hyperparameters, with those of the response.
#[derive(Debug, Clone)]
struct Node {
    component: Component,
    parameters: Arc<[f64]>,
}

/// Nodes that are alike.
#[derive(Debug, Clone)]
struct Part {
    node: Node,
    /// Predictors with weights that add up to that of the part.
    points: Vec<(f64, f64)>,
    /// Where the response is narrow, the standard deviation of the predictor with the noise.
    noisy: Option<f64>,
}

/// A part of the predictor with the hyperparameters of its point, on their lines.
struct Given {
    component: Component,
    parameters: Vec<f64>,
}

impl HierarchicalFit<'_> {
    /// The distribution of a response that is not known yet, given that of its predictor: of a row with a
    /// missing response, or of a new one. Of several kinds of responses, one of the first kind.
    ///
    /// # Errors
    /// A distribution that is not of this fit: it has one part for each point of the hyperparameters.
    pub fn new_response(&self, predictor: &LatentMarginal) -> Result<NewResponse, Error> {
        self.new_response_of_row(0, predictor)
    }

    /// The same of a response of a [part](crate::HierarchicalModel::and).
    ///
    /// # Errors
    /// As [`new_response`](Self::new_response); a part that is not there.
    pub fn new_response_of(&self, part: &str, predictor: &LatentMarginal) -> Result<NewResponse, Error> {
        self.new_response_of_row(self.engine.model.rows_of(part)?.start, predictor)
    }

    fn new_response_of_row(&self, row: usize, predictor: &LatentMarginal) -> Result<NewResponse, Error> {
        let components = predictor.components();
        check::dimension("parts of a predictor", self.nodes.len(), components.len())?;
        let part = self.engine.model.part(row);
        let hyperparameters = &self.engine.hyperparameters[part.parameters.clone()];
        let given = |(node, component): (&crate::fit::Node, &Component)| Given {
            component: *component,
            parameters: node.theta[part.parameters.clone()].to_vec(),
        };
        let given: Vec<Given> = self.nodes.iter().zip(components).map(given).collect();
        let node = |given: &Given| Node {
            component: given.component,
            parameters: natural(hyperparameters, &given.parameters),
        };
        let nodes = given.iter().map(node).collect();
        let parts = condensed(given, hyperparameters);
        Ok(NewResponse { response: Arc::clone(&part.response), weight: 1.0, nodes, parts }.with_weight(1.0))
    }
}

/// Hyperparameters on their natural scale.
fn natural(parameters: &[Hyperparameter], line: &[f64]) -> Arc<[f64]> {
    parameters.iter().zip(line).map(|(own, &at)| own.scale.natural(at)).collect()
}

/// Parts that are alike in the hyperparameters together, with the mean of these.
fn condensed(mut given: Vec<Given>, parameters: &[Hyperparameter]) -> Vec<Part> {
    let mut all = Vec::new();
    grouped(&mut given, 0, &mut |like: &[Given]| {
        let weight: f64 = like.iter().map(|part| part.component.weight).sum();
        let mean = |k: usize| {
            like.iter().map(|part| part.component.weight * part.parameters[k]).sum::<f64>() / weight
        };
        let own = natural(parameters, &(0..parameters.len()).map(mean).collect::<Vec<_>>());
        let components: Vec<Component> = like.iter().map(|part| part.component).collect();
        let few = Component::condensed(&components, PARTS[parameters.len().min(PARTS.len() - 1)]);
        let part = |component| Part {
            node: Node { component, parameters: Arc::clone(&own) },
            points: Vec::new(),
            noisy: None,
        };
        all.extend(few.into_iter().map(part));
    });
    let sum: f64 = all.iter().map(|part: &Part| part.node.component.weight).sum();
    for part in &mut all {
        part.node.component.weight /= sum;
    }
    all
}

/// Visits groups of about the same weight by the first hyperparameter, in each of them by the second.
fn grouped(parts: &mut [Given], parameter: usize, visit: &mut impl FnMut(&[Given])) {
    let known = parts.first().map_or(0, |part| part.parameters.len());
    let Some(&count) = GROUPS.get(parameter).filter(|_| parameter < known) else {
        visit(parts);
        return;
    };
    parts.sort_by(|a, b| a.parameters[parameter].total_cmp(&b.parameters[parameter]));
    for group in by_weight(parts, count, |part| part.component.weight) {
        grouped(group, parameter + 1, visit);
    }
}

impl NewResponse {
    /// Of a row with this weight: its number of trials, for proportions.
    #[must_use]
    pub fn with_weight(self, weight: f64) -> Self {
        let Self { response, nodes, mut parts, .. } = self;
        for part in &mut parts {
            part.spread(response.as_ref(), weight);
        }
        Self { response, weight, nodes, parts }
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.expectation(|predictor, own| self.response.mean(predictor, own))
    }

    /// The standard deviation; infinite where the response has none.
    pub fn sd(&self) -> f64 {
        let mean = self.mean();
        let square = |predictor: f64, own: &[f64]| {
            let off = self.response.mean(predictor, own) - mean;
            self.response.variance(self.weight, predictor, own) + off * off
        };
        self.expectation(square).sqrt()
    }

    /// The standard deviation of the mean of the response, as the predictor and the hyperparameters are not
    /// known.
    pub fn mean_sd(&self) -> f64 {
        let mean = self.mean();
        self.expectation(|predictor, own| (self.response.mean(predictor, own) - mean).powi(2)).sqrt()
    }

    /// A quantile of the mean of the response, which must rise with the predictor; NaN for a p outside of
    /// (0, 1).
    pub fn mean_quantile(&self, p: f64) -> f64 {
        if !(p > 0.0 && p < 1.0) {
            return f64::NAN;
        }
        let z = normal_quantile(p);
        let own = self.nodes.iter().map(|node| node.mean_at(self.response.as_ref(), z));
        let (low, high) = own.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        if !(low < high) {
            return low;
        }
        let share = |node: &Node, mean: f64| normal_cdf(node.place_of(self.response.as_ref(), mean));
        let below =
            |mean: f64| self.nodes.iter().map(|node| node.component.weight * share(node, mean)).sum::<f64>();
        find_root(|mean| below(mean) - p, low, high, &RootOptions::default()).point
    }

    /// Quantiles of the probability of `y`, a count or a level, as the predictor and the hyperparameters are
    /// not known; each p in (0, 1).
    ///
    /// ```
    /// use posterior_hierarchical::{HierarchicalModel, HierarchicalOptions, OrdinalResponse};
    ///
    /// let answers = [0.0, 1.0, 2.0, 1.0, 0.0, 2.0, 2.0, 1.0, f64::NAN];
    /// let model = HierarchicalModel::with_missing(OrdinalResponse::new(3)?, &answers)?;
    /// let fit = model.fit(&HierarchicalOptions::default())?;
    /// let next = fit.new_response(&fit.predictors()[8])?;
    /// let [low, high] = next.probability_quantiles(2.0, [0.05, 0.95]);
    /// assert!(low < 0.2 && next.ln_density(2.0).exp() > 0.3 && high > 0.5);
    /// # Ok::<(), posterior_hierarchical::Error>(())
    /// ```
    pub fn probability_quantiles<const N: usize>(&self, y: f64, p: [f64; N]) -> [f64; N] {
        let of = |node: &Node| {
            let own = node.clone();
            (0..OF_NODE).map(move |k| {
                let z = normal_quantile((f64::from(k) + 0.5) / f64::from(OF_NODE));
                let predictor = own.component.mean + z * own.component.sd;
                let term = self.response.term(y, self.weight, predictor, &own.parameters);
                (term.ln_likelihood.exp(), own.component.weight / f64::from(OF_NODE))
            })
        };
        let mut all: Vec<(f64, f64)> = self.nodes.iter().flat_map(of).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let sum: f64 = all.iter().map(|own| own.1).sum();
        p.map(|p| {
            let mut below = 0.0;
            let reached = |own: &&(f64, f64)| {
                below += own.1;
                below >= p * sum
            };
            all.iter().find(reached).or(all.last()).map_or(f64::NAN, |own| own.0)
        })
    }

    fn expectation(&self, f: impl Fn(f64, &[f64]) -> f64) -> f64 {
        let of = |part: &Part| {
            let points = part.points.iter();
            points.map(|(weight, predictor)| weight * f(*predictor, &part.node.parameters)).sum::<f64>()
        };
        self.parts.iter().map(of).sum()
    }

    /// ln p(y): of the density, or of the probability of a count or a level.
    pub fn ln_density(&self, y: f64) -> f64 {
        let support = self.response.support();
        let steps = support.step(self.weight).map_or(0.0, |step| y / step);
        // A negative time is a censored one.
        let possible = y >= support.ends()[0] && self.response.requirement(y).is_none();
        if !possible || (steps - steps.round()).abs() > ROUNDING {
            return f64::NEG_INFINITY;
        }
        let mut terms = Vec::new();
        for part in &self.parts {
            if let Some(sd) = part.noisy {
                terms.push(part.node.ln_density_of_narrow(self.response.as_ref(), y, sd));
                continue;
            }
            terms.extend(part.points.iter().map(|(weight, predictor)| {
                let own = self.response.term(y, self.weight, *predictor, &part.node.parameters);
                weight.ln() + own.ln_likelihood
            }));
        }
        ln_sum_exp(&terms)
    }

    /// P(Y ≤ y).
    pub fn cdf(&self, y: f64) -> f64 {
        let support = self.response.support();
        let [low, high] = support.ends();
        if y >= high {
            return 1.0;
        }
        let step = support.step(self.weight);
        if !(y > low || y == low && step.is_some()) {
            return if y.is_nan() { f64::NAN } else { 0.0 };
        }
        // Between two steps nothing happens.
        let y = step.map_or(y, |step| (y / step + ROUNDING).floor() * step);
        let response = self.response.as_ref();
        let of = |part: &Part| {
            if let Some(sd) = part.noisy {
                let z = part.node.place_of(response, y) * part.node.component.sd / sd;
                return part.node.component.weight * normal_cdf(z);
            }
            let below = |at: f64| response.cumulative(y, self.weight, at, &part.node.parameters)[1];
            part.points.iter().map(|(weight, at)| weight * below(*at)).sum()
        };
        self.parts.iter().map(of).sum::<f64>().min(1.0)
    }

    /// The least y with P(Y ≤ y) ≥ p; NaN for a p outside of (0, 1).
    pub fn quantile(&self, p: f64) -> f64 {
        if !(p > 0.0 && p < 1.0) {
            return f64::NAN;
        }
        let support = self.response.support();
        let [low, high] = support.ends();
        let mean = self.mean();
        if let Some(step) = support.step(self.weight) {
            let steps = |y: f64| (y - low) / step;
            let reached = |k: f64| self.cdf(low + step * k) >= p;
            return low + step * least_count(steps(mean).floor(), [0.0, steps(high).round()], reached);
        }
        let (below, above) = self.bracket(p, mean);
        invert_cdf(|y| self.cdf(y), p, below, above)
    }

    /// Numbers around the mean between which a quantile of a response without steps lies.
    fn bracket(&self, p: f64, mean: f64) -> (f64, f64) {
        let [low, high] = self.response.support().ends();
        if !mean.is_finite() {
            return (low, high);
        }
        let sd = Some(self.sd()).filter(|sd| sd.is_finite() && *sd > 0.0).unwrap_or(1.0);
        let up = self.cdf(mean) < p;
        let mut last = mean;
        for k in 0..DOUBLINGS {
            let reach = sd * 2_f64.powi(k);
            let next = (if up { mean + reach } else { mean - reach }).clamp(low, high);
            if next == low || next == high || up == (self.cdf(next) >= p) {
                return if up { (last, next) } else { (next, last) };
            }
            last = next;
        }
        (low, high)
    }

    /// The interval between quantiles of equal tails, as [0.025, 0.975] for 0.95.
    pub fn interval(&self, probability: f64) -> [f64; 2] {
        let tail = 0.5 * (1.0 - probability);
        [self.quantile(tail), self.quantile(1.0 - tail)]
    }
}

impl Part {
    /// Sets the points, as dense as the response is narrow.
    fn spread(&mut self, response: &dyn Response, weight: f64) {
        let Component { weight: of_part, mean, sd, .. } = self.node.component;
        if !(sd > 0.0) {
            self.points = vec![(of_part, mean)];
            return;
        }
        // The response's standard deviation in those of the predictor, as the mean follows it.
        let change = self.node.mean_at(response, 0.5) - self.node.mean_at(response, -0.5);
        let ratio = response.variance(weight, mean, &self.node.parameters).sqrt() / change.abs();
        let narrow = ratio < NARROW;
        self.noisy = narrow.then(|| sd * (1.0 + ratio * ratio).sqrt());
        let step = if ratio.is_finite() && !narrow { STEP.min(STEP_OF_RESPONSE * ratio) } else { STEP };
        let count = (REACH / step).ceil() as i32;
        let density = |k: i32| (-0.5 * (step * f64::from(k)).powi(2)).exp();
        let sum: f64 = (-count..=count).map(density).sum();
        let point = |k: i32| (of_part * density(k) / sum, mean + sd * step * f64::from(k));
        self.points = (-count..=count).map(point).collect();
    }
}

impl Node {
    /// The mean of the response so many standard deviations from the middle of the predictor.
    fn mean_at(&self, response: &dyn Response, z: f64) -> f64 {
        response.mean(self.component.mean + z * self.component.sd, &self.parameters)
    }

    /// How many standard deviations from the middle the mean of the response has this value.
    fn place_of(&self, response: &dyn Response, mean: f64) -> f64 {
        let off = |z: f64| self.mean_at(response, z) - mean;
        if off(-FAR) >= 0.0 {
            return f64::NEG_INFINITY;
        }
        if off(FAR) <= 0.0 { f64::INFINITY } else { find_root(off, -FAR, FAR, &RootOptions::default()).point }
    }

    /// The density where the response is the mean with little noise.
    fn ln_density_of_narrow(&self, response: &dyn Response, y: f64, sd: f64) -> f64 {
        let z = self.place_of(response, y);
        if !z.is_finite() {
            return f64::NEG_INFINITY;
        }
        let step = 1e-5;
        let slope = (self.mean_at(response, z + step) - self.mean_at(response, z - step)) / (2.0 * step);
        let scaled = z * self.component.sd / sd;
        self.component.weight.ln() - 0.5 * (scaled * scaled + LN_TAU)
            + (self.component.sd / (sd * slope.abs())).ln()
    }
}
