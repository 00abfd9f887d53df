//! Stories that fit models to what is embedded or drawn: what is known from elsewhere, and what they claim.

use posterior_stories::Sources;
use posterior_testkit::shared::shared_file;

use crate::numbers::{has, number, output, output_from};

#[test]
fn a_smoother_knows_more_than_a_filter_and_as_much_as_a_gaussian_process() {
    let findings = output("tracking");
    let [measured, filter, smoother] =
        ["measurements", "filter", "smoother"].map(|name| number(&findings, name, 0));
    assert!(smoother < filter && filter < measured, "{findings}");
    // The gains by SciPy's solve_discrete_are.
    has(
        &findings,
        &["position by 0.421 of its surprise, and the velocity by 0.113", "the likelihood fell 0 times"],
    );
    let apart = findings.split("differ by at most ").nth(1).unwrap().split(".\n").next().unwrap();
    assert!(apart.parse::<f64>().unwrap() < 1e-8, "{apart}");
}

#[test]
fn chosen_trials_come_nearer_than_random_ones() {
    let findings = output("bayesian_optimization");
    let [chosen, random] = [0, 1].map(|place| number(&findings, "    30", place));
    // Branin's function ranges over 300; thirty random points miss by about one.
    assert!(chosen < 0.05 && random > 10.0 * chosen, "{findings}");
}

#[test]
fn samplers_agree_on_the_ridge_as_far_as_they_say() {
    let findings = output("sampler_gallery");
    // The mean of x0^2 is 1: independent draws, and chains of which R-hat finds nothing wrong.
    for (name, place) in [
        ("rejection (12 % accepted)", 0),
        ("importance", 0),
        ("Hamiltonian, tuned", 0),
        ("No-U-Turn, tuned", 0),
    ] {
        let (mean, error) = (number(&findings, name, place), number(&findings, name, place + 2));
        assert!((mean - 1.0).abs() < 3.5 * error, "{name}: {findings}");
    }
    // R-hat of small steps shows that they have not been everywhere.
    assert!(number(&findings, "random walk, steps of 0.05", 6) > 1.1, "{findings}");
    // 1 - 0.97^2; 1.1^D proposals for a draw, and as many counted.
    has(&findings, &["0.059", "117.39", "13780.61"]);
    let counted = number(&findings, "        50 ", 1);
    assert!((counted / 117.39 - 1.0).abs() < 0.12, "{findings}");
}

#[test]
fn eruptions_galaxies_and_coins_are_those_of_other_programs() {
    let findings = output("clusters");
    // R's kmeans: 8901.769. mclust, model VVV of two components: -1130.264.
    has(&findings, &[" 8902\n", "-1130.26\n", "2 have a row or more"]);
    // Coins: the saddle 8/15 twice, and the top on the boundary (ln L -10.3638 and -10.2805, and four times
    // ln 3 for tosses in any order).
    has(&findings, &["-5.96940    0.5333    0.5333", "-5.88603    1.0000    0.4820"]);
    let groups =
        |count: usize| findings.lines().filter(|line| line.starts_with(&format!("{count:>4}  0."))).count();
    assert!((5..9).all(|count| groups(count) == 1), "{findings}");
}

#[test]
fn a_network_is_sure_where_a_gaussian_process_is_not() {
    let findings = output("two_classes");
    // At five times (5, 5): the process averages to a half, the trained network is certain.
    let far = [0, 2, 3].map(|place| number(&findings, "     5.0", place));
    assert!((far[0] - 0.5).abs() < 0.001 && far[2] > 0.999 && far[1] < far[2], "{findings}");
    // Expectation propagation is nearer to draws of the exact posterior than Laplace's method.
    let off = ["Laplace", "expectation propagation"].map(|name| number(&findings, name, 4));
    assert!(off[1] < 0.1 && off[0] > 3.0 * off[1], "{findings}");
    assert!(
        ["Laplace", "expectation propagation", "network, trained"]
            .iter()
            .all(|name| number(&findings, name, 1) < 12.0),
        "{findings}"
    );
}

#[test]
fn a_season_of_a_year_is_found_in_the_air() {
    let findings = output("mauna_loa");
    let evidence = |name| number(&findings, name, 0);
    let whole = evidence("smooth trend, season, years, weather");
    assert!(whole > evidence("trend and strict season") && whole > evidence("one RBF"), "{findings}");
    assert!((number(&findings, "periodic.period", 0) - 1.0).abs() < 0.003, "{findings}");
    // Carbon dioxide rose by 49.7 ppm in these 39 years: 1.3 a year, of which a line and a trend have parts.
    let slope = findings.split("The line rises by ").nth(1).unwrap();
    let slope: Vec<f64> = slope.split_whitespace().filter_map(|word| word.parse().ok()).take(2).collect();
    assert!((slope[0] - 1.3).abs() < 3.0 * slope[1], "{findings}");
    // Two routes to one curve.
    let routes = findings.split("differ by at most ").nth(1).unwrap();
    assert!(routes.split_whitespace().next().unwrap().parse::<f64>().unwrap() < 1e-8, "{routes}");
}

/// The texts, where they are, become the embedded counts.
#[test]
fn filters_leave_the_words_that_are_embedded() {
    let Some(file) = shared_file("the story of topics", "data/sotu/stopwords.txt") else { return };
    let sources = Sources::folder(file.ancestors().nth(2).unwrap()).shortened();
    let findings = output_from("topics_of_history", &sources);
    let kept = findings.lines().find(|line| line.starts_with("kept ")).unwrap();
    assert_eq!(kept.split_whitespace().skip(1).take(2).collect::<Vec<_>>(), ["10,000", "752,659"], "{kept}");
}

#[test]
fn topics_complete_addresses_better_than_one_topic() {
    let findings = output("topics_of_history");
    has(&findings, &["25 addresses", "the sharpest turns between neighbours in time"]);
    let perplexity = |name| number(&findings, name, 0);
    let one = perplexity("one topic ");
    assert!(perplexity("proportions with a prior (LDA)") < one && one < 10_000.0, "{findings}");
    assert!(perplexity("proportions that are fitted (PLSA)") < one, "{findings}");
    // The trace of a bound of the probability of the words, by word, rises.
    for name in ["ln p(words, topics), Gibbs", "bound of ln p(words)", "ln p(word | all other words)"] {
        let line = findings.lines().find(|line| line.trim().starts_with(name)).unwrap();
        let numbers: Vec<f64> = line.split([' ', '(']).filter_map(|part| part.parse().ok()).collect();
        assert!(numbers[0] < numbers[1] && numbers[1] < -5.0, "{line}");
    }
}
