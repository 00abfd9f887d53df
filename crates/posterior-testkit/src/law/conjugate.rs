//! Laws of conjugate priors.

use std::borrow::Borrow;

use posterior_dist::{Conjugate, Density, Stats};

use super::assert_agree;

/// Updating in two parts, cut anywhere, and in the other order, is updating at once; the evidence of a sequence is the
/// product of its predictive probabilities, to 1e-12.
///
/// # Panics
/// If one of these fails, or the prior refuses the data.
#[track_caller]
pub fn conjugate<F: Conjugate, P: Borrow<F::Point>>(fixed: &F::Fixed, prior: &F::Prior, points: &[P]) {
    let of = |points: &[P]| Stats::<F>::of(fixed.clone(), points.iter().map(Borrow::borrow));
    let update = |prior: &F::Prior, stats: &Stats<F>| match F::posterior(prior, stats) {
        Ok(posterior) => posterior,
        Err(error) => refuse(&error.to_string()),
    };
    let evidence = |prior: &F::Prior, stats: &Stats<F>| F::ln_evidence(prior, stats).unwrap_or(f64::NAN);

    let all = of(points);
    let batch = update(prior, &all);
    let whole = evidence(prior, &all);
    assert_eq!(evidence(prior, &of(&[])), 0.0, "no data have the evidence 1");
    for cut in 0..=points.len() {
        let (left, right) = points.split_at(cut);
        let (left, right) = (of(left), of(right));
        for (first, second) in [(&left, &right), (&right, &left)] {
            let half = update(prior, first);
            same_predictive::<F, P>("sequential = batch", &update(&half, second), &batch, points);
            let chained = evidence(prior, first) + evidence(&half, second);
            assert_agree("p(a, b) = p(a) p(b | a)", chained, whole, 1e-12);
        }
    }

    let mut chain = 0.0;
    for (index, point) in points.iter().enumerate() {
        let so_far = update(prior, &of(&points[..index]));
        chain += F::predictive(&so_far).ln_pdf(point.borrow());
    }
    assert_agree("the evidence is the product of predictives", chain, whole, 1e-12);
}

#[track_caller]
fn same_predictive<F: Conjugate, P: Borrow<F::Point>>(
    law: &str,
    left: &F::Prior,
    right: &F::Prior,
    points: &[P],
) {
    let (left, right) = (F::predictive(left), F::predictive(right));
    for point in points {
        assert_agree(law, left.ln_pdf(point.borrow()), right.ln_pdf(point.borrow()), 1e-12);
    }
}

#[track_caller]
#[expect(clippy::panic, reason = "a prior that refuses the data fails the law")]
fn refuse(message: &str) -> ! {
    panic!("the prior refuses the data: {message}")
}
