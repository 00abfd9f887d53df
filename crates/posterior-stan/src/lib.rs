//! Stan's modelling language: text to typed program.

mod ast;
mod ast_walk;
mod diagnostic;
mod lexer;
mod nearest;
mod parser;
mod program;
mod span;
mod token;

pub use ast::*;
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use program::{Dialect, Program};
pub use span::{Position, Span, position};
