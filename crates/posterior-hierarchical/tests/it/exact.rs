//! The exact posterior as a target: its gradient, and that Laplace's method on it is what the crate does.

use std::ops::Range;

use posterior_dist::target::{GradTarget as _, Target as _};
use posterior_hierarchical::{
    EffectPrecision, Error, ExactPosterior, FamilyResponse, HierarchicalModel, Hyperparameter, LatentEffect,
    PlaceEffect as _,
};
use posterior_math::optimize::gradient_check;

use crate::gradients::{effects, families, model};

fn check(what: &str, model: &HierarchicalModel) {
    let target = ExactPosterior::new(model).unwrap();
    let point: Vec<f64> = (0..target.dim()).map(|j| 0.3 * (1.7 * j as f64).sin()).collect();
    let worst = gradient_check(
        |point: &[f64], gradient: &mut [f64]| target.ln_density_grad(point, gradient).unwrap(),
        &point,
    );
    assert!(worst.error < 1e-7, "{what}: {worst:?}");
    assert_eq!(target.names().len(), target.values(&point).unwrap().len());
}

#[test]
fn gradients_of_every_effect() {
    for (name, effect) in effects() {
        let (_, family, y) = families().swap_remove(1);
        check(name, &model(family, &y, effect));
    }
}

#[test]
fn gradients_of_every_family() {
    for (name, family, y) in families() {
        let (_, effect) = effects().swap_remove(1);
        check(name, &model(family, &y, effect));
    }
}

/// Two values with precisions of 2 and an entry of -1 between them.
#[derive(Debug)]
struct Two(Range<usize>);

impl LatentEffect for Two {
    fn name(&self) -> &'static str {
        "two"
    }

    fn size(&self) -> usize {
        2
    }

    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        vec![]
    }

    fn pattern(&self) -> Vec<(usize, usize)> {
        vec![(0, 0), (1, 0), (1, 1)]
    }

    fn precision(&self, _: &[f64]) -> Result<EffectPrecision, Error> {
        Ok(EffectPrecision { values: vec![2.0, -1.0, 2.0], ln_determinant: 3_f64.ln(), derivatives: vec![] })
    }

    fn conditional(&self) -> Range<usize> {
        self.0.clone()
    }
}

/// The first value given the second is half of it and 1 / √2 of a standard normal one.
#[test]
fn conditional_values_are_what_is_their_own() {
    let model = |conditional| {
        HierarchicalModel::new(FamilyResponse::poisson(), &[2.0, 0.0, 1.0])
            .unwrap()
            .effect(Two(conditional).at(&[0, 1, 0]).unwrap())
            .unwrap()
    };
    let (plain, own) = (model(0..0), model(0..1));
    let (plain, own) = (ExactPosterior::new(&plain).unwrap(), ExactPosterior::new(&own).unwrap());
    for point in [[0.7, -0.4], [-2.0, 1.5]] {
        let values = own.values(&point).unwrap();
        let expected = 0.5 * point[1] + std::f64::consts::FRAC_1_SQRT_2 * point[0];
        assert!((values[0] - expected).abs() < 1e-15 && values[1] == point[1], "{values:?}");
        let jacobian = -0.5 * 2_f64.ln();
        let difference = own.ln_density(&point).unwrap() - plain.ln_density(&values).unwrap();
        assert!((difference - jacobian).abs() < 1e-14, "{difference}");
    }
    let error = ExactPosterior::new(&model(0..2)).unwrap_err().to_string();
    assert!(error.contains("conditional") && error.contains("none between them"), "{error}");
}
