//! The embedded time series against their source files, when these are beside the checkout.

use posterior_datasets::series::{AIR_PASSENGERS, CO2, NILE, TimeSeries};
use posterior_testkit::shared::shared_file;

#[test]
fn the_figures_are_those_of_the_sources() {
    for (series, file) in
        [(CO2, "co2_monthly.csv"), (NILE, "nile.csv"), (AIR_PASSENGERS, "airpassengers.csv")]
    {
        let path = format!("data/timeseries/{file}");
        let Some(path) = shared_file("the_figures_are_those_of_the_sources", &path) else { return };
        compare(&series, &std::fs::read_to_string(path).unwrap());
    }
}

/// The source has times to six digits.
fn compare(series: &TimeSeries, source: &str) {
    let rows: Vec<(f64, f64)> = source
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap())
        .map(|(time, value)| (time.parse().unwrap(), value.parse().unwrap()))
        .collect();
    assert_eq!(rows.len(), series.values.len(), "{}", series.title);
    for ((own, value), (time, expected)) in series.times().zip(series.values).zip(rows) {
        assert!((own - time).abs() < 1e-6, "{}: {own}", series.title);
        assert_eq!(*value, expected, "{} at {time}", series.title);
    }
}

#[test]
fn sums_are_the_known_ones() {
    // The mean of the Nile's flow is printed in every book that uses it.
    assert_eq!(NILE.values.iter().sum::<f64>(), 91_935.0);
    assert_eq!(AIR_PASSENGERS.values.iter().sum::<f64>(), 40_363.0);
    assert_eq!((CO2.values.len(), CO2.values[467]), (468, 364.34));
}
