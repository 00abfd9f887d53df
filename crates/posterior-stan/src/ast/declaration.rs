//! Types as they are written, and declarations.

use super::{Expr, Name};
use crate::span::Span;

/// A declaration: `type name = value, name = value;`.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration {
    /// The type.
    pub sized: SizedType,
    /// The names, each with its value if it has one.
    pub variables: Vec<(Name, Option<Expr>)>,
}

/// A type with sizes and bounds, as variables have it.
#[derive(Debug, Clone, PartialEq)]
pub struct SizedType {
    /// Sizes of the array around the element; none of a plain variable.
    pub array: Vec<Expr>,
    /// What the array is made of.
    pub element: Element,
    /// Sizes of the vector or matrix: none, one or two.
    pub sizes: Vec<Expr>,
    /// Between `<` and `>`.
    pub bounds: TypeBounds,
    /// Its place.
    pub span: Span,
}

/// Bounds and scale of a type: `lower`, `upper`, `offset` and `multiplier`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TypeBounds {
    /// The least value.
    pub lower: Option<Expr>,
    /// The greatest value.
    pub upper: Option<Expr>,
    /// What the unconstrained value is shifted by.
    pub offset: Option<Expr>,
    /// What it is multiplied by.
    pub multiplier: Option<Expr>,
}

impl TypeBounds {
    /// Those that are there, by name, in the order in which they are printed.
    pub fn list(&self) -> impl Iterator<Item = (&'static str, &Expr)> {
        let all = [
            ("lower", &self.lower),
            ("upper", &self.upper),
            ("offset", &self.offset),
            ("multiplier", &self.multiplier),
        ];
        all.into_iter().filter_map(|(name, bound)| bound.as_ref().map(|bound| (name, bound)))
    }
}

macro_rules! elements {
    ($($name:ident $word:literal $sizes:literal,)*) => {
        /// What a variable is made of, without array and sizes.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Element {
            $(#[doc = concat!("The type `", $word, "`.")] $name,)*
            /// A tuple of its members: `tuple(a, b)`.
            Tuple(Vec<SizedType>),
        }

        impl Element {
            /// The word that names it.
            pub const fn word(&self) -> &'static str {
                match self { $(Self::$name => $word,)* Self::Tuple(_) => "tuple" }
            }

            /// How many sizes it has; a `cholesky_factor_cov` may have one for both.
            pub const fn sizes(&self) -> usize {
                match self { $(Self::$name => $sizes,)* Self::Tuple(_) => 0 }
            }

            pub(crate) fn of_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$name),)* _ => None }
            }
        }
    };
}

elements! {
    Int "int" 0,
    Real "real" 0,
    Complex "complex" 0,
    Vector "vector" 1,
    RowVector "row_vector" 1,
    Matrix "matrix" 2,
    ComplexVector "complex_vector" 1,
    ComplexRowVector "complex_row_vector" 1,
    ComplexMatrix "complex_matrix" 2,
    Ordered "ordered" 1,
    PositiveOrdered "positive_ordered" 1,
    Simplex "simplex" 1,
    UnitVector "unit_vector" 1,
    SumToZeroVector "sum_to_zero_vector" 1,
    SumToZeroMatrix "sum_to_zero_matrix" 2,
    CholeskyFactorCorr "cholesky_factor_corr" 1,
    CholeskyFactorCov "cholesky_factor_cov" 2,
    CorrMatrix "corr_matrix" 1,
    CovMatrix "cov_matrix" 1,
    ColumnStochasticMatrix "column_stochastic_matrix" 2,
    RowStochasticMatrix "row_stochastic_matrix" 2,
}

impl Element {
    /// Whether its name alone is a constraint, which functions and local variables have not.
    pub(crate) const fn is_constrained(&self) -> bool {
        !matches!(
            self,
            Self::Int
                | Self::Real
                | Self::Complex
                | Self::Vector
                | Self::RowVector
                | Self::Matrix
                | Self::ComplexVector
                | Self::ComplexRowVector
                | Self::ComplexMatrix
                | Self::Tuple(_)
        )
    }

    /// Whether `lower`, `upper`, `offset` and `multiplier` may follow it.
    pub(crate) const fn takes_bounds(&self) -> bool {
        !self.is_constrained() && !matches!(self, Self::Tuple(_))
    }
}

/// A type without sizes, as functions have it.
#[derive(Debug, Clone, PartialEq)]
pub struct UnsizedType {
    /// Dimensions of the array around the element.
    pub dims: usize,
    /// What it is made of: no constrained kind.
    pub element: UnsizedElement,
    /// Its place.
    pub span: Span,
}

/// What an unsized type is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum UnsizedElement {
    /// A plain kind: `int`, `vector`, ...
    Plain(Element),
    /// A tuple of its members: `tuple(a, b)`.
    Tuple(Vec<UnsizedType>),
}
