//! How good forecasts were: those of a model, and those that need none.

use posterior::math::streaming::MeanVariance;
use posterior_report::{PageTable, Section};
use serde::Serialize;

use super::mixture::{Figures, Mixture};
use super::prediction::Prediction;
use crate::json::Number;
use crate::level::Level;
use crate::output::{percent, significant};
use crate::scores::{Coverage, coverages, mean_and_error};
use crate::text_table;

/// The forecasts beside those of the model.
pub(super) const SIMPLE: [&str; 2] = ["seasonal naive", "drift"];

/// A value that was forecast, and what it was.
#[derive(Debug, Clone)]
pub(super) struct Scored {
    /// Its place.
    pub(super) t: usize,
    /// How many steps after the last value that was seen, from 1.
    pub(super) step: usize,
    pub(super) value: f64,
    pub(super) figures: Figures,
    /// Where it was to be with the probabilities of [`levels`].
    pub(super) intervals: Vec<[f64; 2]>,
    pub(super) ln_density: f64,
    /// The mean absolute step of a season in the values of the fit.
    unit: f64,
}

/// Scores of many values.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Accuracy {
    pub(super) forecasts: String,
    rows: usize,
    /// The mean absolute error of medians in units of that of the last season repeated, in the values of the
    /// fit.
    mase: Number,
    /// The mean of 200 |error| / (|value| + |median|).
    smape: Number,
    ln_score: Number,
    ln_score_error: Number,
    /// The proportions of values in their intervals, the narrowest first.
    #[serde(flatten, serialize_with = "coverages")]
    coverage: Vec<Coverage>,
}

/// The levels whose intervals are scored, the widest first: 80 and 50 % besides the own one.
pub(super) fn levels(level: Level) -> Vec<Level> {
    let mut all = vec![level, Level::EIGHTY_PERCENT, Level::HALF];
    all.sort_unstable();
    all.dedup();
    all
}

/// The names of scores in texts and on pages.
fn header(all: &[Accuracy]) -> Vec<String> {
    let fixed = ["forecasts", "values", "MASE", "sMAPE", "ln score"].map(str::to_owned);
    let coverage = all.first().into_iter().flat_map(|own| &own.coverage);
    fixed.into_iter().chain(coverage.map(|own| format!("in {}", own.level))).collect()
}

/// The values after the first `seen`, NaN where missing, against what was said of them.
pub(super) fn score(
    values: &[f64],
    seen: usize,
    season: usize,
    forecasts: &[Prediction],
    level: Level,
) -> Vec<Scored> {
    let unit = seasonal_step(&values[..seen], season);
    let of = |(place, (&value, own)): (usize, (&f64, &Prediction))| {
        let intervals = levels(level).into_iter().map(|own_level| own_level.interval(|p| own.quantile(p)));
        let (t, step) = (seen + place, place + 1);
        (!value.is_nan()).then(|| Scored {
            t,
            step,
            value,
            figures: own.figures(level),
            intervals: intervals.collect(),
            ln_density: own.ln_pdf(value),
            unit,
        })
    };
    values[seen..].iter().zip(forecasts).enumerate().filter_map(of).collect()
}

/// The mean absolute difference of values a season apart; NaN if there are none.
fn seasonal_step(seen: &[f64], season: usize) -> f64 {
    let steps = seen.iter().zip(seen.get(season..).unwrap_or_default()).map(|(a, b)| (b - a).abs());
    let steps: Vec<f64> = steps.filter(|step| !step.is_nan()).collect();
    steps.iter().sum::<f64>() / steps.len() as f64
}

impl Accuracy {
    /// None of no values.
    pub(super) fn of(forecasts: impl Into<String>, all: &[Scored]) -> Option<Self> {
        let mean = |of: &dyn Fn(&Scored) -> f64| all.iter().map(of).collect::<MeanVariance>().mean();
        let level = all.first()?.figures.level;
        let coverage = |(place, level): (usize, Level)| {
            let inside = |own: &Scored| {
                let [low, high] = own.intervals[place];
                f64::from(u8::from((low..=high).contains(&own.value)))
            };
            Coverage { level, proportion: mean(&inside) }
        };
        let error = |own: &Scored| (own.value - own.figures.q50).abs();
        let smape = |own: &Scored| {
            let size = own.value.abs() + own.figures.q50.abs();
            if size > 0.0 { 200.0 * error(own) / size } else { 0.0 }
        };
        let [ln_score, ln_score_error] =
            mean_and_error(&all.iter().map(|own| own.ln_density).collect::<Vec<_>>());
        Some(Self {
            forecasts: forecasts.into(),
            rows: all.len(),
            mase: Number(mean(&|own| error(own) / own.unit)),
            smape: Number(mean(&smape)),
            ln_score,
            ln_score_error,
            coverage: levels(level).into_iter().enumerate().rev().map(coverage).collect(),
        })
    }

    pub(super) fn cells(&self) -> Vec<String> {
        let fixed = [
            self.forecasts.clone(),
            self.rows.to_string(),
            significant(self.mase.0),
            significant(self.smape.0),
            format!("{} ± {}", significant(self.ln_score.0), significant(self.ln_score_error.0)),
        ];
        fixed.into_iter().chain(self.coverage.iter().map(|own| percent(own.proportion))).collect()
    }

    /// The mean absolute error in units of that of the last season repeated.
    pub(super) fn mase(&self) -> f64 {
        self.mase.0
    }

    /// For a file: all numbers, with their names.
    pub(super) fn numbers(&self) -> Vec<(String, f64)> {
        let fixed = [
            ("values", self.rows as f64),
            ("mase", self.mase.0),
            ("smape", self.smape.0),
            ("ln_score", self.ln_score.0),
            ("ln_score_error", self.ln_score_error.0),
        ];
        let fixed = fixed.map(|(name, number)| (name.to_owned(), number)).into_iter();
        fixed.chain(self.coverage.iter().map(|own| (own.level.coverage(), own.proportion))).collect()
    }
}

/// Scores side by side, as text.
pub(super) fn table(all: &[Accuracy]) -> String {
    text_table::aligned(&header(all), all.iter().map(Accuracy::cells).collect())
}

/// The same on a page.
pub(super) fn section(title: String, text: &str, all: &[Accuracy]) -> Section {
    Section::new(title, text, PageTable::new(header(all), all.iter().map(Accuracy::cells)))
}

/// The last season repeated; normal intervals from the errors of that in the values that were seen. None
/// where there are too few of them, or none is wrong.
pub(super) fn seasonal_naive(seen: &[f64], season: usize, ahead: usize) -> Option<Vec<Prediction>> {
    let steps: Vec<f64> =
        seen.iter().zip(seen.get(season..)?).map(|(a, b)| b - a).filter(|own| !own.is_nan()).collect();
    if steps.len() < 2 {
        return None;
    }
    let variance = steps.iter().map(|own| own * own).sum::<f64>() / steps.len() as f64;
    if variance <= 0.0 {
        return None;
    }
    let forecast = |h: usize| {
        // The last value of the same season.
        let same = (0..).map(|back| seen.len().checked_sub(season * (back + 1)).map(|at| at + h % season));
        let (seasons, value) =
            same.map_while(|at| Some(seen[at?])).enumerate().find(|(_, value)| !value.is_nan())?;
        Some(Mixture::normal(value, variance * (h / season + 1 + seasons) as f64).into())
    };
    (0..ahead).map(forecast).collect()
}

/// The straight line from the first value to the last. None of fewer than three.
pub(super) fn drift(seen: &[f64], ahead: usize) -> Option<Vec<Prediction>> {
    let first = seen.iter().position(|own| !own.is_nan())?;
    let last = seen.iter().rposition(|own| !own.is_nan())?;
    let reach = (last - first) as f64;
    let slope = (seen[last] - seen[first]) / reach;
    let steps = seen.windows(2).map(|pair| pair[1] - pair[0] - slope).filter(|own| !own.is_nan());
    let errors: Vec<f64> = steps.collect();
    if errors.len() < 2 {
        return None;
    }
    let variance = errors.iter().map(|own| own * own).sum::<f64>() / (errors.len() - 1) as f64;
    if variance <= 0.0 {
        return None;
    }
    let forecast = |h: usize| {
        let steps = (seen.len() - last + h) as f64;
        Mixture::normal(seen[last] + slope * steps, variance * steps * (1.0 + steps / reach)).into()
    };
    Some((0..ahead).map(forecast).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hyndman and Athanasopoulos, Forecasting, section 5.5: variances of so many seasons, and of a line.
    #[test]
    fn simple_forecasts_are_those_of_the_book() {
        let seen = [3.0, 1.0, 4.0, 2.0, 5.0, 3.0, f64::NAN, 4.0];
        let naive = seasonal_naive(&seen, 4, 6).unwrap();
        let medians: Vec<f64> = naive.iter().map(|own| own.figures(Level::default()).q50).collect();
        // The third quarter is that of the year before.
        assert_eq!(medians, [5.0, 3.0, 4.0, 4.0, 5.0, 3.0]);
        // Steps of a season: 2, 2 and 2.
        let variances: Vec<f64> = naive.iter().map(|own| own.figures(Level::default()).variance).collect();
        assert_eq!(variances, [4.0, 4.0, 8.0, 4.0, 8.0, 8.0]);
        let line = drift(&seen, 2).unwrap();
        assert!((line[1].figures(Level::default()).q50 - (4.0 + 2.0 / 7.0)).abs() < 1e-12);
        assert!(seasonal_naive(&seen[..5], 4, 1).is_none() && drift(&seen[..2], 1).is_none());
    }

    #[test]
    fn scores_are_those_by_hand() {
        let values = [1.0, 3.0, 2.0, 4.0, 6.0, f64::NAN, 5.0];
        let forecasts = [3.0, 5.0, 5.5].map(|mean| Mixture::normal(mean, 1.0).into());
        let scored = score(&values, 4, 2, &forecasts, Level::default());
        assert_eq!(scored.iter().map(|own| (own.t, own.step)).collect::<Vec<_>>(), [(4, 1), (6, 3)]);
        let all = Accuracy::of("model", &scored).unwrap();
        // Seasons step by 1 and 1; errors are 3 and ½.
        assert!((all.mase() - 1.75).abs() < 1e-12);
        let numbers = all.numbers();
        let names: Vec<&str> = numbers.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names[4..], ["ln_score_error", "coverage_50", "coverage_80", "coverage_95"]);
        let [rows, _, smape, ln_score, _, c50, c80, c95] =
            numbers.iter().map(|own| own.1).collect::<Vec<_>>()[..]
        else {
            unreachable!()
        };
        assert!((smape - 0.5 * (600.0 / 9.0 + 100.0 / 10.5)).abs() < 1e-12);
        let ln_normal = |z: f64| -0.5 * (z * z + std::f64::consts::TAU.ln());
        assert!((ln_score - 0.5 * (ln_normal(3.0) + ln_normal(0.5))).abs() < 1e-12);
        assert_eq!([rows, c50, c80, c95], [2.0, 0.5, 0.5, 0.5]);
    }
}
