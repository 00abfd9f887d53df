"""Bayesian optimisation on the functions of `cargo xtask compare optimize`. Usage: optimizers.py FOLDER

Looks for the least values of six standard functions with the defaults of scikit-optimize (gp_minimize) and Optuna (its tree-structured Parzen
estimator), and prints one line for each function and library: trials, library, function, the median over the seeds of how far the best of
these trials is above the least value, with tabs between."""
import logging
import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")
QUICK = "--quick" in sys.argv
SEEDS = 2 if QUICK else 20


def branin(x):
    a, b = x
    return (
        (b - 5.1 / (4 * np.pi**2) * a * a + 5 / np.pi * a - 6) ** 2 + 10 * (1 - 1 / (8 * np.pi)) * np.cos(a) + 10
    )


def goldstein_price(x):
    a, b = x
    one = 1 + (a + b + 1) ** 2 * (19 - 14 * a + 3 * a * a - 14 * b + 6 * a * b + 3 * b * b)
    return one * (30 + (2 * a - 3 * b) ** 2 * (18 - 32 * a + 12 * a * a + 48 * b - 36 * a * b + 27 * b * b))


HARTMANN = np.array([1.0, 1.2, 3.0, 3.2])
A3 = np.array([[3, 10, 30], [0.1, 10, 35], [3, 10, 30], [0.1, 10, 35]])
P3 = np.array([[0.3689, 0.1170, 0.2673], [0.4699, 0.4387, 0.7470], [0.1091, 0.8732, 0.5547], [0.0381, 0.5743, 0.8828]])
A6 = np.array(
    [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
)
P6 = np.array(
    [
        [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
        [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
        [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
        [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
    ]
)


def hartmann(a, p):
    return lambda x: float(-HARTMANN @ np.exp(-np.sum(a * (np.array(x) - p) ** 2, axis=1)))


def ackley(x):
    x = np.array(x)
    return float(
        -20 * np.exp(-0.2 * np.sqrt(np.mean(x * x))) - np.exp(np.mean(np.cos(2 * np.pi * x))) + 20 + np.e
    )


def levy(x):
    w = 1 + (np.array(x) - 1) / 4
    middle = np.sum((w[:-1] - 1) ** 2 * (1 + 10 * np.sin(np.pi * w[:-1] + 1) ** 2))
    return float(np.sin(np.pi * w[0]) ** 2 + middle + (w[-1] - 1) ** 2 * (1 + np.sin(2 * np.pi * w[-1]) ** 2))


# Name, function, limits, least value, trials.
FUNCTIONS = [
    ("Branin", branin, [(-5.0, 10.0), (0.0, 15.0)], 0.397887357729738, 30),
    ("Goldstein-Price", goldstein_price, [(-2.0, 2.0)] * 2, 3.0, 40),
    ("Hartmann 3", hartmann(A3, P3), [(0.0, 1.0)] * 3, -3.862779787332660, 30),
    ("Levy 4", levy, [(-10.0, 10.0)] * 4, 0.0, 50),
    ("Ackley 5", ackley, [(-15.0, 30.0)] * 5, 0.0, 60),
    ("Hartmann 6", hartmann(A6, P6), [(0.0, 1.0)] * 6, -3.322368011391339, 60),
]


def scikit_optimize(function, limits, trials, seed):
    from skopt import gp_minimize

    return gp_minimize(function, limits, n_calls=trials, random_state=seed).fun


def optuna_default(function, limits, trials, seed):
    import optuna

    optuna.logging.set_verbosity(logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))

    def objective(trial):
        return function([trial.suggest_float(f"x{i}", low, high) for i, (low, high) in enumerate(limits)])

    study.optimize(objective, n_trials=trials)
    return study.best_value


for peer, run in (("Optuna", optuna_default), ("scikit-optimize", scikit_optimize)):
    for name, function, limits, least, trials in FUNCTIONS:
        trials = 12 if QUICK else trials
        regrets = [run(function, limits, trials, seed) - least for seed in range(SEEDS)]
        print(f"{trials}\t{peer}\t{name}\t{float(np.median(regrets))!r}", flush=True)
