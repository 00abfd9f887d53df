//! Points of an integral over hyperparameters.

use std::collections::{BTreeMap, BTreeSet};

use posterior_math::linalg::{DVector, SymmetricEigen};
use posterior_math::special::LN_TAU;

use crate::Error;
use crate::engine::Engine;
use crate::laplace::Laplace;
use crate::lattice::{Bend, Lattice};
use crate::options::{HierarchicalOptions, HyperPoints};
use crate::search::Peak;

/// Steps of the lattice for one, two, … hyperparameters, in standard deviations around the mode, and the fall
/// of the logarithm at which it ends. The trapezoidal rule on it errs by about e^(-12/step), and by what is
/// outside.
const STEP: [f64; Lattice::MOST] = [0.5, 0.8, 0.9, 1.15, 1.4];
const FALL: [f64; Lattice::MOST] = [9.0, 8.0, 8.0, 7.5, 7.0];
/// Models of more rows and latent values take wider steps for one and two hyperparameters, and a design for
/// more, of which a lattice has hundreds of points.
const SMALL: usize = 5000;
const WIDE_STEP: [f64; 2] = [0.75, 1.1];
const WIDE_FALL: [f64; 2] = [8.0, 8.0];
/// How lattices of one and two hyperparameters are bent; the steps of more are as wide as they may be.
const BEND: f64 = 0.2;
/// A lattice ends this many standard deviations from the mode.
const REACH: f64 = 40.0;
/// A point is passed over if the curve through those before it says that the logarithm falls so much further
/// than to where the lattice ends; and what it falls to where no point says anything.
const BELOW: f64 = 0.5;
const FLOOR: f64 = 6.0;
/// Points whose density is this far below that at the mode, in logarithms, have the skewness of the point
/// beside them.
const HIGH: f64 = 1.5;
/// The radius of the central composite design over the square root of the dimension.
const RADIUS: f64 = 1.1;
/// Where terms of second order are looked at, in standard deviations from the mode.
const LOOK: f64 = 2.0;
/// Up to so much, and so much of the fall of the logarithm by Laplace's method, they are a correction.
const CORRECTION: [f64; 2] = [1.0, 0.5];
/// How far an axis may be stretched for skewness.
const STRETCH: [f64; 2] = [0.2, 5.0];

/// Standardised coordinates z: θ = mode + V Λ^(-1/2) z.
#[derive(Debug)]
pub(crate) struct Axes {
    pub(crate) mode: Vec<f64>,
    /// V Λ^(-1/2), a column for each axis.
    pub(crate) directions: Vec<Vec<f64>>,
    /// The scales below and above the mode, for the design.
    pub(crate) scales: Vec<[f64; 2]>,
    /// ln |Λ|.
    pub(crate) ln_curvature: f64,
}

/// The logarithm of the density around the mode.
#[derive(Debug)]
pub(crate) enum Surface {
    /// Known on a lattice.
    Lattice(Lattice),
    /// Independent along the axes, each half normal to both sides with its scales.
    Skewed,
}

/// What a point of the integral is beside Laplace's approximation there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    /// Not normalised.
    pub(crate) weight: f64,
    /// What ln p(y | θ) has more than by Laplace's method.
    pub(crate) second_order: f64,
    /// Of a point of little density, the number of one visited before that is beside it and has more.
    pub(crate) beside: Option<usize>,
}

/// What the integral needs.
#[derive(Debug)]
pub(crate) struct Design {
    pub(crate) axes: Axes,
    pub(crate) surface: Surface,
    /// The logarithm of the integral of p(y | θ) p(θ).
    pub(crate) ln_integral: f64,
}

impl Axes {
    fn new(peak: &Peak) -> Self {
        let SymmetricParts { directions, ln_curvature } = parts(&peak.curvature);
        let scales = vec![[1.0; 2]; directions.len()];
        Self { mode: peak.laplace.theta.clone(), directions, scales, ln_curvature }
    }

    /// θ at z.
    pub(crate) fn theta(&self, z: &[f64]) -> Vec<f64> {
        let mut theta = self.mode.clone();
        for (direction, z) in self.directions.iter().zip(z) {
            theta.iter_mut().zip(direction).for_each(|(theta, step)| *theta += z * step);
        }
        theta
    }

    /// z with the scales of its sides.
    fn stretched(&self, z: &[f64]) -> Vec<f64> {
        z.iter()
            .zip(&self.scales)
            .map(|(z, [below, above])| z * if *z < 0.0 { below } else { above })
            .collect()
    }
}

struct SymmetricParts {
    directions: Vec<Vec<f64>>,
    ln_curvature: f64,
}

fn parts(curvature: &SymmetricEigen) -> SymmetricParts {
    let values: &DVector<f64> = curvature.values();
    let directions = (0..values.len())
        .map(|k| curvature.vectors().column(k).iter().map(|entry| entry / values[k].sqrt()).collect())
        .collect();
    SymmetricParts { directions, ln_curvature: values.iter().map(|value| value.ln()).sum() }
}

impl Engine<'_> {
    /// Visits the points of the integral, each with its weight, not normalised: a lattice for up to
    /// two hyperparameters, of small models for up to five, and else a central composite design.
    ///
    /// # References
    /// H. Rue, S. Martino, N. Chopin, Approximate Bayesian inference for latent Gaussian models by using
    /// integrated nested Laplace approximations, J. R. Stat. Soc. B 71 (2009), section 6.5.
    pub(crate) fn integrate(
        &self,
        peak: &Peak,
        options: &HierarchicalOptions,
        mut visit: impl FnMut(&Laplace, Point),
    ) -> Result<Design, Error> {
        let axes = Axes::new(peak);
        let is_small = self.rows.count() + self.rows.width() <= SMALL;
        let second_order = self.second_order_beside(peak, &axes, options.second_order);
        let (most, steps, falls) = match options.points {
            HyperPoints::Lattice => (Lattice::MOST, &STEP[..], &FALL[..]),
            HyperPoints::Design => (0, &[][..], &[][..]),
            HyperPoints::Automatic if is_small => (Lattice::MOST, &STEP[..], &FALL[..]),
            HyperPoints::Automatic => (2, &WIDE_STEP[..], &WIDE_FALL[..]),
        };
        match axes.mode.len() {
            0 => {
                let second_order = second_order(&peak.laplace);
                visit(&peak.laplace, Point { weight: 1.0, second_order, beside: None });
                let ln_integral = peak.laplace.ln_density + second_order;
                Ok(Design { axes, surface: Surface::Skewed, ln_integral })
            }
            dimension if dimension <= most => {
                let (step, fall) = (steps[dimension - 1], falls[dimension - 1]);
                self.lattice(peak, axes, (step, fall), second_order, visit)
            }
            _ => self.composite(peak, axes, second_order, visit),
        }
    }

    /// The terms of second order of ln p(y | θ), where they are wanted, known and small.
    fn second_order_beside(&self, peak: &Peak, axes: &Axes, wanted: bool) -> impl Fn(&Laplace) -> f64 + '_ {
        let is_counted = wanted && self.is_second_order(&peak.laplace) && self.is_correction(peak, axes);
        move |laplace| if is_counted { self.second_order(laplace) } else { 0.0 }
    }

    /// Whether the terms of second order, which begin a series without end, are a correction: to both sides
    /// of each axis they raise ln p(y | θ) by less than its fall. Where latent values are hardly known they
    /// can grow faster than it falls, and a density that they are added to has no end.
    fn is_correction(&self, peak: &Peak, axes: &Axes) -> bool {
        let at_peak = self.second_order(&peak.laplace);
        let sides = (0..axes.mode.len()).flat_map(|axis| [(axis, -LOOK), (axis, LOOK)]);
        sides.into_iter().all(|(axis, step)| {
            let mut z = vec![0.0; axes.mode.len()];
            z[axis] = step;
            // Where nothing is found there is no density.
            let Ok(found) = self.laplace(&axes.theta(&z), Some(&peak.laplace.x)) else { return true };
            let fall = (peak.laplace.ln_density - found.ln_density).max(0.0);
            self.second_order(&found) - at_peak <= CORRECTION[0] + CORRECTION[1] * fall
        })
    }

    fn lattice(
        &self,
        peak: &Peak,
        axes: Axes,
        (step, fall): (f64, f64),
        second_order: impl Fn(&Laplace) -> f64,
        mut visit: impl FnMut(&Laplace, Point),
    ) -> Result<Design, Error> {
        let dimension = axes.mode.len();
        let bend = Bend(if dimension > 2 { 0.0 } else { BEND });
        let at_peak = second_order(&peak.laplace);
        let best = peak.laplace.ln_density + at_peak;
        let origin: Vec<i32> = vec![0; dimension];
        let (mut values, mut seen) = (BTreeMap::new(), BTreeSet::from([origin.clone()]));
        let mut waiting = std::collections::VecDeque::from([(origin.clone(), peak.laplace.x.clone(), 0)]);
        let (mut sum, mut visited) = (0.0, 0);
        while let Some((place, start, beside)) = waiting.pop_front() {
            let z: Vec<f64> = place.iter().map(|&k| bend.coordinate(step * f64::from(k))).collect();
            let found = match self.laplace(&axes.theta(&z), Some(&start)) {
                Ok(found) => found,
                // Where the precision over- or underflows there is no density either.
                Err(Error::Matrix(_) | Error::NoMode { .. }) if place != origin => continue,
                Err(error) => return Err(error),
            };
            let second_order = second_order(&found);
            let ln = found.ln_density + second_order - best;
            values.insert(place.clone(), ln);
            if !(ln > -fall) {
                continue;
            }
            let stretched: f64 = place.iter().map(|&k| bend.stretch(step * f64::from(k))).product();
            let weight = ln.exp() * stretched;
            sum += weight;
            let beside = (ln < -HIGH).then_some(beside);
            visit(&found, Point { weight, second_order, beside });
            for axis in 0..dimension {
                for side in [-1, 1] {
                    let mut next = place.clone();
                    next[axis] += side;
                    let far = bend.coordinate(step * f64::from(next[axis])).abs();
                    if far > REACH || seen.contains(&next) {
                        continue;
                    }
                    // The curve through the places before this one, if there are any.
                    let before = |steps: i32| {
                        let mut place = place.clone();
                        place[axis] -= steps * side;
                        values.get(&place).copied()
                    };
                    let ahead = match (before(1), before(2)) {
                        (Some(first), Some(second)) => Some(3.0 * (ln - first) + second),
                        (Some(first), None) => Some(2.0 * ln - first),
                        _ => None,
                    };
                    if let Some(ahead) = ahead.filter(|ahead| *ahead < -fall - BELOW) {
                        values.entry(next).or_insert(ahead);
                    } else {
                        seen.insert(next.clone());
                        waiting.push_back((next, found.x.clone(), visited));
                    }
                }
            }
            visited += 1;
        }
        let ln_integral = best + sum.ln() + dimension as f64 * step.ln() - 0.5 * axes.ln_curvature;
        let surface = Surface::Lattice(Lattice::new((step, bend), -fall - FLOOR, &values));
        Ok(Design { axes, surface, ln_integral })
    }

    fn composite(
        &self,
        peak: &Peak,
        mut axes: Axes,
        second_order: impl Fn(&Laplace) -> f64,
        mut visit: impl FnMut(&Laplace, Point),
    ) -> Result<Design, Error> {
        let n = axes.mode.len();
        let at_peak = second_order(&peak.laplace);
        let best = peak.laplace.ln_density + at_peak;
        for k in 0..n {
            for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
                let mut z = vec![0.0; n];
                z[k] = sign * std::f64::consts::SQRT_2;
                let fall = match self.laplace(&axes.theta(&z), Some(&peak.laplace.x)) {
                    Ok(found) => best - found.ln_density - second_order(&found),
                    Err(Error::Matrix(_) | Error::NoMode { .. }) => f64::INFINITY,
                    Err(error) => return Err(error),
                };
                // A fall of 1 at √2 standard deviations is that of a normal density.
                let scale = if fall > 0.0 { fall.sqrt().recip() } else { STRETCH[1] };
                axes.scales[k][side] = scale.clamp(STRETCH[0], STRETCH[1]);
            }
        }
        let points = composite_points(n);
        // Moments 1 and z'z = n of a standard normal density fix the weights of the centre and of the rest.
        let square = RADIUS * RADIUS;
        let other = (0.5 * n as f64 * square).exp() / (square * points.len() as f64);
        let centre = 1.0 - square.recip();
        visit(&peak.laplace, Point { weight: centre, second_order: at_peak, beside: None });
        let mut sum = centre;
        for point in points {
            let z: Vec<f64> = point.iter().map(|z| RADIUS * z).collect();
            let theta = axes.theta(&axes.stretched(&z));
            let found = match self.laplace(&theta, Some(&peak.laplace.x)) {
                Ok(found) => found,
                Err(Error::Matrix(_) | Error::NoMode { .. }) => continue,
                Err(error) => return Err(error),
            };
            let second_order = second_order(&found);
            let weight = other * (found.ln_density + second_order - best).exp();
            sum += weight;
            visit(&found, Point { weight, second_order, beside: None });
        }
        let stretched: f64 = axes.scales.iter().map(|[below, above]| below.midpoint(*above).ln()).sum();
        let ln_integral = best + sum.ln() + 0.5 * (n as f64 * LN_TAU - axes.ln_curvature) + stretched;
        Ok(Design { axes, surface: Surface::Skewed, ln_integral })
    }
}

/// Points at distance √n from the centre: one on each side of each axis, and the corners of a fraction of a
/// cube in which no two interactions of two axes are confounded (resolution V).
///
/// Column k of the fraction is the parity of run & mask k; of no four masks the exclusive or is zero. The
/// greedy choice gives 1, 2, 4, 8, 15, 16, 32, 51, ….
///
/// # References
/// S. M. Sanchez, P. J. Sanchez, Very large fractional factorial and central composite designs, ACM Trans.
/// Model. Comput. Simul. 15 (2005).
fn composite_points(n: usize) -> Vec<Vec<f64>> {
    let mut masks: Vec<u32> = Vec::with_capacity(n);
    let mut next = 1_u32;
    while masks.len() < n {
        if !confounded(&masks, next) {
            masks.push(next);
        }
        next += 1;
    }
    let runs = masks.iter().max().map_or(1, |mask| (mask + 1).next_power_of_two());
    let mut points = Vec::with_capacity(runs as usize + 2 * n);
    for run in 0..runs {
        let sign = |mask: &u32| if (run & mask).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
        points.push(masks.iter().map(sign).collect());
    }
    let length = (n as f64).sqrt();
    for k in 0..n {
        for side in [-length, length] {
            let mut point = vec![0.0; n];
            point[k] = side;
            points.push(point);
        }
    }
    points
}

/// Whether a mask is the exclusive or of up to three others.
fn confounded(masks: &[u32], next: u32) -> bool {
    masks.iter().enumerate().any(|(i, a)| {
        *a == next
            || masks[..i]
                .iter()
                .enumerate()
                .any(|(j, b)| a ^ b == next || masks[..j].iter().any(|c| a ^ b ^ c == next))
    })
}
