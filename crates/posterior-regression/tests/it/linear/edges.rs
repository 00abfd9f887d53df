//! Where nothing is left, and where numbers end.

use posterior_math::linalg::DMatrix;
use posterior_regression::Error;
use posterior_regression::linear::{LinearData, PosteriorForm, WeightPrior, known_noise, known_noise_by};

use super::{all_close, case, close};

#[test]
fn no_rows_leave_the_prior() {
    let case = case(1, 0, 3);
    let data = LinearData::new(&case.design, &[]).unwrap();
    for form in [PosteriorForm::Precision, PosteriorForm::SquareRoot, PosteriorForm::Gain] {
        let posterior = known_noise_by(form, &data, &case.prior, 2.0).unwrap();
        all_close(posterior.mean().iter(), case.prior.mean().iter(), 1e-14);
        all_close(posterior.covariance().iter(), case.covariance.iter(), 1e-12);
        close(posterior.ln_evidence().unwrap(), 0.0, 1e-13);
        close(posterior.effective_parameters(), 0.0, 1e-13);
    }
    assert!(matches!(known_noise(&data, &WeightPrior::flat(3), 1.0), Err(Error::Collinear { .. })));
}

#[test]
fn no_features_are_noise() {
    let design = DMatrix::zeros(2, 0);
    let data = LinearData::new(&design, &[1.0, 2.0]).unwrap();
    let posterior = known_noise(&data, &WeightPrior::flat(0), 1.0).unwrap();
    close(posterior.ln_evidence().unwrap(), -std::f64::consts::TAU.ln() - 2.5, 1e-15);
}

/// The column is named, in whatever form; a proper prior tells twins apart.
#[test]
fn collinear_columns() {
    let design = DMatrix::from_fn(50, 4, |i, j| match j {
        0 => 1.0,
        1 => (i as f64 * 0.7).sin(),
        2 => 2.0 - 3.0 * (i as f64 * 0.7).sin(),
        _ => (i * i) as f64,
    });
    let names: Vec<String> = ["one", "wave", "copy", "square"].map(str::to_owned).to_vec();
    let response: Vec<f64> = (0..50).map(|i| 0.1 * f64::from(i)).collect();
    let data = LinearData::new(&design, &response).unwrap().with_names(&names).unwrap();
    let refused = known_noise(&data, &WeightPrior::flat(4), 1.0);
    assert!(matches!(refused, Err(Error::Collinear { column }) if column == "copy"));
    let refused = known_noise_by(PosteriorForm::Gain, &data, &WeightPrior::flat(4), 1.0);
    assert!(matches!(refused, Err(Error::Collinear { column }) if column == "one"));
    // Flat but in the copy: fine.
    let variances = [f64::INFINITY, f64::INFINITY, 1.0, f64::INFINITY];
    let prior = WeightPrior::independent(&[0.0; 4], &variances).unwrap();
    let fit = known_noise(&data, &prior, 1.0).unwrap();
    close(fit.mean()[2], 0.0, 1e-9);
    close(fit.deviations()[2], 1.0, 1e-9);
    // As many features as rows and more.
    let wide = DMatrix::from_fn(3, 5, |i, j| (i + j * j) as f64);
    let data = LinearData::new(&wide, &[1.0, 2.0, 3.0]).unwrap();
    assert!(matches!(known_noise(&data, &WeightPrior::flat(5), 1.0), Err(Error::Collinear { .. })));
    assert!(known_noise(&data, &WeightPrior::isotropic(5, 1.0).unwrap(), 1.0).is_ok());
}

/// Units of columns and of responses: results in the same units.
#[test]
fn huge_and_tiny_units() {
    let case = case(2, 15, 3);
    let prior = WeightPrior::isotropic(3, 2.0).unwrap();
    let data = LinearData::new(&case.design, &case.response).unwrap();
    let plain = known_noise(&data, &prior, 0.5).unwrap();
    for unit in [1e100, 1e-100, 1e140, 1e-140] {
        let design = &case.design * unit;
        let scaled = WeightPrior::isotropic(3, 2.0 / unit / unit).unwrap();
        let data = LinearData::new(&design, &case.response).unwrap();
        let fit = known_noise(&data, &scaled, 0.5).unwrap();
        all_close((fit.mean() * unit).iter(), plain.mean().iter(), 1e-11);
        all_close((fit.deviations() * unit).iter(), plain.deviations().iter(), 1e-11);
        close(fit.ln_evidence().unwrap(), plain.ln_evidence().unwrap(), 1e-11);
    }
    // Squares that overflow: an error, not an infinity.
    let design = &case.design * 1e200;
    let data = LinearData::new(&design, &case.response).unwrap();
    assert!(known_noise(&data, &prior, 0.5).is_err());
}

#[test]
fn misuse_is_an_error() {
    let case = case(3, 4, 2);
    let data = LinearData::new(&case.design, &case.response).unwrap();
    let flat = WeightPrior::flat(2);
    for noise_variance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(known_noise(&data, &flat, noise_variance), Err(Error::Parameter(_))));
    }
    assert!(matches!(known_noise(&data, &WeightPrior::flat(3), 1.0), Err(Error::Dimension { .. })));
    assert!(matches!(LinearData::new(&case.design, &[1.0]), Err(Error::Dimension { .. })));
    assert!(matches!(data.with_weights(&[1.0, -1.0, 1.0, 1.0]), Err(Error::Observation { row: 1, .. })));
    assert!(matches!(data.with_offset(&[1.0, 1.0, f64::NAN, 1.0]), Err(Error::Observation { row: 2, .. })));
    assert!(WeightPrior::isotropic(2, 0.0).is_err());
    assert!(WeightPrior::independent(&[0.0], &[1.0, 1.0]).is_err());
    let two = DMatrix::zeros(4, 2);
    let outputs = LinearData::multi_output(&case.design, &two).unwrap();
    assert!(matches!(known_noise(&outputs, &flat, 1.0), Err(Error::Dimension { .. })));
    let posterior = known_noise(&data, &flat, 1.0).unwrap();
    assert!(posterior.predict(&DMatrix::zeros(1, 3)).is_err());
    assert!(posterior.predict(&DMatrix::from_element(1, 2, f64::NAN)).is_err());
    // A row that alone determines a weight.
    let alone = DMatrix::from_row_slice(2, 1, &[0.0, 1.0]);
    let data = LinearData::new(&alone, &[1.0, 1.0]).unwrap();
    let posterior = known_noise(&data, &WeightPrior::flat(1), 1.0).unwrap();
    assert!(matches!(posterior.leave_one_out(&data), Err(Error::Observation { row: 1, .. })));
}
