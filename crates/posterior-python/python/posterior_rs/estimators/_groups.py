"""Groups of rows."""

from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, DensityMixin, TransformerMixin

from posterior_rs import _core
from posterior_rs._arguments import seed
from posterior_rs.estimators._input import Matrix, fitted_rows, new_rows


class KMeans(TransformerMixin, ClusterMixin, BaseEstimator):
    """Nearest centres, the best of several starts of Lloyd's algorithm by bounds of distances.

    Parameters
    ----------
    n_clusters : int, default=8
    n_init : int, default=10
    max_iter : int, default=500
    random_state : int, Generator, RandomState, optional
        None is 0: a fit repeats.

    Attributes
    ----------
    cluster_centers_ : ndarray, shape (n_clusters, n_features)
    labels_ : ndarray, shape (n_samples,)
    inertia_ : float
        The sum of the squares of the distances to the nearest centre.

    Examples
    --------
    >>> from posterior_rs.estimators import KMeans
    >>> KMeans(2).fit_predict([[0.0], [0.1], [5.0], [5.1]]).tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    True
    """

    def __init__(
        self, n_clusters: int = 8, *, n_init: int = 10, max_iter: int = 500, random_state: Any = None
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: None = None) -> "KMeans":
        """Find the centres of rows X, shape (n_samples, n_features)."""
        X = fitted_rows(self, X)
        found = _core.k_means_fit(X, self.n_clusters, self.n_init, self.max_iter, seed(self.random_state))
        self.cluster_centers_ = found["centres"]
        self.labels_ = np.asarray(found["labels"])
        self.inertia_ = found["inertia"]
        self.n_iter_ = found["iterations"]
        return self

    def predict(self, X: Any) -> Any:
        """The nearest centre of each row."""
        X = new_rows(self, X)
        return np.asarray(_core.k_means_assign(X, self.cluster_centers_))

    def transform(self, X: Any) -> Matrix:
        """The distance of each row to each centre, shape (n_samples, n_clusters)."""
        X = new_rows(self, X)
        return _core.k_means_distances(X, self.cluster_centers_)

    def score(self, X: Any, y: None = None) -> float:
        """Less the sum of the squares of the distances to the nearest centre."""
        return -float((self.transform(X).min(axis=1) ** 2).sum())

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the distances: kmeans0, kmeans1 and so on."""
        return np.asarray([f"kmeans{k}" for k in range(self._n_features_out)], dtype=object)


class _Mixture(DensityMixin, BaseEstimator):
    """What mixtures have in common: weights, and a distribution of each component."""

    def _joint(self, X: Any) -> Matrix:
        X = new_rows(self, X)
        return _core.mixture_densities(X, self.weights_, self.means_, self._spreads, self._degrees)

    def _keep(self, found: dict[str, Any]) -> None:
        self.weights_, self.means_ = found["weights"], found["means"]
        self._spreads, self._degrees = found["covariances"], found["degrees_of_freedom"]
        self.lower_bound_ = found["trace"][-1]
        self.n_iter_ = max(1, len(found["trace"]) - 1)
        self.converged_ = found["converged"]

    def score_samples(self, X: Any) -> Matrix:
        """The log density of each row."""
        densities: Matrix = np.logaddexp.reduce(self._joint(X), axis=1)
        return densities

    def score(self, X: Any, y: None = None) -> float:
        """The mean of the log density of rows."""
        return float(self.score_samples(X).mean())

    def predict_proba(self, X: Any) -> Matrix:
        """The probability of each component, shape (n_samples, n_components)."""
        joint = self._joint(X)
        probabilities: Matrix = np.exp(joint - joint.max(axis=1, keepdims=True))
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        return probabilities

    def predict(self, X: Any) -> Any:
        """The component of most probability of each row."""
        return self._joint(X).argmax(axis=1)

    def fit_predict(self, X: Any, y: None = None) -> Any:
        """Learn from rows, and say which component each is of."""
        return self.fit(X).predict(X)


class GaussianMixture(_Mixture):
    """A mixture of normal distributions by EM, the best of several starts.

    Parameters
    ----------
    n_components : int, default=1
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
    n_init : int, default=10
    max_iter : int, default=500
    tol : float, default=1e-7
        The last step of EM may still raise ln p by this proportion.
    random_state : int, Generator, RandomState, optional
        None is 0: a fit repeats.

    Attributes
    ----------
    weights_ : ndarray, shape (n_components,)
    means_ : ndarray, shape (n_components, n_features)
    covariances_ : ndarray, shape (n_components, n_features, n_features)
    lower_bound_ : float
        ln p of all rows.
    converged_ : bool

    Examples
    --------
    >>> import numpy as np
    >>> from posterior_rs.estimators import GaussianMixture
    >>> x = np.concatenate([np.linspace(-1, 1, 50), np.linspace(9, 11, 50)])[:, np.newaxis]
    >>> sorted(GaussianMixture(2).fit(x).means_.ravel().round().astype(int).tolist())
    [0, 10]
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: Literal["full", "tied", "diag", "spherical"] = "full",
        n_init: int = 10,
        max_iter: int = 500,
        tol: float = 1e-7,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: None = None) -> "GaussianMixture":
        """Learn from rows X, shape (n_samples, n_features)."""
        X = fitted_rows(self, X, ensure_min_samples=2)
        steps = (self.max_iter, self.tol)
        found = _core.mixture_fit(
            X, self.n_components, self.covariance_type, self.n_init, steps, seed(self.random_state)
        )
        self._keep(found)
        return self

    @property
    def covariances_(self) -> Matrix:
        """The covariance matrix of each component."""
        spreads: Matrix = self._spreads
        return spreads


class BayesianGaussianMixture(_Mixture):
    """A mixture of normal distributions by variational Bayes.

    Components that are not needed stay empty. The prior of means and covariances is that of Fraley and
    Raftery (2007); densities are those of a new row, the parameters integrated out: a mixture of Student's.

    Parameters
    ----------
    n_components : int, default=1
        At most so many.
    weight_concentration_prior_type : {"dirichlet_process", "dirichlet_distribution"}
        The prior of the weights: sticks that are broken n_components times (the default), or a symmetric
        Dirichlet distribution.
    weight_concentration_prior : float, optional
        Its concentration; 1 / n_components if it is not given.
    n_init : int, default=10
    max_iter : int, default=500
    tol : float, default=1e-7
    random_state : int, Generator, RandomState, optional
        None is 0: a fit repeats.

    Attributes
    ----------
    weights_ : ndarray, shape (n_components,)
        The posterior means.
    means_ : ndarray, shape (n_components, n_features)
    scales_ : ndarray, shape (n_components, n_features, n_features)
        Of Student's distribution of each component.
    degrees_of_freedom_ : ndarray, shape (n_components,)
    lower_bound_ : float
        The bound of the evidence.
    converged_ : bool
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        weight_concentration_prior_type: Literal[
            "dirichlet_process", "dirichlet_distribution"
        ] = "dirichlet_process",
        weight_concentration_prior: float | None = None,
        n_init: int = 10,
        max_iter: int = 500,
        tol: float = 1e-7,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.weight_concentration_prior_type = weight_concentration_prior_type
        self.weight_concentration_prior = weight_concentration_prior
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: None = None) -> "BayesianGaussianMixture":
        """Learn from rows X, shape (n_samples, n_features)."""
        X = fitted_rows(self, X, ensure_min_samples=2)
        alpha = self.weight_concentration_prior
        alpha = 1 / self.n_components if alpha is None else alpha
        weights = (self.weight_concentration_prior_type, alpha)
        steps = (self.max_iter, self.tol)
        found = _core.variational_mixture_fit(
            X, self.n_components, weights, self.n_init, steps, seed(self.random_state)
        )
        self._keep(found)
        self.scales_, self.degrees_of_freedom_ = self._spreads, self._degrees
        return self
