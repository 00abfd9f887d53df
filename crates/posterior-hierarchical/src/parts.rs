//! How much of the variance of the predictors each part of the model has.

use std::ops::Range;

use crate::Error;
use crate::fit::{HierarchicalFit, Node};
use crate::laplace::Laplace;

impl HierarchicalFit<'_> {
    /// For each effect, and for the fixed effects together, the posterior mean of the variance over the rows
    /// of what it adds to the predictor; without known parts, as offsets. Of several kinds of responses the
    /// rows are those of the first. Parts that go together have variances that do not add up to that of the
    /// predictor.
    ///
    /// Costs a mode at each point of the hyperparameters. Fixed effects that are maximised over are taken as
    /// known.
    ///
    /// # Errors
    /// If a point of the hyperparameters has no mode, which the fit had.
    pub fn variances_of_parts(&self) -> Result<Vec<(String, f64)>, Error> {
        let model = self.engine.model;
        let names = model.effects.iter().map(|placed| placed.effect.name().to_owned());
        let mut parts: Vec<(String, f64)> = names.map(|name| (name, 0.0)).collect();
        let mut fixed = 0.0;
        for node in &self.nodes {
            let laplace = self.engine.laplace(&node.theta, Some(&node.x))?;
            for ((_, sum), places) in parts.iter_mut().zip(&self.engine.places) {
                *sum += node.weight * self.variance_of(places, node, &laplace);
            }
            fixed += node.weight
                * match &self.engine.outer {
                    None => self.variance_of(&self.engine.fixed, node, &laplace),
                    Some(outer) => {
                        let seen = outer.times(&node.theta[node.theta.len() - outer.width()..]);
                        variance(&seen[..model.parts[0].rows.len()])
                    }
                };
        }
        parts.insert(0, ("fixed effects".to_owned(), fixed));
        Ok(parts)
    }

    /// E Var of what the rows see of some places: (1/n) Σᵢ E cᵢ² - E (mean c)².
    fn variance_of(&self, places: &Range<usize>, node: &Node, laplace: &Laplace) -> f64 {
        let rows = &laplace.rows;
        let first = self.engine.model.parts[0].rows.len();
        let count = first as f64;
        let within = |(place, _): &(usize, f64)| places.contains(place);
        let mut average = vec![0.0; rows.width()];
        let seen: Vec<f64> = (0..first)
            .map(|row| {
                let seen = rows.row(row).filter(within);
                seen.map(|(place, factor)| {
                    average[place] += factor / count;
                    factor * node.mean[place]
                })
                .sum()
            })
            .collect();
        let own = self.engine.assembly.row_variances_of(rows, &laplace.covariances, places);
        let own: f64 = own.iter().take(first).sum();
        let together = laplace.factor.solve(&average);
        let of_average: f64 = together.iter().zip(&average).map(|(own, average)| own * average).sum();
        variance(&seen) + own / count - of_average
    }
}

/// The variance of numbers, divided by their count.
fn variance(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count
}
