//! The names of the numbers of two kernels, each once.

/// The most names that a composite may have; more do not compile.
const MOST: usize = 64;

/// Names, and how many.
pub(crate) type Names = ([&'static str; MOST], usize);

/// The names of `first`, then those of `second` that are new.
pub(crate) const fn joined(first: &[&'static str], second: &[&'static str]) -> Names {
    let mut names = [""; MOST];
    let mut len = 0;
    while len < first.len() {
        names[len] = first[len];
        len += 1;
    }
    let mut i = 0;
    while i < second.len() {
        if place(first, second[i]) == first.len() {
            names[len] = second[i];
            len += 1;
        }
        i += 1;
    }
    (names, len)
}

/// Where the name is, or how many names there are.
const fn place(names: &[&str], name: &str) -> usize {
    let mut i = 0;
    while i < names.len() && !same(names[i].as_bytes(), name.as_bytes()) {
        i += 1;
    }
    i
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn names_of_both_come_once_and_in_order() {
        let (names, len) = joined(&["a", "bc"], &["b", "bc", "d"]);
        assert_eq!(names[..len], ["a", "bc", "b", "d"]);
        assert_eq!(joined(&[], &[]).1, 0);
    }
}
