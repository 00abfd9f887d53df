"""Tables of distributions of which each case is a text: skew_normal.json and its siblings below distributions/.

mpmath at 60 digits (100 where moments cancel), 30 of them written. Run: python3 families.py DIRECTORY.
"""

import gzip
import json
import sys

from mpmath import mp, mpf

mp.dps = 60
SQRT2 = mp.sqrt(2)


def show(x):
    if x is None:
        return None
    if isinstance(x, int):
        return str(x)
    return mp.nstr(x, 30, strip_zeros=True)


def case(text, moments, entropy, mode, points, pdf, lower, upper):
    """moments: raw moments 1 to 4 about 0, None where they do not exist."""
    m = list(moments) + [None] * (4 - len(moments))
    mean, variance, skewness, kurtosis = m[0], None, None, None
    if m[1] is not None:
        variance = m[1] - m[0] ** 2
    if m[2] is not None and variance > 0:
        skewness = (m[2] - 3 * m[0] * m[1] + 2 * m[0] ** 3) / variance ** mpf(1.5)
    if m[3] is not None and variance > 0:
        fourth = m[3] - 4 * m[0] * m[2] + 6 * m[0] ** 2 * m[1] - 3 * m[0] ** 4
        kurtosis = fourth / variance ** 2 - 3
    rows = []
    for x in points:
        z = mpf(x)
        p, a, b = pdf(z), lower(z), upper(z)
        # The smaller tail is computed; the logarithm of the other one is taken from it.
        rows.append({
            "x": repr(x),
            "logpdf": show(mp.log(p)) if p > 0 else "-inf",
            "cdf": show(a), "sf": show(b),
            "logcdf": show(mp.log(a) if a < b else mp.log1p(-b)) if a > 0 else "-inf",
            "logsf": show(mp.log(b) if b < a else mp.log1p(-a)) if b > 0 else "-inf",
        })
    return {
        "text": text, "mean": show(mean), "variance": show(variance), "skewness": show(skewness),
        "excess_kurtosis": show(kurtosis), "entropy": show(entropy), "mode": show(mode), "points": rows,
    }


def numbers(*values):
    return ", ".join(repr(v) for v in values)


def skew_normal():
    cases = []
    for xi, om, al in [(0.0, 1.0, 1.0), (1.0, 2.0, 5.0), (0.0, 1.0, -3.0), (0.0, 1.0, 0.25), (0.0, 1.0, 0.0),
                       (0.0, 1.0, 100.0), (0.0, 1.0, -1e6), (0.0, 3.0, 1e-8)]:
        a, w, shift = mpf(al), mpf(om), mpf(xi)

        def f(t, a=a):
            return 2 * mp.npdf(t) * mp.erfc(-a * t / SQRT2) / 2

        def below(z, a=a):
            # Outwards in units of the decay; the integrand is analytic, panels of growing width.
            h = abs(z)
            unit = 1 / (1 + h + (a * a * h if z * a < 0 else 0))
            if z > 0 and a > 0:
                unit = min(mpf(1) / (1 + h), 1 / (1 + a))
            cuts, at, step = [z], z, unit / 2
            while at > z - 12 - 120 * unit and len(cuts) < 400:
                at -= step
                cuts.append(at)
                step = step * mpf('1.3')
            cuts = cuts[::-1]
            if z > 0:
                cuts = sorted(set(cuts + [mpf(0)] + [mpf(s) * unit * mpf(2) ** k for s in (-1, 1) for k in range(-2, 12) if s * unit * mpf(2) ** k < z]))
            # In units of the integrand at its end: the quadrature stops by the absolute error.
            scale = f(z, a) if z < 0 else mpf(1)
            return scale * mp.quad(lambda t: f(t, a) / scale, cuts)

        def lower(x):
            z = (x - shift) / w
            if z > 0:
                return 1 - below(-z, -a)
            return below(z)

        def upper(x):
            z = (x - shift) / w
            if z < 0:
                return 1 - below(z)
            return below(-z, -a)

        d = a / mp.sqrt(1 + a * a)
        m = d * mp.sqrt(2 / mp.pi)
        raw = [m, mpf(1), m * (3 - d * d), mpf(3)]
        raw = [shift + w * raw[0], shift ** 2 + 2 * shift * w * raw[0] + w ** 2,
               shift ** 3 + 3 * shift ** 2 * w * raw[0] + 3 * shift * w ** 2 + w ** 3 * raw[2],
               shift ** 4 + 4 * shift ** 3 * w * raw[0] + 6 * shift ** 2 * w ** 2 + 4 * shift * w ** 3 * raw[2] + 3 * w ** 4]

        points = [xi + om * z for z in (-12.0, -5.0, -1.5, -0.25, -1e-3, 0.0, 0.01, 0.5, 2.0, 8.0, 30.0)]
        if abs(al) > 50:
            points = [xi + om * z for z in (-1.5, -0.05, -1e-3, -1e-6, 0.0, 1e-7, 0.01, 0.5, 2.0, 8.0)]
        if al == -1e6:
            points = [-v for v in points][::-1]
        cases.append(case(f"skew_normal({numbers(xi, om, al)})", raw, None, None, points,
                          lambda x: f((x - shift) / w, a) / w, lower, upper))
    return cases


def euler():
    return mp.euler


def generalized_extreme_value():
    cases = []
    for mu, s, xi in [(0.0, 1.0, 0.0), (30.0, 8.0, 0.125), (0.0, 1.0, -0.5), (1.0, 2.0, 0.75), (0.0, 1.0, 1e-9),
                      (0.0, 1.0, -1e-5), (-5.0, 0.5, -1.0), (0.0, 1.0, 3.0), (0.0, 2.0, -2.5), (0.0, 1.0, 0.2)]:
        m, w, k = mpf(mu), mpf(s), mpf(xi)

        def y(x):
            z = (x - m) / w
            if k == 0:
                return z
            g = 1 + k * z
            return mp.log(g) / k if g > 0 else None

        def pdf(x):
            v = y(x)
            return mpf(0) if v is None else mp.exp(-(1 + k) * v - mp.exp(-v)) / w

        def lower(x):
            v = y(x)
            return (mpf(0) if k > 0 else mpf(1)) if v is None else mp.exp(-mp.exp(-v))

        def upper(x):
            v = y(x)
            return (mpf(1) if k > 0 else mpf(0)) if v is None else -mp.expm1(-mp.exp(-v))

        mp.dps = 100
        if k == 0:
            z3 = mp.zeta(3)
            v = mp.pi ** 2 / 6
            sk = 2 * z3 / v ** mpf(1.5)
            mean = m + w * mp.euler
            raw = None
        std = []
        for j in range(1, 5):
            if k == 0 or k * j >= 1:
                break
            # E((g - 1)/ξ)^j with g = e^(ξY)
            std.append(sum(mp.binomial(j, i) * (-1) ** (j - i) * mp.gamma(1 - i * k) for i in range(j + 1)) / k ** j)
        raw = []
        for j in range(1, len(std) + 1):
            raw.append(sum(mp.binomial(j, i) * m ** (j - i) * w ** i * (std[i - 1] if i else 1) for i in range(j + 1)))
        entropy = mp.log(w) + mp.euler * (1 + k) + 1
        mode = None
        if k >= -1:
            mode = m if k == 0 else m + w * ((mp.exp(-k * mp.log(1 + k)) - 1) / k if k > -1 else mpf(1))
        points = [p for p in (mu + s * z for z in (-40.0, -3.0, -0.9, 0.0, 0.3, 1.7, 5.0, 40.0, 1e4))]
        if xi < 0:
            end = mu - s / xi
            points = [p for p in points if p < end] + [end - 1e-3 * s]
        if xi > 0:
            points = [p for p in points if p > mu - s / xi]
        c = case(f"generalized_extreme_value({numbers(mu, s, xi)})", raw, entropy, mode, points, pdf, lower, upper)
        if k == 0:
            c.update(mean=show(m + w * mp.euler), variance=show(w * w * mp.pi ** 2 / 6),
                     skewness=show(12 * mp.sqrt(6) * mp.zeta(3) / mp.pi ** 3), excess_kurtosis="2.4")
        mp.dps = 60
        cases.append(c)
    return cases


def generalized_pareto():
    cases = []
    for mu, s, xi in [(0.0, 1.0, 0.0), (10.0, 2.0, 0.5), (0.0, 1.0, -0.25), (0.0, 3.0, 0.2), (-2.0, 1.0, 1e-10),
                      (0.0, 1.0, -1.5), (0.0, 1e-3, 2.0), (0.0, 1.0, -1.0)]:
        m, w, k = mpf(mu), mpf(s), mpf(xi)

        def y(x):
            z = (x - m) / w
            return z if k == 0 else mp.log(1 + k * z) / k

        raw = []
        for j in range(1, 5):
            if j * k >= 1:
                break
            raw.append(sum(mp.binomial(j, i) * m ** (j - i) * w ** i * mp.factorial(i) / mp.fprod(1 - q * k for q in range(1, i + 1)) for i in range(j + 1)))
        points = [mu + s * z for z in (1e-12, 0.01, 0.6, 0.66, 3.0, 50.0, 1e6)]
        if xi < 0:
            points = [p for p in points if p < mu - s / xi]
        cases.append(case(f"generalized_pareto({numbers(mu, s, xi)})", raw, mp.log(w) + k + 1, m if k > -1 else None, points,
                          lambda x: mp.exp(-(1 + k) * y(x)) / w, lambda x: -mp.expm1(-y(x)), lambda x: mp.exp(-y(x))))
    return cases


def asymmetric_laplace():
    cases = []
    for mu, s, tau in [(0.0, 1.0, 0.5), (3.0, 1.0, 0.9), (-1.0, 0.25, 0.01), (0.0, 2.0, 1e-6)]:
        m, w, t = mpf(mu), mpf(s), mpf(tau)
        b, a = w / (2 * (1 - t)), w / (2 * t)
        std = [a - b, None, None, None]
        k2, k3, k4 = a ** 2 + b ** 2, 2 * (a ** 3 - b ** 3), 6 * (a ** 4 + b ** 4)
        c = m + a - b
        raw = [c, c ** 2 + k2, c ** 3 + 3 * c * k2 + k3, c ** 4 + 6 * c ** 2 * k2 + 4 * c * k3 + k4 + 3 * k2 ** 2]
        pdf = lambda x: mp.exp((x - m) / b if x < m else (m - x) / a) / (a + b)
        lower = lambda x: t * mp.exp((x - m) / b) if x < m else 1 - (1 - t) * mp.exp((m - x) / a)
        upper = lambda x: 1 - t * mp.exp((x - m) / b) if x < m else (1 - t) * mp.exp((m - x) / a)
        points = [mu + s * z for z in (-300.0, -5.0, -0.01, 0.5, 7.0, 2000.0)]
        cases.append(case(f"asymmetric_laplace({numbers(mu, s, tau)})", raw, 1 + mp.log(a + b), m, points, pdf, lower, upper))
    return cases


def half_student_t():
    cases = []
    for nu, s in [(3.0, 2.5), (1.0, 1.0), (0.3, 1.0), (50.0, 0.01), (1e6, 1.0), (5.5, 1e3)]:
        n, w = mpf(nu), mpf(s)
        peak = 2 * mp.gamma((n + 1) / 2) / mp.gamma(n / 2) / mp.sqrt(n * mp.pi)
        pdf = lambda x: peak / w * (1 + (x / w) ** 2 / n) ** (-(n + 1) / 2)
        upper = lambda x: mp.betainc(n / 2, mpf(1) / 2, 0, n / (n + (x / w) ** 2), regularized=True)
        lower = lambda x: mp.betainc(mpf(1) / 2, n / 2, 0, (x / w) ** 2 / (n + (x / w) ** 2), regularized=True)
        raw = []
        for j in range(1, 5):
            if j >= n:
                break
            raw.append(w ** j * n ** (mpf(j) / 2) * mp.beta((mpf(j) + 1) / 2, (n - j) / 2) / mp.beta(mpf(1) / 2, n / 2))
        entropy = (n + 1) / 2 * (mp.digamma((n + 1) / 2) - mp.digamma(n / 2)) - mp.log(peak) + mp.log(w)
        points = [s * z for z in (1e-200, 1e-9, 0.02, 0.7, 3.0, 9.0, 40.0)]
        cases.append(case(f"half_student_t({numbers(nu, s)})", raw, entropy, mpf(0), points, pdf, lower, upper))
    return cases


def kumaraswamy():
    cases = []
    for al, be in [(2.0, 3.0), (0.3, 0.7), (40.0, 2.5), (1.0, 1.25), (5.0, 1e4), (1e3, 0.125), (0.125, 60.0), (1.0, 4.0), (6.0, 0.01)]:
        a, b = mpf(al), mpf(be)
        pdf = lambda x: a * b * x ** (a - 1) * (1 - x ** a) ** (b - 1)
        upper = lambda x: (1 - x ** a) ** b
        lower = lambda x: -mp.expm1(b * mp.log1p(-x ** a))
        mp.dps = 100
        raw = [b * mp.beta(1 + j / a, b) for j in (1, 2, 3, 4)]
        entropy = 1 - 1 / b + (1 - 1 / a) * (mp.digamma(b + 1) + mp.euler) - mp.log(a * b)
        mode = ((a - 1) / (a * b - 1)) ** (1 / a) if a >= 1 and b >= 1 and a * b > 1 else None
        points = [1e-250, 1e-9, 0.03, 0.4, 0.77, 0.98, 1.0 - 2.0 ** -40]
        points = [x for x in points if pdf(mpf(x)) > mpf(10) ** -10000]
        cases.append(case(f"kumaraswamy({numbers(al, be)})", raw, entropy, mode, points, pdf, lower, upper))
        mp.dps = 60
    return cases


def logit_normal():
    cases = []
    for mu, si in [(0.0, 1.0), (-2.0, 0.5), (1.0, 3.0), (-20.0, 4.0)]:
        m, s = mpf(mu), mpf(si)
        z = lambda x: (mp.log(x) - mp.log1p(-x) - m) / s
        points = [1e-200, 1e-10, 0.02, 0.3, 0.5, 0.75, 0.999]
        cases.append(case(f"logit_normal({numbers(mu, si)})", [], None, None, points,
                          lambda x: mp.npdf(z(x)) / (s * x * (1 - x)),
                          lambda x: mp.erfc(-z(x) / SQRT2) / 2, lambda x: mp.erfc(z(x) / SQRT2) / 2))
    return cases


def generalized_gamma():
    cases = []
    for al, c_, s_ in [(1.0, 2.0, 3.0), (0.5, 2.0, 1.0), (3.0, 0.4, 2.0), (20.0, 1.0, 0.1), (1e4, 3.0, 1.0), (0.01, 5.0, 1.0), (7.5, 100.0, 10.0)]:
        a, c, s = mpf(al), mpf(c_), mpf(s_)
        t = lambda x: (x / s) ** c
        pdf = lambda x: c / s / mp.gamma(a) * (x / s) ** (c * a - 1) * mp.exp(-t(x))
        lower = lambda x: mp.gammainc(a, 0, t(x), regularized=True)
        upper = lambda x: mp.gammainc(a, t(x), mp.inf, regularized=True)
        mp.dps = 100
        raw = [s ** j * mp.exp(mp.loggamma(a + j / c) - mp.loggamma(a)) for j in (1, 2, 3, 4)]
        entropy = mp.log(s / c) + mp.loggamma(a) + a + (1 / c - a) * mp.digamma(a)
        mode = s * (a - 1 / c) ** (1 / c) if a * c >= 1 else None
        middle = float(s * a ** (1 / c))
        points = [middle * q for q in (0.05, 0.6, 0.98, 1.03, 1.5, 4.0)]
        points = [x for x in points if pdf(mpf(x)) > mpf(10) ** -3000]
        cases.append(case(f"generalized_gamma({numbers(al, c_, s_)})", raw, entropy, mode, points, pdf, lower, upper))
        mp.dps = 60
    return cases


def counts(text, masses, points, entropy=True, mode=True):
    """masses: a dictionary of all that matter, by the count."""
    keys = sorted(masses)
    raw = [sum(mpf(k) ** j * masses[k] for k in keys) for j in (1, 2, 3, 4)]
    h = -sum(masses[k] * mp.log(masses[k]) for k in keys if masses[k] > 0)
    best = max(keys, key=lambda k: masses[k])
    below, above = {}, {}
    total = mpf(0)
    for k in keys:
        total += masses[k]
        below[k] = total
    total = mpf(0)
    for k in reversed(keys):
        above[k] = total
        total += masses[k]
    return case(text, raw, h if entropy else None, mpf(best) if mode else None, points,
                lambda x: masses[int(x)], lambda x: below[int(x)], lambda x: above[int(x)])


def skellam():
    cases = []
    for l1, l2 in [(1.6, 1.1), (0.01, 20.0), (1e-5, 1e-6), (1000.0, 500.0), (30.0, 30.0), (20000.0, 21000.0)]:
        a, b = mpf(l1), mpf(l2)
        sd = mp.sqrt(a + b)
        reach = int(30 * sd + 60)
        middle = int(a - b)
        x = 2 * mp.sqrt(a * b)
        last = max(abs(middle - reach), abs(middle + reach))
        # Bessel functions downwards in the order, where the recurrence is stable.
        i = {last + 1: mp.besseli(last + 1, x, maxterms=10**7), last: mp.besseli(last, x, maxterms=10**7)}
        for k in range(last, 0, -1):
            i[k - 1] = i[k + 1] + 2 * k / x * i[k]
        factor = mp.exp(-a - b)
        ratio = mp.log(a / b) / 2
        masses = {k: factor * mp.exp(k * ratio) * i[abs(k)] for k in range(middle - reach, middle + reach + 1)}
        points = sorted({float(middle + int(q * sd) + d) for q in (-20, -8, -2, 0, 1, 5, 15) for d in (-1, 0)} | {0.0, -1.0, 1.0})
        points = [p for p in points if int(p) in masses]
        cases.append(counts(f"skellam({numbers(l1, l2)})", masses, points, mode=False))
    return cases


def poisson_binomial():
    cases = []
    lists = [[0.5, 0.8, 0.1], [0.001 * k for k in range(1, 41)], [(k * 7 % 101) / 101 for k in range(1, 200)],
             [1e-5] * 30 + [0.999999] * 20 + [0.3] * 5, [0.0, 1.0, 1.0, 0.25], [1e-12] * 60]
    for p in lists:
        masses = [mpf(1)]
        for q in p:
            q = mpf(q)
            q1 = mpf(1 - float(q))
            masses = [(masses[k] * (1 - q) if k < len(masses) else 0) + (masses[k - 1] * q if k else 0) for k in range(len(masses) + 1)]
        n = len(p)
        points = sorted({0.0, 1.0, float(n // 4), float(n // 2), float(n // 2 + 1), float(3 * n // 4), float(n - 1)})
        ordered = sorted(masses)
        unique = ordered[-1] > ordered[-2] * (1 + mpf(10) ** -12)
        cases.append(counts("poisson_binomial([" + numbers(*p) + "])", dict(enumerate(masses)), points, mode=unique))
    return cases


def zeta():
    cases = []
    for s_ in [2.0, 5.5, 1.25, 1.0009765625, 40.0, 3.5]:
        s = mp.mpf(s_)
        z = mp.zeta(s)
        raw = []
        for j in (1, 2, 3, 4):
            if s <= j + 1:
                break
            raw.append(mp.zeta(s - j) / z)
        entropy = mp.log(z) - s * mp.zeta(s, 1, 1) / z
        points = [1.0, 2.0, 7.0, 100.0, 1e4, 1e9, 1e15]
        upper = lambda x: mp.zeta(s, x + 1) / z
        cases.append(case(f"zeta({numbers(s_)})", raw, entropy, mpf(1), points, lambda x: x ** -s / z, lambda x: 1 - upper(x), upper))
    return cases


def zipf():
    cases = []
    for s_, n in [(1.25, 3), (0.5, 1000), (2.0, 100000), (0.0, 7), (1.5, 10 ** 12), (0.75, 10 ** 9), (30.0, 50), (1.0, 2000)]:
        mp.dps = 120
        s = mpf(s_)

        def h(q, first=1, last=None):
            # Σ k^-q from first to last: single terms, and the formula of Euler and Maclaurin from 200 on.
            last = n if last is None else last
            if last - first < 500:
                return mp.fsum(mpf(k) ** -q for k in range(first, last + 1))
            start = max(first, 200)
            head = mp.fsum(mpf(k) ** -q for k in range(first, start))
            integral = mp.log(mpf(last) / start) if q == 1 else (mpf(last) ** (1 - q) - mpf(start) ** (1 - q)) / (1 - q)
            ends = (mpf(last) ** -q + mpf(start) ** -q) / 2
            rest = mp.fsum(mp.bernoulli(2 * j) / mp.factorial(2 * j) * mp.rf(q, 2 * j - 1)
                           * (mpf(start) ** (1 - q - 2 * j) - mpf(last) ** (1 - q - 2 * j)) for j in range(1, 20))
            return head + integral + ends + rest

        def h_ln(q):
            step = mpf(10) ** -30
            return (h(q - step) - h(q + step)) / (2 * step)

        total = h(s)
        raw = [h(s - j) / total for j in (1, 2, 3, 4)]
        entropy = mp.log(total) + s * h_ln(s) / total
        points = sorted({1.0, 2.0, float(max(1, n // 100)), float(max(1, n // 3)), float(max(1, n // 2)), float(n - 1), float(n)})
        cases.append(case(f"zipf({numbers(s_)}, {n})", raw, entropy, mpf(1) if s > 0 else None, points,
                          lambda x: x ** -s / total, lambda x: h(s, 1, int(x)) / total, lambda x: h(s, int(x) + 1) / total))
        mp.dps = 60
    return cases


def main():
    wanted = sys.argv[2:] or ["skew_normal", "generalized_extreme_value", "generalized_pareto", "asymmetric_laplace", "half_student_t",
                              "kumaraswamy", "logit_normal", "generalized_gamma", "skellam", "poisson_binomial", "zeta", "zipf"]
    for name in wanted:
        table = {"distribution": name, "notes": "mpmath by families.py, 30 digits", "cases": globals()[name]()}
        text = json.dumps(table, ensure_ascii=False, indent=0).encode()
        with open(f"{sys.argv[1]}/{name}.json.gz", "wb") as file:
            file.write(gzip.compress(text, 9, mtime=0))
        print(name, len(text), file=sys.stderr)


if __name__ == "__main__":
    main()
