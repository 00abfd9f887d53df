//! Diagnostics and estimates of chains that are too few, too short, all the same, too large or no numbers.

use posterior_dist::stream::stream;
use posterior_math::linalg::DMatrix;
use posterior_sampling::Draws;
use posterior_sampling::diagnostics as of;
use posterior_sampling::diagnostics::Undefined;
use posterior_sampling::estimate::{
    QuasiOptions, Sobol, antithetic, batch_means, batch_means_of_length, control_variates, ln_mean_exp, mean,
    mean_difference, mean_of_pairs, quasi_monte_carlo, vector_mean,
};

use super::ODD;

type Figure = fn(&[Vec<f64>]) -> Result<f64, Undefined>;

const FIGURES: [Figure; 22] = [
    |c| of::mean(c),
    |c| of::sd(c),
    |c| of::quantile(c, 0.0),
    |c| of::quantile(c, 1.0),
    |c| of::ess_mean(c),
    |c| of::ess_bulk(c),
    |c| of::ess_tail(c),
    |c| of::ess_median(c),
    |c| of::ess_quantile(c, 0.0),
    |c| of::ess_sd(c),
    |c| of::mcse_mean(c),
    |c| of::mcse_sd(c),
    |c| of::mcse_quantile(c, 0.0),
    |c| of::mcse_quantile(c, 1.0),
    |c| of::rhat(c),
    |c| of::rhat_bulk(c),
    |c| of::rhat_folded(c),
    |c| of::rhat_split(c),
    |c| of::rhat_classic(c),
    |c| of::e_bfmi(c.first().map_or(&[][..], Vec::as_slice)),
    |c| of::geweke_z(c.first().map_or(&[][..], Vec::as_slice), 0.1, 0.5),
    |c| of::rhat_nested(&[c.to_vec(), c.to_vec()]),
];

/// Chains of odd shapes and odd numbers.
fn odd_chains() -> Vec<Vec<Vec<f64>>> {
    let wave = |n: usize, scale: f64| -> Vec<f64> {
        (0..n).map(|i| scale * f64::from((37 * i as u32 + 11) % 101) / 101.0).collect()
    };
    let mut all = vec![
        vec![],
        vec![vec![]],
        vec![vec![], vec![]],
        vec![vec![1.0]],
        vec![vec![1.0], vec![2.0]],
        vec![vec![1.0, 2.0], vec![1.0]],
        vec![vec![0.0; 200]; 4],
        vec![vec![1e300; 40], vec![-1e300; 40]],
        vec![wave(13, 1.0)],
        vec![wave(40, f64::MAX), wave(40, -f64::MAX)],
        vec![wave(40, f64::MIN_POSITIVE), wave(40, f64::MIN_POSITIVE / 1e10)],
        vec![(0..40).map(|i| f64::from(u8::from(i == 39))).collect(); 2],
        vec![(0..40).map(|i| f64::from(i % 2)).collect(); 2],
    ];
    all.extend((0..30).map(|n| vec![wave(n, 3.0); 2]));
    for odd in ODD {
        let mut chain = wave(50, 1.0);
        chain[20] = odd;
        all.push(vec![wave(50, 1.0), chain]);
    }
    all
}

#[test]
fn a_figure_of_any_chains_is_a_number_or_says_why_it_has_none() {
    for chains in odd_chains() {
        for (which, figure) in FIGURES.iter().enumerate() {
            if let Ok(value) = figure(&chains) {
                assert!(!value.is_nan(), "figure {which} of {chains:?}");
            }
        }
        for lags in [0, 1, 1000, usize::MAX] {
            if let Ok(correlations) = of::autocorrelation(chains.first().map_or(&[][..], Vec::as_slice), lags)
            {
                assert!(correlations[0] == 1.0 && correlations.iter().all(|rho| rho.is_finite()));
            }
        }
    }
}

#[test]
fn probabilities_and_proportions_that_are_none_are_refused() {
    let chains = vec![(0..100).map(|i| f64::from(i * 37 % 101)).collect::<Vec<f64>>(); 2];
    for odd in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
        for refused in
            [of::quantile(&chains, odd), of::ess_quantile(&chains, odd), of::mcse_quantile(&chains, odd)]
        {
            assert!(matches!(refused, Err(Undefined::Argument(_))), "{odd}: {refused:?}");
        }
        assert!(of::geweke_z(&chains[0], odd, 0.5).is_err() && of::geweke_z(&chains[0], 0.5, odd).is_err());
    }
    assert!(of::geweke_z(&chains[0], 0.7, 0.5).is_err());
    assert!(of::rhat_nested::<Vec<Vec<f64>>, Vec<f64>>(&[]).is_err());
    assert!(of::rhat_nested(&[chains.clone(), chains[..1].to_vec()]).is_err());
    assert!(of::rhat_nested(&[Vec::<Vec<f64>>::new(), Vec::new()]).is_err());
}

#[test]
fn a_summary_of_any_draws_can_be_shown() {
    for chains in odd_chains() {
        if let Ok(draws) = Draws::new(vec!["x".to_owned()], chains) {
            let summary = draws.summary();
            assert_eq!(summary.parameters.len(), 1);
            assert!(summary.to_string().contains('x'));
        }
    }
    let nameless = Draws::new(vec![], vec![vec![], vec![]]).unwrap();
    assert_eq!((nameless.len(), nameless.chains()), (0, 2));
    assert!(!nameless.summary().to_string().is_empty());
}

#[test]
fn draws_that_do_not_fit_are_refused() {
    let name = |text: &str| text.to_owned();
    assert!(Draws::new(vec![], vec![]).is_err());
    assert!(Draws::new(vec![], vec![vec![1.0]]).is_err());
    assert!(Draws::new(vec![name("a"), name("a")], vec![vec![1.0, 2.0]]).is_err());
    assert!(Draws::new(vec![name("a"), name("b")], vec![vec![1.0, 2.0, 3.0]]).is_err());
    assert!(Draws::new(vec![name("a")], vec![vec![1.0], vec![]]).is_err());
    assert!(Draws::join([]).is_err());
    let one = Draws::new(vec![name("a")], vec![vec![1.0, 2.0]]).unwrap();
    assert!(one.clone().with_statistics(vec![name("s")], vec![vec![1.0]]).is_err());
    assert!(one.clone().with_statistics(vec![name("s")], vec![vec![1.0, 1.0], vec![2.0, 2.0]]).is_err());
    assert!(one.clone().with_names(["a", "b"]).is_err() && one.named("b").is_none());
    assert!(one.map(["c", "c"], |_, _| {}).is_err());
    // Draws of no parameter have as many statistics as they like, but all chains the same number.
    let nameless = Draws::new(vec![], vec![vec![], vec![]]).unwrap();
    assert!(nameless.clone().with_statistics(vec![name("s")], vec![vec![1.0], vec![]]).is_err());
    assert_eq!(nameless.with_statistics(vec![name("s")], vec![vec![1.0; 3]; 2]).unwrap().len(), 3);
}

#[test]
fn estimates_from_too_little_are_refused() {
    assert!(mean([]).is_err() && mean([1.0]).is_err() && mean([1.0, f64::NAN]).is_err());
    assert!(mean_of_pairs([(1.0, 2.0)]).is_err() && mean_difference([]).is_err());
    assert!(mean_difference([(f64::INFINITY, f64::INFINITY), (1.0, 2.0)]).is_err());
    assert!(ln_mean_exp(&[]).is_err() && ln_mean_exp(&[0.0]).is_err());
    assert!(ln_mean_exp(&[0.0, f64::NAN]).is_err() && ln_mean_exp(&[0.0, f64::INFINITY]).is_err());
    assert!(batch_means::<Vec<f64>>(&[]).is_err() && batch_means(&[vec![1.0; 3]]).is_err());
    assert!(batch_means(&[vec![1.0; 100], vec![]]).is_err());
    for length in [0, 60, usize::MAX] {
        assert!(batch_means_of_length(&[vec![1.0; 100]], length).is_err(), "{length}");
    }
    assert!(vector_mean(2, [[1.0, 2.0]]).is_err() && vector_mean(2, [vec![1.0], vec![2.0]]).is_err());
    let controls = DMatrix::from_element(5, 1, 1.0);
    assert!(control_variates(&[1.0; 4], &controls, &[1.0]).is_err());
    assert!(control_variates(&[1.0; 5], &controls, &[1.0, 2.0]).is_err());
    assert!(control_variates(&[1.0; 5], &controls, &[f64::NAN]).is_err());
    assert!(control_variates(&[], &DMatrix::zeros(0, 0), &[]).is_err());
}

#[test]
fn nets_of_impossible_size_are_refused() {
    for dim in [0, Sobol::MAX_DIM + 1, usize::MAX] {
        assert!(Sobol::new(dim).is_err() && Sobol::scrambled(dim, 1).is_err());
        assert!(quasi_monte_carlo(dim, |_| 1.0, &QuasiOptions::default(), 1).is_err(), "{dim}");
    }
    for points in [0, 3, 1 << 33, usize::MAX] {
        assert!(
            quasi_monte_carlo(1, |_| 1.0, &QuasiOptions { points, ..QuasiOptions::default() }, 1).is_err()
        );
    }
    for replicates in [0, 1] {
        let options = QuasiOptions { replicates, ..QuasiOptions::default() };
        assert!(quasi_monte_carlo(1, |_| 1.0, &options, 1).is_err());
    }
    let options = QuasiOptions { points: 4, ..QuasiOptions::default() };
    assert!(quasi_monte_carlo(1, |_| f64::NAN, &options, 1).is_err());
    assert!(antithetic(1, |_| 1.0, 1, &mut stream(1, &[])).is_err());
    assert!(antithetic(1, |_| f64::INFINITY, 4, &mut stream(1, &[])).is_err());
}

#[test]
fn indices_and_counts_at_the_end_of_the_numbers_are_read_and_written() {
    let last = format!("x[{}]", usize::MAX);
    let draws = Draws::new(vec!["x[0]".to_owned(), last.clone()], vec![vec![1.0, 2.0]]).unwrap();
    let mut text = Vec::new();
    draws.arviz().write_json(&mut text).unwrap();
    assert!(String::from_utf8(text).unwrap().contains(&last));
    let file = format!("# save_warmup = 1\n# num_warmup = {}\nlp__,a,b\n-1,2,3\n", usize::MAX);
    assert!(Draws::read_csv(file.as_bytes()).unwrap_err().to_string().contains("a row for each draw"));
}
