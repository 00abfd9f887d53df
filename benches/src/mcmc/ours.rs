//! Samplers of `posterior-sampling`, measured.

use posterior_dist::target::{GradTarget, Target};
use posterior_sampling::{Adapt, Error, Run, Start, Transition};

use super::measured::{Counted, Measured};
use crate::timing::cpu_seconds;

/// Four chains of 1,000 + 1,000 steps. The processor time is that of this thread: call it where there is no
/// other.
///
/// # Errors
/// Those of the sampler.
pub fn with_ours<T, A>(target: T, sampler: &A, seed: u64) -> Result<Measured, Error>
where
    T: GradTarget + Sync,
    A: Adapt<Counted<T>, Progress: Send, Tuned: Transition<Counted<T>, State: Send> + Send> + Sync,
{
    let counted = Counted::new(target);
    let run = Run { seed, ..Run::default() };
    let begin = cpu_seconds();
    let mut chains = run.start(&counted, sampler, &Start::default())?;
    chains.advance(&counted, sampler, run.warm_up)?;
    let warm_up_gradients = counted.gradients();
    chains.advance(&counted, sampler, run.draws)?;
    let seconds = cpu_seconds() - begin;
    let gradients = counted.gradients() - warm_up_gradients;
    let sampled = chains.finish()?;
    let (dim, draws) = (counted.dim(), &sampled.draws);
    let rows = |chain| (0..draws.len()).flat_map(move |i| draws.draw(chain, i).iter().copied()).collect();
    let of_draws =
        |divergence: &&posterior_sampling::DivergentTransition| divergence.iteration >= run.warm_up;
    let divergences = sampled.chains.iter().flat_map(|chain| &chain.divergences).filter(of_draws).count();
    let chains = (0..draws.chains()).map(rows).collect();
    Ok(Measured { dim, chains, warm_up_gradients, gradients, seconds, divergences })
}
