//! Rows of numbers under Gaussian components, by tiles: what [`Points`](super::Points) do one by one.

use posterior_dist::{Conjugate, Normal, NormalGamma, NormalInverseGamma, Product, Stats};
use posterior_gaussian::{Gaussian, NormalInverseWishart, NormalWishart};
use posterior_inference::variational::ConjugateFactor;
use posterior_math::check;
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::log_space::x_ln_x;
use posterior_math::special::LN_TAU;

use super::expectation::{Assignable, Assigned};
use super::missing;
use super::points::beyond;
use crate::error::Error;
use crate::gaussian_tiles::{
    Component, Expectations, Moments, Scatter, Sharing, Whitening, expectations, proportions,
};
use crate::k_means::{self, KMeansOptions};
use crate::observations::Observations;

/// A family of Gaussians that the kernel knows, with the prior `P`.
trait Tiled<P>: Conjugate<P> {
    const SCATTER: Scatter;

    /// What is said of data with missing values, where the family takes none.
    const REFUSES_GAPS: Option<&'static str>;

    /// E ln p(x | w) as ln ρ(x).
    fn component(distribution: &P) -> Component;

    /// The covariance that exp E ln p(x | w) has as a function of x.
    fn covariance(distribution: &P) -> DMatrix<f64>;

    /// Moments about a centre as statistics.
    fn statistics(centre: &[f64], moments: &Moments) -> Result<Stats<Self>, Error>;

    /// What is fixed, of vectors of this dimension.
    fn of_dimension(fixed: &Self::Fixed) -> usize;
}

/// E ln p = -½ (p ln 2π + E ln |Σ| + p / κ + ν (x - μ)ᵀ Ψ⁻¹ (x - μ)).
impl Tiled<NormalInverseWishart> for Gaussian {
    const SCATTER: Scatter = Scatter::Full;
    const REFUSES_GAPS: Option<&'static str> = None;

    fn component(distribution: &NormalInverseWishart) -> Component {
        let root = distribution.degrees_of_freedom().sqrt();
        let factor = distribution.covariance_distribution().cholesky().factor();
        let entry = |i: usize, j: usize| if i == j { root / factor[(i, i)] } else { factor[(i, j)] / root };
        let rows = (0..distribution.dimension()).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let ln_scale = distribution.covariance_distribution().expected_ln_determinant();
        let width = distribution.dimension() as f64 * (LN_TAU + distribution.kappa().recip());
        Component {
            centre: distribution.location().as_slice().to_vec(),
            whitening: Whitening::Lower(rows.map(|(i, j)| entry(i, j)).collect()),
            ln_offset: -0.5 * (width + ln_scale),
        }
    }

    fn covariance(distribution: &NormalInverseWishart) -> DMatrix<f64> {
        distribution.scale() / distribution.degrees_of_freedom()
    }

    fn statistics(centre: &[f64], moments: &Moments) -> Result<Stats<Self>, Error> {
        let (d, weight) = (centre.len(), moments.weight);
        if weight == 0.0 {
            return Ok(Stats::new(d));
        }
        let shift: Vec<f64> = moments.first.iter().map(|first| first / weight).collect();
        let scatter = DMatrix::from_fn(d, d, |i, j| {
            let (row, column) = (i.max(j), i.min(j));
            let square = moments.second[row * (row + 1) / 2 + column] - moments.first[row] * shift[column];
            if i == j { square.max(0.0) } else { square }
        });
        let mean: Vec<f64> = centre.iter().zip(&shift).map(|(centre, shift)| centre + shift).collect();
        Ok(Self::stats_from_moments(weight, &mean, &scatter)?)
    }

    fn of_dimension(&dimension: &usize) -> usize {
        dimension
    }
}

/// The same numbers.
impl Tiled<NormalWishart> for Gaussian {
    const SCATTER: Scatter = Scatter::Full;
    const REFUSES_GAPS: Option<&'static str> = None;

    fn component(distribution: &NormalWishart) -> Component {
        <Self as Tiled<NormalInverseWishart>>::component(distribution.as_inverse())
    }

    fn covariance(distribution: &NormalWishart) -> DMatrix<f64> {
        <Self as Tiled<NormalInverseWishart>>::covariance(distribution.as_inverse())
    }

    fn statistics(centre: &[f64], moments: &Moments) -> Result<Stats<Self>, Error> {
        <Self as Tiled<NormalInverseWishart>>::statistics(centre, moments)
    }

    fn of_dimension(&dimension: &usize) -> usize {
        dimension
    }
}

/// E ln p = -½ Σ (ln 2π + ln β - ψ(α) + 1 / κ + α / β (x - μ)²) over the coordinates.
impl Tiled<Product<NormalInverseGamma>> for Product<Normal> {
    const SCATTER: Scatter = Scatter::Diagonal;
    const REFUSES_GAPS: Option<&'static str> =
        Some("; of variational mixtures those of `Gaussian` components take missing values");

    fn component(distribution: &Product<NormalInverseGamma>) -> Component {
        let width = |distribution: &NormalInverseGamma| {
            LN_TAU + distribution.kappa().recip()
                - distribution.variance_distribution().reciprocal().expected_ln()
        };
        Component {
            centre: distribution.distributions().iter().map(NormalInverseGamma::location).collect(),
            whitening: Whitening::Diagonal(
                distribution
                    .distributions()
                    .iter()
                    .map(|distribution| (distribution.shape() / distribution.scale()).sqrt())
                    .collect(),
            ),
            ln_offset: -0.5 * distribution.distributions().iter().map(width).sum::<f64>(),
        }
    }

    fn covariance(distribution: &Product<NormalInverseGamma>) -> DMatrix<f64> {
        let variances = distribution
            .distributions()
            .iter()
            .map(|distribution| distribution.scale() / distribution.shape());
        DMatrix::from_diagonal(&DVector::from_iterator(distribution.distributions().len(), variances))
    }

    fn statistics(centre: &[f64], moments: &Moments) -> Result<Stats<Self>, Error> {
        let weight = moments.weight;
        let of_coordinate = |((&centre, &first), &second): ((&f64, &f64), &f64)| {
            let shift = if weight == 0.0 { 0.0 } else { first / weight };
            Stats::<Normal>::from_moments(weight, centre + shift, (second - first * shift).max(0.0))
        };
        let coordinates = centre.iter().zip(&moments.first).zip(&moments.second).map(of_coordinate);
        Ok(Stats::from_coordinates(&coordinates.collect::<Result<Vec<_>, _>>()?)?)
    }

    fn of_dimension(fixed: &Vec<()>) -> usize {
        fixed.len()
    }
}

/// The same numbers.
impl Tiled<Product<NormalGamma>> for Product<Normal> {
    const SCATTER: Scatter = Scatter::Diagonal;
    const REFUSES_GAPS: Option<&'static str> =
        Some("; of variational mixtures those of `Gaussian` components take missing values");

    fn component(distribution: &Product<NormalGamma>) -> Component {
        let inverse = distribution
            .distributions()
            .iter()
            .map(|&distribution| NormalInverseGamma::from(distribution))
            .collect();
        <Self as Tiled<Product<NormalInverseGamma>>>::component(&Product::new(inverse))
    }

    fn covariance(distribution: &Product<NormalGamma>) -> DMatrix<f64> {
        let variances = distribution
            .distributions()
            .iter()
            .map(|distribution| distribution.rate() / distribution.shape());
        DMatrix::from_diagonal(&DVector::from_iterator(distribution.distributions().len(), variances))
    }

    fn statistics(centre: &[f64], moments: &Moments) -> Result<Stats<Self>, Error> {
        <Self as Tiled<Product<NormalInverseGamma>>>::statistics(centre, moments)
    }

    fn of_dimension(fixed: &Vec<()>) -> usize {
        fixed.len()
    }
}

/// The components with what their weights make of them.
fn components<F: Tiled<P>, P>(expected_ln: &[f64], factors: &[ConjugateFactor<F, P>]) -> Vec<Component> {
    let component = |(&ln, factor): (&f64, &ConjugateFactor<F, P>)| {
        let component = F::component(factor.posterior());
        Component { ln_offset: component.ln_offset + ln, ..component }
    };
    expected_ln.iter().zip(factors).map(component).collect()
}

/// The same as distributions whose values may be missing: the density at the centre is taken out of the
/// offset.
fn distributions<F: Tiled<P>, P>(
    expected_ln: &[f64],
    factors: &[ConjugateFactor<F, P>],
) -> Result<Vec<missing::ComponentGaussian>, Error> {
    let distribution = |(component, factor): (Component, &ConjugateFactor<F, P>)| {
        let covariance = F::covariance(factor.posterior());
        let ln_determinant = Cholesky::new(&covariance)?.ln_determinant();
        let ln_offset = component.ln_offset + 0.5 * (component.centre.len() as f64 * LN_TAU + ln_determinant);
        Ok(missing::ComponentGaussian { centre: component.centre, covariance, ln_offset })
    };
    components(expected_ln, factors).into_iter().zip(factors).map(distribution).collect()
}

/// Components that stand somewhere and are asked for moments only.
fn centred(centres: Vec<Vec<f64>>) -> Vec<Component> {
    let component = |centre: Vec<f64>| Component {
        whitening: Whitening::Diagonal(vec![1.0; centre.len()]),
        centre,
        ln_offset: 0.0,
    };
    centres.into_iter().map(component).collect()
}

/// Whether values are missing, of a family that takes that.
fn has_gaps<F: Tiled<P>, P>(data: &Observations) -> Result<bool, Error> {
    if data.is_complete() {
        return Ok(false);
    }
    match (F::REFUSES_GAPS, data.values().iter().position(|value| value.is_nan())) {
        (Some(hint), Some(place)) => {
            let (row, column) = (place % data.len(), place / data.len());
            Err(Error::NotFinite { row, column, value: f64::NAN, hint })
        }
        (_, place) => Ok(place.is_some()),
    }
}

fn statistics<F: Tiled<P>, P>(
    components: &[Component],
    found: &Expectations,
) -> Result<Vec<Stats<F>>, Error> {
    components.iter().zip(&found.components).map(|(at, moments)| F::statistics(&at.centre, moments)).collect()
}

/// Rows by vectors of the machine, and with the feature `rayon` by several threads; the bits depend on
/// neither. Moments are taken about the means of the components, so that no digits are lost far from the
/// origin.
///
/// Under [`Gaussian`] components values may be missing: q(z, missing values) of a row is exact given the
/// other factors, row by row and without threads. A row counts as one for its component, however little of it
/// was seen.
impl<F: Tiled<P>, P> Assignable<F, P> for Observations {
    fn points(&self) -> usize {
        self.len()
    }

    fn check(&self, fixed: &F::Fixed) -> Result<(), Error> {
        check::dimension("coordinates", F::of_dimension(fixed), self.dimension())?;
        has_gaps::<F, P>(self).map(|_| ())
    }

    fn assign(&self, expected_ln: &[f64], factors: &[ConjugateFactor<F, P>]) -> Result<Assigned<F>, Error> {
        let components = components(expected_ln, factors);
        let found = if has_gaps::<F, P>(self)? {
            missing::expectations(self, &distributions(expected_ln, factors)?)?.0
        } else {
            expectations(self, &components, Sharing::Proportional, F::SCATTER)
        };
        if let Some(index) = found.impossible {
            return Err(beyond(index));
        }
        let of_weights = |(moments, &ln): (&Moments, &f64)| {
            if moments.weight == 0.0 { 0.0 } else { moments.weight * ln }
        };
        let of_weights: f64 = found.components.iter().zip(expected_ln).map(of_weights).sum();
        Ok(Assigned {
            statistics: statistics(&components, &found)?,
            entropy: found.entropy,
            expected_fit: found.ln_likelihood - found.entropy - of_weights,
        })
    }

    /// In two passes: the means first. Missing values begin as what is seen of their coordinate.
    fn given(&self, responsibilities: &DMatrix<f64>, _: &F::Fixed) -> Result<Assigned<F>, Error> {
        if has_gaps::<F, P>(self)? {
            let distributions = missing::independent(self, responsibilities);
            let found = missing::given(self, &distributions, responsibilities)?;
            let components =
                centred(distributions.into_iter().map(|distribution| distribution.centre).collect());
            return Ok(Assigned {
                statistics: statistics(&components, &found)?,
                entropy: found.entropy,
                expected_fit: f64::NAN,
            });
        }
        let first_row: Vec<f64> = self.values().row(self.first_counted()).iter().copied().collect();
        let anywhere = centred(vec![first_row; responsibilities.ncols()]);
        let sharing = Sharing::Given(responsibilities);
        let means = expectations(self, &anywhere, sharing, Scatter::Diagonal).components;
        let mean = |(at, moments): (&Component, &Moments)| {
            let proportion = if moments.weight == 0.0 { 0.0 } else { moments.weight.recip() };
            at.centre.iter().zip(&moments.first).map(|(centre, first)| centre + first * proportion).collect()
        };
        let components = centred(anywhere.iter().zip(&means).map(mean).collect());
        let found = expectations(self, &components, sharing, F::SCATTER);
        let entropy = (0..self.len()).map(|i| {
            let terms = responsibilities.row(i).iter().map(|&proportion| x_ln_x(proportion)).sum::<f64>();
            if terms == 0.0 { 0.0 } else { -self.weight(i) * terms }
        });
        Ok(Assigned {
            statistics: statistics(&components, &found)?,
            entropy: entropy.sum(),
            expected_fit: f64::NAN,
        })
    }

    fn responsibilities(
        &self,
        expected_ln: &[f64],
        factors: &[ConjugateFactor<F, P>],
    ) -> Result<DMatrix<f64>, Error> {
        if has_gaps::<F, P>(self)? {
            let (found, proportions) = missing::expectations(self, &distributions(expected_ln, factors)?)?;
            return found.impossible.map_or(Ok(proportions), |index| Err(beyond(index)));
        }
        let (proportions, ln_sums) = proportions(self, &components(expected_ln, factors));
        match ln_sums.iter().position(|&ln_sum| ln_sum == f64::NEG_INFINITY) {
            Some(index) => Err(beyond(index)),
            None => Ok(proportions),
        }
    }

    /// k-means, in units of the columns' deviations.
    fn clusters(&self, count: usize, seed: u64) -> Option<Vec<usize>> {
        let filled = self.filled_with_means();
        let mut values = filled.values().clone();
        for mut column in values.column_iter_mut() {
            let deviation = column.variance().sqrt();
            if deviation > 0.0 && deviation.is_finite() {
                column /= deviation;
            }
        }
        let mut data = Self::new(&values).ok()?;
        if let Some(weights) = self.weights() {
            data = data.weighted(weights).ok()?;
        }
        Some(k_means::fit(&data, &KMeansOptions::new(count), seed, &mut Silent).ok()?.labels)
    }
}
