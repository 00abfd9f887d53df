//! The State of the Union counts against their source files, when these are beside the checkout.

use posterior_datasets::sotu::{self, Delivery};
use posterior_testkit::shared::shared_file;

#[test]
fn the_totals_are_the_published_ones() {
    let sotu = sotu::load();
    assert_eq!(sotu.addresses.len(), 241);
    assert_eq!(sotu.vocabulary.len(), 10_000);
    assert_eq!(sotu.entries(), 338_114);
    assert_eq!(sotu.tokens(), 752_659);
    let lengths = sotu.addresses.iter().map(sotu::Address::tokens);
    assert_eq!((lengths.clone().min(), lengths.max()), (Some(354), Some(15_283)));
}

#[test]
fn values_keep_their_promises() {
    let sotu = sotu::load();
    assert!(sotu.vocabulary.is_sorted_by(|a, b| a < b));
    assert!(sotu.addresses.is_sorted_by_key(|address| address.year));
    let mut names: Vec<&str> = sotu.addresses.iter().map(|address| address.name.as_str()).collect();
    names.sort_unstable();
    assert!(names.is_sorted_by(|a, b| a < b), "names are unique");
    for address in &sotu.addresses {
        assert!(address.counts.is_sorted_by(|a, b| a.0 < b.0), "{}", address.name);
        assert!(address.counts.iter().all(|&(word, count)| word < 10_000 && count > 0));
    }
}

#[test]
fn every_word_is_in_at_least_five_addresses_and_at_most_nine_tenths() {
    let sotu = sotu::load();
    let mut addresses_with = vec![0; sotu.vocabulary.len()];
    for &(word, _) in sotu.addresses.iter().flat_map(|address| &address.counts) {
        addresses_with[word as usize] += 1;
    }
    assert!(addresses_with.iter().all(|n| (5..=216).contains(n)));
}

#[test]
fn every_count_and_word_is_that_of_the_source() {
    let Some(folder) = shared_file("the embedded State of the Union counts", "data/sotu") else { return };
    let sotu = sotu::load();
    let words = std::fs::read_to_string(folder.join("vocab.txt")).unwrap();
    assert!(words.lines().eq(sotu.vocabulary.iter().map(String::as_str)));
    let counts = std::fs::read_to_string(folder.join("docword.txt")).unwrap();
    let expected = counts.lines().skip(3).map(|line| {
        let mut numbers = line.split(' ').map(|number| number.parse::<u32>().unwrap());
        (numbers.next().unwrap(), numbers.next().unwrap(), numbers.next().unwrap())
    });
    let decoded = (1..)
        .zip(&sotu.addresses)
        .flat_map(|(d, address)| address.counts.iter().map(move |&(word, count)| (d, word + 1, count)));
    assert!(expected.eq(decoded));
}

#[test]
fn every_address_is_that_of_the_source() {
    let Some(folder) = shared_file("the embedded State of the Union counts", "data/sotu") else { return };
    let sotu = sotu::load();
    let meta = std::fs::read_to_string(folder.join("meta.csv")).unwrap();
    let rows: Vec<Vec<&str>> = meta.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), sotu.addresses.len());
    for (row, address) in rows.iter().zip(&sotu.addresses) {
        assert_eq!(row[1], address.year.to_string());
        assert_eq!((row[2], row[3]), (address.president.as_str(), address.party.as_str()));
        assert_eq!(row[4], if address.form == Delivery::Speech { "speech" } else { "written" });
        assert_eq!(row[5], format!("{}.txt", address.name));
        assert_eq!(row[6], address.tokens().to_string());
    }
}

#[test]
fn exported_files_are_the_source_byte_for_byte() {
    let Some(folder) = shared_file("the embedded State of the Union counts", "data/sotu") else { return };
    for file in posterior_datasets::find("sotu").unwrap().files {
        let mut bytes = Vec::new();
        file.write_to(&mut bytes).unwrap();
        assert!(bytes == std::fs::read(folder.join(file.name)).unwrap(), "{} differs", file.name);
    }
}
