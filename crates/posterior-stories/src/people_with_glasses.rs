//! People who wear glasses: what one knows of a probability after 0, 1, 2, 5, 10, … observations.
//!
//! `cargo run --release -p posterior --example people_with_glasses`
//!
//! Six of ten people wear glasses, sixty of a hundred: the most likely share is the same, what one knows of it is not.
//! Prints the posterior as small multiples with its summaries and the evidence for a fair coin, the two samples side by
//! side, the effect of three priors, and the law of how many of the next ten people wear glasses.

use posterior::dist::{
    Bernoulli, Beta, BetaBinomial, Binomial, Conjugate, Density, Mode, Moments, Stats, Univariate,
};
use posterior::math::ParamError;

/// Ten people, six with glasses; more people come in the same order again.
const PEOPLE: [bool; 10] = [true, false, true, true, false, true, false, true, true, false];

fn main() -> Result<(), ParamError> {
    let uniform = Beta::new(1.0, 1.0)?;
    learning(&uniform)?;
    side_by_side(&uniform)?;
    priors()?;
    next_ten(&uniform)
}

/// The first n people.
fn first(n: usize) -> Result<Stats<Bernoulli>, ParamError> {
    let people: Vec<bool> = PEOPLE.iter().copied().cycle().take(n).collect();
    Stats::of((), &people)
}

/// ln of the odds of a fair coin against an unknown probability: positive if the coin explains the data better.
fn ln_fair_against(prior: &Beta, people: &Stats<Bernoulli>) -> Result<f64, ParamError> {
    Ok(people.weight() * 0.5_f64.ln() - Bernoulli::ln_evidence(prior, people)?)
}

fn learning(prior: &Beta) -> Result<(), ParamError> {
    println!("What is known of the share of people with glasses, from 0 to 1, with a uniform prior\n");
    println!(
        "{:>6} {:>5}  {:41} {:>6} {:>6}  {:^16} {:>8} {:>9}",
        "people", "with", "posterior", "mean", "sd", "95 % interval", "P(> 1/2)", "fair : ?"
    );
    for n in [0, 1, 2, 5, 10, 100, 1000] {
        let people = first(n)?;
        let posterior = Bernoulli::posterior(prior, &people)?;
        let (mean, sd) = mean_and_sd(&posterior);
        println!(
            "{n:6} {:5}  {:41} {mean:6.4} {sd:6.4}  [{:.4}, {:.4}] {:8.4} {:9.3e}",
            people.sum()[0],
            picture(&posterior, 41),
            posterior.quantile(0.025),
            posterior.upper_quantile(0.025),
            posterior.sf(0.5),
            ln_fair_against(prior, &people)?.exp(),
        );
    }
    Ok(())
}

fn side_by_side(prior: &Beta) -> Result<(), ParamError> {
    let samples = [first(10)?, first(100)?];
    let posteriors = [Bernoulli::posterior(prior, &samples[0])?, Bernoulli::posterior(prior, &samples[1])?];
    let row = |name: &str, value: &dyn Fn(&Beta) -> f64| {
        println!("{name:32} {:12.6} {:12.6}", value(&posteriors[0]), value(&posteriors[1]));
    };
    println!("\n{:32} {:>12} {:>12}", "The same share, twice", "6 of 10", "60 of 100");
    row("most probable", &|law| law.mode().unwrap_or(f64::NAN));
    row("mean", &|law| mean_and_sd(law).0);
    row("standard deviation", &|law| mean_and_sd(law).1);
    row("width of the 95 % interval", &|law| law.upper_quantile(0.025) - law.quantile(0.025));
    row("P(more than half)", &|law| law.sf(0.5));
    let [few, many] = [ln_fair_against(prior, &samples[0])?, ln_fair_against(prior, &samples[1])?];
    println!("{:32} {:12.6} {:12.6}", "fair coin against unknown", few.exp(), many.exp());
    Ok(())
}

fn priors() -> Result<(), ParamError> {
    println!("\n{:32} {:>8} {:>17} {:>17}", "Three priors: mean ± sd", "before", "6 of 10", "60 of 100");
    let priors = [
        ("uniform, Beta(1, 1)", 1.0),
        ("Jeffreys, Beta(1/2, 1/2)", 0.5),
        ("near a half, Beta(20, 20)", 20.0),
    ];
    for (name, strength) in priors {
        let prior = Beta::new(strength, strength)?;
        let few = mean_and_sd(&Bernoulli::posterior(&prior, &first(10)?)?);
        let many = mean_and_sd(&Bernoulli::posterior(&prior, &first(100)?)?);
        let before = mean_and_sd(&prior).0;
        println!("{name:32} {before:8.4} {:8.4} ± {:.4} {:8.4} ± {:.4}", few.0, few.1, many.0, many.1);
    }
    Ok(())
}

fn next_ten(prior: &Beta) -> Result<(), ParamError> {
    let posterior = Bernoulli::posterior(prior, &first(10)?)?;
    let predictive = BetaBinomial::new(10, posterior.alpha(), posterior.beta())?;
    let plugged_in = Binomial::new(10, 0.6)?;
    println!("\nHow many of the next ten, after 6 of 10    predictive    if the share were 0.6");
    for k in 0..=10_u64 {
        let (p, q) = (predictive.ln_pdf(&k).exp(), plugged_in.ln_pdf(&k).exp());
        let bar = "█".repeat((100.0 * p).round() as usize);
        println!("{k:4}  {bar:36} {p:12.6} {q:12.6}");
    }
    let sd = |variance: Option<f64>| variance.unwrap_or(f64::NAN).sqrt();
    println!(
        "standard deviation {:.4}, if the share were known {:.4}",
        sd(predictive.variance()),
        sd(plugged_in.variance())
    );
    Ok(())
}

fn mean_and_sd(law: &Beta) -> (f64, f64) {
    (law.mean().unwrap_or(f64::NAN), law.variance().unwrap_or(f64::NAN).sqrt())
}

/// The density on [0, 1] in so many cells, each as high as its probability is next to the largest.
fn picture(law: &Beta, cells: u32) -> String {
    const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let edge = |i: u32| f64::from(i) / f64::from(cells);
    let masses: Vec<f64> = (0..cells).map(|i| law.cdf(edge(i + 1)) - law.cdf(edge(i))).collect();
    let largest = masses.iter().copied().fold(0.0, f64::max);
    masses.iter().map(|mass| HEIGHTS[(8.0 * mass / largest).round() as usize]).collect()
}
