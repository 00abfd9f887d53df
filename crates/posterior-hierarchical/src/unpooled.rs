//! Values of effects by their own rows, to see what the prior does.

use crate::Error;
use crate::fit::HierarchicalFit;

impl HierarchicalFit<'_> {
    /// What the rows that see a value of an effect say of it without its prior, everything else at its mode:
    /// the most likely value, by one step of Newton's method from its mode, exact for normal responses, and
    /// its mean over the hyperparameters. NaN where no row sees it.
    ///
    /// Effects of groups lie between these and zero: what is between both is the shrinkage.
    ///
    /// ```
    /// use posterior_hierarchical::{FamilyResponse, FieldEffect, HierarchicalModel, HierarchicalOptions,
    /// PlaceEffect as _};
    ///
    /// let y = [3.1, 2.7, 0.4, 4.9, 5.2, 4.6];
    /// let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0)?, &y)?
    ///     .intercept()?
    ///     .effect(FieldEffect::groups("school", 4)?.at(&[0, 0, 1, 2, 2, 2])?)?;
    /// let fit = model.fit(&HierarchicalOptions::default())?;
    /// let (own, alone) = (fit.effect("school")?, fit.unpooled("school")?);
    /// assert!(alone[1] < own[1].mean() && own[1].mean() < 0.0);
    /// // Nobody is in the fourth school.
    /// assert!(alone[3].is_nan());
    /// # Ok::<(), posterior_hierarchical::Error>(())
    /// ```
    ///
    /// # Errors
    /// No effect of this name.
    pub fn unpooled(&self, effect: &str) -> Result<Vec<f64>, Error> {
        let places = self.places(effect)?;
        let mut means = vec![0.0; places.len()];
        for node in &self.nodes {
            let factors = &self.engine.natural(&node.theta)[self.engine.of_copies.clone()];
            let rows = self.engine.rows.times_factors(factors);
            let mut sums = vec![(0.0, 0.0); places.len()];
            for (row, state) in node.rows.iter().enumerate() {
                for (place, factor) in rows.row(row).filter(|(place, _)| places.contains(place)) {
                    let (slope, curvature) = &mut sums[place - places.start];
                    *slope += factor * state.slope;
                    *curvature += factor * factor * state.curvature;
                }
            }
            let modes = &node.x[places.clone()];
            for ((mean, (slope, curvature)), mode) in means.iter_mut().zip(sums).zip(modes) {
                let value = if curvature > 0.0 { mode + slope / curvature } else { f64::NAN };
                *mean += node.weight * value;
            }
        }
        Ok(means)
    }
}
