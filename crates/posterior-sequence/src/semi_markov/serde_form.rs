//! Models as data, checked on reading: logarithms of probabilities, `null` for that of 0.

use posterior_math::check::{self, DimensionError};
use posterior_math::log_space::ln_sum_exp;
use serde::{Deserialize, Serialize};

use super::durations::{DurationFamily, Durations};
use super::model::{Begin, End, SemiMarkovModel, Window};
use crate::emission::Emissions;
use crate::error::Error;

/// How far from one the sum of probabilities may be.
const SUM_TOLERANCE: f64 = 1e-9;

/// Logarithms, of which JSON has not all.
type LnRow = Vec<Option<f64>>;

/// A model as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written<E> {
    ln_initial: LnRow,
    ln_transition: Vec<LnRow>,
    durations: Vec<Durations>,
    emissions: E,
    /// Whether a sequence begins at some time within its first segment, and ends within its last.
    begins_within: bool,
    ends_within: bool,
}

/// Durations as they stand in a file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum WrittenDurations {
    Table { ln_probabilities: LnRow },
    Poisson { rate: f64, longest: usize },
    NegativeBinomial { size: f64, stay: f64, longest: usize },
}

fn written(row: &[f64]) -> LnRow {
    row.iter().map(|&ln| Some(ln).filter(|ln| *ln > f64::NEG_INFINITY)).collect()
}

/// Logarithms of probabilities that sum to one, as they are.
fn read(row: &LnRow, parameter: &'static str) -> Result<Vec<f64>, Error> {
    let row: Vec<f64> = row.iter().map(|ln| ln.unwrap_or(f64::NEG_INFINITY)).collect();
    let sum = ln_sum_exp(&row).exp();
    let fits = (sum - 1.0).abs() <= SUM_TOLERANCE;
    check::require(fits, "SemiMarkovModel", parameter, sum, "probabilities that sum to 1")?;
    Ok(row)
}

impl<E> From<SemiMarkovModel<E>> for Written<E> {
    fn from(model: SemiMarkovModel<E>) -> Self {
        let states = model.durations.len();
        Self {
            ln_initial: written(&model.ln_initial),
            ln_transition: model.ln_transitions.chunks_exact(states).map(written).collect(),
            durations: model.durations,
            emissions: model.emissions,
            begins_within: model.window.begin == Begin::Running,
            ends_within: model.window.end == End::Running,
        }
    }
}

impl<E: Emissions> TryFrom<Written<E>> for SemiMarkovModel<E> {
    type Error = Error;

    fn try_from(file: Written<E>) -> Result<Self, Error> {
        let states = file.emissions.states();
        let columns = file.ln_transition.iter().map(|row| ("columns of the transitions", row.len()));
        let sizes = [
            ("initial probabilities", file.ln_initial.len()),
            ("rows of the transitions", file.ln_transition.len()),
            ("distributions of durations", file.durations.len()),
        ];
        for (what, found) in sizes.into_iter().chain(columns) {
            if found != states || states == 0 {
                return Err(DimensionError::new(what, states.max(1), found).into());
            }
        }
        let rows = file.ln_transition.iter().map(|row| read(row, "transition"));
        Ok(Self {
            ln_initial: read(&file.ln_initial, "initial probabilities")?,
            ln_transitions: rows.collect::<Result<Vec<_>, _>>()?.concat(),
            durations: file.durations,
            emissions: file.emissions,
            window: Window {
                begin: if file.begins_within { Begin::Running } else { Begin::Segment },
                end: if file.ends_within { End::Running } else { End::Segment },
            },
        })
    }
}

impl From<Durations> for WrittenDurations {
    fn from(durations: Durations) -> Self {
        let longest = durations.longest();
        match durations.family() {
            DurationFamily::Table => Self::Table { ln_probabilities: written(durations.ln_probabilities()) },
            DurationFamily::Poisson { rate } => Self::Poisson { rate, longest },
            DurationFamily::NegativeBinomial { size, stay } => Self::NegativeBinomial { size, stay, longest },
        }
    }
}

impl TryFrom<WrittenDurations> for Durations {
    type Error = Error;

    fn try_from(file: WrittenDurations) -> Result<Self, Error> {
        Ok(match file {
            WrittenDurations::Table { ln_probabilities } => {
                Self::of_table(read(&ln_probabilities, "probabilities of durations")?)
            }
            WrittenDurations::Poisson { rate, longest } => Self::poisson(rate, longest)?,
            WrittenDurations::NegativeBinomial { size, stay, longest } => {
                Self::negative_binomial(size, stay, longest)?
            }
        })
    }
}
