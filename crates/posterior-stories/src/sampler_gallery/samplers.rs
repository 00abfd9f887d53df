//! Eight samplers on the ridge.

use std::f64::consts::PI;
use std::io::Write;
use std::time::Instant;

use posterior::dist::stream::stream;
use posterior::dist::target::Target;
use posterior::report::{Card, path, trace};
use posterior::sampling::diagnostics::{ess_bulk, mcse_mean, rhat};
use posterior::sampling::gibbs::Gibbs;
use posterior::sampling::hamiltonian::{Hmc, Nuts, PathLength};
use posterior::sampling::importance::importance_sampling;
use posterior::sampling::metropolis::RandomWalk;
use posterior::sampling::rejection::{RejectionOptions, rejection};
use posterior::sampling::{Adapt, Draws, Run, Sampled, Start, Transition, Untuned};

use super::targets::{Ridge, Round};
use super::{CHAINS, DRAWS, Pictures, RHO, SEED, WARM_UP};
use crate::Outcome;

/// Rejection and importance sampling, from the same round distribution.
fn independent(out: &mut dyn Write, pictures: &mut Pictures) -> Outcome<()> {
    let wide = Round { dim: 2, sd: (1.0 + RHO).sqrt() };
    let begin = Instant::now();
    let ln_ratio = |x: &Vec<f64>| Ridge.ln_density(x).unwrap_or(f64::NEG_INFINITY) - wide.ln_pdf(x);
    let options = RejectionOptions { ln_bound: ln_ratio(&vec![0.0; 2]), ..RejectionOptions::default() };
    let accepted = rejection(&wide, ln_ratio, CHAINS * DRAWS, &options, &mut stream(SEED, &[0]))?;
    let seconds = begin.elapsed().as_secs_f64();
    let quarters = accepted.draws.chunks(DRAWS).map(<[Vec<f64>]>::concat).collect();
    let draws = Draws::new(vec!["x[0]".to_owned(), "x[1]".to_owned()], quarters)?;
    let name = format!("rejection ({:.0} % accepted)", 100.0 * accepted.acceptance.value);
    pictures.ridge = places(&draws, 0, 600);
    row(out, &name, &draws, seconds, 0, pictures)?;

    let begin = Instant::now();
    let weighted = importance_sampling(&Ridge, &wide, CHAINS * DRAWS, &mut stream(SEED, &[1]))?;
    let estimate = weighted.expectation(|x| x[0] * x[0])?;
    let (ess, seconds) = (weighted.weights().ess(), begin.elapsed().as_secs_f64());
    writeln!(
        out,
        "{:28} {:7.3} ± {:6.3} {ess:6.0} {:8.3} {:8.1} {:>6} {:>9}",
        "importance",
        estimate.value,
        estimate.standard_error,
        ess / (CHAINS * DRAWS) as f64,
        ess / seconds / 1e3,
        "-",
        "-"
    )?;
    Ok(())
}

pub(super) fn sampled<T, A>(target: &T, sampler: &A) -> Outcome<(Sampled<A::Tuned>, f64)>
where
    T: Target + Sync,
    A: Adapt<T, Progress: Send, Tuned: Transition<T, State: Send> + Send> + Sync,
{
    let begin = Instant::now();
    let run = Run { chains: CHAINS, draws: DRAWS, warm_up: WARM_UP, seed: SEED, ..Run::default() };
    let sampled = run.sample(target, sampler, &Start::default())?;
    Ok((sampled, begin.elapsed().as_secs_f64()))
}

fn chains<A>(out: &mut dyn Write, name: &str, sampler: &A, pictures: &mut Pictures) -> Outcome<()>
where
    A: Adapt<Ridge, Progress: Send, Tuned: Transition<Ridge, State: Send> + Send> + Sync,
{
    let (sampled, seconds) = sampled(&Ridge, sampler)?;
    row(out, name, &sampled.draws, seconds, divergent(&sampled), pictures)
}

/// Divergences among the draws, those of the warm-up apart.
pub(super) fn divergent<K>(sampled: &Sampled<K>) -> usize {
    let all = sampled.chains.iter().flat_map(|chain| &chain.divergences);
    all.filter(|divergence| divergence.iteration >= WARM_UP).count()
}

/// The first places of a chain.
fn places(draws: &Draws, chain: usize, count: usize) -> Vec<(f64, f64)> {
    (0..count.min(draws.len())).map(|i| draws.draw(chain, i)).map(|x| (x[0], x[1])).collect()
}

fn row(
    out: &mut dyn Write,
    name: &str,
    draws: &Draws,
    seconds: f64,
    divergent: usize,
    pictures: &mut Pictures,
) -> Outcome<()> {
    let x = draws.parameter(0);
    let squares: Vec<Vec<f64>> = x.iter().map(|chain| chain.iter().map(|x| x * x).collect()).collect();
    let mean = squares.concat().iter().sum::<f64>() / (draws.chains() * draws.len()) as f64;
    let (ess, error) = (ess_bulk(&x)?, mcse_mean(&squares)?);
    writeln!(
        out,
        "{name:28} {mean:7.3} ± {error:6.3} {ess:6.0} {:8.3} {:8.1} {:6.3} {divergent:9}",
        ess / (draws.chains() * draws.len()) as f64,
        ess / seconds / 1e3,
        rhat(&x)?,
    )?;
    if ["Gibbs", "No-U-Turn, tuned", "random walk, steps of 0.05"].contains(&name) {
        pictures.worth.push((name.to_owned(), ess));
    }
    let walk = places(draws, 0, 100);
    pictures.cards.push(Card {
        title: name.to_owned(),
        meta: format!(
            "mean of x₀² {mean:.3} ± {error:.3}, worth {ess:.0} of {} draws, R-hat {:.3}",
            DRAWS * CHAINS,
            rhat(&x)?
        ),
        pictures: vec![trace("x₀", &x), path("The first moves", ("x₀", "x₁"), &pictures.ridge, &walk)],
    });
    Ok(())
}

/// Every sampler in turn.
pub(super) fn all(out: &mut dyn Write, pictures: &mut Pictures) -> Outcome<()> {
    independent(out, pictures)?;
    for scale in [0.05, 0.5, 5.0] {
        let name = format!("random walk, steps of {scale}");
        chains(out, &name, &Untuned(RandomWalk::new(scale)?), pictures)?;
    }
    chains(out, "Gibbs", &Untuned(Gibbs::systematic()), pictures)?;
    let length = PathLength::Length { time: PI / 2.0, jitter: 0.3, max_steps: 100 };
    chains(out, "Hamiltonian, tuned", &Hmc { path: length, ..Hmc::default() }, pictures)?;
    chains(out, "No-U-Turn, tuned", &Nuts::default(), pictures)
}
