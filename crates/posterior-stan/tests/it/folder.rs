//! The programs of the shared folder: Stan's own tests, and the published models with reference posteriors.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use posterior_stan::{Diagnostics, Dialect, Program};
use posterior_testkit::shared::shared_file;

/// The texts of a folder by the name of the file; bytes that are no UTF-8 are replaced.
fn texts(folder: &Path) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|ending| ending == "stan"));
    files
        .map(|file| {
            let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
            (file.file_name().unwrap().to_string_lossy().into_owned(), text)
        })
        .collect()
}

fn checked(name: &str, text: &str, dialect: Dialect) -> Result<(), Diagnostics> {
    Program::parse_file(name, text, dialect)?.check().map(|_| ())
}

/// What Stan's compiler accepts is accepted.
#[test]
fn good_programs_are_accepted() {
    let Some(folder) = shared_file("stan_good", "data/stan_programs/good") else { return };
    let programs = texts(&folder);
    let start = Instant::now();
    let refused: Vec<String> = programs
        .iter()
        .filter_map(|(name, text)| {
            checked(name, text, Dialect::Current).err().map(|e| format!("{name}:\n{e}"))
        })
        .collect();
    println!(
        "good: {} of {} accepted in {:?}",
        programs.len() - refused.len(),
        programs.len(),
        start.elapsed()
    );
    assert!(programs.len() >= 582);
    assert!(refused.is_empty(), "{} are refused:\n{}", refused.len(), refused.join("\n"));
}

#[test]
fn bad_programs_are_refused_at_the_line_of_stans_compiler() {
    let Some(folder) = shared_file("stan_bad", "data/stan_programs/bad") else { return };
    let Some(places) = shared_file("stan_bad", "data/stan_programs/bad.json") else { return };
    let places: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(&std::fs::read_to_string(places).unwrap()).unwrap();
    let programs = texts(&folder);
    let (mut refused, mut same_line) = (0, 0);
    let mut different = Vec::new();
    for (name, place) in &places {
        let line = place["line"].as_u64().unwrap();
        match checked(name, &programs[name], Dialect::Current) {
            Ok(()) => different.push(format!("{name} is accepted; Stan's compiler refuses line {line}")),
            Err(findings) => {
                refused += 1;
                let found = findings.position(&findings.as_slice()[0]).line as u64;
                if found == line {
                    same_line += 1;
                } else {
                    different.push(format!("{name}: line {found}, not {line}\n{findings}"));
                }
            }
        }
    }
    println!("bad: {refused} of {} refused, {same_line} at the same line", places.len());
    assert!(places.len() >= 733);
    assert_eq!((refused, same_line), (places.len(), places.len()), "{}", different.join("\n"));
}

/// Some are written as before version 2.33: they are read with notes.
#[test]
fn published_models_are_accepted() {
    let Some(folder) = shared_file("stan_posteriordb", "data/posteriordb/programs") else { return };
    let programs = texts(&folder);
    let mut old = 0;
    for (name, text) in &programs {
        let typed = Program::parse_file(name, text, Dialect::Any).and_then(|program| program.check());
        let typed = typed.unwrap_or_else(|findings| panic!("{findings}"));
        old += usize::from(!typed.program().notes().is_empty());
    }
    println!("posteriordb: {} accepted, {old} of them with old syntax", programs.len());
    assert!(programs.len() >= 89);
}

/// Printing is stable, keeps the meaning, the comments, and writes old syntax as today's.
#[test]
fn every_program_is_printed_and_read_again() {
    let folders = ["data/stan_programs/good", "data/stan_programs/bad", "data/posteriordb/programs"];
    let mut count = 0;
    for folder in folders {
        let Some(folder) = shared_file("stan_printed", folder) else { return };
        for (name, text) in texts(&folder) {
            // This one has words of the language as names: no printing makes it today's.
            if name == "removed_features__identifiers.stan" {
                continue;
            }
            let Ok(program) = Program::parse_file(&name, &text, Dialect::Any) else { continue };
            let printed = program.format();
            let again = Program::parse_file(&name, &printed, Dialect::Current);
            let again = again.unwrap_or_else(|findings| panic!("{findings}"));
            assert_eq!(again.format(), printed, "{name}");
            assert_eq!(again.comments().count(), program.comments().count(), "{name}");
            // Old names of functions are printed as they are: they have a meaning in the older dialect only.
            let again = Program::parse_file(&name, &printed, Dialect::Any).unwrap();
            let meaning = |program: &Program| program.check().map(|typed| typed.summary()).ok();
            assert_eq!(meaning(&again), meaning(&program), "{name}");
            count += 1;
        }
    }
    println!("printed and read again: {count}");
    assert!(count >= 1026, "{count}");
}

/// Every program is followed to its end.
#[test]
fn all_programs_are_explained() {
    let mut programs = BTreeMap::new();
    for folder in ["data/stan_programs/good", "data/posteriordb/programs"] {
        let Some(folder) = shared_file("stan_explained", folder) else { return };
        programs.extend(texts(&folder));
    }
    let start = Instant::now();
    for (name, text) in &programs {
        let typed = Program::parse_file(name, text, Dialect::Any).unwrap().check().unwrap();
        let explained = typed.explain();
        assert!(explained.complete, "{name}");
        let terms = explained.terms.len();
        for own in &explained.parameters {
            assert!(own.priors.iter().chain(&own.terms).all(|at| *at < terms), "{name}: {}", own.name);
        }
    }
    println!("{} programs explained in {:?}", programs.len(), start.elapsed());
}
