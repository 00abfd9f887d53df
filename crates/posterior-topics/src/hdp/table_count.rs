//! The number of tables that the customers of one dish take in a Chinese restaurant.

use posterior_math::log_space::ln_add_exp;
use posterior_math::special::ln_rising_factorial;
use rand::{Rng, RngExt};

/// ln |s(n, m)| for m = 0, …, n: unsigned Stirling numbers of the first kind, which count the permutations of
/// n things that have m cycles.
///
/// By |s(n + 1, m)| = |s(n, m - 1)| + n |s(n, m)| in logarithms; O(n²).
///
/// ```
/// let row = posterior_topics::hdp::ln_stirling(4);
/// assert!((row[2] - 11_f64.ln()).abs() < 1e-14); // 0, 6, 11, 6, 1
/// ```
pub fn ln_stirling(n: usize) -> Vec<f64> {
    let mut row = vec![f64::NEG_INFINITY; n + 1];
    row[0] = 0.0;
    for things in 0..n {
        let ln_things = (things as f64).ln();
        for m in (1..=things + 1).rev() {
            row[m] = ln_add_exp(row[m - 1], ln_things + row[m]);
        }
        row[0] = f64::NEG_INFINITY;
    }
    row
}

/// ln of the probabilities that `customers` take m = 0, …, `customers` tables under this concentration
/// (Antoniak 1974): `|s(n, m)| a^m / (a (a + 1) … (a + n - 1))`.
///
/// ```
/// // Two customers: the second joins the first with odds 1 : a.
/// let row = posterior_topics::hdp::ln_table_count(2, 3.0);
/// assert!((row[1].exp() - 0.25).abs() < 1e-15);
/// ```
pub fn ln_table_count(customers: usize, concentration: f64) -> Vec<f64> {
    let norm = ln_rising_factorial(concentration, customers as u64);
    let ln_concentration = concentration.ln();
    let ln = |(m, stirling): (usize, f64)| match m {
        0 => stirling,
        _ => stirling + m as f64 * ln_concentration - norm,
    };
    ln_stirling(customers).into_iter().enumerate().map(ln).collect()
}

/// Draws the number of tables: the i-th customer after the first opens one with probability a / (a + i);
/// O(n).
pub fn draw_table_count<R: Rng + ?Sized>(customers: u32, concentration: f64, rng: &mut R) -> u32 {
    let mut tables = u32::from(customers > 0);
    for i in 1..customers {
        let opens = rng.random::<f64>() * (concentration + f64::from(i)) < concentration;
        tables += u32::from(opens);
    }
    tables
}

#[cfg(test)]
mod tests {
    use posterior_dist::stream::stream;
    use posterior_testkit::significance::{LEVEL, chi_square_p_value};

    use super::{draw_table_count, ln_stirling, ln_table_count};

    #[test]
    fn stirling_numbers_are_the_integers() {
        // By the recursion in integers: |s(20, m)| are below 20! < 2⁶³.
        let mut row: Vec<u64> = vec![1];
        for n in 0..=20_usize {
            for (m, (&exact, ln)) in row.iter().zip(ln_stirling(n)).enumerate() {
                let found = ln.exp();
                let error = (found - exact as f64).abs();
                assert!(error <= 1e-13 * exact as f64, "s({n}, {m}) = {exact}, found {found}");
            }
            let below = |m: usize| if m == 0 { 0 } else { row[m - 1] };
            let keep = |m: usize| row.get(m).map_or(0, |x| n as u64 * x);
            row = (0..=n + 1).map(|m| below(m) + keep(m)).collect();
        }
    }

    #[test]
    fn draws_follow_the_distribution() {
        // False alarm: one in a million seeds for each of three.
        for (seed, (customers, concentration)) in [(6, 0.5), (40, 2.5), (9, 30.0)].into_iter().enumerate() {
            let mut rng = stream(seed as u64, &[]);
            let mut seen = vec![0_u64; customers + 1];
            for _ in 0..100_000 {
                seen[draw_table_count(customers as u32, concentration, &mut rng) as usize] += 1;
            }
            let expected: Vec<f64> =
                ln_table_count(customers, concentration).iter().map(|ln| 1e5 * ln.exp()).collect();
            assert!((expected.iter().sum::<f64>() / 1e5 - 1.0).abs() < 1e-12);
            assert!(chi_square_p_value(&seen, &expected) > LEVEL);
        }
    }

    #[test]
    fn no_customer_takes_no_table() {
        assert_eq!(ln_table_count(0, 0.7), [0.0]);
        assert_eq!(draw_table_count(0, 0.7, &mut stream(0, &[])), 0);
        assert_eq!(draw_table_count(1, 1e-30, &mut stream(0, &[])), 1);
    }
}
