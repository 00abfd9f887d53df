//! The classical method of Runge and Kutta.

/// Moves the state of y' = f(t, y) from `time` on by `steps` steps of the classical Runge-Kutta method: order
/// 4, with four evaluations each; returns the time reached.
///
/// `f` gets time and state and writes the derivative. For Hamiltonian dynamics prefer
/// [`yoshida`](super::yoshida): here the energy drifts, in proportion to the time.
///
/// ```
/// use posterior_math::integrate::runge_kutta;
///
/// let mut state = [1.0];
/// let end = runge_kutta(|_, y, slope| slope[0] = -y[0], 0.0, &mut state, 0.01, 100);
/// assert!((end - 1.0).abs() < 1e-15);
/// assert!((state[0] - (-1_f64).exp()).abs() < 1e-10);
/// ```
pub fn runge_kutta(
    mut f: impl FnMut(f64, &[f64], &mut [f64]),
    time: f64,
    state: &mut [f64],
    step: f64,
    steps: usize,
) -> f64 {
    let n = state.len();
    let (mut slope, mut sum, mut point) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for i in 0..steps {
        let start = time + i as f64 * step;
        sum.fill(0.0);
        slope.fill(0.0);
        for (proportion, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            for ((point, y), k) in point.iter_mut().zip(&*state).zip(&slope) {
                *point = y + proportion * step * k;
            }
            f(start + proportion * step, &point, &mut slope);
            for (sum, k) in sum.iter_mut().zip(&slope) {
                *sum += weight * k;
            }
        }
        for (y, sum) in state.iter_mut().zip(&sum) {
            *y += step / 6.0 * sum;
        }
    }
    time + steps as f64 * step
}
