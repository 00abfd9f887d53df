//! `posterior hmm`: the Nile's change, numbers against sums over all paths, gaps, and wrong input.

mod labels;
mod segments;
mod shapes;
mod sticky;

use serde_json::Value;

use crate::program::Place;

fn json(place: &Place, arguments: &[&str]) -> Value {
    let all: Vec<&str> = [&["hmm"], arguments, &["--format", "json", "--quiet"]].concat();
    serde_json::from_str(&place.succeed(&all).stdout).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|own| own.as_f64().unwrap()).collect()
}

fn states(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|own| own.as_u64().unwrap()).collect()
}

fn ln_normal(x: f64, mean: f64, variance: f64) -> f64 {
    -0.5 * ((x - mean).powi(2) / variance + (std::f64::consts::TAU * variance).ln())
}

const DAM: &str = "calls,hour\n1,a\n0,a\n2,a\n,a\n9,a\n11,a\n8,a\n1,b\n0,b\n7,b\n12,b\n10,b\n";

#[test]
fn the_flow_of_the_nile_changed_with_the_dam_of_1898() {
    let place = Place::new();
    let output = json(&place, &["fit", "--topology", "left-to-right"]);
    let path = states(&output["states"][0]);
    assert_eq!(path.len(), 100);
    // 1871 to 1898, then the rest.
    assert!(path[..28].iter().all(|&state| state == 0) && path[28..].iter().all(|&state| state == 1));

    // The likelihood as a sum over the year of the change, by the parameters that were reported.
    place.succeed(&["data", "export", "nile", "--out", "nile"]);
    let table = std::fs::read_to_string(place.path("nile").join("nile.csv")).unwrap();
    let flow: Vec<f64> =
        table.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse().unwrap()).collect();
    let distribution = |state: usize| {
        let own = &output["emission"][state];
        (own["mean"][0].as_f64().unwrap(), own["covariance"][0][0].as_f64().unwrap())
    };
    let stay = output["transition"][0][0].as_f64().unwrap();
    let terms: Vec<f64> = (1..=flow.len())
        .map(|first| {
            let shown = flow.iter().enumerate().map(|(t, &x)| {
                let (mean, variance) = distribution(usize::from(t >= first));
                ln_normal(x, mean, variance)
            });
            let left = if first == flow.len() { 0.0 } else { (1.0 - stay).ln() };
            shown.sum::<f64>() + (first as f64 - 1.0) * stay.ln() + left
        })
        .collect();
    let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let wanted = largest + terms.iter().map(|term| (term - largest).exp()).sum::<f64>().ln();
    let found = output["ln_likelihood"].as_f64().unwrap();
    assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
    let trace = numbers(&output["trace"]);
    assert!(trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9));
    assert!((trace.last().unwrap() - wanted).abs() < 1e-6);
}

#[test]
fn gaps_sequences_and_counts() {
    let place = Place::new();
    place.write("calls.csv", DAM);
    let columns = ["--y", "calls", "--sequence", "hour"];
    let output = json(
        &place,
        &[&["fit", "calls.csv", "--emission", "poisson"], &columns[..], &["--out", "out"]].concat(),
    );
    assert_eq!((output["rows"].as_u64(), output["missing"].as_u64()), (Some(12), Some(1)));
    assert_eq!(output["sequences"], serde_json::json!(["a", "b"]));
    let rates: Vec<f64> = (0..2).map(|state| output["emission"][state]["rate"].as_f64().unwrap()).collect();
    assert!(rates.iter().any(|&rate| rate < 1.5) && rates.iter().any(|&rate| rate > 8.0), "{rates:?}");
    // What the fit says, the model says again.
    let model = ["out/model.json", "calls.csv"];
    let scored = json(&place, &[&["score"], &model[..], &columns].concat());
    assert_eq!(scored["ln_likelihood"], output["ln_likelihood"]);
    assert_eq!(scored["ln_likelihoods"], output["ln_likelihoods"]);
    let decoded = json(&place, &[&["decode"], &["out", "calls.csv"][..], &columns[2..]].concat());
    assert_eq!(decoded["states"], output["states"]);
    // One row nobody saw, and a whole sequence with it: the same as without.
    let sum: f64 = numbers(&scored["ln_likelihoods"]).iter().sum();
    assert!((sum - scored["ln_likelihood"].as_f64().unwrap()).abs() < 1e-12);
}

#[test]
fn likelihoods_of_symbols_are_sums_over_all_paths() {
    let place = Place::new();
    let letters = ["x", "y", "x", "x", "z", "y", "y", "z"];
    place.write("letters.csv", format!("letter\n{}\n", letters.join("\n")));
    let output = json(
        &place,
        &[
            "fit",
            "letters.csv",
            "--emission",
            "categorical",
            "--pseudocount",
            "0.5",
            "--iterations",
            "5",
            "--out",
            "out",
        ],
    );
    assert_eq!(output["symbols"], serde_json::json!(["x", "y", "z"]));
    let p = |own: &Value| own.as_f64().unwrap();
    let mut total = 0.0;
    for path in 0..256_usize {
        let state = |t: usize| path >> t & 1;
        let mut weight = p(&output["initial"][state(0)]);
        for (t, letter) in letters.iter().enumerate() {
            let symbol = ["x", "y", "z"].iter().position(|own| own == letter).unwrap();
            weight *= p(&output["emission"][state(t)]["probabilities"][symbol]);
            if t > 0 {
                weight *= p(&output["transition"][state(t - 1)][state(t)]);
            }
        }
        total += weight;
    }
    assert!((p(&output["ln_likelihood"]) - total.ln()).abs() < 1e-12);
    let posterior = json(&place, &["decode", "out", "letters.csv", "--decode", "posterior"]);
    assert_eq!(posterior["states"][0].as_array().unwrap().len(), 8);

    let drawn = json(&place, &["sample", "out", "-n", "50", "--seed", "3"]);
    assert_eq!(drawn["states"].as_array().unwrap().len(), 50);
    let again = place.succeed(&["hmm", "sample", "out", "-n", "50", "--seed", "3"]).stdout;
    assert!(again.starts_with("state,letter\n") && again.lines().count() == 51);
    assert_eq!(again.lines().nth(1).unwrap().split(',').nth(1), drawn["values"][0][0].as_str());
    // What was drawn can be read.
    place.write("drawn.csv", again);
    json(&place, &["score", "out", "drawn.csv"]);
}

#[test]
fn threads_change_nothing() {
    let place = Place::new();
    let run = |threads: &str| {
        let mut output = json(&place, &["fit", "--states", "3", "--threads", threads]);
        output.as_object_mut().unwrap().remove("seconds");
        output
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn text_and_files() {
    let place = Place::new();
    let ran = place.succeed(&["hmm", "fit", "--topology", "left-to-right", "--out", "out", "--quiet"]);
    assert!(ran.stdout.contains("for ever") && ran.stdout.contains("from row"), "{}", ran.stdout);
    for name in ["report.html", "values.svg", "probabilities.svg", "trace.svg", "states.csv", "model.json"] {
        assert!(place.path("out").join(name).is_file(), "{name}");
    }
    let page = std::fs::read_to_string(place.path("out").join("report.html")).unwrap();
    assert!(page.contains("2 states behind 100 rows") && page.contains("at row 29"));
    let table = std::fs::read_to_string(place.path("out").join("states.csv")).unwrap();
    assert!(table.starts_with("sequence,row,state,p_0,p_1\n0,1,0,"), "{table}");
    assert_eq!(table.lines().count(), 101);
}

#[test]
fn wrong_input_is_named() {
    let place = Place::new();
    place.write("calls.csv", DAM);
    place.write("half.csv", "calls\n1\n2.5\n");
    place.write("none.csv", "calls,x\n,1\nNA,2\n");
    place.write("letters.csv", "letter\nx\ny\nx\n");
    place.write("other.csv", "letter\nx\nq\n");
    place.write("broken.json", "{\"columns\": [\"x\"]}");
    place.succeed(&["hmm", "fit", "letters.csv", "--emission", "categorical", "--out", "out", "--quiet"]);
    let poisson = ["--emission", "poisson"];
    for (arguments, code, words) in [
        (vec!["fit", "half.csv", poisson[0], poisson[1]], 1, "line 3, column calls: expected a count"),
        (vec!["fit", "none.csv", "--y", "calls", poisson[0], poisson[1]], 1, "all cells are empty"),
        (vec!["fit", "calls.csv", "--y", "hour"], 1, "line 2, column hour: expected a number"),
        (vec!["fit", "calls.csv", "--y", "wrong"], 1, "no column is called \"wrong\""),
        (
            vec!["fit", "calls.csv", "--y", "calls,hour", poisson[0], poisson[1]],
            2,
            "for --emission gaussian and mixture only",
        ),
        (vec!["fit", "--y", "x"], 2, "runs with DATA"),
        (vec!["fit", poisson[0], poisson[1]], 2, "gaussian"),
        (vec!["fit", "--states", "0"], 2, "0 is not in 1..=1000"),
        (vec!["fit", "calls.csv", poisson[0], poisson[1], "--y", "calls", "--pseudocount=-2"], 1, "must be"),
        (
            vec!["score", "out", "other.csv"],
            1,
            "line 3, column letter: expected a symbol of the model, found \"q\"",
        ),
        (vec!["score", "broken.json", "other.csv"], 1, "no model of `posterior hmm fit`"),
        (vec!["decode", "missing", "other.csv"], 1, "missing"),
    ] {
        let all: Vec<&str> = [&["hmm"], &arguments[..]].concat();
        let ran = place.run(&all);
        assert_eq!(ran.code, Some(code), "{arguments:?} {ran:?}");
        assert!(ran.stderr.contains(words), "{arguments:?} {ran:?}");
    }
}

#[test]
fn parameters_taken_as_known_are_said_to_be() {
    let place = Place::new();
    assert_eq!(json(&place, &["fit"])["parameters_known"], true);
    let text = place.succeed(&["hmm", "fit", "--out", "out"]).stdout;
    let page = std::fs::read_to_string(place.path("out").join("report.html")).unwrap();
    assert!([text, page].iter().all(|output| output.contains("Parameters are taken as known")));
}
