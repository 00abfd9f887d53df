//! NumPyro, measured.

use std::fmt::Write as _;

use super::logistic_data::LogisticData;
use super::measured::Measured;
use crate::comparison::{Outcome, Settings};
use crate::peers::Conversation;

/// The Python program, which waits for targets and seeds.
#[derive(Debug)]
pub struct NumPyro {
    program: Conversation,
    folder: tempfile::TempDir,
}

impl NumPyro {
    /// Starts it, with the data of the logistic regression, if a Python program was named.
    ///
    /// # Errors
    /// If it can't be started.
    pub fn start(settings: &Settings, data: &LogisticData) -> Outcome<Option<Self>> {
        let folder = tempfile::tempdir()?;
        let Some(script) = settings.script("numpyro_nuts.py", folder.path(), 1) else { return Ok(None) };
        let mut text = String::new();
        for (row, label) in data.rows.chunks_exact(data.features).zip(&data.labels) {
            write!(text, "{label}")?;
            for x in row {
                write!(text, ",{x:?}")?;
            }
            text.push('\n');
        }
        std::fs::write(folder.path().join("logistic.csv"), text)?;
        Ok(Some(Self { program: Conversation::start(script)?, folder }))
    }

    /// Four chains of 1,000 + 1,000 steps on the target of this number, which has `dim` coordinates.
    ///
    /// # Errors
    /// If the program ended.
    pub fn run(&mut self, number: usize, dim: usize, seed: u64) -> Outcome<Measured> {
        let [warm_up, draws, seconds, divergences] = self.program.ask(&format!("{number} {seed}"))?;
        let bytes = std::fs::read(self.folder.path().join("draws"))?;
        let values: Vec<f64> =
            bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect();
        Ok(Measured {
            dim,
            chains: values.chunks_exact(values.len() / 4).map(<[f64]>::to_vec).collect(),
            warm_up_gradients: warm_up as u64,
            gradients: draws as u64,
            seconds,
            divergences: divergences as usize,
        })
    }
}
