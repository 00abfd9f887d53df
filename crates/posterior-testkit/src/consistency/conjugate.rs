//! Checks of conjugate priors.

use std::borrow::Borrow;

use posterior_dist::{Conjugate, Density, Stats};

use super::{accepted, assert_agree};

/// Updating in two parts, cut anywhere, and in the other order, is updating at once; the evidence of a
/// sequence is the product of its predictive probabilities, to 1e-12.
///
/// # Panics
/// If one of these fails, or the prior refuses the data.
#[track_caller]
pub fn conjugate<F, Prior, P>(fixed: &F::Fixed, prior: &Prior, points: &[P])
where
    F: Conjugate<Prior>,
    P: Borrow<F::Point>,
{
    let of = |points: &[P]| accepted(Stats::<F>::of(fixed.clone(), points.iter().map(Borrow::borrow)));
    let update = |prior: &Prior, stats: &Stats<F>| accepted(F::posterior(prior, stats));
    let evidence = |prior: &Prior, stats: &Stats<F>| accepted(F::ln_evidence(prior, stats));

    let all = of(points);
    let batch = update(prior, &all);
    let whole = evidence(prior, &all);
    assert_eq!(evidence(prior, &of(&[])), 0.0, "no data have the evidence 1");
    for cut in 0..=points.len() {
        let (left, right) = points.split_at(cut);
        let (left, right) = (of(left), of(right));
        for (first, second) in [(&left, &right), (&right, &left)] {
            let half = update(prior, first);
            let both = accepted(F::predictive(&update(&half, second), fixed));
            same("sequential = batch", &both, &accepted(F::predictive(&batch, fixed)), points);
            let chained = evidence(prior, first) + evidence(&half, second);
            assert_agree("p(a, b) = p(a) p(b | a)", chained, whole, 1e-12);
        }
    }

    let mut chain = 0.0;
    for (index, point) in points.iter().enumerate() {
        let so_far = update(prior, &of(&points[..index]));
        chain += accepted(F::predictive(&so_far, fixed)).ln_pdf(point.borrow());
    }
    assert_agree("the evidence is the product of predictives", chain, whole, 1e-12);
}

#[track_caller]
fn same<D: Density, P: Borrow<D::Point>>(distribution: &str, left: &D, right: &D, points: &[P]) {
    for point in points {
        assert_agree(distribution, left.ln_pdf(point.borrow()), right.ln_pdf(point.borrow()), 1e-12);
    }
}
