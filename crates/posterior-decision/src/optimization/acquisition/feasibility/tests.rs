//! Gains times probabilities, against draws of the function and of what has a bound.

use posterior_dist::stream::stream;
use posterior_gp::{GaussianProcess, Kernel, Noise};
use rand::RngExt;
use rand_distr::StandardNormal;

use super::*;
use crate::optimization::{
    Acquisition, ExpectedImprovement, LnExpectedImprovement, ProbabilityOfImprovement,
};

fn posterior(outputs: &[f64], noise: f64) -> GaussianProcessPosterior {
    let x = DMatrix::from_column_slice(3, 1, &[0.0, 0.5, 1.0]);
    let process = GaussianProcess::new(Kernel::rbf(0.3).unwrap());
    process.condition(&x, outputs, &Noise::known(noise).unwrap()).unwrap()
}

/// Means over 200,000 draws of max(best - f, 0) where both other outcomes keep their bounds, with five
/// standard errors.
#[test]
fn a_gain_counts_where_all_bounds_are_kept() {
    let (function, first, second) = (
        posterior(&[1.0, -0.5, 0.3], 0.01),
        posterior(&[0.2, 0.1, -1.0], 0.01),
        posterior(&[2.0, 0.0, 1.0], 0.1),
    );
    let constraints = [
        ConstraintState { posterior: &first, bound: 0.1 },
        ConstraintState { posterior: &second, bound: 0.5 },
    ];
    let at = DMatrix::from_column_slice(2, 1, &[0.65, 0.4]);
    let state = |best| TrialState {
        posterior: &function,
        best,
        constraints: &constraints,
        trial: 4,
        candidates: &at,
    };
    let rng = &mut stream(3, &[]);
    let scores = |rule: &dyn Acquisition, best| {
        assert!(rule.knows_constraints());
        rule.score(&state(best), &mut stream(0, &[])).unwrap()(&at).unwrap()
    };
    let best = -0.3;
    let gains = scores(&ExpectedImprovement, best);
    let ln_gains = scores(&LnExpectedImprovement, best);
    let probabilities = scores(&ProbabilityOfImprovement::new(0.1).unwrap(), best);
    // While nothing is known that keeps them, that it does is all that counts.
    let feasible = scores(&LnExpectedImprovement, f64::INFINITY);
    let same = [
        scores(&ExpectedImprovement, f64::INFINITY)[0].ln(),
        scores(&ProbabilityOfImprovement::new(0.1).unwrap(), f64::INFINITY)[0],
    ];
    assert!(same.iter().all(|own| (own - feasible[0]).abs() < 1e-14), "{same:?} {feasible:?}");
    for row in 0..2 {
        assert!((ln_gains[row] - gains[row].ln()).abs() < 1e-12);
        let moments = [&function, &first, &second].map(|own| {
            let latent = own.latent(&at).unwrap();
            (latent.mean[row], latent.variance[row].sqrt())
        });
        let draws = 200_000;
        let [mut gain, mut square, mut better, mut kept] = [0.0; 4];
        for _ in 0..draws {
            let [f, a, b] = moments.map(|(mean, sd)| mean + sd * rng.sample::<f64, _>(StandardNormal));
            if a <= 0.1 && b <= 0.5 {
                let own = f64::max(best - f, 0.0);
                gain += own / f64::from(draws);
                square += own * own / f64::from(draws);
                better += f64::from(u8::from(f < best - 0.1)) / f64::from(draws);
                kept += 1.0 / f64::from(draws);
            }
        }
        let limit = 5.0 * (square / f64::from(draws)).sqrt();
        assert!((gains[row] - gain).abs() < limit && gain > limit, "{row}: {} {gain}", gains[row]);
        for (found, p) in [(probabilities[row], better), (feasible[row], kept)] {
            assert!(
                (found.exp() - p).abs() < 5.0 * (p / f64::from(draws)).sqrt(),
                "{row}: {} {p}",
                found.exp()
            );
        }
    }
}

/// ln Φ((bound - mean)/sd) far from the data, where mean and deviation are those of the prior: 0 and 1.
#[test]
fn probabilities_reach_far_into_their_tails() {
    let posterior = posterior(&[0.0; 3], 0.01);
    let far = DMatrix::from_element(1, 1, 1e3);
    // Figures of 30 digits by mpmath.
    for (bound, expected) in [(-0.4, -1.065_434_049_189_576_6), (-20.0, -203.917_155_371_097_26), (40.0, 0.0)]
    {
        let found = ConstraintState { posterior: &posterior, bound }.ln_probability(&far).unwrap()[0];
        assert!((found - expected).abs() <= 1e-14 * f64::abs(expected), "{bound}: {found}");
    }
}
