//! The posterior of the coefficients of classes, averaged over the scale of the prior.

use std::f64::consts::TAU;

use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_gaussian::Gaussian;
use posterior_math::check;
use posterior_math::iteration::Silent;
use posterior_math::linalg::{DMatrix, multiply};
use posterior_math::log_space::{ln_sum_exp, softmax_in_place};
use posterior_sampling::Run;

use super::class_prior::ClassPrior;
use super::{SoftmaxRegression, SoftmaxTarget};
use crate::Error;
use crate::coefficients::{Coefficient, weighted_quantile};
use crate::glm::climb::GlmFitOptions;
use crate::glm::draws::{GlmDraws, Mixture, by_nuts, corrected, drawn_from};
use crate::glm::fitted::independent;
use crate::glm::scale_prior::{self, ScalePrior};
use crate::linear::data::finite;

/// The posterior of a softmax regression whose prior treats all classes alike, by draws.
///
/// Class k has coefficients γₖ, of which observations determine the differences only: γₖⱼ ~ N(0, s²) for each
/// column, s with a [`ScalePrior`], and N(0, t²) with a t that is known for the intercept (a column that is
/// constant and not 0).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(remote = "Self"))]
pub struct SoftmaxDraws {
    draws: GlmDraws,
    columns: usize,
    ln_evidence: Option<f64>,
    /// Each standard deviation with its probability.
    scales: Vec<(f64, f64)>,
}

impl SoftmaxRegression<'_> {
    /// Laplace's approximation: a mixture of Gaussians, one for each scale of the prior at its own mode, with
    /// weights proportional to evidence times prior. It is given by 8,000 draws. A prior that was given by
    /// [`with_prior`](Self::with_prior) is left aside.
    ///
    /// # Cost
    /// Some ten of the steps of [`fit`](Self::fit) for each scale.
    ///
    /// # Errors
    /// A standard deviation of the intercept that is not positive and finite; [`Error::Collinear`], where
    /// rounding makes columns repeat others.
    pub fn laplace(&self, scale: &ScalePrior, intercept_sd: f64, seed: u64) -> Result<SoftmaxDraws, Error> {
        let target = Averaged::new(self, scale, intercept_sd)?;
        let (parts, ln_evidence) = target.laplace()?;
        Ok(target.answer(drawn_from(&parts, &self.class_names(), seed), Some(ln_evidence)))
    }

    /// The posterior without the bias of Laplace's approximation: draws around its modes, with weights, and
    /// those of the No-U-Turn sampler where the weights cannot be trusted; as
    /// [`Glm::corrected`](crate::glm::Glm::corrected).
    ///
    /// # Cost
    /// That of [`laplace`](Self::laplace), and n p (K - 1) operations for each of 200 draws if Laplace's
    /// approximation is right, and else of 12,200; some 50,000 gradients if the sampler is needed.
    ///
    /// # Errors
    /// As [`laplace`](Self::laplace).
    pub fn corrected(&self, scale: &ScalePrior, intercept_sd: f64, seed: u64) -> Result<SoftmaxDraws, Error> {
        let target = Averaged::new(self, scale, intercept_sd)?;
        let (parts, ln_evidence) = target.laplace()?;
        let names = self.class_names();
        Ok(match corrected(&target, &parts, &names, seed)? {
            Some(draws) => {
                let ln_evidence = draws.ln_evidence.map(|own| own.ln_value);
                target.answer(draws, ln_evidence)
            }
            None => target.answer(drawn_from(&parts, &names, seed), Some(ln_evidence)),
        })
    }

    /// The posterior by chains of the No-U-Turn sampler.
    ///
    /// # Errors
    /// A standard deviation of the intercept that is not positive and finite; a sampler that ends.
    pub fn by_nuts(&self, scale: &ScalePrior, intercept_sd: f64, run: &Run) -> Result<SoftmaxDraws, Error> {
        let target = Averaged::new(self, scale, intercept_sd)?;
        let draws = by_nuts(&target, &self.class_names(), run)?;
        Ok(target.answer(draws, None))
    }
}

/// ln p(labels, β), with the scale of the prior averaged over.
struct Averaged<'m, 'a> {
    classes: SoftmaxTarget<'m, 'a>,
    scales: Vec<Scale>,
}

/// A standard deviation of the coefficients, with its prior probability.
struct Scale {
    sd: f64,
    ln_probability: f64,
    prior: ClassPrior,
}

impl<'m, 'a> Averaged<'m, 'a> {
    fn new(model: &'m SoftmaxRegression<'a>, scale: &ScalePrior, intercept_sd: f64) -> Result<Self, Error> {
        check::positive("SoftmaxRegression", "intercept_sd", intercept_sd)?;
        let classes = model.target()?;
        let data = &classes.data;
        let of_scale = |(sd, probability): (f64, f64)| {
            let own = |column| if data.is_intercept(column) { intercept_sd } else { sd };
            let precisions = (0..data.columns()).map(|column| own(column).powi(-2)).collect();
            Scale { sd, ln_probability: probability.ln(), prior: ClassPrior::Alike(precisions) }
        };
        let scales = scale.points().map(of_scale).collect();
        Ok(Self { classes, scales })
    }

    /// A Gaussian for each scale with its weight, and ln p(labels).
    fn laplace(&self) -> Result<(Mixture, f64), Error> {
        let mut point = vec![0.0; self.dim()];
        let (mut distributions, mut ln_weights) = (Vec::new(), Vec::new());
        for scale in &self.scales {
            let model = SoftmaxRegression { prior: scale.prior.clone(), ..self.classes.model.clone() };
            let mut hill = SoftmaxTarget { model: &model, data: self.classes.data.clone() };
            // The mode of the scale before is near.
            point = model.climbed(&mut hill, point, &GlmFitOptions::default(), &mut Silent)?.point;
            let precision = hill.information(&point);
            let factor = independent(&precision, &model.class_names())?;
            let ln_joint = hill.ln_likelihood(&point) + hill.ln_prior(&point);
            let ln_evidence = ln_joint + 0.5 * (point.len() as f64 * TAU.ln() - factor.ln_determinant());
            distributions.push(Gaussian::from_precision(&point, &precision)?);
            ln_weights.push(ln_evidence + scale.ln_probability);
        }
        let ln_evidence = softmax_in_place(&mut ln_weights);
        Ok((ln_weights.into_iter().zip(distributions).collect(), ln_evidence))
    }

    /// ln of the prior density at each scale times its probability.
    fn ln_priors(&self, x: &[f64]) -> Vec<f64> {
        let columns = self.classes.data.columns();
        self.scales.iter().map(|own| own.ln_probability + own.prior.ln_density(x, columns)).collect()
    }

    /// With the posterior of the scale: the average of what each draw says of it.
    fn answer(&self, draws: GlmDraws, ln_evidence: Option<f64>) -> SoftmaxDraws {
        let mut scales: Vec<(f64, f64)> = self.scales.iter().map(|own| (own.sd, 0.0)).collect();
        for (point, weight) in draws.weighted() {
            let mut own = self.ln_priors(point);
            softmax_in_place(&mut own);
            scales.iter_mut().zip(own).for_each(|((_, sum), own)| *sum += weight * own);
        }
        SoftmaxDraws { draws, columns: self.classes.data.columns(), ln_evidence, scales }
    }
}

impl Target for Averaged<'_, '_> {
    fn dim(&self) -> usize {
        self.classes.dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(self.classes.ln_likelihood(x) + ln_sum_exp(&self.ln_priors(x)))
    }
}

impl GradTarget for Averaged<'_, '_> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let (probabilities, ln_likelihood) = self.classes.probabilities(x);
        self.classes.gradient_of(&probabilities, gradient);
        let mut weights = self.ln_priors(x);
        let ln_prior = softmax_in_place(&mut weights);
        for (scale, weight) in self.scales.iter().zip(weights) {
            let mut own = vec![0.0; x.len()];
            scale.prior.add_gradient(x, self.classes.data.columns(), &mut own);
            gradient.iter_mut().zip(own).for_each(|(slope, own)| *slope += weight * own);
        }
        Ok(ln_likelihood + ln_prior)
    }
}

impl SoftmaxDraws {
    /// How the draws were made, and what is to be said of them. Their coefficients are those of the classes
    /// from 1 on less that of class 0, class after class.
    pub const fn draws(&self) -> &GlmDraws {
        &self.draws
    }

    /// ln p(labels); none of chains.
    pub const fn ln_evidence(&self) -> Option<f64> {
        self.ln_evidence
    }

    /// Each standard deviation of the coefficients with its posterior probability.
    pub fn scales(&self) -> impl ExactSizeIterator<Item = (f64, f64)> + '_ {
        self.scales.iter().copied()
    }

    /// The median of the standard deviation: the smallest that has at least half of the probability at or
    /// below it.
    pub fn median_scale(&self) -> f64 {
        scale_prior::median(self.scales())
    }

    /// The coefficient of a class for a column less the mean over all classes, in so many units of the
    /// column.
    ///
    /// # Errors
    /// No such class or column; a number that is not finite.
    pub fn sum_to_zero(
        &self,
        name: &str,
        class: usize,
        column: usize,
        unit: f64,
    ) -> Result<Coefficient, Error> {
        let of_classes = |own: &[f64]| own.len() / self.columns + 1;
        let number = |own: &[f64]| {
            let of_class =
                |class: usize| if class == 0 { 0.0 } else { own[(class - 1) * self.columns + column] };
            let mean = (1..of_classes(own)).map(of_class).sum::<f64>() / of_classes(own) as f64;
            (of_class(class) - mean) / unit
        };
        self.draws.marginal(name, number)
    }

    /// The probabilities of the classes (columns, from 0 on) of rows with these inputs: averages over the
    /// draws. The error is about a hundredth of what is not known of a probability.
    ///
    /// # Cost
    /// p K operations and K exponentials for each row and draw.
    ///
    /// # Errors
    /// Other numbers of columns than in the fit; a number that is not finite.
    pub fn response(&self, design: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        let mut response = DMatrix::zeros(design.nrows(), self.classes());
        self.for_each_row(design, |row, probabilities, weights| {
            for (class, own) in probabilities.row_iter().enumerate() {
                response[(row, class)] = own.iter().zip(weights).map(|(p, weight)| p * weight).sum();
            }
        })?;
        Ok(response)
    }

    /// The quantiles of the probability of each class at each row for these levels, each class by itself: in
    /// the shape of [`response`](Self::response), which costs less.
    ///
    /// # Errors
    /// As [`response`](Self::response); a level that is not strictly between 0 and 1.
    pub fn response_quantiles(
        &self,
        design: &DMatrix<f64>,
        levels: &[f64],
    ) -> Result<Vec<DMatrix<f64>>, Error> {
        for (index, &level) in levels.iter().enumerate() {
            let inside = level > 0.0 && level < 1.0;
            check::require(inside, "SoftmaxDraws", "level", level, "strictly between 0 and 1")
                .map_err(|error| error.at(index))?;
        }
        let mut all = vec![DMatrix::zeros(design.nrows(), self.classes()); levels.len()];
        self.for_each_row(design, |row, probabilities, weights| {
            for (class, own) in probabilities.row_iter().enumerate() {
                let mut pairs: Vec<(f64, f64)> = own.iter().copied().zip(weights.iter().copied()).collect();
                pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
                for (matrix, &level) in all.iter_mut().zip(levels) {
                    matrix[(row, class)] = weighted_quantile(&pairs, level);
                }
            }
        })?;
        Ok(all)
    }

    fn classes(&self) -> usize {
        self.draws.names.len() / self.columns + 1
    }

    /// For each row the probabilities of the classes (rows) by each draw (columns), and the weights of the
    /// draws.
    fn for_each_row(
        &self,
        design: &DMatrix<f64>,
        mut visit: impl FnMut(usize, &DMatrix<f64>, &[f64]),
    ) -> Result<(), Error> {
        check::dimension("columns of new rows", self.columns, design.ncols())?;
        finite("feature", design.nrows(), design.as_slice())?;
        let (points, weights) = self.draws.parts();
        // A column for each class and draw.
        let coefficients =
            DMatrix::from_column_slice(self.columns, points.len() / self.columns, points.as_slice());
        let mut probabilities = DMatrix::zeros(self.classes(), points.ncols());
        for row in 0..design.nrows() {
            let predictors = multiply(&design.rows(row, 1).into_owned(), &coefficients);
            let of_draws = predictors.as_slice().chunks_exact(self.classes() - 1);
            for (mut place, own) in probabilities.column_iter_mut().zip(of_draws) {
                place[0] = 0.0;
                place.rows_mut(1, own.len()).copy_from_slice(own);
                softmax_in_place(place.as_mut_slice());
            }
            visit(row, &probabilities, weights);
        }
        Ok(())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for SoftmaxDraws {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for SoftmaxDraws {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let own = Self::deserialize(deserializer)?;
        let coefficients = own.draws.names.len();
        let fits = coefficients > 0 && own.columns > 0 && coefficients % own.columns == 0;
        fits.then_some(own).ok_or_else(|| {
            serde::de::Error::custom("expected as many coefficients of each class as there are columns")
        })
    }
}
