//! A broken snippet for each rule, and what looks broken but is not.

use super::*;

const LIBRARY: &str = "crates/posterior-math/src/gamma.rs";

/// The findings in a file, as `line: message`.
fn findings(path: &str, text: &str) -> Vec<String> {
    check(path, text).0.into_iter().map(|finding| format!("{}: {}", finding.line, finding.message)).collect()
}

/// The lines of the findings in a library file that begins with a module page.
fn lines(code: &str) -> Vec<usize> {
    check(LIBRARY, &format!("//! Page.\n{code}\n")).0.into_iter().map(|finding| finding.line).collect()
}

#[test]
fn a_file_begins_with_its_page() {
    assert_eq!(
        findings(LIBRARY, "fn f() {}\n"),
        ["1: the file begins with `//!` and what the module is for"]
    );
    assert_eq!(lines("fn f() {}"), Vec::<usize>::new());
}

#[test]
fn a_finding_reads_as_compilers_write_it() {
    let (found, _) = check(LIBRARY, "//! Page.\nfn f() { todo!() }\n");
    assert_eq!(found[0].to_string(), format!("{LIBRARY}:2: `todo!` in a library; return an error"));
}

#[test]
fn what_does_not_parse_is_a_finding() {
    assert_eq!(lines("fn f( {}"), [2]);
    assert_eq!(lines("fn fn() {}"), [2]);
}

#[test]
fn panics_are_found_also_inside_of_macros() {
    for code in [
        "fn f() { x.unwrap(); }",
        "fn f() { x.map(Option::unwrap); }",
        "fn f() { x.unwrap_err(); }",
        "fn f() { panic!(\"no\"); }",
        "fn f() { todo!() }",
        "fn f() { unimplemented!() }",
        "fn f() { dbg!(1); }",
        "fn f() { assert!(x.unwrap() > 0); }",
        "macro_rules! m { () => { panic!() } }",
    ] {
        assert_eq!(lines(code), [2], "{code}");
    }
}

#[test]
fn expect_takes_a_literal_message() {
    for code in ["x.expect(message)", "x.expect(\"\")", "x.expect(&format!(\"a\"))", "x.expect_err(MESSAGE)"]
    {
        assert_eq!(lines(&format!("fn f() {{ {code}; }}")), [2], "{code}");
    }
    for code in ["x.expect(\"sorted\")", "x.expect(\"sorted\",)", "x.expect(r#\"sorted\"#)"] {
        assert_eq!(lines(&format!("fn f() {{ {code}; }}")), Vec::<usize>::new(), "{code}");
    }
}

#[test]
fn similar_names_comments_and_texts_are_no_panics() {
    let code =
        "/// Like `x.unwrap()`, `panic!()`.\nfn f() { x.unwrap_or(1); let s = \"todo!()\"; } // dbg!(1)";
    assert_eq!(lines(code), Vec::<usize>::new());
}

#[test]
fn tests_may_panic() {
    let code = "#[cfg(test)]\nmod tests {\n    fn f() { x.unwrap(); }\n}";
    assert_eq!(lines(code), Vec::<usize>::new());
    assert_eq!(lines("#[cfg(test)]\n#[derive(Debug)]\nstruct A { a: u8 }\nfn f() { x.unwrap(); }"), [5]);
    assert_eq!(lines("#[cfg(test)]\nuse a::{b, c};\nfn f() { x.unwrap(); }"), [4]);
    assert_eq!(lines("#[cfg(test)]\nconst A: B = B { c: 1 };\nfn f() { x.unwrap(); }"), [4]);
    assert_eq!(lines("#[cfg(test)]\nconst fn a() {}\nfn f() { x.unwrap(); }"), [4]);
    assert_eq!(lines("#[cfg(test)]\nmod tests;\nfn f() { x.unwrap(); }"), [4]);
    assert_eq!(lines("struct A { #[cfg(test)] pub(crate) a: u8, b: [u8; { x.unwrap() }] }"), [2]);
    assert_eq!(lines("#[cfg(not(test))]\nfn f() { x.unwrap(); }"), [3]);
    assert_eq!(lines("#[cfg(all(test, unix))]\nfn f() { x.unwrap(); }"), Vec::<usize>::new());
    let panics = "//! Page.\nfn f() { x.unwrap(); }\n";
    for path in [
        "crates/posterior-math/src/gamma/tests.rs",
        "crates/posterior-math/tests/it/main.rs",
        "crates/posterior-math/examples/gamma.rs",
        "crates/posterior-testkit/src/distribution.rs",
        "xtask/src/main.rs",
    ] {
        assert_eq!(findings(path, panics), Vec::<String>::new(), "{path}");
    }
}

#[test]
fn allow_is_refused_everywhere() {
    for code in [
        "#[allow(dead_code)]\nfn f() {}",
        "#[cfg_attr(test, allow(dead_code))]\nfn f() {}",
        "#[cfg(test)] mod tests { #[allow(dead_code)] fn f() {} }",
        "#![allow(dead_code)]",
    ] {
        assert_eq!(lines(code), [2], "{code}");
    }
    assert_eq!(lines("#[expect(dead_code, reason = \"later\")]\nfn allow() {}"), Vec::<usize>::new());
}

#[test]
fn an_ignored_test_says_why() {
    assert_eq!(lines("#[test]\n#[ignore]\nfn f() {}"), [3]);
    assert_eq!(lines("#[test]\n#[cfg_attr(windows, ignore)]\nfn f() {}"), [3]);
    assert_eq!(lines("#[test]\n#[ignore = \"takes an hour\"]\nfn f() {}"), Vec::<usize>::new());
}

#[test]
fn notes_to_oneself_are_found_in_comments_only() {
    assert_eq!(lines("// TODO: more\nfn f() {}"), [2]);
    assert_eq!(lines("/// FIXME\nfn f() {}"), [2]);
    assert_eq!(lines("fn f() { let s = \"µ\"; } // TODO"), [2]);
    assert_eq!(
        lines("const A: &str = \"TODO\";\nconst TODO_LIST: u8 = 1; // the METHODOLOGY"),
        Vec::<usize>::new()
    );
}

#[test]
fn names_say_what_is_inside() {
    for path in
        ["crates/a/src/utils.rs", "crates/a/src/common/b.rs", "crates/a/src/helpers.rs", "xtask/misc.rs"]
    {
        assert!(findings(path, "//! Page.\n")[0].contains("names no idea"), "{path}");
    }
    assert!(findings("crates/a/src/b/mod.rs", "//! Page.\n")[0].contains("no mod.rs"));
    assert_eq!(findings("crates/a/src/commonality.rs", "//! Page.\n"), Vec::<String>::new());
}

#[test]
fn lib_rs_is_a_table_of_contents() {
    let text = "//! Page.\npub mod a;\npub use a::B;\nfn f() {}\nimpl B { fn g() {} }\n\
                trait T { fn h(); fn i() {} }\n#[cfg(test)]\nmod tests { fn j() {} }\n";
    let found: Vec<usize> =
        check("crates/a/src/lib.rs", text).0.into_iter().map(|finding| finding.line).collect();
    assert_eq!(found, [4, 5, 6]);
    assert_eq!(findings(LIBRARY, text), Vec::<String>::new());
}

#[test]
fn examples_need_their_own_crate_alone() {
    let text = "//! Page.\nuse posterior_gp::dist::rand::RngExt;\nuse rand::RngExt;\nuse std::fmt;\n";
    let found: Vec<usize> =
        check("crates/posterior-gp/examples/a.rs", text).0.iter().map(|it| it.line).collect();
    assert_eq!(found, [3]);
    assert_eq!(findings("crates/posterior-gp/tests/it/main.rs", text), Vec::<String>::new());
}

#[test]
fn long_files_are_refused_and_only_code_counts() {
    let (code, blank, comment) =
        ("const A: u8 = 1;\n".repeat(449), "\n".repeat(900), "// Why.\n".repeat(900));
    let docs = "/// What.\n".repeat(900);
    let tests = format!("#[cfg(test)]\nmod tests {{\n{code}}}\n");
    let short = format!("//! Page.\n{blank}{comment}{code}{docs}fn f() {{}}\n{tests}");
    assert_eq!(findings(LIBRARY, &short), Vec::<String>::new());
    let long = format!("{short}fn g() {{\n}}\n");
    assert_eq!(
        findings(LIBRARY, &long),
        ["1: 452 lines of code, and the limit is 450; look for the second idea"]
    );
    assert_eq!(findings("crates/posterior-math/tests/it/gamma.rs", &long).len(), 1);
    let listed = [(LIBRARY, "one table")];
    assert_eq!(size::check(LIBRARY, 452, &listed), None);
    assert!(size::check(LIBRARY, 450, &listed).is_some());
    assert_eq!(size::stale_exceptions(&listed, &[]).len(), 1);
}

#[test]
fn long_files_are_few() {
    assert!(size::spread(vec![10, 110, 300]).is_err());
    assert!(size::spread(vec![111; 3]).is_err());
    assert!(size::spread([vec![10; 95], vec![400; 5]].concat()).is_ok());
}

#[test]
fn a_literal_over_many_lines_is_code() {
    let text = format!("//! Page.\nconst A: &str = \"{}\";\n", "\n".repeat(460));
    assert_eq!(findings(LIBRARY, &text).len(), 1);
}

#[test]
fn a_manifest_takes_the_lints_of_the_workspace() {
    let findings = |text| findings("crates/a/Cargo.toml", text);
    let missing = "the manifest says `[lints]` and `workspace = true`";
    assert_eq!(findings("[package]\n[lints]\nworkspace = true\n"), Vec::<String>::new());
    assert_eq!(findings("[package]\nname = \"a\"\n"), [format!("1: {missing}")]);
    assert_eq!(findings("[package]\n[lints]\n[dependencies]\nworkspace = true\n"), [format!("2: {missing}")]);
    assert_eq!(findings("[lints]\nworkspace = false\n"), [format!("1: {missing}")]);
}

#[test]
fn the_workspace_itself_is_walked() {
    let files = files(&cargo::root()).expect("the workspace is readable");
    for path in ["crates/posterior-math/src/lib.rs", "crates/posterior-math/Cargo.toml", "xtask/src/main.rs"]
    {
        assert!(files.iter().any(|file| file == path), "{path}");
    }
}
