"""Functions of Stan's library at points, with gradients: stan/functions.json.gz.

Each case is a call in Stan's language of numbers x[1], x[2], ...; value and gradient are of mpmath at 30
digits, from definitions (densities are integrated or summed), gradients by differences at that precision.
"""

import gzip
import json
import sys

import mpmath as mp

mp.mp.dps = 30
CASES = []


def case(call, points, function, step=mp.mpf(10) ** -9):
    for point in points:
        x = [mp.mpf(repr(float(p))) if not isinstance(p, str) else mp.mpf(p) for p in point]
        # The f64 that the test has.
        x = [mp.mpf(float(p)) for p in x]
        value = mp.mpf(function(*x))
        gradient = []
        for i in range(len(x)):
            h = step * max(abs(x[i]), mp.mpf("0.01"))

            def at(k):
                moved = list(x)
                moved[i] += k * h
                return mp.mpf(function(*moved))

            slope = (45 * (at(1) - at(-1)) - 9 * (at(2) - at(-2)) + at(3) - at(-3)) / (60 * h)
            gradient.append(float(slope))
        CASES.append({"call": call, "x": [float(p) for p in x], "value": float(value), "gradient": gradient})


def tails(name, points, lower=None, upper=None, count=(), data=(), which=("cdf", "lcdf", "lccdf")):
    """Tails of a distribution: of the arguments those in `data` are written as they are."""
    lower = lower or (lambda *x: 1 - upper(*x))
    upper = upper or (lambda *x: 1 - lower(*x))
    for point in points:
        free = [i for i in range(len(point)) if i not in data]
        names = {i: f"x[{k + 1}]" for k, i in enumerate(free)}
        args = [names.get(i, str(point[i])) for i in range(len(point))]
        rest = f" | {', '.join(args[1:])}" if len(args) > 1 else " |"

        def full(x):
            own = list(point)
            for k, i in enumerate(free):
                own[i] = x[k]
            return own

        for suffix in which:
            if suffix == "cdf":
                function = lambda *x: lower(*full(x))
            elif suffix == "lcdf":
                function = lambda *x: mp.log(lower(*full(x)))
            else:
                function = lambda *x: mp.log(upper(*full(x)))
            case(f"{name}_{suffix}({args[0]}{rest})", [[point[i] for i in free]], function)


def phi(z):
    return mp.exp(-z * z / 2) / mp.sqrt(2 * mp.pi)


def P(a, x):
    return mp.gammainc(a, 0, x, regularized=True)


def Q(a, x):
    return mp.gammainc(a, x, mp.inf, regularized=True)


def I(a, b, x):
    return mp.betainc(a, b, 0, x, regularized=True)


def J(a, b, x):
    return mp.betainc(b, a, 0, 1 - x, regularized=True)


def distribution_functions():
    ncdf = lambda z: mp.erfc(-z / mp.sqrt(2)) / 2
    tails("std_normal", [(-3.5,), (0.3,), (12.0,)], ncdf, lambda z: ncdf(-z))
    standard = [(0.4, -1.0, 2.0), (-9.5, 1.0, 0.7), (30.0, 2.0, 3.1)]
    of_z = lambda f: (lambda y, m, s: f((y - m) / s))
    tails("normal", standard, of_z(ncdf), of_z(lambda z: ncdf(-z)))
    positive = [(0.4, -1.0, 2.0), (1e-4, 1.0, 0.7), (300.0, 2.0, 1.1)]
    of_ln = lambda f: (lambda y, m, s: f((mp.log(y) - m) / s))
    tails("lognormal", positive, of_ln(ncdf), of_ln(lambda z: ncdf(-z)))
    share = lambda z: 1 / (1 + mp.exp(-z))
    tails("logistic", standard, of_z(share), of_z(lambda z: share(-z)))
    shapes = [(0.4, 1.5, 2.0), (0.01, 3.0, 0.7), (30.0, 2.0, 3.1)]
    tails("loglogistic", shapes, lambda y, a, b: 1 / (1 + (y / a) ** -b), which=("cdf",))
    angle = lambda z: mp.atan2(1, -z) / mp.pi
    tails("cauchy", [*standard, (-1e9, 0.0, 1.0)], of_z(angle), of_z(lambda z: angle(-z)))
    tails(
        "uniform",
        [(0.4, -1.0, 2.0), (1.999, -3.0, 2.0)],
        lambda y, a, b: (y - a) / (b - a),
        lambda y, a, b: (b - y) / (b - a),
    )
    tails("exponential", [(0.4, 2.0), (1e-9, 0.3), (90.0, 1.5)], lambda y, r: -mp.expm1(-r * y), lambda y, r: mp.exp(-r * y))
    tails("weibull", shapes, lambda y, a, s: -mp.expm1(-((y / s) ** a)), lambda y, a, s: mp.exp(-((y / s) ** a)))
    frechet = lambda y, a, s: mp.exp(-((y / s) ** -a))
    tails("frechet", [(0.4, 1.5, 2.0), (0.5, 3.0, 0.7), (3000.0, 2.0, 3.1)], frechet, lambda *x: -mp.expm1(mp.log(frechet(*x))))
    tails("gumbel", [(0.4, -1.0, 2.0), (-2.5, 1.0, 0.7), (30.0, 2.0, 1.1)], of_z(lambda z: mp.exp(-mp.exp(-z))), of_z(lambda z: -mp.expm1(-mp.exp(-z))))
    tails("rayleigh", [(0.4, 1.5), (25.0, 3.0)], lambda y, s: -mp.expm1(-((y / s) ** 2) / 2), lambda y, s: mp.exp(-((y / s) ** 2) / 2))
    tails("pareto", [(2.4, 1.5, 2.0), (3000.0, 2.0, 0.4)], lambda y, m, a: -mp.expm1(a * mp.log(m / y)), lambda y, m, a: (m / y) ** a)
    lomax = lambda y, m, s, a: (1 + (y - m) / s) ** -a
    tails("pareto_type_2", [(2.4, -1.5, 2.0, 3.0), (1000.0, 2.0, 0.4, 0.7)], lambda *x: -mp.expm1(mp.log(lomax(*x))), lomax)
    laplace = lambda z: mp.exp(z) / 2 if z <= 0 else 1 - mp.exp(-z) / 2
    tails("double_exponential", standard, of_z(laplace), of_z(lambda z: laplace(-z)))

    def skew_lower(y, m, s, t):
        return t * mp.exp(-2 * (1 - t) * (m - y) / s) if y < m else 1 - (1 - t) * mp.exp(-2 * t * (y - m) / s)

    tails("skew_double_exponential", [(0.4, -1.0, 2.0, 0.3), (-9.0, 1.0, 0.9, 0.7), (20.0, 1.0, 0.9, 0.7)], skew_lower)

    def emg(y, m, s, r):
        return r * mp.exp(r / 2 * (2 * m + r * s * s - 2 * y)) * mp.erfc((m + r * s * s - y) / (mp.sqrt(2) * s)) / 2

    def emg_lower(y, m, s, r):
        return mp.quad(lambda t: emg(t, m, s, r), [-mp.inf, min(y, m) - 20 * s, min(y, m) - 5 * s, min(y, m), y])

    def emg_upper(y, m, s, r):
        return mp.quad(lambda t: emg(t, m, s, r), [y, max(y, m) + 5 * s, max(y, m) + 10 / r, max(y, m) + 60 / r, mp.inf])

    tails("exp_mod_normal", [(0.4, -1.0, 2.0, 0.5), (-3.0, 1.0, 0.9, 2.0), (9.0, 1.0, 0.9, 1.3)], emg_lower, emg_upper)

    def skew_normal_lower(y, xi, w, a):
        z = (y - xi) / w
        # In units of the integrand at the end, and of its width there: quadrature has an absolute error.
        top = phi(z) * ncdf(a * z)
        slope = -z + a * phi(a * z) / ncdf(a * z)
        width = 1 / max(abs(slope), 1)
        ends = [-mp.inf, *(z - width * step for step in (100, 30, 10, 3, 1)), z]
        return 2 * top * mp.quad(lambda t: phi(t) * ncdf(a * t) / top, ends)

    def skew_normal_upper(y, xi, w, a):
        return skew_normal_lower(-y, -xi, w, -a)

    tails("skew_normal", [(0.4, -1.0, 2.0, 1.5), (-3.0, 1.0, 0.9, 2.5), (6.0, 1.0, 0.9, -3.0), (2.0, 1.0, 0.9, 4.0)], skew_normal_lower, skew_normal_upper)

    def t_outer(z, nu):
        return I(nu / 2, mp.mpf(1) / 2, nu / (nu + z * z)) / 2

    def t_lower(y, nu, m, s):
        z = (y - m) / s
        return t_outer(z, nu) if z < 0 else 1 - t_outer(z, nu)

    def t_upper(y, nu, m, s):
        return t_lower(2 * m - y, nu, m, s)

    tails("student_t", [(0.4, 3.0, -1.0, 2.0), (-60.0, 2.5, 1.0, 0.9), (8.0, 30.0, 1.0, 1.9), (1.001, 5.0, 1.0, 2.0)], t_lower, t_upper)
    gammas = [(0.4, 1.5, 2.0), (0.01, 3.0, 0.7), (30.0, 2.0, 3.1), (7.0, 21.0, 3.0)]
    tails("gamma", gammas, lambda y, a, b: P(a, b * y), lambda y, a, b: Q(a, b * y))
    tails("inv_gamma", gammas, lambda y, a, b: Q(a, b / y), lambda y, a, b: P(a, b / y))
    squares = [(0.4, 1.5), (0.01, 3.0), (80.0, 7.0)]
    half = mp.mpf(1) / 2
    tails("chi_square", squares, lambda y, n: P(n / 2, y / 2), lambda y, n: Q(n / 2, y / 2))
    tails("inv_chi_square", squares, lambda y, n: Q(n / 2, half / y), lambda y, n: P(n / 2, half / y))
    tails("scaled_inv_chi_square", gammas, lambda y, n, s: Q(n / 2, n * s * s / (2 * y)), lambda y, n, s: P(n / 2, n * s * s / (2 * y)))
    betas = [(0.4, 1.5, 2.0), (0.01, 3.0, 0.7), (0.95, 2.0, 9.1)]
    tails("beta", betas, lambda y, a, b: I(a, b, y), lambda y, a, b: J(a, b, y))
    shares = [(0.4, 0.5, 2.0), (0.01, 0.2, 7.7), (0.95, 0.6, 9.1)]
    tails("beta_proportion", shares, lambda y, m, k: I(m * k, (1 - m) * k, y), lambda y, m, k: J(m * k, (1 - m) * k, y), which=("lcdf", "lccdf"))

    def vm(y, m, k):
        return mp.quad(lambda t: mp.exp(k * mp.cos(t - m)), mp.linspace(-mp.pi, y, 9)) / (2 * mp.pi * mp.besseli(0, k))

    tails("von_mises", [(0.4, 0.3, 2.0), (-2.5, -1.0, 0.4), (2.0, 1.5, 12.0)], vm)
    # Counts: the first argument is an integer.
    choose = lambda n, k: mp.gamma(n + 1) / mp.gamma(k + 1) / mp.gamma(n - k + 1)
    upto = lambda pmf: (lambda y, *rest: mp.fsum(pmf(k, *rest) for k in range(int(y) + 1)))
    tails("bernoulli", [(0, 0.3)], lambda y, p: 1 - p, data=(0,))
    binomial = lambda k, n, p: choose(n, k) * p**k * (1 - p) ** (n - k)
    above = lambda pmf: (lambda y, n, *rest: mp.fsum(pmf(k, n, *rest) for k in range(int(y) + 1, int(n) + 1)))
    tails("binomial", [(3, 10, 0.3), (0, 25, 0.4), (24, 25, 0.6)], upto(binomial), above(binomial), data=(0, 1))
    poisson = lambda k, r: mp.exp(-r) * r**k / mp.factorial(k)
    tails("poisson", [(3, 2.5), (0, 4.0), (40, 11.0)], lambda y, r: Q(y + 1, r), lambda y, r: P(y + 1, r), data=(0,))
    tails("neg_binomial", [(3, 2.5, 1.2), (0, 4.0, 0.3), (40, 3.0, 0.9)], lambda y, a, b: I(a, y + 1, b / (1 + b)), lambda y, a, b: J(a, y + 1, b / (1 + b)), data=(0,))
    tails("neg_binomial_2", [(3, 2.5, 1.2), (0, 4.0, 0.3), (40, 3.0, 2.9)], lambda y, m, p: I(p, y + 1, p / (m + p)), lambda y, m, p: J(p, y + 1, p / (m + p)), data=(0,))
    beta_binomial = lambda k, n, a, b: choose(n, k) * mp.beta(k + a, n - k + b) / mp.beta(a, b)
    tails("beta_binomial", [(3, 10, 2.3, 1.1), (0, 25, 0.4, 3.0), (24, 25, 0.6, 7.0)], upto(beta_binomial), above(beta_binomial), data=(0, 1))
    bnb = lambda k, r, a, b: mp.beta(a + r, b + k) / mp.beta(a, b) * mp.gamma(k + r) / mp.gamma(k + 1) / mp.gamma(r)
    tails("beta_neg_binomial", [(3, 2.5, 2.3, 1.1), (0, 4.0, 3.4, 3.0), (12, 1.5, 2.6, 2.0)], upto(bnb), data=(0,))
    for point in [(3, 2.5, 2.3, 1.1), (0, 4.0, 3.4, 3.0)]:
        y = point[0]
        case(f"beta_neg_binomial_lpmf({y} | x[1], x[2], x[3])", [point[1:]], lambda r, a, b: mp.log(bnb(y, r, a, b)))
    tails("discrete_range", [(3, 1, 8), (7, -2, 8)], lambda y, a, b: mp.mpf(y - a + 1) / (b - a + 1), data=(0, 1, 2))
    yule = lambda k, a: a * mp.beta(k, a + 1)
    tails("yule_simon", [(3, 2.5), (1, 0.4), (60, 1.3)], lambda y, a: mp.fsum(yule(k, a) for k in range(1, int(y) + 1)), data=(0,))
    case("yule_simon_lpmf(4 | x[1])", [(2.5,)], lambda a: mp.log(yule(4, a)))


def special_functions():
    case("beta(x[1], x[2])", [(0.4, 2.5), (3.0, 7.0)], mp.beta)
    case("binary_log_loss(1, x[1]) + binary_log_loss(0, x[1])", [(0.3,)], lambda p: -mp.log(p) - mp.log(1 - p))
    case("gamma_p(x[1], x[2])", [(0.7, 1.3), (12.0, 4.0)], P)
    case("gamma_q(x[1], x[2])", [(0.7, 1.3), (12.0, 14.0)], Q)
    case("inc_beta(x[1], x[2], x[3])", [(0.7, 1.3, 0.2), (4.0, 2.0, 0.9)], I)

    def inverse(f, low, high, p):
        """By bisection: f rises."""
        for _ in range(110):
            middle = (low + high) / 2
            low, high = (middle, high) if f(middle) < p else (low, middle)
        return (low + high) / 2

    case("inv_inc_beta(x[1], x[2], x[3])", [(0.7, 1.3, 0.2), (4.0, 2.0, 0.9)], lambda a, b, p: inverse(lambda x: I(a, b, x), mp.mpf(0), mp.mpf(1), p))

    def t_cdf(y, nu):
        outer = I(nu / 2, mp.mpf(1) / 2, nu / (nu + y * y)) / 2
        return outer if y < 0 else 1 - outer

    case("student_t_qf(x[1], x[2], x[3], x[4])", [(0.2, 3.0, 1.0, 2.0), (0.9, 8.0, -1.0, 0.5)], lambda p, nu, m, s: m + s * inverse(lambda y: t_cdf(y, nu), mp.mpf(-50), mp.mpf(50), p))
    case("hypergeometric_1F0(x[1], x[2])", [(0.7, 0.4), (2.5, -3.0)], lambda a, z: (1 - z) ** -a)
    points = [(0.7, 1.3, 2.1, 0.4), (2.0, -1.5, 0.3, 0.95), (0.5, 3.0, 2.5, -0.9), (1.5, 0.4, 2.2, -6.0)]
    case("hypergeometric_2F1(x[1], x[2], x[3], x[4])", points, mp.hyp2f1)
    points = [(0.7, 1.3, 2.0, 2.1, 3.4, 0.4), (1.5, -0.6, 0.4, 0.7, 1.2, -0.8)]
    call = "hypergeometric_3F2([x[1], x[2], x[3]]', [x[4], x[5]]', x[6])"
    case(call, points, lambda a, b, c, d, e, z: mp.hyper([a, b, c], [d, e], z))
    call = "hypergeometric_pFq([x[1]]', [x[2]]', x[3])"
    case(call, [(0.7, 1.3, 5.0), (3.0, 0.4, -30.0)], lambda a, b, z: mp.hyper([a], [b], z))
    call = "hypergeometric_pFq([x[1], x[2]]', [x[3], x[4], x[5]]', x[6])"
    case(call, [(0.7, 1.3, 2.0, 0.5, 0.9, 12.0)], lambda a, b, c, d, e, z: mp.hyper([a, b], [c, d, e], z))
    case("falling_factorial(x[1], 3)", [(5.5,), (-0.3,)], lambda x: x * (x - 1) * (x - 2))
    case("rising_factorial(x[1], 3)", [(5.5,), (-0.3,)], lambda x: x * (x + 1) * (x + 2))
    case("inv_erfc(x[1])", [(0.3,), (1.7,)], lambda x: mp.erfinv(1 - x))
    case("std_normal_qf(x[1])", [(0.01,), (0.6,)], lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1))
    case("std_normal_log_qf(x[1])", [(-3.0,), (-0.1,)], lambda p: mp.sqrt(2) * mp.erfinv(2 * mp.exp(p) - 1))
    case("lambert_w0(x[1])", [(-0.3,), (0.1,), (5.0,), (1e4,)], lambda x: mp.lambertw(x).real)
    case("lambert_wm1(x[1])", [(-0.3,), (-0.01,), (-0.367,)], lambda x: mp.lambertw(x, -1).real)
    case("lmgamma(3, x[1])", [(2.5,)], lambda x: mp.mpf(3) / 2 * mp.log(mp.pi) + sum(mp.loggamma(x - mp.mpf(j) / 2) for j in range(3)))
    case("ldexp(x[1], 5)", [(2.5,)], lambda x: 32 * x)
    for n in (0, 1, 4):
        case(f"bessel_first_kind({n}, x[1])", [(0.3,), (7.5,), (40.0,)], lambda x: mp.besselj(n, x))
        case(f"bessel_second_kind({n}, x[1])", [(0.3,), (7.5,), (40.0,)], lambda x: mp.bessely(n, x))
        case(f"modified_bessel_first_kind({n}, x[1])", [(0.3,), (7.5,)], lambda x: mp.besseli(n, x))
        case(f"modified_bessel_second_kind({n}, x[1])", [(0.3,), (7.5,)], lambda x: mp.besselk(n, x))
    case("log_modified_bessel_first_kind(x[1], x[2])", [(0.5, 0.3), (2.5, 7.5), (20.0, 3.0), (1.2, 300.0)], lambda v, z: mp.log(mp.besseli(v, z)))


def matrices():
    two = "[[x[1], x[2]], [x[3], x[4]]]"
    M = lambda *x: mp.matrix([[x[0], x[1]], [x[2], x[3]]])
    W = mp.matrix([[1, 2], [3, -1]])
    weigh = lambda A: sum(W[i, j] * A[i, j] for i in range(2) for j in range(2))
    weighed = lambda text: f"sum([[1, 2], [3, -1]] .* {text})"
    points = [(1.2, 0.4, -0.3, 0.9), (0.5, 2.0, 0.7, 3.1)]
    case(f"determinant({two})", [*points, (1.0, 2.0, 2.0, 4.0)], lambda *x: mp.det(M(*x)))
    case(weighed(f"matrix_exp({two})"), points, lambda *x: weigh(mp.expm(M(*x))))
    case(weighed(f"matrix_exp_multiply({two}, [[1, 2], [0, 3]])"), points, lambda *x: weigh(mp.expm(M(*x)) * mp.matrix([[1, 2], [0, 3]])))
    case(weighed("scale_matrix_exp_multiply(x[5], " + two + ", [[1, 2], [0, 3]])"), [(*points[0], 0.7)], lambda *x: weigh(mp.expm(x[4] * M(*x)) * mp.matrix([[1, 2], [0, 3]])))
    case(weighed(f"matrix_power({two}, 5)"), points, lambda *x: weigh(M(*x) ** 5))
    case(f"trace_gen_quad_form([[1, 2], [3, 4]], {two}, [[2, 1], [x[1], 1]])", points, lambda *x: (lambda A: A[0, 0] + A[1, 1])(mp.matrix([[1, 2], [3, 4]]) * mp.matrix([[2, 1], [x[0], 1]]).T * M(*x) * mp.matrix([[2, 1], [x[0], 1]])))
    case(weighed(f"symmetrize_from_lower_tri({two})"), points, lambda *x: weigh(mp.matrix([[x[0], x[2]], [x[2], x[3]]])))
    tall = "[[x[1], x[2]], [x[3], x[4]], [x[5], x[6]]]"
    T = lambda *x: mp.matrix([[x[0], x[1]], [x[2], x[3]], [x[4], x[5]]])
    six = [(1.2, 0.4, -0.3, 0.9, 2.0, -1.1)]
    V = mp.matrix([[1, 2], [3, -1], [2, 5]])
    weigh3 = lambda A: sum(V[i, j] * A[i, j] for i in range(3) for j in range(2))
    weighed3 = lambda text: f"sum([[1, 2], [3, -1], [2, 5]] .* {text})"
    case(weighed3(f"generalized_inverse({tall})'"), six, lambda *x: weigh3((mp.inverse(T(*x).T * T(*x)) * T(*x).T).T))

    def gram_schmidt(A):
        a, b = A[:, 0], A[:, 1]
        n = mp.norm(a)
        q1 = a / n
        r12 = (q1.T * b)[0]
        c = b - q1 * r12
        m = mp.norm(c)
        Q = mp.matrix(A.rows, 2)
        for i in range(A.rows):
            Q[i, 0], Q[i, 1] = q1[i], c[i] / m
        return Q, mp.matrix([[n, r12], [0, m]])

    case(weighed3(f"qr_thin_Q({tall})"), six, lambda *x: weigh3(gram_schmidt(T(*x))[0]))
    case(weighed(f"qr_thin_R({tall})"), six, lambda *x: weigh(gram_schmidt(T(*x))[1]))
    case(weighed(f"qr_R({two})"), points, lambda *x: weigh(gram_schmidt(M(*x))[1]))

    def singular(A):
        G = A.T * A
        t, d = G[0, 0] + G[1, 1], mp.det(G)
        root = mp.sqrt(t * t / 4 - d)
        return mp.sqrt(t / 2 + root), mp.sqrt(t / 2 - root)

    case(f"singular_values({tall})[1] + 3 * singular_values({tall})[2]", six, lambda *x: (lambda s: s[0] + 3 * s[1])(singular(T(*x))))
    case("sum([1, 2]' .* csr_matrix_times_vector(2, 3, [x[1], x[2], x[3]]', {1, 3, 2}, {1, 3, 4}, [x[4], x[5], 2]'))", [(0.4, 2.0, -1.0, 3.0, 0.2)], lambda a, b, c, d, e: a * d + 2 * b + 2 * c * e)
    case("sum([[1, 2, 3], [4, 5, 6]] .* csr_to_dense_matrix(2, 3, [x[1], x[2], x[3]]', {1, 3, 2}, {1, 3, 4}))", [(0.4, 2.0, -1.0)], lambda a, b, c: a + 3 * b + 5 * c)
    case(weighed("gp_dot_prod_cov({x[1], x[2]}, x[3])"), [(0.4, 2.0, 0.7)], lambda a, b, s: (s * s + a * a) + 5 * (s * s + a * b) - (s * s + b * b))
    periodic = lambda d, s, l, p: s * s * mp.exp(-2 * mp.sin(mp.pi * abs(d) / p) ** 2 / (l * l))
    case(weighed("gp_periodic_cov({x[1], x[2]}, x[3], x[4], x[5])"), [(0.4, 2.0, 0.7, 1.3, 3.0)], lambda a, b, s, l, p: 5 * periodic(a - b, s, l, p))


def densities():
    ncdf = lambda z: mp.erfc(-z / mp.sqrt(2)) / 2
    lg = mp.loggamma
    cuts = "[x[2], x[3]]'"
    case(f"ordered_probit_lpmf({{1, 2, 3}} | [x[1], x[1], x[1]]', {cuts})", [(0.3, -0.5, 1.2), (6.0, -0.5, 1.2)], lambda e, a, b: mp.log(ncdf(a - e)) + mp.log(ncdf(b - e) - ncdf(a - e)) + mp.log(ncdf(e - b)))
    share = lambda z: 1 / (1 + mp.exp(-z))
    X = "[[1, 2], [0.5, -1]]"
    rows = [(1, 2), (mp.mpf("0.5"), -1)]
    case(f"ordered_logistic_glm_lpmf({{1, 2}} | {X}, [x[1], x[2]]', [x[3], x[4]]')", [(0.3, 0.2, -0.5, 1.2)], lambda a, b, c, d: mp.log(1 - share(a + 2 * b - c)) + mp.log(share(a / 2 - b - c) - share(a / 2 - b - d)))

    def categorical(*x):
        total = 0
        for (u, v), y in zip(rows, (3, 1)):
            logits = [x[k] + u * x[3 + k] + v * x[6 + k] for k in range(3)]
            total += logits[y - 1] - mp.log(sum(mp.exp(z) for z in logits))
        return total

    case(f"categorical_logit_glm_lpmf({{3, 1}} | {X}, [x[1], x[2], x[3]]', [[x[4], x[5], x[6]], [x[7], x[8], x[9]]])", [(0.1, -0.2, 0.3, 0.5, 1.0, -0.7, 0.2, 0.4, 0.9)], categorical)

    def binomial_glm(a, b, c):
        total = 0
        for (u, v), n, N in zip(rows, (3, 1), (7, 4)):
            eta = a + u * b + v * c
            total += mp.log(mp.binomial(N, n)) + n * mp.log(share(eta)) + (N - n) * mp.log(share(-eta))
        return total

    case(f"binomial_logit_glm_lpmf({{3, 1}} | {{7, 4}}, {X}, x[1], [x[2], x[3]]')", [(0.1, -0.2, 0.3)], binomial_glm)
    case("multinomial_logit_lpmf({2, 0, 3} | [x[1], x[2], x[3]]')", [(0.1, -0.2, 0.3)], lambda a, b, c: mp.log(10) + 2 * a + 3 * c - 5 * mp.log(mp.exp(a) + mp.exp(b) + mp.exp(c)))
    case("dirichlet_multinomial_lpmf({2, 0, 3} | [x[1], x[2], x[3]]')", [(0.1, 2.2, 0.3)], lambda a, b, c: mp.log(10) + lg(a + b + c) - lg(a + b + c + 5) + lg(a + 2) - lg(a) + lg(c + 3) - lg(c))
    S = "[[x[1], x[2]], [x[2], x[3]]]"
    Y = "[[0.3, -1], [2, 0.5]]"

    def normal(y, A, scale=1):
        d, v = mp.det(A), mp.matrix(y)
        return -mp.log(2 * mp.pi) - mp.log(d) / 2 + mp.log(scale) - scale * (v.T * mp.inverse(A) * v)[0] / 2

    def gp(a, b, c, w, z):
        A = mp.matrix([[a, b], [b, c]])
        return normal([mp.mpf("0.3"), -1], A, w) + normal([2, mp.mpf("0.5")], A, z)

    case(f"multi_gp_lpdf({Y} | {S}, [x[4], x[5]]')", [(1.3, 0.4, 0.9, 0.7, 2.0)], gp)
    L = "[[x[1], 0], [x[2], x[3]]]"
    of_factor = lambda a, b, c: (a * a, a * b, b * b + c * c)
    case(f"multi_gp_cholesky_lpdf({Y} | {L}, [x[4], x[5]]')", [(1.3, 0.4, 0.9, 0.7, 2.0)], lambda a, b, c, w, z: gp(*of_factor(a, b, c), w, z))

    def t(a, b, c, nu, m, n):
        A = mp.matrix([[a * a, a * b], [a * b, b * b + c * c]])
        v = mp.matrix([mp.mpf("0.3") - m, -1 - n])
        q = (v.T * mp.inverse(A) * v)[0]
        return lg((nu + 2) / 2) - lg(nu / 2) - mp.log(nu * mp.pi) - mp.log(mp.det(A)) / 2 - (nu + 2) / 2 * mp.log(1 + q / nu)

    case(f"multi_student_t_cholesky_lpdf([0.3, -1]' | x[4], [x[5], x[6]]', {L})", [(1.3, 0.4, 0.9, 3.5, 0.1, 0.2)], t)

    def wishart(L_, nu, A):
        Wm = L_ * L_.T
        lmg = mp.log(mp.pi) / 2 + lg(nu / 2) + lg(nu / 2 - mp.mpf(1) / 2)
        tr = (lambda B: B[0, 0] + B[1, 1])(mp.inverse(A) * Wm)
        return (nu - 3) / 2 * mp.log(mp.det(Wm)) - tr / 2 - nu * mp.log(2) - nu / 2 * mp.log(mp.det(A)) - lmg

    def inv_wishart(L_, nu, A):
        Wm = L_ * L_.T
        lmg = mp.log(mp.pi) / 2 + lg(nu / 2) + lg(nu / 2 - mp.mpf(1) / 2)
        tr = (lambda B: B[0, 0] + B[1, 1])(A * mp.inverse(Wm))
        return nu / 2 * mp.log(mp.det(A)) - (nu + 3) / 2 * mp.log(mp.det(Wm)) - tr / 2 - nu * mp.log(2) - lmg

    lower = lambda a, b, c: mp.matrix([[a, 0], [b, c]])
    R = "[[1.5, 0], [0.5, 0.8]]"
    jacobian = lambda a, c: 2 * mp.log(2) + 2 * mp.log(a) + mp.log(c)
    scale = lower(mp.mpf("1.5"), mp.mpf("0.5"), mp.mpf(0.8))
    case(f"wishart_cholesky_lpdf({L} | x[4], {R})", [(1.3, 0.4, 0.9, 3.5)], lambda a, b, c, nu: wishart(lower(a, b, c), nu, scale * scale.T) + jacobian(a, c))
    case(f"inv_wishart_cholesky_lpdf({L} | x[4], {R})", [(1.3, 0.4, 0.9, 3.5)], lambda a, b, c, nu: inv_wishart(lower(a, b, c), nu, scale * scale.T) + jacobian(a, c))

    # A state of two numbers, one observed, at three times: the joint distribution of all observations.
    def dlm(g, v, w, m, c):
        F, G = mp.matrix([1, mp.mpf("0.5")]), mp.matrix([[1, g], [0, 1]])
        C, mean = mp.matrix([[c, 0], [0, 1]]), mp.matrix([m, 0])
        Wn = mp.matrix([[w, 0], [0, w / 2]])
        y = [mp.mpf("0.4"), mp.mpf("1.1"), mp.mpf("0.9")]
        states, covariances, mu = [], {}, mean
        for i in range(3):
            mu = G * mu
            C = G * C * G.T + Wn
            states.append((mu, C))
        K = mp.matrix(3, 3)
        for i in range(3):
            for j in range(i, 3):
                cross = states[i][1] * (G.T ** (j - i)) if j > i else states[i][1]
                K[i, j] = K[j, i] = (F.T * cross * F)[0] + (v if i == j else 0)
        gap = mp.matrix([y[i] - (F.T * states[i][0])[0] for i in range(3)])
        return -mp.mpf(3) / 2 * mp.log(2 * mp.pi) - mp.log(mp.det(K)) / 2 - (gap.T * mp.inverse(K) * gap)[0] / 2

    for v in ("[[x[2]]]", "[x[2]]'"):
        case(f"gaussian_dlm_obs_lpdf([[0.4, 1.1, 0.9]] | [[1], [0.5]], [[1, x[1]], [0, 1]], {v}, [[x[3], 0], [0, x[3] / 2]], [x[4], 0]', [[x[5], 0], [0, 1]])", [(0.7, 0.3, 0.2, 0.5, 1.4)], dlm)

    def hmm(p, q, r, a, b, c, d):
        total = 0
        omega = [[a, b, mp.mpf("0.3")], [c, d, mp.mpf("-0.2")]]
        move = [[p, 1 - p], [q, 1 - q]]
        for i in range(2):
            for j in range(2):
                for k in range(2):
                    chance = (r if i == 0 else 1 - r) * move[i][j] * move[j][k]
                    total += chance * mp.exp(omega[i][0] + omega[j][1] + omega[k][2])
        return mp.log(total)

    case("hmm_marginal([[x[4], x[5], 0.3], [x[6], x[7], -0.2]], [[x[1], 1 - x[1]], [x[2], 1 - x[2]]], [x[3], 1 - x[3]]')", [(0.7, 0.2, 0.4, -1.0, 0.5, 0.3, -2.0)], hmm)

    def wiener(y, alpha, tau, beta, delta):
        t, v, w = y - tau, -delta, 1 - beta
        s = t / alpha**2
        g = mp.pi * mp.fsum(k * mp.exp(-k * k * mp.pi**2 * s / 2) * mp.sin(k * mp.pi * w) for k in range(1, 200))
        return -2 * mp.log(alpha) - v * alpha * w - v * v * t / 2 + mp.log(g)

    case("wiener_lpdf(x[1] | x[2], x[3], x[4], x[5])", [(0.9, 1.4, 0.2, 0.5, 0.7), (0.35, 1.4, 0.2, 0.3, -1.0), (3.0, 1.0, 0.1, 0.6, 0.4)], wiener)


def with_functions():
    """Functions of functions, and constraints: with a block of functions."""
    start = len(CASES)
    case("integrate_1d(f, x[1], x[2], {x[3]}, {0.0}, {1}, 1e-9)", [(0.2, 1.7, 0.8)], lambda a, b, t: mp.quad(lambda u: mp.exp(-t * u * u) * u, [a, b]))
    case("integrate_1d(f, x[1], positive_infinity(), {x[2]}, {0.0}, {1}, 1e-9)", [(0.2, 0.8)], lambda a, t: mp.exp(-t * a * a) / (2 * t))
    case("integrate_1d(h, negative_infinity(), positive_infinity(), {x[1]}, {0.0}, {1}, 1e-9)", [(0.8,)], lambda t: mp.sqrt(mp.pi / t))
    case("integrate_1d(g, 0, 1, {x[1]}, {0.0}, {1}, 1e-7)", [(-0.4,)], lambda t: 1 / (t + 1))
    functions = """
    real f(real u, real xc, array[] real theta, data array[] real r, data array[] int i) { return exp(-theta[1] * u^2) * u; }
    real h(real u, real xc, array[] real theta, data array[] real r, data array[] int i) { return exp(-theta[1] * u^2); }
    real g(real u, real xc, array[] real theta, data array[] real r, data array[] int i) { return u^theta[1]; }
    vector root(vector y, vector theta, data array[] real r, data array[] int i) {
      return [y[1]^2 + theta[1] * y[2] - 3, y[2] - theta[2] * y[1]]';
    }
    vector plain(vector y, vector theta) { return root(y, theta, {0.0}, {1}); }
    vector job(vector phi, vector theta, data array[] real r, data array[] int i) { return [phi[1] * theta[1] * r[1] + i[1]]'; }
    """

    def root(p, q):
        y = (-p * q + mp.sqrt(p * p * q * q + 12)) / 2
        return y + 2 * q * y

    for name, rest in (("algebra_solver", ", {0.0}, {1}"), ("algebra_solver_newton", ", {0.0}, {1}")):
        case(f"sum([1, 2]' .* {name}(root, [1, 1]', [x[1], x[2]]'{rest}))", [(0.7, 1.3)], root)
    for name in ("solve_newton", "solve_powell"):
        case(f"sum([1, 2]' .* {name}(plain, [1, 1]', [x[1], x[2]]'))", [(0.7, 1.3)], root)
    case("sum([1, 2]' .* map_rect(job, [x[1]]', {[x[2]]', [x[3]]'}, {{2.0}, {3.0}}, {{4}, {5}}))", [(0.7, 1.3, 0.5)], lambda a, b, c: 2 * a * b + 4 + 2 * (3 * a * c + 5))
    share = lambda z: 1 / (1 + mp.exp(-z))
    case("lower_bound_constrain(x[1], x[2]) + upper_bound_constrain(x[1], 2) + lower_upper_bound_constrain(x[1], 1, x[3])", [(0.7, 1.3, 5.0)], lambda a, b, c: mp.exp(a) + b + 2 - mp.exp(a) + 1 + (c - 1) * share(a))
    case("offset_multiplier_constrain(x[1], x[2], x[3])", [(0.7, 1.3, 5.0)], lambda a, b, c: a * c + b)
    case("sum([1, 2, 3]' .* ordered_constrain([x[1], x[2], x[3]]'))", [(0.7, 1.3, -0.4)], lambda a, b, c: a + 2 * (a + mp.exp(b)) + 3 * (a + mp.exp(b) + mp.exp(c)))
    case("sum([1, 2, 3]' .* simplex_constrain([x[1], x[2]]'))", [(0.7, -0.4)], lambda a, b: (lambda z: z + (1 - z) * (2 * share(b) + 3 * (1 - share(b))))(share(a - mp.log(2))))
    case("sum(sum_to_zero_constrain([x[1], x[2]]') .* [1, 2, 3]')", [(0.7, -0.4)], lambda a, b: (lambda w, v: (w + v) + 2 * (w - v) + 3 * (-2 * w))(b / mp.sqrt(6), a / mp.sqrt(2)))
    for own in CASES[start:]:
        own["functions"] = functions


def complex_numbers():
    both = lambda z: mp.mpf("0.7") * mp.re(z) + mp.mpf("1.3") * mp.im(z)
    written = lambda call: f"0.7 * get_real({call}) + 1.3 * get_imag({call})"
    points = [(0.7, 1.3), (-2.5, 0.4), (0.02, -3.1), (-1.7, -0.6), (30.0, 1e-3)]
    one = "to_complex(x[1], x[2])"
    for name in ("exp", "log", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"):
        case(written(f"{name}({one})"), points, lambda a, b, f=getattr(mp, name): both(f(mp.mpc(a, b))))
    # Next to a branch cut, near zero, and far away.
    for name, where in (("sqrt", [(-4.0, 1e-12), (1e-9, -1e-9)]), ("log", [(-4.0, -1e-12)]), ("tanh", [(300.0, 1.0), (-1e-8, 1e-8)]), ("tan", [(1.0, 300.0)]), ("asin", [(3.0, 1e-10)]), ("acosh", [(0.2, 1e-9)]), ("atanh", [(1e-12, 1e-12)])):
        # Steps that do not cross the cut.
        case(written(f"{name}({one})"), where, lambda a, b, f=getattr(mp, name): both(f(mp.mpc(a, b))), mp.mpf(10) ** -14)
    case(f"abs({one}) + 2 * arg({one}) + 3 * norm({one})", points, lambda a, b: mp.hypot(a, b) + 2 * mp.atan2(b, a) + 3 * (a * a + b * b))
    case(written(f"conj({one}) + proj({one})"), points, lambda a, b: both(2 * a))
    case(written("polar(x[1], x[2])"), points, lambda a, b: both(a * mp.expj(b)))
    two = "to_complex(x[1], x[2]), to_complex(x[3], x[4])"
    fours = [(0.7, 1.3, -0.4, 2.1), (-3.0, 0.2, 1.5, -0.8)]
    a, b = two.split(", t")[0], "t" + two.split(", t")[1]
    for call, f in (
        (f"{a} * {b}", lambda z, w: z * w),
        (f"{a} / {b}", lambda z, w: z / w),
        (f"{a} - {b} + 2i", lambda z, w: z - w + 2j),
        (f"pow({a}, {b})", lambda z, w: z**w),
        (f"x[1] / {b} - 3 * {a} + {b} ^ 2", lambda z, w: mp.re(z) / w - 3 * z + w * w),
        (f"sum([{a}, {b}] .* [{b}, 1.5])", lambda z, w: z * w + w * 1.5),
        (f"[{a}, {b}] * [{b}, 1 + 2i]'", lambda z, w: z * w + w * (1 + 2j)),
        (f"prod([{a}, {b}, x[1]])", lambda z, w: z * w * mp.re(z)),
        (f"sum(diag_pre_multiply([{a}, 2]', [[{b}, 1], [x[1], 3i]]))", lambda z, w: z * (w + 1) + 2 * (mp.re(z) + 3j)),
        (f"sum([2i, {a}] / [[{a}, {b}], [1, 2 - 1i]])", lambda z, w: (lambda d: (2j * (2 - 1j) - z + z * z - 2j * w) / d)(z * (2 - 1j) - w)),
        (f"append_row([{a}]', [x[3]]')[2] + reverse({{{a}, {b}}})[1]", lambda z, w: mp.re(w) + w),
    ):
        case(written(call), fours, lambda p, q, r, s, f=f: both(f(mp.mpc(p, q), mp.mpc(r, s))))
    case(written("(0 + 0i) ^ (x[1] + 1i)"), [(0.7,)], lambda a: mp.mpf(0) * a)
    for n in (1, 2, 5, 6, 7):
        elements = ", ".join(f"to_complex(x[{2 * k + 1}], x[{2 * k + 2}])" for k in range(n))
        point = tuple(round(float(mp.sin(3 * k + n)), 3) for k in range(2 * n))

        def fourier(*x, sign=-1):
            z = [mp.mpc(x[2 * k], x[2 * k + 1]) for k in range(len(x) // 2)]
            m = len(z)
            return [sum(z[k] * mp.expj(sign * 2 * mp.pi * j * k / m) for k in range(m)) for j in range(m)]

        weights = ", ".join(f"{k + 1} - {k * k}i" for k in range(n))
        weighted = lambda z: both(sum(own * mp.mpc(k + 1, -k * k) for k, own in enumerate(z)))
        case(written(f"[{weights}] * fft([{elements}]')"), [point], lambda *x: weighted(fourier(*x)))
        case(written(f"[{weights}] * inv_fft([{elements}]')"), [point], lambda *x: weighted(fourier(*x, sign=1)) / (len(x) // 2))
    matrix = "[[to_complex(x[1], x[2]), x[3], 1i], [x[4], 2, to_complex(x[5], x[6])]]"

    def fourier2(a, b, c, d, e, f, sign=-1):
        z = [[mp.mpc(a, b), c, 1j], [d, 2, mp.mpc(e, f)]]
        turn = lambda j, k: sum(z[r][s] * mp.expj(sign * 2 * mp.pi * (mp.mpf(j * r) / 2 + mp.mpf(k * s) / 3)) for r in range(2) for s in range(3))
        return turn(1, 2) + 2 * turn(0, 1)

    six = [(0.7, 1.3, -0.4, 2.1, -0.9, 0.3)]
    case(written(f"fft2({matrix})[2, 3] + 2 * fft2({matrix})[1, 2]"), six, lambda *x: both(fourier2(*x)))
    case(written(f"inv_fft2({matrix})[2, 3] + 2 * inv_fft2({matrix})[1, 2]"), six, lambda *x: both(fourier2(*x, sign=1)) / 6)


def main():
    distribution_functions()
    special_functions()
    matrices()
    densities()
    with_functions()
    complex_numbers()
    text = json.dumps(CASES, separators=(",", ":"))
    with gzip.GzipFile(sys.argv[1], "wb", mtime=0) as out:
        out.write(text.encode())
    print(len(CASES), "cases")


if __name__ == "__main__":
    main()
