//! `posterior decide off-policy`.

use posterior::decision::contextual::off_policy::{
    PolicyValue, Record, doubly_robust, inverse_propensity, self_normalized,
};
use posterior::table::TableFile;
use posterior_report::{Figure, Interval, Page, PageTable, intervals};
use serde::Serialize;

use crate::args::DecideOffPolicy;
use crate::failure::{Failure, refused};
use crate::level::Level;
use crate::output::{grouped, significant};
use crate::run::{Run, read_by_posterior};
use crate::text_table;

#[derive(Serialize)]
struct Output {
    records: usize,
    /// What the policy that was played earned per play.
    played: f64,
    level: Level,
    estimates: Vec<EstimateOutput>,
}

/// What the other policy would have earned per play.
#[derive(Serialize)]
struct EstimateOutput {
    method: &'static str,
    value: f64,
    standard_error: f64,
    /// None where the effective records are too few.
    interval: Option<[f64; 2]>,
    /// To how many records of the other policy itself the log comes.
    effective_records: f64,
}

/// Runs the verb.
pub(crate) fn run(args: &DecideOffPolicy) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let (source, records) = records(args)?;
    run.claim(args.out.as_deref(), &["report.html", "values.svg"])?;
    let estimate = |method, own: Result<PolicyValue, posterior::decision::Error>| {
        let own = own.map_err(refused)?;
        Ok::<_, Failure>(EstimateOutput {
            method,
            value: own.value,
            standard_error: own.standard_error,
            interval: own.interval(args.level.probability())?,
            effective_records: own.effective_records,
        })
    };
    let mut estimates = vec![
        estimate("inverse propensity", inverse_propensity(&records))?,
        estimate("self-normalized", self_normalized(&records))?,
    ];
    if args.predicted.is_some() {
        estimates.push(estimate("doubly robust", doubly_robust(&records))?);
    }
    let played = records.iter().map(|record| record.reward).sum::<f64>() / records.len() as f64;
    let output = Output { records: records.len(), played, level: args.level, estimates };
    run.write("report.html", |folder| {
        let row = |own: &EstimateOutput| Interval {
            name: own.method.to_owned(),
            low: own.interval.map_or(own.value, |[low, _]| low),
            middle: own.value,
            high: own.interval.map_or(own.value, |[_, high]| high),
        };
        let rows: Vec<Interval> = output.estimates.iter().map(row).collect();
        let picture = intervals("reward per play", &rows);
        folder.put_picture("values", &picture)?;
        let last = output.estimates.last().map_or(f64::NAN, |own| own.value);
        let title = format!("The other policy would have earned {} per play", significant(last));
        let mut page = Page::new("Off-policy estimates", title);
        page.lead = Some(Figure::new(picture, format!("Estimates with intervals of {}.", args.level)));
        page.fact("Plays", grouped(output.records as u64));
        page.fact("Earned in the log", significant(output.played));
        page.section("Estimates", WHICH, PageTable::new(HEADER, rows_of(&output)));
        run.sign(&mut page, read_by_posterior(&source), &[("level", &args.level)]);
        folder.put_text("report.html", &page.html())
    })?;
    run.print(
        || &output,
        || {
            let plays = grouped(output.records as u64);
            let table = text_table::aligned(&HEADER, rows_of(&output));
            format!(
                "{source}: {plays} plays that earned {} each\n\n{table}\n{WHICH}\n",
                significant(output.played)
            )
        },
    )
}

/// The plays of a log.
fn records(args: &DecideOffPolicy) -> Result<(String, Vec<Record>), Failure> {
    let opened = TableFile::open(&args.log, &args.table.options()?)?;
    let model: Vec<&String> = args.predicted.iter().chain(&args.predicted_target).collect();
    let names: Vec<&String> =
        [&args.reward, &args.propensity, &args.target].into_iter().chain(model.iter().copied()).collect();
    let table = opened.read(&names, |rows| 128 * rows as u64)?;
    let columns = names.iter().map(|name| table.complete_numbers(name)).collect::<Result<Vec<_>, _>>()?;
    let record = |row: usize| {
        let record = Record::new(columns[0][row], columns[1][row], columns[2][row])?;
        if model.is_empty() { Ok(record) } else { record.with_model(columns[3][row], columns[4][row]) }
    };
    let checked = |row: usize| {
        record(row)
            .map_err(|error| Failure::data(format!("{}: line {}: {error}", table.source, table.line(row))))
    };
    Ok((table.source.clone(), (0..table.len()).map(checked).collect::<Result<_, _>>()?))
}

const HEADER: [&str; 5] = ["estimate", "value", "standard error", "interval", "effective plays"];

/// What the estimates are.
const WHICH: &str = "Inverse propensity has no bias if the probabilities of the log are right; self-normalized has a small one and scatters less; doubly robust needs \
                     the probabilities or the model to be right. Intervals are by Student's t for the effective plays; below 10 of these there is none.";

fn rows_of(output: &Output) -> Vec<Vec<String>> {
    let row = |own: &EstimateOutput| {
        let interval =
            own.interval.map_or_else(|| "too few".to_owned(), |own| own.map(significant).join(" to "));
        vec![
            own.method.to_owned(),
            significant(own.value),
            significant(own.standard_error),
            interval,
            significant(own.effective_records),
        ]
    };
    output.estimates.iter().map(row).collect()
}
