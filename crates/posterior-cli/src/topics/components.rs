//! `posterior topics fit --model lsa`: components, which are no topics.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

use posterior::table::MemoryLimit;
use posterior::topics::semantic_analysis::{self, SemanticAnalysis, SemanticAnalysisOptions, WeightedWord};
use posterior_report::{Figure, Page, PageTable, TableColumn, scatter};
use serde::Serialize;

use super::corpus_input::Input;
use super::methods::weighting;
use super::reading::Reading;
use super::saved_model::{AREA, Written, WrittenModel};
use crate::args::{Format, TopicsFit, name};
use crate::failure::Failure;
use crate::output::{grouped, percent, shortest, significant};
use crate::output_folder::OutputFolder;
use crate::{model_file, npy, output};

/// Words at each end of a component.
const WORDS: usize = 15;
/// Those that a line has room for.
const IN_LINE: usize = 6;

const NAMES: &[&str] =
    &["model.json", "components.csv", "doc_topic.npy", "documents.csv", "vocab.txt", "report.html"];

#[derive(Serialize)]
struct Word {
    word: String,
    weight: f64,
}

#[derive(Serialize)]
struct Component {
    id: usize,
    singular_value: f64,
    /// Of the sum of all squared weights.
    explained_squares: f64,
    /// Of the variance of the weights over documents.
    explained_variance: f64,
    /// The words at both ends, the furthest first.
    positive: Vec<Word>,
    negative: Vec<Word>,
}

#[derive(Serialize)]
struct Answer {
    documents: usize,
    vocabulary: usize,
    tokens: u64,
    components: Vec<Component>,
    seed: u64,
    seconds: f64,
    report: String,
}

/// Runs the verb.
pub(super) fn run(args: &TopicsFit, start: Instant) -> Result<(), Failure> {
    let components = args.topics.most();
    let options = SemanticAnalysisOptions {
        components,
        weighting: weighting(args.weighting),
        seed: args.common.seed,
        ..SemanticAnalysisOptions::default()
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    let mut input = Input::load(args)?;
    input.plan(components, 0, MemoryLimit::new(args.texts.memory))?;
    let folder = OutputFolder::at(&args.out, NAMES)?;
    output::note(args.common.quiet, &input.summary());
    let analysis = semantic_analysis::fit(&input.corpus, &options)?;
    let answer = Answer {
        documents: input.corpus.documents(),
        vocabulary: input.corpus.vocabulary().len(),
        tokens: input.corpus.tokens(),
        components: (0..analysis.components()).map(|id| component(&analysis, id)).collect(),
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
        report: args.out.join("report.html").display().to_string(),
    };
    write(&folder, &input.reading, &input, &analysis, &answer)?;
    folder.put_text("report.html", &page(args, &input, &analysis, &answer).html())?;
    folder.commit()?;
    match args.common.format {
        Format::Json => output::print_json(&answer),
        Format::Text => output::print(&text(&answer)),
    }
}

fn component(analysis: &SemanticAnalysis, id: usize) -> Component {
    let ends = analysis.leading_words(id, WORDS);
    let words = |all: &[WeightedWord]| {
        let word =
            |own: &WeightedWord| Word { word: analysis.vocabulary()[own.word].clone(), weight: own.weight };
        all.iter().map(word).collect()
    };
    Component {
        id,
        singular_value: analysis.singular_values()[id],
        explained_squares: analysis.explained_squares()[id],
        explained_variance: analysis.explained_variance()[id],
        positive: words(&ends.positive),
        negative: words(&ends.negative),
    }
}

fn write(
    folder: &OutputFolder,
    reading: &Reading,
    input: &Input,
    analysis: &SemanticAnalysis,
    answer: &Answer,
) -> Result<(), Failure> {
    let written = Written { reading, names: &[], model: WrittenModel::Components(analysis) };
    model_file::put(folder, AREA, &written)?;
    folder.put("doc_topic.npy", |out| npy::write(out, analysis.documents()))?;
    folder
        .put("vocab.txt", |out| analysis.vocabulary().iter().try_for_each(|word| writeln!(out, "{word}")))?;
    let rows = answer.components.iter().flat_map(|own| {
        let end = move |(rank, word): (usize, &Word)| {
            let [id, value] = [own.id.to_string(), shortest(own.singular_value)];
            [id, value, (rank + 1).to_string(), word.word.clone(), shortest(word.weight)]
        };
        own.positive.iter().enumerate().map(end).chain(own.negative.iter().enumerate().map(end))
    });
    folder.put_table("components.csv", ["component", "singular_value", "rank", "word", "weight"], rows)?;
    let columns = (0..analysis.components()).map(|id| format!("component_{id}"));
    let header: Vec<String> = ["document", "tokens"].map(str::to_owned).into_iter().chain(columns).collect();
    let rows = input.corpus.iter().enumerate().map(|(d, document)| {
        let mut row = vec![input.corpus.names()[d].clone(), document.tokens().to_string()];
        row.extend(analysis.documents().row(d).iter().copied().map(shortest));
        row
    });
    folder.put_table("documents.csv", header, rows)
}

fn joined(words: &[Word], most: usize) -> String {
    words.iter().take(most).map(|own| own.word.as_str()).collect::<Vec<_>>().join(" ")
}

/// The page: where documents lie, and what components are made of.
fn page(args: &TopicsFit, input: &Input, analysis: &SemanticAnalysis, answer: &Answer) -> Page {
    let components = analysis.components();
    let mut page =
        Page::new("Latent semantic analysis", format!("{components} components of {}", input.title));
    let squares: f64 = analysis.explained_squares().iter().sum();
    page.standfirst.push(format!(
        "{} documents with a vocabulary of {} words as points in {components} dimensions, which have {} of the sum of all squared weights. \
         Components are no topics: they have words at both ends, and nothing says what a document would be.",
        grouped(answer.documents as u64),
        grouped(answer.vocabulary as u64),
        percent(squares)
    ));
    // The first component is near the mean of all documents.
    let (x, y) = if components > 2 { (1, 2) } else { (0, 1) };
    if components > 1 {
        let points: Vec<(f64, f64)> = analysis.documents().row_iter().map(|row| (row[x], row[y])).collect();
        let names = (format!("component {x}"), format!("component {y}"));
        let picture = scatter("documents", (&names.0, &names.1), &points, &[], &[]);
        page.lead = Some(Figure::new(
            picture,
            "Each point is a document; those with the same words are near each other.",
        ));
    }
    let row = |own: &Component| {
        vec![
            own.id.to_string(),
            significant(own.singular_value),
            percent(own.explained_variance),
            joined(&own.positive, 2 * IN_LINE),
            joined(&own.negative, 2 * IN_LINE),
        ]
    };
    let columns = vec![
        TableColumn::number("Component"),
        TableColumn::number("Singular value"),
        TableColumn::number("Variance"),
        TableColumn::text("One end"),
        TableColumn::text("The other end"),
    ];
    let table = PageTable { columns, rows: answer.components.iter().map(row).collect() };
    let text = "The words with the largest coordinates at both ends, and the proportion of the variance over documents. The first component is \
                near the mean, and has one end in most corpora.";
    page.section("Components", text, table);
    page.command = output::called();
    page.settings = [
        ("model", "latent semantic analysis".to_owned()),
        ("components", components.to_string()),
        ("weight of a count", name(args.weighting)),
        ("seed", args.common.seed.to_string()),
        ("program", format!("posterior {}", env!("CARGO_PKG_VERSION"))),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec();
    input.source.clone_into(&mut page.source);
    page
}

fn text(answer: &Answer) -> String {
    let mut text = String::from("component  singular value  variance  words at both ends\n");
    for own in &answer.components {
        let ends = [joined(&own.positive, IN_LINE), joined(&own.negative, IN_LINE)];
        let ends: Vec<&str> = ends.iter().map(String::as_str).filter(|end| !end.is_empty()).collect();
        let (value, variance) = (significant(own.singular_value), percent(own.explained_variance));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:>9}  {value:>14}  {variance:>8}  {}", own.id, ends.join("  |  "));
    }
    let _ = writeln!(text, "\nreport  {}", answer.report);
    text
}
