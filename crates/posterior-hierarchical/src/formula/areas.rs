//! Maps as their areas and who is whose neighbour.

use std::collections::{BTreeMap, BTreeSet};

/// The areas of a map by their names, with their neighbours.
///
/// ```
/// use posterior_hierarchical::AreaMap;
///
/// let map = AreaMap::from_pairs([("north", "centre"), ("centre", "south")]);
/// assert_eq!(map.names(), ["centre", "north", "south"]);
/// assert_eq!(map.neighbours(), [vec![1, 2], vec![0], vec![0]]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AreaMap {
    names: Vec<String>,
    neighbours: Vec<Vec<usize>>,
}

impl AreaMap {
    /// The areas of pairs of neighbours, each pair in one order or in both; an area beside itself has no
    /// neighbours by that. Areas are in their alphabetical order.
    pub fn from_pairs<S: AsRef<str>>(pairs: impl IntoIterator<Item = (S, S)>) -> Self {
        let pairs: Vec<(S, S)> = pairs.into_iter().collect();
        let mut places: BTreeMap<&str, usize> =
            pairs.iter().flat_map(|(a, b)| [(a.as_ref(), 0), (b.as_ref(), 0)]).collect();
        places.values_mut().enumerate().for_each(|(place, own)| *own = place);
        let mut sets = vec![BTreeSet::new(); places.len()];
        for (a, b) in &pairs {
            let (a, b) = (places[a.as_ref()], places[b.as_ref()]);
            if a != b {
                sets[a].insert(b);
                sets[b].insert(a);
            }
        }
        let names = places.into_keys().map(str::to_owned).collect();
        Self { names, neighbours: sets.into_iter().map(|set| set.into_iter().collect()).collect() }
    }

    /// The names of the areas.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The neighbours of each area, by their places.
    pub fn neighbours(&self) -> &[Vec<usize>] {
        &self.neighbours
    }
}
