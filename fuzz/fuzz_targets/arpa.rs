//! n-gram models in the ARPA format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_text::ngram::{LanguageModel, arpa};

fuzz_target!(|bytes: &[u8]| {
    let Ok((model, alphabet)) = arpa::read(bytes) else { return };
    let mut text = Vec::new();
    arpa::write(&model, &alphabet, &mut text).expect("memory");
    let (again, names) = arpa::read(text.as_slice())
        .unwrap_or_else(|error| panic!("{error} in\n{}", String::from_utf8_lossy(&text)));
    assert_eq!((again.order(), names.len()), (model.order(), alphabet.len()));
    let mut state = model.begin();
    for symbol in 0..alphabet.len().min(20) {
        let (probability, next) = model.step(state, symbol);
        assert!((0.0..=1e300).contains(&probability), "symbol {symbol}: {probability}");
        state = next;
    }
});
