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
