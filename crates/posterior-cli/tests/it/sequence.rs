//! `posterior sequence`: ciphers solved, n-grams by hand, punctuation, and what is wrong with files.

use serde_json::Value;

use crate::program::{Place, Ran};

const PLAIN: &str = "We observe today not a victory of party but a celebration of freedom, symbolizing an end as well as a \
beginning, signifying renewal as well as change. For I have sworn before you and almighty God the same solemn oath our \
forebears prescribed nearly a century and three quarters ago. The world is very different now, for man holds in his mortal \
hands the power to abolish all forms of human poverty and all forms of human life.\n";

/// Each letter replaced by one of a keyword's alphabet.
fn enciphered(text: &str) -> String {
    let key = "qwertyuiopasdfghjklzxcvbnm".as_bytes();
    let replace = |c: char| match c {
        'a'..='z' => char::from(key[(c as u8 - b'a') as usize]),
        'A'..='Z' => char::from(key[(c as u8 - b'A') as usize]).to_ascii_uppercase(),
        _ => c,
    };
    text.chars().map(replace).collect()
}

fn json(place: &Place, arguments: &[&str]) -> Value {
    let ran = place.succeed(&[&["sequence"], arguments, &["--format", "json", "--quiet"]].concat());
    serde_json::from_str(&ran.stdout).unwrap()
}

#[track_caller]
fn refused(ran: &Ran, code: i32, message: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{ran:?}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn a_cipher_is_solved_with_the_embedded_counts() {
    let place = Place::new();
    place.write("secret.txt", enciphered(PLAIN));
    place.write("plain.txt", PLAIN);
    let output = json(&place, &["cipher", "secret.txt", "--plain", "plain.txt", "--out", "out"]);
    assert_eq!(output["plaintext"], PLAIN);
    let stages = output["stages"].as_array().unwrap();
    assert_eq!(stages.len(), 5);
    assert_eq!(stages[4]["right"], 1.0);
    assert!(stages[0]["right"].as_f64().unwrap() < 0.9);
    let key = output["key"].as_array().unwrap();
    assert!(key.iter().any(|pair| pair["symbol"] == "q" && pair["letter"] == "a"));
    assert_eq!(std::fs::read_to_string(place.path("out/plain.txt")).unwrap(), PLAIN);
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("letters are certain") && page.contains("We observe today"));
    let table = std::fs::read_to_string(place.path("out/key.csv")).unwrap();
    assert!(table.starts_with("symbol,letter,probability,count\n"));
    let text = place.succeed(&["sequence", "cipher", "secret.txt"]).stdout;
    assert!(
        text.contains("We observe today not a victory") && text.contains("hidden Markov model"),
        "{text}"
    );
}

#[test]
fn ngrams_by_hand() {
    let place = Place::new();
    // After "ab" always "c": 9 of 10 abc are counted.
    place.write("abc.txt", "abc".repeat(10));
    let output = json(
        &place,
        &["ngram", "abc.txt", "--order", "2", "--smoothing", "ml", "--predict", "xab", "--sample", "7"],
    );
    assert_eq!((&output["tokens"], &output["vocabulary"]), (&27.into(), &4.into()));
    assert_eq!(output["ngrams"], serde_json::json!([3, 3]));
    assert_eq!((&output["next"][0]["symbol"], &output["next"][0]["probability"]), (&"c".into(), &1.0.into()));
    // The first character of three has probability 1/3, and the others 1.
    let bits = output["held_out"]["bits_per_token"].as_f64().unwrap();
    assert!((bits - 3_f64.log2() / 3.0).abs() < 1e-12, "{bits}");
    let sample = output["sample"].as_str().unwrap();
    assert!(sample.len() == 7 && "abcabcabcabc".contains(sample));
    // A word that was not counted is impossible for relative frequencies, and not for others.
    place.write("words.txt", "The cat. The cat! The cat sat; the Cat sat. A dog?\n");
    let output = json(
        &place,
        &[
            "ngram",
            "words.txt",
            "--unit",
            "word",
            "--smoothing",
            "kn",
            "--held-out",
            "0.2",
            "--min-count",
            "1",
        ],
    );
    assert_eq!((&output["order"], &output["held_out"]["unknown"]), (&3.into(), &2.into()));
    assert!(output["held_out"]["perplexity"].as_f64().unwrap() > 1.0);
    let text =
        place.succeed(&["sequence", "ngram", "words.txt", "--unit", "word", "--predict", "the"]).stdout;
    assert!(text.contains("words counted") && text.contains("probability"), "{text}");
}

/// Sentences, of which no two are alike.
fn sentences() -> String {
    let line = |i: usize| {
        let [noun, verb] = [["dog", "cat", "bird"][i % 3], ["sleeps", "runs"][i / 3 % 2]];
        format!("the {noun} {verb} {}\n", ["now", "again", "here", "there", "Often"][i % 5])
    };
    (0..60).map(line).collect()
}

#[test]
fn models_are_saved_scored_and_carried_to_other_programs() {
    let place = Place::new();
    place.write("train.txt", sentences());
    place.write("test.txt", "the cat sleeps here\n\nthe mouse runs now\n");
    for unit in ["token", "word", "char"] {
        for smoothing in ["mkn", "witten-bell", "good-turing", "kn"] {
            let fit = [
                "ngram",
                "train.txt",
                "--unit",
                unit,
                "--lines",
                "--held-out",
                "0",
                "--smoothing",
                smoothing,
                "--out",
                "out",
            ];
            json(&place, &fit);
            let own = json(&place, &["score", "out", "test.txt"]);
            let arpa = json(&place, &["score", "out/model.arpa", "test.txt", "--unit", unit]);
            for field in ["tokens", "unknown", "sequences", "order", "vocabulary", "unit"] {
                assert_eq!(own[field], arpa[field], "{unit} {smoothing} {field}");
            }
            for field in ["ln_probability", "bits_per_token", "perplexity", "perplexity_of_known"] {
                let [own, arpa] = [&own, &arpa].map(|all| all[field].as_f64().unwrap());
                assert!((own - arpa).abs() < 1e-11 * own.abs(), "{unit} {smoothing} {field}: {own} {arpa}");
            }
            assert_eq!(own["sequences"].as_u64(), Some(2));
            if unit == "token" {
                // Eight words and two ends; a mouse is not known.
                assert_eq!((own["tokens"].as_u64(), own["unknown"].as_u64()), (Some(10), Some(1)));
            }
        }
    }
    // What was held out has the score of a file with it; without lines too.
    let all = sentences();
    let lines: Vec<&str> = all.lines().collect();
    place.write("first.txt", format!("{}\n", lines[..45].join("\n")));
    place.write("last.txt", format!("{}\n", lines[45..].join("\n")));
    for lines in [&["--lines"][..], &[]] {
        let both =
            json(&place, &[&["ngram", "train.txt", "--unit", "token", "--held-out", "0.25"], lines].concat());
        json(
            &place,
            &[&["ngram", "first.txt", "--unit", "token", "--held-out", "0", "--out", "out"], lines].concat(),
        );
        let scored = json(&place, &["score", "out", "last.txt"]);
        for field in ["tokens", "unknown", "bits_per_token", "perplexity"] {
            assert_eq!(both["held_out"][field], scored[field], "{lines:?} {field}");
        }
    }
    let text = place.succeed(&["sequence", "score", "out", "test.txt"]).stdout;
    assert!(text.contains("perplexity without what it does not know"), "{text}");
    // A rule without shorter contexts is stored, and has no ARPA form.
    let ran = place.succeed(&["sequence", "ngram", "train.txt", "--smoothing", "add-one", "--out", "one"]);
    assert!(
        ran.stderr.contains("note: no model.arpa: ") && !place.path("one/model.arpa").exists(),
        "{ran:?}"
    );
    assert!(json(&place, &["score", "one", "test.txt"])["perplexity"].as_f64().unwrap() > 1.0);
}

const ARPA: &str = "\\data\\\nngram 1=4\nngram 2=2\n\n\\1-grams:\n-1\t<s>\t-0.5\n-0.3\ta\t-0.2\n-0.6\tb\n-0.6\t</s>\n\n\\2-grams:\n-0.1\t<s> a\n-0.4\ta b\n\n\\end\\\n";

#[test]
fn a_model_of_another_program_by_hand() {
    let place = Place::new();
    place.write("small.arpa", ARPA);
    place.write("text.txt", "a b\na C\n");
    let output = json(&place, &["score", "small.arpa", "text.txt"]);
    // <s> a, a b, b </s>; <s> a, nothing for C, and the end of what nothing is known of.
    let known = std::f64::consts::LN_10 * (-0.1 - 0.4 - 0.6 - 0.1 - 0.6);
    assert_eq!((output["tokens"].as_u64(), output["unknown"].as_u64()), (Some(6), Some(1)));
    assert_eq!((&output["perplexity"], &output["bits_per_token"]), (&"inf".into(), &"inf".into()));
    assert!((output["perplexity_of_known"].as_f64().unwrap() - (-known / 5.0).exp()).abs() < 1e-12);
    place.write("bad.arpa", ARPA.replace("-0.4", "x"));
    refused(
        &place.run(&["sequence", "score", "bad.arpa", "text.txt"]),
        1,
        "bad.arpa: line 13: \"x\" is no logarithm",
    );
    place.write("other.json", "{\"format\": \"posterior-hmm\", \"version\": 2}");
    refused(
        &place.run(&["sequence", "score", "other.json", "text.txt"]),
        1,
        "no model of `posterior sequence ngram`",
    );
    json(&place, &["ngram", "text.txt", "--held-out", "0", "--out", "out"]);
    let ran = place.run(&["sequence", "score", "out", "text.txt", "--unit", "word"]);
    refused(&ran, 2, "--unit");
}

#[test]
fn punctuation_is_learned_and_restored() {
    let place = Place::new();
    place.write("one.txt", "Stop! Who goes there? A friend, a foe. ".repeat(40));
    let output =
        json(&place, &["punctuation", "one.txt", "--n", "3", "--restore", "Who goes there", "--out", "out"]);
    assert_eq!(output["restored"], "Who goes there?");
    assert_eq!(output["results"].as_array().unwrap().len(), 20);
    assert_eq!(output["contexts"].as_array().unwrap().len(), 4);
    assert_eq!(output["best"]["confusion"].as_array().unwrap().len(), 7);
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("characters of context predict best"));
    let text = place.succeed(&["sequence", "punctuation", "one.txt", "--n", "1"]).stdout;
    assert!(
        text.contains("macro F1") && text.contains("kneser-ney") && text.contains("least loss"),
        "{text}"
    );
}

#[test]
fn the_same_output_for_any_number_of_threads() {
    let run = |threads: &str| {
        let place = Place::new();
        place.write("secret.txt", enciphered(PLAIN));
        place.succeed(&["sequence", "cipher", "secret.txt", "--restarts", "1", "--threads", threads]).stdout
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn what_is_wrong_is_reported() {
    let place = Place::new();
    refused(&place.run(&["sequence", "cipher", "none.txt"]), 1, "none.txt");
    place.write("latin1.txt", b"one\ntwo\xe9\n");
    refused(&place.run(&["sequence", "ngram", "latin1.txt"]), 1, "latin1.txt: line 2: expected UTF-8");
    place.write("empty.txt", " \n");
    refused(&place.run(&["sequence", "punctuation", "empty.txt"]), 1, "empty.txt: expected a text");
    place.write("digits.txt", "12 34\n");
    refused(&place.run(&["sequence", "cipher", "digits.txt"]), 1, "digits.txt: a cipher text needs a letter");
    place.write("text.txt", "a few words\n");
    place.write("more.txt", "a few more words\n");
    refused(
        &place.run(&["sequence", "cipher", "text.txt", "--plain", "more.txt"]),
        1,
        "more.txt: expected 11",
    );
    refused(&place.run(&["sequence", "cipher", "text.txt", "--order", "5"]), 2, "up to 4 letters");
    refused(&place.run(&["sequence", "ngram", "text.txt", "--held-out", "1"]), 2, "--held-out 1");
    refused(&place.run(&["sequence", "ngram", "text.txt", "--held-out", "NaN"]), 2, "--held-out NaN");
}
