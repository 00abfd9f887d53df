//! What particles ask of a model.

use rand::Rng;

/// A Markov chain of states of n numbers, what was seen of it included.
///
/// # Distributions
/// - `draw_next` draws from the density of which `ln_transition` is the logarithm;
/// - `ln_observation` is ln p(y(t) | x(t)) with all its constants, 0 where nothing was seen, and -∞ where it
///   is impossible.
///
/// # For a model of your own
/// ```
/// use posterior_dist::stream::stream;
/// use posterior_kalman::particles::{ParticleFilter, ParticleModel};
/// use rand::Rng;
/// use rand_distr::{Distribution, StandardNormal};
///
/// /// Stochastic volatility: y(t) ~ N(0, exp(x(t))), of which x is an autoregression.
/// struct Volatility(Vec<f64>);
///
/// impl ParticleModel for Volatility {
///     fn states(&self) -> usize { 1 }
///     fn len(&self) -> usize { self.0.len() }
///     fn draw_first<R: Rng + ?Sized>(&self, state: &mut [f64], rng: &mut R) {
///         let e: f64 = StandardNormal.sample(rng);
///         state[0] = e / (1.0_f64 - 0.95 * 0.95).sqrt();
///     }
///     fn draw_next<R: Rng + ?Sized>(&self, _: usize, state: &[f64], next: &mut [f64], rng: &mut R) {
///         let e: f64 = StandardNormal.sample(rng);
///         next[0] = 0.95 * state[0] + e;
///     }
///     fn ln_transition(&self, _: usize, state: &[f64], next: &[f64]) -> f64 {
///         -0.5 * ((next[0] - 0.95 * state[0]).powi(2) + std::f64::consts::TAU.ln())
///     }
///     fn ln_observation(&self, t: usize, state: &[f64]) -> f64 {
///         -0.5 * (self.0[t].powi(2) * (-state[0]).exp() + state[0] + std::f64::consts::TAU.ln())
///     }
/// }
///
/// let model = Volatility(vec![0.3, -1.2, 4.0, -5.1, 0.2]);
/// let filtered = ParticleFilter::default().run(&model, &mut stream(1, &[]))?;
/// assert!(filtered.mean(3)[0] > filtered.mean(0)[0]);
/// # Ok::<(), posterior_kalman::Error>(())
/// ```
pub trait ParticleModel {
    /// The number n of states.
    fn states(&self) -> usize;

    /// How many times.
    fn len(&self) -> usize;

    /// Whether there is no time.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Draws the state at the first time, before it is observed.
    fn draw_first<R: Rng + ?Sized>(&self, state: &mut [f64], rng: &mut R);

    /// Draws the state at time `t` + 1 given that at time `t`.
    fn draw_next<R: Rng + ?Sized>(&self, t: usize, state: &[f64], next: &mut [f64], rng: &mut R);

    /// ln p(x(t+1) | x(t)), up to a constant.
    fn ln_transition(&self, t: usize, state: &[f64], next: &[f64]) -> f64;

    /// ln p(y(t) | x(t)).
    fn ln_observation(&self, t: usize, state: &[f64]) -> f64;
}
