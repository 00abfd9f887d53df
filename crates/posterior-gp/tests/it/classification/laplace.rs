//! Laplace's method: the worked example, exact cases, identities.

use posterior_gp::classification::ObservationModel;
use posterior_gp::likelihood::{
    GaussianLikelihood, Likelihood, LogLinkGaussian, LogisticLikelihood, PoissonLikelihood, Probit,
    StudentTLikelihood,
};
use posterior_gp::{GaussianProcess, Kernel, Mean};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use proptest::prelude::*;
use rand_pcg::Pcg64;

use super::{all_close, close, converged, four_points, line, rbf, wide_rbf};

#[test]
fn worked_example_of_two_classes() {
    let posterior = converged(&four_points(), &wide_rbf());
    all_close(
        posterior.mode().iter(),
        &[-1.351878179176, -0.69108003561, 0.722167597275, 1.3557009083],
        1e-11,
    );
    close(posterior.ln_evidence(), -2.7686395030691076, 1e-14);

    let latent = posterior.latent(&line(&[0.0, 2.0])).unwrap();
    all_close(latent.mean.iter(), &[0.203911316178, 0.843082157827], 1e-11);
    all_close(latent.variance.iter(), &[1.556559220018, 3.160489054848], 1e-11);
    all_close(
        latent.mean_response(&LogisticLikelihood).iter(),
        &[0.5389570187944929, 0.6338494543568237],
        1e-13,
    );
    all_close(latent.mackay_response().iter(), &[0.540074311376, 0.6371850157], 1e-10);
    all_close(latent.plug_in_response(&LogisticLikelihood).iter(), &[0.550801922989, 0.699113956716], 1e-11);

    let mut rng = Pcg64::new(5, 5);
    let drawn = latent.monte_carlo_response(&LogisticLikelihood, 40_000, &mut rng);
    // Five standard errors: a false alarm in a million.
    all_close(drawn.iter(), latent.mean_response(&LogisticLikelihood).iter(), 5.0 * 0.5 / 200.0);
}

#[test]
fn worked_example_of_a_count() {
    let observations = ObservationModel::new(line(&[0.0]), &[3.into()], PoissonLikelihood).unwrap();
    let posterior = converged(&observations, &rbf(1.0, 1.0));
    close(posterior.mode()[0], 0.7920599684306769, 1e-14);
    let latent = posterior.latent(&line(&[0.0])).unwrap();
    close(latent.variance[0], 0.3117265254833334, 1e-14);
    close(posterior.ln_evidence(), -2.52001359051478, 1e-13);
    close(PoissonLikelihood.tilted(3.into(), 0.0, 1.0).ln_mass, -2.5165349937284787, 1e-12);
}

/// Dense Gaussian conditioning, written with solves of K + s² I.
fn dense(
    kernel: &Kernel,
    x: &DMatrix<f64>,
    y: &[f64],
    noise: f64,
    at: &DMatrix<f64>,
) -> (f64, DVector<f64>, DVector<f64>) {
    let mut gram = kernel.gram(x);
    for i in 0..y.len() {
        gram[(i, i)] += noise;
    }
    let factor = Cholesky::new(&gram).unwrap();
    let y = DVector::from_column_slice(y);
    let ln_evidence = -0.5
        * (factor.quadratic_form(&y) + factor.ln_determinant() + y.len() as f64 * std::f64::consts::TAU.ln());
    let cross = kernel.cross(x, at);
    let mean = cross.tr_mul(&factor.solve_vector(&y));
    let solved = factor.solve(&cross);
    let variance =
        DVector::from_fn(at.nrows(), |j, _| kernel.diagonal(at)[j] - cross.column(j).dot(&solved.column(j)));
    (ln_evidence, mean, variance)
}

#[test]
fn exact_on_gaussian_noise() {
    let (x, y) = (line(&[-1.0, 0.0, 0.0, 2.0]), [0.5, 1.0, 1.2, -0.3]);
    let (kernel, at) = (1.7 * Kernel::rbf(0.8).unwrap(), line(&[-0.5, 1.0, 3.0]));
    let observations =
        ObservationModel::new(x.clone(), &y, GaussianLikelihood::variance(0.1).unwrap()).unwrap();
    let posterior = converged(&observations, &GaussianProcess::new(kernel.clone()));
    let (ln_evidence, mean, variance) = dense(&kernel, &x, &y, 0.1, &at);
    let latent = posterior.latent(&at).unwrap();
    close(posterior.ln_evidence(), ln_evidence, 1e-13);
    all_close(latent.mean.iter(), mean.iter(), 1e-13);
    all_close(latent.variance.iter(), variance.iter(), 1e-13);
    let (joint_mean, covariance) = posterior.joint(&at).unwrap();
    all_close(joint_mean.iter(), mean.iter(), 1e-13);
    all_close(covariance.diagonal().iter(), variance.iter(), 1e-13);
}

#[test]
fn nothing_observed_is_the_prior() {
    let observations = ObservationModel::new(DMatrix::zeros(0, 1), &[], LogisticLikelihood).unwrap();
    let prior = wide_rbf().with_mean(Mean::constant(0.7).unwrap());
    let posterior = converged(&observations, &prior);
    assert_eq!(posterior.ln_evidence(), 0.0);
    let latent = posterior.latent(&line(&[1.0])).unwrap();
    assert_eq!((latent.mean[0], latent.variance[0]), (0.7, 4.0));
    assert_eq!(posterior.gradient().concat(), [0.0; 3]);
}

#[test]
fn a_flat_likelihood_says_nothing() {
    // Student's t distribution of enormous scale is flat.
    let flat = StudentTLikelihood::new(4.0, 1e9).unwrap();
    let posterior =
        converged(&ObservationModel::new(line(&[0.0, 1.0]), &[3.0, -2.0], flat).unwrap(), &wide_rbf());
    let latent = posterior.latent(&line(&[0.5])).unwrap();
    close(latent.mean[0], 0.0, 1e-12);
    close(latent.variance[0], 4.0, 1e-12);
}

/// A robust fit: the outlier has a negative precision, and the others decide.
#[test]
fn an_outlier_is_left_alone() {
    let x = line(&[0.0, 0.25, 0.5, 0.75, 1.0]);
    let robust = StudentTLikelihood::new(4.0, 0.1).unwrap();
    let observations = ObservationModel::new(x.clone(), &[0.0, 0.1, 9.0, 0.1, 0.0], robust).unwrap();
    let kernel = Kernel::rbf(1.0).unwrap();
    let posterior = converged(&observations, &GaussianProcess::new(kernel.clone()));
    let [_, second, _] = robust.derivatives(9.0, posterior.mode()[2]);
    assert!(second > 0.0, "the outlier has negative precision");
    assert!(posterior.mode()[2].abs() < 0.3, "{:?}", posterior.mode());

    // The covariance and the determinant against dense matrices with K⁻¹.
    let mut gram = kernel.gram(&x);
    for i in 0..5 {
        gram[(i, i)] += 1e-9;
    }
    let precisions =
        DVector::from_fn(5, |i, _| -robust.derivatives(observations.outputs()[i], posterior.mode()[i])[1]);
    let dense =
        Cholesky::new(&(Cholesky::new(&gram).unwrap().inverse() + DMatrix::from_diagonal(&precisions)))
            .unwrap();
    let latent = posterior.latent(&x).unwrap();
    all_close(latent.variance.iter(), dense.inverse_diagonal().iter(), 1e-6);
    let ln_determinant = dense.ln_determinant() + Cholesky::new(&gram).unwrap().ln_determinant();
    let f = posterior.mode();
    let expected =
        posterior.ln_likelihood_at_mode() - 0.5 * f.dot(posterior.weights()) - 0.5 * ln_determinant;
    close(posterior.ln_evidence(), expected, 1e-6);
}

#[test]
fn stationary_at_the_mode_for_every_likelihood() {
    fn check<L: Likelihood>(outputs: &[L::Output], likelihood: L) {
        let x = line(&[-1.0, -0.4, 0.1, 0.9]);
        let observations = ObservationModel::new(x.clone(), outputs, likelihood).unwrap();
        let prior = rbf(1.5, 0.7).with_mean(Mean::linear(0.3, &[0.2]).unwrap());
        let posterior = converged(&observations, &prior);
        let implied = prior.mean().values(&x) + prior.kernel().gram(&x) * posterior.weights();
        all_close(posterior.mode().iter(), implied.iter(), 1e-14);
        for (i, &output) in outputs.iter().enumerate() {
            let [slope, ..] = observations.likelihood().derivatives(output, posterior.mode()[i]);
            close(posterior.weights()[i], slope, 1e-10);
        }
        let latent = posterior.latent(&x).unwrap();
        all_close(latent.mean.iter(), posterior.mode().iter(), 1e-13);
    }
    check(&[1.0, -1.0, 1.0, 1.0], LogisticLikelihood);
    check(&[1.0, -1.0, 1.0, 1.0], Probit);
    check(&[0, 4, 1, 9].map(Into::into), PoissonLikelihood);
    check(&[0.1, 4.0, 1.0, 2.5], LogLinkGaussian::variance(0.3).unwrap());
    check(&[0.1, 4.0, -30.0, 2.5], StudentTLikelihood::new(3.0, 0.4).unwrap());
}

#[test]
fn refuses_what_cannot_be() {
    let x = line(&[0.0, 1.0]);
    for label in [0.0, 2.0, f64::NAN, 0.5] {
        let error = ObservationModel::new(x.clone(), &[1.0, label], LogisticLikelihood).unwrap_err();
        assert!(error.to_string().contains("label[1]"), "{error}");
        assert!(ObservationModel::new(x.clone(), &[1.0, label], Probit).is_err());
    }
    assert!(ObservationModel::new(x.clone(), &[1.0], LogisticLikelihood).is_err());
    assert!(ObservationModel::new(line(&[0.0, f64::NAN]), &[1.0, 1.0], LogisticLikelihood).is_err());
    assert!(
        ObservationModel::new(x.clone(), &[1.0, f64::INFINITY], GaussianLikelihood::variance(1.0).unwrap())
            .is_err()
    );
    let posterior = converged(&four_points(), &wide_rbf());
    assert!(posterior.latent(&DMatrix::zeros(1, 2)).is_err());
    assert!(posterior.latent(&line(&[f64::INFINITY])).is_err());
    // A Wiener process begins at 0, and there is no third coordinate.
    let labels = ObservationModel::new(line(&[-1.0, 1.0]), &[1.0, -1.0], LogisticLikelihood).unwrap();
    let wiener = GaussianProcess::new(Kernel::wiener());
    let absent = GaussianProcess::new(Kernel::rbf(1.0).unwrap().on(&[2]).unwrap());
    for (prior, reason) in [(&wiener, "input of row 0 is -1"), (&absent, "expected 3, found 1")] {
        let options = posterior_gp::classification::ModeOptions::default();
        let observer = &mut posterior_math::iteration::Silent;
        let refused = posterior_gp::classification::laplace(&labels, prior, &options, observer).unwrap_err();
        assert!(refused.to_string().contains(reason), "{refused}");
        let options = posterior_gp::classification::PropagationOptions::default();
        let refused =
            posterior_gp::classification::expectation_propagation(&labels, prior, &options, observer)
                .unwrap_err();
        assert!(refused.to_string().contains(reason), "{refused}");
    }
    let later = ObservationModel::new(line(&[1.0]), &[1.0], LogisticLikelihood).unwrap();
    let posterior = converged(&later, &wiener);
    assert!(posterior.latent(&line(&[-1.0])).is_err() && posterior.joint(&line(&[-1.0])).is_err());
    // Poisson's rate of e^1000 is not a number.
    let far = ObservationModel::new(line(&[0.0]), &[1.into()], PoissonLikelihood).unwrap();
    let prior = wide_rbf().with_mean(Mean::constant(1000.0).unwrap());
    let options = posterior_gp::classification::ModeOptions::default();
    let refused =
        posterior_gp::classification::laplace(&far, &prior, &options, &mut posterior_math::iteration::Silent);
    assert!(refused.unwrap_err().to_string().contains("prior mean"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Averaging moves a probability towards a half and never across, MacKay's number is near, and labels
    /// turn probabilities.
    #[test]
    fn probabilities(
        places in prop::collection::vec(-3.0..3.0_f64, 1..12),
        signs in prop::collection::vec(any::<bool>(), 12),
        variance in 0.01..100.0_f64,
    ) {
        let labels: Vec<f64> = signs[..places.len()].iter().map(|&up| if up { 1.0 } else { -1.0 }).collect();
        let turned: Vec<f64> = labels.iter().map(|label| -label).collect();
        let kernel = rbf(variance, 1.0);
        let at = line(&[-2.0, 0.0, 0.5, 10.0]);
        let one = converged(&ObservationModel::new(line(&places), &labels, LogisticLikelihood).unwrap(), &kernel);
        let other = converged(&ObservationModel::new(line(&places), &turned, LogisticLikelihood).unwrap(), &kernel);
        close(one.ln_evidence(), other.ln_evidence(), 1e-12);
        let (one, other) = (one.latent(&at).unwrap(), other.latent(&at).unwrap());
        let averaged = one.mean_response(&LogisticLikelihood);
        let plugged_in = one.plug_in_response(&LogisticLikelihood);
        let mackay = one.mackay_response();
        let turned = other.mean_response(&LogisticLikelihood);
        for i in 0..4 {
            prop_assert!((averaged[i] - 0.5).abs() <= (plugged_in[i] - 0.5).abs() + 1e-15);
            prop_assert!((averaged[i] - 0.5) * (plugged_in[i] - 0.5) >= -1e-30);
            prop_assert!((averaged[i] - mackay[i]).abs() < 0.0152);
            close(averaged[i], 1.0 - turned[i], 1e-10);
        }
    }
}
