//! Markov chains that are shown on their way, saved, and go on.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use posterior::dist::target::GradTarget;
use posterior::sampling::hamiltonian::{MetricChoice, NoUTurn, Nuts};
use posterior::sampling::{Chain, ChainsOf, Run as Chains, Sampled, Start};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::args::{Marginalize, ModelSample, SamplerMetric};
use crate::failure::{Failure, refused};
use crate::run::Run;
use crate::{checkpoint_file, interrupt};

/// The chains stop so often in all, to be shown and saved.
const PARTS: usize = 200;

/// The sampler that the options name.
fn sampler(args: &ModelSample) -> Nuts {
    let metric = match args.metric {
        SamplerMetric::Unit => MetricChoice::Unit,
        SamplerMetric::Diag => MetricChoice::Diagonal,
        SamplerMetric::Dense => MetricChoice::Dense,
        SamplerMetric::LowRank => MetricChoice::LOW_RANK,
    };
    Nuts {
        target_accept: args.chains.adapt_delta,
        max_depth: usize::from(args.max_depth),
        metric,
        ..Nuts::default()
    }
}

/// What must be the same where chains go on, by the names of the options.
#[derive(Debug, Serialize)]
struct Settings<'a> {
    seed: u64,
    num_chains: u16,
    num_warmup: u32,
    num_samples: u32,
    thin: u32,
    save_warmup: bool,
    adapt_delta: f64,
    max_depth: u8,
    metric: SamplerMetric,
    marginalize: Marginalize,
    init: &'a str,
    /// Of a point, as program and data have it: `null` where it has none.
    ln_density: Option<f64>,
}

impl<'a> Settings<'a> {
    fn of<T: GradTarget + ?Sized>(args: &'a ModelSample, target: &T) -> Self {
        let point: Vec<f64> = (0..target.dim()).map(|place| 0.1 / (1.0 + place as f64)).collect();
        Self {
            seed: args.input.common.seed,
            num_chains: args.chains.num_chains,
            num_warmup: args.chains.num_warmup,
            num_samples: args.chains.num_samples,
            thin: args.thin,
            save_warmup: args.save_warmup,
            adapt_delta: args.chains.adapt_delta,
            max_depth: args.max_depth,
            metric: args.metric,
            marginalize: args.marginalize,
            init: &args.start.init,
            ln_density: target.ln_density(&point).ok().filter(|ln| ln.is_finite()),
        }
    }
}

/// A checkpoint, to be written.
#[derive(Serialize)]
struct Written<'a, C> {
    settings: &'a Settings<'a>,
    chains: &'a C,
}

/// A checkpoint, as it is read.
#[derive(Deserialize)]
struct Read<C> {
    settings: serde_json::Value,
    chains: C,
}

/// Draws all chains, from where a checkpoint left them if one is named.
pub(super) fn draw<T: GradTarget + Sync>(
    target: &T,
    start: &Start,
    options: &Chains,
    args: &ModelSample,
    run: &Run<'_>,
) -> Result<Sampled<NoUTurn>, Failure> {
    let (nuts, saving) = (sampler(args), &args.saving);
    let settings = Settings::of(args, target);
    let mut chains: ChainsOf<Nuts, T> = match &saving.resume {
        Some(path) => read(path, &settings)?,
        None => options.start(target, &nuts, start).map_err(refused)?,
    };
    let steps = options.warm_up + options.draws * options.thin;
    let part = steps.div_ceil(PARTS).max(1);
    let done = |chains: &ChainsOf<Nuts, T>| chains.chains().first().map_or(0, Chain::iteration);
    let work = run.work(steps.div_ceil(part), "sampling");
    (0..done(&chains) / part).for_each(|_| work.step());
    let every = Duration::from_secs(u64::from(saving.checkpoint_every));
    if saving.checkpoint.is_some() {
        interrupt::watch();
    }
    let mut last = Instant::now();
    while !chains.is_done() {
        chains.advance(target, &nuts, part).map_err(refused)?;
        work.step();
        let Some(path) = &saving.checkpoint else { continue };
        let stops = interrupt::requested();
        if stops {
            interrupt::ends_by_itself();
        }
        if stops || last.elapsed() >= every {
            let written = Written { settings: &settings, chains: &chains };
            let fill =
                |out: &mut dyn io::Write| serde_json::to_writer(out, &written).map_err(io::Error::from);
            checkpoint_file::write(path, fill)?;
            last = Instant::now();
        }
        if stops {
            let done = format!("{} of {steps} steps of each chain", done(&chains));
            return Err(checkpoint_file::interrupted(&done, Some(path), "FILE"));
        }
    }
    chains.finish().map_err(refused)
}

/// The chains of a checkpoint, if it was made by the same command.
fn read<C: DeserializeOwned>(path: &Path, settings: &Settings<'_>) -> Result<C, Failure> {
    let read: Read<C> =
        checkpoint_file::read(path, |file| serde_json::from_reader(file).map_err(io::Error::from))?;
    let given = serde_json::to_value(settings).unwrap_or_default();
    if read.settings.get("ln_density") != given.get("ln_density") {
        let message = format!("{}: the checkpoint is of another program, or of other data", path.display());
        return Err(Failure::data(message).with_hint("give the same files as the run that wrote it"));
    }
    checkpoint_file::same_options(path, &read.settings, &given)?;
    Ok(read.chains)
}
