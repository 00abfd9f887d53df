//! The number of cells of tables, in whole numbers that saturate.

use crate::{Error, Names, VarId};

/// The number of cells of a table over `variables`: the product of their numbers of states, saturating.
pub(crate) fn cells(variables: &[VarId], states: &[usize]) -> u128 {
    variables.iter().fold(1_u128, |product, v| product.saturating_mul(states[v.index()] as u128))
}

/// Refuses anything but a positive number of states for each variable.
pub(crate) fn check_states(names: &Names, states: &[usize]) -> Result<(), Error> {
    if states.len() != names.len() {
        return Err(Error::WrongLength {
            what: "the numbers of states",
            expected: names.len(),
            found: states.len(),
        });
    }
    match states.iter().position(|&count| count == 0) {
        Some(v) => Err(Error::NoStates { name: names.get(VarId::new(v)).to_owned() }),
        None => Ok(()),
    }
}
