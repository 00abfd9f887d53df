//! Scores of variables as numbers of 64 bits that sort as the scores do.

/// The bits below the two flags of a [`key`].
const BITS: u32 = 62;
/// Bits of the leading digits in a compressed number; its length takes seven more.
const MANTISSA: u32 = BITS - 7;

/// Sorts by `late`, then by `fills`, then by `score`.
pub(super) fn key(late: bool, fills: bool, score: u128) -> u64 {
    (u64::from(late) << 63) | (u64::from(fills) << BITS) | compress(score)
}

/// The length of a number and its leading 55 digits: below 2⁶², and not falling where the number grows.
fn compress(score: u128) -> u64 {
    let length = 128 - score.leading_zeros();
    if length <= MANTISSA {
        return score as u64;
    }
    // The leading digit is one: in the sum it counts the length up by one more.
    let shift = length - MANTISSA;
    (u64::from(shift) << (MANTISSA - 1)) + (score >> shift) as u64
}

#[cfg(test)]
mod tests {
    use super::{BITS, compress, key};

    #[test]
    fn compressed_numbers_keep_their_order_and_leave_room_for_the_flags() {
        let numbers = (0..128).flat_map(|bit| {
            let power = 1_u128 << bit;
            [power - 1, power, power + power / 2, power + (power - 1)]
        });
        let mut sorted: Vec<u128> = numbers.collect();
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|pair| compress(pair[0]) <= compress(pair[1])));
        assert!(sorted.windows(2).all(|p| p[1] - p[0] <= p[0] >> 50 || compress(p[0]) < compress(p[1])));
        assert!(compress(u128::MAX) < 1 << BITS);
    }

    #[test]
    fn flags_come_before_scores() {
        assert!(key(false, false, u128::MAX) < key(false, true, 0));
        assert!(key(false, true, u128::MAX) < key(true, false, 0));
    }
}
