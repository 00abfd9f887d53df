//! Values that are missing.

use posterior_dist::Density;
use posterior_gaussian::Gaussian;
use posterior_inference::em::EmOptions;
use posterior_latent::Observations;
use posterior_latent::gaussian_mixture::{CovarianceKind, GaussianMixtureOptions, GaussianMixtureProblem};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_close, assert_within};

use super::{KINDS, clouds, start, steps};

const NAN: f64 = f64::NAN;

/// The densities are those of marginals, and an observation without any value has the density 1 and the
/// weights as proportions.
#[test]
fn what_is_missing_is_integrated_out() {
    let values = clouds(30, 3, 2);
    let begin = start(CovarianceKind::Full, &values.rows(0, 3).into_owned(), 2.0);
    let data = Observations::new(&values).unwrap();
    let mixture =
        GaussianMixtureProblem::new(&data, steps(2)).unwrap().fit(begin, &mut Silent).unwrap().model.mixture;
    let rows = DMatrix::from_row_slice(4, 3, &[1.0, NAN, 2.0, NAN, NAN, 4.0, NAN, NAN, NAN, 3.0, 4.0, 5.0]);
    let gaps = Observations::with_missing(&rows).unwrap();
    let ln_pdf = mixture.ln_pdf_rows(&gaps).unwrap();
    assert_close(ln_pdf[0], mixture.marginal(&[0, 2]).unwrap().ln_pdf(&[1.0, 2.0]), 1e-12);
    assert_close(ln_pdf[1], mixture.marginal(&[2]).unwrap().ln_pdf(&[4.0]), 1e-12);
    assert_within(ln_pdf[2], 0.0, 1e-15);
    assert_close(ln_pdf[3], mixture.ln_pdf(&[3.0, 4.0, 5.0]), 1e-12);
    let proportions = mixture.responsibilities(&gaps).unwrap();
    for k in 0..3 {
        assert_within(proportions[(2, k)], mixture.weights().probabilities()[k], 1e-15);
    }
}

/// Complete data behind the code for gaps: one value is missing of an observation that counts for nothing.
#[test]
fn complete_data_are_a_special_case() {
    let values = clouds(60, 3, 6);
    let mut gaps = values.clone().insert_row(60, 1.0);
    gaps[(60, 1)] = NAN;
    let weights: Vec<f64> = (0..61).map(|i| f64::from(u8::from(i < 60))).collect();
    let missing = Observations::with_missing(&gaps).unwrap().weighted(&weights).unwrap();
    let complete = Observations::new(&values).unwrap();
    for kind in KINDS {
        let begin = start(kind, &values.rows(0, 3).into_owned(), 2.0);
        let fit = |data: &Observations| {
            GaussianMixtureProblem::new(data, steps(10)).unwrap().fit(begin.clone(), &mut Silent).unwrap()
        };
        let (a, b) = (fit(&missing), fit(&complete));
        for (a, b) in a.report.trace.iter().zip(&b.report.trace) {
            assert_close(*a, *b, 1e-12);
        }
        assert!((a.model.mixture.covariance(2) - b.model.mixture.covariance(2)).amax() < 1e-11);
    }
}

/// With a monotone pattern one Gaussian has a closed form (Anderson 1957): mean and variance of the complete
/// column, and the regression of the other one on it.
#[test]
fn a_monotone_pattern_has_a_closed_form() {
    let x = [0.3, 1.7, -0.4, 2.2, 0.9, 3.1, -1.0, 1.1];
    let y = [1.0, 2.9, 0.1, 4.1, 2.2];
    let rows = DMatrix::from_fn(8, 2, |i, j| if j == 0 { x[i] } else { *y.get(i).unwrap_or(&NAN) });
    let data = Observations::with_missing(&rows).unwrap();
    let careful = GaussianMixtureOptions {
        em: EmOptions { tolerance: 1e-16, max_iterations: 5000, ..EmOptions::default() },
        ..GaussianMixtureOptions::default()
    };
    let begin = start(CovarianceKind::Full, &DMatrix::zeros(1, 2), 1.0);
    let fitted = GaussianMixtureProblem::new(&data, careful).unwrap().fit(begin, &mut Silent).unwrap();
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (mx, mx5, my) = (mean(&x), mean(&x[..5]), mean(&y));
    let vx = x.iter().map(|x| (x - mx).powi(2)).sum::<f64>() / 8.0;
    let sxx: f64 = x[..5].iter().map(|x| (x - mx5).powi(2)).sum();
    let slope = x.iter().zip(&y).map(|(x, y)| (x - mx5) * (y - my)).sum::<f64>() / sxx;
    let rest = x.iter().zip(&y).map(|(x, y)| (y - my - slope * (x - mx5)).powi(2)).sum::<f64>() / 5.0;
    let mixture = &fitted.model.mixture;
    assert_within(mixture.means()[0], mx, 1e-10);
    assert_within(mixture.means()[1], my + slope * (mx - mx5), 1e-6);
    assert_within(mixture.covariance(0)[(0, 0)], vx, 1e-10);
    assert_within(mixture.covariance(0)[(0, 1)], slope * vx, 1e-6);
    assert_within(mixture.covariance(0)[(1, 1)], rest + slope * slope * vx, 1e-6);
    let one = |i: usize| {
        if i < 5 {
            Gaussian::new(mixture.means().transpose().as_slice(), &mixture.covariance(0))
                .unwrap()
                .ln_pdf(&[x[i], y[i]])
        } else {
            Gaussian::new(&[mixture.means()[0]], &DMatrix::from_element(1, 1, vx)).unwrap().ln_pdf(&[x[i]])
        }
    };
    assert_close(*fitted.report.trace.last().unwrap(), (0..8).map(one).sum(), 1e-9);
}

#[test]
fn restarts_work_with_gaps_and_empty_columns_are_refused() {
    let mut values = clouds(60, 2, 8);
    (0..60).step_by(7).for_each(|i| values[(i, i % 2)] = NAN);
    let data = Observations::with_missing(&values).unwrap();
    let problem = GaussianMixtureProblem::new(&data, GaussianMixtureOptions::default()).unwrap();
    let best = problem.fit_best(3, 3, 4).unwrap();
    assert!(best.best.report.falls.is_empty() && best.best.model.mixture.labels(&data).unwrap().len() == 60);
    let empty = Observations::with_missing(&DMatrix::from_row_slice(2, 2, &[1.0, NAN, 2.0, NAN])).unwrap();
    assert!(GaussianMixtureProblem::new(&empty, GaussianMixtureOptions::default()).is_err());
}
