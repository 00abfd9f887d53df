//! Stan's modelling language: text to typed program.

mod ast;
mod ast_walk;
mod check;
mod diagnostic;
mod format;
mod lexer;
mod nearest;
mod parser;
mod program;
mod report;
mod signatures;
mod source;
mod span;
mod token;
mod types;

pub use ast::*;
pub use check::{ExprType, Resolved};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use program::{Dialect, Program, TypedProgram};
pub use report::{check_report, format_report};
pub use signatures::{Signature, function_names, functions_page, signatures};
pub use span::{Position, Span, position};
pub use types::{FunctionType, Type};
