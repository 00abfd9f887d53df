//! ln ρ of the observations of a tile under one component.

use pulp::{Simd, WithSimd};

use super::{Component, Lane, TILE, Whitening};

/// Rows of a triangle that are taken away at once.
const ROWS: usize = 4;

/// Writes `ln_offset` - ½ |whitening (x - centre)|² to `ln_density`; a distance beyond the range of f64 is
/// infinite.
pub(super) struct Distances<'a> {
    pub(super) x: &'a [Lane],
    pub(super) component: &'a Component,
    /// Room for the deviations.
    pub(super) deviations: &'a mut [Lane],
    pub(super) ln_density: &'a mut Lane,
}

impl WithSimd for Distances<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { x, component, deviations, ln_density } = self;
        let mut squares = [0.0; TILE];
        match &component.whitening {
            Whitening::Lower(lower) => {
                add_by_substitution(x, &component.centre, lower, deviations, &mut squares);
            }
            Whitening::Diagonal(scales) => {
                for ((x, &centre), &scale) in x.iter().zip(&component.centre).zip(scales) {
                    for i in 0..TILE {
                        let white = (x[i] - centre) * scale;
                        squares[i] += white * white;
                    }
                }
            }
        }
        for i in 0..TILE {
            // A comparison that NaN fails: ∞ - ∞ in a substitution is far away.
            let square = if squares[i] < f64::INFINITY { squares[i] } else { f64::INFINITY };
            ln_density[i] = component.ln_offset - 0.5 * square;
        }
    }
}

impl Component {
    /// ln ρ(x) of one point.
    pub(crate) fn ln_density(&self, x: &[f64]) -> f64 {
        let mut white: Vec<f64> = x.iter().zip(&self.centre).map(|(x, centre)| x - centre).collect();
        match &self.whitening {
            Whitening::Lower(lower) => {
                let mut rows = &lower[..];
                for j in 0..white.len() {
                    let (row, rest) = rows.split_at(j + 1);
                    rows = rest;
                    let known: f64 = row.iter().zip(&white[..j]).map(|(l, z)| l * z).sum();
                    white[j] = (white[j] - known) * row[j];
                }
            }
            Whitening::Diagonal(scales) => white.iter_mut().zip(scales).for_each(|(z, scale)| *z *= scale),
        }
        let square: f64 = white.iter().map(|z| z * z).sum();
        self.ln_offset - 0.5 * if square < f64::INFINITY { square } else { f64::INFINITY }
    }
}

/// Forward substitution, row by row of the triangle, for all observations at once.
#[inline(always)]
fn add_by_substitution(x: &[Lane], centre: &[f64], lower: &[f64], white: &mut [Lane], squares: &mut Lane) {
    let mut rows = lower;
    for (j, (x, &centre)) in x.iter().zip(centre).enumerate() {
        let (row, rest) = rows.split_at(j + 1);
        rows = rest;
        let (done, current) = white.split_at_mut(j);
        let current = &mut current[0];
        for i in 0..TILE {
            current[i] = x[i] - centre;
        }
        let (many, few) = done.as_chunks::<ROWS>();
        let (of_many, of_few) = row[..j].as_chunks::<ROWS>();
        for ([a, b, c, d], [l, m, n, o]) in many.iter().zip(of_many) {
            for i in 0..TILE {
                current[i] -= (l * a[i] + m * b[i]) + (n * c[i] + o * d[i]);
            }
        }
        for (a, l) in few.iter().zip(of_few) {
            for i in 0..TILE {
                current[i] -= l * a[i];
            }
        }
        let reciprocal = row[j];
        for i in 0..TILE {
            current[i] *= reciprocal;
            squares[i] += current[i] * current[i];
        }
    }
}
