"""Regressions of classes and counts."""

from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight

from posterior_rs import _core
from posterior_rs.estimators._input import Matrix, fitted_rows, new_rows


class _Laplace(BaseEstimator):
    """A normal prior of the weights, a flat one of the intercept, and Laplace's approximation.

    Parameters
    ----------
    prior_sd : float, default=1.0
        The standard deviation of the prior of each weight.
    fit_intercept : bool, default=True
    max_iter : int, default=100
    tol : float, default=1e-9
    """

    def __init__(
        self, *, prior_sd: float = 1.0, fit_intercept: bool = True, max_iter: int = 100, tol: float = 1e-9
    ) -> None:
        self.prior_sd = prior_sd
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol

    def _settings(self) -> "_Settings":
        return _Settings(float(self.prior_sd), bool(self.fit_intercept), self.max_iter, self.tol)


class _Settings(NamedTuple):
    """The attributes of an estimator as the compiled part takes them."""

    prior_sd: float
    intercept: bool
    max_iterations: int
    tolerance: float


def _weights(sample_weight: Any, X: Matrix) -> Any:
    if sample_weight is None:
        return None
    return _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)


class LogisticRegression(ClassifierMixin, _Laplace):
    """Logistic regression, and softmax regression of more than two classes.

    The log-odds of each class against the first are linear, with a normal prior of the weights and a flat one
    of the intercept. Probabilities are averaged over Laplace's approximation of the posterior: by quadrature
    for two classes, over draws for more.

    Parameters
    ----------
    prior_sd : float, default=1.0
        The standard deviation of the prior of each weight; of two classes 1/sqrt(C) of scikit-learn's
        penalty, sqrt(C) of it.
    fit_intercept : bool, default=True
    max_iter : int, default=100
    tol : float, default=1e-9
    n_draws : int, default=1000
        Draws that probabilities of more than two classes are averaged over.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    coef_ : ndarray, shape (n_classes - 1, n_features)
        The most probable weights of the log-odds against the first class.
    intercept_ : ndarray, shape (n_classes - 1,)
    covariance_ : ndarray
        The covariance of all coefficients, class after class, intercepts last.

    Examples
    --------
    >>> from posterior_rs.estimators import LogisticRegression
    >>> model = LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.5], [2.5]])
    array(['a', 'b'], dtype='<U1')
    """

    def __init__(
        self,
        *,
        prior_sd: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 100,
        tol: float = 1e-9,
        n_draws: int = 1000,
    ) -> None:
        super().__init__(prior_sd=prior_sd, fit_intercept=fit_intercept, max_iter=max_iter, tol=tol)
        self.n_draws = n_draws

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "LogisticRegression":
        """Learn from rows X, shape (n_samples, n_features), and classes y, shape (n_samples,)."""
        X, y = fitted_rows(self, X, y=y)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        weights = _weights(sample_weight, X)
        counted = labels if weights is None else labels[weights > 0]
        if len(np.unique(counted)) < 2:
            raise ValueError(f"y: expected at least two classes in rows that count, found one class of {self.classes_}")
        found = _core.softmax_fit(X, labels, len(self.classes_), self._settings(), weights)
        self._mean, self.covariance_ = found["mean"], found["covariance"]
        self.coef_ = self._mean[:, : X.shape[1]]
        self.intercept_ = self._mean[:, -1] if self.fit_intercept else np.zeros(len(self._mean))
        self.n_iter_ = found["iterations"]
        return self

    def predict_proba(self, X: Any) -> Matrix:
        """The probability of each class, shape (n_samples, n_classes), averaged over the posterior."""
        X = new_rows(self, X)
        return _core.class_probabilities(X, self._mean, self.covariance_, bool(self.fit_intercept), self.n_draws)

    def predict(self, X: Any) -> Any:
        """The class of most probability of each row."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]


class PoissonRegression(RegressorMixin, _Laplace):
    """Poisson regression: the logarithm of the mean of counts is linear.

    Predictions are averaged over Laplace's approximation of the posterior.

    Parameters
    ----------
    prior_sd : float, default=1.0
        The standard deviation of the prior of each weight.
    fit_intercept : bool, default=True
    max_iter : int, default=100
    tol : float, default=1e-9

    Attributes
    ----------
    coef_ : ndarray, shape (n_features,)
        The most probable weights.
    intercept_ : float
    covariance_ : ndarray
        Of the weights and, last, the intercept.
    log_evidence_ : float
        ln p(y) by Laplace's method, with a density of 1 for the intercept.

    Examples
    --------
    >>> from posterior_rs.estimators import PoissonRegression
    >>> PoissonRegression().fit([[0.0], [1.0], [2.0]], [1, 3, 9]).coef_.round(2)
    array([0.93])
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "PoissonRegression":
        """Learn from rows X, shape (n_samples, n_features), and counts y, shape (n_samples,)."""
        X, y = fitted_rows(self, X, y=y, y_numeric=True)
        found = _core.count_fit(X, y, self._settings(), _weights(sample_weight, X))
        self._mean, self.covariance_ = found["mean"], found["covariance"]
        self.coef_ = self._mean[: X.shape[1]]
        self.intercept_ = float(self._mean[-1]) if self.fit_intercept else 0.0
        self.log_evidence_ = found["ln_evidence"]
        self.n_iter_ = found["iterations"]
        return self

    def predict(self, X: Any) -> Matrix:
        """The mean of the count of each row, averaged over the posterior."""
        X = new_rows(self, X)
        return _core.count_means(X, self._mean, self.covariance_, bool(self.fit_intercept))[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags
