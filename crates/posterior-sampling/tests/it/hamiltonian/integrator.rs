//! The leapfrog: golden numbers, reversibility, volume, order, stability, metrics.

use posterior_dist::target::{FromGradFn, GradTarget};
use posterior_math::linalg::{DMatrix, DVector};
use posterior_sampling::Error;
use posterior_sampling::hamiltonian::{FixedPath, Leapfrog, Metric, NoUTurn, PathLength, Phase};

use super::{Normal, autoregression, standard};

/// A density with curvature: x₀ ~ N(0, 1), x₁ ~ N(x₀², 1).
fn banana() -> impl GradTarget + Sync {
    FromGradFn::new(2, |x: &[f64], gradient: &mut [f64]| {
        let residual = x[1] - x[0] * x[0];
        gradient.copy_from_slice(&[2.0 * x[0] * residual - x[0], -residual]);
        -0.5 * (x[0] * x[0] + residual * residual)
    })
}

fn covariance() -> DMatrix<f64> {
    DMatrix::from_row_slice(3, 3, &[4.0, 1.0, 0.5, 1.0, 2.0, -0.3, 0.5, -0.3, 0.5])
}

#[test]
fn the_harmonic_oscillator_has_its_golden_numbers() {
    let target = standard(1);
    let metric = Metric::unit();
    let start = Phase::new(&target, &metric, &[1.0], &[0.0]).unwrap();
    let end = Leapfrog { metric: &metric, step_size: 0.1 }.flow(&target, &start, 10).unwrap();
    let (x, p) = (end.position()[0], end.momentum()[0]);
    assert!((x - 0.5399512509335086).abs() < 1e-15 && (p + 0.8406435124348495).abs() < 1e-15, "{x} {p}");
    assert!((end.energy() - start.energy() + 8.855658082691509e-4).abs() < 1e-15);
    // The energy of the oscillator that the leapfrog follows exactly: that of the start, 1 - ε²/4.
    assert!((x * x * (1.0 - 0.01 / 4.0) + p * p - 0.9975).abs() < 1e-15);
}

#[test]
fn a_flipped_momentum_leads_back_in_any_metric() {
    let target = Normal::new(&covariance());
    let directions = DMatrix::from_column_slice(3, 1, &[0.6, 0.8, 0.0]);
    let metrics = [
        Metric::unit(),
        Metric::diagonal(&[4.0, 2.0, 0.5]).unwrap(),
        Metric::dense(&covariance()).unwrap(),
        Metric::low_rank(&[1.0, 2.0, 0.5], &directions, &[3.0]).unwrap(),
    ];
    let (x, w) = ([0.3, -1.0, 0.4], [1.0, 0.2, -0.7]);
    for metric in &metrics {
        let start = Phase::new(&target, metric, &x, &w).unwrap();
        let leapfrog = Leapfrog { metric, step_size: 0.2 };
        let mut there = leapfrog.flow(&target, &start, 37).unwrap();
        there.flip();
        let back = leapfrog.flow(&target, &there, 37).unwrap();
        let backwards = Leapfrog { metric, step_size: -0.2 };
        there.flip();
        let undone = backwards.flow(&target, &there, 37).unwrap();
        for i in 0..3 {
            assert!((back.position()[i] - x[i]).abs() < 1e-12 && (back.momentum()[i] + w[i]).abs() < 1e-12);
            assert!((undone.position()[i] - x[i]).abs() < 1e-12);
        }
        assert!((there.position()[0] - x[0]).abs() > 0.05, "it went nowhere");
    }
}

/// The textbook's leapfrog, with p and M⁻¹.
fn textbook(
    target: &Normal,
    inverse_mass: &DMatrix<f64>,
    x: &[f64],
    p: &[f64],
    steps: usize,
) -> [DVector<f64>; 2] {
    let (mut x, mut p) = (DVector::from_column_slice(x), DVector::from_column_slice(p));
    let step = 0.2;
    for _ in 0..steps {
        p -= &target.precision * &x * (0.5 * step);
        x += inverse_mass * &p * step;
        p -= &target.precision * &x * (0.5 * step);
    }
    [x, p]
}

#[test]
fn a_metric_is_the_inverse_mass_of_the_textbook() {
    let target = Normal::new(&covariance());
    let other = DMatrix::from_row_slice(3, 3, &[1.0, 0.3, 0.0, 0.3, 2.0, 0.1, 0.0, 0.1, 0.7]);
    let v = DMatrix::from_column_slice(3, 2, &[0.6, 0.8, 0.0, 0.8, -0.6, 0.0]);
    let scales = DMatrix::from_diagonal(&DVector::from_vec(vec![2.0, 0.5, 1.5]));
    let stretched = DMatrix::identity(3, 3)
        + &v * DMatrix::from_diagonal(&DVector::from_vec(vec![3.0, -0.75])) * v.transpose();
    let low_rank = &scales * stretched * &scales;
    let cases = [
        (Metric::unit(), DMatrix::identity(3, 3)),
        (
            Metric::diagonal(&[4.0, 0.25, 9.0]).unwrap(),
            DMatrix::from_diagonal(&DVector::from_vec(vec![4.0, 0.25, 9.0])),
        ),
        (Metric::dense(&other).unwrap(), other),
        (Metric::low_rank(&[4.0, 0.25, 2.25], &v, &[4.0, 0.25]).unwrap(), low_rank),
    ];
    let flat = FromGradFn::new(3, |_: &[f64], gradient: &mut [f64]| {
        gradient.fill(0.0);
        0.0
    });
    for (metric, inverse_mass) in &cases {
        assert!((metric.covariance(3) - inverse_mass).amax() < 1e-13, "{metric:?}");
        let (x, p) = ([0.3, -1.0, 0.4], [0.5, 0.2, -0.7]);
        let [expected, _] = textbook(&target, inverse_mass, &x, &p, 9);
        // w = Aᵀ p. Without a force, a step of size 1 from 0 with a unit momentum ends at a column of A.
        let found = [0, 1, 2].map(|i| {
            let mut unit = [0.0; 3];
            unit[i] = 1.0;
            let start = Phase::new(&flat, metric, &[0.0; 3], &unit).unwrap();
            let end = Leapfrog { metric, step_size: 1.0 }.flow(&flat, &start, 1).unwrap();
            end.position().iter().zip(&p).map(|(a, p)| a * p).sum::<f64>()
        });
        let start = Phase::new(&target, metric, &x, &found).unwrap();
        let end = Leapfrog { metric, step_size: 0.2 }.flow(&target, &start, 9).unwrap();
        for i in 0..3 {
            assert!((end.position()[i] - expected[i]).abs() < 1e-12, "{metric:?}");
        }
    }
}

#[test]
fn the_flow_keeps_volumes() {
    let target = banana();
    let metric = Metric::diagonal(&[1.0, 2.0]).unwrap();
    let flow = |at: &[f64]| {
        let start = Phase::new(&target, &metric, &at[..2], &at[2..]).unwrap();
        let end = Leapfrog { metric: &metric, step_size: 0.3 }.flow(&target, &start, 5).unwrap();
        [end.position(), end.momentum()].concat()
    };
    let (at, h) = ([0.5, -0.2, 0.8, 1.1], 1e-5);
    let jacobian = DMatrix::from_fn(4, 4, |i, j| {
        let (mut up, mut down) = (at, at);
        up[j] += h;
        down[j] -= h;
        (flow(&up)[i] - flow(&down)[i]) / (2.0 * h)
    });
    assert!((jacobian.determinant() - 1.0).abs() < 1e-7, "{}", jacobian.determinant());
}

#[test]
fn the_energy_error_is_of_second_order() {
    let target = banana();
    let metric = Metric::unit();
    let start = Phase::new(&target, &metric, &[0.5, -0.2], &[0.8, 1.1]).unwrap();
    let error = |steps: usize| {
        let leapfrog = Leapfrog { metric: &metric, step_size: 1.0 / steps as f64 };
        leapfrog.flow(&target, &start, steps).unwrap().energy() - start.energy()
    };
    for steps in [50, 100, 200] {
        let ratio = error(steps) / error(2 * steps);
        assert!((ratio - 4.0).abs() < 0.05, "{steps} steps: {ratio}");
    }
}

#[test]
fn it_is_stable_below_two_over_the_largest_frequency() {
    // The largest frequency of the scaled target is the root of the largest eigenvalue of its precision.
    let target = autoregression(2, 0.8);
    let metric = Metric::unit();
    let critical = 2.0 * (1.0_f64 - 0.8).sqrt();
    let start = Phase::new(&target, &metric, &[1.0, -0.5], &[0.3, 0.1]).unwrap();
    let energy = |step_size: f64| {
        Leapfrog { metric: &metric, step_size }.flow(&target, &start, 2000).unwrap().energy()
    };
    assert!(energy(0.99 * critical) < 100.0 * start.energy());
    assert!(energy(1.01 * critical) > 1e6 * start.energy());
}

#[test]
fn sizes_and_numbers_that_can_not_be_are_refused() {
    let target = standard(3);
    let wrong = Metric::diagonal(&[1.0, 1.0]).unwrap();
    assert!(matches!(Phase::new(&target, &wrong, &[0.0; 3], &[0.0; 3]), Err(Error::Dimension { .. })));
    assert!(matches!(
        Phase::new(&target, &Metric::unit(), &[0.0; 2], &[0.0; 3]),
        Err(Error::Dimension { .. })
    ));
    assert!(matches!(
        Phase::new(&target, &Metric::unit(), &[f64::NAN; 3], &[0.0; 3]),
        Err(Error::Start { .. })
    ));
    let refused = Metric::diagonal(&[1.0, -1.0]).unwrap_err().to_string();
    assert_eq!(refused, "Metric: variance[1] = -1 must be positive and finite");
    assert!(Metric::diagonal(&[f64::NAN]).is_err());
    assert!(Metric::dense(&DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0])).is_err());
    let not_unit = DMatrix::from_column_slice(2, 1, &[1.0, 1.0]);
    assert!(Metric::low_rank(&[1.0, 1.0], &not_unit, &[2.0]).is_err());
    let unit = DMatrix::from_column_slice(2, 1, &[1.0, 0.0]);
    assert!(Metric::low_rank(&[1.0, 1.0, 1.0], &unit, &[2.0]).is_err());
    assert!(Metric::low_rank(&[1.0, 1.0], &unit, &[2.0, 3.0]).is_err());
    assert!(Metric::low_rank(&[1.0, 1.0], &unit, &[0.0]).is_err());
    assert!(NoUTurn::new(0.0, Metric::unit()).is_err());
    assert!(NoUTurn::new(0.1, Metric::unit()).unwrap().with_max_depth(0).is_err());
    assert!(NoUTurn::new(0.1, Metric::unit()).unwrap().with_max_depth(61).is_err());
    assert!(NoUTurn::new(0.1, Metric::unit()).unwrap().with_max_energy_error(f64::NAN).is_err());
    assert!(FixedPath::new(0.1, Metric::unit(), PathLength::Steps(0)).is_err());
    let still = PathLength::Length { time: 1.0, jitter: 1.0, max_steps: 10 };
    assert!(FixedPath::new(0.1, Metric::unit(), still).is_err());
}
