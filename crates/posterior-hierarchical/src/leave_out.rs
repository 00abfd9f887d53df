//! Groups of rows as the other rows predict them, from the fit alone.

mod density;
mod others;

use std::iter::zip;

use posterior_math::check;
use posterior_math::log_space::ln_sum_exp;
use posterior_math::quadrature::GaussHermite;

use crate::Error;
use crate::criteria::{Cavity, LeftOut, POINTS};
use crate::fit::{HierarchicalFit, Node};
use crate::laplace::Laplace;
use crate::marginal::{Component, LatentMarginal};
use crate::mode::NOTHING;
use crate::response::ResponseTerm;

/// Steps of Newton's method, and the square of one that is short enough.
const STEPS: usize = 60;
const SHORT: f64 = 1e-20;

/// A group of rows as the rows outside of it predict them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LeftOutGroup {
    /// The rows of the group, as they were given.
    pub rows: Vec<usize>,
    /// Each of them without the whole group; nothing for rows that do not count.
    pub each: Vec<Option<LeftOut>>,
    /// The distributions of their predictors without the group: see
    /// [`response_mean`](HierarchicalFit::response_mean).
    pub predictors: Vec<LatentMarginal>,
    /// ln p(the responses of the group | the other rows), jointly. All groups of a partition have the sum
    /// that compares models for new groups.
    pub ln_density: f64,
    /// How much of the posterior of the hyperparameters stays without the group: 1 if it does not change,
    /// the efficiency of the weights at the points of the integral. Below about 0.1 the group decides on the
    /// hyperparameters, and points are missing where they would be without it: fit again without the group.
    pub overlap: f64,
}

/// A group without its own terms, at one point of the hyperparameters.
struct Without {
    cavities: Vec<Cavity>,
    rows: Vec<Option<LeftOut>>,
    ln_density: f64,
}

impl HierarchicalFit<'_> {
    /// The rows by what they see of an effect: rows that see a value in common, by themselves or through
    /// others, are one group. Rows that see nothing of the effect are groups of their own.
    ///
    /// # Errors
    /// No effect of this name.
    pub fn groups_by(&self, effect: &str) -> Result<Vec<Vec<usize>>, Error> {
        let effects = &self.engine.model.effects;
        let at = effects.iter().position(|placed| placed.effect.name() == effect);
        let names = effects.iter().map(|placed| placed.effect.name());
        let places = &self.engine.places[at.ok_or_else(|| Error::unknown("effect", effect, names))?];
        // The row that stands for each row's group, and the first row that saw each place.
        let mut lead: Vec<usize> = (0..self.engine.rows.count()).collect();
        let mut first = vec![None; places.len()];
        for row in 0..lead.len() {
            for (place, _) in self.engine.rows.row(row).filter(|(place, _)| places.contains(place)) {
                let other = *first[place - places.start].get_or_insert(row);
                let (a, b) = (leader(&mut lead, other), leader(&mut lead, row));
                lead[a.max(b)] = a.min(b);
            }
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); lead.len()];
        for row in 0..groups.len() {
            groups[leader(&mut lead, row)].push(row);
        }
        groups.retain(|group| !group.is_empty());
        Ok(groups)
    }

    /// Each group of rows as the rows outside of it predict them: what a model is worth for new groups, where
    /// leave-one-out asks for new rows of groups that are known. Groups may overlap, and need not hold all
    /// rows; [`groups_by`](Self::groups_by) makes them from an effect.
    ///
    /// Nothing is fitted again. At each point of the hyperparameters the group's terms are taken out of the
    /// joint normal distribution of its predictors, which is exact for Gaussian responses; for others, what
    /// the other rows say stays as it is around the mode with the group. The points are weighted again by
    /// what the group says about them. Groups of one row have the numbers of [`criteria`](Self::criteria).
    ///
    /// Costs a mode at each point of the hyperparameters, one solution there for each row, and for each group
    /// the eigenvalues of a matrix of its size.
    ///
    /// # Errors
    /// A row that is not there or twice in a group; a group that alone decides on something that has a flat
    /// prior.
    ///
    /// # References
    /// Z. Liu, H. Rue, Leave-group-out cross-validation for latent Gaussian models, 2022.
    ///
    /// ```
    /// use posterior_hierarchical::{FamilyResponse, FieldEffect, HierarchicalModel, HierarchicalOptions,
    /// PlaceEffect as _};
    ///
    /// let counts = [2.0, 3.0, 0.0, 1.0, 5.0, 8.0, 3.0, 1.0];
    /// let model = HierarchicalModel::new(FamilyResponse::poisson(), &counts)?
    ///     .intercept()?
    ///     .effect(FieldEffect::groups("ward", 4)?.at(&[0, 0, 1, 1, 2, 2, 3, 3])?)?;
    /// let fit = model.fit(&HierarchicalOptions::default())?;
    /// let wards = fit.leave_out(&fit.groups_by("ward")?)?;
    /// // Five and eight cases are more than the other wards predict.
    /// let [less, _] = wards[2].each[1].expect("a row that counts").probability;
    /// assert!(less > 0.9);
    /// let score: f64 = wards.iter().map(|ward| ward.ln_density).sum();
    /// assert!(score < fit.criteria()?.elpd_loo);
    /// # Ok::<(), posterior_hierarchical::Error>(())
    /// ```
    pub fn leave_out(&self, groups: &[Vec<usize>]) -> Result<Vec<LeftOutGroup>, Error> {
        let count = self.engine.rows.count();
        let mut last = vec![usize::MAX; count];
        for (place, group) in groups.iter().enumerate() {
            check::enough("rows of a group", 1, group.len())?;
            for &row in group {
                let is_new = last.get(row).is_some_and(|last| *last != place);
                let rule = "a row of the model, once in a group";
                check::require(is_new, "leave_out", "row", row as f64, rule)?;
                last[row] = place;
            }
        }
        let rule = GaussHermite::new(POINTS)?;
        let mut without: Vec<Vec<Without>> = groups.iter().map(|_| Vec::new()).collect();
        for node in &self.nodes {
            let laplace = self.engine.laplace(&node.theta, Some(&node.x))?;
            let natural = self.engine.natural(&node.theta);
            let at = At {
                fit: self,
                laplace: &laplace,
                row_variances: &self.engine.row_variances(&laplace),
                own: &natural[..self.engine.of_response],
                rule: &rule,
            };
            for (group, without) in groups.iter().zip(&mut without) {
                without.push(at.without(group)?);
            }
        }
        Ok(groups
            .iter()
            .zip(without)
            .map(|(group, without)| together(group, &self.nodes, &without))
            .collect())
    }
}

/// The row that stands for the group of a row.
fn leader(lead: &mut [usize], mut row: usize) -> usize {
    while lead[row] != row {
        lead[row] = lead[lead[row]];
        row = lead[row];
    }
    row
}

/// Over the points of the hyperparameters, weighted by what is left of them without the group.
fn together(group: &[usize], nodes: &[Node], without: &[Without]) -> LeftOutGroup {
    let against: Vec<f64> =
        zip(nodes, without).map(|(node, own)| node.weight.ln() - own.ln_density).collect();
    let ln_sum = ln_sum_exp(&against);
    let weights: Vec<f64> = against.iter().map(|ln| (ln - ln_sum).exp()).collect();
    let each = |place: usize| {
        let parts = || zip(&weights, without).filter_map(|(weight, own)| Some((weight, own.rows[place]?)));
        let lns: Vec<f64> = parts().map(|(weight, row)| weight.ln() + row.ln_density).collect();
        let mut probability = [0.0; 2];
        for (weight, row) in parts() {
            zip(&mut probability, row.probability).for_each(|(sum, end)| *sum += weight * end);
        }
        (!lns.is_empty()).then(|| LeftOut { ln_density: ln_sum_exp(&lns), probability })
    };
    let predictor = |place: usize| {
        let parts = zip(&weights, without).map(|(&weight, own)| {
            let Cavity { mean, variance } = own.cavities[place];
            Component { weight, mean, sd: variance.sqrt(), skewness: 0.0 }
        });
        LatentMarginal::new(parts.collect())
    };
    // (E r)² / E r² for the ratio r of both weights.
    let squares = zip(&weights, nodes).map(|(own, node)| own * own / node.weight);
    let overlap = squares.sum::<f64>().recip();
    LeftOutGroup {
        rows: group.to_vec(),
        each: (0..group.len()).map(each).collect(),
        predictors: (0..group.len()).map(predictor).collect(),
        ln_density: -ln_sum,
        overlap,
    }
}

/// One point of the hyperparameters.
struct At<'a> {
    fit: &'a HierarchicalFit<'a>,
    laplace: &'a Laplace,
    /// The variances of the predictors.
    row_variances: &'a [f64],
    /// The hyperparameters of the response.
    own: &'a [f64],
    rule: &'a GaussHermite,
}

impl At<'_> {
    fn without(&self, group: &[usize]) -> Result<Without, Error> {
        let others = self.others(group)?;
        let cavities: Vec<Cavity> = (0..group.len())
            .map(|i| Cavity { mean: others.mean[i], variance: others.root.row(i).norm_squared() })
            .collect();
        let ln_density = self.ln_density_of_all(group, &others)?;
        let rows = zip(group, &cavities).map(|(&row, cavity)| self.row(row, cavity)).collect();
        Ok(Without { cavities, rows, ln_density })
    }

    /// The term of a row; nothing where no response counts.
    fn term(&self, row: usize, predictor: f64) -> ResponseTerm {
        let model = self.fit.engine.model;
        if model.is_seen(row) { model.term(row, predictor, self.own) } else { NOTHING }
    }
}
