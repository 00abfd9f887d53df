//! What is asked of several fits, and of one beside its topics: seeds, sweeps, runs, held-out scores,
//! coherence.

use super::{fitted, refused, table, texts};
use crate::program::{Place, read};

#[test]
fn seeded_topics_have_names_and_numbers() {
    let place = Place::new();
    let corpus = texts(&place);
    place.write("seeds.json", "{\"water\": [\"Bridge\", \"unheard\"], \"sound\": {\"violin\": 80}}");
    place.write("seeds.tsv", "water\tbridge unheard\nsound\tviolin\n");
    for file in ["seeds.json", "seeds.tsv"] {
        for seed in 0..4 {
            let more = format!("--topics 2 --seeds {file} --alpha 0.1 --iterations 100 --seed {seed}");
            let result = fitted(&place, &more);
            assert_eq!(
                (&result["topics"][0]["name"], &result["topics"][1]["name"]),
                (&"water".into(), &"sound".into())
            );
            let rows = table(&place, "out/documents.csv");
            assert!((0..12).all(|d| rows[d + 1][3] == (d % 2).to_string()), "{file} {seed}: {rows:?}");
        }
    }
    assert_eq!(table(&place, "out/topics.csv")[0].last().unwrap(), "name");
    place.succeed(&["topics", "infer", "out", corpus, "--out", "new"]);
    assert_eq!(table(&place, "new/doc_topic.csv")[0][3..], ["water", "sound"]);
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(page.contains("water: "));

    // Of one topic with two seeded words, by hand: 24 tokens of bridge, 24 of violin, 156 of seven words in
    // all.
    place.write("one.json", "{\"all\": {\"bridge\": 10, \"violin\": 30}}");
    let result = fitted(&place, "--topics 1 --seeds one.json --beta 0.5 --iterations 2");
    let p = |word: &str| {
        let words = result["topics"][0]["words"].as_array().unwrap();
        words.iter().find(|own| own["word"] == word).unwrap()["p"].as_f64().unwrap()
    };
    let whole = 156.0 + 7.0 * 0.5 + 40.0;
    assert!((p("bridge") - 34.5 / whole).abs() < 1e-14 && (p("violin") - 54.5 / whole).abs() < 1e-14);
    assert!((p("river") - 24.5 / whole).abs() < 1e-14);
}

#[test]
fn seeds_that_say_nothing_are_refused() {
    let place = Place::new();
    texts(&place);
    let says = |file: &str, more: &str| {
        place.write("seeds.json", file);
        refused(&place, &format!("--topics 2 --seeds seeds.json{more}")).1
    };
    assert!(
        says("{\"a\": [\"unheard\"]}", "")
            .contains("none of its words is in the vocabulary of the corpus: unheard")
    );
    assert!(says("{\"a\": [\"river\"], \"a\": [\"stone\"]}", "").contains("\"a\" is there twice"));
    assert!(says("{\"a\": {\"river\": -1}}", "").contains("expected a number above 0"));
    assert!(says("{\"a\": \"river\"}", "").contains("a list of words"));
    assert!(says("a river", "").contains("line 1: expected a name, a tab, and words"));
    let three = "{\"a\": [\"river\"], \"b\": [\"stone\"], \"c\": [\"violin\"]}";
    assert!(says(three, "").contains("--seeds names 3 topics"));
    assert!(says(three, " --engine vb").contains("--seeds names 3 topics"));
    assert!(says(three, " --model nmf").contains("has no use for it"));
}

/// Two themes need two topics: one is worse on documents that were held out, and less coherent.
#[test]
fn a_sweep_says_how_many_topics_there_are() {
    let place = Place::new();
    texts(&place);
    let result =
        fitted(&place, "--topics 1:4:3 --alpha 0.1 --iterations 100 --held-out 0.3 --coherence-words 3");
    let numbers = result["sweep"]["numbers"].as_array().unwrap();
    let topics: Vec<u64> = numbers.iter().map(|own| own["topics"].as_u64().unwrap()).collect();
    assert_eq!(topics, [1, 2, 4]);
    let of = |place: usize, field: &str| numbers[place][field].as_f64().unwrap();
    // Of one topic about seven words alike, of two about three and evening.
    assert!(of(0, "held_out_perplexity") > of(1, "held_out_perplexity") + 1.0, "{numbers:?}");
    assert!((of(1, "held_out_perplexity").ln() + of(1, "ln_per_token")).abs() < 1e-12);
    // Two topics have the words of the themes, and four have no words of their own.
    assert!((of(1, "coherence") - 1.0).abs() < 1e-9 && of(2, "coherence") < 0.99, "{numbers:?}");
    let best = &result["sweep"]["best"];
    assert!(best["perplexity"].as_u64().unwrap() >= 2 && best["one_error"].as_u64().unwrap() >= 2, "{best}");
    assert!(best["one_error"].as_u64() <= best["perplexity"].as_u64());
    let kept = result["topics"].as_array().unwrap().len() as u64;
    assert_eq!(Some(kept), best["perplexity"].as_u64());
    assert_eq!(result["held_out"]["estimator"], "document completion");
    let rows = table(&place, "out/sweep.csv");
    assert_eq!((rows.len(), rows[2][0].as_str()), (4, "2"));
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(page.contains("How many topics") && page.contains("fewest within one standard error"));

    let result = fitted(&place, "--topics 1:4:3 --iterations 20 --choose coherence --held-out 0.3");
    assert_eq!(
        result["topics"].as_array().unwrap().len() as u64,
        result["sweep"]["best"]["coherence"].as_u64().unwrap()
    );
    for (more, what) in [
        ("--topics 1:4 --model hdp", "hdp infers it"),
        ("--topics 1:4 --runs 2", "--runs is for one number"),
        ("--topics 1:4 --checkpoint c", "no checkpoints"),
        ("--topics 4:1", "expected a number, a range"),
        ("--choose coherence", "has no use for it"),
    ] {
        let ran = super::fit(&place, more);
        assert!(ran.code == Some(2) && ran.stderr.contains(what), "{more}: {ran:?}");
    }
}

#[test]
fn topics_that_come_back_are_named() {
    let place = Place::new();
    texts(&place);
    let result = fitted(&place, "--topics 2 --alpha 0.1 --iterations 100 --runs 3 --seed 5");
    let stability = &result["stability"];
    assert_eq!(stability["seeds"], serde_json::json!([5, 6, 7]));
    assert!([5, 6, 7].contains(&stability["kept"].as_u64().unwrap()));
    // Clear themes come back as they were.
    for topic in stability["topics"].as_array().unwrap() {
        assert!(topic["overlap"].as_f64().unwrap() > 0.95, "{topic}");
        assert!(topic["least_overlap"].as_f64() <= topic["overlap"].as_f64());
        assert!(topic["cosine"].as_f64().unwrap() > 0.99, "{topic}");
    }
    let rows = table(&place, "out/stability.csv");
    assert_eq!(rows[0], ["topic", "seed", "partner", "overlap", "jaccard", "cosine"]);
    assert_eq!(rows.len(), 1 + 2 * 2);
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(page.contains("Which topics come back"));
    assert!(refused(&place, "--model hdp --runs 2").1.contains("has no use for it"));
    assert!(refused(&place, "--runs 2 --checkpoint c").1.contains("no checkpoints"));
}

/// All estimators of the likelihood agree with the exact one within their errors, which are small.
#[test]
fn estimators_agree_with_the_exact_likelihood() {
    let place = Place::new();
    texts(&place);
    let score = |estimator: &str| {
        let more = format!("--topics 2 --alpha 0.5 --iterations 100 --held-out 0.3 --estimator {estimator}");
        let result = fitted(&place, &more)["held_out"].clone();
        (result["ln_per_token"].as_f64().unwrap(), result["monte_carlo_error"].as_f64())
    };
    let (exact, none) = score("exact");
    assert!(none.is_none());
    for estimator in ["left-to-right:20", "chib", "annealed:200"] {
        let (found, error) = score(estimator);
        let error = error.unwrap();
        assert!(
            error < 0.02 && (found - exact).abs() < 5.0 * error + 1e-3,
            "{estimator}: {found} ± {error}, {exact}"
        );
    }
    // A document knows its theme once half of it was read: completion is better.
    assert!(score("completion").0 > exact);
    assert!(
        refused(&place, "--estimator chib").1.contains("has no use for it; it is for runs with --held-out")
    );
    let message = refused(&place, "--model plsa --held-out 0.2 --estimator chib").1;
    assert!(message.contains("no Dirichlet prior of the proportions"), "{message}");
    let dmr =
        "--model dmr --features kind --topics 2 --iterations 100 --held-out 0.3 --estimator left-to-right";
    assert!(fitted(&place, dmr)["held_out_perplexity"].as_f64().unwrap() < 6.0);
    assert!(
        fitted(&place, "--model bigram --topics 2 --held-out 0.3")["held_out_perplexity"].as_f64().unwrap()
            < 6.0
    );
}

/// The three words of a theme are always together, in half of the documents: by hand, NPMI is 1, UMass ln
/// 1, UCI ln 2, and the cosine of vectors that are all alike 1.
#[test]
fn coherence_is_that_of_hand() {
    let place = Place::new();
    texts(&place);
    let of = |name: &str| {
        let result = fitted(
            &place,
            &format!("--topics 2 --alpha 0.1 --iterations 100 --coherence-words 3 --coherence {name}"),
        );
        let coherence = result["coherence"].clone();
        assert_eq!(result["topics"][0]["coherence"], coherence["topics"][0]);
        coherence
    };
    for (name, value) in [("npmi", 1.0), ("umass", 0.0), ("uci", 2.0_f64.ln()), ("cv", 1.0)] {
        let found = of(name);
        assert!((found["mean"].as_f64().unwrap() - value).abs() < 1e-9, "{name}: {found}");
        assert!(found["window"].is_null() && found["words"] == 3);
    }
    // In windows of two words of `a b c a b c ..` no word is always with another.
    let found = of("npmi:2");
    assert!(found["window"] == 2 && found["mean"].as_f64().unwrap() < 0.99, "{found}");
    place.themes();
    let ran = place.run(&["topics", "fit", "docword.txt", "--coherence", "cv:110"]);
    assert!(ran.stderr.contains("--coherence in windows needs texts"), "{ran:?}");
    assert!(super::fit(&place, "--coherence best").stderr.contains("expected umass, uci, npmi or cv"));
}
