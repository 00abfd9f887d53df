//! Two states for English letters: vowels with the space, and consonants (Cave and Neuwirth 1980).

use posterior_inference::em::EmOptions;
use posterior_latent::mixture::MaximumLikelihood;
use posterior_math::linalg::DMatrix;
use posterior_sequence::baum_welch::{BaumWelch, BaumWelchOptions, InitialUpdate, StepUpdate};
use posterior_sequence::cipher::{Ciphertext, EmissionOptions, Language, Letters, Spaces, fit_emissions};
use posterior_sequence::emission::{CategoricalEmissions, Sequences};
use posterior_sequence::hmm::HiddenMarkovModel;
use posterior_testkit::shared::shared_file;
use rand::RngExt;

/// Rows of random numbers around equal ones, with sum 1.
fn nearly_even(rows: usize, columns: usize, rng: &mut impl rand::Rng) -> DMatrix<f64> {
    let mut matrix = DMatrix::from_fn(rows, columns, |_, _| 0.8 + 0.4 * rng.random::<f64>());
    for mut row in matrix.row_iter_mut() {
        let sum = row.sum();
        row /= sum;
    }
    matrix
}

#[test]
fn two_states_are_vowels_and_consonants() {
    let Some(file) = shared_file("vowels and consonants", "data/sequence/english_lm.txt") else { return };
    let text = std::fs::read_to_string(file).unwrap();
    let letters = Letters::english();
    let symbols = letters.read(&text[..30_000]);
    let sequences = Sequences::one(&symbols[..]);
    let em = EmOptions { max_iterations: 150, tolerance: 1e-7, ..EmOptions::default() };
    let problem =
        BaumWelch::new(&sequences, MaximumLikelihood, BaumWelchOptions { em, ..BaumWelchOptions::default() })
            .unwrap();
    let found = problem
        .fit_best(4, 1, |rng| {
            let emissions = CategoricalEmissions::new(&nearly_even(2, 27, rng))?;
            HiddenMarkovModel::new(&[0.5, 0.5], &nearly_even(2, 2, rng), emissions)
        })
        .unwrap();
    assert!(found.best.report.falls.is_empty());
    let model = &found.best.model.hmm;
    let emissions = model.emissions();
    let state = |c: char| {
        let symbol = letters.index(c).unwrap();
        usize::from(emissions.probability(1, symbol) > emissions.probability(0, symbol))
    };
    let vowel = state('e');
    assert!("aeiou ".chars().all(|c| state(c) == vowel));
    let consonants = "bcdfghjklmnpqrstvwxz".chars().filter(|&c| state(c) != vowel).count();
    assert!(consonants >= 18, "{consonants} of 20");
    // After a consonant comes a vowel more often than not, and the other way round.
    let transition = model.transition();
    assert!(transition[(vowel, 1 - vowel)] > 0.5 && transition[(1 - vowel, vowel)] > 0.5, "{transition}");
}

#[test]
fn a_cipher_is_learned_as_by_baum_welch_with_fixed_steps() {
    let language =
        Language::from_text("the cat and the dog met the cat that ate the hat and the mad ham", 2).unwrap();
    let cipher = Ciphertext::read("uif dbu nfu uif eph uibu buf uif ibn", Spaces::Kept, &language).unwrap();
    let options = EmissionOptions { starts: 1, ..EmissionOptions::default() };
    let steps = |n: usize| {
        let em = EmOptions { max_iterations: n, tolerance: 1e-300, ..EmOptions::default() };
        fit_emissions(&cipher, &language, &EmissionOptions { em, ..options }, 5).unwrap()
    };
    let (few, more) = (steps(3), steps(6));
    let sequences = Sequences::one(cipher.symbols());
    let fixed = BaumWelchOptions {
        initial: InitialUpdate::Fixed,
        steps: StepUpdate::Fixed,
        em: EmOptions { max_iterations: 3, tolerance: 1e-300, ..EmOptions::default() },
        ..BaumWelchOptions::default()
    };
    let problem = BaumWelch::new(&sequences, MaximumLikelihood, fixed).unwrap();
    let emissions = CategoricalEmissions::new(&few.emissions).unwrap();
    let start = HiddenMarkovModel::new(&language.unigram(), &language.bigram(), emissions).unwrap();
    let fitted = problem.fit(start, &mut posterior_math::iteration::Silent).unwrap();
    for (other, own) in fitted.report.trace.iter().zip(&more.report.trace[3..]) {
        assert!((other - own).abs() < 1e-10 * own.abs(), "{other} {own}");
    }
    let learned = fitted.model.hmm.emissions().probabilities();
    assert!((learned - &more.emissions).amax() < 1e-10);
}
