//! The conjugate prior of any family, and a family of a user's own whose log partition function is an
//! integral.

use posterior_dist::{
    Bernoulli, CanonicalPrior, Density, Expectation, Exponential, ExponentialFamily, FisherInformation,
    Natural, Stats, Sums,
};
use posterior_math::ParamError;
use posterior_math::check;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::{NewtonOptions, minimize_newton};
use posterior_math::quadrature::GaussLegendre;
use posterior_math::special::{ln_beta, ln_gamma};
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_testkit::consistency;

#[test]
fn evidence_by_quadrature_is_that_of_the_closed_forms() {
    // α and ν of a Bernoulli distribution: Beta(α, ν - α) of the probability.
    for (alpha, weight) in [(0.5, 1.0), (1.0, 2.0), (30.0, 31.0), (1e-3, 5.0)] {
        let prior = CanonicalPrior::<Bernoulli>::new((), vec![alpha], weight).expect("proper");
        assert_close(prior.ln_normalizer().expect("converges"), ln_beta(alpha, weight - alpha), 1e-9);
        let stats = Stats::<Bernoulli>::of((), &[true, false, true, true]).expect("trials");
        let exact = ln_beta(alpha + 3.0, weight - alpha + 1.0) - ln_beta(alpha, weight - alpha);
        assert_close(prior.ln_evidence(&stats).expect("converges"), exact, 1e-9);
    }
    // Of an exponential distribution: Gamma(ν + 1, α) of the rate.
    let (alpha, weight): (f64, f64) = (2.5, 3.0);
    let prior = CanonicalPrior::<Exponential>::new((), vec![alpha], weight).expect("proper");
    let exact = ln_gamma(weight + 1.0) - (weight + 1.0) * alpha.ln();
    assert_close(prior.ln_normalizer().expect("converges"), exact, 1e-9);
    assert_close(prior.most_probable().rate(), weight / alpha, 1e-15);
}

#[test]
fn the_density_of_a_logit_is_that_of_the_probability_times_its_derivative() {
    // Beta(1, 1) of p = 1 / (1 + e⁻ʷ), whose derivative is p (1 - p); its normaliser is one.
    let prior = CanonicalPrior::<Bernoulli>::new((), vec![1.0], 2.0).expect("proper");
    for p in [0.001, 0.3, 0.5, 0.9] {
        let natural = Bernoulli::new(p).expect("a probability").natural();
        assert_close(prior.ln_unnormalized(&natural), (p * (1.0 - p)).ln(), 1e-14);
    }
}

#[test]
fn the_error_of_laplace_falls_like_the_inverse_of_the_weight() {
    let error = |weight: f64| {
        let prior = CanonicalPrior::<Bernoulli>::new((), vec![0.3 * weight], weight).expect("proper");
        prior.ln_normalizer_laplace().expect("one parameter") - ln_beta(0.3 * weight, 0.7 * weight)
    };
    assert_within(error(1000.0) / error(100.0), 0.1, 0.005);
    assert_within(error(10_000.0) / error(1000.0), 0.1, 0.001);
}

#[test]
fn priors_that_are_not_proper_are_refused() {
    for (alpha, weight) in [(3.0, 2.0), (-1.0, 2.0), (1.0, 0.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        assert!(CanonicalPrior::<Bernoulli>::new((), vec![alpha], weight).is_err(), "{alpha} {weight}");
    }
    assert!(CanonicalPrior::<Bernoulli>::new((), vec![1.0, 1.0], 3.0).is_err());
}

/// p(x | w) = exp(Σ w_k x^k - ln Z(w)) on [-1, 1], k = 1 … degree: ln Z has no closed form.
#[derive(Debug, Clone, PartialEq)]
struct Polynomial {
    natural: Vec<f64>,
}

fn powers(x: f64, degree: usize) -> Vec<f64> {
    let degree = u16::try_from(degree).expect("a small degree");
    (1..=degree).map(|k| x.powi(i32::from(k))).collect()
}

fn ln_density(natural: &[f64], x: f64) -> f64 {
    natural.iter().zip(powers(x, natural.len())).map(|(w, power)| w * power).sum()
}

/// ln Z, the mean and the covariance of the powers.
fn moments(natural: &[f64]) -> (f64, Vec<f64>, DMatrix<f64>) {
    let degree = natural.len();
    let rule = GaussLegendre::new(60).expect("nodes");
    let mass = |(&x, w): (&f64, &f64)| w * ln_density(natural, x).exp();
    let masses: Vec<f64> = rule.nodes().iter().zip(rule.weights()).map(mass).collect();
    let total: f64 = masses.iter().sum();
    let mut mean = vec![0.0; degree];
    let mut second = DMatrix::<f64>::zeros(degree, degree);
    for (&x, mass) in rule.nodes().iter().zip(&masses) {
        let power = powers(x, degree);
        for i in 0..degree {
            mean[i] += mass / total * power[i];
            for j in 0..degree {
                second[(i, j)] += mass / total * power[i] * power[j];
            }
        }
    }
    let covariance = DMatrix::from_fn(degree, degree, |i, j| second[(i, j)] - mean[i] * mean[j]);
    (total.ln(), mean, covariance)
}

impl Density for Polynomial {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x.abs() > 1.0 {
            f64::NEG_INFINITY
        } else {
            ln_density(&self.natural, x) - moments(&self.natural).0
        }
    }
}

impl ExponentialFamily for Polynomial {
    /// The degree.
    type Fixed = usize;
    type Summary = Sums;

    fn fixed(&self) -> usize {
        self.natural.len()
    }

    fn statistic_len(&degree: &usize) -> usize {
        degree
    }

    fn check_point(_: &usize, &x: &f64) -> Result<(), ParamError> {
        check::require(x.abs() <= 1.0, "Polynomial", "point", x, "in [-1, 1]")?;
        Ok(())
    }

    fn add_statistic(&degree: &usize, &x: &f64, weight: f64, sum: &mut [f64]) {
        for (total, power) in sum.iter_mut().zip(powers(x, degree)) {
            *total += weight * power;
        }
    }

    fn ln_base(_: &usize, _: &f64) -> f64 {
        0.0
    }

    fn ln_partition(natural: &Natural<Self>) -> f64 {
        moments(natural.as_slice()).0
    }

    fn natural(&self) -> Natural<Self> {
        Natural::new(self.natural.len(), self.natural.clone()).expect("numbers")
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Ok(Self { natural: natural.as_slice().to_vec() })
    }

    fn expectation(&self) -> Expectation<Self> {
        Expectation::new(self.natural.len(), moments(&self.natural).1).expect("numbers")
    }

    /// Newton's method on ln Z(w) - ⟨w, E T⟩, which is convex.
    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let target = expectation.as_slice();
        let objective = |w: &[f64], gradient: &mut [f64], hessian: &mut DMatrix<f64>| {
            let (ln_z, mean, covariance) = moments(w);
            for (slope, (m, t)) in gradient.iter_mut().zip(mean.iter().zip(target)) {
                *slope = m - t;
            }
            hessian.copy_from(&covariance);
            ln_z - w.iter().zip(target).map(|(w, t)| w * t).sum::<f64>()
        };
        let fitted =
            minimize_newton(objective, &vec![0.0; target.len()], &NewtonOptions::default(), &mut Silent);
        Ok(Self { natural: fitted.model.point })
    }
}

impl FisherInformation for Polynomial {
    fn fisher_information(&self) -> DMatrix<f64> {
        moments(&self.natural).2
    }
}

#[test]
fn a_family_without_closed_forms_is_consistent_and_is_fitted_by_its_moments() {
    let distribution = Polynomial { natural: vec![0.8, -3.0, 0.5] };
    let points = [-1.0, -0.3, 0.0, 0.25, 0.9];
    consistency::exponential_family(&distribution, &points, 1e-9);
    consistency::stats::<Polynomial, f64>(&3, &points);
    let stats = Stats::<Polynomial>::of(3, &points).expect("points");
    let fitted = Polynomial::maximum_likelihood(&stats).expect("moments of points");
    assert_all_close(fitted.expectation().as_slice(), stats.mean().expect("data").as_slice(), 1e-8);
    // No other parameters are likelier.
    let ln_likelihood =
        |w: &[f64]| points.iter().map(|x| Polynomial { natural: w.to_vec() }.ln_pdf(x)).sum::<f64>();
    for index in 0..3 {
        for step in [-0.05, 0.05] {
            let mut moved = fitted.natural.clone();
            moved[index] += step;
            assert!(ln_likelihood(&moved) < ln_likelihood(&fitted.natural));
        }
    }
    let prior = CanonicalPrior::<Polynomial>::new(3, vec![0.0, 0.5, 0.0], 2.0).expect("proper");
    assert!(prior.posterior(&stats).expect("the same family").ln_normalizer().expect("Laplace").is_finite());
    assert!(prior.ln_evidence(&stats).expect("Laplace") < 0.0);
}
