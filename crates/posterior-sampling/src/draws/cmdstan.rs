//! A chain as a file of CmdStan.

use std::io::{self, Write};

use super::fields::quoted;
use super::{Draws, names};

/// A chain, to be written as CmdStan does.
///
/// ```
/// use posterior_sampling::Draws;
///
/// let draws = Draws::new(vec!["theta[1]".to_owned()], vec![vec![0.5, 0.25]])?;
/// let mut file = Vec::new();
/// draws.cmdstan(0).method("generate_quantities").write(&mut file)?;
/// assert!(String::from_utf8(file)?.ends_with("lp__,theta.1\nNaN,0.5\nNaN,0.25\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct CmdstanFile<'a> {
    draws: &'a Draws,
    chain: usize,
    method: &'a str,
    warm_up: Option<(&'a Draws, f64)>,
}

impl Draws {
    /// A chain, counted from 0, as a file of CmdStan: what its draws were made by, and more, can be said of
    /// it.
    pub const fn cmdstan(&self, chain: usize) -> CmdstanFile<'_> {
        CmdstanFile { draws: self, chain, method: "sample", warm_up: None }
    }
}

impl<'a> CmdstanFile<'a> {
    /// The method of CmdStan that the file is said to be of: `sample` if nothing is said, else `optimize`,
    /// `laplace`, `pathfinder`, `generate_quantities`.
    #[must_use]
    pub const fn method(self, method: &'a str) -> Self {
        Self { method, ..self }
    }

    /// With the steps of the warm-up before the draws, and the step size that it ended with.
    #[must_use]
    pub const fn warm_up(self, steps: &'a Draws, step_size: f64) -> Self {
        Self { warm_up: Some((steps, step_size)), ..self }
    }

    /// Writes the file.
    ///
    /// `theta[1,2]` becomes `theta.1.2`, counted from 1: the indices of a name that has a 0 are moved up by
    /// one. Where there is no statistic `lp`, the column `lp__`, by which such files are known, is `NaN`.
    ///
    /// # Errors
    /// Of `out`; a chain that is not there and a warm-up with other columns, as
    /// [`io::ErrorKind::InvalidInput`].
    pub fn write(self, mut out: impl Write) -> io::Result<()> {
        let Self { draws, chain, method, warm_up } = self;
        let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidInput, message);
        if chain >= draws.chains() {
            return Err(wrong(format!("there is no chain {chain} of {}", draws.chains())));
        }
        let alike = |steps: &Draws| {
            steps.names() == draws.names()
                && steps.statistic_names() == draws.statistic_names()
                && steps.chains() > chain
        };
        if warm_up.is_some_and(|(steps, _)| !alike(steps)) {
            return Err(wrong("the warm-up has other columns than the draws".to_owned()));
        }
        let default = if method == "sample" { " (Default)" } else { "" };
        writeln!(out, "# method = {method}{default}\n#   {method}")?;
        if method == "sample" {
            let steps = warm_up.map_or(0, |(steps, _)| steps.len());
            let saved = if warm_up.is_some() { "1" } else { "0 (Default)" };
            writeln!(out, "#     num_samples = {}\n#     num_warmup = {steps}", draws.len())?;
            writeln!(out, "#     save_warmup = {saved}\n#     thin = 1 (Default)")?;
        }
        writeln!(out, "# id = {}", chain + 1)?;
        let statistics = draws.statistic_names();
        let lp = statistics.iter().position(|name| name == "lp");
        let others: Vec<usize> = (0..statistics.len()).filter(|&place| Some(place) != lp).collect();
        let columns = std::iter::once("lp__".to_owned())
            .chain(others.iter().map(|&place| names::statistic_column(&statistics[place])))
            .chain(names::dotted(draws.names()));
        let columns: Vec<String> = columns.map(|name| quoted(&name).into_owned()).collect();
        writeln!(out, "{}", columns.join(","))?;
        let rows = |all: &Draws, out: &mut dyn Write| -> io::Result<()> {
            for draw in 0..all.len() {
                let row = all.statistics.row(chain, draw);
                write!(out, "{:?}", lp.map_or(f64::NAN, |place| row[place]))?;
                let numbers = others.iter().map(|&place| row[place]);
                for number in numbers.chain(all.draw(chain, draw).iter().copied()) {
                    write!(out, ",{number:?}")?;
                }
                writeln!(out)?;
            }
            Ok(())
        };
        if let Some((steps, step_size)) = warm_up {
            rows(steps, &mut out)?;
            writeln!(out, "# Adaptation terminated\n# Step size = {step_size:?}")?;
        }
        rows(draws, &mut out)?;
        out.flush()
    }
}
