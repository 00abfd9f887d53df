//! Survival with frailties: days until each of two kidneys of 38 patients is infected where a catheter goes
//! in, some of them not seen to the end.
//!
//! Both kidneys of a patient share what no column says. Times are longer for women.
//!
//! `cargo run -p posterior-hierarchical --example infections_of_kidneys`

use posterior_hierarchical::{
    FieldEffect, HierarchicalModel, HierarchicalOptions, NewRows, PlaceEffect as _, SurvivalResponse,
};

/// Days of both kidneys, with a minus sign where the infection was not seen (C. A. McGilchrist, C. W.
/// Aisbett, Biometrics 47, 1991).
const DAYS: [[f64; 2]; 38] = [
    [8.0, 16.0],
    [23.0, -13.0],
    [22.0, 28.0],
    [447.0, 318.0],
    [30.0, 12.0],
    [24.0, 245.0],
    [7.0, 9.0],
    [511.0, 30.0],
    [53.0, 196.0],
    [15.0, 154.0],
    [7.0, 333.0],
    [141.0, -8.0],
    [96.0, 38.0],
    [-149.0, -70.0],
    [536.0, -25.0],
    [17.0, -4.0],
    [185.0, 177.0],
    [292.0, 114.0],
    [-22.0, -159.0],
    [15.0, -108.0],
    [152.0, 562.0],
    [402.0, -24.0],
    [13.0, 66.0],
    [39.0, -46.0],
    [12.0, 40.0],
    [-113.0, 201.0],
    [132.0, 156.0],
    [34.0, 30.0],
    [2.0, 25.0],
    [130.0, 26.0],
    [27.0, 58.0],
    [-5.0, 43.0],
    [152.0, 30.0],
    [190.0, -5.0],
    [119.0, 8.0],
    [-54.0, -16.0],
    [-6.0, 78.0],
    [63.0, -8.0],
];
const MEN: [usize; 10] = [0, 2, 4, 6, 9, 15, 20, 24, 28, 37];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let patients: Vec<usize> = (0..DAYS.len()).flat_map(|patient| [patient; 2]).collect();
    let woman = |patient: &usize| if MEN.contains(patient) { 0.0 } else { 1.0 };
    let women: Vec<f64> = patients.iter().map(woman).collect();
    // A patient more, who was not there.
    let new = DAYS.len();
    let model = HierarchicalModel::new(SurvivalResponse::weibull(), DAYS.as_flattened())?
        .intercept()?
        .column("woman", &women)?
        .effect(FieldEffect::groups("patient", new + 1)?.at(&patients)?)?;
    let fit = model.fit(&HierarchicalOptions::default())?;

    let woman = fit.fixed("woman")?;
    let [low, high] = woman.interval(0.95).map(f64::exp);
    println!("times of women are {:.1} times as long, 95 % from {low:.1} to {high:.1}", woman.mean().exp());
    for name in fit.hyperparameter_names() {
        let own = fit.hyperparameter(&name)?;
        let [low, high] = own.interval(0.95);
        println!("{name}: {:.2}, 95 % from {low:.2} to {high:.2}", own.mean());
    }
    for (who, woman) in [("man", 0.0), ("woman", 1.0)] {
        let rows =
            NewRows::new(1).column("intercept", &[1.0]).column("woman", &[woman]).at("patient", &[new]);
        for predictor in fit.predict(&rows)? {
            let days = fit.new_response(&predictor)?;
            let [low, high] = days.interval(0.8);
            println!(
                "a new {who}: P(more than 100 days) = {:.2}, 80 % from {low:.0} to {high:.0} days",
                1.0 - days.cdf(100.0)
            );
        }
    }
    Ok(())
}
