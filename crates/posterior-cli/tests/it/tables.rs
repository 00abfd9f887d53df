//! Tables as people have them: marks of missing values, stray cells, dates, separators, and sizes that are
//! too much.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::program::{Place, Ran};

/// What marks a missing value wherever it stands, and in columns of numbers only.
const MARKS: [&str; 12] = ["NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "?", "#N/A", ".", "-"];

/// Verbs that take missing values in columns of numbers, or leave their rows out.
const TOLERANT: [&[&str]; 10] = [
    &["cluster", "fit", "t.csv", "--x", "x,y", "--k", "2", "--restarts", "1"],
    &["cluster", "fit", "t.csv", "--k", "2", "--restarts", "1"],
    &["pca", "fit", "t.csv", "--method", "ppca", "--k", "1"],
    &["hmm", "fit", "t.csv", "--restarts", "1"],
    &["series", "smooth", "t.csv", "--time", "t", "--y", "x", "--params", "level=1,noise=1"],
    &["classify", "fit", "t.csv", "--label", "class", "--method", "gaussian-nb"],
    &["regress", "fit", "t.csv", "--y", "y", "--x", "x"],
    &["gp", "fit", "t.csv", "--x", "x", "--y", "y", "--kernel", "rbf(1)"],
    &["cluster", "fit", "t.csv", "--x", "x,y", "--k", "2", "--method", "kmeans", "--restarts", "1"],
    &["pca", "fit", "t.csv", "--x", "x,y", "--k", "1"],
];

/// Verbs that want all of them.
const STRICT: [&[&str]; 5] = [
    &["regress", "fit", "t.csv", "--y", "y", "--x", "x", "--na", "error"],
    &["gp", "fit", "t.csv", "--x", "x", "--y", "y", "--kernel", "rbf(1)", "--na", "error"],
    &["cluster", "fit", "t.csv", "--x", "x,y", "--k", "2", "--na", "error"],
    &["pca", "fit", "t.csv", "--x", "x,y", "--method", "ppca", "--k", "1", "--na", "error"],
    &["bandit", "advise", "t.csv", "--arm", "class", "--reward", "x", "--bounds=-9:99"],
];

/// Rows of numbers, a word and a class; `cell` stands in line 12, column x.
fn table(cell: &str) -> String {
    let mut text = "t,x,y,word,class\n".to_owned();
    for i in 0..30_u32 {
        let x = f64::from(i * 7 % 11) + f64::from(i) / 8.0;
        let x = if i == 10 { cell.to_owned() } else { x.to_string() };
        let y = f64::from(i * 5 % 13) / 3.0;
        let (word, class) = (["red", "blue", "green"][i as usize % 3], ["a", "b"][i as usize % 2]);
        writeln!(text, "{i},{x},{y},{word},{class}").unwrap();
    }
    text
}

fn with(cell: &str) -> Place {
    let place = Place::new();
    place.write("t.csv", table(cell));
    place
}

/// The answer, but for how long it took.
fn json(place: &Place, arguments: &[&str]) -> Value {
    let ran = place.succeed(&[arguments, &["--format", "json", "--quiet"]].concat());
    let mut answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    answer.as_object_mut().unwrap().remove("seconds");
    answer
}

pub(crate) fn refused(ran: &Ran, message: &str, hint: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
    let mut lines = ran.stderr.lines();
    assert!(
        lines.next().is_some_and(|line| line.starts_with("error: ") && line.contains(message)),
        "{message} {ran:?}"
    );
    if !hint.is_empty() {
        assert!(
            lines.next().is_some_and(|line| line.starts_with("hint: ") && line.contains(hint)),
            "{hint} {ran:?}"
        );
    }
}

#[test]
fn every_mark_of_a_missing_value_is_one() {
    for arguments in TOLERANT {
        let expected = json(&with(""), arguments);
        for mark in MARKS {
            assert_eq!(json(&with(mark), arguments), expected, "{mark} {arguments:?}");
        }
    }
    for arguments in STRICT {
        for mark in MARKS {
            let ran = with(mark).run(arguments);
            let found = format!(
                "t.csv: line 12, column x: expected a number, found {mark:?}; 1 of 30 cells are missing, in line 12"
            );
            refused(&ran, &found, "leave these rows out");
        }
    }
}

#[test]
fn other_marks_are_named_and_then_the_known_ones_are_none() {
    for arguments in TOLERANT {
        let expected = json(&with(""), arguments);
        let more = [arguments, &["--missing", "-999,x"]].concat();
        assert_eq!(json(&with("-999"), &more), expected, "{arguments:?}");
        refused(&with("NA").run(&more), "line 12, column x: expected a number", "--missing \"NA\",NA");
    }
}

#[test]
fn a_stray_cell_in_a_column_of_numbers_is_an_error() {
    for (cell, expected, hint) in [
        ("3+", "a number", "if \"3+\" marks a missing value"),
        ("oops", "a number", "if \"oops\" marks"),
        ("1e999", "a number of at most 1e150 in size", "larger units"),
        ("1e308", "a number of at most 1e150 in size", "larger units"),
        ("-inf", "a number of at most 1e150 in size", ""),
        ("\"1,000\"", "a number without commas", "1000.5"),
        ("1973-07-25", "a number", ""),
    ] {
        for arguments in TOLERANT.iter().chain(&STRICT) {
            let found = cell.trim_matches('"');
            let ran = with(cell).run(arguments);
            refused(&ran, &format!("t.csv: line 12, column x: expected {expected}"), hint);
            assert!(ran.stderr.contains(&format!("found {found:?}")), "{ran:?}");
        }
    }
}

#[test]
fn a_column_is_one_of_categories_when_it_is_named() {
    let place = with("3+");
    let arguments = ["regress", "fit", "t.csv", "--y", "y", "--x", "x,word"];
    refused(
        &place.run(&arguments),
        "column x: expected a number, as in most rows",
        "say --categorical x; --x leaves it out",
    );
    let answer = json(&place, &[&arguments[..], &["--categorical", "x"]].concat());
    let names: Vec<&str> =
        answer["coefficients"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"x=3+") && names.contains(&"word=red") && !names.contains(&"x"), "{names:?}");
    let ran = place.run(&[&arguments[..], &["--categorical", "class"]].concat());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    // Columns of numbers, too; and truth values are categories by themselves.
    place.write("b.csv", "x,b,y\n1,TRUE,1\n2,FALSE,2\n1,TRUE,4\n2,FALSE,3\n");
    let answer = json(&place, &["regress", "fit", "b.csv", "--categorical", "x"]);
    assert_eq!(answer["coefficients"][1]["name"], "x=2");
    assert_eq!(answer["coefficients"][2]["name"], "b=TRUE");
    let classify = ["classify", "fit", "t.csv", "--label", "class", "--method", "gaussian-nb"];
    refused(&place.run(&classify), "column x: expected a number", "--categorical x");
    place.succeed(&[&classify[..], &["--categorical", "x"]].concat());
}

#[test]
fn dates_and_names_of_rows_are_not_made_into_columns() {
    let place = Place::new();
    let rows = |cell: &dyn Fn(u32) -> String| {
        let row = |i| format!("{},{},{}\n", cell(i), i % 7, i * 3 % 11);
        "d,x,y\n".to_owned() + &(0..40).map(row).collect::<String>()
    };
    place.write("date.csv", rows(&|i| format!("1973-{:02}-{:02}", 1 + i / 28, 1 + i % 28)));
    refused(
        &place.run(&["regress", "fit", "date.csv"]),
        "date.csv: line 2, column d: expected numbers or categories, not dates, found \"1973-01-01\"",
        "--categorical d",
    );
    place.write("name.csv", rows(&|i| format!("car {i}")));
    let ran = place.succeed(&["regress", "fit", "name.csv"]);
    assert!(ran.stdout.contains("left out, as they name rows: d"), "{ran:?}");
    let message = "column d: expected numbers or categories, found 40 different words in 40 rows";
    refused(
        &place.run(&["regress", "fit", "name.csv", "--x", "d,x"]),
        message,
        "--x names those that explain",
    );
    place.succeed(&["regress", "fit", "name.csv", "--categorical", "d"]);
    place.succeed(&["regress", "fit", "name.csv", "--x", "x"]);
    place.write("price.csv", rows(&|i| format!("\"{},{:03}\"", 1 + i, i)));
    refused(
        &place.run(&["regress", "fit", "price.csv"]),
        "line 2, column d: expected a number without commas",
        "1000.5",
    );
}

#[test]
fn columns_that_are_left_out_are_named() {
    let place = with("1");
    for arguments in [&["cluster", "fit", "t.csv"][..], &["pca", "fit", "t.csv"], &["hmm", "fit", "t.csv"]] {
        let ran = place.succeed(arguments);
        assert!(ran.stderr.contains("note: left out, as they are not numbers: word, class\n"), "{ran:?}");
        let warnings = json(&place, arguments)["warnings"].to_string();
        assert!(warnings.contains("word, class"), "{warnings}");
    }
}

#[test]
fn marks_are_labels_where_they_can_be() {
    let place = Place::new();
    let rows: Vec<String> = (0..20).map(|i| format!("{},{i}", ["+", "-"][i % 2])).collect();
    place.write("signs.csv", format!("class,x\n{}\n", rows.join("\n")));
    let answer = json(&place, &["regress", "fit", "signs.csv", "--y", "class", "--family", "bernoulli"]);
    assert_eq!(answer["classes"], serde_json::json!(["+", "-"]));
    let rows: Vec<&str> = (0..40).map(|i| ["a", "b", "?"][i * i % 3]).collect();
    place.write("symbols.csv", format!("s\n{}\n", rows.join("\n")));
    let ran = place.succeed(&["hmm", "fit", "symbols.csv", "--emission", "categorical", "--restarts", "1"]);
    assert!(!ran.stderr.contains("\"?\""), "{ran:?}");
    place.write("symbols.csv", format!("s\n{}\n?\n", rows.join("\n")));
    let ran = place.succeed(&["hmm", "fit", "symbols.csv", "--emission", "categorical", "--restarts", "1"]);
    assert!(ran.stderr.contains("column s: taken as missing: 1 cell with \"?\"; --missing"), "{ran:?}");
}

#[test]
fn separators_are_reported_from_the_header() {
    let place = with("1");
    let comma = table("1");
    for (name, separator) in [("t.csv", ';'), ("t.csv", '\t'), ("t.csv", '|'), ("t.tsv", '\t')] {
        place.write(name, comma.replace(',', &separator.to_string()));
        assert_eq!(
            json(&place, &["regress", "fit", name, "--x", "t,x,y", "--y", "class", "--family", "bernoulli"])
                ["rows"],
            30
        );
        for verb in ["cluster", "pca", "hmm"] {
            assert_eq!(json(&place, &[verb, "fit", name])["columns"], serde_json::json!(["t", "x", "y"]));
        }
        json(&place, &["series", "smooth", name, "--y", "x", "--params", "level=1,noise=1"]);
        json(&place, &["gp", "fit", name, "--y", "x", "--kernel", "rbf(1)"]);
        json(&place, &["bandit", "advise", name, "--arm", "class", "--reward", "x", "--bounds", "0:99"]);
        json(&place, &["classify", "fit", name, "--label", "class", "--method", "gaussian-nb"]);
    }
    place.write("t.csv", comma.replace(',', ":"));
    assert_eq!(json(&place, &["cluster", "fit", "t.csv", "--delimiter", ":"])["rows"], 30);
    assert_eq!(place.run(&["cluster", "fit", "t.csv", "--delimiter", "::"]).code, Some(2));
    place.write("euro.csv", "x;y\n1,5;2\n2,5;3,25\n3;4\n");
    let message = "euro.csv: line 2, column x: expected a number without commas, found \"1,5\"";
    refused(&place.run(&["regress", "fit", "euro.csv"]), message, "a decimal point");
}

#[test]
fn what_is_no_table_says_where() {
    let place = Place::new();
    let fit = |text: &str| {
        place.write("t.csv", text);
        place.run(&["regress", "fit", "t.csv", "--y", "y"])
    };
    let quote = "t.csv: line 3: a quote is opened here and never closed";
    refused(&fit("x,y\n1,2\n\"3,4\n5,6\n7,8\n"), quote, "close it");
    refused(&fit("x,y\r\n1,2\r\n\"3,4\r\n5,6\r\n"), quote, "");
    refused(&fit("x,y\n1,2\n5\n"), "t.csv: line 3: 1 field, expected 2 as in the header", "");
    // Lines are those of the file, whatever ends them, and after lines without a row and cells of several
    // lines.
    refused(
        &fit("x,y\r\n1,2\r\nz,3\r\n4,5\r\n6,7\r\n"),
        "line 3, column x: expected a number, as in most rows",
        "",
    );
    refused(&fit("x,y\r1,2\rz,3\r4,5\r6,7\r"), "line 3, column x", "");
    refused(&fit("\n\nx,y\n\n1,2\n\n\nz,3\n4,5\n6,7\n"), "line 8, column x", "");
    refused(&fit("x,y,w\n1,2,\"a\nb\"\n3,1,a\nz,3,\"a\nb\"\n4,5,a\n6,7,a\n"), "line 5, column x", "");
    place.write("new.csv", "x\r\nblue\r\n");
    place.write("words.csv", "x,y\nred,1\ngreen,2\nred,3\ngreen,4\n");
    let ran = place.run(&["regress", "fit", "words.csv", "--predict", "new.csv"]);
    refused(&ran, "new.csv: line 2, column x: the data have no \"blue\"", "there are: green, red");
    // A byte-order mark is no part of the first name.
    place.write("t.csv", "\u{feff}\"x\",y\n1,2\n2,3\n4,4\n");
    place.succeed(&["regress", "fit", "t.csv", "--x", "x"]);
    let twice = fit("x,x,y\n1,2,3\n4,5,6\n");
    refused(&twice, "t.csv: line 1: several columns are called \"x\"", "");
}

#[test]
fn a_model_names_the_line_of_what_it_cannot_explain() {
    let place = Place::new();
    place.write("s.csv", format!("s\n{}", "a\nb\n".repeat(10)));
    place.succeed(&["hmm", "fit", "s.csv", "--emission", "categorical", "--out", "out", "--states", "1"]);
    place.write("new.csv", "s\r\na\r\nc\r\n");
    refused(
        &place.run(&["hmm", "score", "out", "new.csv"]),
        "new.csv: line 3, column s: expected a symbol",
        "",
    );
}

/// Half a million rows in a few kilobytes.
fn bomb(place: &Place) -> &'static str {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut packed, b"x,y,class\n").unwrap();
    let rows = "1,2,a\n2,1,b\n3,7,a\n5,0,b\n".repeat(1000);
    for _ in 0..125 {
        std::io::Write::write_all(&mut packed, rows.as_bytes()).unwrap();
    }
    let bytes = packed.finish().unwrap();
    assert!(bytes.len() < 20_000, "{}", bytes.len());
    place.write("bomb.csv.gz", bytes);
    "bomb.csv.gz"
}

#[test]
fn more_than_the_memory_that_is_allowed_is_refused_while_it_is_read() {
    let place = Place::new();
    let bomb = bomb(&place);
    place.write("net.bif", NETWORK);
    for arguments in [
        &["regress", "fit", bomb, "--y", "y"][..],
        &["cluster", "fit", bomb],
        &["pca", "fit", bomb],
        &["hmm", "fit", bomb],
        &["gp", "fit", bomb, "--y", "y", "--kernel", "rbf(1)"],
        &["series", "smooth", bomb, "--y", "y"],
        &["classify", "fit", bomb, "--label", "class", "--method", "gaussian-nb"],
        &["classify", "fit", bomb, "--label", "class", "--text", "x"],
        &["bandit", "advise", bomb, "--arm", "class", "--reward", "x", "--bounds", "0:9"],
        &["net", "learn", "net.bif", bomb],
    ] {
        let ran = place.run(&[arguments, &["--memory", "2MB"]].concat());
        refused(&ran, "bomb.csv.gz: the first ", "take fewer rows or columns, or allow more: --memory ");
        let message = ran.stderr.lines().next().unwrap();
        assert!(
            message.contains(" rows take about ") && message.ends_with("1.9 MiB may be taken"),
            "{message}"
        );
    }
    place.write("draws.csv", format!("chain,mu\n{}", "1,2\n1,3\n".repeat(100_000)));
    let ran = place.run(&["mcmc", "diagnose", "draws.csv", "--memory", "2MB"]);
    refused(&ran, "draws.csv: the draws take more memory than the 1.9 MiB that may be taken", "--memory");
    // What the header decides is decided by the header: nothing is read that would take memory.
    for arguments in [
        &["regress", "fit", bomb, "--y", "z"][..],
        &["cluster", "fit", bomb, "--x", "z"],
        &["hmm", "fit", bomb, "--y", "z"],
        &["gp", "fit", bomb, "--x", "z", "--kernel", "rbf(1)"],
        &["series", "smooth", bomb, "--y", "z"],
        &["classify", "fit", bomb, "--label", "z"],
        &["classify", "fit", bomb, "--label", "class", "--text", "z"],
        &["bandit", "advise", bomb, "--reward", "z"],
    ] {
        refused(
            &place.run(&[arguments, &["--memory", "1kB"]].concat()),
            "line 1: no column is called \"z\"",
            "there are: x, y, class",
        );
    }
}

const NETWORK: &str = "network n {}\nvariable class { type discrete [ 2 ] { a, b }; }\nprobability ( class ) { table 0.5, 0.5; }\n";

#[test]
fn work_that_takes_too_much_is_refused_before_it_begins() {
    let place = Place::new();
    let header: Vec<String> = (0..2000).map(|i| format!("c{i}")).collect();
    let row =
        |r: u32| (0..2000_u32).map(|i| (i * 7 % 11 + r * (i % 3)).to_string()).collect::<Vec<_>>().join(",");
    place.write("wide.csv", format!("{}\n{}\n{}\n{}\n", header.join(","), row(1), row(2), row(3)));
    let run = |words: &str| {
        let (verb, more) = words.split_once(' ').unwrap_or((words, ""));
        let more: Vec<&str> = more.split_whitespace().collect();
        place.run(&[&[verb, "fit", "wide.csv", "--memory", "20MB"], &more[..]].concat())
    };
    for (verb, words) in [
        ("regress --family softmax", "a fit of 1,999 features to 3 rows takes about"),
        ("cluster", "a mixture of 3 of 2,000 columns takes about"),
        ("hmm", "a model of 2 states and vectors of 2,000 columns takes about"),
    ] {
        let ran = run(verb);
        refused(&ran, words, "`posterior pca fit`), or allow more: --memory ");
    }
    // These take no square of the columns.
    place.succeed(&["regress", "fit", "wide.csv", "--memory", "20MB", "--family", "poisson"]);
    place.succeed(&["pca", "fit", "wide.csv", "--memory", "20MB"]);
    place.succeed(&["cluster", "fit", "wide.csv", "--memory", "20MB", "--method", "kmeans", "--k", "2"]);
    assert_eq!(place.run(&["pca", "fit", "wide.csv", "--memory", "much"]).code, Some(2));
}

/// Where a name was looked for among all names, this took as many steps as the square of the columns: hours.
#[test]
fn very_many_columns_take_as_many_steps() {
    let place = Place::new();
    let columns = 200_000;
    let header: Vec<String> = (0..columns).map(|i| format!("c{i}")).collect();
    let row = |r: usize| (0..columns).map(|i| (i % (r + 2)).to_string()).collect::<Vec<_>>().join(",");
    place.write("wide.csv", format!("{}\n{}\n{}\n{}\n", header.join(","), row(0), row(1), row(2)));
    place.succeed(&["cluster", "fit", "wide.csv", "--method", "kmeans", "--k", "2", "--restarts", "1"]);
    refused(
        &place.run(&["cluster", "fit", "wide.csv"]),
        "a mixture of 3 of 200,000 columns takes about",
        "--method kmeans",
    );
    refused(
        &place.run(&["hmm", "fit", "wide.csv"]),
        "of 200,000 columns takes about",
        "fewer columns with --y",
    );
    refused(
        &place.run(&["regress", "fit", "wide.csv"]),
        "wide.csv: 199,999 columns that explain: expected at most 100,000",
        "fewer columns",
    );
}

#[test]
fn columns_and_tables_that_say_nothing_are_named() {
    let place = Place::new();
    place.write("const.csv", "a,b\n1,3\n2,3\n4,3\n5,3\n7,3\n");
    let message = "const.csv: expected columns that change, found b";
    for method in ["gmm", "vb-gmm", "dp"] {
        refused(&place.run(&["cluster", "fit", "const.csv", "--method", method]), message, "--x names");
    }
    refused(&place.run(&["pca", "fit", "const.csv", "--method", "factor", "--k", "1"]), message, "--x names");
    for arguments in [
        &["cluster", "fit", "const.csv", "--method", "kmeans", "--k", "1"][..],
        &["pca", "fit", "const.csv"],
        &["gp", "fit", "const.csv", "--kernel", "rbf(1)", "--noise", "1"],
        &["series", "smooth", "const.csv", "--params", "level=1,noise=1"],
        &["hmm", "fit", "const.csv", "--y", "b"],
    ] {
        let ran = place.succeed(arguments);
        let note = "note: column b never changes: nothing is learned from it\n";
        assert!(ran.stderr.contains(note), "{arguments:?} {ran:?}");
    }
    place.write("one.csv", "a,b\n1,3\n");
    refused(&place.run(&["cluster", "fit", "one.csv"]), "one.csv: one row: expected two or more", "");
    let ran = place.succeed(&["series", "smooth", "one.csv", "--params", "level=1,noise=1"]);
    assert!(ran.stderr.contains("column b never changes"), "{ran:?}");
}

/// Whoever reads the output may have enough: that is no error.
#[test]
fn a_closed_pipe_is_no_error() {
    let place = Place::new();
    place.write("net.bif", NETWORK);
    place.write("s.csv", format!("s\n{}", "a\nb\n".repeat(10)));
    place.succeed(&["hmm", "fit", "s.csv", "--emission", "categorical", "--out", "out", "--quiet"]);
    for arguments in [
        &["net", "sample", "net.bif", "-n", "200000"][..],
        &["net", "sample", "net.bif", "-n", "200000", "--format", "json"],
        &["hmm", "sample", "out", "-n", "200000"],
        &["dist", "show", "normal(0, 1)", "--sample", "200000"],
        &["dist", "list"],
        &["data", "list"],
        &["regress", "fit", "--format", "json"],
    ] {
        let mut child =
            place.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn every_verb_may_be_quiet() {
    let place = Place::new();
    for arguments in [&["dist", "list"][..], &["data", "list"], &["data", "export", "nile"]] {
        place.succeed(&[arguments, &["--quiet"]].concat());
    }
}
