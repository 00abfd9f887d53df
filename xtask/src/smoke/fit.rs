//! What `posterior topics fit` leaves behind: a JSON report and files.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::npy::Array;
use crate::Outcome;

/// The numbers of the report that are at least 1.
const COUNTS: [&str; 4] = ["documents", "vocabulary", "tokens", "iterations"];

/// The files of a fit.
const ARTEFACTS: [&str; 6] =
    ["model.json", "topic_word.npy", "doc_topic.npy", "vocab.txt", "topics.csv", "report.html"];

/// The files that two runs with one seed share to the byte.
const REPEATABLE: [&str; 4] = ["topic_word.npy", "doc_topic.npy", "vocab.txt", "topics.csv"];

/// Checks the fields of the report on a fit of two topics to `documents` documents.
pub(super) fn check_report(report: &Value, documents: usize) -> Outcome {
    for field in COUNTS {
        if report[field].as_u64().is_none_or(|count| count == 0) {
            return Err(format!("{field} is {}, expected a count from 1", report[field]));
        }
    }
    if report["documents"].as_u64() != Some(documents as u64) {
        return Err(format!("documents is {}, expected {documents}", report["documents"]));
    }
    for field in ["seed", "seconds", "tokens_per_second"] {
        if !report[field].is_number() {
            return Err(format!("{field} is {}, expected a number", report[field]));
        }
    }
    let per_token = &report["ln_likelihood_per_token"];
    if per_token.as_f64().is_none_or(|value| value >= 0.0) {
        return Err(format!("ln_likelihood_per_token is {per_token}, expected a negative number"));
    }
    check_topics(&report["topics"])
}

fn check_topics(topics: &Value) -> Outcome {
    let Some(topics) = topics.as_array().filter(|topics| topics.len() == 2) else {
        return Err(format!("topics is {topics}, expected an array of two"));
    };
    for topic in topics {
        let words = topic["words"].as_array().filter(|words| !words.is_empty());
        let complete = words.is_some_and(|words| {
            words.iter().all(|word| word["word"].is_string() && word["p"].as_f64().is_some_and(|p| p > 0.0))
        });
        if !complete || !topic["weight"].is_number() || topic["id"].is_null() {
            return Err(format!("a topic is {topic}, expected id, weight and words with their p"));
        }
    }
    Ok(())
}

/// Checks that the files of a fit exist and that the arrays are distributions of the right shape.
pub(super) fn check_artefacts(folder: &Path, topics: usize, documents: usize) -> Outcome {
    for name in ARTEFACTS {
        if read(folder, name)?.is_empty() {
            return Err(format!("{}: empty", folder.join(name).display()));
        }
    }
    let vocabulary = String::from_utf8_lossy(&read(folder, "vocab.txt")?).lines().count();
    for (name, shape) in [("topic_word.npy", [topics, vocabulary]), ("doc_topic.npy", [documents, topics])] {
        let array = Array::parse(&read(folder, name)?).map_err(|message| format!("{name}: {message}"))?;
        array.check_distributions(shape).map_err(|message| format!("{name}: {message}"))?;
    }
    Ok(())
}

/// Checks that two fits with one seed agree to the byte.
pub(super) fn check_equal(one: &Path, two: &Path) -> Outcome {
    for name in REPEATABLE {
        if read(one, name)? != read(two, name)? {
            return Err(format!("{name} differs between one and two threads with the same seed"));
        }
    }
    Ok(())
}

fn read(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    let path = folder.join(name);
    fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report() -> Value {
        let topic = json!({"id": 0, "weight": 0.5, "words": [{"word": "river", "p": 0.2}]});
        json!({
            "seed": 7, "seconds": 0.1, "tokens_per_second": 1e6, "documents": 12, "vocabulary": 12,
            "tokens": 396, "iterations": 50, "ln_likelihood_per_token": -1.8, "topics": [topic, topic],
        })
    }

    #[test]
    fn a_complete_report_passes() {
        assert_eq!(check_report(&report(), 12), Ok(()));
    }

    #[test]
    fn every_field_of_the_contract_is_needed() {
        for field in report().as_object().expect("the report is an object").keys() {
            let mut broken = report();
            broken[field] = Value::Null;
            let message = check_report(&broken, 12).expect_err(field);
            assert!(message.starts_with(&format!("{field} is null")), "{message}");
        }
    }

    #[test]
    fn a_wrong_report_says_what_was_expected() {
        assert!(check_report(&report(), 13).is_err());
        let mut positive = report();
        positive["ln_likelihood_per_token"] = json!(0.5);
        assert!(check_report(&positive, 12).is_err());
        let mut wordless = report();
        wordless["topics"][1]["words"] = json!([]);
        assert!(check_report(&wordless, 12).is_err());
    }

    #[test]
    fn a_missing_artefact_is_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let message = check_artefacts(folder.path(), 2, 12).expect_err("the folder is empty");
        assert!(message.contains("model.json"), "{message}");
    }

    #[test]
    fn files_that_differ_are_named() {
        let folders = [(); 2].map(|()| tempfile::tempdir().expect("a temporary folder"));
        for (folder, text) in folders.iter().zip(["a", "b"]) {
            for name in REPEATABLE {
                let text = if name == "topics.csv" { text } else { "same" };
                fs::write(folder.path().join(name), text).expect("the folder takes files");
            }
        }
        let message = check_equal(folders[0].path(), folders[1].path()).expect_err("one file differs");
        assert!(message.starts_with("topics.csv"), "{message}");
        assert_eq!(check_equal(folders[0].path(), folders[0].path()), Ok(()));
    }
}
