//! The operators that follow from those between two numbers of a kind.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Sub, SubAssign};

use super::dual::Dual;
use super::real::Real;
use super::tape::Var;

/// An operator with a plain number on either side, and its assigning form.
macro_rules! with_plain_numbers {
    ([$($generics:tt)*] $number:ty, $operator:ident, $method:ident, $assign:ident, $assign_method:ident) => {
        impl<$($generics)*> $operator<f64> for $number {
            type Output = Self;

            fn $method(self, other: f64) -> Self {
                $operator::$method(self, Self::constant(other))
            }
        }

        impl<$($generics)*> $operator<$number> for f64 {
            type Output = $number;

            fn $method(self, other: $number) -> $number {
                $operator::$method(<$number>::constant(self), other)
            }
        }

        impl<$($generics)*> $assign for $number {
            fn $assign_method(&mut self, other: Self) {
                *self = $operator::$method(*self, other);
            }
        }
    };
}

with_plain_numbers!([const N: usize, T: Real] Dual<N, T>, Add, add, AddAssign, add_assign);
with_plain_numbers!([const N: usize, T: Real] Dual<N, T>, Sub, sub, SubAssign, sub_assign);
with_plain_numbers!([const N: usize, T: Real] Dual<N, T>, Mul, mul, MulAssign, mul_assign);
with_plain_numbers!([const N: usize, T: Real] Dual<N, T>, Div, div, DivAssign, div_assign);
with_plain_numbers!(['t, T: Real] Var<'t, T>, Add, add, AddAssign, add_assign);
with_plain_numbers!(['t, T: Real] Var<'t, T>, Sub, sub, SubAssign, sub_assign);
with_plain_numbers!(['t, T: Real] Var<'t, T>, Mul, mul, MulAssign, mul_assign);
with_plain_numbers!(['t, T: Real] Var<'t, T>, Div, div, DivAssign, div_assign);

impl<const N: usize, T: Real> Sum for Dual<N, T> {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::constant(0.0), Add::add)
    }
}

impl<T: Real> Sum for Var<'_, T> {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::constant(0.0), Add::add)
    }
}
