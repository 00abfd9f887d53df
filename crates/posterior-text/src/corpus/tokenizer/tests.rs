//! Words of short texts.

use super::*;

fn words(tokenizer: Tokenizer, text: &str) -> Vec<String> {
    tokenizer.tokens(text).map(Cow::into_owned).collect()
}

fn any_length() -> Tokenizer {
    Tokenizer { min_length: 1, ..Tokenizer::default() }
}

#[test]
fn words_are_runs_of_letters_in_lower_case() {
    assert_eq!(words(any_length(), "In 1790, War--and PEACE_x2"), ["in", "war", "and", "peace", "x"]);
    assert_eq!(words(any_length(), "Über ΟΔΟΣ мир 平和"), ["über", "οδος", "мир", "平和"]);
    assert!(words(any_length(), "").is_empty());
    assert!(words(any_length(), " 12 — '’ \u{301}").is_empty());
}

#[test]
fn words_in_lower_case_are_borrowed() {
    let borrowed: Vec<bool> =
        any_length().tokens("war Peace é").map(|word| matches!(word, Cow::Borrowed(_))).collect();
    assert_eq!(borrowed, [true, false, false]);
}

#[test]
fn short_words_are_passed_over_by_their_letters() {
    let three = Tokenizer::default();
    assert_eq!(words(three, "a an ant éé été"), ["ant", "été"]);
    assert_eq!(words(three, "e\u{301}te\u{301} e\u{301}e\u{301}"), ["été"]);
    assert_eq!(words(Tokenizer { apostrophes: Apostrophes::Keep, ..three }, "o'a o'er"), ["o'er"]);
}

#[test]
fn apostrophes_cut_stay_or_split() {
    let text = "The nation's rock'n'roll, nation\u{2019}s 'quoted' dogs' o'";
    let with = |apostrophes| words(Tokenizer { apostrophes, ..any_length() }, text);
    assert_eq!(with(Apostrophes::CutAfter), ["the", "nation", "rock", "nation", "quoted", "dogs", "o"]);
    assert_eq!(
        with(Apostrophes::Keep),
        ["the", "nation's", "rock'n'roll", "nation's", "quoted", "dogs", "o"]
    );
    assert_eq!(
        with(Apostrophes::Split),
        ["the", "nation", "s", "rock", "n", "roll", "nation", "s", "quoted", "dogs", "o"]
    );
}

#[test]
fn accents_stay_or_fold() {
    let text = "Caf\u{e9} cafe\u{301} ﬁn İzmir x² ℃";
    assert_eq!(words(any_length(), text), ["café", "café", "ﬁn", "i\u{307}zmir", "x"]);
    let fold = Tokenizer { accents: Accents::Fold, ..any_length() };
    assert_eq!(words(fold, text), ["cafe", "cafe", "fin", "izmir", "x"]);
}

#[test]
fn ascii_letters_are_those_after_folding() {
    let ascii = Tokenizer { letters: LetterSet::Ascii, ..any_length() };
    assert_eq!(words(ascii, "Caf\u{e9}s мир"), ["caf", "s"]);
    assert_eq!(
        words(Tokenizer { accents: Accents::Fold, ..ascii }, "Caf\u{e9}s Straße"),
        ["cafes", "stra", "e"]
    );
}

#[test]
fn digits_are_letters_where_they_are_wanted() {
    let keep = Tokenizer { digits: Digits::Keep, ..any_length() };
    assert_eq!(words(keep, "Call 0800-123, 150p/min £5"), ["call", "0800", "123", "150p", "min", "5"]);
    assert_eq!(words(keep, "the '90s' 4u'2"), ["the", "90s", "4u"]);
    assert_eq!(words(Tokenizer { min_length: 3, ..keep }, "2 for 1, win 500"), ["for", "win", "500"]);
    // Arabic-Indic digits are digits, but not of ASCII.
    assert_eq!(words(keep, "سنة ١٩٩٠"), ["سنة", "١٩٩٠"]);
    assert!(words(Tokenizer { letters: LetterSet::Ascii, ..keep }, "١٩٩٠").is_empty());
}
