//! Periodic functions: undamped resonators, each a rotation.

use std::f64::consts::TAU;

use posterior_math::autodiff::Real;
use posterior_math::check::{self, ParamError};

use super::block::Block;
use super::dynamics::Dynamics;

/// Shorter length scales need thousands of resonators.
const SHORTEST_LENGTH_SCALE: f64 = 1e-3;

/// A wave of one period with random phase: k = cos(2π τ / period).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cosine;

/// k = exp(-2 sin²(π τ / period) / l²), by the first terms of its Fourier series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Periodic {
    pub(super) terms: usize,
}

impl Dynamics for Cosine {
    fn states(&self) -> usize {
        2
    }

    fn step<R: Real>(
        &self,
        parameters: &[R],
        dt: f64,
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    ) {
        write_rotation(turns(parameters[0], dt), 1, transition);
        noise.map(2, |_| R::constant(0.0));
    }

    fn covariance<R: Real>(&self, _: &[R], _: f64, covariance: &mut Block<'_, R>) {
        write_circle(R::constant(1.0), covariance);
    }
}

impl Periodic {
    pub(super) fn check(parameters: &[f64]) -> Result<(), ParamError> {
        let requirement = "at least 0.001, and finite";
        let legal = parameters[0] >= SHORTEST_LENGTH_SCALE && parameters[0] < f64::INFINITY;
        check::require(legal, "periodic", "length_scale", parameters[0], requirement)?;
        check::positive("periodic", "period", parameters[1])?;
        Ok(())
    }

    /// The smallest number of terms for which the error is at most `error`.
    pub(super) fn terms_for(length_scale: f64, error: f64) -> usize {
        let weights = scaled_bessel(square_precision(length_scale), 0);
        let mut rest = 0.0;
        let beyond = weights.iter().skip(1).rev().take_while(|&&weight| {
            rest += 2.0 * weight;
            rest <= error
        });
        weights.len() - 1 - beyond.count()
    }
}

impl Dynamics for Periodic {
    fn states(&self) -> usize {
        2 * self.terms + 1
    }

    fn observation(&self) -> Vec<f64> {
        (0..self.states()).map(|state| if state == 0 || state % 2 == 1 { 1.0 } else { 0.0 }).collect()
    }

    fn step<R: Real>(
        &self,
        parameters: &[R],
        dt: f64,
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    ) {
        let turns = turns(parameters[1], dt);
        transition.set(0, 0, R::constant(1.0));
        for term in 1..=self.terms {
            write_rotation(turns, term, &mut transition.from(2 * term - 1));
        }
        for term in 0..=self.terms {
            let (first, size) = if term == 0 { (0, 1) } else { (2 * term - 1, 2) };
            noise.from(first).map(size, |_| R::constant(0.0));
        }
    }

    /// q₀ = e^(-x) I₀(x) and qⱼ = 2 e^(-x) Iⱼ(x), x = 1/l², for the constant and the resonators.
    fn covariance<R: Real>(&self, parameters: &[R], _: f64, covariance: &mut Block<'_, R>) {
        let length_scale = parameters[0].value();
        let x = square_precision(length_scale);
        // dx/dl = -2x/l. As a number with derivatives: zero, and how x moves.
        let moved = (parameters[0] - length_scale) * (-2.0 * x / length_scale);
        let bessel = scaled_bessel(x, self.terms + 1);
        covariance.set(0, 0, moved * (bessel[1] - bessel[0]) + bessel[0]);
        for term in 1..=self.terms {
            let slope = f64::midpoint(bessel[term - 1], bessel[term + 1]) - bessel[term];
            let weight = (moved * slope + bessel[term]) * 2.0;
            write_circle(weight, &mut covariance.from(2 * term - 1));
        }
    }

    /// What the terms that are left out add up to at τ = 0.
    fn error(&self, parameters: &[f64]) -> f64 {
        let weights = scaled_bessel(square_precision(parameters[0]), self.terms + 1);
        2.0 * weights[self.terms + 1..].iter().rev().sum::<f64>()
    }
}

/// x = 1/l²; where it is so small that the function is constant, a number with which one can still calculate.
fn square_precision(length_scale: f64) -> f64 {
    (length_scale * length_scale).recip().max(1e-50)
}

/// dt / period, less the whole turns.
fn turns<R: Real>(period: R, dt: f64) -> R {
    let turns = period.recip() * dt;
    let whole = turns.value().floor();
    turns - whole
}

fn write_rotation<R: Real>(turns: R, times: usize, transition: &mut Block<'_, R>) {
    let angle = turns * (times as f64 * TAU);
    let (cos, sin) = (angle.cos(), angle.sin());
    transition.set(0, 0, cos);
    transition.set(1, 1, cos);
    transition.set(0, 1, sin);
    transition.set(1, 0, -sin);
}

fn write_circle<R: Real>(variance: R, covariance: &mut Block<'_, R>) {
    covariance.set(0, 0, variance);
    covariance.set(1, 1, variance);
    covariance.set_both(0, 1, R::constant(0.0));
}

/// e^(-x) Iⱼ(x) for j = 0, 1, …, at least `last`, and on until they vanish beside the first.
///
/// Miller's backward recurrence Iⱼ₋₁ = Iⱼ₊₁ + (2j/x) Iⱼ, made to satisfy I₀ + 2 Σ Iⱼ = e^x.
fn scaled_bessel(x: f64, last: usize) -> Vec<f64> {
    let vanishing = (12.0 * x.sqrt()).max(30.0) as usize;
    let count = vanishing.max(last) + 20;
    let mut values = vec![0.0; count + 1];
    let (mut next, mut current) = (0.0_f64, 1e-300_f64);
    values[count] = current;
    for j in (1..=count).rev() {
        let previous = next + 2.0 * j as f64 / x * current;
        (next, current) = (current, previous);
        values[j - 1] = current;
        if current > 1e250 {
            // What falls below the range of f64 is nothing beside what follows.
            let shrink = current.recip();
            for value in &mut values[j - 1..] {
                *value *= shrink;
            }
            (next, current) = (next * shrink, 1.0);
        }
    }
    let sum = values[0] + 2.0 * values[1..].iter().rev().sum::<f64>();
    for value in &mut values {
        *value /= sum;
    }
    values
}
