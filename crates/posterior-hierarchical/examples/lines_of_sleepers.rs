//! A line for each of six subjects: the mean line, how much subjects differ, and a subject who was not there.
//!
//! `cargo run -p posterior-hierarchical --example lines_of_sleepers`

use posterior_hierarchical::regression::formula::FormulaData;
use posterior_hierarchical::{FamilyResponse, FormulaSettings, HierarchicalFormula, HierarchicalOptions};

/// Reaction times in milliseconds on ten days with little sleep, subject by subject (Belenky and others,
/// 2003).
const REACTION: [f64; 60] = [
    249.56, 258.7047, 250.8006, 321.4398, 356.8519, 414.6901, 382.2038, 290.1486, 430.5853, 466.3535,
    222.7339, 205.2658, 202.9778, 204.707, 207.7161, 215.9618, 213.6303, 217.7272, 224.2957, 237.3142,
    199.0539, 194.3322, 234.32, 232.8416, 229.3074, 220.4579, 235.4208, 255.7511, 261.0125, 247.5153,
    321.5426, 300.4002, 283.8565, 285.133, 285.7973, 297.5855, 280.2396, 318.2613, 305.3495, 354.0487,
    287.6079, 285.0, 301.8206, 320.1153, 316.2773, 293.3187, 290.075, 334.8177, 293.7469, 371.5811, 234.8606,
    242.8118, 272.9613, 309.7688, 317.4629, 309.9976, 454.1619, 346.8311, 330.3003, 253.8644,
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let days = (0..60).map(|row| f64::from(row % 10)).collect();
    let subjects: Vec<String> = (0..60).map(|row| format!("subject {}", 1 + row / 10)).collect();
    let seen = FormulaData::new(60).with_numbers("days", days)?.with_labels("subject", &subjects)?;
    let who = ["subject 1", "a new subject"];
    let new = FormulaData::new(2).with_numbers("days", vec![9.0; 2])?.with_labels("subject", &who)?;

    let formula = "reaction ~ days + (days | subject)".parse()?;
    let settings = FormulaSettings::of_numbers(&REACTION);
    let learned = HierarchicalFormula::learn(&formula, &seen, &[&new], &settings)?;
    let model = learned.model(FamilyResponse::gaussian(settings.scale)?, &REACTION, &seen)?;
    let fit = model.fit(&HierarchicalOptions::default())?;

    for name in learned.columns() {
        let own = fit.fixed(&name)?;
        let [low, high] = own.interval(0.95);
        println!("{name}: {:.1} ms, 95 % from {low:.1} to {high:.1}", own.mean());
    }
    for name in fit.hyperparameter_names() {
        let own = fit.hyperparameter(&name)?;
        let [low, high] = own.interval(0.95);
        println!("{name}: {:.2}, 95 % from {low:.2} to {high:.2}", own.mean());
    }
    for (who, own) in who.iter().zip(fit.predict(&learned.new_rows(&new)?)?) {
        println!("{who} after nine days: {:.0} ms, sd {:.0}", own.mean(), own.sd());
    }
    Ok(())
}
