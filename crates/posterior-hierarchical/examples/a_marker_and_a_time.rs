//! A joint model: a marker that is measured with errors at four visits of each patient, and a time to an
//! illness that depends on the patient's own level of it.
//!
//! The data are drawn with an association of -0.8: a patient whose level is higher by 1 falls ill in e^-0.8
//! of the time. The mean of the visits in place of the level, errors and all, has too weak an association.
//!
//! `cargo run -p posterior-hierarchical --example a_marker_and_a_time`

use posterior_hierarchical::dist::rand::distr::Distribution as _;
use posterior_hierarchical::dist::stream::stream;
use posterior_hierarchical::dist::{Normal, Weibull};
use posterior_hierarchical::{
    FamilyResponse, FieldEffect, HierarchicalModel, HierarchicalOptions, PlaceEffect as _, SurvivalResponse,
};

const PATIENTS: usize = 200;
const VISITS: usize = 4;
const ASSOCIATION: f64 = -0.8;
/// Whoever is well after so many years is not followed any longer.
const END: f64 = 12.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = stream(1, &[]);
    let (levels, errors) = (Normal::mean_sd(0.0, 1.0)?, Normal::mean_sd(0.0, 1.5)?);
    let (mut marker, mut patients, mut means) = (Vec::new(), Vec::new(), Vec::new());
    let (mut times, mut fell_ill) = (Vec::new(), Vec::new());
    for patient in 0..PATIENTS {
        let level = levels.sample(&mut rng);
        let visits: Vec<f64> = errors.sample_iter(&mut rng).take(VISITS).map(|error| level + error).collect();
        means.push(visits.iter().sum::<f64>() / VISITS as f64);
        marker.extend(visits);
        patients.extend([patient; VISITS]);
        let time = Weibull::new(1.5, (2.0 + ASSOCIATION * level).exp())?.sample(&mut rng);
        times.push(time.min(END));
        fell_ill.push(time < END);
    }
    let y = SurvivalResponse::responses(&times, &fell_ill)?;

    let alone = HierarchicalModel::new(SurvivalResponse::weibull(), &y)?
        .intercept()?
        .column("mean of the visits", &means)?;
    let fit = alone.fit(&HierarchicalOptions::default())?;
    let own = fit.fixed("mean of the visits")?;
    let [low, high] = own.interval(0.95);
    println!("by the mean of the visits: {:.2}, 95 % from {low:.2} to {high:.2}", own.mean());

    let each: Vec<(usize, usize, f64)> = (0..PATIENTS).map(|patient| (patient, patient, 1.0)).collect();
    let joint = HierarchicalModel::new(FamilyResponse::gaussian(1.0)?, &marker)?
        .intercept()?
        .effect(FieldEffect::groups("level", PATIENTS)?.at(&patients)?)?
        .and("illness", SurvivalResponse::weibull(), &y)?
        .column_of("illness", "ln time", &[1.0; PATIENTS])?
        .copy_of("illness", "level", "association", &each)?;
    let fit = joint.fit(&HierarchicalOptions::default())?;
    println!("by the level itself, and {ASSOCIATION} is true:");
    for name in fit.hyperparameter_names() {
        let own = fit.hyperparameter(&name)?;
        let [low, high] = own.interval(0.95);
        println!("  {name}: {:.2}, 95 % from {low:.2} to {high:.2}", own.mean());
    }
    Ok(())
}
