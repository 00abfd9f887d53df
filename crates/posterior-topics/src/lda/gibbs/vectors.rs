//! Eight numbers at once: by AVX2 where the machine has it, and by plain arithmetic, in the same order,
//! everywhere else.
//!
//! What is here is what compilers do not find by themselves: sums up to each lane, and which lanes are below
//! a number.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use crate::lanes::LANES;

/// Eight numbers in memory.
pub(super) type Lanes = [f32; LANES];

/// Operations on eight numbers, lane by lane unless said otherwise. All implementations give the same bits.
pub(super) trait Vectors: Copy {
    type Vector: Copy;

    fn splat(self, x: f32) -> Self::Vector;
    fn load(self, x: &Lanes) -> Self::Vector;
    fn store(self, x: Self::Vector) -> Lanes;
    /// Counts below 2³¹ as numbers.
    fn count(self, counts: &[u32; LANES]) -> Self::Vector;
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Sums up to each lane, it included.
    fn prefix_sums(self, x: Self::Vector) -> Self::Vector;
    /// The last lane.
    fn last(self, x: Self::Vector) -> f32;
    /// The number of lanes that are at most `target`.
    fn at_most(self, x: Self::Vector, target: f32) -> usize;
}

/// Work that is done by vectors.
pub(super) trait Task {
    type Output;

    fn run<X: Vectors>(self, x: X) -> Self::Output;
}

/// Does the work by the vectors of the machine.
pub(super) fn on_machine<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(vectors) = pulp::x86::V3::try_new() {
        return pulp::Simd::vectorize(vectors, OnVectors { vectors, task });
    }
    task.run(Portable)
}

/// A task to be compiled for the vectors of a machine.
#[cfg(target_arch = "x86_64")]
struct OnVectors<X, T> {
    vectors: X,
    task: T,
}

#[cfg(target_arch = "x86_64")]
impl<X: Vectors, T: Task> pulp::WithSimd for OnVectors<X, T> {
    type Output = T::Output;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> T::Output {
        self.task.run(self.vectors)
    }
}

/// Plain arithmetic.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portable;

impl Vectors for Portable {
    type Vector = Lanes;

    #[inline(always)]
    fn splat(self, x: f32) -> Lanes {
        [x; LANES]
    }

    #[inline(always)]
    fn load(self, x: &Lanes) -> Lanes {
        *x
    }

    #[inline(always)]
    fn store(self, x: Lanes) -> Lanes {
        x
    }

    #[inline(always)]
    fn count(self, counts: &[u32; LANES]) -> Lanes {
        // By way of i32, which machines convert in vectors.
        counts.map(|count| count.cast_signed() as f32)
    }

    #[inline(always)]
    fn add(self, mut a: Lanes, b: Lanes) -> Lanes {
        for (a, b) in a.iter_mut().zip(b) {
            *a += b;
        }
        a
    }

    #[inline(always)]
    fn mul(self, mut a: Lanes, b: Lanes) -> Lanes {
        for (a, b) in a.iter_mut().zip(b) {
            *a *= b;
        }
        a
    }

    #[inline(always)]
    fn prefix_sums(self, x: Lanes) -> Lanes {
        let mut sums = x;
        for (step, half) in [(1, 0), (1, 4), (2, 0), (2, 4)] {
            for lane in (step..4).rev() {
                sums[half + lane] += sums[half + lane - step];
            }
        }
        for lane in 4..LANES {
            sums[lane] += sums[3];
        }
        sums
    }

    #[inline(always)]
    fn last(self, x: Lanes) -> f32 {
        x[LANES - 1]
    }

    #[inline(always)]
    fn at_most(self, x: Lanes, target: f32) -> usize {
        x.iter().map(|&x| u32::from(x <= target)).sum::<u32>() as usize
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{__m256, _CMP_LE_OQ};

    use pulp::x86::V3;

    use super::{LANES, Lanes, Vectors};

    impl Vectors for V3 {
        type Vector = __m256;

        #[inline(always)]
        fn splat(self, x: f32) -> __m256 {
            self.avx._mm256_set1_ps(x)
        }

        #[inline(always)]
        fn load(self, x: &Lanes) -> __m256 {
            pulp::cast(*x)
        }

        #[inline(always)]
        fn store(self, x: __m256) -> Lanes {
            pulp::cast(x)
        }

        #[inline(always)]
        fn count(self, counts: &[u32; LANES]) -> __m256 {
            self.avx._mm256_cvtepi32_ps(pulp::cast(*counts))
        }

        #[inline(always)]
        fn add(self, a: __m256, b: __m256) -> __m256 {
            self.avx._mm256_add_ps(a, b)
        }

        #[inline(always)]
        fn mul(self, a: __m256, b: __m256) -> __m256 {
            self.avx._mm256_mul_ps(a, b)
        }

        #[inline(always)]
        fn prefix_sums(self, x: __m256) -> __m256 {
            let Self { avx, avx2, .. } = self;
            let one = avx2._mm256_slli_si256::<4>(avx._mm256_castps_si256(x));
            let x = avx._mm256_add_ps(x, avx._mm256_castsi256_ps(one));
            let two = avx2._mm256_slli_si256::<8>(avx._mm256_castps_si256(x));
            let x = avx._mm256_add_ps(x, avx._mm256_castsi256_ps(two));
            // The last of the lower four, in the upper four; zeros below.
            let four = avx._mm256_permute_ps::<0xff>(avx._mm256_permute2f128_ps::<0x08>(x, x));
            avx._mm256_add_ps(x, four)
        }

        #[inline(always)]
        fn last(self, x: __m256) -> f32 {
            let lanes: Lanes = pulp::cast(x);
            lanes[LANES - 1]
        }

        #[inline(always)]
        fn at_most(self, x: __m256, target: f32) -> usize {
            let below = self.avx._mm256_cmp_ps::<_CMP_LE_OQ>(x, self.avx._mm256_set1_ps(target));
            self.avx._mm256_movemask_ps(below).count_ones() as usize
        }
    }
}

#[cfg(test)]
mod tests;
