//! The contexts of a text and what comes after them, the short ones before the long ones.

use super::{CLASSES, Symbol};

/// Probabilities of the classes.
pub(super) type ClassProbabilities = [f64; CLASSES];

/// The distribution below all contexts.
pub(super) const UNIFORM: ClassProbabilities = [1.0 / CLASSES as f64; CLASSES];

/// Stands for what is before the beginning of a text: no character.
const BEGIN: u32 = u32::MAX;

/// The contexts of 0, 1, …, d characters that a text has, with counts of the class of the next character.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ContextTree {
    /// By length.
    levels: Vec<Level>,
}

/// The contexts of one length. Those that end alike are next to each other.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Level {
    /// The oldest character of each context.
    oldest: Vec<u32>,
    /// Where the contexts which are one character longer begin; one more than there are contexts.
    children: Vec<usize>,
    /// The context without its oldest character.
    pub(super) parents: Vec<usize>,
    /// How often each class follows.
    pub(super) counts: Vec<[u32; CLASSES]>,
}

impl ContextTree {
    /// Contexts of up to `depth` characters. Where a text is too short for a context, its beginning is part
    /// of it.
    ///
    /// O(T d ln T).
    pub(super) fn of(texts: &[&str], depth: usize) -> Self {
        let texts: Vec<Vec<u32>> = texts.iter().map(|text| padded(text, depth)).collect();
        // Positions of characters with a successor, sorted by what is before and at them, read backwards.
        let positions = texts.iter().enumerate().flat_map(|(number, text)| {
            (depth..text.len().saturating_sub(1)).map(move |position| (number, position))
        });
        let mut positions: Vec<(usize, usize)> = positions.collect();
        let context = |&(number, position): &(usize, usize)| &texts[number][position + 1 - depth..=position];
        positions.sort_by(|left, right| context(left).iter().rev().cmp(context(right).iter().rev()));
        let class = |&(number, position): &(usize, usize)| class_of(texts[number][position + 1]);

        let mut levels = vec![Level::default(); depth + 1];
        for (index, position) in positions.iter().enumerate() {
            let here = context(position);
            // How many characters this context has in common with the one before it, from the end.
            let shared = match index.checked_sub(1).map(|before| context(&positions[before])) {
                Some(before) => {
                    before.iter().rev().zip(here.iter().rev()).take_while(|(a, b)| a == b).count() + 1
                }
                None => 0,
            };
            for length in shared..=depth {
                let parent = length.checked_sub(1).map(|above| levels[above].counts.len() - 1);
                let children = levels.get(length + 1).map_or(0, |below| below.counts.len());
                let level = &mut levels[length];
                level.oldest.push(if length == 0 { BEGIN } else { here[depth - length] });
                level.parents.push(parent.unwrap_or(0));
                level.children.push(children);
                level.counts.push([0; CLASSES]);
            }
            for level in &mut levels {
                if let Some(counts) = level.counts.last_mut() {
                    counts[class(position)] += 1;
                }
            }
        }
        for length in 0..=depth {
            let end = levels.get(length + 1).map_or(0, |below| below.counts.len());
            levels[length].children.push(end);
        }
        Self { levels }
    }

    /// The distributions after all contexts by length, the short ones first: each from its length, its number
    /// and the distribution after the context without its oldest character.
    pub(super) fn distributions(
        &self,
        distribution: impl Fn(usize, usize, &ClassProbabilities) -> ClassProbabilities,
    ) -> Vec<Vec<ClassProbabilities>> {
        let mut all: Vec<Vec<ClassProbabilities>> = Vec::new();
        for (length, level) in self.levels.iter().enumerate() {
            let below = |parent: usize| all.last().map_or(UNIFORM, |shorter| shorter[parent]);
            let contexts = level.parents.iter().enumerate();
            let here = contexts.map(|(node, &parent)| distribution(length, node, &below(parent))).collect();
            all.push(here);
        }
        all
    }

    /// The contexts by length.
    pub(super) fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The contexts of 0, 1, … of the last characters of `before` that the text had: their numbers, as many
    /// as it had.
    pub(super) fn path(&self, before: &[char]) -> Vec<usize> {
        let Some(root) = self.levels.first().filter(|root| !root.counts.is_empty()) else {
            return Vec::new();
        };
        let mut path = vec![0];
        let mut level = root;
        let backwards = before.iter().rev().map(|&c| u32::from(c)).chain(std::iter::repeat(BEGIN));
        for (below, character) in self.levels[1..].iter().zip(backwards) {
            let node = path[path.len() - 1];
            let range = level.children[node]..level.children[node + 1];
            match below.oldest[range.clone()].binary_search(&character) {
                Ok(place) => path.push(range.start + place),
                Err(_) => break,
            }
            level = below;
        }
        path
    }
}

/// The characters of a text with its beginning before them.
fn padded(text: &str, depth: usize) -> Vec<u32> {
    std::iter::repeat_n(BEGIN, depth).chain(text.chars().map(u32::from)).collect()
}

fn class_of(character: u32) -> usize {
    char::from_u32(character).map_or(Symbol::Other, Symbol::of) as usize
}

/// How many contexts one character longer have each class, and the counts themselves of the longest.
pub(super) fn continuations(tree: &ContextTree) -> Vec<Vec<[u32; CLASSES]>> {
    let levels = tree.levels();
    let mut counts: Vec<Vec<[u32; CLASSES]>> =
        levels.iter().map(|level| vec![[0; CLASSES]; level.counts.len()]).collect();
    for length in 1..levels.len() {
        for (below, &parent) in levels[length].counts.iter().zip(&levels[length].parents) {
            for class in 0..CLASSES {
                counts[length - 1][parent][class] += u32::from(below[class] > 0);
            }
        }
    }
    if let (Some(longest), Some(level)) = (counts.last_mut(), levels.last()) {
        longest.clone_from(&level.counts);
    }
    counts
}

/// n₁ / (n₁ + 2 n₂), with how many counts are one and two; a half where there is none.
pub(super) fn discount(counts: &[[u32; CLASSES]]) -> f64 {
    let number = |k: u32| counts.iter().flatten().filter(|&&count| count == k).count() as f64;
    let (ones, twos) = (number(1), number(2));
    if ones > 0.0 && twos > 0.0 { ones / (ones + 2.0 * twos) } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn counts_are_those_of_a_dictionary() {
        let texts = ["abab.ab!", "", "b", "bab, ab. a"];
        let tree = ContextTree::of(&texts, 3);
        let mut slow: BTreeMap<String, [u32; CLASSES]> = BTreeMap::new();
        for text in texts {
            let characters: Vec<char> = "\u{1}\u{1}\u{1}".chars().chain(text.chars()).collect();
            for t in 3..characters.len().saturating_sub(1) {
                for length in 0..=3 {
                    let context: String = characters[t + 1 - length..=t].iter().collect();
                    slow.entry(context).or_default()[Symbol::of(characters[t + 1]) as usize] += 1;
                }
            }
        }
        assert_eq!(tree.levels().iter().map(|level| level.counts.len()).sum::<usize>(), slow.len());
        for (context, counts) in &slow {
            let before: Vec<char> = context.chars().filter(|&c| c != '\u{1}').collect();
            let path = tree.path(&before);
            let length = context.chars().count();
            assert_eq!(tree.levels()[length].counts[path[length]], *counts, "{context:?}");
        }
        assert_eq!(tree.path(&['z']), [0]);
        assert!(ContextTree::of(&[], 2).path(&['a']).is_empty());
    }
}
