//! Distributions of hyperparameters.

use std::collections::BTreeMap;

use crate::design::{Axes, Design, Surface};
use crate::hyperparameter::HyperScale;

/// Points of the table, and standard deviations to each side.
const POINTS: usize = 401;
const WIDE: f64 = 8.0;
/// Points of the integral along the other axis.
const ALONG: usize = 201;

/// The posterior distribution of a hyperparameter, as a table on the line from which its scale is mapped.
#[derive(Debug, Clone, PartialEq)]
pub struct HyperMarginal {
    scale: HyperScale,
    /// Equally spaced, with the density and the probability below.
    t: Vec<f64>,
    density: Vec<f64>,
    below: Vec<f64>,
}

impl HyperMarginal {
    pub(crate) fn new(design: &Design, coordinate: usize, scale: HyperScale) -> Self {
        let axes = &design.axes;
        let along: Vec<f64> = axes.directions.iter().map(|direction| direction[coordinate]).collect();
        let centre = axes.mode[coordinate];
        let (t, density) = match &design.surface {
            Surface::Lattice { step, floor, values } => {
                let plane = values.keys().any(|place| place[1] != 0);
                on_lattice(&along, centre, &Lattice { step: *step, floor: *floor, plane, values })
            }
            Surface::Skewed => skewed(axes, &along, centre),
        };
        Self::tabulated(scale, t, density)
    }

    /// A number that is known.
    pub(crate) fn known(scale: HyperScale, t: f64) -> Self {
        Self { scale, t: vec![t], density: vec![f64::INFINITY], below: vec![1.0] }
    }

    fn tabulated(scale: HyperScale, t: Vec<f64>, mut density: Vec<f64>) -> Self {
        let step = t[1] - t[0];
        let mut below = vec![0.0; t.len()];
        for i in 1..t.len() {
            below[i] = below[i - 1] + 0.5 * step * (density[i - 1] + density[i]);
        }
        let sum = below[t.len() - 1];
        below.iter_mut().chain(&mut density).for_each(|value| *value /= sum);
        Self { scale, t, density, below }
    }

    /// ∫ f(natural value) p.
    fn expectation(&self, f: impl Fn(f64) -> f64) -> f64 {
        let value = |i: usize| f(self.scale.natural(self.t[i]));
        if self.t.len() == 1 {
            return value(0);
        }
        let step = self.t[1] - self.t[0];
        (0..self.t.len()).filter(|&i| self.density[i] > 0.0).map(|i| step * self.density[i] * value(i)).sum()
    }

    /// The mean on the natural scale.
    pub fn mean(&self) -> f64 {
        self.expectation(|x| x)
    }

    /// The standard deviation on the natural scale.
    pub fn sd(&self) -> f64 {
        let mean = self.mean();
        self.expectation(|x| (x - mean) * (x - mean)).sqrt()
    }

    /// The density at a natural value: 0 outside of the table.
    pub fn pdf(&self, natural: f64) -> f64 {
        let t = self.scale.unconstrained(natural);
        match self.cell(t) {
            Some((i, part)) => {
                let density = self.density[i] + part * (self.density[i + 1] - self.density[i]);
                density / self.scale.slope(t)
            }
            None => 0.0,
        }
    }

    /// The probability of at most a natural value.
    pub fn cdf(&self, natural: f64) -> f64 {
        let t = self.scale.unconstrained(natural);
        match self.cell(t) {
            Some((i, part)) => self.below[i] + part * (self.below[i + 1] - self.below[i]),
            None => f64::from(u8::from(t >= self.t[0])),
        }
    }

    /// The interval of the table with t, and how far through it t is.
    fn cell(&self, t: f64) -> Option<(usize, f64)> {
        let (first, last) = (self.t[0], self.t[self.t.len() - 1]);
        if !(t >= first && t < last) {
            return None;
        }
        let step = self.t[1] - self.t[0];
        let i = (((t - first) / step) as usize).min(self.t.len() - 2);
        Some((i, (t - self.t[i]) / step))
    }

    /// The natural value below which the probability is p; NaN for a p outside of (0, 1).
    pub fn quantile(&self, p: f64) -> f64 {
        if !(p > 0.0 && p < 1.0) {
            return f64::NAN;
        }
        let i = self.below.partition_point(|below| *below < p).clamp(1, self.t.len().max(2) - 1);
        if self.t.len() == 1 {
            return self.scale.natural(self.t[0]);
        }
        let part = (p - self.below[i - 1]) / (self.below[i] - self.below[i - 1]);
        self.scale.natural(self.t[i - 1] + part * (self.t[i] - self.t[i - 1]))
    }

    /// The equal-tailed interval with this probability.
    pub fn interval(&self, probability: f64) -> [f64; 2] {
        let tail = 0.5 * (1.0 - probability);
        [self.quantile(tail), self.quantile(1.0 - tail)]
    }
}

fn spaced(low: f64, high: f64, count: usize) -> Vec<f64> {
    (0..count).map(|i| low + (high - low) * i as f64 / (count - 1) as f64).collect()
}

/// ln p on a lattice of one or two dimensions.
struct Lattice<'a> {
    step: f64,
    floor: f64,
    plane: bool,
    values: &'a BTreeMap<[i32; 2], f64>,
}

/// The density of t = centre + a·z from the lattice: along the line of all z with this t.
fn on_lattice(along: &[f64], centre: f64, lattice: &Lattice<'_>) -> (Vec<f64>, Vec<f64>) {
    let project = |place: &[i32; 2]| -> f64 {
        along.iter().zip(place).map(|(a, k)| a * lattice.step * f64::from(*k)).sum()
    };
    let ends = lattice.values.keys().map(project);
    let (low, high) = ends.fold((0.0_f64, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
    let t = spaced(centre + low, centre + high, POINTS);
    let square: f64 = along.iter().map(|a| a * a).sum();
    let widest = lattice.values.keys().flatten().map(|k| k.abs()).max().unwrap_or(1);
    let far = 1.5 * lattice.step * f64::from(widest);
    let density = t
        .iter()
        .map(|t| {
            let foot: Vec<f64> = along.iter().map(|a| (t - centre) * a / square).collect();
            if along.len() == 1 {
                return density_at(lattice, [foot[0], 0.0]);
            }
            let across = [-along[1] / square.sqrt(), along[0] / square.sqrt()];
            let points = spaced(-far, far, ALONG);
            let at = |s: &f64| density_at(lattice, [foot[0] + s * across[0], foot[1] + s * across[1]]);
            points.iter().map(at).sum()
        })
        .collect();
    (t, density)
}

/// p from ln p on the lattice, by cubic interpolation, which is exact for normal densities; 0 outside.
fn density_at(lattice: &Lattice<'_>, z: [f64; 2]) -> f64 {
    let place = z.map(|z| z / lattice.step);
    let cell = place.map(|at| at.floor() as i32);
    let part = [0, 1].map(|axis| place[axis] - f64::from(cell[axis]));
    let second: &[i32] = if lattice.plane { &[0, 1] } else { &[0] };
    let known = |a: i32, b: i32| lattice.values.get(&[cell[0] + a, cell[1] + b]).copied();
    if !second.iter().any(|&b| known(0, b).or_else(|| known(1, b)).is_some()) {
        return 0.0;
    }
    let row = |b: i32| cubic([-1, 0, 1, 2].map(|a| known(a, b).unwrap_or(lattice.floor)), part[0]);
    let ln = if lattice.plane { cubic([-1, 0, 1, 2].map(row), part[1]) } else { row(0) };
    ln.exp()
}

/// The cubic curve through the inner two of four equally spaced values, by Catmull and Rom.
fn cubic([a, b, c, d]: [f64; 4], t: f64) -> f64 {
    let slope = 0.5 * (c - a);
    let quadratic = a - 2.5 * b + 2.0 * c - 0.5 * d;
    let third = 0.5 * (d - a) + 1.5 * (b - c);
    b + t * (slope + t * (quadratic + t * third))
}

/// The density of t = centre + a·z for independent z, half normal to both sides: one convolution for each
/// axis.
fn skewed(axes: &Axes, along: &[f64], centre: f64) -> (Vec<f64>, Vec<f64>) {
    let widest = |side: usize| -> f64 {
        let square = |(a, scales): (&f64, &[f64; 2])| {
            let toward = usize::from((*a > 0.0) == (side == 1));
            (a * scales[toward]).powi(2)
        };
        along.iter().zip(&axes.scales).map(square).sum::<f64>().sqrt()
    };
    let reach = WIDE * widest(0).max(widest(1));
    let offsets = spaced(-reach, reach, POINTS);
    let step = offsets[1] - offsets[0];
    let middle = (POINTS - 1) / 2;
    let mut density: Option<Vec<f64>> = None;
    for (a, scales) in along.iter().zip(&axes.scales) {
        let one: Vec<f64> = offsets
            .iter()
            .map(|t| {
                let scale = (a * scales[usize::from(t * a > 0.0)]).abs();
                if scale < step { f64::from(u8::from(*t == 0.0)) } else { (-0.5 * (t / scale).powi(2)).exp() }
            })
            .collect();
        // An axis along which t hardly moves changes nothing.
        if one.iter().filter(|value| **value > 0.0).count() <= 1 {
            continue;
        }
        density = Some(density.map_or_else(|| one.clone(), |before| convolved(&before, &one, middle)));
    }
    let t = offsets.iter().map(|offset| centre + offset).collect();
    (t, density.unwrap_or_else(|| offsets.iter().map(|t| f64::from(u8::from(*t == 0.0))).collect()))
}

fn convolved(a: &[f64], b: &[f64], middle: usize) -> Vec<f64> {
    (0..a.len())
        .map(|i| {
            let first = (i + middle + 1).saturating_sub(b.len());
            (first..=(i + middle).min(a.len() - 1)).map(|j| a[j] * b[i + middle - j]).sum()
        })
        .collect()
}
