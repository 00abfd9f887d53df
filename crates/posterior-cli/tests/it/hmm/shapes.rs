//! Covariances of several columns, mixtures, and the most probable paths, against sums over all paths.

use std::fmt::Write as _;

use serde_json::Value;

use super::{json, numbers, states};
use crate::program::Place;

/// Two columns: x low, then high, then low again; y goes with x within a stretch.
fn plane() -> String {
    let mut text = String::from("x,y\n");
    for i in 0..60 {
        let (high, wave) = (f64::from(i / 20 % 2), f64::from(i * 7 % 11) / 11.0 - 0.5);
        let noise = f64::from(i * i % 13) / 13.0 - 0.5;
        writeln!(text, "{},{}", 6.0 * high + wave, 3.0 - 2.0 * high + 0.8 * wave + 0.5 * noise).unwrap();
    }
    text
}

/// A normal density, of the first column alone.
fn density(x: f64, mean: f64, variance: f64) -> f64 {
    (-0.5 * (x - mean).powi(2) / variance).exp() / (std::f64::consts::TAU * variance).sqrt()
}

#[test]
fn covariances_have_the_shape_that_was_asked_for() {
    let place = Place::new();
    place.write("plane.csv", plane());
    let mut best = Vec::new();
    for shape in ["full", "tied", "diagonal", "spherical"] {
        let output = json(&place, &["fit", "plane.csv", "--covariance", shape, "--out", shape]);
        let all: Vec<Vec<f64>> = (0..2)
            .map(|state| {
                let covariance = output["emission"][state]["covariance"].as_array().unwrap();
                covariance.iter().flat_map(numbers).collect()
            })
            .collect();
        for own in &all {
            assert_eq!(own[1], own[2]);
            assert_eq!(own[1] == 0.0, matches!(shape, "diagonal" | "spherical"), "{shape} {own:?}");
            assert_eq!(own[0] == own[3], shape == "spherical", "{shape} {own:?}");
        }
        assert_eq!(all[0] == all[1], shape == "tied", "{all:?}");
        assert_eq!(json(&place, &["score", shape, "plane.csv"])["ln_likelihood"], output["ln_likelihood"]);
        best.push(output["ln_likelihood"].as_f64().unwrap());
    }
    // What is freer fits better.
    assert!(best[0] > best[1] && best[0] > best[2] && best[2] > best[3], "{best:?}");
}

#[test]
fn mixtures_are_fitted_saved_and_used() {
    let place = Place::new();
    // In state 0 around -4 or 4, in state 1 around 0.
    let near = |i: usize| f64::from((i * 7 % 10) as u32) / 20.0;
    let value = |i: usize| if i / 30 % 2 == 1 { near(i) } else { [-4.0, 4.0][i * i % 3 % 2] + near(i) };
    let rows = (0..120).map(|i| format!("{}", value(i))).collect::<Vec<_>>().join("\n");
    place.write("humps.csv", format!("x\n{rows}\n"));
    let plain = json(&place, &["fit", "humps.csv"]);
    let output = json(&place, &["fit", "humps.csv", "--emission", "mixture", "--out", "out"]);
    assert!(output["ln_likelihood"].as_f64().unwrap() > plain["ln_likelihood"].as_f64().unwrap() + 20.0);
    assert_eq!(output["emission_kind"], "mixture");
    let path = states(&output["states"][0]);
    assert!((0..4).all(|part| path[30 * part..30 * (part + 1)].iter().all(|&own| own == path[30 * part])));
    assert!(path[0] != path[30] && path[0] == path[60]);
    // Forward in plain numbers, by what was reported.
    let p = |value: &Value| value.as_f64().unwrap();
    let shows = |state: usize, x: f64| -> f64 {
        let own = &output["emission"][state];
        let part = |m: usize| {
            p(&own["weights"][m]) * density(x, p(&own["means"][m][0]), p(&own["covariances"][m][0][0]))
        };
        (0..2).map(part).sum()
    };
    let mut forward: Vec<f64> = (0..2).map(|k| p(&output["initial"][k]) * shows(k, value(0))).collect();
    let mut ln_p = 0.0;
    for i in 1..120 {
        let total: f64 = forward.iter().sum();
        ln_p += total.ln();
        let step =
            |k: usize| (0..2).map(|j| forward[j] / total * p(&output["transition"][j][k])).sum::<f64>();
        forward = (0..2).map(|k| step(k) * shows(k, value(i))).collect();
    }
    ln_p += forward.iter().sum::<f64>().ln();
    assert!((p(&output["ln_likelihood"]) - ln_p).abs() < 1e-9);
    let scored = json(&place, &["score", "out", "humps.csv"]);
    assert_eq!(scored["ln_likelihood"], output["ln_likelihood"]);
    assert_eq!(json(&place, &["decode", "out", "humps.csv"])["states"], output["states"]);
    place.write("drawn.csv", place.succeed(&["hmm", "sample", "out", "-n", "40"]).stdout);
    json(&place, &["score", "out", "drawn.csv"]);
    let text = place.succeed(&["hmm", "fit", "humps.csv", "--emission", "mixture"]).stdout;
    assert!(text.contains("% of ") && text.contains("; "), "{text}");
}

#[test]
fn the_most_probable_paths_are_those_of_all() {
    let place = Place::new();
    let letters = ["x", "y", "x", "x", "z", "y"];
    place.write("letters.csv", format!("letter\n{}\n", letters.join("\n")));
    let fit = ["fit", "letters.csv", "--emission", "categorical", "--pseudocount", "0.5", "--out", "out"];
    let output = json(&place, &fit);
    let p = |own: &Value| own.as_f64().unwrap();
    let mut all: Vec<(f64, Vec<u64>)> = (0..64_u64)
        .map(|code| {
            let path: Vec<u64> = (0..6).map(|t| code >> t & 1).collect();
            let mut weight = p(&output["initial"][path[0] as usize]);
            for (t, letter) in letters.iter().enumerate() {
                let symbol = ["x", "y", "z"].iter().position(|own| own == letter).unwrap();
                weight *= p(&output["emission"][path[t] as usize]["probabilities"][symbol]);
                if t > 0 {
                    weight *= p(&output["transition"][path[t - 1] as usize][path[t] as usize]);
                }
            }
            (weight, path)
        })
        .collect();
    let total: f64 = all.iter().map(|(weight, _)| weight).sum();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let decoded = json(&place, &["decode", "out", "letters.csv", "--best", "100", "--out", "paths"]);
    let best = decoded["best"][0].as_array().unwrap();
    assert_eq!(best.len(), 64);
    for (found, (weight, path)) in best.iter().zip(&all) {
        assert!((p(&found["probability"]) - weight / total).abs() < 1e-12);
        assert!((p(&found["ln_probability"]) - (weight / total).ln()).abs() < 1e-9);
        // Of equally probable paths any may come first.
        let own = all.iter().find(|(_, own)| *own == states(&found["states"])).unwrap();
        assert!((own.0 - weight).abs() < 1e-12 * weight, "{path:?}");
    }
    let different: std::collections::BTreeSet<Vec<u64>> =
        best.iter().map(|found| states(&found["states"])).collect();
    assert_eq!(different.len(), 64);
    assert_eq!(decoded["best"][0][0]["states"], decoded["states"][0]);
    let table = std::fs::read_to_string(place.path("paths/paths.csv")).unwrap();
    assert!(table.starts_with("sequence,path,probability,row,state\n0,1,") && table.lines().count() == 385);
    let text = place.succeed(&["hmm", "decode", "out", "letters.csv", "--best", "2"]).stdout;
    assert!(text.contains("path 2, probability "), "{text}");
    let ran = place.run(&["hmm", "decode", "out", "letters.csv", "--best", "2", "--decode", "posterior"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--best"), "{ran:?}");
}
