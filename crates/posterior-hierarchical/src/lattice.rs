//! ln p on a lattice around the mode, and between its points.

use std::collections::BTreeMap;

/// By how much steps of a lattice grow with the distance from the mode, so that long tails take few points:
/// place u is at z = sinh(b u) / b, or at u where b is zero. The trapezoidal rule stays as exact as it is for
/// smooth densities.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bend(pub(crate) f64);

impl Bend {
    /// The standardised coordinate of a place along an axis.
    pub(crate) fn coordinate(self, u: f64) -> f64 {
        if self.0 > 0.0 { (self.0 * u).sinh() / self.0 } else { u }
    }

    /// The change of the coordinate with the place.
    pub(crate) fn stretch(self, u: f64) -> f64 {
        (self.0 * u).cosh()
    }

    /// The place of a coordinate.
    fn place(self, z: f64) -> f64 {
        if self.0 > 0.0 { (self.0 * z).asinh() / self.0 } else { z }
    }
}

/// Points along the other one of two axes.
const ACROSS: usize = 201;
/// Points of a quasi-random rule over the two others of three axes; a fourth as many for each further one.
const POINTS: usize = 1024;
/// The scale of their logistic density, in standard deviations.
const WIDE: f64 = 0.7;

/// ln p less its value at the mode, on a lattice of places along standardised coordinates.
#[derive(Debug)]
pub(crate) struct Lattice {
    step: f64,
    bend: Bend,
    /// What stands where ln p is not known, which is too low to count.
    floor: f64,
    /// The first place along each axis, two before the first that was kept; and how many there are.
    low: Vec<i32>,
    shape: Vec<usize>,
    /// NaN where it is not known; the first axis runs fastest.
    values: Vec<f64>,
    /// The four places along each axis around a cell, from the first of them; and the inner two.
    around: Vec<usize>,
    inside: Vec<usize>,
}

impl Lattice {
    /// Of the values that were kept, of at least one point.
    pub(crate) fn new((step, bend): (f64, Bend), floor: f64, kept: &BTreeMap<Vec<i32>, f64>) -> Self {
        let dimension = kept.keys().next().map_or(0, Vec::len);
        let end = |axis: usize, side: fn(i32, i32) -> i32| {
            kept.keys().map(|place| place[axis]).reduce(side).unwrap_or(0)
        };
        let low: Vec<i32> = (0..dimension).map(|axis| end(axis, i32::min) - 2).collect();
        let shape: Vec<usize> =
            (0..dimension).map(|axis| (end(axis, i32::max) + 3 - low[axis]) as usize).collect();
        let around = offsets(&shape, 4);
        let first: usize = offsets(&shape, 2).last().copied().unwrap_or(0);
        let inside = offsets(&shape, 2).into_iter().map(|offset| offset + first).collect();
        let values = vec![f64::NAN; shape.iter().product()];
        let mut own = Self { step, bend, floor, low, shape, values, around, inside };
        for (place, ln) in kept {
            if let Some(index) = own.index(place) {
                own.values[index] = *ln;
            }
        }
        own
    }

    fn index(&self, place: &[i32]) -> Option<usize> {
        let mut index = 0;
        for axis in (0..self.shape.len()).rev() {
            let at =
                usize::try_from(place[axis] - self.low[axis]).ok().filter(|at| *at < self.shape[axis])?;
            index = index * self.shape[axis] + at;
        }
        Some(index)
    }

    /// The ends of a·z over the points that were kept.
    pub(crate) fn ends(&self, along: &[f64]) -> [f64; 2] {
        let mut ends = [0.0_f64; 2];
        for (at, _) in self.projected(along) {
            ends = [ends[0].min(at), ends[1].max(at)];
        }
        ends
    }

    /// a·z and the probability of the points that were kept, up to a factor.
    fn projected<'l>(&'l self, along: &'l [f64]) -> impl Iterator<Item = (f64, f64)> + 'l {
        self.values.iter().enumerate().filter(|(_, ln)| !ln.is_nan()).map(move |(index, ln)| {
            let (mut left, mut at, mut p) = (index, 0.0, ln.exp());
            for ((a, low), shape) in along.iter().zip(&self.low).zip(&self.shape) {
                let u = self.step * (f64::from(*low) + (left % shape) as f64);
                at += a * self.bend.coordinate(u);
                p *= self.bend.stretch(u);
                left /= shape;
            }
            (at, p)
        })
    }

    /// p at z, by cubic interpolation of ln p along each axis, which is exact for normal densities; 0 where
    /// no point around is known.
    fn density(&self, z: &[f64], known: &mut Vec<f64>) -> f64 {
        let (mut base, mut weights) = (0, [[0.0; 4]; Self::MOST]);
        for axis in (0..z.len()).rev() {
            let cell = (self.bend.place(z[axis]) / self.step).floor();
            weights[axis] =
                cubic([-1.0, 0.0, 1.0, 2.0].map(|k| self.bend.coordinate(self.step * (cell + k))), z[axis]);
            let first = cell as i32 - 1 - self.low[axis];
            let Some(first) = usize::try_from(first).ok().filter(|first| first + 3 < self.shape[axis]) else {
                return 0.0;
            };
            base = base * self.shape[axis] + first;
        }
        if self.inside.iter().all(|offset| self.values[base + offset].is_nan()) {
            return 0.0;
        }
        known.clear();
        known.extend(self.around.iter().map(|offset| {
            let value = self.values[base + offset];
            if value.is_nan() { self.floor } else { value }
        }));
        let mut count = known.len();
        for weights in &weights[..z.len()] {
            count /= 4;
            for k in 0..count {
                known[k] = weights.iter().zip(&known[4 * k..]).map(|(weight, own)| weight * own).sum();
            }
        }
        known[0].exp()
    }

    /// More axes are not interpolated.
    pub(crate) const MOST: usize = 5;

    /// The mean and the standard deviation of b·z.
    fn moments(&self, direction: &[f64]) -> [f64; 2] {
        let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
        for (at, p) in self.projected(direction) {
            (sum, first, second) = (sum + p, first + p * at, second + p * at * at);
        }
        let mean = first / sum;
        [mean, (second / sum - mean * mean).max(0.0).sqrt()]
    }

    /// ∫ p over the plane a·z = t, up to a factor that is the same for all t.
    pub(crate) fn across(&self, along: &[f64], t: &[f64]) -> Vec<f64> {
        let length = along.iter().map(|a| a * a).sum::<f64>().sqrt();
        let unit: Vec<f64> = along.iter().map(|a| a / length).collect();
        let points = self.plane(&beside(&unit));
        let mut known = Vec::new();
        let mut z = vec![0.0; unit.len()];
        let mut at = |t: &f64| -> f64 {
            let mut sum = 0.0;
            for (point, weight) in &points {
                z.iter_mut().zip(point).zip(&unit).for_each(|((z, own), unit)| *z = own + t / length * unit);
                sum += weight * self.density(&z, &mut known);
            }
            sum
        };
        t.iter().map(&mut at).collect()
    }

    /// Points of the plane of some directions, with their weights: equally spaced of one direction, and of
    /// more as a logistic density around the middle has them.
    fn plane(&self, directions: &[Vec<f64>]) -> Vec<(Vec<f64>, f64)> {
        let dimension = self.shape.len();
        match directions {
            [] => vec![(vec![0.0; dimension], 1.0)],
            [one] => {
                let [low, high] = self.ends(one);
                let far = low.abs().max(high.abs()).max(self.step);
                let along = |k: usize| far * (2.0 * k as f64 / (ACROSS - 1) as f64 - 1.0);
                (0..ACROSS).map(|k| (one.iter().map(|b| b * along(k)).collect(), 1.0)).collect()
            }
            several => {
                let moments: Vec<[f64; 2]> = several.iter().map(|own| self.moments(own)).collect();
                let point = |k: usize| {
                    let (mut point, mut weight) = (vec![0.0; dimension], 1.0);
                    for (axis, (direction, [mean, sd])) in several.iter().zip(&moments).enumerate() {
                        let u = quasi_random(k, axis, several.len());
                        let at = mean + WIDE * sd * (u / (1.0 - u)).ln();
                        weight /= u * (1.0 - u);
                        point.iter_mut().zip(direction).for_each(|(sum, b)| *sum += at * b);
                    }
                    (point, weight)
                };
                (0..POINTS >> (2 * (several.len() - 2))).map(point).collect()
            }
        }
    }
}

/// The offsets of the corners of a cube with so many places along each axis, the first axis running fastest.
fn offsets(shape: &[usize], sides: usize) -> Vec<usize> {
    let mut all = vec![0];
    let mut stride = 1;
    for length in shape {
        all = (0..sides).flat_map(|side| all.iter().map(move |own| own + side * stride)).collect();
        stride *= length;
    }
    all
}

/// Directions that are orthonormal beside a unit vector: the rows of a reflection that takes an axis to it.
fn beside(unit: &[f64]) -> Vec<Vec<f64>> {
    let n = unit.len();
    let largest = (0..n).max_by(|&a, &b| unit[a].abs().total_cmp(&unit[b].abs())).unwrap_or(0);
    let sign = if unit[largest] < 0.0 { -1.0 } else { 1.0 };
    // v = unit + sign e has a length that does not cancel; I - 2 v vᵀ / vᵀv takes e to -sign unit.
    let mut v = unit.to_vec();
    v[largest] += sign;
    let square: f64 = v.iter().map(|x| x * x).sum();
    let row = |i: usize| {
        (0..n).map(|j| f64::from(u8::from(i == j)) - 2.0 * v[i] * v[j] / square).collect::<Vec<f64>>()
    };
    (0..n).filter(|&i| i != largest).map(row).collect()
}

/// Point k of an additive rule in some dimensions, whose steps are powers of a generalised golden ratio.
///
/// # References
/// M. Roberts, The unreasonable effectiveness of quasirandom sequences, 2018.
fn quasi_random(k: usize, axis: usize, dimensions: usize) -> f64 {
    let mut ratio = 2.0_f64;
    for _ in 0..40 {
        ratio = (1.0 + ratio).powf(1.0 / (dimensions as f64 + 1.0));
    }
    (0.5 + (k as f64 + 1.0) * ratio.powf(-(axis as f64 + 1.0))).fract()
}

/// The factors of values at four places in the cubic through them, at z.
fn cubic(at: [f64; 4], z: f64) -> [f64; 4] {
    [0, 1, 2, 3].map(|i| {
        let others = (0..4).filter(|&j| j != i);
        others.map(|j| (z - at[j]) / (at[i] - at[j])).product()
    })
}

#[cfg(test)]
mod tests {
    use super::cubic;

    /// Between unequal places.
    #[test]
    fn the_curve_through_a_cubic_is_the_cubic() {
        let at = [-1.3, -0.2, 0.4, 2.1];
        let own = |z: f64| 0.3 - 0.7 * z + 1.9 * z * z - 0.4 * z * z * z;
        for z in [-0.2, 0.0, 0.17, 0.4] {
            let found: f64 = cubic(at, z).iter().zip(at).map(|(weight, z)| weight * own(z)).sum();
            assert!((found - own(z)).abs() < 1e-14, "{z}: {found}");
        }
    }
}
