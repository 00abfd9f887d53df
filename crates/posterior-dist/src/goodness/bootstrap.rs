//! The parametric bootstrap: what a statistic is when samples of a fitted distribution are fitted anew.

use std::error::Error;
use std::fmt;

use super::null::Seen;
use super::{FitStatistic, GoodnessOfFit, PValueMethod};
use crate::catalogue::AnyUnivariate;
use crate::fit::{EstimableFamily, FitError, FitOptions, Observation, Sample};
use crate::stream::stream;

/// The most values that a sample with weights is written out to.
const MOST_VALUES: f64 = 1e7;

/// A test of whether a family of distributions, fitted to a sample, can have made it.
///
/// Samples of the fitted distribution, as large as the one that was seen, are fitted as it was, and their
/// statistics are compared with its own: the p-value is (1 + those as large) / (1 + simulations), uniform
/// where the family is right up to the distance of the estimate from the truth. Where the family was chosen
/// among several by its likelihood, it is somewhat too large.
///
/// Weights have to be whole numbers, which say how often a value was seen. Values known by limits alone are
/// refused: nothing says at which limits others would have been cut off. Of a sample that is
/// [`seen_within`](Sample::seen_within) limits, simulated ones are too.
///
/// # Cost
/// A fit of the sample without intervals for each simulation.
///
/// ```
/// use posterior_dist::fit::{EstimableFamily, FitOptions, Sample};
/// use posterior_dist::goodness::{FitStatistic, ParametricBootstrap};
///
/// let sizes: Vec<f64> = (0..60).map(|i| 2.0 + f64::from(i * i) / 300.0).collect();
/// let sample = Sample::of(&sizes)?;
/// let normal = EstimableFamily::named("normal")?;
/// let test = ParametricBootstrap::new(normal, &sample, &FitOptions::default(), FitStatistic::default())?;
/// assert!(test.run(7, 99)?.p_value < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// W. Stute, W. González Manteiga, M. Presedo Quindimil, Metrika 40, 1993; A. Davison, D. Hinkley, Bootstrap
/// Methods and their Application, 1997, section 4.2.
#[derive(Debug, Clone)]
pub struct ParametricBootstrap {
    family: EstimableFamily,
    options: FitOptions,
    statistic: FitStatistic,
    window: Option<(f64, f64)>,
    size: usize,
    seen: Seen,
    observed: f64,
}

/// Why a sample cannot be tested.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum NotTested {
    /// Some values are known by limits alone.
    Limits,
    /// A weight is not a whole number, or they are more than 10⁷ in all.
    Weights,
    /// There are too few values for the cells of a statistic.
    TooFew,
    /// No simulations, or too many of them could not be fitted.
    Simulations {
        /// How many were fitted.
        fitted: usize,
        /// How many were not.
        not_fitted: usize,
    },
    /// The sample itself cannot be fitted.
    Fit(FitError),
}

impl fmt::Display for NotTested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limits => f.write_str("some values are known by limits alone"),
            Self::Weights => f.write_str("weights are not whole numbers that say how often a value was seen"),
            Self::TooFew => f.write_str("there are too few values"),
            Self::Simulations { fitted, not_fitted } => {
                write!(f, "of {} simulated samples only {fitted} could be fitted", fitted + not_fitted)
            }
            Self::Fit(error) => error.fmt(f),
        }
    }
}

impl Error for NotTested {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        if let Self::Fit(error) = self { Some(error) } else { None }
    }
}

impl From<FitError> for NotTested {
    fn from(error: FitError) -> Self {
        Self::Fit(error)
    }
}

impl ParametricBootstrap {
    /// The fit of the family to the sample, and its statistic.
    ///
    /// # Errors
    /// A sample that cannot be tested, or cannot be fitted.
    pub fn new(
        family: EstimableFamily,
        sample: &Sample,
        options: &FitOptions,
        statistic: FitStatistic,
    ) -> Result<Self, NotTested> {
        let fitted = family.fit_alone(sample, options)?.distribution;
        Self::of_fitted(family, &fitted, sample, options, statistic)
    }

    /// The same for a distribution that [`EstimableFamily::fit`] fitted to this sample with these options.
    ///
    /// # Errors
    /// A sample that cannot be tested.
    pub fn of_fitted(
        family: EstimableFamily,
        fitted: &AnyUnivariate,
        sample: &Sample,
        options: &FitOptions,
        statistic: FitStatistic,
    ) -> Result<Self, NotTested> {
        let values = in_order(sample)?;
        let seen = Seen::new(fitted, sample.window()).map_err(FitError::from)?;
        let observed = distance(statistic, &values, &seen, family).ok_or(NotTested::TooFew)?;
        let (options, window, size) = (options.clone(), sample.window(), values.len());
        Ok(Self { family, options, statistic, window, size, seen, observed })
    }

    /// The statistic of the sample.
    pub const fn observed(&self) -> f64 {
        self.observed
    }

    /// The statistic of a simulated sample, by its number; `None` if it could not be fitted. For simulations
    /// on several threads, whose [`answer`](Self::answer) is that of [`run`](Self::run).
    pub fn simulate(&self, seed: u64, index: u64) -> Option<f64> {
        let mut rng = stream(seed, &[index]);
        let mut values: Vec<f64> = (0..self.size).map(|_| self.seen.draw(&mut rng)).collect();
        values.sort_by(f64::total_cmp);
        let sample = Sample::of(&values).ok()?;
        let sample = match self.window {
            Some((low, high)) => sample.seen_within(low, high).ok()?,
            None => sample,
        };
        let fitted = self.family.fit_alone(&sample, &self.options).ok()?.distribution;
        distance(self.statistic, &values, &Seen::new(&fitted, self.window).ok()?, self.family)
    }

    /// The p-value by simulated statistics.
    ///
    /// # Errors
    /// [`NotTested::Simulations`] if fewer than half of them are there.
    pub fn answer(&self, simulated: &[Option<f64>]) -> Result<GoodnessOfFit, NotTested> {
        let (mut fitted, mut as_large) = (0, 0);
        for own in simulated.iter().flatten() {
            fitted += 1;
            // Statistics of counts may differ by their rounding alone.
            as_large += usize::from(*own >= self.observed * (1.0 - 1e-12));
        }
        let not_fitted = simulated.len() - fitted;
        if fitted == 0 || fitted < not_fitted {
            return Err(NotTested::Simulations { fitted, not_fitted });
        }
        Ok(GoodnessOfFit {
            statistic: self.observed,
            p_value: (as_large + 1) as f64 / (fitted + 1) as f64,
            method: PValueMethod::Simulated { simulations: fitted, not_fitted },
        })
    }

    /// The p-value by so many simulations.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub fn run(&self, seed: u64, simulations: usize) -> Result<GoodnessOfFit, NotTested> {
        let simulated: Vec<_> = (0..simulations as u64).map(|index| self.simulate(seed, index)).collect();
        self.answer(&simulated)
    }
}

fn distance(statistic: FitStatistic, values: &[f64], seen: &Seen, family: EstimableFamily) -> Option<f64> {
    let are_counts = family.is_discrete();
    match seen {
        Seen::Whole(own) => statistic.of(values, own, are_counts),
        Seen::Part(own) => statistic.of(values, own, are_counts),
        Seen::Counts(own) => statistic.of(values, own, are_counts),
    }
}

/// The values in order, each as often as its weight says.
fn in_order(sample: &Sample) -> Result<Vec<f64>, NotTested> {
    let mut values = Vec::with_capacity(sample.observations().len());
    if sample.count() > MOST_VALUES {
        return Err(NotTested::Weights);
    }
    for (own, weight) in sample.observations() {
        let Observation::At(x) = own else { return Err(NotTested::Limits) };
        if weight.fract() != 0.0 {
            return Err(NotTested::Weights);
        }
        values.extend(std::iter::repeat_n(x, weight as usize));
    }
    values.sort_by(f64::total_cmp);
    Ok(values)
}
