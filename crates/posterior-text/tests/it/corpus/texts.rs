//! Texts in folders, JSON Lines and CSV tables.

use std::fs;

use posterior_text::corpus::{Texts, read_csv_texts, read_folder, read_json_lines};

use super::{complaint, gzip, message, source};

fn pairs(texts: &Texts) -> Vec<(&str, &str)> {
    texts.texts.iter().map(|text| (text.name.as_str(), text.text.as_str())).collect()
}

#[test]
fn folders_are_read_in_order_of_names() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("b.txt", b"\xef\xbb\xbfsecond\r\n");
    write("a.txt", b"first");
    write("c.txt.gz", &gzip("third"));
    write("README.md", b"not a document");
    write(".hidden.txt", b"not a document");
    fs::create_dir(folder.path().join("d.txt")).unwrap();
    let texts = read_folder(folder.path()).unwrap();
    assert_eq!(pairs(&texts), [("a", "first"), ("b", "second\r\n"), ("c", "third")]);
    assert_eq!(texts.metadata, None);
}

#[test]
fn folders_without_texts_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display().to_string();
    let read = || complaint(read_folder(folder.path()));
    assert_eq!(read().0, format!("{path}: empty folder: expected .txt files, one for each document"));
    fs::write(folder.path().join("b.html"), "x").unwrap();
    fs::write(folder.path().join("a.pdf"), "x").unwrap();
    let (message, hint) = read();
    assert_eq!(message, format!("{path}: no .txt files in the folder; it holds 2 others, first \"a.pdf\""));
    assert_eq!(hint, "rename the files, or give the one file that holds all documents");
    fs::create_dir(folder.path().join("more")).unwrap();
    assert_eq!(read().1, "sub-folders are not searched: give the folder that holds the files");
    let missing = complaint(read_folder(folder.path().join("none")));
    assert!(missing.0.starts_with(&format!("{path}/none: ")), "{}", missing.0);
    assert_eq!(missing.1, "check the spelling; a relative path starts at the current folder");
}

#[test]
fn files_of_a_folder_that_are_not_text_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.txt");
    fs::write(&file, b"first\ncaf\xe9").unwrap();
    let expected = format!("{}:2: not UTF-8 text: byte 0xe9 at offset 9", file.display());
    assert_eq!(message(read_folder(folder.path())), expected);
    let cut = folder.path().join("a.txt.gz");
    fs::remove_file(&file).unwrap();
    fs::write(&cut, &gzip("first")[..12]).unwrap();
    let expected = format!("{}: the gzip data end early: the file is cut off", cut.display());
    assert_eq!(message(read_folder(folder.path())), expected);
    fs::write(&cut, "plain").unwrap();
    let (message, hint) = complaint(read_folder(folder.path()));
    let expected = "named .gz, but not a gzip file (no 1f 8b at its start)";
    assert_eq!(message, format!("{}: {expected}", cut.display()));
    assert_eq!(hint, "if it is plain text, drop the .gz from its name");
}

#[test]
fn json_lines_keep_scalar_fields() {
    let lines = concat!(
        "\u{feff}{\"text\": \"first\", \"id\": 7, \"year\": 1790, \"tags\": [1]}\r\n\n",
        "{\"id\": \"b\", \"text\": \"caf\\u00e9\", \"spoken\": true, \"year\": null}\n",
    );
    let texts = read_json_lines(source("d.jsonl", lines), "text", Some("id")).unwrap();
    assert_eq!(pairs(&texts), [("7", "first"), ("b", "café")]);
    let metadata = texts.metadata.unwrap();
    assert_eq!(metadata.columns(), ["id", "spoken", "year"]);
    assert_eq!(metadata.text("spoken").unwrap(), ["", "true"]);
    assert_eq!(metadata.optional_numbers("year").unwrap(), [Some(1790.0), None]);
    let error = message(metadata.numbers("year"));
    assert_eq!(error, "d.jsonl:3: column \"year\": expected a number, but the value is missing");
    let numbered = read_json_lines(source("d.jsonl", "{\"body\": \"x\"}"), "body", None).unwrap();
    assert_eq!(pairs(&numbered), [("1", "x")]);
    assert_eq!(numbered.metadata, None);
}

#[test]
fn lines_that_are_not_objects_with_text_are_refused() {
    let read = |lines: &str| complaint(read_json_lines(source("d.jsonl", lines), "text", Some("id")));
    assert_eq!(read("").0, "d.jsonl: empty file: expected one JSON object a line");
    let good = "{\"text\": \"a\", \"id\": 1}\n";
    for (line, expected) in [
        ("{\"text\": \"b\"", "expected a JSON object, column 12: EOF while parsing an object"),
        ("{'text': 1}", "expected a JSON object, column 2: key must be a string"),
        ("7", "expected a JSON object, column 1: invalid type: integer `7`, expected a map"),
        ("{\"id\": 1, \"text\": [\"b\"]}", "field \"text\": expected a text, found an array"),
        ("{\"id\": 1, \"text\": null}", "field \"text\": expected a text, found null"),
        ("{\"id\": 1, \"body\": 1}", "no column \"text\"; there are: body, id"),
        ("{\"text\": \"b\"}", "no column \"id\"; there are: text"),
        ("{}", "no column \"id\"; there are: none"),
        ("{\"text\": \"b\", \"id\": {}}", "field \"id\": expected a name, found an object"),
    ] {
        assert_eq!(read(&format!("{good}\n{line}\n")).0, format!("d.jsonl:3: {expected}"), "{line}");
    }
    let (message, hint) = read("[{\"text\": \"a\"},\n");
    assert!(message.starts_with("d.jsonl:1: expected a JSON object"), "{message}");
    assert_eq!(hint, "write one whole object a line, without an array around them");
    assert_eq!(read("{\n  \"text\": \"a\"\n}\n").1, hint);
}

#[test]
fn csv_tables_keep_the_other_columns() {
    let csv = "\u{feff}id, year ,text\r\na,1790,\"one, \"\"two\"\"\nthree\"\r\n\nb,NA,four\r\n";
    let texts = read_csv_texts(source("d.csv", csv), "text", Some("id")).unwrap();
    assert_eq!(pairs(&texts), [("a", "one, \"two\"\nthree"), ("b", "four")]);
    let metadata = texts.metadata.unwrap();
    assert_eq!(metadata.columns(), ["id", "year"]);
    assert_eq!(metadata.optional_numbers("year").unwrap(), [Some(1790.0), None]);
    let packed = read_csv_texts(source("d.csv", gzip("text\nx\n")), "text", None).unwrap();
    assert_eq!((pairs(&packed), &packed.metadata), (vec![("1", "x")], &None));
}

#[test]
fn csv_files_without_texts_are_refused() {
    let read = |csv: &str| complaint(read_csv_texts(source("d.csv", csv), "text", None));
    let (message, hint) = read("");
    assert_eq!(message, "d.csv: empty file: expected a CSV table");
    assert_eq!(hint, "its first line names the columns");
    assert_eq!(read("id,text\n").0, "d.csv: no rows: expected one for each document under the header");
    let (message, hint) = read("id,body\n1,x\n");
    assert_eq!(message, "d.csv:1: no column \"text\"; there are: id, body");
    assert_eq!(hint, "name one of the columns that there are");
}

/// A header, then rows without an end: whoever asks for a row that the header has refused already gets an
/// error of reading.
struct Endless(std::io::Cursor<&'static [u8]>, usize);

impl std::io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let header = self.0.read(buffer)?;
        if header > 0 {
            return Ok(header);
        }
        self.1 += buffer.len();
        if self.1 > 1 << 20 {
            return Err(std::io::Error::other("rows were read"));
        }
        for pair in buffer.chunks_mut(2) {
            pair[0] = b',';
            if let Some(end) = pair.get_mut(1) {
                *end = b'\n';
            }
        }
        Ok(buffer.len())
    }
}

#[test]
fn a_missing_column_is_reported_from_the_header_before_rows_are_read() {
    let read = |text: &str, name: Option<&str>| {
        let rows = Endless(std::io::Cursor::new(b"a,b\n"), 0);
        let source = posterior_text::corpus::Source::from_reader(rows, "d.csv").unwrap();
        complaint(read_csv_texts(source, text, name)).0
    };
    assert_eq!(read("text", None), "d.csv:1: no column \"text\"; there are: a, b");
    assert_eq!(read("a", Some("id")), "d.csv:1: no column \"id\"; there are: a, b");
    assert!(read("a", Some("b")).contains("rows were read"));
}

#[test]
fn objects_of_different_fields_do_not_fill_memory_with_empty_cells() {
    let lines: Vec<String> =
        (0..20_000).map(|i| format!("{{\"text\": \"river\", \"field{i}\": {i}}}")).collect();
    let output = complaint(read_json_lines(source("d.jsonl", lines.join("\n")), "text", None));
    assert!(output.0.contains("20000 different fields in 20000 objects"), "{output:?}");
}
