//! Ciphers: six that are given, and what must hold of languages, keys, scores and draws.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_datasets::english_letters;
use posterior_dist::stream::stream;
use posterior_inference::em::EmOptions;
use posterior_math::check::DimensionError;
use posterior_math::linalg::DMatrix;
use posterior_sequence::Error;
use posterior_sequence::cipher::{
    AnnealingOptions, Ciphertext, EmissionOptions, Key, KeyScore, Language, Letters, PosteriorOptions,
    SolveOptions, Spaces, StageName, anneal, climb, fit_emissions, posterior, solve,
};
use posterior_testkit::shared::shared_file;
use rand::RngExt;
use rand::seq::SliceRandom;

/// The language of the embedded counts.
fn english() -> Language {
    Language::from_counts(Letters::english(), english_letters::ORDER, &english_letters::load()).unwrap()
}

/// A language of three letters, from a text that prefers some pairs.
fn abc(letters: &str, order: usize) -> Language {
    let letters = Letters::new(letters.chars()).unwrap();
    let mut rng = stream(5, &[]);
    let mut text = vec![0];
    for _ in 0..300 {
        let last = text[text.len() - 1];
        let step = if rng.random::<f64>() < 0.6 { 1 } else { rng.random_range(0..letters.len()) };
        text.push((last + step) % letters.len());
    }
    Language::from_symbols(letters, &text, order).unwrap()
}

/// The proportion of letters, without known spaces, that are right.
fn right(found: &[usize], truth: &[usize]) -> f64 {
    assert_eq!(found.len(), truth.len());
    let letters = found.iter().zip(truth).filter(|&(_, &truth)| truth != 0);
    letters.clone().filter(|(found, truth)| found == truth).count() as f64 / letters.count() as f64
}

/// Enciphers the letters of a text, spaces kept, with a random key.
fn enciphered(text: &str, seed: u64) -> String {
    let mut alphabet: Vec<char> = ('a'..='z').collect();
    alphabet.shuffle(&mut stream(seed, &[]));
    let replace = |c: char| if c.is_ascii_lowercase() { alphabet[(c as u8 - b'a') as usize] } else { c };
    text.chars().map(replace).collect()
}

#[test]
fn six_ciphers_from_a_cold_start() {
    let Some(file) = shared_file("the six ciphers", "data/sequence/ciphers.json") else { return };
    let ciphers: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let language = english();
    // The longest takes most of the time of the hidden Markov model: few steps for a test.
    let emissions = EmissionOptions {
        starts: 1,
        em: EmOptions { max_iterations: 15, ..EmOptions::default() },
        ..EmissionOptions::default()
    };
    let options = SolveOptions { emissions, starts: 3, ..SolveOptions::default() };
    for item in ciphers["items"].as_array().unwrap() {
        let truth = language.letters().read(item["plaintext"].as_str().unwrap());
        let text = item["ciphertext"].as_str().unwrap();
        let cipher = Ciphertext::read(text, Spaces::Kept, &language).unwrap();
        let solution = solve(&cipher, &language, &options, 0).unwrap();
        let proportion = right(&solution.key.apply(cipher.symbols()), &truth);
        assert!(proportion >= 0.99, "cipher {}: {proportion}", item["id"]);
        assert_eq!(solution.stages.last().unwrap().name, StageName::Annealing);
        assert!(solution.ln_likelihood >= language.ln_likelihood(&truth).unwrap() - 1e-6);
        assert!(
            (solution.ln_likelihood - language.ln_likelihood(&solution.stages[4].letters).unwrap()).abs()
                < 1e-6
        );
        // The letters that come often are certain.
        let certainties = solution.certainties();
        let counts = cipher.counts();
        assert!((0..27).filter(|&c| counts[c] > 20).all(|c| certainties[c] > 0.99));
    }
}

#[test]
fn more_text_is_more_right() {
    let Some(file) = shared_file("recovery against length", "data/sequence/english_lm.txt") else { return };
    let text = std::fs::read_to_string(file).unwrap();
    let (reference, held_out) = text.split_at(text.len() * 9 / 10);
    let language = Language::from_text(reference, 4).unwrap();
    let mut proportions = Vec::new();
    for length in [50, 100, 200, 400] {
        let mut sum = 0.0;
        for piece in 0..4 {
            let plain = held_out[piece * 15_000..][..length].trim();
            let cipher = Ciphertext::read(&enciphered(plain, piece as u64), Spaces::Kept, &language).unwrap();
            let identity = Key::of_weights(&DMatrix::zeros(27, 27), cipher.fixed()).unwrap();
            let mut score = KeyScore::new(&cipher, &language, 4, identity).unwrap();
            let mut best = (f64::NEG_INFINITY, score.key().clone());
            for start in 0..3 {
                anneal(&mut score, &AnnealingOptions::default(), &mut stream(7, &[start])).unwrap();
                if score.ln_likelihood() > best.0 {
                    best = (score.ln_likelihood(), score.key().clone());
                }
            }
            sum += right(&best.1.apply(cipher.symbols()), &language.letters().read(plain)) / 4.0;
        }
        proportions.push(sum);
    }
    assert!(proportions[0] < proportions[2], "50 characters are too few: {proportions:?}");
    assert!(proportions[2] > 0.9 && proportions[3] > 0.97, "{proportions:?}");
}

#[test]
fn distributions_of_letters_sum_to_one_and_are_those_of_a_slow_twin() {
    let language = abc("xyz", 3);
    for context in [&[][..], &[0], &[2], &[0, 1], &[2, 2], &[1, 0, 2, 1]] {
        let sum: f64 = (0..3).map(|symbol| language.ln_probability(context, symbol).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-14, "{context:?}: {sum}");
    }
    // "xyxxy" and pairs: xy twice, yx, xx. c(x) = 3, two different letters follow; p₁ from second letters y,
    // x, x, y: (2 + 2/3) / 6.
    let letters = Letters::new("xyz".chars()).unwrap();
    let language = Language::from_symbols(letters, &[0, 1, 0, 0, 1], 2).unwrap();
    let below = [(2.0 + 2.0 / 3.0) / 6.0, (2.0 + 2.0 / 3.0) / 6.0, 2.0 / 3.0 / 6.0];
    for (symbol, p) in
        [(0, (1.0 + 2.0 * below[0]) / 5.0), (1, (2.0 + 2.0 * below[1]) / 5.0), (2, 2.0 * below[2] / 5.0)]
    {
        assert!((language.ln_probability(&[0], symbol).exp() - p).abs() < 1e-15);
        assert!((language.bigram()[(0, symbol)] - p).abs() < 1e-15);
        // A letter that was never followed by anything.
        assert!((language.ln_probability(&[2], symbol).exp() - below[symbol]).abs() < 1e-15);
    }
    assert!((language.unigram().iter().sum::<f64>() - 1.0).abs() < 1e-15);
    let ln: f64 =
        [(&[][..], 0), (&[0], 1), (&[1], 2)].iter().map(|(c, s)| language.ln_probability(c, *s)).sum();
    assert!((language.ln_likelihood(&[0, 1, 2]).unwrap() - ln).abs() < 1e-15);
}

#[test]
fn counts_of_letters_are_the_text() {
    let text = "the theory of the thing is thin";
    let from_text = Language::from_text(text, 3).unwrap();
    let letters = Letters::english();
    let symbols = letters.read(text);
    let mut counts = vec![0; 27 * 27 * 27];
    symbols.windows(3).for_each(|w| counts[(w[0] * 27 + w[1]) * 27 + w[2]] += 1);
    assert_eq!(Language::from_counts(letters, 3, &counts).unwrap(), from_text);
}

#[test]
fn gains_of_exchanges_are_differences_of_scores() {
    let language = english();
    let text = enciphered("it was the best of times it was the worst of times", 3);
    for order in [1, 2, 4] {
        let cipher = Ciphertext::read(&text, Spaces::Kept, &language).unwrap();
        let key = Key::of_weights(&DMatrix::zeros(27, 27), cipher.fixed()).unwrap();
        let mut score = KeyScore::new(&cipher, &language, order, key).unwrap();
        let mut rng = stream(1, &[order as u64]);
        for _ in 0..200 {
            let (a, b) = (rng.random_range(0..27), rng.random_range(0..27));
            if a == b || score.is_fixed(a) || score.is_fixed(b) {
                continue;
            }
            let gain = score.gain(a, b);
            score.exchange(a, b, gain);
            let fresh = KeyScore::new(&cipher, &language, order, score.key().clone()).unwrap();
            assert!((score.ln_likelihood() - fresh.ln_likelihood()).abs() < 1e-9);
        }
        if order == 4 {
            let plain = score.key().apply(cipher.symbols());
            assert!((score.ln_likelihood() - language.ln_likelihood(&plain).unwrap()).abs() < 1e-9);
        }
    }
}

#[test]
fn climbing_ends_where_no_exchange_gains() {
    let language = english();
    let cipher =
        Ciphertext::read(&enciphered("we hold these truths to be self evident", 9), Spaces::Kept, &language)
            .unwrap();
    let key = Key::of_weights(&DMatrix::zeros(27, 27), cipher.fixed()).unwrap();
    let mut score = KeyScore::new(&cipher, &language, 4, key).unwrap();
    let before = score.ln_likelihood();
    assert!(climb(&mut score) > 0 && score.ln_likelihood() > before);
    for a in (0..27).filter(|&a| !score.is_fixed(a)) {
        for b in (0..a).filter(|&b| !score.is_fixed(b)) {
            assert!(score.gain(a, b) <= 1e-9);
        }
    }
}

/// All permutations of what is left, put behind what is there.
fn permutations(done: &mut Vec<usize>, left: &mut Vec<usize>, see: &mut impl FnMut(&[usize])) {
    if left.is_empty() {
        see(done);
    }
    for place in 0..left.len() {
        done.push(left.remove(place));
        permutations(done, left, see);
        left.insert(place, done.pop().unwrap());
    }
}

#[test]
fn drawn_keys_have_the_posterior_of_all_keys() {
    let language = abc("vwxyz", 2);
    let cipher = Ciphertext::read("vwxvwxywz", Spaces::Kept, &language).unwrap();
    let mut exact = DMatrix::zeros(5, 5);
    let (mut total, mut most) = (0.0, (0.0, Vec::new()));
    permutations(&mut Vec::new(), &mut (0..5).collect(), &mut |plain| {
        let letters: Vec<usize> = cipher.symbols().iter().map(|&symbol| plain[symbol]).collect();
        let p = language.ln_likelihood(&letters).unwrap().exp();
        plain.iter().enumerate().for_each(|(symbol, &letter)| exact[(letter, symbol)] += p);
        total += p;
        if p > most.0 {
            most = (p, plain.to_vec());
        }
    });
    exact /= total;
    let key = Key::new((0..5).rev().collect()).unwrap();
    let mut score = KeyScore::new(&cipher, &language, 2, key).unwrap();
    let options = PosteriorOptions { warm_up: 100, draws: 40_000, ..PosteriorOptions::default() };
    let drawn = posterior(&mut score, &options, &mut stream(2, &[])).unwrap();
    // Draws are ten proposals apart: with an autocorrelation of 5 the standard error is at most 0.006, and 25
    // numbers are beyond five of them once in 10⁵ seeds.
    assert!((&drawn.probabilities - &exact).amax() < 0.03, "{} {}", drawn.probabilities, exact);
    assert!((drawn.best_ln_likelihood - most.0.ln()).abs() < 1e-12);
    assert_eq!(drawn.trace.len(), 40_000);
    assert!(drawn.acceptance > 0.0 && drawn.acceptance < 1.0);
    let columns = drawn.probabilities.row_sum();
    assert!(columns.iter().all(|sum| (sum - 1.0).abs() < 1e-12));
    let error = posterior(&mut score, &PosteriorOptions { draws: 0, ..options }, &mut stream(2, &[]))
        .unwrap_err()
        .to_string();
    assert!(error.contains("draws") && error.contains("at least 1"), "{error}");
}

#[test]
fn em_climbs_and_keeps_what_is_known() {
    let language = english();
    let plain = "the people of the state are the source of the power of the state and of the law of the land";
    let cipher = Ciphertext::read(&enciphered(plain, 4), Spaces::Kept, &language).unwrap();
    for concentration in [1.0, 1.5] {
        let options = EmissionOptions { concentration, starts: 2, ..EmissionOptions::default() };
        let fit = fit_emissions(&cipher, &language, &options, 3).unwrap();
        assert!(fit.report.falls.is_empty(), "{:?}", fit.report.falls);
        assert!(fit.report.trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9 * pair[0].abs()));
        assert!(fit.emissions.row_iter().all(|row| (row.sum() - 1.0).abs() < 1e-12));
        let space = cipher.fixed().iter().position(Option::is_some).unwrap();
        assert_eq!(fit.emissions[(0, space)], 1.0);
        assert!((1..27).all(|letter| fit.emissions[(letter, space)] == 0.0));
        assert_eq!(fit.starts.len(), 2);
        // Every position is some letter, and the space at known places.
        assert!((fit.expected.sum() - cipher.symbols().len() as f64).abs() < 1e-9);
        let spaces = cipher.symbols().iter().zip(&fit.letters).filter(|&(&symbol, _)| symbol == space);
        assert!(spaces.clone().count() > 10 && spaces.clone().all(|(_, &letter)| letter == 0));
    }
}

#[test]
fn spaces_may_be_enciphered_too() {
    let language = english();
    let plain = "we observe today not a victory of party but a celebration of freedom symbolizing an end as well as a beginning \
                 signifying renewal as well as change for i have sworn before you and almighty god the same solemn oath our \
                 forebears prescribed nearly a century and three quarters ago the world is very different now for man holds in \
                 his mortal hands the power to abolish all forms of human poverty and all forms of human life";
    let text = enciphered(plain, 11).replace('q', "?").replace(' ', "q").replace('?', " ");
    let cipher = Ciphertext::read(&text, Spaces::Enciphered, &language).unwrap();
    assert!(cipher.fixed().iter().all(Option::is_none));
    let options = SolveOptions {
        emissions: EmissionOptions { starts: 1, ..EmissionOptions::default() },
        ..SolveOptions::default()
    };
    let solution = solve(&cipher, &language, &options, 0).unwrap();
    let truth = language.letters().read(plain);
    let proportion =
        solution.key.apply(cipher.symbols()).iter().zip(&truth).filter(|(a, b)| a == b).count() as f64;
    assert!(proportion / truth.len() as f64 > 0.97, "{}", solution.plaintext);
}

#[test]
fn plain_text_is_its_own_solution_and_layout_stays() {
    let language = english();
    let plain = "My fellow citizens: ask not what your country can do for you; ask what you can do for your country!\n\
                 (Let us never negotiate out of fear. But let us never fear to negotiate, 1961, don't you think?)";
    let cipher = Ciphertext::read(plain, Spaces::Kept, &language).unwrap();
    let options = SolveOptions {
        emissions: EmissionOptions { starts: 1, ..EmissionOptions::default() },
        ..SolveOptions::default()
    };
    let solution = solve(&cipher, &language, &options, 1).unwrap();
    assert_eq!(solution.plaintext, plain);
    // "don't" is one word, the line ends and the number are spaces.
    let read = cipher.decipher(&solution.key);
    assert_eq!(language.letters().read(&read), solution.key.apply(cipher.symbols()));
    // The same for the same seed, and the key has an inverse.
    assert_eq!(solve(&cipher, &language, &options, 1).unwrap(), solution);
    let inverse = solution.key.inverse();
    assert!((0..27).all(|c| inverse.plain()[solution.key.plain()[c]] == c));
}

#[test]
fn what_cannot_be_solved_is_refused_or_in_doubt() {
    let language = english();
    let read = |text: &str, spaces| Ciphertext::read(text, spaces, &language);
    assert!(matches!(read("", Spaces::Kept), Err(Error::TooFew { .. })));
    assert!(matches!(read("12 34 ...", Spaces::Kept), Err(Error::TooFew { .. })));
    let many: String = ('a'..='z').chain("äöü".chars()).collect();
    assert!(matches!(
        read(&many, Spaces::Kept),
        Err(Error::Dimension(DimensionError { expected: 26, found: 29, .. }))
    ));
    assert!(matches!(
        read(&many, Spaces::Enciphered),
        Err(Error::Dimension(DimensionError { expected: 27, found: 29, .. }))
    ));
    // One letter: a or i, and anything else is possible.
    let options = SolveOptions {
        posterior: PosteriorOptions { draws: 2000, ..PosteriorOptions::default() },
        ..SolveOptions::default()
    };
    let cipher = read("x", Spaces::Kept).unwrap();
    let solution = solve(&cipher, &language, &options, 0).unwrap();
    assert!(solution.certainties()[0] < 0.5, "{:?}", solution.certainties());
    assert_eq!(solution.plaintext.len(), 1);

    let letters = Letters::english;
    assert!(Language::from_text("the", 4).is_err() && Language::from_text("the cat", 0).is_err());
    assert!(Language::from_text("the cat sat on the mat", 6).is_err(), "27^6 numbers are too many");
    assert!(Language::from_symbols(letters(), &[27, 1, 1], 2).is_err());
    assert!(Language::from_counts(letters(), 1, &[0; 27]).is_err());
    assert!(Language::from_counts(letters(), 1, &[1; 26]).is_err());
    assert!(Letters::new("a".chars()).is_err() && Letters::new("aba".chars()).is_err());
    assert!(Key::new(vec![0, 0]).is_err() && Key::new(vec![1, 2]).is_err());
    assert!(Key::of_weights(&DMatrix::zeros(2, 2), &[Some(0), Some(0)]).is_err());
    assert!(Key::of_weights(&DMatrix::zeros(2, 2), &[Some(7), None]).is_err());
    let other = abc("xyz", 2);
    assert!(solve(&cipher, &other, &options, 0).is_err());
    assert!(
        fit_emissions(
            &cipher,
            &language,
            &EmissionOptions { concentration: 0.5, ..EmissionOptions::default() },
            0
        )
        .is_err()
    );
    let hot = AnnealingOptions::default().with_temperatures(f64::NAN, 1.0);
    assert!(solve(&cipher, &language, &SolveOptions { annealing: hot, ..options }, 0).is_err());
    let none = PosteriorOptions { draws: 0, ..PosteriorOptions::default() };
    assert!(matches!(
        solve(&cipher, &language, &SolveOptions { posterior: none, ..options }, 0),
        Err(Error::Parameter(_))
    ));
    assert_eq!(language.unicity_distance(1, 3.0), 0.0);
    assert_eq!(language.unicity_distance(26, 4.0), f64::INFINITY);
}
