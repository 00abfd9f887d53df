//! `posterior optimize init`.

use std::io::Write as _;

use serde::Serialize;

use super::history;
use super::input::Input;
use super::noise_text::NoiseText;
use super::study::{Goal, Study};
use crate::args::OptimizeInit;
use crate::atomic_file;
use crate::failure::Failure;
use crate::run::Run;

#[derive(Serialize)]
struct Output<'a> {
    study: String,
    history: String,
    #[serde(flatten)]
    written: &'a Study,
}

/// Runs the verb.
pub(crate) fn run(args: &OptimizeInit) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    let usage = |option: &str, text: &str, why: String| Failure::Usage(format!("--{option} {text}: {why}"));
    let input = |text: &String| Input::parse(text).map_err(|why| usage("input", text, why));
    let study = Study {
        goal: if args.maximize { Goal::Maximize } else { Goal::Minimize },
        noise: NoiseText::parse(&args.noise)?,
        initial: args.initial.map(|own| own as usize),
        inputs: args.input.iter().map(input).collect::<Result<_, _>>()?,
        constraints: args.constraint.clone(),
        outcome_constraints: args.outcome_constraint.clone(),
    };
    study.space().map_err(Failure::Usage)?;
    study.checked_bounds().map_err(Failure::Usage)?;
    let (path, history) = (&args.study, history::path_of(&args.study));
    for file in [path, &history] {
        if file.try_exists().map_err(|error| Failure::io(file, &error))? {
            let message = format!("{}: is there already", file.display());
            return Err(Failure::data(message).with_hint(
                "a study is a file to be edited; a new one needs a new name, or the old files moved away",
            ));
        }
    }
    let mut text = serde_json::to_string_pretty(&study).map_err(|error| Failure::data(error.to_string()))?;
    text.push('\n');
    atomic_file::write(path, |file| file.write_all(text.as_bytes()))?;
    let (study_file, history) = (path.display().to_string(), history.display().to_string());
    let said = || {
        format!(
            "wrote {study_file}: {} inputs, and the {} outcome is wanted; trials will be in {history}\nnext: posterior optimize ask {study_file}\n",
            study.inputs.len(),
            study.goal.best()
        )
    };
    let output = || Output { study: study_file.clone(), history: history.clone(), written: &study };
    run.print(output, said)
}
