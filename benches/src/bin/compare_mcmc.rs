//! Samplers side by side: ours, nuts-rs, and NumPyro when a Python program is named; first on five targets, then on ten real posteriors.

use std::error::Error;

use posterior_benches::mcmc::{
    Adaptation, LogisticData, Measured, Named, NumPyro, five_targets, with_nuts_rs, with_ours,
};
use posterior_dist::target::GradTarget;
use posterior_sampling::diagnostics::{mcse_mean, mcse_sd, mean, sd};
use posterior_sampling::hamiltonian::{MetricChoice, Nuts};
use posterior_testkit::posteriors::{NAMES, Posterior, Reference};

/// Of each figure the median over these.
const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];

type Density = dyn GradTarget + Send + Sync;
type Outcome<T> = Result<T, Box<dyn Error>>;
type Run = fn(&Density, u64) -> Outcome<Measured>;

/// The samplers of this binary.
const SAMPLERS: [(&str, Run); 7] = [
    ("ours", |target, seed| ours(target, MetricChoice::Diagonal, seed)),
    ("ours, draws", |target, seed| ours(target, MetricChoice::DiagonalDraws, seed)),
    ("ours, low rank", |target, seed| ours(target, MetricChoice::LOW_RANK, seed)),
    ("ours, dense", |target, seed| ours(target, MetricChoice::Dense, seed)),
    ("nuts-rs", |target, seed| with_nuts_rs(target, Adaptation::Gradients, seed)),
    ("nuts-rs, draws", |target, seed| with_nuts_rs(target, Adaptation::Draws, seed)),
    ("nuts-rs, low rank", |target, seed| with_nuts_rs(target, Adaptation::LowRank, seed)),
];

fn ours(target: &Density, metric: MetricChoice, seed: u64) -> Outcome<Measured> {
    Ok(with_ours(target, &Nuts::default().with_metric(metric), seed)?)
}

fn main() -> Outcome<()> {
    let python = std::env::args().nth(1);
    // The clock is that of one thread, which must then do all of the work.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| compare(python.as_deref()).map_err(|error| error.to_string()))?;
    Ok(())
}

fn compare(python: Option<&str>) -> Outcome<()> {
    println!(
        "4 chains of 1,000 + 1,000 draws, acceptance 0.8, depth 10, one thread; medians over {} seeds,",
        SEEDS.len()
    );
    println!("and the range of the effective draws\n");
    on_five_targets(python)?;
    println!(
        "\nThe largest error of a mean or a standard deviation, in its Monte Carlo standard errors (ours and the reference's)\n"
    );
    on_real_posteriors()
}

fn on_five_targets(python: Option<&str>) -> Outcome<()> {
    let data = LogisticData::generate(1000, 25, 7);
    let mut numpyro = python.map(|program| NumPyro::start(program, &data)).transpose()?;
    println!(
        "| target | sampler | least bulk ESS / 1,000 gradients | range | gradients of draws | of warm-up | gradients / CPU s | divergences | R-hat |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|");
    for (number, Named { name, target }) in five_targets(&data).iter().enumerate() {
        for (sampler, run) in SAMPLERS {
            let runs = SEEDS.map(|seed| run(&**target, seed));
            print_row(name, sampler, &runs.into_iter().collect::<Outcome<Vec<_>>>()?)?;
        }
        if let Some(numpyro) = &mut numpyro {
            let runs = SEEDS.map(|seed| numpyro.run(number, target.dim(), seed));
            print_row(name, "NumPyro", &runs.into_iter().collect::<Outcome<Vec<_>>>()?)?;
        }
    }
    Ok(())
}

fn print_row(target: &str, sampler: &str, runs: &[Measured]) -> Outcome<()> {
    let mut ess: Vec<f64> =
        runs.iter().map(Measured::ess_per_thousand_gradients).collect::<Result<_, _>>()?;
    ess.sort_by(f64::total_cmp);
    let rhat: Vec<f64> = runs.iter().map(Measured::worst_rhat).collect::<Result<_, _>>()?;
    let of = |figure: &dyn Fn(&Measured) -> f64| median(runs.iter().map(figure).collect());
    println!(
        "| {target} | {sampler} | {:.3} | {:.3} to {:.3} | {:.0} | {:.0} | {:.0} | {:.0} | {:.3} |",
        median(ess.clone()),
        ess[0],
        ess[ess.len() - 1],
        of(&|run| run.gradients as f64),
        of(&|run| run.warm_up_gradients as f64),
        of(&Measured::gradients_per_second),
        of(&|run| run.divergences as f64),
        median(rhat),
    );
    Ok(())
}

fn on_real_posteriors() -> Outcome<()> {
    println!(
        "| posterior | coordinates | sampler | error | least bulk ESS / 1,000 gradients | divergences | R-hat |"
    );
    println!("|---|--:|---|--:|--:|--:|--:|");
    for name in NAMES {
        let Some(posterior) = Posterior::load("the table of real posteriors", name) else { continue };
        for (sampler, run) in SAMPLERS {
            let (mut worst, mut ess, mut rhat, mut divergences) = (vec![], vec![], vec![], vec![]);
            for seed in SEEDS {
                let measured = run(&*posterior.model, seed)?;
                ess.push(measured.ess_per_thousand_gradients()?);
                rhat.push(measured.worst_rhat()?);
                divergences.push(measured.divergences as f64);
                worst.push(worst_error(&posterior, &measured)?);
            }
            println!(
                "| {name} | {} | {sampler} | {:.2} | {:.2} | {:.0} | {:.3} |",
                posterior.model.dim(),
                median(worst),
                median(ess),
                median(divergences),
                median(rhat)
            );
        }
    }
    Ok(())
}

/// The largest error of a mean or a standard deviation of the parameters, in standard errors.
fn worst_error(posterior: &Posterior, measured: &Measured) -> Outcome<f64> {
    let Reference { names, means, mean_errors, sds, .. } = &posterior.reference;
    let sd_errors = posterior.reference.sd_errors();
    let parameters = measured.map(names.len(), |free, row| posterior.model.constrain(free, row));
    let mut worst = 0.0_f64;
    for k in 0..names.len() {
        let chains = parameters.coordinate(k);
        let of_mean = (mean(&chains)? - means[k]) / mcse_mean(&chains)?.hypot(mean_errors[k]);
        let of_sd = (sd(&chains)? - sds[k]) / mcse_sd(&chains)?.hypot(sd_errors[k]);
        worst = worst.max(of_mean.abs()).max(of_sd.abs());
    }
    Ok(worst)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
