//! From a model with plates to the graph of all copies.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Mark, Plates, Size};
use crate::{Dag, Error, Names, VarId};

/// The largest number of variables, or of arrows, of an unrolled model.
const LARGEST: usize = 1 << 24;

/// A model without plates: the graph of all copies.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unrolled {
    /// The graph. The copies of a variable have ids in a row, the last index changing fastest, and names like
    /// `z[2,5]` with indices from 0 in the order of its plates; a variable on no plate keeps its name.
    pub dag: Dag,
    /// The ids of the copies of each variable of the template.
    ranges: Vec<Range<usize>>,
    marks: Vec<Mark>,
}

impl Unrolled {
    /// The copies of a variable of the template.
    #[track_caller]
    pub fn copies(&self, of: VarId) -> impl ExactSizeIterator<Item = VarId> + use<> {
        self.ranges[of.index()].clone().map(VarId::new)
    }

    /// All copies of variables with this mark, sorted.
    pub fn marked(&self, mark: Mark) -> Vec<VarId> {
        let ranges = self.ranges.iter().zip(&self.marks).filter(|&(_, &m)| m == mark);
        ranges.flat_map(|(range, _)| range.clone()).map(VarId::new).collect()
    }
}

impl Plates {
    /// The graph of all copies. O(copies and arrows, times the plates of a variable, log).
    ///
    /// # Errors
    /// [`Error::TooLarge`] for more than 2²⁴ variables or arrows, before they take memory;
    /// [`Error::DuplicateName`] if a name looks like that of a copy of another variable.
    pub fn unroll(&self) -> Result<Unrolled, Error> {
        let offsets = self.offsets();
        let mut all: Vec<Copies> = Vec::with_capacity(self.template.len());
        let mut names = Vec::new();
        for v in self.template.variables() {
            let first = names.len();
            let tuples = self.tuples(&self.on[v.index()], &offsets, LARGEST - first)?;
            names.extend(tuples.iter().map(|tuple| copy_name(self.template.names().get(v), tuple)));
            all.push(Copies { first, tuples });
        }
        let mut arrows = Vec::new();
        for (from, to) in self.template.arrows() {
            self.connect(from, to, &all, &mut arrows)?;
        }
        let dag = Dag::new(Names::new(names)?, arrows)?;
        let ranges = all.iter().map(|copies| copies.first..copies.first + copies.tuples.len()).collect();
        Ok(Unrolled { dag, ranges, marks: self.marks.clone() })
    }

    /// For each plate inside of another one, the number of items before each copy of the outer plate.
    fn offsets(&self) -> Vec<Vec<usize>> {
        let of_plate = |size: &Size| match size {
            Size::Items(_) => Vec::new(),
            Size::Inside { sizes, .. } => {
                let before = sizes.iter().scan(0, |sum: &mut usize, &size| {
                    let before = *sum;
                    *sum = sum.saturating_add(size);
                    Some(before)
                });
                before.collect()
            }
        };
        self.collections.iter().map(|plate| of_plate(&plate.size)).collect()
    }

    /// The number of a plate's item among all copies of the plate, where `on` are the plates and `tuple` the
    /// items.
    fn flat(&self, plate: usize, on: &[usize], tuple: &[usize], offsets: &[Vec<usize>]) -> usize {
        let item = on.iter().position(|&p| p == plate).map_or(0, |place| tuple[place]);
        match self.outer[plate] {
            None => item,
            Some(outer) => offsets[plate][self.flat(outer, on, tuple, offsets)] + item,
        }
    }

    /// The items of each copy on the plates `on`, one index for each.
    fn tuples(&self, on: &[usize], offsets: &[Vec<usize>], limit: usize) -> Result<Vec<Vec<usize>>, Error> {
        let mut tuples = vec![Vec::new()];
        for (place, &plate) in on.iter().enumerate() {
            let size_at = |tuple: &[usize]| match (&self.collections[plate].size, self.outer[plate]) {
                (Size::Inside { sizes, .. }, Some(outer)) => {
                    sizes[self.flat(outer, &on[..place], tuple, offsets)]
                }
                (Size::Items(items), _) => *items,
                (Size::Inside { .. }, None) => 0,
            };
            let sizes: Vec<usize> = tuples.iter().map(|tuple| size_at(tuple)).collect();
            check_size("copies of variables", &sizes, limit)?;
            let extended = tuples.iter().zip(sizes).flat_map(|(tuple, size)| {
                (0..size).map(move |item| tuple.iter().copied().chain([item]).collect())
            });
            tuples = extended.collect();
        }
        Ok(tuples)
    }

    /// The arrows from each copy of `from` to each copy of `to` that agree on the plates of both.
    fn connect(
        &self,
        from: VarId,
        to: VarId,
        all: &[Copies],
        arrows: &mut Vec<(VarId, VarId)>,
    ) -> Result<(), Error> {
        let [on_from, on_to] = [from, to].map(|v| &self.on[v.index()]);
        let shared: Vec<usize> = on_from.iter().copied().filter(|plate| on_to.contains(plate)).collect();
        let key = |on: &[usize], tuple: &[usize]| -> Vec<usize> {
            let places = shared.iter().filter_map(|plate| on.iter().position(|p| p == plate));
            places.map(|place| tuple[place]).collect()
        };
        let mut parents: BTreeMap<Vec<usize>, Vec<VarId>> = BTreeMap::new();
        for (parent, tuple) in all[from.index()].iter() {
            parents.entry(key(on_from, tuple)).or_default().push(parent);
        }
        let of_child = |tuple: &[usize]| parents.get(&key(on_to, tuple)).map_or(&[][..], Vec::as_slice);
        let sizes: Vec<usize> = all[to.index()].iter().map(|(_, tuple)| of_child(tuple).len()).collect();
        check_size("arrows", &sizes, LARGEST - arrows.len())?;
        for (child, tuple) in all[to.index()].iter() {
            arrows.extend(of_child(tuple).iter().map(|&parent| (parent, child)));
        }
        Ok(())
    }
}

/// The copies of one variable of the template.
struct Copies {
    /// The id of the first one.
    first: usize,
    /// The items of each, one index for each plate.
    tuples: Vec<Vec<usize>>,
}

impl Copies {
    fn iter(&self) -> impl Iterator<Item = (VarId, &[usize])> {
        self.tuples.iter().enumerate().map(|(i, tuple)| (VarId::new(self.first + i), &tuple[..]))
    }
}

/// Refuses sizes whose sum is over `limit`.
fn check_size(what: &'static str, sizes: &[usize], limit: usize) -> Result<(), Error> {
    let sum = sizes.iter().fold(0_usize, |sum, &size| sum.saturating_add(size));
    if sum > limit {
        let size = sum.saturating_add(LARGEST - limit);
        return Err(Error::TooLarge { what, size, limit: LARGEST });
    }
    Ok(())
}

/// `z[2,5]`.
fn copy_name(name: &str, tuple: &[usize]) -> String {
    if tuple.is_empty() {
        return name.to_owned();
    }
    let items: Vec<String> = tuple.iter().map(ToString::to_string).collect();
    format!("{name}[{}]", items.join(","))
}
