//! A fit by collapsed Gibbs sampling whose corpus stays in files: the same bits as in memory.

use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use posterior::math::iteration::Step;
use posterior::math::memory::size_text;
use posterior::table::MemoryLimit;
use posterior::topics::SweepReport;
use posterior::topics::corpus::{CorpusFormat, StoredCorpus};
use posterior::topics::lda::gibbs::LdaGibbsOptions;
use posterior::topics::lda::gibbs::ring::{
    InFolder, Next, OneProcess, RingFit, RingFitted, RingPlan, RingSizes,
};

use super::artefacts;
use super::corpus_input::large_files;
use super::methods::{Progress, Setup, gibbs_options};
use super::reading::Reading;
use super::store::{Stored, store};
use super::streaming::{self, Course, Fitted};
use crate::args::{Model, Sampler, TopicsEngine, TopicsFit, uses};
use crate::failure::Failure;
use crate::output_folder::{OutputFolder, never_an_input};
use crate::{checkpoint_file, interrupt, npy, output};

/// What the table of options knows of such a run.
const STREAM: (&str, &str) = ("reading", "stream");

/// Whether a run can do without its corpus in memory: it samples one model of a corpus that can be read
/// again, and nothing that it asks for needs all documents at once.
pub(super) fn is_possible(args: &TopicsFit) -> bool {
    let samples = args.model == Model::Lda
        && matches!(args.engine, None | Some(TopicsEngine::Gibbs))
        && args.sampler != Sampler::Warp;
    let is_read_again = args.corpus.as_ref().is_some_and(|path| path.as_os_str() != "-");
    samples && is_read_again && args.topics.single().is_some() && uses::check_facts(&[STREAM]).is_ok()
}

/// A folder of this run for the parts, which goes when the run ends, and so does the one around it where that
/// was not there before and nothing else is in it.
struct Scratch {
    folder: PathBuf,
    around: Option<PathBuf>,
}

impl Scratch {
    fn create(around: &Path) -> Result<Self, Failure> {
        let folder = around.join(format!(".posterior-parts-{}", std::process::id()));
        let scratch = Self { around: (!around.exists()).then(|| around.to_owned()), folder };
        std::fs::create_dir_all(&scratch.folder).map_err(|error| Failure::io(&scratch.folder, &error))?;
        Ok(scratch)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is no reason to fail: the fit is there, or has failed for another one.
        let _ = std::fs::remove_dir_all(&self.folder);
        let _ = self.around.as_ref().map(std::fs::remove_dir);
    }
}

/// Fits, and writes what a fit leaves without its documents in memory.
pub(super) fn run(args: &TopicsFit, start: Instant) -> Result<(), Failure> {
    uses::check_facts(&[STREAM])?;
    let Some(count) = args.topics.single() else {
        let message = "--topics: a range needs the whole corpus in memory, and this one stays in files";
        return Err(Failure::Usage(message.to_owned()));
    };
    check_checkpoints(args)?;
    let path = args.corpus.as_deref().unwrap_or(Path::new("-"));
    let title = path.display().to_string();
    let options = gibbs_options(&Setup::of(args, count))?;
    let scratch = Scratch::create(args.parts.as_ref().unwrap_or(&args.out))?;
    let Stored { corpus, format, reading } = if StoredCorpus::is_at(path) {
        Stored::of_counts(StoredCorpus::open(path)?, CorpusFormat::Stored)
    } else {
        let file = scratch.folder.join("packed.corpus");
        store(path, (&args.texts, &args.words), &file, args.common.quiet)?
    };
    uses::check_facts(&[("input", format.name()), STREAM])?;
    let sizes = RingSizes {
        documents: corpus.documents() as u64,
        words: corpus.vocabulary().len() as u64,
        tokens: corpus.tokens(),
    };
    let plan = RingPlan::new(sizes, &options, 1)?;
    MemoryLimit::new(args.texts.memory).check(
        &format!("{title}: a fit of {count} topics out of core, in {} groups, takes", plan.groups),
        plan.memory.max(plan.model_memory) as u64,
        "take more --groups, fewer --threads, topics (--topics) or words (--max-vocabulary)",
    )?;
    let folder = OutputFolder::at(&args.out, artefacts::NAMES)?;
    let parts = [plan.parts, plan.read, plan.written].map(|bytes| size_text(bytes as u64));
    let note = format!(
        "{}; out of core in {} groups: parts of {}, of which a sweep reads {} and writes {}",
        streaming::sizes(&title, &corpus),
        plan.groups,
        parts[0],
        parts[1],
        parts[2]
    );
    output::note(args.common.quiet, &note);
    if let Some(files) = large_files(count, sizes.words, sizes.documents) {
        output::note(args.common.quiet, &files);
    }
    let storage = InFolder::create(scratch.folder.join("parts"))?;
    let fitted = sample(args, &options, (&corpus, &storage))?;
    write(args, (&folder, &title, start), &corpus, &reading, &fitted)
}

/// Refuses checkpoints in a file, which are those of a run in memory.
fn check_checkpoints(args: &TopicsFit) -> Result<(), Failure> {
    for (option, path) in [("checkpoint", &args.checkpoint), ("resume", &args.resume)] {
        if let Some(path) = path.as_ref().filter(|path| path.is_file()) {
            let message =
                format!("--{option} {}: is a file, and out of core a checkpoint is a folder", path.display());
            return Err(Failure::data(message)
                .with_hint("a file is of a run in memory: allow as much --memory, or name a folder"));
        }
    }
    match &args.checkpoint {
        Some(path) => never_an_input(path, &["checkpoint", "resume", "out"]),
        None => Ok(()),
    }
}

/// Runs the chain, or goes on with it.
fn sample<'a>(
    args: &'a TopicsFit,
    options: &'a LdaGibbsOptions,
    (corpus, storage): (&'a StoredCorpus, &'a InFolder),
) -> Result<RingFitted<'a, InFolder>, Failure> {
    let mut saves = Saves::new(args, options.iterations, corpus.tokens());
    let fit = RingFit { corpus, options, storage, checkpoints: args.checkpoint.as_deref() };
    let mut next = |step: &Step| saves.next(step);
    let fitted = match &args.resume {
        None => fit.run(&mut OneProcess, &mut next)?,
        Some(folder) => fit.resume(folder, &mut OneProcess, &mut next)?,
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
            interrupt::ends_by_itself();
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
        self.interrupted.map_or(Ok(()), |sweep| {
            Err(checkpoint_file::interrupted(&format!("{sweep} sweeps"), self.path, "FOLDER"))
        })
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
