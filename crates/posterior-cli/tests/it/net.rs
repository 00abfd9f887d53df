//! `posterior net`: text, JSON fields, artefacts, exit codes.

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::program::{Place, Ran, read};

/// A student's grade: difficulty and intelligence, a letter about the grade, and a test of intelligence.
const STUDENT: &str = "network student { }
variable difficulty { type discrete [ 2 ] { easy, hard }; }
variable intelligence { type discrete [ 2 ] { low, high }; }
variable grade { type discrete [ 3 ] { A, B, C }; }
variable sat { type discrete [ 2 ] { bad, good }; }
variable letter { type discrete [ 2 ] { weak, strong }; }
probability ( difficulty ) { table 0.6, 0.4; }
probability ( intelligence ) { table 0.7, 0.3; }
probability ( grade | intelligence, difficulty ) {
  (low, easy) 0.3, 0.4, 0.3;
  (low, hard) 0.05, 0.25, 0.7;
  (high, easy) 0.9, 0.08, 0.02;
  (high, hard) 0.5, 0.3, 0.2;
}
probability ( sat | intelligence ) { (low) 0.95, 0.05; (high) 0.2, 0.8; }
probability ( letter | grade ) { (A) 0.1, 0.9; (B) 0.4, 0.6; (C) 0.99, 0.01; }
";

/// b is a, and names are odd.
const COPIES: &str = "variable \"a = b\" { type discrete [ 2 ] { \"=\", no }; }
variable \"two words\" { type discrete [ 2 ] { \"x,y\", no }; }
probability ( \"a = b\" ) { table 0.25, 0.75; }
probability ( \"two words\" | \"a = b\" ) { (\"=\") 1.0, 0.0; (no) 0.0, 1.0; }
";

pub(crate) fn place() -> Place {
    let place = Place::new();
    place.write("student.bif", STUDENT);
    place.write("copies.bif", COPIES);
    place
}

pub(crate) fn json(place: &Place, arguments: &[&str]) -> Value {
    let ran = place.succeed(&[&["net"], arguments, &["--format", "json", "--quiet"]].concat());
    assert_eq!(ran.stderr, "");
    serde_json::from_str(&ran.stdout).unwrap()
}

pub(crate) fn text(place: &Place, arguments: &[&str]) -> String {
    place.succeed(&[&["net"], arguments].concat()).stdout
}

/// Runs what must fail with exit code 1, one line of error that holds `message`, and perhaps a hint that
/// holds `hint`.
#[track_caller]
pub(crate) fn refused(place: &Place, arguments: &[&str], message: &str, hint: &str) {
    let ran: Ran = place.run(&[&["net"], arguments].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.stdout, "");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert!(lines[0].starts_with("error: ") && lines[0].contains(message), "{ran:?}");
    match &lines[1..] {
        [] => assert_eq!(hint, "", "{ran:?}"),
        [line] => assert!(line.starts_with("hint: ") && line.contains(hint), "{ran:?}"),
        _ => panic!("{ran:?}"),
    }
}

#[track_caller]
fn close(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
}

#[test]
fn answers_in_text() {
    let place = place();
    assert_snapshot!("net info", text(&place, &["info", "student.bif"]));
    assert_snapshot!("net priors", text(&place, &["query", "student.bif"]));
    let seen = &["--evidence", "letter=weak", "sat=good"];
    assert_snapshot!(
        "net target",
        text(&place, &[&["query", "student.bif", "--target", "intelligence"], &seen[..]].concat())
    );
    assert_snapshot!("net changes", text(&place, &[&["query", "student.bif"], &seen[..]].concat()));
    let joint = &["query", "student.bif", "--target", "grade", "sat", "--joint", "--soft", "letter=1:3"];
    assert_snapshot!("net joint", text(&place, joint));
    assert_snapshot!(
        "net map",
        text(&place, &["map", "student.bif", "--evidence", "letter=weak", "--best", "2"])
    );
    let dsep = &["dsep", "student.bif", "--x", "difficulty", "--y", "sat", "--given", "letter"];
    assert_snapshot!("net dsep", text(&place, dsep));
    assert_snapshot!("net moralize", text(&place, &["moralize", "student.bif"]));
    assert_snapshot!("net cliques", text(&place, &["cliques", "student.bif"]));
}

#[test]
fn posteriors_in_json() {
    let place = place();
    let priors = json(&place, &["query", "student.bif"]);
    close(&priors["marginals"]["grade"]["A"], 0.362);
    close(&priors["marginals"]["letter"]["strong"], 0.502336);
    assert_eq!(priors["ln_evidence"], 0.0);
    for engine in ["auto", "jt", "ve", "bp"] {
        let seen = &[
            "query",
            "student.bif",
            "--target",
            "intelligence",
            "--evidence",
            "grade=C",
            "--engine",
            engine,
        ];
        let answer = json(&place, seen);
        close(&answer["marginals"]["intelligence"]["high"], 0.078_947_368_421_052_63);
        assert_eq!(answer["marginals"].as_object().unwrap().len(), 1);
        assert_eq!(answer["converged"], true);
        assert_eq!(answer["evidence"], json!({"grade": "C"}));
        if engine != "bp" {
            close(&answer["ln_evidence"], 0.3496_f64.ln());
            assert_eq!(answer["exact"], true);
        }
        if engine != "auto" {
            assert_eq!(answer["engine"], engine);
        }
        assert!(answer["seconds"].as_f64().is_some() && answer["seed"] == 0);
    }
    let lower = json(&place, &["query", "student.bif", "--evidence", "grade=C", "--engine", "mean-field"]);
    assert!(lower["ln_evidence"].as_f64().unwrap() <= 0.3496_f64.ln() + 1e-9);
    assert_eq!(lower["engine"], "mean-field");
}

/// Neighbours on a square of 6 x 6 who rather agree, each with a leaning of its own.
fn square() -> String {
    let at = |row: usize, column: usize| 6 * row + column;
    let mut scopes: Vec<(usize, usize)> = Vec::new();
    for row in 0..6 {
        scopes.extend((1..6).map(|column| (at(row, column - 1), at(row, column))));
        scopes.extend((1..6).map(|other| (at(other - 1, row), at(other, row))));
    }
    let mut lines = vec!["MARKOV".to_owned(), "36".to_owned(), "2 ".repeat(36), scopes.len().to_string()];
    lines.extend(scopes.iter().map(|(a, b)| format!("2 {a} {b}")));
    lines.extend(scopes.iter().map(|(a, b)| format!("4\n{} 1 1 {}", 1 + a % 3, 1 + b % 4)));
    lines.join("\n")
}

/// Clusters that fit in little memory: the probability of what was seen lies between two bounds.
#[test]
fn a_join_graph_has_bounds() {
    let place = place();
    place.write("square.uai", square());
    let seen = ["query", "square.uai", "--evidence", "X0=1", "X35=0", "--target", "X14", "--engine"];
    let exact = json(&place, &[&seen[..], &["jt"]].concat());
    let graph = [&seen[..], &["join-graph", "--memory", "32KiB"]].concat();
    let own = json(&place, &graph);
    assert_eq!((own["engine"].as_str(), own["exact"].as_bool()), (Some("join-graph"), Some(false)));
    assert!(exact["ln_evidence_bounds"].is_null() && own["converged"] == true);
    let number = |value: &Value| value.as_f64().unwrap();
    let truth = number(&exact["ln_evidence"]);
    let bounds = [0, 1].map(|end| number(&own["ln_evidence_bounds"][end]));
    assert!(bounds[0] < truth && truth < bounds[1] && bounds[1] - bounds[0] < 10.0, "{bounds:?} {truth}");
    let [p, q] = [&exact, &own].map(|answer| number(&answer["marginals"]["X14"]["1"]));
    assert!((p - q).abs() < 0.05, "{p} {q}");
    let said = text(&place, &graph);
    assert!(said.contains("probability of this: about 1 in ") && said.contains(", between 1 in "), "{said}");
    assert!(said.contains("engine join-graph, an approximation"), "{said}");
}

#[test]
fn soft_evidence_is_a_likelihood_and_a_belief_a_posterior() {
    let place = place();
    let soft = json(&place, &["query", "student.bif", "--soft", "intelligence=high:0.8,low:0.2"]);
    // 0.3 * 0.8 / (0.3 * 0.8 + 0.7 * 0.2)
    close(&soft["marginals"]["intelligence"]["high"], 0.24 / 0.38);
    close(&soft["ln_evidence"], 0.38_f64.ln());
    let belief = json(&place, &["query", "student.bif", "--belief", "intelligence=0.2:0.8"]);
    close(&belief["marginals"]["intelligence"]["high"], 0.8);
    close(&belief["marginals"]["sat"]["good"], 0.2 * 0.05 + 0.8 * 0.8);
    let joint = json(&place, &["query", "student.bif", "--target", "intelligence", "sat", "--joint"]);
    assert_eq!(joint["joint"].as_array().unwrap().len(), 4);
    assert_eq!(joint["joint"][3]["states"], json!({"intelligence": "high", "sat": "good"}));
    close(&joint["joint"][3]["p"], 0.24);
}

#[test]
fn odd_names_and_standard_input() {
    let place = place();
    let answer = json(&place, &["query", "copies.bif", "--evidence", "two words=x,y"]);
    assert_eq!(answer["marginals"]["a = b"]["="], 1.0);
    let answer = json(&place, &["query", "copies.bif", "--evidence", "a = b==", "--target", "two words"]);
    assert_eq!(answer["marginals"]["two words"]["x,y"], 1.0);
    let mut command = place.command(&["net", "query", "-", "--format", "json"]);
    command.stdin(fs::File::open(place.path("student.bif")).unwrap());
    let ran = Ran::from(command.output().unwrap());
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    close(&answer["marginals"]["grade"]["A"], 0.362);
}

#[test]
fn most_probable_states_in_json() {
    let place = place();
    let best = json(&place, &["map", "student.bif"]);
    let states =
        json!({"difficulty": "easy", "intelligence": "low", "grade": "B", "sat": "bad", "letter": "strong"});
    // 0.6 * 0.7 * 0.4 * 0.95 * 0.6 = 0.6 * 0.7 * 0.3 * 0.95 * 0.9 is beaten by grade A or C.
    let ln_p = best["ln_probability"].as_f64().unwrap();
    let ranked = [0.3 * 0.9, 0.4 * 0.6, 0.3 * 0.99, 0.7 * 0.99 * 0.4 / 0.6];
    let most = ranked.iter().copied().fold(0.0, f64::max) * 0.6 * 0.7 * 0.95;
    assert!((ln_p - most.ln()).abs() < 1e-12, "{best}");
    assert_ne!(best["assignment"], states);
    let of = json(&place, &["map", "student.bif", "--of", "intelligence", "--evidence", "sat=good"]);
    assert_eq!(of["assignment"], json!({"intelligence": "high"}));
    close(&of["ln_probability"], 0.24_f64.ln());
    close(&of["ln_posterior"], (0.24_f64 / 0.275).ln());
}

#[test]
fn structure_in_json() {
    let place = place();
    let info = json(&place, &["info", "student.bif"]);
    assert_eq!((&info["nodes"], &info["edges"], &info["parameters"]), (&json!(5), &json!(4), &json!(15)));
    assert_eq!((&info["induced_width"], &info["largest_clique_states"]), (&json!(2), &json!(12)));
    assert_eq!(info["warnings"], json!([]));
    let apart = json(&place, &["dsep", "student.bif", "--x", "difficulty", "--y", "sat"]);
    assert_eq!((&apart["separated"], &apart["active_path"]), (&json!(true), &Value::Null));
    let open = json(&place, &["dsep", "student.bif", "--x", "difficulty", "--y", "sat", "--given", "letter"]);
    assert_eq!(open["active_path"], json!(["difficulty", "grade", "intelligence", "sat"]));
    let blanket = json(&place, &["blanket", "student.bif", "--node", "intelligence"]);
    assert_eq!(blanket["blanket"], json!(["difficulty", "grade", "sat"]));
    let moral = json(&place, &["moralize", "student.bif"]);
    assert_eq!(moral["added"], json!([["difficulty", "intelligence"]]));
    let cliques = json(&place, &["cliques", "student.bif"]);
    assert_eq!(cliques["cliques"].as_array().unwrap().len(), 3);
    assert!(text(&place, &["dot", "student.bif", "--observed", "grade"]).starts_with("digraph"));
}

#[test]
fn sampled_records_are_learned_from() {
    let place = place();
    let sample = |arguments: &[&str]| text(&place, &[&["sample", "student.bif"], arguments].concat());
    let csv = sample(&["-n", "2000", "--seed", "5"]);
    assert_eq!(csv.lines().next(), Some("difficulty,intelligence,grade,sat,letter"));
    assert_eq!(csv.lines().count(), 2001);
    assert_eq!(csv, sample(&["-n", "2000", "--seed", "5", "--threads", "2"]));
    assert_ne!(csv, sample(&["-n", "2000", "--seed", "6"]));
    place.write("data.csv", &csv);
    let learned = json(&place, &["learn", "student.bif", "data.csv", "--out", "learned"]);
    assert_eq!((&learned["method"], &learned["records"]), (&json!("maximum likelihood"), &json!(2000)));
    let hard = csv.lines().skip(1).filter(|line| line.starts_with("hard")).count() as f64 / 2000.0;
    let prior = json(&place, &["query", "learned/network.bif", "--target", "difficulty"]);
    close(&prior["marginals"]["difficulty"]["hard"], hard);
    for name in ["model.json", "network.svg", "report.html", "trace.csv"] {
        assert!(!read(place.path("learned").join(name)).is_empty(), "{name}");
    }
    let smoothed =
        json(&place, &["learn", "student.bif", "data.csv", "--pseudocount", "1", "--out", "smoothed"]);
    assert!(smoothed["ln_likelihood"].as_f64() < learned["ln_likelihood"].as_f64());
    let prior = json(&place, &["query", "smoothed/network.bif", "--target", "difficulty"]);
    close(&prior["marginals"]["difficulty"]["hard"], (hard * 2000.0 + 1.0) / 2002.0);
    assert_snapshot!("net learn", text(&place, &["learn", "student.bif", "data.csv", "--pseudocount", "1"]));
}

#[test]
fn hidden_variables_are_learned_by_em_that_goes_on_where_it_stopped() {
    let place = place();
    let csv = text(&place, &["sample", "student.bif", "-n", "300", "--hide", "intelligence"]);
    place.write("data.csv", csv.replacen("good", "NA", 5).replacen("weak", "", 5));
    let learn = |network: &str, steps: &str, out: &str| {
        let arguments =
            &["learn", network, "data.csv", "--hidden", "intelligence", "--iterations", steps, "--out", out];
        json(&place, arguments)
    };
    let whole = learn("student.bif", "8", "whole");
    let trace: Vec<f64> =
        whole["ln_likelihood_trace"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert_eq!(trace.len(), 9);
    assert!(trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9), "{trace:?}");
    close(&whole["ln_likelihood"], trace[8]);
    learn("student.bif", "5", "first");
    learn("first/network.bif", "3", "then");
    assert_eq!(read(place.path("then/network.bif")), read(place.path("whole/network.bif")));
}

#[test]
fn formats_are_converted() {
    let place = place();
    let same = json(&place, &["query", "student.bif", "--evidence", "grade=B"]);
    for names in [["a.xml", "b.bif"], ["c.xmlbif.gz", "d.bif.gz"]] {
        place.succeed(&["net", "convert", "student.bif", names[0]]);
        place.succeed(&["net", "convert", names[0], names[1]]);
        let again = json(&place, &["query", names[1], "--evidence", "grade=B"]);
        assert_eq!(again["marginals"], same["marginals"]);
    }
    let ran = place.succeed(&["net", "convert", "student.bif", "student.uai"]);
    assert!(ran.stderr.contains("names of variables and states are lost"), "{ran:?}");
    let uai = json(&place, &["query", "student.uai", "--evidence", "X2=1", "--target", "X1"]);
    close(&uai["marginals"]["X1"]["1"], same["marginals"]["intelligence"]["high"].as_f64().unwrap());
    assert_eq!(place.run(&["net", "convert", "student.bif", "student.txt"]).code, Some(2));
    assert!(
        place.succeed(&["net", "convert", "student.bif", "-", "--to", "bif"]).stdout.contains("difficulty")
    );
}

#[test]
fn uai_files_in_and_out() {
    let place = Place::new();
    place.write("ring.uai", "MARKOV\n2\n2 3\n1\n2 0 1\n6\n1 2 3 4 5 6\n");
    place.write("ring.uai.evid", "1 0 1\n");
    let run = |task: &str| place.succeed(&["net", "uai", "ring.uai", "ring.uai.evid", task]).stdout;
    let pr = run("PR");
    let log10: f64 = pr.lines().nth(1).unwrap().parse().unwrap();
    assert!(pr.starts_with("PR\n") && (log10 - 15.0_f64.log10()).abs() < 1e-12, "{pr}");
    assert!(run("MAR").starts_with("MAR\n2 2 0 1 3 0.26666"));
    assert_eq!(run("MAP"), "MPE\n2 1 2\n");
    place.succeed(&["net", "uai", "ring.uai", "ring.uai.evid", "MAR", "--out", "out"]);
    assert_eq!(String::from_utf8(read(place.path("out/ring.uai.MAR"))).unwrap(), run("MAR"));
    // Everything that matters was seen.
    place.write("all.evid", "2 0 1 1 2\n");
    let ran = place.succeed(&["net", "uai", "ring.uai", "all.evid", "PR", "--format", "json"]);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    close(&answer["log10_z"], 6.0_f64.log10());
}

#[test]
fn reports_are_one_page_and_escape_names() {
    let place = place();
    let bif = STUDENT.replace("sat", "\"<b>&\"");
    place.write("markup.bif", bif);
    let query = &["query", "markup.bif", "--target", "grade", "--evidence", "letter=weak", "--out", "out"];
    text(&place, query);
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(page.contains("<svg") && page.contains("&lt;b&gt;&amp;") && !page.contains("<b>&"));
    assert!(!page.contains("http://") || page.matches("http").count() == page.matches("www.w3.org").count());
    assert!(page.contains("posterior net query markup.bif --target grade"));
    let marginals = String::from_utf8(read(place.path("out/marginals.csv"))).unwrap();
    assert!(marginals.starts_with("variable,state,observed,p,prior\ndifficulty,easy,no,"));
    assert_eq!(marginals.lines().count(), 12);
    let model: Value = serde_json::from_slice(&read(place.path("out/model.json"))).unwrap();
    assert_eq!(model["variables"][2]["states"], json!(["A", "B", "C"]));
    assert!(String::from_utf8(read(place.path("out/network.svg"))).unwrap().starts_with("<svg"));
}

#[test]
fn wrong_names_and_impossible_evidence_are_reported() {
    let place = place();
    let query = |more: &[&'static str]| [&["query", "student.bif"], more].concat();
    refused(&place, &query(&["--target", "garde"]), "did you mean \"grade\"?", "");
    refused(&place, &query(&["--evidence", "grade=F"]), "its states are A, B, C", "");
    refused(&place, &query(&["--evidence", "grade=a"]), "did you mean \"A\"?", "");
    refused(&place, &query(&["--evidence", "grade"]), "expected VARIABLE=STATE", "");
    refused(&place, &query(&["--evidence", "grade=A", "grade=B"]), "given twice", "");
    refused(&place, &query(&["--soft", "grade=1:2"]), "expected 3 numbers, of A, B, C; found 2", "");
    refused(&place, &query(&["--soft", "grade=0:0:0"]), "all likelihoods are 0", "");
    refused(&place, &query(&["--soft", "grade=1:NaN:0"]), "not finite", "");
    refused(&place, &query(&["--belief", "grade=1:1:1"]), "add up to 1", "");
    let both = &["query", "copies.bif", "--evidence", "a = b==", "two words=no"];
    refused(&place, both, "the evidence is impossible", "a = b = =, two words = no");
    refused(&place, &query(&["--memory", "16B"]), "this query needs", "--engine join-graph");
    refused(&place, &["dsep", "student.bif", "--x", "grade", "--y", "grade"], "grade", "");
}

#[test]
fn bad_files_are_reported() {
    let place = place();
    place.write("empty.bif", "");
    place.write("binary.bif", [0_u8, 255, 254, 1, 2, 3]);
    place.write("cut.bif", &STUDENT[..600]);
    place.write("nan.bif", STUDENT.replace("0.6, 0.4", "NaN, 0.4"));
    place.write("cut.bif.gz", [0x1f, 0x8b, 8, 0, 0]);
    for name in ["empty.bif", "cut.bif", "nan.bif"] {
        refused(&place, &["query", name], &format!("{name}: line "), "");
    }
    refused(&place, &["query", "binary.bif"], "binary.bif: line 1", "text");
    refused(&place, &["query", "cut.bif.gz"], "gzip", "");
    refused(&place, &["query", "."], ".: ", "");
    refused(&place, &["query", "missing.bif"], "missing.bif: ", "");
    place.write("data.csv", "difficulty,intelligence,grade,sat\neasy,low,A,bad\n");
    refused(
        &place,
        &["learn", "student.bif", "data.csv"],
        "no column is called \"letter\"",
        "--hidden letter",
    );
    place.write(
        "data.csv",
        "difficulty,intelligence,grade,sat,letter\neasy,low,A,bad,weak\neasy,low,E,bad,weak\n",
    );
    refused(
        &place,
        &["learn", "student.bif", "data.csv"],
        "data.csv: line 3: \"grade\" has no state \"E\"",
        "",
    );
    place.write("data.csv", "difficulty,intelligence,grade,sat,letter\neasy,low\n");
    refused(&place, &["learn", "student.bif", "data.csv"], "line 2: 2 fields, expected 5", "");
    place.write("data.csv", "difficulty,intelligence,grade,sat,letter\n");
    refused(&place, &["learn", "student.bif", "data.csv"], "data.csv: no rows", "");
    place.write("ring.uai", "MARKOV\n2\n2 3\n1\n2 0 1\n6\n1 2 3 4 5 6\n");
    refused(&place, &["sample", "ring.uai", "-n", "3"], "Markov random field", "");
    refused(&place, &["convert", "ring.uai", "ring.bif"], "Markov random field", ".uai");
}

#[test]
fn wrong_usage_is_two() {
    let place = place();
    for arguments in [
        &["net"][..],
        &["net", "query"],
        &["net", "query", "student.bif", "--engine", "magic"],
        &["net", "query", "student.bif", "--joint"],
        &["net", "query", "student.bif", "--memory", "lots"],
        &["net", "query", "student.bif", "--target", "sat", "--joint", "--engine", "mean-field"],
        &["net", "map", "student.bif", "--best", "0"],
        &["net", "learn", "student.bif", "data.csv", "--pseudocount", "-1"],
        &["net", "uai", "a.uai", "a.evid", "SUM"],
    ] {
        assert_eq!(place.run(arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn threads_change_nothing() {
    let place = place();
    for verb in [&["query", "student.bif", "--evidence", "grade=B"][..], &["map", "student.bif"]] {
        let run = |threads| text(&place, &[verb, &["--threads", threads]].concat());
        assert_eq!(run("1"), run("2"));
    }
}
