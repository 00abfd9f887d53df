//! `posterior-mpi topics fit`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use posterior_math::iteration::Step;
use posterior_math::memory::{default_limit, size_text};
use posterior_topics::corpus::StoredCorpus;
use posterior_topics::lda::gibbs::LdaGibbsOptions;
use posterior_topics::lda::gibbs::ring::{
    Collectives as _, CountedCollectives, InFolder, InMemory, Next, RingFit, RingFitted, RingPlan, RingSizes,
    Storage, Traffic,
};
use posterior_topics::lda::{Concentration, ConcentrationPrior, Hyperparameters, Lda};
use posterior_topics::{Error, TopicModel as _};
use serde_json::json;

use crate::args::{DrawnAlpha, TopicsFit};
use crate::world::{World, abort_on_panic, report};
use crate::{plan, usage, with_hint};

/// Runs the verb.
pub(crate) fn run(args: &TopicsFit) -> ExitCode {
    let Some(world) = World::join() else {
        report("error: MPI cannot begin in this process");
        return ExitCode::FAILURE;
    };
    abort_on_panic();
    let mut world = CountedCollectives::new(world);
    match fit(args, &mut world) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => world.inner().abort(&with_hint(&error)),
    }
}

fn options(args: &TopicsFit) -> LdaGibbsOptions {
    LdaGibbsOptions {
        iterations: args.iterations,
        alpha: args.alpha.map_or(Concentration::Default, Concentration::Symmetric),
        beta: args.beta,
        hyperparameters: if args.optimize_hyper {
            Hyperparameters::Optimized
        } else {
            Hyperparameters::Fixed
        },
        concentration_prior: args.sample_hyper.map(|drawn| ConcentrationPrior {
            asymmetric: drawn == DrawnAlpha::Asymmetric,
            ..ConcentrationPrior::default()
        }),
        trace_every: args.trace_every,
        draws: args.draws,
        seed: args.seed,
        ..plan::options(&args.model)
    }
}

fn fit(args: &TopicsFit, world: &mut CountedCollectives<World>) -> Result<(), Error> {
    let start = Instant::now();
    let place = world.place();
    let corpus = StoredCorpus::open(&args.corpus)?;
    let options = options(args);
    let sizes = RingSizes {
        documents: corpus.documents() as u64,
        words: corpus.vocabulary().len() as u64,
        tokens: corpus.tokens(),
    };
    let plan = RingPlan::new(sizes, &options, place.ranks)?;
    let limit = args.memory.unwrap_or_else(|| default_limit() / world.inner().on_machine as u64);
    let least = if place.rank == 0 { plan.memory.max(plan.model_memory) } else { plan.memory } as u64;
    if least > limit {
        let message = format!(
            "{}: a process takes about {} of memory, and {} may be taken",
            args.corpus.display(),
            size_text(least),
            size_text(limit)
        );
        let hint = "take more --groups, more processes or fewer --threads, or allow more: --memory SIZE";
        return Err(Error::Corpus(message).with_hint(hint));
    }
    let in_memory = args.parts.is_none() && (plan.memory + plan.parts) as u64 <= limit;
    fs::create_dir_all(&args.out).map_err(|source| Error::io(&args.out, source))?;
    let all_parts = args.parts.clone().unwrap_or_else(|| args.out.join("parts"));
    let parts = all_parts.join(format!("process-{}", place.rank));
    let storage: Box<dyn Storage> =
        if in_memory { Box::new(InMemory::new()) } else { Box::new(InFolder::create(&parts)?) };
    let notes = !args.quiet && place.rank == 0;
    if notes {
        report(&format!(
            "{} documents, {} words in all; {} processes, {} groups; a process: memory {}, parts {} in {}, \
             {} bytes passed on in a sweep",
            sizes.documents,
            sizes.tokens,
            place.ranks,
            plan.groups,
            size_text(plan.memory as u64),
            size_text(plan.parts as u64),
            if in_memory { "memory".to_owned() } else { all_parts.display().to_string() },
            plan.shifted
        ));
    }
    let checkpoints = args.checkpoint.as_deref();
    let fit = RingFit { corpus: &corpus, options: &options, storage: &storage, checkpoints };
    let mut saved = Instant::now();
    let every = Duration::from_secs(u64::from(args.checkpoint_every));
    let mut sweeps = 0;
    let mut observer = |step: &Step| {
        sweeps += 1;
        if notes && step.iteration.is_multiple_of(args.trace_every) {
            let per_token = step.objective / sizes.tokens as f64;
            report(&format!(
                "sweep {}: {per_token:.6} per word, {:.1} s",
                step.iteration,
                step.elapsed.as_secs_f64()
            ));
        }
        if checkpoints.is_some() && saved.elapsed() >= every {
            saved = Instant::now();
            return Next::Save;
        }
        Next::Continue
    };
    let fitted = match &args.resume {
        None => fit.run(world, &mut observer)?,
        Some(folder) => fit.resume(folder, world, &mut observer)?,
    };
    let traffic = world.traffic();
    write(args, &corpus, &fitted, world)?;
    if !in_memory {
        fs::remove_dir_all(&parts).map_err(|source| Error::io(&parts, source))?;
    }
    let mut own = usage::of_process();
    own["shifted"] = traffic.shifted.into();
    let all = world.gather(own.to_string().into_bytes())?;
    if !in_memory {
        // It stays where others have files in it.
        let _ = fs::remove_dir(&all_parts);
    }
    if let Some(model) = &fitted.model {
        answer((args, start), &corpus, (model, &fitted), &plan, (&traffic, sweeps, &all));
    }
    Ok(())
}

/// Prints what the first process knows.
fn answer(
    (args, start): (&TopicsFit, Instant),
    corpus: &StoredCorpus,
    (model, fitted): (&Lda, &RingFitted<'_, Box<dyn Storage>>),
    plan: &RingPlan,
    (traffic, sweeps, all): (&Traffic, u64, &[Vec<u8>]),
) {
    let processes: Vec<serde_json::Value> =
        all.iter().filter_map(|bytes| serde_json::from_slice(bytes).ok()).collect();
    let cpu: f64 = processes.iter().filter_map(|own| own["cpu_seconds"].as_f64()).sum();
    let report = &fitted.report;
    let tokens = corpus.tokens() as f64;
    let text = json!({
        "documents": corpus.documents(),
        "vocabulary": corpus.vocabulary().len(),
        "tokens": corpus.tokens(),
        "topics": model.alpha().len(),
        "groups": plan.groups,
        "ranks": plan.ranks,
        "iterations": report.iterations,
        "ln_likelihood_per_token": report.trace.last().map(|point| point.ln_joint / tokens),
        "alpha": model.alpha(),
        "beta": model.beta(),
        "tokens_per_second": report.tokens_drawn as f64 / report.sampling.as_secs_f64(),
        "cpu_seconds_per_token": cpu / report.tokens_drawn as f64,
        "shifted_in_a_sweep": traffic.shifted.checked_div(sweeps),
        "shifted_by_the_plan": plan.shifted,
        "processes": processes,
        "seed": args.seed,
        "seconds": start.elapsed().as_secs_f64(),
        "out": args.out.display().to_string(),
    });
    let _ = writeln!(io::stdout(), "{text:#}");
}

/// Writes the model at the first process, and the proportions of documents at each.
fn write(
    args: &TopicsFit,
    corpus: &StoredCorpus,
    fitted: &RingFitted<'_, Box<dyn Storage>>,
    world: &mut CountedCollectives<World>,
) -> Result<(), Error> {
    let topics = args.model.topics;
    let path = |name: &str| args.out.join(format!("{name}.partial"));
    let documents = path("doc_topic.npy");
    let first = npy_header((corpus.documents(), topics));
    let row = topics * size_of::<f64>();
    if let Some(model) = &fitted.model {
        let io_error = |source| Error::io(&documents, source);
        let mut file = File::create(&documents).map_err(io_error)?;
        file.write_all(&first).map_err(io_error)?;
        file.set_len((first.len() + corpus.documents() * row) as u64).map_err(io_error)?;
        write_model(model, &path)?;
    }
    // The file is there for all when the first process is here.
    world.broadcast(Vec::new())?;
    let io_error = |source| Error::io(&documents, source);
    let mut file =
        BufWriter::with_capacity(1 << 16, File::options().write(true).open(&documents).map_err(io_error)?);
    fitted.for_each_document(|d, proportions| {
        let bytes: Vec<u8> = proportions.iter().flat_map(|own| own.to_le_bytes()).collect();
        let at = (first.len() + d * row) as u64;
        file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(&bytes)).map_err(io_error)
    })?;
    file.flush().map_err(io_error)?;
    world.gather(Vec::new())?;
    if fitted.model.is_some() {
        for name in ["doc_topic.npy", "topic_word.npy", "vocab.txt", "model.json"] {
            let (from, to) = (path(name), args.out.join(name));
            fs::rename(&from, &to).map_err(|source| Error::io(&to, source))?;
        }
    }
    Ok(())
}

fn write_model(model: &Lda, path: &impl Fn(&str) -> PathBuf) -> Result<(), Error> {
    let put = |name: &str, fill: &dyn Fn(&mut BufWriter<File>) -> io::Result<()>| {
        let path: &Path = &path(name);
        let written = File::create(path).and_then(|file| {
            let mut out = BufWriter::new(file);
            fill(&mut out)?;
            out.flush()
        });
        written.map_err(|source| Error::io(path, source))
    };
    let topics = model.topics();
    let table = topics.topic_word();
    put("topic_word.npy", &|out| {
        out.write_all(&npy_header(table.shape()))?;
        for row in table.row_iter() {
            row.iter().try_for_each(|own| out.write_all(&own.to_le_bytes()))?;
        }
        Ok(())
    })?;
    put("vocab.txt", &|out| topics.vocabulary().iter().try_for_each(|word| writeln!(out, "{word}")))?;
    put("model.json", &|out| serde_json::to_writer(out, model).map_err(io::Error::other))
}

/// What stands before the numbers of NumPy's array file: float64, rows one after the other.
fn npy_header((rows, columns): (usize, usize)) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    // Magic, version and length take 10 bytes; the header ends in a new line at a multiple of 64.
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
    header.extend(std::iter::repeat_n(' ', padded - 1 - header.len()));
    header.push('\n');
    let magic = b"\x93NUMPY\x01\x00".iter().copied();
    magic.chain((padded as u16).to_le_bytes()).chain(header.into_bytes()).collect()
}
