//! Log densities as formulas: the distributions' values, and derivatives by the point and every parameter.

use posterior_dist::formula::{
    bernoulli, bernoulli_logit, beta, binomial, binomial_logit, categorical, categorical_logit, cauchy,
    correlation_factor, dirichlet, exponential, gamma, gumbel, half_cauchy, half_normal, half_student_t,
    inverse_gamma, laplace, log_normal, logistic, multivariate_normal, negative_binomial,
    negative_binomial_mean, normal, pareto, poisson, poisson_ln, student_t, uniform, weibull,
};
use posterior_dist::{
    Beta, Binomial, Categorical, Cauchy, Density, Dirichlet, Exponential, Gamma, Gumbel, HalfCauchy,
    HalfNormal, InverseGamma, Laplace, LogNormal, Logistic, NegativeBinomial, Normal, ParameterGradient,
    Pareto, Poisson, StudentT, Uniform, Weibull,
};
use posterior_math::ParamError;
use posterior_math::autodiff::{Var, gradient};
use posterior_math::special::ln_gamma;
use posterior_testkit::accuracy::assert_within;

/// The value of a formula of the point and its parameters, and its derivatives by them.
type Evaluated = (f64, Vec<f64>);

/// A formula with f64, and with derivatives, which have the same value.
macro_rules! both {
    ($arguments:expr, |$a:ident| $formula:expr) => {{
        let arguments: &[f64] = $arguments;
        let mut slope = vec![0.0; arguments.len()];
        let value = gradient(|$a: &[Var<'_>]| $formula, arguments, &mut slope);
        let $a = arguments;
        let alone: f64 = $formula;
        assert_eq!(alone, value, "{arguments:?}");
        (value, slope)
    }};
}

/// The formula has the value of the distribution, its derivatives by the parameters, and that by the point.
fn agrees<D>(make: impl Fn(&[f64]) -> Result<D, ParamError>, arguments: &[f64], (value, slope): &Evaluated)
where
    D: Density<Point = f64> + ParameterGradient,
{
    let (x, parameters) = arguments.split_first().expect("a point");
    let distribution = make(parameters).expect("valid parameters");
    let size = 1.0 + value.abs() + parameters.iter().fold(x.abs(), |size, p| size.max(p.abs()));
    let expected = distribution.ln_pdf(x);
    assert_within(*value, expected, 2e-15 * size * size.ln_1p());
    for (slope, expected) in slope[1..].iter().zip(distribution.parameter_gradient(x).as_ref()) {
        assert_within(*slope, *expected, 1e-13 * (1.0 + expected.abs()) * size.ln_1p());
    }
    let h = 1e-5 * x.abs();
    let [above, below] = [x + h, x - h].map(|x| distribution.ln_pdf(&x));
    if above.is_finite() && below.is_finite() {
        let numeric = (above - below) / (2.0 * h);
        assert_within(slope[0], numeric, 1e-6 * (1.0 + numeric.abs()) + 1e-15 * size / h);
    }
}

#[test]
fn formulas_of_the_line_are_the_distributions() {
    for x in [-40.0, -1.3, 0.2, 7.0, 1e3] {
        for (location, scale) in [(0.3, 1.0), (-5.0, 0.01), (2.0, 300.0)] {
            let two = [x, location, scale];
            agrees(|p| Normal::mean_sd(p[0], p[1]), &two, &both!(&two, |a| normal(a[0], a[1], a[2])));
            agrees(|p| Cauchy::new(p[0], p[1]), &two, &both!(&two, |a| cauchy(a[0], a[1], a[2])));
            agrees(|p| Laplace::new(p[0], p[1]), &two, &both!(&two, |a| laplace(a[0], a[1], a[2])));
            agrees(|p| Logistic::new(p[0], p[1]), &two, &both!(&two, |a| logistic(a[0], a[1], a[2])));
            if (x - location) / scale > -600.0 {
                agrees(|p| Gumbel::new(p[0], p[1]), &two, &both!(&two, |a| gumbel(a[0], a[1], a[2])));
            }
            for nu in [0.3, 4.0, 55.0, 1e6] {
                let three = [x, nu, location, scale];
                let evaluated = both!(&three, |a| student_t(a[0], a[1], a[2], a[3]));
                agrees(|p| StudentT::new(p[0], p[1], p[2]), &three, &evaluated);
            }
        }
    }
    let inside = [0.5, -1.0, 3.0];
    let (value, slope) = both!(&inside, |a| uniform(a[0], a[1], a[2]));
    assert_eq!((value, slope), (-4_f64.ln(), vec![0.0, 0.25, -0.25]));
    assert_eq!(Uniform::new(-1.0, 3.0).expect("valid").ln_pdf(&0.5), -4_f64.ln());
}

#[test]
fn formulas_of_positive_numbers_are_the_distributions() {
    for x in [1e-6, 0.02, 1.0, 3.7, 80.0] {
        for (a, b) in [(0.2, 0.7), (3.0, 1.4), (40.0, 11.0)] {
            let (one, two) = ([x, b], [x, a, b]);
            agrees(|p| HalfNormal::new(p[0]), &one, &both!(&one, |a| half_normal(a[0], a[1])));
            agrees(|p| HalfCauchy::new(p[0]), &one, &both!(&one, |a| half_cauchy(a[0], a[1])));
            agrees(|p| Exponential::new(p[0]), &one, &both!(&one, |a| exponential(a[0], a[1])));
            agrees(|p| LogNormal::new(p[0], p[1]), &two, &both!(&two, |a| log_normal(a[0], a[1], a[2])));
            agrees(|p| Gamma::shape_rate(p[0], p[1]), &two, &both!(&two, |a| gamma(a[0], a[1], a[2])));
            agrees(
                |p| InverseGamma::new(p[0], p[1]),
                &two,
                &both!(&two, |a| inverse_gamma(a[0], a[1], a[2])),
            );
            if x < 10.0 {
                agrees(|p| Weibull::new(p[0], p[1]), &two, &both!(&two, |a| weibull(a[0], a[1], a[2])));
            }
            let (point, beyond) = (x / (x + 1.0), [b + x, a, b]);
            agrees(|p| Pareto::new(p[0], p[1]), &beyond, &both!(&beyond, |a| pareto(a[0], a[1], a[2])));
            let proportion = [point, a, b];
            agrees(|p| Beta::new(p[0], p[1]), &proportion, &both!(&proportion, |a| beta(a[0], a[1], a[2])));
            let half: f64 = half_student_t(x, a, b);
            assert_eq!(half, student_t::<f64>(x, a, 0.0, b) + std::f64::consts::LN_2);
        }
    }
}

#[test]
fn formulas_of_counts_are_the_distributions() {
    for k in [0, 1, 7, 200] {
        for p in [1e-9, 0.3, 0.999] {
            let trials = k + 5;
            let evaluated = both!(&[p], |a| binomial(k, trials, a[0]));
            let distribution = Binomial::new(trials, p).expect("valid");
            assert_within(evaluated.0, distribution.ln_pdf(&k), 1e-13 * (1.0 + evaluated.0.abs()));
            let slope = k as f64 / p - 5.0 / (1.0 - p);
            assert_within(evaluated.1[0], slope, 1e-13 * (1.0 + slope.abs()));
            let logit = p.ln() - (-p).ln_1p();
            let by_logit: f64 = binomial_logit(k, trials, logit);
            assert_within(by_logit, evaluated.0, 1e-12 * (1.0 + evaluated.0.abs()));
            for successes in [0.2, 5.0, 1e4, 1e9] {
                let evaluated = both!(&[successes, p], |a| negative_binomial(k, a[0], a[1]));
                let distribution = NegativeBinomial::new(successes, p).expect("valid");
                let size = 1.0 + successes * p.ln().abs() + k as f64 * successes.ln().abs();
                assert_within(evaluated.0, distribution.ln_pdf(&k), 1e-14 * size);
            }
        }
        for rate in [1e-4, 3.0, 150.0] {
            let evaluated = both!(&[rate], |a| poisson(k, a[0]));
            let distribution = Poisson::new(rate).expect("valid");
            assert_within(evaluated.0, distribution.ln_pdf(&k), 1e-13 * (1.0 + evaluated.0.abs()));
            assert_within(evaluated.1[0], k as f64 / rate - 1.0, 1e-12 * (1.0 + k as f64 / rate));
            let by_ln: f64 = poisson_ln(k, rate.ln());
            assert_within(by_ln, evaluated.0, 1e-12 * (1.0 + evaluated.0.abs()));
            for dispersion in [0.1, 8.0] {
                let value: f64 = negative_binomial_mean(k, rate, dispersion);
                let distribution = NegativeBinomial::mean_dispersion(rate, dispersion).expect("valid");
                assert_within(value, distribution.ln_pdf(&k), 1e-12 * (1.0 + value.abs()));
            }
            // Without dispersion the counts are Poisson's, within 1 / φ.
            let limit: f64 = negative_binomial_mean(k, rate, 1e16);
            assert_within(limit, evaluated.0, 1e-9 * (1.0 + evaluated.0.abs()));
        }
    }
    assert_eq!(both!(&[0.25], |a| bernoulli(true, a[0])), (0.25_f64.ln(), vec![4.0]));
    let (value, slope) = both!(&[-800.0], |a| bernoulli_logit(true, a[0]));
    assert_eq!((value, slope[0]), (-800.0, 1.0));
    let weights = [0.2, 0.5, 0.3];
    let (value, _) = both!(&weights, |a| categorical(1, a));
    assert_within(value, Categorical::from_probabilities(&weights).expect("valid").ln_pdf(&1), 1e-15);
    let (value, slope) = both!(&[900.0, 901.0], |a| categorical_logit(0, a));
    assert_within(value, -1_f64.exp().ln_1p(), 1e-15);
    assert_within(slope[0], 1.0 - value.exp(), 1e-15);
}

#[test]
fn formulas_of_vectors_are_the_distributions() {
    let (x, alpha) = ([0.2, 0.5, 0.3], [0.4, 3.0, 20.0]);
    let value: f64 = dirichlet(&x, &alpha);
    assert_within(value, Dirichlet::new(&alpha).expect("valid").ln_pdf(&x), 1e-14);

    // L = [2, 0; 1, 0.5]: density of the first coordinate, and of the second given it.
    let (point, mean, factor) = ([1.0, -2.0], [0.5, 0.25], [2.0, 1.0, 99.0, 0.5]);
    let value: f64 = multivariate_normal(&point, &mean, &factor);
    let given = normal::<f64>(-2.0, 0.25 + 0.25, 0.5);
    assert_within(value, normal::<f64>(1.0, 0.5, 2.0) + given, 1e-14);

    // Two coordinates with η = 1: the correlation is uniform on (-1, 1), and L₂₁ is the correlation.
    let (r, eta) = (0.6_f64, 2.5);
    let factor = [1.0, r, 0.0, (1.0 - r * r).sqrt()];
    assert_within(correlation_factor(&factor, 2, 1.0), -2_f64.ln(), 1e-15);
    // (1 - r²)^(η - 1) over B(½, η).
    let ln_beta = ln_gamma(0.5) + ln_gamma(eta) - ln_gamma(eta + 0.5);
    assert_within(correlation_factor(&factor, 2, eta), (eta - 1.0) * (1.0 - r * r).ln() - ln_beta, 1e-14);
}

#[test]
fn outside_of_the_support_and_of_the_parameters() {
    let outside: [f64; 9] = [
        gamma(-1.0, 2.0, 1.0),
        beta(1.5, 2.0, 1.0),
        half_normal(-0.1, 1.0),
        pareto(0.5, 1.0, 1.0),
        uniform(2.0, 0.0, 1.0),
        binomial(3, 2, 0.5),
        categorical(2, &[0.5, 0.5]),
        poisson(1, 0.0),
        dirichlet(&[0.0, 1.0], &[1.0, 1.0]),
    ];
    assert_eq!(outside, [f64::NEG_INFINITY; 9]);
    let invalid: [f64; 10] = [
        normal(0.0, 0.0, -1.0),
        student_t(0.0, -2.0, 0.0, 1.0),
        gamma(1.0, -2.5, 1.0),
        beta(0.5, 0.0, 1.0),
        weibull(1.0, f64::NAN, 1.0),
        uniform(0.0, 1.0, 1.0),
        binomial(1, 2, 1.5),
        poisson(1, -1.0),
        negative_binomial(1, 2.0, 0.0),
        multivariate_normal(&[0.0], &[0.0], &[-1.0]),
    ];
    assert!(invalid.iter().all(|value| value.is_nan()), "{invalid:?}");
    assert_eq!(binomial::<f64>(0, 3, 0.0), 0.0);
    assert_eq!(poisson::<f64>(0, 0.0), 0.0);
}
