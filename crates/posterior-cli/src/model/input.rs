//! A program with its data, and where the work starts.

use std::path::Path;

use posterior::dist::target::Target as _;
use posterior::model::{ModelError, StanData, StanModel, StanPosterior};
use posterior::sampling::Start;
use posterior::stan::{Dialect, Program, TypedProgram};
use posterior::table::{MemoryLimit, has_ending, read_text};

use super::csv_data;
use crate::args::{ModelData, ModelInput, uses};
use crate::failure::{Failure, refused};
use crate::output_folder::OutputFolder;
use crate::run::Run;

/// How far from zero unconstrained coordinates start where nothing is said.
const RADIUS: f64 = 2.0;

/// A program with its data.
pub(super) struct Input {
    pub(super) posterior: StanPosterior,
    model: StanModel,
    pub(super) data: StanData,
    /// The words of columns and the integers that stand for them.
    levels: Vec<csv_data::Levels>,
}

impl Input {
    /// Reads the program and its data, and says what words of a table became.
    pub(super) fn read(args: &ModelInput, run: &Run<'_>) -> Result<Self, Failure> {
        Self::of(&program(&args.given.program)?, &args.given, args.common.seed, run)
    }

    /// A program with its data, and says what words of a table became.
    pub(super) fn of(
        (name, typed): &(String, TypedProgram),
        args: &ModelData,
        seed: u64,
        run: &Run<'_>,
    ) -> Result<Self, Failure> {
        let model = StanModel::new(typed);
        let (mut data, levels) = data(args, &model)?;
        let notes: Vec<String> = levels.iter().map(csv_data::Levels::note).collect();
        run.notes(&notes);
        set(&mut data, &args.set)?;
        let posterior = model.with_values(&data, seed).map_err(|error| {
            let failure = Failure::data(format!("{name}: {error}"));
            let missing = error.to_string().contains("the data have no variable");
            if missing {
                failure.with_hint("--set NAME=VALUE gives what the file does not have")
            } else {
                failure
            }
        })?;
        Ok(Self { posterior, model, data, levels })
    }

    /// The same with other random numbers in the block of transformed data.
    pub(super) fn simulated(&self, seed: u64) -> Result<StanPosterior, ModelError> {
        self.model.with_values(&self.data, seed)
    }

    /// Whether there is memory for so many numbers for each of so many draws.
    pub(super) fn check_memory(&self, args: &ModelInput, draws: usize, more: usize) -> Result<(), Failure> {
        let names = self.posterior.names(true, true).map_err(refused)?.len();
        let numbers = self.posterior.dim() + 2 * names + more;
        MemoryLimit::new(args.given.table.memory).check(
            &format!("{}: the draws take", args.given.program.display()),
            draws as u64 * 8 * numbers as u64,
            "take fewer draws or chains",
        )?;
        Ok(())
    }

    /// Writes the words of columns and their integers beside the answer.
    pub(super) fn put_levels(&self, folder: &OutputFolder) -> Result<(), Failure> {
        csv_data::put_levels(folder, &self.levels)
    }

    /// Where so many chains start: `given` is a radius, or a file of constrained values.
    pub(super) fn start(&self, given: &str, chains: usize, seed: u64) -> Result<Start, Failure> {
        if let Ok(radius) = given.parse::<f64>() {
            return match radius {
                0.0 => Ok(Start::At(vec![0.0; self.posterior.dim()])),
                _ if radius > 0.0 && radius.is_finite() => Ok(Start::Uniform { radius, attempts: 100 }),
                _ => Err(Failure::Usage(format!(
                    "--init: expected a radius from 0 on, or a file, found {given}"
                ))),
            };
        }
        let (source, text) = read_text(Path::new(given))?;
        let wrong = |error: ModelError| Failure::data(format!("{source}: {error}"));
        let values = StanData::from_json(&text).map_err(wrong)?;
        Ok(Start::Each(self.posterior.starts(&values, chains, RADIUS, seed).map_err(wrong)?))
    }

    /// Where one search starts: a point with a density.
    pub(super) fn point(&self, given: &str, seed: u64) -> Result<Vec<f64>, Failure> {
        match self.start(given, 1, seed)? {
            Start::Uniform { radius, .. } => {
                let all = self.posterior.starts(&StanData::default(), 1, radius, seed).map_err(refused)?;
                all.into_iter().next().ok_or_else(|| Failure::data("no start was found"))
            }
            Start::Each(mut all) => Ok(all.swap_remove(0)),
            Start::At(point) => Ok(point),
            _ => Err(Failure::data("no start was found")),
        }
    }
}

/// A checked program, and what its file is called; files that it includes are beside it.
pub(super) fn program(path: &Path) -> Result<(String, TypedProgram), Failure> {
    let (name, text) = read_text(path)?;
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let find = |included: &str| std::fs::read_to_string(folder.join(included)).ok();
    let typed = Program::parse_with(&name, &text, Dialect::Any, find)
        .and_then(|program| program.check())
        .map_err(|findings| super::failure(&findings))?;
    Ok((name, typed))
}

/// What the file of `--data` holds, by its name.
fn data(args: &ModelData, model: &StanModel) -> Result<(StanData, Vec<csv_data::Levels>), Failure> {
    let Some(path) = &args.data else {
        uses::check_facts(&[("data-as", "nothing")])?;
        return Ok((StanData::default(), vec![]));
    };
    if has_ending(path, &["csv", "tsv"]) {
        let defined: Vec<&str> = args.set.iter().filter_map(|own| own.split('=').next()).collect();
        return csv_data::read(path, &args.table, model, &defined);
    }
    uses::check_facts(&[("data-as", "json")])?;
    let (source, text) = read_text(path)?;
    let of_r = has_ending(path, &["r", "rdump", "dump"]);
    let read = if of_r { StanData::from_r_dump(&text) } else { StanData::from_json(&text) };
    let data = read.map_err(|error| Failure::data(format!("{source}: {error}")))?;
    Ok((data, vec![]))
}

/// Adds what `--set` gives.
fn set(data: &mut StanData, all: &[String]) -> Result<(), Failure> {
    for own in all {
        let usage = |why: String| Failure::Usage(format!("--set {own}: {why}"));
        let Some((name, value)) = own.split_once('=') else {
            return Err(usage("expected NAME=VALUE, such as K=3".to_owned()));
        };
        data.insert_json(name.trim(), value).map_err(|error| usage(error.to_string()))?;
    }
    Ok(())
}
