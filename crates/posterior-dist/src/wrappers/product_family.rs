//! Vectors of independent features as an exponential family: statistics and parameters side by side.

use std::iter::zip;

use super::product::Product;
use crate::prelude::*;

/// What statistics keep of vectors: the summary of each coordinate, so that none loses digits, and the
/// weight.
///
/// ```
/// use posterior_dist::{Normal, Product, Stats};
///
/// let fixed = vec![(), ()];
/// let points = [[1e8, 0.0], [1e8 + 2.0, 1.0]];
/// let stats = Stats::<Product<Normal>>::of(fixed, points.iter().map(|x| &x[..]))?;
/// assert_eq!(stats.summary().parts()[0].variance(), 1.0);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ProductSummary<S> {
    parts: Vec<S>,
    weight: f64,
}

impl<S> ProductSummary<S> {
    /// The summary of each coordinate.
    pub fn parts(&self) -> &[S] {
        &self.parts
    }
}

impl<F> Summary<Product<F>> for ProductSummary<F::Summary>
where
    F: ExponentialFamily,
    F::Point: Sized,
{
    fn empty(fixed: &Vec<F::Fixed>) -> Self {
        Self { parts: fixed.iter().map(F::Summary::empty).collect(), weight: 0.0 }
    }

    fn add(&mut self, fixed: &Vec<F::Fixed>, x: &[F::Point], weight: f64) {
        for ((part, fixed), x) in self.parts.iter_mut().zip(fixed).zip(x) {
            part.add(fixed, x, weight);
        }
        self.weight += weight;
    }

    fn merge(&mut self, other: &Self) {
        for (part, more) in zip(&mut self.parts, &other.parts) {
            part.merge(more);
        }
        self.weight += other.weight;
    }

    fn scale(&mut self, factor: f64) {
        for part in &mut self.parts {
            part.scale(factor);
        }
        self.weight *= factor;
    }

    fn weight(&self) -> f64 {
        self.weight
    }

    fn total(&self, fixed: &Vec<F::Fixed>) -> Vec<f64> {
        zip(&self.parts, fixed).flat_map(|(part, fixed)| part.total(fixed)).collect()
    }
}

impl<F> Stats<Product<F>>
where
    F: ExponentialFamily,
    F::Point: Sized,
{
    /// The statistics of vectors whose coordinates have these, counted elsewhere.
    ///
    /// # Errors
    /// If the coordinates do not have one weight.
    pub fn from_coordinates(coordinates: &[Stats<F>]) -> Result<Self, ParamError> {
        let weight = coordinates.first().map_or(0.0, Stats::weight);
        for (index, part) in coordinates.iter().enumerate() {
            let same = part.weight() == weight;
            check::require(same, "Stats", "weight", part.weight(), "that of the first coordinate")
                .map_err(|error| error.at(index))?;
        }
        let ln_base = coordinates.iter().map(Stats::ln_base).sum();
        let (fixed, parts) =
            coordinates.iter().map(|part| (part.fixed().clone(), part.summary().clone())).unzip();
        Ok(Self::from_summary(fixed, ProductSummary { parts, weight }, ln_base))
    }

    /// The statistics of each coordinate. The base measure is known of whole vectors only, and is 1 here.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Stats<F>> {
        let parts = zip(self.fixed(), self.summary().parts());
        parts.map(|(fixed, part)| Stats::from_summary(fixed.clone(), part.clone(), 0.0))
    }
}

/// The statistics of the coordinates one after the other, and in the same way both systems of parameters.
impl<F> ExponentialFamily for Product<F>
where
    F: ExponentialFamily,
    F::Point: Sized,
{
    /// What each coordinate holds fixed.
    type Fixed = Vec<F::Fixed>;
    type Summary = ProductSummary<F::Summary>;

    fn fixed(&self) -> Vec<F::Fixed> {
        self.distributions().iter().map(F::fixed).collect()
    }

    fn statistic_len(fixed: &Vec<F::Fixed>) -> usize {
        fixed.iter().map(F::statistic_len).sum()
    }

    fn check_point(fixed: &Vec<F::Fixed>, x: &[F::Point]) -> Result<(), ParamError> {
        let as_long = x.len() == fixed.len();
        check::require(as_long, "Product", "length", x.len() as f64, "the number of distributions")?;
        for (index, (fixed, x)) in zip(fixed, x).enumerate() {
            F::check_point(fixed, x).map_err(|error| error.at(index))?;
        }
        Ok(())
    }

    fn add_statistic(fixed: &Vec<F::Fixed>, x: &[F::Point], weight: f64, mut sum: &mut [f64]) {
        for (fixed, x) in zip(fixed, x) {
            let (part, rest) = sum.split_at_mut(F::statistic_len(fixed));
            F::add_statistic(fixed, x, weight, part);
            sum = rest;
        }
    }

    /// The logarithm of the base measure Σ ln h(x_i).
    fn ln_base(fixed: &Vec<F::Fixed>, x: &[F::Point]) -> f64 {
        zip(fixed, x).map(|(fixed, x)| F::ln_base(fixed, x)).sum()
    }

    /// The log partition function Σ ln Z(w_i).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let parts = split::<F>(natural.fixed(), natural.as_slice());
        parts.map(|(fixed, part)| F::ln_partition(&Natural::of(fixed.clone(), part.to_vec()))).sum()
    }

    fn natural(&self) -> Natural<Self> {
        let parts =
            self.distributions().iter().flat_map(|distribution| distribution.natural().as_slice().to_vec());
        Natural::of(self.fixed(), parts.collect())
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        let parts = split::<F>(natural.fixed(), natural.as_slice());
        each(parts.map(|(fixed, part)| F::from_natural(&Natural::of(fixed.clone(), part.to_vec()))))
    }

    fn expectation(&self) -> Expectation<Self> {
        let parts = self
            .distributions()
            .iter()
            .flat_map(|distribution| distribution.expectation().as_slice().to_vec());
        Expectation::of(self.fixed(), parts.collect())
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let parts = split::<F>(expectation.fixed(), expectation.as_slice());
        each(parts.map(|(fixed, part)| F::from_expectation(&Expectation::of(fixed.clone(), part.to_vec()))))
    }

    /// That of each coordinate, from its own summary.
    fn maximum_likelihood(stats: &Stats<Self>) -> Result<Self, ParamError> {
        check::positive("Stats", "weight", stats.weight())?;
        each(stats.parts().map(|part| F::maximum_likelihood(&part)))
    }
}

#[cfg(feature = "linalg")]
impl<F> FisherInformation for Product<F>
where
    F: FisherInformation,
    F::Point: Sized,
{
    /// One block for each coordinate.
    fn fisher_information(&self) -> DMatrix<f64> {
        let blocks: Vec<DMatrix<f64>> = self.distributions().iter().map(F::fisher_information).collect();
        let size = blocks.iter().map(DMatrix::nrows).sum();
        let (mut whole, mut start) = (DMatrix::zeros(size, size), 0);
        for block in blocks {
            whole.view_mut((start, start), block.shape()).copy_from(&block);
            start += block.nrows();
        }
        whole
    }
}

/// What each coordinate holds fixed, with its stretch of all parameters.
fn split<'a, F: ExponentialFamily>(
    fixed: &'a [F::Fixed],
    mut all: &'a [f64],
) -> impl Iterator<Item = (&'a F::Fixed, &'a [f64])> {
    fixed.iter().map(move |fixed| {
        let (part, rest) = all.split_at(F::statistic_len(fixed));
        all = rest;
        (fixed, part)
    })
}

/// The distributions side by side, or the error of the first that there is none of, with its index.
pub(crate) fn each<D>(
    distributions: impl Iterator<Item = Result<D, ParamError>>,
) -> Result<Product<D>, ParamError> {
    let at =
        |(index, distribution): (usize, Result<D, ParamError>)| distribution.map_err(|error| error.at(index));
    Ok(Product::new(distributions.enumerate().map(at).collect::<Result<_, _>>()?))
}
