//! Stan's own sampler of compiled programs, measured.

use std::path::Path;

use crate::comparison::{Outcome, Settings};
use crate::peers::Conversation;

/// The Python program, which waits for programs and data.
#[derive(Debug)]
pub struct StanCompiler {
    program: Conversation,
    folder: tempfile::TempDir,
}

/// A chain of 1,000 + 1,000 steps.
#[derive(Debug)]
pub struct StanChain {
    /// The names of the columns: `theta.1`.
    pub names: Vec<String>,
    /// The draws, one after another.
    pub draws: Vec<f64>,
    /// Seconds of compiling.
    pub compiling: f64,
    /// Seconds of the chain.
    pub seconds: f64,
    /// Gradients in a second of the draws, everything else that the sampler does counted in.
    pub gradients_per_second: f64,
    /// Divergences among the draws.
    pub divergences: f64,
}

impl StanCompiler {
    /// Starts it, if a Python program was named.
    ///
    /// # Errors
    /// If it can't be started.
    pub fn start(settings: &Settings) -> Outcome<Option<Self>> {
        let folder = tempfile::tempdir()?;
        let Some(script) = settings.script("stan_programs.py", folder.path(), 1) else { return Ok(None) };
        Ok(Some(Self { program: Conversation::start(script)?, folder }))
    }

    /// Compiles a program and draws a chain.
    ///
    /// # Errors
    /// If the program ended.
    pub fn run(&mut self, program: &Path, data: &Path, seed: u64) -> Outcome<StanChain> {
        let question = format!("{} {} {seed}", program.display(), data.display());
        let [compiling, warm_up, seconds, gradients, divergences] = self.program.ask(&question)?;
        let bytes = std::fs::read(self.folder.path().join("draws"))?;
        let names = std::fs::read_to_string(self.folder.path().join("names"))?;
        Ok(StanChain {
            names: names.lines().map(str::to_owned).collect(),
            draws: bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect(),
            compiling,
            seconds: warm_up + seconds,
            gradients_per_second: gradients / seconds,
            divergences,
        })
    }
}

impl StanChain {
    /// The draws of a column.
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let place = self.names.iter().position(|own| own == name)?;
        Some(self.draws.iter().skip(place).step_by(self.names.len()).copied().collect())
    }
}
