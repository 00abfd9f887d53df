//! The verdict on a sampler.

use std::fmt;

use super::Ranks;

/// The levels whose coverage the table shows.
const LEVELS: [f64; 2] = [0.5, 0.9];

/// The ranks of all quantities.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CalibrationReport {
    /// One for each parameter, then one for each quantity of the model.
    pub quantities: Vec<Ranks>,
}

impl CalibrationReport {
    /// The ranks of the quantity of this name.
    pub fn named(&self, name: &str) -> Option<&Ranks> {
        self.quantities.iter().find(|ranks| ranks.name() == name)
    }

    /// The least p-value of all quantities, times their number (Bonferroni).
    pub fn p_value(&self) -> f64 {
        let least = self.quantities.iter().map(Ranks::p_value).fold(1.0, f64::min);
        (least * self.quantities.len() as f64).min(1.0)
    }

    /// Whether the ranks of all quantities may be uniform: a right sampler fails with no more than the
    /// probability `level`.
    ///
    /// In tests with fixed seeds take a small one such as 1e-6; a fault that matters is far below.
    pub fn passes(&self, level: f64) -> bool {
        self.p_value() >= level
    }
}

impl fmt::Display for CalibrationReport {
    /// A table: for each quantity the mean rank (1/2 is right), coverages, and p-values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            self.quantities.iter().map(|ranks| ranks.name().chars().count()).max().unwrap_or(0).max(8);
        write!(f, "{:width$}  mean rank", "quantity")?;
        for level in LEVELS {
            write!(f, "  cover {level:.2}")?;
        }
        writeln!(f, "  p histogram  p distribution")?;
        for ranks in &self.quantities {
            write!(f, "{:width$}  {:9.3}", ranks.name(), ranks.mean())?;
            for level in LEVELS {
                match ranks.coverage(level) {
                    Ok(coverage) => write!(f, "  {:10.3}", coverage.rate())?,
                    Err(_) => write!(f, "  {:>10}", "-")?,
                }
            }
            let [histogram, distribution] = [ranks.chi_square_p_value(), ranks.ecdf_p_value()].map(p_text);
            writeln!(f, "  {histogram:>11}  {distribution:>14}")?;
        }
        Ok(())
    }
}

/// A p-value; with an exponent where three decimals would not show it.
fn p_text(p: f64) -> String {
    if p < 1e-3 { format!("{p:.1e}") } else { format!("{p:.3}") }
}
