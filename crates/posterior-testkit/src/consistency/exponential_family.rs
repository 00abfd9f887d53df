//! Checks of exponential families and of their sufficient statistics.

use std::borrow::Borrow;

use posterior_dist::{ExponentialFamily, KlDivergence, Natural, Stats};

use super::{accepted, assert_agree};

/// The density has the form of the family, both systems of coordinates lead back to the distribution, and the
/// expectation is the gradient of the log partition function (by central differences, to 1e-7 of the size of
/// the expectation).
///
/// `points` lie in the support; `tolerance` is for the round trip through the expectation, which may be
/// iterative.
///
/// # Panics
/// If one of these fails.
#[track_caller]
pub fn exponential_family<F: ExponentialFamily, P: Borrow<F::Point>>(
    distribution: &F,
    points: &[P],
    tolerance: f64,
) {
    let (fixed, natural, expectation) =
        (distribution.fixed(), distribution.natural(), distribution.expectation());
    assert_eq!(natural.as_slice().len(), F::statistic_len(&fixed), "length of the natural parameters");
    assert_eq!(expectation.as_slice().len(), F::statistic_len(&fixed), "length of the expectation");
    assert_eq!((natural.fixed(), expectation.fixed()), (&fixed, &fixed), "what is fixed");

    let from_natural = F::from_natural(&natural);
    let from_expectation = F::from_expectation(&expectation);
    for point in points {
        let x = point.borrow();
        let ln_pdf = distribution.ln_pdf(x);
        let mut statistic = vec![0.0; F::statistic_len(&fixed)];
        F::add_statistic(&fixed, x, 1.0, &mut statistic);
        let formula = F::ln_base(&fixed, x) + natural.inner(&statistic) - F::ln_partition(&natural);
        assert_agree("ln_pdf = ln_base + <natural, statistic> - ln_partition", ln_pdf, formula, 1e-12);
        let back = from_natural.as_ref().map(|distribution| distribution.ln_pdf(x));
        assert_agree("from_natural(natural)", back.unwrap_or(f64::NAN), ln_pdf, 1e-12);
        let back = from_expectation.as_ref().map(|distribution| distribution.ln_pdf(x));
        assert_agree("from_expectation(expectation)", back.unwrap_or(f64::NAN), ln_pdf, tolerance);
    }
    gradient(&natural, expectation.as_slice());
}

#[track_caller]
fn gradient<F: ExponentialFamily>(natural: &Natural<F>, expectation: &[f64]) {
    for (index, &mean) in expectation.iter().enumerate() {
        let center = natural.as_slice()[index];
        if !center.is_finite() {
            continue;
        }
        // Small beside the distance to the singularity at w = -1 of families in which ln x is a statistic.
        let step = 1e-5 * center.abs().max(1.0).min((center + 1.0).abs().max(1e-3));
        let at = |offset: f64| {
            let mut moved = natural.as_slice().to_vec();
            moved[index] = center + offset;
            Natural::new(natural.fixed().clone(), moved).map_or(f64::NAN, |moved| F::ln_partition(&moved))
        };
        let slope = (at(step) - at(-step)) / (2.0 * step);
        let distribution = format!("coordinate {index} of the gradient of ln_partition is the expectation");
        assert_agree(&distribution, slope / mean.abs().max(1.0), mean / mean.abs().max(1.0), 1e-7);
    }
}

/// KL(p ‖ q) is the Bregman divergence of the log partition function:
/// ln Z(w_q) - ln Z(w_p) - ⟨w_q - w_p, E_p T⟩.
///
/// # Panics
/// If it is not, to `tolerance`.
#[track_caller]
pub fn bregman<F: ExponentialFamily + KlDivergence>(p: &F, q: &F, tolerance: f64) {
    let (of_p, of_q, expectation) = (p.natural(), q.natural(), p.expectation());
    let difference: Vec<f64> = of_q.as_slice().iter().zip(of_p.as_slice()).map(|(b, a)| b - a).collect();
    let inner =
        Natural::<F>::new(p.fixed(), difference).map_or(f64::NAN, |w| w.inner(expectation.as_slice()));
    let divergence = F::ln_partition(&of_q) - F::ln_partition(&of_p) - inner;
    assert_agree("KL is a Bregman divergence", p.kl_divergence(q), divergence, tolerance);
}

/// Sufficient statistics forget what is removed from them, do not depend on how the data are cut, and count
/// weights.
///
/// # Panics
/// If one of these fails, to 1e-12.
#[track_caller]
pub fn stats<F: ExponentialFamily, P: Borrow<F::Point>>(fixed: &F::Fixed, points: &[P]) {
    let of = |points: &[P]| accepted(Stats::<F>::of(fixed.clone(), points.iter().map(Borrow::borrow)));
    let whole = of(points);
    assert_eq!(whole.weight(), points.len() as f64, "the weight is the number of points");

    let mut pushed = whole.clone();
    for point in points {
        accepted(pushed.push(point.borrow()));
        accepted(pushed.pop(point.borrow()));
    }
    same("pop undoes push", &pushed, &whole);

    for cut in 0..=points.len() {
        let (left, right) = points.split_at(cut);
        let mut merged = of(left);
        accepted(merged.merge(&of(right)));
        same("merge is the union", &merged, &whole);
    }

    let mut reversed = Stats::new(fixed.clone());
    let mut doubled = whole.clone();
    accepted(doubled.merge(&whole));
    let mut weighted = Stats::new(fixed.clone());
    for point in points.iter().rev() {
        accepted(reversed.push(point.borrow()));
        accepted(weighted.push_weighted(point.borrow(), 2.0));
    }
    same("the order is irrelevant", &reversed, &whole);
    same("a weight of two is two points", &weighted, &doubled);
    let mut scaled = whole.clone();
    accepted(scaled.scale(2.0));
    same("scaling by two is two points", &scaled, &doubled);
    accepted(scaled.scale(0.0));
    assert_eq!(scaled, Stats::new(fixed.clone()), "scaling by zero leaves nothing");
    assert!(scaled.scale(-1.0).is_err() && scaled.scale(f64::NAN).is_err(), "a factor is not negative");

    for point in points {
        accepted(reversed.pop(point.borrow()));
    }
    assert_eq!(reversed, Stats::new(fixed.clone()), "popping everything leaves nothing");
}

#[track_caller]
fn same<F: ExponentialFamily>(distribution: &str, left: &Stats<F>, right: &Stats<F>) {
    for (a, b) in left.total().iter().zip(&right.total()) {
        assert_agree(distribution, *a, *b, 1e-12);
    }
    assert_agree(distribution, left.weight(), right.weight(), 1e-12);
    assert_agree(distribution, left.ln_base(), right.ln_base(), 1e-12);
}
