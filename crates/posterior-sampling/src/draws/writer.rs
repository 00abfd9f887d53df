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
    /// [`read_csv`](Self::read_csv) does too; see [`cmdstan`](Self::cmdstan).
    ///
    /// # Errors
    /// Of `out`; a chain that is not there, as [`io::ErrorKind::InvalidInput`].
    pub fn write_cmdstan(&self, chain: usize, out: impl Write) -> io::Result<()> {
        self.cmdstan(chain).write(out)
    }
}
