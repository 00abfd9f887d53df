//! `cargo xtask help`: the list of commands.

use crate::{Outcome, no_arguments, table};

/// The commands in the order in which a newcomer needs them.
const COMMANDS: &[[&str; 2]] = &[
    ["ci", "every check of a change, in order, with times; stops at the first failure"],
    ["layers", "dependencies point to lower layers only"],
    ["tidy", "the rules of the house that no compiler knows"],
    ["smoke", "runs the command line, built for release, on a small corpus"],
    [
        "soak [--rounds N] [--seed S]",
        "kills fits and resumes them; memory ceilings (after a release build; Unix)",
    ],
    ["docs", "builds the API documentation, warnings denied, and says where it is"],
    ["bench [FILTER]", "runs the benchmarks whose name contains FILTER and prints one table"],
    ["accuracy", "writes docs/accuracy.md: errors over the reference tables, beside other crates"],
    ["compare cut [--python PROGRAM | --install]", "times minimum cuts of images beside PyMaxflow"],
    [
        "compare math [--python PROGRAM | --install]",
        "times functions, laws and draws beside other crates, and SciPy and NumPy",
    ],
    [
        "compare mcmc [--python PROGRAM | --install]",
        "measures samplers of Markov chains beside nuts-rs, and NumPyro, and on real posteriors",
    ],
    ["compare net [--python PROGRAM]", "times exact inference on thirteen networks beside pyAgrum and pgmpy"],
    ["coverage", "measures which lines the tests reach (needs cargo-llvm-cov)"],
    ["datasets english-letters [--from FILE]", "makes the embedded counts of English letters from a text"],
    ["datasets sotu [--from DIR]", "makes the embedded State of the Union counts from their source"],
    ["fuzz [TARGET] [--seconds N]", "runs the fuzz targets in turn, ten minutes each (needs a C++ compiler)"],
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
