//! A fit to a stored corpus, a block of documents in memory at a time.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

use posterior::math::iteration::Fitted;
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
    output::note(
        args.common.quiet,
        &format!(
            "{title}: {} documents, {} words in all, a vocabulary of {}, {} blocks",
            grouped(stored.documents() as u64),
            grouped(stored.tokens()),
            grouped(stored.vocabulary().len() as u64),
            grouped(stored.len() as u64)
        ),
    );
    let batches = stored.documents().div_ceil(options.batch).saturating_mul(options.passes);
    let mut steps = Steps::new(args, batches, stored.tokens());
    let Fitted { model, report } = online::fit_stored(stored, &options, &mut |step: &_| steps.observe(step))?;
    let seconds = steps.finish()?;
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
        objective: "estimated bound per token",
        ln_likelihood_per_token: report.trace.last().copied().unwrap_or(f64::NAN) / stored.tokens() as f64,
        iterations: report.iterations(),
        tokens_per_second: options.passes as f64 * stored.tokens() as f64 / seconds,
        alpha: model.alpha().to_vec(),
        beta: model.beta(),
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
        report: args.out.join("report.html").display().to_string(),
    };
    let points: Vec<(f64, f64)> = report
        .trace
        .iter()
        .enumerate()
        .map(|(step, bound)| (step as f64, bound / stored.tokens() as f64))
        .collect();
    folder.put_text("report.html", &page(&answer, &title, &points).html())?;
    folder.put("topic_word.npy", |out| npy::write(out, topics.topic_word()))?;
    folder.put("vocab.txt", |out| topics.vocabulary().iter().try_for_each(|word| writeln!(out, "{word}")))?;
    let rows = artefacts::topic_rows(topics, &[]);
    folder.put_table("topics.csv", artefacts::TOPIC_COLUMNS, rows)?;
    documents(&folder, stored, &model)?;
    let model = FittedModel::Lda(model);
    let reading = Reading::every_word();
    model_file::put(
        &folder,
        AREA,
        &Written { reading: &reading, names: &[], model: WrittenModel::Topics(&model) },
    )?;
    folder.commit()?;
    match args.common.format {
        Format::Json => output::print_json(&answer),
        Format::Text => output::print(&text(&answer)),
    }
}

/// `documents.csv`: the leading topic of each document, a block at a time.
fn documents(folder: &OutputFolder, stored: &StoredCorpus, model: &Lda) -> Result<(), Failure> {
    let mut fault = None;
    let rows = stored.blocks().map_while(|block| match block {
        Ok(block) => {
            let documents: Vec<_> = block.iter().collect();
            let row = |(name, document): (&String, &posterior::topics::corpus::Document<'_>)| {
                let theta = model.proportions(*document);
                let leading = (0..theta.len()).max_by(|&a, &b| theta[a].total_cmp(&theta[b])).unwrap_or(0);
                let [tokens, topic, proportion] =
                    [document.tokens().to_string(), leading.to_string(), theta[leading].to_string()];
                [name.clone(), tokens, topic, proportion]
            };
            Some(block.names().par_iter().zip(&documents).map(row).collect::<Vec<_>>())
        }
        Err(error) => {
            fault = Some(error);
            None
        }
    });
    folder.put_table("documents.csv", ["document", "tokens", "topic", "proportion"], rows.flatten())?;
    fault.map_or(Ok(()), |error| Err(error.into()))
}

fn page(answer: &Answer, title: &str, points: &[(f64, f64)]) -> Page {
    let mut page = Page::new("Topic model", format!("{} topics in {title}", answer.topics.len()));
    page.standfirst.push(format!(
        "Latent Dirichlet allocation by online variational Bayes, fitted to {} documents a block at a time.",
        grouped(answer.documents as u64)
    ));
    page.fact("Documents", grouped(answer.documents as u64));
    page.fact("Words", grouped(answer.tokens));
    page.fact("Vocabulary", grouped(answer.vocabulary as u64));
    page.fact("Batches", grouped(answer.iterations as u64));
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
    if points.len() > 1 {
        let name = "estimated bound of ln p(words) per word";
        let picture = ribbons(("batch", name), &[Ribbon::line("", points.iter().copied())], &[], None);
        page.figure(
            "Convergence",
            "Each batch is scored by the topics from before it: a noisy estimate that climbs.",
            &picture,
            "",
        );
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

fn text(answer: &Answer) -> String {
    let mut text = String::from("topic  proportion  words\n");
    for topic in &answer.topics {
        let words = topic.relevant[..topic.relevant.len().min(10)].join(" ");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:>5}  {:>8.1} %  {words}", topic.id, 100.0 * topic.weight);
    }
    let _ = writeln!(
        text,
        "\n{}  {}, after {} batches\nreport  {}",
        answer.objective,
        significant(answer.ln_likelihood_per_token),
        grouped(answer.iterations as u64),
        answer.report
    );
    text
}
