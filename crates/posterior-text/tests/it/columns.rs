//! Files of labelled sequences: what is read, and what is refused with which line.

mod conllu;

use std::io::{BufReader, Read};

use posterior_text::Error;
use posterior_text::columns::{
    Attribute, AttributeLists, AttributeReader, Separator, TableReader, TokenTable, write_attribute_lists,
    write_tables,
};
use proptest::prelude::*;

fn tables(text: &[u8]) -> Result<Vec<TokenTable>, Error> {
    TableReader::new(text).collect()
}

fn rows(table: &TokenTable) -> Vec<Vec<&str>> {
    (0..table.len()).map(|token| table.row(token).collect()).collect()
}

fn lists(text: &[u8]) -> Result<Vec<AttributeLists>, Error> {
    AttributeReader::new(text).collect()
}

fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> (usize, String) {
    match result.unwrap_err() {
        Error::Line { line, message } => (line, message),
        other => (0, other.to_string()),
    }
}

#[test]
fn ends_of_lines_and_of_the_file_do_not_matter() {
    let plain = tables(b"a A\nb B\n\nc C\n").unwrap();
    for text in [
        "a A\r\nb B\r\n\r\nc C\r\n",
        "a A\nb B\n\nc C",
        "\n\na A\nb B\n \t\n\n\nc C\n\n",
        "\u{feff}a A\nb B\n\nc C\n",
        "  a\t A  \nb \t B\t\n\nc C \r\n",
    ] {
        let read = tables(text.as_bytes()).unwrap();
        assert_eq!(read.iter().map(rows).collect::<Vec<_>>(), plain.iter().map(rows).collect::<Vec<_>>());
    }
    assert_eq!(plain[0].column(1).collect::<Vec<_>>(), ["A", "B"]);
    assert_eq!((plain[0].first_line(), plain[1].first_line()), (1, 4));
}

#[test]
fn a_file_without_tokens_has_no_sequences() {
    for text in ["", "\n", "\r\n\r\n", "  \n\t\n", "\u{feff}"] {
        assert!(tables(text.as_bytes()).unwrap().is_empty(), "{text:?}");
        assert!(lists(text.as_bytes()).unwrap().is_empty(), "{text:?}");
    }
}

#[test]
fn only_spaces_and_tabs_separate() {
    let read = tables("a\u{a0}b \u{3000} x\n".as_bytes()).unwrap();
    assert_eq!(rows(&read[0]), [["a\u{a0}b", "\u{3000}", "x"]]);
    let tabs = TableReader::new(b"New York\tNNP\n".as_slice()).with_separator(Separator::Tab);
    assert_eq!(rows(&tabs.collect::<Result<Vec<_>, _>>().unwrap()[0]), [["New York", "NNP"]]);
}

#[test]
fn a_hash_is_a_token_unless_it_is_said_to_start_comments() {
    let text = b"# # O\n1 CD O\n".as_slice();
    assert_eq!(tables(text).unwrap()[0].len(), 2);
    let text = b"# id 7\n1 CD O\n#\n2 CD O\n".as_slice();
    let read: Vec<_> = TableReader::new(text).with_comments("#").collect::<Result<_, _>>().unwrap();
    assert_eq!(rows(&read[0]), [["1", "CD", "O"], ["2", "CD", "O"]]);
    assert_eq!(read[0].first_line(), 2);
}

#[test]
fn wrong_columns_are_named_with_their_line() {
    let found = refusal(tables(b"a A X\n\nb B\n"));
    assert_eq!(found, (3, "2 columns, expected 3".to_owned()));
    let found = refusal(TableReader::new(b"a\n".as_slice()).with_columns(2).collect::<Result<Vec<_>, _>>());
    assert_eq!(found, (1, "1 column, expected 2".to_owned()));
    let torn = TableReader::new(b"a\tA\nb\t\n".as_slice()).with_separator(Separator::Tab);
    assert_eq!(refusal(torn.collect::<Result<Vec<_>, _>>()), (2, "column 2 is empty".to_owned()));
}

#[test]
fn what_is_no_text_is_named_with_its_byte() {
    let found = refusal(tables(b"a A\nb\xff B\n"));
    assert_eq!(found, (2, "not UTF-8 at byte 2 of the line".to_owned()));
    assert_eq!(refusal(lists(b"A\ta\nB\tb\n\nC\t\xc3\x28\n")).0, 4);
}

#[test]
fn after_an_error_there_is_nothing() {
    let mut reader = TableReader::new(b"a A\n\nb\n\nc C\n".as_slice());
    assert!(reader.next().unwrap().is_ok());
    assert!(reader.next().unwrap().is_err());
    assert!(reader.next().is_none());
}

#[test]
fn a_source_that_fails_is_reported_with_the_line() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    let source = BufReader::new(b"a A\n".as_slice().chain(Failing));
    let (line, message) = refusal(TableReader::new(source).collect::<Result<Vec<_>, _>>());
    assert_eq!((line, message.as_str()), (2, "cannot be read: the disk is gone"));
}

#[test]
fn tables_of_rows_must_be_rectangular() {
    assert!(TokenTable::from_rows([vec!["a", "b"], vec!["c"]]).is_err());
    assert!(TokenTable::from_rows([Vec::new()]).is_err());
    let none = TokenTable::from_rows(Vec::<Vec<&str>>::new()).unwrap();
    assert_eq!((none.len(), none.columns(), none.is_empty()), (0, 0, true));
}

#[test]
fn a_table_that_could_not_be_read_again_is_not_written() {
    for cell in ["", " ", "a b", "a\tb", "a\n", "\r"] {
        let table = TokenTable::from_rows([["x", cell]]).unwrap();
        assert!(write_tables(&mut Vec::new(), [&table], Separator::Blanks).is_err(), "{cell:?}");
    }
    // A byte order mark is a token everywhere but at the beginning.
    let marked = TokenTable::from_rows([["\u{feff}"]]).unwrap();
    let plain = TokenTable::from_rows([["x"]]).unwrap();
    assert!(write_tables(&mut Vec::new(), [&marked, &plain], Separator::Blanks).is_err());
    assert!(write_tables(&mut Vec::new(), [&plain, &marked], Separator::Blanks).is_ok());
    let spaced = TokenTable::from_rows([["New York", "x"]]).unwrap();
    assert!(write_tables(&mut Vec::new(), [&spaced], Separator::Tab).is_ok());
}

fn named(name: &str, value: f64) -> Attribute {
    Attribute { name: name.to_owned(), value }
}

#[test]
fn attributes_have_names_and_values() {
    let read = lists(b"B-NP\tw=He\tlen:2.5\tt\\:x:-1e3\nO\n\nX\ta:b:3\t\\\\:4\t\\d\n").unwrap();
    assert_eq!(read[0].labels, ["B-NP", "O"]);
    assert_eq!(read[0].attributes[0], [named("w=He", 1.0), named("len", 2.5), named("t:x", -1e3)]);
    assert!(read[0].attributes[1].is_empty());
    // The value is what follows the last bare colon; a backslash that protects nothing stays.
    assert_eq!(read[1].attributes[0], [named("a:b", 3.0), named("\\", 4.0), named("\\d", 1.0)]);
    assert_eq!(read[1].first_line, 4);
}

#[test]
fn attributes_that_mean_nothing_are_refused() {
    for (text, part) in [
        ("A\tw:x", "not a number"),
        ("A\tw:", "not a number"),
        ("A\tw:nan", "not a number"),
        ("A\tw:inf", "not a number"),
        ("A\tw:1e999", "not a number"),
        ("A\tx\t\ty", "no name"),
        ("A\t:1", "no name"),
        ("\tx", "label is empty"),
    ] {
        let (line, message) = refusal(lists(format!("A\tx\n\n{text}\n").as_bytes()));
        assert_eq!(line, 3, "{text:?}");
        assert!(message.contains(part), "{text:?}: {message}");
    }
}

#[test]
fn lists_that_could_not_be_read_again_are_not_written() {
    for (label, name, value) in [
        ("", "x", 1.0),
        ("A", "", 1.0),
        ("A", "x\ty", 1.0),
        ("A\n", "x", 1.0),
        ("\u{feff}", "x", 1.0),
        ("A", "x ", 1.0),
        ("A", "x", f64::NAN),
        ("A", "x", f64::INFINITY),
    ] {
        let attributes = vec![vec![named(name, value)]];
        let own = AttributeLists { first_line: 1, labels: vec![label.to_owned()], attributes };
        assert!(write_attribute_lists(&mut Vec::new(), [&own]).is_err(), "{label:?} {name:?} {value}");
    }
}

const NAME: &str = r"[a-z:\\=\[\]@#é漢 ]{0,5}[a-z:\\é]";

proptest! {
    #[test]
    fn lists_are_read_as_they_were_written(
        tokens in prop::collection::vec(
            (NAME, prop::collection::vec((NAME, prop_oneof![Just(1.0), prop::num::f64::NORMAL]), 0..4)), 1..6)
    ) {
        let (labels, attributes): (Vec<_>, Vec<Vec<_>>) = tokens.into_iter().unzip();
        let attributes = attributes
            .into_iter()
            .map(|own| own.into_iter().map(|(name, value)| Attribute { name, value }).collect())
            .collect();
        // A first label of blanks alone cannot be, since every name ends with a letter.
        let own = AttributeLists { first_line: 1, labels, attributes };
        let mut file = Vec::new();
        write_attribute_lists(&mut file, [&own, &own]).unwrap();
        let read = lists(&file).unwrap();
        prop_assert_eq!(read.len(), 2);
        prop_assert_eq!(&read[0], &own);
        prop_assert_eq!(&read[1].attributes, &own.attributes);
    }

    #[test]
    fn tables_are_read_as_they_were_written(
        cells in prop::collection::vec(("[!-~é漢\u{a0}]{1,6}", "[!-~]{1,3}"), 1..8)
    ) {
        let own = TokenTable::from_rows(cells.iter().map(|(word, tag)| [word.as_str(), tag.as_str()])).unwrap();
        for separator in [Separator::Blanks, Separator::Tab] {
            let mut file = Vec::new();
            write_tables(&mut file, [&own, &own], separator).unwrap();
            let read: Vec<TokenTable> = TableReader::new(file.as_slice())
                .with_separator(separator)
                .collect::<Result<_, _>>()
                .unwrap();
            prop_assert_eq!(read.len(), 2);
            prop_assert_eq!(&read[0], &own);
            prop_assert_eq!(rows(&read[1]), rows(&own));
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(b'\t'), Just(b':'), Just(b'\\')], 0..200)) {
        let _ = tables(&bytes);
        let _ = lists(&bytes);
    }
}
