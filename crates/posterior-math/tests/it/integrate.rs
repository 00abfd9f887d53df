//! Integrators: order by halving, reversal, energy.

use posterior_math::integrate::{SeparableHamiltonian, leapfrog, runge_kutta, yoshida};
use proptest::prelude::*;

/// A pendulum with mass 2: U = -cos q, K = p² / 4.
struct Pendulum {
    gradients: usize,
}

impl SeparableHamiltonian for Pendulum {
    fn potential_gradient(&mut self, position: &[f64], gradient: &mut [f64]) {
        self.gradients += 1;
        gradient[0] = position[0].sin();
    }

    fn velocity(&mut self, momentum: &[f64], velocity: &mut [f64]) {
        velocity[0] = 0.5 * momentum[0];
    }
}

fn energy(q: f64, p: f64) -> f64 {
    0.25 * p * p - q.cos()
}

const START: [f64; 2] = [1.2, 0.7];

type Method = fn(f64, usize) -> [f64; 2];

fn by_leapfrog(step: f64, steps: usize) -> [f64; 2] {
    let (mut q, mut p) = ([START[0]], [START[1]]);
    leapfrog(&mut Pendulum { gradients: 0 }, &mut q, &mut p, step, steps);
    [q[0], p[0]]
}

fn by_yoshida(step: f64, steps: usize) -> [f64; 2] {
    let (mut q, mut p) = ([START[0]], [START[1]]);
    yoshida(&mut Pendulum { gradients: 0 }, &mut q, &mut p, step, steps);
    [q[0], p[0]]
}

fn by_runge_kutta(step: f64, steps: usize) -> [f64; 2] {
    let mut state = START;
    runge_kutta(
        |_, y, slope| slope.copy_from_slice(&[0.5 * y[1], -y[0].sin()]),
        0.0,
        &mut state,
        step,
        steps,
    );
    state
}

#[test]
fn halving_the_step_shows_the_order() {
    // A tight Yoshida run is the truth.
    let truth = by_yoshida(5e-4, 4000);
    let error = |method: Method, steps: usize| {
        let end = method(2.0 / steps as f64, steps);
        (end[0] - truth[0]).hypot(end[1] - truth[1])
    };
    let methods: [(Method, f64); 3] = [(by_leapfrog, 2.0), (by_yoshida, 4.0), (by_runge_kutta, 4.0)];
    for (method, order) in methods {
        for steps in [40, 80] {
            let observed = (error(method, steps) / error(method, 2 * steps)).log2();
            assert!((observed - order).abs() < 0.05, "{observed} {order}");
        }
    }
}

#[test]
fn energy_stays_within_a_band_or_drifts() {
    let start = energy(START[0], START[1]);
    // The largest error over a period or two, after so many steps.
    let worst = |method: Method, after: usize| {
        let ends = (after..after + 100).map(|steps| method(0.3, steps));
        ends.map(|[q, p]| (energy(q, p) - start).abs()).fold(0.0, f64::max)
    };
    let methods: [Method; 2] = [by_leapfrog, by_yoshida];
    for method in methods {
        let (early, late) = (worst(method, 0), worst(method, 10_000));
        assert!(late < 1.1 * early, "{early} {late}");
    }
    let (early, late) = (worst(by_runge_kutta, 0), worst(by_runge_kutta, 10_000));
    assert!(late > 30.0 * early, "{early} {late}");
}

#[test]
fn gradients_are_not_wasted() {
    let mut pendulum = Pendulum { gradients: 0 };
    leapfrog(&mut pendulum, &mut [1.0], &mut [0.0], 0.1, 10);
    assert_eq!(pendulum.gradients, 11);
    yoshida(&mut pendulum, &mut [1.0], &mut [0.0], 0.1, 10);
    assert_eq!(pendulum.gradients, 11 + 31);
    let (mut q, mut p) = ([1.0], [0.5]);
    leapfrog(&mut pendulum, &mut q, &mut p, 0.1, 0);
    assert_eq!((q, p, pendulum.gradients), ([1.0], [0.5], 42));
}

#[test]
fn time_reaches_the_function() {
    // y' = 3 t², exact for a method of order 4.
    let mut state = [0.0];
    let end = runge_kutta(|t, _, slope| slope[0] = 3.0 * t * t, 1.0, &mut state, 0.25, 4);
    assert_eq!(end, 2.0);
    assert!((state[0] - 7.0).abs() < 1e-14);
}

#[test]
#[should_panic(expected = "different lengths")]
fn position_and_momentum_have_one_length() {
    let mut free = |_: &[f64], gradient: &mut [f64]| gradient.fill(0.0);
    leapfrog(&mut free, &mut [0.0], &mut [0.0, 0.0], 0.1, 1);
}

proptest! {
    #[test]
    fn reversed_momentum_leads_back(q in prop::array::uniform3(-2.0..2.0_f64), p in prop::array::uniform3(-2.0..2.0_f64), step in 0.01..0.3_f64) {
        // A coupled, anharmonic chain.
        let mut chain = |q: &[f64], gradient: &mut [f64]| {
            for i in 0..3 {
                gradient[i] = q[i] + 0.3 * q[i].powi(3) + 0.5 * (q[i] - q[(i + 1) % 3]);
            }
            for i in 0..3 {
                gradient[(i + 1) % 3] -= 0.5 * (q[i] - q[(i + 1) % 3]);
            }
        };
        for fourth in [false, true] {
            let (mut position, mut momentum) = (q, p);
            for _ in 0..2 {
                if fourth {
                    yoshida(&mut chain, &mut position, &mut momentum, step, 50);
                } else {
                    leapfrog(&mut chain, &mut position, &mut momentum, step, 50);
                }
                momentum = momentum.map(|p| -p);
            }
            for i in 0..3 {
                prop_assert!((position[i] - q[i]).abs() < 1e-10 && (momentum[i] - p[i]).abs() < 1e-10, "{position:?} {q:?}");
            }
        }
    }
}
