//! What is known of maxima and of special cases.

use posterior_dist::{Dirichlet, ExponentialFamily, Mixture, Normal, Poisson, Stats};
use posterior_inference::em::EmOptions;
use posterior_latent::mixture::{IncidentKind, MaximumLikelihood, MixtureProblem, MostProbable};
use posterior_latent::variational::Points;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_sequence::baum_welch::{
    BaumWelch, BaumWelchOptions, DirichletPrior, InitialUpdate, StepUpdate,
};
use posterior_sequence::emission::{
    CategoricalEmissions, Distributions, FixedEmissions, Sequence, Sequences,
};
use posterior_sequence::hmm::{HiddenMarkovModel, Topology};

use super::models::{Symbols, close, golden, likeliest, model, slices, steps, symbols};

/// The slope of ln p as one logit of a row changes, by central differences.
fn slope(f: impl Fn(&[f64]) -> f64, row: &[f64], k: usize) -> f64 {
    let at = |h: f64| {
        let moved: Vec<f64> =
            row.iter().enumerate().map(|(j, p)| if j == k { p * h.exp() } else { *p }).collect();
        let sum: f64 = moved.iter().sum();
        f(&moved.iter().map(|p| p / sum).collect::<Vec<_>>())
    };
    (at(1e-4) - at(-1e-4)) / 2e-4
}

fn with_row(a: &DMatrix<f64>, i: usize, row: &[f64]) -> DMatrix<f64> {
    DMatrix::from_fn(a.nrows(), a.ncols(), |r, c| if r == i { row[c] } else { a[(r, c)] })
}

#[test]
fn where_it_converges_the_likelihood_has_no_slope() {
    let all = symbols(3, 120, 4, 5);
    let sequences = slices(&all);
    let em = EmOptions { tolerance: 1e-15, max_iterations: 20_000, ..EmOptions::default() };
    let problem = likeliest(&sequences, BaumWelchOptions { em, ..BaumWelchOptions::default() });
    let fitted = problem.fit(model(2, 4, 3), &mut Silent).unwrap();
    assert!(fitted.report.falls.is_empty());
    let hmm = fitted.model.hmm;
    let (pi, a, b) = (hmm.initial().to_vec(), hmm.transition(), hmm.emissions().probabilities());
    let ln_p = |pi: &[f64], a: &DMatrix<f64>, b: &DMatrix<f64>| {
        let hmm = HiddenMarkovModel::new(pi, a, CategoricalEmissions::new(b).unwrap()).unwrap();
        problem.ln_likelihood(&hmm).unwrap()
    };
    close(ln_p(&pi, a, &b), *fitted.report.trace.last().unwrap(), 1e-13);
    for i in 0..2 {
        for j in 0..2 {
            let row: Vec<f64> = a.row(i).iter().copied().collect();
            assert!(slope(|row| ln_p(&pi, &with_row(a, i, row), &b), &row, j).abs() < 1e-4);
        }
        for v in 0..4 {
            let row: Vec<f64> = b.row(i).iter().copied().collect();
            assert!(slope(|row| ln_p(&pi, a, &with_row(&b, i, row)), &row, v).abs() < 1e-4);
        }
        assert!(slope(|pi| ln_p(pi, a, &b), &pi, i).abs() < 1e-4);
    }
    // Away from there it has one.
    let start = model(2, 4, 3);
    let row: Vec<f64> = start.transition().row(0).iter().copied().collect();
    let b = start.emissions().probabilities();
    let f = |row: &[f64]| ln_p(start.initial(), &with_row(start.transition(), 0, row), &b);
    assert!(slope(f, &row, 0).abs() > 0.1);
}

#[test]
fn one_state_is_the_distribution_of_maximum_likelihood() {
    let data = [3_u64, 0, 4, 1, 9];
    let start = HiddenMarkovModel::new(
        &[1.0],
        &DMatrix::identity(1, 1),
        Distributions::new(vec![Poisson::new(1.0).unwrap()]).unwrap(),
    )
    .unwrap();
    let sequences: Sequences<'_, [u64]> = [&data[..2], &data[2..]].into_iter().collect();
    let fitted =
        BaumWelch::new(&sequences, MaximumLikelihood, steps(1)).unwrap().fit(start, &mut Silent).unwrap();
    let distribution = Poisson::maximum_likelihood(&Stats::of((), &data).unwrap()).unwrap();
    close(fitted.model.hmm.emissions().as_slice()[0].rate(), distribution.rate(), 1e-15);
    assert!(fitted.model.incidents.is_empty());
}

#[test]
fn equal_rows_are_a_mixture() {
    let data = [-2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 2.5, 0.25];
    let distributions =
        vec![Normal::mean_variance(-1.0, 1.0).unwrap(), Normal::mean_variance(1.0, 1.0).unwrap()];
    let points = Points::new(&data);
    let em = EmOptions { tolerance: f64::NEG_INFINITY, max_iterations: 7, ..EmOptions::default() };
    let mixture = MixtureProblem::<Normal, _, _>::new(&points, (), MaximumLikelihood)
        .unwrap()
        .fit(Mixture::from_weights(&[0.4, 0.6], distributions.clone()).unwrap(), &em, &mut Silent)
        .unwrap();
    // Sequences of one position: π is the weights.
    let singles: Sequences<'_, [f64]> = data.chunks(1).collect();
    let start =
        HiddenMarkovModel::from_weights(&[0.4, 0.6], 0.0, Distributions::new(distributions.clone()).unwrap())
            .unwrap();
    let problem = BaumWelch::new(&singles, MaximumLikelihood, steps(7)).unwrap();
    let fitted = problem.fit(start.clone(), &mut Silent).unwrap();
    assert_eq!(fitted.report.trace.len(), mixture.report.trace.len());
    for (a, b) in fitted.report.trace.iter().zip(&mixture.report.trace) {
        close(*a, *b, 1e-13);
    }
    // One sequence with rows that are tied, and π the same as they.
    let one = Sequences::one(&data[..]);
    let tied =
        BaumWelchOptions { steps: StepUpdate::Tied(vec![0, 0]), initial: InitialUpdate::Fixed, ..steps(7) };
    let fitted = BaumWelch::new(&one, MaximumLikelihood, tied).unwrap().fit(start, &mut Silent).unwrap();
    close(fitted.report.trace[0], mixture.report.trace[0], 1e-13);
    assert_eq!(fitted.model.hmm.transition().row(0), fitted.model.hmm.transition().row(1));
    assert_eq!(fitted.model.hmm.initial(), [0.4, 0.6]);
}

#[test]
fn zeros_stay_and_what_is_fixed_stays() {
    let all = symbols(4, 60, 3, 9);
    let sequences = slices(&all);
    let emissions = CategoricalEmissions::new(&super::models::rows(3, 3, 2)).unwrap();
    let start = Topology::left_to_right(3, 1).unwrap().uniform(emissions).unwrap();
    let prior = DirichletPrior::symmetric(3.0).unwrap();
    let options = BaumWelchOptions { step_prior: prior.clone(), initial_prior: prior, ..steps(5) };
    let fitted = likeliest(&sequences, options).fit(start.clone(), &mut Silent).unwrap();
    let (a, pi) = (fitted.model.hmm.transition(), fitted.model.hmm.initial());
    for (i, j) in [(0, 2), (1, 0), (2, 0), (2, 1)] {
        assert_eq!(a[(i, j)], 0.0);
    }
    assert_eq!((pi, a[(2, 2)]), (&[1.0, 0.0, 0.0][..], 1.0));
    assert!(fitted.report.falls.is_empty());

    let options = BaumWelchOptions { steps: StepUpdate::Fixed, initial: InitialUpdate::Fixed, ..steps(3) };
    let fitted = likeliest(&sequences, options).fit(start.clone(), &mut Silent).unwrap();
    assert_eq!(fitted.model.hmm.transition(), start.transition());
    assert!(fitted.report.trace[3] > fitted.report.trace[0]);
    let fitted = BaumWelch::new(&sequences, FixedEmissions, steps(3))
        .unwrap()
        .fit(start.clone(), &mut Silent)
        .unwrap();
    assert_eq!(fitted.model.hmm.emissions(), start.emissions());
    assert!(fitted.report.trace[3] > fitted.report.trace[0]);
}

#[test]
fn priors_are_counts_that_are_added() {
    // With all states known the most probable rows are (counts + α - 1) over their sum.
    let path = [0, 0, 1, 1, 1, 0];
    let known: Vec<Option<usize>> = path.iter().map(|&k| Some(k)).collect();
    let part = Sequence::new(&[0, 1, 2, 2, 1, 0][..]).with_states(&known, 2).unwrap();
    let sequences = Sequences::new(vec![part]);
    let options = BaumWelchOptions {
        step_prior: DirichletPrior::sticky(1.5, 10.0).unwrap(),
        initial_prior: DirichletPrior::each(&DMatrix::from_row_slice(1, 2, &[1.0, 4.0])).unwrap(),
        ..steps(1)
    };
    let learn = MostProbable::new(Dirichlet::new(&[2.0, 1.0, 1.0]).unwrap(), 1.0).unwrap();
    let fitted = BaumWelch::new(&sequences, learn, options).unwrap().fit(golden(), &mut Silent).unwrap();
    let hmm = fitted.model.hmm;
    let expected = [11.5 / 13.0, 1.5 / 13.0, 1.5 / 14.0, 12.5 / 14.0];
    hmm.transition().transpose().iter().zip(expected).for_each(|(found, e)| close(*found, e, 1e-14));
    hmm.initial().iter().zip([0.25, 0.75]).for_each(|(found, e)| close(*found, e, 1e-14));
    let shown = [3.0 / 4.0, 1.0 / 4.0, 0.0, 1.0 / 4.0, 1.0 / 4.0, 2.0 / 4.0];
    hmm.emissions().probabilities().transpose().iter().zip(shown).for_each(|(f, e)| close(*f, e, 1e-14));
    // The objective has the logarithm of the prior.
    let ln_prior = 0.5 * (0.7_f64 * 0.3 * 0.4 * 0.6).ln() + 10.0 * (0.7_f64 * 0.6).ln() + 3.0 * 0.4_f64.ln();
    let of_distributions = posterior_latent::mixture::MaximizationStep::ln_prior(
        &learn_again(),
        &golden().emissions().distributions()[0],
    ) + posterior_latent::mixture::MaximizationStep::ln_prior(
        &learn_again(),
        &golden().emissions().distributions()[1],
    );
    let ln_p = (0.6 * 0.7 * 0.3 * 0.6 * 0.6 * 0.4_f64).ln() + (0.5 * 0.4 * 0.6 * 0.6 * 0.3 * 0.5_f64).ln();
    close(fitted.report.trace[0], ln_p + ln_prior + of_distributions, 1e-13);
    assert!(DirichletPrior::symmetric(0.5).is_err() && DirichletPrior::sticky(1.0, -1.0).is_err());
    assert!(DirichletPrior::symmetric(f64::NAN).is_err());
    let wrong = BaumWelchOptions {
        step_prior: DirichletPrior::each(&DMatrix::from_element(1, 2, 2.0)).unwrap(),
        ..steps(1)
    };
    let wrong: Symbols = match likeliest(&sequences, wrong).fit(golden(), &mut Silent) {
        Err(error) => {
            assert_eq!(error.to_string(), "rows of the prior: expected 2, found 1");
            golden()
        }
        Ok(_) => panic!("a prior of another size"),
    };
    assert_eq!(wrong, golden());
}

fn learn_again() -> MostProbable<Dirichlet> {
    MostProbable::new(Dirichlet::new(&[2.0, 1.0, 1.0]).unwrap(), 1.0).unwrap()
}

#[test]
fn a_distribution_without_a_maximum_is_kept_and_reported() {
    // The second state comes to own one point.
    let data = [0.0, 0.1, -0.1, 0.05, 50.0, 0.02];
    let distributions =
        vec![Normal::mean_variance(0.0, 1.0).unwrap(), Normal::mean_variance(50.0, 1.0).unwrap()];
    let start = HiddenMarkovModel::from_weights(&[0.5, 0.5], 0.0, Distributions::new(distributions).unwrap())
        .unwrap();
    let sequences = Sequences::one(&data[..]);
    let problem = BaumWelch::new(&sequences, MaximumLikelihood, steps(40)).unwrap();
    let fitted = problem.fit(start, &mut Silent).unwrap();
    assert!(fitted.report.trace.iter().all(|objective| objective.is_finite()));
    let kept = &fitted.model.incidents[0];
    assert_eq!(kept.component, 1);
    assert!(matches!(kept.kind, IncidentKind::Kept(_)), "{kept:?}");
    assert!(fitted.model.hmm.emissions().as_slice().iter().all(|distribution| distribution.sd() > 0.0));
}

#[test]
fn the_hard_objective_is_that_of_the_best_path() {
    let sequences = Sequences::one(&[0, 1, 2][..]);
    let fitted = likeliest(&sequences, steps(1)).fit_hard(golden(), &mut Silent).unwrap();
    // Path (0, 0, 1) with 0.01512; counting it.
    close(fitted.report.trace[0], 0.01512_f64.ln(), 1e-14);
    let hmm = fitted.model.hmm;
    assert_eq!(hmm.initial(), [1.0, 0.0]);
    assert_eq!(hmm.transition().row(0).iter().copied().collect::<Vec<_>>(), [0.5, 0.5]);
    assert_eq!(fitted.model.idle, [1]);
    assert_eq!(hmm.emissions().distributions()[0].probabilities(), [0.5, 0.5, 0.0]);
    assert_eq!(hmm.emissions().distributions()[1].probabilities(), [0.0, 0.0, 1.0]);
    close(fitted.report.trace[1], (0.5_f64.powi(4)).ln(), 1e-14);
}

#[test]
fn a_sequence_of_ten_million_positions() {
    // Symbols in runs of four, the same over and over: ln p and expected steps are so many times those of a
    // part, but for its ends.
    let data: Vec<usize> = (0..10_000_000).map(|t| (t / 4) % 2).collect();
    let emissions = CategoricalEmissions::new(&DMatrix::from_row_slice(2, 2, &[0.9, 0.1, 0.1, 0.9])).unwrap();
    let start = HiddenMarkovModel::from_weights(&[0.5, 0.5], 0.5, emissions).unwrap();
    let fit =
        |data: &[usize]| likeliest(&Sequences::one(data), steps(1)).fit(start.clone(), &mut Silent).unwrap();
    let (long, short, shorter) = (fit(&data), fit(&data[..20_000]), fit(&data[..10_000]));
    let period = short.report.trace[0] - shorter.report.trace[0];
    close(long.report.trace[0] / (short.report.trace[0] + 998.0 * period), 1.0, 1e-12);
    // What the ends change is shared by all positions.
    for (long, short) in long.model.hmm.transition().iter().zip(short.model.hmm.transition().iter()) {
        close(*long, *short, 1e-4);
    }
}
