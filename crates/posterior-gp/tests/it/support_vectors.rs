//! The support vector machine: conditions of optimality, exact zeros, worked cases, and what it has to do
//! with the GP.

use posterior_gp::classification::{ModeOptions, ObservationModel, laplace};
use posterior_gp::likelihood::LogisticLikelihood;
use posterior_gp::support_vectors::{
    Bias, Losses, SupportOptions, SupportVectors, hinge_loss, hinge_mass, support_vectors,
};
use posterior_gp::{GaussianProcess, Kernel};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use proptest::prelude::*;
use rand::RngExt;
use rand_distr::StandardNormal;
use rand_pcg::Pcg64;

fn line(places: &[f64]) -> DMatrix<f64> {
    DMatrix::from_column_slice(places.len(), 1, places)
}

fn solved(x: &DMatrix<f64>, labels: &[f64], kernel: &Kernel, cost: f64, bias: Bias) -> SupportVectors {
    let fitted =
        support_vectors(x, labels, kernel, cost, bias, &SupportOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged(), "{:?}", fitted.report.stop);
    assert!(fitted.report.trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-12 * pair[0].abs()));
    fitted.model
}

/// Two clouds in the plane that overlap.
fn clouds(n: usize) -> (DMatrix<f64>, Vec<f64>) {
    let mut rng = Pcg64::new(8, 1);
    let labels: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let x = DMatrix::from_fn(n, 2, |i, _| 0.9 * labels[i] + rng.sample::<f64, _>(StandardNormal));
    let _: f64 = rng.random();
    (x, labels)
}

/// Karush, Kuhn and Tucker: y f > 1 without weight, y f < 1 with all of it, y f = 1 in between.
fn check_conditions(x: &DMatrix<f64>, labels: &[f64], cost: f64, machine: &SupportVectors) {
    let f = machine.decision(x).unwrap();
    for (i, &label) in labels.iter().enumerate() {
        let (margin, alpha) = (label * f[i], machine.weights()[i] * label);
        assert!((0.0..=cost).contains(&alpha), "{alpha}");
        if alpha == 0.0 {
            assert!(margin > 1.0 - 1e-7, "{margin}");
        } else if alpha == cost {
            assert!(margin < 1.0 + 1e-7, "{margin}");
        } else {
            assert!((margin - 1.0).abs() < 1e-7, "{margin} at {alpha}");
        }
    }
    assert!(machine.gap().abs() <= 1e-6 * machine.objective().max(1.0), "{}", machine.gap());
}

#[test]
fn conditions_of_optimality() {
    let (x, labels) = clouds(80);
    for (kernel, cost) in [(Kernel::rbf(1.5).unwrap(), 2.0), (4.0 * Kernel::rbf(0.7).unwrap(), 0.3)] {
        for bias in [Bias::Zero, Bias::Free] {
            let machine = solved(&x, &labels, &kernel, cost, bias);
            check_conditions(&x, &labels, cost, &machine);
            let support = machine.support().count();
            assert!(support > 5 && support < 80, "{support}");
            if bias == Bias::Free {
                assert!(machine.weights().sum().abs() < 1e-12 * cost * 80.0);
            } else {
                assert_eq!(machine.bias(), 0.0);
            }
        }
    }
}

/// Two points and a linear function: the widest margin, by hand.
#[test]
fn two_points() {
    // f(x) = r k(x, 0)…: with k(0, 2) = c, r = (-α, α), margins α (1 - c) = 1.
    let kernel = Kernel::rbf(1.0).unwrap();
    let machine = solved(&line(&[0.0, 2.0]), &[-1.0, 1.0], &kernel, 100.0, Bias::Free);
    let alpha = 1.0 / (1.0 - f64::exp(-2.0));
    assert!((machine.weights()[1] - alpha).abs() < 1e-12);
    assert!((machine.weights()[0] + alpha).abs() < 1e-12);
    assert!(machine.bias().abs() < 1e-12);
    assert!((machine.objective() - alpha).abs() < 1e-12);
    // A low cost: both at the limit.
    let cheap = solved(&line(&[0.0, 2.0]), &[-1.0, 1.0], &kernel, 0.1, Bias::Free);
    assert_eq!(cheap.weights().as_slice(), [-0.1, 0.1]);
}

/// A point far on its side does not matter: without it the machine is the same.
#[test]
fn points_off_the_support_do_not_matter() {
    let (x, labels) = clouds(60);
    let kernel = Kernel::rbf(1.5).unwrap();
    let whole = solved(&x, &labels, &kernel, 1.0, Bias::Free);
    let support: Vec<usize> = whole.support().collect();
    assert!(support.len() < 60);
    let kept: Vec<f64> = support.iter().map(|&i| labels[i]).collect();
    let part = solved(&x.select_rows(&support), &kept, &kernel, 1.0, Bias::Free);
    let (one, other) = (whole.decision(&x).unwrap(), part.decision(&x).unwrap());
    assert!((one - other).amax() < 1e-6);
}

/// The logistic GP weights points off the margin hardly, the machine not at all.
#[test]
fn weights_of_the_gp_are_small_where_those_of_the_machine_are_zero() {
    let (x, labels) = clouds(60);
    let kernel = 6.0 * Kernel::rbf(1.5).unwrap();
    let machine = solved(&x, &labels, &kernel, 1.0, Bias::Zero);
    let observations = ObservationModel::new(x, &labels, LogisticLikelihood).unwrap();
    let prior = GaussianProcess::new(kernel);
    let gp = laplace(&observations, &prior, &ModeOptions::default(), &mut Silent).unwrap().model;
    let mean = |zero: bool| {
        let chosen: Vec<f64> = (0..60)
            .filter(|&i| (machine.weights()[i] == 0.0) == zero)
            .map(|i| gp.weights()[i].abs())
            .collect();
        chosen.iter().sum::<f64>() / chosen.len() as f64
    };
    assert!(mean(true) < 0.25 * mean(false), "{} and {}", mean(true), mean(false));
    assert!(gp.weights().iter().all(|&r| r != 0.0));
}

#[test]
fn hostile_data() {
    let kernel = Kernel::rbf(1.0).unwrap();
    // One class: no weight is needed with a bias.
    let machine = solved(&line(&[0.0, 1.0]), &[1.0, 1.0], &kernel, 1.0, Bias::Free);
    assert_eq!((machine.weights().amax(), machine.bias()), (0.0, 1.0));
    let negative = solved(&line(&[0.0]), &[-1.0], &kernel, 1.0, Bias::Free);
    assert_eq!(negative.decision(&line(&[5.0])).unwrap()[0], -1.0);
    // Duplicates that contradict each other, huge and tiny amplitudes.
    for variance in [1e-6, 1.0, 1e6] {
        let kernel = variance * Kernel::rbf(1.0).unwrap();
        for bias in [Bias::Zero, Bias::Free] {
            let x = line(&[0.0, 0.0, 1.0, 1.0]);
            let machine = solved(&x, &[1.0, -1.0, 1.0, 1.0], &kernel, 1.0, bias);
            assert!(
                machine.objective().is_finite() && machine.gap().abs() < 1e-6 * machine.objective().max(1.0)
            );
        }
    }
    let none = solved(&DMatrix::zeros(0, 1), &[], &kernel, 1.0, Bias::Free);
    assert_eq!(none.decision(&line(&[1.0])).unwrap()[0], 0.0);
}

#[test]
fn refuses_what_cannot_be() {
    let kernel = Kernel::rbf(1.0).unwrap();
    let try_with = |x: &DMatrix<f64>, labels: &[f64], cost: f64| {
        support_vectors(x, labels, &kernel, cost, Bias::Free, &SupportOptions::default(), &mut Silent)
            .is_err()
    };
    let x = line(&[0.0, 1.0]);
    assert!(try_with(&x, &[1.0, 0.0], 1.0));
    assert!(try_with(&x, &[1.0, f64::NAN], 1.0));
    assert!(try_with(&x, &[1.0], 1.0));
    assert!(try_with(&x, &[1.0, -1.0], 0.0));
    assert!(try_with(&x, &[1.0, -1.0], f64::INFINITY));
    assert!(try_with(&line(&[0.0, f64::NAN]), &[1.0, -1.0], 1.0));
    let wiener = |places: &[f64]| {
        let options = SupportOptions::default();
        support_vectors(
            &line(places),
            &[1.0, -1.0],
            &Kernel::wiener(),
            1.0,
            Bias::Free,
            &options,
            &mut Silent,
        )
    };
    assert!(wiener(&[0.5, -1.0]).unwrap_err().to_string().contains("row 1"));
    assert!(wiener(&[0.5, 1.0]).unwrap().model.decision(&line(&[-1.0])).is_err());
    let options = SupportOptions { max_iterations: 1, ..SupportOptions::default() };
    let (x, labels) = clouds(80);
    let fitted = support_vectors(&x, &labels, &kernel, 1.0, Bias::Free, &options, &mut Silent).unwrap();
    assert!(!fitted.report.converged());
}

#[test]
fn losses() {
    for (latent, mass) in [(0.0, 0.7357588823), (1.0, 1.1353352832), (2.0, 1.0497870684), (50.0, 1.0)] {
        assert!((hinge_mass(latent) - mass).abs() < 1e-10);
        assert_eq!(hinge_mass(latent), hinge_mass(-latent));
    }
    let at = Losses::at(0.0);
    assert_eq!((at.hinge, at.logistic, at.probit), (1.0, 2_f64.ln(), 2_f64.ln()));
    // Slopes of -1 far down, of the probit's without limit.
    let (far, farther) = (Losses::at(-1000.0), Losses::at(-1001.0));
    assert_eq!((farther.hinge - far.hinge, farther.logistic - far.logistic), (1.0, 1.0));
    assert!(farther.probit - far.probit > 1000.0);
    assert!(hinge_loss(f64::NAN).is_nan());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// No other weights have a lower objective: here those that a random step makes.
    #[test]
    fn no_step_goes_down(
        places in prop::collection::vec(-3.0..3.0_f64, 2..10),
        step in prop::collection::vec(-0.1..0.1_f64, 10),
        cost in 0.1..10.0_f64,
    ) {
        let x = line(&places);
        let labels: Vec<f64> = (0..places.len()).map(|i| if i % 3 == 0 { -1.0 } else { 1.0 }).collect();
        let kernel = Kernel::rbf(1.0).unwrap();
        let machine = solved(&x, &labels, &kernel, cost, Bias::Zero);
        check_conditions(&x, &labels, cost, &machine);
        let gram = kernel.gram(&x);
        let weights = machine.weights() + posterior_math::linalg::DVector::from_fn(places.len(), |i, _| step[i]);
        let f = &gram * &weights;
        let loss: f64 = labels.iter().zip(f.iter()).map(|(y, f)| hinge_loss(y * f)).sum();
        prop_assert!(machine.objective() <= 0.5 * weights.dot(&f) + cost * loss + 1e-7);
    }
}
