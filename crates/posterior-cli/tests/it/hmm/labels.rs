//! States that are known: labels counted, some of them missing, words never seen.

use serde_json::Value;

use super::{json, numbers};
use crate::program::Place;

const TAGGED: &str =
    "sentence,word,tag\n1,the,D\n1,dog,N\n1,barks,V\n2,a,D\n2,dog,N\n3,dogs,N\n3,bark,V\n3,the,D\n3,cat,N\n";

fn p(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn labels_are_counted() {
    let place = Place::new();
    place.write("tagged.csv", TAGGED);
    let columns = ["--y", "word", "--sequence", "sentence", "--emission", "categorical"];
    let fit = ["fit", "tagged.csv", "--labels", "tag", "--pseudocount", "0.5", "--out", "out"];
    let output = json(&place, &[&fit[..], &columns].concat());
    assert_eq!(output["labels"], serde_json::json!(["D", "N", "V"]));
    // Half of one is added to each count: of 3 starts, 2 are D; of 2 steps from N, 2 are to V.
    for (found, wanted) in [
        (&output["initial"], [2.5 / 4.5, 1.5 / 4.5, 0.5 / 4.5]),
        (&output["transition"][0], [0.5 / 4.5, 3.5 / 4.5, 0.5 / 4.5]),
        (&output["transition"][1], [0.5 / 3.5, 0.5 / 3.5, 2.5 / 3.5]),
        (&output["transition"][2], [1.5 / 2.5, 0.5 / 2.5, 0.5 / 2.5]),
    ] {
        for (found, wanted) in numbers(found).iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-14, "{found} {wanted}");
        }
    }
    // Of 7 words, "dog" is 2 of 4 nouns.
    let symbols = output["symbols"].as_array().unwrap();
    let dog = symbols.iter().position(|own| own == "dog").unwrap();
    assert!((p(&output["emission"][1]["probabilities"][dog]) - 2.5 / 7.5).abs() < 1e-14);
    assert_eq!((symbols.len(), p(&output["agreement"]["accuracy"])), (7, 1.0));
    assert_eq!((&output["converged"], &output["trace"]), (&true.into(), &serde_json::json!([])));
    // By name, in what comes after.
    place.write("new.csv", "sentence,word,tag\n1,the,D\n1,cat,N\n2,dog,V\n2,bark,V\n2,a,X\n2,dog,\n");
    let new = ["new.csv", "--y", "word", "--sequence", "sentence"];
    let labels = ["--labels", "tag"];
    let scored = json(&place, &[&["score", "out"], &new[..], &labels].concat());
    assert_eq!(
        (scored["agreement"]["labelled"].as_u64(), p(&scored["agreement"]["accuracy"])),
        (Some(5), 0.6)
    );
    let decoded = json(&place, &[&["decode", "out"], &new[..], &["--out", "states"]].concat());
    assert_eq!(decoded["labels"], serde_json::json!(["D", "N", "V"]));
    let table = std::fs::read_to_string(place.path("states/states.csv")).unwrap();
    assert!(table.starts_with("sequence,row,state,label,p_D,p_N,p_V\n1,1,0,D,"), "{table}");
    let text = place.succeed(&[&["hmm", "score", "out"], &new[..], &labels].concat()).stdout;
    assert!(text.contains("60.00 % of 5 rows with a label are in its state"), "{text}");
    let drawn = place.succeed(&["hmm", "sample", "out", "-n", "3"]).stdout;
    assert!(drawn.lines().skip(1).all(|line| line.starts_with(['D', 'N', 'V'])), "{drawn}");
    let text = place.succeed(&[&["hmm"], &fit[..], &columns].concat()).stdout;
    assert!(text.contains("to N") && text.contains(" % of 9 rows with a label"), "{text}");
}

#[test]
fn words_never_seen_and_rows_held_out() {
    let place = Place::new();
    // Letters after each other by a rule, of which each label has its own.
    let row = |i: usize| {
        let tag = ["D", "N", "V"][i % 3];
        format!("{},{tag}{},{tag}\n", i / 6, if i % 17 == 3 { i } else { i % 2 })
    };
    let rows: String = (0..180).map(row).collect();
    place.write("long.csv", format!("sentence,word,tag\n{rows}"));
    let fit = [
        "fit",
        "long.csv",
        "--y",
        "word",
        "--sequence",
        "sentence",
        "--labels",
        "tag",
        "--emission",
        "categorical",
        "--pseudocount",
        "0.1",
        "--min-count",
        "2",
        "--held-out",
        "0.2",
        "--out",
        "out",
    ];
    let output = json(&place, &fit);
    let symbols = output["symbols"].as_array().unwrap();
    assert_eq!((symbols.len(), symbols.last()), (7, Some(&"<unk>".into())));
    assert_eq!((output["rows"].as_u64(), output["held_out"]["rows"].as_u64()), (Some(144), Some(36)));
    assert_eq!(p(&output["held_out"]["agreement"]["accuracy"]), 1.0);
    assert!(p(&output["held_out"]["ln_likelihood"]) < 0.0);
    place.write("new.csv", "word\nD1\nwhatever\nV0\n");
    assert_eq!(json(&place, &["decode", "out", "new.csv"])["states"], serde_json::json!([[0, 1, 2]]));
    // The end of the only sequence; numbers, whose likelihood is reported too.
    let numbers = (0..40).map(|i| format!("{}", i % 3)).collect::<Vec<_>>().join("\n");
    place.write("numbers.csv", format!("x\n{numbers}\n"));
    let output = json(&place, &["fit", "numbers.csv", "--held-out", "0.25"]);
    assert_eq!((output["rows"].as_u64(), output["held_out"]["rows"].as_u64()), (Some(30), Some(10)));
    assert!(output["held_out"]["agreement"].is_null() && output.get("agreement").is_none());
}

#[test]
fn some_labels_are_enough() {
    let place = Place::new();
    let value = |i: usize| [0.0, 5.0][i / 8 % 2] + f64::from((i * 5 % 7) as u32) / 7.0;
    let label = |i: usize| if i.is_multiple_of(5) { ["low", "high"][i / 8 % 2] } else { "" };
    let rows = (0..80).map(|i| format!("{},{}", value(i), label(i))).collect::<Vec<_>>().join("\n");
    place.write("some.csv", format!("x,state\n{rows}\n"));
    for emission in ["gaussian", "mixture"] {
        let fit = ["fit", "some.csv", "--y", "x", "--labels", "state", "--emission", emission];
        let output = json(&place, &fit);
        assert_eq!(output["labels"], serde_json::json!(["high", "low"]));
        assert!(output["trace"].as_array().unwrap().len() > 1);
        let path = output["states"][0].as_array().unwrap();
        assert!((0..80).all(|i| path[i] == [1, 0][i / 8 % 2]), "{emission} {path:?}");
        assert_eq!(p(&output["agreement"]["accuracy"]), 1.0);
    }
}

#[test]
fn labels_that_cannot_be() {
    let place = Place::new();
    place.write("tagged.csv", TAGGED);
    place.write("empty.csv", "x,tag\n1,\n2,\n");
    place.write("lone.csv", "x,tag\n1,a\n2,b\n4,a\n");
    json(&place, &["fit", "lone.csv", "--y", "x", "--out", "plain"]);
    let labels = ["--labels", "tag"];
    for (arguments, code, words) in [
        (&["fit", "empty.csv", "--y", "x"][..], 1, "column tag: expected labels, all cells are empty"),
        (&["fit", "lone.csv", "--y", "x", "--states", "2"], 2, "--states"),
        (
            &["fit", "lone.csv", "--y", "x", "--iterations", "9"],
            2,
            "--iterations: a run with --labels has no use for it",
        ),
        (
            &["fit", "lone.csv", "--y", "x", "--topology", "left-to-right"],
            1,
            "line 4: state 0 is not possible",
        ),
        (&["fit", "lone.csv", "--y", "x", "--held-out", "1"], 2, "above 0 and below 1"),
        (&["fit", "lone.csv", "--y", "x", "--components", "3"], 2, "--components"),
        (&["fit", "lone.csv", "--y", "x", "--min-count", "3"], 2, "--min-count"),
        (&["score", "plain", "lone.csv"], 2, "fitted without labels"),
    ] {
        let ran = place.run(&[&["hmm"], arguments, &labels].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?} {ran:?}");
        assert!(ran.stderr.contains(words), "{arguments:?} {ran:?}");
    }
    let ran = place.succeed(&["hmm", "fit", "lone.csv", "--y", "x", "--labels", "tag"]);
    assert!(ran.stderr.contains("label b: its covariance is that of all rows"), "{ran:?}");
}
