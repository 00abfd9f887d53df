//! Draws of the coefficients in the units of the table: what effects and checks are made of.

use posterior::dist::stream::stream;
use posterior::dist::{Gamma, NegativeBinomial, Normal, Poisson};
use posterior::math::linalg::DMatrix;
use posterior::regression::glm::{Family, ResponseDistribution as _};
use rand::distr::Distribution as _;
use rand::{Rng, RngExt as _};

/// Equally probable draws of the coefficients.
#[derive(Debug)]
pub(super) struct Points {
    pub(super) family: Family,
    pub(super) dispersion: Option<f64>,
    pub(super) intercept: bool,
    /// The intercept first if there is one, and the standard deviation of the noise, of gaussian.
    pub(super) all: Vec<(Vec<f64>, f64)>,
}

impl Points {
    /// The mean outcome of each row of a design at one point.
    pub(super) fn means(
        &self,
        point: &[f64],
        design: &DMatrix<f64>,
        offset: impl Fn(usize) -> f64,
    ) -> Vec<f64> {
        let first = usize::from(self.intercept);
        let mut predictors: Vec<f64> = (0..design.nrows())
            .map(|row| offset(row) + if self.intercept { point[0] } else { 0.0 })
            .collect();
        for (column, own) in design.column_iter().zip(&point[first..]) {
            predictors.iter_mut().zip(column.iter()).for_each(|(sum, x)| *sum += own * x);
        }
        predictors.into_iter().map(|own| self.family.mean(own)).collect()
    }

    /// A new outcome of this mean, in a row of this weight.
    pub(super) fn outcome<R: Rng + ?Sized>(&self, mean: f64, noise: f64, weight: f64, rng: &mut R) -> f64 {
        let drawn = match self.family {
            Family::Gaussian => {
                // A row without weight is one of weight 1.
                let weight = if weight > 0.0 { weight } else { 1.0 };
                Normal::mean_sd(mean, noise / weight.sqrt()).ok().map(|own| own.sample(rng))
            }
            Family::Poisson => {
                let own: Option<u64> = Poisson::new(mean).ok().map(|own| own.sample(rng));
                own.map(|own| own as f64)
            }
            Family::NegativeBinomial { size } => {
                let own: Option<u64> =
                    NegativeBinomial::mean_dispersion(mean, size).ok().map(|own| own.sample(rng));
                own.map(|own| own as f64)
            }
            Family::GammaLog => {
                let dispersion = self.dispersion.unwrap_or(1.0);
                Gamma::shape_scale(dispersion.recip(), mean * dispersion).ok().map(|own| own.sample(rng))
            }
            _ => Some(f64::from(u8::from(rng.random::<f64>() < mean))),
        };
        // A mean of zero has one outcome.
        drawn.unwrap_or(mean)
    }
}

/// So many of weighted draws, each as often as its weight says: at equal distances of the sum of the weights.
pub(super) fn thinned<'a>(
    draws: impl Iterator<Item = (&'a [f64], f64)>,
    count: usize,
    seed: u64,
) -> Vec<&'a [f64]> {
    let first: f64 = stream(seed, &[1]).random();
    let (mut sum, mut taken) = (0.0, Vec::with_capacity(count));
    let mut last = None;
    for (point, weight) in draws {
        sum += weight;
        while taken.len() < count && (taken.len() as f64 + first) / (count as f64) < sum {
            taken.push(point);
        }
        last = Some(point);
    }
    // What rounding of the sum leaves.
    while let (true, Some(last)) = (taken.len() < count, last) {
        taken.push(last);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_taken_as_often_as_their_weights_say() {
        let points = [[1.0], [2.0], [3.0]];
        let weighted = || points.iter().map(|own| &own[..]).zip([0.5, 0.0, 0.5]);
        let taken = thinned(weighted(), 1000, 3);
        let count = |own: f64| taken.iter().filter(|point| point[0] == own).count();
        assert_eq!((count(1.0), count(2.0), count(3.0)), (500, 0, 500));
    }
}
