//! `posterior optimize ask`.

use serde::Serialize;
use serde_json::Value;

use super::acquisition_text;
use super::history::History;
use super::outcome_bound;
use super::study::Study;
use crate::args::OptimizeAsk;
use crate::failure::{Failure, refused};
use crate::json::Pairs;
use crate::run::Run;
use crate::text_table;

#[derive(Serialize)]
struct Output {
    trials: Vec<Asked>,
    /// Trials whose outcome is not known yet, these among them.
    pending: usize,
}

#[derive(Serialize)]
struct Asked {
    trial: u64,
    point: Pairs<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// Runs the verb.
pub(crate) fn run(args: &OptimizeAsk) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    let (source, study) = Study::read(&args.study)?;
    if let Some(template) = &args.template {
        check(template, &study)?;
    }
    let acquisition = acquisition_text::parse(&args.acquisition, !study.bounds()?.is_empty())?;
    let mut history = History::open(&args.study, &study)?;
    let mut optimizer = history.optimizer(&study, args.common.seed)?;
    let mut asked = Vec::new();
    let work = run.work(args.count as usize, "points");
    for _ in 0..args.count {
        let point = optimizer.ask(&*acquisition).map_err(|error| refused(format!("{source}: {error}")))?;
        asked.push((history.ask(point.clone(), &study), point));
        work.step();
    }
    drop(work);
    let pending = optimizer.pending().len();
    history.save()?;
    let filled = |(trial, point): &(u64, Vec<f64>)| {
        args.template.as_ref().map(|template| fill(template, *trial, &study, &study.texts(point)))
    };
    let output = || Output {
        trials: asked
            .iter()
            .map(|own| Asked { trial: own.0, point: study.point(&own.1), text: filled(own) })
            .collect(),
        pending,
    };
    run.print(output, || {
        if args.template.is_some() {
            return asked.iter().filter_map(filled).map(|text| text + "\n").collect();
        }
        let header: Vec<&str> =
            std::iter::once("trial").chain(study.inputs.iter().map(|input| input.name.as_str())).collect();
        let row = |(trial, point): &(u64, Vec<f64>)| {
            std::iter::once(trial.to_string()).chain(study.texts(point)).collect()
        };
        let table = text_table::right(&header, asked.iter().map(row).collect());
        let more = outcome_bound::form(&study.bounds().unwrap_or_default());
        let reported: Vec<String> = asked.iter().map(|(trial, _)| format!("{trial}=OUTCOME{more}")).collect();
        format!("{table}\nthen: posterior optimize tell {source} {}\n", reported.join(" "))
    })
}

/// Whether everything in braces is known.
fn check(template: &str, study: &Study) -> Result<(), Failure> {
    for part in template.split('{').skip(1) {
        let Some((name, _)) = part.split_once('}') else { continue };
        if name != "trial" && !study.inputs.iter().any(|input| input.name == name) {
            let names: Vec<&str> = study.inputs.iter().map(|input| input.name.as_str()).collect();
            let message =
                format!("--template: {{{name}}} is neither {{trial}} nor an input: {}", names.join(", "));
            return Err(Failure::Usage(message));
        }
    }
    Ok(())
}

/// The text with the values of a trial.
fn fill(template: &str, trial: u64, study: &Study, values: &[String]) -> String {
    let mut parts = template.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((name, rest)) = part.split_once('}') else {
            text.push('{');
            text += part;
            continue;
        };
        let value = study.inputs.iter().zip(values).find(|(input, _)| input.name == name);
        text += &value.map_or_else(|| trial.to_string(), |(_, value)| value.clone());
        text += rest;
    }
    text
}
