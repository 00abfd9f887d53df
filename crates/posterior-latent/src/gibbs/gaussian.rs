//! Gaussian components with a normal-inverse-Wishart prior, integrated out by changes of rank one.

mod block;
mod lanes;
mod ln_one_plus;

use posterior_dist::{Conjugate, Density, Mixture, Stats};
use posterior_gaussian::{Gaussian, MultivariateT, NormalInverseWishart};
use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::special::ln_pochhammer;
use rand::Rng;

use self::block::{Block, LEAST_LEFT};
use self::lanes::Lanes;
use super::conjugate::predictive;
use super::{Clusters, Collapsible, Components, Home};
use crate::error::Error;
use crate::observations::Observations;
use crate::partition::{Partition, PartitionPrior};

/// Rows of numbers, and Gaussian components with a normal-inverse-Wishart prior.
///
/// Of each block the mean and the Cholesky factor of the scale Ψ' are kept. An observation is weighed against
/// all K blocks side by side by one forward substitution, O(K p²); its own block without it follows from the
/// same numbers (|Ψ' - a u uᵀ| = |Ψ'| (1 - a uᵀ Ψ'⁻¹ u)); and only an observation that moves changes two
/// factors, in O(p²). A sweep is O(n K p²). The samplers begin each sweep with factors that are made anew, so
/// that rounding does not grow from sweep to sweep.
///
/// [`ConjugateComponents`](super::ConjugateComponents) of [`Gaussian`] is the same model, four times slower
/// in two dimensions.
#[derive(Debug, Clone)]
pub struct ConjugateGaussians {
    /// The rows, one after another.
    rows: Vec<f64>,
    prior: NormalInverseWishart,
    /// The lower triangle of the Cholesky factor of Ψ, column after column.
    prior_factor: Vec<f64>,
    ln_prior_predictive: Vec<f64>,
    /// For blocks of n = 0, 1, … data, ln of the factor of Student's density that depends on nothing else.
    ln_norms: Vec<f64>,
}

impl ConjugateGaussians {
    /// Complete rows, each counted once, and the prior of a component.
    ///
    /// # Errors
    /// If there is no row, a value is not finite, the prior has another dimension, or a row is so far from
    /// its mean, in units of Ψ, that squares of distances are beyond the range of f64.
    pub fn new(values: &DMatrix<f64>, prior: &NormalInverseWishart) -> Result<Self, Error> {
        Observations::new(values)?;
        let p = prior.dimension();
        check::dimension("coordinates of an observation", p, values.ncols())?;
        let rows: Vec<f64> =
            values.row_iter().flat_map(|row| row.iter().copied().collect::<Vec<_>>()).collect();
        let factor = prior.covariance_distribution().cholesky().factor();
        let prior_factor =
            (0..p).flat_map(|column| (column..p).map(move |row| factor[(row, column)])).collect();
        let distribution = Gaussian::predictive(prior, &p)?;
        let ln_prior_predictive: Vec<f64> =
            rows.chunks_exact(p).map(|row| distribution.ln_pdf(row)).collect();
        for (row, values) in rows.chunks_exact(p).enumerate() {
            let deviation = DVector::from_column_slice(values) - prior.location();
            let square = prior.covariance_distribution().cholesky().quadratic_form(&deviation);
            let near = square < LARGEST_SQUARE;
            check::require(
                near,
                "GaussianComponents",
                "squared distance",
                square,
                "below 1e300 in units of the prior",
            )
            .map_err(|error| error.at(row))?;
        }
        let ln_norms = (0..=values.nrows()).map(|data| ln_norm(prior, data as f64)).collect();
        Ok(Self { rows, prior: prior.clone(), prior_factor, ln_prior_predictive, ln_norms })
    }

    /// The prior of a component.
    pub const fn prior(&self) -> &NormalInverseWishart {
        &self.prior
    }

    /// The dimension p of an observation.
    pub fn dimension(&self) -> usize {
        self.prior.dimension()
    }

    /// The distribution of the next row, given the blocks of the data: a mixture of Student's distributions,
    /// the last of which is that of a new block.
    ///
    /// # Errors
    /// A partition of other data; one that the prior of partitions excludes.
    pub fn predictive(
        &self,
        partition: &Partition,
        seats: &PartitionPrior,
    ) -> Result<Mixture<MultivariateT>, Error> {
        check::dimension("data of a partition", self.ln_prior_predictive.len(), partition.len())?;
        let members = partition.members();
        let stats = members.iter().map(|members| self.stats(members));
        predictive::<Gaussian, _>(&self.prior, &self.dimension(), stats, seats)
    }

    fn row(&self, observation: usize) -> &[f64] {
        let p = self.dimension();
        &self.rows[observation * p..(observation + 1) * p]
    }

    fn stats(&self, members: &[usize]) -> Result<Stats<Gaussian>, Error> {
        Ok(Stats::of(self.dimension(), members.iter().map(|&observation| self.row(observation)))?)
    }
}

/// Distances of data from each other, and sums of their squares, have some room beyond this.
const LARGEST_SQUARE: f64 = 1e300;

/// ln Γ((ν + 1) / 2) - ln Γ((ν - p + 1) / 2) - p / 2 ln (π (κ + 1) / κ) of the posterior of `data` points.
fn ln_norm(prior: &NormalInverseWishart, data: f64) -> f64 {
    let p = prior.dimension() as f64;
    let (kappa, nu) = (prior.kappa() + data, prior.degrees_of_freedom() + data);
    let ln_spread = std::f64::consts::PI.ln() + kappa.recip().ln_1p();
    ln_pochhammer(0.5 * (nu - p + 1.0), 0.5 * p) - 0.5 * p * ln_spread
}

impl Components for ConjugateGaussians {
    type Component = Gaussian;

    fn len(&self) -> usize {
        self.ln_prior_predictive.len()
    }

    fn draw_prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Gaussian, Error> {
        Ok(self.prior.draw(rng)?)
    }

    fn update<R: Rng + ?Sized>(
        &self,
        distribution: &mut Gaussian,
        members: &[usize],
        rng: &mut R,
    ) -> Result<(), Error> {
        *distribution = Gaussian::posterior(&self.prior, &self.stats(members)?)?.draw(rng)?;
        Ok(())
    }

    fn ln_likelihood(&self, distribution: &Gaussian, observation: usize) -> f64 {
        distribution.ln_pdf(self.row(observation))
    }
}

impl Collapsible for ConjugateGaussians {
    type Clusters<'a> = GaussianClusters<'a>;

    fn len(&self) -> usize {
        self.ln_prior_predictive.len()
    }

    fn clusters(&self) -> GaussianClusters<'_> {
        let p = self.dimension();
        GaussianClusters {
            model: self,
            blocks: Vec::new(),
            lanes: Lanes::new(p),
            deviation: vec![0.0; p],
            removed: vec![0.0; p],
        }
    }

    fn ln_prior_predictive(&self, observation: usize) -> f64 {
        self.ln_prior_predictive[observation]
    }
}

/// Blocks of rows with Gaussian components.
#[derive(Debug)]
pub struct GaussianClusters<'a> {
    model: &'a ConjugateGaussians,
    blocks: Vec<Block>,
    lanes: Lanes,
    deviation: Vec<f64>,
    removed: Vec<f64>,
}

impl GaussianClusters<'_> {
    /// Makes a block anew from its members.
    fn rebuild(&mut self, block: usize, members: &mut dyn Iterator<Item = usize>) {
        let (model, block) = (self.model, &mut self.blocks[block]);
        block.reset(model);
        for observation in members {
            block.insert(model, model.row(observation), &mut self.deviation);
        }
    }

    /// Tells the lanes what has become of a block, and returns ln |Ψ'| / 2.
    fn show(&mut self, block: usize) -> f64 {
        let (model, lane) = (self.model, block);
        let block = &mut self.blocks[lane];
        let (kappa, nu) = (block.kappa(model), model.prior.degrees_of_freedom() + block.data as f64);
        let half_ln_determinant = block.to_half_ln_determinant();
        block.half_ln_determinant = half_ln_determinant;
        let numbers =
            [model.ln_norms[block.data] - half_ln_determinant, 0.5 * (nu + 1.0), kappa / (kappa + 1.0)];
        self.lanes.set(lane, &block.mean, &block.factor, numbers);
        half_ln_determinant
    }

    fn publish(&mut self, block: usize) -> Result<(), Error> {
        check::finite("GaussianComponents", "ln determinant of a scale", self.show(block))?;
        Ok(())
    }

    /// ln p(observation | the others of its block) from |L⁻¹ (x - μ')|² of the block with the observation in
    /// it: with κ / (κ - 1) of that m, the density is that of the block with a factor (1 - m)^(ν/2) of the ν
    /// without the observation. `None` where rounding would be seen.
    fn ln_left_out(&self, block: usize, square: f64) -> Option<f64> {
        let (model, block) = (self.model, &self.blocks[block]);
        let kappa = block.kappa(model);
        let proportion = kappa / (kappa - 1.0) * square;
        let others = block.data - 1;
        let nu = model.prior.degrees_of_freedom() + others as f64;
        let value = || model.ln_norms[others] - block.half_ln_determinant + 0.5 * nu * (-proportion).ln_1p();
        (1.0 - proportion > LEAST_LEFT).then(value)
    }

    /// The same by a block made of the others.
    fn ln_left_out_anew(
        &mut self,
        observation: usize,
        block: usize,
        others: &mut dyn Iterator<Item = usize>,
    ) -> f64 {
        let kept = self.blocks[block].clone();
        self.rebuild(block, others);
        let without = std::mem::replace(&mut self.blocks[block], kept);
        let model = self.model;
        let mut with = without.clone();
        with.insert(model, model.row(observation), &mut self.deviation);
        // |Ψ'| = |Ψ| (1 + κ / (κ + 1) |L⁻¹ (x - μ)|²).
        let ln_growth = 2.0 * (with.to_half_ln_determinant() - without.to_half_ln_determinant());
        let nu = model.prior.degrees_of_freedom() + without.data as f64;
        model.ln_norms[without.data] - without.to_half_ln_determinant() - 0.5 * (nu + 1.0) * ln_growth
    }
}

impl Clusters for GaussianClusters<'_> {
    fn len(&self) -> usize {
        self.blocks.len()
    }

    fn open(&mut self) {
        self.blocks.push(Block::empty(self.model));
        self.lanes.reserve(self.blocks.len());
        self.show(self.blocks.len() - 1);
    }

    fn close(&mut self, block: usize) {
        self.blocks.swap_remove(block);
        self.lanes.replace(block, self.blocks.len());
    }

    fn insert(&mut self, observation: usize, block: usize) -> Result<(), Error> {
        let model = self.model;
        self.blocks[block].insert(model, model.row(observation), &mut self.deviation);
        self.publish(block)
    }

    fn remove(&mut self, observation: usize, home: Home<'_>) -> Result<(), Error> {
        let (model, block) = (self.model, home.block);
        if self.blocks[block].data == 1 {
            self.blocks[block].reset(model);
        } else if !self.blocks[block].remove(
            model,
            model.row(observation),
            &mut self.deviation,
            &mut self.removed,
        ) {
            self.rebuild(block, home.others);
        }
        self.publish(block)
    }

    fn ln_predictive(
        &mut self,
        observation: usize,
        home: Option<Home<'_>>,
        values: &mut [f64],
    ) -> Result<(), Error> {
        let model = self.model;
        self.lanes.ln_predictive(model.row(observation), values);
        if let Some(home) = home.filter(|home| self.blocks[home.block].data > 1) {
            let (block, square) = (home.block, self.lanes.square(home.block));
            values[block] = match self.ln_left_out(block, square) {
                Some(value) => value,
                None => self.ln_left_out_anew(observation, block, home.others),
            };
        }
        Ok(())
    }

    /// -n p / 2 ln π + ln Γ_p(ν' / 2) - ln Γ_p(ν / 2) - (ν' ln |Ψ'| - ν ln |Ψ| + p ln (κ' / κ)) / 2.
    fn ln_evidence(&self, block: usize) -> Result<f64, Error> {
        let (prior, block) = (&self.model.prior, &self.blocks[block]);
        let (p, n) = (prior.dimension(), block.data as f64);
        let gamma = |i: usize| ln_pochhammer(0.5 * (prior.degrees_of_freedom() - i as f64), 0.5 * n);
        let ln_gammas: f64 = (0..p).map(gamma).sum();
        let before = 0.5 * prior.covariance_distribution().cholesky().ln_determinant();
        let growth = block.to_half_ln_determinant() - before;
        let ln_determinants = n * before + (prior.degrees_of_freedom() + n) * growth;
        let spread = n * std::f64::consts::PI.ln() + (n / prior.kappa()).ln_1p();
        Ok(ln_gammas - ln_determinants - 0.5 * p as f64 * spread)
    }
}
