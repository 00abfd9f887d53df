//! `posterior model sample`.

use posterior::dist::stream::stream;
use posterior::dist::target::GradTarget;
use posterior::model::StanPosterior;
use posterior::sampling::bridge::{BridgeEstimate, BridgeOptions, bridge_sampling};
use posterior::sampling::{Draws, Run as Chains, Start};
use serde::Serialize;

use super::input::Input;
use super::marginal::{Marginal, Marginalized};
use super::quantities::constrained;
use super::{chains, sample_report};
use crate::args::{Marginalize, ModelSample};
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::mcmc::diagnose;
use crate::output::significant;
use crate::output_folder::never_an_input;
use crate::run::Run;

/// What the sampler says of each step.
pub(super) const STATISTICS: usize = 12;

#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    summary: diagnose::Output<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<BridgeOutput>,
    #[serde(skip_serializing_if = "Option::is_none")]
    marginalized: Option<&'a Marginalized>,
}

/// ln of the evidence, by a bridge.
#[derive(Serialize)]
struct BridgeOutput {
    ln_evidence: Number,
    standard_error: Number,
    draws: usize,
    effective_draws: Number,
    proposals: usize,
}

impl From<&BridgeEstimate> for BridgeOutput {
    fn from(own: &BridgeEstimate) -> Self {
        Self {
            ln_evidence: Number(own.ln_evidence),
            standard_error: Number(own.standard_error),
            draws: own.draws,
            effective_draws: Number(own.effective_draws),
            proposals: own.proposals,
        }
    }
}

/// A standard error of ln evidence above which it is itself in doubt.
const DOUBTFUL: f64 = 0.5;

/// A line on the evidence.
fn line(own: &BridgeEstimate) -> String {
    let [ln_evidence, error] = [own.ln_evidence, own.standard_error].map(significant);
    let line = format!(
        "ln evidence {ln_evidence}, standard error {error}, of {} draws ({:.0} effective) and as many of a \
         normal distribution\n",
        own.draws, own.effective_draws
    );
    let doubt = "the posterior is far from normal, and the error too small as a rule: take more draws\n";
    if own.standard_error > DOUBTFUL { line + doubt } else { line }
}

/// Runs the verb.
pub(crate) fn run(args: &ModelSample) -> Result<(), Failure> {
    let common = &args.input.common;
    let mut run = Run::start(common)?;
    let input = Input::read(&args.input, &run)?;
    let posterior = &input.posterior;
    let chains = usize::from(args.chains.num_chains);
    let files: Vec<String> = (1..=chains).map(|chain| format!("chain_{chain}.csv")).collect();
    if let Some(path) = &args.saving.checkpoint {
        never_an_input(path, &["checkpoint", "resume", "out"])?;
    }
    let names: Vec<&str> = files.iter().map(String::as_str).chain(["report.html"]).collect();
    run.claim(args.input.out.as_deref(), &names)?;
    let thin = args.thin as usize;
    let options = Chains {
        chains,
        warm_up: args.chains.num_warmup as usize,
        draws: (args.chains.num_samples as usize).div_ceil(thin),
        thin,
        seed: common.seed,
        keep_warm_up: args.save_warmup,
    };
    let steps = if args.save_warmup { options.warm_up / thin } else { 0 };
    input.check_memory(&args.input, chains * (options.draws + steps), STATISTICS)?;
    let start = input.start(&args.start.init, chains, common.seed)?;
    let marginal = block(args, &input, &run)?;
    let sampled = match &marginal {
        Some(own) => sampled(&own.target, &own.start(start), &options, args, &run)?,
        None => sampled(posterior, &start, &options, args, &run)?,
    };
    let whole = |free: &Draws, before: usize| match &marginal {
        Some(own) => own.whole(free, common.seed, before),
        None => Ok((free.clone(), vec![])),
    };
    let quantities = |free: &Draws, before| -> Result<(Draws, Vec<f64>), Failure> {
        let (points, ln_weights) = whole(free, before)?;
        Ok((constrained(posterior, &points, common.seed, before)?, ln_weights))
    };
    let (draws, ln_weights) = run.during("generated quantities", || quantities(&sampled.draws, 0))?;
    let early = sampled.warm_up.as_ref().map(|steps| quantities(steps, chains * options.draws));
    let warm_up = early.transpose()?.map(|early| early.0);
    let marginalized = marginal.map(|own| own.report(&draws, ln_weights)).transpose()?;
    let level = args.level.level;
    let summary =
        run.during("summing up", || draws.summary_of_level(level.probability())).map_err(refused)?;
    run.write("report.html", |folder| {
        for (chain, name) in files.iter().enumerate() {
            let file = draws.cmdstan(chain);
            let step_size = sampled.step_sizes[chain];
            let file = warm_up.as_ref().map_or(file, |steps| file.warm_up(steps, step_size));
            folder.put(name, |out| file.write(out))?;
        }
        input.put_levels(folder)?;
        sample_report::write(folder, (&input, &args.input.given), &draws, &summary, level)
    })?;
    run.print(
        || Output {
            summary: diagnose::output(&summary, level),
            evidence: sampled.evidence.as_ref().map(BridgeOutput::from),
            marginalized: marginalized.as_ref(),
        },
        || {
            let evidence = sampled.evidence.as_ref().map(line).unwrap_or_default();
            diagnose::text(&summary)
                + &evidence
                + &marginalized.as_ref().map(super::marginal::text).unwrap_or_default()
        },
    )
}

/// Chains in unconstrained coordinates.
struct SampledChains {
    draws: Draws,
    warm_up: Option<Draws>,
    step_sizes: Vec<f64>,
    evidence: Option<BridgeEstimate>,
}

/// Draws chains of a target, and bridges to its evidence.
fn sampled<T: GradTarget + Sync>(
    target: &T,
    start: &Start,
    options: &Chains,
    args: &ModelSample,
    run: &Run<'_>,
) -> Result<SampledChains, Failure> {
    let sampled = chains::draw(target, start, options, args, run)?;
    let bridge = || {
        let bridge = BridgeOptions::default();
        bridge_sampling(target, &sampled.draws, &bridge, &mut stream(options.seed, &[3]))
    };
    let evidence = args.evidence.then(|| run.during("the evidence", bridge)).transpose().map_err(refused)?;
    let step_sizes = sampled.chains.iter().map(|chain| chain.tuned.step_size()).collect();
    Ok(SampledChains { draws: sampled.draws, warm_up: sampled.warm_up, step_sizes, evidence })
}

/// What is integrated out, if anything is asked for and can be.
fn block<'a>(
    args: &ModelSample,
    input: &'a Input,
    run: &Run<'_>,
) -> Result<Option<Marginal<&'a StanPosterior>>, Failure> {
    if args.marginalize == Marginalize::None {
        return Ok(None);
    }
    let point = input.point(&args.start.init, args.input.common.seed)?;
    let found = Marginal::of(&input.posterior, &input.posterior, args.marginalize, &point)?;
    match (found, args.marginalize) {
        (Ok(own), _) => Ok(Some(own)),
        (Err(why), Marginalize::Auto) => {
            run.notes(&[why]);
            Ok(None)
        }
        (Err(why), _) => Err(Failure::data(why)),
    }
}
