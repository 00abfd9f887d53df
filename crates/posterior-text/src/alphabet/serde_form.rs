//! An alphabet as the list of its names.

use super::Alphabet;
use crate::error::Error;

impl From<Alphabet> for Vec<String> {
    fn from(alphabet: Alphabet) -> Self {
        alphabet.iter().map(str::to_owned).collect()
    }
}

impl TryFrom<Vec<String>> for Alphabet {
    type Error = Error;

    fn try_from(names: Vec<String>) -> Result<Self, Error> {
        Self::from_names(names)
    }
}
