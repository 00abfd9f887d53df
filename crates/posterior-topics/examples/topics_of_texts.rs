//! Topics of a few texts: a corpus, a fit, a saved model, and the topics of a text that it has not seen.
//!
//! `cargo run -p posterior-topics --example topics_of_texts`
#![expect(clippy::panic_in_result_fn, reason = "the example checks what it reads back")]

use posterior_topics::corpus::{CorpusBuilder, StopWords, VocabularyOptions};
use posterior_topics::lda::Lda;
use posterior_topics::lda::gibbs::{LdaGibbsOptions, fit};
use posterior_topics::math::iteration::Silent;
use posterior_topics::{TopicModel, top_words};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two texts about a shore, two about a branch; all have banks.
    let words = VocabularyOptions { stop_words: StopWords::english(), ..VocabularyOptions::default() };
    let tokenizer = words.tokenizer;
    let mut builder = CorpusBuilder::new(words)?;
    builder.push("shore", "The river bank: river, stone, river and stone, and a river. Stone!");
    builder.push("branch", "The bank lends money, a loan of money; the money and the loan of a bank.");
    builder.push("ford", "A stone in the river, the stone of a river bank, the river over a stone.");
    builder.push("vault", "Money in the bank: the loan of money is money of the bank, a loan.");
    let (corpus, report) = builder.build()?;
    print!("{report}");

    let options = LdaGibbsOptions {
        topics: 2,
        alpha: 0.1.into(),
        iterations: 300,
        seed: 1,
        ..LdaGibbsOptions::default()
    };
    let fitted = fit(&corpus, &options, &mut Silent)?;
    for topic in 0..2 {
        let words = top_words::by_probability(fitted.model.topics(), topic, 3);
        let words: Vec<_> = words.iter().map(|top| corpus.vocabulary()[top.word].as_str()).collect();
        println!("topic {topic}: {}", words.join(", "));
    }

    let saved = serde_json::to_string(&fitted.model)?;
    let read: Lda = serde_json::from_str(&saved)?;
    let new = tokenizer.count("A river runs over stone.", read.topics().vocabulary());
    let proportions = read.proportions(new.document());
    assert_eq!(proportions, fitted.model.proportions(new.document()));
    println!("a new text: {proportions:.3?}");
    Ok(())
}
