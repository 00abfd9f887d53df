//! Texts of a path before they are counted: one by one, whatever their number, or all together.

use std::path::Path;

use super::folder;
use super::format::CorpusFormat;
use super::json_lines;
use super::mallet_instances;
use super::metadata::Metadata;
use super::open::{STDIN, Source};
use super::read::{ReadOptions, folder_of_texts, refuse_counts, texts_of};
use super::text_visitor::VisitText;
use super::texts::Texts;
use crate::Error;

/// The format of the texts at a path, without reading them; `None` where it has counts, and of standard
/// input, which is read once.
///
/// # Errors
/// The path cannot be read, or its format cannot be detected.
pub fn text_format(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Option<CorpusFormat>, Error> {
    let path = path.as_ref();
    if path == Path::new(STDIN) {
        return Ok(None);
    }
    let format = match options.format {
        Some(format) => format,
        None if path.is_dir() => CorpusFormat::Folder,
        None => CorpusFormat::detect(&mut Source::open(path)?, &options.text_column)?,
    };
    Ok(Some(format).filter(|format| format.has_texts()))
}

/// Reads the texts at `path`, before they become counts; `None` where it has counts, and of standard input,
/// which is read once.
///
/// # Errors
/// As [`read`](super::read()).
pub fn read_texts(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Option<Texts>, Error> {
    let path = path.as_ref();
    let Some(format) = text_format(path, options)? else { return Ok(None) };
    if path.is_dir() {
        return folder_of_texts(path, options).map(Some);
    }
    texts_of(Source::open(path)?, format, options).map(Some)
}

/// Visits the texts at a path, a folder or a file, in their order; `None` where it has counts, of which
/// nothing is read then.
///
/// # Errors
/// As readers; counts on standard input whose format nobody has named, as it was read to see what it has.
pub(super) fn for_each_text(
    path: &Path,
    options: &ReadOptions,
    visit: &mut VisitText<'_>,
) -> Result<Option<CorpusFormat>, Error> {
    let (text, name) = (options.text_column.as_str(), options.name_column.as_deref());
    if options.format.is_some_and(|format| !format.has_texts()) {
        return Ok(None);
    }
    if path.is_dir() {
        if !matches!(options.format, None | Some(CorpusFormat::Folder)) {
            return Ok(None);
        }
        refuse_counts(path, options)?;
        folder::for_each_file(path, visit)?;
        return Ok(Some(CorpusFormat::Folder));
    }
    let mut source = Source::open(path)?;
    let format = match options.format {
        Some(format) => format,
        None => CorpusFormat::detect(&mut source, text)?,
    };
    match format {
        CorpusFormat::JsonLines => json_lines::for_each_text(source, text, name, visit)?,
        CorpusFormat::Csv => Metadata::for_each_text(source, text, name, visit)?,
        CorpusFormat::MalletInstances => mallet_instances::for_each_text(source, visit)?,
        _ if path == Path::new(STDIN) => {
            let message = format!("counts in the format {format}, expected texts");
            let error = Error::contents(source.path(), message);
            return Err(error.with_hint("say which format it is, or give a file"));
        }
        _ => return Ok(None),
    }
    Ok(Some(format))
}
