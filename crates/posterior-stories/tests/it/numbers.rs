//! Quick stories tell numbers that are known from elsewhere, and end with a picture and facts.

use posterior_stories::{Ending, Sources, story};

/// What a story prints, after a look at its page.
fn output(name: &str) -> String {
    let own = story(name).unwrap();
    let mut findings = Vec::new();
    let ending = own.tell(&mut findings, &Sources::embedded()).unwrap();
    let Ending::Completed(page) = ending else { panic!("{name}: {ending:?}") };
    assert!(page.lead.is_some() && !page.facts.is_empty() && !page.source.is_empty(), "{name}");
    assert_eq!(page.command, format!("posterior gallery --only {name} --out DIR"));
    let html = page.html();
    assert!(!html.contains("NaN"), "{name}");
    String::from_utf8(findings).unwrap()
}

fn has(findings: &str, numbers: &[&str]) {
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

/// The proportion that follows a name in a line of the findings.
fn number(findings: &str, name: &str, place: usize) -> f64 {
    let line = findings.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.split_whitespace().nth(place).unwrap().parse().unwrap()
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
}
