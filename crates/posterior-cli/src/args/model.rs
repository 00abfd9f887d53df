//! The grammar of `posterior model`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;

#[derive(Debug, Subcommand)]
pub(crate) enum ModelVerb {
    /// Find what is wrong with a program: all errors at once, each with its place
    Check(ModelCheck),
    /// Print a program in one form, with its comments
    Fmt(ModelFmt),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model check schools.stan
  posterior model check old.stan --current
  posterior model check schools.stan --format json

A program in Stan's modelling language. Its parameters, data and quantities are listed with their types, and what may be meant otherwise is said; nothing is
run. Files of #include are looked for beside the program.")]
pub(crate) struct ModelCheck {
    /// The program; `-` is standard input
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: PathBuf,
    /// Old syntax, such as <- and int x[N], is an error, as for Stan's compiler since version 2.33
    #[arg(long)]
    pub(crate) current: bool,
    /// What is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model fmt schools.stan
  posterior model fmt schools.stan --write

Old syntax is written as it is today. A program that includes files is refused.")]
pub(crate) struct ModelFmt {
    /// The program; `-` is standard input
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: PathBuf,
    /// Put the printed form in the place of the file
    #[arg(long)]
    pub(crate) write: bool,
}
