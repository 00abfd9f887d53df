"""The Python package beside its peers, of `cargo xtask compare python`. Usage: package.py WHEEL [--quick]

Prints the tables of a section of docs/speed.md: both libraries in this process, on the same arrays, threads off."""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[name] = "1"

import subprocess
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sp
import scipy.stats as st
import sklearn.cluster
import sklearn.decomposition
import sklearn.gaussian_process as gp
import sklearn.linear_model
import sklearn.mixture
import sklearn.naive_bayes
from hmmlearn import hmm
from posterior_rs import datasets, dist
from posterior_rs import estimators as es
from posterior_rs.sequences import GaussianHMM

warnings.filterwarnings("ignore")
WHEEL = sys.argv[1]
QUICK = "--quick" in sys.argv
POINTS = 10_000 if QUICK else 1_000_000
PASSES = 2 if QUICK else 5


def fastest(work, passes=PASSES, calls=1):
    """Seconds of a call, the least of some passes, after one that is not counted."""
    work()
    times = []
    for _ in range(passes):
        began = time.perf_counter()
        for _ in range(calls):
            work()
        times.append((time.perf_counter() - began) / calls)
    return min(times)


def row(name, ours, theirs, unit, digits=1, note=""):
    scale = {"ms": 1e3, "µs": 1e6, "s": 1}[unit]
    print(f"| {name} | {scale * ours:.{digits}f} | {scale * theirs:.{digits}f} | {ours / theirs:.2g} |{note}", flush=True)


def arrays():
    print(f"ms a call on an array of {POINTS:,} numbers, one thread, the fastest of {PASSES} passes; SciPy's frozen distributions\n")
    print("| call | posterior_rs | SciPy | ours / SciPy |\n|---|--:|--:|--:|")
    rng = np.random.default_rng(0)
    p = rng.uniform(size=POINTS)
    families = {
        "normal": (dist.normal(1, 2), st.norm(1, 2)),
        "gamma": (dist.gamma(3, 2), st.gamma(3, scale=0.5)),
        "beta": (dist.beta(2, 3), st.beta(2, 3)),
        "student_t": (dist.student_t(5, 0, 1), st.t(5)),
        "poisson": (dist.poisson(4), st.poisson(4)),
    }
    for name, (ours, theirs) in families.items():
        x = np.asarray(theirs.rvs(POINTS, random_state=1), dtype=float)
        density = "logpmf" if name == "poisson" else "logpdf"
        for what, argument in ((density[3:], x), (density, x), ("cdf", x), ("ppf", p)):
            mine, other = getattr(ours, what), getattr(theirs, what)
            np.testing.assert_allclose(mine(argument[:1000]), other(argument[:1000]), rtol=1e-7, atol=1e-12)
            row(f"{name}.{what}", fastest(lambda: mine(argument)), fastest(lambda: other(argument)), "ms")
        row(f"{name}.rvs", fastest(lambda: ours.rvs(POINTS, 1)), fastest(lambda: theirs.rvs(POINTS, random_state=1)), "ms")


def numbers():
    calls = 200 if QUICK else 20_000
    print("\nµs a call on one number\n\n| call | posterior_rs | SciPy | ours / SciPy |\n|---|--:|--:|--:|")
    for name, ours, theirs in (("normal", dist.normal(1, 2), st.norm(1, 2)), ("gamma", dist.gamma(3, 2), st.gamma(3, scale=0.5))):
        for what in ("pdf", "cdf"):
            mine, other = getattr(ours, what), getattr(theirs, what)
            row(f"{name}.{what}(0.7)", fastest(lambda: mine(0.7), calls=calls), fastest(lambda: other(0.7), calls=calls // 20), "µs", 2)
    row("gamma(3, 2)", fastest(lambda: dist.gamma(3, 2), calls=calls), fastest(lambda: st.gamma(3, scale=0.5), calls=calls // 20), "µs", 2)


def models():
    print("\nms a fit, the same arrays and as many steps; in brackets what each reached, ours first\n")
    print("| model | posterior_rs | peer | ours / peer | |\n|---|--:|--:|--:|---|")
    rng = np.random.default_rng(0)
    n = 2_000 if QUICK else 50_000
    centres = rng.normal(0, 3, (8, 10))
    X = centres[rng.integers(8, size=n)] + rng.normal(size=(n, 10))
    labels = (X[:, 0] + X[:, 1] + rng.normal(size=n) > 0).astype(int)

    def beside(name, ours, theirs, reached):
        mine, other = ours(), theirs()
        note = " ({:.5g}, {:.5g}) |".format(reached(mine), reached(other))
        row(name, fastest(ours, 2), fastest(theirs, 2), "ms", note=note)

    beside(
        f"mixture of 8, {n} x 10, full, scikit-learn",
        lambda: es.GaussianMixture(8, n_init=1, max_iter=50, tol=1e-3, random_state=0).fit(X),
        lambda: sklearn.mixture.GaussianMixture(8, n_init=1, max_iter=50, tol=1e-3, random_state=0).fit(X),
        lambda own: own.score(X),
    )
    beside(
        f"k-means of 8, {n} x 10, one start, scikit-learn",
        lambda: es.KMeans(8, n_init=1, random_state=0).fit(X),
        lambda: sklearn.cluster.KMeans(8, n_init=1, random_state=0).fit(X),
        lambda own: own.inertia_,
    )
    beside(
        f"PCA to 3, {n} x 10, scikit-learn",
        lambda: es.PCA(3).fit(X),
        lambda: sklearn.decomposition.PCA(3).fit(X),
        lambda own: own.explained_variance_.sum(),
    )
    beside(
        f"logistic regression, {n} x 10, scikit-learn",
        lambda: es.LogisticRegression(prior_sd=1.0).fit(X, labels),
        lambda: sklearn.linear_model.LogisticRegression(C=1.0, tol=1e-8, max_iter=1000).fit(X, labels),
        lambda own: own.score(X, labels),
    )
    counts, _, about = datasets.addresses()
    early = (about["year"] < 1900).to_numpy().astype(int)
    counts = sp.csr_matrix(counts)
    beside(
        "naive Bayes, 241 x 10000 sparse, scikit-learn",
        lambda: es.NaiveBayes().fit(counts, early),
        lambda: sklearn.naive_bayes.MultinomialNB().fit(counts, early),
        lambda own: own.score(counts, early),
    )
    beside(
        "LDA, 20 topics, 10 steps of variational Bayes, 241 x 10000 sparse, scikit-learn",
        lambda: es.LatentDirichletAllocation(
            20, doc_topic_prior=0.05, topic_word_prior=0.05, engine="variational", max_iter=10, random_state=0
        ).fit(counts),
        lambda: sklearn.decomposition.LatentDirichletAllocation(
            20, doc_topic_prior=0.05, topic_word_prior=0.05, max_iter=10, learning_method="batch", random_state=0
        ).fit(counts),
        lambda own: own.score(counts) / counts.sum(),
    )
    m = 100 if QUICK else 600
    inputs = rng.uniform(0, 10, (m, 2))
    y = np.sin(inputs[:, 0]) + 0.1 * inputs[:, 1] + 0.1 * rng.normal(size=m)
    kernel = gp.kernels.ConstantKernel(1.0) * gp.kernels.RBF(1.0) + gp.kernels.WhiteKernel(0.1)
    beside(
        f"Gaussian process, {m} x 2, parameters learned, scikit-learn",
        lambda: es.GaussianProcessRegressor("1*rbf(1)", n_restarts=0).fit(inputs, y),
        lambda: gp.GaussianProcessRegressor(kernel).fit(inputs, y),
        lambda own: getattr(own, "log_evidence_", None) or own.log_marginal_likelihood_value_,
    )
    steps = 500 if QUICK else 20_000
    series = np.repeat(rng.integers(3, size=steps // 20), 20)[:, np.newaxis] * 2.0 + rng.normal(size=(steps, 1))
    start = {"startprob_": np.full(3, 1 / 3), "transmat_": np.full((3, 3), 0.1) + 0.7 * np.eye(3)}

    def hidden(kind):
        own = kind(3, covariance_type="diag", n_iter=20, tol=0, random_state=0, init_params="")
        for name, value in {**start, "means_": np.array([[0.0], [1.5], [4.0]]), "covars_": np.ones((3, 1))}.items():
            setattr(own, name, value)
        return own.fit(series)

    beside(
        f"hidden Markov model of 3, {steps} steps, 20 iterations, hmmlearn",
        lambda: hidden(GaussianHMM),
        lambda: hidden(hmm.GaussianHMM),
        lambda own: own.score(series),
    )


def package():
    def imported(text):
        code = f"import time; began = time.perf_counter(); {text}; print(time.perf_counter() - began)"
        return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(5))

    def started():
        code = "import numpy, time; began = time.perf_counter(); import posterior_rs; print(time.perf_counter() - began)"
        return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(5))

    print("\n| | found | promised |\n|---|--:|--:|")
    print(f"| `import posterior_rs`, ms | {1e3 * imported('import posterior_rs'):.0f} | less than 100 |")
    print(f"| the same after NumPy, ms | {1e3 * started():.1f} | |")
    print(f"| `import scipy.stats`, ms | {1e3 * imported('import scipy.stats'):.0f} | |")
    print(f"| the wheel, MB | {os.path.getsize(WHEEL) / 1e6:.1f} | less than 20 |")


arrays()
numbers()
models()
package()
