//! Tests of topics.

use super::*;

fn words() -> Vec<String> {
    ["a", "b", "c"].map(str::to_owned).to_vec()
}

fn topics(rows: &[f64]) -> Result<Topics, Error> {
    let topic_word = DMatrix::from_row_slice(2, 3, rows);
    Topics::new(words(), topic_word, vec![0.25, 0.75], vec![0.5, 0.3, 0.2])
}

#[test]
fn rows_that_are_no_distributions_are_refused() {
    assert!(topics(&[0.1, 0.2, 0.7, 1.0, 0.0, 0.0]).is_ok());
    let sum = topics(&[0.1, 0.2, 0.6, 1.0, 0.0, 0.0]).unwrap_err().to_string();
    assert!(sum.contains("its sum must be 1"), "{sum}");
    for wrong in [f64::NAN, -0.1, f64::INFINITY] {
        assert!(topics(&[wrong, 0.2, 0.7, 1.0, 0.0, 0.0]).unwrap_err().is_parameter(), "{wrong}");
    }
    let few = Topics::new(words(), DMatrix::from_element(1, 2, 0.5), vec![1.0], vec![0.5, 0.5]).unwrap_err();
    assert_eq!(few.to_string(), "words of the vocabulary: expected 2, found 3");
}

#[test]
fn the_first_topics_are_topics() {
    let all = topics(&[0.1, 0.2, 0.7, 1.0, 0.0, 0.0]).unwrap();
    let first = all.first(1).unwrap();
    assert_eq!((first.len(), first.weights()), (1, &[1.0][..]));
    assert_eq!(first.topic_word().row(0), all.topic_word().row(0));
    assert_eq!(all.first(7).unwrap(), all);
    assert!(all.first(0).is_err());
}

#[test]
fn files_keep_every_bit_and_are_checked() {
    let topics = topics(&[0.1, 0.2, 0.7, 1.0, 0.0, 0.0]).unwrap();
    let json = serde_json::to_string(&topics).unwrap();
    assert_eq!(serde_json::from_str::<Topics>(&json).unwrap(), topics);
    let broken = json.replacen("0.7", "0.6", 1);
    assert!(serde_json::from_str::<Topics>(&broken).unwrap_err().to_string().contains("its sum must be 1"));
}

#[test]
fn a_token_has_the_mixture_of_the_topics() {
    let topics = topics(&[0.1, 0.2, 0.7, 1.0, 0.0, 0.0]).unwrap();
    let document = Document { words: &[0, 2], counts: &[2, 1] };
    let expected = 2.0 * (0.5 * 0.1 + 0.5_f64).ln() + 0.35_f64.ln();
    assert!((topics.ln_likelihood(document, &[0.5, 0.5]) - expected).abs() < 1e-15);
}
