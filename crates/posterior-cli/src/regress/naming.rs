//! How a run names its columns: by options or by a formula.

use posterior::table::{ColumnKind, DataFrame};

use crate::args::RegressFit;
use crate::failure::Failure;

/// How a run names the columns that explain, for advice.
#[derive(Debug, Clone, Copy)]
pub(super) enum Naming {
    Options,
    Formula,
}

impl Naming {
    pub(super) const fn of(args: &RegressFit) -> Self {
        if args.formula.is_some() { Self::Formula } else { Self::Options }
    }

    /// How one column is left out.
    pub(super) fn without(self, name: &str) -> String {
        match self {
            Self::Options => "leave it out: --x names the columns that explain".to_owned(),
            Self::Formula => format!("leave it out of the formula, with - `{name}` where . stands for all"),
        }
    }

    /// How fewer columns are taken.
    pub(super) const fn fewer(self) -> &'static str {
        match self {
            Self::Options => "take fewer columns with --x",
            Self::Formula => "write fewer terms in the formula",
        }
    }
}

/// The type of a column, which may hold categories or be left out.
pub(super) fn kind(table: &DataFrame, name: &str, naming: Naming) -> Result<ColumnKind, Failure> {
    let instead = match naming {
        Naming::Options => {
            format!("if the column holds categories, say --categorical {name}; --x leaves it out")
        }
        Naming::Formula => naming.without(name),
    };
    table.kind(name).map_err(|error| Failure::from(error).or(&instead))
}
