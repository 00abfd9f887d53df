//! Files: separators, packing, lines of JSON, damage, and limits.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use posterior_table::{DataFrame, Error, TableFile, TableReadOptions, has_ending, read_text};

fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("temporary folders can be made");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("it is ours");
    (folder, path)
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).expect("memory holds it");
    packer.finish().expect("memory holds it")
}

/// The cells of two columns `a` and `b`.
fn cells(path: &Path, options: &TableReadOptions) -> Result<Vec<[String; 2]>, Error> {
    let table = TableFile::open(path, options)?.read(&["a", "b"], |_| 0)?;
    let pairs = table.cells("a")?.zip(table.cells("b")?).map(|(a, b)| [a.to_owned(), b.to_owned()]);
    Ok(pairs.collect())
}

#[test]
fn separators_are_recognised_in_files_packed_or_not() {
    let expected = [["1".to_owned(), "x y".to_owned()], ["2".to_owned(), "z".to_owned()]];
    for (name, text) in [
        ("t.csv", "a,b\n1,x y\n2,z\n"),
        ("t.csv", "\u{feff}b;a\r\nx y;1\r\nz;2"),
        ("t.tsv", "a\tb\n1\tx y\n2\tz\n"),
        ("t.txt", "a|b|c\n1|x y|\n2|z|\n"),
        ("t.csv", "\n\na,b\n\n1,\"x y\"\n2, z \n\n"),
    ] {
        for (name, bytes) in [(name.to_owned(), text.into()), (format!("{name}.gz"), packed(text.as_bytes()))]
        {
            let bytes: Vec<u8> = bytes;
            let (_folder, path) = file(&name, &bytes);
            assert_eq!(cells(&path, &TableReadOptions::default()).unwrap(), expected, "{name}: {text:?}");
        }
    }
}

#[test]
fn errors_name_the_line() {
    for (text, part) in [
        ("", "no rows"),
        ("a,b\n", "no rows"),
        ("a,b\n1,2\n3\n", "line 3: 1 field, expected 2"),
        ("a,b\n1,2\n\n\n3,4,5\n", "line 5: 3 fields, expected 2"),
        ("a,b\n1,\"2\n3,4\n", "line 2: a quote is opened here and never closed"),
        ("a,c\n1,2\n", "line 1: no column is called \"b\""),
        ("a,b,b\n1,2,3\n", "line 1: several columns are called \"b\""),
    ] {
        let (_folder, path) = file("t.csv", text.as_bytes());
        let error = cells(&path, &TableReadOptions::default()).unwrap_err();
        assert!(error.message().contains(part), "{text:?}: {error}");
    }
    let (_folder, path) = file("t.csv", b"a,b\n1,\xff\n");
    let error = cells(&path, &TableReadOptions::default()).unwrap_err();
    assert!(error.message().ends_with("line 2: expected text in UTF-8, found other bytes"), "{error}");
    let (_folder, path) = file("t.csv.gz", &packed(b"a,b\n1,2\n")[..20]);
    let error = cells(&path, &TableReadOptions::default()).unwrap_err();
    assert!(error.message().contains("cut off"), "{error}");
}

#[test]
fn a_file_without_header_has_numbered_columns() {
    let (_folder, path) = file("t.csv", b"1,x\n2,y\n");
    let options = TableReadOptions { no_header: true, ..TableReadOptions::default() };
    let opened = TableFile::open(&path, &options).unwrap();
    assert_eq!(
        (opened.header(), opened.last().unwrap().as_str()),
        (&["1".to_owned(), "2".to_owned()][..], "2")
    );
    let table = opened.read(&["2"], |_| 0).unwrap();
    assert_eq!(table.labels("2").unwrap(), ["x", "y"]);
    assert_eq!([table.line(0), table.line(1)], [1, 2]);
}

#[test]
fn lines_of_json_are_a_table() {
    let text = "{\"a\": 1, \"b\": \"x\"}\n\n{\"b\": null, \"c\": true}\n{\"a\": 2.5}\n";
    let (_folder, path) = file("t.jsonl", text.as_bytes());
    let table = DataFrame::read_json_lines(&path, &TableReadOptions::default()).unwrap();
    assert_eq!(table.header(), ["a", "b", "c"]);
    assert!(table.cells("a").unwrap().eq(["1", "", "2.5"]));
    assert!(table.cells("c").unwrap().eq(["", "true", ""]));
    assert_eq!([table.line(0), table.line(1)], [1, 3]);
    let (_folder, path) = file("t.jsonl", b"{\"a\": 1}\n[1]\n");
    let error = DataFrame::read_json_lines(&path, &TableReadOptions::default()).unwrap_err();
    assert!(error.message().contains("line 2: expected a JSON object"), "{error}");
}

#[test]
fn memory_is_refused_before_it_is_taken() {
    let text = "a,b\n".to_owned() + &"12345678,12345678\n".repeat(200_000);
    let (_folder, path) = file("t.csv", text.as_bytes());
    let options = TableReadOptions { memory: Some(1 << 20), ..TableReadOptions::default() };
    let error = cells(&path, &options).unwrap_err();
    assert!(error.message().contains("of memory, and 1.0 MiB may be taken"), "{error}");
    assert!(error.hint().is_some_and(|hint| hint.contains("`memory`")), "{:?}", error.hint());
}

#[test]
fn names_and_texts_of_files() {
    assert!(has_ending(Path::new("a/T.JSONL.gz"), &["jsonl"]) && !has_ending(Path::new("jsonl"), &["jsonl"]));
    let (_folder, path) = file("t.txt", "\u{feff}ä\nb".as_bytes());
    assert_eq!(read_text(&path).unwrap().1, "ä\nb");
    let (_folder, path) = file("t.txt", b"a\nb\xff");
    let error = read_text(&path).unwrap_err();
    assert!(error.message().ends_with("line 2: expected UTF-8, found a byte that is not"), "{error}");
    assert!(read_text(Path::new("/nowhere/at/all")).is_err());
}
