//! Errors that do not trust the model's variances: sandwich estimates around maximum likelihood.

use posterior::math::iteration::Silent;
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::glm::{
    Family as GlmFamily, Glm, GlmFitOptions, NegativeBinomialRegression, Sandwich,
};
use posterior_report::{PageTable, Section};
use serde::Serialize;

use super::data_input::Data;
use super::standard::Standard;
use crate::args::{Family, RegressFit, RobustKind};
use crate::failure::{Failure, refused};
use crate::level::{Ends, Level};
use crate::output::significant;

/// With fewer clusters their errors are too small.
const FEW_CLUSTERS: usize = 30;

/// Coefficients of maximum likelihood, with the errors of the model and robust ones.
#[derive(Debug, Serialize)]
pub(super) struct RobustErrors {
    /// hc0 to hc3, or cluster.
    kind: &'static str,
    /// How many clusters.
    #[serde(skip_serializing_if = "Option::is_none")]
    clusters: Option<usize>,
    level: Level,
    coefficients: Vec<RobustCoefficient>,
}

#[derive(Debug, Serialize)]
struct RobustCoefficient {
    name: String,
    estimate: f64,
    /// By the model.
    standard_error: f64,
    robust_standard_error: f64,
    /// Where the coefficient is by the robust error.
    #[serde(flatten)]
    interval: Ends,
}

impl RobustErrors {
    /// Of the rows, whatever the prior.
    pub(super) fn of(
        args: &RegressFit,
        kind: &RobustKind,
        data: &Data,
        distribution: GlmFamily,
    ) -> Result<Self, Failure> {
        Self::fitted(args, kind, data, distribution).map_err(|error| {
            refused(format!("--errors: {error}"))
                .with_hint("errors by sandwich need coefficients of maximum likelihood: more rows than columns, none a combination of others, and classes that no column separates")
        })
    }

    fn fitted(
        args: &RegressFit,
        kind: &RobustKind,
        data: &Data,
        distribution: GlmFamily,
    ) -> Result<Self, Error> {
        let y = data.outcome.heights();
        let standard = Standard::of(&data.design.values, data.coding.has_intercept());
        let design = standard.with_intercept(&data.design.values);
        let names: Vec<String> =
            standard.intercept().map(str::to_owned).into_iter().chain(data.coding.names.clone()).collect();
        let rows = data.glm(&design, &y)?.with_names(names.clone())?;
        let options = GlmFitOptions::default();
        let distribution = if args.family == Family::NegativeBinomial {
            let model = NegativeBinomialRegression::new(rows.clone())?;
            match model.fit(&options, &mut Silent)?.model.size {
                Some(size) => GlmFamily::negative_binomial(size.value)?,
                None => distribution,
            }
        } else {
            distribution
        };
        let model = Glm::new(distribution, rows)?;
        let fit = model.fit(&options, &mut Silent)?.model;
        let (kind, covariance) = match (kind, &data.clusters) {
            (RobustKind::Hc0, _) => ("hc0", model.sandwich(&fit, Sandwich::Hc0)?),
            (RobustKind::Hc1, _) => ("hc1", model.sandwich(&fit, Sandwich::Hc1)?),
            (RobustKind::Hc2, _) => ("hc2", model.sandwich(&fit, Sandwich::Hc2)?),
            (RobustKind::Hc3, _) => ("hc3", model.sandwich(&fit, Sandwich::Hc3)?),
            (RobustKind::Cluster(_), clusters) => {
                let clusters = clusters.as_deref().unwrap_or_default();
                ("cluster", model.clustered_sandwich(&fit, clusters)?)
            }
        };
        let clusters = data.clusters.as_ref().and_then(|all| all.iter().max()).map(|last| last + 1);
        let estimates = standard.coefficients(&fit.coefficients);
        let errors = standard.deviations(&fit.covariance).into_iter().zip(standard.deviations(&covariance));
        let one =
            |(name, (estimate, errors)): (String, (f64, (f64, f64)))| -> Result<RobustCoefficient, Error> {
                let (standard_error, robust) = errors;
                let spread = Coefficient::normal("", estimate, robust)?;
                Ok(RobustCoefficient {
                    name,
                    estimate,
                    standard_error,
                    robust_standard_error: robust,
                    interval: Ends::of(data.level, |p| spread.quantile(p)),
                })
            };
        let rows = names.into_iter().zip(estimates.into_iter().zip(errors));
        let coefficients = rows.map(one).collect::<Result<_, Error>>()?;
        Ok(Self { kind, clusters, level: data.level, coefficients })
    }

    /// That errors by few clusters say too little.
    pub(super) fn warning(&self) -> Option<String> {
        let few = self.clusters.filter(|count| *count < FEW_CLUSTERS)?;
        Some(format!(
            "{few} clusters: errors by clusters are too small where there are fewer than {FEW_CLUSTERS} or so"
        ))
    }

    fn columns(&self) -> [String; 6] {
        let robust = format!("error, {}", self.kind);
        let [low, high] = self.level.percents();
        ["coefficient", "maximum likelihood", "error of the model", &robust, &low, &high].map(str::to_owned)
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |own: &RobustCoefficient| {
            let [low, high] = own.interval.ends;
            let numbers = [own.estimate, own.standard_error, own.robust_standard_error, low, high];
            std::iter::once(own.name.clone()).chain(numbers.map(significant)).collect()
        };
        self.coefficients.iter().map(row).collect()
    }

    fn title(&self) -> String {
        match self.clusters {
            Some(count) => format!("Robust errors by {count} clusters"),
            None => format!("Robust errors ({})", self.kind),
        }
    }

    /// As text.
    pub(super) fn text(&self) -> String {
        let columns = self.columns();
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        format!("{}\n{}", self.title(), crate::text_table::aligned(&names, self.rows()))
    }

    /// As a section of the page.
    pub(super) fn section(&self) -> Section {
        let text = "Coefficients of maximum likelihood, whatever the prior; intervals by the robust errors, which do not trust the model's variances.";
        Section::new(self.title(), text, PageTable::new(self.columns(), self.rows()))
    }
}
