//! Batches, in any order, and back.

use posterior_regression::linear::{LinearData, WeightPrior, known_noise};
use proptest::prelude::*;

use super::{all_close, case, close};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// One batch after the other is all at once, in any order; what is forgotten was never there.
    #[test]
    fn batches_are_all_at_once(
        seed in 0..1000_u64,
        rows in 2..14_usize,
        features in 1..8_usize,
        proportion in 0.0..1.0,
    ) {
        let case = case(seed, rows, features);
        let cut = 1 + ((rows - 1) as f64 * proportion) as usize;
        let (first, second) = (case.design.rows(0, cut).into_owned(), case.design.rows(cut, rows - cut).into_owned());
        let first = LinearData::new(&first, &case.response[..cut]).unwrap();
        let second = LinearData::new(&second, &case.response[cut..]).unwrap();
        let data = LinearData::new(&case.design, &case.response).unwrap();
        let all = known_noise(&data, &case.prior, case.noise_variance).unwrap();
        let start = known_noise(&first, &case.prior, case.noise_variance).unwrap();
        let forward = start.update(&second).unwrap();
        let other = known_noise(&second, &case.prior, case.noise_variance).unwrap();
        let back = other.update(&first).unwrap();
        for steps in [&forward, &back] {
            all_close(steps.mean().iter(), all.mean().iter(), 1e-8);
            all_close(steps.covariance().iter(), all.covariance().iter(), 1e-8);
            close(steps.ln_evidence().unwrap(), all.ln_evidence().unwrap(), 1e-9);
            close(steps.effective_parameters(), all.effective_parameters(), 1e-8);
        }
        let forgotten = all.forget(&second).unwrap();
        all_close(forgotten.mean().iter(), start.mean().iter(), 1e-8);
        all_close(forgotten.covariance().iter(), start.covariance().iter(), 1e-8);
        close(forgotten.ln_evidence().unwrap(), start.ln_evidence().unwrap(), 1e-8);
    }
}

#[test]
fn what_was_not_there_cannot_be_forgotten() {
    let case = case(1, 6, 2);
    let data = LinearData::new(&case.design, &case.response).unwrap();
    let prior = WeightPrior::isotropic(2, 1.0).unwrap();
    let posterior = known_noise(&data, &prior, 1.0).unwrap();
    let twice = posterior.forget(&data).unwrap();
    all_close(twice.covariance().iter(), [1.0, 0.0, 0.0, 1.0].iter(), 1e-10);
    assert!(twice.forget(&data).is_err());
}
