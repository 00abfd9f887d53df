//! Steps along gradients that carry noise: Adam, and stochastic gradient descent with momentum.

use super::objective::{Minimum, Objective, largest};
use crate::iteration::{Fitted, Observer, Progress, Stop};

/// The length of step t = 0, 1, 2, ….
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum StepSchedule {
    /// Always this.
    Constant(f64),
    /// `initial (1 + t / delay)^(-power)`. With a power above ½ and up to 1 the iterates converge in spite of
    /// noise (Robbins and Monro).
    Power {
        /// The first length.
        initial: f64,
        /// The number of steps before it falls.
        delay: f64,
        /// How fast it falls.
        power: f64,
    },
    /// From `initial` to 0 over so many steps along half a cosine.
    Cosine {
        /// The first length.
        initial: f64,
        /// When it reaches 0.
        steps: usize,
    },
}

impl StepSchedule {
    /// The length of step `t`, from 0.
    ///
    /// ```
    /// use posterior_math::optimize::StepSchedule;
    ///
    /// let schedule = StepSchedule::Power { initial: 0.1, delay: 10.0, power: 1.0 };
    /// assert_eq!(schedule.length(10), 0.05);
    /// ```
    pub fn length(&self, t: usize) -> f64 {
        match *self {
            Self::Constant(length) => length,
            Self::Power { initial, delay, power } => initial * (1.0 + t as f64 / delay).powf(-power),
            Self::Cosine { initial, steps } if t < steps => {
                0.5 * initial * (1.0 + (std::f64::consts::PI * t as f64 / steps as f64).cos())
            }
            Self::Cosine { .. } => 0.0,
        }
    }
}

/// The kind of step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum StochasticMethod {
    /// Each coordinate moves by about the length of the step, whatever the scale of its gradient.
    Adam {
        /// How much of the mean gradient is kept (0.9).
        first_decay: f64,
        /// How much of the mean square is kept (0.999).
        second_decay: f64,
        /// What is added to the root of the mean square (10^-8).
        epsilon: f64,
    },
    /// Along the gradient, with so much of the last step kept; 0 is plain gradient descent.
    Momentum(f64),
}

/// How to minimise with noisy gradients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StochasticOptions {
    /// The kind of step: Adam by default.
    pub method: StochasticMethod,
    /// The lengths of the steps: constantly 10^-3 by default.
    pub schedule: StepSchedule,
    /// The run converges when no component of the gradient is larger. 0, never, by default: noise does not
    /// vanish.
    pub gradient_tolerance: f64,
    /// The number of steps. 1000 by default.
    pub max_iterations: usize,
}

impl Default for StochasticOptions {
    fn default() -> Self {
        Self {
            method: StochasticMethod::Adam { first_decay: 0.9, second_decay: 0.999, epsilon: 1e-8 },
            schedule: StepSchedule::Constant(1e-3),
            gradient_tolerance: 0.0,
            max_iterations: 1000,
        }
    }
}

/// The point after the given number of steps along noisy gradients.
///
/// The objective returns an unbiased estimate of value and gradient, of a random part of the data, say; it
/// owns its random numbers. The trace holds these noisy values. The usual end is [`Stop::MaxIterations`].
/// Where the objective fails, the last step is halved, up to 50 times in a row, and the run then
/// [`Stop::Stalled`].
///
/// # References
/// D. Kingma, J. Ba, Adam: a method for stochastic optimization, ICLR 2015.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::optimize::{StepSchedule, StochasticOptions, minimize_stochastic};
///
/// let square = |x: &[f64], gradient: &mut [f64]| {
///     gradient[0] = 2.0 * (x[0] - 3.0);
///     (x[0] - 3.0).powi(2)
/// };
/// let options = StochasticOptions {
///     schedule: StepSchedule::Cosine { initial: 0.1, steps: 1000 },
///     ..StochasticOptions::default()
/// };
/// let found = minimize_stochastic(square, &[0.0], &options, &mut Silent);
/// assert!((found.model.point[0] - 3.0).abs() < 1e-6);
/// ```
pub fn minimize_stochastic(
    mut objective: impl Objective,
    start: &[f64],
    options: &StochasticOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Fitted<Minimum> {
    let n = start.len();
    let mut x = start.to_vec();
    let mut gradient = vec![0.0; n];
    let mut value = objective.evaluate(&x, &mut gradient);
    let mut evaluations = 1;
    let mut progress = Progress::new(value, options.max_iterations, observer);
    let mut state = State { first: vec![0.0; n], second: vec![0.0; n], step: vec![0.0; n], taken: 0 };
    let stop = loop {
        let norm = largest(&gradient);
        if !(value.is_finite() && norm.is_finite()) {
            break Stop::Stalled;
        }
        if norm <= options.gradient_tolerance {
            break Stop::Converged;
        }
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        state.advance(&gradient, options);
        for (x, step) in x.iter_mut().zip(&state.step) {
            *x += step;
        }
        value = objective.evaluate(&x, &mut gradient);
        evaluations += 1;
        for _ in 0..50 {
            if value.is_finite() && largest(&gradient).is_finite() {
                break;
            }
            for (x, step) in x.iter_mut().zip(&mut state.step) {
                *step *= 0.5;
                *x -= *step;
            }
            value = objective.evaluate(&x, &mut gradient);
            evaluations += 1;
        }
        if progress.stopped_after(value) {
            break Stop::Observer;
        }
    };
    let gradient_norm = largest(&gradient);
    Fitted { model: Minimum { point: x, value, gradient_norm, evaluations }, report: progress.finish(stop) }
}

/// What is remembered between the steps.
struct State {
    first: Vec<f64>,
    second: Vec<f64>,
    step: Vec<f64>,
    taken: usize,
}

impl State {
    /// Writes the next step.
    fn advance(&mut self, gradient: &[f64], options: &StochasticOptions) {
        let length = options.schedule.length(self.taken);
        self.taken += 1;
        match options.method {
            StochasticMethod::Momentum(kept) => {
                for (step, g) in self.step.iter_mut().zip(gradient) {
                    *step = kept * *step - length * g;
                }
            }
            StochasticMethod::Adam { first_decay, second_decay, epsilon } => {
                let correction = |decay: f64| 1.0 - decay.powf(self.taken as f64);
                let (of_first, of_second) = (correction(first_decay), correction(second_decay));
                for (i, g) in gradient.iter().enumerate() {
                    self.first[i] = first_decay * self.first[i] + (1.0 - first_decay) * g;
                    self.second[i] = second_decay * self.second[i] + (1.0 - second_decay) * g * g;
                    let root = (self.second[i] / of_second).sqrt();
                    self.step[i] = -length * (self.first[i] / of_first) / (root + epsilon);
                }
            }
        }
    }
}
