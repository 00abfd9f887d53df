//! Emissions from a table, written out for the tests: the route that has nothing to do with the crate's own.

use std::ops::Range;

use posterior_sequence::Error;
use posterior_sequence::emission::Emissions;

/// p(x | k) at `rows[k][x]`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Table(pub(super) Vec<Vec<f64>>);

impl Emissions for Table {
    type Data = [usize];

    fn states(&self) -> usize {
        self.0.len()
    }

    fn length(data: &[usize]) -> usize {
        data.len()
    }

    fn check(&self, data: &[usize]) -> Result<(), Error> {
        match data.iter().position(|&x| x >= self.0[0].len()) {
            None => Ok(()),
            Some(position) => {
                Err(Error::Observation { sequence: 0, position, message: "no such symbol".to_owned() })
            }
        }
    }

    fn ln_densities(&self, data: &[usize], range: Range<usize>, out: &mut [f64]) {
        for (out, &x) in out.chunks_exact_mut(self.0.len()).zip(&data[range]) {
            for (out, row) in out.iter_mut().zip(&self.0) {
                *out = row[x].ln();
            }
        }
    }
}
