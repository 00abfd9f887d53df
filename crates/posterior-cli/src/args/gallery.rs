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

Each story prints findings.txt, and draws report.html and picture.svg, in a folder of its own; index.html shows the stories of the run. \
A story that needs texts of others, which are not embedded, says which files of --data it looks for, and is skipped without them. \
All draws have fixed seeds.")]
pub(crate) struct Gallery {
    /// Folder for the index and a folder for each story
    #[arg(long, value_name = "DIR", default_value = "posterior-gallery")]
    pub(crate) out: PathBuf,
    /// Tell this story only; may be given again
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// List the stories, and tell none
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
