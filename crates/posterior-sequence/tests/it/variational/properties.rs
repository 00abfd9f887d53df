//! No update lowers the bound; zeros stay zero; gaps; threads.

use posterior_dist::{Categorical, Dirichlet, Gamma, Normal, NormalGamma, Poisson, stream::stream};
use posterior_inference::variational::AscentOptions;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_sequence::bayesian::{BayesianHmm, DirichletRow, Observed};
use posterior_sequence::variational::VariationalProblem;
use posterior_testkit::accuracy::{assert_close, assert_within};
use proptest::prelude::*;

use super::climb;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_update_lowers_the_bound_of_symbols(
        symbols in prop::collection::vec(prop::collection::vec(prop::option::of(0_usize..4), 0..9), 1..4),
        alpha in prop_oneof![0.05..3.0_f64, Just(1e-3), Just(1e-5)],
        beta in prop_oneof![0.05..3.0_f64, Just(1e-4)],
        seed in 0_u64..1000,
    ) {
        let data = Observed::with_gaps(&symbols);
        let prior = Dirichlet::symmetric(4, beta).unwrap();
        let model = BayesianHmm::<Categorical, _>::symmetric(3, alpha, prior, 4).unwrap();
        let problem = VariationalProblem::new(&model, &data).unwrap();
        let mut q = problem.random_start(&mut stream(seed, &[])).unwrap();
        climb(&problem, &mut q, 15);
        for i in 0..3 {
            assert_within(q.mean_transitions().row(i).sum(), 1.0, 1e-14);
        }
        assert_within(q.counts().iter().sum::<f64>(), data.positions() as f64, 1e-11);
    }

    #[test]
    fn no_update_lowers_the_bound_of_numbers(
        numbers in prop::collection::vec(-5.0..5.0_f64, 1..15),
        zeros in prop::collection::vec(any::<bool>(), 9),
        alpha in 0.05..3.0_f64,
    ) {
        let allowed = DMatrix::from_fn(3, 3, |i, j| f64::from(u8::from(i == j || zeros[3 * i + j])));
        let prior = NormalGamma::new(0.0, 0.3, 1.5, 0.4).unwrap();
        let model = BayesianHmm::<Normal, _>::symmetric(3, alpha, prior, ()).unwrap().with_allowed(&allowed).unwrap();
        let sequences = [numbers];
        let data = Observed::new(&sequences);
        let problem = VariationalProblem::new(&model, &data).unwrap();
        let mut q = problem.mixture_start(&mut stream(1, &[])).unwrap();
        climb(&problem, &mut q, 15);
        let mean = q.mean_transitions();
        for step in 0..9 {
            let place = (step / 3, step % 3);
            prop_assert!(allowed[place] == 1.0 || (mean[place] == 0.0 && q.paths().steps[place] == 0.0));
        }
    }
}

#[test]
fn gaps_alone_change_nothing() {
    let prior = Gamma::shape_rate(2.0, 1.0).unwrap();
    let model = BayesianHmm::<Poisson, _>::symmetric(2, 0.6, prior, ()).unwrap();
    let nothing: [Vec<Option<u64>>; 2] = [vec![None; 4], vec![]];
    let data = Observed::with_gaps(&nothing);
    let problem = VariationalProblem::new(&model, &data).unwrap();
    let start = problem.random_start(&mut stream(1, &[])).unwrap();
    let options = AscentOptions { tolerance: 1e-14, ..AscentOptions::default() };
    let fitted = problem.fit(start, &options, &mut Silent).unwrap();
    // The exact evidence is 1; the paths are coupled to the steps only through themselves.
    assert!(fitted.report.trace.last().is_some_and(|bound| *bound <= 1e-14 && *bound > -3.0));
    assert_eq!(fitted.model.emissions()[0].posterior(), &prior);

    let none: [Vec<u64>; 0] = [];
    let data = Observed::new(&none);
    let problem = VariationalProblem::new(&model, &data).unwrap();
    let start = problem.mixture_start(&mut stream(1, &[])).unwrap();
    let fitted = problem.fit(start, &options, &mut Silent).unwrap();
    assert_eq!(fitted.report.trace, [0.0, 0.0]);
    assert_eq!(fitted.model.row(1), &DirichletRow::symmetric(2, 0.6).unwrap());
}

#[test]
fn a_gap_at_the_end_is_as_if_the_sequence_were_shorter() {
    let prior = Gamma::shape_rate(2.0, 1.0).unwrap();
    let model = BayesianHmm::<Poisson, _>::symmetric(2, 0.6, prior, ()).unwrap().left_to_right(1).unwrap();
    let bound = |counts: &[Vec<Option<u64>>]| {
        let data = Observed::with_gaps(counts);
        let problem = VariationalProblem::new(&model, &data).unwrap();
        let mut q = problem.random_start(&mut stream(1, &[])).unwrap();
        climb(&problem, &mut q, 400)
    };
    let short = bound(&[vec![Some(0), Some(1), Some(7), Some(9)]]);
    // From the last state, which is where it ends, there is one way on.
    let long = bound(&[vec![Some(0), Some(1), Some(7), Some(9), None, None]]);
    assert_within(long, short, 0.05);
    assert!(long <= short + 1e-9);
}

#[test]
fn order_and_repetition_of_sequences_do_what_they_should() {
    let counts = [vec![0_u64, 1, 0, 9, 12], vec![8, 1], vec![0, 2, 1]];
    let turned = [counts[2].clone(), counts[0].clone(), counts[1].clone()];
    let prior = Gamma::shape_rate(1.0, 0.3).unwrap();
    let model = BayesianHmm::<Poisson, _>::symmetric(2, 0.6, prior, ()).unwrap();
    let bound = |counts: &[Vec<u64>]| {
        let data = Observed::new(counts);
        let problem = VariationalProblem::new(&model, &data).unwrap();
        let paths: Vec<Vec<usize>> =
            counts.iter().map(|own| own.iter().map(|&x| usize::from(x > 5)).collect()).collect();
        let mut q = problem.start_from_states(&paths).unwrap();
        (climb(&problem, &mut q, 10), q.mean_transitions())
    };
    let ((a, steps), (b, others)) = (bound(&counts), bound(&turned));
    assert_close(a, b, 1e-13);
    assert_within((steps - others).amax(), 0.0, 1e-13);
}

#[cfg(feature = "rayon")]
#[test]
fn the_number_of_threads_changes_no_bit() {
    let counts: Vec<Vec<u64>> = (0..60)
        .map(|s| (0..300).map(|t| ((t / 17 + s) % 3 * 4 + (t * 7 + s) % 4) as u64).collect())
        .collect();
    let data = Observed::new(&counts);
    let prior = Gamma::shape_rate(1.0, 0.3).unwrap();
    let model = BayesianHmm::<Poisson, _>::symmetric(3, 0.6, prior, ()).unwrap();
    let problem = VariationalProblem::new(&model, &data).unwrap();
    let fit = || {
        let start = problem.random_start(&mut stream(5, &[])).unwrap();
        let options = AscentOptions { max_iterations: 4, ..AscentOptions::default() };
        problem.fit(start, &options, &mut Silent).unwrap()
    };
    let with =
        |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(fit);
    let one = with(1);
    for threads in [2, 3] {
        assert_eq!(with(threads), one);
    }
}
