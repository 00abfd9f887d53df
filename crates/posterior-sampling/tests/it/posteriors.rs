//! Real posteriors, against the draws of Stan.
//!
//! Whatever the sampler, means and standard deviations of all parameters are within four standard errors of
//! the reference, those of the reference counted; and the chains have met.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_sampling::diagnostics::{mcse_mean, mcse_sd, mean, rhat, sd};
use posterior_sampling::hamiltonian::{Hmc, MetricChoice, Nuts};
use posterior_sampling::metropolis::AdaptiveWalk;
use posterior_sampling::slice::AdaptiveSlice;
use posterior_sampling::{Adapt, Draws, Run, Start, Transition};
use posterior_testkit::posteriors::{Model, NAMES, Posterior};

/// Standard errors.
const MOST: f64 = 4.0;
/// Chains that have met have no larger R-hat.
const MET: f64 = 1.03;

/// Where the chains start.
#[derive(Clone, Copy)]
enum From {
    /// Anywhere.
    Anywhere,
    /// At the means of the reference: what is tested is the distribution that the sampler leaves alone, not
    /// how it finds its way there.
    Means,
}

/// Runs the sampler on these posteriors.
#[track_caller]
fn agrees_with_stan<A>(test: &str, names: &[&str], sampler: &A, run: &Run, from: From)
where
    A: Adapt<dyn Model, Progress: Send, Tuned: Transition<dyn Model, State: Send> + Send> + Sync,
{
    for name in names {
        if let Some(posterior) = Posterior::load(test, name) {
            let start = match from {
                From::Anywhere => Start::default(),
                From::Means => Start::At(posterior.model.unconstrain(&posterior.reference.means)),
            };
            let found = run.sample(&*posterior.model, sampler, &start).unwrap();
            let wrong: Vec<_> = errors(&posterior, &found.draws)
                .into_iter()
                .filter(|(_, error)| !(error.abs() < MOST))
                .collect();
            assert!(wrong.is_empty(), "{name}: {wrong:?}");
        }
    }
}

/// For each parameter the errors of its mean and its standard deviation, in standard errors.
fn errors(posterior: &Posterior, free: &Draws) -> Vec<(String, f64)> {
    let reference = &posterior.reference;
    let draws = free.map(reference.names.clone(), |free, row| posterior.model.constrain(free, row)).unwrap();
    let sd_errors = reference.sd_errors();
    let mut errors = Vec::new();
    for (k, name) in reference.names.iter().enumerate() {
        let chains = draws.parameter(k);
        let rhat = rhat(&chains).unwrap();
        assert!(rhat < MET, "the chains of {name} have not met: {rhat}");
        let error = mcse_mean(&chains).unwrap().hypot(reference.mean_errors[k]);
        errors.push((format!("mean of {name}"), (mean(&chains).unwrap() - reference.means[k]) / error));
        let error = mcse_sd(&chains).unwrap().hypot(sd_errors[k]);
        errors.push((format!("spread of {name}"), (sd(&chains).unwrap() - reference.sds[k]) / error));
    }
    errors
}

#[test]
fn nuts_agrees_on_all() {
    agrees_with_stan("nuts", &NAMES, &Nuts::default(), &Run { seed: 1, ..Run::default() }, From::Anywhere);
}

#[test]
#[ignore = "slow"]
fn nuts_with_metrics_of_correlations_agrees_on_all() {
    for metric in [MetricChoice::Dense, MetricChoice::LOW_RANK] {
        let sampler = Nuts { metric, ..Nuts::default() };
        agrees_with_stan("nuts, dense", &NAMES, &sampler, &Run { seed: 2, ..Run::default() }, From::Anywhere);
    }
}

#[test]
fn paths_of_given_length_agree_on_all() {
    let sampler = Hmc { metric: MetricChoice::Dense, ..Hmc::default() };
    agrees_with_stan("hmc", &NAMES, &sampler, &Run { seed: 3, ..Run::default() }, From::Anywhere);
}

/// Columns of very different sizes that are correlated too: a random walk learns their covariance slowly.
const BADLY_SCALED: [&str; 2] = ["earnings-logearn_interaction", "kidiq-kidscore_interaction"];

#[test]
#[ignore = "slow"]
fn random_walks_agree_on_all() {
    let names: Vec<&str> = NAMES.into_iter().filter(|name| !BADLY_SCALED.contains(name)).collect();
    let run = Run { seed: 4, warm_up: 5000, draws: 10_000, ..Run::default() };
    agrees_with_stan("random walks", &names, &AdaptiveWalk::default(), &run, From::Means);
    let run = Run { warm_up: 100_000, thin: 5, ..run };
    agrees_with_stan("random walks", &BADLY_SCALED, &AdaptiveWalk::default(), &run, From::Means);
}

/// One coordinate after the other: where they are not too correlated.
#[test]
#[ignore = "slow"]
fn slices_agree_where_coordinates_are_little_correlated() {
    let names = [
        "arK-arK",
        "eight_schools-eight_schools_noncentered",
        "gp_pois_regr-gp_regr",
        "mesquite-logmesquite",
        "sblrc-blr",
    ];
    let run = Run { seed: 5, draws: 5000, ..Run::default() };
    agrees_with_stan("slices", &names, &AdaptiveSlice::default(), &run, From::Anywhere);
}
