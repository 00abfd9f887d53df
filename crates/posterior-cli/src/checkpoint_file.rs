//! Files of the state of long work, from which it goes on.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use posterior::table::Unpacked;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::{atomic_file, interrupt};

/// Replaces the file by what is written to it, packed.
pub(crate) fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let _writing = interrupt::writing();
    atomic_file::write(path, |out| {
        let mut packed = GzEncoder::new(out, Compression::fast());
        fill(&mut packed)?;
        packed.finish()?.flush()
    })
}

/// An interruption after `done`, such as 3 sweeps, with how to go on from what was saved, or how it would
/// have been.
pub(crate) fn interrupted(done: &str, saved: Option<&Path>, place: &str) -> Failure {
    Failure::Interrupted(match saved {
        Some(path) => {
            format!("after {done}; the same command with --resume {} goes on from there", path.display())
        }
        None => format!("after {done}; nothing was saved (--checkpoint {place} would have)"),
    })
}

/// The checkpoint of a file.
pub(crate) fn read<C>(
    path: &Path,
    read_from: impl FnOnce(&mut dyn Read) -> io::Result<C>,
) -> Result<C, Failure> {
    let file = File::open(path).map_err(|error| Failure::io(path, &error))?;
    read_from(&mut BufReader::new(Unpacked::new(BufReader::new(file))))
        .map_err(|error| Failure::data(format!("{}: not a checkpoint: {error}", path.display())))
}

/// Refuses a checkpoint whose options are not those of the command line.
pub(crate) fn same_options(
    path: &Path,
    saved: &impl Serialize,
    given: &impl Serialize,
) -> Result<(), Failure> {
    let differing = differing(saved, given);
    if differing.is_empty() {
        return Ok(());
    }
    let differing = differing.join(", ");
    let message = format!("{}: the checkpoint was made with other options: {differing}", path.display());
    Err(Failure::data(message).with_hint("give the same options as the run that wrote it"))
}

/// The options that two fits do not have in common, as `topics 20, now 30`.
fn differing(saved: &impl Serialize, given: &impl Serialize) -> Vec<String> {
    let given = fields(given);
    let differs = |(name, value): &(String, Value)| given.get(name) != Some(value);
    let output = |(name, value): (String, Value)| {
        let now = given.get(&name).unwrap_or(&Value::Null);
        format!("{name} {value}, now {now}")
    };
    fields(saved).into_iter().filter(differs).map(output).collect()
}

fn fields(options: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(options) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}
