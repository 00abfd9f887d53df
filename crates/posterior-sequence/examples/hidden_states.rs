//! A hidden Markov model of a series: a fit that begins with a mixture, a saved model, states of new data.
//!
//! `cargo run -p posterior-sequence --features serde --example hidden_states`
#![expect(clippy::panic_in_result_fn, reason = "the example checks what it reads back")]

use posterior_sequence::baum_welch::{BaumWelch, BaumWelchOptions};
use posterior_sequence::dist::stream::stream;
use posterior_sequence::emission::{GaussianEmissions, GaussianEstimate, Sequence, Sequences};
use posterior_sequence::hmm::{Decoding, HiddenMarkovModel, Inference};
use posterior_sequence::latent::Observations;
use posterior_sequence::latent::gaussian_mixture::{
    Covariances, GaussianMixtureOptions, GaussianMixtureProblem,
};
use posterior_sequence::math::iteration::Silent;
use posterior_sequence::math::linalg::DMatrix;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Minutes between the eruptions of a geyser: short and long pauses, drawn from a model of two states.
    let transition = DMatrix::from_row_slice(2, 2, &[0.2, 0.8, 0.6, 0.4]);
    let means = DMatrix::from_column_slice(2, 1, &[55.0, 80.0]);
    let pauses = GaussianEmissions::new(&means, Covariances::Spherical(vec![36.0, 36.0]))?;
    let truth = HiddenMarkovModel::new(&[0.5, 0.5], &transition, pauses)?;
    let (_, minutes) = truth.simulate(300, &mut stream(1, &[]));

    // The fit begins with a mixture of two normal distributions, which knows nothing of the order.
    let rows = Observations::new(&minutes)?;
    let mixture = GaussianMixtureProblem::new(&rows, GaussianMixtureOptions::default())?.fit_best(2, 5, 1)?;
    let mixture = mixture.best.model.mixture;
    let emissions = GaussianEmissions::from_mixture(&mixture);
    let start = HiddenMarkovModel::from_weights(mixture.weights().probabilities(), 0.0, emissions)?;

    let sequences = Sequences::one(&minutes);
    let estimate = GaussianEstimate::with_floor(&sequences, 1e-6)?;
    let problem = BaumWelch::new(&sequences, estimate, BaumWelchOptions::default())?;
    let fitted = problem.fit(start, &mut Silent)?.model.hmm;
    println!(
        "pauses of the states:{:.1}steps between them:{:.2}",
        fitted.emissions().means(),
        fitted.transition()
    );

    // Read back to the same bits.
    let saved = serde_json::to_string(&fitted)?;
    let read: HiddenMarkovModel<GaussianEmissions> = serde_json::from_str(&saved)?;
    assert_eq!(read, fitted);

    let new = DMatrix::from_column_slice(5, 1, &[81.0, 52.0, 78.0, 60.0, 85.0]);
    let path = Inference::new(&read).decode(&Sequence::new(&new), Decoding::Viterbi)?;
    println!("states of a new series: {:?}", path.states);
    Ok(())
}
