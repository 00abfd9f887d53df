//! The plan of a fit, on paper.

use posterior_math::memory::size_text;
use posterior_topics::Error;
use posterior_topics::lda::gibbs::ring::{RingLink, RingPlan, RingSizes};
use posterior_topics::lda::gibbs::{LdaGibbsOptions, TopicSampler};

use crate::args::{ModelArgs, Plan, Sampler};

/// Tokens of a document where nobody says.
const LENGTH: u64 = 200;

/// The options that shape a chain.
pub(crate) fn options(args: &ModelArgs) -> LdaGibbsOptions {
    LdaGibbsOptions {
        topics: args.topics,
        groups: args.groups.map(usize::from),
        threads: usize::from(args.threads),
        sampler: match args.sampler {
            Sampler::Auto => TopicSampler::Auto,
            Sampler::Dense => TopicSampler::Dense,
            Sampler::Sparse => TopicSampler::Sparse,
        },
        ..LdaGibbsOptions::default()
    }
}

/// The plan as text.
pub(crate) fn run(args: &Plan) -> Result<String, Error> {
    let documents = args.documents.unwrap_or(args.tokens.div_ceil(LENGTH));
    let sizes = RingSizes { documents, words: args.vocabulary, tokens: args.tokens };
    let plan = RingPlan::new(sizes, &options(&args.model), args.ranks)?;
    let link = RingLink { bandwidth: args.bandwidth, latency: args.latency };
    let of_token =
        args.token_time.unwrap_or_else(|| (0.7 * args.model.topics as f64 + 40.0).min(400.0) * 1e-9);
    let sending = plan.shifts as f64 * link.latency + plan.shifted as f64 / link.bandwidth;
    let size = |bytes: f64| size_text(bytes as u64);
    let lines = [
        ("groups of documents and of words", plan.groups.to_string()),
        ("processes, and threads of each", format!("{}, {}", plan.ranks, args.model.threads)),
        ("memory of a process, sampling", size(plan.memory)),
        ("  with its parts in memory", size(plan.memory + plan.parts)),
        ("memory of the first, for the model", size(plan.model_memory)),
        ("parts of a process", size(plan.parts)),
        ("  read in a sweep", size(plan.read)),
        ("  written in a sweep", size(plan.written)),
        ("messages of a process in a sweep", format!("{}, and a sum over all", plan.shifts)),
        ("  bytes passed on", format!("{} ({})", plan.shifted, size(plan.shifted as f64))),
        ("  bytes added up", plan.added.to_string()),
        ("time of a token and thread", format!("{:.0} ns", of_token * 1e9)),
        ("time of a sweep", format!("{:.3} s", plan.seconds(of_token, link))),
        ("  of it between processes", format!("{sending:.3} s")),
    ];
    let lines: Vec<String> = lines.iter().map(|(name, value)| format!("{name:<36} {value}\n")).collect();
    Ok(lines.concat())
}
