//! Networks in the format BIF: refused with a place, or a network that survives its round trips.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_fuzz::networks;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = posterior_pgm::bif::read(bytes) {
        networks::round_trips(&file);
    }
    let _ = posterior_pgm::read_model(bytes);
});
