//! EM of semi-Markov models.

use posterior_dist::{Categorical, Dirichlet, Poisson, stream::stream};
use posterior_inference::em::{EmOptions, Problem};
use posterior_latent::mixture::{MaximumLikelihood, MostProbable};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_sequence::Error;
use posterior_sequence::emission::{Distributions, FixedEmissions, Sequence, Sequences};
use posterior_sequence::semi_markov::{
    Begin, DurationFamily, Durations, End, FittedSemiMarkov, Segment, SemiMarkovModel, SemiMarkovProblem,
    Window,
};
use posterior_testkit::accuracy::{assert_close, assert_within};
use proptest::prelude::*;
use rand_distr::Distribution;

use super::{all_segmentations, random_model, random_symbols, sequence, total};

fn zeros(rows: usize, columns: usize) -> DMatrix<f64> {
    DMatrix::zeros(rows, columns)
}

fn never_falls(trace: &[f64]) {
    for pair in trace.windows(2) {
        assert!(pair[1] >= pair[0] - 1e-10 * pair[0].abs().max(1.0), "{trace:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_likelihood_never_falls(seed in 0_u64..10_000, length in 0_usize..25, end in any::<bool>(), prior in any::<bool>()) {
        let window = if end { Window { end: End::Segment, ..Window::default() } } else { Window::default() };
        let model = random_model(3, window, seed);
        let symbols = [random_symbols(length, seed), random_symbols(length / 2, seed + 1)];
        prop_assume!(symbols.iter().all(|own| model.ln_likelihood(&sequence(own)).unwrap().is_finite()));
        let sequences = Sequences::new(symbols.iter().map(|own| sequence(own)).collect());
        let options = EmOptions { max_iterations: 15, tolerance: 0.0, ..EmOptions::default() };
        let report = if prior {
            let learner = MostProbable::new(Dirichlet::symmetric(3, 1.5).unwrap(), 1.0).unwrap();
            SemiMarkovProblem::new(&sequences, learner).fit(model, &options, &mut Silent).unwrap().report
        } else {
            SemiMarkovProblem::new(&sequences, MaximumLikelihood).fit(model, &options, &mut Silent).unwrap().report
        };
        never_falls(&report.trace);
    }
}

/// One M step against expected counts over all segmentations.
#[test]
fn a_step_is_what_all_segmentations_say() {
    for end in [End::Running, End::Segment] {
        let base = random_model(3, Window { end, ..Window::default() }, 17);
        let tables = [[0.3, 0.3, 0.2, 0.2], [0.1, 0.4, 0.4, 0.1], [0.5, 0.1, 0.1, 0.3]];
        let durations = tables.map(|table| Durations::table(&table).unwrap()).to_vec();
        let model =
            SemiMarkovModel::new(&base.initial(), &base.transitions(), durations, base.emissions().clone());
        let model = model.unwrap().with_window(base.window());
        let symbols = random_symbols(6, 4);
        let all = all_segmentations(&model, &symbols);
        let ln_z = total(&all);
        let (mut steps, mut lengths, mut shown) = (zeros(3, 3), zeros(3, 4), zeros(3, 3));
        for (segments, score) in &all {
            let p = (score - ln_z).exp();
            segments.windows(2).for_each(|pair| steps[(pair[0].state, pair[1].state)] += p);
            for &Segment { state, start, length } in segments {
                symbols[start..start + length].iter().for_each(|&symbol| shown[(state, symbol)] += p);
                if end == End::Running && start + length == symbols.len() {
                    // What it may have become.
                    let rest: f64 = tables[state][length - 1..].iter().sum();
                    (length..=4).for_each(|d| lengths[(state, d - 1)] += p * tables[state][d - 1] / rest);
                } else {
                    lengths[(state, length - 1)] += p;
                }
            }
        }
        let sequences = Sequences::one(&symbols[..]);
        let problem = SemiMarkovProblem::new(&sequences, MaximumLikelihood);
        let options = EmOptions { max_iterations: 1, ..EmOptions::default() };
        let fitted = problem.fit(model, &options, &mut Silent).unwrap().model.model;
        for k in 0..3 {
            for j in 0..3 {
                let expected = steps[(k, j)] / steps.row(k).sum();
                assert_within(fitted.transitions()[(k, j)], expected, 1e-12);
                let expected = shown[(k, j)] / shown.row(k).sum();
                assert_within(fitted.emissions().as_slice()[k].probabilities()[j], expected, 1e-12);
            }
            for d in 1..=4 {
                let expected = lengths[(k, d - 1)] / lengths.row(k).sum();
                assert_within(fitted.durations()[k].ln_pdf(d).exp(), expected, 1e-12);
            }
        }
    }
}

/// Where EM has come to rest the likelihood has no slope in the parameters of durations.
#[test]
fn parameters_of_durations_are_at_their_maximum() {
    let truth =
        vec![Durations::poisson(3.0, 30).unwrap(), Durations::negative_binomial(2.0, 0.7, 40).unwrap()];
    let steps = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 1.0, 0.0]);
    let distributions =
        Distributions::new(vec![Poisson::new(1.0).unwrap(), Poisson::new(6.0).unwrap()]).unwrap();
    let model = SemiMarkovModel::new(&[0.5, 0.5], &steps, truth, distributions.clone()).unwrap();
    let mut rng = stream(12, &[]);
    let counts: Vec<u64> = model
        .simulate(3000, &mut rng)
        .iter()
        .flat_map(|own| std::iter::repeat_n(own.state, own.length))
        .map(|state| distributions.as_slice()[state].sample(&mut rng))
        .collect();
    let sequences = Sequences::one(&counts[..]);
    let problem = SemiMarkovProblem::new(&sequences, FixedEmissions);
    let start = vec![Durations::poisson(1.0, 30).unwrap(), Durations::geometric(0.5, 40).unwrap()];
    let start = SemiMarkovModel::new(&[0.5, 0.5], &steps, start, distributions.clone()).unwrap();
    let options = EmOptions { tolerance: 1e-14, max_iterations: 300, ..EmOptions::default() };
    let fitted = problem.fit(start, &options, &mut Silent).unwrap();
    never_falls(&fitted.report.trace);
    let found = fitted.model.model;
    let DurationFamily::Poisson { rate } = found.durations()[0].family() else { panic!() };
    let DurationFamily::NegativeBinomial { size, stay } = found.durations()[1].family() else { panic!() };
    // About 270 segments of each: standard errors about 0.11, and for the mean 0.24.
    assert_within(rate, 3.0, 0.5);
    assert_within(found.durations()[1].mean(), 1.0 + 2.0 * 0.7 / 0.3, 1.0);
    let at = |rate: f64, size: f64, stay: f64| {
        let durations = vec![
            Durations::poisson(rate, 30).unwrap(),
            Durations::negative_binomial(size, stay, 40).unwrap(),
        ];
        let model = SemiMarkovModel::new(&found.initial(), &steps, durations, distributions.clone()).unwrap();
        model.ln_likelihood(&Sequence::new(&counts[..])).unwrap()
    };
    // The curvature is some hundreds; the step of EM that remains is below 1e-5.
    let h = 1e-4;
    for slope in [
        (at(rate + h, size, stay) - at(rate - h, size, stay)) / (2.0 * h),
        (at(rate, size + h, stay) - at(rate, size - h, stay)) / (2.0 * h),
        (at(rate, size, stay + h) - at(rate, size, stay - h)) / (2.0 * h),
    ] {
        assert_within(slope, 0.0, 0.02);
    }
}

#[test]
fn gaps_count_for_nothing_and_states_without_visits_stay() {
    let distributions = [[0.6, 0.3, 0.1], [0.1, 0.1, 0.8], [0.3, 0.3, 0.4]]
        .map(|row| Categorical::from_probabilities(&row).unwrap())
        .to_vec();
    let steps = DMatrix::from_row_slice(3, 3, &[0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.5, 0.5, 0.0]);
    let durations = vec![Durations::poisson(1.0, 6).unwrap(); 3];
    let model =
        SemiMarkovModel::new(&[0.5, 0.5, 0.0], &steps, durations, Distributions::new(distributions).unwrap())
            .unwrap();
    let (symbols, missing) = ([0_usize, 1, 0, 2, 2], [false, true, false, false, false]);
    let other = [0_usize, 2, 0, 2, 2];
    let fit = |symbols: &[usize]| -> FittedSemiMarkov<Distributions<Categorical>> {
        let sequences = Sequences::new(vec![Sequence::new(symbols).with_missing(&missing)]);
        let options = EmOptions { max_iterations: 3, ..EmOptions::default() };
        SemiMarkovProblem::new(&sequences, MaximumLikelihood)
            .fit(model.clone(), &options, &mut Silent)
            .unwrap()
            .model
    };
    let fitted = fit(&symbols);
    assert_eq!(fitted, fit(&other));
    assert_eq!(fitted.model.durations()[2], model.durations()[2]);
    assert_eq!(fitted.model.emissions().as_slice()[2], model.emissions().as_slice()[2]);
    assert_eq!(fitted.incidents.len(), 1);
    assert_eq!(fitted.model.transitions()[(0, 2)], 0.0);
}

#[test]
fn what_can_not_be_learned_from_is_reported() {
    let window = Window { begin: Begin::Running, ..Window::default() };
    let symbols = random_symbols(5, 1);
    let sequences = Sequences::one(&symbols[..]);
    let problem = SemiMarkovProblem::new(&sequences, MaximumLikelihood);
    let refused = problem.fit(random_model(2, window, 1), &EmOptions::default(), &mut Silent);
    assert!(matches!(refused, Err(Error::TooFew { .. })));
    // The second sequence is longer than the only segment may be.
    let durations = vec![Durations::table(&[0.5, 0.5]).unwrap(); 2];
    let distributions =
        Distributions::new(vec![Categorical::from_weights(&[1.0, 1.0, 1.0]).unwrap(); 2]).unwrap();
    let steps = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 1.0]);
    let model = SemiMarkovModel::new(&[1.0, 0.0], &steps, durations, distributions).unwrap();
    let durations = vec![Durations::table(&[0.5, 0.5]).unwrap(), Durations::table(&[1.0]).unwrap()];
    let blocked = Distributions::new(vec![
        Categorical::from_probabilities(&[1.0, 0.0, 0.0]).unwrap(),
        Categorical::from_probabilities(&[0.0, 1.0, 0.0]).unwrap(),
    ]);
    let blocked = SemiMarkovModel::new(&[1.0, 0.0], &steps, durations, blocked.unwrap()).unwrap();
    let (short, long) = ([0_usize, 1], [0_usize, 0, 0, 1]);
    let sequences = Sequences::new(vec![sequence(&short), sequence(&long)]);
    let problem = SemiMarkovProblem::new(&sequences, MaximumLikelihood);
    let start = problem.fit(blocked, &EmOptions::default(), &mut Silent);
    assert!(matches!(start, Err(Error::Impossible { sequence: 1, position: 2 })), "{start:?}");
    let expected =
        Problem::e_step(&problem, &problem.fit(model, &EmOptions::default(), &mut Silent).unwrap().model);
    assert_close(expected.unwrap().ln_likelihood, 0.0, f64::INFINITY);
}
