//! Every model: fitted, written, read again.

use super::{fitted, json, refused, table, texts};
use crate::program::{Place, read};

/// Models with the options that they need, and more engines of those that have several.
const MODELS: [&str; 24] = [
    "--model lda",
    "--model lda --engine blocked-gibbs",
    "--model lda --engine vb",
    "--model lda --engine online-vb --iterations 40",
    "--model lda --engine cvb0",
    "--model lda --engine em",
    "--model stm",
    "--model stm --features kind",
    "--model plsa",
    "--model plsa --engine tempered-em",
    "--model mixture",
    "--model mixture --engine hard-em",
    "--model mixture --engine stochastic-em",
    "--model mixture --engine gibbs",
    "--model mixture --engine blocked-gibbs",
    "--model dmr --features year,kind",
    "--model lda --sample-hyper asymmetric",
    "--model supervised --response year",
    "--model dynamic --time year --iterations 200",
    "--model pitman-yor",
    "--model bigram",
    "--model nmf",
    "--model nmf --divergence frobenius --weighting tf-idf",
    "--model hdp --engine franchise",
    "--model hdp --engine online-vb --iterations 20",
];

/// Each model tells the two themes apart, and says the same of the same documents once it is read again.
#[test]
fn each_model_finds_two_themes_and_is_read_again() {
    let place = Place::new();
    let corpus = texts(&place);
    for model in MODELS {
        let alpha = if ["lda", "dmr", "bigram", "supervised", "dynamic"].iter().any(|own| model.contains(own))
        {
            " --alpha 0.1"
        } else {
            ""
        };
        let result = fitted(&place, &format!("{model} --topics 2 --seed 1{alpha}"));
        assert!(result["topics"].as_array().unwrap().len() >= 2, "{model}");
        let own = table(&place, "out/documents.csv");
        let leading = |d: usize| own[d + 1][3].clone();
        assert!(
            (0..12).all(|d| leading(d) == leading(d % 2)) && leading(0) != leading(1),
            "{model}: {own:?}"
        );

        let infer = ["topics", "infer", "out", corpus, "--name", "title", "--out", "new", "--format", "json"];
        let said = json(&place.succeed(&infer));
        let rows = table(&place, "new/doc_topic.csv");
        assert_eq!(rows[0][..4], ["document", "tokens", "unknown", "topic_0"], "{model}");
        assert_eq!(rows.len(), 13);
        assert_eq!(
            (rows[1][0].as_str(), rows[1][1].as_str(), rows[1][2].as_str()),
            ("doc 0", "10", "0"),
            "{model}"
        );
        let first: f64 = rows[1][3].parse().unwrap();
        assert_eq!(said["doc_topic"][0][0].as_f64().unwrap().to_bits(), first.to_bits());
        assert_eq!(said["columns"][0], "topic_0");
        let most = |d: usize| {
            let row: Vec<f64> = rows[d + 1][3..].iter().map(|cell| cell.parse().unwrap()).collect();
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{model} {row:?}");
            (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap().to_string()
        };
        assert!((0..12).all(|d| most(d) == leading(d)), "{model}");
    }
}

/// One topic: the words' proportions, a little smoothed. 110 of 11 x 12 tokens and so on by hand: the texts
/// have 3 + d % 3 times their words, so that `river` is there 24 times among 156.
#[test]
fn the_unigram_model_counts_words() {
    let place = Place::new();
    texts(&place);
    let result = fitted(&place, "--model unigram --beta 1");
    let river =
        result["topics"][0]["words"].as_array().unwrap().iter().find(|w| w["word"] == "river").unwrap();
    // (24 + 1) / (156 + 7).
    assert!((river["p"].as_f64().unwrap() - 25.0 / 163.0).abs() < 1e-15, "{river}");
    assert_eq!(refused(&place, "--model unigram --topics 3").0, Some(2));
}

#[test]
fn components_have_two_ends() {
    let place = Place::new();
    let corpus = texts(&place);
    let result = fitted(&place, "--model lsa --topics 2");
    let second = &result["components"][1];
    let words = |end: &str| -> Vec<String> {
        let mut all: Vec<String> =
            second[end].as_array().unwrap().iter().map(|w| w["word"].as_str().unwrap().to_owned()).collect();
        all.truncate(3);
        all.sort();
        all
    };
    let mut ends = [words("positive"), words("negative")];
    ends.sort();
    assert_eq!(ends, [["bridge", "river", "stone"], ["concert", "melody", "violin"]]);
    place.succeed(&["topics", "infer", "out", corpus, "--name", "title", "--out", "new"]);
    let (own, new) = (table(&place, "out/documents.csv"), table(&place, "new/doc_topic.csv"));
    assert_eq!(new[0], ["document", "tokens", "unknown", "component_0", "component_1"]);
    for (own, new) in own[1..].iter().zip(&new[1..]) {
        for (a, b) in own[2..].iter().zip(&new[3..]) {
            let [a, b] = [a, b].map(|cell| cell.parse::<f64>().unwrap());
            assert!((a - b).abs() < 1e-9, "{own:?} {new:?}");
        }
    }
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(page.contains("Latent semantic analysis") && page.contains("The other end"));
    assert!(refused(&place, "--model lsa --held-out 0.2").1.contains("has no use for it"));
}

/// Loud documents are about music: the coefficient of their column says so, and without words the column
/// alone decides.
#[test]
fn features_of_a_new_document_are_read_from_its_table() {
    let place = Place::new();
    texts(&place);
    fitted(&place, "--model dmr --features kind --topics 2 --iterations 200");
    let coefficients = table(&place, "out/coefficients.csv");
    assert_eq!(coefficients[0], ["topic", "feature", "coefficient"]);
    let music = table(&place, "out/documents.csv")[2][3].clone();
    let of = |feature: &str| -> f64 {
        let row = coefficients.iter().find(|row| row[0] == music && row[1] == feature).unwrap();
        row[2].parse().unwrap()
    };
    assert!(of("kind=loud") > of("kind=wet") + 0.5, "{coefficients:?}");
    place.write("new.csv", "text,kind\nevening,loud\nevening,wet\n");
    place.succeed(&["topics", "infer", "out", "new.csv", "--out", "new"]);
    let rows = table(&place, "new/doc_topic.csv");
    let column = 3 + music.parse::<usize>().unwrap();
    let [loud, wet] = [1, 2].map(|row: usize| rows[row][column].parse::<f64>().unwrap());
    assert!(loud > wet + 0.2, "{rows:?}");

    place.write("bare.csv", "text\nevening\n");
    let bare = ["topics", "infer", "out", "bare.csv"];
    assert!(place.run(&bare).stderr.contains("kind=loud"), "{:?}", place.run(&bare));
    place.write("meta.csv", "kind\nloud\n");
    let ran = place.succeed(&[&bare[..], &["--meta", "meta.csv", "--format", "json"]].concat());
    assert_eq!(json(&ran)["doc_topic"][0][column - 3].as_f64().unwrap().to_bits(), loud.to_bits());
    place.write("meta.csv", "kind\nsilent\n");
    let ran = place.run(&[&bare[..], &["--meta", "meta.csv"]].concat());
    assert!(ran.stderr.contains("\"silent\" is none of the names of the fit"), "{ran:?}");
}

/// Loud documents are about music: so say the effects of their column with intervals, and an answer for a
/// document without words.
#[test]
fn a_structural_model_says_what_features_do() {
    let place = Place::new();
    texts(&place);
    fitted(&place, "--model stm --features kind --topics 2");
    let effects = table(&place, "out/effects.csv");
    assert_eq!(effects[0], ["topic", "feature", "effect", "low", "high", "effective_draws"]);
    let music = table(&place, "out/documents.csv")[2][3].clone();
    let row = effects.iter().find(|row| row[0] == music && row[1] == "kind=loud").unwrap();
    let [effect, low, high, draws] = [2, 3, 4, 5].map(|i: usize| row[i].parse::<f64>().unwrap());
    assert!(effect > 0.2 && low < effect && effect < high && draws > 1.0, "{effects:?}");
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(page.contains("percentage points"));
    place.write("new.csv", "text,kind\nevening,loud\nevening,wet\n");
    place.succeed(&["topics", "infer", "out", "new.csv", "--out", "new"]);
    let rows = table(&place, "new/doc_topic.csv");
    let column = 3 + music.parse::<usize>().unwrap();
    let [loud, wet] = [1, 2].map(|row: usize| rows[row][column].parse::<f64>().unwrap());
    assert!(loud > wet + 0.2, "{rows:?}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let place = Place::new();
    texts(&place);
    let says = |more: &str, what: &str| {
        let (code, line) = refused(&place, more);
        assert!(line.contains(what), "{more}: {line}");
        code
    };
    assert_eq!(
        says(
            "--engine hard-em",
            "--engine hard-em: --model lda has gibbs, blocked-gibbs, vb, online-vb, cvb0, cvb, em"
        ),
        Some(2)
    );
    assert_eq!(says("--model dmr", "--features"), Some(2));
    assert_eq!(says("--model dmr --features height", "no column \"height\""), Some(1));
    assert_eq!(says("--model nmf --alpha 2", "has no use for it"), Some(2));
    assert_eq!(says("--features year", "has no use for it; it is for --model dmr"), Some(2));
    place.themes();
    let ran = place.run(&["topics", "fit", "docword.txt", "--model", "bigram"]);
    assert!(ran.stderr.contains("needs texts with their words in order"), "{ran:?}");
}
