//! What the command line promises: JSON fields, artefacts, determinism, exit codes.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::program::{Place, read};

/// The rows of a two-dimensional `.npy` file of float64 in C order.
fn npy(bytes: &[u8]) -> Vec<Vec<f64>> {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    let shape = header.split_once("'shape': (").unwrap().1.split_once(')').unwrap().0;
    let columns: usize = shape.split(", ").nth(1).unwrap().parse().unwrap();
    let values: Vec<f64> = bytes[10 + length..]
        .chunks_exact(8)
        .map(|value| f64::from_le_bytes(value.try_into().unwrap()))
        .collect();
    values.chunks(columns).map(<[f64]>::to_vec).collect()
}

fn fit(place: &Place, more: &[&str]) -> Value {
    let corpus = place.themes();
    let mut arguments =
        vec!["topics", "fit", corpus, "--topics", "2", "--iterations", "60", "--format", "json"];
    arguments.extend(more);
    let ran = place.succeed(&arguments);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn json_and_artefacts_are_complete_and_agree() {
    let place = Place::new();
    let result = fit(&place, &["--out", "out", "--held-out", "0.25", "--seed", "3"]);
    assert_eq!(result["documents"], 12);
    assert_eq!(result["vocabulary"], 7);
    assert_eq!(result["tokens"], 12 * 14);
    assert_eq!(result["iterations"], 60);
    assert_eq!(result["seed"], 3);
    assert!(result["ln_likelihood_per_token"].as_f64().unwrap() < 0.0);
    assert!(result["tokens_per_second"].as_f64().unwrap() > 0.0);
    assert!(result["seconds"].as_f64().unwrap() > 0.0);
    // Four words are left once the theme is known (3.9 if it were known for sure), of seven.
    let perplexity = result["held_out_perplexity"].as_f64().unwrap();
    assert!((3.8..6.0).contains(&perplexity), "{perplexity}");

    let topic_word = npy(&read(place.path("out/topic_word.npy")));
    let doc_topic = npy(&read(place.path("out/doc_topic.npy")));
    assert_eq!((topic_word.len(), topic_word[0].len()), (2, 7));
    assert_eq!((doc_topic.len(), doc_topic[0].len()), (12, 2));
    for row in topic_word.iter().chain(&doc_topic) {
        assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let vocabulary = String::from_utf8(read(place.path("out/vocab.txt"))).unwrap();
    let vocabulary: Vec<&str> = vocabulary.lines().collect();
    for topic in result["topics"].as_array().unwrap() {
        assert!(topic["weight"].is_number(), "{topic}");
        let row = &topic_word[topic["id"].as_u64().unwrap() as usize];
        for word in topic["words"].as_array().unwrap() {
            let v = vocabulary.iter().position(|w| *w == word["word"]).unwrap();
            assert_eq!(word["p"].as_f64().unwrap(), row[v]);
        }
    }
    // Even and odd documents are of different themes, held out or not.
    let leading = |d: usize| usize::from(doc_topic[d][1] > doc_topic[d][0]);
    assert!((0..12).all(|d| leading(d) == leading(d % 2)), "{doc_topic:?}");
    assert_ne!(leading(0), leading(1));
    for name in ["model.json", "topics.csv", "documents.csv", "report.html"] {
        assert!(!read(place.path("out").join(name)).is_empty(), "{name}");
    }
}

#[test]
fn threads_change_nothing_but_the_time() {
    let place = Place::new();
    let arguments = |threads, out| {
        [
            "topics",
            "fit",
            "--iterations",
            "12",
            "--format",
            "json",
            "--quiet",
            "--threads",
            threads,
            "--out",
            out,
        ]
    };
    let result = |threads, out| {
        let mut result: Value =
            serde_json::from_str(&place.succeed(&arguments(threads, out)).stdout).unwrap();
        for field in ["seconds", "tokens_per_second", "report"] {
            assert!(result.as_object_mut().unwrap().remove(field).is_some());
        }
        result
    };
    assert_eq!(result("1", "one"), result("2", "two"));
    for name in ["model.json", "topic_word.npy", "doc_topic.npy", "topics.csv", "topics_over_time.csv"] {
        assert_eq!(read(place.path("one").join(name)), read(place.path("two").join(name)), "{name}");
    }
}

#[test]
fn the_report_needs_nothing_but_itself() {
    let place = Place::new();
    fit(
        &place,
        &["--meta", "meta.csv", "--time", "year", "--band", "place", "--nearest", "3", "--out", "out"],
    );
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    for forbidden in ["<script", "<link", "src=", "url(", "@import"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    let addresses = page.matches("http").count();
    assert_eq!(addresses, page.matches("http://www.w3.org/2000/svg").count());
    for expected in ["class=\"ridges\"", "Nearest to 3", "The sharpest turns", "--band place", "violin"] {
        assert!(page.contains(expected), "{expected}");
    }
    for expected in ["class=\"layer\"", "class=\"map\"", "95 % band", "Coherence", "<details>"] {
        assert!(page.contains(expected), "{expected}");
    }
    // Links lead to what is there, and pictures say what they show.
    for link in page.split("href=\"#").skip(1) {
        let id = link.split('"').next().unwrap();
        assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
    }
    for picture in page.split("<svg").skip(1) {
        let head = picture.split('>').next().unwrap();
        assert!(head.contains("aria-label") && head.contains("role=\""), "{head}");
    }
    let svg = String::from_utf8(read(place.path("out/topics_over_time.svg"))).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("<style>"));
}

#[test]
fn infer_reads_what_fit_wrote() {
    let place = Place::new();
    fit(&place, &["--out", "out"]);
    place.write("new/a.txt", "Violin! A concert, a melody: violin.");
    place.write("new/b.txt", "The bridge, the stone; the river's bridge and a zeppelin.");
    let ran = place.succeed(&["topics", "infer", "out", "new", "--format", "json", "--out", "inferred"]);
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(result["documents"], serde_json::json!(["a", "b"]));
    // `a` and `the` three times, `and`, `zeppelin`: counts do not say which words were left out of them.
    assert_eq!(result["unknown_tokens"], 8);
    let rows: Vec<Vec<f64>> = serde_json::from_value(result["doc_topic"].clone()).unwrap();
    assert_eq!(rows, npy(&read(place.path("inferred/doc_topic.npy"))));
    assert!((rows[0][0] > 0.5) != (rows[1][0] > 0.5), "{rows:?}");
}

/// Words of two letters and other stop words: a new text is read as those of the fit were, with nothing said
/// of it again.
#[test]
fn infer_reads_texts_as_the_fit_did() {
    let place = Place::new();
    let texts = (0..12).map(|d| if d % 2 == 0 { "ox ox yoke the field" } else { "go board the stone go" });
    let lines: Vec<String> = texts.map(|text| format!("{{\"body\": \"{text}\"}}")).collect();
    place.write("texts.jsonl", lines.join("\n"));
    place.write("stop.txt", "board\n");
    place.write("new.jsonl", "{\"body\": \"ox and ox and board\"}\n{\"body\": \"the go, of go\"}\n");
    for model in ["lda", "mixture", "plsa"] {
        let fit = [
            "topics",
            "fit",
            "texts.jsonl",
            "--text",
            "body",
            "--topics",
            "2",
            "--model",
            model,
            "--out",
            model,
        ];
        let words = ["--min-letters", "2", "--stop-words", "stop.txt", "--min-df", "1", "--max-df", "1"];
        place.succeed(&[&fit[..], &words].concat());
        let ran =
            place.succeed(&["topics", "infer", model, "new.jsonl", "--format", "json", "--threads", "1"]);
        let result: Value = serde_json::from_str(&ran.stdout).unwrap();
        // `and` twice and `of`; `board` was left out of the fit.
        assert_eq!(result["unknown_tokens"], 3, "{model}");
        let rows: Vec<Vec<f64>> = serde_json::from_value(result["doc_topic"].clone()).unwrap();
        assert!((rows[0][0] > 0.5) != (rows[1][0] > 0.5), "{model}: {rows:?}");
        let refused = place.run(&["topics", "infer", model, "new.jsonl", "--min-letters", "3"]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
    }
}

/// A page of very many topics shows the largest, in a time that does not go with the square of their number.
#[test]
fn a_page_of_many_topics_shows_the_largest() {
    let place = Place::new();
    let corpus = place.themes();
    let meta = ["--meta", "meta.csv", "--time", "year", "--band", "place"];
    let fit =
        ["topics", "fit", corpus, "--topics", "203", "--iterations", "3", "--out", "out", "--format", "json"];
    let ran = place.succeed(&[&fit[..], &meta].concat());
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(result["topics"].as_array().unwrap().len(), 203);
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(page.contains("This page shows the 200 largest of them."));
    assert!(page.contains("id=\"topic-199\"") && !page.contains("topic-200"));
    assert!(page.contains("Grey bands mark stretches of one value of the column place."));
    assert!(!page.contains("office"));
    assert_eq!(npy(&read(place.path("out/topic_word.npy"))).len(), 203);
}

#[test]
fn a_corpus_may_come_from_standard_input() {
    let place = Place::new();
    let mut child = place
        .command(&[
            "topics", "fit", "-", "--input", "jsonl", "--min-df", "1", "--max-df", "1", "--topics", "2",
        ])
        .args(["--iterations", "5", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = "{\"text\": \"river stone bridge\"}\n{\"text\": \"violin concert melody\"}\n";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["documents"], &result["vocabulary"]), (&Value::from(2), &Value::from(6)));
}

#[test]
fn embedded_data_are_listed_and_exported() {
    let place = Place::new();
    let listed: Value =
        serde_json::from_str(&place.succeed(&["data", "list", "--format", "json"]).stdout).unwrap();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|set| set["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "air-passengers",
            "co2",
            "digits",
            "english-letters",
            "galaxies",
            "iris",
            "nile",
            "old-faithful",
            "sleep-study",
            "sotu"
        ]
    );
    place.succeed(&["data", "export", "nile"]);
    let nile = String::from_utf8(read(place.path("nile/nile.csv"))).unwrap();
    assert!(nile.starts_with("time,value\n1871,1120\n"));
    place.succeed(&["data", "export", "sotu"]);
    let docword = String::from_utf8(read(place.path("sotu/docword.txt"))).unwrap();
    assert!(docword.starts_with("241\n10000\n338114\n"));
    let vocabulary = String::from_utf8(read(place.path("sotu/vocab.txt"))).unwrap();
    assert_eq!(vocabulary.lines().count(), 10_000);
}

#[test]
fn wrong_usage_exits_with_two() {
    let place = Place::new();
    for arguments in [
        &["topics", "fit", "--no-such-option"][..],
        &["topics", "fit", "--topics", "many"],
        &["topics", "fit", "--topics", "0"],
        &["topics", "fit", "--alpha", "-1"],
        &["topics", "fit", "--threads", "0"],
        &["topics", "fit", "--held-out", "1.5"],
        &["topics", "fit", "x.csv", "--max-df", "7"],
        &["topics", "fit", "--engine", "magic"],
        &["nonsense"],
    ] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?} {ran:?}");
        assert!(ran.stderr.starts_with("error: "), "{ran:?}");
    }
}

/// What a corpus takes is estimated while it is read, and what a fit takes before it begins; both are held
/// against the allowance. A fit by sampling that is not allowed its corpus in memory says so and leaves it in
/// files; every other, and one that takes too much there as well, is refused.
#[test]
fn topics_stay_within_their_memory() {
    let place = Place::new();
    let rows: Vec<String> = (0..60_000).map(|i| format!("{} river stone\n", i % 7)).collect();
    let rows = rows.concat();
    place.write("rows.csv", format!("text\n{rows}"));
    let packed = "rows.csv.gz";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    write!(gzip, "text\n{rows}").unwrap();
    place.write(packed, gzip.finish().unwrap());
    let refused = |corpus: &str, memory: &str, more: &[&str], expected: &[&str]| {
        let fit = ["topics", "fit", corpus, "--max-df", "1", "--out", "out", "--memory", memory];
        let ran = place.run(&[&fit[..], more].concat());
        assert_eq!(ran.code, Some(1), "{more:?}: {}", ran.stderr);
        for part in expected.iter().chain(&["--memory"]) {
            assert!(ran.stderr.contains(part), "{more:?}: {}", ran.stderr);
        }
        assert!(!place.path("out").exists(), "{more:?}");
    };
    // Sixty thousand rows of fourteen bytes, each with a name and a row of its own.
    let whole = "rows.csv: the corpus takes about 26.1 MiB of memory, and 10.0 MiB may be taken";
    let in_files =
        ["it stays in files (out of core)", "a fit of 20 topics out of core, in 2 groups, takes about"];
    refused("rows.csv", "10MiB", &[], &[&[whole], &in_files[..]].concat());
    refused("rows.csv", "10MiB", &["--model", "plsa"], &[whole]);
    refused("rows.csv", "10MiB", &["--held-out", "0.1"], &[whole]);
    let of_packed = "the corpus takes more memory than the 10.0 MiB that may be taken";
    refused(packed, "10MiB", &[], &[&[of_packed], &in_files[..]].concat());
    // The corpus is small, and its fit is not.
    let of_fit = "a fit of 5,000 topics to 60,000 documents";
    refused("rows.csv", "200MiB", &["--topics", "5000", "--engine", "vb"], &[of_fit]);
    refused("rows.csv", "200MiB", &["--topics", "2500", "--runs", "2"], &[of_fit]);
    let short = ["topics", "fit", "rows.csv", "--max-df", "1", "--out", "out", "--memory"];
    let fit = ["--topics", "2", "--iterations", "2"];
    let ran = place.succeed(&[&short[..], &["25MiB"], &fit].concat());
    assert!(ran.stderr.contains("25.0 MiB may be taken: it stays in files"), "{}", ran.stderr);
    let out_of_core = read(place.path("out/doc_topic.npy"));
    place.succeed(&[&short[..], &["200MiB"], &fit].concat());
    assert!(read(place.path("out/doc_topic.npy")) == out_of_core);
    place.write("few.csv", "text\nriver stone\n");
    let ran = place.run(&["topics", "infer", "out", "few.csv", "--memory", "1000"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = place.run(&["topics", "infer", "out", "few.csv", "--memory", "500"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let ran = place.run(&["topics", "infer", "out", "rows.csv", "--memory", "10MiB"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("the corpus takes about"), "{}", ran.stderr);
}
