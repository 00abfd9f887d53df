//! Files that include others.

use posterior_stan::{Dialect, Program};

fn parse(text: &str) -> Result<Program, posterior_stan::Diagnostics> {
    Program::parse_with("main.stan", text, Dialect::Current, |name| match name {
        "square.stan" => Some("real squared(real x) {\n  return x ^ 2;\n}\n".to_owned()),
        "broken.stan" => Some("\nreal wrong(real x) {\n  return y;\n}".to_owned()),
        "itself.stan" => Some("#include itself.stan\n".to_owned()),
        _ => None,
    })
}

#[test]
fn included_text_is_part_of_the_program() {
    let program = parse("functions {\n#include square.stan\n}\nmodel {\n  print(squared(2));\n}\n").unwrap();
    assert!(program.check().is_ok());
    let quoted = parse("functions {\n  #include \"square.stan\"\n  #include <square.stan>\n}\n").unwrap();
    let twice = quoted.check().unwrap_err();
    assert!(twice.to_string().contains("it is defined already"), "{twice}");
    assert_eq!(twice.file(&twice.as_slice()[0]), "square.stan");
}

#[test]
fn places_are_those_of_the_file() {
    let program = parse("functions {\n#include broken.stan\n}\nmodel {\n  print(z);\n}\n").unwrap();
    insta::assert_snapshot!(program.check().unwrap_err().to_string());
}

#[test]
fn a_file_that_is_missing_or_includes_itself_is_refused() {
    insta::assert_snapshot!(
        "missing",
        parse("functions {\n  #include other.stan\n}\n").unwrap_err().to_string()
    );
    insta::assert_snapshot!("itself", parse("#include itself.stan\n").unwrap_err().to_string());
    let plain = Program::parse("functions {\n#include square.stan\n}\n").unwrap_err();
    insta::assert_snapshot!("without_files", plain.to_string());
}

#[test]
fn what_a_comment_includes_is_a_comment() {
    assert!(parse("/* say\n#include nothing.stan\n*/\nmodel {\n  // #include nothing.stan\n}\n").is_ok());
}
