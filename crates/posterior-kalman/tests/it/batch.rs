//! Many series of one model against each of them alone.

use posterior_kalman::{CovarianceForm, FilterOptions, Series, batch, filter, ln_likelihood};
use posterior_math::linalg::DMatrix;

use crate::random_model::{Shape, random_model};

/// Series of several lengths, in some of which something is missing.
fn many(shape: Shape) -> Vec<Series> {
    (0..21)
        .map(|k| {
            let length = if k % 5 == 4 { shape.length - 3 } else { shape.length };
            let (_, series) = random_model(Shape { length, missing: 0.0, ..shape }, 100 + k);
            let hidden = |i: usize, j: usize| k % 3 == 1 && (i + j) % 4 == 2;
            let value = |i: usize, j: usize| if hidden(i, j) { f64::NAN } else { series.at(i)[j] };
            Series::with_missing(&DMatrix::from_fn(length, shape.width, value)).unwrap()
        })
        .collect()
}

/// To the last bit, so that neither neighbours nor threads count.
#[test]
fn each_series_has_the_numbers_it_has_alone() {
    for (states, width, varying, diffuse) in
        [(1, 1, false, 0), (2, 1, false, 2), (4, 2, true, 0), (6, 3, false, 1), (3, 4, true, 3)]
    {
        let shape = Shape { states, width, length: 40, noises: states, diffuse, varying, missing: 0.0 };
        let (model, _) = random_model(shape, 1);
        let series = many(shape);
        for form in [CovarianceForm::SquareRoot, CovarianceForm::Joseph] {
            let options = FilterOptions { form, ..FilterOptions::default() };
            let filtered = batch::filter(&model, &series, &options).unwrap();
            let smoothed = batch::smooth(&model, &filtered).unwrap();
            let ln_likelihoods = batch::ln_likelihoods(&model, &series, &options).unwrap();
            assert_eq!((filtered.len(), smoothed.len(), ln_likelihoods.len()), (21, 21, 21));
            for (k, one) in series.iter().enumerate() {
                let alone = filter(&model, one, &options).unwrap();
                assert_eq!(ln_likelihoods[k], ln_likelihood(&model, one, &options).unwrap());
                assert_eq!(ln_likelihoods[k], alone.ln_likelihood());
                let smooth = alone.smooth(&model).unwrap();
                for t in 0..one.len() {
                    assert_eq!(filtered[k].mean(t), alone.mean(t));
                    assert_eq!(filtered[k].covariance(t), alone.covariance(t));
                    assert_eq!(smoothed[k].mean(t), smooth.mean(t));
                    assert_eq!(smoothed[k].covariance(t), smooth.covariance(t));
                }
            }
        }
    }
}

#[test]
fn no_series_and_unfit_series() {
    let shape = Shape { states: 2, width: 1, length: 5, noises: 2, diffuse: 0, varying: true, missing: 0.0 };
    let (model, series) = random_model(shape, 2);
    assert!(batch::filter(&model, &[], &FilterOptions::default()).unwrap().is_empty());
    let long = Series::univariate(&[0.0; 6]).unwrap();
    assert!(batch::filter(&model, &[series, long], &FilterOptions::default()).is_err());
}
