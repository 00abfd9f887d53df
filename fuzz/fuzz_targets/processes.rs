//! Gaussian processes at inputs, outputs and noise of any numbers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_dist::stream::stream;
use posterior_fuzz::Input;
use posterior_gp::{GaussianProcess, Kernel, Noise, kernel::KERNELS};
use posterior_math::linalg::DMatrix;

fn kernel(input: &mut Input<'_>) -> Option<Kernel> {
    let entry = &KERNELS[input.size(0, KERNELS.len() - 1)];
    let count = input.size(0, 3);
    let numbers: Vec<String> = input.numbers(count).iter().map(f64::to_string).collect();
    format!("{}({})", entry.name, numbers.join(", ")).parse().ok()
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let Some(mut own) = kernel(&mut input) else { return };
    if let Some(other) = (input.byte() < 100).then(|| kernel(&mut input)).flatten() {
        own = if input.byte() < 128 { own + other } else { own * other };
    }
    if let Ok(scaled) = own.clone().scaled(input.number()) {
        own = scaled;
    }
    let (rows, columns) = (input.size(0, 5), input.size(1, 2));
    let inputs = DMatrix::from_vec(rows, columns, input.numbers(rows * columns));
    let outputs = input.numbers(rows);
    let parameters = own.free_parameters();
    let _ = own.with_free_parameters(&input.numbers(parameters.len()));
    let noise = match input.size(0, 2) {
        0 => Ok(Noise::none()),
        1 => Noise::variance(input.number()),
        _ => Noise::known(input.number()),
    };
    let Ok(noise) = noise else { return };
    let process = GaussianProcess::new(own);
    let _ = process.sample(&inputs, &mut stream(1, &[]));
    if let Ok(posterior) = process.condition(&inputs, &outputs, &noise) {
        let _ = (posterior.ln_evidence(), posterior.gradient(), posterior.leave_one_out());
        let places = DMatrix::from_vec(2, columns, input.numbers(2 * columns));
        if let Ok(prediction) = posterior.latent(&places) {
            assert!(
                prediction.variance.iter().all(|variance| !(*variance < 0.0)),
                "{:?}",
                prediction.variance
            );
        }
        let _ = (posterior.covariance(&places), posterior.sample(&places, &mut stream(1, &[])));
    }
});
