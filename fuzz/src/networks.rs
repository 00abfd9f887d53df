//! The properties that every network keeps that was read from a file.

use posterior_pgm::{BayesianNetwork, GraphicalModel, NetworkFile, bif, uai, xmlbif};

/// The network written and read again, in every format that can be written.
///
/// # Panics
/// If a round trip changes a name or a number.
pub fn round_trips(file: &NetworkFile) {
    rows_add_up(&file.network);
    if let Ok(text) = bif::write(file) {
        let again = bif::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!(again.network, file.network, "{text}");
    }
    if let Ok(text) = xmlbif::write(file) {
        let again = xmlbif::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!(again.network, file.network, "{text}");
    }
    let text = uai::write(&file.network);
    let again = uai::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert_eq!(uai::write(&again.model), text);
}

fn rows_add_up(network: &BayesianNetwork) {
    for v in network.variables().ids() {
        let total = network.cpt(v).total();
        let rows = (network.cpt(v).values().len() / network.variables().card(v)) as f64;
        assert!((total - rows).abs() <= 1e-6 * rows, "variable {v:?}: {total} in {rows} rows");
    }
}
