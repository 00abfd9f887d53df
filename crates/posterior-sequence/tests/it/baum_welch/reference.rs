//! One step, against tables made by enumeration of paths.

use posterior_dist::{Categorical, Poisson};
use posterior_gaussian::Gaussian;
use posterior_latent::mixture::MaximumLikelihood;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_sequence::baum_welch::{BaumWelch, FittedHmm};
use posterior_sequence::emission::{
    CategoricalEmissions, Distributions, Emissions, LearnEmissions, Sequences,
};
use posterior_sequence::hmm::HiddenMarkovModel;
use posterior_testkit::reference::{list, load, number, numbers, rows};
use serde_json::Value;

use super::models::{close, golden, likeliest, steps};

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows = rows(value);
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

/// One step from the model of the table; what it makes of the emissions is returned.
fn one_step<E, X>(case: &Value, emissions: E, read: impl Fn(&Value) -> X) -> FittedHmm<E>
where
    E: Emissions<Data = [X]> + Clone + Sync,
    X: Sync,
    MaximumLikelihood: LearnEmissions<E, Statistics: Send>,
{
    let start =
        HiddenMarkovModel::new(&numbers(&case["initial"]), &matrix(&case["transition"]), emissions).unwrap();
    let all: Vec<Vec<X>> = list(&case["sequences"])
        .iter()
        .map(|s| list(&s["observations"]).iter().map(&read).collect())
        .collect();
    let sequences: Sequences<'_, [X]> = all.iter().map(Vec::as_slice).collect();
    let problem = BaumWelch::new(&sequences, MaximumLikelihood, steps(1)).unwrap();
    let fitted = problem.fit(start, &mut Silent).unwrap();
    let ln_p: f64 = list(&case["sequences"]).iter().map(|s| number(&s["log_likelihood"])).sum();
    close(fitted.report.trace[0], ln_p, 1e-12);
    let step = &case["baum_welch_step"];
    let (before, hmm) = (numbers(&case["initial"]), &fitted.model.hmm);
    for ((found, expected), before) in hmm.initial().iter().zip(numbers(&step["initial"])).zip(before) {
        close(*found, expected, 1e-10);
        assert!(before > 0.0 || *found == 0.0);
    }
    for (i, row) in list(&step["transition"]).iter().enumerate() {
        for (j, cell) in list(row).iter().enumerate() {
            let before = number(&case["transition"][i][j]);
            // null: no step leaves this state.
            let expected = if cell.is_null() { before } else { number(cell) };
            close(hmm.transition()[(i, j)], expected, 1e-10);
            assert!(before > 0.0 || hmm.transition()[(i, j)] == 0.0);
        }
        assert_eq!(list(row)[0].is_null(), fitted.model.idle.contains(&i));
    }
    fitted.model
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

#[test]
fn a_step_is_that_of_the_table() {
    let table = load("hmm");
    let mut kinds = [0; 3];
    for case in list(&table["models"]) {
        let step = &case["baum_welch_step"];
        match case["kind"].as_str().unwrap() {
            "discrete" => {
                kinds[0] += 1;
                let emissions = CategoricalEmissions::new(&matrix(&case["emission"])).unwrap();
                let slow = one_step(
                    case,
                    Distributions::<Categorical>::new(emissions.distributions().to_vec()).unwrap(),
                    index,
                );
                let fast = one_step(case, emissions, index);
                for (k, row) in list(&step["emission"]).iter().enumerate() {
                    if list(row)[0].is_null() {
                        continue;
                    }
                    for (v, expected) in numbers(row).into_iter().enumerate() {
                        close(fast.hmm.emissions().probability(k, v), expected, 1e-10);
                        close(slow.hmm.emissions().as_slice()[k].probabilities()[v], expected, 1e-10);
                    }
                }
            }
            "gaussian" => {
                kinds[1] += 1;
                let distributions = list(&case["means"]).iter().zip(list(&case["covariances"]));
                let distributions =
                    distributions.map(|(m, c)| Gaussian::new(&numbers(m), &matrix(c)).unwrap()).collect();
                let learned = one_step(case, Distributions::new(distributions).unwrap(), numbers);
                for (k, distribution) in learned.hmm.emissions().as_slice().iter().enumerate() {
                    let (mean, covariance) = (numbers(&step["means"][k]), matrix(&step["covariances"][k]));
                    mean.iter().zip(distribution.mean()).for_each(|(e, f)| close(*f, *e, 1e-10));
                    covariance.iter().zip(distribution.covariance()).for_each(|(e, f)| close(*f, *e, 1e-10));
                }
            }
            "poisson" => {
                kinds[2] += 1;
                let distributions =
                    numbers(&case["rates"]).into_iter().map(|rate| Poisson::new(rate).unwrap());
                let learned = one_step(case, Distributions::new(distributions.collect()).unwrap(), |x| {
                    x.as_u64().unwrap()
                });
                for (distribution, rate) in
                    learned.hmm.emissions().as_slice().iter().zip(numbers(&step["rates"]))
                {
                    close(distribution.rate(), rate, 1e-10);
                }
            }
            other => panic!("{other} is not known"),
        }
    }
    assert_eq!(kinds.iter().sum::<usize>(), 13);
}

#[test]
fn the_example_by_hand() {
    let sequences = Sequences::one(&[0, 1, 2][..]);
    let learned = likeliest(&sequences, steps(1)).fit(golden(), &mut Silent).unwrap();
    let hmm = learned.model.hmm;
    let a = [0.502352941176, 0.497647058824, 0.163436123348, 0.836563876652];
    let b = [0.512110280855, 0.363952589539, 0.123937129606, 0.095841177477, 0.292657881225, 0.611500941297];
    hmm.transition().transpose().iter().zip(a).for_each(|(found, expected)| close(*found, expected, 1e-12));
    let emission = hmm.emissions().probabilities().transpose();
    emission.iter().zip(b).for_each(|(found, expected)| close(*found, expected, 1e-12));
    close(learned.report.trace[0], -3.316488653735201, 1e-15);
    close(learned.report.trace[1], -2.708301364393085, 1e-14);
}
