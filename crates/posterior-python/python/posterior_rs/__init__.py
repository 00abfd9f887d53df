"""Probabilistic machine learning, computed in Rust.

===========================  ==================================================================
``posterior_rs.dist``        distributions, with the method names of SciPy
``posterior_rs.estimators``  estimators with the contract of scikit-learn, which they need
``posterior_rs.regress``     regressions by formulas, on frames of pandas and polars
``posterior_rs.sampling``    draws of log densities by NUTS and others, diagnostics of draws
``posterior_rs.Model``       programs in Stan's language
``posterior_rs.sequences``   hidden Markov models and conditional random fields
``posterior_rs.topics``      topic models: fits, coherence, held-out words, maps
``posterior_rs.networks``    Bayesian networks: files, queries, learning, draws
``posterior_rs.series``      structural time series: components and forecasts
``posterior_rs.optimize``    Bayesian optimisation by asking and telling
``posterior_rs.bandits``     which arm to play next
``posterior_rs.datasets``    small data sets that come with the package
===========================  ==================================================================

Examples
--------
>>> import posterior_rs
>>> wait = posterior_rs.dist.gamma(2, rate=3)
>>> wait
gamma(2, 3)
>>> round(wait.cdf(1.0), 6)
0.800852
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from posterior_rs import _core, dist

if TYPE_CHECKING:
    from posterior_rs import bandits, datasets, estimators, networks, optimize, sampling, sequences, series, topics
    from posterior_rs.model import Model, Posterior
    from posterior_rs.regression import Regression, regress

__version__ = "0.1.0"

# Ctrl-C must not interrupt this later, at the first array.
_core.load_arrays()

_MODULES = (
    "bandits",
    "datasets",
    "estimators",
    "networks",
    "optimize",
    "sampling",
    "sequences",
    "series",
    "topics",
)

_HOMES = {
    "Model": "posterior_rs.model",
    "Posterior": "posterior_rs.model",
    "Regression": "posterior_rs.regression",
    "regress": "posterior_rs.regression",
}

__all__ = [
    "Model",
    "Posterior",
    "Regression",
    "__version__",
    "bandits",
    "datasets",
    "dist",
    "estimators",
    "networks",
    "optimize",
    "regress",
    "sampling",
    "sequences",
    "series",
    "topics",
]


def __getattr__(name: str) -> Any:
    # What needs NumPy or scikit-learn is imported when it is asked for.
    if name in _MODULES:
        return import_module(f"posterior_rs.{name}")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'posterior_rs' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
