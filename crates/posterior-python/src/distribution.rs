//! What every distribution has: a name, parameters, a text, and what data do to it.

use posterior_dist::text::Call;
use posterior_gaussian::text::{LearnError, LearnedDistribution, learn};
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arguments::{self, refused};
use crate::arrays;
use crate::catalogue::{Any, DIVERGENCES, has_numbers_only, row};
use crate::multivariate::Multivariate;
use crate::univariate::Univariate;

/// A distribution, or an array of them of one family.
///
/// `distribution` makes one by name, and `read` reads one as it is printed. The classes
/// `Univariate` and `Multivariate` have densities, draws and moments; what is a `Distribution` only is a
/// prior of several parameters or of a matrix.
#[pyclass(frozen, subclass, module = "posterior_rs.dist")]
#[derive(Debug)]
pub(crate) struct Distribution {
    members: Vec<Any>,
    shape: Option<Vec<usize>>,
}

impl Distribution {
    /// The object of Python, of the class that the members have.
    pub(crate) fn object(py: Python<'_>, members: Vec<Any>, shape: Option<Vec<usize>>) -> PyResult<Py<Self>> {
        let on_the_line = |own: &Any| if let Any::OnTheLine(own) = own { Some(own.clone()) } else { None };
        let univariate: Option<Vec<_>> = members.iter().map(on_the_line).collect();
        let first = members.first().cloned();
        let base = PyClassInitializer::from(Self { members, shape: shape.clone() });
        let object = match (univariate, first) {
            (Some(members), _) => {
                Bound::new(py, base.add_subclass(Univariate::new(py, members, shape)?))?.into_any()
            }
            (None, Some(Any::OfVectors(one))) => {
                Bound::new(py, base.add_subclass(Multivariate::new(one)))?.into_any()
            }
            _ => Bound::new(py, base)?.into_any(),
        };
        Ok(object.cast_into::<Self>().map_err(PyErr::from)?.unbind())
    }

    fn of(py: Python<'_>, call: &Call) -> PyResult<Py<Self>> {
        Self::object(py, vec![Any::read(call).map_err(refused)?], None)
    }

    /// The call of a single distribution.
    pub(crate) fn one(&self) -> PyResult<Call> {
        match (&self.shape, &self.members[..]) {
            (None, [one]) => Ok(one.call()),
            _ => Err(PyTypeError::new_err("an array of distributions: take one of them, as in d[0]")),
        }
    }

    fn learned(
        &self,
        data: Option<&Bound<'_, PyAny>>,
        likelihood: Option<&str>,
    ) -> PyResult<LearnedDistribution> {
        let points = data.map(arguments::observations).transpose()?.unwrap_or_default();
        let likelihood = likelihood.map(str::parse).transpose();
        let likelihood: Option<Call> =
            likelihood.map_err(|error| PyValueError::new_err(format!("{error}")))?;
        learn(&self.one()?, likelihood.as_ref(), &points).map_err(|error| match error {
            LearnError::Prior(_) if likelihood.is_none() => PyTypeError::new_err(error.to_string()),
            _ => PyValueError::new_err(error.to_string()),
        })
    }
}

#[pymethods]
impl Distribution {
    /// The name of the family, as the function that makes it has it.
    #[getter]
    fn name(&self) -> String {
        self.members.first().map(|own| own.call().name).unwrap_or_default()
    }

    /// The parameters by name: numbers, lists of numbers, or texts of distributions.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        arguments::named(py, &self.one()?)
    }

    /// The shape of an array of distributions; `()` of one.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.shape.as_deref().unwrap_or_default())
    }

    /// The Kullback-Leibler divergence KL(self || other) in nats, in closed form.
    ///
    /// Parameters
    /// ----------
    /// other : Distribution
    ///     Of the same family.
    ///
    /// Returns
    /// -------
    /// float
    ///     Infinite where `self` has mass and `other` none.
    fn kl(&self, other: &Self) -> PyResult<f64> {
        let (p, q) = (self.one()?, other.one()?);
        let divergence = row(DIVERGENCES, &p.name).ok_or_else(|| {
            PyAttributeError::new_err(format!("{} has no divergence in closed form", p.name))
        })?;
        if p.name != q.name {
            return Err(PyValueError::new_err(format!("other: expected {}, found {}", p.name, q.name)));
        }
        divergence(&p, &q).map_err(refused)
    }

    /// The distribution of the parameters after data, of a conjugate prior.
    ///
    /// Parameters
    /// ----------
    /// data : array_like, shape (n,) or (n, k)
    ///     Observations; rows for a likelihood of vectors.
    /// likelihood : str, optional
    ///     The distribution of the data with what it holds fixed, as `"normal(sd = 2)"`; needed where the
    ///     prior alone does not say it.
    ///
    /// Returns
    /// -------
    /// Distribution
    #[pyo3(signature = (data, likelihood=None))]
    fn posterior(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        likelihood: Option<&str>,
    ) -> PyResult<Py<Self>> {
        Self::of(py, &self.learned(Some(data), likelihood)?.posterior)
    }

    /// The distribution of the next observation, the parameters integrated out.
    ///
    /// Parameters
    /// ----------
    /// likelihood : str, optional
    ///     As of `posterior`.
    ///
    /// Returns
    /// -------
    /// Distribution
    #[pyo3(signature = (likelihood=None))]
    fn predictive(&self, py: Python<'_>, likelihood: Option<&str>) -> PyResult<Py<Self>> {
        Self::of(py, &self.learned(None, likelihood)?.predictive)
    }

    /// ln p(data), the parameters integrated out over this prior.
    ///
    /// Parameters
    /// ----------
    /// data : array_like, shape (n,) or (n, k)
    ///     Observations, as of `posterior`.
    /// likelihood : str, optional
    ///     As of `posterior`.
    ///
    /// Returns
    /// -------
    /// float
    #[pyo3(signature = (data, likelihood=None))]
    fn log_evidence(&self, data: &Bound<'_, PyAny>, likelihood: Option<&str>) -> PyResult<f64> {
        Ok(self.learned(Some(data), likelihood)?.ln_evidence)
    }

    fn __len__(&self) -> PyResult<usize> {
        let one = || PyTypeError::new_err("one distribution has no length");
        self.shape.as_ref().and_then(|shape| shape.first()).copied().ok_or_else(one)
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let Some(shape) = &self.shape else {
            return Err(PyTypeError::new_err("one distribution has no items"));
        };
        let all = arrays::numpy(py, "arange")?.call1((self.members.len(),))?;
        let kept = all.call_method1("reshape", (shape.clone(),))?.get_item(key)?;
        let kept_shape: Vec<usize> = kept.getattr("shape")?.extract()?;
        let at: Vec<usize> = arrays::numpy(py, "ravel")?.call1((kept,))?.extract()?;
        let members = at.into_iter().map(|at| self.members[at].clone()).collect();
        Self::object(py, members, (!kept_shape.is_empty()).then_some(kept_shape))
    }

    fn __eq__(&self, other: &Self) -> bool {
        let calls = |own: &Self| own.members.iter().map(Any::call).collect::<Vec<_>>();
        self.shape == other.shape && calls(self) == calls(other)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.__repr__().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        match (&self.shape, &self.members[..]) {
            (None, [one]) => one.call().by_place().to_string(),
            (shape, _) => {
                let shape = shape.as_deref().unwrap_or_default();
                let shown: Vec<String> =
                    self.members.iter().take(3).map(|own| own.call().by_place().to_string()).collect();
                let more = if self.members.len() > 3 { ", ..." } else { "" };
                format!("<array of distributions, shape {shape:?}: {}{more}>", shown.join(", "))
            }
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, State)> {
        let read = py.import("posterior_rs._core")?.getattr("read")?;
        let texts: Vec<String> = self.members.iter().map(|own| own.call().by_place().to_string()).collect();
        match (&self.shape, &texts[..]) {
            (None, [one]) => Ok((read, State::One((one.clone(),)))),
            (shape, _) => Ok((read, State::Several((texts, shape.clone())))),
        }
    }
}

/// What a distribution is made of again.
#[derive(Debug, IntoPyObject)]
pub(crate) enum State {
    One((String,)),
    Several((Vec<String>, Option<Vec<usize>>)),
}

/// A text, or several.
#[derive(Debug, FromPyObject)]
pub(crate) enum Texts {
    One(String),
    Several(Vec<String>),
}

/// Read a distribution as it is printed.
///
/// Parameters
/// ----------
/// text : str or list of str
///     As `"gamma(2, rate = 3)"`.
/// shape : tuple of int, optional
///     Of several, how they stand in an array.
///
/// Returns
/// -------
/// Distribution
///
/// Examples
/// --------
/// >>> from posterior_rs import dist
/// >>> dist.read("gamma(2, rate = 3)").mean()
/// 0.6666666666666666
#[pyfunction]
#[pyo3(signature = (text, shape=None))]
pub(crate) fn read(py: Python<'_>, text: Texts, shape: Option<Vec<usize>>) -> PyResult<Py<Distribution>> {
    let one = |text: &String| {
        let call: Result<Call, _> = text.parse();
        call.and_then(|call| Any::read(&call))
            .map_err(|error| PyValueError::new_err(format!("{text:?}: {error}")))
    };
    match text {
        Texts::One(text) => Distribution::object(py, vec![one(&text)?], None),
        Texts::Several(texts) => {
            let shape = shape.unwrap_or_else(|| vec![texts.len()]);
            if shape.iter().product::<usize>() != texts.len() {
                return Err(PyValueError::new_err(format!("{} texts have no shape {shape:?}", texts.len())));
            }
            let members = texts.iter().map(one).collect::<PyResult<_>>()?;
            Distribution::object(py, members, Some(shape))
        }
    }
}

/// Make a distribution by name.
///
/// Parameters
/// ----------
/// name : str
///     The name of the family; `catalogue` lists them.
/// *parameters, **named
///     Its parameters, by place or by name. Where they are numbers, arrays of them make an array of
///     distributions, by the rules of broadcasting.
///
/// Returns
/// -------
/// Distribution
#[pyfunction]
#[pyo3(signature = (name, /, *parameters, **named))]
pub(crate) fn distribution(
    py: Python<'_>,
    name: &str,
    parameters: &Bound<'_, PyTuple>,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<Distribution>> {
    if !has_numbers_only(name) || !arguments::some_array(parameters, named)? {
        return Distribution::of(py, &arguments::call(name, parameters, named)?);
    }
    let (calls, shape) = arguments::broadcast(name, parameters, named)?;
    let members = calls.iter().map(Any::read).collect::<Result<_, _>>().map_err(refused)?;
    Distribution::object(py, members, Some(shape))
}
