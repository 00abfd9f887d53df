//! Four numbers at once, by the vectors of the machine or one by one: the bits are the same, as nothing is
//! fused.

use pulp::Simd;

/// Numbers that are worked on at once.
pub(super) const LANES: usize = 4;

/// So many numbers.
pub(super) type Lane = [f64; LANES];

/// Arithmetic on lanes.
pub(super) trait Vectors: Copy {
    /// A lane in a register.
    type V: Copy;

    fn load(self, lane: Lane) -> Self::V;
    fn lane(self, vector: Self::V) -> Lane;
    fn splat(self, number: f64) -> Self::V;
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// x where a < b, otherwise y.
    fn select_less(self, a: Self::V, b: Self::V, x: Self::V, y: Self::V) -> Self::V;
}

/// Vectors that hold a lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wide<S>(pub(super) S);

impl<S: Simd> Wide<S> {
    /// Whether they do.
    pub(super) const FIT: bool = S::F64_LANES == LANES;
}

impl<S: Simd> Vectors for Wide<S> {
    type V = S::f64s;

    #[inline(always)]
    fn load(self, lane: Lane) -> S::f64s {
        S::as_simd_f64s(&lane).0[0]
    }

    #[inline(always)]
    fn lane(self, vector: S::f64s) -> Lane {
        let mut lane = [0.0; LANES];
        S::as_mut_simd_f64s(&mut lane).0[0] = vector;
        lane
    }

    #[inline(always)]
    fn splat(self, number: f64) -> S::f64s {
        self.0.splat_f64s(number)
    }

    #[inline(always)]
    fn add(self, a: S::f64s, b: S::f64s) -> S::f64s {
        self.0.add_f64s(a, b)
    }

    #[inline(always)]
    fn mul(self, a: S::f64s, b: S::f64s) -> S::f64s {
        self.0.mul_f64s(a, b)
    }

    #[inline(always)]
    fn max(self, a: S::f64s, b: S::f64s) -> S::f64s {
        self.0.max_f64s(a, b)
    }

    #[inline(always)]
    fn min(self, a: S::f64s, b: S::f64s) -> S::f64s {
        self.0.min_f64s(a, b)
    }

    #[inline(always)]
    fn select_less(self, a: S::f64s, b: S::f64s, x: S::f64s, y: S::f64s) -> S::f64s {
        self.0.select_f64s(self.0.less_than_f64s(a, b), x, y)
    }
}

/// One number after the other, where vectors have another size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portable;

#[inline(always)]
fn each(a: Lane, b: Lane, f: impl Fn(f64, f64) -> f64) -> Lane {
    std::array::from_fn(|l| f(a[l], b[l]))
}

impl Vectors for Portable {
    type V = Lane;

    #[inline(always)]
    fn load(self, lane: Lane) -> Lane {
        lane
    }

    #[inline(always)]
    fn lane(self, vector: Lane) -> Lane {
        vector
    }

    #[inline(always)]
    fn splat(self, number: f64) -> Lane {
        [number; LANES]
    }

    #[inline(always)]
    fn add(self, a: Lane, b: Lane) -> Lane {
        each(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn mul(self, a: Lane, b: Lane) -> Lane {
        each(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn max(self, a: Lane, b: Lane) -> Lane {
        each(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn min(self, a: Lane, b: Lane) -> Lane {
        each(a, b, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn select_less(self, a: Lane, b: Lane, x: Lane, y: Lane) -> Lane {
        std::array::from_fn(|l| if a[l] < b[l] { x[l] } else { y[l] })
    }
}

/// Runs with the widest vectors that fit.
macro_rules! with_vectors {
    ($simd:ident, $kind:ty, |$vectors:ident| $body:expr) => {
        if Wide::<$kind>::FIT {
            let $vectors = Wide($simd);
            $body
        } else {
            let $vectors = Portable;
            $body
        }
    };
}

pub(super) use with_vectors;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_routes_give_the_same_bits() {
        struct All(Lane, Lane);
        impl pulp::WithSimd for All {
            type Output = [[Lane; 5]; 2];
            #[inline(always)]
            fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
                fn all<F: Vectors>(f: F, a: Lane, b: Lane) -> [Lane; 5] {
                    let (a, b) = (f.load(a), f.load(b));
                    [f.add(a, b), f.mul(a, b), f.max(a, b), f.min(a, b), f.select_less(a, b, a, f.splat(1.0))]
                        .map(|vector| f.lane(vector))
                }
                [with_vectors!(simd, S, |f| all(f, self.0, self.1)), all(Portable, self.0, self.1)]
            }
        }
        let never = f64::NEG_INFINITY;
        let a = [0.1, 1e-300, never, 3.0];
        let [found, expected] = pulp::Arch::new().dispatch(All(a, [0.7, 1e-10, 2.0, 0.0]));
        assert_eq!(found, expected);
        assert_eq!(expected[4], [0.1, 1e-300, never, 1.0]);
        assert_eq!(expected[2], [0.7, 1e-10, 2.0, 3.0]);
    }
}
