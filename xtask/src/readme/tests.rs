//! A first page with everything that a README leaves out or changes.

use super::*;

const LIBRARY: &str = "\
//! Kernels, and what [`Kernel`] and [`filter`](crate::filter()) are for.
//!
//! ```
//! use posterior_gp::Kernel;
//! use posterior_math::linalg::DMatrix;
//!
//! # let hidden = 1;
//! let kernel = Kernel::rbf(0.5)?;
//! # Ok::<(), posterior_math::ParamError>(())
//! ```
//!
//! | a | table |

mod kernel;
";

#[test]
fn a_readme_is_the_opening_and_the_example_as_a_program() {
    let text = text("posterior-gp", LIBRARY).expect("the page has an example");
    let expected = "# posterior-gp\n\nKernels, and what `Kernel` and `filter` are for.\n\n```rust\n\
        fn main() -> Result<(), posterior_math::ParamError> {\n    use posterior_gp::Kernel;\n    \
        use posterior_math::linalg::DMatrix;\n\n    let hidden = 1;\n    let kernel = Kernel::rbf(0.5)?;\n    \
        Ok(())\n}\n```\n\nThe program needs the crates `posterior-gp` and `posterior-math`.\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("(../../docs/book/gaussian-processes.md)"), "{text}");
}

#[test]
fn a_page_without_an_example_is_refused() {
    assert!(text("posterior-gp", "//! Kernels.\n").is_err());
}

#[test]
fn an_example_that_cannot_fail_has_a_main_that_returns_nothing() {
    let text =
        text("posterior-math", "//! Sums.\n//!\n//! ```\n//! assert!(true);\n//! ```\n").expect("valid");
    assert!(text.contains("fn main() {\n    assert!(true);\n}\n"), "{text}");
    assert!(text.contains("needs the crate `posterior-math`."), "{text}");
}
