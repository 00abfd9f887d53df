//! `cargo xtask compare SUBJECT|all`: our speed beside that of other crates and of Python's libraries, in one
//! run.

mod all;
mod machine;
mod page;
mod python;

use std::path::PathBuf;
use std::process::Command;

pub(crate) use self::machine::processor_and_compiler;
use crate::{Outcome, cargo};

/// Subjects, and what they are on the page.
const SUBJECTS: &[Subject] = &[
    Subject { name: "math", title: "Special functions, distributions and draws" },
    Subject { name: "net", title: "Exact inference on networks" },
    Subject { name: "cut", title: "Minimum cuts of images" },
    Subject { name: "mcmc", title: "Markov chain Monte Carlo" },
    Subject { name: "model", title: "Programs in Stan's language" },
    Subject { name: "series", title: "Kalman filters and smoothers" },
    Subject { name: "gp", title: "Gaussian processes" },
    Subject { name: "hierarchical", title: "Latent Gaussian models" },
    Subject { name: "cluster", title: "Mixtures and k-means" },
    Subject { name: "regress", title: "Logistic regression" },
    Subject { name: "sequence", title: "Hidden Markov models and conditional random fields" },
    Subject { name: "topics", title: "Topic models" },
    Subject { name: "optimize", title: "Bayesian optimisation" },
    Subject { name: "sparse", title: "Sparse Cholesky factors" },
    Subject { name: "python", title: "The Python package" },
    Subject { name: "verbs", title: "Verbs of the command line, from a table to the answer" },
];

/// One comparison.
#[derive(Debug)]
struct Subject {
    name: &'static str,
    title: &'static str,
}

impl Subject {
    /// A command of cargo on the program. Two subjects have rows for two threads; others measure one thread
    /// by its own clock, and must not share their work.
    fn cargo(&self, command: &'static str) -> Vec<&str> {
        let mut words = vec![command, "--release", "--quiet", "-p", "posterior-benches", "--bin", "compare"];
        if matches!(self.name, "gp" | "sequence") {
            words.extend(["--features", "rayon"]);
        }
        words
    }

    /// Builds what the program runs: for verbs the command line, and of the Python package the wheel.
    fn prepare(&self) -> Outcome {
        match self.name {
            "verbs" => cargo::run(&["build", "--release", "--quiet", "-p", "posterior-cli"]),
            "python" => crate::python::released().map(drop),
            _ => Ok(()),
        }
    }

    /// Builds the program itself.
    fn build(&self) -> Outcome {
        if self.name == "python" { Ok(()) } else { cargo::run(&self.cargo("build")) }
    }

    /// Runs the program, with the peers of this Python program; the Python package beside those that its
    /// tests have.
    fn command(&self, python: Option<&str>, quick: bool) -> Result<Command, String> {
        if self.name == "python" {
            let (own, wheel) = crate::python::released()?;
            let mut command = Command::new(own);
            command.arg(cargo::root().join("benches/peers/package.py")).arg(wheel);
            command.args(quick.then_some("--quick"));
            return Ok(command);
        }
        let mut words = self.cargo("run");
        words.extend(["--", self.name]);
        // Where there are peers in Python, those in R are taken if R is there.
        words.extend(if self.name == "hierarchical" { python.and(machine::rscript()) } else { python });
        words.extend(quick.then_some("--quick"));
        Ok(cargo::command(&words))
    }
}

/// Where the Python libraries are.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Peers {
    /// Nowhere: their columns stay empty.
    None,
    /// In an environment of one's own.
    In(String),
    /// In one that is made first.
    Installed,
}

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    subject: String,
    peers: Peers,
    quick: bool,
    out: Option<PathBuf>,
}

/// Runs a comparison, or all of them onto one page.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let asked = asked(arguments).ok_or_else(usage)?;
    if asked.subject == "all" {
        return all::run(&asked);
    }
    let subject = SUBJECTS.iter().find(|own| own.name == asked.subject).ok_or_else(usage)?;
    let python = match &asked.peers {
        Peers::None => None,
        Peers::In(program) => Some(program.clone()),
        Peers::Installed => Some(python::environment()?.complete()?),
    };
    subject.prepare()?;
    cargo::finish(subject.command(python.as_deref(), asked.quick)?, &format!("compare {}", subject.name))
}

fn asked(arguments: &[String]) -> Option<Asked> {
    let (subject, mut rest) = arguments.split_first()?;
    let mut asked = Asked { subject: subject.clone(), peers: Peers::None, quick: false, out: None };
    while let Some((option, values)) = rest.split_first() {
        rest = values;
        match option.as_str() {
            "--quick" => asked.quick = true,
            "--install" => asked.peers = Peers::Installed,
            "--python" => asked.peers = Peers::In(next(&mut rest)?),
            "--out" if subject == "all" => asked.out = Some(PathBuf::from(next(&mut rest)?)),
            _ => return None,
        }
    }
    Some(asked)
}

/// The value of an option.
fn next(rest: &mut &[String]) -> Option<String> {
    let (value, others) = rest.split_first()?;
    *rest = others;
    Some(value.clone())
}

fn usage() -> String {
    let names: Vec<&str> = SUBJECTS.iter().map(|own| own.name).collect();
    format!(
        "usage: cargo xtask compare {}|all [--python PROGRAM | --install] [--quick]\n       \
         cargo xtask compare all ... [--out FILE]",
        names.join("|")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Option<Asked> {
        asked(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_come_in_any_order() {
        let expected = Asked {
            subject: "all".to_owned(),
            peers: Peers::In("py".to_owned()),
            quick: true,
            out: Some(PathBuf::from("x.md")),
        };
        assert_eq!(parsed("all --out x.md --python py --quick"), Some(expected));
        assert_eq!(parsed("net --install").map(|own| own.peers), Some(Peers::Installed));
    }

    #[test]
    fn what_is_not_an_option_is_refused() {
        for line in ["net --python", "net --out x", "all --out", "all --fast"] {
            assert_eq!(parsed(line), None, "{line}");
        }
    }
}
