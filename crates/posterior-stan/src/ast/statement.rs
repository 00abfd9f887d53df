//! Statements and functions.

use super::{BinaryOp, Declaration, Expr, Name, UnsizedType};
use crate::span::Span;

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Its place.
    pub span: Span,
}

/// What a statement is.
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// A declaration.
    Declare(Box<Declaration>),
    /// `target = value`, or `target += value` and its relatives.
    Assign {
        /// A variable, its part, or a tuple of those.
        target: Expr,
        /// The sign before `=`.
        op: Option<BinaryOp>,
        /// The value.
        value: Expr,
    },
    /// A function that returns nothing: always [`super::ExprKind::Call`].
    Call(Expr),
    /// `target += e`.
    TargetPlus(Expr),
    /// `jacobian += e`.
    JacobianPlus(Expr),
    /// `y ~ normal(mu, sigma) T[a, b]`.
    Distribution(Box<Distribution>),
    /// `print`, `reject`, `fatal_error`.
    Output(Output, Vec<Printable>),
    /// `if (condition) then else otherwise`.
    If {
        /// What decides.
        condition: Expr,
        /// What is done if it is not 0.
        then: Box<Statement>,
        /// What is done otherwise.
        otherwise: Option<Box<Statement>>,
    },
    /// `while (condition) body`.
    While(Expr, Box<Statement>),
    /// `for (variable in range) body`.
    For {
        /// The variable.
        variable: Name,
        /// What it runs over.
        range: Box<ForRange>,
        /// What is repeated.
        body: Box<Statement>,
    },
    /// `profile("name") { .. }`.
    Profile(String, Vec<Statement>),
    /// `{ .. }`.
    Block(Vec<Statement>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`, with a value or without.
    Return(Option<Expr>),
    /// `;`.
    Empty,
}

/// `left ~ name(args) T[lower, upper]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// What is distributed.
    pub left: Expr,
    /// The distribution, without suffix.
    pub name: Name,
    /// Its parameters.
    pub args: Vec<Expr>,
    /// Lower and upper bounds of a truncation.
    pub truncation: Option<(Option<Expr>, Option<Expr>)>,
}

/// What a loop runs over.
#[derive(Debug, Clone, PartialEq)]
pub enum ForRange {
    /// `a:b`.
    Between(Expr, Expr),
    /// The elements of a container.
    Each(Expr),
}

/// A statement that writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// `print`: goes on.
    Print,
    /// `reject`: the point has density zero.
    Reject,
    /// `fatal_error`: the run ends.
    FatalError,
}

impl Output {
    /// How it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Print => "print",
            Self::Reject => "reject",
            Self::FatalError => "fatal_error",
        }
    }
}

/// What is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Printable {
    /// A text as it stands, without its quotes.
    Text(String),
    /// A value.
    Value(Expr),
}

/// A function, or its announcement.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionDefinition {
    /// What it returns; nothing if `void`.
    pub returns: Option<UnsizedType>,
    /// Its name.
    pub name: Name,
    /// Its arguments.
    pub args: Vec<FunctionArgument>,
    /// Its statements; none if it is announced only.
    pub body: Option<Statement>,
    /// Its place.
    pub span: Span,
}

/// `data type name`.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionArgument {
    /// Whether only data are accepted.
    pub data: bool,
    /// Its type.
    pub of: UnsizedType,
    /// Its name.
    pub name: Name,
}
