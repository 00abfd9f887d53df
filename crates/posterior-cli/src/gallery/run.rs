//! All stories, one by one.

use std::fmt::Write as _;
use std::time::Instant;

use posterior_stories::Sources;
use serde::Serialize;

use super::one::{How, Outcome};
use super::{index, list, one};
use crate::args::{Format, Gallery};
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::run::limit_threads;
use crate::{interrupt, output};

#[derive(Serialize)]
struct Output {
    stories: Vec<StoryOutput>,
    index: String,
    seconds: f64,
}

#[derive(Serialize)]
struct StoryOutput {
    name: &'static str,
    title: &'static str,
    id: &'static str,
    /// `completed`, `skipped` or `failed`.
    ending: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    facts: Vec<Fact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<String>,
    seconds: f64,
}

#[derive(Serialize)]
struct Fact {
    name: String,
    value: String,
}

/// `posterior gallery`.
pub(crate) fn run(args: &Gallery) -> Result<(), Failure> {
    let begin = Instant::now();
    let stories = list::chosen(&args.only)?;
    if args.list {
        return list::list(&stories, args.format);
    }
    limit_threads(args.threads)?;
    let sources = sources(args)?;
    let folder = OutputFolder::at(&args.out, &["index.html"])?;
    interrupt::watch();
    let mut outcomes: Vec<Outcome> = Vec::new();
    for (place, story) in stories.iter().enumerate() {
        output::note(args.quiet, &format!("{:>2} of {}  {}", place + 1, stories.len(), story.name));
        let outcome = one::tell(story, &sources, &args.out)?;
        output::note(args.quiet, &format!("          {:.1} s", outcome.seconds));
        outcomes.push(outcome);
        // After each story, so that an interrupted run leaves an index of what was run.
        let html = index::html(&outcomes, &output::called());
        folder.put_text("index.html", &html)?;
        folder.commit()?;
    }
    let failures: Vec<&str> = outcomes.iter().filter_map(|own| failure(&own.ending)).collect();
    let output = Output {
        stories: outcomes.iter().map(|own| output(args, own)).collect(),
        index: folder.join("index.html").display().to_string(),
        seconds: begin.elapsed().as_secs_f64(),
    };
    match args.format {
        Format::Json => output::print_json(&output)?,
        Format::Text => output::print(&text(&output))?,
    }
    if failures.is_empty() { Ok(()) } else { Err(Failure::data(failures.join("; "))) }
}

fn sources(args: &Gallery) -> Result<Sources, Failure> {
    let Some(folder) = &args.data else { return Ok(Sources::embedded()) };
    if folder.is_dir() {
        return Ok(Sources::folder(folder));
    }
    Err(Failure::data(format!("{}: expected a folder of texts", folder.display())))
}

fn failure(ending: &How) -> Option<&str> {
    if let How::Failed(message) = ending { Some(message) } else { None }
}

fn output(args: &Gallery, outcome: &Outcome) -> StoryOutput {
    let (ending, why, facts) = match &outcome.ending {
        How::Completed(page) => ("completed", None, page.facts.clone()),
        How::Skipped(why) => ("skipped", Some(why.clone()), Vec::new()),
        How::Failed(why) => ("failed", Some(why.clone()), Vec::new()),
    };
    let report = args.out.join(outcome.story.name).join("report.html").display().to_string();
    StoryOutput {
        name: outcome.story.name,
        title: outcome.story.title,
        id: outcome.story.id,
        ending,
        why,
        facts: facts.into_iter().map(|(name, value)| Fact { name, value }).collect(),
        report: (ending == "completed").then_some(report),
        seconds: outcome.seconds,
    }
}

fn text(output: &Output) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail, hence the results that are dropped.
    for own in &output.stories {
        let _ = writeln!(text, "{:<24}{:>7.1} s", own.name, own.seconds);
        if let Some(why) = &own.why {
            let _ = writeln!(text, "  {}: {why}", own.ending);
        }
        for fact in &own.facts {
            let _ = writeln!(text, "  {}: {}", fact.name, fact.value);
        }
    }
    let _ = writeln!(text, "\n{} stories in {:.0} s: {}", output.stories.len(), output.seconds, output.index);
    text
}
