//! Where functions are put when the data say where the inputs are.

use posterior_math::check::{self, ParamError};
use posterior_math::streaming::quantile_of_sorted;

use super::Basis;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Places {
    Count(usize),
    At(Vec<f64>),
}

impl Places {
    pub(super) const fn count(&self) -> usize {
        match self {
            Self::Count(count) => *count,
            Self::At(places) => places.len(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Family {
    Raw,
    Standard,
    Powers(usize),
    Chebyshev(usize),
    Orthogonal(usize),
    Fourier { count: usize, period: Option<f64> },
    Steps(Places),
    Rectifiers(Places),
    Sigmoids { places: Places, width: Option<f64> },
    Bells { places: Places, width: Option<f64> },
    NaturalSpline(Places),
    BSpline(Places),
    Haar(usize),
    OneHot,
    Treatment,
}

/// What is known of a column: its numbers in increasing order, at least one and all finite.
struct Column<'a> {
    sorted: &'a [f64],
}

impl Column<'_> {
    fn low(&self) -> f64 {
        self.sorted[0]
    }

    fn high(&self) -> f64 {
        self.sorted[self.sorted.len() - 1]
    }

    fn range(&self) -> Result<f64, ParamError> {
        let range = self.high() - self.low();
        check::require(
            range > 0.0 && range.is_finite(),
            "FeaturePlan",
            "range of the column",
            range,
            "positive and finite",
        )
    }

    /// Different quantiles of the probabilities between 0 and 1 at equal distances.
    fn quantiles(&self, probabilities: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut places: Vec<f64> = probabilities.map(|p| quantile_of_sorted(self.sorted, p)).collect();
        places.dedup_by(|a, b| a == b);
        places
    }

    fn inner_quantiles(&self, count: usize) -> Vec<f64> {
        self.quantiles((1..=count).map(|k| k as f64 / (count + 1) as f64))
    }

    fn outer_quantiles(&self, count: usize) -> Vec<f64> {
        self.quantiles((0..count).map(|k| k as f64 / (count - 1) as f64))
    }

    fn equally_spaced(&self, count: usize) -> Vec<f64> {
        let last = count.saturating_sub(1).max(1) as f64;
        let place = |k: usize| self.low() * (1.0 - k as f64 / last) + self.high() * (k as f64 / last);
        if count == 1 { vec![0.5 * self.low() + 0.5 * self.high()] } else { (0..count).map(place).collect() }
    }

    fn codes(&self) -> Vec<f64> {
        let mut codes = self.sorted.to_vec();
        codes.dedup_by(|a, b| a == b);
        codes
    }
}

/// The basis of a family on a column of inputs, which is not empty and finite.
pub(crate) fn place(family: &Family, inputs: &[f64]) -> Result<Basis, ParamError> {
    let mut sorted = inputs.to_vec();
    sorted.sort_by(f64::total_cmp);
    let column = Column { sorted: &sorted };
    match family {
        Family::Raw => Ok(Basis::raw()),
        Family::Standard => {
            let mut moments = posterior_math::streaming::MeanVariance::new();
            for &x in inputs {
                moments.push(x);
            }
            Basis::standard(moments.mean(), moments.variance().sqrt())
        }
        Family::Powers(degree) => Basis::powers(*degree),
        Family::Chebyshev(degree) => Basis::chebyshev(*degree, column.low(), column.high()),
        Family::Orthogonal(degree) => Basis::orthogonal(*degree, inputs),
        Family::Fourier { count, period } => {
            let period = period.map_or_else(|| column.range(), Ok)?;
            Basis::fourier(period, *count)
        }
        Family::Steps(places) => Basis::steps(&at(places, |count| column.inner_quantiles(count))),
        Family::Rectifiers(places) => Basis::rectifiers(&at(places, |count| column.inner_quantiles(count))),
        Family::Sigmoids { places, width } => {
            let width = width.map_or_else(|| Ok(0.5 * column.range()? / (places.count() + 1) as f64), Ok)?;
            Basis::sigmoids(&at(places, |count| column.inner_quantiles(count)), width)
        }
        Family::Bells { places, width } => {
            let gaps = places.count().saturating_sub(1).max(1) as f64;
            let width = width.map_or_else(|| Ok(column.range()? / gaps), Ok)?;
            Basis::bells(&at(places, |count| column.equally_spaced(count)), width)
        }
        Family::NaturalSpline(places) => {
            Basis::natural_spline(&at(places, |count| column.outer_quantiles(count + 1)))
        }
        Family::BSpline(places) => {
            // A cubic with k + 3 functions has k + 1 knots.
            let few = places.count() >= 4 || matches!(places, Places::At(_));
            check::require(few, "FeaturePlan", "bspline", places.count() as f64, "at least 4 functions")?;
            Basis::b_spline(&at(places, |count| column.outer_quantiles(count.saturating_sub(2))), 3)
        }
        Family::Haar(levels) => Basis::haar(*levels, column.low(), column.high()),
        Family::OneHot => Basis::one_hot(&column.codes()),
        Family::Treatment => Basis::treatment(&column.codes()),
    }
}

fn at(places: &Places, by_count: impl Fn(usize) -> Vec<f64>) -> Vec<f64> {
    match places {
        Places::Count(count) => by_count(*count),
        Places::At(places) => places.clone(),
    }
}
