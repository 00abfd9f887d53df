//! Is this message spam? Naive Bayes, why it says so, why it is too sure, and logistic regression beside it.
//!
//! `cargo run --release -p posterior --example spam [-- --out DIR]`
//!
//! The messages are the SMS Spam Collection (5,574, of which 747 are spam) where `POSTERIOR_SHARED` names the folder that has `data/spam/sms_spam.tsv`,
//! else 60 short ones made up here. Prints accuracy, precision, recall, the area under the curve, log loss and calibration error of five models in ten folds; the
//! smoothing that is best; the words that tell spam, with intervals; the sum that makes one message spam; spam that the model writes; and how the errors of
//! naive Bayes and of logistic regression fall with the number of messages. With `--out` it writes a page with the pictures.

use std::error::Error;
use std::path::{Path, PathBuf};

use posterior::dist::stream::stream;
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::math::log_space::logistic;
use posterior::regression::glm::{CoefficientPrior, Family, FitOptions, Glm, Observations};
use posterior::report::{
    Body, Figure, Interval, Page, ReliabilityPoint, Ribbon, Section, intervals, reliability, ribbons,
};
use posterior::sequence::evaluation::{Confusion, ProbabilityScores, Roc};
use posterior::topics::Corpus;
use posterior::topics::corpus::{Apostrophes, CorpusBuilder, Digits, Tokenizer, VocabularyOptions};
use posterior::topics::naive_bayes::{
    ClassCounts, ClassPrior, Counted, EventModel, NaiveBayes, Options, Posterior, cross_validate,
    mean_ln_loss, select_smoothing, smoothing_by_evidence,
};

mod messages;

type Outcome<T> = Result<T, Box<dyn Error>>;

const SPAM: usize = 1;
const FOLDS: usize = 10;
/// Words that logistic regression sees, and naive Bayes beside it.
const FREQUENT: usize = 300;
const LEVEL: f64 = 0.9;

/// Messages, as texts and as words.
struct Messages {
    texts: Vec<String>,
    labels: Vec<usize>,
    corpus: Corpus,
    source: &'static str,
}

fn main() -> Outcome<()> {
    let out = out_folder()?;
    let messages = read()?;
    let spam = messages.labels.iter().filter(|&&label| label == SPAM).count();
    println!("{}: {} messages, {spam} of them spam", messages.source, messages.labels.len());
    println!("{} distinct words", messages.corpus.vocabulary().len());
    let mut page = Page::new("Spam", "Right nearly always, and too sure of it");
    models(&messages, &mut page)?;
    let smoothing = smoothing(&messages)?;
    let options = options(EventModel::Multinomial).with_smoothing(smoothing);
    let model = NaiveBayes::fit(&messages.corpus, &messages.labels, 2, &options)?;
    telling(&messages, &model, &mut page)?;
    explained(&messages, &model, &mut page)?;
    written(&messages)?;
    learning(&messages, &mut page)?;
    if let Some(folder) = out {
        std::fs::create_dir_all(&folder)?;
        "cargo run --release -p posterior --example spam -- --out DIR".clone_into(&mut page.command);
        messages.source.clone_into(&mut page.source);
        std::fs::write(folder.join("report.html"), page.html())?;
        println!("\nwrote {}", folder.join("report.html").display());
    }
    Ok(())
}

fn out_folder() -> Outcome<Option<PathBuf>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(None),
        ["--out", folder] => Ok(Some(PathBuf::from(folder))),
        _ => Err("expected nothing, or --out DIR".into()),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the collection is not part of the repository: the environment says where it is"
)]
fn read() -> Outcome<Messages> {
    let shared =
        std::env::var_os("POSTERIOR_SHARED").map(|folder| Path::new(&folder).join("data/spam/sms_spam.tsv"));
    let (text, source) = match shared.filter(|path| path.is_file()) {
        Some(path) => (std::fs::read_to_string(path)?, "SMS Spam Collection"),
        None => (messages::MESSAGES.to_owned(), "Messages made up for this example"),
    };
    let tokenizer =
        Tokenizer::default().with_digits(Digits::Keep).with_apostrophes(Apostrophes::Keep).with_min_length(1);
    let mut builder = CorpusBuilder::new(VocabularyOptions::default().with_tokenizer(tokenizer))?;
    let (mut texts, mut labels) = (Vec::new(), Vec::new());
    for (line, message) in text.lines().filter(|line| !line.is_empty()).enumerate() {
        let (label, message) = message.split_once('\t').ok_or("expected a label, a tab and a message")?;
        labels.push(usize::from(label == "spam"));
        builder.push((line + 1).to_string(), message);
        texts.push(message.to_owned());
    }
    Ok(Messages { texts, labels, corpus: builder.build()?.0, source })
}

fn options(model: EventModel) -> Options {
    Options::default().with_model(model).with_prior(ClassPrior::Learnt { add: 1.0 })
}

/// Five models, each message foretold by a model of the other folds.
fn models(messages: &Messages, page: &mut Page) -> Outcome<()> {
    println!("\nten folds         accuracy  precision  recall    AUC  ln loss  calibration error");
    let frequent = frequent(&messages.corpus)?;
    let bayes = |corpus: &Corpus, model| cross_validate(corpus, &messages.labels, 2, &options(model), FOLDS);
    let rows = [
        ("Bernoulli", spam_of(&bayes(&messages.corpus, EventModel::Bernoulli)?)),
        ("multinomial", spam_of(&bayes(&messages.corpus, EventModel::Multinomial)?)),
        ("complement", spam_of(&bayes(&messages.corpus, EventModel::Complement)?)),
        ("Bernoulli*", spam_of(&bayes(&frequent, EventModel::Bernoulli)?)),
        ("logistic*", logistic_folds(&frequent, &messages.labels)?),
    ];
    for (name, said) in &rows {
        let scores = scores(name, said, &messages.labels)?;
        if *name == "multinomial" {
            let caption = "Messages by the probability that they were given: the share that is spam, and where it would be nine times in ten. \
                           Dependent words are counted as if each were new evidence, so that points leave the diagonal for the middle.";
            page.lead = Some(Figure::new(reliability("Whether probabilities came true", &scores), caption));
        }
    }
    println!("* the {} most frequent words only, the same for both", frequent.vocabulary().len());
    Ok(())
}

fn spam_of(said: &[Option<Posterior>]) -> Vec<f64> {
    said.iter().map(|said| said.as_ref().map_or(0.0, |said| said.probabilities[SPAM])).collect()
}

/// Prints the scores of a model, and has its points of calibration.
fn scores(name: &str, said: &[f64], labels: &[usize]) -> Outcome<Vec<ReliabilityPoint>> {
    let pairs = said.iter().zip(labels).map(|(&p, &label)| (label, usize::from(p > 0.5)));
    let confusion = Confusion::of(2, pairs)?;
    let mut probabilities = ProbabilityScores::new(10);
    for (&p, &label) in said.iter().zip(labels) {
        probabilities.push(&[1.0 - p, p], label)?;
    }
    let truth: Vec<bool> = labels.iter().map(|&label| label == SPAM).collect();
    let area = Roc::of(said, &truth)?.map_or(f64::NAN, |roc| roc.area());
    println!(
        "{name:16}  {:8.4}  {:9.4}  {:6.4}  {area:5.3}  {:7.4}  {:.4}",
        confusion.accuracy().unwrap_or(f64::NAN),
        confusion.precision(SPAM).unwrap_or(f64::NAN),
        confusion.recall(SPAM).unwrap_or(f64::NAN),
        probabilities.mean_ln_loss().unwrap_or(f64::NAN),
        probabilities.calibration_error().unwrap_or(f64::NAN),
    );
    let point = |bin: usize| {
        let inside = |p: f64| ((p * 10.0) as usize).min(9) == bin;
        let own: Vec<(f64, bool)> =
            said.iter().copied().zip(truth.iter().copied()).filter(|(p, _)| inside(*p)).collect();
        let count = own.len();
        let predicted = own.iter().map(|(p, _)| p).sum::<f64>() / count as f64;
        let observed = own.iter().filter(|(_, truth)| *truth).count() as f64 / count as f64;
        let half = 1.645 * (predicted * (1.0 - predicted) / count as f64).sqrt();
        let band = ((predicted - half).max(0.0), (predicted + half).min(1.0));
        (count > 0).then_some(ReliabilityPoint { predicted, observed, band, count })
    };
    Ok((0..10).filter_map(point).collect())
}

/// The same messages with their most frequent words only.
fn frequent(corpus: &Corpus) -> Outcome<Corpus> {
    let frequencies = corpus.document_frequencies();
    let mut words: Vec<usize> = (0..frequencies.len()).collect();
    words.sort_by_key(|&word| (std::cmp::Reverse(frequencies[word]), word));
    words.truncate(FREQUENT);
    words.sort_unstable();
    let vocabulary = words.iter().map(|&word| corpus.vocabulary()[word].clone()).collect();
    Ok(corpus.in_vocabulary(vocabulary)?.0)
}

/// A row of an intercept and of which words are there, for each message.
fn design(corpus: &Corpus, documents: &[usize]) -> DMatrix<f64> {
    let mut rows = DMatrix::zeros(documents.len(), corpus.vocabulary().len() + 1);
    for (row, &d) in documents.iter().enumerate() {
        rows[(row, 0)] = 1.0;
        for &word in corpus.document(d).words {
            rows[(row, word as usize + 1)] = 1.0;
        }
    }
    rows
}

/// The probabilities of spam of some messages by a logistic regression on others.
fn logistic_said(corpus: &Corpus, labels: &[usize], train: &[usize], test: &[usize]) -> Outcome<Vec<f64>> {
    let rows = design(corpus, train);
    let response: Vec<f64> = train.iter().map(|&d| labels[d] as f64).collect();
    let data = Observations::new(&rows, &response)?;
    let prior = CoefficientPrior::isotropic(rows.ncols(), 2.0)?;
    let fitted =
        Glm::new(Family::Logit, data)?.with_prior(prior)?.fit(&FitOptions::default(), &mut Silent)?.model;
    let said = |&d: &usize| {
        let words = corpus.document(d).words.iter();
        logistic(
            fitted.coefficients[0] + words.map(|&word| fitted.coefficients[word as usize + 1]).sum::<f64>(),
        )
    };
    Ok(test.iter().map(said).collect())
}

fn logistic_folds(corpus: &Corpus, labels: &[usize]) -> Outcome<Vec<f64>> {
    let mut all = vec![0.0; labels.len()];
    for fold in 0..FOLDS {
        let (test, train): (Vec<usize>, Vec<usize>) = (0..labels.len()).partition(|d| d % FOLDS == fold);
        for (d, p) in test.iter().zip(logistic_said(corpus, labels, &train, &test)?) {
            all[*d] = p;
        }
    }
    Ok(all)
}

/// The smoothing of the multinomial model by held-out loss, and by evidence.
fn smoothing(messages: &Messages) -> Outcome<f64> {
    let candidates = [0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0];
    let multinomial = options(EventModel::Multinomial);
    let choice = select_smoothing(&messages.corpus, &messages.labels, 2, &multinomial, &candidates, FOLDS)?;
    println!("\nadded to counts   held-out ln loss");
    for (candidate, loss) in candidates.iter().zip(&choice.ln_losses) {
        println!("{candidate:15}   {loss:.4}");
    }
    let counts = ClassCounts::of(Counted::Occurrences, &messages.corpus, &messages.labels, 2)?;
    let (evidence, _) = smoothing_by_evidence(&counts)?;
    println!("the least loss is at {}; the evidence is largest at {evidence:.3}", choice.smoothing);
    Ok(choice.smoothing)
}

fn telling(messages: &Messages, model: &NaiveBayes, page: &mut Page) -> Outcome<()> {
    let vocabulary = messages.corpus.vocabulary();
    println!("\nwords that tell spam, ln of how much more frequent, with 90 % intervals");
    let words = model.telling_words(SPAM, LEVEL, 10)?;
    for word in &words {
        let name = &vocabulary[word.word as usize];
        println!("  {name:12} {:5.2}  [{:.2}, {:.2}]", word.mean, word.lower, word.upper);
    }
    let interval = |word: &posterior::topics::naive_bayes::TellingWord| Interval {
        name: vocabulary[word.word as usize].clone(),
        low: word.lower,
        middle: word.mean,
        high: word.upper,
    };
    let picture = intervals("Words that tell spam", &words.iter().map(interval).collect::<Vec<_>>());
    page.sections.push(Section {
        title: "Words that tell spam".to_owned(),
        text: String::new(),
        body: Body::Figure(Figure::new(
            picture,
            "ln of how much more frequent a word is in spam than in other messages, with intervals of 90 %.",
        )),
    });
    Ok(())
}

/// The first spam message, as a sum.
fn explained(messages: &Messages, model: &NaiveBayes, page: &mut Page) -> Outcome<()> {
    let Some(d) = messages.labels.iter().position(|&label| label == SPAM) else { return Ok(()) };
    let Some(why) = model.explain(messages.corpus.document(d), SPAM, 1 - SPAM)? else { return Ok(()) };
    println!("\nwhy is this spam: {}", messages.texts[d]);
    println!("  {:12} {:6.2}", "(any message)", why.prior);
    let vocabulary = messages.corpus.vocabulary();
    for word in why.words.iter().take(8) {
        println!("  {:12} {:6.2}", vocabulary[word.word as usize], word.ln_odds);
    }
    let rest: f64 = why.words.iter().skip(8).map(|word| word.ln_odds).sum();
    println!("  {:12} {rest:6.2}", "(the rest)");
    println!("  {:12} {:6.2}  = ln of the odds, together {:.2}", "sum", why.sum(), why.ln_odds);
    let bar = |name: String, value: f64| Interval {
        name,
        low: value.min(0.0),
        middle: value,
        high: value.max(0.0),
    };
    let mut rows = vec![bar("(any message)".to_owned(), why.prior)];
    rows.extend(why.words.iter().map(|word| bar(vocabulary[word.word as usize].clone(), word.ln_odds)));
    page.sections.push(Section {
        title: "Why one message is spam".to_owned(),
        text: messages.texts[d].clone(),
        body: Body::Figure(Figure::new(
            intervals("Contributions of words", &rows),
            "What each word adds to the logarithm of the odds of spam: all together they are the answer.",
        )),
    });
    Ok(())
}

/// The most likely spam, and some that the models draw.
fn written(messages: &Messages) -> Outcome<()> {
    let vocabulary = messages.corpus.vocabulary();
    let model = NaiveBayes::fit(&messages.corpus, &messages.labels, 2, &options(EventModel::Bernoulli))?;
    let spelt = |words: &[u32]| {
        let words: Vec<&str> = words.iter().map(|&word| vocabulary[word as usize].as_str()).collect();
        words.join(" ")
    };
    println!("\nthe most likely spam has the words: {}", spelt(&model.most_likely_words(SPAM)?));
    let smoothed = options(EventModel::Multinomial).with_smoothing(0.01);
    let model = NaiveBayes::fit(&messages.corpus, &messages.labels, 2, &smoothed)?;
    let mut rng = stream(1, &[]);
    for _ in 0..3 {
        let drawn = model.sample(SPAM, &mut rng)?;
        let words: Vec<u32> =
            drawn.iter().flat_map(|&(word, count)| std::iter::repeat_n(word, count as usize)).collect();
        println!("drawn: {}", spelt(&words));
    }
    Ok(())
}

/// The errors on the last fifth of the messages, learnt from more and more of the others (Ng and Jordan 2002).
fn learning(messages: &Messages, page: &mut Page) -> Outcome<()> {
    let corpus = frequent(&messages.corpus)?;
    let labels = &messages.labels;
    let n = labels.len();
    let test: Vec<usize> = (n - n / 5..n).collect();
    println!(
        "\nlearnt from   naive Bayes   logistic regression   (ln loss of {} other messages)",
        test.len()
    );
    let (mut bayes, mut regression) = (Vec::new(), Vec::new());
    let mut size = 20;
    while size <= n - test.len() {
        let train: Vec<usize> = (0..size).collect();
        let own: Vec<usize> = train.iter().map(|&d| labels[d]).collect();
        let model = NaiveBayes::fit(&corpus.select(&train)?, &own, 2, &options(EventModel::Bernoulli))?;
        let said: Vec<Option<Posterior>> =
            test.iter().map(|&d| model.posterior(corpus.document(d))).collect();
        let truth: Vec<usize> = test.iter().map(|&d| labels[d]).collect();
        let loss = mean_ln_loss(&said, &truth);
        let other = logistic_said(&corpus, labels, &train, &test)?;
        let other_loss = other.iter().zip(&truth).map(|(&p, &y)| -(if y == SPAM { p } else { 1.0 - p }).ln());
        let other_loss = other_loss.sum::<f64>() / test.len() as f64;
        println!("{size:11}   {loss:11.4}   {other_loss:19.4}");
        bayes.push(((size as f64).log10(), loss));
        regression.push(((size as f64).log10(), other_loss));
        size *= 2;
    }
    let lines = [("naive Bayes", bayes), ("logistic regression", regression)];
    let lines: Vec<Ribbon> =
        lines.map(|(name, line)| Ribbon { name: name.to_owned(), line, bands: Vec::new() }).into();
    page.sections.push(Section {
        title: "Learning from more and more messages".to_owned(),
        text: "Where messages are few, the model of how they are made is ahead; where they are many, the one that only tells them apart.".to_owned(),
        body: Body::Figure(Figure::new(
            ribbons(("log10 of the number of messages", "ln loss"), &lines, &[], None),
            "The mean -ln p of the true class of other messages, by the same words.",
        )),
    });
    Ok(())
}
