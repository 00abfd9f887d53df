//! Verbs of the command line from a table to the answer, beside the default calls of scikit-learn,
//! statsmodels and hmmlearn: CPU time, how it grows with the rows, memory, and how good the answer is.

use posterior_benches::comparison::{Outcome, Settings, figure, print_head, print_row, ratio};
use posterior_benches::peers::Measurements;

/// The verbs, what says the quality of their answers (high is good), and the numbers of rows.
const VERBS: [(&str, &str, [usize; 3]); 10] = [
    ("series smooth", "ln p a row", ROWS),
    ("hmm fit", "ln p a row", ROWS),
    ("cluster fit, gmm", "ln p a row", ROWS),
    ("cluster fit, kmeans", "-inertia a row", ROWS),
    ("pca fit", "explained proportion", ROWS),
    ("gp fit", "ln p a row", [500, 1_500, 4_500]),
    ("regress fit, gaussian", "", ROWS),
    ("regress fit, bernoulli", "", ROWS),
    ("regress fit, poisson", "", ROWS),
    ("classify fit", "", ROWS),
];

const ROWS: [usize; 3] = [1_000, 10_000, 100_000];

/// A verb at one size.
#[derive(Debug, Clone, Copy)]
struct Run<'a> {
    peers: &'a Measurements,
    verb: &'a str,
    rows: usize,
}

impl Run<'_> {
    fn of(self, who: &str, what: &str) -> Option<f64> {
        self.peers.of(self.rows, who, &format!("{}: {what}", self.verb))
    }

    /// The library that was measured.
    fn peer(self) -> Option<&'static str> {
        ["sklearn", "statsmodels", "hmmlearn"].into_iter().find(|peer| self.of(peer, "cpu").is_some())
    }

    /// The power of the rows with which the time grew since a smaller size.
    fn growth(self, who: &str, before: Self) -> Option<f64> {
        let times = self.of(who, "cpu")? / before.of(who, "cpu")?;
        Some(times.ln() / (self.rows as f64 / before.rows as f64).ln())
    }
}

/// Prints the table.
pub(super) fn compare(settings: &Settings) -> Outcome {
    if settings.python.is_none() {
        println!("Times of processes are taken by a Python program, and none was named.");
        return Ok(());
    }
    let peers = Measurements::run(settings, "verbs.py", 1)?;
    println!(
        "CPU seconds on one thread: of our whole process, and of the peer's default call from reading the table on; growth is the power of the \
         rows since the size before; a dash is what took more than 150 s\n"
    );
    print_head(
        &["verb", "peer", "quality is"],
        &["rows", "ours", "peer", "ours / peer", "growth", "peer", "MB", "peer", "quality", "peer"],
    );
    for (verb, quality, sizes) in VERBS {
        let mut before: Option<Run<'_>> = None;
        for rows in sizes {
            let own = Run { peers: &peers, verb, rows };
            let peer = own.peer().unwrap_or_default();
            let growth = |who: &str| figure(before.and_then(|before| own.growth(who, before)), 2);
            if own.of("ours", "cpu").is_some() || !peer.is_empty() {
                print_row(&[
                    verb.to_owned(),
                    peer.to_owned(),
                    quality.to_owned(),
                    rows.to_string(),
                    figure(own.of("ours", "cpu"), 2),
                    figure(own.of(peer, "cpu"), 2),
                    ratio(own.of("ours", "cpu"), own.of(peer, "cpu")),
                    growth("ours"),
                    growth(peer),
                    figure(own.of("ours", "memory"), 0),
                    figure(own.of(peer, "memory"), 0),
                    figure(own.of("ours", "quality"), 4),
                    figure(own.of(peer, "quality"), 4),
                ]);
            }
            before = Some(own);
        }
    }
    Ok(())
}
