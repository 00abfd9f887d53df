//! The expectation of an exponential family, against draws.

use std::borrow::Borrow;

use posterior_dist::{FisherInformation, stream::stream};
use rand::distr::Distribution;

const DRAWS: usize = 20_000;

/// Standard errors by which an average may miss: a false alarm in sixty million seeds for each coordinate of
/// the statistic.
const ERRORS: f64 = 5.5;

/// The average statistic of 20,000 draws is the expectation, within standard errors of which the Fisher
/// information, the covariance of the statistic, has the size.
///
/// # Panics
/// If it is not.
#[track_caller]
pub fn expectation_is_the_average<F, P>(distribution: &F, seed: u64)
where
    F: FisherInformation + Distribution<P>,
    P: Borrow<F::Point>,
{
    let fixed = distribution.fixed();
    let mut sum = vec![0.0; F::statistic_len(&fixed)];
    let mut rng = stream(seed, &[]);
    for _ in 0..DRAWS {
        F::add_statistic(&fixed, distribution.sample(&mut rng).borrow(), 1.0, &mut sum);
    }
    let (expectation, information) = (distribution.expectation(), distribution.fisher_information());
    for (index, (total, mean)) in sum.iter().zip(expectation.as_slice()).enumerate() {
        let average = total / DRAWS as f64;
        let error = (information[(index, index)] / DRAWS as f64).sqrt();
        let missed = (average - mean).abs();
        let bound = ERRORS * error + 1e-12 * mean.abs();
        assert!(
            missed <= bound,
            "{distribution:?}: E T[{index}] = {mean}, and the average is {average} ± {error}"
        );
    }
}
