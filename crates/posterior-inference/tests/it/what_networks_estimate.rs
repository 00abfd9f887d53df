//! What the minimiser of a loss over all functions is: the conditional probability, on a finite set of inputs
//! (Lippmann 1991).

use posterior_math::log_space::x_ln_y;
use posterior_testkit::accuracy::{assert_close, assert_within};

/// p(x, y) of five inputs and a binary label: for each x, (p(x, 0), p(x, 1)).
const JOINT: [[f64; 2]; 5] = [[0.125, 0.25], [0.0625, 0.0625], [0.25, 0.0], [0.0, 0.125], [0.09375, 0.03125]];

fn conditional(x: usize) -> f64 {
    JOINT[x][1] / (JOINT[x][0] + JOINT[x][1])
}

/// The mean of a loss of (guess, label); what never happens costs nothing.
fn risk(guess: &[f64; 5], loss: impl Fn(f64, f64) -> f64) -> f64 {
    let term = |x: usize, y: usize| {
        if JOINT[x][y] == 0.0 { 0.0 } else { JOINT[x][y] * loss(guess[x], y as f64) }
    };
    (0..5).map(|x| term(x, 0) + term(x, 1)).sum()
}

fn square(guess: f64, label: f64) -> f64 {
    (guess - label).powi(2)
}

fn log_loss(guess: f64, label: f64) -> f64 {
    -x_ln_y(label, guess) - x_ln_y(1.0 - label, 1.0 - guess)
}

#[test]
fn losses_fall_into_what_can_be_learned_and_what_cannot() {
    let best = [0, 1, 2, 3, 4].map(conditional);
    let noise: f64 = (0..5).map(|x| (JOINT[x][0] + JOINT[x][1]) * best[x] * (1.0 - best[x])).sum();
    assert_within(risk(&best, square), noise, 1e-16);
    for guess in [[0.5; 5], [0.1, 0.9, 0.3, 0.7, 0.2], [0.99; 5], best] {
        let distance: f64 = (0..5).map(|x| (JOINT[x][0] + JOINT[x][1]) * (guess[x] - best[x]).powi(2)).sum();
        assert_close(risk(&guess, square), distance + noise, 1e-15);
        let divergence: f64 = (0..5)
            .map(|x| {
                let (p, q) = ([1.0 - best[x], best[x]], [1.0 - guess[x], guess[x]]);
                (JOINT[x][0] + JOINT[x][1]) * posterior_dist::finite::information::kl_divergence(&p, &q)
            })
            .sum();
        assert_close(risk(&guess, log_loss), risk(&best, log_loss) + divergence, 1e-14);
    }
}

#[test]
fn no_other_function_does_better() {
    let best = [0, 1, 2, 3, 4].map(conditional);
    for x in 0..5 {
        for moved in [-0.2, -0.01, 0.01, 0.2] {
            let mut other = best;
            other[x] = (best[x] + moved).clamp(0.0, 1.0);
            if other[x] != best[x] {
                assert!(risk(&other, square) > risk(&best, square));
                assert!(risk(&other, log_loss) > risk(&best, log_loss));
            }
        }
    }
}
