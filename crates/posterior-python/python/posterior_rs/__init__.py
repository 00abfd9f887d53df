"""Probabilistic machine learning, computed in Rust.

===========================  ==================================================================
``posterior_rs.dist``        distributions, with the method names of SciPy
``posterior_rs.estimators``  estimators with the contract of scikit-learn, which they need
``posterior_rs.regress``     regressions by formulas, on frames of pandas and polars
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

from posterior_rs import dist

if TYPE_CHECKING:
    from posterior_rs import estimators
    from posterior_rs.regression import Regression, regress

__version__ = "0.1.0"

__all__ = ["Regression", "__version__", "dist", "estimators", "regress"]


def __getattr__(name: str) -> Any:
    # What needs NumPy or scikit-learn is imported when it is asked for.
    if name == "estimators":
        return import_module("posterior_rs.estimators")
    if name in ("Regression", "regress"):
        return getattr(import_module("posterior_rs.regression"), name)
    raise AttributeError(f"module 'posterior_rs' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
