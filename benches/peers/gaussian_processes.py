"""Gaussian-process regression on the workload of `cargo xtask compare gp`. Usage: gaussian_processes.py FOLDER [--quick]

Writes FOLDER/gp_N.csv (x1, x2, y) and FOLDER/gp_test.csv (x1, x2), then times the peers on them and prints one line a measurement: n, peer,
what, value, with tabs between.
Times are CPU seconds with one thread (OMP_NUM_THREADS=1) and wall seconds with more; the least of several.

The kernel is v exp(-(d1/l1)^2/2 - (d2/l2)^2/2) with v = 1.5, l = (0.9, 1.1), and noise of variance 0.02; derivatives are with respect to
logarithms. `by hand` is what LAPACK allows: potrf, potri, four traces."""
import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.linalg import lapack

warnings.filterwarnings("ignore")
folder = Path(sys.argv[1])
THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))
VARIANCE, SCALES, NOISE = 1.5, np.array([0.9, 1.1]), 0.02
THETA = np.log([VARIANCE, *SCALES, NOISE])


def data(n):
    """A smooth function of two coordinates, plus noise of standard deviation 0.1."""
    r = np.random.Generator(np.random.PCG64(1000 + n))
    x = r.uniform(0, 5, (n, 2))
    y = np.sin(x[:, 0]) * np.cos(1.3 * x[:, 1]) + 0.3 * x[:, 0] + 0.1 * r.standard_normal(n)
    return x, y


def write(name, rows):
    np.savetxt(folder / f"{name}.csv", rows, delimiter=",", fmt="%.17g")


def tell(n, peer, what, value):
    print(f"{n}\t{peer}\t{what}\t{float(value)!r}", flush=True)


def seconds(call, passes):
    clock = time.process_time if THREADS == 1 else time.perf_counter
    call()
    least = np.inf
    for _ in range(passes):
        start = clock()
        call()
        least = min(least, clock() - start)
    return least


def by_hand(n, x, y, test, passes):
    def evaluate(theta):
        v, l, s = np.exp(theta[0]), np.exp(theta[1:3]), np.exp(theta[3])
        squares = [(x[:, i, None] - x[None, :, i]) ** 2 / l[i] ** 2 for i in range(2)]
        k = v * np.exp(-0.5 * (squares[0] + squares[1]))
        g = np.array(k, order="F")
        g[np.diag_indices(n)] += s
        c, _ = lapack.dpotrf(g, lower=1, clean=0, overwrite_a=1)
        alpha, _ = lapack.dpotrs(c, y, lower=1)
        half = np.log(np.diag(c)).sum()
        inverse, _ = lapack.dpotri(c, lower=1, overwrite_c=1)
        inverse = np.tril(inverse)
        inverse = inverse + np.tril(inverse, -1).T
        w = np.outer(alpha, alpha) - inverse
        wk = w * k
        gradient = [0.5 * wk.sum(), 0.5 * (wk * squares[0]).sum(), 0.5 * (wk * squares[1]).sum(), 0.5 * s * np.trace(w)]
        return -0.5 * y @ alpha - half - 0.5 * n * np.log(2 * np.pi), gradient

    value, gradient = evaluate(THETA)
    tell(n, "by hand", "ln_p", value)
    for i, g in enumerate(gradient):
        tell(n, "by hand", f"gradient {i}", g)
    tell(n, "by hand", "evaluate", seconds(lambda: evaluate(THETA), passes))


def scikit_learn(n, x, y, test, passes):
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    kernel = ConstantKernel(VARIANCE) * RBF(SCALES) + WhiteKernel(NOISE)
    model = GaussianProcessRegressor(kernel, optimizer=None, alpha=0.0).fit(x, y)
    theta = model.kernel_.theta
    tell(n, "scikit-learn", "ln_p", model.log_marginal_likelihood(theta))
    tell(n, "scikit-learn", "evaluate", seconds(lambda: model.log_marginal_likelihood(theta, eval_gradient=True), passes))
    tell(n, "scikit-learn", "predict", seconds(lambda: model.predict(test, return_std=True), passes))


def gpy(n, x, y, test, passes):
    import GPy

    kernel = GPy.kern.RBF(2, VARIANCE, SCALES, ARD=True)
    model = GPy.models.GPRegression(x, y[:, None], kernel, noise_var=NOISE)
    tell(n, "GPy", "ln_p", model.log_likelihood())
    start = model.optimizer_array.copy()

    def twice():
        model.optimizer_array = start * (1 + 1e-9)
        model.optimizer_array = start

    tell(n, "GPy", "evaluate", seconds(twice, passes) / 2)
    tell(n, "GPy", "predict", seconds(lambda: model.predict(test), passes))
    if n <= 2000:
        model = GPy.models.GPRegression(x, y[:, None], GPy.kern.RBF(2, 1.0, np.array([1.0, 1.0]), ARD=True), noise_var=0.1)
        clock = time.process_time if THREADS == 1 else time.perf_counter
        begin = clock()
        model.optimize("lbfgsb", max_iters=30)
        tell(n, "GPy", "fit", clock() - begin)
        tell(n, "GPy", "fit ln_p", model.log_likelihood())


test = np.random.Generator(np.random.PCG64(77)).uniform(0, 5, (1000, 2))
write("gp_test", test)
for n in (200,) if "--quick" in sys.argv else (1000, 2000, 4000):
    x, y = data(n)
    write(f"gp_{n}", np.c_[x, y])
    passes = 5 if n <= 1000 else 3
    by_hand(n, x, y, test, passes)
    for peer in (scikit_learn, gpy):
        try:
            peer(n, x, y, test, passes)
        except ImportError:
            pass
