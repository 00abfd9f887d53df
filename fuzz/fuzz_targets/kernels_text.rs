//! Expressions of kernels: read, printed, read again; a gram matrix without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_fuzz::rereads;
use posterior_gp::Kernel;
use posterior_math::linalg::DMatrix;

fuzz_target!(|text: &str| {
    if text.len() > 400 {
        return;
    }
    let Ok(kernel) = text.parse::<Kernel>() else { return };
    let again = rereads(&kernel);
    assert_eq!(again.parameters().len(), kernel.parameters().len());
    for columns in 1..=2 {
        let inputs = DMatrix::from_fn(3, columns, |row, column| row as f64 - 0.5 * column as f64);
        if kernel.check(&inputs).is_ok() {
            let gram = kernel.gram(&inputs);
            assert_eq!(gram, again.gram(&inputs), "{kernel}");
            kernel.gram_gradient(&inputs, &DMatrix::identity(3, 3));
        }
    }
});
