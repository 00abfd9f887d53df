//! An optimiser as it stands in a file, to be checked.

use posterior_gp::kernel::FreeScale;
use posterior_math::check;

use super::{Learned, Optimizer, Trial};
use crate::Error;
use crate::optimization::surrogate::kernel;
use crate::optimization::{OptimizerOptions, Space};

#[derive(serde::Deserialize)]
pub(super) struct Unchecked {
    space: Space,
    options: OptimizerOptions,
    trials: Vec<Trial>,
    pending: Vec<Vec<f64>>,
    asked: u64,
    designed: u64,
    learned: Option<Learned>,
}

impl TryFrom<Unchecked> for Optimizer {
    type Error = Error;

    fn try_from(raw: Unchecked) -> Result<Self, Error> {
        let mut optimizer = Self::new(raw.space, raw.options)?;
        for trial in raw.trials {
            match trial.value() {
                Some(value) => optimizer.tell_constrained(&trial.point, value, &trial.constrained)?,
                None => optimizer.tell_failure(&trial.point)?,
            }
        }
        raw.pending.iter().try_for_each(|point| optimizer.space.check(point))?;
        if let Some(learned) = &raw.learned {
            let scales: Vec<FreeScale> = kernel(&optimizer.space, &optimizer.options)?
                .parameters()
                .iter()
                .map(|own| own.scale)
                .collect();
            for values in std::iter::once(&learned.values).chain(&learned.constraints) {
                check_values(values, &scales)?;
            }
        }
        optimizer.pending = raw.pending;
        (optimizer.asked, optimizer.designed, optimizer.learned) = (raw.asked, raw.designed, raw.learned);
        Ok(optimizer)
    }
}

/// Values of hyperparameters on these scales; further ones are of the noise, and positive.
fn check_values(values: &[f64], scales: &[FreeScale]) -> Result<(), Error> {
    for (index, &value) in values.iter().enumerate() {
        let checked = match scales.get(index) {
            Some(FreeScale::Identity) => check::finite("Optimizer", "hyperparameters", value),
            _ => check::positive("Optimizer", "hyperparameters", value),
        };
        checked.map_err(|error| error.at(index))?;
    }
    Ok(())
}
