//! Generalised hypergeometric functions with their derivatives, by their series.

/// The most terms of a series.
const LONGEST: usize = 100_000;

/// How much larger than the sum a term may be.
const CANCELLED: f64 = 1e6;

/// pFq(a; b; z) of p numbers a, then b, then z, and its derivatives by all of them; NaN where the series does
/// not converge, or loses more than six digits.
///
/// Where z is negative, 1F1 is by Kummer's and 2F1 by Pfaff's transformation (NIST Digital Library of
/// Mathematical Functions, 13.2.39 and 15.8.1).
pub(super) fn hypergeometric(p: usize, x: &[f64], d: &mut [f64]) -> f64 {
    match (p, x) {
        (1, &[a, b, z]) if z < 0.0 => {
            let factor = z.exp();
            let own = factor * series(1, &[b - a, b, -z], d);
            let [of_a, of_b, of_z] = [d[0], d[1], d[2]].map(|d| factor * d);
            d.copy_from_slice(&[-of_a, of_a + of_b, own - of_z]);
            own
        }
        (2, &[a, b, c, z]) if z < -0.5 => {
            let left = 1.0 - z;
            let factor = left.powf(-a);
            let own = factor * series(2, &[a, c - b, c, z / (z - 1.0)], d);
            let [of_a, of_b, of_c, of_z] = [d[0], d[1], d[2], d[3]].map(|d| factor * d);
            d.copy_from_slice(&[of_a - own * left.ln(), -of_b, of_b + of_c, (a * own - of_z / left) / left]);
            own
        }
        _ => series(p, x, d),
    }
}

/// Each term is that before it times a factor, which is a ratio of polynomials of its number.
fn series(p: usize, x: &[f64], d: &mut [f64]) -> f64 {
    let [parameters @ .., z] = x else { return f64::NAN };
    let (mut term, mut sum, mut largest) = (1.0_f64, 1.0_f64, 1.0_f64);
    let mut slopes = vec![0.0; x.len()];
    d.fill(0.0);
    for k in 0..LONGEST {
        let k = k as f64;
        let below: f64 = parameters[p..].iter().map(|b| b + k).product::<f64>() * (k + 1.0);
        let without = |i: usize| {
            let others = parameters[..p].iter().enumerate().filter(|(j, _)| *j != i);
            others.map(|(_, a)| a + k).product::<f64>() / below
        };
        let factor = without(p) * z;
        for (i, slope) in slopes.iter_mut().enumerate() {
            let of_factor = match i {
                _ if i < p => without(i) * z,
                _ if i < parameters.len() => -factor / (parameters[i] + k),
                _ => without(p),
            };
            *slope = *slope * factor + term * of_factor;
        }
        term *= factor;
        sum += term;
        largest = largest.max(term.abs());
        d.iter_mut().zip(&slopes).for_each(|(d, slope)| *d += slope);
        if !sum.is_finite() {
            break;
        }
        // The rest is less than a geometric series.
        let rest = factor.abs() / (1.0 - factor.abs());
        let small = |term: f64, sum: f64| term.abs() * rest.max(1.0) <= 0.25 * f64::EPSILON * sum.abs();
        let ended = factor.abs() < 1.0 && small(term, sum);
        if ended && slopes.iter().zip(&*d).all(|(slope, d)| small(*slope, d.abs().max(f64::MIN_POSITIVE))) {
            return if largest > CANCELLED * sum.abs() { f64::NAN } else { sum };
        }
    }
    f64::NAN
}
