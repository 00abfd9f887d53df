//! The crate `nuts-rs`, measured.

use nuts_rs::{
    Chain, CpuLogpFunc, CpuMath, CpuMathError, DiagNutsSettings, HasDims, LogpError, LowRankNutsSettings,
    Settings,
};
use posterior_dist::stream::stream;
use posterior_dist::target::{GradTarget, Target};
use rand::{Rng, RngExt};

use super::measured::{Counted, Measured};
use crate::comparison::Outcome;
use crate::timing::cpu_seconds;

const CHAINS: u64 = 4;
const WARM_UP: usize = 1000;
const DRAWS: usize = 1000;

/// How nuts-rs learns its metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adaptation {
    /// A diagonal one from draws and gradients, its default.
    Gradients,
    /// A diagonal one from draws.
    Draws,
    /// Diagonal plus low rank.
    LowRank,
}

/// Four chains of 1,000 + 1,000 steps, on one thread, with acceptance 0.8 and depth 10.
///
/// # Errors
/// Those of the sampler.
pub fn with_nuts_rs<T>(target: &T, adaptation: Adaptation, seed: u64) -> Outcome<Measured>
where
    T: GradTarget + ?Sized,
{
    let (num_tune, num_draws, maxdepth) = (WARM_UP as u64, DRAWS as u64, 10);
    if adaptation == Adaptation::LowRank {
        let mut settings =
            LowRankNutsSettings { num_tune, num_draws, maxdepth, ..LowRankNutsSettings::default() };
        settings.adapt_options.step_size_settings.target_accept = 0.8;
        return run(target, &settings, seed);
    }
    let mut settings = DiagNutsSettings { num_tune, num_draws, maxdepth, ..DiagNutsSettings::default() };
    settings.adapt_options.step_size_settings.target_accept = 0.8;
    settings.adapt_options.mass_matrix_options.use_grad_based_estimate = adaptation == Adaptation::Gradients;
    run(target, &settings, seed)
}

fn run<T: GradTarget + ?Sized>(target: &T, settings: &impl Settings, seed: u64) -> Outcome<Measured> {
    let counted = Counted::new(target);
    let dim = counted.dim();
    let mut measured = Measured { dim, ..Measured::default() };
    let begin = cpu_seconds();
    for number in 0..CHAINS {
        let mut rng = stream(seed, &[number]);
        let start: Vec<f64> = (0..dim).map(|_| rng.random_range(-2.0..2.0)).collect();
        let mut chain = settings.new_chain(number, CpuMath::new(Peer { target: &counted }), &mut rng)?;
        chain.set_position(&start)?;
        let before = counted.gradients();
        for _ in 0..WARM_UP {
            chain.draw()?;
        }
        let between = counted.gradients();
        let mut rows = Vec::with_capacity(DRAWS * dim);
        for _ in 0..DRAWS {
            let (draw, progress) = chain.draw()?;
            rows.extend_from_slice(&draw);
            measured.divergences += usize::from(progress.diverging);
        }
        measured.warm_up_gradients += between - before;
        measured.gradients += counted.gradients() - between;
        measured.chains.push(rows);
    }
    measured.seconds = cpu_seconds() - begin;
    Ok(measured)
}

struct Peer<'a, T> {
    target: &'a Counted<T>,
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Refused(String);

impl LogpError for Refused {
    fn is_recoverable(&self) -> bool {
        true
    }
}

impl<T: GradTarget> HasDims for Peer<'_, T> {
    #[expect(clippy::disallowed_types, reason = "the signature is theirs")]
    fn dim_sizes(&self) -> std::collections::HashMap<String, u64> {
        [("unconstrained_parameter".to_owned(), self.target.dim() as u64)].into()
    }
}

impl<T: GradTarget> CpuLogpFunc for Peer<'_, T> {
    type LogpError = Refused;
    type FlowParameters = ();
    type ExpandedVector = Vec<f64>;

    fn dim(&self) -> usize {
        self.target.dim()
    }

    fn logp(&mut self, position: &[f64], gradient: &mut [f64]) -> Result<f64, Refused> {
        match self.target.ln_density_grad(position, gradient) {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(value) => Err(Refused(format!("ln p(x) is {value}"))),
            Err(error) => Err(Refused(error.to_string())),
        }
    }

    fn expand_vector<R: Rng + ?Sized>(&mut self, _: &mut R, array: &[f64]) -> Result<Vec<f64>, CpuMathError> {
        Ok(array.to_vec())
    }
}
