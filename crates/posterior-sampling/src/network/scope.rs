//! Sets of variables whose joint states are counted.

use posterior_inference::{Budget, Cost, Error, Relevant};
use posterior_pgm::{Evidence, GraphicalModel, Table, VarId};

/// Some variables of a model, in order, as digits of a joint state: those that are sampled with their
/// strides, those that were seen as a constant.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub(super) cells: usize,
    constant: usize,
    /// Variables of the part that is sampled.
    pub(super) digits: Vec<(usize, usize)>,
}

impl Scope {
    /// # Errors
    /// More joint states than fit in memory.
    pub(super) fn new(
        model: &dyn GraphicalModel,
        part: &Relevant,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Result<Self, Error> {
        let (mut cells, mut constant, mut digits) = (1_usize, 0, Vec::new());
        for &v in variables.iter().rev() {
            match (evidence.state(v), part.place(v)) {
                (Some(state), _) => constant += state * cells,
                (None, Some(place)) => digits.push((place.index(), cells)),
                (None, None) => {
                    return Err(Error::NotATarget { name: model.variables().name(v).to_owned() });
                }
            }
            let card = model.variables().card(v);
            cells = cells
                .checked_mul(card)
                .ok_or(posterior_pgm::Error::TooLarge { variables: variables.len() })?;
        }
        Ok(Self { cells, constant, digits })
    }

    /// One for each of these sets of variables.
    pub(super) fn all(
        model: &dyn GraphicalModel,
        part: &Relevant,
        evidence: &Evidence,
        scopes: &[&[VarId]],
    ) -> Result<Vec<Self>, Error> {
        scopes.iter().map(|own| Self::new(model, part, evidence, own)).collect()
    }

    /// The cell of these states of the sampled variables.
    pub(super) fn cell(&self, state: impl Fn(usize) -> usize) -> usize {
        self.digits.iter().fold(self.constant, |cell, &(v, stride)| cell + stride * state(v))
    }
}

/// That these are different variables of the model, with a joint table that fits.
///
/// # Errors
/// If not.
pub(super) fn check_joint(
    model: &dyn GraphicalModel,
    variables: &[VarId],
    budget: Budget,
) -> Result<(), Error> {
    model.variables().check_distinct(variables, "a joint table")?;
    let cards = variables.iter().map(|&v| model.variables().card(v) as u64);
    let cells = cards.fold(1, u64::saturating_mul);
    // Draws hold the number of a cell in 32 bits.
    check_budget(Cost::new(cells.saturating_mul(2), cells, 0), Budget::bytes(budget.limit().min(1 << 35)))
}

/// Tables over these variables with these values.
pub(super) fn tables(
    model: &dyn GraphicalModel,
    scopes: &[&[VarId]],
    values: Vec<Vec<f64>>,
) -> Result<Vec<Table>, Error> {
    let table = |(&scope, values): (&&[VarId], Vec<f64>)| {
        let cards = scope.iter().map(|&v| model.variables().card(v)).collect();
        Ok(Table::new(scope.to_vec(), cards, values)?)
    };
    scopes.iter().zip(values).map(table).collect()
}

/// That so many numbers fit.
///
/// # Errors
/// [`Error::TooLarge`].
pub(super) fn check_budget(cost: Cost, budget: Budget) -> Result<(), Error> {
    if budget.allows(&cost) {
        return Ok(());
    }
    Err(Error::TooLarge { cost, budget, alternatives: "keep fewer draws, or ask about fewer variables" })
}
