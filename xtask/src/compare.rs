//! `cargo xtask compare SUBJECT [--python PROGRAM | --install]`: our speed beside that of other crates and of Python's libraries, in
//! one run.

mod python;

use crate::{Outcome, cargo};

/// Subjects, and the programs that time them.
const SUBJECTS: &[(&str, &str)] = &[
    ("cluster", "compare_cluster"),
    ("cut", "compare_cut"),
    ("gp", "compare_gp"),
    ("math", "compare_math"),
    ("mcmc", "compare_mcmc"),
    ("net", "compare_net"),
    ("regress", "compare_regress"),
    ("sequence", "compare_sequence"),
    ("series", "compare_series"),
    ("topics", "compare_topics"),
];

/// Runs the comparison with Python's libraries from an environment of one's own (`--python`), or from one that is made first
/// (`--install`); without either their columns stay empty.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (subject, python) = match words.as_slice() {
        [subject] => (*subject, None),
        [subject, "--python", program] => (*subject, Some((*program).to_owned())),
        [subject, "--install"] => (*subject, Some(python::environment()?)),
        _ => return Err(usage()),
    };
    let &(_, program) = SUBJECTS.iter().find(|(name, _)| *name == subject).ok_or_else(usage)?;
    let mut command = vec!["run", "--release", "--quiet", "-p", "posterior-benches", "--bin", program];
    if subject == "sequence" {
        command.extend(["--features", "rayon"]);
    }
    if let Some(python) = &python {
        command.extend(["--", python]);
    }
    cargo::run(&command)
}

fn usage() -> String {
    let names: Vec<&str> = SUBJECTS.iter().map(|&(name, _)| name).collect();
    format!("usage: cargo xtask compare {} [--python PROGRAM | --install]", names.join("|"))
}
