//! Checks a program, prints what it declares or what is wrong with it.
//!
//! `cargo run -p posterior-stan --example check_program -- FILE`; without a file, a small one that is wrong.

use std::path::Path;

const SCHOOLS: &str = "data {
  int<lower=0> J;
  vector[J] y;
  vector<lower=0>[J] sigma;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector<offset=mu, multiplier=tau>[J] theta;
}
model {
  theta ~ normal(mu, tau);
  y ~ normall(theta, sigma);
}
";

fn main() -> Result<(), std::io::Error> {
    let file = std::env::args().nth(1);
    let (name, text) = match &file {
        Some(name) => (name.as_str(), std::fs::read_to_string(name)?),
        None => ("schools.stan", SCHOOLS.to_owned()),
    };
    let folder = Path::new(name).parent().map(Path::to_path_buf).unwrap_or_default();
    match posterior_stan::check_report(name, &text, |file| std::fs::read_to_string(folder.join(file)).ok()) {
        Ok(report) => print!("{report}"),
        Err(findings) => print!("{findings}"),
    }
    Ok(())
}
