//! ARPA files: there and back, one written by hand, and mistakes by their line.

use posterior_text::alphabet::Alphabet;
use posterior_text::ngram::{
    LanguageModel, NGramCounts, NGramModel, NGramOptions, NgramVocabulary, Smoothing, arpa,
};

use super::{all_contexts, all_rules, fit, open};

#[test]
fn models_survive_the_journey() {
    let text = vec![vec![0, 1, 0, 1, 0, 2, 0, 1, 2], vec![2, 1], vec![]];
    let alphabet: Alphabet = ["a", " ", "<unk>", "never"].into_iter().collect();
    for vocabulary in [open(4), NgramVocabulary::new(4).unwrap()] {
        for smoothing in all_rules(3) {
            for minimum_counts in [vec![], vec![2]] {
                let options = NGramOptions { minimum_counts, ..NGramOptions::new(smoothing.clone()) };
                let model = fit(&text, vocabulary, 3, &options);
                let mut file = Vec::new();
                if let Smoothing::AddK { .. } = smoothing {
                    assert!(arpa::write(&model, &alphabet, &mut file).is_err());
                    continue;
                }
                arpa::write(&model, &alphabet, &mut file).unwrap();
                let (read, names) = arpa::read(&file[..]).unwrap();
                assert_eq!(names, alphabet);
                assert_eq!(read.vocabulary(), vocabulary.with_unknown(2).unwrap());
                let (mut before, mut after) =
                    (vec![0.0; vocabulary.outcomes()], vec![0.0; vocabulary.outcomes()]);
                for context in all_contexts(vocabulary, 3) {
                    model.predict(model.after(&context).unwrap(), &mut before);
                    read.predict(read.after(&context).unwrap(), &mut after);
                    for (before, after) in before.iter().zip(&after) {
                        assert!((before - after).abs() < 1e-13, "{smoothing:?} {context:?}");
                    }
                }
            }
        }
    }
}

const SMALL: &str = "a comment
\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-1\t<s>\t-0.5
-0.3010299956639812\ta\t-0.2
-0.6020599913279624\tb
-0.6020599913279624\t</s>

\\2-grams:
-0.1\t<s> a
-0.4\ta b

\\end\\
";

/// p(b | a) is written; p(a | a) is the weight of a times p(a).
#[test]
fn a_file_by_hand() {
    let (model, alphabet) = arpa::read(SMALL.as_bytes()).unwrap();
    assert!(alphabet.iter().eq(["a", "b"]));
    let ln =
        |context: &[usize], symbol| model.ln_probability(context, symbol).unwrap() / std::f64::consts::LN_10;
    assert!((ln(&[3], 0) + 0.1).abs() < 1e-15);
    assert!((ln(&[0], 1) + 0.4).abs() < 1e-15);
    assert!((ln(&[0], 0) + 0.2 + 0.5_f64.log10().abs()).abs() < 1e-15);
    assert!((ln(&[3], 2) + 0.5 + 0.25_f64.log10().abs()).abs() < 1e-15);
    assert!((ln(&[1], 2) + 0.25_f64.log10().abs()).abs() < 1e-15);
}

#[test]
fn mistakes_are_reported_by_their_line() {
    let error =
        |from: &str, to: &str| arpa::read(SMALL.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
    assert_eq!(error("ngram 2=2", "ngram 2=3"), "line 15: 2 2-grams where 3 were announced");
    assert_eq!(error("ngram 2=2", "ngram 3=2"), "line 4: expected \"ngram 2=NUMBER\" or \\1-grams:");
    assert_eq!(error("a b", "a c"), "line 14: \"c\" is not among the unigrams");
    assert_eq!(error("a b", "<s> a"), "line 14: an n-gram that was there before");
    assert_eq!(error("-0.4", "0.4"), "line 14: 0.4 is above 0, the logarithm of 1");
    assert_eq!(error("-0.4", "x"), "line 14: \"x\" is no logarithm");
    assert_eq!(
        error("a b", "a b c d"),
        "line 14: expected a logarithm, 2 words, perhaps a weight; found 5 fields"
    );
    assert_eq!(error("\\end\\", ""), "line 17: expected \\end\\");
    assert_eq!(error("\\2-grams:", "\\3-grams:"), "line 12: expected \\2-grams:");
    assert_eq!(arpa::read("".as_bytes()).unwrap_err().to_string(), "line 2: the file ends before \\1-grams:");
    let counts = NGramCounts::of(&[[0, 1]], open(2), 2).unwrap();
    let model = NGramModel::fit(&counts, &NGramOptions::new(Smoothing::WittenBell)).unwrap();
    for names in [["a", "b c"], ["a", ""], ["a", "</s>"], ["a", "<space>"]] {
        let alphabet: Alphabet = names.into_iter().collect();
        assert!(arpa::write(&model, &alphabet, Vec::new()).is_err(), "{names:?}");
    }
    assert!(arpa::write(&model, &Alphabet::new(), Vec::new()).is_err());
}

/// Bigrams of a b, a b, a c by absolute discounting with D = 1/2, by hand.
///
/// Of 9 unigrams (3 a, 2 b, 1 c, 3 ends) p(w) = (c(w) - 1/2) / 9 + 2/9 · 1/5, uniform over 5 outcomes.
/// Weights: after a (3 times, 2 different) 2 · 1/2 / 3, after b (twice, 1 different) 1/4, after c 1/2, after
/// the beginning (3 times, 1 different) 1/6; p(b | a) = 3/2 / 3 + p(b) / 3.
#[test]
fn back_off_weights_are_those_by_hand() {
    let names: Alphabet = ["a", "b", "c", "<unk>"].into_iter().collect();
    let vocabulary = NgramVocabulary::new(4).unwrap().with_unknown(3).unwrap();
    let counts = NGramCounts::of(&[[0, 1], [0, 1], [0, 2]], vocabulary, 2).unwrap();
    let rule = Smoothing::AbsoluteDiscounting { discount: Some(0.5) };
    let model = NGramModel::fit(&counts, &NGramOptions::new(rule)).unwrap();
    let mut file = Vec::new();
    arpa::write(&model, &names, &mut file).unwrap();
    let text = String::from_utf8(file).unwrap();
    let unigram = |count: f64| (if count > 0.0 { count - 0.5 } else { 0.0 }) / 9.0 + 2.0 / 9.0 / 5.0;
    let (a, b, c, end) = (unigram(3.0), unigram(2.0), unigram(1.0), unigram(3.0));
    let wanted = [
        ("a", a, Some(1.0 / 3.0)),
        ("b", b, Some(0.25)),
        ("c", c, Some(0.5)),
        ("<unk>", unigram(0.0), None),
        ("</s>", end, None),
        ("<s> a", 2.5 / 3.0 + a / 6.0, None),
        ("a b", 1.5 / 3.0 + b / 3.0, None),
        ("a c", 0.5 / 3.0 + c / 3.0, None),
        ("b </s>", 1.5 / 2.0 + end / 4.0, None),
        ("c </s>", 0.5 + end / 2.0, None),
    ];
    assert!(text.starts_with("\\data\\\nngram 1=6\nngram 2=5\n\n\\1-grams:\n"), "{text}");
    for (ngram, probability, weight) in wanted {
        let line = text.lines().find(|line| line.split('\t').nth(1) == Some(ngram)).unwrap();
        let number = |place: usize| line.split('\t').nth(place).map(|own| own.parse::<f64>().unwrap());
        assert!((number(0).unwrap() - probability.log10()).abs() < 1e-14, "{line} {probability}");
        match weight {
            Some(weight) => assert!((number(2).unwrap() - f64::log10(weight)).abs() < 1e-14, "{line}"),
            None => assert_eq!(number(2), None, "{line}"),
        }
    }
    let begin = text.lines().find(|line| line.split('\t').nth(1) == Some("<s>")).unwrap();
    assert!(begin.starts_with("-99\t"), "{begin}");
    assert!(
        (begin.split('\t').nth(2).unwrap().parse::<f64>().unwrap() - (1.0_f64 / 6.0).log10()).abs() < 1e-14
    );
}

#[cfg(feature = "serde")]
#[test]
fn models_are_read_back_to_the_bit_and_checked() {
    let text = vec![vec![0, 1, 0, 1, 0, 2, 0, 1, 2], vec![2, 1], vec![]];
    for vocabulary in [open(4), NgramVocabulary::new(4).unwrap().with_unknown(3).unwrap()] {
        for smoothing in all_rules(3) {
            let model = fit(&text, vocabulary, 3, &NGramOptions::new(smoothing.clone()));
            let written = serde_json::to_string(&model).unwrap();
            assert_eq!(serde_json::from_str::<NGramModel>(&written).unwrap(), model, "{smoothing:?}");
        }
    }
    let model = fit(&text, open(4), 2, &NGramOptions::new(Smoothing::WittenBell));
    let value = serde_json::to_value(&model).unwrap();
    assert!(serde_json::from_value::<NGramModel>(value.clone()).is_ok());
    let nodes = value["last"].as_array().unwrap().len() as u64;
    for (field, place, wrong) in [
        ("last", 1, 3.into()),
        ("last", 6, 9.into()),
        ("first_child", 2, nodes.into()),
        ("first_child", 0, 0.into()),
        ("levels", 2, 3.into()),
        ("levels", 1, 4_000_000_000_u64.into()),
        ("probability", 3, serde_json::json!(1.5)),
        ("remainder", 0, serde_json::json!(-0.1)),
    ] {
        let mut value = value.clone();
        value[field][place] = wrong;
        assert!(serde_json::from_value::<NGramModel>(value).is_err(), "{field} {place}");
    }
    for (field, wrong) in
        [("symbols", 3.into()), ("unknown", 4.into()), ("more", 1.into()), ("levels", [0, 1].into())]
    {
        let mut value = value.clone();
        value[field] = wrong;
        assert!(serde_json::from_value::<NGramModel>(value).is_err(), "{field}");
    }
    let mut short = value;
    short["probability"].as_array_mut().unwrap().pop();
    assert!(serde_json::from_value::<NGramModel>(short).is_err());
}

/// What is not in the vocabulary has probability 0, and nothing is known of the past after it.
#[test]
fn scores_with_gaps() {
    let (model, _) = arpa::read(SMALL.as_bytes()).unwrap();
    let known = model.score(&[vec![0, 1]]).unwrap();
    assert_eq!(model.score_with_gaps(&[vec![Some(0), Some(1)]]).unwrap(), known);
    let gaps = model.score_with_gaps(&[vec![Some(0), None, Some(1)]]).unwrap();
    assert_eq!((gaps.tokens, gaps.unknown, gaps.ln_unknown), (4, 1, f64::NEG_INFINITY));
    // <s> a, then b and the end without a past that helps.
    let wanted = 10.0_f64.powf(-0.1) * 0.25 * 0.25;
    assert!((gaps.ln_known - wanted.ln()).abs() < 1e-14);
    assert!(gaps.perplexity().is_infinite());
    assert!((gaps.perplexity_of_known() - wanted.powf(-1.0 / 3.0)).abs() < 1e-12);
    assert!(model.score_with_gaps(&[vec![Some(2)]]).is_err());
    // With a symbol for the unknown, a gap is it.
    let with = NgramVocabulary::new(3).unwrap().with_unknown(2).unwrap();
    let model = fit(&[vec![0, 1, 2, 0]], with, 2, &NGramOptions::new(Smoothing::WittenBell));
    assert_eq!(model.score_with_gaps(&[vec![Some(0), None]]).unwrap(), model.score(&[vec![0, 2]]).unwrap());
}
