//! Tables of draws, our own and those of CmdStan, and what diagnostics make of them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_sampling::Draws;

fuzz_target!(|bytes: &[u8]| {
    let Ok(draws) = Draws::read_csv(bytes) else { return };
    let mut text = Vec::new();
    draws.write_csv(&mut text).expect("memory");
    let again = Draws::read_csv(text.as_slice());
    let again = again.unwrap_or_else(|error| panic!("{error} in\n{}", String::from_utf8_lossy(&text)));
    assert_eq!((again.chains(), again.len(), again.names()), (draws.chains(), draws.len(), draws.names()));
    let mut out = Vec::new();
    draws.write_arviz_json(&mut out).expect("memory");
    let _ = draws.summary();
});
