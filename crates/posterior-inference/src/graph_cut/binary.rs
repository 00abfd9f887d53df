//! Energies of binary variables, one and two at a time.

use super::network::FlowNetwork;
use super::submodular::Submodular;
use super::{Error, MinimumCut};

/// The energy `sum_i E_i(x_i) + sum_ij E_ij(x_i, x_j)` of binary variables x.
///
/// Every term may be anything; only [`minimize`](Self::minimize) asks for terms that are *submodular*,
/// `E(0,0) + E(1,1) <= E(0,1) + E(1,0)`: neighbours rather agree. For other terms there is
/// [`roof_dual`](Self::roof_dual), which may leave variables open.
///
/// ```
/// use posterior_inference::graph_cut::BinaryEnergy;
/// // Four people in a circle vote; friends rather agree, and rather on 1. Potentials 10 for (1, 1), 5 for (0, 0), else 1.
/// let mut energy = BinaryEnergy::pairwise(4)?;
/// for i in 0..4 {
///     energy.add_pairwise(i, (i + 1) % 4, [-f64::ln(5.0), 0.0, 0.0, -f64::ln(10.0)])?;
/// }
/// let minimum = energy.minimize()?;
/// assert_eq!(minimum.labels, [true; 4]);
/// assert!((minimum.energy + f64::ln(10_000.0)).abs() < 1e-14);
/// # Ok::<(), posterior_inference::graph_cut::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BinaryEnergy {
    unary: Vec<[f64; 2]>,
    pairs: Vec<Pair>,
    /// The sum of the sizes of all finite numbers.
    total: f64,
}

/// A term of two variables: E(0,0), E(0,1), E(1,0), E(1,1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    pub(super) ends: (u32, u32),
    pub(super) energies: [f64; 4],
}

impl BinaryEnergy {
    /// `n` variables without terms.
    ///
    /// # Errors
    /// More variables than 32 bits count.
    pub fn pairwise(n: usize) -> Result<Self, Error> {
        FlowNetwork::check_size(n)?;
        Ok(Self { unary: vec![[0.0; 2]; n], pairs: Vec::new(), total: 0.0 })
    }

    /// The number of variables.
    pub fn len(&self) -> usize {
        self.unary.len()
    }

    /// Whether there is no variable.
    pub fn is_empty(&self) -> bool {
        self.unary.is_empty()
    }

    /// Adds the term `[E(0), E(1)]` of variable `i`. +infinity forbids a label.
    ///
    /// # Errors
    /// A variable that does not exist, a number that is NaN or -infinity, or finite numbers whose sizes add
    /// up to 10^307.
    pub fn add_unary(&mut self, i: usize, energies: [f64; 2]) -> Result<(), Error> {
        self.check_variable(i)?;
        self.total = self.check_energies("energy of variable", i, &energies)?;
        self.unary[i][0] += energies[0];
        self.unary[i][1] += energies[1];
        Ok(())
    }

    /// Adds the term `[E(0,0), E(0,1), E(1,0), E(1,1)]` of variables `i` and `j`. +infinity forbids a pair of
    /// labels.
    ///
    /// # Errors
    /// As [`add_unary`](Self::add_unary), and a variable that is paired with itself.
    pub fn add_pairwise(&mut self, i: usize, j: usize, energies: [f64; 4]) -> Result<(), Error> {
        self.check_variable(i)?;
        self.check_variable(j)?;
        if i == j {
            return Err(Error::SelfLoop { node: i });
        }
        self.total = self.check_energies("energy of term", self.pairs.len(), &energies)?;
        self.pairs.push(Pair { ends: (i as u32, j as u32), energies });
        Ok(())
    }

    /// The energy of a labelling; `true` is label 1. O(n + m).
    ///
    /// # Errors
    /// Not one label for each variable.
    pub fn energy(&self, labels: &[bool]) -> Result<f64, Error> {
        if labels.len() != self.len() {
            return Err(Error::Length { what: "labels", found: labels.len(), expected: self.len() });
        }
        Ok(self.evaluate(labels))
    }

    /// Whether [`minimize`](Self::minimize) accepts every term. O(m).
    ///
    /// # Errors
    /// [`Error::NotSubmodular`] names the first term that it does not accept.
    pub fn check_submodular(&self) -> Result<(), Error> {
        for (term, pair) in self.pairs.iter().enumerate() {
            pair.submodular(term)?;
        }
        Ok(())
    }

    /// The labelling of least energy, by a minimum cut (Greig, Porteous & Seheult 1989; Kolmogorov & Zabih
    /// 2004).
    ///
    /// Cost as [`FlowNetwork::min_cut`]. Of several minima it is the one with the fewest labels 0, which is
    /// unique.
    ///
    /// # Errors
    /// [`Error::NotSubmodular`], where rounding of the four energies is forgiven; [`Error::Infeasible`] if
    /// every labelling has infinite energy; a sum of terms that is not finite.
    pub fn minimize(&self) -> Result<MinimumCut, Error> {
        let mut unary = self.unary.clone();
        let mut network = FlowNetwork::new(self.len())?;
        for (term, pair) in self.pairs.iter().enumerate() {
            let normal = pair.submodular(term)?;
            let (i, j) = (pair.ends.0 as usize, pair.ends.1 as usize);
            add(&mut unary[i], normal.first);
            add(&mut unary[j], normal.second);
            // The source's side is label 0: the arc from i to j is severed where x_i = 0 and x_j = 1.
            network.add_edge(i, j, normal.rising, normal.falling)?;
        }
        let mut constant = 0.0;
        for (i, &[zero, one]) in unary.iter().enumerate() {
            let least = zero.min(one);
            if least == f64::INFINITY {
                return Err(Error::Infeasible);
            }
            constant += least;
            network.add_terminal(i, one - least, zero - least)?;
        }
        let cut = network.min_cut()?;
        let labels: Vec<bool> = cut.source_side.iter().map(|source| !source).collect();
        Ok(MinimumCut { energy: self.evaluate(&labels), labels, constant, flow: cut.value })
    }

    pub(super) fn unary(&self) -> &[[f64; 2]] {
        &self.unary
    }

    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    pub(super) fn evaluate(&self, labels: &[bool]) -> f64 {
        let unary = self.unary.iter().zip(labels).map(|(energies, &label)| energies[usize::from(label)]);
        let pairs = self.pairs.iter().map(|pair| {
            let label = |node: u32| usize::from(labels[node as usize]);
            pair.energies[2 * label(pair.ends.0) + label(pair.ends.1)]
        });
        unary.sum::<f64>() + pairs.sum::<f64>()
    }

    fn check_variable(&self, node: usize) -> Result<(), Error> {
        if node < self.len() { Ok(()) } else { Err(Error::UnknownNode { node, nodes: self.len() }) }
    }

    fn check_energies(&self, what: &'static str, index: usize, energies: &[f64]) -> Result<f64, Error> {
        let mut total = self.total;
        for &value in energies {
            if value.is_nan() || value == f64::NEG_INFINITY {
                return Err(Error::Invalid { what, index, value, requirement: "a number or +infinity" });
            }
            total += if value < f64::INFINITY { value.abs() } else { 0.0 };
        }
        // A cut adds and subtracts a few of them once more.
        if total < f64::MAX / 16.0 { Ok(total) } else { Err(Error::Overflow { what: "energies" }) }
    }
}

impl Pair {
    fn submodular(&self, term: usize) -> Result<Submodular, Error> {
        Submodular::of(self.energies).map_err(|excess| {
            let (first, second) = (self.ends.0 as usize, self.ends.1 as usize);
            Error::NotSubmodular { term, first, second, excess }
        })
    }
}

/// Adds a term of one variable to another.
pub(super) fn add(sum: &mut [f64; 2], term: [f64; 2]) {
    sum[0] += term[0];
    sum[1] += term[1];
}
