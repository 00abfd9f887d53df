//! Series of the textbooks, and limits whose answers are known.

use posterior_datasets::series;
use posterior_kalman::structural::{Extracted, SeriesComponent, Structural};
use posterior_kalman::{FilterOptions, Series, filter, ln_likelihood};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};

use super::{alone, smooth};

/// Annual flow of the Nile at Aswan, 1871 to 1970, in 10⁸ m³.
const NILE: &[f64] = series::NILE.values;

fn nile() -> Structural {
    alone(SeriesComponent::local_level(1469.1).unwrap(), 15099.0)
}

#[test]
fn the_nile_has_the_likelihood_of_durbin_and_koopman() {
    let model = nile().state_space().unwrap();
    let series = Series::univariate(NILE).unwrap();
    let ln_likelihood = ln_likelihood(&model, &series, &FilterOptions::default()).unwrap();
    // Known as -632.5456; here the year that is spent on the level counts -½ ln 2π too (Durbin and Koopman
    // 2012, eq. 7.4).
    let spent = 0.5 * std::f64::consts::TAU.ln();
    assert!((ln_likelihood + spent - -632.5456251156736).abs() < 1e-9, "{ln_likelihood}");
    // The whole of it: y(1), …, y(99) minus y(0) are Gaussian.
    let n = NILE.len() - 1;
    let covariance = DMatrix::from_fn(n, n, |i, j| {
        1469.1 * (i.min(j) + 1) as f64 + 15099.0 * (1.0 + if i == j { 1.0 } else { 0.0 })
    });
    let factor = Cholesky::new(&covariance).unwrap();
    let differences = DVector::from_fn(n, |i, _| NILE[i + 1] - NILE[0]);
    let dense = -0.5
        * (factor.quadratic_form(&differences)
            + factor.ln_determinant()
            + n as f64 * std::f64::consts::TAU.ln());
    assert!((ln_likelihood + spent - dense).abs() < 1e-9, "{ln_likelihood} {dense}");
}

#[test]
fn missing_years_are_longer_steps() {
    let values: Vec<Option<f64>> = NILE
        .iter()
        .enumerate()
        .map(|(i, &flow)| (!(20..40).contains(&i) && i % 7 != 3).then_some(flow))
        .collect();
    let gaps = Series::univariate_with_missing(&values).unwrap();
    let times: Vec<f64> =
        (0..NILE.len()).filter(|&i| values[i].is_some()).map(|i| 1871.0 + i as f64).collect();
    let seen = Series::univariate(&values.iter().flatten().copied().collect::<Vec<_>>()).unwrap();
    let by_missing = smooth(&nile(), &gaps);
    let by_times = smooth(&nile().at_times(&times).unwrap(), &seen);
    assert!((by_missing.ln_likelihood() - by_times.ln_likelihood()).abs() < 1e-9);
    for (t, time) in times.iter().enumerate() {
        let i = (time - 1871.0) as usize;
        assert!((by_missing.mean(i)[0] - by_times.mean(t)[0]).abs() < 1e-9 * NILE[i]);
        assert!((by_missing.covariance(i)[(0, 0)] / by_times.covariance(t)[(0, 0)] - 1.0).abs() < 1e-11);
    }
}

#[test]
fn a_trend_that_does_not_wander_is_least_squares() {
    let series = Series::univariate(NILE).unwrap();
    let model = alone(SeriesComponent::local_linear_trend(0.0, 0.0).unwrap(), 15099.0);
    assert!(model.parameters().len() == 1, "variances of zero are no parameters");
    let smoothed = smooth(&model, &series);
    let design = DMatrix::from_fn(NILE.len(), 2, |t, j| if j == 0 { 1.0 } else { t as f64 });
    let gram = Cholesky::new(&design.tr_mul(&design)).unwrap();
    let weights = gram.solve_vector(&design.tr_mul(&DVector::from_column_slice(NILE)));
    let spread = gram.inverse() * 15099.0;
    for t in [0, 17, 99] {
        let row = DVector::from_vec(vec![1.0, t as f64]);
        assert!((smoothed.mean(t)[0] - row.dot(&weights)).abs() < 1e-8);
        assert!((smoothed.mean(t)[1] - weights[1]).abs() < 1e-10);
        assert!((smoothed.covariance(t)[(0, 0)] / row.dot(&(&spread * &row)) - 1.0).abs() < 1e-9);
        assert!((smoothed.covariance(t)[(1, 1)] / spread[(1, 1)] - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_regression_that_does_not_wander_is_recursive_least_squares() {
    let inputs = DMatrix::from_fn(30, 3, |t, j| ((t * t) as f64 * 0.3 * (j + 1) as f64 + t as f64).sin());
    let values: Vec<f64> = (0..30).map(|t| (f64::from(t) * 0.77).cos() * 2.0).collect();
    let model = alone(SeriesComponent::regression(&inputs, 0.0).unwrap(), 0.4);
    let states = model.state_space().unwrap();
    let filtered = filter(&states, &Series::univariate(&values).unwrap(), &FilterOptions::default()).unwrap();
    for seen in [5, 12, 30] {
        let design = inputs.rows(0, seen).into_owned();
        let gram = Cholesky::new(&(design.tr_mul(&design) / 0.4)).unwrap();
        let weights = gram.solve_vector(&(design.tr_mul(&DVector::from_column_slice(&values[..seen])) / 0.4));
        let spread = gram.inverse();
        for i in 0..3 {
            assert!((filtered.mean(seen - 1)[i] - weights[i]).abs() < 1e-10);
            for j in 0..3 {
                assert!(
                    (filtered.covariance(seen - 1)[(i, j)] - spread[(i, j)]).abs() < 1e-10 * spread.amax()
                );
            }
        }
    }
}

#[test]
fn components_add_up_to_the_signal() {
    let trend = SeriesComponent::local_linear_trend(100.0, 1.0).unwrap();
    let cycle = SeriesComponent::cycle(11.0, 0.8, 500.0).unwrap();
    let inputs = DMatrix::from_fn(100, 1, |t, _| if t >= 28 { 1.0 } else { 0.0 });
    let dam = SeriesComponent::regression(&inputs, 0.0).unwrap();
    let model = Structural::new(vec![trend, cycle, dam], 12000.0).unwrap();
    let smoothed = smooth(&model, &Series::univariate(NILE).unwrap());
    let parts = model.extract(&smoothed).unwrap();
    let names: Vec<&str> = parts.iter().map(Extracted::name).collect();
    assert_eq!(names, ["trend", "slope", "cycle", "regression", "coefficient[1]"]);
    let states = model.state_space().unwrap();
    for t in 0..100 {
        let signal: f64 =
            states.observation().matrix().at(t).iter().zip(smoothed.mean(t)).map(|(h, x)| h * x).sum();
        let sum = parts[0].mean()[t] + parts[2].mean()[t] + parts[3].mean()[t];
        assert!((signal - sum).abs() < 1e-10 * signal.abs());
    }
    assert_eq!(parts[4].mean()[50], smoothed.mean(50)[4]);
    assert_eq!(parts[3].variance()[0], 0.0);
    assert!((parts[3].variance()[50] / smoothed.covariance(50)[(4, 4)] - 1.0).abs() < 1e-12);
    // The dam of 1899 took away about 250.
    assert!((parts[4].mean()[0] + 250.0).abs() < 150.0, "{}", parts[4].mean()[0]);
}

#[test]
fn columns_are_series_of_their_own() {
    let rows = DMatrix::from_fn(40, 2, |t, j| NILE[t + 50 * j]);
    let both = nile().with_width(2).unwrap();
    let together = smooth(&both, &Series::new(&rows).unwrap());
    let parts = both.extract(&together).unwrap();
    let mut ln_likelihood = 0.0;
    for (j, part) in parts.iter().enumerate() {
        let alone = smooth(&nile(), &Series::univariate(&NILE[50 * j..50 * j + 40]).unwrap());
        ln_likelihood += alone.ln_likelihood();
        assert_eq!(part.column(), j);
        for (t, flow) in NILE[..40].iter().enumerate() {
            assert!((part.mean()[t] - alone.mean(t)[0]).abs() < 1e-9 * flow);
            assert!((part.variance()[t] / alone.covariance(t)[(0, 0)] - 1.0).abs() < 1e-10);
        }
    }
    assert!((together.ln_likelihood() - ln_likelihood).abs() < 1e-9);
}
