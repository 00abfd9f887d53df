//! Where in a program a statement stands, and what is allowed there.

use crate::ast::BlockKind;
use crate::types::Type;

/// Where functions that end in `_lp` may be called, and the target read.
pub(super) const CALLS_TARGET: &str =
    "in the model and transformed parameters blocks, and in functions that end in `_lp`";

/// What the suffix of a function allows inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    /// `_lp`: reads and adds to the log density.
    Target,
    /// `_rng`: draws.
    Random,
    /// `_lpdf`, `_lpmf`.
    Density,
    /// `_lcdf`, `_lccdf`, `_cdf`.
    Cumulative,
    /// `_jacobian`: adds to the log determinant.
    Jacobian,
}

impl Kind {
    pub(super) fn of_name(name: &str) -> Self {
        let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| name.ends_with(suffix));
        if ends(&["_lp"]) {
            Self::Target
        } else if ends(&["_rng"]) {
            Self::Random
        } else if ends(&["_lpdf", "_lpmf", "_lupdf", "_lupmf"]) {
            Self::Density
        } else if ends(&["_lcdf", "_lccdf", "_cdf"]) {
            Self::Cumulative
        } else if ends(&["_jacobian"]) {
            Self::Jacobian
        } else {
            Self::Plain
        }
    }
}

/// A function's body.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) returns: Option<Type>,
}

/// The block, and the function if it is that of functions.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) block: BlockKind,
    pub(super) body: Option<Body>,
}

impl Default for Place {
    fn default() -> Self {
        Self::block(BlockKind::Functions)
    }
}

impl Place {
    pub(super) const fn block(block: BlockKind) -> Self {
        Self { block, body: None }
    }

    fn in_function(&self, kinds: &[Kind]) -> bool {
        self.body.as_ref().is_some_and(|body| kinds.contains(&body.kind))
    }

    /// Whether `target +=` and `~` may stand here.
    pub(super) fn adds_to_target(&self) -> bool {
        self.block == BlockKind::Model || self.in_function(&[Kind::Target])
    }

    /// Whether functions that end in `_lp` may be called, and `target()` read.
    pub(super) fn calls_target(&self) -> bool {
        self.adds_to_target() || self.block == BlockKind::TransformedParameters
    }

    pub(super) fn adds_to_jacobian(&self) -> bool {
        self.block == BlockKind::TransformedParameters || self.in_function(&[Kind::Jacobian])
    }

    pub(super) fn draws(&self) -> bool {
        let block = matches!(self.block, BlockKind::TransformedData | BlockKind::GeneratedQuantities);
        block || self.in_function(&[Kind::Random])
    }

    /// Whether densities may be left without their constants.
    pub(super) fn drops_constants(&self) -> bool {
        self.block == BlockKind::Model || self.in_function(&[Kind::Density])
    }

    /// Whether a real variable that is declared here can depend on parameters.
    pub(super) const fn depends_on_parameters(&self) -> bool {
        matches!(
            self.block,
            BlockKind::Functions
                | BlockKind::Parameters
                | BlockKind::TransformedParameters
                | BlockKind::Model
        )
    }
}

/// The density that a name without constants stands for: `normal_lupdf` is `normal_lpdf`.
pub(super) fn unnormalized(name: &str) -> Option<String> {
    let pdf = name.strip_suffix("_lupdf").map(|stem| format!("{stem}_lpdf"));
    pdf.or_else(|| name.strip_suffix("_lupmf").map(|stem| format!("{stem}_lpmf")))
}
