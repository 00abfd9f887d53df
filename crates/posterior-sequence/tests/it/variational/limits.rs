//! Limits: many data, states that are not needed, misuse.

use posterior_dist::{Bernoulli, Beta, Categorical, Dirichlet, Normal, NormalGamma, stream::stream};
use posterior_inference::variational::AscentOptions;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_sequence::Error;
use posterior_sequence::bayesian::{BayesianHmm, DirichletRow, Observed};
use posterior_sequence::variational::VariationalProblem;
use posterior_testkit::accuracy::assert_within;
use rand::RngExt;

/// Nearly normal.
fn noise<R: RngExt>(rng: &mut R) -> f64 {
    (0..12).map(|_| rng.random::<f64>() - 0.5).sum()
}

/// A chain of three states that stay, with numbers about -10, 0 and 10.
fn three_states(positions: usize, seed: u64) -> (Vec<usize>, Vec<f64>) {
    let mut rng = stream(seed, &[]);
    let (mut path, mut state) = (Vec::new(), 0);
    for _ in 0..positions {
        path.push(state);
        if rng.random::<f64>() < 0.1 {
            state = (state + 1 + usize::from(rng.random::<f64>() < 0.3)) % 3;
        }
    }
    let numbers = path.iter().map(|&k| 10.0 * k as f64 - 10.0 + noise(&mut rng)).collect();
    (path, numbers)
}

#[test]
fn states_that_are_not_needed_fall_to_the_prior() {
    let (_, numbers) = three_states(400, 1);
    let sequences = [numbers];
    let data = Observed::new(&sequences);
    let prior = NormalGamma::new(0.0, 0.01, 2.0, 1.0).unwrap();
    let model = BayesianHmm::<Normal, _>::symmetric(8, 0.05, prior, ()).unwrap();
    let problem = VariationalProblem::new(&model, &data).unwrap();
    let options = AscentOptions { tolerance: 1e-12, ..AscentOptions::default() };
    let best = problem.fit_best(10, 42, &options).unwrap().best;
    assert!(best.report.falls.is_empty());
    // Three states have all but a few positions; those that have none are as before the data.
    assert_eq!(best.model.occupied(10.0).len(), 3, "{:?}", best.model.counts());
    let occupied = best.model.occupied(0.5);
    assert!(occupied.len() <= 4, "{:?}", best.model.counts());
    for k in (0..8).filter(|k| !occupied.contains(k)) {
        assert!(best.model.counts()[k] < 1e-6);
        assert_within(best.model.row(k).alpha()[0], 0.05, 1e-6);
        assert_within(best.model.emissions()[k].posterior().rate(), 1.0, 1e-6);
    }
}

/// Of states that are seen clearly, the posterior is that of counting.
#[test]
fn of_many_data_the_posterior_is_that_of_the_paths() {
    let (path, numbers) = three_states(20_000, 2);
    let mut counts = vec![vec![0.0; 3]; 3];
    path.windows(2).for_each(|step| counts[step[0]][step[1]] += 1.0);
    let sequences = [numbers];
    let data = Observed::new(&sequences);
    let prior = NormalGamma::new(0.0, 0.01, 2.0, 1.0).unwrap();
    let model = BayesianHmm::<Normal, _>::symmetric(3, 1.0, prior, ()).unwrap();
    let problem = VariationalProblem::new(&model, &data).unwrap();
    let start = problem.mixture_start(&mut stream(3, &[])).unwrap();
    let options = AscentOptions { tolerance: 1e-13, ..AscentOptions::default() };
    let q = problem.fit(start, &options, &mut Silent).unwrap().model;
    let mut order = [0, 1, 2];
    let mean = |k: usize| q.emissions()[k].posterior().location();
    order.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)));
    for i in 0..3 {
        let most_probable =
            DirichletRow::new(&counts[i].iter().map(|n| n + 1.0).collect::<Vec<_>>()).unwrap();
        let most_probable = most_probable.most_probable().unwrap();
        for j in 0..3 {
            assert_within(q.row(order[i]).alpha()[order[j]], 1.0 + counts[i][j], 1e-6);
            assert_within(q.mean_transitions()[(order[i], order[j])], most_probable[j], 1e-3);
        }
    }
}

#[test]
fn tiny_concentrations_and_large_numbers_are_no_trouble() {
    for numbers in [vec![0.0], vec![3.0; 6], vec![1e100; 3], vec![-1e-100, 1e-100], vec![1.0, 2.0]] {
        let sequences = [numbers];
        let data = Observed::new(&sequences);
        let prior = NormalGamma::new(0.0, 0.1, 1.0, 0.3).unwrap();
        let model = BayesianHmm::<Normal, _>::symmetric(5, 1e-6, prior, ()).unwrap();
        let problem = VariationalProblem::new(&model, &data).unwrap();
        let start = problem.random_start(&mut stream(1, &[])).unwrap();
        let fitted = problem.fit(start, &AscentOptions::default(), &mut Silent).unwrap();
        assert!(fitted.report.trace.iter().all(|bound| bound.is_finite()), "{:?}", fitted.report.trace);
        assert!(fitted.report.falls.is_empty(), "{:?}", fitted.report);
    }
}

#[test]
fn misuse_is_an_error() {
    let prior = Beta::new(1.0, 1.0).unwrap();
    let model = BayesianHmm::<Bernoulli, _>::symmetric(2, 1.0, prior, ()).unwrap();
    let bits = [vec![true, false]];
    let data = Observed::new(&bits);
    let problem = VariationalProblem::new(&model, &data).unwrap();
    assert!(matches!(problem.start_from_states(&[vec![0]]), Err(Error::Dimension(_))));
    assert!(matches!(problem.start_from_states(&[]), Err(Error::Dimension(_))));
    assert!(matches!(
        problem.start_from_states(&[vec![0, 2]]),
        Err(Error::Observation { sequence: 0, position: 1, .. })
    ));
    for wrong in [
        DMatrix::from_element(3, 2, 0.5),
        DMatrix::from_element(2, 3, 0.5),
        DMatrix::from_element(2, 2, 0.6),
        DMatrix::from_element(2, 2, f64::NAN),
        DMatrix::from_row_slice(2, 2, &[1.5, -0.5, 0.0, 1.0]),
    ] {
        assert!(problem.start_from_proportions(&wrong).is_err(), "{wrong}");
    }
    assert!(BayesianHmm::<Bernoulli, _>::symmetric(0, 1.0, prior, ()).is_err());
    assert!(BayesianHmm::<Bernoulli, _>::symmetric(2, 0.0, prior, ()).is_err());
    assert!(BayesianHmm::<Bernoulli, _>::symmetric(2, f64::NAN, prior, ()).is_err());
    assert!(model.clone().with_stickiness(-1.0).is_err());
    assert!(model.clone().with_allowed(&DMatrix::zeros(2, 2)).is_err());
    assert!(model.with_allowed(&DMatrix::zeros(3, 2)).is_err());
    let row = DirichletRow::symmetric(2, 1.0).unwrap();
    assert!(BayesianHmm::<Bernoulli, _>::new(row.clone(), vec![row.clone()], vec![prior; 2], ()).is_err());
    assert!(BayesianHmm::<Bernoulli, _>::new(row.clone(), vec![row; 2], vec![prior], ()).is_err());

    // A symbol beyond the alphabet, with its place.
    let symbols = [vec![0_usize, 1], vec![2, 3]];
    let data = Observed::new(&symbols);
    let prior = Dirichlet::symmetric(3, 1.0).unwrap();
    let model = BayesianHmm::<Categorical, _>::symmetric(2, 1.0, prior, 3).unwrap();
    let error = VariationalProblem::new(&model, &data).err();
    assert!(matches!(error, Some(Error::Observation { sequence: 1, position: 1, .. })), "{error:?}");
}
