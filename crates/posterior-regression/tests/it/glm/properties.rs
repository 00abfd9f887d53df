//! Each family: derivatives, normalisation, and that expected curvatures are expected.

use posterior_math::linalg::DMatrix;
use posterior_regression::glm::{Ascent, Curvature, Family, ResponseDistribution, Terms};
use proptest::prelude::*;

const FAMILIES: [Family; 8] = [
    Family::Gaussian,
    Family::Logit,
    Family::Probit,
    Family::ComplementaryLogLog,
    Family::Poisson,
    Family::NegativeBinomial { size: 2.5 },
    Family::GammaLog,
    Family::GammaInverse,
];

fn responses(family: Family) -> &'static [f64] {
    match family {
        Family::Gaussian => &[-1.5, 0.0, 2.0],
        Family::Logit | Family::Probit | Family::ComplementaryLogLog => &[0.0, 0.25, 0.9, 1.0],
        Family::Poisson | Family::NegativeBinomial { .. } => &[0.0, 1.0, 7.0],
        _ => &[0.3, 1.0, 4.0],
    }
}

fn predictors(family: Family) -> &'static [f64] {
    if family == Family::GammaInverse { &[0.2, 0.9, 3.0] } else { &[-6.0, -3.4, -0.7, 0.0, 0.3, 1.9] }
}

#[test]
fn slopes_and_curvatures_are_derivatives() {
    for family in FAMILIES {
        for &y in responses(family) {
            for &eta in predictors(family) {
                let term = family.term(y, eta);
                let h = 1e-4;
                // Central differences of fourth order: errors h⁴ f⁽⁵⁾/30 and ε/h.
                let slope = |f: &dyn Fn(f64) -> f64| {
                    (8.0 * (f(eta + h) - f(eta - h)) - (f(eta + 2.0 * h) - f(eta - 2.0 * h))) / (12.0 * h)
                };
                let numeric = slope(&|at| family.term(y, at).ln_likelihood);
                let scale = term.ln_likelihood.abs().max(1.0);
                assert!(
                    (numeric - term.slope).abs() < 1e-10 * scale,
                    "{family:?} {y} {eta}: {numeric} {term:?}"
                );
                let numeric = -slope(&|at| family.term(y, at).slope);
                let scale = term.slope.abs().max(1.0);
                assert!(
                    (numeric - term.observed).abs() < 1e-10 * scale,
                    "{family:?} {y} {eta}: {numeric} {term:?}"
                );
            }
        }
    }
}

/// Responses with their probabilities, at dispersion 1 and weight 1.
fn distribution(family: Family, eta: f64) -> Vec<(f64, f64)> {
    let probability =
        |y: f64| (family.term(y, eta).ln_likelihood + family.ln_best(y, 1.0, 1.0).unwrap_or(f64::NAN)).exp();
    match family {
        Family::Logit | Family::Probit | Family::ComplementaryLogLog => {
            [0.0, 1.0].map(|y| (y, probability(y))).to_vec()
        }
        Family::Poisson | Family::NegativeBinomial { .. } => {
            (0..2000).map(|y| (f64::from(y), probability(f64::from(y)))).collect()
        }
        // The trapezoidal rule, in ln y for gammas.
        Family::Gaussian => {
            (-4000..=4000).map(|i| eta + f64::from(i) * 0.005).map(|y| (y, probability(y) * 0.005)).collect()
        }
        _ => (-8000..=2000)
            .map(|i| (f64::from(i) * 0.005).exp() * family.mean(eta))
            .map(|y| (y, probability(y) * y * 0.005))
            .collect(),
    }
}

#[test]
fn probabilities_add_up_and_expected_curvatures_are_the_variances_of_slopes() {
    for family in FAMILIES {
        for &eta in predictors(family).iter().filter(|eta| eta.abs() < 3.5) {
            let distribution = distribution(family, eta);
            let expect = |f: &dyn Fn(f64) -> f64| distribution.iter().map(|(y, p)| p * f(*y)).sum::<f64>();
            let term = |y: f64| family.term(y, eta);
            let expected = term(if family == Family::Gaussian { 0.0 } else { 1.0 }).expected;
            assert!((expect(&|_| 1.0) - 1.0).abs() < 1e-12, "{family:?} {eta}: {}", expect(&|_| 1.0));
            assert!(
                (expect(&|y| y) - family.mean(eta)).abs() < 1e-11 * family.mean(eta).abs().max(1.0),
                "{family:?} {eta}"
            );
            assert!(expect(&|y| term(y).slope).abs() < 1e-11, "{family:?} {eta}");
            for second in [expect(&|y| term(y).slope.powi(2)), expect(&|y| term(y).observed)] {
                assert!((second / expected - 1.0).abs() < 1e-10, "{family:?} {eta}: {second} {expected}");
            }
        }
    }
}

#[test]
fn trials_of_a_proportion_are_binomial() {
    use posterior_dist::{Binomial, Density};
    for (k, n, eta) in [(0_u64, 7_u64, -1.0), (3, 7, 0.4), (7, 7, 2.0), (400, 1_000_000, -7.5)] {
        let y = k as f64 / n as f64;
        let family = Family::Logit;
        let ours = n as f64 * family.term(y, eta).ln_likelihood
            + family.ln_best(y, n as f64, 1.0).unwrap_or(f64::NAN);
        let Ok(distribution) = Binomial::new(n, family.mean(eta)) else { panic!("a probability") };
        let theirs = distribution.ln_pdf(&k);
        assert!((ours - theirs).abs() < 1e-11 * theirs.abs().max(1.0), "{k} of {n}: {ours} {theirs}");
    }
}

#[test]
fn tails_are_finite_and_ascents_go_on() {
    for family in FAMILIES {
        for &y in responses(family) {
            for eta in [-800.0, -40.0, 40.0, 800.0] {
                let term = family.term(y, eta);
                assert!(
                    !term.ln_likelihood.is_nan() && term.ln_likelihood <= 0.0,
                    "{family:?} {y} {eta}: {term:?}"
                );
                let far = if family.ascent(y) == Ascent::Down { -800.0 } else { 800.0 };
                if family.ascent(y) != Ascent::Bounded {
                    assert!(family.term(y, far).ln_likelihood.abs() < 1e-300, "{family:?} {y}");
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn many_terms_are_the_terms_one_by_one(
        rows in proptest::collection::vec((-50.0..50.0_f64, 0..4_u8), 1..40),
    ) {
        let predictors: Vec<f64> = rows.iter().map(|row| row.0).collect();
        let y: Vec<f64> = rows.iter().map(|row| [0.0, 1.0, 0.3, 0.875][usize::from(row.1)]).collect();
        let mut out = DMatrix::zeros(rows.len(), 3);
        let (value, rest) = out.as_mut_slice().split_at_mut(rows.len());
        let (slope, curvature) = rest.split_at_mut(rows.len());
        Family::Logit.terms(&y, &predictors, Curvature::Observed, Terms { ln_likelihood: value, slope, curvature });
        for i in 0..rows.len() {
            let term = Family::Logit.term(y[i], predictors[i]);
            let expected = [term.ln_likelihood, term.slope, term.observed];
            for (j, expected) in expected.into_iter().enumerate() {
                // The slope is a difference of two proportions.
                let scale = if j == 1 { 1.0 } else { expected.abs() };
                prop_assert!((out[(i, j)] - expected).abs() <= 4e-15 * scale, "{} {expected}", out[(i, j)]);
            }
        }
    }
}
