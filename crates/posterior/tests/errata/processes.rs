//! Gaussian processes, Kalman filters, classification.

use posterior::dist::{Density, Logistic, Univariate};
use posterior::gp::classification::{ModeOptions, ObservationModel, laplace};
use posterior::gp::kernel::FeatureFunctions;
use posterior::gp::likelihood::LogisticLikelihood;
use posterior::gp::spectrum::Representer;
use posterior::gp::support_vectors::{Bias, SupportOptions, support_vectors};
use posterior::gp::{GaussianProcess, Kernel, Mean, Noise};
use posterior::kalman::{
    FilterOptions, Initial, Matrices, ObservationEquation, Series, StateSpace, TransitionEquation, filter,
};
use posterior::math::iteration::Silent;
use posterior::math::linalg::{DMatrix, DVector};

use crate::{close, differs};

fn logistic(f: f64) -> f64 {
    Logistic::STANDARD.cdf(f)
}

fn line(places: &[f64]) -> DMatrix<f64> {
    DMatrix::from_column_slice(places.len(), 1, places)
}

/// Many bells of width λ make the kernel √π λ exp(-(x-y)²/4λ²), without a 2 under the root.
#[test]
fn erratum_21() {
    let (count, width) = (2_000, 0.7_f64);
    let step = 40.0 / f64::from(count);
    let centres: Vec<f64> = (0..count).map(|i| -20.0 + (f64::from(i) + 0.5) * step).collect();
    let bells = FeatureFunctions::bells(&centres, width).unwrap();
    let kernel = step * Kernel::features(bells);
    let right = std::f64::consts::PI.sqrt() * width * (-0.64 / (4.0 * width * width)).exp();
    close(kernel.value(&[0.3], &[1.1]), right, 10);
    close(right, 0.8950814016678553, 12);
    differs(right * std::f64::consts::SQRT_2, kernel.value(&[0.3], &[1.1]));
}

/// ⟨Σ aᵢ k(xᵢ,·), Σ bⱼ k(xⱼ,·)⟩ = aᵀ K b, by which k(x,·) evaluates functions.
#[test]
fn erratum_23() {
    let (kernel, x) = (3.0 * Kernel::rbf(1.0).unwrap(), line(&[-1.0, 0.0, 2.0]));
    let weights = DVector::from_row_slice(&[0.5, -1.0, 2.0]);
    let function = Representer::new(&kernel, &x, &weights).unwrap();
    for (i, &weight) in weights.iter().enumerate() {
        let at = line(&[x[i]]);
        let section = Representer::new(&kernel, &at, &DVector::from_element(1, 1.0)).unwrap();
        let value = function.values(&at)[0];
        close(section.inner_product(&function), value, 13);
        // The printed sum of aᵢ bᵢ / k(xᵢ, xᵢ).
        differs(weight / kernel.value(&[x[i]], &[x[i]]), value);
    }
}

/// The posterior covariance begins with k(x, x), and the parts of a sum depend on each other after the data.
#[test]
fn erratum_25() {
    let (x, y) = (line(&[-1.0, 0.0, 2.0]), [0.5, 1.0, -0.3]);
    let (one, two) = (Kernel::rbf(1.0).unwrap(), 0.5 * Kernel::linear());
    let process = GaussianProcess::new(one.clone() + two.clone());
    let posterior = process.condition(&x, &y, &Noise::variance(0.1).unwrap()).unwrap();
    let at = line(&[1.0]);
    let parts = posterior.components();
    let own = |i: usize| parts[i].covariance(&at).unwrap()[0];
    let cross = parts[0].cross_covariance(&at, &parts[1], &at).unwrap()[0];
    close(own(0), 0.573532859218, 11);
    close(cross, -0.175207465492, 11);
    close(posterior.variance(&at).unwrap()[0], own(0) + own(1) + 2.0 * cross, 12);
    differs(own(0) + own(1), posterior.variance(&at).unwrap()[0]);
}

/// Of a Markov process the inverse of the kernel matrix is tridiagonal, not the kernel matrix.
#[test]
fn erratum_27() {
    let gram = Kernel::wiener().gram(&line(&[1.0, 2.0, 4.0]));
    assert_eq!(gram[(0, 2)], 1.0);
    let inverse = gram.try_inverse().unwrap();
    close(inverse[(0, 2)], 0.0, 14);
    close(inverse[(0, 1)], -1.0, 14);
    close(inverse[(1, 1)], 1.5, 14);
}

/// The gain of a smoother divides by what was predicted for the next time.
#[test]
fn erratum_28() {
    let one = DMatrix::from_element(1, 1, 1.0);
    let noises = Matrices::each(&[one.clone(), &one * 2.0]).unwrap();
    let model = StateSpace::new(
        TransitionEquation::varying(Matrices::constant(&one), noises).unwrap(),
        ObservationEquation::constant(&one, &(&one * 0.25)).unwrap(),
        Initial::known(&[0.0], &one).unwrap(),
    )
    .unwrap();
    let series = Series::univariate(&[0.5, 1.2, 0.3]).unwrap();
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    let smoothed = filtered.smooth(&model).unwrap();
    // The dense process with the same covariance.
    let process = GaussianProcess::new(Kernel::wiener());
    let times = line(&[1.0, 2.0, 4.0]);
    let dense = process.condition(&times, &[0.5, 1.2, 0.3], &Noise::variance(0.25).unwrap()).unwrap();
    let right = dense.mean(&times).unwrap();
    // Backwards, dividing by the prediction of this time or of the next.
    let with = |next: usize| {
        (0..2).rev().fold(filtered.mean(2)[0], |later, t| {
            let gain = filtered.covariance(t)[0] / filtered.predicted_covariance(t + next)[0];
            filtered.mean(t)[0] + gain * (later - filtered.predicted_mean(t + 1)[0])
        })
    };
    close(smoothed.mean(0)[0], right[0], 13);
    close(with(1), right[0], 13);
    close(with(1), 0.49965, 5);
    close(with(0), 0.50881, 5);
}

/// σ'(f) = σ(f) (1 - σ(f)), all at the latent value.
#[test]
fn erratum_29() {
    for f in [-2.0, 0.3, 1.5] {
        let sigma = Logistic::STANDARD.cdf(f);
        close(Logistic::STANDARD.ln_pdf(&f).exp(), sigma * (1.0 - sigma), 14);
        close(Logistic::STANDARD.cdf(-f), 1.0 - sigma, 14);
    }
}

/// With a prior mean m the log posterior has (f - m)ᵀ K⁻¹ (f - m); Laplace's covariance is the inverse of the
/// negative Hessian, (K⁻¹ + W)⁻¹.
#[test]
fn erratum_30() {
    let (x, labels) = (line(&[0.3]), [1.0]);
    let (variance, mean) = (4.0, 1.5);
    let prior =
        GaussianProcess::new(variance * Kernel::rbf(1.0).unwrap()).with_mean(Mean::constant(mean).unwrap());
    let observations = ObservationModel::new(x.clone(), &labels, LogisticLikelihood).unwrap();
    let fit = laplace(&observations, &prior, &ModeOptions::default(), &mut Silent).unwrap().model;
    let f = fit.mode()[0];
    let slope = |centre: f64| 1.0 - logistic(f) - (f - centre) / variance;
    close(slope(mean), 0.0, 9);
    differs(slope(0.0), 0.0);
}

/// See the erratum before: the inverse is of the whole Hessian.
#[test]
fn erratum_31() {
    let (x, labels) = (line(&[0.3]), [1.0]);
    let prior = GaussianProcess::new(4.0 * Kernel::rbf(1.0).unwrap());
    let observations = ObservationModel::new(x.clone(), &labels, LogisticLikelihood).unwrap();
    let fit = laplace(&observations, &prior, &ModeOptions::default(), &mut Silent).unwrap().model;
    let weight = logistic(fit.mode()[0]) * logistic(-fit.mode()[0]);
    close(fit.latent(&x).unwrap().variance[0], 1.0 / (0.25 + weight), 9);
    differs(-1.0 / (-4.0 - weight), fit.latent(&x).unwrap().variance[0]);
}

/// A support vector machine gives no weight to rows with y f > 1; f > 1 is wrong for the second class.
#[test]
fn erratum_32() {
    let (x, labels) = (line(&[-3.0, -2.0, -0.5, 0.5, 2.0, 3.0]), [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]);
    let kernel = Kernel::linear();
    let options = SupportOptions { tolerance: 1e-10, ..SupportOptions::default() };
    let machine =
        support_vectors(&x, &labels, &kernel, 5.0, Bias::Zero, &options, &mut Silent).unwrap().model;
    let f = machine.decision(&x).unwrap();
    let mut beyond = 0;
    for i in 0..6 {
        if labels[i] * f[i] > 1.0 + 1e-6 {
            assert_eq!(machine.weights()[i], 0.0);
            beyond += usize::from(f[i] < 1.0);
        }
    }
    assert!(beyond > 0, "{f}");
    // f = K r, with r itself, not with K⁻¹ r once more.
    let again = kernel.gram(&x) * machine.weights();
    assert!((again - f).amax() < 1e-9);
}
