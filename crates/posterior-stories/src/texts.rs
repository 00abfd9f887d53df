//! Texts that are old enough to be embedded.

/// Where the addresses are from.
pub(crate) const LINCOLN: &str = "Abraham Lincoln's messages to Congress of 1861 to 1864: works of the United States government, in the public domain, \
                                  from the R package sotu 1.0.4.";

/// The messages of 1861, 1862, 1863 and 1864, with one space for each run of white space.
pub(crate) fn addresses() -> [String; 4] {
    [
        include_str!("../texts/1861_Abraham-Lincoln.txt"),
        include_str!("../texts/1862_Abraham-Lincoln.txt"),
        include_str!("../texts/1863_Abraham-Lincoln.txt"),
        include_str!("../texts/1864_Abraham-Lincoln.txt"),
    ]
    .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
}
