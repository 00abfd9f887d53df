"""Functions with a Gaussian process as their prior."""

from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets

from posterior_rs import _core
from posterior_rs._arguments import seed, whole
from posterior_rs.estimators._input import Matrix, fitted_rows, new_rows

Solver = Literal["auto", "exact", "markov", "sparse", "iterative"]


class GaussianProcessRegressor(RegressorMixin, BaseEstimator):
    """Regression by a Gaussian process of mean 0: exact, or for many rows by one of three faster ways.

    Parameters
    ----------
    kernel : str, default="1*rbf(1)"
        As the command line writes kernels: ``"2*matern52(1.5) + linear()"``. Its numbers are where the
        search begins.
    noise : float, default=0.1
        The variance of the noise, likewise.
    optimize : bool, default=True
        Whether kernel and noise are those of most evidence, or as they are given.
    solver : {"auto", "exact", "markov", "sparse", "iterative"}, default="auto"
        ``"exact"`` takes the cube of the rows, up to 10,000 of them; ``"markov"`` is exact in linear time for one
        column and a kernel such as Matern's; ``"sparse"`` has a function of ``n_inducing`` values, and a bound of
        the evidence; ``"iterative"`` takes conjugate gradients. ``"auto"`` is exact up to 1000 rows, and takes
        what suits the kernel beyond them.
    n_inducing : int, default=500
        Inducing inputs of ``"sparse"``, chosen among the rows.
    n_restarts : int, default=0
        Searches from random places besides; of more than 1000 rows on 500 of them.
    random_state : int, Generator, RandomState, optional
        None is 0: a fit repeats.

    Attributes
    ----------
    kernel_ : str
        With its parameters.
    noise_ : float
    log_evidence_ : float
        ln p(y); by ``"sparse"`` a bound from below.
    solver_ : str
        What ``"auto"`` took.

    Examples
    --------
    >>> import numpy as np
    >>> from posterior_rs.estimators import GaussianProcessRegressor
    >>> x = np.linspace(0, 6, 30)[:, np.newaxis]
    >>> model = GaussianProcessRegressor().fit(x, np.sin(x.ravel()))
    >>> bool(abs(model.predict([[1.0]])[0] - np.sin(1.0)) < 1e-3)
    True
    """

    def __init__(
        self,
        kernel: str = "1*rbf(1)",
        *,
        noise: float = 0.1,
        optimize: bool = True,
        solver: Solver = "auto",
        n_inducing: int = 500,
        n_restarts: int = 0,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.noise = noise
        self.optimize = optimize
        self.solver = solver
        self.n_inducing = n_inducing
        self.n_restarts = n_restarts
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "GaussianProcessRegressor":
        """Learn from rows X, shape (n_samples, n_features), and numbers y, shape (n_samples,)."""
        X, y = fitted_rows(self, X, y=y, y_numeric=True)
        solver = (self.solver, whole("n_inducing", self.n_inducing, 1))
        if self.optimize:
            fit = _core.GaussianProcessFit.learn
            start = (self.kernel, float(self.noise))
            self._fit = fit(start, X, y, solver, self.n_restarts, seed(self.random_state))
        else:
            self._fit = _core.GaussianProcessFit(self.kernel, self.noise, X, y, solver)
        self.kernel_, self.noise_, self.solver_ = self._fit.kernel, self._fit.noise, self._fit.solver
        self.log_evidence_ = self._fit.ln_evidence
        return self

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """The mean of the function at each row; its standard deviation or covariance besides, without noise.

        Raises
        ------
        ValueError
            A covariance of the solvers ``"markov"`` and ``"iterative"``, which have none.
        """
        X = new_rows(self, X)
        mean, variance = self._fit.predict(X)
        if return_cov:
            return mean, self._fit.covariance(X)
        return (mean, np.sqrt(variance)) if return_std else mean

    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 0) -> Matrix:
        """Draws of the function at rows, shape (n_rows, n_samples)."""
        mean, covariance = self.predict(X, return_cov=True)
        rng = np.random.default_rng(seed(random_state))
        return rng.multivariate_normal(mean, covariance, n_samples, method="eigh").T


class GaussianProcessClassifier(ClassifierMixin, BaseEstimator):
    """Classes by Gaussian processes of mean 0: Laplace's approximation, or variational bounds for many rows.

    The log-odds of two classes are a function; of more, each class has a function with the same kernel, and
    probabilities are their softmax. They are averaged over the functions.

    Parameters
    ----------
    kernel : str, default="1*rbf(1)"
        As the command line writes kernels. Its numbers are where the search begins.
    optimize : bool, default=True
        Whether the kernel is that of most evidence, or as it is given.
    solver : {"auto", "exact", "markov", "sparse"}, default="auto"
        ``"exact"`` is Laplace's approximation, and takes the cube of the rows, up to 10,000 of them. Of two
        classes ``"markov"`` takes linear time for one column and a kernel such as Matern's, and ``"sparse"`` has
        a function of ``n_inducing`` values; both have the normal distribution of the best bound of the evidence.
        ``"auto"`` is exact up to 1000 rows, and takes what suits the kernel beyond them.
    n_inducing : int, default=500
        Inducing inputs of ``"sparse"``, chosen among the rows.
    n_restarts : int, default=0
        Searches from random places besides.
    random_state : int, Generator, RandomState, optional
        None is 0: a fit repeats.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    kernel_ : str
        With its parameters.
    log_evidence_ : float
        ln p(y) by Laplace's method, or a bound from below.
    solver_ : str
        What ``"auto"`` took.

    Examples
    --------
    >>> from posterior_rs.estimators import GaussianProcessClassifier
    >>> model = GaussianProcessClassifier().fit([[0.0], [1.0], [4.0], [5.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.5], [4.5]]).tolist()
    ['a', 'b']
    """

    def __init__(
        self,
        kernel: str = "1*rbf(1)",
        *,
        optimize: bool = True,
        solver: Literal["auto", "exact", "markov", "sparse"] = "auto",
        n_inducing: int = 500,
        n_restarts: int = 0,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.optimize = optimize
        self.solver = solver
        self.n_inducing = n_inducing
        self.n_restarts = n_restarts
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "GaussianProcessClassifier":
        """Learn from rows X, shape (n_samples, n_features), and classes y, shape (n_samples,).

        An exact one costs the cube of the rows for each of some hundred steps, times the classes where they are
        more than two.
        """
        X, y = fitted_rows(self, X, y=y)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        count = len(self.classes_)
        if count < 2:
            raise ValueError(f"y: expected two classes or more, found one class: {self.classes_[0]!r}")
        solver, known = (self.solver, whole("n_inducing", self.n_inducing, 1)), (labels.tolist(), count)
        if self.optimize:
            fit = _core.GaussianProcessClasses.learn
            self._fit = fit(self.kernel, X, known, solver, self.n_restarts, seed(self.random_state))
        else:
            self._fit = _core.GaussianProcessClasses(self.kernel, X, known, solver)
        self.kernel_, self.log_evidence_, self.solver_ = self._fit.kernel, self._fit.ln_evidence, self._fit.solver
        return self

    def predict_proba(self, X: Any) -> Matrix:
        """The probability of each class, shape (n_samples, n_classes)."""
        rows = new_rows(self, X)
        return self._fit.predict(rows)

    def predict(self, X: Any) -> Any:
        """The class of more probability of each row."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]
