//! The exact posterior as a target: its gradient, and that Laplace's method on it is what the crate does.

use posterior_dist::target::{GradTarget as _, Target as _};
use posterior_hierarchical::{ExactPosterior, HierarchicalModel};
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
