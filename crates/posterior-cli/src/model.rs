//! `posterior model`: programs in Stan's modelling language.

mod approximation;
pub(crate) mod calibrate;
mod calibration_report;
mod chains;
mod csv_data;
pub(crate) mod explain;
pub(crate) mod generate;
mod input;
pub(crate) mod ladder;
pub(crate) mod laplace;
mod marginal;
pub(crate) mod optimize;
pub(crate) mod pathfinder;
mod quantities;
pub(crate) mod sample;
mod sample_report;
pub(crate) mod variational;
pub(crate) mod write;

use std::io::Write as _;
use std::path::Path;

use posterior::stan::{Diagnostic, Diagnostics, Dialect, Program, Severity, format_report};
use posterior::table::read_text;
use serde::Serialize;

use crate::args::{Format, ModelCheck, ModelFmt};
use crate::atomic_file;
use crate::failure::Failure;
use crate::output;

/// A finding as JSON.
#[derive(Serialize)]
struct Finding<'a> {
    severity: &'static str,
    file: &'a str,
    line: usize,
    column: usize,
    message: &'a str,
    help: &'a [String],
}

#[derive(Serialize)]
struct Checked<'a> {
    program: &'a str,
    ok: bool,
    findings: Vec<Finding<'a>>,
}

/// `posterior model check`.
pub(crate) fn check(args: &ModelCheck) -> Result<(), Failure> {
    let (name, text) = read_text(&args.program)?;
    let dialect = if args.current { Dialect::Current } else { Dialect::Any };
    let folder = args.program.parent().unwrap_or(Path::new("")).to_owned();
    let find = |included: &str| std::fs::read_to_string(folder.join(included)).ok();
    let checked = Program::parse_with(&name, &text, dialect, find).and_then(|program| program.check());
    let (findings, summary) = match &checked {
        Ok(typed) => (typed.findings(), Some(typed.summary())),
        Err(findings) => (findings, None),
    };
    if args.format == Format::Json {
        let all = findings.as_slice().iter().map(|own| finding(findings, own)).collect();
        output::print_json(&Checked { program: &name, ok: summary.is_some(), findings: all })?;
    }
    match (summary, args.format) {
        (None, _) => Err(failure(findings)),
        (Some(_), Format::Json) => Ok(()),
        (Some(summary), Format::Text) => {
            let parted = if findings.is_empty() { "" } else { "\n" };
            output::print(&format!("{summary}{parted}{findings}"))
        }
    }
}

fn finding<'a>(all: &'a Diagnostics, own: &'a Diagnostic) -> Finding<'a> {
    let place = all.position(own);
    let severity = match own.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    };
    let (line, column) = (place.line, place.column);
    Finding { severity, file: all.file(own), line, column, message: &own.message, help: &own.help }
}

/// All findings; what is printed begins with "error: " by itself.
fn failure(findings: &Diagnostics) -> Failure {
    let text = findings.to_string();
    let text = text.trim_end();
    Failure::data(text.strip_prefix("error: ").unwrap_or(text))
}

/// `posterior model fmt`.
pub(crate) fn fmt(args: &ModelFmt) -> Result<(), Failure> {
    let (name, text) = read_text(&args.program)?;
    let printed = format_report(&name, &text).map_err(|findings| failure(&findings))?;
    if !args.write {
        return output::print(&printed);
    }
    if args.program.as_os_str() == "-" {
        return Err(Failure::Usage("--write: standard input has no file".to_owned()));
    }
    if printed == text {
        return Ok(());
    }
    atomic_file::write(&args.program, |out| out.write_all(printed.as_bytes()))
}
