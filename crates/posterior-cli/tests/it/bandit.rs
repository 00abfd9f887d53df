//! `posterior bandit`: figures of the examples, files, and what is wrong with histories.

use serde_json::Value;

use crate::program::{Place, Ran, read};

/// Six of ten, three of six, one of four.
fn plays() -> String {
    let mut rows = vec!["arm,reward".to_owned()];
    for (arm, plays, successes) in [("A", 10, 6), ("B", 6, 3), ("C", 4, 1)] {
        for play in 0..plays {
            rows.push(format!("{arm},{}", u8::from(play < successes)));
        }
    }
    rows.join("\n") + "\n"
}

fn advise(table: &str, more: &[&str]) -> Ran {
    let place = Place::new();
    place.write("plays.csv", table);
    place.run(&[&["bandit", "advise", "plays.csv"], more].concat())
}

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

fn numbers(output: &Value, field: &str) -> Vec<f64> {
    output["arms"].as_array().unwrap().iter().map(|arm| arm[field].as_f64().unwrap()).collect()
}

#[track_caller]
fn refused(ran: &Ran, code: i32, message: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{ran:?}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn the_indices_are_those_of_the_example() {
    let output = json(&advise(&plays(), &["--policy", "ucb1", "--format", "json"]));
    let expected = [1.374045512041, 1.499288459114, 1.473873415340];
    for (found, expected) in numbers(&output, "index").into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12);
    }
    assert_eq!((&output["choice"], &output["plays"]), (&Value::from("B"), &Value::from(20)));
    assert_eq!(
        (&output["arms"][0]["arm"], &output["arms"][0]["plays"]),
        (&Value::from("A"), &Value::from(10))
    );
    let output = json(&advise(&plays(), &["--policy", "ucb-sd:1", "--format", "json"]));
    let expected = [0.72006878, 2.0 / 3.0, 0.51150749];
    for (found, expected) in numbers(&output, "index").into_iter().zip(expected) {
        assert!((found - expected).abs() < 5e-9);
    }
    assert!((numbers(&output, "mean")[0] - 7.0 / 12.0).abs() < 1e-15 && output["choice"] == "A");
    let sure: f64 = numbers(&output, "probability_best").iter().sum();
    assert!((sure - 1.0).abs() < 1e-9 && output["leader"] == "A" && output["settled"] == false);
}

#[test]
fn the_text_says_which_and_why() {
    let ran = advise(&plays(), &["--policy", "ucb1"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("plays.csv: 20 plays, ucb1\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nnext: B\n") && ran.stdout.contains("go on: A leads"), "{}", ran.stdout);
    assert!(ran.stdout.contains("B        6  0.5000  0.2236  1.499"), "{}", ran.stdout);
}

/// An arm without a play has no end of hope: it is next, and its index is a text.
#[test]
fn an_arm_that_was_never_played_is_next() {
    let output = json(&advise(&plays(), &["--policy", "ucb1", "--arms", "A,B,C,D", "--format", "json"]));
    assert_eq!((&output["choice"], &output["arms"][3]["index"]), (&Value::from("D"), &Value::from("inf")));
    assert!(output["arms"][3]["mean"].is_null());
    assert_eq!(output["arms"][3]["interval"], serde_json::json!([0.0, 1.0]));
}

#[test]
fn rewards_of_other_bounds_are_reported_in_their_units() {
    let scaled = plays().replace(",1\n", ",20\n").replace(",0\n", ",10\n");
    let output = json(&advise(&scaled, &["--policy", "ucb-sd:1", "--bounds", "10:20", "--format", "json"]));
    let plain = json(&advise(&plays(), &["--policy", "ucb-sd:1", "--format", "json"]));
    let of = |output: &Value, field: &str| numbers(output, field)[1];
    assert!((of(&output, "mean") - 10.0 - 10.0 * of(&plain, "mean")).abs() < 1e-12);
    assert!((of(&output, "expected_loss") - 10.0 * of(&plain, "expected_loss")).abs() < 1e-12);
    assert!((of(&output, "index") - of(&plain, "index")).abs() < 1e-12);
    let end = |output: &Value| output["arms"][1]["interval"][1].as_f64().unwrap();
    assert!((end(&output) - 10.0 - 10.0 * end(&plain)).abs() < 1e-9);
}

#[test]
fn who_is_surely_best_is_chosen_for_good() {
    let sure: Vec<String> = (0..400).map(|k| format!("{},{}", k % 2, u8::from(k % 2 == 0))).collect();
    let output = json(&advise(&format!("arm,reward\n{}\n", sure.join("\n")), &["--format", "json"]));
    assert_eq!(
        (&output["leader"], &output["settled"], &output["choice"]),
        (&Value::from("0"), &true.into(), &Value::from("0"))
    );
    // Numbers are in the order of numbers.
    let output = json(&advise("arm,reward\n10,1\n9,0\n", &["--format", "json", "--policy", "ucb1"]));
    assert_eq!(output["arms"][0]["arm"], "9");
}

#[test]
fn histories_that_are_none_are_refused() {
    refused(
        &advise("arm,reward\nA,2\n", &[]),
        1,
        "plays.csv: line 2, column reward: expected a reward from 0 to 1, found 2",
    );
    refused(&advise("arm,reward\nA,x\n", &[]), 1, "line 2, column reward: expected a number");
    refused(&advise("arm,reward\n,1\n", &[]), 1, "line 2, column arm: expected a label");
    refused(&advise("arm,reward\n", &[]), 1, "no rows");
    refused(&advise("arm\nA\n", &[]), 1, "expected a column of arms and one of rewards");
    refused(
        &advise("arm,reward\nA,1\n", &["--arms", "B,C"]),
        1,
        "line 2, column arm: \"A\" is none of the arms B, C",
    );
    refused(&advise("arm,reward\nA,1\n", &["--arms", "A,A"]), 2, "A is there twice");
    refused(&advise("arm,reward\nA,1\n", &["--policy", "ucb9"]), 2, "\"ucb9\" is no policy: expected ucb1");
    refused(&advise("arm,reward\nA,1\n", &["--bounds", "1:0"]), 2, "--bounds 1:0");
    refused(&advise("arm,reward\nA,1\n", &["--threshold", "-1"]), 2, "--threshold");
    refused(&advise("arm,reward\nA,1\n", &["--reward", "gain"]), 1, "no column is called \"gain\"");
    refused(&Place::new().run(&["bandit", "advise", "absent.csv"]), 1, "absent.csv");
}

const GAME: [&str; 10] = [
    "bandit",
    "simulate",
    "--arms",
    "0.9,0.6",
    "--policy",
    "ucb1,thompson",
    "--horizon",
    "300",
    "--runs",
    "40",
];

#[test]
fn games_are_the_same_for_any_number_of_threads() {
    let output = |more: &[&str]| {
        let ran = Place::new().succeed(&[&GAME[..], &["--format", "json"], more].concat());
        let mut output: Value = serde_json::from_str(&ran.stdout).unwrap();
        output["seconds"] = Value::Null;
        output
    };
    let one = output(&["--threads", "1"]);
    assert_eq!(one, output(&["--threads", "3"]));
    assert_ne!(one["regret"], output(&["--seed", "1"])["regret"]);
    assert!((one["lai_robbins"].as_f64().unwrap() - 0.9638904791714).abs() < 1e-12);
    let [ucb1, thompson] = [0, 1].map(|place| one["regret"][place]["mean"].as_f64().unwrap());
    assert!(thompson < ucb1 && ucb1 < one["ucb1_bound"].as_f64().unwrap());
    let (times, curve) = (one["times"].as_array().unwrap(), one["regret"][0]["curve"].as_array().unwrap());
    assert_eq!((times.len(), times.last().unwrap()), (curve.len(), &Value::from(300)));
    assert_eq!(curve.last().unwrap().as_f64().unwrap(), ucb1);
}

#[test]
fn pages_open_with_the_answer() {
    let place = Place::new();
    let ran = place.succeed(&[&GAME[..], &["--out", "out"]].concat());
    assert!(ran.stdout.starts_with("arms 0.9, 0.6: 300 plays, 40 games\n"), "{}", ran.stdout);
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(
        page.contains("thompson loses least")
            && page.contains("Lai and Robbins")
            && page.contains("When to stop")
    );
    let curves = String::from_utf8(read(place.path("out/curves.csv"))).unwrap();
    assert!(curves.starts_with("plays,ucb1 regret,ucb1 standard error,ucb1 q05"), "{}", &curves[..80]);
    assert!(String::from_utf8(read(place.path("out/regret.svg"))).unwrap().starts_with("<svg"));
    place.write("plays.csv", plays());
    place.succeed(&["bandit", "advise", "plays.csv", "--policy", "ucb1", "--out", "next"]);
    let page = String::from_utf8(read(place.path("next/report.html"))).unwrap();
    assert!(page.contains("Next: B") && page.contains("go on: A leads"));
    assert!(String::from_utf8(read(place.path("next/arms.svg"))).unwrap().starts_with("<svg"));
}

#[test]
fn games_that_are_none_are_refused() {
    let run = |more: &[&str]| Place::new().run(&[&["bandit", "simulate"], more].concat());
    refused(&run(&["--arms", "0.9,1.1"]), 2, "in [0, 1]");
    refused(&run(&["--arms", "0.5", "--policy", "nothing"]), 2, "is no policy");
    refused(&run(&["--arms", "0.5", "--horizon", "0"]), 2, "--horizon");
    refused(&run(&[]), 2, "--arms");
}

#[test]
fn what_rewards_and_intervals_are_is_said() {
    let output = json(&advise(&plays(), &["--format", "json"]));
    assert_eq!((&output["rewards"], &output["interval_level"]), (&"coins".into(), &0.95.into()));
    assert!(output["interval_of"].as_str().unwrap().starts_with("mean reward"));
    // Rewards that differ by a tenth, and vary by a hundredth.
    let rows: Vec<String> = (0..20)
        .map(|k| format!("{},{}", k % 2, 0.5 + 0.1 * f64::from(k % 2) + 0.005 * f64::from(k % 5)))
        .collect();
    let output = json(&advise(&format!("arm,reward\n{}\n", rows.join("\n")), &["--format", "json"]));
    assert_eq!((&output["rewards"], &output["settled"]), (&"numbers".into(), &true.into()));
    assert!(numbers(&output, "probability_best")[1] > 0.999, "{output}");
}
