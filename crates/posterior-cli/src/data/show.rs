//! The columns of a table at a glance.

use posterior::table::{ColumnContent, ColumnSummary, DataFrame, TableFile, has_ending};
use posterior_report::{PageTable, TableColumn};
use serde::Serialize;

use crate::args::{DataShow, Format};
use crate::failure::Failure;
use crate::output::{self, grouped, significant};

/// Labels that are named of a column.
const LABELS: usize = 4;

/// Bars of counts.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

#[derive(Serialize)]
struct Answer {
    file: String,
    rows: usize,
    columns: Vec<Column>,
}

/// A column, or why it has no summary.
#[derive(Serialize)]
struct Column {
    name: String,
    #[serde(rename = "type")]
    kind: Option<String>,
    missing: Option<usize>,
    distinct: Option<usize>,
    #[serde(flatten)]
    content: Option<Content>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    bars: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content {
    Numbers { min: f64, q25: f64, median: f64, q75: f64, max: f64 },
    Labels { levels: Vec<Level> },
    Dates { first: String, last: String, step: Option<String>, empty_steps: Option<usize> },
    Texts { words_per_row: f64 },
    Names { first: String },
    Nothing {},
}

#[derive(Serialize)]
struct Level {
    label: String,
    rows: usize,
}

/// `posterior data show`.
pub(crate) fn run(args: &DataShow) -> Result<(), Failure> {
    let table = read(args)?;
    args.columns.iter().try_for_each(|name| table.cells(name).map(drop))?;
    let names = if args.columns.is_empty() { table.header() } else { &args.columns[..] };
    let columns = names.iter().map(|name| column(&table, name)).collect::<Vec<_>>();
    let answer = Answer { file: table.source.clone(), rows: table.len(), columns };
    match args.format {
        Format::Json => output::print_json(&answer),
        Format::Text => {
            output::print(&text(&answer))?;
            let problems = answer.columns.iter().filter_map(|own| own.problem.as_ref());
            problems.for_each(|problem| output::note(args.quiet, &format!("note: {problem}")));
            Ok(())
        }
    }
}

fn read(args: &DataShow) -> Result<DataFrame, Failure> {
    let options = args.table.options()?;
    if options.delimiter.is_none() && has_ending(&args.file, &["jsonl", "ndjson"]) {
        return Ok(DataFrame::read_json_lines(&args.file, &options)?);
    }
    let file = TableFile::open(&args.file, &options)?;
    let names = if args.columns.is_empty() { file.header().to_vec() } else { args.columns.clone() };
    // A summary sorts the cells of one column, of which it holds a reference each.
    Ok(file.read(&names, |rows| 40 * rows as u64)?)
}

fn column(table: &DataFrame, name: &str) -> Column {
    match table.summary(name) {
        Ok(summary) => {
            let bars = bars(&summary.content);
            Column {
                name: name.to_owned(),
                kind: Some(summary.kind.to_string()),
                missing: Some(summary.missing),
                distinct: Some(summary.distinct),
                content: Some(content(summary)),
                problem: None,
                bars,
            }
        }
        Err(error) => Column {
            name: name.to_owned(),
            kind: None,
            missing: None,
            distinct: None,
            content: None,
            problem: Some(error.to_string()),
            bars: String::new(),
        },
    }
}

fn content(summary: ColumnSummary) -> Content {
    match summary.content {
        ColumnContent::Numbers { quartiles: [min, q25, median, q75, max], .. } => {
            Content::Numbers { min, q25, median, q75, max }
        }
        ColumnContent::Labels(levels) => {
            let levels = levels.into_iter().map(|(label, rows)| Level { label, rows });
            Content::Labels { levels: levels.collect() }
        }
        ColumnContent::Dates { range: [first, last], precision, step, .. } => Content::Dates {
            first: precision.text(first),
            last: precision.text(last),
            step: step.map(|(step, _)| step.to_string()),
            empty_steps: step.map(|(_, empty)| empty),
        },
        ColumnContent::Names(first) => Content::Names { first },
        ColumnContent::Texts(words_per_row) => Content::Texts { words_per_row },
        _ => Content::Nothing {},
    }
}

/// Counts as bars, each over the largest one.
fn bars(content: &ColumnContent) -> String {
    let counts: Vec<usize> = match content {
        ColumnContent::Numbers { histogram, .. } | ColumnContent::Dates { histogram, .. } => {
            histogram.clone()
        }
        _ => return String::new(),
    };
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let bar = |&count: &usize| if count == 0 { ' ' } else { BARS[(count * BARS.len()).div_ceil(most) - 1] };
    counts.iter().map(bar).collect()
}

fn text(answer: &Answer) -> String {
    let rows = answer.columns.iter().map(|own| {
        let count = |number: Option<usize>| number.map_or_else(String::new, |number| grouped(number as u64));
        let kind = own.kind.clone().unwrap_or_else(|| "unclear".to_owned());
        vec![own.name.clone(), kind, count(own.missing), count(own.distinct), values(own), own.bars.clone()]
    });
    let columns = vec![
        TableColumn::text("column"),
        TableColumn::text("type"),
        TableColumn::number("missing"),
        TableColumn::number("distinct"),
        TableColumn::text("values"),
        TableColumn::text("distribution"),
    ];
    let table = PageTable { columns, rows: rows.collect() };
    let head = format!(
        "{}: {} rows, {} columns\n\n",
        answer.file,
        grouped(answer.rows as u64),
        grouped(answer.columns.len() as u64)
    );
    head + &table.text()
}

fn values(own: &Column) -> String {
    match &own.content {
        Some(Content::Numbers { min, median, max, .. }) => {
            format!("{} to {}, median {}", significant(*min), significant(*max), significant(*median))
        }
        Some(Content::Names { first }) => format!("all different: {first}, .."),
        Some(Content::Labels { levels }) => {
            let named: Vec<String> = levels
                .iter()
                .take(LABELS)
                .map(|own| format!("{} {}", own.label, grouped(own.rows as u64)))
                .collect();
            match levels.len().saturating_sub(LABELS) {
                0 => named.join(", "),
                more => format!("{}, and {} more", named.join(", "), grouped(more as u64)),
            }
        }
        Some(Content::Dates { first, last, step, empty_steps }) => {
            let step = match (step, empty_steps) {
                (Some(step), Some(0)) => format!("step {step}"),
                (Some(step), Some(empty)) => format!("step {step}, {} without a row", grouped(*empty as u64)),
                _ => "no regular step".to_owned(),
            };
            format!("{first} to {last}, {step}")
        }
        Some(Content::Texts { words_per_row }) => format!("{} words a row", significant(*words_per_row)),
        Some(Content::Nothing {}) | None => String::new(),
    }
}
