//! Models, evidence, queries and answers in the formats of the UAI competition.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_pgm::{Variables, uai};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = uai::read(bytes) {
        let text = uai::write(&file.model);
        let again = uai::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!(uai::write(&again.model), text);
    }
    let variables = Variables::numbered(&[2, 3, 4]).expect("sizes");
    for evidence in uai::read_evidence(bytes, &variables).into_iter().flatten() {
        evidence.check(&variables).expect("evidence that was read");
        if let Ok(text) = uai::write_evidence(&evidence) {
            assert_eq!(uai::read_evidence(text.as_bytes(), &variables), Ok(vec![evidence]), "{text}");
        }
    }
    if let Ok(query) = uai::read_query(bytes, &variables) {
        assert_eq!(uai::read_query(uai::write_query(&query).as_bytes(), &variables), Ok(query));
    }
    if let Ok(answer) = uai::read_answer(bytes) {
        let text = uai::write_answer(&answer);
        let again = uai::read_answer(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!(uai::write_answer(&again), text);
    }
});
