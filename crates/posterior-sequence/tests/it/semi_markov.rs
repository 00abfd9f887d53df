//! Hidden semi-Markov models: all segmentations, the ordinary model on states and what is left of them,
//! learning.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod durations;
mod edges;
mod learning;
mod oracles;

use posterior_dist::{Categorical, stream::stream};
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::ln_sum_exp;
use posterior_sequence::emission::{Distributions, Emissions, Sequence};
use posterior_sequence::semi_markov::{Begin, Durations, End, Segment, SemiMarkovModel, Window};
use rand::{Rng, RngExt};

type Model = SemiMarkovModel<Distributions<Categorical>>;

/// Probabilities, some of them zero, none of `keep`.
fn weights<R: Rng + ?Sized>(count: usize, keep: usize, rng: &mut R) -> Vec<f64> {
    let weights: Vec<f64> = (0..count)
        .map(|k| if k != keep && rng.random::<f64>() < 0.2 { 0.0 } else { 0.05 + rng.random::<f64>() })
        .collect();
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

/// A model of so many states, durations up to four or five, and three symbols.
fn random_model(states: usize, window: Window, seed: u64) -> Model {
    let mut rng = stream(seed, &[]);
    let mut steps = DMatrix::zeros(states, states);
    for i in 0..states {
        let row = weights(states, (i + 1) % states, &mut rng);
        let row = if i % 2 == 0 && states > 1 {
            // No step to itself.
            let rest: f64 = 1.0 - row[i];
            (0..states).map(|j| if i == j { 0.0 } else { row[j] / rest }).collect()
        } else {
            row
        };
        steps.set_row(i, &DMatrix::from_row_slice(1, states, &row).row(0));
    }
    let durations = (0..states).map(|k| match k % 3 {
        0 => Durations::table(&weights(4, 1, &mut rng)),
        1 => Durations::poisson(1.3, 5),
        _ => Durations::negative_binomial(2.5, 0.4, 4),
    });
    let durations = durations.collect::<Result<Vec<_>, _>>().unwrap();
    let distributions =
        (0..states).map(|_| Categorical::from_probabilities(&weights(3, 0, &mut rng)).unwrap());
    let distributions = Distributions::new(distributions.collect()).unwrap();
    SemiMarkovModel::new(&weights(states, 0, &mut rng), &steps, durations, distributions)
        .unwrap()
        .with_window(window)
}

fn windows() -> [Window; 4] {
    let window = Window::default();
    [
        window,
        Window { end: End::Segment, ..window },
        Window { begin: Begin::Running, ..window },
        Window { begin: Begin::Running, end: End::Segment, ..window },
    ]
}

/// All segmentations of so many positions with their ln p(segments, observations).
fn all_segmentations(model: &Model, symbols: &[usize]) -> Vec<(Vec<Segment>, f64)> {
    let mut all = Vec::new();
    let mut nodes = vec![0.0; symbols.len() * model.states()];
    model.emissions().ln_densities(symbols, 0..symbols.len(), &mut nodes);
    let mut open = vec![(Vec::new(), 0, 0.0)];
    while let Some((segments, start, score)) = open.pop() {
        if start == symbols.len() {
            all.push((segments, score));
            continue;
        }
        for state in 0..model.states() {
            let step = match segments.last() {
                None => model.initial()[state].ln(),
                Some(&Segment { state: before, .. }) => model.transitions()[(before, state)].ln(),
            };
            let distribution = &model.durations()[state];
            let distribution = if start == 0 && model.window().begin == Begin::Running {
                &distribution.residual()
            } else {
                distribution
            };
            let mut seen = 0.0;
            for length in 1..=symbols.len() - start {
                seen += nodes[(start + length - 1) * model.states() + state];
                let ends = start + length == symbols.len();
                let duration = if ends && model.window().end == End::Running {
                    distribution.ln_survival(length)
                } else {
                    distribution.ln_pdf(length)
                };
                let total = score + step + seen + duration;
                if total > f64::NEG_INFINITY {
                    let mut segments: Vec<Segment> = segments.clone();
                    segments.push(Segment { state, start, length });
                    open.push((segments, start + length, total));
                }
            }
        }
    }
    all
}

fn total(all: &[(Vec<Segment>, f64)]) -> f64 {
    ln_sum_exp(&all.iter().map(|(_, score)| *score).collect::<Vec<_>>())
}

fn random_symbols(positions: usize, seed: u64) -> Vec<usize> {
    let mut rng = stream(seed, &[1]);
    (0..positions).map(|_| rng.random_range(0..3)).collect()
}

fn sequence(symbols: &[usize]) -> Sequence<'_, [usize]> {
    Sequence::new(symbols)
}

#[cfg(feature = "serde")]
#[test]
fn models_are_read_back_to_the_bit_and_checked() {
    for (seed, window) in windows().into_iter().enumerate() {
        for states in 1..5 {
            let model = random_model(states, window, seed as u64);
            let text = serde_json::to_string(&model).unwrap();
            assert_eq!(serde_json::from_str::<Model>(&text).unwrap(), model);
        }
    }
    let value = serde_json::to_value(random_model(3, Window::default(), 1)).unwrap();
    for (field, wrong) in [
        ("ln_initial", serde_json::json!([0.0, 0.0, 0.0])),
        ("ln_initial", serde_json::json!([0.0])),
        ("ln_transition", serde_json::json!([[0.0, null, null]])),
        ("durations", serde_json::json!([])),
        ("more", 1.into()),
    ] {
        let mut changed = value.clone();
        changed[field] = wrong;
        assert!(serde_json::from_value::<Model>(changed).is_err(), "{field}");
    }
    for wrong in [
        serde_json::json!({"table": {"ln_probabilities": [-1.0, null]}}),
        serde_json::json!({"poisson": {"rate": -1.0, "longest": 4}}),
        serde_json::json!({"poisson": {"rate": 1.0, "longest": 0}}),
        serde_json::json!({"gamma": {"rate": 1.0, "longest": 4}}),
    ] {
        assert!(serde_json::from_value::<Durations>(wrong.clone()).is_err(), "{wrong}");
    }
}
