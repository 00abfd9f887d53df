//! Draws as files: a table, CmdStan's format, and the JSON of ArviZ.

use std::io::{self, Write};

use super::fields::quoted;
use super::{Draws, names};

impl Draws {
    /// Writes a table that [`read_csv`](Self::read_csv) reads again: the columns `chain` and `draw` (counted
    /// from 1), the parameters, and the statistics with `__` behind their names.
    ///
    /// # Errors
    /// Of `out`.
    pub fn write_csv(&self, mut out: impl Write) -> io::Result<()> {
        let statistics: Vec<String> =
            self.statistic_names().iter().map(|name| names::statistic_column(name)).collect();
        write!(out, "chain,draw")?;
        for name in self.names().iter().chain(&statistics) {
            write!(out, ",{}", quoted(name))?;
        }
        writeln!(out)?;
        for chain in 0..self.chains() {
            for draw in 0..self.len() {
                write!(out, "{},{}", chain + 1, draw + 1)?;
                for number in self.draw(chain, draw).iter().chain(self.statistics.row(chain, draw)) {
                    write!(out, ",{number:?}")?;
                }
                writeln!(out)?;
            }
        }
        out.flush()
    }

    /// Writes a chain as CmdStan does, a file for each, which ArviZ reads with `az.from_cmdstan` and
    /// [`read_csv`](Self::read_csv) does too.
    ///
    /// `theta[1,2]` becomes `theta.1.2`, counted from 1: the indices of a name that has a 0 are moved up by
    /// one. Where there is no statistic `lp`, the column `lp__`, by which such files are known, is `nan`.
    ///
    /// # Errors
    /// Of `out`; a chain that is not there, as [`io::ErrorKind::InvalidInput`].
    pub fn write_cmdstan(&self, chain: usize, mut out: impl Write) -> io::Result<()> {
        if chain >= self.chains() {
            let message = format!("there is no chain {chain} of {}", self.chains());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        writeln!(out, "# method = sample (Default)\n#   sample\n#     num_samples = {}", self.len())?;
        writeln!(out, "#     num_warmup = 0\n#     save_warmup = 0 (Default)\n#     thin = 1 (Default)")?;
        writeln!(out, "# id = {}", chain + 1)?;
        let statistics = self.statistic_names();
        let lp = statistics.iter().position(|name| name == "lp");
        let others: Vec<usize> = (0..statistics.len()).filter(|&place| Some(place) != lp).collect();
        let columns = std::iter::once("lp__".to_owned())
            .chain(others.iter().map(|&place| names::statistic_column(&statistics[place])))
            .chain(names::dotted(self.names()));
        let columns: Vec<String> = columns.map(|name| quoted(&name).into_owned()).collect();
        writeln!(out, "{}", columns.join(","))?;
        for draw in 0..self.len() {
            let row = self.statistics.row(chain, draw);
            write!(out, "{:?}", lp.map_or(f64::NAN, |place| row[place]))?;
            for number in others.iter().map(|&place| row[place]).chain(self.draw(chain, draw).iter().copied())
            {
                write!(out, ",{number:?}")?;
            }
            writeln!(out)?;
        }
        out.flush()
    }
}
