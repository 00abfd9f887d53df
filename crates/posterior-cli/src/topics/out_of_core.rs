//! A fit by collapsed Gibbs sampling whose corpus stays in files: the same bits as in memory.

use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use posterior::math::iteration::Step;
use posterior::math::memory::size_text;
use posterior::table::MemoryLimit;
use posterior::topics::SweepReport;
use posterior::topics::corpus::{PackedTexts, ReadOptions, StoredCorpus, pack, text_format};
use posterior::topics::lda::gibbs::LdaGibbsOptions;
use posterior::topics::lda::gibbs::ring::{
    InFolder, Next, OneProcess, RingFit, RingFitted, RingPlan, RingSizes,
};

use super::artefacts;
use super::corpus_input::{self, Input, memory_of_fit};
use super::methods::{Progress, Setup, gibbs_options};
use super::reading::{self, Reading};
use super::streaming::{self, Course, Fitted};
use crate::args::{Model, TopicsEngine, TopicsFit, uses};
use crate::failure::Failure;
use crate::output_folder::{OutputFolder, never_an_input};
use crate::{interrupt, npy, output};

/// A corpus in a file, and how its texts were read.
pub(super) struct Packed {
    corpus: StoredCorpus,
    format: &'static str,
    reading: Reading,
    /// Where it was packed for this run, which removes it.
    scratch: Option<Scratch>,
}

/// A folder of this run that goes when it ends.
struct Scratch(PathBuf);

impl Scratch {
    fn create(folder: PathBuf) -> Result<Self, Failure> {
        std::fs::create_dir_all(&folder).map_err(|error| Failure::io(&folder, &error))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is no reason to fail: the fit is there, or has failed for another one.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Whether a run samples one model by collapsed Gibbs sampling.
fn samples(args: &TopicsFit) -> bool {
    args.model == Model::Lda && matches!(args.engine, None | Some(TopicsEngine::Gibbs))
}

/// The corpus of a run that does not fit into memory, or that is to be out of core in any case, as far as
/// that can be seen without reading it.
pub(super) fn of(args: &TopicsFit) -> Result<Option<Packed>, Failure> {
    let Some(path) = args.corpus.as_ref().filter(|_| samples(args)) else { return Ok(None) };
    let limit = MemoryLimit::new(args.texts.memory).limit();
    if StoredCorpus::is_at(path) {
        let corpus = StoredCorpus::open(path)?;
        let sizes = (corpus.documents() as u64, corpus.vocabulary().len() as u64, corpus.tokens());
        let needed = memory_of_fit(args.topics.most(), sizes).saturating_add(24 * corpus.entries() as u64);
        if args.parts.is_none() && needed <= limit {
            return Ok(None);
        }
        note(args, path, needed, limit);
        return Ok(Some(Packed { corpus, format: "stored", reading: Reading::every_word(), scratch: None }));
    }
    let needed = corpus_input::memory_of_texts(path);
    if args.parts.is_none() && needed <= limit {
        return Ok(None);
    }
    pack_texts(args, path, needed, limit)
}

/// Packs the texts at a path; `None` where it has counts, which are read as a whole.
fn pack_texts(args: &TopicsFit, path: &Path, needed: u64, limit: u64) -> Result<Option<Packed>, Failure> {
    let (reading, vocabulary) = reading::words(&args.words, &args.texts)?;
    let options =
        ReadOptions { memory: Some(limit), ..corpus_input::read_options(&args.texts, &reading, &vocabulary) };
    if let Some(format) = text_format(path, &options)? {
        uses::check_facts(&[("input", format.name()), ("reading", "stream")])?;
    }
    let scratch = scratch(args)?;
    let file = scratch.0.join("packed.corpus");
    let Some(PackedTexts { corpus, report, format, .. }) = pack(path, &options, &file)? else {
        return Ok(None);
    };
    note(args, path, needed, limit);
    output::note(args.common.quiet, report.to_string().trim_end());
    Ok(Some(Packed { corpus, format: format.name(), reading, scratch: Some(scratch) }))
}

/// The corpus of a run that was read, and whose fit does not fit into memory; what its plan said, where that
/// is the last word.
pub(super) fn of_input(args: &TopicsFit, input: &Input, refusal: Failure) -> Result<Packed, Failure> {
    let single = args.topics.single().is_some() && args.runs == 1;
    if !samples(args) || !single || input.format.is_none() {
        return Err(refusal);
    }
    let format = input.format.map_or("stored", |format| format.name());
    let limit = MemoryLimit::new(args.texts.memory).limit();
    let corpus = &input.corpus;
    let sizes = (corpus.documents() as u64, corpus.vocabulary().len() as u64, corpus.tokens());
    let needed = memory_of_fit(args.topics.most(), sizes);
    let path = args.corpus.as_deref().unwrap_or(Path::new("-"));
    note(args, path, needed, limit);
    let scratch = scratch(args)?;
    let stored = StoredCorpus::write(corpus, scratch.0.join("packed.corpus"))?;
    Ok(Packed { corpus: stored, format, reading: input.reading.clone(), scratch: Some(scratch) })
}

fn note(args: &TopicsFit, path: &Path, needed: u64, limit: u64) {
    let why = if needed > limit {
        format!("a fit in memory takes about {}, and {} may be taken", size_text(needed), size_text(limit))
    } else {
        "as --parts says".to_owned()
    };
    output::note(args.common.quiet, &format!("{}: out of core: {why}", path.display()));
}

/// A folder of this process, where the parts go.
fn scratch(args: &TopicsFit) -> Result<Scratch, Failure> {
    let parts = args.parts.as_ref().unwrap_or(&args.out);
    Scratch::create(parts.join(format!(".posterior-parts-{}", std::process::id())))
}

/// Fits, and writes what a fit leaves without its documents in memory.
pub(super) fn run(args: &TopicsFit, packed: Packed, start: Instant) -> Result<(), Failure> {
    let Packed { corpus, format, reading, scratch: own } = packed;
    uses::check_facts(&[("input", format), ("reading", "stream")])?;
    let Some(count) = args.topics.single() else {
        let message = "--topics: a range needs the whole corpus in memory, and this one does not fit";
        return Err(Failure::Usage(message.to_owned()));
    };
    let options = gibbs_options(&Setup::of(args, count))?;
    let sizes = RingSizes {
        documents: corpus.documents() as u64,
        words: corpus.vocabulary().len() as u64,
        tokens: corpus.tokens(),
    };
    let plan = RingPlan::new(sizes, &options, 1)?;
    let title = args.corpus.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    MemoryLimit::new(args.texts.memory).check(
        &format!("{title}: a fit of {count} topics out of core, in {} groups, takes", plan.groups),
        plan.memory.max(plan.model_memory) as u64,
        "take more --groups, fewer --threads, topics (--topics) or words (--max-vocabulary)",
    )?;
    if let Some(path) = &args.checkpoint {
        never_an_input(path, &["checkpoint", "resume", "out"])?;
    }
    let folder = OutputFolder::at(&args.out, artefacts::NAMES)?;
    output::note(
        args.common.quiet,
        &format!(
            "{}; {} groups, parts of {}, {} read and {} written in a sweep",
            streaming::sizes(&title, &corpus),
            plan.groups,
            size_text(plan.parts as u64),
            size_text(plan.read as u64),
            size_text(plan.written as u64)
        ),
    );
    let scratch = own.map_or_else(|| scratch(args), Ok)?;
    let storage = InFolder::create(scratch.0.join("parts"))?;
    let fitted = sample(args, &options, (&corpus, &storage))?;
    write(args, (&folder, &title, start), &corpus, &reading, &fitted)
}

/// Runs the chain, or goes on with it.
fn sample<'a>(
    args: &'a TopicsFit,
    options: &'a LdaGibbsOptions,
    (corpus, storage): (&'a StoredCorpus, &'a InFolder),
) -> Result<RingFitted<'a, InFolder>, Failure> {
    let checkpoints = args.checkpoint.as_deref();
    let resumed = args.resume.as_deref();
    let mut saves = Saves::new(args, options.iterations, corpus.tokens());
    let mut process = OneProcess;
    let fitted = match resumed {
        None => {
            let fit = RingFit { corpus, options, storage, checkpoints };
            fit.run(&mut process, &mut |step| saves.next(step))?
        }
        Some(folder) => {
            let fit = RingFit { corpus, options, storage, checkpoints: checkpoints.or(Some(folder)) };
            fit.resume(folder, &mut process, &mut |step| saves.next(step))?
        }
    };
    saves.end()?;
    Ok(fitted)
}

/// When a fit saves its state, and when it stops.
struct Saves<'a> {
    path: Option<&'a Path>,
    every: Duration,
    last: Instant,
    progress: Progress,
    interrupted: Option<usize>,
}

impl<'a> Saves<'a> {
    fn new(args: &'a TopicsFit, iterations: usize, tokens: u64) -> Self {
        interrupt::watch();
        Self {
            path: args.checkpoint.as_deref(),
            every: Duration::from_secs(u64::from(args.checkpoint_every)),
            last: Instant::now(),
            progress: Progress::new(iterations, tokens, args.common.quiet),
            interrupted: None,
        }
    }

    fn next(&mut self, step: &Step) -> Next {
        self.progress.show(step.iteration, step.objective);
        if interrupt::requested() {
            self.interrupted = Some(step.iteration);
            return if self.path.is_some() { Next::SaveAndStop } else { Next::Stop };
        }
        if self.path.is_some() && self.last.elapsed() >= self.every {
            self.last = Instant::now();
            return Next::Save;
        }
        Next::Continue
    }

    fn end(self) -> Result<(), Failure> {
        self.progress.clear();
        let Some(sweep) = self.interrupted else { return Ok(()) };
        Err(Failure::Interrupted(match self.path {
            Some(path) => format!(
                "after {sweep} sweeps; the same command with --resume {} goes on from there",
                path.display()
            ),
            None => format!("after {sweep} sweeps; nothing was saved (--checkpoint FOLDER would have)"),
        }))
    }
}

/// Writes the files of a fit: proportions of documents as they are read.
fn write(
    args: &TopicsFit,
    (folder, title, start): (&OutputFolder, &str, Instant),
    corpus: &StoredCorpus,
    reading: &Reading,
    fitted: &RingFitted<'_, InFolder>,
) -> Result<(), Failure> {
    let Some(model) = &fitted.model else {
        return Err(Failure::data("the first process has no model, which it should have"));
    };
    let topics = model.alpha().len();
    let mut leading = vec![(0_u16, 0.0_f64); corpus.documents()];
    folder.put("doc_topic.npy", |out| {
        let first = npy::write_header(out, (corpus.documents(), topics))?;
        fitted
            .for_each_document(|d, proportions| {
                let best =
                    (0..topics).max_by(|&a, &b| proportions[a].total_cmp(&proportions[b])).unwrap_or(0);
                leading[d] = (best as u16, proportions[best]);
                let bytes: Vec<u8> = proportions.iter().flat_map(|own| own.to_le_bytes()).collect();
                let place = first + (d * topics * size_of::<f64>()) as u64;
                let written = out.seek(SeekFrom::Start(place)).and_then(|_| out.write_all(&bytes));
                written.map_err(|source| posterior::text::Error::io(Path::new("doc_topic.npy"), source))
            })
            .map_err(io::Error::other)
    })?;
    let SweepReport { trace, iterations, sampling, tokens_drawn, .. } = &fitted.report;
    let tokens = corpus.tokens() as f64;
    let points = trace.iter().map(|point| (point.iteration as f64, point.ln_joint / tokens)).collect();
    let course = Course {
        objective: "ln p per word",
        points,
        iterations: *iterations,
        tokens_per_second: *tokens_drawn as f64 / sampling.as_secs_f64(),
        how: "by collapsed Gibbs sampling, out of core",
        steps: "sweep",
        text: "Joint log-likelihood of words and topics per word: it climbs while the chain finds its topics.",
    };
    let places = leading.into_iter().map(|(topic, proportion)| (usize::from(topic), proportion));
    streaming::write(args, (folder, title, start), corpus, &Fitted { model, reading, course }, places)
}
