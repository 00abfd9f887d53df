//! Posterior predictive checks: outcomes that the fit makes anew beside those that were seen.

use posterior::dist::stream::stream;
use posterior::math::streaming::{MeanVariance, quantile_of_sorted};
use posterior_report::{BandPoint, PageTable, Picture, Ribbon, Section, ribbons};
use rayon::prelude::*;
use serde::Serialize;

use super::data_input::Data;
use super::points::Points;
use crate::level::{Ends, Level};
use crate::outcome::Outcome;
use crate::output::significant;

/// Points at which densities are drawn.
const POINTS: usize = 120;

/// The most different counts that are drawn one by one.
const MOST_COUNTS: f64 = 60.0;

/// What was seen beside what is made anew.
#[derive(Debug, Serialize)]
pub(super) struct Checks {
    /// How many sets of outcomes were made.
    replications: usize,
    level: Level,
    statistics: Vec<Statistic>,
    #[serde(skip)]
    densities: Option<Densities>,
}

/// A number that all outcomes of a set have together.
#[derive(Debug, Serialize)]
struct Statistic {
    name: &'static str,
    observed: f64,
    /// Of the sets that were made.
    mean: f64,
    #[serde(flatten)]
    interval: Ends,
    /// Twice the smaller of the proportions of sets with no less and with no more, at most 1.
    p_two_sided: f64,
}

/// Densities of outcomes, or proportions of counts, at the same places.
#[derive(Debug)]
struct Densities {
    places: Vec<f64>,
    observed: Vec<f64>,
    /// So many sets as the level says are between these, at each place.
    ends: Vec<[f64; 2]>,
    middle: Vec<f64>,
}

type Measure = fn(&[f64]) -> f64;

fn moments(outcomes: &[f64]) -> MeanVariance {
    outcomes.iter().copied().collect()
}

/// What is compared: of two classes the proportion of the second.
fn measures(outcome: &Outcome) -> Vec<(&'static str, Measure)> {
    let first: (&'static str, Measure) = ("mean", |own| moments(own).mean());
    let mut all = vec![first];
    if matches!(outcome, Outcome::Classes { .. }) {
        return all;
    }
    all.push(("sd", |own| moments(own).sample_variance().sqrt()));
    all.push(("min", |own| own.iter().copied().fold(f64::INFINITY, f64::min)));
    all.push(("max", |own| own.iter().copied().fold(f64::NEG_INFINITY, f64::max)));
    if matches!(outcome, Outcome::Counts(_)) {
        all.push(("proportion of zeros", |own| {
            own.iter().filter(|own| **own == 0.0).count() as f64 / own.len() as f64
        }));
    }
    all
}

impl Checks {
    /// A set of outcomes for each draw of the coefficients.
    pub(super) fn of(points: &Points, data: &Data, seed: u64) -> Self {
        let observed = data.outcome.heights();
        let replicate = |(place, (point, noise)): (usize, &(Vec<f64>, f64))| -> Vec<f64> {
            let mut rng = stream(seed, &[2, place as u64]);
            let means = points.means(point, &data.design.values, |row| data.offset(row));
            let new = |(row, mean)| points.outcome(mean, *noise, data.weight(row), &mut rng);
            means.into_iter().enumerate().map(new).collect()
        };
        let sets: Vec<Vec<f64>> = points.all.par_iter().enumerate().map(replicate).collect();
        let statistic = |(name, measure): (&'static str, Measure)| {
            let observed = measure(&observed);
            let mut made: Vec<f64> = sets.iter().map(|own| measure(own)).collect();
            made.sort_by(f64::total_cmp);
            let proportion = |what: &dyn Fn(f64) -> bool| {
                made.iter().filter(|own| what(**own)).count() as f64 / made.len() as f64
            };
            let p = 2.0 * proportion(&|own| own <= observed).min(proportion(&|own| own >= observed));
            Statistic {
                name,
                observed,
                mean: made.iter().copied().collect::<MeanVariance>().mean(),
                interval: Ends::of(data.level, |p| quantile_of_sorted(&made, p)),
                p_two_sided: p.min(1.0),
            }
        };
        let statistics = measures(&data.outcome).into_iter().map(statistic).collect();
        let densities = Densities::of(&data.outcome, &observed, &sets, data.level);
        Self { replications: sets.len(), level: data.level, statistics, densities }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |own: &Statistic| {
            let [low, high] = own.interval.ends;
            let numbers = [own.observed, own.mean, low, high, own.p_two_sided].map(significant);
            std::iter::once(own.name.to_owned()).chain(numbers).collect()
        };
        self.statistics.iter().map(row).collect()
    }

    fn columns(&self) -> [String; 6] {
        let [low, high] = self.level.percents();
        ["outcomes", "observed", "made anew", &low, &high, "two-sided p"].map(str::to_owned)
    }

    /// As text.
    pub(super) fn text(&self) -> String {
        let table = crate::text_table::aligned(&self.columns(), self.rows());
        format!("posterior predictive checks, {} sets of outcomes\n{table}", self.replications)
    }

    /// As a section of the page.
    pub(super) fn section(&self) -> Section {
        let text = format!(
            "Statistics of the outcomes beside those of {} sets that the fit made anew. A two-sided p of less than 0.05 or so says that the model makes other outcomes than these.",
            self.replications
        );
        Section::new("Posterior predictive checks", text, PageTable::new(self.columns(), self.rows()))
    }

    /// The distribution of outcomes, seen and made anew.
    pub(super) fn picture(&self, y: &str) -> Option<Picture> {
        let own = self.densities.as_ref()?;
        let band = own.places.iter().zip(&own.ends).map(|(x, [low, high])| BandPoint {
            x: *x,
            low: *low,
            high: *high,
        });
        let at =
            |heights: &[f64]| own.places.iter().copied().zip(heights.iter().copied()).collect::<Vec<_>>();
        let made =
            Ribbon { name: "made anew".to_owned(), line: at(&own.middle), bands: vec![band.collect()] };
        Some(ribbons((y, "density"), &[made, Ribbon::line("observed", at(&own.observed))], &[], None))
    }
}

impl Densities {
    /// Of numbers by kernels, of counts their proportions; none of classes.
    fn of(outcome: &Outcome, observed: &[f64], sets: &[Vec<f64>], level: Level) -> Option<Self> {
        let (low, high) = observed
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), own| (l.min(*own), h.max(*own)));
        let counts = matches!(outcome, Outcome::Counts(_));
        if matches!(outcome, Outcome::Classes { .. }) || !(high > low) {
            return None;
        }
        let one_by_one = counts && high - low <= MOST_COUNTS;
        let (places, width) = if one_by_one {
            let first = low.max(0.0);
            ((0..=(high - first) as usize).map(|own| first + own as f64).collect::<Vec<_>>(), 0.5)
        } else {
            // Silverman's rule.
            let sd = moments(observed).sample_variance().sqrt();
            let width = 1.06 * sd * (observed.len() as f64).powf(-0.2);
            let margin = if counts { 0.0 } else { 0.1 * (high - low) };
            let step = (high - low + 2.0 * margin) / (POINTS - 1) as f64;
            ((0..POINTS).map(|own| low - margin + step * own as f64).collect(), width)
        };
        let density = |outcomes: &[f64]| -> Vec<f64> {
            let rows = outcomes.len() as f64;
            let at = |place: &f64| {
                if one_by_one {
                    return outcomes.iter().filter(|own| *own == place).count() as f64 / rows;
                }
                let kernel = |own: &f64| (-0.5 * ((own - place) / width).powi(2)).exp();
                outcomes.iter().map(kernel).sum::<f64>() / (rows * width * std::f64::consts::TAU.sqrt())
            };
            places.iter().map(at).collect()
        };
        let made: Vec<Vec<f64>> = sets.par_iter().take(SETS_DRAWN).map(|own| density(own)).collect();
        let quantiles = |place: usize| {
            let mut own: Vec<f64> = made.iter().map(|own| own[place]).collect();
            own.sort_by(f64::total_cmp);
            let [low, high] = level.ends();
            [low, 0.5, high].map(|p| quantile_of_sorted(&own, p))
        };
        let all: Vec<[f64; 3]> = (0..places.len()).map(quantiles).collect();
        Some(Self {
            observed: density(observed),
            ends: all.iter().map(|[low, _, high]| [*low, *high]).collect(),
            middle: all.iter().map(|[_, middle, _]| *middle).collect(),
            places,
        })
    }
}

/// Sets whose densities are drawn.
const SETS_DRAWN: usize = 200;
