//! Gaussian distributions, tile by tile, against distributions one by one.

use posterior_dist::Density;
use posterior_dist::stream::stream;
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_inference::em::EmOptions;
use posterior_latent::Observations;
use posterior_latent::gaussian_mixture::{
    Covariances, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem,
};
use posterior_latent::mixture::{IncidentKind, MaximumLikelihood, MostProbable};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_sequence::Error;
use posterior_sequence::baum_welch::{BaumWelch, BaumWelchOptions};
use posterior_sequence::emission::{
    Distributions, Emissions, GaussianEmissions, GaussianEstimate, LearnEmissions, Sequences,
};
use posterior_sequence::hmm::HiddenMarkovModel;
use rand::RngExt;

fn random(rows: usize, columns: usize, seed: u64) -> DMatrix<f64> {
    let mut rng = stream(seed, &[]);
    DMatrix::from_fn(rows, columns, |_, _| 6.0 * rng.random::<f64>() - 3.0)
}

fn full(states: usize, d: usize) -> GaussianEmissions {
    let covariance = |k: usize| {
        let noise = random(d, d, 40 + k as u64);
        &noise * noise.transpose() * 0.3 + DMatrix::identity(d, d)
    };
    GaussianEmissions::new(&random(states, d, 9), Covariances::Full((0..states).map(covariance).collect()))
        .unwrap()
}

fn distributions(emissions: &GaussianEmissions) -> Distributions<Gaussian> {
    let distribution = |k: usize| {
        let mean: Vec<f64> = emissions.means().row(k).iter().copied().collect();
        Gaussian::new(&mean, &emissions.covariance(k)).unwrap()
    };
    Distributions::new((0..emissions.states()).map(distribution).collect()).unwrap()
}

fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1.0), "{found} is not {expected}");
}

#[test]
fn densities_and_steps_are_those_of_distributions() {
    let (fast, data) = (full(3, 4), random(700, 4, 2));
    let slow = distributions(&fast);
    let vectors = rows(&data);
    let (mut a, mut b) = (vec![0.0; 600 * 3], vec![0.0; 600 * 3]);
    fast.ln_densities(&data, 57..657, &mut a);
    slow.ln_densities(&vectors, 57..657, &mut b);
    a.iter().zip(&b).for_each(|(a, b)| close(*a, *b, 1e-13));
    let start = HiddenMarkovModel::from_weights(&[0.3, 0.3, 0.4], 0.6, fast).unwrap();
    let options = BaumWelchOptions {
        em: EmOptions { tolerance: f64::NEG_INFINITY, max_iterations: 5, ..EmOptions::default() },
        ..BaumWelchOptions::default()
    };
    let one = Sequences::one(&data);
    let quick = BaumWelch::new(&one, MaximumLikelihood, options.clone()).unwrap();
    let quick = quick.fit(start.clone(), &mut Silent).unwrap();
    let same = Sequences::one(&vectors[..]);
    let exact = BaumWelch::new(&same, MaximumLikelihood, options).unwrap();
    let exact = exact.fit(start.with_emissions(slow).unwrap(), &mut Silent).unwrap();
    quick.report.trace.iter().zip(&exact.report.trace).for_each(|(a, b)| close(*a, *b, 1e-12));
    let learned = distributions(quick.model.hmm.emissions());
    for (a, b) in learned.as_slice().iter().zip(exact.model.hmm.emissions().as_slice()) {
        a.mean().iter().zip(b.mean()).for_each(|(a, b)| close(*a, *b, 1e-11));
        a.covariance().iter().zip(b.covariance()).for_each(|(a, b)| close(*a, *b, 1e-11));
    }
}

#[test]
fn equal_rows_are_a_gaussian_mixture_of_every_kind() {
    let mut data = random(300, 2, 5);
    data.row_iter_mut().step_by(2).for_each(|mut row| row *= 0.3);
    for gaps in [false, true] {
        if gaps {
            (0..300).step_by(7).for_each(|i| data[(i, i % 2)] = f64::NAN);
            data[(10, 0)] = f64::NAN;
            data[(10, 1)] = f64::NAN;
        }
        let means = DMatrix::from_row_slice(2, 2, &[-0.5, 0.0, 0.5, 0.1]);
        for covariances in [
            Covariances::Full(vec![DMatrix::identity(2, 2), DMatrix::identity(2, 2) * 2.0]),
            Covariances::Tied(DMatrix::identity(2, 2)),
            Covariances::Diagonal(DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0])),
            Covariances::Spherical(vec![1.0, 2.0]),
        ] {
            let em = EmOptions { tolerance: f64::NEG_INFINITY, max_iterations: 4, ..EmOptions::default() };
            let observations = Observations::with_missing(&data).unwrap();
            let options =
                GaussianMixtureOptions { variance_floor: 0.0, em, ..GaussianMixtureOptions::default() };
            let mixture = GaussianMixture::new(&[0.4, 0.6], &means, covariances.clone()).unwrap();
            let expected = GaussianMixtureProblem::new(&observations, options).unwrap();
            let expected = expected.fit(mixture, &mut Silent).unwrap();
            let emissions = GaussianEmissions::new(&means, covariances).unwrap();
            let start = HiddenMarkovModel::from_weights(&[0.4, 0.6], 0.0, emissions).unwrap();
            // Sequences of one row.
            let singles: Vec<DMatrix<f64>> =
                data.row_iter().map(|row| DMatrix::from_row_iterator(1, 2, row.iter().copied())).collect();
            let sequences: Sequences<'_, DMatrix<f64>> = singles.iter().collect();
            let problem = BaumWelch::new(
                &sequences,
                MaximumLikelihood,
                BaumWelchOptions { em, ..BaumWelchOptions::default() },
            )
            .unwrap();
            let found = problem.fit(start, &mut Silent).unwrap();
            // A row without a value is left out here and expected there: the likelihood of the start and of
            // complete data is the same, steps with it are not.
            let steps = if gaps { 1 } else { 5 };
            for (a, b) in found.report.trace.iter().zip(&expected.report.trace).take(steps) {
                close(*a, *b, 1e-12);
            }
            assert!(found.report.falls.is_empty());
        }
    }
}

#[test]
fn gaps_are_marginals_and_conditionals() {
    let emissions = full(2, 3);
    let slow = distributions(&emissions);
    let mut data = random(4, 3, 8);
    data[(1, 0)] = f64::NAN;
    data[(2, 1)] = f64::NAN;
    data[(2, 2)] = f64::NAN;
    (0..3).for_each(|j| data[(3, j)] = f64::NAN);
    emissions.check(&data).unwrap();
    let mut found = vec![f64::NAN; 8];
    emissions.ln_densities(&data, 0..4, &mut found);
    for (k, distribution) in slow.as_slice().iter().enumerate() {
        let row = |i: usize, at: &[usize]| at.iter().map(|&j| data[(i, j)]).collect::<Vec<f64>>();
        close(found[k], distribution.ln_pdf(&row(0, &[0, 1, 2])), 1e-13);
        close(found[2 + k], distribution.marginal(&[1, 2]).unwrap().ln_pdf(&row(1, &[1, 2])), 1e-13);
        close(found[4 + k], distribution.marginal(&[0]).unwrap().ln_pdf(&row(2, &[0])), 1e-13);
        assert_eq!(found[6 + k], 0.0);
    }
    // A step never lowers the likelihood, gaps or not.
    let mut data = random(200, 3, 81);
    (0..200).step_by(3).for_each(|i| data[(i, i % 3)] = f64::NAN);
    (0..200).step_by(11).for_each(|i| data.row_mut(i).fill(f64::NAN));
    let start = HiddenMarkovModel::from_weights(&[0.5, 0.5], 0.7, emissions).unwrap();
    let sequences = Sequences::one(&data);
    let problem = BaumWelch::new(&sequences, MaximumLikelihood, BaumWelchOptions::default()).unwrap();
    let fitted = problem.fit(start, &mut Silent).unwrap();
    assert!(fitted.report.falls.is_empty() && fitted.model.incidents.is_empty());
    assert!(fitted.report.trace.last().unwrap() > &(fitted.report.trace[0] + 10.0));
    data[(4, 2)] = f64::INFINITY;
    let error = full(2, 3).check(&data).unwrap_err();
    assert!(matches!(error, Error::Observation { position: 4, .. }), "{error}");
}

#[test]
fn a_state_on_one_point_is_held_at_the_floor() {
    let mut data = random(60, 2, 3);
    data.row_mut(17).fill(40.0);
    let means = DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 40.0, 40.0]);
    let identity = DMatrix::identity(2, 2);
    let emissions =
        GaussianEmissions::new(&means, Covariances::Full(vec![identity.clone(), identity])).unwrap();
    let start = HiddenMarkovModel::from_weights(&[0.9, 0.1], 0.0, emissions).unwrap();
    let sequences = Sequences::one(&data);
    let learn = GaussianEstimate::with_floor(&sequences, 1e-4).unwrap();
    let problem = BaumWelch::new(&sequences, learn, BaumWelchOptions::default()).unwrap();
    let fitted = problem.fit(start.clone(), &mut Silent).unwrap();
    assert!(fitted.report.falls.is_empty());
    assert_eq!(
        (fitted.model.incidents[0].component, &fitted.model.incidents[0].kind),
        (1, &IncidentKind::Floored)
    );
    // Without a floor it keeps what it had, and with a prior it needs none.
    let bare = BaumWelch::new(&sequences, MaximumLikelihood, BaumWelchOptions::default()).unwrap();
    let kept = bare.fit(start.clone(), &mut Silent).unwrap();
    assert!(matches!(kept.model.incidents[0].kind, IncidentKind::Kept(_)));
    let prior = NormalInverseWishart::new(&[0.0, 0.0], 0.1, &DMatrix::identity(2, 2), 4.0).unwrap();
    let learn = GaussianEstimate::with_floor(&sequences, 0.0).unwrap().with_prior(prior.clone());
    let problem = BaumWelch::new(&sequences, learn.clone(), BaumWelchOptions::default()).unwrap();
    let fitted = problem.fit(start, &mut Silent).unwrap();
    assert!(fitted.report.falls.is_empty() && fitted.model.incidents.is_empty());
    // The same distribution as by the statistics of a family.
    let (emissions, proportions) = (full(2, 2), vec![0.5; 120]);
    let mut moments = learn.nothing(&emissions);
    learn.add(&mut moments, &emissions, &data, 0..60, &proportions).unwrap();
    let (found, _) = learn.estimate(&moments, &emissions).unwrap();
    let by_distributions = MostProbable::new(prior, 1.0).unwrap();
    let mut stats = by_distributions.nothing(&distributions(&emissions));
    by_distributions.add(&mut stats, &distributions(&emissions), &rows(&data), 0..60, &proportions).unwrap();
    let (expected, _) = by_distributions.estimate(&stats, &distributions(&emissions)).unwrap();
    for (k, distribution) in expected.as_slice().iter().enumerate() {
        distribution.mean().iter().zip(found.means().row(k).iter()).for_each(|(a, b)| close(*b, *a, 1e-12));
        distribution.covariance().iter().zip(&found.covariance(k)).for_each(|(a, b)| close(*b, *a, 1e-12));
    }
}

#[test]
fn what_has_no_scale_is_refused() {
    let constant = DMatrix::from_element(5, 1, 3.0);
    assert!(GaussianEstimate::with_floor(&Sequences::one(&constant), 1e-6).is_err());
    assert!(GaussianEstimate::with_floor(&Sequences::one(&constant), 0.0).is_ok());
    let unseen = DMatrix::from_element(5, 1, f64::NAN);
    assert!(GaussianEstimate::with_floor(&Sequences::one(&unseen), 1e-6).is_err());
    assert!(GaussianEstimate::with_floor(&Sequences::one(&constant), f64::NAN).is_err());
    // Far from zero, and far from one.
    for (shift, scale) in [(1e9, 1.0), (0.0, 1e100), (0.0, 1e-100)] {
        let data = random(200, 1, 6) * scale;
        let data = data.add_scalar(shift);
        let emissions = GaussianEmissions::new(
            &DMatrix::from_column_slice(2, 1, &[shift - scale, shift + scale]),
            Covariances::Spherical(vec![scale * scale; 2]),
        )
        .unwrap();
        let start = HiddenMarkovModel::from_weights(&[0.5, 0.5], 0.2, emissions).unwrap();
        let sequences = Sequences::one(&data);
        let learn = GaussianEstimate::with_floor(&sequences, 1e-6).unwrap();
        let fitted = BaumWelch::new(&sequences, learn, BaumWelchOptions::default()).unwrap();
        let fitted = fitted.fit(start, &mut Silent).unwrap();
        assert!(fitted.report.converged() && fitted.report.falls.is_empty());
        assert!(fitted.model.hmm.emissions().means().iter().all(|m| (m - shift).abs() < 3.0 * scale));
    }
}

#[cfg(feature = "serde")]
#[test]
fn distributions_are_read_back() {
    let distributions = full(2, 2);
    let text = serde_json::to_string(&distributions).unwrap();
    assert_eq!(serde_json::from_str::<GaussianEmissions>(&text).unwrap(), distributions);
    let text = r#"{"means":[[0.0]],"covariances":{"spherical":[-1.0]}}"#;
    assert!(serde_json::from_str::<GaussianEmissions>(text).is_err());
}
