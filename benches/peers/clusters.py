"""Mixtures and k-means on the workload of `cargo xtask compare cluster`. Usage: clusters.py FOLDER [--quick]

Writes FOLDER/{mixture,mixture_start,k_means,k_means_start}.f64 (rows of ten float64 of this machine, nothing else), then times scikit-learn
on them and prints one line a measurement: rows, peer, what, CPU seconds of an iteration (or a value), with tabs between.

Mixtures start from uniform weights, the means of the file, and in each component the precisions 1/variance of the columns; twenty steps, floor
1e-6. The variational ones start from responsibilities of 1 at the nearest of these means, with a Dirichlet prior of 1/16 on the weights. k-means
runs twenty iterations from the centres of the file."""
import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans
from sklearn.mixture import BayesianGaussianMixture, GaussianMixture

warnings.filterwarnings("ignore")
folder = Path(sys.argv[1])
ITERATIONS = 20
QUICK = "--quick" in sys.argv


def mixture_data():
    r = np.random.default_rng(20260500)
    n, d, k = 5_000 if QUICK else 200_000, 10, 16
    mu = r.normal(0, 1.5, (k, d))
    factors = [np.linalg.cholesky(np.cov(r.normal(size=(d, 3 * d)))) for _ in range(k)]
    z = r.choice(k, n, p=r.dirichlet(np.full(k, 5.0)))
    x, e = mu[z], r.normal(size=(n, d))
    for j in range(k):
        x[z == j] += e[z == j] @ factors[j].T
    x = np.round(x, 6)
    start = x[r.choice(n, k, replace=False)]
    n, k = 10_000 if QUICK else 500_000, 64
    mu = r.normal(0, 2.0, (k, d))
    y = np.round(mu[r.choice(k, n)] + r.normal(0, 1.0, (n, d)), 5)
    return x, start, y, y[r.choice(n, k, replace=False)]


def tell(n, what, value):
    print(f"{n}\tscikit-learn\t{what}\t{float(value)!r}", flush=True)


class Timed:
    """The CPU time of each pair of steps."""

    def _e_step(self, *args, **kwargs):
        self.began = time.process_time()
        return super()._e_step(*args, **kwargs)

    def _m_step(self, *args, **kwargs):
        super()._m_step(*args, **kwargs)
        self.laps = getattr(self, "laps", []) + [time.process_time() - self.began]


class Gmm(Timed, GaussianMixture):
    pass


class Bayesian(Timed, BayesianGaussianMixture):
    def _initialize_parameters(self, x, random_state, *args, **kwargs):
        near = ((x[:, None] - self.start[None]) ** 2).sum(2).argmin(1)
        r = np.zeros((len(x), self.n_components))
        r[np.arange(len(x)), near] = 1
        self._initialize(x, r)


x, start, y, centres = mixture_data()
for name, rows in [("mixture", x), ("mixture_start", start), ("k_means", y), ("k_means_start", centres)]:
    rows.astype(np.float64).tofile(folder / f"{name}.f64")

for shape in ("full", "diag"):
    precisions = np.tile(1 / x.var(0), (len(start), 1))
    if shape == "full":
        precisions = np.array([np.diag(p) for p in precisions])
    own = Gmm(len(start), covariance_type=shape, tol=0, reg_covar=1e-6, max_iter=ITERATIONS,
              weights_init=np.full(len(start), 1 / len(start)), means_init=start, precisions_init=precisions)
    own.fit(x)
    tell(len(x), f"em {shape}", np.median(own.laps))
    tell(len(x), f"em {shape} ln p", own.score(x))
    own = Bayesian(n_components=len(start), covariance_type=shape, tol=0, reg_covar=1e-6, max_iter=ITERATIONS,
                   weight_concentration_prior_type="dirichlet_distribution")
    own.start = start
    own.fit(x)
    tell(len(x), f"vb {shape}", np.median(own.laps))

least = np.inf
for _ in range(3):
    own = KMeans(len(centres), init=centres, n_init=1, max_iter=ITERATIONS, tol=0, algorithm="lloyd")
    began = time.process_time()
    own.fit(y)
    least = min(least, (time.process_time() - began) / own.n_iter_)
tell(len(y), "k-means", least)
tell(len(y), "k-means inertia", own.inertia_)
