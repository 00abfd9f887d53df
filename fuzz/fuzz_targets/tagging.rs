//! Columns, lists of attributes and saved models of the conditional random field.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_text::columns::{
    AttributeReader, Separator, TableReader, write_attribute_lists, write_tables,
};
use posterior_sequence::crf::ConditionalRandomField;
use posterior_text::templates::Templates;

fuzz_target!(|bytes: &[u8]| {
    for separator in [Separator::Blanks, Separator::Tab] {
        let read =
            |bytes: &[u8]| TableReader::new(bytes).with_separator(separator).collect::<Result<Vec<_>, _>>();
        if let Ok(tables) = read(bytes) {
            let mut out = Vec::new();
            if write_tables(&mut out, &tables, separator).is_ok() {
                assert_eq!(read(&out).map(|tables| tables.len()).ok(), Some(tables.len()));
            }
            for table in &tables {
                for token in 0..table.len() {
                    let _ = Templates::chunking().attributes(table, token);
                }
            }
        }
    }
    let read = |bytes: &[u8]| AttributeReader::new(bytes).collect::<Result<Vec<_>, _>>();
    if let Ok(lists) = read(bytes) {
        let mut out = Vec::new();
        if write_attribute_lists(&mut out, &lists).is_ok() {
            let again =
                read(&out).unwrap_or_else(|error| panic!("{error} in {:?}", String::from_utf8_lossy(&out)));
            assert_eq!(again.len(), lists.len());
        }
    }
    if let Ok(model) = ConditionalRandomField::from_json(bytes) {
        let mut out = Vec::new();
        model.to_json(&mut out).expect("memory");
        let again = ConditionalRandomField::from_json(&out).expect("a model that was written");
        assert_eq!(again.weights(), model.weights());
        let mut sequence = model.sequence();
        for _ in 0..3 {
            let _ = sequence.present(["a", "b"]).map(|_| ());
        }
        let sequence = sequence.finish();
        let (path, marginals) = (model.tag(&sequence), model.marginals(&sequence));
        let _ = (path, marginals);
    }
});
