//! A cup that cools: a misspelt program and what is said of it, the mode of the right one, the gradient
//! there, and which parameters are normal given the others.
//!
//! `cargo run -p posterior-model --example cooling_cup`

use posterior_model::dist::target::GradTarget as _;
use posterior_model::math::iteration::Silent;
use posterior_model::math::optimize::LbfgsOptions;
use posterior_model::{StanData, StanModel};

const PROGRAM: &str = "
data { int N; vector[N] minutes; vector[N] degrees; }
parameters { real room; real excess; real<lower=0, upper=1> rate; real<lower=0> sd; }
model {
  room ~ normal(20, 5);
  excess ~ normal(60, 20);
  sd ~ normal(0, 2);
  for (n in 1:N) degrees[n] ~ normal(room + excess * rate ^ minutes[n], sd);
}";

const MINUTES: [f64; 8] = [0.0, 2.0, 4.0, 7.0, 10.0, 15.0, 20.0, 30.0];
const DEGREES: [f64; 8] = [81.5, 73.8, 67.9, 58.6, 52.3, 43.1, 37.4, 29.2];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Err(findings) = StanModel::parse(&PROGRAM.replace("sd ~ normal", "sd ~ norml")) {
        println!("{findings}");
    }

    let model = StanModel::parse(PROGRAM)?;
    let mut data = StanData::default();
    data.insert_json("N", "8")?;
    data.insert_numbers("minutes", &MINUTES)?;
    data.insert_numbers("degrees", &DEGREES)?;
    let posterior = model.with_values(&data, 1)?;

    let start = posterior.starts(&StanData::default(), 1, 0.5, 1)?.remove(0);
    let found = posterior.maximize(false, &start, &LbfgsOptions::default(), &mut Silent)?;
    println!("The mode, after {} gradients:", found.model.gradients);
    let values = posterior.values(&found.model.point, false, None)?;
    for (name, value) in posterior.names(false, false)?.iter().zip(values) {
        println!("  {name:<6} {value:.3}");
    }

    // The density of the unconstrained coordinates, with the Jacobian of the constraints, is not flat there.
    let mut gradient = vec![0.0; start.len()];
    let ln_density = posterior.ln_density_grad(&found.model.point, &mut gradient)?;
    println!("ln of the density of the coordinates there {ln_density:.3}, its gradient {gradient:.2?}");

    let normal: Vec<String> = posterior.gaussian_parameters().into_iter().map(|own| own.name).collect();
    println!("Normal given the others, and so to be integrated out: {}", normal.join(", "));
    Ok(())
}
