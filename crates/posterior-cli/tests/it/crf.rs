//! `posterior crf`: fit, tag, eval on a toy language, every algorithm, and wrong input.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use serde_json::Value;

use crate::program::{Place, read};

/// Sentences whose labels follow from their words and what stands before.
fn sentences() -> String {
    let mut text = String::new();
    for (noun, verb) in [("dog", "barks"), ("cat", "sleeps"), ("bird", "sings"), ("child", "reads")] {
        for article in ["the", "a"] {
            writeln!(text, "{article} DT B-NP\n{noun} NN I-NP\n{verb} VB B-VP\n. . O\n").unwrap();
            writeln!(text, "they PR B-NP\nsee VB B-VP\n{article} DT B-NP\nold JJ I-NP\n{noun} NN I-NP\n")
                .unwrap();
        }
    }
    text
}

fn place() -> Place {
    let place = Place::new();
    place.write("train.txt", sentences());
    place
}

fn json(place: &Place, arguments: &[&str]) -> Value {
    let all: Vec<&str> = [&["crf"], arguments, &["--format", "json", "--quiet"]].concat();
    serde_json::from_str(&place.succeed(&all).stdout).unwrap()
}

#[test]
fn every_algorithm_learns_and_tells_the_fields_of_the_contract() {
    let place = place();
    for algorithm in ["lbfgs", "owlqn", "sgd", "perceptron"] {
        let penalty: &[&str] = match algorithm {
            "owlqn" => &["--l1", "0.05", "--l2", "0.01"],
            "perceptron" => &[],
            _ => &["--l2", "0.1"],
        };
        let all =
            [&["fit", "train.txt", "--templates", "chunking", "--algorithm", algorithm], penalty].concat();
        let output = json(&place, &all);
        assert_eq!(output["accuracy"].as_f64(), Some(1.0), "{algorithm}");
        assert_eq!((output["f1"].as_f64(), &output["f1_of"]), (Some(1.0), &"chunks".into()), "{algorithm}");
        let trace = output["objective_trace"].as_array().unwrap();
        assert!(trace.last().unwrap().as_f64() < trace[0].as_f64(), "{algorithm}");
        assert_eq!(
            (output["training_sequences"].as_u64(), output["sequences"].as_u64()),
            (Some(16), Some(16))
        );
        let nonzero = output["nonzero_weights"].as_u64().unwrap();
        assert!(nonzero > 0 && nonzero <= output["weights"].as_u64().unwrap());
        assert_eq!(output["evaluated_on"], "training");
    }
}

#[test]
fn a_label_that_was_not_learned_is_named_as_the_cause_of_an_infinite_loss() {
    let place = place();
    place.write("new.txt", "the DT B-NP\ndog NN B-LST\n");
    let all = ["fit", "train.txt", "--templates", "chunking", "--l2", "0.1", "--held-out", "new.txt"];
    let output = json(&place, &all);
    assert_eq!((output["unknown_labels"].as_u64(), output["accuracy"].as_f64()), (Some(1), Some(0.5)));
    let text = place.succeed(&[&["crf"], &all[..]].concat()).stdout;
    assert!(text.contains("infinite: the label of one token is unknown to the model"), "{text}");
}

#[test]
fn a_model_tags_and_is_evaluated() {
    let place = place();
    let fitted =
        json(&place, &["fit", "train.txt", "--templates", "chunking", "--l2", "0.1", "--out", "out"]);
    for name in ["model.json", "report.html", "confusion.csv", "transitions.svg", "objective.svg"] {
        assert!(!read(place.path(&format!("out/{name}"))).is_empty(), "{name}");
    }
    let output = json(&place, &["eval", "out", "train.txt", "--out", "judged"]);
    for field in ["accuracy", "f1", "ln_loss", "confusion", "chunks", "labels"] {
        assert_eq!(output[field], fitted[field], "{field}");
    }
    assert!(place.path("judged/report.html").exists());
    // Without the column of labels, and with it.
    place.write("new.txt", "a DT\nbird NN\nreads VB\n");
    let output = json(&place, &["tag", "out/model.json", "new.txt", "--marginals"]);
    assert_eq!(output["tags"], serde_json::json!([["B-NP", "I-NP", "B-VP"]]));
    let sure = output["probabilities"][0].as_array().unwrap();
    assert!(sure.iter().all(|p| (0.3..=1.0).contains(&p.as_f64().unwrap())));
    let ran = place.succeed(&["crf", "tag", "out", "new.txt"]);
    assert_eq!(ran.stdout, "a DT B-NP\nbird NN I-NP\nreads VB B-VP\n\n");
    let output = json(&place, &["tag", "out", "train.txt"]);
    assert_eq!(output["tags"].as_array().unwrap().len(), 16);
}

/// A model that has seen I after O, and after another type.
fn of_iob1(place: &Place) {
    place.write(
        "iob1.txt",
        "a I-NP\na I-NP\nb O\na I-NP\n\nc I-VP\na I-NP\nb O\n\na B-NP\nc B-VP\n\n".repeat(3),
    );
    json(place, &["fit", "iob1.txt", "--l2", "0.1", "--out", "out"]);
}

#[test]
fn constraints_forbid_what_a_scheme_does_not_have() {
    let place = place();
    of_iob1(&place);
    place.write("new.txt", "a\na\nb\na\n\nc\na\n");
    let all = ["tag", "out", "new.txt", "--best", "10000"];
    let free = json(&place, &all);
    assert_eq!(free["tags"][0], serde_json::json!(["I-NP", "I-NP", "O", "I-NP"]));
    let held = json(&place, &[&all[..], &["--constraints", "bio"]].concat());
    let legal = |tags: &Value| {
        let tags: Vec<&str> = tags.as_array().unwrap().iter().map(|tag| tag.as_str().unwrap()).collect();
        let before = std::iter::once("O").chain(tags.iter().copied());
        before.zip(&tags).all(|(before, tag)| !tag.starts_with('I') || before.get(2..) == tag.get(2..))
    };
    let p = |own: &Value| own["probability"].as_f64().unwrap();
    for sequence in 0..2 {
        let (free, held) =
            (free["best"][sequence].as_array().unwrap(), held["best"][sequence].as_array().unwrap());
        assert_eq!(free.len(), 5_usize.pow([4, 2][sequence]));
        // What is allowed keeps its order, and shares the whole.
        let kept: Vec<&Value> = free.iter().filter(|own| legal(&own["tags"])).collect();
        assert!(kept.len() == held.len() && held.len() < free.len());
        let whole: f64 = kept.iter().map(|own| p(own)).sum();
        for (kept, held) in kept.iter().zip(held) {
            assert_eq!(kept["tags"], held["tags"]);
            assert!((p(kept) / whole - p(held)).abs() < 1e-9);
        }
        assert!((held.iter().map(p).sum::<f64>() - 1.0).abs() < 1e-9);
    }
    assert_eq!(held["tags"][0], held["best"][0][0]["tags"]);
    let text = place.succeed(&["crf", "tag", "out", "new.txt", "--constraints", "bio", "--best", "2"]).stdout;
    let first = format!("# 0 {:.6}\na B-NP\na I-NP\nb O\na B-NP\n\n# 1 ", p(&held["best"][0][0]));
    assert!(text.starts_with(&first), "{text}");
    // True labels that are not allowed have probability 0.
    let scored = json(&place, &["eval", "out", "iob1.txt", "--constraints", "bio"]);
    assert_eq!((&scored["ln_loss"], &scored["unknown_labels"]), (&"inf".into(), &0.into()));
    assert!(scored["forbidden_labels"].as_u64().unwrap() >= 6);
    let text = place.succeed(&["crf", "eval", "out", "iob1.txt", "--constraints", "bio"]).stdout;
    assert!(text.contains("tokens are not allowed by --constraints"), "{text}");
    assert!(json(&place, &["eval", "out", "iob1.txt"])["ln_loss"].as_f64().unwrap() < 1.0);
    // Labels of another scheme, and of none.
    place.write("bioes.txt", "a S-NP\nb O\n\na B-NP\nb E-NP\n\n");
    json(&place, &["fit", "bioes.txt", "--out", "more"]);
    json(&place, &["tag", "more", "bioes.txt", "--constraints", "bioes"]);
    let ran = place.run(&["crf", "tag", "more", "bioes.txt", "--constraints", "bio"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("--constraints: label \"S-NP\": the scheme has O, B-TYPE and I-TYPE"),
        "{ran:?}"
    );
    // No way to label one token by a scheme whose chunks have two.
    place.write("pairs.txt", "a B-NP\nb E-NP\n\n");
    json(&place, &["fit", "pairs.txt", "--out", "pairs"]);
    place.write("lone.txt", "a\nb\n\na\n");
    let ran = place.run(&["crf", "tag", "pairs", "lone.txt", "--constraints", "bioes"]);
    assert!(
        ran.code == Some(1) && ran.stderr.contains("lone.txt: line 4: no labels of this sequence"),
        "{ran:?}"
    );
}

const CONLLU: &str = "# sent_id = 1
# text = vamos al mar
1\tvamos\tir\tVERB\t_\t_\t0\troot\t_\t_
2-3\tal\t_\t_\t_\t_\t_\t_\t_\t_
2\ta\ta\tADP\t_\t_\t4\tcase\t_\t_
3\tel\tel\tDET\t_\t_\t4\tdet\t_\t_
3.1\tx\tx\tX\t_\t_\t_\t_\t4:dep\t_
4\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\tGloss=sea

# sent_id = 2
1\tvamos\tir\tVERB\t_\t_\t0\troot\t_\t_

";

#[test]
fn treebanks_are_read_and_written() {
    let place = place();
    place.write("train.conllu", CONLLU.repeat(4));
    let conllu = ["--input", "conllu"];
    let output =
        json(&place, &[&["fit", "train.conllu", "--l2", "0.01", "--out", "out"], &conllu[..]].concat());
    // Words only: neither the token of two words nor the empty node.
    assert_eq!(
        (output["training_tokens"].as_u64(), output["training_sequences"].as_u64()),
        (Some(20), Some(8))
    );
    assert_eq!(output["accuracy"].as_f64(), Some(1.0));
    // What is not known yet is filled in; all else stays.
    let bare =
        ["VERB", "ADP", "DET", "NOUN"].iter().fold(CONLLU.to_owned(), |text, tag| text.replace(tag, "_"));
    place.write("bare.conllu", &bare);
    let tag = ["crf", "tag", "out", "bare.conllu", "--input", "conllu"];
    assert_eq!(place.succeed(&tag).stdout, CONLLU);
    let sure = place.succeed(&[&tag[..], &["--marginals", "--best", "2"]].concat()).stdout;
    let head = "# sent_id = 1\n# text = vamos al mar\n# rank = 0\n# probability = 0.";
    assert!(sure.starts_with(head) && sure.contains("\tGloss=sea|Probability=0.9"), "{sure}");
    assert!(sure.contains("# rank = 1\n") && sure.matches("3.1\tx").count() == 2, "{sure}");
    // Other columns, which the model knows again.
    let columns = ["--columns", "form,lemma,deprel"];
    json(&place, &[&["fit", "train.conllu", "--out", "more"], &conllu[..], &columns].concat());
    let scored = json(&place, &[&["eval", "more", "train.conllu"], &conllu[..]].concat());
    assert_eq!((scored["tokens"].as_u64(), scored["unknown_labels"].as_u64()), (Some(20), Some(0)));
    for (arguments, code, words) in [
        (&["fit", "bare.conllu"][..], 1, "bare.conllu: line 3, column upos: expected a label"),
        (&["eval", "out", "bare.conllu"], 1, "bare.conllu: line 3, column upos: expected a label"),
        (&["fit", "train.conllu", "--columns", "upos"], 1, "1 columns, expected at least 1 and a label"),
        (&["fit", "train.conllu", "--columns", "form,pos"], 2, "no column of CoNLL-U is called \"pos\""),
        (&["fit", "train.txt"], 1, "train.txt: line 1: 1 fields between tabs, expected 10"),
    ] {
        let ran = place.run(&[&["crf"], arguments, &conllu].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?} {ran:?}");
        assert!(ran.stderr.contains(words), "{arguments:?} {ran:?}");
    }
    let ran = place.run(&["crf", "fit", "train.txt", "--columns", "form,upos"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--columns"), "{ran:?}");
}

#[test]
fn sequences_held_out_are_not_learned_from() {
    let place = place();
    let output = json(&place, &["fit", "train.txt", "--held-out", "0.25", "--l2", "0.1"]);
    assert_eq!((output["training_sequences"].as_u64(), output["sequences"].as_u64()), (Some(12), Some(4)));
    place.write("test.txt", "a DT B-NP\nwolf NN I-NP\nhowls VB B-VP\n\n");
    let output = json(&place, &["fit", "train.txt", "--held-out", "test.txt", "--l2", "0.1"]);
    assert_eq!(
        (output["evaluated_on"].as_str(), output["unknown_words"].as_u64()),
        (Some("test.txt"), Some(2))
    );
    assert_eq!(output["accuracy"].as_f64(), Some(1.0));
}

#[test]
fn lists_of_attributes_and_templates_of_ones_own() {
    let place = place();
    place.write("train.list", "N\tw=dog\tlen:3\nV\tw=barks\tlen:5\n\nN\tw=cat\nV\tw=sleeps\n\n");
    let output =
        json(&place, &["fit", "train.list", "--input", "attributes", "--l2", "0.01", "--out", "out"]);
    assert_eq!((output["accuracy"].as_f64(), output["f1_of"].as_str()), (Some(1.0), Some("labels")));
    let ran = place.succeed(&["crf", "tag", "out", "train.list", "--input", "attributes"]);
    assert_eq!(ran.stdout, "N\nV\n\nN\nV\n\n");
    place.write("own.template", "U:%x[0,1]\nB\nB1:%x[-1,1]/%x[0,1]\n");
    let output = json(&place, &["fit", "train.txt", "--templates", "own.template", "--l2", "0.1"]);
    assert_eq!(output["attributes"].as_u64(), Some(6));
    place.write("tags.tsv", sentences().replace(' ', "\t"));
    let output = json(&place, &["fit", "tags.tsv", "--input", "tabs", "--templates", "tagging"]);
    assert!(output["accuracy"].as_f64().unwrap() > 0.9);
}

#[test]
fn the_result_is_the_same_with_any_number_of_threads() {
    let place = place();
    for threads in ["1", "2", "3"] {
        json(
            &place,
            &["fit", "train.txt", "--templates", "chunking", "--threads", threads, "--out", threads],
        );
    }
    let one = read(place.path("1/model.json"));
    assert_eq!(one, read(place.path("2/model.json")));
    assert_eq!(one, read(place.path("3/model.json")));
}

#[test]
fn wrong_data_are_reported_with_their_lines() {
    let place = place();
    place.write("torn.txt", "a DT B-NP\ndog NN\n");
    place.write("narrow.txt", "a\nb\n");
    place.write("empty.txt", "\n\n");
    place.write("torn.list", "N\tw:x\n");
    place.write("bad.template", "U:%x[0,0]\nU:%y\nB\n");
    place.write("free.template", "U:%x[0,0]\n");
    for (arguments, part) in [
        (&["fit", "torn.txt"][..], "torn.txt: line 2: 2 columns, expected 3"),
        (&["fit", "narrow.txt"], "1 columns, expected at least 1 and a label"),
        (&["fit", "empty.txt"], "no sequence"),
        (&["fit", "no.txt"], "no.txt"),
        (&["fit", "torn.list", "--input", "attributes"], "line 1: the attribute"),
        (&["fit", "train.txt", "--templates", "bad.template"], "bad.template: line 2"),
        (&["fit", "train.txt", "--templates", "free.template"], "no line `B`"),
        (&["fit", "train.txt", "--templates", "no.template"], "no.template"),
        (&["fit", "train.txt", "--min-count", "1e9"], "frequent enough"),
        (&["tag", "train.txt", "train.txt"], "no model"),
        (&["eval", "no-model", "train.txt"], "no-model"),
    ] {
        let ran = place.run(&[&["crf"], arguments].concat());
        assert_eq!(ran.code, Some(1), "{arguments:?} {ran:?}");
        assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains(part), "{arguments:?} {ran:?}");
    }
}

#[test]
fn wrong_usage_has_the_code_2() {
    let place = place();
    for arguments in [
        &["--algorithm", "owlqn"][..],
        &["--algorithm", "perceptron", "--l2", "1"],
        &["--algorithm", "sgd", "--l1", "1"],
        &["--algorithm", "sgd", "--l2", "0"],
        &["--l2", "-1"],
        &["--l2", "nan"],
        &["--held-out", "1.5"],
        &["--input", "attributes", "--templates", "chunking"],
        &["--input", "attributes", "--comments", "#"],
        &["--iterations", "0"],
    ] {
        let ran = place.run(&[&["crf", "fit", "train.txt"], arguments].concat());
        assert_eq!(ran.code, Some(2), "{arguments:?} {ran:?}");
    }
}

#[test]
fn a_model_that_was_changed_is_refused() {
    let place = place();
    json(&place, &["fit", "train.txt", "--out", "out"]);
    let text = String::from_utf8(read(place.path("out/model.json"))).unwrap();
    for (from, to) in [("\"version\":2", "\"version\":9"), ("\"weights\":[", "\"weights\":[1,"), ("{", "[")] {
        place.write("changed.json", text.replacen(from, to, 1));
        let ran = place.run(&["crf", "tag", "changed.json", "train.txt"]);
        assert_eq!(ran.code, Some(1), "{from}: {ran:?}");
    }
    place.write("wide.txt", "a b c d e\n");
    let ran = place.run(&["crf", "tag", "out", "wide.txt"]);
    assert!(ran.stderr.contains("5 columns, the model has 3"), "{ran:?}");
    place.write("bare.txt", "a DT\n");
    let ran = place.run(&["crf", "eval", "out", "bare.txt"]);
    assert!(ran.stderr.contains("no column of labels"), "{ran:?}");
}
