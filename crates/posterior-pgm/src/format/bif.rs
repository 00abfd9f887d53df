//! BIF, the interchange format of Bayesian networks (Cozman 1996), as loose as the files that there are.
//!
//! ```text
//! network weather { }
//! variable rain { type discrete [ 2 ] { no, yes }; }
//! variable grass { type discrete [ 2 ] { dry, wet }; }
//! probability ( rain ) { table 0.8, 0.2; }
//! probability ( grass | rain ) {
//!   (no) 0.9, 0.1;
//!   (yes) 0.05, 0.95;
//! }
//! ```
//!
//! - Comments are `// …` and `/* … */`. Commas are blanks, and so is the `|`, but for telling who is the
//!   child: the first.
//! - Names stand in quotes, or hold no blank and none of `{ } [ ] ; , |`, no quote and no comment;
//!   parentheses within a name come in pairs.
//! - Variables and probabilities come in any order, and so do the rows, which name the states of the parents.
//!   `default` holds for the rows that don't come: for 2²⁴ numbers of a file at most.
//! - `table` lists all probabilities, **the child slowest and the last parent fastest**, as the definition of
//!   the format has it. (XMLBIF has the child fastest.)
//! - Rows that don't add up to one are divided by their sums, and reported.

mod reader;
mod rows;
mod statements;
mod writer;

pub use reader::read;
pub use writer::write;
