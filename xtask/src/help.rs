//! `cargo xtask help`: the list of commands.

use crate::{Outcome, no_arguments, table};

/// The commands in the order in which a newcomer needs them.
const COMMANDS: &[[&str; 2]] = &[
    ["ci", "every check of a change, in order, with times; stops at the first failure"],
    ["ci --since REV", "those of the packages that changed since a revision of git, and of their dependents"],
    ["ci -p CRATE... [--dependents]", "those of some packages"],
    ["ci --slow ...", "the slow tests too, and each crate alone with its tests, as every week"],
    [
        "layers [--knots]",
        "dependencies point to lower layers only, and modules side by side do not use each other in circles",
    ],
    [
        "tidy [--pending [--all]]",
        "the rules of the house that no compiler knows; what the rules to come would find",
    ],
    [
        "features",
        "compiles every crate alone: with its tests and examples with default features, its library with none and with all",
    ],
    [
        "python",
        "builds the wheel of posterior_rs, installs it beside pinned peers and tests it (needs Python 3.11 or later)",
    ],
    [
        "mpi",
        "builds posterior-mpi and runs its tests on 1 to 8 processes (needs libopenmpi-dev, openmpi-bin, libclang-dev)",
    ],
    ["smoke", "tests the contract of the command line with its users on a release build"],
    [
        "soak [--rounds N] [--seed S]",
        "kills fits and resumes them; memory ceilings (after a release build; Unix)",
    ],
    [
        "toolbox",
        "docs/toolbox.md names public items and tests that there are, and says of each row what it lacks",
    ],
    ["docs", "builds the API documentation, warnings denied, and says where it is"],
    ["bench [FILTER]", "runs the benchmarks whose name contains FILTER and prints one table"],
    ["accuracy", "writes docs/accuracy.md: errors over the reference tables, beside other crates"],
    ["agreement", "writes docs/agreement.md: engines held against each other, with the largest differences"],
    [
        "calibration [--sets N]",
        "writes docs/calibration.md: intervals and probabilities against simulated truths",
    ],
    [
        "compare SUBJECT [--python PROGRAM | --install]",
        "times one subject beside its peers: math, net, cut, mcmc, series, gp, cluster, regress, sequence, topics, optimize, verbs",
    ],
    ["compare all [--install] [--quick] [--out FILE]", "times all of them, and writes one page"],
    ["coverage", "measures which lines the tests reach (needs cargo-llvm-cov)"],
    [
        "datasets sotu|english-letters|digits [--from SOURCE]",
        "makes embedded data from their source: the addresses on the State of the Union, the counts of English letters, handwritten digits",
    ],
    ["readme", "writes the README of each crate from the first page of its documentation"],
    ["api [--check]", "writes docs/api, what is public, or compares it"],
    ["package", "packs every published crate, builds each from its archive, and prints the sizes"],
    ["minimal", "compiles the workspace with the least versions of its dependencies"],
    ["times", "times a clean build of the program and the tests of each crate, and tells its size"],
    [
        "weight [--crate NAME]... [--write] [--check]",
        "packages, CPU seconds of a clean release build, lines and public items of each crate, beside their budgets",
    ],
    [
        "unused [--strict]",
        "lists public items of the libraries that no other file, test, example or page names (by words: a heuristic)",
    ],
    [
        "mutants -p CRATE [--sample N] [--seed S] [--at-most N] [--write]",
        "changes the code of a crate in a random sample of places, one at a time: do its tests notice (needs cargo-mutants)",
    ],
    ["fuzz [TARGET] [--seconds N]", "runs the fuzz targets in turn, ten minutes each (needs a C++ compiler)"],
    [
        "search-edges [--cases N] [--seed S] [--only NAME [--case SEED]] [--threads N]",
        "searches the distributions for wrong numbers, at parameters and points of every size and of random bits",
    ],
    ["help", "this list"],
];

/// Prints the list of commands.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("help", arguments)?;
    println!("cargo xtask COMMAND\n");
    let rows: Vec<Vec<String>> =
        COMMANDS.iter().map(|row| row.iter().map(|&cell| cell.to_owned()).collect()).collect();
    print!("{}", table::aligned(&rows, &[table::Side::Left, table::Side::Left]));
    Ok(())
}
