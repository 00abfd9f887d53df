//! The same numbers by a chain on the exact posterior.

use posterior::hierarchical::{Error, ExactPosterior, HierarchicalFit, HierarchicalModel};
use posterior::sampling::{Run, Start};

use super::super::effects_answer::Verified;

/// Draws of each chain.
const DRAWS: usize = 2000;

/// Coefficients and hyperparameters of a fit beside those of a chain of the No-U-Turn sampler.
pub(super) fn verified(
    model: &HierarchicalModel,
    fit: &HierarchicalFit<'_>,
    coefficients: &[String],
    seed: u64,
) -> Result<Vec<Verified>, Error> {
    let target = ExactPosterior::new(model)?;
    let run = Run { seed, draws: DRAWS, ..Run::default() };
    let draws = run.sample(&target, &target.sampler(), &Start::default())?.draws;
    let mut failed = None;
    let draws = draws.map(target.names(), |point, out| match target.values(point) {
        Ok(values) => out.copy_from_slice(&values),
        Err(error) => failed = Some(error),
    })?;
    if let Some(error) = failed {
        return Err(Error::Sampling(error.into()));
    }
    let mut all = Vec::new();
    for row in draws.summary().parameters {
        let (mean, sd) = match fit.hyperparameter(&row.name) {
            Ok(own) => (own.mean(), own.sd()),
            Err(_) if coefficients.contains(&row.name) => {
                let own = fit.fixed(&row.name)?;
                (own.mean(), own.sd())
            }
            Err(_) => continue,
        };
        let chain_mean = row.mean.unwrap_or(f64::NAN);
        all.push(Verified {
            name: row.name,
            mean,
            sd,
            chain_mean,
            chain_sd: row.sd.unwrap_or(f64::NAN),
            difference_in_mcse: (mean - chain_mean) / row.mcse.unwrap_or(f64::NAN),
            rhat: row.rhat.unwrap_or(f64::NAN),
            ess_bulk: row.ess_bulk.unwrap_or(f64::NAN),
        });
    }
    Ok(all)
}
