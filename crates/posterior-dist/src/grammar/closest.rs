//! Which name may have been meant.

/// The name with the fewest letters inserted, deleted, replaced or swapped, if these are at most a third of
/// them.
pub(crate) fn closest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let letters = |text: &str| -> Vec<char> {
        text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let name = letters(name);
    // A distribution's name is short: what is longer resembles none of them, and need not be compared.
    if name.is_empty() || name.len() > 64 {
        return None;
    }
    let candidates = names.iter().map(|&candidate| {
        let other = letters(candidate);
        (distance(&name, &other), name.len().max(other.len()), candidate)
    });
    let close = candidates.filter(|&(distance, length, _)| 3 * distance <= length.max(3));
    close.min_by_key(|&(distance, ..)| distance).map(|(.., candidate)| candidate)
}

/// The Damerau-Levenshtein distance (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if swapped {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_other_words_are_not() {
        let names = ["gamma", "normal", "student_t", "beta", "half_normal"];
        assert_eq!(closest("gama", &names), Some("gamma"));
        assert_eq!(closest("nomral", &names), Some("normal"));
        assert_eq!(closest("StudentT", &names), Some("student_t"));
        assert_eq!(closest("halfnormal", &names), Some("half_normal"));
        assert_eq!(closest("zeta", &names), Some("beta"));
        assert_eq!(closest("weibull", &names), None);
        assert_eq!(closest("", &names), None);
        assert_eq!(closest(&"gamma".repeat(1000), &names), None);
    }
}
