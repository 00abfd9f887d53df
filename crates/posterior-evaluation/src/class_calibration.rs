//! Probabilities of classes that come true.

use posterior_math::check::{self, ParamError};

use crate::{CalibrationMap, CalibrationMethod, ScoredEvent};

const TYPE: &str = "ClassCalibration";

/// Log-odds beyond which a score says no more: a probability that is the smallest number above 0.
const LARGEST: f64 = 745.0;

/// Maps from the probabilities that a classifier says to those that come true: one of the log-odds of each
/// class against all others, after which all are divided by their sum; of two classes one.
///
/// ```
/// use posterior_evaluation::{CalibratedRow, CalibrationMethod, ClassCalibration};
///
/// // The classifier says 0.99, and is right in nine cases of ten.
/// let said = [[0.99, 0.01], [0.01, 0.99]];
/// let row = |i: usize| CalibratedRow {
///     probabilities: &said[i % 2],
///     class: if i / 2 % 10 == 0 { 1 - i % 2 } else { i % 2 },
///     weight: 1.0,
/// };
/// let rows: Vec<_> = (0..2000).map(row).collect();
/// let calibration = ClassCalibration::fit(CalibrationMethod::Platt, 2, &rows)?;
/// assert!((calibration.calibrated(&said[0])?[0] - 0.9).abs() < 0.01);
/// # Ok::<(), posterior_evaluation::math::check::ParamError>(())
/// ```
///
/// # References
/// B. Zadrozny, C. Elkan, Transforming classifier scores into accurate multiclass probability estimates, KDD
/// 2002.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Written"))]
pub struct ClassCalibration {
    classes: usize,
    /// Of class 1 alone where there are two.
    maps: Vec<CalibrationMap>,
}

/// A row that the classifier has not learned from: what it said, and the true class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CalibratedRow<'a> {
    /// The probabilities of the classes.
    pub probabilities: &'a [f64],
    /// The true class.
    pub class: usize,
    /// How many rows it counts as, above 0.
    pub weight: f64,
}

impl ClassCalibration {
    /// The maps of so many classes, from rows that the classifier has not seen: as a rule, by
    /// cross-validation.
    ///
    /// # Errors
    /// Fewer than two classes, no rows; other numbers of probabilities than of classes, one outside of [0, 1]
    /// or a class that is none, a weight that is not positive, with the index of the row.
    pub fn fit(
        method: CalibrationMethod,
        classes: usize,
        rows: &[CalibratedRow<'_>],
    ) -> Result<Self, ParamError> {
        check::require(classes > 1, TYPE, "classes", classes as f64, "at least 2")?;
        for (index, row) in rows.iter().enumerate() {
            let good = check_row(row.probabilities, classes);
            let class = check::require(row.class < classes, TYPE, "class", row.class as f64, "a class");
            good.and(class.map(drop)).map_err(|error| error.at(index))?;
        }
        let map = |class: usize| {
            let event = |row: &CalibratedRow<'_>| ScoredEvent {
                score: ln_odds(row.probabilities, class),
                happened: row.class == class,
                weight: row.weight,
            };
            CalibrationMap::fit(method, &rows.iter().map(event).collect::<Vec<_>>())
        };
        let first = usize::from(classes == 2);
        Ok(Self { classes, maps: (first..classes).map(map).collect::<Result<_, _>>()? })
    }

    /// The number of classes.
    pub const fn classes(&self) -> usize {
        self.classes
    }

    /// The map of the log-odds of each class; of two classes, that of the second alone.
    pub fn maps(&self) -> &[CalibrationMap] {
        &self.maps
    }

    /// The probabilities that come true, of those that the classifier says.
    ///
    /// # Errors
    /// Other numbers of probabilities than of classes, or one outside of [0, 1].
    pub fn calibrated(&self, probabilities: &[f64]) -> Result<Vec<f64>, ParamError> {
        check_row(probabilities, self.classes)?;
        if let [map] = &self.maps[..] {
            let second = map.probability(ln_odds(probabilities, 1));
            return Ok(vec![1.0 - second, second]);
        }
        let each = |(class, map): (usize, &CalibrationMap)| map.probability(ln_odds(probabilities, class));
        let mut all: Vec<f64> = self.maps.iter().enumerate().map(each).collect();
        let sum: f64 = all.iter().sum();
        for own in &mut all {
            *own /= sum;
        }
        Ok(all)
    }
}

fn check_row(probabilities: &[f64], classes: usize) -> Result<(), ParamError> {
    let found = probabilities.len();
    check::require(found == classes, TYPE, "probabilities", found as f64, "one for each class")?;
    // Sums of exponentials may leave a rounding error above 1.
    check::each(probabilities, |p| {
        check::require((0.0..=1.0 + 1e-9).contains(&p), TYPE, "probability", p, "in [0, 1]")
    })
}

/// ln of the probability of a class over the sum of all others: exact where the class is all but certain.
fn ln_odds(probabilities: &[f64], class: usize) -> f64 {
    let others = probabilities.iter().enumerate().filter(|(other, _)| *other != class);
    let rest: f64 = others.map(|(_, p)| p).sum();
    let odds = probabilities[class].ln() - rest.ln();
    if odds.is_nan() { 0.0 } else { odds.clamp(-LARGEST, LARGEST) }
}

/// Maps as they are written, before they are counted.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    classes: usize,
    maps: Vec<CalibrationMap>,
}

#[cfg(feature = "serde")]
impl TryFrom<Written> for ClassCalibration {
    type Error = &'static str;

    fn try_from(Written { classes, maps }: Written) -> Result<Self, Self::Error> {
        let expected = if classes == 2 { 1 } else { classes };
        if classes > 1 && maps.len() == expected {
            Ok(Self { classes, maps })
        } else {
            Err("other numbers of classes than of maps")
        }
    }
}
