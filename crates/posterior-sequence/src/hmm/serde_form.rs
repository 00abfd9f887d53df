//! Models as data: `{"initial": [..], "transition": [[..], ..], "emissions": ..}`, checked on reading.

use posterior_math::check::DimensionError;
use posterior_math::linalg::DMatrix;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use super::HiddenMarkovModel;
use crate::emission::Emissions;
use crate::error::Error;

/// A model as somebody wrote it.
#[derive(Deserialize)]
pub(super) struct Unchecked<E> {
    initial: Vec<f64>,
    transition: Vec<Vec<f64>>,
    emissions: E,
}

impl<E: Emissions> TryFrom<Unchecked<E>> for HiddenMarkovModel<E> {
    type Error = Error;

    fn try_from(Unchecked { initial, transition, emissions }: Unchecked<E>) -> Result<Self, Error> {
        let states = transition.len();
        for row in &transition {
            if row.len() != states {
                let what = "columns of the transition matrix";
                return Err(DimensionError::new(what, states, row.len()).into());
            }
        }
        Self::new(&initial, &DMatrix::from_fn(states, states, |i, j| transition[i][j]), emissions)
    }
}

impl<E: Serialize> Serialize for HiddenMarkovModel<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows: Vec<Vec<f64>> =
            self.transition().row_iter().map(|row| row.iter().copied().collect()).collect();
        let mut fields = serializer.serialize_struct("HiddenMarkovModel", 3)?;
        fields.serialize_field("initial", self.initial())?;
        fields.serialize_field("transition", &rows)?;
        fields.serialize_field("emissions", self.emissions())?;
        fields.end()
    }
}
