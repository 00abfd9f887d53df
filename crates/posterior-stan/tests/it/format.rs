//! Printed programs.

use insta::assert_snapshot;
use posterior_stan::Program;
use proptest::prelude::*;

fn printed(text: &str) -> String {
    let printed = Program::parse(text).unwrap().format();
    assert_eq!(Program::parse(&printed).unwrap().format(), printed);
    printed
}

#[test]
fn a_program_in_any_form_is_printed_in_one() {
    assert_snapshot!(printed(
        "// schools\ndata{int<lower=0>J;/* effects */vector[J]y;array[J]real<lower=0>s;}// given\n\n\nparameters{real mu,\
         tau;vector<offset=mu,multiplier=tau>[J]theta;}\nmodel{\n  // prior\n  tau~cauchy(0,5)T[0,];\n\n\n  for(j in 1:J)\
         if(y[j]>0)y[j]~normal(theta[j],s[j]);else if(1)target+=-1;else{print(\"x = \",y[j],1i);reject(\"no\");}\n\
         theta~normal(mu,tau); // hierarchy\n  while(0){break;} // last\n}// end\n"
    ));
}

#[test]
fn long_lines_are_broken() {
    assert_snapshot!(printed(
        "model { real first_quantity = a_function_with_a_name(alpha_one, alpha_two) + another_function(beta_one | beta_two, \
         gamma) * third; target += x ? aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa : bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb; }"
    ));
}

#[test]
fn old_syntax_is_printed_as_today() {
    assert_snapshot!(printed(
        "# schools\nfunctions { real[,] f(int[] n, vector[] x) { return {{1}}; } }\ndata { int<lower=0> n, m[2]; vector[2] x[n, 3]; }\n\
         model { real y; y <- n; }\n"
    ));
}

#[test]
fn the_summary_lists_what_is_declared() {
    let text = "functions { real f(real x) { return x; } } data { int N; array[N] vector<lower=0>[2] y; }\
                parameters { simplex[3] p; } model { print(1); } generated quantities { real z = f(1); }";
    assert_snapshot!(Program::parse(text).unwrap().check().unwrap().summary());
}

/// An expression of any form.
fn expression() -> impl Strategy<Value = String> {
    let leaf =
        proptest::sample::select(vec!["1", "2.5", ".5", "1e-3", "3i", "x", "T", "target()", "f()", "[]"]);
    leaf.prop_map(str::to_owned).prop_recursive(5, 40, 3, |inner| {
        let sign = proptest::sample::select(vec![
            "+", "-", "*", "/", "%/%", "%", "\\", "^", ".^", ".*", "./", "==", "!=", "<", "<=", ">", ">=",
            "&&", "||",
        ]);
        let list = proptest::collection::vec(inner.clone(), 1..4).prop_map(|list| list.join(", "));
        prop_oneof![
            (inner.clone(), sign, inner.clone()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
            (proptest::sample::select(vec!["-", "+", "!"]), inner.clone())
                .prop_map(|(op, a)| format!("{op}{a}")),
            inner.clone().prop_map(|a| format!("({a})")),
            inner.clone().prop_map(|a| format!("({a})'")),
            inner.clone().prop_map(|a| format!("({a}).2")),
            list.clone().prop_map(|list| format!("f({list})")),
            list.clone().prop_map(|list| format!("f_lpdf(x | {list})")),
            list.clone().prop_map(|list| format!("{{{list}}}")),
            list.clone().prop_map(|list| format!("[{list}]")),
            inner.clone().prop_map(|a| format!("({a},)")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("{a} ? {b} : {c}")),
            (inner.clone(), list).prop_map(|(a, list)| format!("({a})[{list}, :, {a}:, :{a}, {a}:{a}]")),
        ]
    })
}

/// A statement of any form.
fn statement() -> impl Strategy<Value = String> {
    let comment =
        proptest::sample::select(vec!["", " // c\n", "/* a */", "\n\n", "\n// d\n\n", "/* a\n b */ // e\n"]);
    let simple = (expression(), expression(), 0..12_usize, comment).prop_map(|(a, b, form, comment)| {
        let statement = match form {
            0 => format!("x[{a}].1 = {b};"),
            1 => format!("(x, y) .*= {comment} {b};"),
            2 => format!("target += {a};"),
            3 => format!("{a} ~ normal({b}, {comment} {a}) T[{b}, ];"),
            4 => format!("print(\"a\", {a}, {comment} {b});"),
            5 => format!("array[{a}] vector[{b}] z = {a}, w;"),
            6 => format!("tuple(real, array[{a}] matrix[{b}, 2]) z;"),
            7 => format!("return {a};"),
            8 => "f(x); break; continue; ;".to_owned(),
            9 => format!("real x{comment}[{a}], y[{b}];"),
            10 => format!("x <- {a}; # old\n"),
            _ => "jacobian += 1;".to_owned(),
        };
        format!("{comment}{statement}{comment}")
    });
    let declares = |text: &str| ["array[", "tuple(", "real x"].iter().any(|head| text.contains(head));
    simple.prop_recursive(3, 20, 3, move |inner| {
        let list = proptest::collection::vec(inner.clone(), 0..3).prop_map(|list| list.join(""));
        let single = inner
            .prop_map(move |one| if declares(&one) { format!("{{ {one} }}") } else { format!("{{{one}}}") });
        prop_oneof![
            list.clone().prop_map(|list| format!("{{{list}}}")),
            list.clone().prop_map(|list| format!("profile(\"p\") {{ {list} }}")),
            (expression(), single.clone()).prop_map(|(a, body)| format!("while ({a}) {body}")),
            (expression(), single.clone()).prop_map(|(a, body)| format!("for (i in {a}) {body}")),
            (expression(), single.clone(), single.clone())
                .prop_map(|(a, b, c)| format!("if ({a}) {b} else {c}")),
            (expression(), single.clone(), single.clone())
                .prop_map(|(a, b, c)| format!("if ({a}) {b} else if (1) // f\n {c}")),
        ]
    })
}

proptest! {
    /// Read, print, read: the same tree, but for places; printing again changes nothing; no comment is lost.
    #[test]
    fn printing_and_reading_are_inverse(statements in proptest::collection::vec(statement(), 0..6)) {
        let text = format!("// head\nmodel {{\n{}\n}}\n// foot", statements.join("\n"));
        let program = Program::parse(&text).map_err(|findings| TestCaseError::fail(format!("{text}\n{findings}")))?;
        let printed = program.format();
        let again = Program::parse(&printed).map_err(|findings| TestCaseError::fail(format!("{text}\n{findings}")))?;
        prop_assert_eq!(again.format(), printed.clone(), "{}", text);
        prop_assert_eq!(again.comments().count(), program.comments().count());
        prop_assert!(again.notes().is_empty(), "{}", printed);
        prop_assert_eq!(again.tree().expressions, program.tree().expressions, "{}\n{}", text, printed);
    }
}
