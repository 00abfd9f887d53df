//! Names of variables, in the order of their ids.

use std::sync::Arc;

use crate::{Error, VarId};

/// The names of the variables of a model: not empty, each once. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    names: Vec<String>,
    /// The ids in the order of their names, for look-ups.
    sorted: Vec<VarId>,
}

impl Names {
    /// These names, for the ids 0, 1, ….
    ///
    /// # Errors
    /// An empty name, or one that comes twice.
    pub fn new<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Result<Self, Error> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let mut sorted: Vec<VarId> = (0..names.len()).map(VarId::new).collect();
        sorted.sort_by(|a, b| names[a.index()].cmp(&names[b.index()]));
        if let Some(position) = names.iter().position(String::is_empty) {
            return Err(Error::EmptyName { position });
        }
        if let Some(pair) = sorted.windows(2).find(|pair| names[pair[0].index()] == names[pair[1].index()]) {
            return Err(Error::DuplicateName { name: names[pair[0].index()].clone() });
        }
        Ok(Self(Arc::new(Inner { names, sorted })))
    }

    /// X0, X1, …: the names of `n` variables that have none of their own.
    pub fn numbered(n: usize) -> Self {
        let names: Vec<String> = (0..n).map(|i| format!("X{i}")).collect();
        let mut sorted: Vec<VarId> = (0..n).map(VarId::new).collect();
        sorted.sort_by(|a, b| names[a.index()].cmp(&names[b.index()]));
        Self(Arc::new(Inner { names, sorted }))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.names.is_empty()
    }

    /// The name of `v`.
    ///
    /// # Panics
    /// If `v` is not a variable of these names.
    #[track_caller]
    pub fn get(&self, v: VarId) -> &str {
        &self.0.names[v.index()]
    }

    /// The variable called `name`, O(log n).
    pub fn find(&self, name: &str) -> Option<VarId> {
        let sorted = &self.0.sorted;
        let place = sorted.binary_search_by(|&v| self.0.names[v.index()].as_str().cmp(name)).ok()?;
        Some(sorted[place])
    }

    /// The variable called `name`.
    ///
    /// # Errors
    /// If there is none: the error has the name that looks most like it.
    pub fn require(&self, name: &str) -> Result<VarId, Error> {
        self.find(name).ok_or_else(|| Error::UnknownName {
            name: name.to_owned(),
            nearest: self.nearest(name).map(ToOwned::to_owned),
        })
    }

    /// The variables called like this, in this order.
    ///
    /// # Errors
    /// If one does not exist, as [`Names::require`].
    pub fn require_all<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<Vec<VarId>, Error> {
        names.into_iter().map(|name| self.require(name)).collect()
    }

    /// All names, in the order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.names.iter().map(String::as_str)
    }

    /// The name that looks most like `name`: the same but for letter case, at most a third of the letters
    /// changed, or the same beginning.
    fn nearest(&self, name: &str) -> Option<&str> {
        let asked: Vec<char> = name.to_lowercase().chars().take(LONGEST_COMPARED).collect();
        let (mut best, mut least) = (None, asked.len() / 3 + 1);
        for known in self.iter() {
            let letters: Vec<char> = known.to_lowercase().chars().take(LONGEST_COMPARED).collect();
            let changes = changes(&asked, &letters);
            if changes < least {
                (best, least) = (Some(known), changes);
            }
        }
        let lower = name.to_lowercase();
        best.or_else(|| {
            self.iter().find(|known| !name.is_empty() && known.to_lowercase().starts_with(&lower))
        })
    }
}

/// How many letters of a name are looked at to find one that looks like it.
const LONGEST_COMPARED: usize = 64;

/// How many letters must be added, taken away, replaced or swapped with the next one to make `b` of `a`
/// (Damerau 1964). O(a b).
fn changes(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i];
        for j in 1..=b.len() {
            let replaced = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}
