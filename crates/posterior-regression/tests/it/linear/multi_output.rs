//! Several outputs with correlated noise.

use posterior_dist::Density;
use posterior_gaussian::{Gaussian, InverseWishart};
use posterior_math::linalg::DMatrix;
use posterior_regression::linear::{LinearData, NoisePrior, WeightPrior, multi_output, unknown_noise};

use super::{all_close, case, close};

fn responses(rows: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, 2, |i, k| ((i * 7 + k * 3) as f64 * 1.3).sin() * 2.0 + k as f64)
}

/// Bayes' rule at one Σ: ln p(Y) = ln p(Y | Σ) + ln p(Σ) - ln p(Σ | Y), where p(Y | Σ) is a Gaussian of
/// Kronecker products.
#[test]
fn the_evidence_is_bayes_rule() {
    for (rows, features) in [(5, 2), (2, 4)] {
        let case = case(21, rows, features);
        let y = responses(rows);
        let noise = InverseWishart::new(4.5, &DMatrix::from_row_slice(2, 2, &[2.0, 0.3, 0.3, 1.0])).unwrap();
        let data = LinearData::multi_output(&case.design, &y).unwrap();
        let posterior = multi_output(&data, &case.prior, &noise).unwrap();
        let sigma = DMatrix::from_row_slice(2, 2, &[0.8, -0.2, -0.2, 0.5]);
        let kernel =
            &case.design * &case.covariance * case.design.transpose() + DMatrix::identity(rows, rows);
        let mean = &case.design * case.prior.mean();
        let stacked: Vec<f64> = mean.iter().chain(mean.iter()).copied().collect();
        let distribution = Gaussian::new(&stacked, &sigma.kronecker(&kernel)).unwrap();
        let expected =
            distribution.ln_pdf(y.as_slice()) + noise.ln_pdf(&sigma) - posterior.noise().ln_pdf(&sigma);
        close(posterior.ln_evidence().unwrap(), expected, 1e-12);
        // The chain rule by the predictive of the last row.
        let first = case.design.rows(0, rows - 1).into_owned();
        let y_first = y.rows(0, rows - 1).into_owned();
        let data = LinearData::multi_output(&first, &y_first).unwrap();
        let before = multi_output(&data, &case.prior, &noise).unwrap();
        let distribution = &before.predict(&case.design.rows(rows - 1, 1).into_owned()).unwrap()[0];
        let last: Vec<f64> = y.row(rows - 1).iter().copied().collect();
        close(
            before.ln_evidence().unwrap() + distribution.ln_pdf(&last),
            posterior.ln_evidence().unwrap(),
            1e-12,
        );
        // All rows at once, before any was seen: the prior alone, whose evidence is the predictive.
        let known = LinearData::multi_output(&first, &y_first).unwrap();
        let before = multi_output(&known, &case.prior, &noise).unwrap();
        let again = before.predict_jointly(&case.design).unwrap();
        let twice = DMatrix::from_fn(2 * rows - 1, features, |i, j| {
            if i < rows - 1 { first[(i, j)] } else { case.design[(i + 1 - rows, j)] }
        });
        let y_twice =
            DMatrix::from_fn(
                2 * rows - 1,
                2,
                |i, k| if i < rows - 1 { y[(i, k)] } else { y[(i + 1 - rows, k)] },
            );
        let data = LinearData::multi_output(&twice, &y_twice).unwrap();
        let after = multi_output(&data, &case.prior, &noise).unwrap();
        close(again.ln_pdf(&y), after.ln_evidence().unwrap() - before.ln_evidence().unwrap(), 1e-11);
    }
}

/// One output is the regression with unknown noise: IW(ν, ψ) is IG(ν/2, ψ/2).
#[test]
fn one_output_is_the_regression() {
    let case = case(22, 7, 3);
    let y = DMatrix::from_column_slice(7, 1, &case.response);
    let data = LinearData::multi_output(&case.design, &y).unwrap();
    let noise = InverseWishart::new(3.0, &DMatrix::from_element(1, 1, 1.4)).unwrap();
    let many = multi_output(&data, &case.prior, &noise).unwrap();
    let one = unknown_noise(&data, &case.prior, NoisePrior::inverse_gamma(1.5, 0.7).unwrap()).unwrap();
    all_close(many.mean().iter(), one.mean().iter(), 1e-14);
    close(many.ln_evidence().unwrap(), one.ln_evidence().unwrap(), 1e-13);
    all_close(many.relative_covariance().iter(), one.relative_covariance().iter(), 1e-14);
}

/// Flat weights: least squares of every output.
#[test]
fn flat_weights_are_least_squares() {
    let case = case(23, 9, 3);
    let y = responses(9);
    let data = LinearData::multi_output(&case.design, &y).unwrap();
    let noise = InverseWishart::new(3.0, &DMatrix::identity(2, 2)).unwrap();
    let fit = multi_output(&data, &WeightPrior::flat(3), &noise).unwrap();
    let gradient = case.design.transpose() * (&y - &case.design * fit.mean());
    assert!(gradient.amax() < 1e-12);
    assert_eq!(fit.noise().degrees_of_freedom(), 9.0);
    assert_eq!(fit.weights_given(&DMatrix::identity(2, 2)).unwrap().mean(), fit.mean());
    assert!(
        multi_output(
            &data,
            &WeightPrior::flat(3),
            &InverseWishart::new(3.0, &DMatrix::identity(1, 1)).unwrap()
        )
        .is_err()
    );
}
