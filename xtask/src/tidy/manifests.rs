//! Manifests: a crate that forgets to take the lints of the workspace escapes all of them, `unsafe` included.

/// The finding about the lints of a manifest.
pub(super) fn check(text: &str) -> Option<(usize, String)> {
    let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let message = "the manifest says `[lints]` and `workspace = true`".to_owned();
    let Some((line, _)) = lines.find(|&(_, line)| line == "[lints]") else {
        return Some((1, message));
    };
    let inherits = lines.take_while(|(_, line)| !line.starts_with('[')).any(|(_, line)| {
        let words: Vec<&str> = line.split(['=', '#']).map(str::trim).collect();
        words.starts_with(&["workspace", "true"])
    });
    (!inherits).then_some((line, message))
}
