//! Eight schools that tried a training: a program in Stan's language, its posterior, and the same where what
//! is normal given the rest is integrated out.
//!
//! `cargo run -p posterior-model --example eight_schools`

use posterior_model::{StanModel, StanPosterior};
use posterior_sampling::diagnostics::ess_bulk;
use posterior_sampling::dist::stream::stream;
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::marginal::{IntegratedTarget, Integration};
use posterior_sampling::{Draws, Run, Start};

const PROGRAM: &str = "
data {
  int<lower=0> J;
  vector[J] y;
  vector<lower=0>[J] sigma;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] theta;
}
model {
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 5);
  theta ~ normal(mu, tau);
  y ~ normal(theta, sigma);
}";

const DATA: &str =
    r#"{"J": 8, "y": [28, 8, -3, 7, -1, 1, 18, 12], "sigma": [15, 10, 16, 11, 9, 11, 10, 18]}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let posterior = StanModel::parse(PROGRAM)?.with_data(DATA)?;
    let run = Run { seed: 1, ..Run::default() };
    let nuts = Nuts { target_accept: 0.9, ..Nuts::default() };

    let sampled = run.sample(&posterior, &nuts, &Start::default())?;
    let divergences: usize = sampled.chains.iter().map(|chain| chain.divergences.len()).sum();
    println!("All {} coordinates; {divergences} trajectories diverged.", sampled.draws.names().len());
    print(&of_program(&posterior, &sampled.draws)?)?;

    // Given mu and tau the effects of schools are normal: chains of these two have no funnel.
    let groups: Vec<Vec<usize>> =
        posterior.gaussian_parameters().iter().map(|own| own.coordinates().collect()).collect();
    let start = vec![0.0; sampled.draws.names().len()];
    let marginal = IntegratedTarget::new(&posterior, &groups, Integration::Gaussian, &start)?;
    let sampled = run.sample(&marginal, &nuts, &Start::default())?;
    let divergences: usize = sampled.chains.iter().map(|chain| chain.divergences.len()).sum();
    println!("\n{} coordinates are left; {divergences} trajectories diverged.", sampled.draws.names().len());
    let mut rng = stream(2, &[]);
    let (mut chains, draws) = (vec![], &sampled.draws);
    for chain in 0..draws.chains() {
        let mut rows = vec![];
        for draw in 0..draws.len() {
            rows.extend(marginal.conditional_draw(draws.draw(chain, draw), &mut rng)?.point);
        }
        chains.push(rows);
    }
    let names = (0..start.len()).map(|place| format!("x[{place}]")).collect();
    print(&of_program(&posterior, &Draws::new(names, chains)?)?)
}

/// Draws of the parameters, of draws of unconstrained coordinates.
fn of_program(posterior: &StanPosterior, draws: &Draws) -> Result<Draws, Box<dyn std::error::Error>> {
    let mut chains = vec![];
    for chain in 0..draws.chains() {
        let mut rows = vec![];
        for draw in 0..draws.len() {
            rows.extend(posterior.values(draws.draw(chain, draw), false, None)?);
        }
        chains.push(rows);
    }
    Ok(Draws::new(posterior.names(false, false)?, chains)?)
}

fn print(draws: &Draws) -> Result<(), Box<dyn std::error::Error>> {
    println!("{:>8} {:>6} {:>6} {:>15}", "", "mean", "sd", "effective draws");
    let summary = draws.summary_of_level(0.95)?;
    for own in summary.parameters.iter().take(4) {
        let effective = ess_bulk(&draws.named(&own.name).unwrap_or_default())?;
        println!("{:>8} {:6.2} {:6.2} {effective:15.0}", own.name, own.mean?, own.sd?);
    }
    Ok(())
}
