//! Several fits with different seeds: which of their topics come back.

use posterior::topics::stability::{Agreement, Distance, agreement, consensus};
use posterior::topics::{Topics, top_words};
use posterior_report::{PageTable, Section, TableColumn};
use serde::Serialize;

use super::documents::Parts;
use super::methods::{self, Outcome, Setup};
use crate::failure::Failure;
use crate::json;
use crate::output::{self, significant};

/// Words of a topic that are compared.
const WORDS: usize = 10;
/// Words by which a topic is called.
const LABEL: usize = 3;

/// What several fits agree on.
#[derive(Debug, Serialize)]
pub(crate) struct Stability {
    runs: usize,
    /// The seed of each run.
    seeds: Vec<u64>,
    /// The seed of the fit in the middle, which is kept.
    kept: u64,
    /// Words of a topic whose agreement is measured.
    words: usize,
    mean: Means,
    topics: Vec<Stable>,
    #[serde(skip)]
    pairs: Vec<Pair>,
}

/// Means over runs other than the one that is kept.
#[derive(Debug, Clone, Copy, Serialize)]
struct Means {
    /// One minus the total variation of the distributions over words.
    overlap: f64,
    #[serde(serialize_with = "json::number")]
    jaccard: f64,
    #[serde(serialize_with = "json::number")]
    cosine: f64,
}

/// A topic of the fit that is kept.
#[derive(Debug, Serialize)]
struct Stable {
    id: usize,
    #[serde(flatten)]
    mean: Means,
    /// The smallest overlap with a partner.
    least_overlap: f64,
    #[serde(skip)]
    label: String,
}

/// A topic and its partner in another run.
#[derive(Debug)]
struct Pair {
    topic: usize,
    seed: u64,
    partner: usize,
    of: Means,
}

/// Fits with each setup, and keeps the fit in the middle.
pub(super) fn run(setups: &[Setup<'_>], parts: &Parts<'_>) -> Result<(Outcome, Stability), Failure> {
    let mut all = Vec::with_capacity(setups.len());
    for (place, setup) in setups.iter().enumerate() {
        let outcome = methods::fit(setup, &parts.train)?;
        let reached = outcome.trace.points.last().map_or(f64::NAN, |&(_, value)| value);
        let note = format!(
            "run {} of {}, seed {}: {} {}",
            place + 1,
            setups.len(),
            setup.seed,
            outcome.trace.fact,
            significant(reached)
        );
        output::note(setup.args.common.quiet, &note);
        all.push(outcome);
    }
    let seeds: Vec<u64> = setups.iter().map(|setup| setup.seed).collect();
    let fits: Vec<&Topics> = all.iter().map(|outcome| outcome.model.topics()).collect();
    let found = consensus(&fits, Distance::TotalVariation)?;
    let center = fits[found.center];
    let mut pairs = Vec::new();
    for (run, matching) in found.matchings.iter().enumerate().filter(|&(run, _)| run != found.center) {
        let agreed = agreement(center, fits[run], matching, WORDS);
        for (topic, (partner, agreed)) in matching.partners.iter().zip(agreed).enumerate() {
            let (Some(partner), Some(Agreement { jaccard, cosine, .. })) = (*partner, agreed) else {
                continue;
            };
            let of = Means { overlap: 1.0 - matching.distances[topic], jaccard, cosine };
            pairs.push(Pair { topic, seed: seeds[run], partner, of });
        }
    }
    let topics = (0..center.len()).map(|id| stable(center, id, &pairs)).collect();
    let stability = Stability {
        runs: seeds.len(),
        kept: seeds[found.center],
        seeds,
        words: WORDS,
        mean: means(&pairs.iter()),
        topics,
        pairs,
    };
    let kept = found.center;
    Ok((all.swap_remove(kept), stability))
}

fn stable(topics: &Topics, id: usize, pairs: &[Pair]) -> Stable {
    let own = || pairs.iter().filter(|pair| pair.topic == id);
    let words = top_words::by_relevance(topics, id, LABEL, crate::report::RELEVANCE);
    let words: Vec<&str> = words.iter().map(|ranked| topics.vocabulary()[ranked.word].as_str()).collect();
    Stable {
        id,
        mean: means(&own()),
        least_overlap: own().map(|pair| pair.of.overlap).fold(1.0, f64::min),
        label: words.join(" "),
    }
}

fn means<'p>(pairs: &(impl Iterator<Item = &'p Pair> + Clone)) -> Means {
    let mean = |of: fn(&Means) -> f64| {
        pairs.clone().map(|pair| of(&pair.of)).sum::<f64>() / pairs.clone().count() as f64
    };
    Means { overlap: mean(|m| m.overlap), jaccard: mean(|m| m.jaccard), cosine: mean(|m| m.cosine) }
}

impl Stability {
    /// Columns of `stability.csv`.
    pub(super) const COLUMNS: [&'static str; 6] =
        ["topic", "seed", "partner", "overlap", "jaccard", "cosine"];

    /// Rows of `stability.csv`: each topic with its partner in each other run.
    pub(super) fn rows(&self) -> impl Iterator<Item = [String; 6]> {
        self.pairs.iter().map(|Pair { topic, seed, partner, of }| {
            let [overlap, jaccard, cosine] = [of.overlap, of.jaccard, of.cosine].map(output::cell);
            [topic.to_string(), seed.to_string(), partner.to_string(), overlap, jaccard, cosine]
        })
    }

    fn table(&self) -> PageTable {
        let columns = [
            TableColumn::number("topic"),
            TableColumn::text("words"),
            TableColumn::number("overlap"),
            TableColumn::number("least"),
            TableColumn::number("Jaccard"),
            TableColumn::number("cosine"),
        ];
        let row = |own: &Stable| {
            let numbers = [own.mean.overlap, own.least_overlap, own.mean.jaccard, own.mean.cosine];
            let mut row = vec![own.id.to_string(), own.label.clone()];
            row.extend(numbers.map(|x| format!("{x:.2}")));
            row
        };
        PageTable { columns: columns.into(), rows: self.topics.iter().map(row).collect() }
    }

    /// The table on a terminal.
    pub(super) fn text(&self) -> String {
        let Means { overlap, jaccard, cosine } = self.mean;
        format!(
            "{} runs, that of seed {} in the middle; its topics and their partners in the others\n{}mean overlap {overlap:.3}, Jaccard of {} words \
             {jaccard:.3}, cosine {cosine:.3}\n",
            self.runs,
            self.kept,
            self.table().text(),
            self.words
        )
    }

    /// What the page says of it.
    pub(super) fn section(&self) -> Section {
        let text = format!(
            "{} fits with different seeds; the page shows the one in the middle, of seed {}. Each of its topics has a partner in each other fit, \
             by the pairing with the most overlap in all. Overlap: the probability that both have in common, on average and at least, 1 for a topic \
             that comes back as it was. Jaccard: of the {} most probable words of both, the proportion that is in each. Cosine: of the \
             probabilities of these words.",
            self.runs, self.kept, self.words
        );
        Section::new("Which topics come back", text, self.table())
    }
}
