//! `posterior net query` by engines that draw: standard errors, warnings, what they refuse.

use insta::assert_snapshot;

use crate::net::{json, place, refused, text};

const ENGINES: [&str; 3] = ["lw", "gibbs", "rejection"];

/// P(intelligence = high | grade = C), by hand.
const HIGH: f64 = 0.078_947_368_421_052_63;

#[test]
fn answers_have_error_bars() {
    let place = place();
    for engine in ENGINES {
        let query =
            ["query", "student.bif", "--target", "intelligence", "--evidence", "grade=C", "--engine", engine];
        let answer = json(&place, &query);
        let p = answer["marginals"]["intelligence"]["high"].as_f64().unwrap();
        let error = answer["standard_errors"]["intelligence"]["high"].as_f64().unwrap();
        assert!((p - HIGH).abs() < 4.0 * error && error < 0.005, "{engine}: {p} {error}");
        assert_eq!((answer["engine"].as_str(), answer["exact"].as_bool()), (Some(engine), Some(false)));
        assert_eq!(answer["converged"], true);
        assert!(answer["sampling"]["effective_size"].as_f64().unwrap() > 1000.0);
        if engine == "gibbs" {
            assert!(answer["ln_evidence"].is_null());
            assert_eq!(answer["sampling"]["chains"], 4);
        } else {
            let error = answer["ln_evidence_standard_error"].as_f64().unwrap();
            let off = (answer["ln_evidence"].as_f64().unwrap() - 0.3496_f64.ln()).abs();
            assert!(off < 4.0 * error && error < 0.02, "{engine}: {off} {error}");
        }
        // The seed decides, and no other engine has errors.
        let seeded = |seed| json(&place, &[&query[..], &["--seed", seed]].concat())["marginals"].clone();
        assert_eq!(seeded("0"), answer["marginals"]);
        assert_ne!(seeded("1"), answer["marginals"]);
    }
    let exact = json(&place, &["query", "student.bif", "--evidence", "grade=C"]);
    assert!(exact.get("standard_errors").is_none() && exact.get("sampling").is_none());
}

#[test]
fn error_bars_in_text() {
    let place = place();
    let seen = ["query", "student.bif", "--evidence", "letter=weak", "sat=good"];
    for engine in ENGINES {
        let answer = text(&place, &[&seen[..], &["--engine", engine, "--draws", "50000"]].concat());
        assert_snapshot!(format!("net {engine}"), answer);
    }
    let joint = ["query", "student.bif", "--target", "grade", "sat", "--joint", "--engine", "gibbs"];
    assert!(text(&place, &joint).contains("grade, sat together"));
}

#[test]
fn what_draws_are_not_worth_is_reported_on_stderr() {
    let place = place();
    let few = ["net", "query", "student.bif", "--evidence", "letter=weak", "--engine", "lw", "--draws", "50"];
    let ran = place.succeed(&few);
    assert!(ran.stderr.starts_with("warning: 50 weighted draws are worth only "), "{}", ran.stderr);
    assert_eq!(place.succeed(&[&few[..], &["--quiet"]].concat()).stderr, "");
    let answer = json(&place, &few[1..]);
    assert!(answer["warnings"][0].as_str().unwrap().contains("worth only"));
    assert_eq!(answer["converged"], false);
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let place = place();
    for engine in ENGINES {
        let findings = ["--evidence", "a = b==", "--evidence", "two words=no"];
        let query = [&["query", "copies.bif", "--engine", engine], &findings[..]].concat();
        refused(&place, &query, "the evidence is impossible", "cannot be true together");
    }
    place.write("ring.uai", "MARKOV\n2\n2 2\n1\n2 0 1\n4\n1 2 3 4\n");
    refused(&place, &["query", "ring.uai", "--engine", "rejection"], "it needs a Bayesian network", "");
    let usage = |arguments: &[&str]| {
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
        ran.stderr
    };
    let query = ["net", "query", "student.bif"];
    let with = |more: &[&str]| usage(&[&query[..], more].concat());
    assert!(with(&["--draws", "9"]).contains("--engine lw, gibbs or rejection"));
    assert!(with(&["--engine", "gibbs", "--draws", "44"]).contains("at least 48"));
    assert!(with(&["--engine", "lw", "--draws", "0"]).contains("--draws"));
    assert!(
        with(&["--engine", "lw", "--belief", "sat=0.5:0.5"])
            .contains("--belief: --engine lw has no use for it")
    );
    place.write("none.evid", "0\n");
    let uai = ["net", "uai", "ring.uai", "none.evid", "PR", "--engine", "gibbs"];
    assert!(usage(&uai).contains("partition function"));
}

#[test]
fn draws_do_not_depend_on_threads() {
    let place = place();
    for engine in ENGINES {
        let run = |threads| {
            let query = ["query", "student.bif", "--evidence", "grade=B", "--engine", engine];
            text(&place, &[&query[..], &["--threads", threads]].concat())
        };
        assert_eq!(run("1"), run("2"));
    }
}
