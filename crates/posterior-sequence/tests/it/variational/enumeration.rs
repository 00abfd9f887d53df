//! Bounds below the evidence by enumeration of all paths.

use posterior_dist::{
    Bernoulli, Beta, Categorical, Conjugate, Dirichlet, Gamma, KlDivergence, Normal, NormalGamma, Poisson,
    stream::stream,
};
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::ln_sum_exp;
use posterior_sequence::bayesian::{BayesianHmm, Observed};
use posterior_sequence::variational::VariationalProblem;
use posterior_testkit::accuracy::assert_close;

use super::{climb, labellings, ln_joint};

/// ln p(x) by all paths.
fn ln_evidence<F: Conjugate<P>, P>(model: &BayesianHmm<F, P>, data: &Observed<'_, F::Point>) -> f64 {
    let terms: Vec<f64> =
        labellings(model.states(), data.positions()).map(|labels| ln_joint(model, data, &labels)).collect();
    ln_sum_exp(&terms)
}

fn below<F, P>(prior: &P, fixed: F::Fixed, data: &Observed<'_, F::Point>)
where
    F: Conjugate<P> + Sync,
    F::Point: Sync,
    F::Fixed: Send + Sync,
    F::Summary: Send + Sync,
    P: KlDivergence + Clone + Sync,
{
    for (states, alpha, kappa) in [(1, 0.7, 0.0), (2, 0.7, 1.5), (3, 0.4, 0.0)] {
        let model = BayesianHmm::<F, P>::symmetric(states, alpha, prior.clone(), fixed.clone()).unwrap();
        let model = model.with_stickiness(kappa).unwrap();
        let exact = ln_evidence(&model, data);
        let problem = VariationalProblem::new(&model, data).unwrap();
        for start in 0..4 {
            let rng = &mut stream(start, &[]);
            let mut q =
                if start % 2 == 0 { problem.random_start(rng) } else { problem.mixture_start(rng) }.unwrap();
            let bound = climb(&problem, &mut q, 25);
            assert!(bound <= exact + 1e-12 * exact.abs(), "{bound} is above {exact}");
            // Not far below: there are no more than six modes.
            assert!(bound > exact - 8.0, "{bound} is far below {exact}");
            if states == 1 {
                assert_close(bound, exact, 1e-13);
            }
        }
    }
}

#[test]
fn bounds_are_below_the_evidence_of_nine_positions() {
    let bits = [
        vec![Some(true), Some(true), Some(false), None, Some(false)],
        vec![Some(true), Some(true), None, Some(true)],
    ];
    below::<Bernoulli, _>(&Beta::new(0.5, 1.5).unwrap(), (), &Observed::with_gaps(&bits));
    let counts = [vec![0_u64, 1, 0, 9, 12], vec![8], vec![0, 2, 1]];
    below::<Poisson, _>(&Gamma::shape_rate(1.0, 0.3).unwrap(), (), &Observed::new(&counts));
    let symbols = [vec![0_usize, 2, 1, 2, 2, 0, 0, 1, 0]];
    below::<Categorical, _>(&Dirichlet::symmetric(3, 0.4).unwrap(), 3, &Observed::new(&symbols));
    let numbers = [vec![-3.0, -2.8, -3.3, 0.1], vec![0.3, 4.0, 4.4, 4.1]];
    below::<Normal, _>(&NormalGamma::new(0.0, 0.1, 1.0, 0.3).unwrap(), (), &Observed::new(&numbers));
    let vectors = [vec![
        vec![-1.0, 0.2],
        vec![-0.7, 0.1],
        vec![3.0, 1.0],
        vec![3.1, 1.4],
        vec![-0.9, 0.0],
        vec![2.0, 2.0],
    ]];
    let prior = NormalInverseWishart::new(&[0.0, 1.0], 0.2, &DMatrix::identity(2, 2), 3.5).unwrap();
    below::<Gaussian, _>(&prior, 2, &Observed::new(&vectors));
}

/// Of a model whose paths are known the bound is the evidence: no state can be left, and beginnings are
/// certain.
#[test]
fn known_paths_make_the_bound_exact() {
    use posterior_sequence::bayesian::DirichletRow;
    let row = |alpha: &[f64]| DirichletRow::new(alpha).unwrap();
    let prior = Gamma::shape_rate(1.0, 0.3).unwrap();
    // 0 -> 1 -> 2 -> 2 …
    let rows = vec![row(&[0.0, 2.0, 0.0]), row(&[0.0, 0.0, 0.5]), row(&[0.0, 0.0, 3.0])];
    let model = BayesianHmm::<Poisson, _>::new(row(&[1.0, 0.0, 0.0]), rows, vec![prior; 3], ()).unwrap();
    let counts = [vec![0_u64, 7, 3, 4], vec![1, 9, 2]];
    let data = Observed::new(&counts);
    let problem = VariationalProblem::new(&model, &data).unwrap();
    let mut q = problem.random_start(&mut stream(1, &[])).unwrap();
    let bound = climb(&problem, &mut q, 3);
    assert_close(bound, ln_joint(&model, &data, &[0, 1, 2, 2, 0, 1, 2]), 1e-13);
    assert_close(bound, ln_evidence(&model, &data), 1e-13);
    assert_eq!(q.counts(), [2.0, 2.0, 3.0]);
}
