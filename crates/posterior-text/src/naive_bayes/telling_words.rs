//! The words that tell a class from the others, and how sure that is.

use posterior_dist::{Beta, Univariate};
use posterior_math::optimize::{RootOptions, find_root};
use posterior_math::special::{digamma, ln_beta, normal_cdf, normal_quantile, trigamma};
use posterior_math::{ParamError, check};

use super::model::NaiveBayes;
use super::options::EventModel;
use crate::Error;

/// A word with the logarithm of how much more frequent it is in a class than in all others together: ln θ -
/// ln θ′, of the Bernoulli model the difference of log-odds that the word is in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TellingWord {
    /// The word.
    pub word: u32,
    /// The posterior mean.
    pub mean: f64,
    /// The posterior standard deviation.
    pub sd: f64,
    /// The lower end of the equal-tailed credible interval.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl NaiveBayes {
    /// Up to `count` words that speak for `class` and against all others (by the mean), those first whose
    /// interval of probability `level` has the highest lower end: frequent words before rare ones that may be
    /// chance.
    ///
    /// Each θ has its Beta posterior, that of the other classes from their counts together. Words are ranked
    /// by mean and standard deviation (digamma, trigamma); the intervals of those returned are exact
    /// quantiles of the difference, by quadrature to about eight digits.
    ///
    /// # Errors
    /// There is no such class, only one class, no smoothing (the posterior is improper), or `level` is not
    /// between 0 and 1.
    pub fn telling_words(&self, class: usize, level: f64, count: usize) -> Result<Vec<TellingWord>, Error> {
        const TYPE: &str = "telling_words";
        self.counts.check_class(class)?;
        check::open_probability(TYPE, "level", level)?;
        check::positive(TYPE, "smoothing", self.options.smoothing)?;
        check::require(self.classes() > 1, TYPE, "classes", self.classes() as f64, "at least 2")?;
        let tail = 0.5 * (1.0 - level);
        let z = normal_quantile(tail);
        let pairs = self.word_posteriors(class);
        let scale = match self.options.model {
            EventModel::Bernoulli => Scale::LnOdds,
            _ => Scale::Ln,
        };
        let mut ranked: Vec<(u32, f64, f64)> = (0..)
            .zip(&pairs)
            .map(|(word, [own, other])| {
                let (mean, variance) = scale.moments(own);
                let (other_mean, other_variance) = scale.moments(other);
                (word, mean - other_mean, (variance + other_variance).sqrt())
            })
            .filter(|&(_, mean, _)| mean > 0.0)
            .collect();
        let cautious = |&(_, mean, sd): &(u32, f64, f64)| mean + z * sd;
        ranked.sort_by(|a, b| cautious(b).total_cmp(&cautious(a)).then(a.0.cmp(&b.0)));
        ranked.truncate(count);
        let telling = |(word, mean, sd): (u32, f64, f64)| {
            let [own, other] = pairs[word as usize].map(|(alpha, beta)| Beta::new(alpha, beta));
            let difference = Difference::new(own?, &other?, scale);
            let (lower, upper) =
                (difference.quantile(tail, mean, sd)?, difference.quantile(1.0 - tail, mean, sd)?);
            Ok(TellingWord { word, mean, sd, lower, upper })
        };
        ranked.into_iter().map(telling).collect()
    }

    /// For each word the Beta parameters of its θ in the class and in all others.
    fn word_posteriors(&self, class: usize) -> Vec<[(f64, f64); 2]> {
        let (counts, add) = (self.counts(), self.options.smoothing);
        let other_classes = || (0..counts.classes()).filter(move |&other| other != class);
        let bernoulli = self.options.model == EventModel::Bernoulli;
        let (sizes, rest) = if bernoulli {
            (&counts.documents, add)
        } else {
            (&counts.totals, add * (counts.vocabulary - 1) as f64)
        };
        let others: f64 = other_classes().map(|other| sizes[other]).sum();
        let beta = |n: f64, all: f64| (n + add, ((all - n).max(0.0) + rest).max(f64::MIN_POSITIVE));
        let of_word = |word: usize| {
            let n: f64 = other_classes().map(|other| counts.words_of(other)[word]).sum();
            [beta(counts.words_of(class)[word], sizes[class]), beta(n, others)]
        };
        (0..counts.vocabulary).map(of_word).collect()
    }
}

/// The scale on which two probabilities are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    Ln,
    LnOdds,
}

impl Scale {
    /// Mean and variance under Beta(a, b).
    fn moments(self, &(a, b): &(f64, f64)) -> (f64, f64) {
        match self {
            Self::Ln => (digamma(a) - digamma(a + b), trigamma(a) - trigamma(a + b)),
            Self::LnOdds => (digamma(a) - digamma(b), trigamma(a) + trigamma(b)),
        }
    }
}

/// The distribution of the difference of two independent probabilities with Beta distributions, on a scale.
struct Difference {
    own: Beta,
    scale: Scale,
    /// Points of the other on the scale, and their weights.
    points: Vec<(f64, f64)>,
}

impl Difference {
    /// E over the other is ∫ f(Q(Φ(t))) φ(t) dt with its quantile function Q: the trapezoidal rule in t
    /// converges faster than any power.
    fn new(own: Beta, other: &Beta, scale: Scale) -> Self {
        const STEP: f64 = 0.125;
        const STEPS: i32 = 64;
        let point = |i: i32| {
            let t = STEP * f64::from(i);
            let (x, rest) = if t < 0.0 {
                other.quantile_pair(normal_cdf(t))
            } else {
                other.upper_quantile_pair(normal_cdf(-t))
            };
            let ln_x = if x < UNDERFLOW { lower_end(other).ln_quantile(normal_cdf(t)) } else { x.ln() };
            let ln_rest =
                if rest < UNDERFLOW { upper_end(other).ln_quantile(normal_cdf(-t)) } else { rest.ln() };
            let at = match scale {
                Scale::Ln => ln_x,
                Scale::LnOdds => ln_x - ln_rest,
            };
            (at, STEP * (-0.5 * t * t).exp() / std::f64::consts::TAU.sqrt())
        };
        Self { own, scale, points: (-STEPS..=STEPS).map(point).collect() }
    }

    /// P(own - other <= d).
    fn cdf(&self, d: f64) -> f64 {
        let far = -UNDERFLOW.ln();
        let below = |at: f64| match self.scale {
            Scale::Ln if at >= 0.0 => 1.0,
            Scale::Ln | Scale::LnOdds if at < -far => lower_end(&self.own).probability(at),
            Scale::LnOdds if at > far => 1.0 - upper_end(&self.own).probability(-at),
            Scale::Ln => self.own.cdf(at.exp()),
            Scale::LnOdds => self.own.cdf(posterior_math::log_space::logistic(at)),
        };
        self.points.iter().map(|&(at, weight)| weight * below(at + d)).sum()
    }

    /// The point below which is probability `p`; mean and standard deviation say where to look.
    fn quantile(&self, p: f64, mean: f64, sd: f64) -> Result<f64, ParamError> {
        let mut width = 4.0 * sd;
        // A hundred doublings pass every range.
        for _ in 0..100 {
            let (a, b) = (mean - width, mean + width);
            let root = find_root(
                |d| self.cdf(d) - p,
                a,
                b,
                &RootOptions { relative: 1e-12, absolute: 1e-12 * sd, ..RootOptions::default() },
            );
            if !root.point.is_nan() {
                return Ok(root.point);
            }
            width *= 2.0;
        }
        Err(ParamError::new("TellingWord", "smoothing", self.own.alpha(), "large enough for an interval"))
    }
}

/// Numbers below this are taken by their logarithms.
const UNDERFLOW: f64 = 1e-300;

/// The end at zero of a Beta distribution: P(X <= x) = x^a / (a B(a, b)), up to a factor 1 + O(x).
struct Tail {
    exponent: f64,
    /// ln (a B(a, b)).
    ln_norm: f64,
}

impl Tail {
    fn new(a: f64, b: f64) -> Self {
        Self { exponent: a, ln_norm: a.ln() + ln_beta(a, b) }
    }

    fn ln_quantile(&self, p: f64) -> f64 {
        (p.ln() + self.ln_norm) / self.exponent
    }

    fn probability(&self, ln_x: f64) -> f64 {
        (self.exponent * ln_x - self.ln_norm).exp()
    }
}

/// The end where X is small.
fn lower_end(distribution: &Beta) -> Tail {
    Tail::new(distribution.alpha(), distribution.beta())
}

/// The end where 1 - X is small.
fn upper_end(distribution: &Beta) -> Tail {
    Tail::new(distribution.beta(), distribution.alpha())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a thousandth of a word, the distribution of ln θ reaches down to -3000: ln x = (ln p + ln a B(a,
    /// b)) / a, and θ of the other is 1/3.
    #[test]
    fn quantiles_go_on_below_the_smallest_numbers() {
        let own = Beta::new(0.001, 100.0).unwrap();
        let other = Beta::new(1e8, 2e8).unwrap();
        let expected = lower_end(&own).ln_quantile(0.05) + 3_f64.ln();
        assert!(expected < -2500.0);
        let difference = Difference::new(own, &other, Scale::Ln);
        let lower = difference.quantile(0.05, -1000.0, 1000.0).unwrap();
        assert!((lower - expected).abs() < 1e-3, "{lower}, not {expected}");
        assert!((difference.cdf(lower) - 0.05).abs() < 1e-9);
    }
}
