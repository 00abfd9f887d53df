//! Texts of univariate distributions and of distributions of vectors: read, printed, read again, and every
//! distribution of a distribution.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_dist::stream::stream;
use posterior_dist::text::{AnyUnivariate, Call};
use posterior_gaussian::text::AnyMultivariate;
use posterior_fuzz::{line, rereads};

const NUMBERS: [f64; 12] =
    [f64::NEG_INFINITY, -1e10, -1.0, 0.0, 1e-300, 0.25, 0.5, 1.0, 2.0, 1e5, f64::INFINITY, f64::NAN];

fuzz_target!(|text: &str| {
    if text.len() > 400 {
        return;
    }
    let _ = text.parse::<Call>();
    if let Ok(distribution) = text.parse::<AnyUnivariate>() {
        assert_eq!(rereads(&distribution), distribution);
        line::keeps_its_distributions(&*distribution, &NUMBERS, 1);
    }
    if let Ok(distribution) = text.parse::<AnyMultivariate>() {
        assert_eq!(rereads(&distribution), distribution);
        let distribution = &*distribution;
        let draw = distribution.sample(&mut stream(1, &[]));
        assert_eq!(draw.len(), distribution.dimension());
        let _ = (distribution.mean(), distribution.covariance(), distribution.entropy(), distribution.mode());
        assert!(!distribution.ln_pdf(&draw).is_nan() || draw.iter().any(|x| x.is_nan()), "{distribution} at {draw:?}");
        assert_eq!(distribution.ln_pdf(&[]), f64::NEG_INFINITY);
    }
});
