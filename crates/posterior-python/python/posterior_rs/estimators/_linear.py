"""Linear regression with the evidence."""

from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from posterior_rs import _core
from posterior_rs.estimators._input import Matrix, fitted_rows, new_rows


class BayesianLinearRegression(RegressorMixin, BaseEstimator):
    """Linear regression whose prior and noise are those of most evidence.

    y = X w + b + noise, w normal about 0, b flat.

    Parameters
    ----------
    prior : {"shared", "relevance"}, default="shared"
        One precision for all weights (MacKay 1992), or one for each, which leaves columns out (automatic
        relevance determination: Tipping and Faul 2003).
    fit_intercept : bool, default=True
    max_iter : int, default=300
    tol : float, default=1e-6

    Attributes
    ----------
    coef_ : ndarray, shape (n_features,)
        The posterior mean of the weights, 0 for columns that are left out.
    intercept_ : float
    sigma_ : ndarray, shape (n_features, n_features)
        The posterior covariance of the weights.
    alpha_ : float
        The precision of the noise.
    lambda_ : float or ndarray, shape (n_features,)
        The precision of the prior; infinite for columns that are left out.
    log_evidence_ : float
        ln p(y), with a density of 1 for the intercept.

    Examples
    --------
    >>> import numpy as np
    >>> from posterior_rs.estimators import BayesianLinearRegression
    >>> x = np.arange(6.0)[:, np.newaxis]
    >>> y = [0.1, 0.9, 2.1, 3.0, 3.9, 5.1]
    >>> mean, sd = BayesianLinearRegression().fit(x, y).predict([[6.0]], return_std=True)
    >>> mean.round(2), sd.round(2)
    (array([6.]), array([0.15]))
    """

    def __init__(
        self,
        *,
        prior: Literal["shared", "relevance"] = "shared",
        fit_intercept: bool = True,
        max_iter: int = 300,
        tol: float = 1e-6,
    ) -> None:
        self.prior = prior
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, y: Any) -> "BayesianLinearRegression":
        """Learn from rows X, shape (n_samples, n_features), and numbers y, shape (n_samples,)."""
        fits = {"shared": _core.evidence_fit, "relevance": _core.relevance_fit}
        if self.prior not in fits:
            raise ValueError(f"prior: expected shared or relevance, found {self.prior!r}")
        X, y = fitted_rows(self, X, y=y, y_numeric=True, ensure_min_samples=2)
        found = fits[self.prior](X, y, self.fit_intercept, self.max_iter, self.tol)
        width = X.shape[1] + self.fit_intercept
        weights, covariance = np.zeros(width), np.zeros((width, width))
        weights[found["columns"]] = found["mean"]
        covariance[np.ix_(found["columns"], found["columns"])] = found["covariance"]
        self._covariance = covariance
        self.coef_ = weights[: X.shape[1]]
        self.intercept_ = float(weights[-1]) if self.fit_intercept else 0.0
        self.sigma_ = covariance[: X.shape[1], : X.shape[1]]
        self.alpha_ = 1 / found["noise_variance"] if found["noise_variance"] else np.inf
        precisions = found["prior_precisions"]
        self.lambda_ = float(precisions[0]) if self.prior == "shared" else precisions[: X.shape[1]]
        self.log_evidence_ = found["ln_evidence"]
        self.n_iter_ = found["iterations"]
        return self

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The mean of y at each row; with ``return_std`` its standard deviation, noise included, besides."""
        X = new_rows(self, X)
        mean: Matrix = X @ self.coef_ + self.intercept_
        if not return_std:
            return mean
        design = np.column_stack([X, np.ones(len(X))]) if self.fit_intercept else X
        variance = np.einsum("ij,jk,ik->i", design, self._covariance, design) + 1 / self.alpha_
        return mean, np.sqrt(variance)
