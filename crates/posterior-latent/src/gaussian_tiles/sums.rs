//! The moments of one component, added up over the tiles of a block.

use pulp::{Simd, WithSimd};

use super::{Lane, Moments, Scatter, TILE};

/// Lanes of a sum.
pub(super) const LANES: usize = 8;

/// Products of a coordinate with so many others at once.
const PAIRS: usize = 4;

/// A sum in lanes.
type Sum = [f64; LANES];

/// N, Σ r (x - c), and Σ r (x - c)(x - c)ᵀ as lower triangle row by row, or its diagonal; in lanes.
pub(super) struct Sums {
    scatter: Scatter,
    weight: Sum,
    first: Vec<Sum>,
    second: Vec<Sum>,
}

impl Sums {
    pub(super) fn zero(dimension: usize, scatter: Scatter) -> Self {
        let moments = Moments::zero(dimension, scatter);
        let zeros = |like: &[f64]| vec![[0.0; LANES]; like.len()];
        Self { scatter, weight: [0.0; LANES], first: zeros(&moments.first), second: zeros(&moments.second) }
    }

    /// The lanes added up.
    pub(super) fn total(&self) -> Moments {
        let total = |&[a, b, c, d, e, f, g, h]: &Sum| ((a + b) + (c + d)) + ((e + f) + (g + h));
        Moments {
            weight: total(&self.weight),
            first: self.first.iter().map(total).collect(),
            second: self.second.iter().map(total).collect(),
        }
    }
}

/// Adds the moments of a tile. A weight of 0 makes a proportion 0, whatever it is.
pub(super) struct Accumulate<'a> {
    pub(super) x: &'a [Lane],
    pub(super) centre: &'a [f64],
    pub(super) weights: &'a Lane,
    pub(super) proportion: &'a Lane,
    /// Room for deviations from the centre.
    pub(super) deviations: &'a mut [Lane],
    pub(super) sums: &'a mut Sums,
}

impl WithSimd for Accumulate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { x, centre, weights, proportion, deviations, sums } = self;
        let mut weight = [0.0; TILE];
        let mut any = 0.0;
        for i in 0..TILE {
            weight[i] = weights[i] * proportion[i];
        }
        for lanes in weight.as_chunks::<LANES>().0 {
            for (sum, weight) in sums.weight.iter_mut().zip(lanes) {
                *sum += weight;
            }
        }
        for &weight in &weight {
            any = if weight > any { weight } else { any };
        }
        if any == 0.0 {
            return;
        }
        if sums.scatter == Scatter::Diagonal {
            add_by_coordinate(x, centre, &weight, sums);
            return;
        }
        for ((deviation, x), &centre) in deviations.iter_mut().zip(x).zip(centre) {
            for i in 0..TILE {
                deviation[i] = x[i] - centre;
            }
        }
        let mut second = &mut sums.second[..];
        for (j, first) in sums.first.iter_mut().enumerate() {
            let mut weighted = [0.0; TILE];
            for i in 0..TILE {
                weighted[i] = weight[i] * deviations[j][i];
            }
            add_sum(&weighted, first);
            let (row, rest) = second.split_at_mut(j + 1);
            second = rest;
            add_products(&weighted, &deviations[..=j], row);
        }
    }
}

/// Adds Σ w (x - c) and Σ w (x - c)² of each coordinate.
#[inline(always)]
fn add_by_coordinate(x: &[Lane], centre: &[f64], weight: &Lane, sums: &mut Sums) {
    let coordinates = x.iter().zip(centre).zip(sums.first.iter_mut().zip(&mut sums.second));
    for ((x, &centre), (first, second)) in coordinates {
        let (mut ones, mut squares) = (*first, *second);
        for (x, weight) in x.as_chunks::<LANES>().0.iter().zip(weight.as_chunks::<LANES>().0) {
            for lane in 0..LANES {
                let deviation = x[lane] - centre;
                let weighted = weight[lane] * deviation;
                ones[lane] += weighted;
                squares[lane] += weighted * deviation;
            }
        }
        (*first, *second) = (ones, squares);
    }
}

#[inline(always)]
fn add_sum(numbers: &Lane, sum: &mut Sum) {
    let mut lanes = *sum;
    for chunk in numbers.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            lanes[lane] += chunk[lane];
        }
    }
    *sum = lanes;
}

/// Adds Σ y z for each z.
#[inline(always)]
fn add_products(y: &Lane, others: &[Lane], sums: &mut [Sum]) {
    let (many, few) = others.as_chunks::<PAIRS>();
    let (of_many, of_few) = sums.as_chunks_mut::<PAIRS>();
    let (y, _) = y.as_chunks::<LANES>();
    for (z, sums) in many.iter().zip(of_many) {
        let [mut a, mut b, mut c, mut d] = *sums;
        let [p, q, r, s] = z;
        let pairs = p.as_chunks::<LANES>().0.iter().zip(q.as_chunks::<LANES>().0);
        let others = r.as_chunks::<LANES>().0.iter().zip(s.as_chunks::<LANES>().0);
        for (y, ((p, q), (r, s))) in y.iter().zip(pairs.zip(others)) {
            for lane in 0..LANES {
                a[lane] += y[lane] * p[lane];
            }
            for lane in 0..LANES {
                b[lane] += y[lane] * q[lane];
            }
            for lane in 0..LANES {
                c[lane] += y[lane] * r[lane];
            }
            for lane in 0..LANES {
                d[lane] += y[lane] * s[lane];
            }
        }
        *sums = [a, b, c, d];
    }
    for (z, sum) in few.iter().zip(of_few) {
        let mut lanes = *sum;
        for (y, z) in y.iter().zip(z.as_chunks::<LANES>().0) {
            for lane in 0..LANES {
                lanes[lane] += y[lane] * z[lane];
            }
        }
        *sum = lanes;
    }
}
