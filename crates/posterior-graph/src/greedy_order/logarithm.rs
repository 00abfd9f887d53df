//! Logarithms in whole numbers: sums of them compare products that fit in no number.

/// Binary digits behind the point.
const DIGITS: u32 = 20;

/// The logarithm of `n` ≥ 1 to base 2, times 2²⁰, rounded down.
pub(super) fn log2(n: usize) -> u64 {
    let whole = n.ilog2();
    let mut log = u64::from(whole) << DIGITS;
    // 1 ≤ x < 2 with 63 digits behind the point; squaring it shows one digit of its logarithm at a time.
    let mut x = (n as u128) << (63 - whole);
    for digit in (0..DIGITS).rev() {
        if x == 1 << 63 {
            break;
        }
        x = (x * x) >> 63;
        if x >= 1 << 64 {
            x >>= 1;
            log |= 1 << digit;
        }
    }
    log
}

#[cfg(test)]
mod tests {
    use super::log2;

    #[test]
    fn logarithms_are_rounded_down() {
        for n in (1..2000).chain([usize::MAX / 3, usize::MAX - 1, usize::MAX]) {
            let exact = (n as f64).log2() * f64::from(1 << 20);
            let error = exact - log2(n) as f64;
            assert!((-1e-8..1.0 + 1e-8).contains(&error), "{n}: {error}");
        }
    }

    #[test]
    fn a_factor_of_two_adds_one() {
        assert!((1..1000).all(|n| log2(2 * n) == log2(n) + (1 << 20)));
    }
}
