//! Conditional random fields against all labellings, and their gradient against differences.

use posterior::dist::stream::stream;
use posterior::math::log_space::ln_sum_exp;
use posterior::math::optimize::Objective as _;
use posterior::sequence::crf::{
    ConditionalRandomField, CrfObjective, Dataset, FeatureOptions, Features, LabelEnds, WeightChoice,
};
use rand::RngExt;

use super::Outcome;
use crate::row::{Comparison, Row};

/// The objective of a conditional random field by all labellings, and its gradient by differences.
pub(super) fn rows() -> Outcome<Vec<Row>> {
    let mut data = Dataset::new();
    for (words, labels) in [
        (["the", "old", "dog", "barks"], ["D", "A", "N", "V"]),
        (["a", "dog", "the", "bark"], ["D", "N", "D", "N"]),
    ] {
        let mut sentence = data.sequence();
        for (t, word) in words.iter().enumerate() {
            let before = if t > 0 { words[t - 1] } else { "" };
            sentence.present([format!("w={word}"), format!("before={before}")])?;
        }
        let sentence = sentence.finish();
        data.push(sentence, labels)?;
    }
    let options = FeatureOptions {
        states: WeightChoice::All,
        transitions: WeightChoice::All,
        ends: LabelEnds::Weighted,
        ..FeatureOptions::default()
    };
    let features = Features::select(&data, &options)?;
    let mut rng = stream(3, &[]);
    let [mut values, mut slopes] = [Comparison::default(); 2];
    for _ in 0..5 {
        let weights: Vec<f64> = (0..features.len()).map(|_| rng.random_range(-1.5..1.5)).collect();
        let evaluate = |weights: &[f64]| -> Outcome<(f64, Vec<f64>)> {
            let mut gradient = vec![0.0; weights.len()];
            let value = CrfObjective::new(&data, &features, 0.1)?.evaluate(weights, &mut gradient);
            Ok((value, gradient))
        };
        let model =
            ConditionalRandomField::new(data.vocabulary().clone(), features.clone(), weights.clone())?;
        let mut expected = 0.1 * weights.iter().map(|w| w * w).sum::<f64>();
        for (sequence, labels) in data.sequences().iter().zip(data.labels()) {
            let scores = model.scores(sequence);
            let all: Vec<f64> = (0..256_usize)
                .map(|code| scores.score(&[code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3]))
                .collect::<Result<_, _>>()?;
            expected += ln_sum_exp(&all) - scores.score(labels)?;
        }
        values.see(evaluate(&weights)?.0, expected);
        let (_, gradient) = evaluate(&weights)?;
        for (i, slope) in gradient.iter().enumerate() {
            let at = |step: f64| -> Outcome<f64> {
                let mut moved = weights.clone();
                moved[i] += step;
                Ok(evaluate(&moved)?.0)
            };
            let h = 1e-3;
            slopes.see(*slope, (8.0 * (at(h)? - at(-h)?) - at(2.0 * h)? + at(-2.0 * h)?) / (12.0 * h));
        }
    }
    let on = "two sentences of four words, four labels, 5 weightings";
    Ok(vec![
        values.exact(
            "objective of a conditional random field",
            ["messages", "all 256 labellings"],
            on,
            "1e-13 (`posterior-sequence/crf/objective.rs`)",
        ),
        slopes.numerical(
            "its gradient",
            ["expected counts", "differences of five points"],
            on,
            "1e-13 by the tape (`posterior-sequence/crf/objective.rs`)",
        ),
    ])
}
