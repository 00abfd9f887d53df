//! Graph cuts as an engine: the most probable state of a binary field whose neighbours rather agree.

use posterior_pgm::{Evidence, GraphicalModel, Table, VarId};

use super::{BinaryEnergy, Error as CutError};
use crate::sliced::{Sliced, ln_score};
use crate::{Error, Explanation, MapEngine};

/// The most probable state of binary variables by one minimum cut, whatever the treewidth (Greig, Porteous
/// and Seheult 1989).
///
/// What was seen is put in first. What is left must have two states a variable, at most two variables a
/// factor, and each factor of two variables has to prefer agreement: f(0,0) f(1,1) ≥ f(0,1) f(1,0). Of
/// several best states it is the one with the fewest variables in state 0.
///
/// ```
/// use posterior_inference::MapEngine;
/// use posterior_inference::graph_cut::GraphCut;
/// use posterior_pgm::{Evidence, MarkovRandomField, Table, Variables};
///
/// let variables = Variables::numbered(&[2; 4])?;
/// let ids: Vec<_> = variables.ids().collect();
/// let alike = |x: usize| Table::new(vec![ids[x], ids[(x + 1) % 4]], vec![2, 2], vec![5.0, 1.0, 1.0, 10.0]);
/// let votes = MarkovRandomField::new(variables.clone(), (0..4).map(alike).collect::<Result<_, _>>()?)?;
/// let best = GraphCut.most_probable(&votes, &Evidence::none())?;
/// assert_eq!(best.states, [1, 1, 1, 1]);
/// # Ok::<(), posterior_inference::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GraphCut;

impl MapEngine for GraphCut {
    /// # Errors
    /// A variable with more than two states, a factor over three variables that were not seen, and a factor
    /// that prefers disagreement: all as [`Error::NoCut`], by name. [`Error::ImpossibleEvidence`].
    fn most_probable(&self, model: &dyn GraphicalModel, evidence: &Evidence) -> Result<Explanation, Error> {
        let sliced = Sliced::new(model, evidence)?;
        let energy = energy(model, &sliced)?;
        let minimum = energy.minimize().map_err(|error| match error {
            CutError::Infeasible => Error::ImpossibleEvidence,
            CutError::NotSubmodular { term, .. } => {
                no_cut(model, sliced.factors[term].scope(), "it prefers different states")
            }
            other => Error::GraphCut(other),
        })?;
        let states: Vec<usize> = sliced
            .observed
            .iter()
            .zip(&sliced.locals)
            .zip(&minimum.labels)
            .map(|((seen, local), &label)| {
                seen.unwrap_or(if local.len() == 1 { 0 } else { usize::from(label) })
            })
            .collect();
        let ln_value = ln_score(model, evidence, &states);
        Ok(Explanation::new(states, ln_value, true))
    }
}

/// −ln of what was not seen.
fn energy(model: &dyn GraphicalModel, sliced: &Sliced) -> Result<BinaryEnergy, Error> {
    let mut energy = BinaryEnergy::pairwise(sliced.locals.len())?;
    for (i, local) in sliced.locals.iter().enumerate() {
        match local[..] {
            [] | [_] => {}
            [zero, one] => energy.add_unary(i, [-zero.ln(), -one.ln()])?,
            _ => return Err(no_cut(model, &[VarId::new(i)], "it has more than two states")),
        }
    }
    for factor in &sliced.factors {
        let [i, j] = factor.scope() else {
            return Err(no_cut(model, factor.scope(), "it reads more than two variables"));
        };
        energy.add_pairwise(i.index(), j.index(), pair(factor))?;
    }
    Ok(energy)
}

/// −ln of a factor of two variables; where one of them has one state only, what it does in its other state
/// costs the same.
fn pair(factor: &Table) -> [f64; 4] {
    let (rows, columns) = (factor.cards()[0], factor.cards()[1]);
    let value = |i: usize, j: usize| factor.values()[i.min(rows - 1) * columns + j.min(columns - 1)];
    [value(0, 0), value(0, 1), value(1, 0), value(1, 1)].map(|value| -value.ln())
}

fn no_cut(model: &dyn GraphicalModel, scope: &[VarId], reason: &'static str) -> Error {
    let names = scope.iter().map(|&v| model.variables().name(v).to_owned()).collect();
    Error::NoCut { names, reason }
}
