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
