//! Texts that are made to harm: each ends in an error, soon.

use std::time::{Duration, Instant};

use posterior_stan::Program;
use proptest::prelude::*;

/// Reads, checks and prints a text; its errors, if it has any.
fn run(text: &str) -> String {
    let start = Instant::now();
    let out = match Program::parse(text) {
        Ok(program) => {
            let _ = program.format();
            program.check().map_or_else(|findings| findings.to_string(), |_| String::new())
        }
        Err(findings) => findings.to_string(),
    };
    // A second, and room for other tests beside it.
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    println!("{:?} for {} bytes", start.elapsed(), text.len());
    out
}

#[track_caller]
fn is_too_deep(text: &str) {
    let errors = run(text);
    assert!(errors.contains("nested deeper than"), "{}", &errors[..errors.len().min(500)]);
    assert!(errors.len() < 5_000, "{}", errors.len());
}

#[test]
fn nesting_of_a_hundred_thousand_is_refused() {
    let n = 100_000;
    let in_model = |expression: String| format!("model {{\n  target += {expression};\n}}\n");
    is_too_deep(&in_model(format!("{}1{}", "(".repeat(n), ")".repeat(n))));
    is_too_deep(&in_model(format!("{}1", "-".repeat(n))));
    is_too_deep(&in_model(vec!["1"; n].join(" + ")));
    is_too_deep(&in_model(vec!["1"; n].join(" ^ ")));
    is_too_deep(&in_model(vec!["1 ? 1 : "; n].join("") + "1"));
    is_too_deep(&in_model("x".to_owned() + &"[1]".repeat(n)));
    is_too_deep(&in_model("x".to_owned() + &"'".repeat(n)));
    is_too_deep(&in_model("x".to_owned() + &".1".repeat(n)));
    is_too_deep(&in_model("exp(".repeat(n)));
    is_too_deep(&in_model("{".repeat(n)));
    is_too_deep(&in_model("[".repeat(n)));
    is_too_deep(&format!("model {}", "{".repeat(n)));
    is_too_deep(&format!("model {{ {} }}", "if (1) ".repeat(n)));
    is_too_deep(&format!("model {{ {} ; }}", "if (1) ; else ".repeat(n)));
    is_too_deep(&format!("model {{ {} ; }}", "while (1) ".repeat(n)));
    is_too_deep(&format!("data {{ {}", "tuple(".repeat(n)));
    is_too_deep(&format!("functions {{ {}", "tuple(".repeat(n)));
    is_too_deep(&format!("data {{ vector<lower={}", "(".repeat(n)));
}

/// The deepest nesting that is accepted is checked and printed on the small stack of a test's thread.
#[test]
fn nesting_up_to_the_limit_is_checked_and_printed() {
    for n in [100, 190, 350, 390] {
        for expression in [
            format!("{}1{}", "(".repeat(n), ")".repeat(n)),
            vec!["1"; n].join(" + "),
            format!("{}1", "-".repeat(n)),
            "square(".repeat(n) + "1" + &")".repeat(n),
        ] {
            let text = format!("model {{\n  target += {expression};\n}}\n");
            let program = Program::parse(&text);
            if let Ok(program) = program {
                assert!(program.check().is_ok());
                assert!(Program::parse(&program.format()).is_ok());
            }
        }
        let text = format!("model {{ {} print(1); {} }}", "{".repeat(n), "}".repeat(n));
        if let Ok(program) = Program::parse(&text) {
            assert!(program.check().is_ok());
        }
    }
}

#[test]
fn sizes_and_names_without_measure_are_refused() {
    let n = 1_u64 << 62;
    let size = run(&format!("data {{\n  vector[{n}] x;\n}}\n"));
    assert!(size.contains("an integer of more than 31 bits"), "{size}");
    let name = run(&format!("data {{\n  real {};\n}}\n", "x".repeat(1_000_000)));
    assert!(name.contains("a name of 1000000 letters"), "{name}");
    let number = run(&format!("data {{\n  vector[{}] x;\n}}\n", "9".repeat(1_000_000)));
    assert!(number.contains("31 bits") && number.len() < 1000, "{}", number.len());
    let field = run(&format!("model {{ print(x.{n}{n}); }}"));
    assert!(field.contains("a tuple has no field"), "{field}");
    let dims = run(&format!("functions {{ void f(array[{}] real x) {{}} }}", ",".repeat(1_000_000)));
    assert!(dims.contains("at most 100"), "{dims}");
}

#[test]
fn many_errors_are_cut_off() {
    let text = format!("model {{\n{}}}\n", "  x = y;\n".repeat(100_000));
    let errors = run(&text);
    assert_eq!(errors.matches("error: ").count(), 100);
    let text = format!("model {{\n{}}}\n", "  x = ;\n".repeat(100_000));
    assert!(run(&text).matches("error: ").count() <= 20);
    assert!(run(&"data { int x; }\n".repeat(50_000)).matches("error: ").count() <= 20);
}

#[test]
fn broken_bytes_are_refused() {
    for text in [
        "\0",
        "model { \u{0} }",
        "model { print(\"\n\"); }",
        "/*",
        "model { x = \"",
        "#include",
        "é",
        "\u{feff}",
    ] {
        assert!(!run(text).is_empty(), "{text:?}");
    }
    assert!(run("").is_empty());
}

/// Words and signs of the language in any order.
fn soup() -> impl Strategy<Value = String> {
    let words = proptest::sample::select(vec![
        "functions",
        "data",
        "transformed data",
        "parameters",
        "model",
        "generated quantities",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        ",",
        ";",
        "|",
        "?",
        ":",
        "!",
        "-",
        "+",
        "^",
        "/",
        "*",
        "%/%",
        "\\",
        "'",
        "=",
        "~",
        "<-",
        "+=",
        ".*",
        "./=",
        "int",
        "real",
        "vector",
        "matrix",
        "array",
        "tuple",
        "simplex",
        "lower",
        "upper",
        "offset",
        "if",
        "else",
        "while",
        "for",
        "in",
        "break",
        "return",
        "profile",
        "print",
        "reject",
        "target",
        "jacobian",
        "void",
        "T",
        "x",
        "y",
        "f",
        "normal",
        "normal_lpdf",
        "normal_rng",
        "reduce_sum",
        "ode_rk45",
        "1",
        "2.5",
        ".3",
        "1i",
        "\"text\"",
        "// comment\n",
        "/* comment */",
        "# old\n",
        "\n",
    ]);
    proptest::collection::vec(words, 0..60).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,200}") {
        run(&text);
    }

    #[test]
    fn no_order_of_words_panics(text in soup()) {
        run(&text);
        run(&format!("functions {{ real f(vector x) {{ {text}"));
        run(&format!("parameters {{ real x; vector[2] y; }} model {{ {text} }}"));
    }
}

#[test]
fn long_lists_are_checked_soon() {
    let n = 4_000;
    let list = |member: &dyn Fn(usize) -> String| (0..n).map(member).collect::<Vec<_>>().join(", ");
    let parts = run(&format!("model {{ tuple(real, real) t; ({}) = t; }}", list(&|_| "t.1".to_owned())));
    assert!(parts.contains("places are assigned to at once"), "{parts}");
    let forms = (0..n)
        .map(|k| format!("real f(tuple(int, array[{}] real) x);\n", ",".repeat(k % 90)))
        .collect::<Vec<_>>()
        .concat();
    run(&format!("functions {{\n{forms}}}"));
    let types = run(&format!("model {{ int x = ({}); }}", list(&|_| "1".to_owned())));
    assert!(types.len() < 3_000, "{}", types.len());
    let names = list(&|k| format!("name_{k}"));
    run(&format!("data {{ int {names}; }} model {{ {} }}", "print(name_x);".repeat(n)));
    run(&format!("model {{ print({}); }}", list(&|k| format!("{k}"))));
    run(&format!(
        "model {{ {} print({}); {} }}",
        "{".repeat(300),
        list(&|k| format!("{k}")),
        "}".repeat(300)
    ));
    run(&format!("model {{ {} f({}); {} }}", "{".repeat(300), list(&|k| format!("{k}")), "}".repeat(300)));
    let text = (0..n).map(|k| format!("  real x{k} = {k} + 1.5 * exp({k});\n")).collect::<Vec<_>>().concat();
    assert!(run(&format!("model {{\n{text}}}\n")).is_empty());
}
