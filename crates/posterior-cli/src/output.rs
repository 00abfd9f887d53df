//! What goes to stdout and stderr.

use std::io::{BufWriter, ErrorKind, IsTerminal as _, Write};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
pub(crate) use posterior_report::grouped;
use serde::Serialize;

use crate::failure::Failure;

/// What is said where an interval or a probability comes from fitted parameters that are used as if they were
/// known.
pub(crate) const PARAMETERS_KNOWN: &str = "Parameters are taken as known, though they were estimated: with few observations (fewer than about 100) intervals \
                                           are too short and probabilities too sure";

/// Writes text to stdout.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_by(|out| out.write_all(text.as_bytes()))
}

/// Lets `write` write to stdout, a piece at a time.
pub(crate) fn print_by(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
    let mut stdout = Stdout { lock: std::io::stdout().lock(), closed: false };
    let mut buffered = BufWriter::new(&mut stdout);
    let written = write(&mut buffered).and_then(|()| buffered.flush());
    drop(buffered.into_parts());
    match written {
        Ok(()) => Ok(()),
        Err(_) if stdout.closed => Err(Failure::OutputClosed),
        Err(error) => Err(Failure::data(format!("standard output: {error}"))),
    }
}

/// Standard output that remembers that nobody reads it: what writes through others reports errors of its own.
struct Stdout {
    lock: std::io::StdoutLock<'static>,
    closed: bool,
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.lock.write(bytes);
        self.closed |= written.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
        written
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let flushed = self.lock.flush();
        self.closed |= flushed.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
        flushed
    }
}

/// Writes one JSON document to stdout.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string(value).map_err(|error| Failure::data(error.to_string()))?;
    text.push('\n');
    print(&text)
}

/// Writes a note to stderr, unless `quiet`.
pub(crate) fn note(quiet: bool, text: &str) {
    if !quiet {
        // A note that cannot be reported is not worth failing for.
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}

/// A progress bar on stderr when that is a terminal, else nothing.
pub(crate) fn progress_bar(steps: usize, quiet: bool) -> ProgressBar {
    let target = if quiet || !std::io::stderr().is_terminal() {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let bar = ProgressBar::with_draw_target(Some(steps as u64), target);
    let template = "{bar:32.cyan/dim} {pos}/{len}  {msg}  {left}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    // Before the first step nobody knows.
    let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        if state.pos() > 0 {
            let _ = write!(out, "{:#} left", HumanDuration(state.eta()));
        }
    };
    bar.set_style(style.with_key("left", left));
    bar
}

/// How the program was called.
pub(crate) fn called() -> String {
    let quoted = |word: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("posterior".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// A number to four significant digits.
pub(crate) fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    // Of the rounded number: 0.99999 is 1.000.
    let scientific = format!("{value:.3e}");
    let magnitude = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    match magnitude.filter(|own| (-4..7).contains(own)) {
        Some(magnitude) => format!("{value:.*}", (3 - magnitude).max(0) as usize),
        None => scientific,
    }
}

/// A number in the fewest digits from which it can be read back, with an exponent where it is far from 1.
pub(crate) fn shortest(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The cell of a file for a number: empty where there is none.
pub(crate) fn cell(value: f64) -> String {
    if value.is_nan() { String::new() } else { shortest(value) }
}

/// "1st", "2nd", "3rd", "4th", "11th".
pub(crate) fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// A probability in percent, to four significant digits.
pub(crate) fn percent(p: f64) -> String {
    if p >= 1.0 {
        return "100 %".to_owned();
    }
    let text = significant(100.0 * p);
    // So near to one that four digits do not show it.
    if text.starts_with("100") { "> 99.99 %".to_owned() } else { format!("{text} %") }
}

/// A bar of at most 20 columns for a proportion from 0 to 1.
pub(crate) fn bar(proportion: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (proportion.clamp(0.0, 1.0) * 160.0).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_are_those_of_english() {
        let all = [1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111, 112].map(ordinal);
        let expected =
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th", "112th"];
        assert_eq!(all, expected);
    }

    #[test]
    fn numbers_in_files_are_short_and_exact() {
        let all = [1.0, -0.5, 0.1, 1e-200, 2.5e300, 123456.0, 1e16, f64::NAN, f64::INFINITY].map(shortest);
        assert_eq!(all, ["1", "-0.5", "0.1", "1e-200", "2.5e300", "123456", "1e16", "NaN", "inf"]);
        for value in [1.0 / 3.0, 5e-324, 1.797e308, 0.1 + 0.2] {
            assert_eq!(shortest(value).parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(significant(0.0123456), "0.01235");
        assert_eq!(significant(-8.61234), "-8.612");
        assert_eq!(significant(1234567.0), "1234567");
        assert_eq!([0.99999, -99.999, 0.00009].map(significant), ["1.000", "-100.0", "9.000e-5"]);
        assert_eq!(significant(f64::NEG_INFINITY), "-inf");
        assert_eq!([1.0, 0.999_999, 0.25, 0.0].map(percent), ["100 %", "> 99.99 %", "25.00 %", "0 %"]);
        assert_eq!(
            [1.0, 0.0, 0.25, 0.003].map(bar),
            ["█".repeat(20), String::new(), "█".repeat(5), String::new()]
        );
    }
}
