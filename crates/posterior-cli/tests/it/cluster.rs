//! `posterior cluster`: golden numbers through the command line, every method, and wrong input.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;

use crate::program::Place;

const SEVEN: &str = "x,kind\n-2,low\n-1.5,low\n-1,low\n1,high\n1.5,high\n2,high\n2.5,high\n";

fn place(name: &str, text: &str) -> Place {
    let place = Place::new();
    place.write(name, text);
    place
}

fn json(place: &Place, arguments: &[&str]) -> Value {
    let all: Vec<&str> = [&["cluster", "fit"], arguments, &["--format", "json", "--quiet"]].concat();
    serde_json::from_str(&place.succeed(&all).stdout).unwrap()
}

fn close(value: &Value, expected: f64, tolerance: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < tolerance, "{value} {expected}");
}

#[test]
fn seven_points_have_their_golden_numbers() {
    let place = place("seven.csv", SEVEN);
    let output =
        json(&place, &["seven.csv", "--x", "x", "--method", "kmeans", "--k", "2", "--label", "kind"]);
    close(&output["inertia"], 1.75, 1e-14);
    close(&output["agreement"]["adjusted_rand"], 1.0, 1e-15);
    let output = json(&place, &["seven.csv", "--x", "x", "--method", "gmm", "--k", "2"]);
    close(&output["ln_likelihood"], -9.698974113636174, 1e-6);
    let trace = output["trace"].as_array().unwrap();
    assert!(trace.windows(2).all(|pair| pair[1].as_f64() >= pair[0].as_f64().map(|value| value - 1e-12)));
    assert_eq!(output["assignments"].as_array().unwrap().len(), 7);
}

#[test]
fn every_method_tells_the_two_kinds_of_eruptions_apart() {
    let place = Place::new();
    for method in ["kmeans", "gmm", "map-gmm", "vb-gmm", "gibbs-gmm", "dp"] {
        let count: &[&str] = if method == "dp" { &[] } else { &["--k", "2"] };
        let output = json(&place, &[&["--method", method, "--iterations", "300", "--scale"], count].concat());
        let groups: Vec<u64> =
            output["assignments"].as_array().unwrap().iter().map(|own| own.as_u64().unwrap()).collect();
        // The first eruption is a long one, the second a short one.
        assert_eq!(groups.len(), 272, "{method}");
        assert_ne!(groups[0], groups[1], "{method}");
        assert_eq!(groups[0], groups[2], "{method}");
        assert!(output["warnings"].is_array());
    }
}

#[test]
fn a_range_takes_the_best_and_says_how_good_the_others_are() {
    let output = json(&Place::new(), &["--k", "1:4", "--method", "gmm", "--covariance", "tied"]);
    assert_eq!(output["selection"].as_array().unwrap().len(), 4);
    let best = output["k"].as_u64().unwrap();
    let scores: Vec<f64> =
        output["selection"].as_array().unwrap().iter().map(|own| own["score"].as_f64().unwrap()).collect();
    assert!(scores.iter().all(|&score| score <= scores[best as usize - 1]));
}

#[test]
fn units_change_nothing_but_the_units() {
    let scaled = "x,y\n".to_owned() + &OLD.map(|(x, y)| format!("{x},{y}\n")).concat();
    let place = place("a.csv", &scaled);
    place.write("b.csv", "x,y\n".to_owned() + &OLD.map(|(x, y)| format!("{},{y}\n", x * 1000.0)).concat());
    let [a, b] =
        ["a.csv", "b.csv"].map(|name| json(&place, &[name, "--k", "2", "--scale", "--covariance", "diag"]));
    close(&b["means"][0][0], 1000.0 * a["means"][0][0].as_f64().unwrap(), 1e-6);
    let shift = OLD.len() as f64 * 1000_f64.ln();
    close(&b["ln_likelihood"], a["ln_likelihood"].as_f64().unwrap() - shift, 1e-6);
}

const OLD: [(f64, f64); 10] = [
    (3.6, 79.0),
    (1.8, 54.0),
    (3.333, 74.0),
    (2.283, 62.0),
    (4.533, 85.0),
    (2.883, 55.0),
    (4.7, 88.0),
    (3.6, 85.0),
    (1.95, 51.0),
    (4.35, 85.0),
];

#[test]
fn rows_with_gaps_are_averaged_over_or_left_out() {
    let place = place("gaps.csv", "x,y\n1,2\n,3\n1.5,2.5\n8,9\n8.5,\n9,9.5\n");
    let output = json(&place, &["gaps.csv", "--k", "2", "--covariance", "diag"]);
    assert_eq!(output["rows"], 6);
    assert!(output.get("row_numbers").is_none());
    let output = json(&place, &["gaps.csv", "--k", "2", "--covariance", "spherical", "--na", "drop"]);
    assert_eq!((&output["rows"], &output["row_numbers"]), (&4.into(), &serde_json::json!([1, 3, 4, 6])));
    for method in ["kmeans", "gibbs-gmm"] {
        let fit = ["cluster", "fit", "gaps.csv", "--k", "2", "--method", method];
        let ran = place.succeed(&[&fit[..], &["--out", "out"]].concat());
        assert!(
            ran.stderr.contains("left out, as cells are missing: 2 of 6 rows (x in 1, y in 1)"),
            "{ran:?}"
        );
        let table = std::fs::read_to_string(place.path("out/assignments.csv")).unwrap();
        let numbers: Vec<&str> = table.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
        assert_eq!(numbers, ["1", "3", "4", "6"]);
        let ran = place.run(&[&fit[..], &["--na", "integrate"]].concat());
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("missing") && ran.stderr.contains("hint: --method gmm"), "{ran:?}");
    }
}

#[test]
fn results_are_the_same_for_any_number_of_threads() {
    let place = Place::new();
    for method in ["kmeans", "gmm", "dp"] {
        let count: &[&str] = if method == "dp" { &[] } else { &["--k", "3"] };
        let output = ["1", "2"].map(|threads| {
            let mut output = json(
                &place,
                &[&["--method", method, "--iterations", "60", "--threads", threads], count].concat(),
            );
            output["seconds"] = Value::Null;
            output
        });
        assert_eq!(output[0], output[1], "{method}");
    }
}

#[test]
fn a_report_and_its_files_are_written() {
    let place = place("seven.csv", SEVEN);
    place.succeed(&["cluster", "fit", "--k", "1:3", "--out", "out", "--quiet"]);
    for name in [
        "report.html",
        "groups.svg",
        "trace.svg",
        "selection.svg",
        "assignments.csv",
        "groups.csv",
        "model.json",
    ] {
        assert!(place.path("out").join(name).is_file(), "{name}");
    }
    let page = std::fs::read_to_string(place.path("out").join("report.html")).unwrap();
    assert!(page.contains("groups in 272 rows") && page.contains("To reproduce"), "{page}");
}

#[test]
fn wrong_input_is_named() {
    let place = place("seven.csv", SEVEN);
    place.write("words.csv", "a,b\nx,y\nz,w\n");
    for (arguments, code, words) in [
        (&["words.csv"][..], 1, "no column of numbers"),
        (&["seven.csv", "--x", "z"], 1, "no column is called \"z\""),
        (&["seven.csv", "--x", "kind"], 1, "line 2, column kind: expected a number"),
        (&["seven.csv", "--k", "9", "--method", "kmeans"], 1, "7 distinct observations: 9 are needed"),
        (&["seven.csv", "--k", "0"], 2, "1 to 1000"),
        (&["--method", "dp", "--k", "3"], 2, "--k: --method dp has no use for it"),
        (&["--label", "kind"], 2, "runs with DATA"),
        (&["--method", "dp", "--covariance", "diag"], 2, "--covariance: --method dp has no use for it"),
    ] {
        let ran = place.run(&[&["cluster", "fit"], arguments].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?} {ran:?}");
        assert!(ran.stderr.contains(words), "{arguments:?} {ran:?}");
    }
}

/// Whether what is not known of the parameters is in the probabilities is said in JSON, text and page.
#[test]
fn parameters_taken_as_known_are_said_to_be() {
    let place = Place::new();
    for (method, known) in [("gmm", true), ("map-gmm", true), ("vb-gmm", true), ("gibbs-gmm", false)] {
        let output = json(&place, &["--method", method, "--k", "2", "--iterations", "60"]);
        assert_eq!(output["parameters_known"], known, "{method}");
        let more = ["--method", method, "--k", "2", "--iterations", "60", "--out", "out"];
        let text = place.succeed(&[&["cluster", "fit"], &more[..]].concat()).stdout;
        assert_eq!(text.contains("Parameters are taken as known"), known, "{text}");
        let page = std::fs::read_to_string(place.path("out").join("report.html")).unwrap();
        assert_eq!(page.contains("Parameters are taken as known"), known, "{method}");
    }
    assert!(json(&place, &["--method", "kmeans"])["parameters_known"].is_null());
}
