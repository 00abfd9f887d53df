//! How sure coefficients are: draws from their posterior.

use posterior_dist::stream::stream;
use posterior_dist::target::FromGradFn;
use posterior_math::check;
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::{Draws, Run, Start};
use rand::RngExt as _;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::fit::SparseSoftmaxFit;
use super::loss::Loss;
use super::model::{SparsePenalty, SparseSoftmax, TYPE};
use crate::Error;

impl SparseSoftmax<'_> {
    /// Draws of some coefficients, (column, class) each, from their posterior under the normal prior that a
    /// ridge penalty is, with intercepts that are free: chains of the No-U-Turn sampler that start at the
    /// fit. [`Draws::summary_of_level`] has the mean, the standard deviation and the interval of each, and
    /// warns of chains that are too short.
    ///
    /// A normal distribution around the fit is no answer for the words of texts. Where columns are many and
    /// the penalty is small, the fit is nearer to 0 than the mean of the posterior, by a standard deviation
    /// and more for the words that tell most; and no expansion around the fit finds the mean there.
    ///
    /// ```
    /// use posterior_math::iteration::Silent;
    /// use posterior_math::sparse::SparseMatrix;
    /// use posterior_regression::sampling::Run;
    /// use posterior_regression::sparse_softmax::{SparsePenalty, SparseSoftmax};
    ///
    /// // Six texts, four of which have the only word.
    /// let design = SparseMatrix::from_triplets(6, 1, (0..4).map(|row| (row, 0, 1.0)))?;
    /// let model = SparseSoftmax::new(&design, &[1, 1, 1, 0, 0, 1], 2)?;
    /// let penalty = SparsePenalty::ridge(0.5);
    /// let fit = model.fit(&penalty, &mut Silent)?.model;
    /// let run = Run { seed: 3, ..Run::default() };
    /// let word = &model.draws(&fit, &penalty, &[(0, 1)], &run)?.summary_of_level(0.95)?.parameters[0];
    /// assert!(word.low? < 0.0 && word.high? > fit.coefficient(0, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Absolute values in the penalty; a fit of another shape, a column or class that is none, the first of
    /// two classes, whose coefficients are 0; a run of no draws.
    ///
    /// # Cost
    /// (stored entries + rows) times classes for a gradient, of which a step of a chain takes some 7 to 60:
    /// the more, the more columns go together. Only the draws that were asked for are held. With the feature
    /// `rayon` chains run at the same time; the draws are the same.
    pub fn draws(
        &self,
        fit: &SparseSoftmaxFit,
        penalty: &SparsePenalty,
        coefficients: &[(usize, usize)],
        run: &Run,
    ) -> Result<Draws, Error> {
        penalty.check()?;
        let squares_only = penalty.mixing == 0.0;
        check::require(squares_only, "SparsePenalty", "mixing", penalty.mixing, "0 for draws")?;
        let shape = self.shape();
        check::dimension("coefficients of the fit", shape.len(), fit.point().len())?;
        check::at_least_one("Run", "draws", run.draws)?;
        let first = self.classes - shape.vectors;
        let place = |&(column, class): &(usize, usize)| {
            check::require(column < shape.columns, TYPE, "column", column as f64, "a column")?;
            let there = (first..self.classes).contains(&class);
            check::require(there, TYPE, "class", class as f64, "a class with coefficients")?;
            Ok(shape.place(column, class - first))
        };
        let places: Vec<usize> = coefficients.iter().map(place).collect::<Result<_, Error>>()?;
        let chain = |chain: usize| self.chain(fit, penalty, &places, (run, chain));
        #[cfg(feature = "rayon")]
        let chains: Vec<Result<Vec<f64>, Error>> = (0..run.chains).into_par_iter().map(chain).collect();
        #[cfg(not(feature = "rayon"))]
        let chains: Vec<Result<Vec<f64>, Error>> = (0..run.chains).map(chain).collect();
        let names = coefficients.iter().map(|(column, class)| format!("{column}, class {class}")).collect();
        Ok(Draws::new(names, chains.into_iter().collect::<Result<_, Error>>()?)?)
    }

    /// The draws of one chain, one after another.
    fn chain(
        &self,
        fit: &SparseSoftmaxFit,
        penalty: &SparsePenalty,
        places: &[usize],
        (run, chain): (&Run, usize),
    ) -> Result<Vec<f64>, Error> {
        let (rows, shape) = (self.rows(), self.shape());
        let first_intercept = shape.columns * shape.vectors;
        let target = FromGradFn::new(shape.len(), |x: &[f64], gradient: &mut [f64]| {
            let mut value = Loss::new(rows, penalty.strength).value_and_gradient(x, gradient);
            if shape.vectors > 1 {
                // The sum of all intercepts changes no probability; without a distribution it would wander.
                let sum: f64 = x[first_intercept..].iter().sum();
                value += 0.5 * sum * sum;
                gradient[first_intercept..].iter_mut().for_each(|slope| *slope += sum);
            }
            for slope in gradient.iter_mut() {
                *slope = -*slope;
            }
            -value
        });
        let seed = stream(run.seed, &[chain as u64]).random();
        // Steps are taken by hand, and what they keep is the last: a point has all coefficients.
        let steps = run.draws.saturating_mul(run.thin);
        let own = Run { chains: 1, draws: 1, thin: steps, seed, keep_warm_up: false, ..run.clone() };
        let sampler = Nuts::default();
        let mut chains = own.start(&target, &sampler, &Start::At(fit.point().to_vec()))?;
        chains.advance(&target, &sampler, run.warm_up)?;
        let mut draws = Vec::with_capacity(run.draws * places.len());
        for _ in 0..run.draws {
            chains.advance(&target, &sampler, run.thin)?;
            let at = chains.chains()[0].position();
            draws.extend(places.iter().map(|&place| at[place]));
        }
        Ok(draws)
    }
}
