//! An optimiser as it stands in a file, to be checked.

use posterior_math::check;

use super::{Learned, Optimizer, Trial};
use crate::Error;
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
                Some(value) => optimizer.tell(&trial.point, value)?,
                None => optimizer.tell_failure(&trial.point)?,
            }
        }
        raw.pending.iter().try_for_each(|point| optimizer.space.check(point))?;
        if let Some(learned) = &raw.learned {
            for (index, &value) in learned.values.iter().enumerate() {
                check::positive("Optimizer", "hyperparameters", value).map_err(|error| error.at(index))?;
            }
        }
        optimizer.pending = raw.pending;
        (optimizer.asked, optimizer.designed, optimizer.learned) = (raw.asked, raw.designed, raw.learned);
        Ok(optimizer)
    }
}
