//! Stan's modelling language: text to typed program. This crate knows no data and computes nothing.
//!
//! A program is read and its types are checked. What is wrong is reported with the line itself, what was
//! expected and what is near, all errors that can be found at once together.
//!
//! ```
//! use posterior_stan::{BlockKind, Program};
//!
//! let text = "
//! data {
//!   int<lower=0> N;
//!   vector[N] x;
//!   vector[N] y;
//! }
//! parameters {
//!   real slope;
//!   real<lower=0> sigma;
//! }
//! model {
//!   y ~ normal(slope * x, sigma);
//! }";
//! let typed = Program::parse(text)?.check()?;
//! let model = typed.tree().block(BlockKind::Model).expect("the program has one");
//! assert_eq!(model.statements.len(), 1);
//! assert_eq!(posterior_stan::signatures("normal_lpdf").expect("it is known").len(), 64);
//!
//! let errors = Program::parse(&text.replace("normal", "nromal"))?.check().unwrap_err();
//! assert!(errors.to_string().contains("did you mean `normal`?"));
//!
//! // One form for each program: comments stay, old syntax is written as it is today.
//! let old = Program::parse("data{int N;real y[N];} # heights")?;
//! assert_eq!(old.to_string(), "data {\n  int N;\n  array[N] real y;\n} // heights\n");
//! # Ok::<(), posterior_stan::Diagnostics>(())
//! ```
//!
//! | what | where |
//! |---|---|
//! | reading a program, with the files that it includes | [`Program::parse`], [`Program::parse_with`], [`Dialect`] |
//! | what it says: blocks, statements, expressions, each with its place | [`Tree`], [`Statement`], [`Expr`], [`Span`] |
//! | what every expression is, and which form of a function a call means | [`Program::check`], [`TypedProgram`], [`Resolved`] |
//! | types, and what becomes what by itself | [`Type`], [`Type::promotion`] |
//! | what is wrong, and where | [`Diagnostics`], [`Diagnostic`] |
//! | the library's functions, and a page of them | [`signatures()`], [`functions_page`] |
//! | what a density is made of: priors, conditional distributions, mixtures, funnels | [`TypedProgram::explain`] |
//! | printing | [`Program::format`] |
//! | what the command line shows | [`check_report`], [`format_report`] |
//!
//! The language is that of Stan's reference manual, as Stan's compiler of 2026 accepts it; programs from
//! before version 2.33 are read with notes ([`Dialect::Any`]). The checker accepts and refuses what that
//! compiler does, at the same line. Nesting deeper than 400 levels is refused: no text exhausts the stack.
//!
//! *Not here:* data, densities, gradients. The text of a program is all that this crate knows.

mod ast;
mod ast_walk;
mod check;
mod diagnostic;
mod diagnostics;
mod dialect;
mod explain;
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
pub use diagnostic::{Diagnostic, Severity};
pub use diagnostics::Diagnostics;
pub use dialect::Dialect;
pub use explain::{
    ConditionalKind, ExplainedParameter, ExplainedTerm, PriorKind, ProgramExplanation, SummedMixture,
    TextPlace,
};
pub use program::{Program, TypedProgram};
pub use report::{check_report, format_report};
pub use signatures::{Signature, function_names, functions_page, signatures};
pub use span::{Position, Span, position};
pub use types::{FunctionType, Type};
