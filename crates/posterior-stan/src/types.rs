//! Types of expressions, how they are written, and what becomes what by itself.

use std::fmt;

use crate::ast::{Element, SizedType, UnsizedElement, UnsizedType};

/// The type of an expression: without sizes and bounds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// An integer: `int`.
    Int,
    /// A real number: `real`.
    Real,
    /// A complex number: `complex`.
    Complex,
    /// A column of real numbers: `vector`.
    Vector,
    /// A row of real numbers: `row_vector`.
    RowVector,
    /// A matrix of real numbers: `matrix`.
    Matrix,
    /// A column of complex numbers: `complex_vector`.
    ComplexVector,
    /// A row of complex numbers: `complex_row_vector`.
    ComplexRowVector,
    /// A matrix of complex numbers: `complex_matrix`.
    ComplexMatrix,
    /// An array of what is no array.
    Array(Box<Self>, usize),
    /// A tuple.
    Tuple(Vec<Self>),
    /// A function.
    Function(Box<FunctionType>),
    /// The type of an expression that has an error.
    Unknown,
}

/// What a function takes and returns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FunctionType {
    /// Of each argument whether only data are accepted, and its type.
    pub args: Vec<(bool, Type)>,
    /// What it returns; nothing if `void`.
    pub returns: Option<Type>,
}

const PLAIN: [(&str, Type); 9] = [
    ("int", Type::Int),
    ("real", Type::Real),
    ("complex", Type::Complex),
    ("vector", Type::Vector),
    ("row_vector", Type::RowVector),
    ("matrix", Type::Matrix),
    ("complex_vector", Type::ComplexVector),
    ("complex_row_vector", Type::ComplexRowVector),
    ("complex_matrix", Type::ComplexMatrix),
];

impl Type {
    /// The plain type of a word.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        PLAIN.iter().find(|(name, _)| *name == word).map(|(_, of)| of.clone())
    }

    /// An array of it: dimensions are added to those that it has.
    #[must_use]
    pub fn array(self, dims: usize) -> Self {
        match (self, dims) {
            (one, 0) => one,
            (Self::Array(element, inner), _) => Self::Array(element, inner + dims),
            (one, _) => Self::Array(Box::new(one), dims),
        }
    }

    /// What an array is made of, and its dimensions: none of what is no array.
    pub fn element(&self) -> (&Self, usize) {
        match self {
            Self::Array(element, dims) => (element, *dims),
            other => (other, 0),
        }
    }

    /// Whether integers are all that it holds.
    pub fn is_int(&self) -> bool {
        *self.element().0 == Self::Int
    }

    /// Whether an integer is in it somewhere.
    pub(crate) fn holds_int(&self) -> bool {
        match self.element().0 {
            Self::Tuple(members) => members.iter().any(Self::holds_int),
            other => *other == Self::Int,
        }
    }

    /// Whether everything in it is an integer.
    pub(crate) fn only_int(&self) -> bool {
        match self.element().0 {
            Self::Tuple(members) => members.iter().all(Self::only_int),
            other => *other == Self::Int,
        }
    }

    /// The type of a variable that is declared so.
    pub fn of_sized(sized: &SizedType) -> Self {
        let element = match &sized.element {
            Element::Tuple(members) => Self::Tuple(members.iter().map(Self::of_sized).collect()),
            plain => Self::of_element(plain),
        };
        element.array(sized.array.len())
    }

    /// The type of an argument that is declared so.
    pub fn of_unsized(of: &UnsizedType) -> Self {
        let element = match &of.element {
            UnsizedElement::Plain(plain) => Self::of_element(plain),
            UnsizedElement::Tuple(members) => Self::Tuple(members.iter().map(Self::of_unsized).collect()),
        };
        element.array(of.dims)
    }

    fn of_element(element: &Element) -> Self {
        match element {
            Element::Ordered
            | Element::PositiveOrdered
            | Element::Simplex
            | Element::UnitVector
            | Element::SumToZeroVector => Self::Vector,
            plain => Self::of_word(plain.word()).unwrap_or(Self::Matrix),
        }
    }

    /// How many steps make this a `to` by itself: none if they are equal, nothing if it cannot be.
    ///
    /// An `int` becomes `real`, a `real` becomes `complex`, in arrays and tuples as well.
    pub fn promotion(&self, to: &Self) -> Option<u32> {
        match (self, to) {
            (Self::Unknown, _) | (_, Self::Unknown) => Some(0),
            (Self::Int, Self::Real)
            | (Self::Real, Self::Complex)
            | (Self::Vector, Self::ComplexVector)
            | (Self::RowVector, Self::ComplexRowVector)
            | (Self::Matrix, Self::ComplexMatrix) => Some(1),
            (Self::Int, Self::Complex) => Some(2),
            (Self::Array(one, dims), Self::Array(other, others)) if dims == others => one.promotion(other),
            (Self::Array(one, _), Self::Array(_, _)) if **one == Self::Unknown => Some(0),
            (Self::Tuple(ones), Self::Tuple(others)) if ones.len() == others.len() => {
                ones.iter().zip(others).map(|(one, other)| one.promotion(other)).sum()
            }
            (Self::Function(given), Self::Function(wanted)) => given.fits(wanted).then_some(0),
            _ => (self == to).then_some(0),
        }
    }

    /// The type that both become by themselves.
    pub fn common(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Unknown, one) | (one, Self::Unknown) => Some(one.clone()),
            (Self::Array(one, dims), Self::Array(two, others)) if dims == others => {
                Some(one.common(two)?.array(*dims))
            }
            (Self::Tuple(ones), Self::Tuple(others)) if ones.len() == others.len() => ones
                .iter()
                .zip(others)
                .map(|(one, other)| one.common(other))
                .collect::<Option<_>>()
                .map(Self::Tuple),
            _ if self.promotion(other).is_some() => Some(other.clone()),
            _ => other.promotion(self).map(|_| self.clone()),
        }
    }
}

impl FunctionType {
    /// Whether this can be given where `wanted` is called: same types, and data wherever it takes only data.
    fn fits(&self, wanted: &Self) -> bool {
        let same =
            |((data, one), (given, other)): (&(bool, Type), &(bool, Type))| one == other && (!data || *given);
        self.returns == wanted.returns
            && self.args.len() == wanted.args.len()
            && self.args.iter().zip(&wanted.args).all(same)
    }
}

/// Members with commas between them.
pub(crate) fn list<T: fmt::Display>(members: impl IntoIterator<Item = T>) -> String {
    members.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array(element, dims) => write!(f, "array[{}] {element}", ",".repeat(dims - 1)),
            Self::Tuple(members) => write!(f, "tuple({})", list(members)),
            Self::Function(function) => function.fmt(f),
            Self::Unknown => f.write_str("?"),
            plain => f.write_str(PLAIN.iter().find(|(_, of)| of == plain).map_or("?", |(word, _)| word)),
        }
    }
}

impl fmt::Display for FunctionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args =
            self.args.iter().map(|(data, of)| if *data { format!("data {of}") } else { of.to_string() });
        write!(f, "({}) => ", list(args))?;
        match &self.returns {
            Some(of) => of.fmt(f),
            None => f.write_str("void"),
        }
    }
}
