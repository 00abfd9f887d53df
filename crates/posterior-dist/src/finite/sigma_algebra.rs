//! Sigma-algebras on finite sets.

use std::collections::BTreeSet;

use posterior_math::check::{self, ParamError};

/// The most atoms of a generated algebra, which has 2ⁿ sets then.
const MOST_ATOMS: usize = 20;

/// A set of subsets of {0, …, n - 1}, n ≤ 64, that contains the whole and is closed under complement and
/// union.
///
/// A subset is a word whose bit i says whether i is in it.
///
/// ```
/// use posterior_dist::finite::SigmaAlgebra;
///
/// // What is known when one sees whether a die shows 1, 2 or more.
/// let seen = SigmaAlgebra::generated(6, &[0b000001, 0b000010])?;
/// assert_eq!(seen.atoms(), [0b000001, 0b000010, 0b111100]);
/// assert_eq!(seen.sets().len(), 8);
/// assert!(SigmaAlgebra::holds(6, seen.sets()));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigmaAlgebra {
    atoms: Vec<u64>,
    sets: BTreeSet<u64>,
}

impl SigmaAlgebra {
    /// The smallest sigma-algebra that contains these sets: all unions of its atoms, the sets of points that
    /// no generator tells apart.
    ///
    /// # Errors
    /// If there is no point or more than 64, a set is not one of them, or there are more than 20 atoms.
    pub fn generated(points: usize, generators: &[u64]) -> Result<Self, ParamError> {
        let possible = (1..=64).contains(&points);
        check::require(possible, "SigmaAlgebra", "number of points", points as f64, "from 1 to 64")?;
        let whole = whole(points);
        for &set in generators {
            check::require(set & !whole == 0, "SigmaAlgebra", "set", set as f64, "a subset of the points")?;
        }
        // Each generator splits every atom in two.
        let mut atoms = vec![whole];
        for &set in generators {
            atoms =
                atoms.iter().flat_map(|atom| [atom & set, atom & !set]).filter(|&part| part != 0).collect();
        }
        atoms.sort_by_key(|atom| atom.trailing_zeros());
        let few = atoms.len() <= MOST_ATOMS;
        check::require(few, "SigmaAlgebra", "number of atoms", atoms.len() as f64, "at most 20")?;
        let mut sets = vec![0];
        for &atom in &atoms {
            let with: Vec<u64> = sets.iter().map(|set| set | atom).collect();
            sets.extend(with);
        }
        Ok(Self { atoms, sets: sets.into_iter().collect() })
    }

    /// Whether these subsets of n points, n ≤ 64, are a sigma-algebra: the whole is one of them, as are all
    /// complements and unions.
    pub fn holds(points: usize, sets: &BTreeSet<u64>) -> bool {
        if points == 0 || points > 64 {
            return false;
        }
        let whole = whole(points);
        let closed = |&a: &u64| sets.contains(&(whole & !a)) && sets.iter().all(|b| sets.contains(&(a | b)));
        sets.contains(&whole) && sets.iter().all(|set| set & !whole == 0) && sets.iter().all(closed)
    }

    /// The atoms, by their least points.
    pub fn atoms(&self) -> &[u64] {
        &self.atoms
    }

    /// All sets.
    pub const fn sets(&self) -> &BTreeSet<u64> {
        &self.sets
    }

    /// Whether the set is measurable.
    pub fn contains(&self, set: u64) -> bool {
        self.sets.contains(&set)
    }

    /// Whether a function of the points is measurable: constant on every atom. A NaN is equal to nothing.
    pub fn is_measurable(&self, function: impl Fn(usize) -> f64) -> bool {
        self.atoms.iter().all(|&atom| {
            let mut points = (0..64).filter(|point| atom >> point & 1 == 1);
            let first = points.next().map(&function);
            first.is_some_and(|first| !first.is_nan()) && points.all(|point| Some(function(point)) == first)
        })
    }
}

/// {0, …, n - 1} as a word.
const fn whole(points: usize) -> u64 {
    u64::MAX >> (64 - points)
}
