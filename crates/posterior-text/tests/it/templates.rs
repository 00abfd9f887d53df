//! Attributes of tokens.

use posterior_text::Error;
use posterior_text::columns::{TableReader, TokenTable};
use posterior_text::templates::{TaggingFeatures, Templates, word_shape};

fn table(text: &str) -> TokenTable {
    TableReader::new(text.as_bytes()).next().unwrap().unwrap()
}

#[test]
fn the_example_of_the_manual_of_crf_plus_plus() {
    // The manual's input and its table of expanded templates, with the fourth token as the current one.
    let input = table("He PRP B-NP\nreckons VBZ B-VP\nthe DT B-NP\ncurrent JJ I-NP\naccount NN I-NP\n");
    let templates: Templates = "%x[0,0]\n"
        .parse()
        .or_else(|_: Error| {
            "U0:%x[0,0]\nU1:%x[0,1]\nU2:%x[-1,0]\nU3:%x[-2,1]\nU4:%x[0,0]/%x[0,1]\nU5:ABC%x[0,1]123\n".parse()
        })
        .unwrap();
    let found = templates.attributes(&input, 2).unwrap();
    assert_eq!(found, ["U0:the", "U1:DT", "U2:reckons", "U3:PRP", "U4:the/DT", "U5:ABCDT123"]);
}

#[test]
fn beyond_the_ends_stand_boundaries_with_their_distance() {
    let input = table("a A\nb B\n");
    let templates: Templates = "U:%x[-3,0]%x[-2,0]%x[-1,0]%x[0,0]%x[1,0]%x[2,0]%x[+3,0]".parse().unwrap();
    assert_eq!(templates.attributes(&input, 0).unwrap(), ["U:_B-3_B-2_B-1ab_B+1_B+2"]);
    assert_eq!(templates.attributes(&input, 1).unwrap(), ["U:_B-2_B-1ab_B+1_B+2_B+3"]);
    let far: Templates = format!("U:%x[{},0]\nUx:%x[{},0]", isize::MIN, isize::MAX).parse().unwrap();
    assert!(far.attributes(&input, 1).unwrap()[1].starts_with("Ux:_B+"));
}

#[test]
fn steps_have_attributes_of_their_own() {
    let input = table("a A\nb B\n");
    let templates: Templates = "# comment\n\nU:%x[0,0]\nB\nB1:%x[-1,0]/%x[0,0]\n".parse().unwrap();
    assert!(templates.has_transitions());
    assert_eq!((templates.per_token(), templates.per_step(), templates.columns()), (1, 1, 1));
    assert!(templates.step_attributes(&input, 0).unwrap().is_empty());
    assert_eq!(templates.step_attributes(&input, 1).unwrap(), ["B1:a/b"]);
    assert!(!"U:%x[0,0]".parse::<Templates>().unwrap().has_transitions());
}

#[test]
fn what_is_no_template_is_reported_with_its_line() {
    for text in
        ["T00:%x[0,0]", "U:%y", "U:%x", "U:%x[0,0", "U:%x[0]", "U:%x[a,0]", "U:%x[0,-1]", "U:%x[0,0]%", "U:a"]
    {
        let file = format!("# one\nU:a\n{text}\n");
        match file.parse::<Templates>() {
            Err(Error::Line { line, .. }) => assert_eq!(line, 3, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    let huge = format!("U:%x[0,{}]", usize::MAX);
    assert!(huge.parse::<Templates>().is_err());
}

#[test]
fn a_table_with_too_few_columns_is_refused() {
    let templates = Templates::chunking();
    assert_eq!((templates.columns(), templates.per_token()), (2, 19));
    assert!(templates.has_transitions());
    let narrow = table("a\nb\n");
    assert!(matches!(templates.attributes(&narrow, 0), Err(Error::Dimension(_))));
    assert!(matches!(templates.attributes(&table("a A\n"), 1), Err(Error::Dimension(_))));
    let found = templates.attributes(&table("a A\nb B\n"), 1).unwrap();
    assert_eq!(found[0], "U00:_B-1");
    assert_eq!(found[18], "U22:B/_B+1/_B+2");
}

#[test]
fn shapes_keep_what_spelling_tells() {
    for (word, shape) in [
        ("McDonald's", "XxXxx'x"),
        ("1990s", "ddx"),
        ("U.S.", "X.X."),
        ("IBM", "XX"),
        ("1,000.50", "d,dd.dd"),
        ("...", ".."),
        ("Ångström", "Xxx"),
        ("漢字", "xx"),
        ("", ""),
    ] {
        assert_eq!(word_shape(word), shape, "{word}");
    }
}

#[test]
fn words_tell_their_affixes_signs_and_neighbours() {
    let features = TaggingFeatures::default();
    let words = ["The", "Dow-Jones", "É", "1,000"];
    let has = |token: usize, name: &str| features.attributes(&words, token).iter().any(|own| own == name);
    assert!(has(0, "has=first") && !has(0, "has=capital"));
    assert!(has(1, "has=capital") && has(1, "has=hyphen") && has(1, "p4=dow-") && has(1, "s3=nes"));
    assert!(has(1, "w[-1]=the") && has(1, "w[-2]=_B-1") && has(1, "w[1]=é") && has(1, "w[2]=1,000"));
    assert!(has(1, "w[-1]|w[0]=the|dow-jones") && has(1, "w[0]|w[1]=dow-jones|é") && has(1, "s3[-1]=the"));
    assert!(has(2, "p1=é") && !has(2, "p2=é") && has(2, "w[2]=_B+1"));
    assert!(has(3, "has=number") && has(3, "has=digit") && has(3, "shape=d,dd") && has(3, "w[1]=_B+1"));
    assert!(has(0, "w[-2]=_B-2") && has(0, "w[-1]=_B-1") && has(3, "w[2]=_B+2"));
    // Nothing but the word itself is looked at without neighbours and affixes.
    let alone = TaggingFeatures { window: 0, affixes: 0, ..TaggingFeatures::default() }.attributes(&["x"], 0);
    assert_eq!(alone, ["word=x", "w[0]=x", "shape=x", "has=first"]);
    // An empty word is a word like others.
    assert!(features.attributes(&[""], 0).contains(&"word=".to_owned()));
}
