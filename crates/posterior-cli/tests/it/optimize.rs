//! `posterior optimize`: studies in files, and what optimisers make of them.

use std::fs;

use posterior::decision::optimization::{
    Acquisition, Axis, BetaSchedule, GpUcb, KnowledgeGradient, LnExpectedImprovement, MaxValueEntropy,
    Optimizer, OptimizerOptions, OutcomeConstraint, OutcomeNoise, ProbabilityOfImprovement, Space,
    ThompsonAcquisition,
};
use serde_json::Value;

use crate::program::{Place, Ran, read};

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

fn place(options: &[&str]) -> Place {
    let place = Place::new();
    place.succeed(&[&["optimize", "init", "study.json"], options].concat());
    place
}

const TWO: [&str; 6] = ["--input", "x=-1:2", "--input", "y=-1:2", "--noise", "none"];

/// Points by number, each with its two coordinates.
fn ask(place: &Place, more: &[&str]) -> Vec<(u64, f64, f64)> {
    let command = ["optimize", "ask", "study.json", "--format", "json"];
    let output = json(&place.run(&[&command[..], more].concat()));
    let number = |trial: &Value, name: &str| trial["point"][name].as_f64().unwrap();
    let trials = output["trials"].as_array().unwrap();
    trials.iter().map(|own| (own["trial"].as_u64().unwrap(), number(own, "x"), number(own, "y"))).collect()
}

fn tell(place: &Place, outcomes: &[String]) -> Value {
    let outcomes: Vec<&str> = outcomes.iter().map(String::as_str).collect();
    json(&place.run(&[&["optimize", "tell", "study.json", "--format", "json"][..], &outcomes].concat()))
}

fn bowl(x: f64, y: f64) -> f64 {
    (x - 0.3).powi(2) + 2.0 * (y - 0.7).powi(2) + 0.5 * (x - 0.3) * (y - 0.7)
}

#[track_caller]
fn refused(ran: &Ran, code: i32, message: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{ran:?}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains(message), "{}", ran.stderr);
}

/// The minimum of a bowl is known; every step is a process of its own.
#[test]
fn a_session_in_a_shell_finds_the_bottom_of_a_bowl() {
    let place = place(&TWO);
    for _ in 0..6 {
        let reported: Vec<String> = ask(&place, &["-n", "4"])
            .iter()
            .map(|(trial, x, y)| format!("{trial}={}", bowl(*x, *y)))
            .collect();
        tell(&place, &reported);
    }
    let output = json(&place.run(&["optimize", "show", "study.json", "--out", "out", "--format", "json"]));
    assert_eq!(
        (&output["trials"], &output["pending"], &output["failed"]),
        (&24.into(), &0.into(), &0.into())
    );
    let best = &output["best"];
    assert!(best["value"].as_f64().unwrap() < 1e-3, "{best}");
    let [x, y] = ["x", "y"].map(|name| best["point"][name].as_f64().unwrap());
    assert_eq!(bowl(x, y), best["value"]);
    // Twice the curvature, four times the variance of the squares: y matters more.
    assert!(output["importance"]["y"].as_f64().unwrap() > output["importance"]["x"].as_f64().unwrap());
    let curve: Vec<f64> =
        output["curve"].as_array().unwrap().iter().map(|own| own.as_f64().unwrap()).collect();
    assert!(curve.is_sorted_by(|a, b| a >= b) && curve.last().copied() == best["value"].as_f64());
    let recommended = &output["recommended"];
    assert!((recommended["mean"].as_f64().unwrap() - best["value"].as_f64().unwrap()).abs() < 1e-3);
    let table = String::from_utf8(read(place.path("out/trials.csv"))).unwrap();
    assert!(table.starts_with("trial,x,y,outcome,failed\n1,") && table.lines().count() == 25, "{table}");
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(page.contains("The least outcome so far"), "no answer on the page");
    let text = place.succeed(&["optimize", "show", "study.json"]).stdout;
    assert!(text.contains("24 trials (0 failed), 0 pending") && text.contains("least outcome"), "{text}");
}

/// Two at once, or one after the other: a history says all.
#[test]
fn processes_that_come_later_go_on_where_others_stopped() {
    let (one, two) = (place(&TWO), place(&TWO));
    for round in 0..4 {
        let both = ask(&one, &["-n", "3", "--seed", "5"]);
        let first = ask(&two, &["-n", "1", "--seed", "5"]);
        let others = ask(&two, &["-n", "2", "--seed", "5"]);
        assert_eq!(both, [first, others].concat(), "{round}");
        for (i, a) in both.iter().enumerate() {
            for b in &both[..i] {
                assert!(
                    (a.1 - b.1).hypot(a.2 - b.2) > 1e-3,
                    "pending points are taken into account: {both:?}"
                );
            }
        }
        let reported: Vec<String> =
            both.iter().map(|(trial, x, y)| format!("{trial}={}", bowl(*x, *y))).collect();
        tell(&one, &reported);
        tell(&two, &reported);
    }
    let history = |place: &Place| fs::read_to_string(place.path("study.trials.jsonl")).unwrap();
    assert_eq!(history(&one).lines().count(), 24);
    assert!(history(&one).starts_with("{\"trial\":1,\"point\":{\"x\":"), "{}", history(&one));
    assert_ne!(ask(&one, &["--seed", "6"])[0].1, ask(&two, &["--seed", "5"])[0].1);
}

/// The largest of -f is the least of f, with the same points on the way.
#[test]
fn the_largest_is_the_least_of_the_negative() {
    let (least, largest) = (place(&TWO), place(&[&TWO[..], &["--maximize"]].concat()));
    for _ in 0..9 {
        let [a, b] = [&least, &largest].map(|own| ask(own, &[]));
        assert_eq!(a, b);
        let value = bowl(a[0].1, a[0].2);
        tell(&least, &[format!("{}={value}", a[0].0)]);
        let reported = tell(&largest, &[format!("{}={}", b[0].0, -value)]);
        assert!(reported["best"]["value"].as_f64().unwrap() <= 0.0);
    }
    let best = |place: &Place| json(&place.run(&["optimize", "show", "study.json", "--format", "json"]));
    let (a, b) = (best(&least), best(&largest));
    assert_eq!(a["best"]["value"].as_f64().unwrap(), -b["best"]["value"].as_f64().unwrap());
    let mean = |own: &Value| own["recommended"]["mean"].as_f64().unwrap();
    assert!((mean(&a) + mean(&b)).abs() < 1e-12);
}

/// Words, whole numbers and factors, and inequalities: all points are of the space.
#[test]
fn every_kind_of_input_and_a_constraint() {
    let place = Place::new();
    let init = [
        "optimize",
        "init",
        "study.json",
        "--input",
        "rate=log:1e-5:1",
        "--input",
        "layers=integer:1:6",
        "--input",
        "unit=relu,tanh,none",
        "--input",
        "width=0:10",
        "--constraint",
        "width + 2 layers <= 12",
        "--constraint",
        "width >= layers",
    ];
    place.succeed(&init);
    for round in 0..14 {
        let asked = json(&place.run(&[
            "optimize",
            "ask",
            "study.json",
            "--format",
            "json",
            "--template",
            "{unit} {trial}",
        ]));
        let trial = &asked["trials"][0];
        let number = |name: &str| trial["point"][name].as_f64().unwrap();
        let (rate, layers, width) = (number("rate"), number("layers"), number("width"));
        assert!((1e-5..=1.0).contains(&rate) && layers.fract() == 0.0, "{trial}");
        assert!(width + 2.0 * layers <= 12.0 + 1e-9 && width >= layers - 1e-9, "{trial}");
        let unit = trial["point"]["unit"].as_str().unwrap();
        assert_eq!(trial["text"], format!("{unit} {}", round + 1));
        let value = (rate.log10() + 3.0).powi(2) - width - layers + if unit == "tanh" { 0.0 } else { 2.0 };
        tell(&place, &[format!("{}={value}", round + 1)]);
    }
    let shown = place.succeed(&["optimize", "show", "study.json", "--out", "out"]).stdout;
    assert!(shown.contains("unit") && shown.contains("importance"), "{shown}");
    assert!(place.path("out/input-4.svg").exists());
}

/// A tilted plane is least in a corner that a constraint cuts off: the best point is on the wall.
#[test]
fn the_best_point_may_lie_on_a_constraint() {
    let place =
        place(&["--input", "x=0:1", "--input", "y=0:1", "--noise", "none", "--constraint", "x + 2 y <= 1"]);
    for _ in 0..22 {
        let point = ask(&place, &[])[0];
        tell(&place, &[format!("{}={}", point.0, -point.1 - point.2 + 0.3 * point.1 * point.1)]);
    }
    // On the wall y = (1 - x)/2: -x/2 - 1/2 + 0.3 x² is least at x = 5/6.
    let output = json(&place.run(&["optimize", "show", "study.json", "--format", "json"]));
    let (found, least) = (output["best"]["value"].as_f64().unwrap(), -0.5 - 5.0 / 24.0);
    assert!((-1e-9..0.01).contains(&(found - least)), "{found} {least}");
}

#[test]
fn failed_trials_and_earlier_ones_count() {
    let place = place(&TWO);
    place.write("earlier.csv", "y,x,note,loss\n0.5,0.1,a,0.4\n1.5,1,b,\n0,0,c,2\n");
    let output =
        json(&place.run(&["optimize", "tell", "study.json", "--data", "earlier.csv", "--format", "json"]));
    assert_eq!(
        output["reported"],
        serde_json::json!([
            {"trial": 1, "value": 0.4}, {"trial": 2, "value": null}, {"trial": 3, "value": 2.0}
        ])
    );
    let trial = ask(&place, &[])[0].0;
    assert_eq!(trial, 4);
    let reported = tell(&place, &["4=failed".to_owned()]);
    assert_eq!((&reported["best"]["trial"], &reported["trials"]), (&1.into(), &4.into()));
    let shown = place.succeed(&["optimize", "show", "study.json"]).stdout;
    assert!(shown.contains("4 trials (2 failed), 0 pending"), "{shown}");
}

/// What a killed run began to write is no line.
#[test]
fn half_a_line_at_the_end_is_written_over() {
    let place = place(&TWO);
    ask(&place, &["-n", "2"]);
    let path = place.path("study.trials.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{whole}{{\"trial\":3,\"po")).unwrap();
    assert_eq!(ask(&place, &[])[0].0, 3);
    let after = fs::read_to_string(&path).unwrap();
    assert!(after.starts_with(&whole) && after.lines().count() == 3, "{after}");
    // A whole line without its end is one.
    fs::write(&path, after.trim_end()).unwrap();
    assert_eq!(ask(&place, &[])[0].0, 4);
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 4);
}

#[test]
fn processes_side_by_side_get_different_trials() {
    let place = place(&TWO);
    let children: Vec<_> = (0..4)
        .map(|_| {
            let mut command = place.command(&["optimize", "ask", "study.json", "--format", "json"]);
            command.stdout(std::process::Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let mut trials: Vec<u64> = children
        .into_iter()
        .map(|child| {
            let output: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
            output["trials"][0]["trial"].as_u64().unwrap()
        })
        .collect();
    trials.sort_unstable();
    assert_eq!(trials, [1, 2, 3, 4]);
}

#[test]
fn what_cannot_be_is_refused() {
    let init = |options: &[&str]| Place::new().run(&[&["optimize", "init", "s.json"], options].concat());
    refused(&init(&["--input", "x"]), 2, "--input x: expected NAME=LOW:HIGH");
    refused(&init(&["--input", "x=1:0"]), 2, "input x: Space");
    refused(&init(&["--input", "x=log:0:1"]), 2, "input x: Space");
    refused(&init(&["--input", "x=a,a"]), 2, "\"a\" is there twice");
    refused(&init(&["--input", "x=0:1", "--input", "x=0:1"]), 2, "input x: is there twice");
    refused(
        &init(&["--input", "x=0:1", "--constraint", "x + z <= 1"]),
        2,
        "constraint \"x + z <= 1\": expected a number or one of x",
    );
    refused(&init(&["--input", "x=0:1", "--constraint", "x >= 2"]), 2, "65,536");
    refused(&init(&["--input", "x=0:1", "--noise", "-1"]), 2, "");
    let place = place(&TWO);
    refused(&place.run(&["optimize", "init", "study.json", "--input", "x=0:1"]), 1, "is there already");
    let run = |words: &[&str]| place.run(&[&["optimize"], words].concat());
    refused(&run(&["ask", "absent.json"]), 1, "absent.json");
    refused(&run(&["tell", "study.json", "1=0.5"]), 1, "trial 1 was not asked for");
    refused(&run(&["tell", "study.json", "1:0.5"]), 2, "expected TRIAL=OUTCOME");
    refused(&run(&["tell", "study.json", "1=NaN"]), 2, "expected a finite number or failed");
    refused(
        &run(&["ask", "study.json", "--template", "{z}"]),
        2,
        "{z} is neither {trial} nor an input: x, y",
    );
    ask(&place, &[]);
    tell(&place, &["1=0.5".to_owned()]);
    refused(&run(&["tell", "study.json", "1=0.5"]), 1, "trial 1 has an outcome already");
    place.write("far.csv", "x,y,loss\n7,0,1\n");
    refused(&run(&["tell", "study.json", "--data", "far.csv"]), 1, "far.csv: line 2: ");
    place.write("words.csv", "x,y,loss\none,0,1\n");
    refused(&run(&["tell", "study.json", "--data", "words.csv"]), 1, "line 2, column x: expected -1 to 2");
    refused(&run(&["tell", "study.json", "--y", "loss", "1=2"]), 2, "--y");
    // Nothing of a refused report is kept.
    assert_eq!(fs::read_to_string(place.path("study.trials.jsonl")).unwrap().lines().count(), 2);
    for (line, message) in [
        ("{\"trial\":2}", "line 3: expected a point, a value or failed"),
        ("{\"trial\":1,\"value\":1}", "line 3: trial 1 has an outcome already"),
        ("{\"trial\":2,\"point\":{\"x\":0}}", "line 3: expected a value of y"),
        ("{\"trial\":2,\"point\":{\"x\":0,\"y\":\"a\"}}", "line 3: y: expected -1 to 2, found \"a\""),
        ("{\"trial\":2,\"point\":{\"x\":0,\"y\":9}}", "trial 2: "),
        ("nonsense", "line 3: "),
    ] {
        let path = place.path("study.trials.jsonl");
        let before = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{before}{line}\n")).unwrap();
        refused(&run(&["show", "study.json"]), 1, message);
        fs::write(&path, before).unwrap();
    }
    place.write("study.json", "{\"goal\":\"minimize\",\"noise\":\"learned\",\"inputs\":[{\"name\":\"x\"}]}");
    refused(
        &run(&["ask", "study.json"]),
        1,
        "study.json: input x: expected one of real, log, integer and category",
    );
    place.write("study.json", "{\"goal\":\"minimise\",\n\"noise\":\"learned\",\"inputs\":[]}");
    refused(&run(&["ask", "study.json"]), 1, "study.json: unknown variant `minimise`");
}

/// Each rule asks for the point that the library has.
#[test]
fn rules_are_those_of_the_library() {
    let space = Space::new(&[Axis::Real { lower: -1.0, upper: 2.0 }; 2]).unwrap();
    let rules: [(&str, Box<dyn Acquisition>); 7] = [
        ("expected-improvement", Box::new(LnExpectedImprovement)),
        ("probability-of-improvement:0.1", Box::new(ProbabilityOfImprovement::new(0.1).unwrap())),
        ("gp-ucb", Box::new(GpUcb::new(BetaSchedule::Constant(4.0)).unwrap())),
        ("thompson:128", Box::new(ThompsonAcquisition::new(128).unwrap())),
        ("entropy-search", Box::new(MaxValueEntropy::default())),
        ("knowledge-gradient:32", Box::new(KnowledgeGradient::new(32).unwrap())),
        ("knowledge-gradient", Box::new(KnowledgeGradient::default())),
    ];
    let place = place(&TWO);
    let mut known = Vec::new();
    for (trial, x, y) in ask(&place, &["-n", "8"]) {
        tell(&place, &[format!("{trial}={}", bowl(x, y))]);
        known.push(vec![x, y]);
    }
    let history = fs::read_to_string(place.path("study.trials.jsonl")).unwrap();
    let mut found = Vec::new();
    for (name, rule) in rules {
        let noise = OutcomeNoise::None;
        let options = OptimizerOptions { noise, seed: 0, ..OptimizerOptions::default() };
        let mut optimizer = Optimizer::new(space.clone(), options).unwrap();
        for point in &known {
            optimizer.add_pending(point).unwrap();
        }
        for point in &known {
            optimizer.tell(point, bowl(point[0], point[1])).unwrap();
        }
        let expected = optimizer.ask(&*rule).unwrap();
        let (_, x, y) = ask(&place, &["--acquisition", name])[0];
        assert_eq!(vec![x, y], expected, "{name}");
        fs::write(place.path("study.trials.jsonl"), &history).unwrap();
        found.push(expected);
    }
    // They differ: a rule that is not passed on would show.
    for (i, a) in found[..6].iter().enumerate() {
        assert!(found[..i].iter().all(|b| a != b), "{found:?}");
    }
}

/// The least x + y where x² + y² is at least 1, which only trials tell: at (1, 0) and (0, 1).
#[test]
fn bounds_of_outcomes_are_learned() {
    let inputs = ["--input", "x=0:2", "--input", "y=0:2", "--noise", "none"];
    let place = place(&[&inputs[..], &["--outcome-constraint", "square >= 1"]].concat());
    let space = Space::new(&[Axis::Real { lower: 0.0, upper: 2.0 }; 2]).unwrap();
    let circle = OutcomeConstraint { bound: -1.0, noise: OutcomeNoise::None };
    let options = OptimizerOptions { constraints: vec![circle], ..OptimizerOptions::default() };
    let mut optimizer = Optimizer::new(space, options).unwrap();
    for round in 0..20 {
        let (trial, x, y) = ask(&place, &[])[0];
        // The library, asked as often, is where the files are.
        assert_eq!(optimizer.ask(&LnExpectedImprovement).unwrap(), [x, y], "{round}");
        optimizer.tell_constrained(&[x, y], x + y, &[-x * x - y * y]).unwrap();
        tell(&place, &[format!("{trial}={},square={}", x + y, x * x + y * y)]);
    }
    let output = json(&place.run(&["optimize", "show", "study.json", "--out", "out", "--format", "json"]));
    let best = &output["best"];
    let value = best["value"].as_f64().unwrap();
    let [x, y] = ["x", "y"].map(|name| best["point"][name].as_f64().unwrap());
    assert!((value - 1.0).abs() < 0.02 && x * x + y * y >= 1.0, "{best}");
    let kept = &output["outcome_constraints"][0];
    assert_eq!(kept["constraint"], "square >= 1");
    let table = fs::read_to_string(place.path("out/trials.csv")).unwrap();
    assert!(table.starts_with("trial,x,y,outcome,failed,square\n"), "{table}");
    let squares = table.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse::<f64>().unwrap());
    assert_eq!(kept["kept"], squares.filter(|own| *own >= 1.0).count());
    let page = fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("square &gt;= 1") || page.contains("square >= 1"), "no bound on the page");
    let text = place.succeed(&["optimize", "show", "study.json"]).stdout;
    assert!(text.contains("square >= 1: kept by "), "{text}");
}

/// Bounds from tables; what keeps none of them is not the best, and nothing is to settle on.
#[test]
fn outcomes_with_a_bound_are_columns() {
    let init = [
        "--input",
        "x=0:1",
        "--outcome-constraint",
        "memory <= 8",
        "--outcome-constraint",
        "accuracy >= 0.9",
    ];
    let place = place(&init);
    place.write("early.csv", "x,accuracy,loss,memory\n0.1,0.95,1,9\n0.2,0.8,0.5,3\n0.3,,,\n");
    let reported = |name: &str| {
        json(&place.run(&["optimize", "tell", "study.json", "--data", name, "--format", "json"]))
    };
    let output = reported("early.csv");
    assert_eq!((&output["best"], &output["trials"]), (&Value::Null, &3.into()));
    let shown = place.succeed(&["optimize", "show", "study.json"]).stdout;
    assert!(
        shown.contains("memory <= 8: kept by 1 trials")
            && shown.contains("accuracy >= 0.9: kept by 1 trials"),
        "{shown}"
    );
    assert!(shown.contains("no outcome keeps all bounds yet"), "{shown}");
    place.write("later.csv", "x,accuracy,loss,memory\n0.5,0.9,2,8\n0.6,0.99,3,1\n");
    let output = reported("later.csv");
    assert_eq!((&output["best"]["trial"], &output["best"]["value"]), (&4.into(), &2.0.into()));
    let history = fs::read_to_string(place.path("study.trials.jsonl")).unwrap();
    assert!(history.contains("\"value\":2.0,\"outcomes\":{\"memory\":8.0,\"accuracy\":0.9}"), "{history}");
    let run = |words: &[&str]| place.run(&[&["optimize"], words].concat());
    // A failed trial has no further outcomes, and others have all.
    let asked = run(&["ask", "study.json", "-n", "2"]).stdout;
    assert!(asked.contains("6=OUTCOME,memory=NUMBER,accuracy=NUMBER"), "{asked}");
    tell(&place, &["6=failed".to_owned()]);
    for report in
        ["7=1", "7=1,memory=3", "7=1,memory=3,memory=4", "7=1,memory=3,speed=4", "7=failed,memory=3"]
    {
        refused(
            &run(&["tell", "study.json", report]),
            2,
            "expected TRIAL=OUTCOME,memory=NUMBER,accuracy=NUMBER",
        );
    }
    refused(&run(&["tell", "study.json", "7=1,memory=3,accuracy=NaN"]), 2, "finite number");
    tell(&place, &["7=1.5,accuracy=0.92,memory=7".to_owned()]);
    place.write("holes.csv", "x,accuracy,loss,memory\n0.4,,1,2\n");
    refused(
        &run(&["tell", "study.json", "--data", "holes.csv"]),
        1,
        "line 2, column accuracy: expected a number",
    );
    refused(
        &run(&["tell", "study.json", "--data", "holes.csv", "--y", "memory"]),
        2,
        "an outcome with a bound",
    );
    for rule in ["thompson", "gp-ucb", "entropy-search", "knowledge-gradient"] {
        refused(
            &run(&["ask", "study.json", "--acquisition", rule]),
            2,
            "knows nothing of the outcome constraints",
        );
    }
    refused(
        &run(&["ask", "study.json", "--acquisition", "ei"]),
        2,
        "--acquisition ei: expected expected-improvement, ",
    );
    assert_eq!(run(&["ask", "study.json", "--acquisition", "probability-of-improvement"]).code, Some(0));
    let path = place.path("study.trials.jsonl");
    let before = fs::read_to_string(&path).unwrap();
    for (line, message) in [
        ("{\"trial\":8,\"value\":1}", "expected the outcome memory as a number"),
        ("{\"trial\":8,\"failed\":true,\"outcomes\":{\"memory\":1}}", "outcomes come with a value"),
        ("{\"trial\":8,\"value\":1,\"outcomes\":{\"speed\":1}}", "no outcome constraint of speed"),
    ] {
        fs::write(&path, format!("{before}{line}\n")).unwrap();
        refused(&run(&["show", "study.json"]), 1, message);
    }
    let init = |options: &[&str]| {
        Place::new().run(&[&["optimize", "init", "s.json", "--input", "x=0:1"], options].concat())
    };
    refused(&init(&["--outcome-constraint", "memory"]), 2, "expected NAME <= NUMBER or NAME >= NUMBER");
    refused(&init(&["--outcome-constraint", "x <= 1"]), 2, "x is an input");
    refused(
        &init(&["--outcome-constraint", "m <= 1", "--outcome-constraint", "m >= 0"]),
        2,
        "has a bound already",
    );
}
