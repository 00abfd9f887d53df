//! Sobol' points: their nets, their scrambling, and what they save.

use posterior_dist::stream::stream;
use posterior_math::special::normal_quantile;
use posterior_sampling::estimate::{QuasiOptions, Sobol, mean, quasi_monte_carlo};
use posterior_testkit::significance::{LEVEL, chi_square_p_value, kolmogorov_smirnov_p_value};
use rand::RngExt;

use super::{SIGMAS, close};

#[test]
fn sobol_points_are_those_of_the_published_numbers() {
    // From another implementation of the same table, as multiples of 2⁻³².
    let coordinates = [0, 1, 2, 9, 50, 255, 511];
    let table: [(usize, [u32; 7]); 3] = [
        (7, [536870912, 2684354560, 1610612736, 3758096384, 3758096384, 536870912, 536870912]),
        (100, [1778384896, 1107296256, 3321888768, 2986344448, 3791650816, 2449473536, 2248146944]),
        (1000, [943718400, 415236096, 2227175424, 297795584, 1514143744, 1069547520, 1698693120]),
    ];
    let points: Vec<Vec<f64>> = Sobol::new(Sobol::MAX_DIM).unwrap().take(1001).collect();
    assert_eq!(Sobol::MAX_DIM, 512);
    for (index, expected) in table {
        for (coordinate, digits) in coordinates.into_iter().zip(expected) {
            assert_eq!(
                points[index][coordinate] * 4_294_967_296.0,
                f64::from(digits),
                "{index}, {coordinate}"
            );
        }
    }
}

/// How many points are in each cell of a grid with 2^a × 2^b cells.
fn cells(points: &[Vec<f64>], (i, a): (usize, u32), (j, b): (usize, u32)) -> Vec<u64> {
    let mut counts = vec![0; 1 << (a + b)];
    for point in points {
        let cell = |x: f64, digits: u32| (x * f64::from(1 << digits)) as usize;
        counts[cell(point[i], a) << b | cell(point[j], b)] += 1;
    }
    counts
}

#[test]
fn sobol_points_are_equidistributed_scrambled_or_not() {
    let m = 8;
    for sequence in
        [Sobol::new(512).unwrap(), Sobol::scrambled(512, 1).unwrap(), Sobol::scrambled(512, 2).unwrap()]
    {
        let points: Vec<Vec<f64>> = sequence.take(1 << m).collect();
        // One point in each of 256 intervals of each coordinate.
        for i in 0..512 {
            assert!(cells(&points, (i, m), (i, 0)).iter().all(|&count| count == 1), "coordinate {i}");
        }
        // The first two coordinates are a (0, 8, 2)-net: one point in each box of area 1/256.
        for a in 0..=m {
            assert!(cells(&points, (0, a), (1, m - a)).iter().all(|&count| count == 1), "{a}");
        }
    }
}

#[test]
fn sobol_points_are_the_net_that_their_polynomials_promise() {
    // t is the sum of the degrees less one: 0, 0, 1, 2 and 2. Each box of volume 2^(5-10) has 2⁵ of 2¹⁰
    // points.
    for sequence in [Sobol::new(5).unwrap(), Sobol::scrambled(5, 3).unwrap()] {
        let points: Vec<Vec<f64>> = sequence.take(1 << 10).collect();
        let mut shapes = 0;
        for code in 0..6_usize.pow(5) {
            let digits: Vec<u32> = (0..5).map(|i| (code / 6_usize.pow(i) % 6) as u32).collect();
            if digits.iter().sum::<u32>() != 5 {
                continue;
            }
            let mut counts = [0; 32];
            for point in &points {
                let join = |cell, (x, &d): (&f64, &u32)| cell << d | (x * f64::from(1 << d)) as usize;
                counts[point.iter().zip(&digits).fold(0, join)] += 1;
            }
            assert!(counts.iter().all(|&count| count == 32), "{digits:?}: {counts:?}");
            shapes += 1;
        }
        assert_eq!(shapes, 126);
    }
}

#[test]
fn scrambled_points_are_uniform_and_their_digits_are_nested() {
    // One point of the sequence under many seeds.
    let last = |seed: u64| Sobol::scrambled(3, seed).unwrap().nth(5).unwrap();
    let points: Vec<Vec<f64>> = (0..20_000).map(last).collect();
    for i in 0..3 {
        let coordinate: Vec<f64> = points.iter().map(|point| point[i]).collect();
        assert!(kolmogorov_smirnov_p_value(&coordinate, |x| x.clamp(0.0, 1.0)) > LEVEL);
        assert!(coordinate.iter().all(|&x| x > 0.0 && x < 1.0));
    }
    // Two points that share k digits and no more share k digits scrambled, and no more; the digits after are
    // independent: each pair of third digits of points that differ in the first is as frequent as another.
    let mut pairs = [0_u64; 4];
    for seed in 0..20_000 {
        let points: Vec<f64> = Sobol::scrambled(1, seed).unwrap().take(4).map(|point| point[0]).collect();
        let digits: Vec<u32> = points.iter().map(|x| (x * 8.0) as u32).collect();
        // Plain: 0, 1/2, 3/4, 1/4.
        assert_ne!(digits[0] >> 2, digits[1] >> 2);
        assert!(digits[1] >> 2 == digits[2] >> 2 && digits[1] >> 1 != digits[2] >> 1);
        pairs[((digits[0] & 1) << 1 | digits[1] & 1) as usize] += 1;
    }
    assert!(chi_square_p_value(&pairs, &[5000.0; 4]) > LEVEL, "{pairs:?}");
}

#[test]
fn quasi_random_points_converge_faster_than_random_ones() {
    // Smooth in five dimensions: mean ∏ (1 + (u - 1/2)/k) = 1.
    let smooth = |u: &[f64]| u.iter().zip(1..).map(|(u, k)| 1.0 + (u - 0.5) / f64::from(k)).product();
    let random = |n: usize| {
        let mut rng = stream(13, &[n as u64]);
        mean((0..n).map(|_| {
            let u: Vec<f64> = (0..5).map(|_| rng.random()).collect();
            smooth(&u)
        }))
        .unwrap()
    };
    let quasi = |points: usize| {
        let options = QuasiOptions { points, replicates: 32, ..QuasiOptions::default() };
        quasi_monte_carlo(5, smooth, &options, 3).unwrap()
    };
    let (few, many) = (quasi(1 << 6), quasi(1 << 12));
    close(&few, 1.0);
    close(&many, 1.0);
    // From 64 to 4096 points: by 64 or more, where random draws gain 8.
    let gain = few.standard_error / many.standard_error;
    assert!(gain > 40.0, "{gain}");
    let slow = random(32 << 6).standard_error / random(32 << 12).standard_error;
    assert!((slow / 8.0 - 1.0).abs() < 0.1, "{slow}");
    // The error itself, not only what is said of it.
    assert!((many.value - 1.0).abs() < 1e-5, "{many}");
}

#[test]
fn the_errors_of_replicated_nets_are_right() {
    // A step and a ridge, which nets do not take exactly.
    let function = |u: &[f64]| if u[0] + u[1] * u[2] < 0.7 { 1.0 } else { 0.0 };
    // P(u₀ < 0.7 - u₁u₂) = E (0.7 - w)₊, w = u₁u₂ with density -ln w: ∫₀^.7 (0.7 - w)(-ln w) dw = 0.7²/2
    // (3/2 - ln 0.7).
    let exact = 0.245 * (1.5 - 0.7_f64.ln());
    let options = QuasiOptions { points: 64, replicates: 100, ..QuasiOptions::default() };
    let (mut sum, mut squares, mut said) = (0.0, 0.0, 0.0);
    for seed in 0..200 {
        let estimate = quasi_monte_carlo(3, function, &options, seed).unwrap();
        let off = estimate.value - exact;
        sum += off;
        squares += off * off;
        said += estimate.standard_error.powi(2);
        assert_eq!(estimate.draws, 6400);
    }
    assert!(sum.abs() < SIGMAS * squares.sqrt(), "{sum} {squares}");
    // A chi-square ratio with 200 degrees of freedom.
    assert!((squares / said - 1.0).abs() < SIGMAS * (2.0_f64 / 200.0).sqrt(), "{squares} {said}");
    // Better than random draws all the same.
    assert!(said / 200.0 < 0.5 * exact * (1.0 - exact) / 6400.0);
}

#[test]
fn quasi_random_points_refuse_what_they_do_not_have() {
    assert!(Sobol::new(0).is_err() && Sobol::new(513).is_err() && Sobol::scrambled(513, 1).is_err());
    let run = |dim, options: &QuasiOptions| quasi_monte_carlo(dim, |_| 1.0, options, 1);
    let options = QuasiOptions::default();
    assert!(run(513, &options).is_err() && run(0, &options).is_err());
    assert!(
        run(2, &QuasiOptions { points: 1000, ..options }).is_err()
            && run(2, &QuasiOptions { points: 0, ..options }).is_err()
    );
    assert!(run(2, &QuasiOptions { replicates: 1, ..options }).is_err());
    assert!(quasi_monte_carlo(1, |_| f64::NAN, &options, 1).is_err());
    let (again, once) = (run(2, &options).unwrap(), run(2, &options).unwrap());
    assert_eq!(again, once);
}

#[test]
fn sobol_points_of_normal_distributions_beat_random_ones() {
    // E exp(z₁/2 + z₂/4) = exp((1/4 + 1/16)/2), unbounded at the corners.
    let function = |u: &[f64]| (0.5 * normal_quantile(u[0]) + 0.25 * normal_quantile(u[1])).exp();
    let estimate = quasi_monte_carlo(2, function, &QuasiOptions::default(), 7).unwrap();
    close(&estimate, (0.15625_f64).exp());
    let random = (((0.3125_f64).exp_m1() * 0.3125_f64.exp()) / estimate.draws as f64).sqrt();
    assert!(estimate.standard_error < 0.1 * random, "{estimate}, {random}");
}
