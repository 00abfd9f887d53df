//! Tables of what is known of the documents.

use posterior_text::Error;
use posterior_text::corpus::Metadata;

use super::{complaint, message, source, words};

fn read(csv: impl AsRef<[u8]>) -> Result<Metadata, Error> {
    Metadata::read_csv(source("m.csv", csv))
}

#[test]
fn columns_are_text_or_numbers() {
    let meta = read("year,who\n1790, A \n1.5e3,\n").unwrap();
    assert_eq!((meta.rows(), meta.columns().len()), (2, 2));
    assert_eq!(meta.numbers("year").unwrap(), [1790.0, 1500.0]);
    assert_eq!(meta.text("who").unwrap(), [" A ", ""]);
}

#[test]
fn values_that_are_not_numbers_are_named_with_their_line() {
    let meta = read("year,note\n1790,\"two\nlines\"\nMDCC,x\n").unwrap();
    let error = meta.numbers("year").unwrap_err();
    assert_eq!(error.to_string(), "m.csv:4: column \"year\": expected a number, found \"MDCC\"");
    assert_eq!(error.line(), Some(4));
    for text in ["nan", "inf", "1,5", "0x10"] {
        let error = message(read(format!("year\n\"{text}\"\n")).unwrap().numbers("year"));
        assert_eq!(error, format!("m.csv:2: column \"year\": expected a number, found {text:?}"));
    }
    for text in ["NA", " "] {
        let error = message(read(format!("year,x\n{text},1\n")).unwrap().numbers("year"));
        assert_eq!(error, "m.csv:2: column \"year\": expected a number, but the value is missing");
    }
}

#[test]
fn columns_that_are_not_there_are_answered_by_those_that_are() {
    let (message, hint) = complaint(read("year,who\n1790,A\n").unwrap().numbers("time"));
    assert_eq!(message, "m.csv:1: no column \"time\"; there are: year, who");
    assert_eq!(hint, "name one of the columns that there are");
}

#[test]
fn tables_that_are_not_rectangular_are_refused() {
    let (error, hint) = complaint(read("year,who\n1790,A\n1791,B,C\n"));
    assert_eq!(error, "m.csv:3: expected 2 fields, found 3");
    assert_eq!(hint, "put fields that hold a comma, a quote or a line end in double quotes");
    assert_eq!(message(read("year,who,year\n")), "m.csv:1: the column \"year\" is there twice");
    let (error, hint) = complaint(read(b"who\nAndr\xe9\n"));
    assert_eq!(error, "m.csv:2: not UTF-8 text in field 1 of the row at byte 4");
    assert_eq!(hint, "save it as UTF-8, for instance by `iconv -f LATIN1 -t UTF-8`");
}

#[test]
fn there_must_be_a_row_for_each_document() {
    let meta = read("year\n1790\n1791\n").unwrap();
    assert!(meta.check_documents(2).is_ok());
    let (message, hint) = complaint(meta.check_documents(241));
    assert_eq!(message, "m.csv: 2 rows for 241 documents");
    assert_eq!(hint, "a row is needed for each document, in the order of the documents");
}

#[test]
fn rows_are_put_in_the_order_of_the_documents_by_their_names() {
    let csv = "year,file\n1953,b.txt\n1952,c.txt.gz\n1954,a.txt\n1955,other.txt\n";
    let (meta, column) = read(csv).unwrap().for_documents(&words("a b c")).unwrap();
    assert_eq!(meta.numbers("year").unwrap(), [1954.0, 1953.0, 1952.0]);
    assert_eq!(column.as_deref(), Some("file"));
}

#[test]
fn rows_without_names_are_taken_in_order() {
    let (meta, column) = read("rank\n2\n1\n").unwrap().for_documents(&words("1 2")).unwrap();
    assert_eq!((meta.numbers("rank").unwrap(), column), (vec![2.0, 1.0], None));
    let twice = read("who\na\na\n").unwrap();
    assert_eq!(twice.clone().for_documents(&words("a b")).unwrap(), (twice.clone(), None));
    assert_eq!(message(twice.for_documents(&words("a b c"))), "m.csv: 2 rows for 3 documents");
}
