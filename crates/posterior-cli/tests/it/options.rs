//! An option is used or refused: all pairs of methods and options.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::program::{Place, Ran};

#[expect(dead_code, reason = "the program itself looks into the terms")]
#[path = "../../src/args/uses/table.rs"]
mod table;
mod verbs;

use verbs::{VERBS, Verb};

/// Options of every verb: how and where the answer goes, what it is drawn with, and what it may take.
const COMMON: [&str; 8] = ["format", "seed", "threads", "quiet", "out", "help", "memory", "na"];

/// Pairs that say the same as the run without the option, or that say it on the page only.
const SAME: [(&str, &str); 16] = [
    // What the table of documents adds to the page, and to tables of their own.
    ("topics fit", "--nearest"),
    ("topics fit", "--band"),
    ("topics fit", "--meta"),
    // Written beside the answer.
    ("topics fit", "--checkpoint"),
    ("topics fit", "--checkpoint-every"),
    // A process forgets how many it began with.
    ("topics fit", "--topics"),
    // The file is of this format, and the vocabulary is the one beside it.
    ("topics fit", "--input"),
    // Every variable is shown, as asked.
    ("net query", "--all"),
    // The memory that is there is enough, or the run is refused.
    ("net query", "--memory"),
    // The best start may be the first.
    ("cluster fit", "--restarts"),
    ("hmm fit", "--restarts"),
    // A start may be at the optimum.
    ("cluster fit", "--iterations"),
    // Without --params everything is fitted; the first column and ISO dates are the default.
    ("series smooth", "--fit"),
    ("series smooth", "--time"),
    ("series smooth", "--date-form"),
    // The most probable path may go through the most probable states.
    ("hmm fit", "--decode"),
];

fn furnish(place: &Place) {
    place.themes();
    place.write("words.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
    let rows: Vec<String> =
        (1..=12).map(|d| format!("{d},{},hall {},{}", 1990 + d, d / 4, 3 * (d % 5))).collect();
    for name in ["meta.csv", "other.csv"] {
        place.write(name, format!("document,year,place,other\n{}\n", rows.join("\n")));
    }
    let mut table = String::from("x,y,z,count,kind,three,group\n");
    for i in 0..36 {
        let x = f64::from(i * 29 % 36) / 3.0;
        let bump = f64::from(i * i * 7 % 23) / 5.0;
        let y = 2.0 * x + bump - if i % 2 == 0 { 9.0 } else { 0.0 };
        let kind = if (x + bump) > 8.0 { "yes" } else { "no" };
        let three = ["low", "middle", "high"][(((x + bump) / 6.0) as usize).min(2)];
        writeln!(table, "{x},{y},{},{},{kind},{three},{}", bump - x / 9.0, 1 + i * 13 % 7, i / 12).unwrap();
    }
    // A process costs the cube of its rows.
    place.write("few.csv", table.lines().take(16).collect::<Vec<_>>().join("\n"));
    place.write("rows.csv", table);
    let days =
        (0..18).map(|i| format!("2020-01-{:02},{},{},{}\n", i + 1, i % 4, 20 + i % 3, (i * i * 5 + i) % 7));
    place.write("days.csv", format!("day,other,asked,count\n{}", days.collect::<String>()));
    place.write("holidays.csv", "day,name\n2020-01-06,epiphany\n2020-01-12,fair\n");
    place.write("new.csv", "x,y\n1.5,2\n7,3\n");
    let mut texts = String::from("text,body,label,three\n");
    for i in 0..12 {
        let (a, b) = [("river stone bridge water", "a"), ("violin concert melody évening", "b")][i % 2];
        let more = ["old cold", "new", "the the river", "of violin and", "stone"][i % 5];
        let (body, three) = (["up", "down up"][i % 2], ["p", "q", "r"][i % 3]);
        writeln!(texts, "{a} {more},{more} {body},{b},{three}").unwrap();
    }
    place.write("texts.csv", texts);
    place.write("seeds.json", "{\"first\": [\"river\"]}");
    place.write("stop.txt", "river\nviolin\n");
    let sentence = [
        "a DT X\ndog NN Y\nruns VB X\n\n",
        "dog NN X\nruns VB Y\n\n",
        "the DT X\ncat NN Y\n\n",
        "runs VB Y\na DT X\n\n",
    ];
    place.write("tokens.txt", (0..10).map(|i| sentence[i % 4]).collect::<String>());
    let list = ["X\tw=a\nY\tw=dog\tn\n\n", "Y\tw=dog\nX\tw=runs\n\n", "X\tw=the\tn\n\n"];
    let word = |i: usize| {
        let [form, lemma, tag] =
            [["the", "it", "DET"], ["dogs", "dog", "NOUN"], ["bark", "bark", "VERB"]][i % 3];
        format!("{}\t{form}\t{lemma}\t{tag}\t_\t_\t_\t_\t_\t_\n{}", i % 3 + 1, ["", "", "\n"][i % 3])
    };
    place.write("tokens.conllu", (0..9).map(word).collect::<String>());
    place.write("tokens.crfsuite", (0..9).map(|i| list[i % 3]).collect::<String>());
    place.write(
        "net.bif",
        "network n {}\nvariable cold { type discrete [ 2 ] { yes, no }; }\nvariable rain { type discrete [ 2 ] { yes, no }; }\n\
         variable wet { type discrete [ 2 ] { yes, no }; }\nprobability ( cold ) { table 0.3, 0.7; }\n\
         probability ( rain | cold ) { (yes) 0.6, 0.4; (no) 0.1, 0.9; }\nprobability ( wet | rain ) { (yes) 0.9, 0.1; (no) 0.1, 0.9; }\n",
    );
}

/// The answer of a run: what it prints, but for times and names of files, and its tables.
fn answer(place: &Place, ran: &Ran) -> (Value, BTreeMap<String, Vec<u8>>) {
    let mut json: Value = serde_json::from_str(&ran.stdout).unwrap();
    for field in ["seconds", "tokens_per_second", "report"] {
        json.as_object_mut().unwrap().remove(field);
    }
    let mut tables = BTreeMap::new();
    for entry in fs::read_dir(place.path("out")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.extension().is_some_and(|ending| ending == "csv" || ending == "npy") {
            tables.insert(name, fs::read(&path).unwrap());
        }
    }
    (json, tables)
}

fn run(place: &Place, verb: &Verb, method: &[&str], option: &[&str]) -> Ran {
    let _ = fs::remove_dir_all(place.path("out"));
    let mut base: Vec<&str> = verb.name.split(' ').collect();
    // A method may bring its own data, in the place of the verb's.
    let own_data = method.first().is_some_and(|word| !word.starts_with("--"));
    base.extend(
        verb.arguments.iter().skip(usize::from(own_data && !verb.arguments.is_empty())).chain(method),
    );
    // An option that the run has already gets the other value.
    if let Some(at) = base.iter().position(|word| *word == option.first().copied().unwrap_or_default()) {
        base.drain(at..(at + option.len()).min(base.len()));
    }
    base.extend(option);
    place.run(&[&base[..], &["--format", "json", "--out", "out"]].concat())
}

fn walk(name: &str) {
    let place = Place::new();
    furnish(&place);
    let verb = VERBS.iter().find(|verb| verb.name == name).unwrap();
    // Every option that the verb has is in the walk.
    let help = place.succeed(&name.split(' ').chain(["--help"]).collect::<Vec<_>>()).stdout;
    let lines =
        help.lines().map(str::trim_start).filter(|line| line.starts_with('-') && !line.starts_with("- "));
    let listed: BTreeSet<&str> = lines
        .filter_map(|line| line.split("--").nth(1))
        .map(|rest| rest.split([' ', ',', ']']).next().unwrap())
        .filter(|own| !COMMON.contains(own))
        .collect();
    let walked: BTreeSet<&str> = verb
        .options
        .iter()
        .map(|option| option[option.len().saturating_sub(2)].trim_start_matches("--"))
        .collect();
    let first: BTreeSet<&str> =
        verb.options.iter().map(|option| option[0].trim_start_matches("--")).collect();
    let missing: Vec<_> =
        listed.iter().filter(|own| !walked.contains(*own) && !first.contains(*own)).collect();
    assert!(missing.is_empty(), "{name}: not in the walk: {missing:?}");

    let (mut used, mut refused) = (BTreeSet::new(), BTreeSet::new());
    let mut silent = Vec::new();
    for method in verb.methods {
        let without = run(&place, verb, method, &[]);
        assert_eq!(without.code, Some(0), "{name} {method:?} {without:?}");
        let before = answer(&place, &without);
        // An option that the run already has is no other run.
        let others =
            verb.options.iter().filter(|option| !method.windows(option.len()).any(|own| own == **option));
        for option in others {
            let with = run(&place, verb, method, option);
            let own = option.iter().rev().find(|word| word.starts_with("--")).unwrap();
            if with.code == Some(0) {
                used.insert(own.trim_start_matches("--"));
                if answer(&place, &with) == before && !SAME.contains(&(name, own)) {
                    silent.push(format!("{method:?} {option:?}"));
                }
            } else if with.stderr.contains("has no use for it") {
                assert_eq!(with.code, Some(2), "{name} {method:?} {option:?} {with:?}");
                assert!(with.stderr.starts_with("error: --"), "{with:?}");
                refused.insert(own.trim_start_matches("--"));
            } else {
                // A value that does not fit is an error of its own.
                assert!(with.stderr.contains("error: "), "{name} {method:?} {option:?} {with:?}");
                used.insert(own.trim_start_matches("--"));
            }
        }
    }
    assert!(silent.is_empty(), "{name}: without effect:\n{}", silent.join("\n"));
    // Each rule of the table was met, and the help tells it.
    let rules = table::TABLE.iter().find(|(verb, _)| *verb == name).map_or(&[][..], |(_, rules)| rules);
    for rule in rules.iter().filter(|rule| {
        !rule
            .when
            .iter()
            .flat_map(|terms| *terms)
            .any(|term| matches!(term, table::Term::Given("data" | "corpus")))
    }) {
        for option in rule.options.iter().filter(|own| **own != "vocab") {
            assert!(refused.contains(option), "{name}: --{option} was never refused");
            assert!(
                used.contains(option) || rule.when.is_empty() || name == "topics fit",
                "{name}: --{option} was never used"
            );
            assert!(help.contains("[for "), "{help}");
        }
    }
}

#[test]
fn options_of_topics_fit_are_used_or_refused() {
    walk("topics fit");
}

#[test]
fn options_of_cluster_fit_are_used_or_refused() {
    walk("cluster fit");
}

#[test]
fn options_of_regress_fit_are_used_or_refused() {
    walk("regress fit");
}

#[test]
fn options_of_gp_fit_are_used_or_refused() {
    walk("gp fit");
}

#[test]
fn options_of_pca_and_hmm_fit_are_used_or_refused() {
    walk("pca fit");
    walk("hmm fit");
}

#[test]
fn options_of_dist_fit_are_used_or_refused() {
    walk("dist fit");
}

#[test]
fn options_of_crf_and_classify_fit_are_used_or_refused() {
    walk("crf fit");
    walk("classify fit");
}

#[test]
fn options_of_net_query_are_used_or_refused() {
    walk("net query");
}

#[test]
fn options_of_series_smooth_are_used_or_refused() {
    walk("series smooth");
}

#[test]
fn what_the_data_decide_is_refused_when_they_are_read() {
    let place = Place::new();
    furnish(&place);
    let refused = |arguments: &[&str], message: &str| {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert_eq!(ran.stderr.lines().next(), Some(format!("error: {message}").as_str()), "{ran:?}");
    };
    refused(
        &["topics", "fit", "--engine", "vb", "--sampler", "sparse"],
        "--sampler: --engine vb has no use for it; it is for --model lda with --engine gibbs",
    );
    refused(
        &["topics", "fit", "docword.txt", "--stop-words", "none"],
        "--stop-words: --input uci has no use for it; it is for --input folder, csv, jsonl or mallet",
    );
    refused(
        &["topics", "fit", "texts.csv", "--vocab", "vocab.txt", "--min-df", "1"],
        "--vocab: --input csv has no use for it; it is for --input uci, lda-c or mtx",
    );
    refused(
        &["topics", "fit", "--min-df", "3"],
        "--min-df: a run without CORPUS has no use for it; it is for runs with CORPUS",
    );
    place.write("records.csv", "cold,rain,wet\nyes,yes,yes\nno,no,no\n");
    refused(
        &["net", "learn", "net.bif", "records.csv", "--restarts", "3"],
        "--restarts: a run without data with missing values, or --hidden variables has no use for it; it is for data with missing \
         values, or --hidden variables",
    );
    refused(
        &["net", "uai", "m.uai", "none", "MAP", "--engine", "lw"],
        "--engine: TASK MAP has no use for it; it is for TASK PR or MAR",
    );
    refused(
        &["classify", "eval", "texts.csv", "--model", "m", "--folds", "3"],
        "--folds: a run with --model has no use for it; it is for runs without --model",
    );
    refused(
        &["gallery", "--list", "--threads", "2"],
        "--threads: a run with --list has no use for it; it is for runs without --list",
    );
}
