//! Forecasts against what came: who is confused with whom, Brier score and log loss, calibration.
//!
//! `cargo run -p posterior-evaluation --example forecasts_of_rain`

use posterior_evaluation::{Confusion, ProbabilityScores, Roc};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The probability of rain on eight days, and whether it rained.
    let said = [0.9, 0.8, 0.7, 0.2, 0.1, 0.6, 0.3, 0.05];
    let rained = [true, true, false, false, false, true, true, false];
    let (mut scores, mut confusion) = (ProbabilityScores::new(5), Confusion::new(2));
    for (&p, &rain) in said.iter().zip(&rained) {
        scores.push(&[1.0 - p, p], usize::from(rain))?;
        confusion.push(usize::from(rain), usize::from(p > 0.5))?;
    }
    println!("accuracy {:?}, recall of rain {:?}", confusion.accuracy(), confusion.recall(1));
    println!("Brier score {:?}, log loss {:?}", scores.brier(), scores.mean_ln_loss());
    if let Some(roc) = Roc::of(&said, &rained)? {
        println!("area under the ROC curve: {}", roc.area());
    }
    Ok(())
}
