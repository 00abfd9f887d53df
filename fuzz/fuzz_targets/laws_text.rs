//! Texts of laws on the real line and of laws of vectors: read, printed, read again, and every law of a law.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_dist::stream::stream;
use posterior_dist::text::{AnyLaw, AnyVectorLaw, Call};
use posterior_fuzz::{line, rereads};

const NUMBERS: [f64; 12] =
    [f64::NEG_INFINITY, -1e10, -1.0, 0.0, 1e-300, 0.25, 0.5, 1.0, 2.0, 1e5, f64::INFINITY, f64::NAN];

fuzz_target!(|text: &str| {
    if text.len() > 400 {
        return;
    }
    let _ = text.parse::<Call>();
    if let Ok(law) = text.parse::<AnyLaw>() {
        assert_eq!(rereads(&law), law);
        line::keeps_its_laws(law.law(), &NUMBERS, 1);
    }
    if let Ok(law) = text.parse::<AnyVectorLaw>() {
        assert_eq!(rereads(&law), law);
        let law = law.law();
        let draw = law.sample(&mut stream(1, &[]));
        assert_eq!(draw.len(), law.dimension());
        let _ = (law.mean(), law.covariance(), law.entropy(), law.mode());
        assert!(!law.ln_pdf(&draw).is_nan() || draw.iter().any(|x| x.is_nan()), "{law} at {draw:?}");
        assert_eq!(law.ln_pdf(&[]), f64::NEG_INFINITY);
    }
});
