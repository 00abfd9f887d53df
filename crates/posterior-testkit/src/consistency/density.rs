//! Checks of densities and of their samplers.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt::Debug;

use posterior_dist::{Density, KlDivergence};
use rand::Rng;
use rand::distr::Distribution;

use super::assert_agree;
use crate::significance::{LEVEL, chi_square_p_value};

/// The probabilities of all points of a finite support sum to one.
///
/// # Panics
/// If they do not, to 1e-12.
#[track_caller]
pub fn finite_support<D: Density, P: Borrow<D::Point>>(distribution: &D, points: &[P]) {
    let sum = points.iter().map(|x| distribution.ln_pdf(x.borrow()).exp()).sum();
    assert_agree("the probabilities sum to one", sum, 1.0, 1e-12);
}

/// Draws follow the probabilities of the points, which are the whole support: a chi-square test at
/// [`LEVEL`], that is, one false alarm in a million seeds.
///
/// # Panics
/// If the p-value is below the level, or a draw is none of the points.
#[track_caller]
pub fn sampler<D, P, R>(distribution: &D, points: &[P], draws: usize, rng: &mut R)
where
    D: Density + Distribution<P>,
    P: Borrow<D::Point> + Ord + Debug,
    R: Rng,
{
    let mut counts: BTreeMap<&P, u64> = points.iter().map(|point| (point, 0)).collect();
    for _ in 0..draws {
        let draw = distribution.sample(rng);
        let count = counts.get_mut(&draw);
        assert!(count.is_some(), "drew {draw:?}, which is not in the support");
        if let Some(count) = count {
            *count += 1;
        }
    }
    let observed: Vec<u64> = counts.values().copied().collect();
    let expected: Vec<f64> =
        counts.keys().map(|point| draws as f64 * distribution.ln_pdf((*point).borrow()).exp()).collect();
    let p_value = chi_square_p_value(&observed, &expected);
    assert!(p_value >= LEVEL, "draws {observed:?} against {expected:.1?}: p = {p_value:.1e}");
}

/// KL(p ‖ p) = 0 ≤ KL(p ‖ q), and for a distribution with finite support it is the sum Σ p ln(p / q).
///
/// # Panics
/// If one of these fails, to 1e-12.
#[track_caller]
pub fn kl_divergence<D, P>(p: &D, q: &D, support: Option<&[P]>)
where
    D: Density + KlDivergence,
    P: Borrow<D::Point>,
{
    assert_agree("KL(p, p) = 0", p.kl_divergence(p), 0.0, 1e-12);
    let divergence = p.kl_divergence(q);
    assert!(divergence >= -1e-12, "KL(p, q) = {divergence:e} is negative");
    if let Some(points) = support {
        let term = |x: &P| {
            let ln_p = p.ln_pdf(x.borrow());
            if ln_p == f64::NEG_INFINITY { 0.0 } else { ln_p.exp() * (ln_p - q.ln_pdf(x.borrow())) }
        };
        assert_agree("KL(p, q) is its sum", divergence, points.iter().map(term).sum(), 1e-12);
    }
}
