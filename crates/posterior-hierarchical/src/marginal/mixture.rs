//! Mixtures of normal distributions that lean to one side.

use posterior_dist::{Density as _, Normal, SkewNormal, Univariate as _};
use posterior_math::check::ParamError;
use posterior_math::optimize::{RootOptions, find_root};

/// A part of a mixture, by its moments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Component {
    /// How much it counts; all weights add up to 1.
    pub weight: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation; 0 for a number that is known.
    pub sd: f64,
    /// The third standardised moment.
    pub skewness: f64,
}

/// The distribution of a latent value, a fixed effect or a predictor: a mixture over hyperparameters of skew
/// normal distributions.
#[derive(Debug, Clone, PartialEq)]
pub struct LatentMarginal {
    parts: Vec<Component>,
    /// The same with like parts together.
    few: Vec<Component>,
}

/// Groups by mean, in each group of like standard deviations.
const BY_MEAN: usize = 4;
/// Parts that quantiles are made of.
const FEW: usize = 24;

impl Component {
    /// A few parts for many, with the same mean, variance and third moment: parts that are alike in standard
    /// deviation and mean are put together until about `most` are left. Up to twice `most` parts stay as they
    /// are.
    ///
    /// Costs the sorting of the parts.
    pub fn condensed(parts: &[Self], most: usize) -> Vec<Self> {
        let by_mean = BY_MEAN.min(most).max(1);
        if parts.len() <= 2 * most {
            return parts.to_vec();
        }
        let mut sorted = parts.to_vec();
        sorted.sort_by(|a, b| a.sd.total_cmp(&b.sd));
        let mut few = Vec::with_capacity(most);
        let weight = |part: &Self| part.weight;
        for group in by_weight(&mut sorted, (most / by_mean).max(1), weight) {
            group.sort_by(|a, b| a.mean.total_cmp(&b.mean));
            few.extend(by_weight(group, by_mean, weight).into_iter().map(|like| Self::together(like)));
        }
        few
    }

    /// One part with the moments of some.
    fn together(parts: &[Self]) -> Self {
        let weight: f64 = parts.iter().map(|part| part.weight).sum();
        let expect =
            |f: &dyn Fn(&Self) -> f64| parts.iter().map(|part| part.weight * f(part)).sum::<f64>() / weight;
        let mean = expect(&|part| part.mean);
        let variance = expect(&|part| part.sd * part.sd + (part.mean - mean).powi(2));
        let third = expect(&|part| {
            let off = part.mean - mean;
            part.skewness * part.sd.powi(3) + 3.0 * off * part.sd * part.sd + off.powi(3)
        });
        let sd = variance.sqrt();
        Self { weight, mean, sd, skewness: if sd > 0.0 { third / (sd * variance) } else { 0.0 } }
    }
}

/// Consecutive parts in so many groups, or fewer, of about the same weight.
pub(crate) fn by_weight<T>(parts: &mut [T], count: usize, weight: impl Fn(&T) -> f64) -> Vec<&mut [T]> {
    let total: f64 = parts.iter().map(&weight).sum();
    let (mut sum, mut lengths, mut length) = (0.0, Vec::new(), 0);
    for part in &*parts {
        sum += weight(part);
        length += 1;
        if sum >= total * (lengths.len() + 1) as f64 / count as f64 {
            lengths.push(length);
            length = 0;
        }
    }
    lengths.push(length);
    let mut groups = Vec::with_capacity(lengths.len());
    let mut rest = parts;
    for length in lengths.into_iter().filter(|length| *length > 0) {
        let (group, after) = rest.split_at_mut(length);
        groups.push(group);
        rest = after;
    }
    groups
}

/// A skew normal distribution leans by less than 0.9953.
const MOST: f64 = 0.99;
/// Standard deviations and points of the trapezoidal rule, to each side.
const REACH: f64 = 8.0;
const STEPS: i32 = 40;
/// Less than this is a normal distribution.
const LEAST: f64 = 1e-4;

/// One part as a distribution.
enum Part {
    Known(f64),
    Normal(Normal),
    Skewed(SkewNormal),
}

impl Part {
    fn new(component: &Component) -> Result<Self, ParamError> {
        let Component { mean, sd, skewness, .. } = *component;
        if sd == 0.0 {
            return Ok(Self::Known(mean));
        }
        let skewness = skewness.clamp(-MOST, MOST);
        if skewness.abs() < LEAST {
            return Ok(Self::Normal(Normal::mean_sd(mean, sd)?));
        }
        // δ² = π/2 · g / (g + ((4 - π)/2)^(2/3)) for g = |skewness|^(2/3).
        let power = skewness.abs().powf(2.0 / 3.0);
        let rest = (0.5 * (4.0 - std::f64::consts::PI)).powf(2.0 / 3.0);
        let delta = (std::f64::consts::FRAC_PI_2 * power / (power + rest)).sqrt().copysign(skewness);
        let offset = delta * std::f64::consts::FRAC_2_PI.sqrt();
        let scale = sd / (1.0 - offset * offset).sqrt();
        let shape = delta / (1.0 - delta * delta).sqrt();
        Ok(Self::Skewed(SkewNormal::new(mean - scale * offset, scale, shape)?))
    }

    fn pdf(&self, x: f64) -> f64 {
        match self {
            Self::Known(at) => {
                if x == *at {
                    f64::INFINITY
                } else {
                    0.0
                }
            }
            Self::Normal(own) => own.ln_pdf(&x).exp(),
            Self::Skewed(own) => own.ln_pdf(&x).exp(),
        }
    }

    fn cdf(&self, x: f64) -> f64 {
        match self {
            Self::Known(at) => {
                if x >= *at {
                    1.0
                } else {
                    0.0
                }
            }
            Self::Normal(own) => own.cdf(x),
            Self::Skewed(own) => own.cdf(x),
        }
    }

    fn quantile(&self, p: f64) -> f64 {
        match self {
            Self::Known(at) => *at,
            Self::Normal(own) => own.quantile(p),
            Self::Skewed(own) => own.quantile(p),
        }
    }
}

impl LatentMarginal {
    pub(crate) fn new(parts: Vec<Component>) -> Self {
        let few = Component::condensed(&parts, FEW);
        Self { parts, few }
    }

    /// The parts, one for each of the [points](crate::HierarchicalFit::points) of the hyperparameters.
    pub fn components(&self) -> &[Component] {
        &self.parts
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.parts.iter().map(|part| part.weight * part.mean).sum()
    }

    /// The standard deviation.
    pub fn sd(&self) -> f64 {
        let mean = self.mean();
        let square = |part: &Component| part.weight * (part.sd * part.sd + (part.mean - mean).powi(2));
        self.parts.iter().map(square).sum::<f64>().sqrt()
    }

    /// Moments that are not finite have no distribution: then nothing.
    fn parts(&self) -> impl Iterator<Item = (f64, Part)> + '_ {
        self.few.iter().filter_map(|part| Part::new(part).ok().map(|own| (part.weight, own)))
    }

    /// The mean of a function: of e^η for the mean of a count, for instance. By the trapezoidal rule over 8
    /// standard deviations of each part to both sides.
    pub fn expectation(&self, f: impl Fn(f64) -> f64) -> f64 {
        let each = |component: &Component| {
            let Ok(part) = Part::new(component) else { return f64::NAN };
            if matches!(part, Part::Known(_)) {
                return component.weight * f(component.mean);
            }
            let (mut sum, mut total) = (0.0, 0.0);
            for k in -STEPS..=STEPS {
                let x = component.mean + component.sd * REACH * f64::from(k) / f64::from(STEPS);
                let density = part.pdf(x);
                total += density;
                if density > 0.0 {
                    sum += density * f(x);
                }
            }
            component.weight * sum / total
        };
        self.parts.iter().map(each).sum()
    }

    /// The density at x.
    pub fn pdf(&self, x: f64) -> f64 {
        self.parts().map(|(weight, part)| weight * part.pdf(x)).sum()
    }

    /// The probability of at most x.
    pub fn cdf(&self, x: f64) -> f64 {
        self.parts().map(|(weight, part)| weight * part.cdf(x)).sum()
    }

    /// The number below which the probability is p; NaN for a p outside of (0, 1).
    pub fn quantile(&self, p: f64) -> f64 {
        if !(p > 0.0 && p < 1.0) {
            return f64::NAN;
        }
        let parts: Vec<(f64, Part)> = self.parts().collect();
        let ends = parts.iter().map(|(_, part)| part.quantile(p));
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        if !(low < high) {
            return low;
        }
        let off = |x: f64| parts.iter().map(|(weight, part)| weight * part.cdf(x)).sum::<f64>() - p;
        find_root(off, low, high, &RootOptions::default()).point
    }

    /// The equal-tailed interval with this probability, as [0.025, 0.975] quantiles for 0.95.
    pub fn interval(&self, probability: f64) -> [f64; 2] {
        let tail = 0.5 * (1.0 - probability);
        [self.quantile(tail), self.quantile(1.0 - tail)]
    }
}
