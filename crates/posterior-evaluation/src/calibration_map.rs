//! From scores to probabilities that come true.

mod platt;

use posterior_math::check::{self, ParamError};
use posterior_math::log_space::logistic;
use posterior_math::optimize::isotonic_regression;

use self::platt::sigmoid;

const TYPE: &str = "CalibrationMap";

/// The shape of a map from scores to probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum CalibrationMethod {
    /// Any map that does not fall. It can mend every distortion that keeps the order; below some hundred
    /// events it follows their noise.
    Isotonic,
    /// A logistic curve, 1/(1 + exp(-(a s + b))): two numbers, which few events can tell.
    Platt,
}

/// An event: its score, whether it happened, and how many events it counts as.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredEvent {
    /// The higher, the surer: log-odds, or any number.
    pub score: f64,
    /// Whether it happened.
    pub happened: bool,
    /// Above 0; 1 for one event.
    pub weight: f64,
}

/// A map from the scores of a classifier to probabilities, learned from events that the classifier has not
/// seen.
///
/// Both shapes are fitted to the targets of Platt, (N₁ + 1)/(N₁ + 2) for each of the N₁ events that happened
/// and 1/(N₀ + 2) for each of the N₀ that did not: no finite number of events makes anything certain. For
/// the isotonic map this is the regression to 0 and 1, moved into the range between the targets.
///
/// ```
/// use posterior_evaluation::{CalibrationMap, CalibrationMethod, ScoredEvent};
///
/// // What is said with log-odds of ±4 is right three times of four.
/// let event = |score, happened| ScoredEvent { score, happened, weight: 1.0 };
/// let events: Vec<_> =
///     (0..400).map(|i| if i % 2 == 0 { event(4.0, i % 8 != 0) } else { event(-4.0, i % 8 == 1) }).collect();
/// for method in [CalibrationMethod::Isotonic, CalibrationMethod::Platt] {
///     let map = CalibrationMap::fit(method, &events)?;
///     assert!((map.probability(4.0) - 0.75).abs() < 0.01);
/// }
/// # Ok::<(), posterior_evaluation::math::check::ParamError>(())
/// ```
///
/// # References
/// B. Zadrozny, C. Elkan, Transforming classifier scores into accurate multiclass probability estimates, KDD
/// 2002. J. Platt, Probabilistic outputs for support vector machines, Advances in Large Margin Classifiers,
/// 1999; H.-T. Lin, C.-J. Lin, R. Weng, A note on Platt's probabilistic outputs, Machine Learning 68, 2007.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", try_from = "Written", into = "Written")
)]
pub struct CalibrationMap(Shape);

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
enum Shape {
    /// Scores, which rise, with their probabilities, which do not fall; straight lines between.
    Isotonic(Vec<(f64, f64)>),
    /// Slope and intercept of the log-odds.
    Platt(f64, f64),
}

impl CalibrationMap {
    /// The map that fits the events best: in least squares of the targets the isotonic one, in their
    /// log-likelihood Platt's. Events of one score count as one.
    ///
    /// # Errors
    /// No events; a score that is not finite, a weight that is not positive and finite, with the index of the
    /// event.
    ///
    /// # Cost
    /// O(n log n) for n events; Platt's: some tens of passes.
    pub fn fit(method: CalibrationMethod, events: &[ScoredEvent]) -> Result<Self, ParamError> {
        check::at_least_one(TYPE, "events", events.len())?;
        for (index, event) in events.iter().enumerate() {
            check::finite(TYPE, "score", event.score).map_err(|error| error.at(index))?;
            check::positive(TYPE, "weight", event.weight).map_err(|error| error.at(index))?;
        }
        let total = |happened: bool| -> f64 {
            events.iter().filter(|own| own.happened == happened).map(|own| own.weight).sum()
        };
        let targets = [1.0 / (total(false) + 2.0), (total(true) + 1.0) / (total(true) + 2.0)];
        Ok(Self(match method {
            CalibrationMethod::Isotonic => Shape::Isotonic(knots(events, targets)?),
            CalibrationMethod::Platt => {
                let (slope, intercept) = sigmoid(events, targets);
                Shape::Platt(slope, intercept)
            }
        }))
    }

    /// The probability of an event with this score: that of the nearest score that was seen, beyond all of
    /// them. NaN of NaN.
    pub fn probability(&self, score: f64) -> f64 {
        match &self.0 {
            Shape::Platt(0.0, intercept) => logistic(*intercept),
            Shape::Platt(slope, intercept) => logistic(slope * score + intercept),
            Shape::Isotonic(_) if score.is_nan() => f64::NAN,
            Shape::Isotonic(knots) => {
                let next = knots.partition_point(|&(own, _)| own < score);
                match (next.checked_sub(1).and_then(|last| knots.get(last)), knots.get(next)) {
                    (Some(&(from, low)), Some(&(to, high))) => {
                        low + (high - low) * ((score - from) / (to - from))
                    }
                    (Some(&(_, only)), None) | (None, Some(&(_, only))) => only,
                    (None, None) => f64::NAN,
                }
            }
        }
    }

    /// The shape of the map.
    pub const fn method(&self) -> CalibrationMethod {
        match self.0 {
            Shape::Isotonic(_) => CalibrationMethod::Isotonic,
            Shape::Platt(..) => CalibrationMethod::Platt,
        }
    }

    /// Of Platt's map the slope a and the intercept b of the log-odds.
    pub const fn slope_and_intercept(&self) -> Option<(f64, f64)> {
        match self.0 {
            Shape::Platt(slope, intercept) => Some((slope, intercept)),
            Shape::Isotonic(_) => None,
        }
    }

    /// Of the isotonic map the scores between which it is straight, with their probabilities.
    pub fn knots(&self) -> Option<&[(f64, f64)]> {
        match &self.0 {
            Shape::Isotonic(knots) => Some(knots),
            Shape::Platt(..) => None,
        }
    }
}

/// The first and the last score of each level of the regression.
fn knots(events: &[ScoredEvent], [least, most]: [f64; 2]) -> Result<Vec<(f64, f64)>, ParamError> {
    let mut sorted = events.to_vec();
    sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
    let (mut scores, mut points) = (Vec::new(), Vec::new());
    for tied in sorted.chunk_by(|a, b| a.score == b.score) {
        let weight: f64 = tied.iter().map(|own| own.weight).sum();
        let happened: f64 = tied.iter().filter(|own| own.happened).map(|own| own.weight).sum();
        scores.push(tied[0].score);
        points.push((happened / weight, weight));
    }
    let levels = isotonic_regression(&points)?;
    let mut knots = Vec::new();
    let mut start = 0;
    for level in levels.chunk_by(|a, b| a == b) {
        let last = start + level.len() - 1;
        let probability = least + (most - least) * level[0].clamp(0.0, 1.0);
        knots.push((scores[start], probability));
        if last > start {
            knots.push((scores[last], probability));
        }
        start = last + 1;
    }
    Ok(knots)
}

/// A map as it is written, before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
struct Written(Shape);

#[cfg(feature = "serde")]
impl From<CalibrationMap> for Written {
    fn from(map: CalibrationMap) -> Self {
        Self(map.0)
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Written> for CalibrationMap {
    type Error = &'static str;

    fn try_from(Written(shape): Written) -> Result<Self, Self::Error> {
        let good = match &shape {
            Shape::Platt(slope, intercept) => slope.is_finite() && intercept.is_finite(),
            Shape::Isotonic(knots) => {
                let inside = |&(score, p): &(f64, f64)| score.is_finite() && (0.0..=1.0).contains(&p);
                let rises = |a: &(f64, f64), b: &(f64, f64)| a.0 < b.0 && a.1 <= b.1;
                !knots.is_empty() && knots.iter().all(inside) && knots.is_sorted_by(rises)
            }
        };
        if good { Ok(Self(shape)) } else { Err("a map from scores to probabilities that is none") }
    }
}
