"""Writes the tables of the gamma family's differences and inverses: python3 differences.py (mpmath 1.3)."""

import gzip
import json
from pathlib import Path

from mpmath import digamma, isinf, log, loggamma, mp, mpf, nstr, pi, psi

mp.dps = 80
FOLDER = Path(__file__).parent / "special"

STARTS = [5e-324, 1e-300, 1e-20, 1e-8, 0.001, 0.1, 0.37, 0.5, 1.0, 1.5, 2.0, 3.7, 9.5, 9.999, 10.0, 12.25, 100.0,
          1234.5, 1e6, 123456789.25, 1e12, 1e20, 1e200]
COUNTS = [1, 2, 3, 7, 10, 11, 50, 1000, 1234567, 10**12]
STEPS = [1e-12, 1e-5, 0.01, 0.5, 1.0, 2.0, 3.5, 10.0, 10.5, 77.7, 1000.25, 1e6, 1e12]


def decimal(value):
    return "inf" if isinf(value) else nstr(value, 30, min_fixed=-6, max_fixed=6)


def argument(x):
    return x if isinstance(x, int) else repr(x)


def write(name, function, args, notes, cases):
    rows = [{"in": [argument(x) for x in case], "value": decimal(value)} for case, value in cases]
    table = {"function": function, "args": args, "notes": notes, "cases": rows}
    text = json.dumps(table, indent=0).encode()
    (FOLDER / f"{name}.json.gz").write_bytes(gzip.compress(text, 9, mtime=0))
    print(name, len(rows))


def ln_ratio(a, d):
    """ln Gamma(a + d) - ln Gamma(a) with digits for the cancellation, which is of size a / d at most."""
    with mp.workdps(800):
        return loggamma(mpf(a) + mpf(d)) - loggamma(mpf(a))


def polygamma_difference(order):
    def difference(a, d):
        with mp.workdps(800):
            return psi(order, mpf(a) + mpf(d)) - psi(order, mpf(a))

    return difference


def in_range(value):
    return abs(value) < mpf("1.7e308")


write("ln_rising_factorial", "ln Gamma(a + n) - ln Gamma(a)", ["a", "n"], "n is a whole number",
      [((a, n), ln_ratio(a, n)) for a in STARTS for n in COUNTS])
write("ln_pochhammer", "ln Gamma(a + d) - ln Gamma(a)", ["a", "d"], "",
      [((a, d), ln_ratio(a, d)) for a in STARTS for d in STEPS])
write("digamma_difference", "psi(a + d) - psi(a)", ["a", "d"], "values within the range of f64",
      [((a, d), v) for a in STARTS for d in STEPS for v in [polygamma_difference(0)(a, d)] if in_range(v)])
write("trigamma_difference", "psi_1(a) - psi_1(a + d)", ["a", "d"], "values within the range of f64",
      [((a, d), v) for a in STARTS for d in STEPS for v in [-polygamma_difference(1)(a, d)] if in_range(v)])

levels = [-1e300, -1e20, -1e6, -1000.0, -100.0, -10.0, -5.0, -2.3, -2.22, -2.2, -1.0, -0.5772156649015329, -0.1, -1e-10,
          0.0, 1e-10, 0.03649, 0.5, 1.0, 2.0, 2.25, 2.5, 5.0, 10.0, 20.0, 50.0, 300.0, 700.0, 709.0]


def inverse_digamma(y):
    start = mp.exp(mpf(y)) + mpf(1) / 2 if y >= -2.22 else -1 / (mpf(y) + mp.euler)
    x = start
    for _ in range(12):
        x -= (digamma(x) - mpf(y)) / psi(1, x)
    return x


write("inverse_digamma", "x > 0 with psi(x) = y", ["y"], "Newton from Minka's starting point, 12 steps",
      [((y,), inverse_digamma(y)) for y in levels])

remainders = [1e-300, 1e-10, 0.01, 0.3, 0.5, 0.99, 1.0, 1.01, 1.5, 2.0, 2.718, 3.0, 4.0, 5.0, 6.5, 7.0, 8.0, 9.0, 9.99,
              10.0, 10.5, 15.0, 33.3, 100.0, 1e4, 1e8, 1e100, 1e300]


def stirling_remainder(x):
    with mp.workdps(800):
        x = mpf(x)
        return loggamma(x) - ((x - mpf(1) / 2) * log(x) - x + log(2 * pi) / 2)


write("stirling_remainder", "ln Gamma(x) - ((x - 1/2) ln x - x + ln(2 pi) / 2)", ["x"], "",
      [((x,), stirling_remainder(x)) for x in remainders])

means = [1e-300, 1e-5, 0.5, 0.999, 1.0, 7.0, 10.0, 99.5, 1000.0, 1e6, 1e15, 1e200]
factors = [1e-10, 0.01, 0.5, 0.8, 0.82, 0.9, 0.999, 0.99999999, 1.0, 1.0000001, 1.1, 1.22, 1.23, 2.0, 10.0, 1e10]


def deviance(x, m):
    with mp.workdps(800):
        x, m = mpf(x), mpf(m)
        return x * log(x / m) + m - x


write("poisson_deviance", "x ln(x / m) + m - x", ["x", "m"], "",
      [((m * f, m), deviance(m * f, m)) for m in means for f in factors])
