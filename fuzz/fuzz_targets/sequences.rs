//! Hidden Markov models and Markov chains at numbers of any bits: scores, paths and marginals.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_dist::stream::stream;
use posterior_fuzz::Input;
use posterior_latent::gaussian_mixture::Covariances;
use posterior_math::linalg::DMatrix;
use posterior_sequence::emission::{CategoricalEmissions, Emissions, GaussianEmissions, Sequence};
use posterior_sequence::hmm::{Decoding, HiddenMarkovModel, Inference};
use posterior_sequence::markov_chain::MarkovChain;

fn rows(input: &mut Input<'_>, rows: usize, columns: usize) -> DMatrix<f64> {
    let entries: Vec<f64> = (0..rows).flat_map(|_| input.proportions(columns)).collect();
    DMatrix::from_row_slice(rows, columns, &entries)
}

fn answers<E: Emissions>(model: &HiddenMarkovModel<E>, data: &E::Data) {
    let mut inference = Inference::new(model);
    let sequence = Sequence::new(data);
    if let Ok(score) = inference.score(&sequence) {
        let _ = score;
    }
    if let Ok(smoothed) = inference.smooth(&sequence) {
        for &p in smoothed.marginals() {
            assert!(!(p < -1e-9 || p > 1.0 + 1e-9), "marginal {p}");
        }
    }
    let _ = inference.decode(&sequence, Decoding::default());
    let _ = inference.k_best(&sequence, 3);
    let _ = inference.sample_paths(&sequence, 2, &mut stream(1, &[]));
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let kind = input.size(0, 2);
    let (states, symbols, length) = (input.size(1, 4), input.size(1, 4), input.size(0, 8));
    let initial = input.proportions(states);
    match kind {
        0 => {
            let transition = rows(&mut input, states, states);
            let Ok(emissions) = CategoricalEmissions::new(&rows(&mut input, states, symbols)) else { return };
            let data: Vec<usize> = (0..length).map(|_| input.size(0, symbols)).collect();
            if let Ok(model) = HiddenMarkovModel::new(&initial, &transition, emissions) {
                answers(&model, &data);
            }
        }
        1 => {
            let transition = rows(&mut input, states, states);
            let means = DMatrix::from_vec(states, 1, input.numbers(states));
            let variances = input.numbers(states);
            let Ok(emissions) = GaussianEmissions::new(&means, Covariances::Spherical(variances)) else {
                return;
            };
            let data = DMatrix::from_vec(length, 1, input.numbers(length));
            if let Ok(model) = HiddenMarkovModel::new(&initial, &transition, emissions) {
                answers(&model, &data);
            }
        }
        _ => {
            let order = input.size(0, 2);
            let contexts = states.pow(order as u32);
            let flat: Vec<f64> = (0..contexts).flat_map(|_| input.proportions(states)).collect();
            let starts = input.proportions(contexts);
            if let Ok(chain) = MarkovChain::new(states, order, &starts, &flat) {
                let sequence: Vec<usize> = (0..length).map(|_| input.size(0, states)).collect();
                let _ = (chain.ln_probability(&sequence), chain.stationary(), chain.entropy_rate());
                let _ =
                    (chain.predict(&sequence, 3), chain.marginal(3), chain.simulate(5, &mut stream(1, &[])));
            }
        }
    }
});
