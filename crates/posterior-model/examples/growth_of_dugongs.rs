//! Lengths of 27 dugongs by age, as a curve that rises to a limit: a misspelt program and what is said of it,
//! the mode of the right one, the gradient there, and which parameters are normal given the others.
//!
//! The lengths are of D. A. Ratkowsky, Nonlinear Regression Modeling (1983).
//!
//! `cargo run -p posterior-model --example growth_of_dugongs`

use posterior_model::dist::target::GradTarget as _;
use posterior_model::math::iteration::Silent;
use posterior_model::math::optimize::LbfgsOptions;
use posterior_model::{StanData, StanModel};

const PROGRAM: &str = "
data { int N; vector[N] age; vector[N] length; }
parameters { real limit; real gap; real<lower=0, upper=1> rate; real<lower=0> sd; }
model {
  limit ~ normal(0, 10);
  gap ~ normal(0, 10);
  sd ~ normal(0, 1);
  for (n in 1:N) length[n] ~ normal(limit - gap * rate ^ age[n], sd);
}";

const AGES: [f64; 27] = [
    1.0, 1.5, 1.5, 1.5, 2.5, 4.0, 5.0, 5.0, 7.0, 8.0, 8.5, 9.0, 9.5, 9.5, 10.0, 12.0, 12.0, 13.0, 13.0, 14.5,
    15.5, 15.5, 16.5, 17.0, 22.5, 29.0, 31.5,
];
const LENGTHS: [f64; 27] = [
    1.80, 1.85, 1.87, 1.77, 2.02, 2.27, 2.15, 2.26, 2.47, 2.19, 2.26, 2.40, 2.39, 2.41, 2.50, 2.32, 2.32,
    2.43, 2.47, 2.56, 2.65, 2.47, 2.64, 2.56, 2.70, 2.72, 2.57,
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Err(findings) = StanModel::parse(&PROGRAM.replace("sd ~ normal", "sd ~ norml")) {
        println!("{findings}");
    }

    let model = StanModel::parse(PROGRAM)?;
    let mut data = StanData::default();
    data.insert_json("N", "27")?;
    data.insert_numbers("age", &AGES)?;
    data.insert_numbers("length", &LENGTHS)?;
    let posterior = model.with_values(&data, 1)?;

    let start = posterior.starts(&StanData::default(), 1, 0.5, 1)?.remove(0);
    let found = posterior.maximize(false, &start, &LbfgsOptions::default(), &mut Silent)?;
    println!("The mode, after {} gradients:", found.model.gradients);
    let values = posterior.values(&found.model.point, false, None)?;
    for (name, value) in posterior.names(false, false)?.iter().zip(values) {
        println!("  {name:<5} {value:.4}");
    }

    // The density of the unconstrained coordinates, with the Jacobian of the constraints, is not flat there.
    let mut gradient = vec![0.0; start.len()];
    let ln_density = posterior.ln_density_grad(&found.model.point, &mut gradient)?;
    println!("ln of the density of the coordinates there {ln_density:.3}, its gradient {gradient:.2?}");

    let normal: Vec<String> = posterior.gaussian_parameters().into_iter().map(|own| own.name).collect();
    println!("Normal given the others, and so to be integrated out: {}", normal.join(", "));
    Ok(())
}
