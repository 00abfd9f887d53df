//! The grammar of `posterior gallery`.

use std::path::PathBuf;

use clap::Args;

use super::Format;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior gallery --out gallery
  posterior gallery --list
  posterior gallery --only tracking --only clusters --out gallery
  posterior gallery --data texts/ --out gallery

Each story writes findings.txt, report.html and picture.svg to a folder of its own; index.html shows the stories of the run. \
A story whose texts are not embedded names the files of --data that it needs, and is skipped without them. \
All seeds are fixed.")]
pub(crate) struct Gallery {
    /// Folder for the index and a folder for each story
    #[arg(long, value_name = "DIR", default_value = "posterior-gallery")]
    pub(crate) out: PathBuf,
    /// Run this story only; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// List the stories, and run none
    #[arg(long)]
    pub(crate) list: bool,
    /// Folder with texts that are not embedded, such as spam/sms_spam.tsv
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// How results are printed
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// No progress and no notes
    #[arg(long)]
    pub(crate) quiet: bool,
}
