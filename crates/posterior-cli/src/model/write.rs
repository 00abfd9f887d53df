//! `posterior model write`.

use std::io::Write as _;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::args::ModelWrite;
use crate::atomic_file;
use crate::failure::Failure;
use crate::regress::program::{Written, written};
use crate::run::Run;

#[derive(Serialize)]
struct Output<'a> {
    program: &'a str,
    /// The data block's values, unless a file holds them.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Box<RawValue>>,
}

/// Runs the verb.
pub(crate) fn run(args: &ModelWrite) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    let Written { program, notes } = run.during("the program", || written(args))?;
    run.notes(&notes);
    if let Some(path) = &args.data_out {
        atomic_file::write(path, |out| out.write_all(program.data.as_bytes()))?;
        run.note(&format!("wrote {}", path.display()));
    }
    let data = match &args.data_out {
        Some(_) => None,
        None => RawValue::from_string(program.data.trim_end().to_owned()).ok(),
    };
    run.print(|| Output { program: &program.text, data }, || program.text.clone())
}
