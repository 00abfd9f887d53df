//! Collapsed Gibbs sampling: CPU seconds to the likelihood that other programs end at.

use std::time::Instant;

use posterior::topics::coherence::{self, Measure, Occurrences};
use posterior::topics::lda::gibbs::{LdaGibbs, LdaGibbsOptions, TopicSampler, TopicStart};
use posterior::topics::{TopicModel, top_words};
use posterior_benches::comparison::{Outcome, Settings, figure, print_head, print_row, ratio};
use posterior_benches::peers::Measurements;
use posterior_benches::texts::{Foreign, Texts};
use posterior_benches::timing::{cpu_seconds, on_one_thread};

use super::{BETA, perplexity};

/// Topics, and the sweeps after which the others stop.
const SIZES: [(usize, usize); 3] = [(20, 200), (100, 200), (1000, 60)];
const PEERS: [&str; 2] = ["tomotopy", "pyrmallet"];
/// The first sweeps are slow, and no measure of the others.
const EARLY: usize = 20;
/// Sweeps after which a likelihood counts as not reached, as a multiple of theirs.
const MORE: usize = 5;
/// Leading words of a topic whose coherence is measured.
const LEADING: usize = 10;
/// Sweeps that are timed on one and on two threads.
const SWEEPS_ON_THREADS: usize = 10;

/// What a chain did.
struct Run {
    /// For each other program the CPU seconds to its likelihood, and the sweeps they took.
    reached: Vec<Option<(f64, usize)>>,
    seconds: f64,
    tokens_a_second: f64,
    ln_p: f64,
    perplexity: f64,
    coherence: f64,
}

/// Compares the samplers at each number of topics.
pub(super) fn compare(peers: &Measurements, settings: &Settings, texts: &Texts) -> Outcome {
    for &(topics, sweeps) in settings.size(&SIZES[..], &[(20, 40)]) {
        println!("K = {topics}, alpha = 10 / K, beta = {BETA}, {sweeps} sweeps\n");
        let mut figures =
            ["million tokens/s", "CPU s", "ln p a token", "perplexity", "NPMI"].map(str::to_owned).to_vec();
        for peer in PEERS {
            figures.extend([
                format!("CPU s to {peer}'s ln p"),
                "sweeps".to_owned(),
                format!("ours / {peer}"),
            ]);
        }
        print_head(&["sampler"], &figures.iter().map(String::as_str).collect::<Vec<_>>());
        let mut others = Vec::new();
        for peer in PEERS {
            others.extend(line_of_peer(peers, texts, topics, peer)?);
        }
        for (name, options) in samplers(topics) {
            let run = on_one_thread(|| run(texts, &options, sweeps, &others))?;
            line(&name, &run, &others);
        }
        println!();
        threads(texts, topics)?;
    }
    Ok(())
}

fn samplers(topics: usize) -> Vec<(String, LdaGibbsOptions)> {
    let options = |sampler, start| {
        let options =
            LdaGibbsOptions { topics, alpha: (10.0 / topics as f64).into(), ..LdaGibbsOptions::default() };
        LdaGibbsOptions { beta: BETA, sampler, start, ..options }
    };
    let mut all = Vec::new();
    for (sampler, name) in [(TopicSampler::Dense, "dense"), (TopicSampler::Sparse, "sparse")] {
        for (start, from) in
            [(TopicStart::Uniform, "uniform start"), (TopicStart::Progressive, "progressive start")]
        {
            all.push((format!("{name}, {from}"), options(sampler, start)));
        }
    }
    all
}

/// Another program: its name, its CPU seconds, and the ln p a token that it ended at.
type Other = (&'static str, f64, f64);

/// Prints what another program did, if it was there.
fn line_of_peer(
    peers: &Measurements,
    texts: &Texts,
    topics: usize,
    peer: &'static str,
) -> Outcome<Option<Other>> {
    let of = |what: &str| peers.of(topics, peer, what);
    let (Some(seconds), Some(ln_p), Some(folder)) = (of("seconds"), of("ln p"), peers.folder()) else {
        return Ok(None);
    };
    let model = Foreign::read(folder, &format!("{peer}_{topics}"), topics, 10.0 / topics as f64)?;
    let mut cells = vec![
        peer.to_owned(),
        figure(of("tokens a second").map(|own| own / 1e6), 2),
        figure(seconds, 2),
        figure(ln_p, 4),
        figure(perplexity(&model, texts)?, 1),
        figure(mean_coherence(&model, texts)?, 4),
    ];
    cells.resize(cells.len() + 3 * PEERS.len(), String::new());
    print_row(&cells);
    Ok(Some((peer, seconds, ln_p)))
}

fn line(name: &str, run: &Run, others: &[Other]) {
    let mut cells = vec![
        name.to_owned(),
        figure(run.tokens_a_second / 1e6, 2),
        figure(run.seconds, 2),
        figure(run.ln_p, 4),
        figure(run.perplexity, 1),
        figure(run.coherence, 4),
    ];
    for peer in PEERS {
        let of_peer = others.iter().zip(&run.reached).find(|((name, ..), _)| *name == peer);
        cells.extend(match of_peer {
            Some(((_, theirs, _), Some((seconds, sweeps)))) => {
                [figure(*seconds, 2), sweeps.to_string(), ratio(*seconds, *theirs)]
            }
            Some((_, None)) => ["not reached", "-", "-"].map(str::to_owned),
            None => ["-"; 3].map(str::to_owned),
        });
    }
    print_row(&cells);
}

fn run(texts: &Texts, options: &LdaGibbsOptions, sweeps: usize, others: &[Other]) -> Outcome<Run> {
    let tokens = texts.training.tokens() as f64;
    let began = cpu_seconds();
    let mut chain = LdaGibbs::new(&texts.training, options)?;
    let mut seconds = cpu_seconds() - began;
    let (mut early, mut reached) = (seconds, vec![None; others.len()]);
    let most = MORE * sweeps;
    while chain.sweeps() < sweeps || (chain.sweeps() < most && reached.contains(&None)) {
        let began = cpu_seconds();
        chain.sweep();
        seconds += cpu_seconds() - began;
        if chain.sweeps() == EARLY {
            early = seconds;
        }
        let ln_p = chain.ln_joint() / tokens;
        for (reached, (_, _, target)) in reached.iter_mut().zip(others) {
            if reached.is_none() && ln_p >= *target {
                *reached = Some((seconds, chain.sweeps()));
            }
        }
    }
    let model = chain.model();
    Ok(Run {
        reached,
        seconds,
        tokens_a_second: tokens * (chain.sweeps() - EARLY) as f64 / (seconds - early),
        ln_p: chain.ln_joint() / tokens,
        perplexity: perplexity(&model, texts)?,
        coherence: mean_coherence(&model, texts)?,
    })
}

fn mean_coherence(model: &impl TopicModel, texts: &Texts) -> Outcome<f64> {
    let mut words = top_words::lists(model.topics(), LEADING).concat();
    words.sort_unstable();
    words.dedup();
    let occurrences = Occurrences::in_documents(&texts.training, &words)?;
    let values = coherence::of_topics(Measure::Npmi, model.topics(), LEADING, &occurrences)?;
    Ok(values.iter().sum::<f64>() / values.len() as f64)
}

/// The wall time of some sweeps on one and on two threads, and whether they drew the same topics.
fn threads(texts: &Texts, topics: usize) -> Outcome {
    let options = LdaGibbsOptions {
        topics,
        alpha: (10.0 / topics as f64).into(),
        beta: BETA,
        ..LdaGibbsOptions::default()
    };
    let timed = |threads: usize| -> Outcome<(f64, Vec<u16>)> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| {
            let mut chain = LdaGibbs::new(&texts.training, &options)?;
            (0..EARLY).for_each(|_| chain.sweep());
            let began = Instant::now();
            (0..SWEEPS_ON_THREADS).for_each(|_| chain.sweep());
            Ok((began.elapsed().as_secs_f64(), chain.assignments()))
        })
    };
    let ((one, drawn), (two, again)) = (timed(1)?, timed(2)?);
    let same = if drawn == again { "the same topics" } else { "OTHER TOPICS" };
    println!("default sampler, two threads: {:.2} times as fast as one, {same}\n", one / two);
    Ok(())
}
