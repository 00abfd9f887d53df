//! Names of the maps from unconstrained numbers to constrained values and back.

use posterior_stan::Element;

/// Stems of the names: each has `_constrain`, `_jacobian` and `_unconstrain`.
pub(crate) const STEMS: [(&str, Element); 15] = [
    ("lower_bound", Element::Real),
    ("upper_bound", Element::Real),
    ("lower_upper_bound", Element::Real),
    ("offset_multiplier", Element::Real),
    ("ordered", Element::Ordered),
    ("positive_ordered", Element::PositiveOrdered),
    ("simplex", Element::Simplex),
    ("sum_to_zero", Element::SumToZeroVector),
    ("unit_vector", Element::UnitVector),
    ("stochastic_column", Element::ColumnStochasticMatrix),
    ("stochastic_row", Element::RowStochasticMatrix),
    ("cholesky_factor_corr", Element::CholeskyFactorCorr),
    ("cholesky_factor_cov", Element::CholeskyFactorCov),
    ("corr_matrix", Element::CorrMatrix),
    ("cov_matrix", Element::CovMatrix),
];

/// What the function does.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Direction {
    Constrain,
    Jacobian,
    Unconstrain,
}

/// The map that a name means, by its place in the list.
pub(crate) fn named(name: &str) -> Option<(usize, Direction)> {
    let (stem, end) = name.rsplit_once('_')?;
    let direction = match end {
        "constrain" => Direction::Constrain,
        "jacobian" => Direction::Jacobian,
        "unconstrain" => Direction::Unconstrain,
        _ => return None,
    };
    Some((STEMS.iter().position(|(own, _)| *own == stem)?, direction))
}
