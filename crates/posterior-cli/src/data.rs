//! `posterior data`: the embedded data sets, and tables at a glance.

pub(crate) mod show;

use std::fmt::Write as _;
use std::path::PathBuf;

use posterior::datasets::{self, DatasetInfo};
use serde::Serialize;

use crate::args::{DataExport, Format, Listing};
use crate::failure::Failure;
use crate::output;
use crate::output_folder::OutputFolder;

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    title: &'static str,
    rows: &'static str,
    files: Vec<&'static str>,
    provenance: &'static str,
}

fn files(set: &DatasetInfo) -> Vec<&'static str> {
    set.files.iter().map(|file| file.name).collect()
}

/// `posterior data list`.
pub(crate) fn list(args: &Listing) -> Result<(), Failure> {
    let sets = datasets::all();
    if args.format == Format::Json {
        let listed = sets.iter().map(|set| Listed {
            name: set.name,
            title: set.title,
            rows: set.rows,
            files: files(set),
            provenance: set.provenance,
        });
        return output::print_json(&listed.collect::<Vec<_>>());
    }
    let mut text = String::new();
    for set in sets {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}\n  {}\n  {}\n  files: {}\n\n{}\n",
            set.name,
            set.title,
            set.rows,
            files(set).join(", "),
            set.provenance.trim_end()
        );
    }
    output::print(&text)
}

/// `posterior data export NAME`.
pub(crate) fn export(args: &DataExport) -> Result<(), Failure> {
    let set = datasets::find(&args.name).ok_or_else(|| {
        let names: Vec<_> = datasets::all().iter().map(|set| set.name).collect();
        let message = format!("no embedded data set is named {:?}", args.name);
        Failure::data(message).with_hint(format!("there are: {}", names.join(", ")))
    })?;
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from(set.name));
    // Data sets may share a folder.
    let folder = OutputFolder::collecting(&folder, &files(set))?;
    let mut written = Vec::new();
    for file in set.files {
        folder.put(file.name, |out| file.write_to(out))?;
        written.push(folder.join(file.name).display().to_string());
    }
    folder.commit()?;
    match args.format {
        Format::Json => output::print_json(&serde_json::json!({ "name": set.name, "files": written })),
        Format::Text => output::print(&(written.join("\n") + "\n")),
    }
}
