//! The abstract syntax tree: what a program says, with the place of each part.

mod declaration;
mod expression;
mod statement;

pub use declaration::{Declaration, Element, SizedType, TypeBounds, UnsizedElement, UnsizedType};
pub use expression::{BinaryOp, Expr, ExprKind, Index, UnaryOp};
pub use statement::{
    Distribution, ForRange, FunctionArgument, FunctionDefinition, Output, Printable, Statement, StatementKind,
};

use crate::span::Span;

/// A name with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// The blocks of a program, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockKind {
    /// What the user defines.
    Functions,
    /// What is given.
    Data,
    /// What is computed once.
    TransformedData,
    /// What is sampled.
    Parameters,
    /// What is computed from it.
    TransformedParameters,
    /// The log density.
    Model,
    /// What is computed once per draw.
    GeneratedQuantities,
}

impl BlockKind {
    /// All blocks in their order.
    pub const ALL: [Self; 7] = [
        Self::Functions,
        Self::Data,
        Self::TransformedData,
        Self::Parameters,
        Self::TransformedParameters,
        Self::Model,
        Self::GeneratedQuantities,
    ];

    /// The words that open the block.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Functions => "functions",
            Self::Data => "data",
            Self::TransformedData => "transformed data",
            Self::Parameters => "parameters",
            Self::TransformedParameters => "transformed parameters",
            Self::Model => "model",
            Self::GeneratedQuantities => "generated quantities",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A block of statements.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockBody {
    /// Which block it is; never [`BlockKind::Functions`].
    pub kind: BlockKind,
    /// Its statements.
    pub statements: Vec<Statement>,
    /// From its name to its closing brace.
    pub span: Span,
}

/// The block of functions.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionsBlock {
    /// The functions in the order of the text.
    pub definitions: Vec<FunctionDefinition>,
    /// From its name to its closing brace.
    pub span: Span,
}

/// A whole program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tree {
    /// The functions.
    pub functions: Option<FunctionsBlock>,
    /// The other blocks that are there, in their order.
    pub blocks: Vec<BlockBody>,
    /// How many expressions there are: their ids are below it.
    pub expressions: u32,
}

impl Tree {
    /// A block, if the program has it.
    pub fn block(&self, kind: BlockKind) -> Option<&BlockBody> {
        self.blocks.iter().find(|block| block.kind == kind)
    }
}
