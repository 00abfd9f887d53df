//! Files with one mistake each, made from good ones: what the reader says, and where.

use posterior_pgm::{ParseError, Variables, bif, net, uai, xmlbif};

use super::{BAYES, MARKOV, NET, XMLBIF, good_bif};

/// What to put in place of what, and the line, the column and the message that come.
type Mistake = (&'static str, &'static str, &'static str);

fn check(good: &str, mistakes: &[Mistake], read: impl Fn(&[u8]) -> Option<ParseError>) {
    assert_eq!(read(good.as_bytes()), None);
    let mut wrong = Vec::new();
    for (from, to, expected) in mistakes {
        assert_eq!(good.matches(from).count(), 1, "{from:?}");
        let found = match read(good.replace(from, to).as_bytes()) {
            None => "no error".to_owned(),
            Some(error) => format!("{}:{}: {}", error.line, error.column, error.message),
        };
        if found != *expected {
            wrong.push(format!("        ({from:?}, {to:?}, {found:?}),"));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

const BIF_MISTAKES: &[Mistake] = &[
    ("network ", "netwrok ", "2:1: expected `network`, `variable` or `probability`, found `netwrok`"),
    ("variable A {", "variable {", "3:10: expected the name of a variable, found `{`"),
    ("variable A {", "variable A", "3:25: expected `{` after the name of the variable, found `type`"),
    ("variable A {", "variable D {", "11:11: a second variable is called `D`"),
    ("variable A {", "variable \"\" {", "3:11: expected the name of a variable, found an empty name"),
    ("variable A {", "variable A { type discrete [1] {x};", "3:50: a second type of `A`"),
    ("variable A {", "variable \"A {", "3:55: expected `{` after the name of the variable, found `a`"),
    (
        "type discrete [ 2 ] { a0,",
        "type continuous [ 2 ] { a0,",
        "3:32: expected `discrete`, found `continuous`",
    ),
    ("type discrete [ 2 ] { a0,", "type discrete [ 3 ] { a0,", "3:43: 3 states are announced, and 2 listed"),
    (
        "type discrete [ 2 ] { a0,",
        "type discrete [ two ] { a0,",
        "3:43: expected the number of states, found `two`",
    ),
    (
        "type discrete [ 2 ] { a0,",
        "type discrete [ -2 ] { a0,",
        "3:43: expected the number of states, found `-2`",
    ),
    (
        "type discrete [ 2 ] { a0,",
        "type discrete [ 99999999999999999999 ] { a0,",
        "3:43: expected the number of states, found `99999999999999999999`",
    ),
    (
        "type discrete [ 2 ] { a0,",
        "type discrete { a0,",
        "3:41: expected `[` and the number of states, found `{`",
    ),
    (
        "type discrete [ 2 ] { a0,",
        "type discrete [ 2 ] a0,",
        "3:47: expected `{` before the states, found `a0`",
    ),
    ("type discrete [ 2 ] { a0,", "type discrete [ 2 ] { \"a 1\",", "3:57: a state of `A` comes twice"),
    ("type discrete[3]{ <5 5-9 >=10 }", "", "4:10: the variable `B/C(x)` has no type"),
    ("type discrete[3]{ <5 5-9 >=10 }", "type discrete[0]{}", "4:10: `B/C(x)` has no states"),
    ("{ t, f }", "{ t, f ;", "11:43: expected a state or `}`, found `;`"),
    ("/* one; { */", "/* one; {", "3:14: the comment that begins here has no end"),
    (
        "\"size; 10\";",
        "\"size; 10;",
        "3:71: expected `;` at the end of the property, found the end of the file",
    ),
    ("( \"D\" | A,", "( \"D\", A |", "5:22: expected one variable, `|` and its parents, found `|`"),
    ("( \"D\" | A,", "( \"D\" | A, A,", "5:24: the parent `A` comes twice"),
    ("( \"D\" | A,", "( \"D\" | D,", "5:21: `D` is its own parent"),
    ("( \"D\" | A,", "( \"D\" | E,", "5:21: there is no variable `E`"),
    ("( \"D\" | A,", "( A | \"D\",", "5:15: a second table of `A`"),
    ("( \"D\" | A,", "\"D\" | A,", "5:13: expected `(` before the variables of the table, found `\"D\"`"),
    ("probability ( A )", "probability ( )", "12:15: expected the name of a variable, found `)`"),
    ("probability ( A )", "probability ( A", "12:17: expected the name of a variable or `)`, found `{`"),
    ("probability ( A ) { table 0.25, 0.75; }", "", "3:10: `A` has no probabilities"),
    (
        "probability ( A ) { table 0.25, 0.75; }",
        "probability ( A ) { }",
        "12:15: expected the probabilities, found none",
    ),
    (
        "probability ( A ) { table 0.25, 0.75; }",
        "probability ( A | D ) { (t) 0 1; (f) 1 0; }",
        "5:16: the arrows form a cycle: A -> D -> A",
    ),
    ("table 0.25, 0.75;", "table 0.25;", "12:31: expected 2 numbers, found 1"),
    ("table 0.25, 0.75;", "table 0.25, 0.5, 0.25;", "12:38: expected `;` after 2 numbers, found `0.25`"),
    ("table 0.25, 0.75;", "table 0.25, -0.75;", "12:33: expected a probability, found `-0.75`"),
    ("table 0.25, 0.75;", "table 0.25, nan;", "12:33: expected a probability, found `nan`"),
    ("table 0.25, 0.75;", "table 0.25, 1e999;", "12:33: expected a probability, found `1e999`"),
    ("table 0.25, 0.75;", "table 0.25, 0.7.5;", "12:33: expected a probability, found `0.7.5`"),
    ("table 0.25, 0.75;", "table 0, 0;", "12:15: the probabilities of `A` add up to 0"),
    ("table 0.25, 0.75;", "table 1e308, 1e308;", "12:15: the probabilities of `A` add up to inf"),
    ("table 0.25, 0.75;", "table 0.25, 0.75; table 0.25, 0.75;", "12:39: a second table"),
    ("table 0.25, 0.75;", "table 0.25, 0.75; () 0.25, 0.75;", "12:39: rows beside a table"),
    (
        "table 0.25, 0.75;",
        "tabel 0.25, 0.75;",
        "12:21: expected `table`, `default`, `property`, `(` or `}`, found `tabel`",
    ),
    (
        "table 0.25, 0.75; }",
        "table 0.25, 0.75;",
        "13:1: expected `table`, `default`, `property`, `(` or `}`, found `probability`",
    ),
    (
        "(a0, <5) 0.1, 0.9;",
        "(a0, <6) 0.1, 0.9;",
        "6:8: `B/C(x)` has no state `<6`; its states are <5, 5-9, >=10",
    ),
    ("(a0, <5) 0.1, 0.9;", "(a0) 0.1, 0.9;", "6:6: expected a state of each parent, found `)`"),
    (
        "(a0, <5) 0.1, 0.9;",
        "(a0, <5, t) 0.1, 0.9;",
        "6:12: expected `)` after a state of each parent, found `t`",
    ),
    ("(a0, <5) 0.1, 0.9;", "(a0, <5) 0.1;", "6:15: expected 2 numbers, found 1"),
    ("(a0, <5) 0.1, 0.9;", "(a0, <5) 0.1, 0.9", "7:3: expected `;` after 2 numbers, found `(`"),
    (
        "(a0, <5) 0.1, 0.9;",
        "(a0, <5) 0, 0;",
        "6:3: the probabilities of `D` given A = a0, B/C(x) = <5 add up to 0",
    ),
    ("(a0, 5-9) 2e-1 .8;", "(a0, <5) 2e-1 .8;", "7:3: a second row given A = a0, B/C(x) = <5"),
    ("default 0.5 0.5;", "", "5:16: expected the probabilities given A = a0, B/C(x) = >=10, found none"),
    ("default 0.5 0.5;", "default 0.5 0.5; default 0.5 0.5;", "9:20: a second default"),
    ("default 0.5 0.5;", "default 0 0;", "9:3: the default probabilities add up to 0"),
    ("(a0) 0.2 0.3 0.5;", "", "13:13: expected the probabilities given A = a0, found none"),
    (
        "variable \"D\"",
        "variable \"Ä😀\" { type discrete [1] }; variable \"D\"",
        "11:35: expected `{` before the states, found `}`",
    ),
];

#[test]
fn bif_files() {
    check(&good_bif(), BIF_MISTAKES, |bytes| bif::read(bytes).err());
}

const XMLBIF_MISTAKES: &[Mistake] = &[
    ("<BIF VERSION", "<BUF VERSION", "3:1: expected <BIF>, found <BUF>"),
    ("</BIF>", "", "22:1: expected </BIF>, found the end of the file"),
    (
        "</BIF>",
        "</BUF>",
        "21:1: this is no XML: ill-formed document: expected `</BIF>`, but `</BUF>` was found",
    ),
    ("</network>", "</network><NETWORK></NETWORK>", "20:11: a second network"),
    (
        "<network>",
        "<network><DECISION/>",
        "4:10: expected <NAME> or <PROPERTY> or <VARIABLE> or <DEFINITION> in <NETWORK>, found <DECISION>",
    ),
    ("<network>", "<network> free text", "4:11: expected a tag, found `free`"),
    ("dog &amp;", "dog &bone;", "5:12: the entity `&bone;` is not known"),
    ("dog &amp;", "dog & cat;", "5:12: the entity `& cat;` is not known"),
    ("dog &amp;", "dog &#0;", "5:12: invalid character reference: 0x0 character is not permitted in XML"),
    ("&#116;rue", "<b>true</b>", "12:54: expected text in <OUTCOME>, found <b>"),
    (
        "<VARIABLE TYPE=\"nature\">\n",
        "<VARIABLE TYPE=\"utility\">\n",
        "7:1: expected a variable of type \"nature\", found \"utility\"",
    ),
    (
        "<VARIABLE TYPE=\"nature\">\n",
        "<VARIABLE TYPE=nature>\n",
        "7:1: this is no XML: position 14: attribute value must be enclosed in `\"` or `'`",
    ),
    ("<NAME>family-out</NAME>", "", "7:1: a variable without a name"),
    (
        "<NAME>family-out</NAME>",
        "<NAME> </NAME>",
        "8:3: expected the name of a variable, found an empty name",
    ),
    ("<NAME>family-out</NAME>", "<NAME>dog-out</NAME>", "12:25: a second variable is called `dog-out`"),
    ("<NAME>family-out</NAME>", "<NAME>family-out</NAME><NAME>family-in</NAME>", "8:26: a second name"),
    ("<OUTCOME>true</OUTCOME> <OUTCOME>false</OUTCOME>", "", "8:3: `family-out` has no states"),
    (
        "<OUTCOME>true</OUTCOME> <OUTCOME>false</OUTCOME>",
        "<OUTCOME>true</OUTCOME> <OUTCOME>true</OUTCOME>",
        "9:27: a state of `family-out` comes twice",
    ),
    ("<FOR>dog-out</FOR>", "", "13:1: a definition without <FOR>"),
    ("<FOR>dog-out</FOR>", "<FOR>cat-out</FOR>", "14:3: there is no variable `cat-out`"),
    (
        "<FOR>dog-out</FOR>",
        "<FOR>dog-out</FOR><FOR>dog-out</FOR>",
        "14:21: a second <FOR>: tables of several variables are not supported",
    ),
    ("<FOR>dog-out</FOR>", "<FOR>bowel-problem</FOR>", "14:28: `bowel-problem` is its own parent"),
    (
        "<FOR>bowel-problem</FOR>",
        "<FOR>bowel-problem</FOR><GIVEN>dog-out</GIVEN>",
        "18:59: expected 4 numbers in the table, found 2",
    ),
    (
        "<GIVEN>family-out</GIVEN>",
        "<GIVEN>bowel-problem</GIVEN>",
        "14:51: the parent `bowel-problem` comes twice",
    ),
    ("<GIVEN>family-out</GIVEN>", "", "15:3: expected 4 numbers in the table, found 8"),
    ("7e-1 </TABLE>", "</TABLE>", "15:3: expected 8 numbers in the table, found 7"),
    ("7e-1 </TABLE>", "7e-1 0.5</TABLE>", "15:3: expected 8 numbers in the table, found 9"),
    ("7e-1 </TABLE>", "-7e-1 </TABLE>", "15:68: expected a probability, found `-7e-1`"),
    ("7e-1 </TABLE>", "7e-1, </TABLE>", "15:68: expected a probability, found `7e-1`"),
    ("7e-1 </TABLE>", "&lt; </TABLE>", "15:68: an entity where no text may be"),
    ("<![CDATA[0.3]]>", "<![CDATA[ 0.3x]]>", "15:62: expected a probability, found `0.3x`"),
    (
        "<TABLE>0.01 0.99</TABLE>",
        "<TABLE>0 0</TABLE>",
        "18:37: the probabilities of `bowel-problem` add up to 0",
    ),
    ("<TABLE>0.01 0.99</TABLE>", "", "18:1: a definition without <TABLE>"),
    ("<TABLE>0.01 0.99</TABLE>", "<TABLE>0.01 0.99</TABLE><TABLE/>", "18:61: a second table"),
    (
        "<TABLE>0.01 0.99</TABLE>",
        "<TABLE>0.01 0.99",
        "18:53: this is no XML: ill-formed document: expected `</TABLE>`, but `</DEFINITION>` was found",
    ),
    (
        "<DEFINITION><FOR>family-out</FOR><TABLE>0.15 0.85</TABLE></DEFINITION>",
        "",
        "8:3: `family-out` has no probabilities",
    ),
    (
        "<FOR>family-out</FOR><TABLE>0.15 0.85</TABLE>",
        "<FOR>family-out</FOR><GIVEN>dog-out</GIVEN><TABLE>0 1 1 0</TABLE>",
        "15:3: the arrows form a cycle: family-out -> dog-out -> family-out",
    ),
    (
        "<!-- half -->",
        "<!-- half",
        "15:30: this is no XML: syntax error: comment not closed: `-->` not found before end of input",
    ),
];

#[test]
fn xmlbif_files() {
    check(XMLBIF, XMLBIF_MISTAKES, |bytes| xmlbif::read(bytes).err());
    check(XMLBIF.trim_end_matches("</network>\n</BIF>\n"), &[], |bytes| {
        xmlbif::read(bytes).err().filter(|_| false)
    });
}

#[test]
fn uai_files() {
    let mistakes: &[Mistake] = &[
        ("MARKOV\n", "MARKOFF\n", "1:1: expected `MARKOV` or `BAYES`, found `MARKOFF`"),
        ("MARKOV\n", "", "1:1: expected `MARKOV` or `BAYES`, found `3`"),
        (
            "MARKOV\n3\n",
            "MARKOV\n1000000000000000000\n",
            "2:1: the number of variables is 1000000000000000000, but at most 55 more fit into the file",
        ),
        ("MARKOV\n3\n", "MARKOV\n-3\n", "2:1: expected the number of variables, found `-3`"),
        ("MARKOV\n3\n", "MARKOV\n3.0\n", "2:1: expected the number of variables, found `3.0`"),
        ("MARKOV\n3\n", "MARKOV\n4\n", "6:3: the table has 0 entries, and its variables have 1 joint states"),
        ("2 2 3\n3", "2 0 3\n3", "3:3: a variable without states"),
        (
            "2 2 3\n3",
            "2 1000000000000000000 3\n3",
            "3:3: 1000000000000000000 states are more than a file of this size can describe",
        ),
        ("2 2 3\n3", "2 2 4\n3", "13:1: the table has 12 entries, and its variables have 16 joint states"),
        (
            "2 2 3\n3",
            "2 2 3\n99999",
            "4:1: the number of tables is 99999, but at most 51 more fit into the file",
        ),
        ("2 2 3\n3", "2 2 3\n2", "7:1: the table has 1 entries, and its variables have 4 joint states"),
        ("\n2 0 1\n", "\n2 0 3\n", "5:5: expected a variable from 0 to 2, found 3"),
        ("\n2 0 1\n", "\n2 1 1\n", "5:5: variable 1 comes twice in one table"),
        (
            "\n2 0 1\n",
            "\n99999 0 1\n",
            "5:1: the number of variables of a table is 99999, but at most 50 more fit into the file",
        ),
        ("\n\n4\n", "\n\n5\n", "9:1: the table has 5 entries, and its variables have 4 joint states"),
        (
            "\n\n4\n",
            "\n\n18446744073709551616\n",
            "9:1: expected the number of entries of the table, found `18446744073709551616`",
        ),
        ("1.0 0.0", "1.0 -0.5", "11:6: expected an entry of the table, not negative, found `-0.5`"),
        ("1.0 0.0", "1.0 inf", "11:6: expected an entry of the table, not negative, found `inf`"),
        ("1.0 0.0", "1.0 x", "11:6: expected an entry of the table, not negative, found `x`"),
        ("1.0 0.0", "1.0", "14:2: expected the number of entries of the table, found `2.25`"),
        ("1.0 0.0", "1.0 0.0 0.0", "11:10: expected the number of entries of the table, found `0.0`"),
        ("2e0 3\n", "2e0\n", "19:1: expected an entry of the table, not negative, found the end of the file"),
        ("2e0 3\n", "2e0 3 3\n", "18:11: expected the end of the file, found `3`"),
    ];
    check(MARKOV, mistakes, |bytes| uai::read(bytes).err());
    let mistakes: &[Mistake] = &[
        ("\n1 0 # X0\n", "\n1 1\n", "4:1: a second table whose last variable, the child, is 1"),
        ("\n1 0 # X0\n", "\n0\n", "2:1: a conditional table without variables"),
        ("\n3 1 0 2\n", "\n3 1 2 0\n", "3:1: a second table whose last variable, the child, is 0"),
        (
            "1 0 # X0\n3 1 0 2\n2 0 1\n2 0.5 0.5\n",
            "2 1 0\n3 1 0 2\n2 0 1\n4 0.5 0.5 0.5 0.5\n",
            "4:1: the arrows form a cycle: X0 -> X1 -> X0",
        ),
        ("1 0 0 0 0 1", "0 0 0 0 0 1", "7:2: the row adds up to 0"),
    ];
    check(BAYES, mistakes, |bytes| uai::read(bytes).err());
}

#[test]
fn uai_evidence_queries_and_answers() {
    let variables = Variables::numbered(&[2, 3]).unwrap();
    let mistakes: &[Mistake] = &[
        ("2 0 1 1 2", "", "1:1: expected the number of variables seen, found the end of the file"),
        ("2 0 1 1 2", "2 0 1 1", "1:8: expected a state, found the end of the file"),
        ("2 0 1 1 2", "2 0 1 1 2 0", "1:11: expected the end of the file, found `0`"),
        ("2 0 1 1 2", "2 0 1 2 2", "1:7: expected a variable from 0 to 1, found 2"),
        ("2 0 1 1 2", "2 0 2 1 2", "1:5: expected a state from 0 to 1, found 2"),
        ("2 0 1 1 2", "2 1 1 1 2", "1:7: variable 1 is seen twice"),
        ("2 0 1 1 2", "2 0 1 1 -2", "1:9: expected a state, found `-2`"),
        ("2 0 1 1 2", "1\n1 0 7", "2:5: expected a state from 0 to 1, found 7"),
    ];
    check("2 0 1 1 2", mistakes, |bytes| uai::read_evidence(bytes, &variables).err());
    let mistakes: &[Mistake] = &[
        ("2 0 1", "2 0 2", "1:5: expected a variable from 0 to 1, found 2"),
        ("2 0 1", "2 0 0", "1:5: variable 0 is asked twice"),
        ("2 0 1", "1 0 1", "1:5: expected the end of the file, found `1`"),
        ("2 0 1", "9", "1:1: the number of variables asked is 9, but at most 0 more fit into the file"),
    ];
    check("2 0 1", mistakes, |bytes| uai::read_query(bytes, &variables).err());
    let mistakes: &[Mistake] = &[
        ("MAR\n", "BAR\n", "1:1: expected `PR`, `MAR`, `MPE`, `MAP` or `MMAP`, found `BAR`"),
        ("MAR\n", "MAR\n2\n", "3:5: expected the number of states of a variable, found `0.25`"),
        ("0.75", "nan", "2:10: expected a probability, found `nan`"),
        ("0.75", "", "2:10: expected a probability, found the end of the file"),
        ("0.75", "0.75 0", "2:15: expected the end of the file, found `0`"),
        (
            "MAR\n1",
            "MAR\n99999999999",
            "2:1: the number of variables is 99999999999, but at most 6 more fit into the file",
        ),
        ("MAR\n1 2 0.25 0.75", "PR\nnan", "2:1: expected a logarithm, found `nan`"),
        ("MAR\n1 2 0.25 0.75", "PR", "1:3: expected a logarithm, found the end of the file"),
        (
            "MAR\n1 2 0.25 0.75",
            "MMAP 1 99999999999 1",
            "1:8: expected a variable from 0 to 4294967294, found 99999999999",
        ),
    ];
    check("MAR\n1 2 0.25 0.75", mistakes, |bytes| uai::read_answer(bytes).err());
}

const NET_MISTAKES: &[Mistake] = &[
    ("net {", "nett {", "2:1: expected `net`, `node` or `potential`, found `nett`"),
    ("net {", "net ", "2:6: expected `{` after `net`, found `name`"),
    ("net {", "class {", "2:7: expected the name of the class, found `{`"),
    ("(80 40);", "(80 40)", "2:44: expected `;` at the end of the attribute, found `}`"),
    ("\"A; or not\"", "\"A; or not", "9:46: the quote that begins here has no end"),
    ("label =", "label", "3:49: expected `=` after the name of the attribute, found `\"A`"),
    ("discrete node", "discrete chance", "9:10: expected `node`, found `chance`"),
    (
        "discrete node",
        "continuous node",
        "9:1: `continuous` is not supported: only networks of discrete nodes of chance are",
    ),
    (
        "discrete node",
        "utility",
        "9:1: `utility` is not supported: only networks of discrete nodes of chance are",
    ),
    ("node C", "node B", "10:6: a second variable is called `B`"),
    ("(c0 c1)", "(c0 c0)", "10:23: a state of `C` comes twice"),
    ("(c0 c1)", "()", "10:6: `C` has no states"),
    ("(c0 c1)", "c0 c1", "10:19: expected `(` before the states, found `c0`"),
    ("(c0 c1);", "(c0 c1)", "10:27: expected `;` after the states, found `}`"),
    ("states = (c0 c1);", "", "10:6: the node `C` has no states"),
    ("states = (c0 c1);", "states = (c0 c1); states = (c0 c1);", "10:28: a second list of the states of `C`"),
    ("(C | A B)", "(C | A D)", "4:18: there is no node `D`"),
    ("(C | A B)", "(C | A A)", "4:18: the parent `A` comes twice"),
    ("(C | A B)", "(C | C B)", "4:16: `C` is its own parent"),
    ("(C | A B)", "(C A | B)", "4:14: expected `)` or `|` after the child: one only, found `A`"),
    ("(C | A B)", "(C | A B", "4:20: expected the name of a parent or `)`, found `{`"),
    ("(C | A B)", "(C | A)", "5:3: expected 4 numbers, found 12"),
    ("(0.25 0.75)", "(0.25 0.5 0.25)", "11:17: expected 2 numbers, found 3"),
    ("(0.25 0.75)", "(0.25 x)", "11:30: expected a probability, found `x`"),
    ("(0.25 0.75)", "(0 0)", "11:17: the probabilities of `A` add up to 0"),
    ("(0.25 0.75)", "0.25 0.75", "11:24: expected `(` before the numbers, found `0.25`"),
    ("(0.25 0.75)", "(0.25 0.75))", "11:35: expected `;` after the numbers, found `)`"),
    ("(0.25 0.75)", "((0.25 0.75)", "11:36: expected a probability, found `;`"),
    (
        "data = (0.25 0.75);",
        "model_data = (Distribution(1, 2));",
        "11:17: a table given by a model is not supported",
    ),
    ("data = (0.25 0.75);", "data = (0.25 0.75); data = (0.25 0.75);", "11:37: a second `data`"),
    (
        "(A) { data = (0.25 0.75); }",
        "(A | C) { data = (1 0 0 1); }",
        "5:3: the arrows form a cycle: A -> C -> A",
    ),
    ("potential (A) { data = (0.25 0.75); }", "", "3:6: `A` has no probabilities"),
    ("potential (B | ) { }", "potential (A) { }", "12:12: a second table of `A`"),
];

#[test]
fn net_files() {
    check(NET, NET_MISTAKES, |bytes| net::read(bytes).err());
}
