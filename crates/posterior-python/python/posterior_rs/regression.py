"""Regression by formulas, with groups, curves, times and areas.

Examples
--------
>>> import pandas as pd
>>> from posterior_rs import regress
>>> pupils = pd.DataFrame({
...     "score": [61.0, 70, 66, 75, 50, 58, 54, 63, 71, 77, 74, 81],
...     "hours": [1.0, 3, 2, 4, 1, 3, 2, 4, 1, 3, 2, 4],
...     "school": ["a"] * 4 + ["b"] * 4 + ["c"] * 4,
... })
>>> fit = regress("score ~ hours + (1 | school)", pupils)
>>> fit.coefficients[["name", "mean"]].round(1)
          name  mean
0  (Intercept)  56.5
1        hours   4.1
>>> fit.predict(pd.DataFrame({"hours": [2.5], "school": ["d"]}))["mean"].round(0).tolist()
[67.0]
"""

from html import escape
from typing import Any, NamedTuple

import numpy as np

from posterior_rs import _core


class _Frame(NamedTuple):
    """A frame as the compiled part takes it."""

    rows: int
    columns: list[tuple[str, Any]]


class _Settings(NamedTuple):
    """What is asked for beside formula and frame."""

    family: str
    engine: str
    level: float
    prior_sd: float | None


def _is_polars(frame: Any) -> bool:
    return type(frame).__module__.partition(".")[0] == "polars"


def _column(name: str, values: Any) -> Any:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"column {name}: expected one number or label a row, found the shape {array.shape}")
    if array.dtype.kind in "biuf":
        return array.astype(np.float64)
    labels = array.tolist()
    for row, label in enumerate(labels):
        if not isinstance(label, str):
            raise TypeError(f"column {name}: expected numbers or labels, found {label!r} in row {row}")
    return labels


def _frame(frame: Any, names: list[str]) -> _Frame:
    columns = [(name, _column(name, frame[name])) for name in names]
    return _Frame(len(columns[0][1]) if columns else len(frame), columns)


def _header(frame: Any) -> list[str]:
    if not hasattr(frame, "columns") and not isinstance(frame, dict):
        kind = type(frame).__name__
        raise TypeError(f"frame: expected a frame of pandas or polars, or a dictionary, found {kind}")
    return [str(name) for name in (frame if isinstance(frame, dict) else frame.columns)]


def regress(
    formula: str,
    frame: Any,
    *,
    family: str = "gaussian",
    engine: str = "laplace",
    level: float = 0.95,
    prior_sd: float | None = None,
) -> "Regression":
    """Fit a regression by a formula.

    Parameters
    ----------
    formula : str
        As ``"y ~ x + (1 + x | school) + rw1(year)"``: the formulas of the command line.
    frame : pandas.DataFrame, polars.DataFrame or dict
        The columns that the formula names: numbers, or labels.
    family : str, default="gaussian"
        The distribution of the outcome: gaussian, student, lognormal, gamma, beta, bernoulli (probit, cloglog),
        poisson, negative_binomial, zero_inflated_poisson, weibull, exponential.
    engine : {"laplace", "reml", "ml"}, default="laplace"
        The posterior by nested Laplace approximation (Rue, Martino and Chopin 2009), or with the variances of
        restricted or of maximum likelihood.
    level : float, default=0.95
        The probability that intervals hold.
    prior_sd : float, optional
        The standard deviation of the prior of coefficients, per standard deviation of their column and in
        units of the outcome's; flat if it is not given.

    Returns
    -------
    Regression

    Raises
    ------
    ValueError
        A formula that is not one, a column that is not there or has other values than its term takes.
    TypeError
        A column that has neither numbers nor labels.
    """
    settings = _Settings(family, engine, float(level), None if prior_sd is None else float(prior_sd))
    needed = _core.formula_inputs(formula, _header(frame))
    return Regression(formula, _frame(frame, needed), settings, polars=_is_polars(frame))


class Regression:
    """A fitted regression, from `regress`.

    Attributes
    ----------
    formula, family, engine : str
    coefficients : frame
        Fixed effects by name: mean, standard deviation and interval.
    components : frame
        Standard deviations and other hyperparameters; by maximum likelihood their estimates only.
    effects : frame
        Values of groups, times and areas.
    fitted : frame
        The mean of the outcome of each row, and an interval of a new one.
    criteria : dict or None
        Of a posterior: ``elpd_loo``, ``waic`` and ``dic``.
    log_evidence : float
        ln p(outcomes), or the maximum of the (restricted) likelihood.
    """

    def __init__(self, formula: str, frame: _Frame, settings: _Settings, *, polars: bool) -> None:
        self.formula = formula
        self._frame, self._settings, self._polars = frame, settings, polars
        found = _core.regression_fit(formula, frame, settings)
        self.coefficients = self._table(found["coefficients"])
        self.components = self._table(found["components"])
        self.effects = self._table(found["effects"])
        self.fitted = self._predicted(found)
        self.log_evidence: float = found["ln_evidence"]
        named = found["criteria"] and dict(zip(("elpd_loo", "waic", "dic"), found["criteria"]))
        self.criteria: dict[str, float] | None = named

    @property
    def family(self) -> str:
        """The distribution of the outcome."""
        return self._settings.family

    @property
    def engine(self) -> str:
        """How it was fitted."""
        return self._settings.engine

    def predict(self, frame: Any) -> Any:
        """Predict new rows: groups and times that were not seen are as uncertain as they differ.

        Parameters
        ----------
        frame : pandas.DataFrame, polars.DataFrame or dict
            The columns of the formula but the outcome.

        Returns
        -------
        frame
            The mean of the outcome with its standard deviation and interval, and an interval of a new one.

        Notes
        -----
        New rows are part of the model, which is fitted again with them: a call takes as long as the fit.
        """
        header = _header(frame)
        needed = [name for name, _ in self._frame.columns if name in header]
        new = _frame(frame, needed)
        return self._predicted(_core.regression_fit(self.formula, self._frame, self._settings, new))

    def _predicted(self, found: dict[str, Any]) -> Any:
        means, outcomes = found["means"], found["responses"]
        columns = {key: means[key] for key in ("mean", "sd", "low", "high")}
        columns["outcome_low"], columns["outcome_high"] = outcomes["low"], outcomes["high"]
        return self._framed(columns)

    def _table(self, estimates: dict[str, Any]) -> Any:
        return self._framed({key: values for key, values in estimates.items() if key != "effect" or values})

    def _framed(self, columns: dict[str, Any]) -> Any:
        if self._polars:
            import polars

            return polars.DataFrame(columns)
        import pandas

        return pandas.DataFrame(columns)

    def __repr__(self) -> str:
        return f"<Regression {self.formula!r}, {self.family}: ln evidence {self.log_evidence:.4g}>"

    def _repr_html_(self) -> str:
        parts = [f"<p><b>{escape(self.formula)}</b>, {escape(self.family)}, by {escape(self.engine)}</p>"]
        for title, table in (("Coefficients", self.coefficients), ("Components", self.components)):
            if len(table):
                parts.append(f"<p>{title}</p>{table._repr_html_()}")
        return "".join(parts)
