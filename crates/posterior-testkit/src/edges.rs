//! A search for wrong numbers at the edges of f64: every distribution with parameters and points of every
//! size and of random bits, held to what it must say whatever they are.
//!
//! A case is one distribution with one point. A trial is a distribution with eight of them, made from one
//! 64-bit number, its `case`, which repeats it.

mod limits;
mod numbers;
mod plain;
mod report;
mod rounding;
mod subjects;
mod trial;
mod univariate;
mod vectors;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use posterior_dist::text::DynUnivariate;

pub use limits::{LIMITS, Limit};
pub use plain::Plain;
pub use report::{Group, Report};
pub use rounding::Rounding;
pub use trial::Finding;
pub use univariate::Facts;

use subjects::Subject;
use trial::{POINTS, Trial};

/// Trials that a thread takes at once.
const BLOCK: u64 = 64;

/// A trial whose calls together take longer, in seconds, is repeated with every call timed.
const SUSPICIOUS: f64 = 1e-3;

/// What is searched.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many points.
    pub cases: u64,
    /// Where the trials come from.
    pub seed: u64,
    /// One kind of distribution; all if none is named.
    pub only: Option<String>,
    /// One trial of that kind.
    pub case: Option<u64>,
    /// Threads.
    pub threads: usize,
    /// Whether a call over a millisecond is a finding.
    pub clock: bool,
}

/// The names of the distributions that are searched.
pub fn names() -> Vec<&'static str> {
    all().iter().map(|subject| subject.name).collect()
}

/// Searches. The findings depend on the seed and the number of cases, never on the number of threads (but for
/// what takes too long).
///
/// # Errors
/// If there is no distribution of the name in `only`, or a case is given without it.
pub fn search(options: &Options) -> Result<Report, String> {
    let mut subjects = all();
    if let Some(only) = &options.only {
        subjects.retain(|subject| subject.name == only);
        if subjects.is_empty() {
            return Err(format!("there is no distribution {only:?}; there are {}", names().join(", ")));
        }
    } else if options.case.is_some() {
        return Err("a case belongs to a distribution: name it".to_owned());
    }
    if let Some(case) = options.case {
        let mut report = Report { cases: POINTS as u64, ..Report::default() };
        report.add(0, run(subjects[0], case, options.clock));
        return Ok(report);
    }
    let trials = options.cases.div_ceil(POINTS as u64);
    let next = AtomicU64::new(0);
    let whole = Mutex::new(Report { cases: trials * POINTS as u64, ..Report::default() });
    let work = || {
        let mut report = Report::default();
        loop {
            let start = next.fetch_add(BLOCK, Ordering::Relaxed);
            if start >= trials {
                break;
            }
            for trial in start..(start + BLOCK).min(trials) {
                let subject = subjects[(trial % subjects.len() as u64) as usize];
                report.add(trial, run(subject, case_of(options.seed, trial), options.clock));
            }
        }
        if let Ok(mut whole) = whole.lock() {
            whole.merge(report);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..options.threads {
            scope.spawn(work);
        }
        work();
    });
    whole.into_inner().map_err(|_| "a thread of the search failed".to_owned())
}

/// The 64 bits of a trial: SplitMix64 (Steele, Lea and Flood 2014).
const fn case_of(seed: u64, trial: u64) -> u64 {
    let mut z = seed
        .wrapping_mul(0xd134_2543_de82_ef95)
        .wrapping_add(trial.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Every kind there is.
fn all() -> Vec<Subject> {
    subjects::of_numbers().chain(vectors::SUBJECTS.iter().copied()).collect()
}

/// The findings of one trial.
fn run(subject: Subject, case: u64, clock: bool) -> Vec<Finding> {
    let start = Instant::now();
    let found = attempt(subject, case, false);
    if clock && start.elapsed().as_secs_f64() > SUSPICIOUS { attempt(subject, case, true) } else { found }
}

fn attempt(subject: Subject, case: u64, clock: bool) -> Vec<Finding> {
    let mut trial = Trial::new(subject.name, case, clock);
    let outcome = catch_unwind(AssertUnwindSafe(|| (subject.run)(&mut trial)));
    if let Err(payload) = outcome {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or_default().to_owned();
        trial.expect("no panic", false, || format!("panicked: {text}"));
    }
    trial.found
}

/// The findings in one distribution of one's own: what the tests of the search hold it to.
pub fn look_at(distribution: &dyn DynUnivariate, facts: &Facts, case: u64) -> Vec<Finding> {
    let mut trial = Trial::new("own", case, false);
    univariate::examine(distribution, facts, &mut trial);
    trial.found
}
