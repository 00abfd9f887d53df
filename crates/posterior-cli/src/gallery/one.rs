//! One story: run on a thread of its own, written when it is whole.

use std::io::Write as _;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use posterior_report::Page;
use posterior_stories::{Ending, Sources, Story};

use crate::failure::Failure;
use crate::interrupt;
use crate::output_folder::OutputFolder;

/// How often signals are looked for while a story is run.
const LOOK: Duration = Duration::from_millis(50);

/// A story that was run, or why it was not.
pub(super) struct Outcome {
    pub(super) story: &'static Story,
    pub(super) ending: How,
    pub(super) seconds: f64,
}

/// How it ended.
pub(super) enum How {
    Completed(Box<Page>),
    Skipped(String),
    Failed(String),
}

/// Tells a story. An interrupted one is abandoned where it is, and nothing of it is written.
pub(super) fn tell(story: &'static Story, sources: &Sources, folder: &Path) -> Result<Outcome, Failure> {
    let begin = Instant::now();
    let (sender, receiver) = channel();
    let sources = sources.clone();
    std::thread::spawn(move || {
        let mut findings = Vec::new();
        let ending = story.tell(&mut findings, &sources);
        // Nobody listens if the run was interrupted.
        let _ = sender.send(ending.map(|ending| (ending, findings)).map_err(|error| error.to_string()));
    });
    let output = loop {
        match receiver.recv_timeout(LOOK) {
            Ok(output) => break output,
            Err(RecvTimeoutError::Disconnected) => break Err(format!("story {}: it panicked", story.name)),
            Err(RecvTimeoutError::Timeout) if interrupt::requested() => {
                return Err(Failure::Interrupted(format!("story {} was not run to its end", story.name)));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    };
    let seconds = begin.elapsed().as_secs_f64();
    let ending = match output {
        Err(message) => How::Failed(message),
        Ok((Ending::Skipped(why), _)) => How::Skipped(why),
        Ok((Ending::Completed(page), findings)) => {
            write(&folder.join(story.name), &page, &findings)?;
            How::Completed(Box::new(page))
        }
    };
    Ok(Outcome { story, ending, seconds })
}

fn write(folder: &Path, page: &Page, findings: &[u8]) -> Result<(), Failure> {
    let folder = OutputFolder::at(folder, &["report.html", "findings.txt", "picture.svg"])?;
    folder.put_text("report.html", &page.html())?;
    folder.put("findings.txt", |out| out.write_all(findings))?;
    if let Some(lead) = &page.lead {
        let svg = lead.picture.standalone();
        folder.put_text("picture.svg", &svg)?;
    }
    folder.commit()
}
