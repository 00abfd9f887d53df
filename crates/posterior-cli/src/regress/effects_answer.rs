//! What a fit says of the effects of its formula: numbers, text, and the sections and pictures of a page.

use std::fmt::Write as _;

use posterior::hierarchical::PredictiveCriteria;
use posterior_report::{BandPoint, Interval, Page, PageTable, Picture, Ribbon, ribbons, shrinkage};

use serde::Serialize;

use super::effect_drawing::EffectDrawing;
use super::estimate::{Estimate, table};
use crate::failure::Failure;
use crate::level::Level;
use crate::output::{cell, percent, significant};
use crate::output_folder::OutputFolder;
use crate::pictures::Pictures;
use crate::text_table;

// Writing to a string cannot fail, hence the results that are dropped.

/// Values of an effect that text and pictures show.
const SHOWN: usize = 24;
const DRAWN: usize = 60;

/// Terms that a headline names.
const HEADLINE: usize = 5;

/// How many effects have pictures: the names of the files are known before the run.
const PICTURES: usize = 9;

/// What a fit says of its effects.
#[derive(Debug, Serialize)]
pub(super) struct EffectsAnswer {
    /// Standard deviations, correlations and ranges of the effects, and what the family has of its own.
    pub(super) components: Vec<Estimate>,
    /// What is thought of each before the data.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) priors: Vec<Prior>,
    /// The proportion of the variance of the predictors, and of the noise where it is normal, that each part
    /// has.
    pub(super) explained: Vec<Part>,
    pub(super) values: Vec<EffectValues>,
    /// How well each row is predicted from the others. None where likelihoods are maximised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) criteria: Option<Criteria>,
    /// The logarithm of the maximum of the likelihood, restricted or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ln_likelihood: Option<f64>,
    /// The same numbers by a chain on the exact posterior.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) verified: Vec<Verified>,
}

/// A prior as it is written.
#[derive(Debug, Serialize)]
pub(super) struct Prior {
    pub(super) name: String,
    pub(super) prior: String,
}

/// A part of the variance.
#[derive(Debug, Serialize)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) proportion: f64,
}

/// The values of an effect: of groups, times, areas.
#[derive(Debug, Serialize)]
pub(super) struct EffectValues {
    pub(super) name: String,
    pub(super) term: String,
    /// Where each value is, on a line or in a plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) places: Option<Vec<Vec<f64>>>,
    pub(super) values: Vec<Estimate>,
    /// What the rows of each group or area say alone, for its picture; empty of other effects.
    #[serde(skip)]
    pub(super) alone: Vec<f64>,
    /// What is between them, of curves, surfaces and fields that go into a report.
    #[serde(skip)]
    pub(super) drawn: Option<EffectDrawing>,
}

/// Criteria of prediction.
#[derive(Debug, Serialize)]
pub(super) struct Criteria {
    /// The sum of ln p of each row given the others.
    pub(super) elpd_loo: f64,
    pub(super) waic: f64,
    pub(super) dic: f64,
    /// The effective numbers of parameters of WAIC and DIC.
    pub(super) waic_parameters: f64,
    pub(super) dic_parameters: f64,
}

impl Criteria {
    pub(super) fn of(own: &PredictiveCriteria) -> Self {
        Self {
            elpd_loo: own.elpd_loo,
            waic: own.waic,
            dic: own.dic,
            waic_parameters: own.waic_parameters,
            dic_parameters: own.dic_parameters,
        }
    }
}

/// A number by both ways.
#[derive(Debug, Serialize)]
pub(super) struct Verified {
    pub(super) name: String,
    pub(super) mean: f64,
    pub(super) sd: f64,
    /// Of the chain.
    pub(super) chain_mean: f64,
    pub(super) chain_sd: f64,
    /// How far apart both means are, in standard errors of the chain's.
    pub(super) difference_in_mcse: f64,
    pub(super) rhat: f64,
    pub(super) ess_bulk: f64,
}

impl EffectsAnswer {
    /// Tables below the coefficients.
    pub(super) fn text(&self, level: Level) -> String {
        let mut text = String::new();
        let header = self.component_columns("variance component", level);
        let _ = writeln!(text, "{}", text_table::aligned(&header, self.component_rows()));
        if !self.priors.is_empty() {
            let _ = writeln!(text, "priors: {}\n", self.prior_sentence());
        }
        let _ =
            writeln!(text, "{}", text_table::aligned(&["part of the variance", "proportion"], self.parts()));
        for effect in &self.values {
            let step = effect.values.len().div_ceil(SHOWN).max(1);
            let some: Vec<Estimate> = effect.values.iter().step_by(step).cloned().collect();
            text.push_str(&text_table::aligned(&named(&effect.title(), level), table(&some)));
            if step > 1 {
                let all = effect.values.len();
                let _ = writeln!(text, "({} of {all} values; all with --format json or --out)", some.len());
            }
            text.push('\n');
        }
        for (name, value) in self.facts() {
            let _ = writeln!(text, "{name}  {value}");
        }
        if !self.verified.is_empty() {
            let _ = writeln!(text, "\n{}", text_table::aligned(&VERIFIED, Verified::rows(&self.verified)));
        }
        text
    }

    /// The columns and the terms of the effects: the first few.
    pub(super) fn names(&self, columns: &[String]) -> Vec<String> {
        let mut names: Vec<String> = columns.to_vec();
        names.extend(self.values.iter().map(|own| own.term.clone()));
        names.dedup();
        if names.len() > HEADLINE {
            let more = names.len() - HEADLINE;
            names.truncate(HEADLINE);
            names.push(format!("{more} more"));
        }
        names
    }

    /// Criteria, or the likelihood.
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let mut facts = Vec::new();
        if let Some(own) = &self.criteria {
            facts.push(("elpd (leave-one-out)".to_owned(), significant(own.elpd_loo)));
            let of = |value: f64, parameters: f64| {
                format!("{} ({} effective parameters)", significant(value), significant(parameters))
            };
            facts.push(("WAIC".to_owned(), of(own.waic, own.waic_parameters)));
            facts.push(("DIC".to_owned(), of(own.dic, own.dic_parameters)));
        }
        facts.extend(self.ln_likelihood.map(|own| ("ln likelihood".to_owned(), significant(own))));
        facts
    }

    /// Writes `components.csv`, `effect_values.csv` and `effect_grids.csv`.
    pub(super) fn put(&self, folder: &OutputFolder, level: Level) -> Result<(), Failure> {
        let cells = |own: &Estimate| {
            let [low, high] = own.interval;
            let numbers = [own.mean, own.sd, low, high].map(cell);
            std::iter::once(own.name.clone()).chain(numbers).collect::<Vec<_>>()
        };
        let names = level.names();
        let header = ["name", "mean", "sd"].map(str::to_owned).into_iter().chain(names);
        folder.put_table("components.csv", header.clone(), self.components.iter().map(cells))?;
        let rows = self.values.iter().flat_map(|effect| {
            effect.values.iter().map(|own| std::iter::once(effect.name.clone()).chain(cells(own)))
        });
        folder.put_table("effect_values.csv", std::iter::once("effect".to_owned()).chain(header), rows)?;
        let rows = self.values.iter().flat_map(|effect| {
            let of = |row: Vec<String>| std::iter::once(effect.name.clone()).chain(row);
            effect.drawn.iter().flat_map(EffectDrawing::rows).map(of)
        });
        let header = ["effect", "x", "z", "mean"].map(str::to_owned).into_iter().chain(level.names());
        if self.values.iter().any(|effect| effect.drawn.is_some()) {
            folder.put_table("effect_grids.csv", header, rows)?;
        }
        Ok(())
    }

    /// Estimates of maximum likelihood have no intervals.
    fn component_columns(&self, what: &str, level: Level) -> Vec<String> {
        if self.ln_likelihood.is_some() {
            vec![what.to_owned(), "estimate".to_owned()]
        } else {
            named(what, level)
        }
    }

    /// The priors in one line.
    fn prior_sentence(&self) -> String {
        let all = self.priors.iter().map(|own| format!("{} ~ {}", own.name, own.prior));
        all.collect::<Vec<_>>().join(", ")
    }

    fn component_rows(&self) -> Vec<Vec<String>> {
        if self.ln_likelihood.is_none() {
            return table(&self.components);
        }
        self.components.iter().map(|own| vec![own.name.clone(), significant(own.mean)]).collect()
    }

    fn parts(&self) -> Vec<Vec<String>> {
        self.explained.iter().map(|own| vec![own.name.clone(), percent(own.proportion)]).collect()
    }

    /// A picture for each of the first effects.
    pub(super) fn pictures(&self) -> impl Iterator<Item = (String, Option<Picture>)> + '_ {
        let numbered = self.values.iter().take(PICTURES).enumerate();
        numbered.map(|(place, own)| (file_name(place), own.picture()))
    }

    /// The sections of a page.
    pub(super) fn show(&self, page: &mut Page, pictures: &Pictures, level: Level) {
        let mut text = "What effects differ by, and what the family has of its own.".to_owned();
        if !self.priors.is_empty() {
            let _ = write!(text, " Priors: {}.", self.prior_sentence());
        }
        page.section(
            "Variance components",
            text,
            PageTable::new(self.component_columns("component", level), self.component_rows()),
        );
        let text = "Of the variance of the predictors over the rows, and of the noise of numbers.";
        page.section("Parts of the variance", text, PageTable::new(["part", "proportion"], self.parts()));
        for (place, effect) in self.values.iter().enumerate() {
            if let Some(picture) = pictures.get(&file_name(place)) {
                page.figure(effect.title(), effect.sentence(), picture, effect.caption(level));
            }
        }
        if !self.verified.is_empty() {
            let text = "Means and standard deviations of the approximation beside those of a chain on the exact posterior; the difference is in standard errors of the chain's mean.";
            page.section(
                "The approximation and a chain",
                text,
                PageTable::new(VERIFIED, Verified::rows(&self.verified)),
            );
        }
    }
}

fn file_name(place: usize) -> String {
    format!("effect_{}", place + 1)
}

const VERIFIED: [&str; 7] = ["name", "mean", "sd", "chain mean", "chain sd", "difference", "R-hat"];

impl Verified {
    fn rows(all: &[Self]) -> Vec<Vec<String>> {
        let row = |own: &Self| {
            let numbers = [own.mean, own.sd, own.chain_mean, own.chain_sd, own.difference_in_mcse, own.rhat];
            std::iter::once(own.name.clone()).chain(numbers.map(significant)).collect()
        };
        all.iter().map(row).collect()
    }
}

impl EffectValues {
    /// The name, and the term where that says more.
    fn title(&self) -> String {
        if self.name == self.term { self.name.clone() } else { format!("{} of {}", self.name, self.term) }
    }

    /// How many numbers it is a function of; none of groups and areas.
    pub(super) fn axes(&self) -> Option<usize> {
        self.places.as_ref()?.first().map(Vec::len)
    }

    fn sentence(&self) -> String {
        if let Some(own) = &self.drawn {
            return own.sentence();
        }
        match &self.places {
            None if self.values.len() > DRAWN => {
                let all = self.values.len();
                let drawn = all.div_ceil(all.div_ceil(DRAWN));
                format!(
                    "On the scale of the predictor; {drawn} of {all} values, at equal distances in their order."
                )
            }
            _ => "On the scale of the predictor.".to_owned(),
        }
    }

    fn caption(&self, level: Level) -> String {
        match (&self.drawn, &self.places) {
            (Some(own), _) => own.caption(level),
            (None, Some(_)) => format!("Line: the mean; band: its interval of {level}."),
            (None, None) if self.alone.is_empty() => {
                format!("Means with their intervals of {level}, by size.")
            }
            (None, None) => format!(
                "Dots: means with their intervals of {level}, by size. Rings: what the rows of each say alone, without the others; from there it is drawn to zero."
            ),
        }
    }

    /// A ring for each value, if there are any.
    fn rings(&self) -> impl Iterator<Item = f64> + '_ {
        self.alone.iter().copied().chain(std::iter::repeat(f64::NAN))
    }

    fn picture(&self) -> Option<Picture> {
        if let Some(own) = &self.drawn {
            return own.picture(&self.name);
        }
        let finite = |own: &Estimate| own.interval.iter().all(|end| end.is_finite());
        match &self.places {
            None => {
                let mut sorted: Vec<(&Estimate, f64)> = self.values.iter().zip(self.rings()).collect();
                sorted.retain(|(own, _)| finite(own));
                sorted.sort_by(|a, b| b.0.mean.total_cmp(&a.0.mean));
                let step = sorted.len().div_ceil(DRAWN).max(1);
                let row = |(own, _): &(&Estimate, f64)| {
                    let [low, high] = own.interval;
                    Interval { name: own.name.clone(), low, middle: own.mean, high }
                };
                let rows: Vec<Interval> = sorted.iter().step_by(step).map(row).collect();
                let rings: Vec<f64> = sorted.iter().step_by(step).map(|(_, ring)| *ring).collect();
                (!rows.is_empty()).then(|| shrinkage(&self.name, &rows, &rings))
            }
            Some(places) => {
                let points = || places.iter().map(|place| place[0]).zip(&self.values);
                let line = points().map(|(x, own)| (x, own.mean)).collect();
                let band =
                    points().map(|(x, own)| BandPoint { x, low: own.interval[0], high: own.interval[1] });
                let ribbon = Ribbon { name: String::new(), line, bands: vec![band.collect()] };
                let inside = self.name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
                Some(ribbons((inside.unwrap_or_default(), &self.name), &[ribbon], &[], None))
            }
        }
    }
}

fn named(what: &str, level: Level) -> Vec<String> {
    [what, "mean", "sd"].map(str::to_owned).into_iter().chain(level.percents()).collect()
}
