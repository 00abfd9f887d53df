//! A distribution that a stranger adds, and the checks of the test kit that hold for it; the book walks
//! through this file.

use posterior_dist::{Density, Moments, ParameterGradient, Parametric, PointGradient, Univariate};
use posterior_math::check::{ParamError, positive};
use posterior_math::log_space::ln_1m_exp;
use posterior_math::special::ln_beta;
use posterior_testkit::consistency;
use rand::distr::{Distribution, OpenClosed01};
use rand::{Rng, RngExt};

/// p(x) = a b xᵃ⁻¹ (1 - xᵃ)ᵇ⁻¹ on (0, 1).
#[derive(Debug, Clone, Copy, PartialEq)]
struct Kumaraswamy {
    a: f64,
    b: f64,
}

impl Kumaraswamy {
    fn new(a: f64, b: f64) -> Result<Self, ParamError> {
        let distribution = "Kumaraswamy";
        Ok(Self { a: positive(distribution, "a", a)?, b: positive(distribution, "b", b)? })
    }

    /// ln(1 - xᵃ).
    fn ln_rest(&self, x: f64) -> f64 {
        ln_1m_exp(self.a * x.ln())
    }
}

impl Density for Kumaraswamy {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x <= 0.0 || x >= 1.0 {
            return f64::NEG_INFINITY;
        }
        self.a.ln() + self.b.ln() + (self.a - 1.0) * x.ln() + (self.b - 1.0) * self.ln_rest(x)
    }
}

impl Univariate for Kumaraswamy {
    fn cdf(&self, x: f64) -> f64 {
        -self.ln_sf(x).exp_m1()
    }

    fn sf(&self, x: f64) -> f64 {
        self.ln_sf(x).exp()
    }

    fn quantile(&self, p: f64) -> f64 {
        // 1 - p, and its b-th root, by logarithms: small p keep their digits.
        self.inverse((-p).ln_1p())
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.inverse(q.ln())
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        ln_1m_exp(self.ln_sf(x))
    }

    fn ln_sf(&self, x: f64) -> f64 {
        self.b * self.ln_rest(x.clamp(0.0, 1.0))
    }
}

impl Kumaraswamy {
    /// Where ln sf has this value.
    fn inverse(&self, ln_sf: f64) -> f64 {
        if ln_sf > 0.0 { f64::NAN } else { (ln_1m_exp(ln_sf / self.b) / self.a).exp() }
    }
}

impl Moments for Kumaraswamy {
    fn mean(&self) -> Option<f64> {
        Some(self.moment(1.0))
    }

    fn variance(&self) -> Option<f64> {
        let mean = self.moment(1.0);
        Some(self.moment(2.0) - mean * mean)
    }
}

impl Kumaraswamy {
    /// E Xᵏ = b B(1 + k/a, b).
    fn moment(&self, k: f64) -> f64 {
        self.b * ln_beta(1.0 + k / self.a, self.b).exp()
    }
}

impl PointGradient for Kumaraswamy {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x <= 0.0 || x >= 1.0 {
            return f64::NAN;
        }
        let power = x.powf(self.a);
        (self.a - 1.0) / x - (self.b - 1.0) * self.a * power / x / (1.0 - power)
    }
}

impl Parametric for Kumaraswamy {
    const NAME: &'static str = "kumaraswamy";
    const PARAMETERS: &'static [&'static str] = &["a", "b"];

    fn parameters(&self) -> Vec<f64> {
        vec![self.a, self.b]
    }

    fn from_parameters(parameters: &[f64]) -> Result<Self, ParamError> {
        match parameters {
            &[a, b] => Self::new(a, b),
            other => Err(ParamError::new("Kumaraswamy", "parameters", other.len() as f64, "two numbers")),
        }
    }
}

impl ParameterGradient for Kumaraswamy {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if x <= 0.0 || x >= 1.0 {
            return [f64::NAN; 2];
        }
        let power = x.powf(self.a);
        let by_a = self.a.recip() + x.ln() - (self.b - 1.0) * power * x.ln() / (1.0 - power);
        [by_a, self.b.recip() + self.ln_rest(x)]
    }
}

impl Distribution<f64> for Kumaraswamy {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let u: f64 = rng.sample(OpenClosed01);
        self.upper_quantile(u)
    }
}

#[test]
fn the_distributions_of_a_smooth_density_hold() {
    for (a, b) in [(2.0, 5.0), (0.7, 1.5), (1.0, 1.0)] {
        let distribution = Kumaraswamy::new(a, b).expect("positive");
        consistency::univariate(&distribution, &[-1.0, 0.0, 1e-9, 0.1, 0.5, 0.9, 1.0, 2.0]);
        consistency::continuous(&distribution, &[-0.5, 0.02, 0.3, 0.8, 1.5], 1);
    }
}

#[test]
fn worked_numbers() {
    // a = 2, b = 3: F(1/2) = 1 - (3/4)³, E X = 3 B(3/2, 3) = 16/35.
    let distribution = Kumaraswamy::new(2.0, 3.0).expect("positive");
    assert_eq!(distribution.cdf(0.5), 37.0 / 64.0);
    assert!((distribution.mean().expect("finite") - 16.0 / 35.0).abs() < 1e-15);
}

#[test]
fn what_is_no_parameter_is_refused() {
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Kumaraswamy::new(wrong, 1.0).is_err() && Kumaraswamy::new(1.0, wrong).is_err(), "{wrong}");
    }
}
