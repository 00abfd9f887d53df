//! Maps next to the edge where areas have nothing of their own, which is where smooth maps are.

use posterior_hierarchical::{
    Bym2, EmbeddedLaplace, FamilyResponse, FieldEffect, HierarchicalModel, HierarchicalOptions,
    HyperEstimate, PlaceEffect as _, PlacedEffect,
};

const SIDE: usize = 6;
const AREAS: usize = SIDE * SIDE;

fn neighbours() -> Vec<Vec<usize>> {
    let beside = |a: usize, b: usize| {
        let (rows, columns) = ((a / SIDE).abs_diff(b / SIDE), (a % SIDE).abs_diff(b % SIDE));
        rows + columns == 1
    };
    (0..AREAS).map(|a| (0..AREAS).filter(|&b| beside(a, b)).collect()).collect()
}

/// Classes of twelve rows in each area, with probabilities that change slowly over the map.
fn model(effect: impl Fn(&[usize]) -> PlacedEffect) -> HierarchicalModel {
    let (mut y, mut areas) = (Vec::new(), Vec::new());
    for area in 0..AREAS {
        let (east, north) = ((area % SIDE) as f64, (area / SIDE) as f64);
        let p = 1.0 / (1.0 + (-1.5 * (0.6 * east).sin() * (0.5 * north).cos()).exp());
        for row in 0..12 {
            let uniform = ((area * 12 + row) * 7_919 % 10_007) as f64 / 10_007.0;
            y.push(f64::from(u8::from(uniform < p)));
            areas.push(area);
        }
    }
    let model = HierarchicalModel::new(FamilyResponse::binomial(), &y).unwrap();
    model.intercept().unwrap().effect(effect(&areas)).unwrap()
}

fn mixed() -> HierarchicalModel {
    model(|areas| Bym2::new("area", &neighbours()).unwrap().at(areas).unwrap())
}

#[test]
fn areas_with_nothing_of_their_own_are_a_field() {
    let (mixed, field) =
        (mixed(), model(|areas| FieldEffect::besag("area", &neighbours()).unwrap().at(areas).unwrap()));
    let field = EmbeddedLaplace::new(&field).unwrap().ln_likelihood(&[0.7]).unwrap();
    let mixed = EmbeddedLaplace::new(&mixed).unwrap();
    let off = |phi: f64| mixed.ln_likelihood(&[0.7, phi]).unwrap() - field;
    // The difference falls with 1 - φ, down to rounding.
    assert!(off(0.5).abs() > 0.1);
    for (rest, within) in [(1e-3, 1e-2), (1e-5, 1e-4), (1e-7, 1e-6), (1e-9, 1e-6), (1e-13, 1e-6)] {
        assert!(off(1.0 - rest).abs() < within, "{rest}: {}", off(1.0 - rest));
    }
}

/// The logarithm of 1 - φ may be anything then, and lies on the way of the integral.
#[test]
fn smooth_maps_are_fitted() {
    let mixed = mixed();
    let fit = mixed.fit(&HierarchicalOptions::default()).unwrap();
    assert_eq!(fit.estimate(), HyperEstimate::Posterior);
    let phi = fit.hyperparameter("phi(area)").unwrap();
    let [low, high] = phi.interval(0.9);
    assert!(low > 0.05 && low < 0.9 && high > 0.95 && high <= 1.0, "{low} {high}");
    assert!(fit.effect("area").unwrap().iter().all(|own| own.mean().is_finite() && own.sd() > 0.0));
}
