//! Words in sentences and names, and a broken text for each rule.

use super::*;

const LAW: Words = Words {
    forms: &["law", "laws"],
    instead: "distribution",
    phrases: &["law of large numbers", "zipf s law"],
    places: &["crates/a/src/data.rs", "crates/b/"],
};

fn found(rule: Rule, path: &str, text: &str) -> Vec<String> {
    let files = vec![(path.to_owned(), text.to_owned())];
    rules::findings(&rule, &files).into_iter().map(|own| format!("{}: {}", own.line, own.message)).collect()
}

fn lines(text: &str) -> Vec<usize> {
    words::lines(&LAW, &words::split(text)).into_iter().map(|(line, _)| line).collect()
}

#[test]
fn names_are_taken_apart() {
    let words = |text: &str| words::split(text).into_iter().map(|word| word.text).collect::<Vec<_>>();
    assert_eq!(
        words("AnyLaw::any_law(LDAModel, x1, ln Γ)"),
        ["any", "law", "any", "law", "lda", "model", "x1", "ln", "γ"]
    );
}

#[test]
fn words_are_found_in_text_and_in_names() {
    assert_eq!(lines("fn f(\n  law: &AnyLaw) // of laws"), [2, 2, 2]);
    assert_eq!(lines("a lawful flaw, Lawson"), Vec::<usize>::new());
}

#[test]
fn phrases_excuse_the_word_also_over_the_end_of_a_line() {
    assert_eq!(lines("the law of large numbers, Zipf's law"), Vec::<usize>::new());
    assert_eq!(lines("/// By the law of\n/// large numbers the law\n/// of a mean"), [2]);
}

#[test]
fn several_words_are_found_together() {
    let rule = Rule::Words(Words { forms: &["is no number"], instead: "is NaN", phrases: &[], places: &[] });
    assert_eq!(found(rule, "docs/a.md", "It is\nno number."), ["1: \"is no number\"; write is NaN"]);
}

#[test]
fn places_may_have_their_words() {
    for (path, count) in [("crates/a/src/data.rs", 0), ("crates/b/c.rs", 0), ("crates/a/src/b.rs", 1)] {
        assert_eq!(found(Rule::Words(LAW), path, "// law").len(), count, "{path}");
    }
}

#[test]
fn a_letter_is_no_documentation_of_what_is_public() {
    let text = "/// n.\npub fn f() {}\n/// n.\nfn g() {}\npub struct A {\n    /// `x`\n    pub x: u8,\n}\n/// ln Z.\npub fn h() {}";
    let found = found(Rule::LetterDocs, "crates/a/src/b.rs", text);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("2: `f` is documented by \"n.\""), "{found:?}");
    assert!(found[1].starts_with("7: `A::x`"), "{found:?}");
}

#[test]
fn comments_are_as_wide_as_code_but_for_tables_and_addresses() {
    let long = "x ".repeat(60);
    for (line, count) in [
        (format!("    // {long}"), 1),
        (format!("//! {long}"), 1),
        (format!("//! | {long}"), 0),
        (format!("/// https://{long}"), 0),
        (format!("fn f() {{}} {long}"), 0),
    ] {
        assert_eq!(found(Rule::WideComments, "a.rs", &line).len(), count, "{line}");
    }
}

#[test]
fn public_types_of_one_name_are_found_once() {
    let file = |path: &str| (path.to_owned(), "pub struct Options;\nstruct Own;".to_owned());
    let files = vec![
        file("crates/a/src/lda.rs"),
        file("crates/b/src/c/d.rs"),
        file("crates/posterior-cli/src/a.rs"),
        file("crates/a/tests/it/a.rs"),
    ];
    let found = rules::findings(&Rule::TypeNames { spoken: &[] }, &files);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "the public type `Options` is also crates/b/src/c/d.rs:1");
    assert_eq!(rules::findings(&Rule::TypeNames { spoken: &["lda::Options"] }, &files).len(), 0);
}

#[test]
fn forms_and_phrases_are_in_lower_case_and_a_phrase_holds_a_form() {
    for rule in list::RULES.iter().chain(list::PENDING) {
        let Rule::Words(words) = rule else { continue };
        for text in words.forms.iter().chain(words.phrases) {
            assert_eq!(text.to_lowercase(), **text);
        }
        for phrase in words.phrases {
            assert!(words.forms.iter().any(|form| phrase.contains(form)), "{phrase}");
        }
    }
}
