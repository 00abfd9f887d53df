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

    Notes
    -----
    Steps are regular; NaN is a value that is missing. Forecasts take the parameters as known, so that their
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

    def fit(self, y: Any) -> "StructuralModel":
        """Learn the parameters by maximum likelihood.

        Parameters
        ----------
        y : array_like or pandas.Series, shape (n,)
            Values at regular steps. The index of a series is that of what comes out.

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
        found = _core.series_fit(values, self.model, fixed, seed(self.random_state))
        pandas = import_module("pandas")
        self._values = values
        self._index = y.index if isinstance(y, pandas.Series) else pandas.RangeIndex(len(values))
        self.model_: str = found["model"]
        columns = {key: found[key] for key in ("values", "standard_errors", "at_boundary")}
        self.parameters_ = pandas.DataFrame(columns, index=pandas.Index(found["names"], name="name"))
        self.parameters_.columns = pandas.Index(["value", "se", "at_boundary"])
        self.log_likelihood_: float = found["ln_likelihood"]
        self.aic_: float = found["aic"]
        self.bic_: float = found["bic"]
        self.converged_: bool = found["converged"]
        return self

    def smoothed(self) -> Any:
        """The components given all values, and their standard deviations.

        Returns
        -------
        pandas.DataFrame
            By the index of the values: a column for each component, and one ``NAME sd``.
        """
        self._check()
        columns: dict[str, Array] = {}
        for name, (mean, variance) in _core.series_components(self._values, self.model_):
            columns[name], columns[f"{name} sd"] = mean, np.sqrt(variance)
        return import_module("pandas").DataFrame(columns, index=self._index)

    def forecast(self, steps: int = 1, *, level: float = 0.95) -> Any:
        """The next values, noise included.

        Parameters
        ----------
        steps : int, default=1
        level : float, default=0.95
            The probability between ``low`` and ``high``.

        Returns
        -------
        pandas.DataFrame
            ``mean``, ``sd``, ``low`` and ``high``, by the steps that the index goes on with.

        Raises
        ------
        ValueError
            An index that does not say how it goes on.
        """
        self._check()
        if not 0 < level < 1:
            raise ValueError(f"level: expected more than 0 and less than 1, found {level}")
        steps = whole("steps", steps, 1)
        mean, variance = _core.series_forecast(self._values, self.model_, steps)
        sd = np.sqrt(variance)
        reach = dist.normal(0, 1).ppf(0.5 + level / 2) * sd
        columns = {"mean": mean, "sd": sd, "low": mean - reach, "high": mean + reach}
        return import_module("pandas").DataFrame(columns, index=_after(self._index, steps))

    def _check(self) -> None:
        if not hasattr(self, "model_"):
            raise ValueError("this StructuralModel is not fitted")

    def __repr__(self) -> str:
        return f"StructuralModel({getattr(self, 'model_', self.model)!r})"


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
