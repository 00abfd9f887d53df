//! Tests of the crate through its public interface.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod errors;
mod explain;
mod folder;
mod format;
mod hostile;
mod includes;
mod old_syntax;
mod rules;
mod signatures;
mod types;

use posterior_stan::{Dialect, Program};

/// The findings of a program as they are printed; empty if there are none.
fn findings(text: &str) -> String {
    match Program::parse_file("program.stan", text, Dialect::Any).and_then(|program| program.check()) {
        Ok(typed) => typed.findings().to_string(),
        Err(findings) => findings.to_string(),
    }
}

/// Whether a program is accepted as today's syntax.
fn is_accepted(text: &str) -> bool {
    Program::parse_file("program.stan", text, Dialect::Current).is_ok_and(|program| program.check().is_ok())
}

/// The first line of the first error.
#[track_caller]
fn first_error(text: &str) -> String {
    let checked =
        Program::parse_file("program.stan", text, Dialect::Current).and_then(|program| program.check());
    let findings = checked.map(|_| ()).expect_err("a program that is refused");
    findings.to_string().lines().next().unwrap().to_owned()
}
