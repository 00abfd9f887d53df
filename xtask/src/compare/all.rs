//! Every comparison, one after the other, onto one page.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::page::{CALM, Outcome as Found, Section, page};
use super::{Asked, Peers, SUBJECTS, Subject, machine, python};
use crate::Outcome;

/// How long to wait for the load of the subject before to be forgotten.
const PATIENCE: Duration = Duration::from_mins(4);

/// Runs them all, and prints the page or writes it where it was asked for.
pub(super) fn run(asked: &Asked) -> Outcome {
    let (program, notes) = environment(&asked.peers);
    // Built first, so that nothing compiles while others are timed.
    for subject in SUBJECTS {
        subject.prepare()?;
        subject.build()?;
    }
    let mut sections = Vec::new();
    for subject in SUBJECTS {
        eprintln!("compare {}", subject.name);
        if !asked.quick {
            wait_for_calm();
        }
        let load = machine::load();
        let start = Instant::now();
        let found = measure(subject, program.as_deref(), asked.quick);
        sections.push(Section {
            name: subject.name,
            title: subject.title,
            load,
            took: start.elapsed(),
            found,
        });
    }
    let text = page(&machine::describe(program.as_deref())?, &notes, &sections, asked.quick);
    match &asked.out {
        None => print!("{text}"),
        Some(path) => {
            fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            println!("wrote {}", path.display());
        }
    }
    Ok(())
}

/// The Python program, and what is missing there; a page without peers is a page too.
fn environment(peers: &Peers) -> (Option<String>, Vec<String>) {
    match peers {
        Peers::None => {
            (None, vec!["no Python program was named: columns of its libraries are empty".to_owned()])
        }
        Peers::In(program) => (Some(program.clone()), Vec::new()),
        Peers::Installed => match python::environment() {
            Ok(found) => {
                let missing = found.missing.iter().map(|name| format!("could not be installed: {name}"));
                (Some(found.program), missing.collect())
            }
            Err(error) => (None, vec![format!("no Python environment could be made: {error}")]),
        },
    }
}

/// Waits until the average over a minute has forgotten the subject before.
fn wait_for_calm() {
    let start = Instant::now();
    while machine::load().is_some_and(|load| load > CALM) && start.elapsed() < PATIENCE {
        sleep(Duration::from_secs(5));
    }
}

/// The tables of a subject; without its peers if they fail.
fn measure(subject: &Subject, python: Option<&str>, quick: bool) -> Found {
    let mut note = None;
    if python.is_some() {
        match printed(subject, python, quick) {
            Ok(tables) => return Found { tables: Some(tables), note },
            Err(error) => note = Some(format!("its peers could not be run ({error})")),
        }
    }
    match printed(subject, None, quick) {
        Ok(tables) => Found { tables: Some(tables), note },
        Err(error) => Found { tables: None, note: Some(format!("it failed ({error})")) },
    }
}

/// What a program prints, or the last line of its complaint.
fn printed(subject: &Subject, python: Option<&str>, quick: bool) -> Result<String, String> {
    let output = subject.command(python, quick)?.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return String::from_utf8(output.stdout).map_err(|error| error.to_string());
    }
    let complaint = String::from_utf8_lossy(&output.stderr).trim_end().replace("\\n", "\n");
    let last =
        complaint.lines().rev().find(|line| line.chars().any(char::is_alphanumeric)).unwrap_or("no message");
    Err(last.trim().trim_end_matches('"').to_owned())
}
