"""What estimators take: rows as float64, and seeds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

Matrix = NDArray[np.float64]


def fitted_rows(estimator: Any, X: Any, **options: Any) -> Any:
    """The rows that a fit is of; with ``y`` among the options both."""
    return validate_data(estimator, X, dtype=np.float64, **options)


def new_rows(estimator: Any, X: Any, **options: Any) -> Matrix:
    """Rows for an estimator that is fitted, with as many columns as those were."""
    check_is_fitted(estimator)
    rows: Matrix = validate_data(estimator, X, dtype=np.float64, reset=False, **options)
    return rows
