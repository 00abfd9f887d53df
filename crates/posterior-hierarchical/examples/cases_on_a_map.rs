//! Cases in the 64 areas of a map: how much areas differ, how much of that is shared with their neighbours,
//! which of them are above the mean, and an area where nobody counted.
//!
//! The cases are drawn from known risks, so that intervals can be judged.
//!
//! `cargo run -p posterior-hierarchical --example cases_on_a_map`

use posterior_hierarchical::dist::rand::distr::Distribution as _;
use posterior_hierarchical::dist::stream::stream;
use posterior_hierarchical::dist::{Normal, Poisson};
use posterior_hierarchical::{
    Bym2, FamilyResponse, HierarchicalModel, HierarchicalOptions, LatentMarginal, PlaceEffect as _,
};

/// Areas along each side of the map.
const SIDE: usize = 8;
/// Cases that are expected in each.
const EXPECTED: f64 = 40.0;
/// The area without a count.
const MISSING: usize = 3 * SIDE + 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = stream(1, &[]);
    let beside = |area: usize| {
        let (row, column) = (area / SIDE, area % SIDE);
        let rows = [row.checked_sub(1), Some(row + 1)].map(|row| (row, Some(column)));
        let columns = [column.checked_sub(1), Some(column + 1)].map(|column| (Some(row), column));
        let places = rows.into_iter().chain(columns).filter_map(|(row, column)| Some((row?, column?)));
        places.filter(|(row, column)| *row < SIDE && *column < SIDE).map(|(row, column)| row * SIDE + column)
    };
    let neighbours: Vec<Vec<usize>> = (0..SIDE * SIDE).map(|area| beside(area).collect()).collect();

    // Risks rise to the middle of the map, and each area has something of its own.
    let own = Normal::mean_sd(0.0, 0.15)?;
    let from_middle = |place: usize| (place as f64 - 3.5) / 3.5;
    let truth: Vec<f64> = (0..SIDE * SIDE)
        .map(|area| {
            let distance = from_middle(area / SIDE).hypot(from_middle(area % SIDE));
            0.6 - 0.9 * distance + own.sample(&mut rng)
        })
        .collect();
    let mut cases = Vec::new();
    for risk in &truth {
        let count: u64 = Poisson::new(EXPECTED * risk.exp())?.sample(&mut rng);
        cases.push(count as f64);
    }
    cases[MISSING] = f64::NAN;

    let areas: Vec<usize> = (0..SIDE * SIDE).collect();
    let model = HierarchicalModel::with_missing(FamilyResponse::poisson(), &cases)?
        .offset(&[EXPECTED.ln(); SIDE * SIDE])?
        .intercept()?
        .effect(Bym2::new("area", &neighbours)?.at(&areas)?)?;
    let fit = model.fit(&HierarchicalOptions::default())?;

    for name in fit.hyperparameter_names() {
        let own = fit.hyperparameter(&name)?;
        let [low, high] = own.interval(0.95);
        println!("{name}: {:.2}, 95 % from {low:.2} to {high:.2}", own.mean());
    }
    // ln of the risks: the predictors without their offsets.
    let risks = fit.predictors();
    let ratio = |own: &LatentMarginal| own.expectation(|eta| (eta - EXPECTED.ln()).exp());
    for row in risks.chunks(SIDE) {
        let row: Vec<String> = row.iter().map(|own| format!("{:.2}", ratio(own))).collect();
        println!("{}", row.join(" "));
    }
    let above = risks.iter().filter(|own| own.cdf(EXPECTED.ln()) < 0.05).count();
    println!("above 1 with a probability of 95 %: {above} areas");
    let inside = |(own, truth): &(&LatentMarginal, &f64)| {
        let [low, high] = own.interval(0.9).map(|end| end - EXPECTED.ln());
        (low..high).contains(*truth)
    };
    let found = risks.iter().zip(&truth).filter(inside).count();
    println!("intervals of 90 % that hold the true risk: {found} of {}", SIDE * SIDE);
    let [low, high] = risks[MISSING].interval(0.9).map(|end| (end - EXPECTED.ln()).exp());
    println!("nobody counted: {low:.2} to {high:.2}, and it is {:.2}", truth[MISSING].exp());
    Ok(())
}
