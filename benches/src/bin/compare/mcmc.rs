//! Samplers side by side: ours, nuts-rs, and NumPyro when a Python program is named; first on five targets,
//! then on ten real posteriors.

use std::collections::BTreeMap;

use posterior_benches::comparison::{Outcome, Settings, figure, median, print_head, print_row, ratio};
use posterior_benches::mcmc::{
    Adaptation, LogisticData, Measured, Named, NumPyro, five_targets, with_nuts_rs, with_ours,
};
use posterior_benches::timing::on_one_thread;
use posterior_dist::target::GradTarget;
use posterior_sampling::diagnostics::{mcse_mean, mcse_sd, mean, sd};
use posterior_sampling::hamiltonian::{MetricChoice, Nuts};
use posterior_testkit::posteriors::{NAMES, Posterior, Reference};

/// Of each figure the median over these.
const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];

type Density = dyn GradTarget + Send + Sync;
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
    Ok(with_ours(target, &Nuts { metric, ..Nuts::default() }, seed)?)
}

/// Prints the tables. The clock is that of one thread, which must then do all of the work.
pub(super) fn compare(settings: &Settings) -> Outcome {
    on_one_thread(|| compare_here(settings))
}

fn compare_here(settings: &Settings) -> Outcome {
    println!(
        "4 chains of 1,000 + 1,000 draws, acceptance 0.8, depth 10, one thread; medians over {} seeds, and the range of the effective draws; o / p: \
         ours with the same kind of metric / peer, above 1 ours is better\n",
        seeds(settings).len()
    );
    on_five_targets(settings)?;
    println!(
        "\nThe largest error of a mean or a standard deviation, in its Monte Carlo standard errors (ours and the reference's)\n"
    );
    on_real_posteriors(settings)
}

/// One seed in a smoke test.
fn seeds(settings: &Settings) -> &'static [u64] {
    settings.size(&SEEDS, &SEEDS[..1])
}

fn on_five_targets(settings: &Settings) -> Outcome {
    let data = LogisticData::generate(1000, 25, 7);
    let mut numpyro = NumPyro::start(settings, &data)?;
    let figures = [
        "least bulk ESS / 1,000 gradients",
        "o / p",
        "range",
        "gradients of draws",
        "of warm-up",
        "gradients / CPU s",
        "o / p",
        "divergences",
        "R-hat",
    ];
    print_head(&["target", "sampler"], &figures);
    let targets = five_targets(&data);
    for (number, Named { name, target }) in targets.iter().take(settings.size(5, 1)).enumerate() {
        let mut ours = BTreeMap::new();
        for (sampler, run) in SAMPLERS {
            let runs = seeds(settings).iter().map(|&seed| run(&**target, seed));
            print_runs(name, sampler, &runs.collect::<Outcome<Vec<_>>>()?, &mut ours)?;
        }
        if let Some(numpyro) = &mut numpyro {
            let runs = seeds(settings).iter().map(|&seed| numpyro.run(number, target.dim(), seed));
            print_runs(name, "NumPyro", &runs.collect::<Outcome<Vec<_>>>()?, &mut ours)?;
        }
    }
    Ok(())
}

/// Our sampler with the metric of a peer's.
fn counterpart(peer: &str) -> String {
    peer.replace("nuts-rs", "ours").replace("NumPyro", "ours")
}

/// Effective draws and speed of our samplers are kept in `ours`, for the ratios of peers.
fn print_runs(
    target: &str,
    sampler: &str,
    runs: &[Measured],
    ours: &mut BTreeMap<String, [f64; 2]>,
) -> Outcome {
    let mut ess: Vec<f64> =
        runs.iter().map(Measured::ess_per_thousand_gradients).collect::<Result<_, _>>()?;
    ess.sort_by(f64::total_cmp);
    let rhat: Vec<f64> = runs.iter().map(Measured::worst_rhat).collect::<Result<_, _>>()?;
    let of = |figure: &dyn Fn(&Measured) -> f64| median(runs.iter().map(figure).collect());
    let figures = [median(ess.clone()), of(&Measured::gradients_per_second)];
    let mut compared = [String::new(), String::new()];
    if sampler.starts_with("ours") {
        ours.insert(sampler.to_owned(), figures);
    } else if let Some(known) = ours.get(&counterpart(sampler)) {
        compared = [0, 1].map(|i| ratio(known[i], figures[i]));
    }
    let [of_draws, of_speed] = compared;
    print_row(&[
        target.to_owned(),
        sampler.to_owned(),
        figure(figures[0], 3),
        of_draws,
        format!("{:.3} to {:.3}", ess[0], ess[ess.len() - 1]),
        figure(of(&|run| run.gradients as f64), 0),
        figure(of(&|run| run.warm_up_gradients as f64), 0),
        figure(figures[1], 0),
        of_speed,
        figure(of(&|run| run.divergences as f64), 0),
        figure(median(rhat), 3),
    ]);
    Ok(())
}

fn on_real_posteriors(settings: &Settings) -> Outcome {
    let figures =
        ["coordinates", "error", "least bulk ESS / 1,000 gradients", "o / p", "divergences", "R-hat"];
    print_head(&["posterior", "sampler"], &figures);
    for name in NAMES.into_iter().take(settings.size(usize::MAX, 1)) {
        let mut ours = BTreeMap::new();
        let Some(posterior) = Posterior::load("the table of real posteriors", name) else { continue };
        for (sampler, run) in SAMPLERS {
            let (mut worst, mut ess, mut rhat, mut divergences) = (vec![], vec![], vec![], vec![]);
            for &seed in seeds(settings) {
                let measured = run(&*posterior.model, seed)?;
                ess.push(measured.ess_per_thousand_gradients()?);
                rhat.push(measured.worst_rhat()?);
                divergences.push(measured.divergences as f64);
                worst.push(worst_error(&posterior, &measured)?);
            }
            let ess = median(ess);
            if sampler.starts_with("ours") {
                ours.insert(sampler.to_owned(), ess);
            }
            let known = ours.get(&counterpart(sampler)).filter(|_| !sampler.starts_with("ours"));
            print_row(&[
                name.to_owned(),
                sampler.to_owned(),
                posterior.model.dim().to_string(),
                figure(median(worst), 2),
                figure(ess, 2),
                known.map_or(String::new(), |known| ratio(*known, ess)),
                figure(median(divergences), 0),
                figure(median(rhat), 3),
            ]);
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
