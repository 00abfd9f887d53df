//! A level that wanders, seen through noise: variances from data, a saved model, and a forecast.
//!
//! `cargo run -p posterior-kalman --features serde --example forecast_a_river`
#![expect(clippy::panic_in_result_fn, reason = "the example checks what it reads back")]

use posterior_kalman::learning::{MarginalTarget, MaximizeOptions, fit};
use posterior_kalman::math::iteration::Silent;
use posterior_kalman::structural::{SeriesComponent, Structural};
use posterior_kalman::{FilterOptions, Series, StateSpace, filter, forecast};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The Nile at Aswan, 1871 to 1890, in 10⁸ m³ a year; one year is made missing.
    let flow = [
        1120.0, 1160.0, 963.0, 1210.0, 1160.0, 1160.0, 813.0, 1230.0, 1370.0, 1140.0, //
        995.0, 935.0, 1110.0, 994.0, 1020.0, 960.0, 1180.0, 799.0, 958.0, 1140.0,
    ];
    let mut flow = flow.map(Some);
    flow[6] = None;
    let series = [Series::univariate_with_missing(&flow)?];

    let model = Structural::new(vec![SeriesComponent::local_level(1000.0)?], 15_000.0)?;
    let likelihood = MarginalTarget::new(&model, &series)?;
    let fitted = fit(&likelihood, &MaximizeOptions::default(), &mut Silent)?;
    for parameter in &fitted.model.parameters {
        println!("{} = {:.0}", parameter.name, parameter.value);
    }

    // The fitted model is a state space; it is read back to the same bits.
    let saved = serde_json::to_string(&fitted.model.model)?;
    let read: StateSpace = serde_json::from_str(&saved)?;
    assert_eq!(read, fitted.model.model);

    let filtered = filter(&read, &series[0], &FilterOptions::default())?;
    let smoothed = filtered.smooth(&read)?;
    println!("the missing year: {:.0}", smoothed.mean(6)[0]);
    for (ahead, flow) in forecast(&read, &filtered, 3)?.observations.iter().enumerate() {
        println!("{}: {:.0}, sd {:.0}", 1891 + ahead, flow.mean()[0], flow.covariance()[(0, 0)].sqrt());
    }
    Ok(())
}
