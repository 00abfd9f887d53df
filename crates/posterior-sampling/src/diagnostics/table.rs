//! The summary as aligned text.

use std::fmt;

use super::{ChainSummary, ParameterSummary, Undefined};

impl fmt::Display for ChainSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<[String; 10]> = self.parameters.iter().map(cells).collect();
        // To as many digits as a level is given with.
        let percent = |p: f64| format!("{} %", (p * 1e12).round() / 1e10);
        let (low, high) = (percent(0.5 * (1.0 - self.level)), percent(0.5 * (1.0 + self.level)));
        let header = ["", "mean", "mcse", "sd", &low, "50 %", &high, "ess_bulk", "ess_tail", "rhat"]
            .map(str::to_owned);
        let width = |column: usize| {
            let cells = rows.iter().chain([&header]).map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: [usize; 10] = std::array::from_fn(width);
        for row in std::iter::once(&header).chain(&rows) {
            write!(f, "{:<width$}", row[0], width = widths[0])?;
            for (cell, width) in row.iter().zip(widths).skip(1) {
                write!(f, "  {cell:>width$}")?;
            }
            writeln!(f)?;
        }
        let several = |count: usize| if count == 1 { "" } else { "s" };
        let (chains, draws) = (self.chains, self.draws);
        writeln!(f, "{chains} chain{} of {draws} draw{}", several(chains), several(draws))?;
        for warning in &self.warnings {
            writeln!(f, "warning: {warning}")?;
        }
        Ok(())
    }
}

fn cells(own: &ParameterSummary) -> [String; 10] {
    let short = |figure: Result<f64, Undefined>| figure.map_or_else(|_| "-".to_owned(), significant);
    let fixed = |figure: Result<f64, Undefined>, digits: usize| {
        figure.map_or_else(|_| "-".to_owned(), |value| format!("{value:.digits$}"))
    };
    // The mean has the digits that its error leaves it.
    let mean = match (own.mean, own.mcse) {
        (Ok(mean), Ok(mcse)) if (1e-8..1e8).contains(&mcse) && mean.abs() < 1e12 => {
            format!("{mean:.*}", (1.0 - mcse.log10().floor()).max(0.0) as usize)
        }
        _ => short(own.mean),
    };
    [
        own.name.clone(),
        mean,
        own.mcse.map_or_else(|_| "-".to_owned(), |mcse| digits(mcse, 2)),
        short(own.sd),
        short(own.low),
        short(own.q50),
        short(own.high),
        fixed(own.ess_bulk, 0),
        fixed(own.ess_tail, 0),
        fixed(own.rhat, 3),
    ]
}

/// A number to four significant digits.
fn significant(value: f64) -> String {
    digits(value, 4)
}

fn digits(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let magnitude = value.abs().log10().floor() as i32;
    if !(-4..7).contains(&magnitude) {
        return format!("{value:.*e}", (digits - 1) as usize);
    }
    format!("{value:.*}", (digits - 1 - magnitude).max(0) as usize)
}
