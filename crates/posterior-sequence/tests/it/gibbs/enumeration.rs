//! The posterior of all paths of a few positions, against the kernel and its chains.

use posterior_dist::{Categorical, Conjugate, Dirichlet, Gamma, Poisson, stream::stream};
use posterior_math::log_space::{ln_sum_exp, softmax_in_place};
use posterior_sampling::Run;
use posterior_sequence::bayesian::{BayesianHmm, DirichletRow, Observed};
use posterior_sequence::gibbs::{HmmGibbs, sample};
use posterior_testkit::accuracy::assert_within;
use posterior_testkit::significance::chi_square_p_value;
use rand::RngExt;

use crate::variational::{labellings, ln_joint};

/// False alarms: one in a million seeds for each comparison.
const LEVEL: f64 = 1e-6;

/// p(z | x) of all labellings.
fn posterior<F: Conjugate<P>, P>(model: &BayesianHmm<F, P>, data: &Observed<'_, F::Point>) -> Vec<f64> {
    let mut terms: Vec<f64> =
        labellings(model.states(), data.positions()).map(|labels| ln_joint(model, data, &labels)).collect();
    softmax_in_place(&mut terms);
    terms
}

/// The number of a labelling.
fn number(labels: &[u32], states: usize) -> usize {
    labels.iter().rev().fold(0, |number, &label| number * states + label as usize)
}

/// Paths from their exact distribution, one sweep, and paths of the same distribution again; `twist` changes
/// what the kernel believes.
fn one_sweep<F, P>(
    model: &BayesianHmm<F, P>,
    believed: &BayesianHmm<F, P>,
    data: &Observed<'_, F::Point>,
) -> f64
where
    F: Conjugate<P>,
{
    const DRAWS: usize = 20_000;
    let exact = posterior(model, data);
    let all: Vec<Vec<usize>> = labellings(model.states(), data.positions()).collect();
    let sampler = HmmGibbs::new(believed, data).unwrap();
    let mut rng = stream(9, &[]);
    let mut counts = vec![0; all.len()];
    for _ in 0..DRAWS {
        let mut left = rng.random::<f64>();
        let place = exact.iter().position(|p| {
            left -= p;
            left < 0.0
        });
        let mut state = sampler.begin_at(&all[place.unwrap_or(0)], &mut rng).unwrap();
        sampler.advance(&mut state, &mut rng).unwrap();
        counts[number(state.labels(), model.states())] += 1;
    }
    let expected: Vec<f64> = exact.iter().map(|p| DRAWS as f64 * p).collect();
    chi_square_p_value(&counts, &expected)
}

fn symbols_model(extra: f64) -> BayesianHmm<Categorical, Dirichlet> {
    let row = |alpha: &[f64]| DirichletRow::new(alpha).unwrap();
    let emissions = [[0.9, 0.3], [0.5, 1.2]].map(|alpha| Dirichlet::new(&alpha).unwrap());
    let rows = vec![row(&[1.2 + extra, 0.4]), row(&[0.7, 0.9])];
    BayesianHmm::new(row(&[0.8, 0.5]), rows, emissions.to_vec(), 2).unwrap()
}

#[test]
fn a_sweep_leaves_the_posterior_of_all_paths_alone() {
    let symbols = [vec![Some(0_usize), Some(0), Some(1), None], vec![Some(1), Some(1), Some(0)]];
    let data = Observed::with_gaps(&symbols);
    let p = one_sweep(&symbols_model(0.0), &symbols_model(0.0), &data);
    assert!(p > LEVEL, "{p}");
    // A kernel that believes in stickier states does not.
    let p = one_sweep(&symbols_model(0.0), &symbols_model(0.8), &data);
    assert!(p < LEVEL, "{p}");
}

#[test]
fn zeros_are_kept_and_the_rest_has_its_distribution() {
    let counts = [vec![0_u64, 3, 9, 8], vec![2, 7]];
    let data = Observed::new(&counts);
    let prior = Gamma::shape_rate(1.0, 0.3).unwrap();
    let model = BayesianHmm::<Poisson, _>::symmetric(3, 0.7, prior, ()).unwrap().left_to_right(1).unwrap();
    let p = one_sweep(&model, &model, &data);
    assert!(p > LEVEL, "{p}");
}

/// A long chain visits all paths as often as it should, and the mean likelihood of a new sequence is its
/// predictive probability.
#[test]
fn chains_have_the_distribution_of_all_paths() {
    let symbols = [vec![0_usize, 0, 1, 1], vec![1, 0, 0]];
    let data = Observed::new(&symbols);
    let model = symbols_model(0.0);
    let exact = posterior(&model, &data);
    let sampler = HmmGibbs::new(&model, &data).unwrap();
    let mut rng = stream(4, &[]);
    let mut state = sampler.begin(&mut rng).unwrap();
    let mut counts = vec![0; exact.len()];
    for sweep in 0..60_000 {
        sampler.advance(&mut state, &mut rng).unwrap();
        if sweep % 6 == 5 && sweep > 600 {
            counts[number(state.labels(), 2)] += 1;
        }
    }
    let kept: u64 = counts.iter().sum();
    let expected: Vec<f64> = exact.iter().map(|p| kept as f64 * p).collect();
    let p = chi_square_p_value(&counts, &expected);
    assert!(p > LEVEL, "{p}");
}

#[test]
fn predictions_are_ratios_of_evidences() {
    let ln_evidence = |symbols: &[Vec<usize>]| {
        let (data, model) = (Observed::new(symbols), symbols_model(0.0));
        let all = labellings(2, data.positions()).map(|labels| ln_joint(&model, &data, &labels));
        ln_sum_exp(&all.collect::<Vec<_>>())
    };
    let seen = [vec![0, 0, 1, 1], vec![1, 0, 0]];
    let new = vec![0, 1, 1];
    let whole = [vec![0, 0, 1, 1, 1], vec![1, 0, 0, 0]];
    let (data, model) = (Observed::new(&seen), symbols_model(0.0));
    let run = Run { warm_up: 200, draws: 4000, chains: 2, seed: 2, ..Run::default() };
    let draws = sample(&HmmGibbs::new(&model, &data).unwrap(), &run).unwrap();
    // Standard errors of the means are below 0.003.
    let exact = ln_evidence(&[seen[0].clone(), seen[1].clone(), new.clone()]) - ln_evidence(&seen);
    let sequences = [new];
    let found = draws.ln_predictive(&Observed::new(&sequences)).unwrap();
    assert_within(found[0].exp(), exact.exp(), 0.01);
    let found = draws.ln_forecast(&data, &Observed::new(&whole)).unwrap();
    let first = ln_evidence(&[whole[0].clone(), seen[1].clone()]) - ln_evidence(&seen);
    let second = ln_evidence(&[seen[0].clone(), whole[1].clone()]) - ln_evidence(&seen);
    assert_within(found[0].exp(), first.exp(), 0.01);
    assert_within(found[1].exp(), second.exp(), 0.01);
}
