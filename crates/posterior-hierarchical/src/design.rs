//! Points of an integral over hyperparameters.

use std::collections::{BTreeMap, BTreeSet};

use posterior_math::linalg::{DVector, SymmetricEigen};
use posterior_math::special::LN_TAU;

use crate::Error;
use crate::engine::Engine;
use crate::laplace::Laplace;
use crate::search::Peak;

/// Steps of the lattice for one and for two hyperparameters, in standard deviations, and the fall of the
/// logarithm at which it ends. The trapezoidal rule on it errs by e^(-2π²/step²), and by what is outside.
const STEP: [f64; 2] = [0.5, 0.75];
const FALL: [f64; 2] = [9.0, 8.0];
/// A lattice has at most this many points along each axis, to each side.
const REACH: i32 = 40;
/// The radius of the central composite design over the square root of the dimension.
const RADIUS: f64 = 1.1;
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
    /// ln p less its value at the mode, on a lattice, and what stands for it where it was too low to be kept.
    Lattice { step: f64, floor: f64, values: BTreeMap<[i32; 2], f64> },
    /// Independent along the axes, each half normal to both sides with its scales.
    Skewed,
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
    /// Visits the points of the integral, each with its weight, not normalised: a lattice for up to two
    /// hyperparameters, and a central composite design for more.
    ///
    /// # References
    /// H. Rue, S. Martino, N. Chopin, Approximate Bayesian inference for latent Gaussian models by using
    /// integrated nested Laplace approximations, J. R. Stat. Soc. B 71 (2009), section 6.5.
    pub(crate) fn integrate(
        &self,
        peak: &Peak,
        mut visit: impl FnMut(&Laplace, f64),
    ) -> Result<Design, Error> {
        let axes = Axes::new(peak);
        match axes.mode.len() {
            0 => {
                visit(&peak.laplace, 1.0);
                let ln_integral = peak.laplace.ln_density;
                Ok(Design { axes, surface: Surface::Skewed, ln_integral })
            }
            dimension @ (1 | 2) => self.lattice(peak, axes, dimension, visit),
            _ => self.composite(peak, axes, visit),
        }
    }

    fn lattice(
        &self,
        peak: &Peak,
        axes: Axes,
        dimension: usize,
        mut visit: impl FnMut(&Laplace, f64),
    ) -> Result<Design, Error> {
        let (step, fall) = (STEP[dimension - 1], FALL[dimension - 1]);
        let best = peak.laplace.ln_density;
        let (mut values, mut seen) = (BTreeMap::new(), BTreeSet::from([[0, 0]]));
        let mut waiting = std::collections::VecDeque::from([([0_i32, 0], peak.laplace.x.clone())]);
        let mut sum = 0.0;
        while let Some((place, start)) = waiting.pop_front() {
            let z = place.map(|k| step * f64::from(k));
            let found = match self.laplace(&axes.theta(&z[..dimension]), Some(&start)) {
                Ok(found) => found,
                // Where the precision over- or underflows there is no density either.
                Err(Error::Matrix(_) | Error::NoMode { .. }) if place != [0, 0] => continue,
                Err(error) => return Err(error),
            };
            let ln = found.ln_density - best;
            if !(ln > -fall) {
                continue;
            }
            values.insert(place, ln);
            sum += ln.exp();
            visit(&found, ln.exp());
            for axis in 0..dimension {
                for side in [-1, 1] {
                    let mut next = place;
                    next[axis] += side;
                    if next[axis].abs() <= REACH && seen.insert(next) {
                        waiting.push_back((next, found.x.clone()));
                    }
                }
            }
        }
        let ln_integral = best + sum.ln() + dimension as f64 * step.ln() - 0.5 * axes.ln_curvature;
        let floor = -fall - 2.0;
        Ok(Design { axes, surface: Surface::Lattice { step, floor, values }, ln_integral })
    }

    fn composite(
        &self,
        peak: &Peak,
        mut axes: Axes,
        mut visit: impl FnMut(&Laplace, f64),
    ) -> Result<Design, Error> {
        let n = axes.mode.len();
        let best = peak.laplace.ln_density;
        for k in 0..n {
            for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
                let mut z = vec![0.0; n];
                z[k] = sign * std::f64::consts::SQRT_2;
                let fall = match self.laplace(&axes.theta(&z), Some(&peak.laplace.x)) {
                    Ok(found) => best - found.ln_density,
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
        visit(&peak.laplace, centre);
        let mut sum = centre;
        for point in points {
            let z: Vec<f64> = point.iter().map(|z| RADIUS * z).collect();
            let theta = axes.theta(&axes.stretched(&z));
            let found = match self.laplace(&theta, Some(&peak.laplace.x)) {
                Ok(found) => found,
                Err(Error::Matrix(_) | Error::NoMode { .. }) => continue,
                Err(error) => return Err(error),
            };
            let weight = other * (found.ln_density - best).exp();
            sum += weight;
            visit(&found, weight);
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
