//! ARIMA models: dense likelihoods at 30 digits, fits of R's manual, forecasts with their coverage.

use posterior_datasets::series;
use posterior_kalman::learning::{FittedParameters, MarginalTarget, MaximizeOptions, fit};
use posterior_kalman::simulation::simulate;
use posterior_kalman::structural::{ArimaOrder, SeriesComponent, Structural};
use posterior_kalman::{FilterOptions, Initial, Series, filter, forecast, ln_likelihood};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::special::LN_TAU;
use rand::SeedableRng;
use rand_pcg::Pcg64;

const Y: [f64; 20] =
    [1.2, 0.7, 1.9, 2.8, 2.1, 3.3, 4.6, 4.1, 5.2, 5.0, 6.4, 7.1, 6.6, 8.3, 9.1, 8.8, 10.2, 11.5, 11.1, 12.7];

/// Monthly accidental deaths in the USA, 1973 to 1978: `USAccDeaths` of R.
const DEATHS: [f64; 72] = [
    9007.0, 8106.0, 8928.0, 9137.0, 10017.0, 10826.0, 11317.0, 10744.0, 9713.0, 9938.0, 9161.0, 8927.0,
    7750.0, 6981.0, 8038.0, 8422.0, 8714.0, 9512.0, 10120.0, 9823.0, 8743.0, 9129.0, 8710.0, 8680.0, 8162.0,
    7306.0, 8124.0, 7870.0, 9387.0, 9556.0, 10093.0, 9620.0, 8285.0, 8466.0, 8160.0, 8034.0, 7717.0, 7461.0,
    7767.0, 7925.0, 8623.0, 8945.0, 10078.0, 9179.0, 8037.0, 8488.0, 7874.0, 8647.0, 7792.0, 6957.0, 7726.0,
    8106.0, 8890.0, 9299.0, 10625.0, 9302.0, 8314.0, 8850.0, 8265.0, 8796.0, 7836.0, 6892.0, 7791.0, 8192.0,
    9115.0, 9434.0, 10484.0, 9827.0, 9110.0, 9070.0, 8633.0, 9240.0,
];

fn arima(order: ArimaOrder, coefficients: [&[f64]; 4], variance: f64) -> Structural {
    let component = SeriesComponent::arima_of_coefficients(&order, coefficients, variance).unwrap();
    Structural::new(vec![component], 0.0).unwrap()
}

/// ln p of the differenced series.
fn ln_density(model: &Structural, series: &Series, lost: usize) -> f64 {
    let model = model.state_space().unwrap();
    ln_likelihood(&model, series, &FilterOptions::default()).unwrap() + 0.5 * lost as f64 * LN_TAU
}

/// The dense Gaussian density of the differenced series, of autocovariances by the ψ weights, in 40 digits
/// (mpmath); with missing values that of the differences of all others from the first of them.
#[test]
fn likelihoods_are_those_of_the_dense_gaussian() {
    let complete = Series::univariate(&Y).unwrap();
    let gaps: Vec<Option<f64>> =
        Y.iter().enumerate().map(|(t, &y)| (![0, 5, 6, 13, 19].contains(&t)).then_some(y)).collect();
    let gaps = Series::univariate_with_missing(&gaps).unwrap();
    let rising = ArimaOrder::new(2, 1, 1);
    let coefficients: [&[f64]; 4] = [&[0.5, -0.3], &[0.4], &[], &[]];
    let none: &[f64] = &[];
    for (order, coefficients, variance, series, expected) in [
        (rising, coefficients, 0.8, &complete, -38.607_170_894_576_8),
        (ArimaOrder::new(2, 2, 1), coefficients, 0.8, &complete, -78.011_632_573_053_18),
        (
            ArimaOrder::new(1, 1, 1).with_season([1, 1, 1], 4),
            [&[0.6], &[-0.4], &[0.3], &[0.5]],
            0.7,
            &complete,
            -71.391_018_663_855_9,
        ),
        (
            ArimaOrder::new(0, 0, 2).with_season([1, 1, 0], 4),
            [none, &[0.4, 0.25], &[-0.5], none],
            0.7,
            &complete,
            -68.974_056_182_448_34,
        ),
        (
            ArimaOrder::new(0, 0, 1).with_season([0, 1, 1], 4),
            [none, &[0.4], none, &[-0.5]],
            0.7,
            &complete,
            -98.875_904_092_113,
        ),
        (rising, coefficients, 0.8, &gaps, -24.080_585_287_268_564),
    ] {
        let found = ln_density(&arima(order, coefficients, variance), series, order.lost());
        assert!((found - expected).abs() < 1e-12 * expected.abs(), "{order:?} {found} {expected}");
    }
}

fn fitted(text: &str, values: &[f64]) -> (Structural, FittedParameters) {
    let model: Structural = text.parse().unwrap();
    let data = [Series::univariate(values).unwrap()];
    let likelihood = MarginalTarget::new(&model, &data).unwrap();
    let fitted = fit(&likelihood, &MaximizeOptions::default(), &mut Silent).unwrap();
    fitted.report.require_converged().unwrap();
    (model, fitted.model)
}

#[test]
fn airlines_and_accidents_have_the_fits_of_the_manual() {
    let airline: Vec<f64> = series::AIR_PASSENGERS.values.iter().map(|y| y.ln()).collect();
    for (text, values, scale, coefficients, errors, variance, ln_likelihood) in [
        (
            "arima:0,1,1,0,1,1,12(0, 0, 0.001)",
            &airline[..],
            1.0,
            [-0.4018, -0.5569],
            [0.0896, 0.0731],
            0.001348,
            244.70,
        ),
        // In thousands; R prints a variance of 99347, and -425.44 of the numbers themselves.
        (
            "arima:0,1,1,0,1,1,12",
            &DEATHS[..],
            1000.0,
            [-0.4303, -0.5528],
            [0.1228, 0.1784],
            0.099347,
            -425.44 + 59.0 * 1000_f64.ln(),
        ),
    ] {
        let values: Vec<f64> = values.iter().map(|y| y / scale).collect();
        let (model, fit) = fitted(text, &values);
        let found = model.arma_coefficients(&fit);
        assert_eq!((&*found[0].name, &*found[1].name), ("arima.ma[1]", "arima.seasonal_ma[1]"));
        for (k, own) in found.iter().enumerate() {
            assert!((own.value - coefficients[k]).abs() < 2e-4, "{} {}", own.value, coefficients[k]);
            // R's are of a Hessian by wide differences.
            let error = own.standard_error.unwrap();
            assert!((error / errors[k] - 1.0).abs() < 0.02, "{error} {}", errors[k]);
        }
        let found = fit.parameter("arima.variance").unwrap().value;
        assert!((found / variance - 1.0).abs() < 1e-3, "{found}");
        let found = fit.ln_likelihood + 6.5 * LN_TAU;
        assert!((found - ln_likelihood).abs() < 0.006, "{found} {ln_likelihood}");
    }
}

#[test]
fn coefficients_are_not_partial_autocorrelations() {
    // The manual of R: arima(lh, order = c(3, 0, 0)), here with the likelihood restricted to contrasts, so
    // that estimates differ in the order of 1 / n.
    let (model, fit) = fitted("arima-constant:3,0,0", super::autoregressions::LH.as_slice());
    let found = model.arma_coefficients(&fit);
    for (own, (value, error)) in found.iter().zip([(0.6448, 0.1394), (-0.0634, 0.1668), (-0.2198, 0.1421)]) {
        assert!((own.value - value).abs() < 0.03, "{own:?}");
        assert!((own.standard_error.unwrap() - error).abs() < 0.006, "{own:?}");
    }
    // Those of the parameters are others.
    assert!((fit.parameters[0].value - found[0].value).abs() > 0.05);
    assert!((fit.parameters[2].value - found[2].value).abs() < 1e-12);
    assert!(fit.parameters[2].standard_error.unwrap() > 0.0);
}

#[test]
fn a_constant_is_a_level_that_does_not_move() {
    let series = Series::univariate(&Y).unwrap();
    let own: Structural = "arima-constant:1,0,1(0.7, 0.2, 1.3)".parse().unwrap();
    let sum: Structural = "local-level(0) + arma:1,1(0.7, 0.2, 1.3) + noise(0)".parse().unwrap();
    let [own, sum] = [own, sum].map(|model| ln_density(&model, &series, 0));
    assert!((own - sum).abs() < 1e-12 * sum.abs(), "{own} {sum}");
}

#[test]
fn forecasts_of_a_random_walk_with_drift_are_a_line() {
    let series = Series::univariate(&Y).unwrap();
    let model: Structural = "arima-constant:0,1,0(0.5)".parse().unwrap();
    let model = model.state_space().unwrap();
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    let ahead = forecast(&model, &filtered, 5).unwrap();
    let slope = (Y[19] - Y[0]) / 19.0;
    for (k, distribution) in ahead.observations.iter().enumerate() {
        let h = k as f64 + 1.0;
        assert!((distribution.mean()[0] - (Y[19] + h * slope)).abs() < 1e-12);
        // Of the steps, and of the drift.
        let variance = 0.5 * (h + h * h / 19.0);
        assert!((distribution.covariance()[(0, 0)] / variance - 1.0).abs() < 1e-12);
    }
}

/// The share of future values that intervals hold, of models fitted to series of 80 values of ARIMA(1, 1, 1).
/// Known parameters would give 90 %; 250 series have a standard deviation of 1.9 %, and what estimates add to
/// the errors is below 3 %.
#[test]
fn forecast_intervals_of_fits_cover() {
    let truth = arima(ArimaOrder::new(1, 1, 1), [&[0.6], &[0.3], &[], &[]], 2.0);
    let states = truth.state_space().unwrap();
    let start = states.initial().distribution();
    let known = Initial::known(start.mean().as_slice(), start.covariance()).unwrap();
    let states = states.with_initial(known).unwrap();
    let mut rng = Pcg64::seed_from_u64(11);
    let mut held = [0; 3];
    let runs = 250;
    for _ in 0..runs {
        let values = simulate(&states, 86, &mut rng).unwrap().observations;
        let all = DMatrix::from_fn(86, 1, |t, _| values.at(t)[0]);
        let seen = [Series::new(&all.rows(0, 80).into_owned()).unwrap()];
        let model: Structural = "arima:1,1,1".parse().unwrap();
        let likelihood = MarginalTarget::new(&model, &seen).unwrap();
        let fitted = fit(&likelihood, &MaximizeOptions::default(), &mut Silent).unwrap().model;
        let filtered = filter(&fitted.model, &seen[0], &FilterOptions::default()).unwrap();
        let ahead = forecast(&fitted.model, &filtered, 6).unwrap();
        for (held, h) in held.iter_mut().zip([0, 2, 5]) {
            let own = &ahead.observations[h];
            let half = 1.6448536269514722 * own.covariance()[(0, 0)].sqrt();
            *held += usize::from((all[80 + h] - own.mean()[0]).abs() <= half);
        }
    }
    for held in held {
        let coverage = f64::from(u32::try_from(held).unwrap()) / f64::from(runs);
        assert!((0.82..=0.95).contains(&coverage), "{coverage}");
    }
}

#[test]
fn orders_that_cannot_be_are_refused() {
    let refused = |order: ArimaOrder| SeriesComponent::arima(&order, 1.0).is_err();
    assert!(refused(ArimaOrder::default()));
    assert!(refused(ArimaOrder { period: 0, ..ArimaOrder::new(1, 0, 0) }));
    assert!(refused(ArimaOrder::new(1, 0, 0).with_season([1, 0, 0], 1)));
    assert!(SeriesComponent::arima(&ArimaOrder::new(0, 1, 0), f64::NAN).is_err());
    let order = ArimaOrder::new(1, 0, 0);
    assert!(SeriesComponent::arima_of_coefficients(&order, [&[1.0], &[], &[], &[]], 1.0).is_err());
    assert!(SeriesComponent::arima_of_coefficients(&order, [&[0.1, 0.2], &[], &[], &[]], 1.0).is_err());
    let irregular = arima(order, [&[0.5], &[], &[], &[]], 1.0).at_times(&[0.0, 1.0, 2.5]);
    assert!(irregular.is_err());
    for text in ["arima:1,1", "arima:1,1,1,1", "arima:0,0,0", "arima:1,0,0,1,0,0,1", "arima:1,0,1(0.5)"] {
        assert!(text.parse::<Structural>().is_err(), "{text}");
    }
}
