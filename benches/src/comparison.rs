//! What all comparisons share: what they are asked for, the scripts of peers, and tables in Markdown with a
//! ratio.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};

/// A result whose error may come from another thread.
pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// What a comparison is asked for.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// What is compared.
    pub subject: String,
    /// The Python program that has the peers, or that of R for scripts of R, if there is one.
    pub python: Option<String>,
    /// Whether this is a smoke test: all that is measured, at sizes at which figures say nothing.
    pub quick: bool,
}

impl Settings {
    /// Those of the command line: `SUBJECT [PYTHON] [--quick]`.
    pub fn from_arguments() -> Self {
        let mut arguments = std::env::args().skip(1);
        let mut settings = Self { subject: arguments.next().unwrap_or_default(), ..Self::default() };
        for argument in arguments {
            if argument == "--quick" {
                settings.quick = true;
            } else {
                settings.python = Some(argument);
            }
        }
        settings
    }

    /// One size or the other.
    pub fn size<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// A script of the folder `peers` on this folder and so many threads, if there is a Python program.
    pub fn script(&self, script: &str, folder: &Path, threads: usize) -> Option<Command> {
        let mut command = Command::new(self.python.as_ref()?);
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(script)).arg(folder);
        if self.quick {
            command.arg("--quick");
        }
        // For comparisons of whole programs: ours, which is built beside this one.
        if let Ok(program) = std::env::current_exe() {
            command.env("POSTERIOR", program.with_file_name("posterior"));
        }
        for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"] {
            command.env(variable, threads.to_string());
        }
        Some(command)
    }

    /// What such a script prints to its end, if there is a Python program.
    ///
    /// # Errors
    /// If the program does not start, or fails.
    pub fn printed(&self, script: &str, folder: &Path, threads: usize) -> Outcome<Option<String>> {
        let Some(mut command) = self.script(script, folder, threads) else { return Ok(None) };
        let output = command.stderr(Stdio::piped()).output()?;
        if !output.status.success() {
            return Err(format!("{script}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(Some(String::from_utf8(output.stdout)?))
    }
}

/// Prints the head of a table: columns of text, and columns of figures behind them.
pub fn print_head(texts: &[&str], figures: &[&str]) {
    println!("{}", head(texts, figures));
}

/// Prints a line of a table.
pub fn print_row<S: AsRef<str>>(cells: &[S]) {
    println!("{}", row(cells));
}

fn head(texts: &[&str], figures: &[&str]) -> String {
    let names = [texts, figures].concat();
    format!("{}\n|{}{}", row(&names), "---|".repeat(texts.len()), "--:|".repeat(figures.len()))
}

fn row<S: AsRef<str>>(cells: &[S]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |", cells.join(" | "))
}

/// A number with so many decimals, or a dash where there is none.
pub fn figure(number: impl Into<Option<f64>>, decimals: usize) -> String {
    match number.into() {
        Some(number) if number.is_finite() => format!("{number:.decimals$}"),
        _ => "-".to_owned(),
    }
}

/// Ours / theirs with two digits, or a dash where one of them is missing.
pub fn ratio(ours: impl Into<Option<f64>>, theirs: impl Into<Option<f64>>) -> String {
    let (Some(ours), Some(theirs)) = (ours.into(), theirs.into()) else { return "-".to_owned() };
    let ratio: f64 = if f64::is_finite(theirs) { ours / theirs } else { f64::NAN };
    // Two digits that count, whatever the size.
    let decimals = if ratio >= 10.0 { 0 } else { (1.0 - ratio.log10().floor()).clamp(1.0, 4.0) as usize };
    figure(ratio, decimals)
}

/// The middle of some figures, NaN of none.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_two_digits_and_dashes_where_a_number_is_missing() {
        let shown = [(1.0, 3.0), (1.0, 57.0), (3.0, 2.0), (300.0, 2.0), (1.0, 0.0)].map(|(a, b)| ratio(a, b));
        assert_eq!(shown, ["0.33", "0.018", "1.5", "150", "-"]);
        assert_eq!([ratio(1.0, None), ratio(1.0, f64::INFINITY)], ["-", "-"]);
    }

    #[test]
    fn a_table_has_text_to_the_left_and_figures_to_the_right() {
        assert_eq!(head(&["task"], &["ours", "ratio"]), "| task | ours | ratio |\n|---|--:|--:|");
        assert_eq!(row(&["a".to_owned(), figure(0.5, 2), figure(f64::NAN, 1)]), "| a | 0.50 | - |");
    }
}
