//! Names of parameters elsewhere: in SciPy, Stan, R and textbooks. They are read, and never printed.

/// Other names of a parameter of a distribution.
///
/// A name that stands for two parameters of one distribution (SciPy's `n` of a hypergeometric distribution is
/// R's `m`) is in the list of both, and is refused.
#[expect(clippy::match_same_arms, reason = "a table, in the order of distributions")]
pub(super) fn aliases(distribution: &str, parameter: &str) -> &'static [&'static str] {
    match (distribution, parameter) {
        (_, "degrees_of_freedom") => &["df", "nu", "k"],
        ("negative_binomial", "probability") => &["p", "prob", "success"],
        (_, "probability") => &["p", "prob", "theta", "success"],
        (_, "probabilities") => &["p", "prob", "probs", "theta", "pi"],
        (_, "trials") => &["n", "N", "size"],
        (_, "successes") => &["n", "r", "size"],
        ("multivariate_normal" | "normal", "mean") => &["mu", "loc", "location"],
        ("inverse_gaussian" | "matrix_normal", "mean") => &["mu", "M"],
        ("normal", "sd") => &["sigma", "scale", "std"],
        (_, "covariance") => &["cov", "sigma", "Sigma"],
        (_, "row_covariance") => &["rowcov", "U"],
        (_, "column_covariance") => &["colcov", "V"],
        ("cauchy", "location") => &["loc", "mu", "x0"],
        (
            "normal_gamma" | "normal_inverse_gamma" | "normal_wishart" | "normal_inverse_wishart",
            "location",
        ) => &["mu", "mu0", "m", "mean"],
        ("matrix_t", "location") => &["mean", "M"],
        ("skew_normal", "location") => &["loc", "xi"],
        (_, "location") => &["loc", "mu"],
        (_, "kappa") => &["lambda", "lmbda", "kappa0"],
        (_, "mean_direction") => &["mu", "loc"],
        ("von_mises" | "von_mises_fisher", "concentration") => &["kappa"],
        ("matrix_t", "row_scale") => &["row_spread", "U"],
        ("matrix_t", "column_scale") => &["col_spread", "V"],
        ("lkj", "concentration") => &["eta", "shape"],
        ("dirichlet" | "dirichlet_multinomial", "concentration") => &["alpha", "a"],
        ("gumbel", "scale") => &["beta", "sigma"],
        ("laplace", "scale") => &["b", "sigma"],
        ("logistic", "scale") => &["s", "sigma"],
        ("cauchy" | "half_cauchy", "scale") => &["gamma", "sigma"],
        ("half_normal" | "rayleigh" | "student_t" | "frechet", "scale") => &["sigma"],
        ("multivariate_t", "scale") => &["sigma", "Sigma", "shape"],
        ("wishart" | "normal_wishart", "scale") => &["S", "V", "W", "Sigma"],
        ("inverse_wishart" | "normal_inverse_wishart", "scale") => &["S", "psi", "Psi"],
        ("inverse_gamma", "scale") => &["beta"],
        ("normal_inverse_gamma", "scale") => &["beta", "b"],
        ("weibull", "scale") => &["sigma", "lambda"],
        ("lomax", "scale") => &["lambda"],
        ("pareto", "scale") => &["y_min", "x_m", "xm", "m"],
        ("log_logistic", "scale") => &["alpha"],
        ("log_logistic", "shape") => &["beta", "c"],
        ("pareto", "shape") => &["alpha", "b"],
        ("weibull", "shape") => &["alpha", "k", "c"],
        ("asymmetric_laplace", "scale") => &["sigma"],
        ("asymmetric_laplace", "proportion") => &["tau"],
        ("half_student_t", "scale") => &["sigma"],
        ("skew_normal", "scale") => &["omega"],
        ("generalized_extreme_value", "shape") => &["xi"],
        ("generalized_pareto", "shape") => &["c", "xi", "k"],
        ("generalized_gamma", "shape") => &["a", "k"],
        ("generalized_gamma", "power") => &["c"],
        ("skellam", "plus") => &["mu1", "lambda1"],
        ("skellam", "minus") => &["mu2", "lambda2"],
        ("zeta" | "zipf", "exponent") => &["a", "s"],
        ("zipf", "elements") => &["n", "N"],
        ("inverse_gaussian", "shape") => &["lambda"],
        ("gamma", "shape") => &["alpha", "a", "k"],
        (_, "shape") => &["alpha", "a", "c"],
        ("exponential", "rate") => &["lambda"],
        ("poisson", "rate") => &["lambda", "mu"],
        ("normal_gamma", "rate") => &["beta", "b"],
        (_, "rate") => &["beta"],
        ("beta" | "beta_binomial" | "beta_negative_binomial" | "beta_prime" | "kumaraswamy", "alpha") => {
            &["a", "shape1"]
        }
        ("beta" | "beta_binomial" | "beta_negative_binomial" | "beta_prime" | "kumaraswamy", "beta") => {
            &["b", "shape2"]
        }
        ("fisher_f", "numerator") => &["dfn", "df1", "d1"],
        ("fisher_f", "denominator") => &["dfd", "df2", "d2"],
        ("lognormal", "mu") => &["meanlog"],
        ("lognormal", "sigma") => &["sdlog", "s"],
        ("triangular", "mode") => &["c"],
        ("triangular" | "uniform" | "discrete_uniform" | "truncated", "low") => &["min", "lower", "a"],
        ("triangular" | "uniform" | "discrete_uniform" | "truncated", "high") => &["max", "upper", "b"],
        // SciPy's M, n, N; the N, K, n of textbooks; R's m and k.
        ("hypergeometric", "population") => &["M", "N"],
        ("hypergeometric", "marked") => &["K", "m", "n"],
        ("hypergeometric", "drawn") => &["k", "n", "N"],
        _ => &[],
    }
}

/// How to state a parameter that the distribution doesn't have in terms of those that it has.
pub(super) fn instead(distribution: &str, name: &str) -> Option<&'static str> {
    Some(match (distribution, name) {
        ("exponential" | "gamma" | "normal_gamma", "scale" | "theta") => "rate = 1 / scale",
        ("exponential", "beta") => "it is the rate in Stan and the scale in textbooks; write rate",
        ("normal", "variance" | "var" | "sigma2") => "sd is the square root of the variance",
        ("normal", "precision" | "tau") => "sd = 1 / sqrt(precision)",
        ("generalized_extreme_value", "c") => "shape = -c",
        ("lognormal", "scale") => "mu = ln(scale)",
        ("lognormal", "mean" | "sd") => "mu and sigma are those of the logarithm",
        ("uniform" | "truncated" | "triangular", "loc" | "scale") => "low = loc and high = loc + scale",
        ("inverse_gamma", "rate") => "scale is the rate of the reciprocal",
        ("negative_binomial", "mu" | "phi" | "beta") => {
            "probability = size / (size + mean), or beta / (beta + 1) of Stan's beta"
        }
        _ => return None,
    })
}
