//! Identities: one posterior by several routes.

use posterior_dist::stream::stream;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_regression::linear::{LinearData, PosteriorForm, WeightPrior, known_noise, known_noise_by};

use super::{all_close, case, close, dense};

const FORMS: [PosteriorForm; 3] = [PosteriorForm::Precision, PosteriorForm::SquareRoot, PosteriorForm::Gain];

/// Weight space is function space: N(y; Φ μ, Φ S Φᵀ + noise), in every form and for sizes on both sides of
/// n = F.
#[test]
fn every_form_is_the_dense_gaussian() {
    for (seed, (rows, features)) in
        [(1, 1), (1, 4), (4, 1), (5, 5), (3, 9), (9, 3), (20, 6), (6, 30), (300, 4)].into_iter().enumerate()
    {
        let case = case(seed as u64, rows, features);
        let mut rng = stream(17, &[seed as u64]);
        let weights: Vec<f64> = (0..rows).map(|_| 0.3 + rand::RngExt::random::<f64>(&mut rng)).collect();
        let offset: Vec<f64> = (0..rows).map(|_| rand::RngExt::random::<f64>(&mut rng)).collect();
        let variances: Vec<f64> = weights.iter().map(|weight| case.noise_variance / weight).collect();
        let dense = dense(&case, &variances, &offset);
        let data = LinearData::new(&case.design, &case.response).unwrap();
        let data = data.with_weights(&weights).unwrap().with_offset(&offset).unwrap();
        for form in FORMS {
            let posterior = known_noise_by(form, &data, &case.prior, case.noise_variance).unwrap();
            assert_eq!(posterior.form(), form);
            all_close(posterior.mean().iter(), dense.mean.iter(), 1e-10);
            all_close(posterior.covariance().iter(), dense.covariance.iter(), 1e-10);
            close(posterior.ln_evidence().unwrap(), dense.ln_evidence, 1e-11);
            let deviations = dense.covariance.diagonal().map(f64::sqrt);
            all_close(posterior.deviations().iter(), deviations.iter(), 1e-9);
            let inputs = DMatrix::from_fn(7, features, |i, j| (i as f64 - 3.0) * 0.4 + j as f64 * 0.1);
            let joint = posterior.joint_function(&inputs).unwrap();
            let expected = &inputs * &dense.covariance * inputs.transpose();
            all_close(joint.covariance().iter(), expected.iter(), 1e-9);
            let distribution = posterior.latent(&inputs).unwrap();
            all_close(&distribution.mean, (&inputs * &dense.mean).iter(), 1e-10);
            all_close(&distribution.variance, expected.diagonal().iter(), 1e-9);
            let explained = &case.covariance * case.design.transpose() * &case.design;
            assert!(explained.trace() > 0.0);
            let unexplained =
                (dense.covariance.clone() * case.covariance.clone().try_inverse().unwrap()).trace();
            close(posterior.effective_parameters(), features as f64 - unexplained, 1e-9);
        }
    }
}

/// Leaving a row out in closed form, and by leaving it out.
#[test]
fn leave_one_out_is_to_leave_one_out() {
    let case = case(3, 12, 4);
    let mut weights: Vec<f64> = (0..12).map(|i| 0.5 + 0.1 * f64::from(i)).collect();
    weights[5] = 0.0;
    let offset: Vec<f64> = (0..12).map(|i| 0.2 * f64::from(i)).collect();
    let data = LinearData::new(&case.design, &case.response).unwrap();
    let data = data.with_weights(&weights).unwrap().with_offset(&offset).unwrap();
    let all = known_noise(&data, &case.prior, case.noise_variance).unwrap();
    let left = all.leave_one_out(&data).unwrap();
    close(left.leverage.iter().sum(), all.effective_parameters(), 1e-12);
    let mut score = 0.0;
    for row in (0..12).filter(|&row| weights[row] > 0.0) {
        let mut others = weights.clone();
        others[row] = 0.0;
        let without =
            known_noise(&data.with_weights(&others).unwrap(), &case.prior, case.noise_variance).unwrap();
        let distribution = without.latent(&case.design.rows(row, 1).into_owned()).unwrap();
        close(left.prediction.mean[row], distribution.mean[0] + offset[row], 1e-11);
        let variance = distribution.variance[0] + case.noise_variance / weights[row];
        close(left.prediction.variance[row], variance, 1e-11);
        // The chain rule of the evidence: ln p(y) - ln p(others).
        score += all.ln_evidence().unwrap() - without.ln_evidence().unwrap();
    }
    close(left.ln_score, score, 1e-11);
    assert_eq!(left.prediction.variance[5], f64::INFINITY);
}

/// The mean minimises |y - Φ w|² + λ |w|²: its gradient is zero.
#[test]
fn ridge_regression_is_the_mode() {
    let case = case(4, 40, 6);
    let lambda: f64 = 0.7;
    let prior = WeightPrior::isotropic(6, lambda.recip()).unwrap();
    let data = LinearData::new(&case.design, &case.response).unwrap();
    let fit = known_noise(&data, &prior, 1.0).unwrap();
    let residual = DVector::from_column_slice(&case.response) - &case.design * fit.mean();
    let gradient = case.design.transpose() * residual - fit.mean() * lambda;
    assert!(gradient.amax() < 1e-12);
}

/// A row of weight k is k rows, a row of weight 0 none; the order of rows and scales of columns do not
/// matter.
#[test]
fn symmetries_of_the_data() {
    let case = case(5, 9, 3);
    let fit = |design: &DMatrix<f64>, response: &[f64], weights: &[f64]| {
        let data = LinearData::new(design, response).unwrap().with_weights(weights).unwrap();
        known_noise(&data, &case.prior, 0.5).unwrap()
    };
    let once = fit(&case.design, &case.response, &[1.0, 2.0, 3.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    let picked = [8, 1, 2, 2, 0, 1, 4, 5, 6, 7, 2];
    let design = case.design.select_rows(&picked);
    let response: Vec<f64> = picked.iter().map(|&row| case.response[row]).collect();
    let repeated = fit(&design, &response, &[1.0; 11]);
    all_close(once.mean().iter(), repeated.mean().iter(), 1e-12);
    all_close(once.covariance().iter(), repeated.covariance().iter(), 1e-12);
}

/// 20 000 draws of each form: means and covariances within 4.5 standard errors, of 14 numbers each; false
/// alarm in 1 of 5000.
#[test]
fn draws_have_the_moments() {
    let case = case(6, 5, 4);
    let data = LinearData::new(&case.design, &case.response).unwrap();
    for form in [PosteriorForm::Precision, PosteriorForm::Gain] {
        let posterior = known_noise_by(form, &data, &case.prior, case.noise_variance).unwrap();
        let mut rng = stream(7, &[0]);
        let count = 20_000;
        let draws: Vec<DVector<f64>> = (0..count).map(|_| posterior.sample(&mut rng)).collect();
        let covariance = posterior.covariance();
        for i in 0..4 {
            let mean = draws.iter().map(|w| w[i]).sum::<f64>() / f64::from(count);
            let error = (covariance[(i, i)] / f64::from(count)).sqrt();
            assert!((mean - posterior.mean()[i]).abs() < 4.5 * error);
            for j in 0..=i {
                let product = |w: &DVector<f64>| (w[i] - posterior.mean()[i]) * (w[j] - posterior.mean()[j]);
                let found = draws.iter().map(product).sum::<f64>() / f64::from(count);
                let spread = covariance[(i, i)] * covariance[(j, j)] + covariance[(i, j)].powi(2);
                assert!((found - covariance[(i, j)]).abs() < 4.5 * (spread / f64::from(count)).sqrt());
            }
        }
    }
}

/// Blocks and groups of blocks: more rows than one group, against sums without blocks.
#[test]
fn many_rows_are_summed_in_blocks() {
    let rows = 40_001;
    let case = case(8, rows, 3);
    let data = LinearData::new(&case.design, &case.response).unwrap();
    let flat = WeightPrior::flat(3);
    let normal = known_noise_by(PosteriorForm::Precision, &data, &flat, 1.0).unwrap();
    let roots = known_noise_by(PosteriorForm::SquareRoot, &data, &flat, 1.0).unwrap();
    let precision = case.design.transpose() * &case.design;
    let right = case.design.transpose() * DVector::from_column_slice(&case.response);
    let solved = precision.clone().lu().solve(&right).unwrap();
    all_close(normal.mean().iter(), solved.iter(), 1e-12);
    all_close(roots.mean().iter(), solved.iter(), 1e-12);
    all_close(normal.covariance().iter(), precision.try_inverse().unwrap().iter(), 1e-12);
    let (a, b) = (normal.leave_one_out(&data).unwrap(), roots.leave_one_out(&data).unwrap());
    close(a.ln_score, b.ln_score, 1e-12);
}

#[test]
fn a_prior_by_its_precision_is_that_of_its_covariance() {
    let case = case(21, 9, 3);
    let precision = Cholesky::new(&case.covariance.clone().try_inverse().unwrap()).unwrap();
    let mean: Vec<f64> = case.prior.mean().iter().copied().collect();
    assert!(WeightPrior::with_precision(&mean[1..], precision.clone()).is_err());
    let prior = WeightPrior::with_precision(&mean, precision).unwrap();
    let data = LinearData::new(&case.design, &case.response).unwrap();
    for form in FORMS {
        let [found, expected] = [&prior, &case.prior]
            .map(|prior| known_noise_by(form, &data, prior, case.noise_variance).unwrap());
        all_close(found.mean().iter(), expected.mean().iter(), 1e-10);
        all_close(found.covariance().iter(), expected.covariance().iter(), 1e-10);
        close(found.ln_evidence().unwrap(), expected.ln_evidence().unwrap(), 1e-11);
    }
}
