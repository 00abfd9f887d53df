//! Graphs of uses: which modules reach each other, and which uses to mend first.

use std::collections::{BTreeMap, BTreeSet};

use super::Uses;

/// Places that are printed of one use; the others are counted.
const SHOWN: usize = 3;

/// The sets of two modules or more that all reach each other, in the order of their names.
pub(super) fn knots(uses: &Uses) -> Vec<Vec<String>> {
    let mut next: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in uses.keys() {
        next.entry(from).or_default().insert(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        next.keys().map(|&from| (from, reachable(from, &next))).collect();
    let mutual = |a: &str, b: &str| {
        let reaches = |x, y| reached.get(x).is_some_and(|set: &BTreeSet<&str>| set.contains(y));
        reaches(a, b) && reaches(b, a)
    };
    let mut done = BTreeSet::new();
    let mut found = Vec::new();
    for &name in next.keys() {
        if done.contains(name) {
            continue;
        }
        let members: Vec<&str> =
            next.keys().copied().filter(|&other| other == name || mutual(name, other)).collect();
        done.extend(members.iter().copied());
        if members.len() > 1 {
            found.push(members.into_iter().map(str::to_owned).collect());
        }
    }
    found
}

fn reachable<'a>(from: &'a str, next: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(name) = open.pop() {
        for &to in next.get(name).into_iter().flatten() {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}

/// The uses against a good order of the members: who uses most and is used least comes first (P. Eades, X.
/// Lin and W. F. Smyth 1993).
pub(super) fn closing(members: &[String], uses: &Uses) -> Vec<String> {
    let mut left: BTreeSet<&String> = members.iter().collect();
    let mut closing = Vec::new();
    while let Some(&first) = left.iter().max_by_key(|name| surplus(name, &left, uses)) {
        left.remove(first);
        for ((from, to), places) in uses {
            if to == first && left.contains(from) {
                closing.push(shown(from, to, places));
            }
        }
    }
    closing
}

/// Uses by a module less uses of it, among those that are left.
fn surplus(name: &String, left: &BTreeSet<&String>, uses: &Uses) -> isize {
    let count = |places: &BTreeSet<(String, usize)>| places.len().cast_signed();
    uses.iter()
        .map(|((from, to), places)| match (from == name, to == name) {
            (true, _) if left.contains(to) => count(places),
            (_, true) if left.contains(from) => -count(places),
            _ => 0,
        })
        .sum()
}

fn shown(from: &str, to: &str, places: &BTreeSet<(String, usize)>) -> String {
    let lines: Vec<String> = places.iter().take(SHOWN).map(|(file, line)| format!("{file}:{line}")).collect();
    let more = places.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{from} uses {to}: {}{more}", lines.join(" "))
}
