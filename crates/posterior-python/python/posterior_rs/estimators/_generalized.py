"""Regressions of classes and counts."""

from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight

from posterior_rs import _core, sampling
from posterior_rs._arguments import whole
from posterior_rs.estimators._input import Matrix, fitted_rows, new_rows

#: Chains of the No-U-Turn sampler.
_CHAINS = 4

Inference = Literal["laplace", "nuts"]


class _Settings(NamedTuple):
    """Settings as the compiled part takes them."""

    prior_sd: float
    intercept: bool
    max_iterations: int
    tolerance: float


class _Generalized(BaseEstimator):
    """A normal prior of the weights, a flat one of the intercept; Laplace's approximation, or draws."""

    def __init__(
        self,
        *,
        prior_sd: float = 1.0,
        fit_intercept: bool = True,
        inference: Inference = "laplace",
        max_iter: int = 100,
        tol: float = 1e-9,
        n_draws: int = 1000,
        random_state: Any = None,
    ) -> None:
        self.prior_sd = prior_sd
        self.fit_intercept = fit_intercept
        self.inference = inference
        self.max_iter = max_iter
        self.tol = tol
        self.n_draws = n_draws
        self.random_state = random_state

    def _settings(self) -> _Settings:
        return _Settings(float(self.prior_sd), bool(self.fit_intercept), self.max_iter, self.tol)

    def _by_draws(self) -> bool:
        if self.inference not in ("laplace", "nuts"):
            raise ValueError(f"inference: expected laplace or nuts, found {self.inference!r}")
        return self.inference == "nuts"

    def _steps(self) -> sampling.Settings:
        each = -(-whole("n_draws", self.n_draws, 1) // _CHAINS)
        return sampling.settings("nuts", _CHAINS, each, 1000, 1, self.random_state, None, 0, (None, None, None))

    def _keep_draws(self, found: dict[str, Any], names: list[str]) -> None:
        """Draws with their names, and what is known by them."""
        self.draws_ = sampling.drawn(found, names)
        rows = self.draws_.values.reshape(-1, len(names))
        self._mean, self.covariance_ = rows.mean(axis=0), np.atleast_2d(np.cov(rows, rowvar=False))
        self.n_iter_ = len(rows)

    def _columns(self) -> list[str]:
        """The names of the coefficients, the intercept last."""
        own = getattr(self, "feature_names_in_", None)
        names = [f"x{i}" for i in range(self.n_features_in_)] if own is None else own.tolist()
        return [*names, *(["(Intercept)"] if self.fit_intercept else [])]


def _weights(sample_weight: Any, X: Matrix) -> Any:
    if sample_weight is None:
        return None
    return _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)


class LogisticRegression(ClassifierMixin, _Generalized):
    """Logistic regression, and softmax regression of more than two classes.

    The log-odds of each class against the first are linear, with a normal prior of the weights and a flat one
    of the intercept. Probabilities are averaged over the posterior: over Laplace's approximation by quadrature
    for two classes and over draws for more, or over draws of the No-U-Turn sampler.

    Parameters
    ----------
    prior_sd : float, default=1.0
        The standard deviation of the prior of each weight; of two classes 1/sqrt(C) of scikit-learn's
        penalty, sqrt(C) of it.
    fit_intercept : bool, default=True
    inference : {"laplace", "nuts"}, default="laplace"
        A normal approximation at the most probable coefficients, or the posterior itself by draws: for few
        rows, or classes that columns nearly separate.
    max_iter : int, default=100
        Steps of the search for the most probable coefficients.
    tol : float, default=1e-9
    n_draws : int, default=1000
        Draws of NUTS in all, of four chains, or those that probabilities of more than two classes are averaged
        over by Laplace's approximation.
    random_state : int, Generator, RandomState, optional
        Of NUTS. None is 0: a fit repeats.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    coef_ : ndarray, shape (n_classes - 1, n_features)
        The most probable weights of the log-odds against the first class; by draws their means.
    intercept_ : ndarray, shape (n_classes - 1,)
    covariance_ : ndarray
        The covariance of all coefficients, class after class, intercepts last.
    draws_ : posterior_rs.sampling.Draws
        Of NUTS: the coefficients as ``CLASS: COLUMN``, with their table, warnings and ``to_arviz()``.

    Examples
    --------
    >>> from posterior_rs.estimators import LogisticRegression
    >>> model = LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.5], [2.5]])
    array(['a', 'b'], dtype='<U1')
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "LogisticRegression":
        """Learn from rows X, shape (n_samples, n_features), and classes y, shape (n_samples,)."""
        X, y = fitted_rows(self, X, y=y)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        weights = _weights(sample_weight, X)
        counted = labels if weights is None else labels[weights > 0]
        if len(np.unique(counted)) < 2:
            raise ValueError(f"y: expected at least two classes in rows that count, found one class of {self.classes_}")
        count, settings = len(self.classes_), self._settings()
        if self._by_draws():
            names = [f"{own}: {column}" for own in self.classes_[1:] for column in self._columns()]
            self._keep_draws(_core.softmax_sample(X, (labels, count), settings, weights, self._steps()), names)
            self._mean = self._mean.reshape(count - 1, -1)
        else:
            found = _core.softmax_fit(X, labels, count, settings, weights)
            self._mean, self.covariance_ = found["mean"], found["covariance"]
            self.n_iter_ = found["iterations"]
        self.coef_ = self._mean[:, : X.shape[1]]
        self.intercept_ = self._mean[:, -1] if self.fit_intercept else np.zeros(len(self._mean))
        return self

    def predict_proba(self, X: Any) -> Matrix:
        """The probability of each class, shape (n_samples, n_classes), averaged over the posterior."""
        X = new_rows(self, X)
        if self._by_draws():
            rows = self.draws_.values.reshape(-1, self._mean.size)
            return _core.class_probabilities_of_draws(X, rows, bool(self.fit_intercept))
        return _core.class_probabilities(X, self._mean, self.covariance_, bool(self.fit_intercept), self.n_draws)

    def predict(self, X: Any) -> Any:
        """The class of most probability of each row."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]


class PoissonRegression(RegressorMixin, _Generalized):
    """Poisson regression: the logarithm of the mean of counts is linear.

    Predictions are averaged over the posterior: Laplace's approximation of it, or draws of the No-U-Turn sampler.

    Parameters
    ----------
    prior_sd : float, default=1.0
        The standard deviation of the prior of each weight.
    fit_intercept : bool, default=True
    inference : {"laplace", "nuts"}, default="laplace"
        A normal approximation at the most probable coefficients, or the posterior itself by draws: for few
        rows and rare counts.
    max_iter : int, default=100
        Steps of the search for the most probable coefficients.
    tol : float, default=1e-9
    n_draws : int, default=1000
        Draws of NUTS in all, of four chains.
    random_state : int, Generator, RandomState, optional
        Of NUTS. None is 0: a fit repeats.

    Attributes
    ----------
    coef_ : ndarray, shape (n_features,)
        The most probable weights; by draws their means.
    intercept_ : float
    covariance_ : ndarray
        Of the weights and, last, the intercept.
    log_evidence_ : float
        ln p(y) by Laplace's method, with a density of 1 for the intercept.
    draws_ : posterior_rs.sampling.Draws
        Of NUTS: the coefficients by the names of columns, with their table, warnings and ``to_arviz()``.

    Examples
    --------
    >>> from posterior_rs.estimators import PoissonRegression
    >>> PoissonRegression().fit([[0.0], [1.0], [2.0]], [1, 3, 9]).coef_.round(2)
    array([0.93])
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "PoissonRegression":
        """Learn from rows X, shape (n_samples, n_features), and counts y, shape (n_samples,)."""
        X, y = fitted_rows(self, X, y=y, y_numeric=True)
        settings, weights = self._settings(), _weights(sample_weight, X)
        if self._by_draws():
            self._keep_draws(_core.count_sample(X, y, settings, weights, self._steps()), self._columns())
        else:
            found = _core.count_fit(X, y, settings, weights)
            self._mean, self.covariance_ = found["mean"], found["covariance"]
            self.log_evidence_ = found["ln_evidence"]
            self.n_iter_ = found["iterations"]
        self.coef_ = self._mean[: X.shape[1]]
        self.intercept_ = float(self._mean[-1]) if self.fit_intercept else 0.0
        return self

    def predict(self, X: Any) -> Matrix:
        """The mean of the count of each row, averaged over the posterior."""
        X = new_rows(self, X)
        if self._by_draws():
            total = np.zeros(len(X))
            for own in self.draws_.values.reshape(-1, len(self._mean)):
                total += np.exp(X @ own[: X.shape[1]] + (own[-1] if self.fit_intercept else 0.0))
            mean: Matrix = total / np.prod(self.draws_.values.shape[:2])
            return mean
        return _core.count_means(X, self._mean, self.covariance_, bool(self.fit_intercept))[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags
