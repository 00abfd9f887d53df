//! The list of data sets.

use posterior_datasets::{all, find};

#[test]
fn names_are_sorted_and_unique() {
    assert!(all().is_sorted_by(|a, b| a.name < b.name));
}

#[test]
fn every_set_says_where_it_is_from_and_writes_every_file() {
    for set in all() {
        assert!(!set.title.is_empty() && !set.rows.is_empty());
        assert!(set.provenance.contains("Source:") && set.provenance.contains("Terms:"), "{}", set.name);
        for file in set.files {
            let mut bytes = Vec::new();
            file.write_to(&mut bytes).unwrap();
            assert!(bytes.ends_with(b"\n"), "{}/{}", set.name, file.name);
        }
    }
}

#[test]
fn a_set_is_found_by_its_name_only() {
    assert_eq!(find("sotu").map(|set| set.files.len()), Some(3));
    assert!(find("SOTU").is_none());
}
