//! The known name that looks most like a mistyped one.

/// The nearest of `known` to `name`: at most a third of its letters differ, and three.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.len() / 3).min(3);
    let best = known.into_iter().filter(|one| one.len().abs_diff(name.len()) <= limit && *one != name);
    best.map(|one| (distance(name, one), one)).filter(|(d, _)| *d <= limit).min().map(|(_, one)| one)
}

/// How many letters to insert, delete, change or swap with the next.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before = vec![0; b.len() + 1];
    let mut last = (0..=b.len()).collect::<Vec<_>>();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
