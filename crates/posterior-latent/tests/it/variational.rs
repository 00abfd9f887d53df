//! Mixtures by variational Bayes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod families;
mod limits;
mod missing;
mod old_faithful;
mod rows;
mod seven_points;
mod sticks;
mod tables;

use posterior_dist::{Conjugate, Entropy, KlDivergence, Stats};
use posterior_inference::variational::CoordinateAscent;
use posterior_latent::variational::{Assignable, BayesianMixture, MixtureAscent, VariationalMixture};
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::ln_sum_exp;

/// ln Σ_z p(z) Π p(x of component k) over all assignments of the points, with ln p(z) of the counts.
fn ln_evidence<F: Conjugate<P>, P>(
    prior: &P,
    fixed: &F::Fixed,
    points: &[&F::Point],
    components: usize,
    ln_prior: impl Fn(&[f64]) -> f64,
) -> f64 {
    let mut terms = Vec::new();
    let mut labels = vec![0; points.len()];
    loop {
        let mut statistics = vec![Stats::<F>::new(fixed.clone()); components];
        for (&label, &point) in labels.iter().zip(points) {
            statistics[label].push(point).unwrap();
        }
        let counts: Vec<f64> = statistics.iter().map(Stats::weight).collect();
        let of_parts: f64 = statistics.iter().map(|part| F::ln_evidence(prior, part).unwrap()).sum();
        terms.push(of_parts + ln_prior(&counts));
        // The next number in the system of so many digits.
        let Some(place) = labels.iter().position(|&label| label + 1 < components) else { break };
        labels[place] += 1;
        labels[..place].fill(0);
    }
    ln_sum_exp(&terms)
}

/// The bound by its short formula, which must be the sum of its terms.
fn bound<F, P, D>(problem: &MixtureAscent<'_, F, P, D>, q: &VariationalMixture<F, P>) -> f64
where
    F: Conjugate<P>,
    P: KlDivergence + Entropy + Clone,
    D: Assignable<F, P>,
{
    let (short, terms) = (problem.elbo(q).unwrap(), q.elbo_terms().unwrap().total());
    assert!((short - terms).abs() <= 1e-11 * terms.abs().max(1.0), "{short} is not the sum of terms {terms}");
    short
}

/// Every update of a fit from `start`: none may lower the bound. The last bound.
fn climb<F, P, D>(
    problem: &MixtureAscent<'_, F, P, D>,
    q: &mut VariationalMixture<F, P>,
    sweeps: usize,
) -> f64
where
    F: Conjugate<P>,
    P: KlDivergence + Entropy + Clone,
    D: Assignable<F, P>,
{
    let mut last = bound(problem, q);
    for _ in 0..sweeps {
        for factor in 0..problem.factors() {
            problem.update(q, factor).unwrap();
            let next = bound(problem, q);
            assert!(next >= last - 1e-11 * last.abs().max(1.0), "{factor}: from {last} to {next}");
            last = next;
        }
    }
    last
}

/// A mixture of two with the responsibilities of component 0.
fn two_proportions(first: &[f64]) -> DMatrix<f64> {
    DMatrix::from_fn(first.len(), 2, |i, k| if k == 0 { first[i] } else { 1.0 - first[i] })
}

fn finite<F: Conjugate<P>, P>(k: usize, alpha: f64, prior: P, fixed: F::Fixed) -> BayesianMixture<F, P> {
    BayesianMixture::finite(k, alpha, prior, fixed).unwrap()
}
