//! Starts, labels, masks, and many sequences.

use posterior_dist::stream::stream;
use posterior_latent::mixture::MaximumLikelihood;
use posterior_math::iteration::Silent;
use posterior_sequence::Error;
use posterior_sequence::baum_welch::{BaumWelch, BaumWelchOptions};
use posterior_sequence::emission::{CategoricalEmissions, Sequence, Sequences};
use posterior_sequence::hmm::Topology;

use super::models::{close, golden, likeliest, model, rows, slices, steps, symbols};

#[test]
fn labels_are_counted() {
    let all = vec![vec![0, 1, 2, 2], vec![1], vec![2, 0]];
    let states = vec![vec![0, 0, 1, 1], vec![1], vec![1, 0]];
    let sequences = slices(&all);
    let problem = likeliest(&sequences, BaumWelchOptions::default());
    let learned = problem.start_from_states(&states, &golden()).unwrap();
    assert_eq!(learned.initial(), [1.0 / 3.0, 2.0 / 3.0]);
    let expected = [0.5, 0.5, 0.5, 0.5];
    learned.transition().iter().zip(expected).for_each(|(found, e)| close(*found, e, 1e-15));
    assert_eq!(learned.emissions().distributions()[0].probabilities(), [2.0 / 3.0, 1.0 / 3.0, 0.0]);
    assert_eq!(learned.emissions().distributions()[1].probabilities(), [0.0, 0.25, 0.75]);
    // The same by expectation maximisation with all states known.
    let known: Vec<Vec<Option<usize>>> =
        states.iter().map(|path| path.iter().map(|&k| Some(k)).collect()).collect();
    let parts = all.iter().zip(&known).map(|(x, z)| Sequence::new(&x[..]).with_states(z, 2).unwrap());
    let supervised = Sequences::new(parts.collect());
    let fitted = likeliest(&supervised, steps(1)).fit(golden(), &mut Silent).unwrap();
    for (a, b) in fitted.model.hmm.transition().iter().zip(learned.transition()) {
        close(*a, *b, 1e-14);
    }
    for (a, b) in
        fitted.model.hmm.emissions().probabilities().iter().zip(learned.emissions().probabilities().iter())
    {
        close(*a, *b, 1e-14);
    }
    let wrong = |states: &[Vec<usize>]| problem.start_from_states(states, &golden()).unwrap_err().to_string();
    assert_eq!(wrong(&states[..2]), "sequences of states: expected 3, found 2");
    assert_eq!(
        wrong(&[states[0].clone(), vec![2], states[2].clone()]),
        "sequence 1, position 0: state 2 of 2"
    );
    assert_eq!(
        wrong(&[states[0].clone(), vec![], states[2].clone()]),
        "states of a sequence: expected 1, found 0"
    );
    let like = Topology::left_to_right(2, 1).unwrap().uniform(golden().into_emissions()).unwrap();
    let error = problem.start_from_states(&states, &like).unwrap_err().to_string();
    assert_eq!(error, "sequence 1, position 0: state 1 is not possible here in the model");
}

#[test]
fn some_known_states_decide_the_names() {
    let all = symbols(6, 80, 4, 21);
    let mut known = vec![vec![None; 80]; 6];
    // Symbols 0 and 1 are state 1 wherever it is seen.
    for (x, z) in all.iter().zip(&mut known) {
        for t in (0..80).step_by(5) {
            z[t] = Some(usize::from(x[t] < 2));
        }
    }
    let parts = all.iter().zip(&known).map(|(x, z)| Sequence::new(&x[..]).with_states(z, 2).unwrap());
    let sequences = Sequences::new(parts.collect());
    let start = Topology::ergodic(2)
        .unwrap()
        .uniform(CategoricalEmissions::new(&rows(1, 4, 1).select_rows(&[0, 0])).unwrap())
        .unwrap();
    let fitted = likeliest(&sequences, BaumWelchOptions::default()).fit(start, &mut Silent).unwrap();
    assert!(fitted.report.converged() && fitted.report.falls.is_empty());
    let emissions = fitted.model.hmm.emissions();
    assert!(emissions.probability(1, 0) + emissions.probability(1, 1) > 0.8);
    assert!(emissions.probability(0, 2) + emissions.probability(0, 3) > 0.8);
}

#[test]
fn what_is_missing_has_no_part() {
    // A missing end is a shorter sequence.
    let data = [0, 2, 1, 0, 0];
    let missing = [false, false, false, true, true];
    let masked = Sequences::new(vec![Sequence::new(&data[..]).with_missing(&missing)]);
    let short = Sequences::one(&data[..3]);
    let a = likeliest(&masked, steps(2)).fit(golden(), &mut Silent).unwrap();
    let b = likeliest(&short, steps(0)).fit(golden(), &mut Silent).unwrap();
    close(a.report.trace[0], b.report.trace[0], 1e-14);
    // What the data hold there changes nothing.
    let other = [0, 2, 1, 2, 1];
    let masked = Sequences::new(vec![Sequence::new(&other[..]).with_missing(&missing)]);
    assert_eq!(likeliest(&masked, steps(2)).fit(golden(), &mut Silent).unwrap(), a);
    // Nothing seen at all: distributions stay, and are reported.
    let nothing = [true; 5];
    let masked = Sequences::new(vec![Sequence::new(&data[..]).with_missing(&nothing)]);
    let fitted = likeliest(&masked, steps(2)).fit(golden(), &mut Silent).unwrap();
    assert_eq!(fitted.model.hmm.emissions(), golden().emissions());
    assert_eq!(fitted.model.incidents.len(), 2);
    close(fitted.report.trace[2], 0.0, 1e-14);
}

#[test]
fn many_sequences_are_one_sum() {
    let all = symbols(40, 700, 5, 77);
    let start = model(4, 5, 3);
    let sequences = slices(&all);
    let problem = likeliest(&sequences, steps(1));
    let whole = problem.fit(start.clone(), &mut Silent).unwrap();
    let ln_p: f64 =
        all.iter().map(|x| likeliest(&Sequences::one(&x[..]), steps(0)).ln_likelihood(&start).unwrap()).sum();
    close(whole.report.trace[0], ln_p, 1e-13);
    // With empty ones between them, and in another order.
    let mut more: Vec<Vec<usize>> = all.iter().rev().cloned().collect();
    more.insert(3, Vec::new());
    more.push(Vec::new());
    let shuffled = slices(&more);
    let again = likeliest(&shuffled, steps(1)).fit(start, &mut Silent).unwrap();
    close(again.report.trace[1], whole.report.trace[1], 1e-13);
    assert!(
        BaumWelch::<CategoricalEmissions, _>::new(&slices(&[vec![]]), MaximumLikelihood, steps(1)).is_err()
    );
}

#[cfg(feature = "rayon")]
#[test]
fn the_number_of_threads_changes_no_bit() {
    let all = symbols(60, 700, 5, 77);
    let sequences = slices(&all);
    let problem = likeliest(&sequences, steps(2));
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| problem.fit(model(4, 5, 3), &mut Silent).unwrap())
    };
    let one = with(1);
    assert_eq!(one, with(2));
    assert_eq!(one, with(3));
}

#[test]
fn restarts_find_more() {
    let all = symbols(5, 200, 6, 4);
    let sequences = slices(&all);
    let problem = likeliest(&sequences, steps(30));
    let like = Topology::ergodic(3).unwrap().uniform(model(3, 6, 1).into_emissions()).unwrap();
    let found = problem.fit_best(6, 1, |rng| problem.random_start(&like, rng)).unwrap();
    let outcomes: Vec<f64> = found.outcomes.iter().map(|o| *o.as_ref().unwrap()).collect();
    assert_eq!(outcomes.len(), 6);
    assert!(outcomes.iter().all(|&o| o <= outcomes[found.index]));
    assert!(outcomes.iter().any(|&o| o < outcomes[found.index] - 1e-3));
    // The first starts are the same however many there are.
    let fewer = problem.fit_best(2, 1, |rng| problem.random_start(&like, rng)).unwrap();
    assert_eq!(*fewer.outcomes[1].as_ref().unwrap(), outcomes[1]);
    let start = problem.random_start(&like, &mut stream(3, &[])).unwrap();
    assert_eq!(start.transition(), like.transition());
}

#[test]
fn short_runs_go_on_to_where_a_whole_fit_ends() {
    let all = symbols(5, 200, 6, 4);
    let sequences = slices(&all);
    let problem = likeliest(&sequences, steps(60));
    let like = Topology::ergodic(3).unwrap().uniform(model(3, 6, 1).into_emissions()).unwrap();
    let short = problem.fit_short_runs(&problem, 6, 1, |rng| problem.random_start(&like, rng)).unwrap();
    let whole = problem.fit_best(6, 1, |rng| problem.random_start(&like, rng)).unwrap();
    assert_eq!(short.best.report.trace.len(), 61);
    assert_eq!(*short.best.report.trace.last().unwrap(), *whole.outcomes[short.index].as_ref().unwrap());
    // Short runs on two of five sequences, and the rest on all.
    let few = slices(&all[..2]);
    let few = likeliest(&few, steps(60));
    let part = problem.fit_short_runs(&few, 6, 1, |rng| few.random_start(&like, rng)).unwrap();
    assert_eq!(part.best.report.trace.len(), 61);
    let end = problem.ln_likelihood(&part.best.model.hmm).unwrap();
    close(*part.best.report.trace.last().unwrap(), end, 1e-9 * end.abs());
    assert!(part.outcomes.iter().all(|outcome| *outcome.as_ref().unwrap() > end));
}

#[test]
fn impossible_sequences_are_reported() {
    let like = Topology::left_to_right(2, 1)
        .unwrap()
        .uniform(CategoricalEmissions::new(&posterior_math::linalg::DMatrix::identity(2, 2)).unwrap())
        .unwrap();
    let all = vec![vec![0, 0, 1], vec![0, 1, 0]];
    let sequences = slices(&all);
    let problem = likeliest(&sequences, steps(1));
    let error = problem.fit(like.clone(), &mut Silent).unwrap_err();
    assert!(matches!(error, Error::Impossible { sequence: 1, position: 2 }), "{error}");
    assert_eq!(problem.ln_likelihood(&like).unwrap(), f64::NEG_INFINITY);
}
