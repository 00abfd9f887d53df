//! Expressions.

use super::Name;
use crate::span::Span;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Its number, below [`super::Tree::expressions`]: the index of its type in a checked program.
    pub id: u32,
    /// What it is.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
    /// How deep it is nested: 1 for a name.
    pub(crate) depth: u16,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// An integer as it is written, underscores included.
    Int(String),
    /// A number as it is written.
    Real(String),
    /// An imaginary number as it is written, with its `i`.
    Imaginary(String),
    /// A variable, or a function that is passed to another.
    Variable(String),
    /// An expression in parentheses: `(e)`.
    Paren(Box<Expr>),
    /// A sign before an expression: `-e`, `+e`, `!e`.
    Unary(UnaryOp, Box<Expr>),
    /// A transposed matrix or vector: `e'`.
    Transpose(Box<Expr>),
    /// A sign between two expressions: `a + b`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// One of two values: `condition ? a : b`.
    Conditional(Box<[Expr; 3]>),
    /// An array of its members: `{a, b}`.
    Array(Vec<Expr>),
    /// `[a, b]`: a row vector, or a matrix of row vectors.
    RowVector(Vec<Expr>),
    /// A tuple of its members: `(a, b)`.
    Tuple(Vec<Expr>),
    /// A call: `f(a, b)` or, with a bar, `f(a | b)`.
    Call {
        /// The function.
        function: Name,
        /// Its arguments.
        args: Vec<Expr>,
        /// Whether a bar stands after the first.
        bar: bool,
    },
    /// The log density so far: `target()`.
    Target,
    /// A part by indices: `e[i, j]`.
    Index(Box<Expr>, Vec<Index>),
    /// The field of a tuple, from 1: `e.2`.
    Field(Box<Expr>, usize),
}

/// One index.
#[derive(Debug, Clone, PartialEq)]
pub enum Index {
    /// All members: `:` or nothing.
    All,
    /// One member, or those of an array of integers: `i`.
    At(Expr),
    /// From here to the end: `i:`.
    From(Expr),
    /// From the first to here: `:i`.
    To(Expr),
    /// From one to another: `i:j`.
    Between(Expr, Expr),
}

impl Index {
    /// The expressions of the index.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let (first, second) = match self {
            Self::All => (None, None),
            Self::At(one) | Self::From(one) | Self::To(one) => (Some(one), None),
            Self::Between(one, other) => (Some(one), Some(other)),
        };
        first.into_iter().chain(second)
    }
}

/// A sign before an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// The sign of the opposite: `-`.
    Minus,
    /// The sign that changes nothing: `+`.
    Plus,
    /// The sign of what is not so: `!`.
    Not,
}

impl UnaryOp {
    /// How it is written.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Minus => "-",
            Self::Plus => "+",
            Self::Not => "!",
        }
    }

    /// The function that it stands for.
    pub const fn function(self) -> &'static str {
        match self {
            Self::Minus => "minus",
            Self::Plus => "plus",
            Self::Not => "logical_negation",
        }
    }
}

macro_rules! binary {
    ($($name:ident $sign:literal $function:literal $strength:literal,)*) => {
        /// A sign between two expressions.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum BinaryOp {
            $(#[doc = concat!("The sign `", $sign, "`: the function `", $function, "`.")] $name,)*
        }

        impl BinaryOp {
            /// All signs.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// How it is written.
            pub const fn sign(self) -> &'static str {
                match self { $(Self::$name => $sign,)* }
            }

            /// The function that it stands for.
            pub const fn function(self) -> &'static str {
                match self { $(Self::$name => $function,)* }
            }

            /// How strongly it binds: 1 is weakest.
            pub(crate) const fn strength(self) -> u8 {
                match self { $(Self::$name => $strength,)* }
            }
        }
    };
}

binary! {
    Or "||" "logical_or" 1,
    And "&&" "logical_and" 2,
    Equal "==" "logical_eq" 3,
    NotEqual "!=" "logical_neq" 3,
    Less "<" "logical_lt" 4,
    LessEqual "<=" "logical_lte" 4,
    Greater ">" "logical_gt" 4,
    GreaterEqual ">=" "logical_gte" 4,
    Add "+" "add" 5,
    Subtract "-" "subtract" 5,
    Multiply "*" "multiply" 6,
    Divide "/" "divide" 6,
    IntDivide "%/%" "divide" 6,
    Modulus "%" "modulus" 6,
    EltMultiply ".*" "elt_multiply" 6,
    EltDivide "./" "elt_divide" 6,
    LeftDivide "\\" "mdivide_left" 7,
    Power "^" "pow" 9,
    EltPower ".^" "pow" 9,
}

impl BinaryOp {
    pub(crate) fn of_sign(sign: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.sign() == sign)
    }
}
