//! The grammar of BIF.

use posterior_pgm::{GraphicalModel, bif};

use super::good_bif;

#[test]
fn reads_all_that_a_file_may_have() {
    let file = bif::read(good_bif().as_bytes()).unwrap();
    let variables = file.network.variables();
    assert_eq!(file.name, "two words");
    assert_eq!(variables.names().iter().collect::<Vec<_>>(), ["A", "B/C(x)", "D"]);
    let [a, b, d] = [0, 1, 2].map(posterior_pgm::VarId::new);
    assert_eq!(variables.states(a), ["a0", "a 1"]);
    assert_eq!(variables.states(b), ["<5", "5-9", ">=10"]);
    assert_eq!(file.network.cpt(a).values(), [0.25, 0.75]);
    assert_eq!(file.network.cpt(b).values(), [0.2, 0.3, 0.5, 0.0, 0.0, 1.0]);
    assert_eq!(file.network.cpt(d).scope(), [a, b, d]);
    let expected = [0.1, 0.9, 0.2, 0.8, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.0, 0.0];
    assert_eq!(file.network.cpt(d).values(), expected);
    assert_eq!(file.properties.network, ["author = me"]);
    assert_eq!(file.properties.variables[0], ["size; 10"]);
    assert_eq!(file.properties.tables[1], ["seen"]);
    assert!(file.renormalized.is_empty());
}

/// The dog problem in the definition of BIF 0.15: p(dog out | bowel problem, family out) is 0.99, 0.97, 0.9,
/// 0.3, and so on for the other state of the child.
#[test]
fn a_table_has_the_child_slowest_and_the_last_parent_fastest() {
    let text = r#"network "Dog-Problem" { }
        variable "family-out" { type discrete[2] { "true" "false" }; }
        variable "bowel-problem" { type discrete[2] { "true" "false" }; }
        variable "dog-out" { type discrete[3] { "true" "false" "door" }; }
        probability ( "dog-out" "bowel-problem" "family-out" ) {
            table 0.9 0.8 0.7 0.3   0.01 0.03 0.1 0.6   0.09 0.17 0.2 0.1;
        }
        probability ( "bowel-problem" ) { table 0.01 0.99; }
        probability ( "family-out" ) { table 0.15 0.85; }"#;
    let network = bif::read(text.as_bytes()).unwrap().network;
    let dog = network.variables().require("dog-out").unwrap();
    let rows = [[0.9, 0.01, 0.09], [0.8, 0.03, 0.17], [0.7, 0.1, 0.2], [0.3, 0.6, 0.1]];
    for (row, expected) in network.cpt(dog).values().chunks(3).zip(rows) {
        assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{row:?} {expected:?}");
    }
}

#[test]
fn rows_that_do_not_add_up_to_one_are_divided_and_reported() {
    let text =
        "variable A { type discrete [ 3 ] { a, b, c }; } probability ( A ) { table 0.3333, 0.3333, 0.3333; }";
    let file = bif::read(text.as_bytes()).unwrap();
    assert_eq!(file.renormalized.len(), 1);
    assert!((file.renormalized[0].sum - 0.9999).abs() < 1e-15);
    assert!(
        file.network
            .cpt(file.renormalized[0].variable)
            .values()
            .iter()
            .all(|p| (p - 1.0 / 3.0).abs() < 1e-15)
    );
}

#[test]
fn a_byte_order_mark_and_windows_ends_of_lines_are_passed_over() {
    let text = format!("\u{feff}{}", good_bif().replace('\n', "\r\n"));
    assert_eq!(bif::read(text.as_bytes()).unwrap(), bif::read(good_bif().as_bytes()).unwrap());
}

/// Ten variables of ten states: 10¹¹ numbers by one row.
#[test]
fn default_rows_do_not_fill_the_memory() {
    let mut text = String::new();
    for i in 0..11 {
        text.extend([format!("variable V{i} {{ type discrete [10] {{ 0 1 2 3 4 5 6 7 8 9 }}; }}\n")]);
    }
    let row = "default .1 .1 .1 .1 .1 .1 .1 .1 .1 .1;";
    text.extend([format!("probability ( V0 | V1 V2 V3 V4 V5 V6 V7 V8 V9 V10 ) {{ {row} }}")]);
    let error = bif::read(text.as_bytes()).unwrap_err();
    assert_eq!((error.line, error.column), (12, 15));
    assert!(error.message.contains("stand for more than 16777216 numbers"), "{error}");
    // Six parents are a million numbers, and fine.
    for i in 1..11 {
        text.extend([format!("probability ( V{i} ) {{ {row} }}")]);
    }
    let text = text.replace(" V6 V7 V8 V9 V10 )", " )");
    assert_eq!(bif::read(text.as_bytes()).unwrap().network.parameter_count(), 900_000 + 90);
}
