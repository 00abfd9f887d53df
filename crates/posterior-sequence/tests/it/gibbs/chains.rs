//! Chains: names of states, partitions, agreement with variational Bayes, seeds and threads, misuse.

use posterior_dist::{Moments, Normal, NormalInverseGamma, stream::stream};
use posterior_inference::variational::AscentOptions;
use posterior_sampling::Run;
use posterior_sequence::Error;
use posterior_sequence::bayesian::{BayesianHmm, Observed};
use posterior_sequence::gibbs::{HmmGibbs, sample};
use posterior_sequence::variational::VariationalProblem;
use posterior_testkit::accuracy::assert_within;
use rand::RngExt;

fn prior() -> NormalInverseGamma {
    NormalInverseGamma::new(0.0, 0.1, 2.0, 1.0).unwrap()
}

fn mean(distribution: &Normal) -> f64 {
    distribution.mean().unwrap()
}

/// Two states that stay, about 0 and 3.
fn numbers(positions: usize) -> Vec<f64> {
    let mut rng = stream(7, &[]);
    let mut state = 0.0;
    (0..positions)
        .map(|_| {
            if rng.random::<f64>() < 0.15 {
                state = 3.0 - state;
            }
            state + (0..6).map(|_| rng.random::<f64>() - 0.5).sum::<f64>() * 1.2
        })
        .collect()
}

#[test]
fn of_many_data_draws_and_variational_posterior_agree() {
    let sequences = [numbers(1500)];
    let data = Observed::new(&sequences);
    let model = BayesianHmm::<Normal, _>::symmetric(2, 1.0, prior(), ()).unwrap();
    let run = Run { warm_up: 100, draws: 400, chains: 2, seed: 1, ..Run::default() };
    let draws = sample(&HmmGibbs::new(&model, &data).unwrap(), &run).unwrap().sorted_by(mean);
    let names = ["low", "high", "stay low", "stay high"].map(str::to_owned).to_vec();
    let numbers = draws
        .numbers(names, |draw| {
            let steps = draw.transitions();
            vec![mean(&draw.emissions[0]), mean(&draw.emissions[1]), steps[(0, 0)], steps[(1, 1)]]
        })
        .unwrap();
    let problem = VariationalProblem::new(&model, &data).unwrap();
    let q = problem.fit_best(2, 1, &AscentOptions::default()).unwrap().best.model;
    let center = |k: usize| q.emissions()[k].posterior().location();
    let (low, high) = if center(0) < center(1) { (0, 1) } else { (1, 0) };
    let steps = q.mean_transitions();
    let expected = [center(low), center(high), steps[(low, low)], steps[(high, high)]];
    for (k, expected) in expected.into_iter().enumerate() {
        let all = numbers.parameter(k).concat();
        let found = all.iter().sum::<f64>() / all.len() as f64;
        // Posterior standard deviations are about 0.03 for the means and 0.013 for the steps, of 800 draws:
        // 0.002.
        assert_within(found, expected, 0.008);
    }
    let likelihood = draws.draws().named("ln_likelihood").unwrap();
    assert!(likelihood.iter().flatten().all(|ln| ln.is_finite()));
    assert!(draws.draws().named("occupied").unwrap().iter().flatten().all(|&count| count == 2.0));
}

#[test]
fn partitions_do_not_depend_on_names() {
    let sequences = [vec![0.1, -0.2, 0.2, 8.0, 8.3, 7.9], vec![0.0, 8.1]];
    let data = Observed::new(&sequences);
    let model = BayesianHmm::<Normal, _>::symmetric(3, 0.3, prior(), ()).unwrap();
    let sampler = HmmGibbs::new(&model, &data).unwrap();
    let run = Run { warm_up: 200, draws: 300, seed: 5, ..Run::default() };
    let sampled = posterior_latent::gibbs::sample(&sampler, &run).unwrap();
    let together = sampled.co_clustering().unwrap();
    assert!(together.probability(0, 6) > 0.8 && together.probability(3, 7) > 0.8);
    assert!(together.probability(0, 3) < 0.05);
}

#[test]
fn names_follow_the_key() {
    let sequences = [numbers(60)];
    let data = Observed::new(&sequences);
    let model = BayesianHmm::<Normal, _>::symmetric(3, 1.0, prior(), ()).unwrap();
    let run = Run { warm_up: 5, draws: 20, chains: 1, ..Run::default() };
    let draws = sample(&HmmGibbs::new(&model, &data).unwrap(), &run).unwrap();
    let sorted = draws.sorted_by(mean);
    for (old, new) in draws.parameters()[0].iter().zip(&sorted.parameters()[0]) {
        assert!(new.emissions.is_sorted_by_key(mean));
        let likelihood =
            |own: &posterior_sequence::bayesian::HmmParameters<Normal>| own.ln_likelihoods(&data).unwrap()[0];
        assert_within(likelihood(old), likelihood(new), 1e-11);
    }
}

#[test]
fn draws_are_those_of_the_seed() {
    let sequences = [numbers(40), numbers(7)];
    let data = Observed::new(&sequences);
    let model = BayesianHmm::<Normal, _>::symmetric(2, 1.0, prior(), ()).unwrap();
    let sampler = HmmGibbs::new(&model, &data).unwrap();
    let run = Run { warm_up: 3, draws: 10, chains: 3, seed: 11, ..Run::default() };
    let draws = sample(&sampler, &run).unwrap();
    assert_eq!(draws, sample(&sampler, &run).unwrap());
    assert_ne!(draws, sample(&sampler, &Run { seed: 12, ..run.clone() }).unwrap());
    #[cfg(feature = "rayon")]
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| sample(&sampler, &run).unwrap()), draws);
    }
}

#[test]
fn misuse_is_an_error() {
    let sequences = [vec![1.0, 2.0]];
    let data = Observed::new(&sequences);
    let model = BayesianHmm::<Normal, _>::symmetric(2, 1.0, prior(), ()).unwrap();
    let sampler = HmmGibbs::new(&model, &data).unwrap();
    let rng = &mut stream(1, &[]);
    assert!(matches!(sampler.begin_at(&[0], rng), Err(Error::Dimension(_))));
    assert!(matches!(sampler.begin_at(&[0, 2], rng), Err(Error::Observation { position: 1, .. })));
    assert!(sample(&sampler, &Run { draws: 0, ..Run::default() }).is_err());
    assert!(sample(&sampler, &Run { chains: 0, ..Run::default() }).is_err());
    let longer = [vec![1.0, 2.0, 3.0]];
    let longer = Observed::new(&longer);
    let other = HmmGibbs::new(&model, &longer).unwrap();
    assert!(other.advance(&mut sampler.begin(rng).unwrap(), rng).is_err());
    let draws = sample(&sampler, &Run { warm_up: 0, draws: 1, chains: 1, ..Run::default() }).unwrap();
    assert!(draws.ln_forecast(&longer, &data).is_err());
    assert!(draws.numbers(vec!["a".to_owned()], |_| vec![]).is_err());
    // Nothing was observed, or there is nothing: the prior.
    for nothing in [vec![], vec![vec![None::<f64>; 3]]] {
        let data = Observed::with_gaps(&nothing);
        let sampler = HmmGibbs::new(&model, &data).unwrap();
        let run = Run { warm_up: 0, draws: 5, chains: 1, ..Run::default() };
        let draws = sample(&sampler, &run).unwrap();
        let likelihood = draws.draws().named("ln_likelihood").unwrap();
        assert!(likelihood.iter().flatten().all(|ln| ln.abs() < 1e-14), "{likelihood:?}");
    }
}
