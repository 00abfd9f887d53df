//! NumPyro, measured.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::logistic_data::LogisticData;
use super::measured::Measured;
use crate::comparison::Settings;

/// The Python program, which waits for targets and seeds.
#[derive(Debug)]
pub struct NumPyro {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    folder: tempfile::TempDir,
}

impl NumPyro {
    /// Starts it, with the data of the logistic regression, if a Python program was named.
    ///
    /// # Errors
    /// If it can't be started.
    pub fn start(settings: &Settings, data: &LogisticData) -> Result<Option<Self>, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let Some(mut command) = settings.script("numpyro_nuts.py", folder.path(), 1) else { return Ok(None) };
        let mut text = String::new();
        for (row, label) in data.rows.chunks_exact(data.features).zip(&data.labels) {
            write!(text, "{label}")?;
            for x in row {
                write!(text, ",{x:?}")?;
            }
            text.push('\n');
        }
        std::fs::write(folder.path().join("logistic.csv"), text)?;
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let questions = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Some(Self { child, questions, answers, folder }))
    }

    /// Four chains of 1,000 + 1,000 steps on the target of this number, which has `dim` coordinates.
    ///
    /// # Errors
    /// If the program ended.
    pub fn run(&mut self, number: usize, dim: usize, seed: u64) -> Result<Measured, Box<dyn Error>> {
        let questions = self.questions.as_mut().ok_or("no input")?;
        writeln!(questions, "{number} {seed}")?;
        questions.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let numbers: Vec<f64> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let &[warm_up, draws, seconds, divergences] = numbers.as_slice() else {
            return Err("the Python program ended; does it have numpyro?".into());
        };
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

impl Drop for NumPyro {
    fn drop(&mut self) {
        self.questions = None; // the end of its input ends it
        let _ = self.child.wait();
    }
}
