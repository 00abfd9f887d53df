//! Densities of many lanes.

use super::lanes::{Lanes, fetch};
use super::{Instruction, Place};
use crate::density::Density;

/// Values of a density in all lanes, and its partial derivatives.
pub(super) fn densities(
    one: &Instruction,
    density: Density,
    before: &[f64],
    after: &mut [f64],
    partials: &mut [f64],
    buffer: &mut [f64],
) {
    let n = one.lanes;
    let count = one.operands.len();
    let mut lanes = [Lanes::Splat(0.0); 8];
    let mut rest = buffer;
    for (lanes, operand) in lanes.iter_mut().zip(&one.operands) {
        let (own, others) = rest.split_at_mut(n);
        *lanes = fetch(operand, before, n, own);
        rest = others;
    }
    if one.fused
        && density == Density::Normal
        && let Lanes::Splat(s) = lanes[2]
    {
        after[0] = normal(one, lanes[0], lanes[1], s, partials);
        return;
    }
    if one.fused
        && density == Density::BernoulliLogit
        && let (Lanes::Slice(y), Lanes::Slice(eta), Place::Range(_) | Place::Gather(_)) =
            (lanes[0], lanes[1], &one.operands[1].place)
    {
        let at = one.operands[1].partials;
        after[0] = bernoulli_logit(y, eta, &mut partials[at..at + n]);
        return;
    }
    if one.fused {
        for operand in one.operands.iter().filter(|operand| operand.grad) {
            if matches!(operand.place, Place::Splat(_)) {
                partials[operand.partials] = 0.0;
            }
        }
    }
    let mut x = [0.0; 8];
    let mut total = 0.0;
    for lane in 0..n {
        for (x, lanes) in x[..count].iter_mut().zip(&lanes) {
            *x = lanes.at(lane);
        }
        let mut d = [0.0; 8];
        let value = density.value(&x[..count], &mut d);
        if !one.fused {
            after[lane] = value;
        }
        total += value;
        for (operand, d) in one.operands.iter().zip(d) {
            if operand.grad {
                if one.fused && matches!(operand.place, Place::Splat(_)) {
                    partials[operand.partials] += d;
                } else {
                    partials[operand.partials + lane] = d;
                }
            }
        }
    }
    if one.fused {
        after[0] = total;
    }
}

/// The sum of Bernoulli densities with log odds, and the derivatives by them.
fn bernoulli_logit(y: &[f64], eta: &[f64], slopes: &mut [f64]) -> f64 {
    slopes.iter_mut().zip(eta).for_each(|(s, eta)| *s = -eta.abs());
    posterior_math::elementwise::exp(slopes);
    let mut total = 0.0;
    let mut product = 1.0;
    for ((slope, &eta), &y) in slopes.iter_mut().zip(eta).zip(y) {
        if !(y == 0.0 || y == 1.0) {
            return f64::NAN;
        }
        let small = *slope;
        let sign = 2.0 * y - 1.0;
        let signed = sign * eta;
        let tail = if signed >= 0.0 { small } else { 1.0 } / (1.0 + small);
        *slope = sign * tail;
        total += signed.min(0.0);
        // ln(1 + e^-|x|) of several at once; of tiny ones, where the product would lose them, alone.
        if small < 1e-3 {
            total -= small.ln_1p();
        } else {
            product *= 1.0 + small;
            if product > 1e280 {
                total -= product.ln();
                product = 1.0;
            }
        }
    }
    total - product.ln()
}

/// The sum of normal densities with one standard deviation.
fn normal(one: &Instruction, y: Lanes<'_>, mu: Lanes<'_>, s: f64, partials: &mut [f64]) -> f64 {
    if !(s > 0.0) {
        return f64::NAN;
    }
    let n = one.lanes;
    let scale = 1.0 / s;
    let mut squares = 0.0;
    let (of_y, of_mu, of_s) = (&one.operands[0], &one.operands[1], &one.operands[2]);
    let slope = |i: usize| (mu.at(i) - y.at(i)) * scale * scale;
    for lane in 0..n {
        let z = (y.at(lane) - mu.at(lane)) * scale;
        squares += z * z;
    }
    for (operand, sign) in [(of_y, 1.0), (of_mu, -1.0)] {
        if operand.grad {
            if let Place::Splat(_) = operand.place {
                partials[operand.partials] = sign * (0..n).map(slope).sum::<f64>();
            } else {
                let to = &mut partials[operand.partials..operand.partials + n];
                to.iter_mut().enumerate().for_each(|(i, to)| *to = sign * slope(i));
            }
        }
    }
    if of_s.grad {
        partials[of_s.partials] = (squares - n as f64) * scale;
    }
    -0.5 * squares - n as f64 * (s.ln() + posterior_math::special::HALF_LN_TAU)
}
