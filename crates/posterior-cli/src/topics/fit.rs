//! `posterior topics fit`.

use std::time::Instant;

use posterior::table::MemoryLimit;
use posterior::topics::structural_topics::start_memory;

use super::coherence::coherence;
use super::corpus_input::Input;
use super::documents::{HELD_OUT, Parts};
use super::fit_result::{FitResult, Topic};
use super::held_out::{self, HeldOut};
use super::methods::{self, Outcome, Setup};
use super::posterior_draws::DrawnParameter;
use super::reading::check_words;
use super::runs::{self, Stability};
use super::seeds::Seeds;
use super::sweep::{self, Sweep};
use super::{
    artefacts, components, effects, out_of_core, passages, posterior_draws, predictions, streaming,
    structural_effects,
};
use crate::args::{Format, Model, TopicsFit};
use crate::failure::Failure;
use crate::output::significant;
use crate::output_folder::{OutputFolder, never_an_input};
use crate::report::{Band, Shown, TopicReport, relevant_words};
use crate::run::limit_threads;
use crate::{atomic_file, output};

/// Runs the verb.
pub(crate) fn run(args: &TopicsFit) -> Result<(), Failure> {
    let start = Instant::now();
    limit_threads(args.common.threads)?;
    check(args)?;
    if args.model == Model::Lsa {
        return components::run(args, start);
    }
    if let Some(stored) = streaming::of(args)? {
        return streaming::run(args, &stored, start);
    }
    if args.parts.is_some() {
        return out_of_core::run(args, start);
    }
    match in_memory(args, start) {
        Err(Failure::Memory { message, .. }) if out_of_core::is_possible(args) => {
            output::note(args.common.quiet, &format!("{message}: it stays in files (out of core)"));
            out_of_core::run(args, start)
        }
        outcome => outcome,
    }
}

/// The run of a corpus that is read as a whole.
fn in_memory(args: &TopicsFit, start: Instant) -> Result<(), Failure> {
    let grid = grid(args);
    let mut input = Input::load(args)?;
    let seeds = match &args.seeds {
        Some(path) => Seeds::read(path, input.corpus.vocabulary(), args.seed_weight)?,
        None => Seeds::default(),
    };
    let grid = match &input.labels {
        Some(labels) => vec![labels.names().len() + args.background],
        None => grid,
    };
    seeds.check(grid[0])?;
    input.notes.extend(seeds.notes.iter().cloned());
    // All fits are there until one is chosen.
    let topics = grid.iter().sum::<usize>().saturating_mul(usize::from(args.runs));
    let words = input.corpus.vocabulary().len();
    let beside = if args.model == Model::Stm { start_memory(words) } else { 0 };
    input.plan(topics, beside, MemoryLimit::new(args.texts.memory))?;
    let named = named_documents(args, &input)?;
    let proportion = args.held_out.or((grid.len() > 1).then_some(HELD_OUT));
    let parts = Parts::of(&input, proportion, args.common.seed)?;
    if let Some(path) = &args.checkpoint {
        never_an_input(path, &["checkpoint", "resume", "out"])?;
        atomic_file::writable_file(path)?;
    }
    let out = OutputFolder::at(&args.out, artefacts::NAMES)?;
    output::note(args.common.quiet, &input.summary());
    let recipe = input.features.as_ref().map(|(recipe, _)| recipe);
    let covariates = input.covariates.as_ref().map(|(covariates, _)| covariates);
    let setup = |topics: usize, run: u64| {
        let seed = args.common.seed.wrapping_add(run);
        Setup { args, topics, seed, seeds: &seeds.words, recipe, covariates }
    };
    let found = find(&grid, &input, &parts, &setup)?;
    let names = input.labels.as_ref().map_or(&seeds.names[..], |labels| labels.names());
    report(args, &input, &parts, names, (named, &out), (&found, start))
}

/// What the fits of a run leave.
struct Found {
    outcome: Outcome,
    held_out: Option<HeldOut>,
    sweep: Option<Sweep>,
    stability: Option<Stability>,
}

/// Fits, once or more often.
fn find<'a>(
    grid: &[usize],
    input: &Input,
    parts: &Parts<'_>,
    setup: &impl Fn(usize, u64) -> Setup<'a>,
) -> Result<Found, Failure> {
    if grid.len() > 1 {
        let setups: Vec<Setup<'_>> = grid.iter().map(|&topics| setup(topics, 0)).collect();
        let (outcome, held_out, sweep) = sweep::run(&setups, input, parts)?;
        return Ok(Found { outcome, held_out: Some(held_out), sweep: Some(sweep), stability: None });
    }
    let first = setup(grid[0], 0);
    let (outcome, stability) = if first.args.runs > 1 {
        let setups: Vec<Setup<'_>> = (0..u64::from(first.args.runs)).map(|run| setup(grid[0], run)).collect();
        let (outcome, stability) = runs::run(&setups, parts)?;
        (outcome, Some(stability))
    } else {
        (methods::fit(&first, &parts.train)?, None)
    };
    let held_out = match &parts.test {
        None => None,
        Some(test) => {
            let estimator = first.args.estimator.unwrap_or_default();
            Some(held_out::score(&outcome.model, &test.documents, estimator, first.seed)?)
        }
    };
    Ok(Found { outcome, held_out, sweep: None, stability })
}

/// Writes the files and prints the answer.
fn report(
    args: &TopicsFit,
    input: &Input,
    parts: &Parts<'_>,
    names: &[String],
    (named, out): (Vec<usize>, &OutputFolder),
    (found, start): (&Found, Instant),
) -> Result<(), Failure> {
    let Found { outcome, held_out, sweep, stability } = found;
    let unseen = match &parts.test {
        Some(test) => outcome.model.proportions(&test.documents)?,
        None => Vec::new(),
    };
    let doc_topic = parts.together(&outcome.doc_topic, &unseen);
    let topics = outcome.model.topics();
    let relevant = relevant_words(topics);
    let shown = Shown::of(topics, &doc_topic)?;
    let passages = passages::passages(args, input, topics, &doc_topic, shown.len())?;
    let coherence = coherence(args, topics, &input.corpus, input.sequences.as_ref())?;
    let mut studies = Vec::new();
    studies.extend(sweep.iter().flat_map(|sweep| sweep.section(args, &coherence)));
    studies.extend(stability.as_ref().map(Stability::section));
    studies.extend(effects::section(&outcome.model));
    let column_effects = structural_effects::effects(&outcome.model)?;
    let column_effects = column_effects.as_deref();
    studies.extend(column_effects.map(|own| structural_effects::section(&outcome.model, own)));
    let parameters = posterior_draws::parameters(&outcome.model)?;
    studies.extend(parameters.as_deref().map(posterior_draws::section));
    note_few_draws(args, parameters.as_deref().unwrap_or_default());
    let unknown = unknown_responses(input, parts);
    let predicted = predictions::predictions(&outcome.model, &input.corpus, &unknown, args.common.seed)?;
    let perplexity = held_out.as_ref().map(HeldOut::perplexity);
    let report = TopicReport {
        model: outcome.model.name(),
        headline: input.headline(topics.len()),
        title: &input.title,
        corpus: &input.corpus,
        topics,
        names,
        shown,
        relevant: &relevant,
        kernel: outcome.kernel.as_ref(),
        doc_topic: &doc_topic,
        times: input.times.as_deref(),
        bands: input.bands.as_deref(),
        band: args.band.as_ref().map_or(Band::President, |column| Band::Column(column)),
        events: &input.events,
        passages: &passages,
        named,
        held_out_perplexity: perplexity,
        coherence: &coherence,
        studies,
        trace: outcome.trace.clone(),
        settings: outcome.settings.clone(),
        source: &input.source,
    };
    let result = FitResult {
        documents: input.corpus.documents(),
        vocabulary: input.corpus.vocabulary().len(),
        tokens: input.corpus.tokens(),
        topics: Topic::all(topics, &relevant, names, &coherence),
        objective: outcome.trace.fact,
        ln_likelihood_per_token: outcome.trace.points.last().map_or(f64::NAN, |&(_, value)| value),
        held_out_perplexity: perplexity,
        held_out: held_out.as_ref().map(HeldOut::answer),
        coherence: &coherence,
        sweep: sweep.as_ref(),
        stability: stability.as_ref(),
        parameters: parameters.as_deref(),
        predictions: predicted.as_deref(),
        effects: column_effects,
        iterations: outcome.iterations,
        tokens_per_second: outcome.tokens_per_second,
        alpha: outcome.model.alpha(),
        beta: outcome.beta,
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
        report: args.out.join("report.html").display().to_string(),
    };
    let tables = artefacts::Tables {
        sweep: sweep.as_ref(),
        stability: stability.as_ref(),
        parameters: parameters.as_deref(),
        predictions: predicted.as_deref(),
        effects: column_effects,
    };
    artefacts::write(out, &outcome.model, &input.reading, &report, &tables)?;
    out.commit()?;
    match args.common.format {
        Format::Json => output::print_json(&result),
        Format::Text => output::print(&result.text()),
    }
}

/// Says so where intervals are of few draws.
fn note_few_draws(args: &TopicsFit, parameters: &[DrawnParameter]) {
    let fewest = parameters.iter().map(|own| own.effective_draws).fold(f64::INFINITY, f64::min);
    if fewest < posterior_draws::FEW {
        let draws = significant(fewest);
        output::note(
            args.common.quiet,
            &format!("some intervals are worth {draws} independent draws only: they need more --iterations"),
        );
    }
}

/// The documents whose response the fit did not know.
fn unknown_responses(input: &Input, parts: &Parts<'_>) -> Vec<usize> {
    let Some(responses) = &input.responses else { return Vec::new() };
    let held_out = parts.test.as_ref().map_or(&[][..], |test| &test.rows);
    (0..responses.len()).filter(|d| responses[*d].is_nan() || held_out.contains(d)).collect()
}

/// The numbers of topics that are fitted, as far as the command line says.
fn grid(args: &TopicsFit) -> Vec<usize> {
    if matches!(args.model, Model::Unigram | Model::Labelled) { vec![1] } else { args.topics.grid() }
}

/// Refuses what is wrong with the command line on its own.
fn check(args: &TopicsFit) -> Result<(), Failure> {
    if let Some(proportion) = args.held_out.filter(|proportion| !(0.0 < *proportion && *proportion < 1.0)) {
        return Err(Failure::Usage(format!(
            "--held-out {proportion}: expected a proportion between 0 and 1"
        )));
    }
    check_words(&args.words)?;
    let is_range = args.topics.single().is_none();
    let refused = |what: &str| Err(Failure::Usage(format!("--topics: a range {what}")));
    if is_range && args.runs > 1 {
        return refused("of numbers has one run of each: --runs is for one number");
    }
    if is_range && (args.checkpoint.is_some() || args.resume.is_some()) {
        return refused("of numbers has no checkpoints: they are of one fit");
    }
    if args.runs > 1 && (args.checkpoint.is_some() || args.resume.is_some()) {
        return Err(Failure::Usage(
            "--runs: several fits have no checkpoints: they are of one fit".to_owned(),
        ));
    }
    if is_range && matches!(args.model, Model::Hdp | Model::Lsa) {
        return refused("is for models with a number of topics: hdp infers it, and lsa has components");
    }
    if !is_range && args.choose != crate::args::SweepRule::Perplexity {
        let message = "--choose: a run without a range of --topics has no use for it; it is for runs with one, such as --topics 5:100";
        return Err(Failure::Usage(message.to_owned()));
    }
    held_out::check(args, args.held_out.is_some() || is_range)?;
    grid(args).into_iter().try_for_each(|topics| methods::check(&Setup::of(args, topics)))
}

/// The documents whose neighbours the report lists.
fn named_documents(args: &TopicsFit, input: &Input) -> Result<Vec<usize>, Failure> {
    if args.nearest.is_empty() {
        return Ok(vec![input.corpus.documents() - 1]);
    }
    args.nearest.iter().map(|name| input.find(name)).collect()
}
