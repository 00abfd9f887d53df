//! The average over the scale of the coefficients: against least squares, against a dense formula, and by
//! coverage.

use posterior_dist::stream::stream;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::special::{ln_beta, ln_gamma};
use posterior_regression::linear::{
    CoefficientScale, LinearData, NoisePrior, WeightPrior, averaged, averaged_with, unknown_noise,
};
use rand::Rng;
use rand::distr::Distribution;
use rand_distr::StandardNormal;

fn normal<R: Rng>(rng: &mut R) -> f64 {
    StandardNormal.sample(rng)
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|j| format!("x{j}")).collect()
}

/// Rows of p columns with this correlation, coefficients times x plus noise.
fn rows<R: Rng>(
    count: usize,
    slopes: &[f64],
    correlation: f64,
    noise: f64,
    rng: &mut R,
) -> (DMatrix<f64>, Vec<f64>) {
    let mut design = DMatrix::zeros(count, slopes.len());
    let mut y = Vec::new();
    for mut row in design.row_iter_mut() {
        let common = normal(rng);
        let mut sum = 0.0;
        for (x, slope) in row.iter_mut().zip(slopes) {
            *x = (1.0 - correlation).sqrt() * normal(rng) + correlation.sqrt() * common;
            sum += slope * *x;
        }
        y.push(sum + noise * normal(rng));
    }
    (design, y)
}

#[test]
fn a_wide_scale_is_least_squares_with_its_degrees_of_freedom() {
    let mut rng = stream(1, &[]);
    for (count, columns) in [(12, 2), (9, 6), (20, 18)] {
        let slopes: Vec<f64> = (0..columns).map(|_| normal(&mut rng)).collect();
        let (design, y) = rows(count, &slopes, 0.0, 0.5, &mut rng);
        let posterior = averaged(&design, &y, CoefficientScale::Given(1e6)).unwrap();
        let with_ones = design.clone().insert_column(0, 1.0);
        let data = LinearData::new(&with_ones, &y).unwrap();
        let flat = unknown_noise(&data, &WeightPrior::flat(columns + 1), NoisePrior::flat_ln()).unwrap();
        assert_eq!(flat.degrees_of_freedom(), (count - columns - 1) as f64);
        let found = posterior.coefficients(&names(columns)).unwrap();
        for (found, expected) in found.iter().zip(flat.coefficients().unwrap()) {
            let width = expected.q95 - expected.q05;
            for (found, expected) in [(found.q05, expected.q05), (found.q95, expected.q95)] {
                assert!((found - expected).abs() < 1e-4 * width, "{count} {columns} {found} {expected}");
            }
        }
        // Leave-one-out needs a degree of freedom more.
        if count > columns + 2 {
            let found = posterior.leave_one_out(&design, &y).unwrap();
            let expected = flat.leave_one_out(&data).unwrap();
            for (row, found) in found.iter().enumerate() {
                let distribution = expected.distribution(row).unwrap();
                for x in [-1.0, 0.0, 2.0].map(|z| expected.location[row] + z * expected.scale[row]) {
                    let p = posterior_dist::Univariate::cdf(&distribution, x);
                    assert!((found.cdf(x) - p).abs() < 1e-4, "{row} {x} {} {p}", found.cdf(x));
                }
            }
        }
    }
}

#[test]
fn the_evidence_is_the_integral_of_the_dense_formula() {
    let mut rng = stream(2, &[]);
    let (design, y) = rows(7, &[0.7, -0.2, 0.1], 0.3, 1.0, &mut rng);
    let (n, p) = (7.0, 3.0);
    let mut standard = design.clone();
    for mut column in standard.column_iter_mut() {
        let (mean, sd) = (column.mean(), (column.variance() * n / (n - 1.0)).sqrt());
        column.iter_mut().for_each(|x| *x = (*x - mean) / sd);
    }
    let mean = y.iter().sum::<f64>() / n;
    let residual = DVector::from_iterator(7, y.iter().map(|y| y - mean));
    let given = |ratio: f64| {
        let covariance = DMatrix::identity(7, 7) + &standard * standard.transpose() * ratio;
        let factor = Cholesky::new(&covariance).unwrap();
        let rest = factor.quadratic_form(&residual);
        ln_gamma(3.0)
            - 3.0 * (std::f64::consts::PI * rest).ln()
            - 0.5 * n.ln()
            - 0.5 * factor.ln_determinant()
    };
    // λ by its logarithm, in steps of 0.01.
    let mut integral = 0.0;
    for step in -1500..=1200 {
        let ln = 0.01 * f64::from(step);
        let ratio = (2.0 * ln).exp();
        let g = p * ratio;
        let prior = 2_f64.ln() + g.ln() - 1.25 * g.ln_1p() - ln_beta(1.0, 0.25);
        integral += 0.01 * (given(ratio) + prior).exp();
    }
    let posterior = averaged(&design, &y, CoefficientScale::Averaged).unwrap();
    let error = posterior.ln_evidence().unwrap() - f64::ln(integral);
    assert!(error.abs() < 1e-4, "{error}");
}

#[test]
fn no_unit_matters_and_no_noise_is_too_small() {
    let mut rng = stream(3, &[]);
    let (design, y) = rows(20, &[2.0], 0.0, 0.001, &mut rng);
    let y: Vec<f64> = y.iter().map(|y| 3.0 + y).collect();
    let posterior = averaged(&design, &y, CoefficientScale::Averaged).unwrap();
    assert!((0.0007..0.0014).contains(&posterior.noise_sd()), "{}", posterior.noise_sd());
    let [intercept, slope] = &posterior.coefficients(&names(1)).unwrap()[..] else { unreachable!() };
    assert!(intercept.q05 < 3.0 && 3.0 < intercept.q95 && slope.q05 < 2.0 && 2.0 < slope.q95);

    // An outcome in another unit, far from zero; a feature in another unit.
    let far: Vec<f64> = y.iter().map(|y| 1e6 + 1e3 * y).collect();
    let there = averaged(&(design.clone() * 1e-4), &far, CoefficientScale::Averaged).unwrap();
    let own = &there.coefficients(&names(1)).unwrap()[1];
    assert!((own.sd / slope.sd * 1e-7 - 1.0).abs() < 1e-5, "{} {}", own.sd, slope.sd);
    assert!((there.noise_sd() / posterior.noise_sd() * 1e-3 - 1.0).abs() < 1e-5);
    assert!((there.prior_sd() / posterior.prior_sd() - 1.0).abs() < 1e-5);
}

#[test]
fn more_columns_than_rows_cost_what_the_rows_cost() {
    let mut rng = stream(4, &[]);
    let (design, y) = rows(3, &vec![0.01; 20_000], 0.0, 1.0, &mut rng);
    let posterior = averaged(&design, &y, CoefficientScale::Averaged).unwrap();
    assert!(posterior.is_saturated());
    let new = posterior.predict(&design.rows(0, 1).into_owned()).unwrap();
    assert!(new[0].cdf(y[0]) > 0.01 && new[0].cdf(y[0]) < 0.99);

    // One column twice is one column of √2 times the scale: the route over the rows, and the one over the
    // columns.
    let (few, y) = rows(6, &[1.0, 0.5, -1.0], 0.0, 1.0, &mut rng);
    let twice = DMatrix::from_fn(6, 6, |i, j| few[(i, j % 3)]);
    let [few, twice] = [(&few, 2_f64.sqrt()), (&twice, 1.0)].map(|(design, scale)| {
        let posterior = averaged(design, &y, CoefficientScale::Given(scale)).unwrap();
        posterior.predict(design).unwrap()
    });
    for (few, twice) in few.iter().zip(&twice) {
        assert!((few.mean() - twice.mean()).abs() < 1e-7 && (few.sd() / twice.sd() - 1.0).abs() < 1e-7);
    }
}

#[test]
fn what_says_nothing_of_the_noise_is_refused() {
    let design = DMatrix::from_element(1, 1, 1.0);
    assert!(averaged(&design, &[1.0], CoefficientScale::Averaged).is_err());
    let design = DMatrix::from_fn(4, 1, |i, _| i as f64);
    assert!(averaged(&design, &[2.0; 4], CoefficientScale::Averaged).is_err());
    assert!(averaged(&design, &[1.0, 2.0, 3.0, 5.0], CoefficientScale::Given(0.0)).is_err());
    assert!(averaged(&design, &[1.0, 2.0, f64::NAN, 5.0], CoefficientScale::Averaged).is_err());
    // Exact points: a standard deviation of 10⁻¹⁰ of theirs stands for none.
    let exact = averaged(&design, &[1.0, 3.0, 5.0, 7.0], CoefficientScale::Averaged).unwrap();
    assert!(exact.noise_sd() < 1e-9 && exact.noise_sd() > 0.0, "{}", exact.noise_sd());
}

/// How often slopes, and new responses, are inside of their intervals of 90 %, in so many data sets.
fn coverage(
    sets: usize,
    count: usize,
    slopes: impl Fn(&mut dyn FnMut() -> f64) -> Vec<f64>,
    correlation: f64,
) -> [f64; 2] {
    let mut rng = stream(5, &[count as u64]);
    let (mut of_slopes, mut of_new) = ((0_usize, 0_usize), (0_usize, 0_usize));
    let inside = |p: f64| usize::from((0.05..=0.95).contains(&p));
    for _ in 0..sets {
        let slopes = slopes(&mut || normal(&mut rng));
        let (design, y) = rows(count, &slopes, correlation, 1.0, &mut rng);
        let posterior = averaged(&design, &y, CoefficientScale::Averaged).unwrap();
        for (own, slope) in posterior.coefficients(&names(slopes.len())).unwrap()[1..].iter().zip(&slopes) {
            of_slopes = (of_slopes.0 + usize::from(own.q05 <= *slope && *slope <= own.q95), of_slopes.1 + 1);
        }
        let (places, new) = rows(10, &slopes, correlation, 1.0, &mut rng);
        for (distribution, y) in posterior.predict(&places).unwrap().iter().zip(&new) {
            of_new = (of_new.0 + inside(distribution.cdf(*y)), of_new.1 + 1);
        }
    }
    [of_slopes, of_new].map(|(inside, all)| inside as f64 / all as f64)
}

#[test]
fn intervals_hold_what_they_say() {
    // Binomial errors of at most 0.012 (slopes of one column) and 0.011: false alarms below one in a hundred
    // runs with other seeds.
    for (sets, count, of_slopes, of_new, found) in [
        (600, 20, 0.86..0.95, 0.87..0.93, coverage(600, 20, |_| vec![0.3], 0.0)),
        (600, 50, 0.86..0.95, 0.87..0.93, coverage(600, 50, |_| vec![0.2], 0.0)),
        (600, 10, 0.86..0.95, 0.87..0.93, coverage(600, 10, |_| vec![1.0], 0.0)),
        (300, 20, 0.84..0.95, 0.86..0.95, coverage(300, 20, |z| (0..15).map(|_| 0.5 * z()).collect(), 0.0)),
        (300, 20, 0.84..0.95, 0.85..0.95, coverage(300, 20, |z| (0..18).map(|_| 0.5 * z()).collect(), 0.5)),
    ] {
        let [slopes, new] = found;
        println!("{sets} sets of {count} rows: slopes {slopes:.3}, new {new:.3}");
        assert!(of_slopes.contains(&slopes), "{sets} {count} slopes {slopes}");
        assert!(of_new.contains(&new), "{sets} {count} new {new}");
    }
}

/// Without columns it is the t distribution of textbooks, and the evidence of a normal sample.
#[test]
fn without_columns_there_is_the_mean() {
    let y = [1.2, 0.7, 2.1, 1.6, -0.4];
    let posterior = averaged(&DMatrix::zeros(5, 0), &y, CoefficientScale::Averaged).unwrap();
    let mean = 1.04;
    let squares: f64 = y.iter().map(|y| (y - mean) * (y - mean)).sum();
    let reach = 2.776_445_105_197_793_4 * (squares / 4.0).sqrt();
    let none = DMatrix::zeros(1, 0);
    let (new, of_mean) = (&posterior.predict(&none).unwrap()[0], &posterior.latent(&none).unwrap()[0]);
    assert!((new.quantile(0.975) - (mean + reach * 1.2_f64.sqrt())).abs() < 1e-12);
    assert!((of_mean.quantile(0.025) - (mean - reach * 0.2_f64.sqrt())).abs() < 1e-12);
    let expected = ln_gamma(2.0) - 2.0 * (std::f64::consts::PI * squares).ln() - 0.5 * 5_f64.ln();
    assert!((posterior.ln_evidence().unwrap() - expected).abs() < 1e-13);
    let [intercept] = &posterior.coefficients(&[]).unwrap()[..] else { panic!("one coefficient") };
    assert!((intercept.mean - mean).abs() < 1e-14 && posterior.prior_sd() == 0.0);
    assert_eq!(posterior.leave_one_out(&DMatrix::zeros(5, 0), &y).unwrap().len(), 5);
}

/// Against the conjugate posterior under flat priors, which takes weights and offsets by another route.
#[test]
fn weights_offsets_and_the_intercept_are_those_of_least_squares() {
    let mut rng = stream(8, &[]);
    let (design, y) = rows(14, &[1.0, -0.5, 0.0], 0.3, 0.5, &mut rng);
    let weights: Vec<f64> = (0..14).map(|row| [0.5, 2.0, 1.0, 0.0, 3.5][row % 5]).collect();
    let offset: Vec<f64> = (0..14).map(|row| 0.3 * f64::from(u32::try_from(row).unwrap())).collect();
    for intercept in [true, false] {
        let columns = if intercept { design.clone().insert_column(0, 1.0) } else { design.clone() };
        let with = |design| {
            let data = LinearData::new(design, &y).unwrap();
            data.with_weights(&weights).unwrap().with_offset(&offset).unwrap()
        };
        let (own, flat) = (with(&design), with(&columns));
        let expected =
            unknown_noise(&flat, &WeightPrior::flat(columns.ncols()), NoisePrior::flat_ln()).unwrap();
        let posterior = averaged_with(&own, intercept, CoefficientScale::Given(1e6)).unwrap();
        let coefficients = posterior.coefficients(&names(3)).unwrap();
        assert_eq!(coefficients.len(), columns.ncols());
        for (found, expected) in coefficients.iter().zip(expected.coefficients().unwrap()) {
            let width = expected.q95 - expected.q05;
            for (found, expected) in [(found.q05, expected.q05), (found.q95, expected.q95)] {
                assert!((found - expected).abs() < 1e-4 * width, "{intercept} {found} {expected}");
            }
        }
        let (found, expected) =
            (posterior.leave_one_out_of(&own).unwrap(), expected.leave_one_out(&flat).unwrap());
        for (row, found) in found.iter().enumerate().filter(|(row, _)| weights[*row] > 0.0) {
            let distribution = expected.distribution(row).unwrap();
            for x in [-1.0, 0.0, 2.0].map(|z| expected.location[row] + z * expected.scale[row]) {
                let p = posterior_dist::Univariate::cdf(&distribution, x);
                assert!((found.cdf(x) - p).abs() < 1e-4, "{intercept} {row} {x} {} {p}", found.cdf(x));
            }
        }
        // The unit of the weights says nothing, neither of coefficients nor of the evidence: to what the
        // trapezoidal rule over the scale leaves, whose points the unit moves.
        let five: Vec<f64> = weights.iter().map(|own| 5.0 * own).collect();
        let other = own.with_weights(&five).unwrap();
        let of = |data: &LinearData<'_>| averaged_with(data, intercept, CoefficientScale::Averaged).unwrap();
        let (one, five) = (of(&own), of(&other));
        let (plain, scaled) = (one.ln_evidence().unwrap(), five.ln_evidence().unwrap());
        assert!((plain - scaled).abs() < 1e-6, "{intercept} {plain} {scaled}");
        let [one, five] = [one, five].map(|own| own.coefficients(&names(3)).unwrap()[0].mean);
        assert!((one - five).abs() < 1e-6, "{intercept} {one} {five}");
    }
}

/// A column that never changes says nothing beside an intercept about the other slopes, whatever the weights
/// of the rows; the intercept and it share one level.
#[test]
fn a_constant_column_changes_no_other_slope_with_weights() {
    let mut rng = stream(10, &[]);
    let (design, y) = rows(14, &[1.0], 0.3, 0.5, &mut rng);
    let weights: Vec<f64> = (0..14).map(|row| [0.7, 2.3, 1.1][row % 3]).collect();
    let with = design.clone().insert_column(1, 0.1);
    let slope = |design: &DMatrix<f64>| {
        let data = LinearData::new(design, &y).unwrap().with_weights(&weights).unwrap();
        let posterior = averaged_with(&data, true, CoefficientScale::Given(1.0)).unwrap();
        let all = posterior.coefficients(&names(design.ncols())).unwrap();
        all.into_iter().find(|own| own.name == "x0").unwrap()
    };
    let (plain, more) = (slope(&design), slope(&with));
    assert!((plain.mean - more.mean).abs() < 1e-9 && (plain.sd - more.sd).abs() < 1e-9, "{plain:?} {more:?}");
}

/// With as much data as make it known: slopes of 1 and 2 of independent standard columns and noise of 3
/// explain 5/14 of the variance.
#[test]
fn the_explained_proportion_of_variance_is_that_of_the_truth() {
    let mut rng = stream(9, &[]);
    let (design, y) = rows(20_000, &[1.0, 2.0], 0.0, 3.0, &mut rng);
    for scale in [CoefficientScale::Averaged, CoefficientScale::Given(1.0)] {
        let draws = averaged(&design, &y, scale).unwrap().explained(500, &mut rng);
        let mean = draws.iter().sum::<f64>() / 500.0;
        assert!((mean - 5.0 / 14.0).abs() < 0.02, "{mean}");
        let spread = draws.iter().map(|own| (own - mean).powi(2)).sum::<f64>() / 499.0;
        assert!(spread.sqrt() < 0.01 && spread > 1e-6, "{spread}");
    }
}
