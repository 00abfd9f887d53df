//! Univariate distributions, with the method names of SciPy.

use numpy::PyUntypedArrayMethods;
use posterior_dist::text::AnyUnivariate;
use posterior_report::{density as curve_of, histogram};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;

use crate::arguments::refused;
use crate::arrays::{self, Numbers};
use crate::catalogue::{DERIVATIVES, row};
use crate::random_state::generator;

/// A function of a distribution and a point.
type AtPoint = fn(&AnyUnivariate, f64) -> f64;

/// A quantity of a distribution.
type Quantity = fn(&AnyUnivariate) -> f64;

/// A distribution on the real line, or an array of them.
///
/// Points are numbers, arrays or whatever `numpy.asarray` takes; float64 arrays are read without a copy, and
/// the lock of the interpreter is released. Of an array of distributions, points and distributions are
/// broadcast. What a family has not in closed form is nan, as is what does not exist.
#[pyclass(frozen, extends = super::distribution::Distribution, module = "posterior_rs.dist")]
#[derive(Debug)]
pub(crate) struct Univariate {
    members: Vec<AnyUnivariate>,
    /// The number of each member in an array of their shape; nothing for a single one.
    index: Option<Py<PyAny>>,
}

/// An answer: a number, or an array.
type Answer<'py> = PyResult<Bound<'py, PyAny>>;

impl Univariate {
    pub(crate) fn new(
        py: Python<'_>,
        members: Vec<AnyUnivariate>,
        shape: Option<Vec<usize>>,
    ) -> PyResult<Self> {
        let index = |shape: Vec<usize>| {
            let numbers = (0..members.len()).map(|at| at as f64).collect();
            arrays::shaped(py, numbers, &shape).map(Bound::unbind)
        };
        Ok(Self { index: shape.map(index).transpose()?, members })
    }

    /// A function at every point.
    fn at<'py>(&self, x: &Bound<'py, PyAny>, f: AtPoint) -> Answer<'py> {
        let py = x.py();
        if let Some(index) = &self.index {
            let own = &self.members;
            return broadcast(index.bind(py), arrays::numbers(x)?, |at, x| f(&own[at], x));
        }
        let one = &self.members[0];
        if let Some(x) = arrays::plain(x) {
            return f(one, x).into_bound_py_any(py);
        }
        let x = arrays::numbers(x)?;
        arrays::shaped(py, arrays::mapped(py, &x, |x| f(one, x))?, &arrays::shape_of(&x))
    }

    /// A quantity of every member.
    fn each<'py>(&self, py: Python<'py>, f: Quantity) -> Answer<'py> {
        let values = self.members.iter().map(f).collect();
        arrays::shaped(py, values, &self.shape(py)?)
    }

    fn shape(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        self.index.as_ref().map_or(Ok(Vec::new()), |index| index.bind(py).getattr("shape")?.extract())
    }

    fn discrete(&self) -> bool {
        self.members.first().is_some_and(|own| own.is_discrete())
    }

    /// Refuses a density of what counts, and the probability of a point of what does not.
    fn must_be(&self, discrete: bool) -> PyResult<()> {
        match (self.discrete(), discrete) {
            (true, false) => Err(PyAttributeError::new_err("a distribution that counts has pmf and logpmf")),
            (false, true) => {
                Err(PyAttributeError::new_err("a distribution with a density has pdf and logpdf"))
            }
            _ => Ok(()),
        }
    }
}

/// A function at every pair of the number of a member and a point, broadcast to one shape.
fn broadcast<'py>(
    index: &Bound<'py, PyAny>,
    points: Numbers<'py>,
    f: impl Fn(usize, f64) -> f64 + Send + Sync,
) -> Answer<'py> {
    let py = index.py();
    let pairs = arrays::numpy(py, "broadcast_arrays")?.call1((index, &*points))?;
    let (members, points) = (arrays::numbers(&pairs.get_item(0)?)?, arrays::numbers(&pairs.get_item(1)?)?);
    let (at, x) = (members.as_array(), points.as_array());
    let values = at.iter().zip(&x).map(|(&at, &x)| f(at as usize, x));
    let values = arrays::filled(py, points.shape(), values)?;
    arrays::shaped(py, values, &arrays::shape_of(&points))
}

/// What a family has not, or what does not exist, as SciPy has it.
fn or_nan(value: Option<f64>) -> f64 {
    value.unwrap_or(f64::NAN)
}

#[pymethods]
impl Univariate {
    /// Whether the distribution counts: it has probabilities of points instead of a density.
    #[getter]
    fn is_discrete(&self) -> bool {
        self.discrete()
    }

    /// The density at x.
    fn pdf<'py>(&self, x: &Bound<'py, PyAny>) -> Answer<'py> {
        self.must_be(false)?;
        self.at(x, |own, x| own.ln_pdf(x).exp())
    }

    /// The logarithm of the density at x.
    fn logpdf<'py>(&self, x: &Bound<'py, PyAny>) -> Answer<'py> {
        self.must_be(false)?;
        self.at(x, |own, x| own.ln_pdf(x))
    }

    /// P(X = k).
    fn pmf<'py>(&self, k: &Bound<'py, PyAny>) -> Answer<'py> {
        self.must_be(true)?;
        self.at(k, |own, x| own.ln_pdf(x).exp())
    }

    /// ln P(X = k).
    fn logpmf<'py>(&self, k: &Bound<'py, PyAny>) -> Answer<'py> {
        self.must_be(true)?;
        self.at(k, |own, x| own.ln_pdf(x))
    }

    /// P(X <= x).
    fn cdf<'py>(&self, x: &Bound<'py, PyAny>) -> Answer<'py> {
        self.at(x, |own, x| own.cdf(x))
    }

    /// ln P(X <= x).
    fn logcdf<'py>(&self, x: &Bound<'py, PyAny>) -> Answer<'py> {
        self.at(x, |own, x| own.ln_cdf(x))
    }

    /// P(X > x), with full relative precision.
    fn sf<'py>(&self, x: &Bound<'py, PyAny>) -> Answer<'py> {
        self.at(x, |own, x| own.sf(x))
    }

    /// ln P(X > x).
    fn logsf<'py>(&self, x: &Bound<'py, PyAny>) -> Answer<'py> {
        self.at(x, |own, x| own.ln_sf(x))
    }

    /// The quantile: the least x of the support with cdf(x) >= q; nan for q outside of [0, 1].
    fn ppf<'py>(&self, q: &Bound<'py, PyAny>) -> Answer<'py> {
        self.at(q, |own, q| own.quantile(q))
    }

    /// The upper quantile: the least x of the support with sf(x) <= q; nan for q outside of [0, 1].
    fn isf<'py>(&self, q: &Bound<'py, PyAny>) -> Answer<'py> {
        self.at(q, |own, q| own.upper_quantile(q))
    }

    /// The derivative of logpdf at x, of the families that have it in closed form.
    fn gradient<'py>(&self, x: &Bound<'py, PyAny>) -> Answer<'py> {
        let name = self.members.first().map_or("", |own| own.name());
        let none = || PyAttributeError::new_err(format!("{name} has no derivative in closed form"));
        let derivative = row(DERIVATIVES, name).ok_or_else(none)?;
        let each = self.members.iter().map(|own| derivative(&own.call()));
        let derivatives = each.collect::<Result<Vec<_>, _>>().map_err(refused)?;
        let (py, points) = (x.py(), arrays::numbers(x)?);
        if let Some(index) = &self.index {
            return broadcast(index.bind(py), points, |at, x| derivatives[at](x));
        }
        let values = arrays::mapped(py, &points, |x| derivatives[0](x))?;
        arrays::shaped(py, values, &arrays::shape_of(&points))
    }

    /// Draws.
    ///
    /// Parameters
    /// ----------
    /// size : int or tuple of int, optional
    ///     The shape of the draws; of an array of distributions its last axes are theirs.
    /// random_state : int, numpy.random.Generator, numpy.random.RandomState, optional
    ///     An integer gives the same draws as the command line with this seed; nothing, others every time.
    ///
    /// Returns
    /// -------
    /// float, int or ndarray
    ///     Of counts int64, of others float64.
    #[pyo3(signature = (size=None, random_state=None))]
    fn rvs<'py>(
        &self,
        py: Python<'py>,
        size: Option<&Bound<'py, PyAny>>,
        random_state: Option<&Bound<'py, PyAny>>,
    ) -> Answer<'py> {
        let own = self.shape(py)?;
        let shape = if size.is_some() { arrays::size(size)? } else { own.clone() };
        if !shape.ends_with(&own) {
            let message = format!("size: expected a shape that ends with {own:?}, found {shape:?}");
            return Err(PyValueError::new_err(message));
        }
        let mut rng = generator(py, random_state)?;
        let members = self.members.iter().cycle();
        let draws = arrays::filled(py, &shape, members.map(|own| own.sample(&mut rng)))?;
        if self.discrete() {
            return arrays::shaped(py, draws.into_iter().map(|x| x as i64).collect(), &shape);
        }
        arrays::shaped(py, draws, &shape)
    }

    /// The mean.
    fn mean<'py>(&self, py: Python<'py>) -> Answer<'py> {
        self.each(py, |own| or_nan(own.mean()))
    }

    /// The variance.
    fn var<'py>(&self, py: Python<'py>) -> Answer<'py> {
        self.each(py, |own| or_nan(own.variance()))
    }

    /// The standard deviation.
    fn std<'py>(&self, py: Python<'py>) -> Answer<'py> {
        self.each(py, |own| or_nan(own.variance()).sqrt())
    }

    /// The third standardised moment.
    fn skewness<'py>(&self, py: Python<'py>) -> Answer<'py> {
        self.each(py, |own| or_nan(own.skewness()))
    }

    /// The fourth standardised moment less 3.
    fn kurtosis<'py>(&self, py: Python<'py>) -> Answer<'py> {
        self.each(py, |own| or_nan(own.excess_kurtosis()))
    }

    /// The entropy in nats; of a density the differential entropy, which may be negative.
    fn entropy<'py>(&self, py: Python<'py>) -> Answer<'py> {
        self.each(py, |own| or_nan(own.entropy()))
    }

    /// The point of the largest density; nan if there is none or more than one.
    fn mode<'py>(&self, py: Python<'py>) -> Answer<'py> {
        self.each(py, |own| or_nan(own.mode()))
    }

    /// The median.
    fn median<'py>(&self, py: Python<'py>) -> Answer<'py> {
        self.each(py, |own| own.quantile(0.5))
    }

    /// The ends of the support.
    fn support<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        Ok((self.each(py, |own| own.ends().0)?, self.each(py, |own| own.ends().1)?))
    }

    /// The interval with as much probability below as above it.
    ///
    /// Parameters
    /// ----------
    /// confidence : array_like
    ///     The probability that it holds.
    ///
    /// Returns
    /// -------
    /// tuple of float or ndarray
    ///     The ends.
    fn interval<'py>(
        &self,
        confidence: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let low = self.at(confidence, |own, held| own.quantile(0.5 * (1.0 - held)))?;
        Ok((low, self.at(confidence, |own, held| own.upper_quantile(0.5 * (1.0 - held)))?))
    }

    /// The density between the quantiles at 0.5 and 99.5 percent as a picture, in a notebook.
    fn _repr_html_(&self) -> Option<String> {
        let picture = match &self.members[..] {
            [one] if self.index.is_none() => picture(one),
            _ => None,
        };
        // Without a limit it is as wide as the page.
        picture.map(|own| format!(r#"<div style="max-width: 32em">{own}</div>"#))
    }
}

/// What the picture leaves out at either end.
const TAIL: f64 = 0.005;

/// Points of a curve.
const POINTS: usize = 200;

/// A curve, or a bar for each count; nothing where there is no width, or no end.
fn picture(distribution: &AnyUnivariate) -> Option<String> {
    let (low, high) = (distribution.quantile(TAIL), distribution.upper_quantile(TAIL));
    let name = distribution.to_string();
    let density = |x: f64| distribution.ln_pdf(x).exp();
    if distribution.is_discrete() && high - low < POINTS as f64 {
        let counts: Vec<f64> = (0..=(high - low) as usize).map(|step| low + step as f64).collect();
        let edges: Vec<f64> = counts.iter().map(|k| k - 0.5).chain([high + 0.5]).collect();
        let heights: Vec<f64> = counts.into_iter().map(density).collect();
        return Some(histogram::<Vec<_>>(&name, &edges, &heights, &[]).standalone());
    }
    let at = |step: usize| low + (high - low) * step as f64 / (POINTS - 1) as f64;
    let curve: Vec<(f64, f64)> = (0..POINTS).map(|step| (at(step), density(at(step)))).collect();
    let shown = low < high && curve.iter().all(|(_, y)| y.is_finite()) && !distribution.is_discrete();
    shown.then(|| curve_of(&name, &[curve]).standalone())
}
