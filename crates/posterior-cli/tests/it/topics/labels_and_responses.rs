//! Labels, responses and concentrations that are drawn.

use super::{fitted, json, refused, table, texts};
use crate::program::Place;

/// Thirty texts of two themes or both, with their labels, a number and a yes or no that go with the first.
fn marked(place: &Place) {
    let (river, music) = ("river stone bridge ", "violin concert melody ");
    let rows: Vec<String> = (0..30)
        .map(|d| {
            let first = d % 3;
            let text = river.repeat(2 * first) + &music.repeat(4 - 2 * first);
            let labels = ["music", "music; water", " water"][first];
            // The last two are not marked.
            let mark = if d < 28 { format!("{}", 10 * first + d % 2) } else { String::new() };
            let good = if d < 28 { u8::from(first > 1).to_string() } else { String::new() };
            format!("{text},doc {d},{labels},{mark},{good}")
        })
        .collect();
    place.write("texts.csv", format!("text,title,labels,mark,good\n{}\n", rows.join("\n")));
    place.write(
        "new.csv",
        "text,title\nriver stone bridge river,wet\nviolin melody concert,loud\nevening,none\n",
    );
}

#[test]
fn labels_name_topics_and_are_found_in_new_documents() {
    let place = Place::new();
    marked(&place);
    let result = fitted(&place, "--model labelled --labels labels --seed 1");
    let topics = result["topics"].as_array().unwrap();
    assert_eq!(topics.len(), 3);
    assert_eq!((&topics[0]["name"], &topics[1]["name"]), (&"music".into(), &"water".into()));
    assert!(topics[2]["name"].is_null());
    let words = topics[1]["words"].as_array().unwrap()[..3].iter().map(|word| word["word"].as_str().unwrap());
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    assert_eq!(words, ["bridge", "river", "stone"]);
    // A document has the topics of its labels only.
    let rows = table(&place, "out/documents.csv");
    assert!((0..30).all(|d| rows[d + 1][3] != ["1", "9", "0"][d % 3]), "{rows:?}");
    place.succeed(&["topics", "infer", "out", "new.csv", "--name", "title", "--out", "new"]);
    let rows = table(&place, "new/doc_topic.csv");
    assert_eq!(rows[0], ["document", "tokens", "unknown", "music", "water", "topic_2"]);
    let of = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
    assert!(of(1, 4) > of(1, 3) && of(2, 3) > of(2, 4), "{rows:?}");

    let says = |more: &str, what: &str| {
        let (code, line) = refused(&place, more);
        assert!(line.contains(what), "{more}: {line}");
        code
    };
    assert_eq!(says("--model labelled", "--labels"), Some(2));
    assert_eq!(says("--model labelled --labels height", "no column \"height\""), Some(1));
    assert_eq!(says("--model labelled --labels labels --topics 3", "has no use for it"), Some(2));
    assert_eq!(says("--labels labels", "has no use for it; it is for --model labelled"), Some(2));
    let error = says("--model labelled --labels mark --background 0", "document \"doc 28\" has no label");
    assert_eq!(error, Some(1));
}

#[test]
fn responses_are_predicted_with_their_intervals() {
    let place = Place::new();
    marked(&place);
    let base = "--model supervised --topics 2 --alpha 0.5 --iterations 400 --seed 1";
    let result = fitted(&place, &format!("{base} --response mark"));
    let parameters = result["parameters"].as_array().unwrap();
    assert_eq!(parameters.len(), 3);
    assert_eq!(parameters[2]["parameter"], "sigma");
    let known = table(&place, "out/parameters.csv");
    assert_eq!(known[0], ["parameter", "mean", "sd", "low", "high", "effective_draws"]);
    let music = usize::from(result["topics"][1]["words"][0]["word"].as_str().unwrap().len() > 5);
    let [low, high] = [music, 1 - music].map(|k| known[k + 1][1].parse::<f64>().unwrap());
    assert!((low - 0.5).abs() < 3.0 && (high - 20.5).abs() < 3.0, "{known:?}");
    // Documents 28 and 29: one of both themes, one of water.
    let predicted = table(&place, "out/predictions.csv");
    assert_eq!(predicted[0], ["document", "prediction", "low", "high"]);
    assert_eq!((predicted.len(), predicted[1][0].as_str()), (3, "doc 28"));
    let number = |row: &[String], column: usize| row[column].parse::<f64>().unwrap();
    assert!((number(&predicted[1], 1) - 10.5).abs() < 2.0, "{predicted:?}");
    assert!((number(&predicted[2], 1) - 20.5).abs() < 2.0, "{predicted:?}");
    assert!(number(&predicted[1], 2) < 10.5 && number(&predicted[1], 3) > 10.5, "{predicted:?}");

    let infer = ["topics", "infer", "out", "new.csv", "--name", "title", "--out", "new", "--format", "json"];
    let said = json(&place.succeed(&infer));
    let new = table(&place, "new/predictions.csv");
    assert!(number(&new[1], 1) > 15.0 && number(&new[2], 1) < 5.0, "{new:?}");
    assert_eq!(new[3][1..], ["", "", ""]);
    assert_eq!(said["predictions"][0]["prediction"].as_f64().unwrap(), number(&new[1], 1));
    assert!(said["predictions"][2]["prediction"].is_null());

    let result = fitted(&place, &format!("{base} --response good --family binary"));
    assert_eq!(result["parameters"].as_array().unwrap().len(), 2);
    let predicted = table(&place, "out/predictions.csv");
    assert_eq!(predicted[1][2..], ["", ""]);
    assert!(number(&predicted[2], 1) > 0.7, "{predicted:?}");
    // Held-out documents are predicted too.
    let held = fitted(&place, &format!("{base} --response mark --held-out 0.2"));
    assert!(held["predictions"].as_array().unwrap().len() >= 6);

    let says = |more: &str, what: &str| {
        let (code, line) = refused(&place, more);
        assert!(line.contains(what), "{more}: {line}");
        code
    };
    assert_eq!(says("--model supervised", "--response"), Some(2));
    assert_eq!(says("--response mark", "has no use for it; it is for --model supervised"), Some(2));
    says(&format!("{base} --response mark --family binary"), "must be 0, 1 or NaN");
}

#[test]
fn concentrations_are_drawn_with_their_intervals() {
    let place = Place::new();
    texts(&place);
    let result = fitted(&place, "--sample-hyper asymmetric --topics 2 --iterations 300 --seed 1");
    let names: Vec<&str> = result["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| own["parameter"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["alpha_0", "alpha_1", "beta"]);
    let of = |k: usize, field: &str| result["parameters"][k][field].as_f64().unwrap();
    for (k, value) in [(0, &result["alpha"][0]), (1, &result["alpha"][1]), (2, &result["beta"])] {
        let value = value.as_f64().unwrap();
        assert!((of(k, "mean") / value - 1.0).abs() < 1e-12);
        assert!(of(k, "low") < value && value < of(k, "high"));
    }
    let one = fitted(&place, "--sample-hyper symmetric --topics 2 --iterations 300 --seed 1");
    assert_eq!(one["parameters"].as_array().unwrap().len(), 2);
    assert_eq!(one["alpha"][0], one["alpha"][1]);
    assert_eq!(refused(&place, "--sample-hyper symmetric --optimize-hyper").0, Some(2));
    let (code, line) = refused(&place, "--sample-hyper symmetric --engine vb");
    assert_eq!(code, Some(2));
    assert!(line.contains("has no use for it; it is for --model lda with --engine gibbs"), "{line}");
}

/// Letters of wires become letters of radios.
#[test]
fn words_over_time_follow_the_letters() {
    let place = Place::new();
    let rows: Vec<String> = (0..24)
        .map(|d| {
            let text = if d % 2 == 0 {
                "wire ".repeat(12 - d / 2) + &"radio ".repeat(1 + d / 2)
            } else {
                "bank coin ".repeat(6)
            };
            format!("{text},doc {d},{}", 1900 + 10 * (d / 6))
        })
        .collect();
    place.write("texts.csv", format!("text,title,year\n{}\n", rows.join("\n")));
    let result =
        fitted(&place, "--model dynamic --time year --topics 2 --alpha 0.3 --iterations 300 --seed 1");
    assert_eq!(result["parameters"][0]["parameter"], "drift");
    let rows = table(&place, "out/words_over_time.csv");
    assert_eq!(rows[0], ["topic", "word", "time", "p", "low", "high"]);
    let radio: Vec<&Vec<String>> = rows.iter().filter(|row| row[1] == "radio").collect();
    let number = |row: &[String], column: usize| row[column].parse::<f64>().unwrap();
    let topic = radio.iter().max_by(|a, b| number(a, 3).total_cmp(&number(b, 3))).unwrap()[0].clone();
    let course: Vec<f64> = radio.iter().filter(|row| row[0] == topic).map(|row| number(row, 3)).collect();
    assert_eq!(course.len(), 4);
    assert!(course[3] > 2.0 * course[0], "{course:?}");
    assert!(radio.iter().all(|row| number(row, 4) < number(row, 5)), "{radio:?}");
    place.succeed(&["topics", "infer", "out", "texts.csv", "--name", "title", "--out", "new"]);
    let (code, line) = refused(&place, "--model dynamic --topics 2");
    assert_eq!((code, line.contains("a time of each document")), (Some(1), true), "{line}");
}
