//! As many states as the data need: their number, and the parameters given the paths.

use serde_json::Value;

use super::{json, numbers, states};
use crate::program::Place;

fn p(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn three_levels_are_three_states() {
    let place = Place::new();
    let level = |i: usize| [0, 6, 14, 6][i / 15 % 4];
    let rows = (0..120).map(|i| format!("{}", level(i) + i * i % 3)).collect::<Vec<_>>().join("\n");
    place.write("levels.csv", format!("x\n{rows}\n"));
    for emission in ["gaussian", "poisson", "categorical"] {
        let fit = [
            "fit",
            "levels.csv",
            "--model",
            "sticky",
            "--emission",
            emission,
            "--iterations",
            "300",
            "--states",
            "8",
            "--out",
            "out",
        ];
        let output = json(&place, &fit);
        let counts = output["posterior_of_states"].as_array().unwrap();
        assert!((counts.iter().map(|own| p(&own["probability"])).sum::<f64>() - 1.0).abs() < 1e-9);
        let path = states(&output["states"][0]);
        let found = output["initial"].as_array().unwrap().len();
        if emission == "gaussian" {
            let three =
                counts.iter().find(|own| own["states"] == 3).map_or(0.0, |own| p(&own["probability"]));
            assert!(three > 0.5, "{counts:?}");
            assert_eq!(found, 3);
            for i in 1..120 {
                assert_eq!(path[i] == path[i - 1], level(i) == level(i - 1), "{i} {path:?}");
            }
            // Mean probabilities given the path, by the concentrations that were reported.
            let (alpha, kappa) = (p(&output["alpha"]), p(&output["kappa"]));
            assert!(alpha > 0.0 && kappa > alpha && p(&output["gamma"]) > 0.0, "{alpha} {kappa}");
            for from in 0..3 {
                let steps = |to: usize| {
                    let is = |pair: &&[u64]| pair[0] == from as u64 && pair[1] == to as u64;
                    path.windows(2).filter(is).count() as f64
                };
                let weight = |to: usize| steps(to) + alpha / 3.0 + if from == to { kappa } else { 0.0 };
                let total: f64 = (0..3).map(weight).sum();
                for (to, found) in numbers(&output["transition"][from]).iter().enumerate() {
                    assert!((found - weight(to) / total).abs() < 1e-12, "{from} {to}");
                }
            }
        }
        assert_eq!(json(&place, &["score", "out", "levels.csv"])["ln_likelihood"], output["ln_likelihood"]);
        assert_eq!(json(&place, &["decode", "out", "levels.csv"])["states"], output["states"]);
    }
    let text =
        place.succeed(&["hmm", "fit", "--model", "sticky", "--iterations", "90", "--states", "4"]).stdout;
    assert!(text.contains("states  "), "{text}");
    for (arguments, words) in [
        (&["--emission", "mixture"][..], "--emission is gaussian"),
        (&["--restarts", "3"], "--restarts"),
        (&["--topology", "left-to-right"], "--topology"),
        (&["--covariance", "tied"], "--covariance"),
    ] {
        let ran = place.run(&[&["hmm", "fit", "levels.csv", "--model", "sticky"], arguments].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{arguments:?} {ran:?}");
    }
}
