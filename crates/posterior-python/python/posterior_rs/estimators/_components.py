"""Few directions of many columns."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin

from posterior_rs import _core
from posterior_rs.estimators._input import Matrix, fitted_rows, new_rows


class PCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Principal components, and the density of probabilistic principal components (Tipping and Bishop 1999).

    Parameters
    ----------
    n_components : int, float, "evidence" or None, default=None
        So many; those that have a proportion of the variance; as many as the evidence says (Minka 2000); all.
    whiten : bool, default=False
        Scores of variance 1.

    Attributes
    ----------
    components_ : ndarray, shape (n_components_, n_features)
    explained_variance_ : ndarray, shape (n_components_,)
    explained_variance_ratio_ : ndarray, shape (n_components_,)
    mean_ : ndarray, shape (n_features,)
    noise_variance_ : float
        The mean of the variances of the directions that are left out.

    Examples
    --------
    >>> from posterior_rs.estimators import PCA
    >>> PCA(1).fit([[0.0, 0.0], [1.0, 1.1], [2.0, 1.9]]).explained_variance_ratio_.round(3)
    array([0.998])
    """

    def __init__(self, n_components: int | float | str | None = None, *, whiten: bool = False) -> None:
        self.n_components = n_components
        self.whiten = whiten

    def fit(self, X: Any, y: None = None) -> "PCA":
        """Find the components of rows X, shape (n_samples, n_features)."""
        X = fitted_rows(self, X, ensure_min_samples=2)
        most, choice = min(X.shape), self.n_components
        count = most if choice is None else choice
        if choice == "evidence":
            found = _core.principal_components(X)
        elif isinstance(count, (int, np.integer)) and not isinstance(count, bool):
            if not 1 <= count <= most:
                raise ValueError(f"n_components: expected 1 to {most} = min(n_samples, n_features), found {count}")
            found = _core.principal_components(X, count=int(count))
        elif isinstance(count, float):
            found = _core.principal_components(X, proportion=count)
        else:
            raise ValueError(f"n_components: expected a number, 'evidence' or None, found {choice!r}")
        self.mean_, self.components_ = found["mean"], found["components"]
        self.explained_variance_ = found["variances"]
        total = self.explained_variance_.sum() + found["dropped"]
        self.explained_variance_ratio_ = self.explained_variance_ / total if total else self.explained_variance_
        self.n_components_ = len(self.explained_variance_)
        left = X.shape[1] - self.n_components_
        self.noise_variance_ = found["dropped"] / left if left else 0.0
        return self

    def _scales(self) -> Matrix:
        return np.sqrt(self.explained_variance_) if self.whiten else np.ones(self.n_components_)

    def transform(self, X: Any) -> Matrix:
        """Scores of rows, shape (n_samples, n_components_)."""
        scores: Matrix = (new_rows(self, X) - self.mean_) @ self.components_.T / self._scales()
        return scores

    def inverse_transform(self, X: Any) -> Matrix:
        """Rows from scores, shape (n_samples, n_features)."""
        rows: Matrix = np.asarray(X) * self._scales() @ self.components_ + self.mean_
        return rows

    def score_samples(self, X: Any) -> Matrix:
        """The log density of each row, with the noise in the directions that are left out."""
        X = new_rows(self, X)
        spreads = self.get_covariance()[np.newaxis]
        parts = (np.ones(1), self.mean_[np.newaxis], spreads, np.full(1, np.inf))
        return _core.mixture_densities(X, *parts).ravel()

    def get_covariance(self) -> Matrix:
        """The covariance matrix of the density, shape (n_features, n_features)."""
        excess = np.maximum(self.explained_variance_ - self.noise_variance_, 0)
        noise = self.noise_variance_ * np.eye(len(self.mean_))
        covariance: Matrix = (self.components_.T * excess) @ self.components_ + noise
        return covariance

    def score(self, X: Any, y: None = None) -> float:
        """The mean of the log density of rows."""
        return float(self.score_samples(X).mean())

    @property
    def _n_features_out(self) -> int:
        return self.n_components_


class FactorAnalysis(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Factor analysis by EM: few factors, and a variance of the noise for each column.

    Parameters
    ----------
    n_components : int, default=1
    max_iter : int, default=1000
    tol : float, default=1e-8

    Attributes
    ----------
    components_ : ndarray, shape (n_components, n_features)
        The loadings.
    noise_variance_ : ndarray, shape (n_features,)
    mean_ : ndarray, shape (n_features,)
    loglike_ : list of float
        ln p of all rows after each step.
    """

    def __init__(self, n_components: int = 1, *, max_iter: int = 1000, tol: float = 1e-8) -> None:
        self.n_components = n_components
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, y: None = None) -> "FactorAnalysis":
        """Learn from rows X, shape (n_samples, n_features)."""
        X = fitted_rows(self, X, ensure_min_samples=2, ensure_min_features=2)
        found = _core.factor_analysis(X, self.n_components, self.max_iter, self.tol)
        self.mean_, self.components_, self.noise_variance_ = found["mean"], found["loadings"], found["noise"]
        self.loglike_ = found["trace"]
        self.n_iter_ = max(1, len(found["trace"]) - 1)
        return self

    def transform(self, X: Any) -> Matrix:
        """The posterior mean of the factors of each row, shape (n_samples, n_components)."""
        return _core.factor_means(new_rows(self, X), self.mean_, self.components_, self.noise_variance_)

    def score_samples(self, X: Any) -> Matrix:
        """The log density of each row."""
        return _core.factor_densities(new_rows(self, X), self.mean_, self.components_, self.noise_variance_)

    def score(self, X: Any, y: None = None) -> float:
        """The mean of the log density of rows."""
        return float(self.score_samples(X).mean())

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)
