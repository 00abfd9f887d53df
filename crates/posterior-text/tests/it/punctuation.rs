//! Punctuation: relative frequencies by hand, properties of smoothing, exact answers of tiny processes,
//! real texts.

use posterior_testkit::shared::shared_file;
use posterior_text::punctuation::{
    CLASSES, ContextSmoothing, FranchiseOptions, PunctuationModel, Symbol, score,
};
use proptest::prelude::*;

const ALL: [ContextSmoothing; 5] = [
    ContextSmoothing::BackOff,
    ContextSmoothing::Dirichlet { concentration: 0.7 },
    ContextSmoothing::WittenBell,
    ContextSmoothing::KneserNey,
    ContextSmoothing::PitmanYor(PITMAN_YOR),
];

const PITMAN_YOR: FranchiseOptions = FranchiseOptions::DEFAULT;

fn fit(texts: &[&str], n: usize, smoothing: ContextSmoothing) -> PunctuationModel {
    PunctuationModel::fit(texts, n, &smoothing).unwrap()
}

#[test]
fn relative_frequencies_by_hand() {
    // Of 14 characters 12 have a successor: "a" has 3 of them, a full stop, a comma and something else.
    let model = fit(&["ab a, ba.", "ca b!"], 0, ContextSmoothing::MaximumLikelihood);
    assert_eq!((model.characters(), model.contexts(), model.free_parameters()), (7, 5, 42.0));
    assert_eq!(model.counts("").iter().sum::<u32>(), 12);
    assert_eq!(model.counts("a"), [1, 0, 0, 0, 0, 1, 2]);
    assert_eq!(model.distribution("xxa").unwrap(), [0.25, 0.0, 0.0, 0.0, 0.0, 0.25, 0.5]);
    assert_eq!(model.distribution("b").unwrap()[Symbol::Exclamation as usize], 1.0 / 3.0);
    assert_eq!(
        (model.distribution("!"), model.distribution("z"), model.counts("z")),
        (None, None, [0; CLASSES])
    );
    // Two characters: what is before the beginning counts as a character.
    let model = fit(&["ab a, ba.", "ca b!"], 1, ContextSmoothing::MaximumLikelihood);
    assert_eq!(model.distribution("ba").unwrap()[Symbol::FullStop as usize], 1.0);
    assert_eq!(model.distribution(" a").unwrap()[Symbol::Comma as usize], 1.0);
    assert_eq!(model.distribution("bb"), None);
    assert_eq!(model.distribution("a").unwrap()[Symbol::Other as usize], 1.0);
}

/// Five lines without sense, made for the counts of a worked example: 287 characters, 41 of them distinct.
const FIVE_LINES: [&str; 5] = [
    "never Mary Tom winter sheep late, keep rose after",
    "John far Will his kept York ship, number Rex we Rex Gus it upper over box to slope",
    "Kim held in saw four 7 after rose number river..",
    "Rex winter grew York 12 letter corner stone Rome",
    "of never Anna Ida stood 7 7 water people help Don Paris Will",
];

#[test]
fn five_lines_have_four_marks() {
    assert_eq!(FIVE_LINES.iter().map(|line| line.chars().count()).sum::<usize>(), 287);
    let model = fit(&FIVE_LINES, 0, ContextSmoothing::MaximumLikelihood);
    assert_eq!((model.characters(), model.free_parameters()), (41, 6.0 * 41.0));
    // The last character of a line has no successor.
    assert_eq!(model.counts(""), [2, 0, 0, 0, 0, 2, 278]);
    let p = |context: &str, symbol: Symbol| model.distribution(context).unwrap()[symbol as usize];
    assert_eq!(p("e", Symbol::Comma), 1.0 / 35.0);
    assert_eq!(p("p", Symbol::Comma), 1.0 / 10.0);
    assert_eq!(p("r", Symbol::FullStop), 1.0 / 24.0);
    assert_eq!(p(".", Symbol::FullStop), 1.0);
    // Always "other" is right 278 times of 282, and finds none of the marks.
    let scores = score(&model, &FIVE_LINES).unwrap();
    assert_eq!(scores.positions, 282);
    assert_eq!(scores.confusion.accuracy(), Some(279.0 / 282.0));
    // Three characters before each, of a hundred: 6 x 10^8 free numbers.
    let hundred: String = ('!'..='\u{84}').collect();
    assert_eq!(fit(&[&hundred], 3, ContextSmoothing::MaximumLikelihood).free_parameters(), 6e8);
}

#[test]
fn shorter_contexts_stand_in() {
    let texts = ["ab a, ba.", "ca b!"];
    let back_off = fit(&texts, 1, ContextSmoothing::BackOff);
    // "za" was not seen, "a" was; "z" was not either, and there is the distribution without context.
    assert_eq!(back_off.distribution("za").unwrap(), [0.25, 0.0, 0.0, 0.0, 0.0, 0.25, 0.5]);
    assert_eq!(
        back_off.distribution("z").unwrap(),
        [1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 9.0].map(|count: f64| count / 12.0)
    );
    // Witten and Bell by hand: p₀ = (c + 4/7) / (12 + 4); after "a" three classes.
    let model = fit(&texts, 0, ContextSmoothing::WittenBell);
    let below = |count: f64| (count + 4.0 / 7.0) / 16.0;
    let distribution = model.distribution("a").unwrap();
    assert!((distribution[0] - (1.0 + 3.0 * below(1.0)) / 7.0).abs() < 1e-15);
    assert!((distribution[2] - 3.0 * below(0.0) / 7.0).abs() < 1e-15);
    assert!((model.distribution("z").unwrap()[6] - below(9.0)).abs() < 1e-15);
}

#[test]
fn kneser_ney_by_hand() {
    // n = 0: contexts of one character a (2 other, 1 comma), b (1 comma), comma (1 other), space (1 other):
    // counts of one: 4, of two: 1, discount 4/6. Shorter: other after 3 contexts, comma after 2; no ones:
    // counts of one 0, discount a half.
    let model = fit(&["aa b,", "a, "], 0, ContextSmoothing::KneserNey);
    assert_eq!((model.counts("a"), model.counts("b")), ([0, 0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 0, 1, 0]));
    let shorter = |count: f64| ((count - 0.5_f64).max(0.0) + 0.5 * 2.0 / 7.0) / 5.0;
    assert!((model.distribution("z").unwrap()[6] - shorter(3.0)).abs() < 1e-15);
    let (d, distribution) = (4.0 / 6.0, model.distribution("a").unwrap());
    assert!((distribution[6] - (2.0 - d + d * 2.0 * shorter(3.0)) / 3.0).abs() < 1e-15);
    assert!((distribution[5] - (1.0 - d + d * 2.0 * shorter(2.0)) / 3.0).abs() < 1e-15);
    assert!((distribution[0] - d * 2.0 * shorter(0.0) / 3.0).abs() < 1e-15);
}

#[test]
fn a_pitman_yor_process_of_two_customers_is_exact() {
    // One context "a", followed twice by a comma; θ = 1, d = 0.3 at both lengths, H uniform. Either both sit
    // at one table, or at two, whose dishes are drawn above: P(one table) ∝ (1 - d), P(two) ∝ (θ + d) p₀',
    // p₀' = (1 - d + (θ + d)/7) / (θ + 1) after one customer there.
    let (theta, d, h) = (1.0, 0.3, 1.0 / 7.0);
    let above_one = (1.0 - d + (theta + d) * h) / (theta + 1.0);
    let (one, two) = (1.0 - d, (theta + d) * above_one);
    // The root then has one customer, or two at one or two tables.
    let stay = (1.0 - d) / (1.0 - d + (theta + d) * h);
    let root_two = stay * (2.0 - d + (theta + d) * h) / (theta + 2.0)
        + (1.0 - stay) * (2.0 - 2.0 * d + (theta + 2.0 * d) * h) / (theta + 2.0);
    let leaf = |tables: f64, root: f64| (2.0 - d * tables + (theta + d * tables) * root) / (theta + 2.0);
    let expected = (one * leaf(1.0, above_one) + two * leaf(2.0, root_two)) / (one + two);
    let options = FranchiseOptions {
        seed: 4,
        ..FranchiseOptions::default().with_process(theta, Some(d)).with_sweeps(100, 40_000)
    };
    let model = fit(&["a,", "a,"], 0, ContextSmoothing::PitmanYor(options));
    let found = model.distribution("a").unwrap()[Symbol::Comma as usize];
    // A draw's distribution has a standard deviation of 0.05; 40,000 draws with an autocorrelation below 4
    // have an error of 0.0005: six of them.
    assert!((found - expected).abs() < 0.003, "{found} {expected}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn distributions_sum_to_one_everywhere(texts in prop::collection::vec("[ab.,! é]{0,12}", 1..4), n in 0..4_usize, before in "[abc.,é]{0,6}") {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for smoothing in ALL {
            let Ok(model) = PunctuationModel::fit(&texts, n, &smoothing) else {
                prop_assert!(texts.iter().all(|text| text.chars().count() < 2));
                continue;
            };
            let distribution = model.distribution(&before).unwrap();
            prop_assert!((distribution.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{smoothing:?}: {distribution:?}");
            prop_assert!(distribution.iter().all(|&p| p >= 0.0));
            prop_assert!(smoothing == ContextSmoothing::BackOff || distribution.iter().all(|&p| p > 0.0));
        }
        if let Ok(model) = PunctuationModel::fit(&texts, n, &ContextSmoothing::MaximumLikelihood) {
            let characters: Vec<char> = before.chars().collect();
            prop_assert_eq!(model.distribution(&before).is_some(), model.has_seen(&characters));
        }
    }
}

#[test]
fn scores_count_what_they_say() {
    let model = fit(&["ab a, ba.", "ca b!"], 1, ContextSmoothing::MaximumLikelihood);
    let own = score(&model, &["ab a, ba.", "ca b!"]).unwrap();
    assert_eq!((own.positions, own.unseen, own.undefined, own.impossible), (12, 0, 0, 0));
    let scores = score(&model, &["ab!", "bb", "x", "ba,"]).unwrap();
    // "a" at the beginning and "ba" were seen; "ab" was followed by a space only, "b" at the beginning never.
    assert_eq!((scores.positions, scores.unseen, scores.undefined), (5, 2, 2));
    assert_eq!((scores.impossible, scores.ln_loss), (2, f64::INFINITY));
    assert_eq!(scores.confusion.count(Symbol::Exclamation as usize, Symbol::Other as usize), 1);
}

#[test]
fn restored_text_is_the_best_of_all() {
    let lines = ["aab, ab. b", "ab, aab. ab!", "ba, b. ab", "b! ab, a"];
    let model = fit(&lines, 2, ContextSmoothing::WittenBell);
    let ln_probability = |marked: &[(char, bool)]| {
        // What the model says of each step: a mark, or something else.
        let text: Vec<char> = marked.iter().map(|&(c, _)| c).collect();
        let step = |t: usize| {
            let before = &text[t.saturating_sub(3)..t];
            if t == 0 {
                0.0
            } else {
                model.distribution_after(before).unwrap()[Symbol::of(text[t]) as usize].ln()
            }
        };
        (0..text.len()).map(step).sum::<f64>()
    };
    for plain in ["ab ab b", "aab b a", "b"] {
        let restored = model.restore(plain, 1000);
        assert_eq!(restored.chars().filter(|&c| Symbol::of(c) == Symbol::Other).collect::<String>(), plain);
        // All ways to put no mark or one of six behind each character.
        let count = plain.chars().count();
        let mut best = (f64::NEG_INFINITY, String::new());
        for way in 0..7_usize.pow(count as u32) {
            let mut marked = Vec::new();
            for (t, c) in plain.chars().enumerate() {
                marked.push((c, false));
                if let Some(mark) = Symbol::ALL[way / 7_usize.pow(t as u32) % 7].character() {
                    marked.push((mark, true));
                }
            }
            // The end is one more step, to something else if there is no mark.
            let mut ln = ln_probability(&marked);
            let text: Vec<char> = marked.iter().map(|&(c, _)| c).collect();
            if !marked[marked.len() - 1].1 {
                ln += model.distribution_after(&text[text.len().saturating_sub(3)..]).unwrap()[CLASSES - 1]
                    .ln();
            }
            if ln > best.0 {
                best = (ln, text.into_iter().collect());
            }
        }
        assert_eq!(restored, best.1);
        if plain.len() > 7 {
            break;
        }
    }
    assert_eq!(fit(&lines, 2, ContextSmoothing::MaximumLikelihood).restore("zz", 5), "zz");
    assert_eq!(model.restore("", 5), "");
}

#[test]
fn misuse_is_refused() {
    let refused = |texts: &[&str], n, smoothing| PunctuationModel::fit(texts, n, &smoothing).is_err();
    assert!(refused(&[], 0, ContextSmoothing::BackOff) && refused(&["", "a"], 0, ContextSmoothing::BackOff));
    assert!(refused(&["ab"], 64, ContextSmoothing::BackOff));
    assert!(refused(&["ab"], 0, ContextSmoothing::Dirichlet { concentration: f64::NAN }));
    let process = |concentration, discount| {
        ContextSmoothing::PitmanYor(FranchiseOptions::default().with_process(concentration, discount))
    };
    assert!(refused(&["ab"], 0, process(0.0, None)) && refused(&["ab"], 0, process(1.0, Some(1.0))));
    assert!(refused(&["ab"], 0, ContextSmoothing::PitmanYor(FranchiseOptions::default().with_sweeps(5, 0))));
}

#[test]
fn real_texts() {
    let Some(folder) = shared_file("punctuation of real texts", "data/sotu/raw") else { return };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    // The last addresses are like each other.
    let texts = files[files.len() - 9..].iter().map(|file| std::fs::read_to_string(file).unwrap());
    let texts: Vec<String> = texts.collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (train, test) = texts.split_at(8);
    let process = ContextSmoothing::PitmanYor(FranchiseOptions::default().with_sweeps(1, 2));
    let mut unseen = Vec::new();
    for n in [0, 2, 4] {
        let scores = [
            ContextSmoothing::MaximumLikelihood,
            ContextSmoothing::WittenBell,
            ContextSmoothing::KneserNey,
            process,
        ]
        .map(|smoothing| score(&fit(train, n, smoothing), test).unwrap());
        let losses = scores.each_ref().map(|scores| scores.ln_loss);
        let proportions = scores.each_ref().map(|scores| scores.confusion.macro_f1().unwrap_or(0.0));
        println!("n = {n}: loss {losses:.4?}, macro F1 {proportions:.3?}, unseen {}", scores[0].unseen);
        assert_eq!((scores[0].unseen, losses[0]), (scores[0].undefined, f64::INFINITY));
        assert!(scores.iter().all(|other| other.unseen == scores[0].unseen));
        assert!(scores[1..].iter().all(|scores| scores.undefined == 0 && scores.impossible == 0));
        assert!(scores[1..].iter().all(|scores| scores.confusion.accuracy().unwrap() > 0.97));
        // The process knows more than its approximation.
        assert!(losses[3] < losses[2]);
        unseen.push(scores[0].unseen);
    }
    assert!(unseen.is_sorted());
    // More text, more contexts, better predictions.
    let [little, much] =
        [&train[7..], train].map(|train| score(&fit(train, 4, ContextSmoothing::KneserNey), test).unwrap());
    assert!(much.unseen < little.unseen && much.ln_loss < little.ln_loss);
}
