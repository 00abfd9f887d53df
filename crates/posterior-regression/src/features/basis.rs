//! Lists of functions of one number.

use std::f64::consts::TAU;

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;

use super::categories::Categories;
use super::counted;
use super::haar::Haar;
use super::local::{Local, Shape};
use super::polynomial::Polynomial;
use super::spline::Spline;
use crate::Error;

/// A list of functions φ(x) of one number.
///
/// None of them is the constant: the intercept belongs to the [map](super::FeatureMap).
/// [`one_hot`](Self::one_hot) and the full [`b_spline`](Self::b_spline) contain it all the same, as a sum.
///
/// ```
/// use posterior_regression::features::Basis;
///
/// let bells = Basis::bells(&[-1.0, 0.0, 1.0], 0.7)?;
/// let values = bells.values(&[0.0])?;
/// assert_eq!((values.shape(), values[(0, 1)]), ((1, 3), 1.0));
/// assert!(Basis::sigmoids(&[0.0], 0.0).is_err());
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Written"))]
pub struct Basis {
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Kind {
    Raw,
    Standard { mean: f64, sd: f64 },
    Polynomial(Polynomial),
    Fourier { period: f64, count: usize },
    Local(Local),
    Spline(Spline),
    Haar(Haar),
    Categories(Categories),
}

impl Basis {
    const fn of(kind: Kind) -> Self {
        Self { kind }
    }

    /// x itself.
    pub const fn raw() -> Self {
        Self::of(Kind::Raw)
    }

    /// (x - mean)/sd.
    ///
    /// # Errors
    /// If the mean is not finite, or the standard deviation not positive and finite.
    pub fn standard(mean: f64, sd: f64) -> Result<Self, ParamError> {
        let mean = check::finite("Basis::standard", "mean", mean)?;
        Ok(Self::of(Kind::Standard { mean, sd: check::positive("Basis::standard", "sd", sd)? }))
    }

    /// x, x², …, up to the degree. From degree 10 or so on, take [`chebyshev`](Self::chebyshev) or
    /// [`orthogonal`](Self::orthogonal): powers become alike.
    ///
    /// # Errors
    /// If the degree is 0 or above 1000.
    pub fn powers(degree: usize) -> Result<Self, ParamError> {
        Ok(Self::of(Kind::Polynomial(Polynomial::powers(degree)?)))
    }

    /// The Chebyshev polynomials T₁ … T_degree of [low, high], mapped to [-1, 1].
    ///
    /// # Errors
    /// If the degree is 0 or above 1000, or the ends are not finite and in this order.
    pub fn chebyshev(degree: usize, low: f64, high: f64) -> Result<Self, ParamError> {
        Ok(Self::of(Kind::Polynomial(Polynomial::chebyshev(degree, low, high)?)))
    }

    /// The polynomials of degree 1 to `degree` that are orthogonal on the points x, each with mean square 1
    /// there.
    ///
    /// # Errors
    /// If the degree is 0 or above 1000, a point is not finite, or there are not more different points than
    /// the degree.
    pub fn orthogonal(degree: usize, points: &[f64]) -> Result<Self, ParamError> {
        Ok(Self::of(Kind::Polynomial(Polynomial::orthogonal(degree, points)?)))
    }

    /// cos(2πk x/p) and sin(2πk x/p) for k from 1 to `count`.
    ///
    /// # Errors
    /// If the period is not positive and finite, or the count 0 or above 100 000.
    pub fn fourier(period: f64, count: usize) -> Result<Self, ParamError> {
        let period = check::positive("Basis::fourier", "period", period)?;
        Ok(Self::of(Kind::Fourier { period, count: counted("Basis::fourier", count)? }))
    }

    /// 1 from each place on, 0 before.
    ///
    /// # Errors
    /// If there is no place, or one is not finite.
    pub fn steps(places: &[f64]) -> Result<Self, ParamError> {
        Ok(Self::of(Kind::Local(Local::new(Shape::Step, places, 1.0)?)))
    }

    /// max(0, x - c) for each place c.
    ///
    /// # Errors
    /// If there is no place, or one is not finite.
    pub fn rectifiers(places: &[f64]) -> Result<Self, ParamError> {
        Ok(Self::of(Kind::Local(Local::new(Shape::Rectifier, places, 1.0)?)))
    }

    /// 1/(1 + exp(-(x - c)/w)) for each place c; a negative width w turns them round.
    ///
    /// # Errors
    /// If there is no place, one is not finite, or the width is zero or not finite.
    pub fn sigmoids(places: &[f64], width: f64) -> Result<Self, ParamError> {
        Ok(Self::of(Kind::Local(Local::new(Shape::Sigmoid, places, width)?)))
    }

    /// exp(-(x - c)²/(2 w²)) for each place c: radial basis functions.
    ///
    /// # Errors
    /// If there is no place, one is not finite, or the width is not positive and finite.
    pub fn bells(places: &[f64], width: f64) -> Result<Self, ParamError> {
        check::positive("Basis::bells", "width", width)?;
        Ok(Self::of(Kind::Local(Local::new(Shape::Bell, places, width)?)))
    }

    /// B-splines of a degree with these increasing knots, of which the first and the last are the ends; as
    /// many functions as knots + degree - 1, whose sum is 1.
    ///
    /// Beyond the ends they go on as the polynomials that they are next to them.
    ///
    /// # Errors
    /// If there are fewer than two knots, they are not finite and increasing, or the degree is above 20.
    pub fn b_spline(knots: &[f64], degree: usize) -> Result<Self, ParamError> {
        Ok(Self::of(Kind::Spline(Spline::b_spline(knots, degree)?)))
    }

    /// Natural cubic splines: piecewise cubic between these increasing knots with two derivatives, straight
    /// beyond them. The k-th function is 1 at knot k + 1 and 0 at the other knots, so that a weight is the
    /// value at the knot, less that at the first knot.
    ///
    /// # Errors
    /// If there are fewer than two knots or more than 1000, or they are not finite and increasing.
    pub fn natural_spline(knots: &[f64]) -> Result<Self, ParamError> {
        Ok(Self::of(Kind::Spline(Spline::natural(knots)?)))
    }

    /// Haar's wavelets on [low, high]: 2^levels - 1 functions, each with mean square 1 there; 0 outside.
    ///
    /// # Errors
    /// If there are no levels or more than 16, or the ends are not finite and in this order.
    pub fn haar(levels: usize, low: f64, high: f64) -> Result<Self, ParamError> {
        Ok(Self::of(Kind::Haar(Haar::new(levels, low, high)?)))
    }

    /// One indicator for each of these codes: their sum is 1, so that an intercept beside them needs a proper
    /// prior.
    ///
    /// # Errors
    /// If there is no code, one is not finite, or there twice.
    pub fn one_hot(codes: &[f64]) -> Result<Self, ParamError> {
        Ok(Self::of(Kind::Categories(Categories::one_hot(codes)?)))
    }

    /// One indicator for each of these codes but the first, which is the reference (treatment coding).
    ///
    /// # Errors
    /// If there are fewer than two codes, one is not finite, or there twice.
    pub fn treatment(codes: &[f64]) -> Result<Self, ParamError> {
        Ok(Self::of(Kind::Categories(Categories::treatment(codes)?)))
    }

    /// The number of functions.
    pub fn width(&self) -> usize {
        match &self.kind {
            Kind::Raw | Kind::Standard { .. } => 1,
            Kind::Polynomial(polynomial) => polynomial.width(),
            Kind::Fourier { count, .. } => 2 * count,
            Kind::Local(local) => local.width(),
            Kind::Spline(spline) => spline.width(),
            Kind::Haar(haar) => haar.width(),
            Kind::Categories(categories) => categories.width(),
        }
    }

    /// The names of the functions of an input with this name.
    pub fn names(&self, input: &str) -> Vec<String> {
        match &self.kind {
            Kind::Raw => vec![input.to_owned()],
            Kind::Standard { .. } => vec![format!("z({input})")],
            Kind::Polynomial(polynomial) => polynomial.names(input),
            Kind::Fourier { count, .. } => {
                (1..=*count).flat_map(|k| [format!("cos{k}({input})"), format!("sin{k}({input})")]).collect()
            }
            Kind::Local(local) => local.names(input),
            Kind::Spline(spline) => spline.names(input),
            Kind::Haar(haar) => haar.names(input),
            Kind::Categories(categories) => categories.names(input),
        }
    }

    /// φ(x) of each x as a row.
    ///
    /// # Errors
    /// If an x is not finite or is no code that there is, or a value overflows.
    pub fn values(&self, x: &[f64]) -> Result<DMatrix<f64>, Error> {
        for (row, &value) in x.iter().enumerate() {
            if !value.is_finite() {
                return Err(Error::Observation { what: "input", row, value, requirement: "finite" });
            }
        }
        let mut values = DMatrix::zeros(x.len(), self.width());
        self.fill(x, values.as_mut_slice())?;
        let rows = x.len().max(1);
        match values.as_slice().iter().position(|value| !value.is_finite()) {
            Some(place) => {
                let row = place % rows;
                let requirement = "small enough for its features to be finite";
                Err(Error::Observation { what: "input", row, value: x[row], requirement })
            }
            None => Ok(values),
        }
    }

    /// Fills the columns of the values of x.
    fn fill(&self, x: &[f64], columns: &mut [f64]) -> Result<(), Error> {
        match &self.kind {
            Kind::Raw => columns.copy_from_slice(x),
            Kind::Standard { mean, sd } => {
                for (value, x) in columns.iter_mut().zip(x) {
                    *value = (x - mean) / sd;
                }
            }
            Kind::Polynomial(polynomial) => polynomial.fill(x, columns),
            Kind::Fourier { period, .. } => waves(*period, x, columns),
            Kind::Local(local) => local.fill(x, columns),
            Kind::Spline(spline) => spline.fill(x, columns),
            Kind::Haar(haar) => haar.fill(x, columns),
            Kind::Categories(categories) => categories.fill(x, columns)?,
        }
        Ok(())
    }
}

/// cos and sin of the multiples of 2π x/p, in pairs of columns.
fn waves(period: f64, x: &[f64], columns: &mut [f64]) {
    let rows = x.len().max(1);
    for (index, pair) in columns.chunks_exact_mut(2 * rows).enumerate() {
        let (cosines, sines) = pair.split_at_mut(rows);
        let order = (index + 1) as f64;
        for ((cosine, sine), x) in cosines.iter_mut().zip(sines).zip(x) {
            // The turns lose their whole part exactly, before the multiplication by 2π rounds.
            let turns = order * (x / period).fract();
            (*sine, *cosine) = (TAU * turns.fract()).sin_cos();
        }
    }
}

/// A basis as somebody wrote it.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Written {
    kind: Kind,
}

#[cfg(feature = "serde")]
impl TryFrom<Written> for Basis {
    type Error = ParamError;

    fn try_from(Written { kind }: Written) -> Result<Self, ParamError> {
        Ok(match kind {
            Kind::Raw => Self::raw(),
            Kind::Standard { mean, sd } => Self::standard(mean, sd)?,
            Kind::Fourier { period, count } => Self::fourier(period, count)?,
            Kind::Polynomial(polynomial) => Self::of(Kind::Polynomial(polynomial.checked()?)),
            Kind::Local(local) => Self::of(Kind::Local(local.checked()?)),
            Kind::Spline(spline) => Self::of(Kind::Spline(spline.checked()?)),
            Kind::Haar(haar) => Self::of(Kind::Haar(haar.checked()?)),
            Kind::Categories(categories) => Self::of(Kind::Categories(categories.checked()?)),
        })
    }
}
