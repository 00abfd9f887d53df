//! Nothing is ever NaN, and nothing falls.

use posterior_dist::{Categorical, Dirichlet};
use posterior_latent::mixture::{MaximumLikelihood, MostProbable};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_sequence::Error;
use posterior_sequence::baum_welch::{BaumWelch, BaumWelchOptions, DirichletPrior, FittedHmm};
use posterior_sequence::emission::{CategoricalEmissions, LearnEmissions};
use posterior_sequence::hmm::HiddenMarkovModel;
use proptest::prelude::*;

use super::models::{Symbols, slices, steps};

/// Weights from nothing over nearly nothing to much.
fn weight() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1e-300), Just(1e-120), Just(1e-16), Just(1.0), 0.0..1.0]
}

fn distributions(rows: usize, columns: usize) -> impl Strategy<Value = Vec<Categorical>> {
    let row = prop::collection::vec(weight(), columns).prop_map(|mut row| {
        if row.iter().all(|&w| w == 0.0) {
            row[0] = 1.0;
        }
        Categorical::from_weights(&row).unwrap()
    });
    prop::collection::vec(row, rows)
}

fn any_model(states: usize, symbols: usize) -> impl Strategy<Value = Symbols> {
    (distributions(1, states), distributions(states, states), distributions(states, symbols)).prop_map(
        move |(pi, a, b)| {
            let a = DMatrix::from_fn(states, states, |i, j| a[i].probabilities()[j]);
            HiddenMarkovModel::new(
                pi[0].probabilities(),
                &a,
                CategoricalEmissions::from_distributions(b).unwrap(),
            )
            .unwrap()
        },
    )
}

fn check(
    fitted: Result<posterior_math::iteration::Fitted<FittedHmm<CategoricalEmissions>>, Error>,
) -> Result<(), TestCaseError> {
    let fitted = match fitted {
        Ok(fitted) => fitted,
        Err(error) => {
            prop_assert!(matches!(error, Error::Impossible { .. }), "{error}");
            return Ok(());
        }
    };
    prop_assert!(fitted.report.falls.is_empty(), "{:?}", fitted.report);
    prop_assert!(fitted.report.trace.iter().all(|objective| objective.is_finite()));
    let hmm = fitted.model.hmm;
    prop_assert!((hmm.initial().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    for row in hmm.transition().row_iter() {
        prop_assert!(row.iter().all(|p| (0.0..=1.0).contains(p)) && (row.sum() - 1.0).abs() < 1e-12);
    }
    for distribution in hmm.emissions().distributions() {
        prop_assert!((distribution.probabilities().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    Ok(())
}

fn fit<L>(model: Symbols, data: &[Vec<usize>], learn: L, prior: DirichletPrior) -> Result<(), TestCaseError>
where
    L: LearnEmissions<CategoricalEmissions, Statistics: Send> + Sync + Clone,
{
    let sequences = slices(data);
    let options = BaumWelchOptions { step_prior: prior.clone(), initial_prior: prior, ..steps(6) };
    match BaumWelch::new(&sequences, learn, options) {
        Ok(problem) => {
            check(problem.fit_hard(model.clone(), &mut Silent))?;
            check(problem.fit(model, &mut Silent))
        }
        Err(_) => Ok(()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn likelihoods_rise(
        model in any_model(3, 4),
        data in prop::collection::vec(prop::collection::vec(0_usize..4, 0..40), 1..4),
    ) {
        fit(model, &data, MaximumLikelihood, DirichletPrior::default())?;
    }

    #[test]
    fn so_do_posteriors(
        model in any_model(3, 4),
        data in prop::collection::vec(prop::collection::vec(0_usize..4, 0..40), 1..4),
        alpha in 1.0..5.0_f64,
        kappa in 0.0..50.0_f64,
    ) {
        let learn = MostProbable::new(Dirichlet::new(&[alpha; 4]).unwrap(), 1.0).unwrap();
        // Distributions with a zero have no density under such a prior.
        let rows = model.emissions().probabilities().map(|p| p.max(1e-200));
        let distributions = rows.row_iter().map(|row| Categorical::from_weights(row.transpose().as_slice()).unwrap());
        let model = model.with_emissions(CategoricalEmissions::from_distributions(distributions.collect()).unwrap()).unwrap();
        fit(model, &data, learn, DirichletPrior::sticky(alpha, kappa).unwrap())?;
    }
}
