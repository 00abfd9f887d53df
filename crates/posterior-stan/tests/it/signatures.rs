//! The table of signatures against the list of Stan's compiler.

use std::collections::BTreeSet;
use std::io::Read as _;

use flate2::read::GzDecoder;
use posterior_stan::{function_names, functions_page, signatures};
use posterior_testkit::shared::shared_file;

/// `name(types) => type` of every form, one a line.
fn ours() -> BTreeSet<String> {
    let forms =
        |name: &str| signatures(name).unwrap().iter().map(|form| format!("{name}{form}")).collect::<Vec<_>>();
    function_names().flat_map(forms).collect()
}

/// Which arguments take data only is not in the list of Stan's compiler, so that it is not compared here.
#[test]
fn the_table_has_the_forms_of_stans_library() {
    let Some(file) = shared_file("stan_signatures", "data/stan_programs/signatures.txt.gz") else { return };
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    let theirs = text.lines().filter(|line| line.contains("=>")).map(|line| line.trim().to_owned());
    let theirs: BTreeSet<String> = theirs.collect();
    let ours = ours();
    println!("signatures: {} here, {} there", ours.len(), theirs.len());
    let missing: Vec<_> = theirs.difference(&ours).collect();
    let extra: Vec<_> = ours.difference(&theirs).collect();
    assert!(missing.is_empty(), "{} are missing: {missing:#?}", missing.len());
    assert!(extra.is_empty(), "{} are known here alone: {extra:#?}", extra.len());
    assert!(theirs.len() >= 24_000);
}

/// What the patterns mean, by counts: a product of four kinds thrice, arrays of 0 to 7 dimensions, and so on.
#[test]
fn patterns_mean_products_and_dimensions() {
    let count = |name: &str| signatures(name).unwrap().len();
    assert_eq!(count("normal_lpdf"), 4 * 4 * 4);
    assert_eq!(count("normal_rng"), 6 * 6);
    assert_eq!(count("poisson_lpmf"), 2 * 4);
    assert_eq!(count("inv_logit"), 5 * 8);
    assert_eq!(count("append_array"), 9 * 7);
    assert!(signatures("no_such_function").is_none());
    let shown: Vec<String> = signatures("bernoulli_rng").unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "(int) => int",
            "(real) => int",
            "(vector) => array[] int",
            "(row_vector) => array[] int",
            "(array[] int) => array[] int",
            "(array[] real) => array[] int",
        ]
    );
}

#[test]
fn the_page_in_the_documentation_is_that_of_the_table() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/stan-functions.md");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(
        page == functions_page(),
        "run `cargo run -p posterior-stan --example functions_page > docs/stan-functions.md`"
    );
}

#[test]
fn the_page_names_every_function() {
    let page = functions_page();
    for name in function_names() {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}
