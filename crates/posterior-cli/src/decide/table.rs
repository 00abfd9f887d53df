//! `posterior decide table`.

use std::fmt::Write as _;

use posterior::decision::loss::{Dominance, LossTable};
use posterior::math::linalg::DMatrix;
use posterior::table::{DataFrame, TableFile};
use posterior_report::{Figure, Interval, Page, PageTable, Picture, Ribbon, intervals, ribbons};
use serde::Serialize;

use crate::args::DecideTable;
use crate::failure::{Failure, refused};
use crate::outcome::matrix;
use crate::output::significant;
use crate::pictures::Pictures;
use crate::run::{Run, read_by_posterior};
use crate::text_table;

/// Everything in losses, or in gains with --gains.
#[derive(Serialize)]
struct Output {
    states: Vec<String>,
    probabilities: Option<Vec<f64>>,
    actions: Vec<ActionOutput>,
    /// The best by expectation, none without probabilities.
    bayes: Option<Vec<String>>,
    minimax: Vec<String>,
    /// The probability of each action in the random choice whose worst expected outcome is best.
    minimax_mixed: Vec<f64>,
    minimax_mixed_value: f64,
    minimax_regret: Vec<String>,
    value_of_perfect_information: Option<f64>,
    value_of_sample_information: Option<f64>,
}

#[derive(Serialize)]
struct ActionOutput {
    action: String,
    expected: Option<f64>,
    worst: f64,
    worst_regret: f64,
    /// By which action, or by a random choice among several.
    dominated_by: Option<String>,
}

/// A table as it was read.
struct Read {
    source: String,
    actions: Vec<String>,
    states: Vec<String>,
    /// As they stand in the file.
    values: DMatrix<f64>,
}

/// Runs the verb.
pub(crate) fn run(args: &DecideTable) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let read = read(args)?;
    run.claim(args.out.as_deref(), &["report.html", "actions.svg", "actions.csv"])?;
    let sign = if args.gains { -1.0 } else { 1.0 };
    let losses = LossTable::new(sign * &read.values).map_err(refused)?;
    let output = judged(args, &read, &losses, sign)?;
    run.write("report.html", |folder| {
        folder.put_table("actions.csv", HEADER.map(str::to_owned), rows(&output))?;
        let picture = picture(args, &read, &output);
        let pictures = Pictures::of([("actions", Some(picture.clone()))]);
        folder.put_report(&pictures, &page(&run, args, &read, &output, picture))
    })?;
    run.print(|| &output, || text(args, &read, &output))
}

/// A row for each action, a column for each state; the first column names the actions.
fn read(args: &DecideTable) -> Result<Read, Failure> {
    let opened = TableFile::open(&args.file, &args.table.options()?)?;
    let header = opened.header().to_vec();
    let Some((first, states)) = header.split_first().filter(|(_, states)| !states.is_empty()) else {
        let message =
            format!("{}: line 1: expected a column of actions and one for each state", opened.source);
        return Err(Failure::data(message).with_hint("a table has a header, and commas between its columns"));
    };
    let table: DataFrame = opened.read(&header, |rows| (64 * rows * header.len()) as u64)?;
    let actions: Vec<String> = table.labels(first)?.into_iter().map(str::to_owned).collect();
    if let Some(row) = (1..actions.len()).find(|&row| actions[..row].contains(&actions[row])) {
        return Err(table.refused(row, first, "another action in each row").into());
    }
    let values = matrix(&table, states)?;
    Ok(Read { source: table.source.clone(), actions, states: states.to_vec(), values })
}

fn judged(args: &DecideTable, read: &Read, losses: &LossTable, sign: f64) -> Result<Output, Failure> {
    let names =
        |places: &[usize]| places.iter().map(|&place| read.actions[place].clone()).collect::<Vec<_>>();
    let probabilities = (!args.probabilities.is_empty()).then_some(args.probabilities.as_slice());
    if let Some(own) = probabilities
        && own.len() != read.states.len()
    {
        let message = format!("--probabilities: {} of {} states", own.len(), read.states.len());
        return Err(Failure::Usage(message));
    }
    let optimal = probabilities.map(|own| losses.decide(own)).transpose()?;
    let perfect = probabilities.map(|own| losses.value_of_perfect_information(own)).transpose()?;
    let sample = match (&args.likelihood, probabilities) {
        (Some(path), Some(own)) => {
            let opened = TableFile::open(path, &args.table.options()?)?;
            let header = opened.header().to_vec();
            let table = opened.read(&header, |rows| (64 * rows * header.len()) as u64)?;
            let states = table.labels(&header[0])?;
            if states != read.states {
                let message = format!(
                    "{}: column {}: expected the states {}",
                    table.source,
                    header[0],
                    read.states.join(", ")
                );
                return Err(Failure::data(message)
                    .with_hint("a row for each state in their order, a column for each result"));
            }
            let likelihood = matrix(&table, &header[1..])?;
            let value = losses.value_of_sample_information(own, &likelihood);
            Some(value.map_err(|error| Failure::data(format!("{}: {error}", table.source)))?)
        }
        _ => None,
    };
    let regrets = losses.regrets();
    let mut actions = Vec::new();
    for (place, action) in read.actions.iter().enumerate() {
        let dominated_by = losses.dominated(place).map_err(refused)?.map(|own| match own {
            Dominance::Strict { by } | Dominance::Weak { by } => read.actions[by].clone(),
            _ => "a random choice among others".to_owned(),
        });
        actions.push(ActionOutput {
            action: action.clone(),
            expected: optimal.as_ref().map(|own| sign * own.expected[place]),
            worst: sign * losses.losses().row(place).max(),
            worst_regret: regrets.losses().row(place).max(),
            dominated_by,
        });
    }
    let mixed = losses.minimax_mixed();
    Ok(Output {
        states: read.states.clone(),
        probabilities: probabilities.map(<[f64]>::to_vec),
        actions,
        bayes: optimal.map(|own| names(&own.best)),
        minimax: names(&losses.minimax().0),
        minimax_mixed: mixed.actions,
        minimax_mixed_value: sign * mixed.value,
        minimax_regret: names(&regrets.minimax().0),
        value_of_perfect_information: perfect,
        value_of_sample_information: sample,
    })
}

const HEADER: [&str; 5] = ["action", "expected", "worst", "worst regret", "dominated by"];

fn rows(output: &Output) -> Vec<Vec<String>> {
    let row = |own: &ActionOutput| {
        vec![
            own.action.clone(),
            own.expected.map_or_else(|| "-".to_owned(), significant),
            significant(own.worst),
            significant(own.worst_regret),
            own.dominated_by.clone().unwrap_or_default(),
        ]
    };
    output.actions.iter().map(row).collect()
}

/// What each rule chooses.
fn choices(output: &Output) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut add = |name: &str, value: String| pairs.push((name.to_owned(), value));
    if let Some(best) = &output.bayes {
        add("best by expectation", best.join(" or "));
    }
    add("best in the worst case", output.minimax.join(" or "));
    add("least worst regret", output.minimax_regret.join(" or "));
    let mixed = output.actions.iter().zip(&output.minimax_mixed).filter(|(_, p)| **p > 0.0);
    let mixed: Vec<String> = mixed.map(|(own, p)| format!("{} {}", own.action, significant(*p))).collect();
    add(
        "best random choice",
        format!("{} (at worst {})", mixed.join(", "), significant(output.minimax_mixed_value)),
    );
    if let Some(value) = output.value_of_perfect_information {
        add("to know the state is worth", significant(value));
    }
    if let Some(value) = output.value_of_sample_information {
        add("the experiment is worth", significant(value));
    }
    pairs
}

fn what(args: &DecideTable) -> &'static str {
    if args.gains { "gains" } else { "losses" }
}

fn text(args: &DecideTable, read: &Read, output: &Output) -> String {
    let (actions, states) = (output.actions.len(), output.states.len());
    let mut text = format!("{}: {} of {actions} actions in {states} states\n\n", read.source, what(args));
    text += &text_table::aligned(&HEADER, rows(output));
    // Writing to a string cannot fail.
    let _ = write!(text, "\n{}", text_table::pairs(&choices(output)));
    text
}

/// Two states: what each action brings as the probability of the second grows; else the range of each.
fn picture(args: &DecideTable, read: &Read, output: &Output) -> Picture {
    let values = &read.values;
    if let [_, second] = &read.states[..] {
        let line = |(place, name): (usize, &String)| {
            Ribbon::line(name, [(0.0, values[(place, 0)]), (1.0, values[(place, 1)])])
        };
        let lines: Vec<Ribbon> = read.actions.iter().enumerate().map(line).collect();
        let mark = output.probabilities.as_ref().map(|own| own[1]);
        let names = (format!("probability of {second}"), format!("expected {}", what(args)));
        return ribbons((&names.0, &names.1), &lines, &[], mark);
    }
    let row = |(place, own): (usize, &ActionOutput)| {
        let all = values.row(place);
        Interval {
            name: own.action.clone(),
            low: all.min(),
            middle: own.expected.unwrap_or_else(|| all.mean()),
            high: all.max(),
        }
    };
    let rows: Vec<Interval> = output.actions.iter().enumerate().map(row).collect();
    intervals(what(args), &rows)
}

fn page(run: &Run<'_>, args: &DecideTable, read: &Read, output: &Output, picture: Picture) -> Page {
    let title = match &output.bayes {
        Some(best) => format!("Best by expectation: {}", best.join(" or ")),
        None => format!("Best in the worst case: {}", output.minimax.join(" or ")),
    };
    let mut page = Page::new("Decision", title);
    let caption = match (output.states.len(), &output.bayes) {
        (2, Some(_)) => {
            "What each action brings in expectation, by the probability of the second state; the upright line is the probability that was given."
        }
        (2, None) => "What each action brings in expectation, by the probability of the second state.",
        (_, Some(_)) => "From the least to the largest of each action, and the expectation.",
        _ => "From the least to the largest of each action, and their mean.",
    };
    page.lead = Some(Figure::new(picture, caption));
    page.fact("Actions", output.actions.len().to_string());
    page.fact("States", output.states.len().to_string());
    let rows_of = choices(output).into_iter().map(|(name, value)| vec![name, value]);
    page.section("What each rule chooses", "", PageTable::new(["rule", "choice"], rows_of));
    let text = "Regret: what is lost beside the best action of the state. A dominated action is never better, whatever the probabilities.";
    page.section("Actions", text, PageTable::new(HEADER, rows(output)));
    let mut header = vec!["action".to_owned()];
    header.extend(read.states.iter().cloned());
    let cells = |(place, name): (usize, &String)| {
        std::iter::once(name.clone())
            .chain(read.values.row(place).iter().map(|own| significant(*own)))
            .collect()
    };
    let table: Vec<Vec<String>> = read.actions.iter().enumerate().map(cells).collect();
    page.section("The table", "", PageTable::new(&header, table));
    let probabilities = args.probabilities.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    run.sign(
        &mut page,
        read_by_posterior(&read.source),
        &[("probabilities", &probabilities), ("entries", &what(args))],
    );
    page
}
