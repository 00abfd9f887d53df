//! Topic models on several processes by MPI: the same bits on any number of them.
//!
//! The chain is [`posterior_topics::lda::gibbs::ring`]'s; here is the carrier of its bytes.

mod args;
mod fit;
mod generate;
mod plan;
mod usage;
mod world;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use posterior_topics::Error;

use args::{Area, Cli, TopicsVerb};

fn main() -> ExitCode {
    let outcome = match Cli::parse().area {
        Area::Topics(TopicsVerb::Fit(args)) => return fit::run(&args),
        Area::Plan(args) => plan::run(&args),
        Area::Generate(args) => generate::run(&args).map(|corpus| {
            format!(
                "{}: {} documents, {} words in all, a vocabulary of {}\n",
                args.file.display(),
                corpus.documents(),
                corpus.tokens(),
                corpus.vocabulary().len()
            )
        }),
    };
    match outcome {
        Ok(text) => printed(&text),
        Err(error) => failed(&error),
    }
}

/// Prints a result; whoever reads no further has what they wanted.
fn printed(text: &str) -> ExitCode {
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

fn failed(error: &Error) -> ExitCode {
    world::report(&format!("error: {}", with_hint(error)));
    ExitCode::FAILURE
}

/// An error in a line, with what to try in the next.
fn with_hint(error: &Error) -> String {
    error.hint().map_or_else(|| error.to_string(), |hint| format!("{error}\nhint: {hint}"))
}
