//! Roof duality (QPBO): what can be said of binary energies that are not submodular.

use super::binary::add;
use super::submodular::Submodular;
use super::{BinaryEnergy, Error, FlowNetwork};

/// Labels that every minimum has, and a bound.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RoofDual {
    /// The label that a variable has in every labelling of least energy (`true` is label 1); `None` where
    /// that was not found out.
    pub labels: Vec<Option<bool>>,
    /// No labelling has less energy. If every variable is labelled, this is the least energy.
    pub bound: f64,
}

impl BinaryEnergy {
    /// Labels that every minimum has, whatever the terms are, by roof duality (Hammer, Hansen & Simeone 1984;
    /// Boros & Hammer 2002; Kolmogorov & Rother 2007).
    ///
    /// Each variable and its negation get a node, so the cost is that of a cut of twice the size. Of a
    /// submodular energy with one minimum all variables are labelled; the more terms are not submodular, and
    /// the stronger they are, the fewer.
    ///
    /// # Errors
    /// [`Error::Infeasible`] if it is found that every labelling has infinite energy; a sum of terms that is
    /// not finite.
    pub fn roof_dual(&self) -> Result<RoofDual, Error> {
        let n = self.len();
        let mut unary = self.unary().to_vec();
        let mut network = FlowNetwork::new(n.saturating_mul(2))?;
        for pair in self.pairs() {
            let (i, j) = (pair.ends.0 as usize, pair.ends.1 as usize);
            // A term that is not submodular in x_j is so in its negation.
            let submodular = Submodular::of(pair.energies);
            let negated = submodular.is_err();
            let term = submodular.unwrap_or_else(|_| Submodular::negated(pair.energies));
            let [zero, one] = term.second;
            add(&mut unary[i], term.first);
            add(&mut unary[j], if negated { [one, zero] } else { [zero, one] });
            let (other, mirror) = if negated { (j + n, j) } else { (j, j + n) };
            network.add_edge(i, other, term.rising, term.falling)?;
            network.add_edge(mirror, i + n, term.rising, term.falling)?;
        }
        let mut constant = 0.0;
        for (i, &[zero, one]) in unary.iter().enumerate() {
            let least = zero.min(one);
            if least == f64::INFINITY {
                return Err(Error::Infeasible);
            }
            constant += least;
            network.add_terminal(i, one - least, zero - least)?;
            network.add_terminal(i + n, zero - least, one - least)?;
        }
        let cut = network.min_cut()?;
        let label = |i: usize| match (cut.source_side[i], cut.source_side[i + n]) {
            (true, false) => Some(false),
            (false, true) => Some(true),
            _ => None,
        };
        Ok(RoofDual { labels: (0..n).map(label).collect(), bound: constant + 0.5 * cut.value })
    }
}
