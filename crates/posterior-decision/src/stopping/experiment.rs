//! Experiments with two arms, simulated: power, false alarms, and what it costs to look on the way.

use posterior_dist::Beta;
use posterior_dist::stream::stream;
use posterior_math::check;
use posterior_math::special::normal_upper_quantile;
use posterior_math::streaming::MeanVariance;
use rand::Rng;
use rand_distr::{Binomial, ChiSquared, Distribution, StandardNormal};

use super::{Contrast, coin_confidence_sequence, mean_posterior, proportion_posterior};
use crate::Error;

/// With so many successes and failures, or numbers, of each arm a mean is nearly normal.
const MANY: u64 = 40;

/// What is seen of each unit, under the base arm and under the other.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Outcomes {
    /// Successes, with these probabilities.
    Proportions([f64; 2]),
    /// Normal numbers with these means and standard deviations.
    Numbers {
        /// The means.
        means: [f64; 2],
        /// The standard deviations.
        sds: [f64; 2],
    },
}

/// An experiment that is to be simulated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Experiment {
    /// What is seen.
    pub outcomes: Outcomes,
    /// Units of each arm at the end.
    pub units: u64,
    /// How often one looks, after equal parts; the last look is the end. 1 by default.
    pub looks: u64,
    /// The level of intervals. 0.95 by default.
    pub level: f64,
    /// How often it is simulated. 2000 by default.
    pub runs: u64,
    /// The seed. 0 by default.
    pub seed: u64,
}

/// In which proportions of simulated experiments something was found: an interval of the difference without
/// 0.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SimulatedExperiment {
    /// At the end.
    pub at_end: f64,
    /// At some look, by the interval that holds at one time only.
    pub at_any_look: f64,
    /// At some look, by intervals that hold at all times together; NaN of numbers, which have no bounds.
    pub at_any_time: f64,
    /// The proportion of intervals at the end that hold the true difference.
    pub coverage: f64,
}

impl Experiment {
    /// With these outcomes and so many units of each arm, and defaults.
    pub const fn new(outcomes: Outcomes, units: u64) -> Self {
        Self { outcomes, units, looks: 1, level: 0.95, runs: 2000, seed: 0 }
    }

    fn check(&self) -> Result<(), Error> {
        const NAME: &str = "Experiment";
        match self.outcomes {
            Outcomes::Proportions(all) => {
                all.iter().try_for_each(|&p| check::probability(NAME, "probability", p).map(|_| ()))?;
            }
            Outcomes::Numbers { means, sds } => {
                means.iter().try_for_each(|&mean| check::finite(NAME, "mean", mean).map(|_| ()))?;
                sds.iter().try_for_each(|&sd| check::positive(NAME, "sd", sd).map(|_| ()))?;
            }
        }
        check::open_probability(NAME, "level", self.level)?;
        let least = self.looks.saturating_mul(3);
        let fits = self.looks > 0 && (least..=1 << 40).contains(&self.units);
        check::require(fits, NAME, "units", self.units as f64, "at least 3 for each look, at most 2^40")?;
        check::require(self.runs > 0, NAME, "runs", self.runs as f64, "at least 1")?;
        Ok(())
    }

    /// In which proportion of simulations something is found at the end, alone: the same number as
    /// [`simulate`](Self::simulate) has, sooner.
    ///
    /// # Errors
    /// As there.
    pub fn power(&self) -> Result<f64, Error> {
        self.check()?;
        let tail = 0.5 * (1.0 - self.level);
        let mut found = 0;
        for run in 0..self.runs {
            let mut rng = stream(self.seed, &[run]);
            let mut seen = Seen::default();
            for look in 1..=self.looks {
                seen.until(self.units_at(look), &self.outcomes, &mut rng)?;
            }
            found += u64::from(seen.excludes(0.0, tail, &self.outcomes)?);
        }
        Ok(found as f64 / self.runs as f64)
    }

    /// Units of each arm at a look.
    fn units_at(&self, look: u64) -> u64 {
        (u128::from(self.units) * u128::from(look) / u128::from(self.looks)) as u64
    }

    /// Simulates it. The same seed gives the same luck to experiments of any size.
    ///
    /// # Errors
    /// If a probability is not in [0, 1], a mean not finite, a standard deviation not positive, the level not
    /// strictly between 0 and 1; or if there are no looks, no runs, or fewer than 3 units of each arm for a
    /// look.
    pub fn simulate(&self) -> Result<SimulatedExperiment, Error> {
        self.check()?;
        let (Outcomes::Proportions([base, other]) | Outcomes::Numbers { means: [base, other], .. }) =
            self.outcomes;
        let truth = other - base;
        let mut found =
            SimulatedExperiment { at_end: 0.0, at_any_look: 0.0, at_any_time: 0.0, coverage: 0.0 };
        let part = 1.0 / self.runs as f64;
        let one = |holds: bool| part * f64::from(u8::from(holds));
        let tail = 0.5 * (1.0 - self.level);
        for run in 0..self.runs {
            let mut rng = stream(self.seed, &[run]);
            let (mut once, mut always) = (false, false);
            let mut seen = Seen::default();
            for look in 1..=self.looks {
                seen.until(self.units_at(look), &self.outcomes, &mut rng)?;
                let alarm = seen.excludes(0.0, tail, &self.outcomes)?;
                once |= alarm;
                always |= seen.differs_at_all_times(&self.outcomes, 1.0 - self.level)?;
                if look == self.looks {
                    found.at_end += one(alarm);
                    found.coverage += one(!seen.excludes(truth, tail, &self.outcomes)?);
                }
            }
            found.at_any_look += one(once);
            found.at_any_time += one(always);
        }
        if matches!(self.outcomes, Outcomes::Numbers { .. }) {
            found.at_any_time = f64::NAN;
        }
        Ok(found)
    }
}

/// The moments of so many normal numbers, without drawing them: their mean, and apart from it the sum of
/// squares around it.
fn normal_moments<R: Rng + ?Sized>(
    count: u64,
    mean: f64,
    sd: f64,
    rng: &mut R,
) -> Result<MeanVariance, Error> {
    let n = count as f64;
    let z: f64 = StandardNormal.sample(rng);
    let squares =
        if count < 2 { 0.0 } else { ChiSquared::new(n - 1.0).map_err(|_| Error::Impossible)?.sample(rng) };
    Ok(MeanVariance::from_moments(n, mean + z * sd / n.sqrt(), sd * sd * squares))
}

/// What was seen of both arms so far.
#[derive(Debug, Default)]
struct Seen {
    units: u64,
    successes: [u64; 2],
    numbers: [MeanVariance; 2],
}

impl Seen {
    /// Goes on until there are so many units of each arm.
    fn until<R: Rng + ?Sized>(&mut self, units: u64, outcomes: &Outcomes, rng: &mut R) -> Result<(), Error> {
        let more = units - self.units;
        self.units = units;
        for arm in 0..2 {
            match *outcomes {
                Outcomes::Proportions(probabilities) => {
                    let binomial = Binomial::new(more, probabilities[arm]).map_err(|_| Error::Impossible)?;
                    self.successes[arm] += binomial.sample(rng);
                }
                Outcomes::Numbers { means, sds } => {
                    self.numbers[arm].merge(&normal_moments(more, means[arm], sds[arm], rng)?);
                }
            }
        }
        Ok(())
    }

    /// Whether the interval of the difference with such tails does not hold this number.
    fn excludes(&self, difference: f64, tail: f64, outcomes: &Outcomes) -> Result<bool, Error> {
        let count = self.units as f64;
        let (moments, fewest) = match outcomes {
            Outcomes::Proportions(_) => {
                let moments = self.successes.map(|own| {
                    let p = own as f64 / count;
                    [p, p * (1.0 - p)]
                });
                let fewest = self.successes.iter().map(|&own| own.min(self.units - own)).min();
                (moments, fewest.unwrap_or(0))
            }
            Outcomes::Numbers { .. } => {
                (self.numbers.each_ref().map(|own| [own.mean(), own.sample_variance()]), self.units)
            }
        };
        let [[base, v], [other, w]] = moments;
        let z = (other - base - difference).abs() / ((v + w) / count).sqrt();
        let critical = normal_upper_quantile(tail);
        // Nearly normal: what is clear needs no quadrature.
        if fewest >= MANY && !(0.8..=1.25).contains(&(z / critical)) {
            return Ok(z > critical);
        }
        let below = match outcomes {
            Outcomes::Proportions(_) => {
                let [base, other] = self.successes.map(|own| proportion_posterior(own, self.units));
                Contrast::new(base?, other?)?.difference_cdf(difference)
            }
            Outcomes::Numbers { .. } => {
                let [base, other] = self.numbers.each_ref().map(mean_posterior);
                Contrast::new(base?, other?)?.difference_cdf(difference)
            }
        };
        Ok(below < tail || below > 1.0 - tail)
    }

    /// Whether intervals of both arms, each of half the error, have nothing in common.
    fn differs_at_all_times(&self, outcomes: &Outcomes, delta: f64) -> Result<bool, Error> {
        if matches!(outcomes, Outcomes::Numbers { .. }) {
            return Ok(false);
        }
        let prior = Beta::new(0.5, 0.5)?;
        let interval = |own: u64| coin_confidence_sequence(own, self.units, &prior, 0.5 * delta);
        let [base, other] = self.successes.map(interval);
        let (base, other) = (base?, other?);
        Ok(base[1] < other[0] || other[1] < base[0])
    }
}
