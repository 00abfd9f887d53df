"""Logistic regression on the workload of `cargo xtask compare regress`. Usage: regressions.py FOLDER

Writes FOLDER/{inputs,classes}.f64 (a million rows of fifty numbers, row by row; a 0 or 1 for each; float64 of this machine), then times the
solvers of scikit-learn, with the penalty |w|^2 / 2 and an intercept without one, and prints one line a measurement: rows, solver, what, CPU
seconds (or a value), with tabs between. `gradient` is the largest derivative of the objective, per row, where a solver stopped."""
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")
folder = Path(sys.argv[1])
N, D = 20_000 if "--quick" in sys.argv else 1_000_000, 50

r = np.random.default_rng(7)
x = r.normal(size=(N, D))
x[:, 1:] += 0.5 * x[:, :-1]
w = r.normal(size=D) * 0.4
y = (r.random(N) < 1 / (1 + np.exp(-(x @ w - 0.5)))).astype(float)
x.tofile(folder / "inputs.f64")
y.tofile(folder / "classes.f64")


def tell(peer, what, value):
    print(f"{N}\t{peer}\t{what}\t{float(value)!r}", flush=True)


for solver, tolerance in (("lbfgs", 1e-4), ("lbfgs", 1e-8), ("newton-cholesky", 1e-8)):
    least = np.inf
    for _ in range(2):
        own = LogisticRegression(C=1.0, solver=solver, tol=tolerance, max_iter=1000)
        began = time.process_time()
        own.fit(x, y)
        least = min(least, time.process_time() - began)
    weights, intercept = own.coef_[0], own.intercept_[0]
    residual = 1 / (1 + np.exp(-(x @ weights + intercept))) - y
    gradient = np.append(x.T @ residual + weights, residual.sum()) / N
    peer = f"scikit-learn {solver} {tolerance:g}"
    tell(peer, "seconds", least)
    tell(peer, "gradient", np.abs(gradient).max())
    tell(peer, "iterations", own.n_iter_[0])
    tell(peer, "first weight", weights[0])
