//! Variational Bayes of hidden Markov models against all paths.

use posterior::dist::stream::stream;
use posterior::dist::{Conjugate, Gamma, Poisson, Stats};
use posterior::inference::variational::CoordinateAscent;
use posterior::math::log_space::ln_sum_exp;
use posterior::sequence::bayesian::{BayesianHmm, Observed};
use posterior::sequence::variational::VariationalProblem;

use super::Outcome;
use crate::row::{Gaps, Row};

/// Variational Bayes below the sum over all paths, parameters integrated out.
pub(super) fn row() -> Outcome<Row> {
    let counts = [vec![0_u64, 1, 0, 9, 12], vec![0, 2, 11]];
    let (data, prior) = (Observed::new(&counts), Gamma::shape_rate(1.0, 0.3)?);
    let mut gaps = Gaps::default();
    for states in [1, 2, 3] {
        let model = BayesianHmm::<Poisson, _>::symmetric(states, 0.7, prior, ())?;
        let exact = all_paths(&model, &data)?;
        let problem = VariationalProblem::new(&model, &data)?;
        let mut best = f64::NEG_INFINITY;
        for seed in 0..5 {
            let mut q = problem.random_start(&mut stream(seed, &[5]))?;
            for _ in 0..100 {
                (0..problem.factors()).try_for_each(|factor| problem.update(&mut q, factor))?;
            }
            best = best.max(problem.elbo(&q)?);
        }
        gaps.see(best, exact);
    }
    Ok(gaps.row(
        "evidence of a hidden Markov model from below",
        ["variational Bayes, best of 5 starts", "sum over all paths"],
        "8 counts, 1, 2 and 3 states",
        "bound; exact with one state (`posterior-sequence/variational/enumeration.rs`)",
    ))
}

/// ln p(x): each path has an evidence of its own.
fn all_paths(model: &BayesianHmm<Poisson, Gamma>, data: &Observed<'_, u64>) -> Outcome<f64> {
    let (states, positions) = (model.states(), data.positions());
    let mut terms = Vec::new();
    for code in 0..states.pow(positions as u32) {
        let labels: Vec<usize> = (0..positions).map(|t| code / states.pow(t as u32) % states).collect();
        let (mut initial, mut steps) = (vec![0.0; states], vec![vec![0.0; states]; states]);
        let mut shown = vec![Stats::<Poisson>::new(()); states];
        for sequence in 0..data.sequences() {
            let path = &labels[data.range(sequence)];
            path.first().into_iter().for_each(|&first| initial[first] += 1.0);
            path.windows(2).for_each(|step| steps[step[0]][step[1]] += 1.0);
            for (&state, point) in path.iter().zip(data.points(sequence)) {
                point.map_or(Ok(()), |point| shown[state].push(point))?;
            }
        }
        let mut term = model.initial().ln_evidence(&initial)?;
        for k in 0..states {
            term +=
                model.rows()[k].ln_evidence(&steps[k])? + Poisson::ln_evidence(model.emission(k), &shown[k])?;
        }
        terms.push(term);
    }
    Ok(ln_sum_exp(&terms))
}
