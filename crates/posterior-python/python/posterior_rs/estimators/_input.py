"""What estimators take: rows as float64, seeds as numbers."""

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


def seed(random_state: Any) -> int:
    """A seed: an integer is one, a generator draws one, None is 0, which repeats a fit."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    number = int(random_state)
    if not 0 <= number < 2**64:
        raise ValueError(f"random_state: expected 0 to 2^64 - 1, found {random_state}")
    return number
