//! Terms of two variables, written so that a cut can pay them.

/// A term of two variables as terms of one and prices of disagreement, none of which is negative:
/// `first(x_i) + second(x_j) + rising [x_i = 0, x_j = 1] + falling [x_i = 1, x_j = 0]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Submodular {
    pub(super) first: [f64; 2],
    pub(super) second: [f64; 2],
    pub(super) rising: f64,
    pub(super) falling: f64,
}

const INF: f64 = f64::INFINITY;

impl Submodular {
    /// From E(0,0), E(0,1), E(1,0), E(1,1), which may be +infinity. If E(0,0) + E(1,1) exceeds E(0,1) +
    /// E(1,0), returns by how much; 8 units of rounding of the largest number are forgiven.
    pub(super) fn of([e00, e01, e10, e11]: [f64; 4]) -> Result<Self, f64> {
        // A label that is impossible whatever the other one is: a term of one variable, and what is left is
        // one of the other.
        match [e00, e01, e10, e11].map(|e| e == INF) {
            [true, true, _, _] => return Ok(Self::separate([INF, 0.0], [e10, e11])),
            [_, _, true, true] => return Ok(Self::separate([0.0, INF], [e00, e01])),
            [true, _, true, _] => return Ok(Self::separate([e01, e11], [INF, 0.0])),
            [_, true, _, true] => return Ok(Self::separate([e00, e10], [0.0, INF])),
            [true, ..] | [.., true] => return Err(INF),
            _ => {}
        }
        // Disagreement costs this much more than label 0 for both, or label 1 for both.
        let (rising, falling) = (e01 - e00, e10 - e11);
        let agree = Self { first: [e00, e11], second: [0.0; 2], rising, falling };
        // One of the two prices may be negative: [x_i = 0, x_j = 1] is [x_i = 1, x_j = 0] - x_i + x_j.
        let both = rising + falling;
        if both < 0.0 {
            let size = [e00, e01, e10, e11].into_iter().fold(0.0, |size: f64, e| size.max(e.abs()));
            if both < -8.0 * f64::EPSILON * size {
                return Err(-both);
            }
        }
        let both = both.max(0.0);
        if rising < 0.0 {
            return Ok(Self {
                first: [e00, e11 - rising],
                second: [0.0, rising],
                rising: 0.0,
                falling: both,
            });
        }
        if falling < 0.0 {
            return Ok(Self {
                first: [e00, e11 + falling],
                second: [0.0, -falling],
                rising: both,
                falling: 0.0,
            });
        }
        Ok(agree)
    }

    /// The term of (x_i, 1 - x_j), if the term of (x_i, x_j) is not submodular: then that one is.
    pub(super) fn negated([e00, e01, e10, e11]: [f64; 4]) -> Self {
        Self::of([e01, e00, e11, e10]).expect("invariant: one of a term and its negation is submodular")
    }

    const fn separate(first: [f64; 2], second: [f64; 2]) -> Self {
        Self { first, second, rising: 0.0, falling: 0.0 }
    }

    /// The value for these labels.
    #[cfg(test)]
    fn value(&self, i: usize, j: usize) -> f64 {
        let price = match (i, j) {
            (0, 1) => self.rising,
            (1, 0) => self.falling,
            _ => 0.0,
        };
        self.first[i] + self.second[j] + price
    }
}

#[cfg(test)]
mod tests {
    use super::{INF, Submodular};

    #[test]
    fn every_table_of_small_numbers_and_infinities_is_kept_or_refused() {
        let numbers = [-3.0, 0.0, 1.0, 2.0, INF];
        let mut kept = 0;
        for code in 0..625 {
            let e = [code % 5, code / 5 % 5, code / 25 % 5, code / 125].map(|k| numbers[k]);
            match Submodular::of(e) {
                Ok(term) => {
                    assert!(term.rising >= 0.0 && term.falling >= 0.0, "{e:?}: {term:?}");
                    for (k, &energy) in e.iter().enumerate() {
                        assert_eq!(term.value(k / 2, k % 2), energy, "{e:?}: {term:?}");
                    }
                    kept += 1;
                }
                Err(excess) => {
                    let negated = Submodular::negated(e);
                    for (k, &energy) in e.iter().enumerate() {
                        assert_eq!(negated.value(k / 2, 1 - k % 2), energy, "{e:?}: {negated:?}");
                    }
                    assert!(e[0] + e[3] > e[1] + e[2], "{e:?}");
                    assert_eq!(excess, e[0] + e[3] - e[1] - e[2], "{e:?}");
                }
            }
        }
        let submodular = |code: usize| {
            let e = [code % 5, code / 5 % 5, code / 25 % 5, code / 125].map(|k| numbers[k]);
            e[0] + e[3] <= e[1] + e[2]
        };
        assert_eq!(kept, (0..625).filter(|&code| submodular(code)).count());
    }

    #[test]
    fn rounding_is_forgiven_and_no_more() {
        // (0.1 + 0.2) + 0.3 and 0.1 + (0.2 + 0.3) differ in the last bit.
        let e = [0.1 + 0.2 + 0.3, 0.0, 0.1 + (0.2 + 0.3), 0.0];
        assert!(Submodular::of(e).is_ok() && Submodular::of([e[2], 0.0, e[0], 0.0]).is_ok());
        assert!(Submodular::of([1.0 + 1e-14, 1.0, 0.0, 0.0]).is_err());
    }
}
