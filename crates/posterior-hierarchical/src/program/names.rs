//! Names of effects as the language can have them.

use std::collections::BTreeSet;

/// The names that were given.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// A new one for an effect: `school` of `school`, `smooth_x` of `smooth(x)`.
    pub(super) fn give(&mut self, effect: &str) -> String {
        let mut name = String::new();
        for c in effect.chars() {
            if c.is_ascii_alphanumeric() {
                name.push(c);
            } else if !name.ends_with('_') {
                name.push('_');
            }
        }
        let name = name.trim_matches('_');
        let name = if name.is_empty() { "effect" } else { name };
        let all = std::iter::once(name.to_owned()).chain((2..).map(|i| format!("{name}_{i}")));
        let free = all.into_iter().find(|own| !self.0.contains(own)).unwrap_or_default();
        self.0.insert(free.clone());
        free
    }
}
