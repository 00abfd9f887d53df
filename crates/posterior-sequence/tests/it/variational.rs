//! Variational Bayes of hidden Markov models: bounds against enumeration, monotone ascent, zeros that stay
//! zero, other programs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod enumeration;
mod limits;
mod peers;
mod properties;

use posterior_dist::{Conjugate, KlDivergence, Stats};
use posterior_inference::variational::CoordinateAscent;
use posterior_sequence::bayesian::{BayesianHmm, Observed};
use posterior_sequence::variational::{VariationalHmm, VariationalProblem};

/// Sweeps; the bound never falls by more than rounding at any update. The last bound.
fn climb<F, P>(problem: &VariationalProblem<'_, F, P>, q: &mut VariationalHmm<F, P>, sweeps: usize) -> f64
where
    F: Conjugate<P> + Sync,
    F::Point: Sync,
    F::Fixed: Send + Sync,
    F::Summary: Send + Sync,
    P: KlDivergence + Clone + Sync,
{
    let mut bound = problem.elbo(q).unwrap();
    for _ in 0..sweeps {
        for factor in 0..problem.factors() {
            problem.update(q, factor).unwrap();
            let next = problem.elbo(q).unwrap();
            let rounding = 1e-10 * bound.abs().max(1.0);
            assert!(next >= bound - rounding, "{} {factor}: {bound} {next}", problem.factor_name(factor));
            bound = next;
        }
    }
    bound
}

/// ln p(x, z) of one labelling of all positions, parameters integrated out.
pub(crate) fn ln_joint<F: Conjugate<P>, P>(
    model: &BayesianHmm<F, P>,
    data: &Observed<'_, F::Point>,
    labels: &[usize],
) -> f64 {
    let states = model.states();
    let (mut initial, mut steps) = (vec![0.0; states], vec![vec![0.0; states]; states]);
    let mut statistics = vec![Stats::<F>::new(model.fixed().clone()); states];
    for sequence in 0..data.sequences() {
        let path = &labels[data.range(sequence)];
        if let Some(&first) = path.first() {
            initial[first] += 1.0;
        }
        for step in path.windows(2) {
            steps[step[0]][step[1]] += 1.0;
        }
        for (&state, point) in path.iter().zip(data.points(sequence)) {
            if let Some(point) = point {
                statistics[state].push(point).unwrap();
            }
        }
    }
    let rows = model.rows().iter().zip(&steps).map(|(row, counts)| row.ln_evidence(counts).unwrap());
    let emissions =
        statistics.iter().enumerate().map(|(k, stats)| F::ln_evidence(model.emission(k), stats).unwrap());
    model.initial().ln_evidence(&initial).unwrap() + rows.sum::<f64>() + emissions.sum::<f64>()
}

/// All labellings of so many positions: the first position changes fastest.
pub(crate) fn labellings(states: usize, positions: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..states.pow(positions as u32)).map(move |mut number| {
        (0..positions)
            .map(|_| {
                let digit = number % states;
                number /= states;
                digit
            })
            .collect()
    })
}
