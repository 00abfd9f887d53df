//! The sampler itself, with its blocks and streams, draws from the exact posterior of the toy corpus.

use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use posterior_topics::lda::CollapsedGibbs;

use super::toy;

const DRAWS: usize = 300_000;
const SWEEPS_APART: usize = 10;

/// How often each state is met in a chain that is looked at every ten sweeps.
fn visits(groups: usize, seed: u64) -> (usize, Vec<u64>) {
    let corpus = toy::corpus();
    let mut options = toy::options();
    options.groups = Some(groups);
    options.seed = seed;
    let mut chain = CollapsedGibbs::new(&corpus, &options).unwrap();
    let mut visits = vec![0; toy::STATES];
    for _ in 0..DRAWS {
        for _ in 0..SWEEPS_APART {
            chain.sweep();
        }
        visits[toy::state(&chain.assignments())] += 1;
    }
    (chain.groups(), visits)
}

fn p_value(groups: usize) -> f64 {
    // On one thread: the blocks are too small to be worth a second one.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (used, visits) = pool.install(|| visits(groups, 7));
    assert_eq!(used, groups);
    let (posterior, _) = toy::posterior(&toy::corpus(), &toy::options());
    let expected: Vec<f64> = posterior.iter().map(|p| p * DRAWS as f64).collect();
    let p = chi_square_p_value(&visits, &expected);
    println!("{groups} groups: p = {p}");
    p
}

/// The textbook sampler.
#[test]
fn one_group_draws_from_the_exact_posterior() {
    let p = p_value(1);
    assert!(p > LEVEL, "p = {p}");
}

/// Blocks side by side, with the shares of the word groups drawn.
#[test]
fn two_groups_draw_from_the_exact_posterior() {
    let p = p_value(2);
    assert!(p > LEVEL, "p = {p}");
}
