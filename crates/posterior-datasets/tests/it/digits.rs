//! Handwritten digits, against their source when it is beside the checkout.

use posterior_datasets::digits::{load, write_digits};
use posterior_testkit::shared::shared_file;

#[test]
fn counts_and_ink_are_those_that_scikit_learn_states() {
    let images = load();
    let count = |digit: u8| images.iter().filter(|own| own.digit == digit).count();
    // Of the description of load_digits, and the sum of all pixels by NumPy.
    assert_eq!(
        std::array::from_fn(|digit| count(digit as u8)),
        [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    );
    let ink: u32 = images.iter().flat_map(|own| own.pixels).map(u32::from).sum();
    assert_eq!(ink, 561_718);
    assert!(images.iter().flat_map(|own| own.pixels).all(|pixel| pixel <= 16));
}

#[test]
fn every_pixel_is_that_of_the_source() {
    let Some(file) = shared_file("the embedded digits", "data/tabular/digits8x8.csv") else { return };
    let mut table = Vec::new();
    write_digits(&mut table).unwrap();
    assert_eq!(String::from_utf8(table).unwrap(), std::fs::read_to_string(file).unwrap());
}
