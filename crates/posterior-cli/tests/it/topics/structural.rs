//! Structural topics: formulas of proportions and columns of words.

use serde_json::Value;

use super::{fitted, json, refused, table};
use crate::program::Place;

/// Sixty texts that turn from music to rivers with the day, more so where the rating is low; captains say
/// ship for boat.
fn written(place: &Place) {
    let rows: Vec<String> = (0..60)
        .map(|d| {
            let (day, low, captain) = (d / 4, d % 2, (d / 2) % 2);
            let river = 2 + day / 2 + 4 * low + d % 3;
            let vessel = if captain == 1 { "ship " } else { "boat " };
            let text = "river stone ".repeat(river)
                + &vessel.repeat(river)
                + &"violin concert melody ".repeat(18 - river);
            let (rating, who) = (["high", "low"][low], ["guest", "captain"][captain]);
            format!("{text},doc {d},{day},{rating},{who}")
        })
        .collect();
    place.write("texts.csv", format!("text,title,day,rating,who\n{}\n", rows.join("\n")));
}

#[test]
fn columns_explain_proportions_and_words() {
    let place = Place::new();
    written(&place);
    // The formula has spaces.
    let mut words: Vec<&str> =
        "topics fit texts.csv --name title --min-df 1 --max-df 1 --out out --format json"
            .split(' ')
            .collect();
    words.extend("--model stm --topics 2 --content who --prevalence".split(' '));
    words.push("rating + s(day, k = 3)");
    let result = json(&place.succeed(&words));
    let effects = result["effects"].as_array().unwrap();
    // Of each of two columns one change, for each topic.
    assert_eq!(effects.len(), 4);
    let rows = table(&place, "out/effects.csv");
    assert_eq!(rows[0], ["topic", "column", "from", "to", "effect", "q025", "q975"]);
    let number = |row: &[String], column: usize| row[column].parse::<f64>().unwrap();
    let rating: Vec<&Vec<String>> = rows.iter().filter(|row| row[1] == "rating").collect();
    assert_eq!((rating[0][2].as_str(), rating[0][3].as_str()), ("high", "low"));
    let river = usize::from(number(rating[1], 4) > 0.0);
    assert!(number(rating[river], 5) > 0.05 && number(rating[1 - river], 6) < -0.05, "{rows:?}");
    let day = rows.iter().find(|row| row[1] == "day" && row[0] == river.to_string()).unwrap();
    assert!(number(day, 5) > 0.0, "{rows:?}");

    let rows = table(&place, "out/prevalence.csv");
    assert_eq!(rows[0], ["column", "value", "topic", "proportion"]);
    // Two names and 25 days, two topics.
    assert_eq!(rows.len(), 1 + 2 * 27);
    let rows = table(&place, "out/words_by_content.csv");
    assert_eq!(rows[0], ["topic", "content", "rank", "word", "p"]);
    let p = |who: &str, word: &str| {
        let own = |row: &&Vec<String>| row[0] == river.to_string() && row[1] == who && row[3] == word;
        rows.iter().find(own).map_or(0.0, |row| number(row, 4))
    };
    assert!(p("captain", "ship") > 0.2 && p("guest", "boat") > 0.2, "{rows:?}");
    assert!(p("captain", "boat") < 0.05 && p("guest", "ship") < 0.05, "{rows:?}");
    let rows = table(&place, "out/topic_correlations.csv");
    assert_eq!(rows[0], ["topic", "topic_0", "topic_1"]);
    assert!((number(&rows[1], 2) + 1.0).abs() < 1e-9);

    // New documents, of which the columns say what their words do not.
    place.write("new.csv", "text,title,day,rating,who\nriver,a,14,low,guest\nriver,b,0,high,guest\n");
    place.succeed(&["topics", "infer", "out", "new.csv", "--name", "title", "--out", "new"]);
    let rows = table(&place, "new/doc_topic.csv");
    assert!(number(&rows[1], 3 + river) > number(&rows[2], 3 + river), "{rows:?}");
    place.write("new.csv", "text,title,day,rating,who\nriver,a,14,low,pirate\n");
    let ran = place.run(&["topics", "infer", "out", "new.csv", "--name", "title"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("none of the names of the fit"), "{}", ran.stderr);
}

#[test]
fn without_columns_it_is_the_correlated_topic_model() {
    let place = Place::new();
    written(&place);
    let result = fitted(&place, "--model stm --topics 2 --held-out 0.2 --seed 1");
    assert!(result["effects"].is_null() && result["held_out_perplexity"].as_f64().unwrap() > 1.0);
    place.succeed(&["topics", "infer", "out", "texts.csv", "--name", "title", "--out", "new"]);
    let with = fitted(&place, "--model stm --topics 2 --held-out 0.2 --content who --seed 1");
    let perplexity = |result: &Value| result["held_out_perplexity"].as_f64().unwrap();
    assert!(perplexity(&with) < 0.97 * perplexity(&result));
    let says = |more: &str, what: &str| {
        let (code, line) = refused(&place, more);
        assert!(line.contains(what), "{more}: {line}");
        code
    };
    assert_eq!(says("--prevalence day", "has no use for it; it is for --model stm"), Some(2));
    assert_eq!(says("--model stm --topics 2 --runs 2", "has no use for it"), Some(2));
    assert_eq!(says("--model stm --topics 2 --replicates 3", "none without --prevalence"), Some(2));
    assert_eq!(says("--model stm --topics 2 --prevalence day --replicates 1", "at least 2"), Some(2));
    assert_eq!(says("--model stm --topics 2 --prevalence 0+day", "always have a constant"), Some(2));
    assert_eq!(says("--model stm --topics 2 --prevalence day~who", "nothing before the `~`"), Some(2));
    assert_eq!(says("--model stm --topics 2 --prevalence (1|who)", "latent effect"), Some(2));
    assert_eq!(says("--model stm --topics 2 --prevalence height", "height"), Some(1));
    assert_eq!(says("--model stm --topics 2 --content text", "no column"), Some(1));
    assert_eq!(says("--model stm --topics 1", "at least 2"), Some(2));
    // What stands beside each of 3000 words: 72 MB, where topics and documents take 0.2.
    let letters = |n: usize| -> String { n.to_string().bytes().map(|b| (b + 49) as char).collect() };
    let texts = (0..300).map(|d| (0..10).map(|w| letters(1000 + 10 * d + w)).collect::<Vec<_>>().join(" "));
    place.write("texts.csv", format!("text\n{}\n", texts.collect::<Vec<_>>().join("\n")));
    let many = "topics fit texts.csv --min-df 1 --max-df 1 --model stm --topics 2 --memory 40M";
    let ran = place.run(&many.split(' ').collect::<Vec<_>>());
    assert!(
        ran.code == Some(1) && ran.stderr.contains("a fit of 2 topics to 300 documents"),
        "{}",
        ran.stderr
    );
}
