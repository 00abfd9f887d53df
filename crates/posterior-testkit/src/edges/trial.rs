//! One trial: a distribution, some points, and what was found.

use std::cell::RefCell;
use std::fmt;
use std::time::Instant;

use posterior_dist::Univariate;
use posterior_dist::text::DynUnivariate;
use rand::Rng;

use super::numbers::Numbers;
use crate::timing::cpu_seconds;

/// Points of a trial: each is a case.
pub(super) const POINTS: usize = 8;

/// The longest that a call may take, in seconds.
const PATIENCE: f64 = 1e-3;

/// Calls of which the processor time is the mean: the system counts it in steps of some milliseconds.
const REPEATS: u32 = 40;

/// The check of a distribution that is not looked at.
pub(super) const LEFT_OUT: &str = "left out";

/// What was found at one point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The kind of distribution.
    pub name: &'static str,
    /// What does not hold.
    pub check: &'static str,
    /// The distribution, the point, what was expected and what was found.
    pub message: String,
    /// The trial.
    pub case: u64,
}

/// The state of a trial.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) name: &'static str,
    pub(super) case: u64,
    pub(super) numbers: Numbers,
    /// The distribution as text.
    pub(super) text: String,
    /// Whether each call is timed.
    pub(super) clock: bool,
    pub(super) found: Vec<Finding>,
}

impl Trial {
    pub(super) fn new(name: &'static str, case: u64, clock: bool) -> Self {
        Self { name, case, numbers: Numbers::of(case), text: String::new(), clock, found: Vec::new() }
    }

    /// A finding unless it `holds`.
    pub(super) fn expect(&mut self, check: &'static str, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            let message = format!("{}: {}", self.text, message());
            self.found.push(Finding { name: self.name, check, message, case: self.case });
        }
    }
}

/// A distribution whose calls are timed.
pub(super) struct Timed<'a> {
    distribution: &'a dyn DynUnivariate,
    slow: RefCell<Vec<String>>,
}

impl<'a> Timed<'a> {
    pub(super) const fn new(distribution: &'a dyn DynUnivariate) -> Self {
        Self { distribution, slow: RefCell::new(Vec::new()) }
    }

    /// The calls that were too long.
    pub(super) fn slow(self) -> Vec<String> {
        self.slow.into_inner()
    }

    fn call<T>(&self, name: &str, x: f64, call: impl Fn() -> T) -> T {
        self.watch(&format_args!("{name}({x:e})"), call)
    }

    fn watch<T>(&self, what: &dyn fmt::Display, call: impl Fn() -> T) -> T {
        let (value, seconds) = watched(call);
        if let Some(seconds) = seconds {
            self.slow.borrow_mut().push(format!("{what} takes {:.1} ms", 1e3 * seconds));
        }
        value
    }
}

/// What a call returns, and its seconds of processor time if they are too many. What other programs take of
/// the time is not the call's: one that seems long is repeated.
pub(super) fn watched<T>(call: impl Fn() -> T) -> (T, Option<f64>) {
    let start = Instant::now();
    let value = call();
    if start.elapsed().as_secs_f64() <= PATIENCE {
        return (value, None);
    }
    let start = cpu_seconds();
    for _ in 0..REPEATS {
        call();
    }
    let seconds = (cpu_seconds() - start) / f64::from(REPEATS);
    (value, (seconds > PATIENCE).then_some(seconds))
}

impl Univariate for Timed<'_> {
    fn cdf(&self, x: f64) -> f64 {
        self.call("cdf", x, || self.distribution.cdf(x))
    }

    fn sf(&self, x: f64) -> f64 {
        self.call("sf", x, || self.distribution.sf(x))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        self.call("ln_cdf", x, || self.distribution.ln_cdf(x))
    }

    fn ln_sf(&self, x: f64) -> f64 {
        self.call("ln_sf", x, || self.distribution.ln_sf(x))
    }

    fn quantile(&self, p: f64) -> f64 {
        self.call("quantile", p, || self.distribution.quantile(p))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.call("upper_quantile", q, || self.distribution.upper_quantile(q))
    }
}

impl DynUnivariate for Timed<'_> {
    fn is_discrete(&self) -> bool {
        self.distribution.is_discrete()
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        self.call("ln_pdf", x, || self.distribution.ln_pdf(x))
    }

    fn mean(&self) -> Option<f64> {
        self.watch(&"mean", || self.distribution.mean())
    }

    fn variance(&self) -> Option<f64> {
        self.watch(&"variance", || self.distribution.variance())
    }

    fn skewness(&self) -> Option<f64> {
        self.watch(&"skewness", || self.distribution.skewness())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        self.watch(&"excess_kurtosis", || self.distribution.excess_kurtosis())
    }

    fn entropy(&self) -> Option<f64> {
        self.watch(&"entropy", || self.distribution.entropy())
    }

    fn mode(&self) -> Option<f64> {
        self.watch(&"mode", || self.distribution.mode())
    }

    fn sample(&self, rng: &mut dyn Rng) -> f64 {
        let rng = RefCell::new(rng);
        self.watch(&"a draw", || self.distribution.sample(&mut **rng.borrow_mut()))
    }
}
