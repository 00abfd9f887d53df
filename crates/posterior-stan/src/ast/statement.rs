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
    /// An assignment: `target = value`, or `target += value` and its relatives.
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
    /// An addition to the log density: `target += e`.
    TargetPlus(Expr),
    /// An addition to the log determinant: `jacobian += e`.
    JacobianPlus(Expr),
    /// A distribution statement: `y ~ normal(mu, sigma) T[a, b]`.
    Distribution(Box<Distribution>),
    /// A message: `print`, `reject`, `fatal_error`.
    Output(Output, Vec<Printable>),
    /// A choice: `if (condition) then else otherwise`.
    If {
        /// What decides.
        condition: Expr,
        /// What is done if it is not 0.
        then: Box<Statement>,
        /// What is done otherwise.
        otherwise: Option<Box<Statement>>,
    },
    /// A loop while something holds: `while (condition) body`.
    While(Expr, Box<Statement>),
    /// A loop over a range: `for (variable in range) body`.
    For {
        /// The variable.
        variable: Name,
        /// What it runs over.
        range: Box<ForRange>,
        /// What is repeated.
        body: Box<Statement>,
    },
    /// Statements whose time is measured: `profile("name") { .. }`.
    Profile(String, Vec<Statement>),
    /// Statements in braces: `{ .. }`.
    Block(Vec<Statement>),
    /// The end of the loop: `break`.
    Break,
    /// The next round of the loop: `continue`.
    Continue,
    /// The end of the function, with a value or without: `return`.
    Return(Option<Expr>),
    /// Nothing: `;`.
    Empty,
}

/// A distribution statement: `left ~ name(args) T[lower, upper]`.
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
    /// From one integer to another: `a:b`.
    Between(Expr, Expr),
    /// The elements of a container.
    Each(Expr),
}

/// A statement that writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// The run goes on: `print`.
    Print,
    /// The point has density zero: `reject`.
    Reject,
    /// The run ends: `fatal_error`.
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

/// An argument: `data type name`.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionArgument {
    /// Whether only data are accepted.
    pub data: bool,
    /// Its type.
    pub of: UnsizedType,
    /// Its name.
    pub name: Name,
}
