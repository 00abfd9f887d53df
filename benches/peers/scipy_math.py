"""SciPy and NumPy on the workloads of `cargo xtask compare math`. Usage: scipy_math.py FOLDER

Reads FOLDER/NAME.csv (arguments), writes FOLDER/NAME.values (one number a line), prints NAME and nanoseconds a call, with a tab
between. Arrays of 20,000 arguments in a random order; the fastest of 15 passes."""
import sys
import time
from pathlib import Path

import numpy as np
from scipy import special as sp
from scipy import stats

folder = Path(sys.argv[1])

FUNCTIONS = {
    "ln_gamma": sp.gammaln,
    "digamma": sp.digamma,
    "gamma_p": sp.gammainc,
    "gamma_q": sp.gammaincc,
    "gamma quantile": lambda p, a, x: sp.gammaincinv(a, p),
    "beta_p": sp.betainc,
    "beta quantile": lambda p, a, b, x: sp.betaincinv(a, b, p),
    "erf": sp.erf,
    "erfc": sp.erfc,
    "normal quantile": sp.ndtri,
    "student cdf": sp.stdtr,
    "student quantile": lambda p, n, x: sp.stdtrit(n, p),
    "normal ln_pdf": lambda x: stats.norm.logpdf(x, 0.3, 1.7),
    "gamma ln_pdf": lambda a, x: stats.gamma.logpdf(x, a),
    "beta ln_pdf": lambda a, b, x: stats.beta.logpdf(x, a, b),
    "student ln_pdf": lambda n, x: stats.t.logpdf(x, n),
}
generator = np.random.Generator(np.random.PCG64(1))
COUNT = 2_000 if "--quick" in sys.argv else 100_000
WEIGHTS = 1.0 + np.abs(np.sin(np.arange(1000) * 0.7)) * 5.0
WEIGHTS /= WEIGHTS.sum()
DRAWS = {
    "normal": (COUNT, lambda: generator.standard_normal(COUNT)),
    "exponential": (COUNT, lambda: generator.standard_exponential(COUNT)),
    "gamma(0.3)": (COUNT, lambda: generator.standard_gamma(0.3, COUNT)),
    "gamma(3)": (COUNT, lambda: generator.standard_gamma(3.0, COUNT)),
    "beta(0.5, 0.5)": (COUNT, lambda: generator.beta(0.5, 0.5, COUNT)),
    "student_t(3)": (COUNT, lambda: generator.standard_t(3, COUNT)),
    "poisson(4)": (COUNT, lambda: generator.poisson(4, COUNT)),
    "poisson(1000)": (COUNT, lambda: generator.poisson(1000, COUNT)),
    "binomial(20, 0.3)": (COUNT, lambda: generator.binomial(20, 0.3, COUNT)),
    "binomial(1000, 0.3)": (COUNT, lambda: generator.binomial(1000, 0.3, COUNT)),
    "categorical(1000), alias": (COUNT, lambda: generator.choice(1000, COUNT, p=WEIGHTS)),
    "dirichlet(100 x 0.5)": (COUNT // 100, lambda: generator.dirichlet([0.5] * 100, COUNT // 100)),
}


def fastest(call):
    times = []
    for _ in range(15):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


for name, function in FUNCTIONS.items():
    columns = np.ascontiguousarray(np.loadtxt(folder / f"{name}.csv", delimiter=",", ndmin=2).T)
    np.savetxt(folder / f"{name}.values", function(*columns), fmt="%.17g")
    print(f"{name}\t{fastest(lambda: function(*columns)) / columns.shape[1] * 1e9}")
for name, (count, draw) in DRAWS.items():
    print(f"{name}\t{fastest(draw) / count * 1e9}")
