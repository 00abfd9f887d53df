//! Several functions of one number: polynomials and splines.

use posterior_dist::text::TextError;
use posterior_math::check::ParamError;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::streaming::{MeanVariance, quantile_of_sorted};

use super::arguments::Arguments;
use crate::Error;
use crate::features::{Basis, BasisFamily, Places, place};

/// Knots of a smooth where no other number is asked for, as in mgcv.
const KNOTS: usize = 10;

/// Functions of a basis, or combinations of them.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(super) struct Curve {
    basis: Basis,
    take: Take,
}

/// What a curve takes of its basis.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
enum Take {
    All,
    AllButFirst,
    /// All, times this number.
    Scaled(f64),
    /// For each function a constant, and the weights of the functions of the basis.
    Combined(Vec<(f64, Vec<f64>)>),
}

/// The functions that make curves, with their arguments.
const FUNCTIONS: [(&str, &[&str]); 12] = [
    ("poly", &["x", "degree", "raw"]),
    ("bs", &["x", "df", "knots", "degree"]),
    ("ns", &["x", "df", "knots"]),
    ("s", &["x", "k"]),
    ("scale", &["x"]),
    ("chebyshev", &["x", "degree"]),
    ("fourier", &["x", "waves", "period"]),
    ("step", &["x", "df", "knots"]),
    ("relu", &["x", "df", "knots"]),
    ("sigmoid", &["x", "df", "width"]),
    ("rbf", &["x", "df", "width"]),
    ("haar", &["x", "levels"]),
];

/// The arguments of a function that makes a curve; None if it makes none.
pub(super) fn arguments(function: &str) -> Option<&'static [&'static str]> {
    FUNCTIONS.iter().find_map(|(own, arguments)| (*own == function).then_some(*arguments))
}

impl Curve {
    /// The functions on these numbers, of which there is one at least.
    pub(super) fn learn(function: &str, arguments: &Arguments<'_>, x: &[f64]) -> Result<Self, Error> {
        let at = arguments.place;
        let refused = |error: ParamError| TextError::of_parameter(at, error);
        let mut sorted = x.to_vec();
        sorted.sort_by(f64::total_cmp);
        let whole = |basis: Result<Basis, ParamError>| -> Result<Self, Error> {
            Ok(Self { basis: basis.map_err(refused)?, take: Take::All })
        };
        match function {
            "poly" => {
                let degree = arguments.whole(1, 1)?.unwrap_or(1);
                if arguments.flag(2)? {
                    return whole(Basis::powers(degree));
                }
                let basis = Basis::orthogonal(degree, x).map_err(refused)?;
                Ok(Self { basis, take: Take::Scaled((x.len() as f64).sqrt().recip()) })
            }
            "bs" => {
                let degree = arguments.whole(3, 1)?.unwrap_or(3);
                let knots = knots(arguments, &sorted, degree, degree)?;
                Ok(Self { basis: Basis::b_spline(&knots, degree).map_err(refused)?, take: Take::AllButFirst })
            }
            "ns" => natural(&knots(arguments, &sorted, 1, 1)?, refused),
            "s" => {
                let asked = arguments.whole(1, 3)?;
                let knots = quantiles(&sorted, asked.unwrap_or(KNOTS));
                if let Some(count) = asked.filter(|count| knots.len() < *count) {
                    let message = format!(
                        "{count} knots need as many different quantiles: the column has too many ties"
                    );
                    return Err(TextError::new(at, message).into());
                }
                whole(Basis::natural_spline(&knots))
            }
            "chebyshev" | "fourier" | "step" | "relu" | "sigmoid" | "rbf" | "haar" => {
                whole(place(&family(function, arguments)?, x))
            }
            _ => {
                let moments: MeanVariance = x.iter().copied().collect();
                whole(Basis::standard(moments.mean(), moments.sample_variance().sqrt()))
            }
        }
    }

    /// What stands behind the term in the names of its columns.
    pub(super) fn endings(&self, function: &str) -> Vec<String> {
        let point = if function == "s" { "." } else { "" };
        match self.width() {
            1 if function != "s" => vec![String::new()],
            width => (1..=width).map(|own| format!("{point}{own}")).collect(),
        }
    }

    pub(super) fn width(&self) -> usize {
        match &self.take {
            Take::All | Take::Scaled(_) => self.basis.width(),
            Take::AllButFirst => self.basis.width().saturating_sub(1),
            Take::Combined(combinations) => combinations.len(),
        }
    }

    /// A column for each function.
    pub(super) fn values(&self, x: &[f64]) -> Result<DMatrix<f64>, Error> {
        let values = self.basis.values(x)?;
        Ok(match &self.take {
            Take::All => values,
            Take::AllButFirst => values.remove_column(0),
            Take::Scaled(factor) => values * *factor,
            Take::Combined(combinations) => {
                let column = |(constant, weights): &(f64, Vec<f64>)| {
                    (&values * DVector::from_column_slice(weights)).add_scalar(*constant)
                };
                DMatrix::from_columns(&combinations.iter().map(column).collect::<Vec<_>>())
            }
        })
    }

    /// Whether it is one that can be learned, as far as its sizes say so.
    #[cfg(feature = "serde")]
    pub(super) fn is_whole(&self) -> bool {
        match &self.take {
            Take::All | Take::AllButFirst => true,
            Take::Scaled(factor) => factor.is_finite(),
            Take::Combined(all) => all.iter().all(|(constant, weights)| {
                weights.len() == self.basis.width()
                    && weights.iter().chain([constant]).all(|own| own.is_finite())
            }),
        }
    }
}

/// The family of functions of this name, with places by the column.
fn family(function: &str, arguments: &Arguments<'_>) -> Result<BasisFamily, Error> {
    let count = || arguments.whole(1, 1);
    // As many as were asked for, or where they were asked for.
    let places = || -> Result<Places, Error> {
        match (arguments.numbers(2)?, arguments.get(1)) {
            (Some(_), Some(_)) => {
                Err(TextError::new(arguments.place, "df and knots say the same: give one of them").into())
            }
            (Some(knots), None) => Ok(Places::At(knots)),
            (None, _) => Ok(Places::Count(count()?.unwrap_or(FUNCTIONS_OF_A_COLUMN))),
        }
    };
    let number =
        || -> Result<Option<f64>, Error> { Ok(arguments.numbers(2)?.and_then(|own| own.first().copied())) };
    Ok(match function {
        "chebyshev" => BasisFamily::Chebyshev(count()?.unwrap_or(1)),
        "fourier" => BasisFamily::Fourier { count: count()?.unwrap_or(1), period: number()? },
        "step" => BasisFamily::Steps(places()?),
        "relu" => BasisFamily::Rectifiers(places()?),
        "sigmoid" => {
            let places = Places::Count(count()?.unwrap_or(FUNCTIONS_OF_A_COLUMN));
            BasisFamily::Sigmoids { places, width: number()? }
        }
        "rbf" => {
            let places = Places::Count(count()?.unwrap_or(FUNCTIONS_OF_A_COLUMN));
            BasisFamily::Bells { places, width: number()? }
        }
        _ => BasisFamily::Haar(arguments.whole(1, 1)?.unwrap_or(3)),
    })
}

/// Functions of one column where no other number is asked for.
const FUNCTIONS_OF_A_COLUMN: usize = 5;

/// Different quantiles of sorted numbers, of so many equally spaced probabilities from 0 to 1.
fn quantiles(sorted: &[f64], count: usize) -> Vec<f64> {
    let last = (count - 1) as f64;
    let mut all: Vec<f64> = (0..count).map(|own| quantile_of_sorted(sorted, own as f64 / last)).collect();
    all.dedup_by(|a, b| a == b);
    all
}

/// The ends of the numbers, and between them the knots that are given, or quantiles: as many as `df`
/// functions need beyond `fewest`, of which `df` may be `least` at least.
fn knots(arguments: &Arguments<'_>, sorted: &[f64], fewest: usize, least: usize) -> Result<Vec<f64>, Error> {
    let (low, high) = (sorted[0], sorted[sorted.len() - 1]);
    if let Some(given) = arguments.numbers(2)? {
        if arguments.get(1).is_some() {
            return Err(TextError::new(arguments.place, "df and knots say the same: give one of them").into());
        }
        let inside = given.windows(2).all(|pair| pair[0] < pair[1])
            && given.iter().all(|knot| (low..high).contains(knot) && *knot > low);
        if !inside {
            let message =
                format!("knots are increasing, and between the ends of the column, {low} and {high}");
            return Err(TextError::new(arguments.place, message).into());
        }
        return Ok([vec![low], given, vec![high]].concat());
    }
    let functions = arguments.whole(1, least)?.unwrap_or(fewest);
    let all = quantiles(sorted, functions - fewest + 2);
    if all.len() < functions - fewest + 2 {
        let message =
            format!("{functions} functions need knots at different quantiles: the column has too many ties");
        return Err(TextError::new(arguments.place, message).into());
    }
    Ok(all)
}

/// The natural splines of R's `ns`: B-splines but the first, in the directions that have no curvature at both
/// ends. They are written by their values at the knots, which go on straight beyond the ends.
fn natural(knots: &[f64], refused: impl Fn(ParamError) -> TextError) -> Result<Curve, Error> {
    let b = Basis::b_spline(knots, 3).map_err(&refused)?;
    let width = b.width() - 1;
    let curvature = |first: f64, both: f64| {
        let inner = 1.0 / first + 1.0 / both;
        // Of the second and the third function from an end.
        [-6.0 / first * inner, 6.0 / (first * both)]
    };
    let last = knots.len() - 1;
    let left = curvature(knots[1] - knots[0], knots[last.min(2)] - knots[0]);
    let right = curvature(knots[last] - knots[last - 1], knots[last] - knots[last.saturating_sub(2)]);
    let far = 6.0 / (knots[last] - knots[last - 1]).powi(2);
    let mut conditions = DMatrix::zeros(width, 2);
    conditions[(0, 0)] = left[0];
    conditions[(1, 0)] = left[1];
    conditions[(width - 1, 1)] += far;
    conditions[(width - 2, 1)] += right[0];
    conditions[(width - 3, 1)] += right[1];
    let mut at_knots = b.values(knots)?.remove_column(0).transpose();
    // Householder's reflections, as LINPACK has them: their signs are those of R.
    for step in 0..2 {
        let mut normal = conditions.column(step).into_owned();
        normal.rows_mut(0, step).fill(0.0);
        let length = normal.norm();
        normal[step] += if normal[step] < 0.0 { -length } else { length };
        let square = normal.norm_squared();
        for matrix in [&mut conditions, &mut at_knots] {
            let along = matrix.tr_mul(&normal) * (2.0 / square);
            matrix.ger(-1.0, &normal, &along, 1.0);
        }
    }
    let combination = |own: usize| {
        let values: Vec<f64> = at_knots.row(own).iter().copied().collect();
        (values[0], values[1..].iter().map(|value| value - values[0]).collect())
    };
    let basis = Basis::natural_spline(knots).map_err(refused)?;
    Ok(Curve { basis, take: Take::Combined((2..width).map(combination).collect()) })
}
