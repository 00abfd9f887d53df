//! One name for each parameter: in the constructor's refusal, in the text and in `PARAMETERS`; and the names
//! of other programs are read as the parameter that they mean there.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use posterior_dist::text::{
    AnyUnivariate, Call, Form, MULTIVARIATE, TextError, UNIVARIATE, Value, Written, call_of, from_call,
};
use posterior_dist::{
    Bernoulli, Beta, BetaBinomial, BetaNegativeBinomial, BetaPrime, Binomial, Categorical, Cauchy,
    ChiSquared, Dirichlet, DirichletMultinomial, DiscreteUniform, Exponential, FisherF, Frechet, Gamma,
    Gaussian, Geometric, Gumbel, HalfCauchy, HalfNormal, Hypergeometric, InverseGamma, InverseGaussian,
    InverseWishart, Laplace, Lkj, LogLogistic, LogNormal, Logistic, Lomax, MatrixNormal, Multinomial,
    MultivariateT, NegativeBinomial, Normal, NormalGamma, NormalInverseGamma, NormalInverseWishart,
    NormalWishart, Parametric, Pareto, Poisson, Rayleigh, StudentT, Triangular, Uniform, VonMises, Weibull,
    Wishart,
};

/// Refuses NaN for each parameter by the parameter's name, from numbers and from text.
fn names_agree<D: Parametric>(valid: &[f64]) -> &'static str {
    let distribution = D::from_parameters(valid).unwrap();
    assert_eq!(distribution.parameters(), valid, "{}", D::NAME);
    assert_eq!(D::PARAMETERS.len(), valid.len(), "{}", D::NAME);
    for (index, name) in D::PARAMETERS.iter().enumerate() {
        let mut parameters = valid.to_vec();
        parameters[index] = f64::NAN;
        let error = D::from_parameters(&parameters).err().unwrap();
        assert_eq!(error.parameter(), *name, "{}: {error}", D::NAME);
    }
    written_names_agree(&distribution)
}

/// Every number of a value as NaN.
fn spoil(value: &mut Value) {
    match &mut value.form {
        Form::Number(number) => *number = f64::NAN,
        Form::List(items) => items.iter_mut().for_each(spoil),
        other => panic!("{other:?}"),
    }
}

/// The same for a distribution whose parameters may be lists: its text names a parameter as the error does.
fn written_names_agree<D: Written>(distribution: &D) -> &'static str {
    let call = call_of(distribution);
    let names: Vec<&str> = call.arguments.iter().filter_map(|argument| argument.name.as_deref()).collect();
    assert_eq!(names, D::PARAMETERS, "{}", D::NAME);
    for (index, name) in D::PARAMETERS.iter().enumerate() {
        let mut bad = call.clone();
        spoil(&mut bad.arguments[index].value);
        let Err(error) = from_call::<D>(&bad) else { panic!("{bad}") };
        assert_eq!(error.param_error().unwrap().parameter(), *name, "{bad}: {error}");
    }
    D::NAME
}

#[test]
fn a_refusal_names_the_parameter_as_the_text_does() {
    let numbers = [
        names_agree::<Bernoulli>(&[0.3]),
        names_agree::<Beta>(&[2.0, 3.0]),
        names_agree::<BetaBinomial>(&[5.0, 2.0, 3.0]),
        names_agree::<BetaNegativeBinomial>(&[5.0, 2.0, 3.0]),
        names_agree::<BetaPrime>(&[2.0, 3.0, 4.0]),
        names_agree::<Binomial>(&[5.0, 0.3]),
        names_agree::<Cauchy>(&[1.0, 2.0]),
        names_agree::<ChiSquared>(&[2.0]),
        names_agree::<DiscreteUniform>(&[1.0, 6.0]),
        names_agree::<Exponential>(&[2.0]),
        names_agree::<FisherF>(&[2.0, 3.0]),
        names_agree::<Frechet>(&[2.0, 3.0]),
        names_agree::<Gamma>(&[2.0, 3.0]),
        names_agree::<Geometric>(&[0.3]),
        names_agree::<Gumbel>(&[1.0, 2.0]),
        names_agree::<HalfCauchy>(&[2.0]),
        names_agree::<HalfNormal>(&[2.0]),
        names_agree::<Hypergeometric>(&[9.0, 4.0, 3.0]),
        names_agree::<InverseGamma>(&[2.0, 3.0]),
        names_agree::<InverseGaussian>(&[2.0, 3.0]),
        names_agree::<Laplace>(&[1.0, 2.0]),
        names_agree::<LogLogistic>(&[2.0, 3.0]),
        names_agree::<Logistic>(&[1.0, 2.0]),
        names_agree::<LogNormal>(&[1.0, 2.0]),
        names_agree::<Lomax>(&[2.0, 3.0]),
        names_agree::<NegativeBinomial>(&[2.0, 0.3]),
        names_agree::<Normal>(&[1.0, 2.0]),
        names_agree::<Pareto>(&[2.0, 3.0]),
        names_agree::<Poisson>(&[2.0]),
        names_agree::<Rayleigh>(&[2.0]),
        names_agree::<StudentT>(&[5.0, 1.0, 2.0]),
        names_agree::<Triangular>(&[0.0, 1.0, 3.0]),
        names_agree::<Uniform>(&[0.0, 1.0]),
        names_agree::<VonMises>(&[0.5, 2.0]),
        names_agree::<Weibull>(&[2.0, 3.0]),
        names_agree::<Lkj>(&[3.0, 2.0]),
        names_agree::<NormalGamma>(&[0.0, 1.0, 2.0, 3.0]),
        names_agree::<NormalInverseGamma>(&[0.0, 1.0, 2.0, 3.0]),
        written_names_agree(&"categorical([0.4, 0.6])".parse::<Categorical>().unwrap()),
    ];
    for entry in UNIVARIATE.iter().filter(|entry| !["mixture", "truncated"].contains(&entry.name)) {
        assert!(numbers.contains(&entry.name), "{} is missing from the list above", entry.name);
    }
    let matrix = "[[2, 0.5], [0.5, 1]]";
    let lists = [
        written::<Multinomial>("multinomial(3, [0.4, 0.6])"),
        written::<Dirichlet>("dirichlet([1, 2])"),
        written::<DirichletMultinomial>("dirichlet_multinomial(3, [1, 2])"),
        written::<Gaussian>(&format!("multivariate_normal([0, 1], {matrix})")),
        written::<MultivariateT>(&format!("multivariate_t(5, [0, 1], {matrix})")),
        written::<MatrixNormal>(&format!("matrix_normal({matrix}, {matrix}, {matrix})")),
        written::<Wishart>(&format!("wishart(4, {matrix})")),
        written::<InverseWishart>(&format!("inverse_wishart(4, {matrix})")),
        written::<NormalWishart>(&format!("normal_wishart([0, 1], 1, {matrix}, 4)")),
        written::<NormalInverseWishart>(&format!("normal_inverse_wishart([0, 1], 1, {matrix}, 4)")),
    ];
    for entry in MULTIVARIATE {
        assert!(lists.contains(&entry.name), "{} is missing from the list above", entry.name);
    }
}

fn written<D: Written>(text: &str) -> &'static str {
    written_names_agree(&from_call::<D>(&text.parse::<Call>().unwrap()).unwrap())
}

fn read(text: &str) -> Result<AnyUnivariate, TextError> {
    text.parse()
}

/// The left side is how SciPy, Stan, R or a textbook states the distribution, with the names of their
/// documentation; the right side is what is printed.
#[test]
fn names_of_other_programs_are_read_and_one_form_is_printed() {
    for (theirs, ours) in [
        ("normal(loc = 1, scale = 2)", "normal(1, 2)"),
        ("normal(mu = 1, sigma = 2)", "normal(1, 2)"),
        ("normal(sd = 2, mean = 1)", "normal(1, 2)"),
        ("student_t(df = 5, loc = 1, scale = 2)", "student_t(5, 1, 2)"),
        ("student_t(nu = 5, mu = 1, sigma = 2)", "student_t(5, 1, 2)"),
        ("cauchy(x0 = 1, gamma = 2)", "cauchy(1, 2)"),
        ("gumbel(mu = 1, beta = 2)", "gumbel(1, 2)"),
        ("laplace(mu = 1, b = 2)", "laplace(1, 2)"),
        ("logistic(mu = 1, s = 2)", "logistic(1, 2)"),
        ("lognormal(meanlog = 1, sdlog = 2)", "lognormal(1, 2)"),
        ("half_normal(sigma = 2)", "half_normal(2)"),
        ("gamma(alpha = 2, beta = 3)", "gamma(2, 3)"),
        ("inverse_gamma(alpha = 2, beta = 3)", "inverse_gamma(2, 3)"),
        ("weibull(c = 2, scale = 3)", "weibull(2, 3)"),
        ("weibull(k = 2, lambda = 3)", "weibull(2, 3)"),
        ("log_logistic(alpha = 3, beta = 2)", "log_logistic(2, 3)"),
        ("pareto(y_min = 1, alpha = 5)", "pareto(5, 1)"),
        ("beta(a = 2, b = 3)", "beta(2, 3)"),
        ("beta(shape1 = 2, shape2 = 3)", "beta(2, 3)"),
        ("binomial(size = 10, prob = 0.3)", "binomial(10, 0.3)"),
        ("binomial(n = 10, p = 0.3)", "binomial(10, 0.3)"),
        ("bernoulli(theta = 0.3)", "bernoulli(0.3)"),
        ("bernoulli(success = 0.3)", "bernoulli(0.3)"),
        ("poisson(mu = 3)", "poisson(3)"),
        ("von_mises(mu = 0.5, kappa = 2)", "von_mises(0.5, 2)"),
        ("uniform(min = 0, max = 2)", "uniform(0, 2)"),
        ("hypergeometric(M = 20, K = 7, k = 5)", "hypergeometric(20, 7, 5)"),
    ] {
        assert_eq!(read(theirs).unwrap().to_string(), ours, "{theirs}");
    }
    let wishart: NormalInverseWishart =
        "normal_inverse_wishart(mu = [0], kappa = 1, psi = [[2]], nu = 3)".parse().unwrap();
    assert_eq!(wishart.to_string(), "normal_inverse_wishart([0], 1, [[2]], 3)");
}

#[test]
fn a_name_that_may_mean_two_parameters_or_another_one_is_refused() {
    for (text, message) in [
        (
            "hypergeometric(M = 20, n = 7, N = 5)",
            "column 24: \"n\" of hypergeometric may be marked or drawn: expected \
             hypergeometric(population, marked, drawn)",
        ),
        (
            "exponential(scale = 2)",
            "column 13: exponential has no parameter \"scale\" (rate = 1 / scale): expected exponential(rate)",
        ),
        (
            "normal(mu = 0, tau = 2)",
            "column 16: normal has no parameter \"tau\" (sd = 1 / sqrt(precision)): expected normal(mean, sd)",
        ),
        ("gamma(shape = 2, alpha = 2)", "column 18: shape is given twice"),
        (
            "half_normal(mu = 2)",
            "column 13: half_normal has no parameter \"mu\": expected half_normal(scale)",
        ),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), message, "{text}");
    }
}
