//! Hitting times and absorption: against closed forms.

use posterior_sampling::markov_chain::TransitionMatrix;

use super::{assert_close, circle, gambler, identity, weather};

#[test]
fn the_gambler_is_ruined_as_the_formulas_say() {
    let n = 10;
    let absorption = gambler(n, 0.5).absorption().unwrap();
    assert_eq!(absorption.classes.iter().map(|class| class.states.clone()).collect::<Vec<_>>(), [[0], [n]]);
    for i in 0..=n {
        let won = i as f64 / n as f64;
        assert_close(&absorption.probabilities[i], &[1.0 - won, won], 1e-14);
        assert!((absorption.times[i] - (i * (n - i)) as f64).abs() < 1e-12);
    }
    // With a worse coin: ((q/p)ⁱ - 1) / ((q/p)ⁿ - 1), and the duration i/(q - p) - n/(q - p) · P(win).
    let (p, q) = (0.2, 0.8);
    let absorption = gambler(n, p).absorption().unwrap();
    for i in 0..=n {
        let ratio: f64 = q / p;
        let won = (ratio.powf(i as f64) - 1.0) / (ratio.powf(n as f64) - 1.0);
        assert!((absorption.probabilities[i][1] - won).abs() <= 1e-14 * won);
        let duration = (i as f64 - n as f64 * won) / (q - p);
        assert!((absorption.times[i] - duration).abs() < 1e-12);
    }
}

#[test]
fn one_aim_that_may_be_missed_takes_for_ever() {
    let to_the_top = gambler(3, 0.5).hitting_times(&[3]).unwrap();
    assert_eq!(to_the_top, [f64::INFINITY, f64::INFINITY, f64::INFINITY, 0.0]);
    assert_close(
        &gambler(3, 0.5).hitting_probabilities(&[3]).unwrap(),
        &[0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0],
        1e-15,
    );
    assert_eq!(identity(3).hitting_probabilities(&[1]).unwrap(), [0.0, 1.0, 0.0]);
    // The way into the trap leads through the aim: it is not missed.
    let line = TransitionMatrix::from_moves(3, |i| if i < 2 { vec![(i + 1, 0.25)] } else { vec![] }).unwrap();
    assert_close(&line.hitting_times(&[1]).unwrap()[..1], &[4.0], 1e-15);
    assert_eq!(line.hitting_times(&[1]).unwrap()[2], f64::INFINITY);
    assert!(line.hitting_times(&[]).is_err() && line.hitting_times(&[3]).is_err());
    assert!(line.hitting_probabilities(&[7]).is_err());
}

#[test]
fn rare_ways_keep_all_their_digits() {
    // A step on takes 1e18 steps on average, though the probability to stay is 1 in f64.
    let line =
        TransitionMatrix::from_moves(4, |i| if i < 3 { vec![(i + 1, 1e-18)] } else { vec![] }).unwrap();
    assert_close(&line.hitting_times(&[3]).unwrap(), &[3e18, 2e18, 1e18, 0.0], 1e-15);
}

#[test]
fn the_mean_time_of_return_is_one_over_the_stationary_probability() {
    let lopsided = TransitionMatrix::from_rows(&[[0.1, 0.7, 0.2], [0.3, 0.3, 0.4], [0.6, 0.1, 0.3]]).unwrap();
    for chain in [weather(), circle(6, 0.5, 0.2), lopsided] {
        let distribution = chain.stationary().unwrap();
        for (state, p) in distribution.into_iter().enumerate() {
            let times = chain.hitting_times(&[state]).unwrap();
            let back = 1.0 + chain.expectation(&times).unwrap()[state];
            assert!((back * p - 1.0).abs() < 1e-13, "{back}");
        }
    }
}
