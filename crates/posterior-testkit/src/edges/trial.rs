//! One trial: a distribution, some points, and what was found.

use std::cell::RefCell;
use std::time::Instant;

use rand::Rng;

use super::line::Line;
use super::numbers::Numbers;

/// Points of a trial: each is a case.
pub(super) const POINTS: usize = 8;

/// The longest that a call may take, in seconds.
const PATIENCE: f64 = 1e-3;

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
    distribution: &'a dyn Line,
    slow: RefCell<Vec<String>>,
}

impl<'a> Timed<'a> {
    pub(super) const fn new(distribution: &'a dyn Line) -> Self {
        Self { distribution, slow: RefCell::new(Vec::new()) }
    }

    /// The calls that were too long.
    pub(super) fn slow(self) -> Vec<String> {
        self.slow.into_inner()
    }

    fn call<T>(&self, name: &str, x: f64, call: impl Fn() -> T) -> T {
        let (value, mut seconds) = timed(&call);
        // What another process took of the time is not the call's.
        for _ in 0..4 {
            if seconds > PATIENCE {
                seconds = seconds.min(timed(&call).1);
            }
        }
        if seconds > PATIENCE {
            self.slow.borrow_mut().push(format!("{name}({x:e}) takes {:.1} ms", 1e3 * seconds));
        }
        value
    }
}

/// What a call returns, and how long it takes.
pub(super) fn timed<T>(call: impl Fn() -> T) -> (T, f64) {
    let start = Instant::now();
    let value = call();
    (value, start.elapsed().as_secs_f64())
}

impl Line for Timed<'_> {
    fn is_discrete(&self) -> bool {
        self.distribution.is_discrete()
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        self.call("ln_pdf", x, || self.distribution.ln_pdf(x))
    }

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

    fn draw(&self, rng: &mut dyn Rng) -> f64 {
        let (value, seconds) = {
            let start = Instant::now();
            (self.distribution.draw(rng), start.elapsed().as_secs_f64())
        };
        // A draw cannot be repeated; others of the same distribution can.
        let mut least = seconds;
        for _ in 0..4 {
            if least > PATIENCE {
                let start = Instant::now();
                self.distribution.draw(rng);
                least = least.min(start.elapsed().as_secs_f64());
            }
        }
        if least > PATIENCE {
            self.slow.borrow_mut().push(format!("a draw takes {:.1} ms", 1e3 * least));
        }
        value
    }

    fn mode(&self) -> Option<f64> {
        self.call("mode", f64::NAN, || self.distribution.mode())
    }

    fn summaries(&self) -> [Option<f64>; 5] {
        self.call("summaries", f64::NAN, || self.distribution.summaries())
    }
}
