//! Structural models as texts: `local-linear-trend + seasonal:12 + noise(0.5)`.

use std::fmt;
use std::str::FromStr;

use posterior_dist::text::TextError;

use super::arma::Arma;
use super::kind::Kind;
use super::part::Part;
use super::{ArimaOrder, SeriesComponent, Structural};
use crate::continuous::Process;

const NAMES: [&str; 20] = [
    "local-level",
    "local-linear-trend",
    "smooth-trend",
    "damped-trend",
    "seasonal",
    "trigonometric",
    "cycle",
    "ar",
    "arma",
    "arima",
    "arima-constant",
    "constant-velocity",
    "constant-acceleration",
    "matern12",
    "matern32",
    "matern52",
    "ou",
    "wiener",
    "integrated-wiener",
    "noise",
];

/// A term of the sum: a name, what stands after the colon, what stands in parentheses.
struct Term<'a> {
    column: usize,
    name: &'a str,
    sizes: Vec<f64>,
    values: Vec<f64>,
}

/// Reads terms `NAME:SIZES(VALUES)`, added up by `+`. Sizes are what a fit does not move; values are those of
/// the parameters, in their order, and may be left out: they are then where a search may start, variances 1.
/// Without a term `noise(V)` the variance of the noise is 1, and 0 beside an ARIMA model, which has its own.
impl FromStr for Structural {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut components = Vec::new();
        let mut noise = None;
        for (column, text) in terms(text) {
            let term = Term::read(column, text)?;
            if term.name == "noise" {
                if noise.is_some() {
                    return Err(TextError::new(column, "noise is there already"));
                }
                noise = Some(term.defaults(&[1.0])?[0]);
            } else {
                components.push(term.component()?);
            }
        }
        if components.is_empty() {
            return Err(TextError::new(0, "expected a component, as local-level"));
        }
        let has_own = components.iter().any(|component: &SeriesComponent| component.kind.name() == "arima");
        let noise = noise.unwrap_or(if has_own { 0.0 } else { 1.0 });
        Self::new(components, noise).map_err(|error| TextError::new(0, error.to_string()))
    }
}

/// The terms between the signs that are not in parentheses, with their columns.
fn terms(text: &str) -> Vec<(usize, &str)> {
    let mut terms = Vec::new();
    let (mut depth, mut start, mut start_column) = (0_usize, 0, 1);
    for (column, (place, letter)) in (1..).zip(text.char_indices()) {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '+' if depth == 0 => {
                terms.push((start_column, &text[start..place]));
                (start, start_column) = (place + 1, column + 1);
            }
            _ => {}
        }
    }
    terms.push((start_column, &text[start..]));
    let trimmed =
        |(column, term): (usize, &'_ str)| column + term.chars().take_while(|c| c.is_whitespace()).count();
    terms.into_iter().map(|term| (trimmed(term), term.1.trim())).collect()
}

/// Numbers between commas.
fn numbers(column: usize, text: &str) -> Result<Vec<f64>, TextError> {
    let mut column = column;
    let mut numbers = Vec::new();
    for number in text.split(',') {
        let Ok(value) = number.trim().parse::<f64>() else {
            return Err(TextError::new(column, format!("expected a number, found {:?}", number.trim())));
        };
        numbers.push(value);
        column += number.chars().count() + 1;
    }
    Ok(numbers)
}

impl<'a> Term<'a> {
    fn read(column: usize, text: &'a str) -> Result<Self, TextError> {
        let (head, values) = match text.split_once('(') {
            None => (text, Vec::new()),
            Some((head, rest)) => {
                let inside = column + head.chars().count() + 1;
                let Some(rest) = rest.strip_suffix(')') else {
                    return Err(TextError::new(column + text.chars().count(), "expected )"));
                };
                (head, numbers(inside, rest)?)
            }
        };
        let (name, sizes) = match head.split_once(':') {
            None => (head.trim(), Vec::new()),
            Some((name, sizes)) => (name.trim(), numbers(column + name.chars().count() + 1, sizes)?),
        };
        if name.is_empty() {
            return Err(TextError::new(column, "expected a component, as local-level"));
        }
        if !NAMES.contains(&name) {
            let message = format!("unknown component {name:?}");
            return Err(TextError::unknown(column, message, name, &NAMES));
        }
        Ok(Self { column, name, sizes, values })
    }

    fn error(&self, message: impl Into<String>) -> TextError {
        TextError::new(self.column, message)
    }

    /// The values, or these if none are given.
    fn defaults(&self, values: &[f64]) -> Result<Vec<f64>, TextError> {
        match self.values.len() {
            0 => Ok(values.to_vec()),
            count if count == values.len() => Ok(self.values.clone()),
            count => Err(self.error(format!("{} has {} parameters, found {count}", self.name, values.len()))),
        }
    }

    /// A size that is a whole number, at least `least`.
    fn whole(&self, index: usize, what: &str, least: f64) -> Result<usize, TextError> {
        match self.sizes.get(index) {
            Some(&size) if size >= least && size <= 1e6 && size.fract() == 0.0 => Ok(size as usize),
            Some(size) => {
                Err(self.error(format!("the {what} is {size}: expected a whole number from {least}")))
            }
            None => Err(self.error(format!("expected {}:{}", self.name, what.to_uppercase()))),
        }
    }

    fn no_more_sizes(&self, count: usize) -> Result<(), TextError> {
        if self.sizes.len() <= count {
            return Ok(());
        }
        Err(self.error(format!(
            "{} takes {count} numbers after the colon, found {}",
            self.name,
            self.sizes.len()
        )))
    }

    fn component(&self) -> Result<SeriesComponent, TextError> {
        let refused = |error: posterior_math::ParamError| TextError::of_parameter(self.column, error);
        let count = match self.name {
            "seasonal" | "cycle" | "ar" => 1,
            "trigonometric" | "arma" => 2,
            "arima" | "arima-constant" => 7,
            _ => 0,
        };
        self.no_more_sizes(count)?;
        let scaled = |process: fn(f64) -> Result<Process, posterior_math::ParamError>| {
            let values = self.defaults(&[1.0, 1.0])?;
            let process =
                process(values[1]).and_then(|process| process.scaled(values[0])).map_err(refused)?;
            Ok(SeriesComponent::process(&process).named(self.name))
        };
        match self.name {
            "local-level" => SeriesComponent::local_level(self.defaults(&[1.0])?[0]).map_err(refused),
            "local-linear-trend" => {
                let values = self.defaults(&[1.0, 1.0])?;
                SeriesComponent::local_linear_trend(values[0], values[1]).map_err(refused)
            }
            "smooth-trend" => SeriesComponent::smooth_trend(self.defaults(&[1.0])?[0]).map_err(refused),
            "damped-trend" => {
                let values = self.defaults(&[1.0, 1.0, 0.9])?;
                SeriesComponent::damped_trend(values[0], values[1], values[2]).map_err(refused)
            }
            "seasonal" => {
                let period = self.whole(0, "period", 2.0)?;
                SeriesComponent::seasonal(period, self.defaults(&[1.0])?[0]).map_err(refused)
            }
            "trigonometric" => self.trigonometric(),
            "cycle" => {
                let period = self.sizes.first().copied().unwrap_or(10.0);
                let values = self.defaults(&[period, 0.9, 1.0])?;
                SeriesComponent::cycle(values[0], values[1], values[2]).map_err(refused)
            }
            "ar" | "arma" => self.arma(),
            "arima" | "arima-constant" => self.arima(),
            "constant-velocity" => {
                SeriesComponent::constant_velocity(self.defaults(&[1.0])?[0]).map_err(refused)
            }
            "constant-acceleration" => {
                SeriesComponent::constant_acceleration(self.defaults(&[1.0])?[0]).map_err(refused)
            }
            "matern12" | "ou" => scaled(Process::matern12),
            "matern32" => scaled(Process::matern32),
            "matern52" => scaled(Process::matern52),
            "wiener" => self.wiener(Process::wiener()),
            _ => self.wiener(Process::integrated_wiener()),
        }
    }

    fn wiener(&self, process: Process) -> Result<SeriesComponent, TextError> {
        let variance = self.defaults(&[1.0])?[0];
        let scaled = process.scaled(variance).map_err(|error| TextError::of_parameter(self.column, error))?;
        Ok(SeriesComponent::process(&scaled).named(self.name))
    }

    fn trigonometric(&self) -> Result<SeriesComponent, TextError> {
        let period = self.sizes.first().copied().unwrap_or(f64::NAN);
        let harmonics = match self.sizes.len() {
            2 => self.whole(1, "number of harmonics", 1.0)?,
            _ => (0.5 * period).floor().min(1e6) as usize,
        };
        SeriesComponent::trigonometric(period, harmonics, self.defaults(&[1.0])?[0])
            .map_err(|error| TextError::of_parameter(self.column, error))
    }

    fn arma(&self) -> Result<SeriesComponent, TextError> {
        let autoregressive = self.whole(0, "order", 0.0)?;
        let moving_average = if self.name == "arma" { self.whole(1, "order", 0.0)? } else { 0 };
        self.of_order("arma", ArimaOrder::new(autoregressive, 0, moving_average))
    }

    fn arima(&self) -> Result<SeriesComponent, TextError> {
        if ![3, 7].contains(&self.sizes.len()) {
            return Err(self.error(format!("expected {0}:P,D,Q or {0}:P,D,Q,P,D,Q,PERIOD", self.name)));
        }
        let orders = (0..self.sizes.len())
            .map(|place| self.whole(place, "order", 0.0))
            .collect::<Result<Vec<_>, _>>()?;
        let mut order = ArimaOrder::new(orders[0], orders[1], orders[2]);
        if let [ar, differences, ma, period] = orders[3..] {
            order = order.with_season([ar, differences, ma], period);
        }
        order.has_constant = self.name == "arima-constant";
        self.of_order("arima", order)
    }

    fn of_order(&self, name: &'static str, order: ArimaOrder) -> Result<SeriesComponent, TextError> {
        let refused = |error| TextError::of_parameter(self.column, error);
        order.check().map_err(refused)?;
        let mut defaults = vec![0.0; order.coefficients()];
        defaults.push(1.0);
        let mut values = self.defaults(&defaults)?;
        let variance = values.pop().unwrap_or(1.0);
        SeriesComponent::arma_of_partial(name, order, values, variance).map_err(refused)
    }
}

impl fmt::Display for Structural {
    /// What [`FromStr`] reads, to the last bit; but for regressions and processes of your own, which have no
    /// text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for component in &self.components {
            write_component(component, f)?;
            f.write_str(" + ")?;
        }
        write!(f, "noise({})", self.noise)
    }
}

fn write_component(component: &SeriesComponent, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut values = &component.values[..];
    match &component.kind {
        Kind::Level(_) => f.write_str("local-level")?,
        Kind::Trend(_) if values[0] == 0.0 => {
            f.write_str("smooth-trend")?;
            values = &values[1..];
        }
        Kind::Trend(_) => f.write_str("local-linear-trend")?,
        Kind::DampedTrend(_) => f.write_str("damped-trend")?,
        Kind::Dummies(part) => write!(f, "seasonal:{}", part.period)?,
        Kind::Waves(part) => write!(f, "trigonometric:{},{}", part.period, part.harmonics)?,
        Kind::Cycle(_) => f.write_str("cycle")?,
        Kind::Arma(part) => write_arma(part, f)?,
        Kind::Regression(part) => write!(f, "{}", part.name())?,
        Kind::Markov(part) => match part.name {
            "velocity" => f.write_str("constant-velocity")?,
            "acceleration" => f.write_str("constant-acceleration")?,
            _ => f.write_str(&component.name)?,
        },
    }
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    write!(f, "({})", values.join(", "))
}

fn write_arma(part: &Arma, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let order = &part.order;
    if part.name == "arma" {
        return write!(f, "arma:{},{}", order.autoregressive, order.moving_average);
    }
    let name = if order.has_constant { "arima-constant" } else { "arima" };
    write!(f, "{name}:{},{},{}", order.autoregressive, order.differences, order.moving_average)?;
    if order.period > 1 {
        let seasonal =
            [order.seasonal_autoregressive, order.seasonal_differences, order.seasonal_moving_average];
        let [ar, differences, ma] = seasonal;
        write!(f, ",{ar},{differences},{ma},{}", order.period)?;
    }
    Ok(())
}
