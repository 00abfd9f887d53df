//! Models that are written by names.

use posterior_dist::formula::{beta, binomial, half_cauchy, normal};
use posterior_dist::target::{GradTarget, HessianTarget, Joint, JointError, JointModel, JointTarget, Target};
use posterior_math::autodiff::Real;
use posterior_math::bijection::CorrelationFactor;
use posterior_math::linalg::DMatrix;
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod};
use posterior_testkit::accuracy::assert_within;
use posterior_testkit::posteriors::EightSchools;
use std::cell::Cell;

/// The eight schools as the formula on paper.
#[derive(Debug)]
struct Schools;

const EFFECTS: [f64; 8] = [28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0];
const ERRORS: [f64; 8] = [15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0];

impl JointModel for Schools {
    fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
        let mu = joint.real("mu");
        let tau = joint.positive("tau");
        let z = joint.reals("z", 8);
        joint.add(normal(mu, 0.0, 5.0));
        joint.add(half_cauchy(tau, 5.0));
        for ((&z, &effect), &error) in z.iter().zip(&EFFECTS).zip(&ERRORS) {
            joint.add(normal(z, 0.0, 1.0));
            joint.add(normal(effect, mu + tau * z, error));
        }
        joint.derive_vector("theta", &z.iter().map(|&z| mu + tau * z).collect::<Vec<_>>());
    }
}

#[test]
fn the_written_model_is_the_one_with_derivatives_by_hand() {
    let (written, by_hand) = (JointTarget::new(Schools).expect("valid"), EightSchools::rubin());
    let names: Vec<&str> = written.names().iter().map(String::as_str).collect();
    assert_eq!(names[..4], ["mu", "tau", "z[1]", "z[2]"]);
    assert_eq!(
        names[10..],
        ["theta[1]", "theta[2]", "theta[3]", "theta[4]", "theta[5]", "theta[6]", "theta[7]", "theta[8]"]
    );
    let (mut constant, origin) = (None, [0.0; 10]);
    for scale in [0.0, 0.5, 3.0] {
        let x: Vec<f64> = (0..10).map(|i| origin[i] + scale * (f64::from(i as u8) * 1.7).sin()).collect();
        let (mut ours, mut theirs) = ([0.0; 10], [0.0; 10]);
        let value = written.ln_density_grad(&x, &mut ours).expect("a value");
        assert_eq!(written.ln_density(&x).expect("a value"), value);
        let difference = value - by_hand.ln_density_grad(&x, &mut theirs).expect("a value");
        assert_within(difference, *constant.get_or_insert(difference), 1e-12 * (1.0 + value.abs()));
        for (a, b) in ours.iter().zip(&theirs) {
            assert_within(*a, *b, 1e-12 * (1.0 + b.abs()));
        }
        let mut values = [0.0; 18];
        written.values(&x, &mut values).expect("values");
        assert_within(values[1], x[1].exp(), 1e-14 * values[1]);
        assert_within(values[10], x[0] + values[1] * x[2], 1e-13 * (1.0 + values[10].abs()));
        for (back, x) in written.free(&values).expect("inside").iter().zip(&x) {
            assert_within(*back, *x, 1e-14 * (1.0 + x.abs()));
        }
    }
}

/// Every kind of constraint, and a density that depends on all numbers.
#[derive(Debug)]
struct Constraints;

impl JointModel for Constraints {
    fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
        let mut all = vec![joint.real("real"), joint.above("above", 2.0), joint.below("below", -1.0)];
        all.extend([joint.between("between", -1.0, 4.0), joint.probability("probability")]);
        for vector in [
            joint.positives("positives", 2),
            joint.proportions("proportions", 3),
            joint.ascending("ascending", 3),
            joint.vector("factor", CorrelationFactor::new(3)),
        ] {
            all.extend(vector);
        }
        for (index, &x) in all.iter().enumerate() {
            joint.add(normal(x, 0.3 * index as f64, 1.0 + index as f64));
        }
    }
}

#[test]
fn constraints_hold_and_all_derivatives_are_right() {
    let target = JointTarget::new(Constraints).expect("valid");
    assert_eq!((target.dim(), target.names().len()), (5 + 2 + 2 + 3 + 3, 5 + 2 + 3 + 3 + 9));
    let x: Vec<f64> = (0..target.dim()).map(|i| (i as f64 * 2.3).cos()).collect();
    let mut v = vec![0.0; target.names().len()];
    target.values(&x, &mut v).expect("values");
    assert!(v[1] > 2.0 && v[2] < -1.0 && (-1.0..4.0).contains(&v[3]) && (0.0..1.0).contains(&v[4]));
    assert!(v[5] > 0.0 && v[6] > 0.0 && v[10] < v[11] && v[11] < v[12]);
    assert_within(v[7..10].iter().sum(), 1.0, 1e-15);

    let n = target.dim();
    let (mut slope, mut hessian) = (vec![0.0; n], DMatrix::zeros(n, n));
    target.ln_density_hessian(&x, &mut slope, &mut hessian).expect("a value");
    let h = 1e-5;
    for i in 0..n {
        let at = |offset: f64| {
            let (mut moved, mut slope) = (x.clone(), vec![0.0; n]);
            moved[i] += offset;
            (target.ln_density_grad(&moved, &mut slope).expect("a value"), slope)
        };
        let (above, below) = (at(h), at(-h));
        assert_within((above.0 - below.0) / (2.0 * h), slope[i], 1e-7 * (1.0 + slope[i].abs()));
        for j in 0..n {
            assert_within(
                (above.1[j] - below.1[j]) / (2.0 * h),
                hessian[(j, i)],
                1e-6 * (1.0 + hessian.amax()),
            );
        }
    }
}

/// A coin, whose evidence is known: B(8, 6) C(12, 7) for a flat prior.
#[derive(Debug)]
struct Coin;

impl JointModel for Coin {
    fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
        let p = joint.probability("p");
        joint.add(beta(p, 1.0, 1.0));
        joint.add(binomial(7, 12, p));
    }
}

#[test]
fn the_density_has_its_jacobian_and_its_constants() {
    let target = JointTarget::new(Coin).expect("valid");
    let density = |u: f64| target.ln_density(&[u]).expect("a value").exp();
    let mass = gauss_kronrod(density, -40.0, 40.0, &QuadratureOptions::default());
    assert_within(mass.value, 1.0 / 13.0, 1e-12);
}

/// A model that goes wrong in one of several ways.
#[derive(Debug)]
struct Wrong(&'static str, Cell<usize>);

impl JointModel for Wrong {
    fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
        self.1.set(self.1.get() + 1);
        let x = joint.real("x");
        joint.add(normal(x, 0.0, 1.0));
        match self.0 {
            "twice" => joint.derive("x", x),
            "interval" => {
                joint.between("y", 3.0, 2.0);
            }
            "none" => {
                joint.proportions("y", 0);
            }
            "more" if self.1.get() > 1 => {
                joint.reals("y", 2);
            }
            "derives" if self.1.get() > 1 => joint.derive("y", x),
            _ => {}
        }
    }
}

#[test]
fn wrong_models_say_what_is_wrong() {
    let new = |what| JointTarget::new(Wrong(what, Cell::new(0)));
    assert_eq!(new("twice").expect_err("two x"), JointError::RepeatedName { name: "x".to_owned() });
    let error = new("interval").expect_err("no such interval").to_string();
    assert!(error.contains("`y`") && error.contains("upper"), "{error}");
    assert!(new("none").is_err());
    let more = new("more").expect("as yet");
    for error in [more.ln_density(&[0.0]), more.ln_density_grad(&[0.0], &mut [0.0])] {
        let error = error.expect_err("other unknowns");
        assert!(error.is_fatal() && error.to_string().contains("asked for other unknowns"), "{error}");
    }
    let derives = new("derives").expect("as yet");
    assert!(derives.values(&[0.0], &mut [0.0]).expect_err("one more").is_fatal());

    let target = JointTarget::new(Coin).expect("valid");
    let error = target.free(&[1.0]).expect_err("on the boundary");
    assert!(!error.is_fatal() && error.to_string().contains("`p`"), "{error}");
    assert!(target.free(&[1.5]).is_err());
    let refused = target.ln_density(&[f64::NAN]).expect_err("no value");
    assert!(!refused.is_fatal());
}
