//! Quick stories tell numbers that are known from elsewhere, and end with a picture and facts.

use posterior_stories::{Ending, Sources, story};

/// What a story prints, after a look at its page.
pub(crate) fn output(name: &str) -> String {
    output_from(name, &Sources::embedded().shortened())
}

/// The same from these sources.
pub(crate) fn output_from(name: &str, sources: &Sources) -> String {
    let own = story(name).unwrap();
    let mut findings = Vec::new();
    let ending = own.tell(&mut findings, sources).unwrap();
    let Ending::Completed(page) = ending else { panic!("{name}: {ending:?}") };
    assert!(page.lead.is_some() && !page.facts.is_empty() && !page.source.is_empty(), "{name}");
    assert_eq!(page.command, format!("posterior gallery --only {name} --out DIR"));
    let html = page.html();
    assert!(!html.contains("NaN"), "{name}");
    String::from_utf8(findings).unwrap()
}

pub(crate) fn has(findings: &str, numbers: &[&str]) {
    for number in numbers {
        assert!(findings.contains(number), "{number} is not among the findings:\n{findings}");
    }
}

#[test]
fn six_of_ten_people_wear_glasses() {
    // Beta(7, 5): mean 7/12, P(> 1/2) = 743/1024, a fair coin 2310/1024 times as probable; Beta(61, 41): sums
    // of binomials.
    has(&output("people_with_glasses"), &["0.583333", "0.725586", "2.255859", "0.976978"]);
}

#[test]
fn the_radio_explains_the_alarm_away() {
    let findings = output("burglar_or_earthquake");
    // MacKay (2003): 0.495255, 0.082722. Russell and Norvig: 0.284172. Koller and Friedman: 3/38, 275/437,
    // 48/83, 1450/1909, 6/55.
    has(&findings, &["0.495255", "0.082722", "0.497740", "0.284172"]);
    has(&findings, &["0.502336", "0.078947", "0.629291", "0.578313", "0.759560", "0.109091"]);
}

#[test]
fn four_friends_have_eleven_thousand_scores() {
    let findings = output("voting_among_friends");
    // Z = 11327; p(Ann votes 1) = 10426/11327, given Cem 10201/10426 and 225/901; ln Z.
    has(&findings, &["11327", "0.920455548689", "0.97841934", "0.24972253", "9.334944535201"]);
}

#[test]
fn treatments_have_their_expected_losses() {
    // 0.1 x 100 + 0.7 x 10 and 0.2 x 100 + 0.79 x 10; 445/494.
    has(&output("which_treatment"), &["17.000 27.900", "0.9008"]);
}

/// The number at this place after a name that begins a line of the findings.
#[track_caller]
pub(crate) fn number(findings: &str, name: &str, place: usize) -> f64 {
    let line = findings.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.split_whitespace().nth(place).unwrap().trim_end_matches(['%', ',', ';', ':', ')']).parse().unwrap()
}

#[test]
fn a_noisy_hand_is_read_better_with_neighbours_and_best_by_who_knows() {
    let findings = output("handwriting");
    // ln(0.85 / 0.15) / 2: the weight of a pixel that flips with probability 0.15.
    has(&findings, &["+0.8673"]);
    let names = ["letters alone", "neighbours too", "knows letters", "knows words"];
    let [alone, joined, knows_letters, knows_words] =
        names.map(|name| [0, 1].map(|own| number(&findings, name, own)));
    for (letters, (neighbours, best)) in alone.iter().zip(joined.iter().zip(knows_words)) {
        assert!(letters < neighbours && *neighbours < best, "{findings}");
    }
    // What is fitted letter by letter comes near what can be, and is not above it by more than four standard
    // errors of 7,000 letters.
    assert!((knows_letters[0] - alone[0]).abs() < 2.0, "{findings}");
    assert_eq!(output("handwriting"), findings);
    // Real digits: neighbours never harm, and help where features leave something in doubt.
    let given = ["number of vertical lines", "closest image learned from", "pixels", "all of these"];
    let real = given.map(|name| std::array::from_fn::<f64, 4, _>(|place| number(&findings, name, place)));
    for [digits_alone, digits_joined, years_alone, years_joined] in real {
        assert!(digits_alone <= digits_joined && years_alone <= years_joined, "{findings}");
    }
    let [lines, closest, pixels, _] = real;
    assert!(lines[0] + 4.0 < lines[1] && pixels[2] + 4.0 < pixels[3], "{findings}");
    assert!(lines[0] < 40.0 && closest[0] > 90.0 && pixels[0] > 90.0, "{findings}");
}

#[test]
fn sums_come_near_the_normal_distribution_as_edgeworth_says() {
    let findings = output("central_limit");
    let row = |n: &str| [1, 3].map(|place| number(&findings, n, place));
    // Excess kurtosis -1.2/n: the largest |z^3 - 3z| phi(z) 1.2 / 24 is 0.02753, at z^2 = 3 - sqrt(6).
    // Skewness 2/sqrt(n): phi(0) / 3 = 0.13298.
    let [uniform, exponential] = row("64 ");
    assert!((uniform - 0.02753).abs() < 0.0003 && (exponential - 0.13298).abs() < 0.003, "{findings}");
    let [uniform, exponential] = row("8 ");
    assert!((uniform - 0.02753).abs() < 0.001 && (exponential - 0.13298).abs() < 0.02, "{findings}");
    // One exponential number, less its mean: 1 - 1/e - 1/2 at the mean is exceeded where nothing is below -1,
    // by Phi(-1) = 0.15866.
    has(&findings, &["0.15866"]);
    // Normal tails: 2.866516e-7 beyond five standard deviations; twelve uniform numbers: below 6 - 5 = 1 the
    // sum has the volume of a simplex, 1/12! = 2.0877e-9.
    has(&findings, &["2.867e-7", "2.088e-9"]);
}
