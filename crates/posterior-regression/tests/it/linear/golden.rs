//! Numbers that were computed elsewhere.

use posterior_math::linalg::DMatrix;
use posterior_regression::linear::{LinearData, PosteriorForm, WeightPrior, known_noise, known_noise_by};

use super::close;

/// y = w₀ + w₁ x at x = 0..3 with noise of variance 0.25 and the prior N(0, I): a table of twelve digits,
/// made with exact fractions.
#[test]
fn a_line_through_four_points() {
    let design = DMatrix::from_row_slice(4, 2, &[1.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0, 3.0]);
    let data = LinearData::new(&design, &[1.0, 2.9, 5.2, 6.8]).unwrap();
    let prior = WeightPrior::isotropic(2, 1.0).unwrap();
    for form in [PosteriorForm::Precision, PosteriorForm::SquareRoot, PosteriorForm::Gain] {
        let posterior = known_noise_by(form, &data, &prior, 0.25).unwrap();
        close(posterior.mean()[0], 0.992366412214, 1e-12);
        close(posterior.mean()[1], 1.947073791349, 1e-12);
        let covariance = posterior.covariance();
        close(covariance[(0, 0)], 0.145038167939, 1e-12);
        close(covariance[(0, 1)], -0.061068702290, 1e-12);
        close(covariance[(1, 1)], 0.043256997455, 1e-12);
        close(posterior.ln_evidence().unwrap(), -6.480044771220932, 1e-14);
        close(posterior.effective_parameters(), 1.8117048346056, 1e-13);
        let at = posterior.predict(&DMatrix::from_row_slice(1, 2, &[1.0, 4.0])).unwrap();
        close(at.mean[0], 8.780661577608141, 1e-14);
        close(at.variance[0] - 0.25, 0.3486005089058525, 1e-13);
    }
    let least_squares = known_noise(&data, &WeightPrior::flat(2), 0.25).unwrap();
    close(least_squares.mean()[0], 1.02, 1e-14);
    close(least_squares.mean()[1], 1.97, 1e-14);
    assert_eq!(least_squares.ln_evidence(), None);
    close(least_squares.effective_parameters(), 2.0, 1e-15);
}

/// NIST's Longley data set, whose columns are nearly collinear, against its certified 15 digits.
#[test]
fn the_certified_coefficients_of_longley() {
    let rows = [
        [60323.0, 83.0, 234289.0, 2356.0, 1590.0, 107608.0, 1947.0],
        [61122.0, 88.5, 259426.0, 2325.0, 1456.0, 108632.0, 1948.0],
        [60171.0, 88.2, 258054.0, 3682.0, 1616.0, 109773.0, 1949.0],
        [61187.0, 89.5, 284599.0, 3351.0, 1650.0, 110929.0, 1950.0],
        [63221.0, 96.2, 328975.0, 2099.0, 3099.0, 112075.0, 1951.0],
        [63639.0, 98.1, 346999.0, 1932.0, 3594.0, 113270.0, 1952.0],
        [64989.0, 99.0, 365385.0, 1870.0, 3547.0, 115094.0, 1953.0],
        [63761.0, 100.0, 363112.0, 3578.0, 3350.0, 116219.0, 1954.0],
        [66019.0, 101.2, 397469.0, 2904.0, 3048.0, 117388.0, 1955.0],
        [67857.0, 104.6, 419180.0, 2822.0, 2857.0, 118734.0, 1956.0],
        [68169.0, 108.4, 442769.0, 2936.0, 2798.0, 120445.0, 1957.0],
        [66513.0, 110.8, 444546.0, 4681.0, 2637.0, 121950.0, 1958.0],
        [68655.0, 112.6, 482704.0, 3813.0, 2552.0, 123366.0, 1959.0],
        [69564.0, 114.2, 502601.0, 3931.0, 2514.0, 125368.0, 1960.0],
        [69331.0, 115.7, 518173.0, 4806.0, 2572.0, 127852.0, 1961.0],
        [70551.0, 116.9, 554894.0, 4007.0, 2827.0, 130081.0, 1962.0],
    ];
    let certified = [
        -3482258.63459582,
        15.0618722713733,
        -0.0358191792925910,
        -2.02022980381683,
        -1.03322686717359,
        -0.0511041056535807,
        1829.15146461355,
    ];
    let design = DMatrix::from_fn(16, 7, |i, j| if j == 0 { 1.0 } else { rows[i][j] });
    let response: Vec<f64> = rows.iter().map(|row| row[0]).collect();
    let data = LinearData::new(&design, &response).unwrap();
    let fit = known_noise(&data, &WeightPrior::flat(7), 1.0).unwrap();
    assert_eq!(fit.form(), PosteriorForm::SquareRoot);
    for (found, certified) in fit.mean().iter().zip(certified) {
        // The condition of the columns, scaled to length 1, is 4e4; of the design as it is, 5e9.
        assert!((found / certified - 1.0).abs() < 1e-10, "{found} and {certified}");
    }
}

/// Normal equations with a condition of 1e11: one step of refinement gives the digits back. The oracle is the
/// orthogonal reduction, with a condition of 4e5.
#[test]
fn refinement_gives_the_digits_back() {
    let design = DMatrix::from_fn(200, 2, |i, j| if j == 0 { 1.0 } else { 300.0 + (i as f64 * 1.3).sin() });
    let response: Vec<f64> = design.column(1).iter().enumerate().map(|(i, x)| x + (i as f64).cos()).collect();
    let data = LinearData::new(&design, &response).unwrap();
    let flat = WeightPrior::flat(2);
    let normal = known_noise(&data, &flat, 1.0).unwrap();
    assert_eq!(normal.form(), PosteriorForm::Precision);
    let roots = known_noise_by(PosteriorForm::SquareRoot, &data, &flat, 1.0).unwrap();
    for (a, b) in normal.mean().iter().zip(roots.mean().iter()) {
        assert!((a / b - 1.0).abs() < 5e-11, "{a} and {b}");
    }
}
