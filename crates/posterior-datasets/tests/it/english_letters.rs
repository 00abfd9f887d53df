//! Counts of rows of letters, against the text when it is beside the checkout.

use posterior_datasets::english_letters::{CHARACTERS, ORDER, load, write_counts};
use posterior_testkit::shared::shared_file;

#[test]
fn the_totals_are_those_of_the_text() {
    let counts = load();
    assert_eq!(counts.len(), 27_usize.pow(ORDER as u32));
    assert_eq!(counts.iter().sum::<u32>(), 673_549 - 3);
    assert_eq!(counts.iter().filter(|&&count| count > 0).count(), 17_416);
    let mut table = Vec::new();
    write_counts(&mut table).unwrap();
    let table = String::from_utf8(table).unwrap();
    assert_eq!(table.lines().count(), 17_417);
    assert!(table.contains("\n_the,10521\n"));
}

#[test]
fn every_count_is_that_of_the_text() {
    let Some(file) = shared_file("the embedded counts of letters", "data/sequence/english_lm.txt") else {
        return;
    };
    let text = std::fs::read_to_string(file).unwrap();
    let digits: Vec<usize> =
        text.trim_end_matches('\n').chars().map(|c| CHARACTERS.find(c).unwrap()).collect();
    let mut expected = vec![0; 27_usize.pow(4)];
    for row in digits.windows(4) {
        expected[row.iter().fold(0, |index, digit| index * 27 + digit)] += 1;
    }
    assert_eq!(load(), expected);
}
