//! Whether events happen as often as was said.

use posterior_dist::{Beta, Binomial, Univariate};
use posterior_math::check::{self, ParamError};

/// Probabilities of events in bins of equal width from 0 to 1, and how many of the events happened.
///
/// ```
/// use posterior_evaluation::Reliability;
///
/// let said = [0.9, 0.9, 0.9, 0.9, 0.2];
/// let happened = [true, true, true, false, false];
/// let reliability = Reliability::of(10, said.into_iter().zip(happened))?;
/// assert_eq!(reliability.bins()[9].rate(), Some(0.75));
/// assert!((reliability.calibration_error().unwrap() - (0.8 * 0.15 + 0.2 * 0.2)).abs() < 1e-15);
/// # Ok::<(), posterior_math::check::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Reliability {
    bins: Vec<Bin>,
}

/// Events of like probability.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Bin {
    /// How many there are.
    pub count: u64,
    /// Of them those that happened.
    pub happened: u64,
    /// The sum of their probabilities: how many should have happened.
    pub expected: f64,
}

impl Bin {
    /// The mean probability, `None` of an empty bin.
    pub fn mean_probability(&self) -> Option<f64> {
        (self.count > 0).then(|| self.expected / self.count as f64)
    }

    /// The proportion that happened, `None` of an empty bin.
    pub fn rate(&self) -> Option<f64> {
        (self.count > 0).then(|| self.happened as f64 / self.count as f64)
    }

    /// Between which shares [`rate`](Self::rate) is with at least this probability if the events are
    /// independent and have the mean probability: quantiles of the binomial distribution, exact in the tails
    /// and for few events. `None` of an empty bin, and for no level inside (0, 1).
    ///
    /// The events of a bin differ in probability, which makes their number a little less variable than this:
    /// the band errs to the wide side.
    pub fn band(&self, level: f64) -> Option<(f64, f64)> {
        let distribution = Binomial::new(self.count, self.mean_probability()?.min(1.0)).ok()?;
        let proportion = |p: f64| distribution.quantile(p) / self.count as f64;
        let inside = level > 0.0 && level < 1.0;
        inside.then(|| (proportion(0.5 * (1.0 - level)), proportion(0.5 * (1.0 + level))))
    }

    /// The interval of the probability with which the events happen: it has at least this probability of
    /// holding it, whatever it is (Clopper and Pearson 1934), if the events are independent. The end is 0 or
    /// 1 where none or all happened. `None` of an empty bin, and for no level inside (0, 1).
    pub fn interval(&self, level: f64) -> Option<(f64, f64)> {
        if self.count == 0 || !(level > 0.0 && level < 1.0) {
            return None;
        }
        let (tail, happened) = (0.5 * (1.0 - level), self.happened as f64);
        let not = (self.count - self.happened) as f64;
        let low = Beta::new(happened, not + 1.0).map_or(0.0, |own| own.quantile(tail));
        let high = Beta::new(happened + 1.0, not).map_or(1.0, |own| own.upper_quantile(tail));
        Some((low, high))
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.happened += other.happened;
        self.expected += other.expected;
    }
}

impl Reliability {
    /// Nothing counted yet, with so many bins, at least 1.
    pub fn new(bins: usize) -> Self {
        Self { bins: vec![Bin::default(); bins.max(1)] }
    }

    /// The counts of pairs (probability, whether the event happened).
    ///
    /// # Errors
    /// As for [`push`](Self::push), with the index of the pair.
    pub fn of(bins: usize, events: impl IntoIterator<Item = (f64, bool)>) -> Result<Self, ParamError> {
        let mut reliability = Self::new(bins);
        for (index, (probability, happened)) in events.into_iter().enumerate() {
            reliability.push(probability, happened).map_err(|error| error.at(index))?;
        }
        Ok(reliability)
    }

    /// Counts an event.
    ///
    /// # Errors
    /// If it is no probability.
    pub fn push(&mut self, probability: f64, happened: bool) -> Result<(), ParamError> {
        check::probability("Reliability", "probability", probability)?;
        let last = self.bins.len() - 1;
        let bin = &mut self.bins[((probability * (last + 1) as f64) as usize).min(last)];
        bin.merge(&Bin { count: 1, happened: u64::from(happened), expected: probability });
        Ok(())
    }

    /// Adds the counts of another.
    ///
    /// # Errors
    /// If it has another number of bins.
    pub fn merge(&mut self, other: &Self) -> Result<(), ParamError> {
        let same = self.bins.len() == other.bins.len();
        check::require(same, "Reliability", "bins", other.bins.len() as f64, "as many as here")?;
        for (own, other) in self.bins.iter_mut().zip(&other.bins) {
            own.merge(other);
        }
        Ok(())
    }

    /// The probabilities between which the bin with this number lies.
    pub fn edges(&self, bin: usize) -> (f64, f64) {
        let width = 1.0 / self.bins.len() as f64;
        (bin as f64 * width, (bin + 1) as f64 * width)
    }

    /// The bins, by growing probability, empty ones too.
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// The number of events.
    pub fn count(&self) -> u64 {
        self.bins.iter().map(|bin| bin.count).sum()
    }

    /// The expected calibration error: Σ of the bins' proportions times |rate - mean probability|; `None` of
    /// nothing.
    ///
    /// # References
    /// M. Naeini, G. Cooper, M. Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning,
    /// AAAI 2015.
    pub fn calibration_error(&self) -> Option<f64> {
        let gaps = self.bins.iter().map(|bin| (bin.happened as f64 - bin.expected).abs());
        (self.count() > 0).then(|| gaps.sum::<f64>() / self.count() as f64)
    }
}
