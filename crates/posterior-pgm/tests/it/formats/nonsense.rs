//! Bytes that are no model: an error, and never a panic.

use posterior_pgm::{GraphicalModel, ModelFile, Variables, bif, net, read_model, uai, xmlbif};
use proptest::prelude::*;

use super::{BAYES, MARKOV, NET, XMLBIF, good_bif};

/// All readers.
fn read(bytes: &[u8]) {
    let variables = Variables::numbered(&[2, 3, 4]).unwrap();
    let _ = read_model(bytes);
    let _ = bif::read(bytes);
    let _ = xmlbif::read(bytes);
    let _ = net::read(bytes);
    let _ = uai::read(bytes);
    let _ = uai::read_evidence(bytes, &variables);
    let _ = uai::read_query(bytes, &variables);
    let _ = uai::read_answer(bytes);
}

/// A change of a file: at a place, so many bytes go, and these come.
fn change() -> impl Strategy<Value = (usize, usize, Vec<u8>)> {
    let marks = "{}()[];,|\"/*<>&0123456789.-eE \nA".as_bytes();
    let bytes =
        prop_oneof![proptest::collection::vec(any::<u8>(), 0..4), proptest::sample::subsequence(marks, 0..3)];
    (any::<usize>(), 0..6usize, bytes)
}

fn changed(text: &str, changes: &[(usize, usize, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (place, gone, come) in changes {
        let start = place % (bytes.len() + 1);
        let end = (start + gone).min(bytes.len());
        bytes.splice(start..end, come.iter().copied());
    }
    bytes
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read(&bytes);
    }

    #[test]
    fn any_words(words in proptest::collection::vec(
        proptest::sample::select(vec![
            "network", "variable", "probability", "type", "discrete", "table", "default", "property", "A", "B", "{", "}", "(",
            ")", "[", "]", ";", ",", "|", "\"", "//", "/*", "*/", "0.5", "2", "1e9", "18446744073709551615", "<BIF>", "<NETWORK>",
            "<VARIABLE>", "<NAME>", "</NAME>", "<FOR>", "<TABLE>", "&lt;", "&#1;", "MARKOV", "BAYES", "net", "node", "potential", "class", "states", "data", "=", "%", "PR", "MAR", "-BEGIN-", "1", "0",
        ]), 0..40)) {
        read(words.join(" ").as_bytes());
    }

    #[test]
    fn files_with_changes(changes in proptest::collection::vec(change(), 1..4)) {
        for text in [&good_bif(), XMLBIF, NET, MARKOV, BAYES] {
            read(&changed(text, &changes));
        }
    }
}

#[test]
fn files_cut_short() {
    for text in [&good_bif(), XMLBIF, NET, MARKOV, BAYES] {
        let trimmed = text.trim_end();
        for end in 0..trimmed.len() {
            let bytes = &trimmed.as_bytes()[..end];
            read(bytes);
            // Half of a last number may be a whole one, and the head of a file is a network without
            // variables.
            let whole = |file: ModelFile| file.model.variables().is_empty() || end + 3 > trimmed.len();
            assert!(read_model(bytes).map_or(true, whole), "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}

/// Nothing recurses along a chain, in whichever order it is declared.
#[test]
fn a_long_chain() {
    let n = 20_000;
    let mut text = String::new();
    for i in 0..n {
        let table = format!("probability ( V{i} | V{} ) {{ default 0.5 0.5; }}", i + 1);
        text.extend([table, format!("variable V{i} {{ type discrete [2] {{ a b }}; }}\n")]);
    }
    let end =
        format!("probability ( V{n} ) {{ table 0.5 0.5; }} variable V{n} {{ type discrete [2] {{ a b }}; }}");
    let network = bif::read(format!("{text}{end}").as_bytes()).unwrap().network;
    assert_eq!(network.graph().arrow_count(), n);
}
