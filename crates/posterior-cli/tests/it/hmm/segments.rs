//! Models of segments: the likelihood against all segmentations, and the whole way from fit to draws.

use serde_json::Value;

use super::{json, numbers, states};
use crate::program::Place;

fn p(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The probabilities of 1, 2, … rows up to `longest`, by what was reported.
fn durations(own: &Value, longest: usize) -> Vec<f64> {
    let mut term = 1.0;
    let weights: Vec<f64> = match own["family"].as_str().unwrap() {
        "table" => numbers(&own["probabilities"]),
        "poisson" => (0..longest)
            .map(|n| {
                term *= if n == 0 { 1.0 } else { p(&own["rate"]) / n as f64 };
                term
            })
            .collect(),
        _ => (0..longest)
            .map(|n| {
                let factor = (p(&own["size"]) + n as f64 - 1.0) / n as f64 * p(&own["stay"]);
                term *= if n == 0 { 1.0 } else { factor };
                term
            })
            .collect(),
    };
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

#[test]
fn likelihoods_are_sums_over_all_segmentations() {
    let place = Place::new();
    let letters = ["x", "x", "x", "y", "y", "x", "x", "y", "x", "y"];
    place.write("letters.csv", format!("letter\n{}\n", letters.join("\n")));
    for family in ["table", "poisson", "negative-binomial"] {
        let fit = [
            "fit",
            "letters.csv",
            "--emission",
            "categorical",
            "--model",
            "semi-markov",
            "--duration",
            family,
            "--longest",
            "4",
            "--pseudocount",
            "0.3",
            "--iterations",
            "3",
            "--out",
            "out",
        ];
        let output = json(&place, &fit);
        assert_eq!(
            (&output["model"], &output["durations"][0]["family"]),
            (&"semi-markov".into(), &family.into())
        );
        let lasts: Vec<Vec<f64>> = (0..2).map(|state| durations(&output["durations"][state], 4)).collect();
        for (state, lasts) in lasts.iter().enumerate() {
            let mean: f64 = lasts.iter().enumerate().map(|(n, p)| (n + 1) as f64 * p).sum();
            assert!((mean - p(&output["durations"][state]["mean"])).abs() < 1e-9);
            assert_eq!(p(&output["transition"][state][state]), 0.0);
        }
        let shows = |state: usize, t: usize| {
            p(&output["emission"][state]["probabilities"][usize::from(letters[t] == "y")])
        };
        // Weights of what is before position t, by the state of the next segment.
        let mut open: Vec<(usize, usize, f64)> = (0..2).map(|k| (0, k, p(&output["initial"][k]))).collect();
        let (mut total, mut best) = (0.0, (0.0, 0));
        while let Some((start, state, weight)) = open.pop() {
            let mut weight = weight;
            for length in 1..=4.min(letters.len() - start) {
                weight *= shows(state, start + length - 1);
                let end = start + length;
                if end == letters.len() {
                    // The last segment may go on.
                    let own = weight * lasts[state][length - 1..].iter().sum::<f64>();
                    total += own;
                    best = if own > best.0 { (own, state) } else { best };
                } else {
                    let step = p(&output["transition"][state][1 - state]);
                    open.push((end, 1 - state, weight * lasts[state][length - 1] * step));
                }
            }
        }
        assert!((p(&output["ln_likelihood"]) - total.ln()).abs() < 1e-9, "{family}");
        assert_eq!(states(&output["states"][0]).last(), Some(&(best.1 as u64)));
        let scored = json(&place, &["score", "out", "letters.csv"]);
        assert_eq!(scored["ln_likelihood"], output["ln_likelihood"]);
        let decoded = json(&place, &["decode", "out", "letters.csv"]);
        assert_eq!(decoded["states"], output["states"]);
        json(&place, &["decode", "out", "letters.csv", "--decode", "posterior"]);
        place.write("drawn.csv", place.succeed(&["hmm", "sample", "out", "-n", "30"]).stdout);
        json(&place, &["score", "out", "drawn.csv"]);
    }
}

#[test]
fn stays_of_one_length_are_found() {
    let place = Place::new();
    // Five rows low, five rows high, and so on.
    let row = |i: usize| format!("{}\n", 4 * (i / 5 % 2) + i * 7 % 3);
    place.write("pulse.csv", format!("x\n{}", (0..100).map(row).collect::<String>()));
    let plain = json(&place, &["fit", "pulse.csv"]);
    let semi = ["fit", "pulse.csv", "--model", "semi-markov", "--longest", "20"];
    for more in [&["--duration", "table"][..], &["--duration", "poisson"], &[], &["--emission", "mixture"]] {
        let output = json(&place, &[&semi[..], more].concat());
        let mean = p(&output["durations"][0]["mean"]);
        assert!((4.0..=6.5).contains(&mean), "{more:?} {mean}");
        if !more.contains(&"mixture") {
            assert!(p(&output["ln_likelihood"]) > p(&plain["ln_likelihood"]) + 10.0, "{more:?}");
        }
        let trace = numbers(&output["trace"]);
        assert!(trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9));
    }
    let text = place.succeed(&["hmm", "fit", "pulse.csv", "--model", "semi-markov", "--out", "out"]).stdout;
    assert!(text.contains("stays"), "{text}");
    for (arguments, words) in [
        (&["fit", "pulse.csv", "--model", "semi-markov", "--states", "1"][..], "at least 2"),
        (&["fit", "pulse.csv", "--longest", "5"], "--longest"),
        (&["fit", "pulse.csv", "--model", "semi-markov", "--topology", "left-to-right"], "--topology"),
        (&["decode", "out", "pulse.csv", "--best", "3"], "one of segments"),
    ] {
        let ran = place.run(&[&["hmm"], arguments].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{arguments:?} {ran:?}");
    }
}
