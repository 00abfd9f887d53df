//! Symbols and their numbers, and texts as symbols.

use std::collections::BTreeMap;

use posterior_text::alphabet::{Alphabet, characters, letters, words};
use proptest::prelude::*;

#[test]
fn numbers_follow_the_order_of_first_sight_or_of_unicode() {
    let seen: Alphabet = ["b", "a", "", "b", "ä", "a"].into_iter().collect();
    assert!(seen.iter().eq(["b", "a", "", "ä"]));
    let sorted = Alphabet::sorted(["b", "a", "", "b", "ä", "a"]);
    assert!(sorted.iter().eq(["", "a", "b", "ä"]));
    assert_ne!(seen, sorted);
    assert_eq!(sorted.get("ä"), Some(3));
    assert_eq!(sorted.get("c"), None);
    assert_eq!((sorted.name(2), sorted.name(4)), (Some("b"), None));
    assert_eq!(format!("{seen:?}"), r#"["b", "a", "", "ä"]"#);
}

#[test]
fn the_empty_alphabet_knows_nothing() {
    let empty = Alphabet::new();
    assert!(empty.is_empty() && empty.iter().next().is_none());
    assert_eq!((empty.get(""), empty.name(0)), (None, None));
    assert!(empty.encode(Vec::<&str>::new()).unwrap().is_empty());
    assert_eq!(empty.decode(&[], " ").unwrap(), "");
}

#[test]
fn names_that_are_too_rare_are_left_out() {
    let tokens = ["x", "y", "x", "z", "y", "x"];
    assert!(Alphabet::frequent(tokens, 2).iter().eq(["x", "y"]));
    assert!(Alphabet::frequent(tokens, 0).iter().eq(["x", "y", "z"]));
    assert!(Alphabet::frequent(tokens, 4).is_empty());
}

#[test]
fn what_is_not_in_the_alphabet_is_reported_by_its_position() {
    let alphabet = Alphabet::from_names(["a", "b"]).unwrap();
    let error = alphabet.encode(["a", "b", "c"]).unwrap_err().to_string();
    assert_eq!(error, r#"sequence 0, position 2: "c" is not in the alphabet"#);
    let error = alphabet.decode(&[0, 2], "").unwrap_err().to_string();
    assert_eq!(error, "sequence 0, position 1: symbol 2 has no name, there are 2");
    let error = Alphabet::from_names(["a", "b", "a"]).unwrap_err().to_string();
    assert_eq!(error, r#"sequence 0, position 2: the name "a" comes twice"#);
    assert_eq!(alphabet.encode_or(["b", "c"], 7), [1, 7]);
    assert_eq!(alphabet.decode(&[0, 1, 1], " ").unwrap(), "a b b");
}

#[test]
fn texts_become_letters_and_words() {
    assert_eq!(letters("A-b  c\n'd' E’f\u{301} ß 中 g"), "a b c d ef g");
    assert_eq!(letters("...!?"), "");
    assert_eq!(letters("ﬁne Ǆ"), "fine dz");
    let text = "'Tis  rock'n'roll, isn''t it? ÜBER-gross x'";
    assert!(words(text).eq(["tis", "rock'n'roll", "isn", "t", "it", "über", "gross", "x"]));
    assert_eq!(words("—…!").count(), 0);
    // A combining accent stays with its letter, and a modifier apostrophe is one.
    assert!(words("e\u{301}te\u{301} oʼclock").eq(["e\u{301}te\u{301}", "o'clock"]));
    assert!(characters("aß中").eq(["a", "ß", "中"]));
}

proptest! {
    /// The same numbers as a sorted map gives, through many growths, equal prefixes and empty names included.
    #[test]
    fn numbers_are_those_of_a_map(names in proptest::collection::vec("[ab]{0,6}", 0..300)) {
        let mut twin: BTreeMap<String, usize> = BTreeMap::new();
        let mut alphabet = Alphabet::new();
        for name in &names {
            let next = twin.len();
            let number = *twin.entry(name.clone()).or_insert(next);
            prop_assert_eq!(alphabet.insert(name), number);
        }
        prop_assert_eq!(alphabet.len(), twin.len());
        for (name, &number) in &twin {
            prop_assert_eq!(alphabet.get(name), Some(number));
            prop_assert_eq!(alphabet.name(number), Some(name.as_str()));
        }
        let symbols = alphabet.encode(&names).unwrap();
        prop_assert_eq!(alphabet.decode(&symbols, " ").unwrap(), names.join(" "));
    }

    /// Letters are a fixed point, and texts without letters are separated by nothing else than one space.
    #[test]
    fn letters_are_letters(text in "\\PC{0,40}") {
        let folded = letters(&text);
        prop_assert!(folded.bytes().all(|b| b == b' ' || b.is_ascii_lowercase()));
        prop_assert!(!folded.contains("  ") && folded.trim() == folded);
        prop_assert_eq!(letters(&folded), folded.clone());
        // In words of letters alone nothing remains to be changed either.
        prop_assert_eq!(words(&folded).collect::<Vec<_>>().join(" "), folded);
    }
}

#[cfg(feature = "serde")]
#[test]
fn an_alphabet_is_the_list_of_its_names() {
    let alphabet: Alphabet = ["b", "a"].into_iter().collect();
    let json = serde_json::to_string(&alphabet).unwrap();
    assert_eq!(json, r#"["b","a"]"#);
    assert_eq!(serde_json::from_str::<Alphabet>(&json).unwrap(), alphabet);
    assert!(serde_json::from_str::<Alphabet>(r#"["b","b"]"#).is_err());
}
