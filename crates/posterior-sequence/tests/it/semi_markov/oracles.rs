//! Inference against all segmentations, and against the ordinary chain of states and what is left of them.

use posterior_math::linalg::DMatrix;
use posterior_sequence::chain::{Edges, LinearChain, Transitions};
use posterior_sequence::emission::{Distributions, Emissions};
use posterior_sequence::semi_markov::{Begin, Durations, End, Segment, SemiMarkovModel};
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::significance::chi_square_p_value;

use super::{Model, all_segmentations, random_model, random_symbols, sequence, total, windows};

#[test]
fn everything_is_what_all_segmentations_say() {
    let mut possible = 0;
    for seed in 0..24 {
        for window in windows() {
            let states = 1 + (seed % 3) as usize;
            let model = random_model(states, window, seed);
            let symbols = random_symbols((seed % 7) as usize, seed);
            let all = all_segmentations(&model, &symbols);
            let ln_z = total(&all);
            let found = model.ln_likelihood(&sequence(&symbols)).unwrap();
            if ln_z == f64::NEG_INFINITY {
                assert_eq!(found, ln_z);
                assert!(model.posterior(&sequence(&symbols)).is_err());
                assert!(model.decode(&sequence(&symbols)).is_err());
                continue;
            }
            possible += 1;
            assert_within(found, ln_z, 1e-12);
            let posterior = model.posterior(&sequence(&symbols)).unwrap();
            assert_within(posterior.ln_likelihood, ln_z, 1e-12);
            let (mut at, mut begins) = (vec![0.0; states * symbols.len()], vec![0.0; states * symbols.len()]);
            for (segments, score) in &all {
                let p = (score - ln_z).exp();
                for segment in segments {
                    begins[segment.start * states + segment.state] += p;
                    for t in segment.start..segment.start + segment.length {
                        at[t * states + segment.state] += p;
                    }
                }
            }
            for (place, expected) in at.iter().enumerate() {
                assert_within(posterior.states[place], *expected, 1e-13);
                assert_within(posterior.begins[place], begins[place], 1e-13);
            }
            let best = model.decode(&sequence(&symbols)).unwrap();
            let highest = all.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
            assert_within(best.score, highest, 1e-12);
            let own = all.iter().find(|(segments, _)| *segments == best.segments).unwrap().1;
            assert_within(own, highest, 1e-12);
        }
    }
    assert!(possible > 50, "{possible}");
}

/// The chain on pairs of a state and how many positions are left of it.
fn expansion(model: &Model, symbols: &[usize]) -> (f64, Vec<f64>) {
    let (states, longest) = (model.states(), model.durations().iter().map(Durations::longest).max().unwrap());
    let place = |k: usize, left: usize| k * longest + left - 1;
    let size = states * longest;
    let mut initial = vec![f64::NEG_INFINITY; size];
    let mut steps = DMatrix::from_element(size, size, f64::NEG_INFINITY);
    for k in 0..states {
        let first = match model.window().begin {
            Begin::Running => model.durations()[k].residual(),
            _ => model.durations()[k].clone(),
        };
        for left in 1..=longest {
            initial[place(k, left)] = model.initial()[k].ln() + first.ln_pdf(left);
            if left > 1 {
                steps[(place(k, left), place(k, left - 1))] = 0.0;
            }
            for i in 0..states {
                steps[(place(i, 1), place(k, left))] =
                    model.transitions()[(i, k)].ln() + model.durations()[k].ln_pdf(left);
            }
        }
    }
    let mut densities = vec![0.0; symbols.len() * states];
    model.emissions().ln_densities(symbols, 0..symbols.len(), &mut densities);
    let mut nodes: Vec<f64> = densities.iter().flat_map(|&ln| vec![ln; longest]).collect();
    if model.window().end == End::Segment {
        let last = (symbols.len() - 1) * size;
        for k in 0..states {
            nodes[last + place(k, 2)..=last + place(k, longest)].fill(f64::NEG_INFINITY);
        }
    }
    let transitions = Transitions::from_ln(&steps).unwrap();
    let marginals = LinearChain::new(&initial, Edges::Same(&transitions), &nodes).unwrap().marginals();
    (marginals.ln_z, marginals.nodes.chunks_exact(longest).map(|left| left.iter().sum()).collect())
}

#[test]
fn it_is_the_chain_on_states_and_what_is_left_of_them() {
    for seed in 0..6 {
        for window in windows() {
            let model = random_model(3, window, seed);
            let symbols = random_symbols(120, seed);
            let (ln_z, states) = expansion(&model, &symbols);
            if ln_z == f64::NEG_INFINITY {
                assert_eq!(model.ln_likelihood(&sequence(&symbols)).unwrap(), ln_z);
                continue;
            }
            let found = model.posterior(&sequence(&symbols)).unwrap();
            assert_close(found.ln_likelihood, ln_z, 1e-13);
            for (found, expected) in found.states.iter().zip(&states) {
                assert_within(*found, *expected, 1e-12);
            }
        }
    }
}

/// Durations of a Markov chain make the ordinary model.
#[test]
fn geometric_durations_are_the_ordinary_model() {
    let stay = [0.9, 0.5, 0.3];
    let leave = [[0.0, 0.7, 0.3], [0.6, 0.0, 0.4], [1.0, 0.0, 0.0]];
    let base = random_model(3, super::Window::default(), 3);
    let distributions: Distributions<_> = base.emissions().clone();
    // 0.9^600 is below 1e-27.
    let durations = stay.map(|stay| Durations::geometric(stay, 600).unwrap()).to_vec();
    let steps = DMatrix::from_fn(3, 3, |i, j| leave[i][j]);
    let initial = [0.5, 0.2, 0.3];
    let model = SemiMarkovModel::new(&initial, &steps, durations, distributions.clone()).unwrap();
    let symbols = random_symbols(60, 5);

    let ln_steps =
        DMatrix::from_fn(
            3,
            3,
            |i, j| if i == j { stay[i].ln() } else { ((1.0 - stay[i]) * leave[i][j]).ln() },
        );
    let transitions = Transitions::from_ln(&ln_steps).unwrap();
    let mut nodes = vec![0.0; 180];
    distributions.ln_densities(&symbols, 0..60, &mut nodes);
    let ln_initial = initial.map(f64::ln);
    let chain = LinearChain::new(&ln_initial, Edges::Same(&transitions), &nodes).unwrap().marginals();
    // A long sequence that began before: it makes no difference to what is left of a geometric duration.
    for window in [windows()[0], windows()[2]] {
        let found = model.clone().with_window(window).posterior(&sequence(&symbols)).unwrap();
        assert_close(found.ln_likelihood, chain.ln_z, 1e-13);
        for (found, expected) in found.states.iter().zip(&chain.nodes) {
            assert_within(*found, *expected, 1e-12);
        }
    }
}

/// False alarms: one in a million seeds.
#[test]
fn random_segmentations_have_their_distribution() {
    const DRAWS: usize = 20_000;
    for window in windows() {
        let model = random_model(2, window, 11);
        let symbols = random_symbols(5, 2);
        let mut all = all_segmentations(&model, &symbols);
        let ln_z = total(&all);
        all.retain(|(_, score)| *score > f64::NEG_INFINITY);
        let mut rng = posterior_dist::stream::stream(6, &[]);
        let mut counts = vec![0; all.len()];
        for draw in model.sample(&sequence(&symbols), DRAWS, &mut rng).unwrap() {
            counts[all.iter().position(|(segments, _)| *segments == draw).unwrap()] += 1;
        }
        let expected: Vec<f64> = all.iter().map(|(_, score)| DRAWS as f64 * (score - ln_z).exp()).collect();
        let p = chi_square_p_value(&counts, &expected);
        assert!(p > 1e-6, "{window:?}: {p}");
    }
}

#[test]
fn simulated_segments_have_the_durations_of_their_states() {
    let model = random_model(3, super::Window::default(), 2);
    let segments = model.simulate(60_000, &mut posterior_dist::stream::stream(3, &[]));
    assert!(segments.windows(2).all(|pair| pair[0].start + pair[0].length == pair[1].start));
    let last = segments.last().unwrap();
    assert_eq!(last.start + last.length, 60_000);
    for state in 0..3 {
        let distribution = &model.durations()[state];
        let lengths = segments[..segments.len() - 1].iter().filter(|own| own.state == state);
        let mut counts = vec![0; distribution.longest()];
        lengths.for_each(|own: &Segment| counts[own.length - 1] += 1);
        let all: u64 = counts.iter().sum();
        let expected: Vec<f64> =
            (1..=distribution.longest()).map(|d| all as f64 * distribution.ln_pdf(d).exp()).collect();
        let p = chi_square_p_value(&counts, &expected);
        assert!(all > 1000 && p > 1e-6, "{state}: {p}");
    }
}
