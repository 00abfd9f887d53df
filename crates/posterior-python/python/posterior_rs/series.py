"""Structural time series: levels, trends, seasons and cycles that wander, fitted, taken apart, forecast.

Examples
--------
>>> import numpy as np
>>> from posterior_rs.series import StructuralModel
>>> rng = np.random.default_rng(0)
>>> y = np.cumsum(rng.normal(size=100)) + rng.normal(size=100)
>>> model = StructuralModel("local-level").fit(y)
>>> model.forecast(2).columns.tolist()
['mean', 'sd', 'low', 'high']
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posterior_rs import _core, dist
from posterior_rs._arguments import seed, whole

__all__ = ["StructuralModel"]

Array = NDArray[np.float64]


class StructuralModel:
    """A sum of components and noise, with the parameters of most probability.

    Parameters
    ----------
    model : str, default="local-linear-trend"
        As the command line writes models: a sum of ``local-level``, ``local-linear-trend``, ``smooth-trend``,
        ``damped-trend``, ``seasonal:12``, ``trigonometric:12``, ``cycle:40``, ``ar:2``, ``arma:1,1``,
        ``arima:0,1,1`` and others; noise is added by itself. A number in brackets is where a search begins.
    fixed : dict of str to float, optional
        Parameters by name that are not learned: ``{"noise.variance": 0.0}``.
    random_state : int, Generator, RandomState, optional
        Where searches begin. None is 0: a fit repeats.

    Attributes
    ----------
    parameters_ : pandas.DataFrame
        By name: value, standard error, and whether it went to its boundary.
    log_likelihood_, aic_, bic_ : float
        ln p of the values, exactly diffuse at the start, and criteria from it.
    converged_ : bool
    model_ : str
        The model with its parameters, as it is written.
    coefficients_ : pandas.DataFrame
        Of what is known beside the series, by column: mean and sd.

    Notes
    -----
    Steps are regular; NaN is a value that is missing. Effects of what is known beside the series are linear and
    constant, from a flat prior. Forecasts take the parameters as known, so that their
    intervals are somewhat narrow where the series is short.

    References
    ----------
    A. Harvey, Forecasting, Structural Time Series Models and the Kalman Filter, 1989; J. Durbin and S. J.
    Koopman, Time Series Analysis by State Space Methods, 2012.
    """

    def __init__(
        self,
        model: str = "local-linear-trend",
        *,
        fixed: Mapping[str, float] | None = None,
        random_state: Any = None,
    ) -> None:
        self.model = model
        self.fixed = fixed
        self.random_state = random_state

    def fit(self, y: Any, X: Any = None) -> "StructuralModel":
        """Learn the parameters by maximum likelihood.

        Parameters
        ----------
        y : array_like or pandas.Series, shape (n,)
            Values at regular steps. The index of a series is that of what comes out.
        X : array_like or pandas.DataFrame, shape (n, columns), optional
            What is known beside the series: prices, holidays, a law that came into force.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            A model that is not one, with the place in its text; parameters that it does not have; too few values.
        """
        values = np.asarray(y, dtype=np.float64)
        if values.ndim != 1:
            raise ValueError(f"y: expected one value a step, found the shape {values.shape}")
        if np.isinf(values).any():
            raise ValueError("y: expected finite values, or NaN where one is missing")
        fixed = [(str(name), float(value)) for name, value in (self.fixed or {}).items()]
        self._names, inputs = _columns(X, len(values))
        found = _core.series_fit(values, self.model, inputs, fixed, seed(self.random_state))
        pandas = import_module("pandas")
        self._values, self._inputs = values, inputs
        self._index = y.index if isinstance(y, pandas.Series) else pandas.RangeIndex(len(values))
        self.model_: str = found["model"]
        columns = {key: found[key] for key in ("values", "standard_errors", "at_boundary")}
        self.parameters_ = pandas.DataFrame(columns, index=pandas.Index(found["names"], name="name"))
        self.parameters_.columns = pandas.Index(["value", "se", "at_boundary"])
        self.log_likelihood_: float = found["ln_likelihood"]
        self.aic_: float = found["aic"]
        self.bic_: float = found["bic"]
        self.converged_: bool = found["converged"]
        parts = _core.series_components(values, self.model_, inputs)
        last = [(mean[-1], np.sqrt(variance[-1])) for name, (mean, variance) in parts if _is_coefficient(name)]
        self.coefficients_ = pandas.DataFrame(last, index=self._names, columns=["mean", "sd"], dtype=np.float64)
        return self

    def smoothed(self) -> Any:
        """The components given all values, and their standard deviations.

        Returns
        -------
        pandas.DataFrame
            By the index of the values: a column for each component, and one ``NAME sd``; ``regression`` is the
            effect of all columns of X together.
        """
        self._check()
        columns: dict[str, Array] = {}
        for name, (mean, variance) in _core.series_components(self._values, self.model_, self._inputs):
            if not _is_coefficient(name):
                columns[name], columns[f"{name} sd"] = mean, np.sqrt(variance)
        return import_module("pandas").DataFrame(columns, index=self._index)

    def forecast(self, steps: int = 1, *, X: Any = None, level: float = 0.95) -> Any:
        """The next values, noise included.

        Parameters
        ----------
        steps : int, default=1
        X : array_like or pandas.DataFrame, shape (steps, columns)
            The columns of the fit at these steps, where it had some.
        level : float, default=0.95
            The probability between ``low`` and ``high``.

        Returns
        -------
        pandas.DataFrame
            ``mean``, ``sd``, ``low`` and ``high``, by the steps that the index goes on with.

        Raises
        ------
        ValueError
            An index that does not say how it goes on; other columns than those of the fit.
        """
        self._check()
        if not 0 < level < 1:
            raise ValueError(f"level: expected more than 0 and less than 1, found {level}")
        steps = whole("steps", steps, 1)
        names, inputs = _columns(X, steps)
        if names != self._names:
            raise ValueError(f"X: expected the columns of the fit, {self._names}, found {names}")
        if inputs is not None and self._inputs is not None:
            inputs = np.vstack([self._inputs, inputs])
        mean, variance = _core.series_forecast(self._values, self.model_, inputs, steps)
        sd = np.sqrt(variance)
        reach = dist.normal(0, 1).ppf(0.5 + level / 2) * sd
        columns = {"mean": mean, "sd": sd, "low": mean - reach, "high": mean + reach}
        return import_module("pandas").DataFrame(columns, index=_after(self._index, steps))

    def _check(self) -> None:
        if not hasattr(self, "model_"):
            raise ValueError("this StructuralModel is not fitted")

    def __repr__(self) -> str:
        return f"StructuralModel({getattr(self, 'model_', self.model)!r})"


def _is_coefficient(name: str) -> bool:
    return name.startswith("coefficient[")


def _columns(X: Any, rows: int) -> tuple[list[str], Array | None]:
    """The names and the numbers of what is known beside a series: x1, x2, ... where an array has no names."""
    if X is None:
        return [], None
    numbers = np.asarray(X, dtype=np.float64)
    numbers = numbers[:, None] if numbers.ndim == 1 else numbers
    if numbers.ndim != 2 or numbers.shape[0] != rows or numbers.shape[1] == 0:
        raise ValueError(f"X: expected a row for each of {rows} steps, found the shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise ValueError("X: expected finite numbers: a value that is not known cannot have an effect")
    own = getattr(X, "columns", None)
    names = [f"x{place + 1}" for place in range(numbers.shape[1])] if own is None else [str(name) for name in own]
    return names, np.ascontiguousarray(numbers)


def _after(index: Any, steps: int) -> Any:
    """The steps that an index goes on with."""
    pandas = import_module("pandas")
    if isinstance(index, pandas.PeriodIndex):
        return pandas.period_range(index[-1] + 1, periods=steps, freq=index.freq)
    if isinstance(index, pandas.DatetimeIndex):
        step = index.freq or (pandas.infer_freq(index) if len(index) > 2 else None)
        if step is None:
            raise ValueError("y: its dates have no regular step: give them one by asfreq")
        return pandas.date_range(index[-1], periods=steps + 1, freq=step)[1:]
    numbers = np.asarray(index)
    if numbers.dtype.kind not in "iuf" or len(set(np.diff(numbers).tolist())) > 1:
        raise ValueError("y: its index has no regular step")
    step = numbers[1] - numbers[0] if len(numbers) > 1 else 1
    return pandas.Index(numbers[-1] + step * np.arange(1, steps + 1), name=index.name)
