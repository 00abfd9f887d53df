//! Where do the phrases of a sentence begin and end? Chunks of news by a conditional random field, trained in
//! four ways.
//!
//! Needs `sequence/conll2000_train.txt` and `conll2000_test.txt` of the sources: the shared task of
//! CoNLL-2000, columns word, tag, chunk, which may not be handed on. Prints what L-BFGS, OWL-QN, stochastic
//! descent and the averaged perceptron reach, what speaks for a noun phrase to begin, how F1 grows with the
//! data, and the tokens about which the model is in doubt. Minutes.

use std::fs::File;
use std::io::BufReader;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use posterior::evaluation::Tally;
use posterior::math::iteration::{Fitted, Silent};
use posterior::report::{Figure, Page, Picture, Ribbon, Section, heat_map, ribbons};
use posterior::sequence::crf::{
    AttributeSequence, ConditionalRandomField, Dataset, Feature, FeatureOptions, Features, PerceptronOptions,
    SequenceBuilder, SgdOptions, TrainingOptions, averaged_perceptron, fit, sgd,
};
use posterior::text::chunking::{ChunkScores, chunks};
use posterior::text::columns::{TableReader, TokenTable};
use posterior::text::templates::Templates;

use crate::{Ending, Outcome, Sources};

/// The sentences, in the folder of the sources.
const TRAIN: &str = "sequence/conll2000_train.txt";
const TEST: &str = "sequence/conll2000_test.txt";

type Trained = Result<Fitted<ConditionalRandomField>, posterior::sequence::Error>;

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written, or the sentences cannot be read.
pub fn tell(out: &mut dyn Write, sources: &Sources) -> Outcome<Ending> {
    let files = [TRAIN, TEST].map(|name| sources.file(name));
    let [Some(train), Some(test)] = files else {
        return Ok(Ending::Skipped(format!(
            "it needs {TRAIN} and {TEST}, the shared task of CoNLL-2000, which may not be handed on"
        )));
    };
    let (train, test) = (sentences(&train)?, sentences(&test)?);
    let task = Task { templates: Templates::chunking(), test };
    let mut page = Page::new("Conditional random fields", "Where phrases begin and end");
    let (model, curves) = four_ways(out, &task, &train, &mut page)?;
    speaks_for(out, &model, &mut page)?;
    in_doubt(out, &task, &model, &mut page)?;
    let curve = learning_curve(out, &task, &train)?;
    page.lead = Some(Figure::new(
        transitions(&model),
        "How much a label speaks for the next: orange for, blue against.",
    ));
    let pictures = [
        ("Two ways down", ribbons(("passes over the data", "objective"), &curves, &[], None)),
        ("More sentences", ribbons(("log2 of the sentences", "F1 of chunks"), &[curve], &[], None)),
    ];
    page.sections.extend(
        pictures.map(|(title, picture)| Section::new(title.to_owned(), "", Figure::new(picture, ""))),
    );
    "CoNLL-2000 shared task: Wall Street Journal, sections 15-18 and 20".clone_into(&mut page.source);
    Ok(Ending::Completed(page))
}

fn sentences(path: &Path) -> Outcome<Vec<TokenTable>> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(TableReader::new(BufReader::new(file)).with_columns(3).collect::<Result<_, _>>()?)
}

struct Task {
    templates: Templates,
    test: Vec<TokenTable>,
}

impl Task {
    fn sequence(&self, mut builder: SequenceBuilder<'_>, table: &TokenTable) -> Outcome<AttributeSequence> {
        for token in 0..table.len() {
            builder.present(self.templates.attributes(table, token)?)?;
        }
        Ok(builder.finish())
    }

    fn data(&self, tables: &[TokenTable]) -> Outcome<Dataset> {
        let mut data = Dataset::new();
        for table in tables {
            let sequence = self.sequence(data.sequence(), table)?;
            data.push(sequence, table.column(2))?;
        }
        Ok(data)
    }

    /// F1 of chunks and the proportion of right labels in the test sentences.
    fn judge(&self, model: &ConditionalRandomField) -> Outcome<(f64, f64)> {
        let (mut scores, mut tokens) = (ChunkScores::default(), Tally::default());
        for table in &self.test {
            let best = model.tag(&self.sequence(model.sequence(), table)?).states;
            let truth: Vec<&str> = table.column(2).collect();
            let names = model.vocabulary().labels();
            let output: Vec<&str> = best.iter().filter_map(|&label| names.name(label)).collect();
            truth.iter().zip(&output).for_each(|(truth, output)| tokens.push(truth, output));
            let (Some(truth), Some(output)) = (chunks(&truth), chunks(&output)) else {
                return Err("labels that tell no chunks".into());
            };
            scores.push(&truth, &output);
        }
        Ok((scores.all().f1(), tokens.rate().unwrap_or(0.0)))
    }
}

/// The table of trainers; the model of the first, and the ways of two objectives.
fn four_ways(
    out: &mut dyn Write,
    task: &Task,
    train_on: &[TokenTable],
    page: &mut Page,
) -> Outcome<(ConditionalRandomField, Vec<Ribbon>)> {
    let data = task.data(train_on)?;
    let features = Features::select(&data, &FeatureOptions::default())?;
    writeln!(out, "{} sentences, {} tokens, {} weights\n", data.len(), data.tokens(), features.len())?;
    let batch = TrainingOptions { max_iterations: 100, ..TrainingOptions::default() };
    let ways: [(&str, &dyn Fn() -> Trained); 4] = [
        ("L-BFGS, l2 1", &|| fit(&data, features.clone(), &batch, &mut Silent)),
        ("OWL-QN, l1 0.5, l2 0.1", &|| {
            fit(&data, features.clone(), &TrainingOptions { l1: 0.5, l2: 0.1, ..batch }, &mut Silent)
        }),
        ("stochastic, l2 1", &|| {
            sgd(&data, features.clone(), &SgdOptions { epochs: 30, ..SgdOptions::default() }, &mut Silent)
        }),
        ("perceptron", &|| {
            averaged_perceptron(&data, features.clone(), &PerceptronOptions::default(), &mut Silent)
        }),
    ];
    writeln!(out, "{:<24}{:>8}{:>10}{:>10}{:>10}", "", "F1 %", "labels %", "weights", "seconds")?;
    let (mut model, mut curves) = (None, Vec::new());
    for (name, way) in ways {
        let begin = Instant::now();
        let fitted = way()?;
        let seconds = begin.elapsed().as_secs_f64();
        let (f1, accuracy) = task.judge(&fitted.model)?;
        if model.is_none() {
            page.fact("F1 of chunks", format!("{:.2} %", 100.0 * f1));
            page.fact("labels right", format!("{:.2} %", 100.0 * accuracy));
        }
        let weights = fitted.model.weights().iter().filter(|weight| **weight != 0.0).count();
        writeln!(out, "{name:<24}{:>8.2}{:>10.2}{weights:>10}{seconds:>10.1}", 100.0 * f1, 100.0 * accuracy)?;
        if name.ends_with("l2 1") {
            let steps: Vec<f64> = (0..fitted.report.trace.len()).map(|step| step as f64).collect();
            let still = vec![0.0; steps.len()];
            curves.push(Ribbon::around(name, &steps, &fitted.report.trace, &still, 1.0));
        }
        model.get_or_insert(fitted.model);
    }
    Ok((model.ok_or("no way")?, curves))
}

/// What speaks for some labels.
fn speaks_for(out: &mut dyn Write, model: &ConditionalRandomField, page: &mut Page) -> Outcome<()> {
    let vocabulary = model.vocabulary();
    let mut items = Vec::new();
    for name in ["B-NP", "I-NP", "B-VP", "B-SBAR"] {
        let Some(label) = vocabulary.labels().get(name) else { continue };
        writeln!(out, "\n{name}")?;
        let mut output = Vec::new();
        for (feature, weight) in model.top_features(label, 8) {
            if let Feature::State { attribute, .. } = feature {
                let attribute = vocabulary.attributes().name(attribute).unwrap_or_default();
                writeln!(out, "  {weight:>6.2}  {attribute}")?;
                output.push(format!("{attribute} ({weight:.2})"));
            }
        }
        items.push(format!("{name}: {}", output.join(", ")));
    }
    page.section("Largest weights", "The attributes of the largest weights.", items);
    Ok(())
}

/// The tokens whose best label is least probable.
fn in_doubt(
    out: &mut dyn Write,
    task: &Task,
    model: &ConditionalRandomField,
    page: &mut Page,
) -> Outcome<()> {
    let names = model.vocabulary().labels();
    let mut doubts = Vec::new();
    for table in &task.test {
        let sequence = task.sequence(model.sequence(), table)?;
        let nodes = model.marginals(&sequence).nodes;
        for (token, (row, best)) in
            nodes.chunks_exact(names.len()).zip(model.tag(&sequence).states).enumerate()
        {
            doubts.push((row[best], table, token, names.name(best).unwrap_or_default()));
        }
    }
    doubts.sort_by(|a, b| a.0.total_cmp(&b.0));
    writeln!(out, "\nin doubt")?;
    let mut items = Vec::new();
    for (p, table, token, output) in doubts.iter().take(8) {
        let from = token.saturating_sub(3);
        let words: Vec<&str> = (from..table.len().min(token + 4)).map(|own| table.cell(own, 0)).collect();
        let (truth, word, words) = (table.cell(*token, 2), table.cell(*token, 0), words.join(" "));
        writeln!(out, "  {p:.2} {output:<8} truth {truth:<8} {word} in: {words}")?;
        items.push(format!(
            "{word}: {output} with probability {p:.2}, in truth {truth}, in \u{201c}{words}\u{201d}"
        ));
    }
    page.section("In doubt", "The tokens whose best label is least probable.", items);
    Ok(())
}

/// F1 after more and more sentences.
fn learning_curve(out: &mut dyn Write, task: &Task, train_on: &[TokenTable]) -> Outcome<Ribbon> {
    let (mut sizes, mut reached) = (Vec::new(), Vec::new());
    writeln!(out, "\nsentences  F1 %")?;
    for halvings in (0..6).rev() {
        let count = train_on.len() >> halvings;
        let data = task.data(&train_on[..count])?;
        let features = Features::select(&data, &FeatureOptions::default())?;
        let model = averaged_perceptron(&data, features, &PerceptronOptions::default(), &mut Silent)?.model;
        let (f1, _) = task.judge(&model)?;
        writeln!(out, "{count:>9}  {:.2}", 100.0 * f1)?;
        sizes.push((count as f64).log2());
        reached.push(f1);
    }
    Ok(Ribbon::around("averaged perceptron", &sizes, &reached, &vec![0.0; sizes.len()], 1.0))
}

fn transitions(model: &ConditionalRandomField) -> Picture {
    let names: Vec<String> = model.vocabulary().labels().iter().map(str::to_owned).collect();
    let mut weights = vec![0.0; names.len() * names.len()];
    for (feature, weight) in model.features().iter().zip(model.weights()) {
        if let Feature::Transition { from, to } = feature {
            weights[from * names.len() + to] = *weight;
        }
    }
    heat_map("Weights of steps", ("label", "next label"), &names, &names, &weights)
}
