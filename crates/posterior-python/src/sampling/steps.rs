//! Chains that go on until they are done or there is a signal, and can be written down.

use std::fmt::Display;
use std::time::{Duration, Instant};

use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_sampling::{Adapt, Chain, ChainsOf, Draws, Run, Start, Transition};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::watched::Signals;

/// What a file of chains begins with.
const FORMAT: &str = "posterior-rs-chains-1";

/// How long chains go on without a look at signals.
const BLOCK: Duration = Duration::from_millis(50);

/// A target until a step takes too long after a signal.
pub(super) struct Watched<'a> {
    pub(super) target: &'a (dyn GradTarget + Sync),
    pub(super) signals: &'a Signals,
}

impl Watched<'_> {
    fn check(&self) -> Result<(), EvalError> {
        if self.signals.is_overdue() { Err(EvalError::fatal("interrupted")) } else { Ok(()) }
    }
}

impl Target for Watched<'_> {
    fn dim(&self) -> usize {
        self.target.dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.check()?;
        self.target.ln_density(x)
    }
}

impl GradTarget for Watched<'_> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        self.check()?;
        self.target.ln_density_grad(x, gradient)
    }
}

/// Chains as they are written down.
#[derive(Serialize, Deserialize)]
struct Saved<C> {
    format: String,
    settings: String,
    chains: C,
}

/// What two parts of a run agree on.
#[derive(Deserialize)]
struct Head {
    format: String,
    settings: String,
}

/// A run, or what is left of one.
pub(super) struct Steps<'a> {
    pub(super) run: Run,
    pub(super) start: Start,
    /// All that two parts of one run have in common.
    pub(super) settings: String,
    pub(super) resumed: Option<&'a [u8]>,
}

impl Steps<'_> {
    /// All draws, unless there is a signal.
    pub(super) fn draws<'w, A>(&self, target: &Watched<'w>, sampler: &A) -> Result<Draws, String>
    where
        A: Adapt<Watched<'w>, Progress: Send, Tuned: Transition<Watched<'w>, State: Send> + Send> + Sync,
        ChainsOf<A, Watched<'w>>: Clone + Serialize + DeserializeOwned,
    {
        let mut chains = match self.resumed {
            Some(bytes) => self.read(bytes)?,
            None => self.run.start(target, sampler, &self.start).map_err(text)?,
        };
        let signals = target.signals;
        // A first step may be a long one.
        let (mut steps, mut took) = (1, BLOCK);
        while !chains.is_done() {
            if signals.is_to_keep() {
                signals.keep(self.written(&chains)?);
            }
            if signals.is_asked() {
                return Err("interrupted".to_owned());
            }
            // A long step ends in its middle, and the chains are as they were before.
            let before = (took >= BLOCK && signals.keeps()).then(|| chains.clone());
            let began = Instant::now();
            if let Err(error) = chains.advance(target, sampler, steps) {
                if let (Some(before), true) = (before, signals.is_overdue()) {
                    signals.keep(self.written(&before)?);
                }
                return Err(text(error));
            }
            took = began.elapsed();
            signals.done(chains.chains().first().map_or(0, Chain::iteration), f64::NAN);
            steps = if took < BLOCK / 2 {
                2 * steps
            } else if took > BLOCK {
                steps.div_ceil(2)
            } else {
                steps
            };
        }
        chains.finish().map(|own| own.draws).map_err(text)
    }

    fn written<C: Serialize>(&self, chains: &C) -> Result<Vec<u8>, String> {
        let saved = Saved { format: FORMAT.to_owned(), settings: self.settings.clone(), chains };
        serde_json::to_vec(&saved).map_err(text)
    }

    fn read<C: DeserializeOwned>(&self, bytes: &[u8]) -> Result<C, String> {
        let saved: Head = serde_json::from_slice(bytes)
            .map_err(|error| format!("resume: no checkpoint of chains: {error}"))?;
        if saved.format != FORMAT {
            return Err(format!("resume: expected the format {FORMAT:?}, found {:?}", saved.format));
        }
        if saved.settings != self.settings {
            let (then, now) = (saved.settings, &self.settings);
            return Err(format!("resume: the settings were {then}, and are now {now}"));
        }
        let saved: Saved<C> = serde_json::from_slice(bytes)
            .map_err(|error| format!("resume: a damaged checkpoint: {error}"))?;
        Ok(saved.chains)
    }
}

fn text(error: impl Display) -> String {
    error.to_string()
}
