//! A row of the page: two routes to the same numbers, and how far apart they came out.

use std::fmt::{self, Display, Formatter};

/// What a layer returns.
pub(crate) type Rows = Result<Vec<Row>, Box<dyn std::error::Error + Send + Sync>>;

/// How two routes are held against each other.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Measure {
    /// Both are exact: the largest difference in units of the larger of the number and 1.
    Exact(f64),
    /// As `Exact`, where one of the two is a difference quotient, a quadrature or a search with a tolerance
    /// of its own.
    Numerical(f64),
    /// One is a bound of the other: the smallest and the largest gap, in nats; a bound that holds has no
    /// negative one.
    Gap(f64, f64),
    /// One is drawn: the largest difference in standard errors.
    StandardErrors(f64),
    /// One is drawn: the p-value of a chi-square test against the other.
    PValue(f64),
    /// One is an approximation without an error bar: the largest difference.
    Approximate(f64),
}

impl Display for Measure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exact(value) | Self::Numerical(value) => write!(f, "{}", magnitude(value)),
            Self::Gap(least, most) if least == most => write!(f, "{} nats", two_digits(least)),
            Self::Gap(least, most) => write!(f, "{} to {} nats", two_digits(least), two_digits(most)),
            Self::StandardErrors(value) => write!(f, "{value:.1} s.e."),
            Self::PValue(value) if value < 0.01 => write!(f, "p = {value:.0e}"),
            Self::PValue(value) => write!(f, "p = {value:.2}"),
            Self::Approximate(value) => f.write_str(&two_digits(value)),
        }
    }
}

/// A difference with one digit; what is below the rounding of one operation is a zero to every reader.
fn magnitude(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:.0e}") }
}

/// A number with two digits that count, in which rounding about zero is not seen.
fn two_digits(number: f64) -> String {
    if number.abs() < 1e-9 {
        return "0".to_owned();
    }
    let decimals = (1.0 - number.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{number:.decimals$}")
}

/// Numbers of two routes as they are compared.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Comparison {
    largest: f64,
    numbers: usize,
}

impl Comparison {
    /// One number by both routes. What is not a number on one route only counts as infinitely far.
    pub(crate) fn see(&mut self, ours: f64, theirs: f64) {
        let difference = if ours == theirs || (ours.is_nan() && theirs.is_nan()) {
            0.0
        } else {
            (ours - theirs).abs() / theirs.abs().max(1.0)
        };
        self.largest = self.largest.max(if difference.is_nan() { f64::INFINITY } else { difference });
        self.numbers += 1;
    }

    /// Lists of numbers, of the same length.
    pub(crate) fn see_all(&mut self, ours: &[f64], theirs: &[f64]) {
        if ours.len() != theirs.len() {
            self.largest = f64::INFINITY;
        }
        ours.iter().zip(theirs).for_each(|(&a, &b)| self.see(a, b));
    }

    /// The row that says so, for two exact routes.
    pub(crate) fn exact(
        self,
        what: &'static str,
        routes: [&'static str; 2],
        on: &str,
        asserted: &'static str,
    ) -> Row {
        Row { numbers: self.numbers, ..Row::new(what, routes, on, Measure::Exact(self.largest), asserted) }
    }

    /// The row that says so, where one route has a tolerance of its own.
    pub(crate) fn numerical(
        self,
        what: &'static str,
        routes: [&'static str; 2],
        on: &str,
        asserted: &'static str,
    ) -> Row {
        Row {
            numbers: self.numbers,
            ..Row::new(what, routes, on, Measure::Numerical(self.largest), asserted)
        }
    }
}

/// The smallest and the largest of the gaps between a bound and what it bounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gaps {
    least: f64,
    most: f64,
    numbers: usize,
}

impl Default for Gaps {
    fn default() -> Self {
        Self { least: f64::INFINITY, most: f64::NEG_INFINITY, numbers: 0 }
    }
}

impl Gaps {
    /// One lower and one upper number.
    pub(crate) fn see(&mut self, below: f64, above: f64) {
        self.least = self.least.min(above - below);
        self.most = self.most.max(above - below);
        self.numbers += 1;
    }

    /// The row that says so.
    pub(crate) fn row(
        self,
        what: &'static str,
        routes: [&'static str; 2],
        on: &str,
        asserted: &'static str,
    ) -> Row {
        Row {
            numbers: self.numbers,
            ..Row::new(what, routes, on, Measure::Gap(self.least, self.most), asserted)
        }
    }
}

/// Two routes and what became of them.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) what: &'static str,
    pub(crate) routes: [&'static str; 2],
    /// Models, their sizes and how many.
    pub(crate) on: String,
    pub(crate) measure: Measure,
    /// What the tests of the crate assert, with the file.
    pub(crate) asserted: &'static str,
    /// How many numbers were compared.
    pub(crate) numbers: usize,
}

impl Row {
    pub(crate) fn new(
        what: &'static str,
        routes: [&'static str; 2],
        on: &str,
        measure: Measure,
        asserted: &'static str,
    ) -> Self {
        Self { what, routes, on: on.to_owned(), measure, asserted, numbers: 1 }
    }

    /// The same row, with how many numbers it stands for.
    pub(crate) fn of(self, numbers: usize) -> Self {
        Self { numbers, ..self }
    }
}

impl Display for Row {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [one, other] = self.routes;
        let Self { what, on, numbers, measure, asserted, .. } = self;
        writeln!(f, "| {what} | {one} | {other} | {on} | {numbers} | {measure} | {asserted} |")
    }
}
