//! Conjugate pairs, processes and distributions of distributions at numbers of any bits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_dist::stream::stream;
use posterior_dist::{
    Bernoulli, Beta, Categorical, Conjugate, Density, Dirichlet, Exponential, Gamma, IndianBuffet,
    InverseGamma, Normal, NormalInverseGamma, NormalKnownMean, NormalKnownVariance, PitmanYor, Poisson,
    Stats,
};
use posterior_fuzz::Input;

/// Everything that a pair answers, with points that come, go and have weights.
fn answers<F: Conjugate<P>, P>(prior: &P, fixed: &F::Fixed, points: &[F::Point], weight: f64)
where
    F::Point: Sized,
{
    let mut data = Stats::<F>::new(fixed.clone());
    for point in points {
        let _ = data.push(point);
        let _ = data.push_weighted(point, weight);
    }
    if let Some(first) = points.first() {
        let _ = data.pop(first);
    }
    let evidence = F::ln_evidence(prior, &data);
    let _ = evidence;
    if let Ok(posterior) = F::posterior(prior, &data) {
        for point in points {
            let _ = F::predictive(&posterior, fixed).map(|distribution| distribution.ln_pdf(point));
            let _ = F::expected_density(&posterior, fixed).map(|density| density.ln_pdf(point));
        }
        let _ = F::most_probable(&posterior, fixed);
        let _ = F::draw(&posterior, fixed, &mut stream(1, &[]));
    }
    let _ = F::maximum_likelihood(&data);
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let kind = input.size(0, 8);
    let [a, b, c, d, w] = [(); 5].map(|()| input.number());
    let count = input.size(0, 5);
    let numbers = input.numbers(count);
    let counts: Vec<u64> = (0..count).map(|_| input.word() >> input.size(0, 63)).collect();
    match kind {
        0 => {
            let _ = Beta::new(a, b).map(|prior| {
                answers::<Bernoulli, _>(
                    &prior,
                    &(),
                    &counts.iter().map(|k| k % 2 == 0).collect::<Vec<_>>(),
                    w,
                )
            });
        }
        1 => {
            let _ = Gamma::shape_rate(a, b).map(|prior| answers::<Poisson, _>(&prior, &(), &counts, w));
        }
        2 => {
            let _ = Gamma::shape_rate(a, b).map(|prior| answers::<Exponential, _>(&prior, &(), &numbers, w));
        }
        3 => {
            let _ =
                InverseGamma::new(a, b).map(|prior| answers::<NormalKnownMean, _>(&prior, &c, &numbers, w));
        }
        4 => {
            let _ =
                Normal::mean_sd(a, b).map(|prior| answers::<NormalKnownVariance, _>(&prior, &c, &numbers, w));
        }
        5 => {
            let _ = NormalInverseGamma::new(a, b, c, d)
                .map(|prior| answers::<Normal, _>(&prior, &(), &numbers, w));
        }
        6 => {
            let points: Vec<usize> = counts.iter().map(|&k| k as usize % 4).collect();
            let _ = Dirichlet::new(&[a, b, c]).map(|prior| answers::<Categorical, _>(&prior, &3, &points, w));
        }
        7 => {
            if let Ok(restaurant) = PitmanYor::new(a, b) {
                assert!(!(restaurant.ln_partition(&counts) > 1e-9));
                let _ = restaurant.next_seat(&counts);
                let tables = restaurant.expected_tables(1000);
                assert!((1.0 - 1e-9..=1000.0 * (1.0 + 1e-9)).contains(&tables), "{a} {b}: {tables} tables");
            }
        }
        _ => {
            if let Ok(buffet) = IndianBuffet::new(a) {
                assert!(buffet.expected_dishes(10) >= 0.0);
                let _ = buffet.ln_probability(&[vec![0], vec![0, 1]]);
            }
        }
    }
});
