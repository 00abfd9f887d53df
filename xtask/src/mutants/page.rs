//! The page of documentation.

use super::outcomes::Outcomes;

/// What stands above the table, where there is no page yet.
const INTRODUCTION: &str = "# Mutants

Whether tests notice when the code is wrong: cargo-mutants changes one operator or one result at a time, and the tests of the crate should fail. A
row is a random sample of all such changes; \"noticed\" counts those that fail a test or never end, of those that compile.

`cargo xtask mutants -p CRATE --sample 100 --seed N --write` writes a row. What is below the table is written by hand.

";

/// The head of the table.
const HEAD: &str = "| crate | changes | tried | seed | noticed | not noticed | do not compile |
|---|--:|--:|--:|--:|--:|--:|
";

/// A row of the table.
pub(super) fn row(package: &str, all: usize, seed: u64, found: &Outcomes) -> String {
    let [caught, timeout, missed, unviable] = found.counts();
    let (noticed, tried) = (caught + timeout, caught + timeout + missed + unviable);
    let percent = 100.0 * noticed as f64 / (noticed + missed).max(1) as f64;
    format!("| {package} | {all} | {tried} | {seed} | {noticed} ({percent:.0} %) | {missed} | {unviable} |")
}

/// The page with this row in the place of the one of the same crate and seed, or as the last one; all else
/// stays.
pub(super) fn updated(before: &str, row: &str) -> String {
    let (introduction, rest) = before.split_once(HEAD).unwrap_or((INTRODUCTION, ""));
    let length: usize =
        rest.split_inclusive('\n').take_while(|line| line.starts_with('|')).map(str::len).sum();
    let (table, below) = rest.split_at(length);
    let mut rows: Vec<&str> = table.lines().collect();
    match rows.iter_mut().find(|own| key(own) == key(row)) {
        Some(own) => *own = row,
        None => rows.push(row),
    }
    rows.sort_by_key(|own| key(own));
    let table: String = rows.iter().map(|own| [own, "\n"].concat()).collect();
    format!("{introduction}{HEAD}{table}{below}")
}

/// The crate and the seed of a row.
fn key(row: &str) -> (&str, &str) {
    let cell = |place| row.split('|').nth(place).unwrap_or_default().trim();
    (cell(1), cell(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_takes_its_place_and_the_rest_stays() {
        let first = updated("", "| b | 9 | 3 | 1 | 2 |");
        assert!(first.starts_with("# Mutants") && first.ends_with("|\n| b | 9 | 3 | 1 | 2 |\n"), "{first}");
        let page = format!("{first}\nBy hand.\n");
        let second = updated(&page, "| a | 5 | 2 | 1 | 2 |");
        assert!(
            second.ends_with("--:|\n| a | 5 | 2 | 1 | 2 |\n| b | 9 | 3 | 1 | 2 |\n\nBy hand.\n"),
            "{second}"
        );
        let third = updated(&second, "| b | 9 | 4 | 1 | 4 |");
        assert!(third.contains("| a | 5 | 2 | 1 | 2 |\n| b | 9 | 4 | 1 | 4 |\n\nBy hand.\n"), "{third}");
        assert_eq!(updated(&third, "| b | 9 | 4 | 2 | 4 |").lines().count(), third.lines().count() + 1);
    }

    #[test]
    fn a_row_has_proportions() {
        assert_eq!(row("a", 7, 3, &Outcomes::default()), "| a | 7 | 0 | 3 | 0 (0 %) | 0 | 0 |");
    }
}
