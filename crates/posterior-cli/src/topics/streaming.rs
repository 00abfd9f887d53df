//! A fit to a stored corpus, a block of documents in memory at a time.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

use posterior::math::iteration;
use posterior::topics::corpus::StoredCorpus;
use posterior::topics::lda::{Lda, online};
use posterior::topics::{TopicModel as _, top_words};
use posterior_report::{Page, PageTable, Ribbon, TableColumn, ribbons};
use rayon::prelude::*;
use serde::Serialize;

use super::artefacts;
use super::fitted_model::FittedModel;
use super::methods::{Setup, Steps, online_options};
use super::reading::Reading;
use super::saved_model::{AREA, Written, WrittenModel};
use crate::args::{CorpusFormat, Format, Model, TopicsEngine, TopicsFit, uses};
use crate::failure::Failure;
use crate::output::{self, grouped, significant};
use crate::output_folder::OutputFolder;
use crate::report::relevant_words;
use crate::{model_file, npy};

/// Words of a topic in the answer.
const WORDS: usize = 15;

#[derive(Serialize)]
struct Word {
    word: String,
    p: f64,
}

#[derive(Serialize)]
struct Topic {
    id: usize,
    weight: f64,
    words: Vec<Word>,
    relevant: Vec<String>,
}

#[derive(Serialize)]
struct Answer {
    documents: usize,
    vocabulary: usize,
    tokens: u64,
    topics: Vec<Topic>,
    objective: &'static str,
    ln_likelihood_per_token: f64,
    iterations: usize,
    tokens_per_second: f64,
    alpha: Vec<f64>,
    beta: f64,
    seed: u64,
    seconds: f64,
    report: String,
}

/// The corpus of a run that goes through it block by block.
pub(super) fn of(args: &TopicsFit) -> Result<Option<StoredCorpus>, Failure> {
    let streams = args.model == Model::Lda && args.engine == Some(TopicsEngine::OnlineVb);
    let Some(path) = args.corpus.as_ref().filter(|_| streams) else { return Ok(None) };
    let named = args.texts.input == Some(CorpusFormat::Stored);
    if !named && !StoredCorpus::is_at(path) {
        return Ok(None);
    }
    uses::check_facts(&[("input", "stored"), ("reading", "stream")])?;
    Ok(Some(StoredCorpus::open(path)?))
}

/// Fits, and writes what a fit leaves without its documents in memory.
pub(super) fn run(args: &TopicsFit, stored: &StoredCorpus, start: Instant) -> Result<(), Failure> {
    let Some(count) = args.topics.single() else {
        let message = "--topics: a range needs the whole corpus in memory, and --engine online-vb takes a stored one block by block";
        return Err(Failure::Usage(message.to_owned()));
    };
    let setup = Setup::of(args, count);
    let options = online_options(&setup)?;
    let folder = OutputFolder::at(&args.out, artefacts::NAMES)?;
    let title = args.corpus.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    output::note(args.common.quiet, &sizes(&title, stored));
    let batches = stored.documents().div_ceil(options.batch).saturating_mul(options.passes);
    let mut steps = Steps::new(args, batches, stored.tokens());
    let iteration::Fitted { model, report } =
        online::fit_stored(stored, &options, &mut |step: &_| steps.observe(step))?;
    let seconds = steps.finish()?;
    let tokens = stored.tokens() as f64;
    let points = report.trace.iter().enumerate().map(|(step, bound)| (step as f64, bound / tokens)).collect();
    let course = Course {
        objective: "estimated bound per token",
        points,
        iterations: report.iterations(),
        tokens_per_second: options.passes as f64 * tokens / seconds,
        how: "by online variational Bayes, a block at a time",
        steps: "batch",
        text: "Each batch is scored by the topics from before it: a noisy estimate that climbs.",
    };
    let reading = Reading::every_word();
    let fitted = Fitted { model: &model, reading: &reading, course };
    let mut fault = None;
    let leading = leading(stored, &model, &mut fault);
    write(args, (&folder, &title, start), stored, &fitted, leading)?;
    fault.map_or(Ok(()), |error| Err(error.into()))
}

/// A fit whose documents are not in memory.
pub(super) struct Fitted<'a> {
    pub(super) model: &'a Lda,
    /// How texts became words.
    pub(super) reading: &'a Reading,
    pub(super) course: Course,
}

/// How a fit went.
pub(super) struct Course {
    /// What climbs.
    pub(super) objective: &'static str,
    /// Its values by step.
    pub(super) points: Vec<(f64, f64)>,
    pub(super) iterations: usize,
    pub(super) tokens_per_second: f64,
    /// By which inference.
    pub(super) how: &'static str,
    /// What a step is called.
    pub(super) steps: &'static str,
    /// What the curve shows.
    pub(super) text: &'static str,
}

/// The sizes of a corpus in a line.
pub(super) fn sizes(title: &str, stored: &StoredCorpus) -> String {
    format!(
        "{title}: {} documents, {} words in all, a vocabulary of {}, {} blocks",
        grouped(stored.documents() as u64),
        grouped(stored.tokens()),
        grouped(stored.vocabulary().len() as u64),
        grouped(stored.len() as u64)
    )
}

/// Writes the files and prints the answer; `leading` has the leading topic of each document and its
/// proportion.
pub(super) fn write(
    args: &TopicsFit,
    (folder, title, start): (&OutputFolder, &str, Instant),
    stored: &StoredCorpus,
    fitted: &Fitted<'_>,
    leading: impl Iterator<Item = (usize, f64)>,
) -> Result<(), Failure> {
    let Fitted { model, reading, course } = fitted;
    let topics = model.topics();
    let relevant = relevant_words(topics);
    let spelt = |word: usize| topics.vocabulary()[word].clone();
    let topic = |(id, &weight): (usize, &f64)| Topic {
        id,
        weight,
        words: top_words::by_probability(topics, id, WORDS)
            .iter()
            .map(|own| Word { word: spelt(own.word), p: own.probability })
            .collect(),
        relevant: relevant[id].iter().map(|own| spelt(own.word)).collect(),
    };
    let answer = Answer {
        documents: stored.documents(),
        vocabulary: stored.vocabulary().len(),
        tokens: stored.tokens(),
        topics: topics.weights().iter().enumerate().map(topic).collect(),
        objective: course.objective,
        ln_likelihood_per_token: course.points.last().map_or(f64::NAN, |&(_, value)| value),
        iterations: course.iterations,
        tokens_per_second: course.tokens_per_second,
        alpha: model.alpha().to_vec(),
        beta: model.beta(),
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
        report: args.out.join("report.html").display().to_string(),
    };
    folder.put_text("report.html", &page(&answer, title, course).html())?;
    folder.put("topic_word.npy", |out| npy::write(out, topics.topic_word()))?;
    folder.put("vocab.txt", |out| topics.vocabulary().iter().try_for_each(|word| writeln!(out, "{word}")))?;
    let rows = artefacts::topic_rows(topics, &[]);
    folder.put_table("topics.csv", artefacts::TOPIC_COLUMNS, rows)?;
    documents(folder, stored, leading)?;
    let model = FittedModel::Lda((*model).clone());
    let written = Written { reading, names: &[], model: WrittenModel::Topics(&model) };
    model_file::put(folder, AREA, &written)?;
    folder.commit()?;
    match args.common.format {
        Format::Json => output::print_json(&answer),
        Format::Text => output::print(&text(&answer, course)),
    }
}

/// The leading topic of each document by its words alone, a block at a time.
fn leading<'a>(
    stored: &'a StoredCorpus,
    model: &'a Lda,
    fault: &'a mut Option<posterior::text::Error>,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let blocks = stored.blocks().map_while(move |block| match block {
        Ok(block) => {
            let documents: Vec<_> = block.iter().collect();
            let of = |document: &posterior::topics::corpus::Document<'_>| {
                let theta = model.proportions(*document);
                let leading = (0..theta.len()).max_by(|&a, &b| theta[a].total_cmp(&theta[b])).unwrap_or(0);
                (leading, theta[leading])
            };
            Some(documents.par_iter().map(of).collect::<Vec<_>>())
        }
        Err(error) => {
            *fault = Some(error);
            None
        }
    });
    blocks.flatten()
}

/// `documents.csv`: the leading topic of each document, a block at a time.
fn documents(
    folder: &OutputFolder,
    stored: &StoredCorpus,
    mut leading: impl Iterator<Item = (usize, f64)>,
) -> Result<(), Failure> {
    let mut fault = None;
    let rows = stored.blocks().map_while(|block| match block {
        Ok(block) => {
            let row = |(name, document): (&String, posterior::topics::corpus::Document<'_>)| {
                let (topic, proportion) = leading.next()?;
                Some([name.clone(), document.tokens().to_string(), topic.to_string(), proportion.to_string()])
            };
            Some(block.names().iter().zip(block.iter()).filter_map(row).collect::<Vec<_>>())
        }
        Err(error) => {
            fault = Some(error);
            None
        }
    });
    folder.put_table("documents.csv", ["document", "tokens", "topic", "proportion"], rows.flatten())?;
    fault.map_or(Ok(()), |error| Err(error.into()))
}

fn page(answer: &Answer, title: &str, course: &Course) -> Page {
    let mut page = Page::new("Topic model", format!("{} topics in {title}", answer.topics.len()));
    page.standfirst.push(format!(
        "Latent Dirichlet allocation, fitted to {} documents {}.",
        grouped(answer.documents as u64),
        course.how
    ));
    page.fact("Documents", grouped(answer.documents as u64));
    page.fact("Words", grouped(answer.tokens));
    page.fact("Vocabulary", grouped(answer.vocabulary as u64));
    let steps = if course.steps == "sweep" { "Sweeps" } else { "Batches" };
    page.fact(steps, grouped(answer.iterations as u64));
    page.fact(answer.objective, significant(answer.ln_likelihood_per_token));
    let row = |topic: &Topic| {
        vec![topic.id.to_string(), format!("{:.1} %", 100.0 * topic.weight), topic.relevant.join(" ")]
    };
    let columns =
        vec![TableColumn::number("Topic"), TableColumn::number("Proportion"), TableColumn::text("Words")];
    let table = PageTable { columns, rows: answer.topics.iter().map(row).collect() };
    page.section(
        "The topics",
        "The most relevant words of each topic, and its proportion of all words.",
        table,
    );
    if course.points.len() > 1 {
        let line = Ribbon::line("", course.points.iter().copied());
        let picture = ribbons((course.steps, course.objective), &[line], &[], None);
        page.figure("Convergence", course.text, &picture, "");
    }
    page.command = output::called();
    page.settings = vec![
        ("alpha".to_owned(), significant(answer.alpha[0])),
        ("beta".to_owned(), significant(answer.beta)),
        ("seed".to_owned(), answer.seed.to_string()),
        ("program".to_owned(), format!("posterior {}", env!("CARGO_PKG_VERSION"))),
    ];
    page.source = format!("Corpus: {title}");
    page
}

fn text(answer: &Answer, course: &Course) -> String {
    let mut text = String::from("topic  proportion  words\n");
    for topic in &answer.topics {
        let words = topic.relevant[..topic.relevant.len().min(10)].join(" ");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:>5}  {:>8.1} %  {words}", topic.id, 100.0 * topic.weight);
    }
    let _ = writeln!(
        text,
        "\n{}  {}, after {} {}\nreport  {}",
        answer.objective,
        significant(answer.ln_likelihood_per_token),
        grouped(answer.iterations as u64),
        if course.steps == "sweep" { "sweeps" } else { "batches" },
        answer.report
    );
    text
}
