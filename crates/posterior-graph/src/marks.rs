//! Sets of variables as flags, for algorithms that ask "is it in?" at every step.

use crate::{Error, Names, VarId};

/// A set of variables of one graph.
#[derive(Debug, Clone)]
pub(crate) struct Marks(Vec<bool>);

impl Marks {
    /// The empty set of variables out of `n`.
    pub(crate) fn none(n: usize) -> Self {
        Self(vec![false; n])
    }

    /// These variables, which may come in any order and more than once.
    pub(crate) fn of(names: &Names, set: &[VarId]) -> Result<Self, Error> {
        let len = names.len();
        let mut marks = Self::none(len);
        for &v in set {
            *marks.0.get_mut(v.index()).ok_or(Error::UnknownVariable { index: v.index(), len })? = true;
        }
        Ok(marks)
    }

    /// These sets, refused if a variable is in two of them.
    pub(crate) fn disjoint<const N: usize>(names: &Names, sets: [&[VarId]; N]) -> Result<[Self; N], Error> {
        let mut all = Self::none(names.len());
        let mut marks = [const { Self(Vec::new()) }; N];
        for (marks, set) in marks.iter_mut().zip(sets) {
            *marks = Self::of(names, set)?;
            for v in marks.sorted() {
                if !all.insert(v) {
                    return Err(Error::OverlappingSets { name: names.get(v).to_owned() });
                }
            }
        }
        Ok(marks)
    }

    pub(crate) fn contains(&self, v: VarId) -> bool {
        self.0[v.index()]
    }

    /// Whether it was not in before.
    pub(crate) fn insert(&mut self, v: VarId) -> bool {
        !std::mem::replace(&mut self.0[v.index()], true)
    }

    /// The variables of the set, in the order of their ids.
    pub(crate) fn sorted(&self) -> Vec<VarId> {
        self.iter(true).collect()
    }

    /// The variables that are not in the set, in the order of their ids.
    pub(crate) fn complement(&self) -> Vec<VarId> {
        self.iter(false).collect()
    }

    fn iter(&self, wanted: bool) -> impl Iterator<Item = VarId> {
        self.0.iter().enumerate().filter(move |&(_, &flag)| flag == wanted).map(|(i, _)| VarId::new(i))
    }

    /// Adds everything that `next` leads to, any number of times. O(nodes and edges reached).
    pub(crate) fn close<'a>(mut self, next: impl Fn(VarId) -> &'a [VarId]) -> Self {
        let mut stack = self.sorted();
        while let Some(v) = stack.pop() {
            stack.extend(next(v).iter().copied().filter(|&w| self.insert(w)));
        }
        self
    }
}
