//! A model as a program in Stan's language, with its data.

mod effects;
mod names;
mod sections;

use crate::Error;
use crate::model::HierarchicalModel;
use crate::prior::HyperparameterPrior;
use crate::written::WrittenResponse;
use names::Names;
use sections::{DataValue, Sections};

/// A program in Stan's language, and the data for it.
///
/// Every statement is of the model that it was written of: ln p differs by a constant from that of
/// [`ExactPosterior`](crate::ExactPosterior). Effects are non-centred: what is sampled is an effect over its
/// standard deviation.
///
/// ```
/// use posterior_hierarchical::{FamilyResponse, FieldEffect, HierarchicalModel, PlaceEffect as _, StanProgram};
///
/// let model = HierarchicalModel::new(FamilyResponse::poisson(), &[2.0, 3.0, 5.0, 8.0])?
///     .intercept()?
///     .effect(FieldEffect::groups("ward", 2)?.at(&[0, 0, 1, 1])?)?;
/// let program = StanProgram::of(&model, &[], &["counts ~ 1 + (1 | ward)"])?;
/// assert!(program.text.starts_with("// counts ~ 1 + (1 | ward)\n"));
/// assert!(program.text.contains("vector[J_ward] u_ward = sd_ward * z_ward;"));
/// assert!(program.text.contains("y ~ poisson_log(eta);"));
/// assert!(program.data.contains("\"group_ward\": [1, 1, 2, 2]"));
/// # Ok::<(), posterior_hierarchical::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StanProgram {
    /// The program.
    pub text: String,
    /// The data: an object of JSON with a member for each variable of the data block.
    pub data: String,
}

impl StanProgram {
    /// Writes a model. `priors` are of coefficients by the names of their columns, in the place of those that
    /// the model has; `about` are lines that stand first, as comments.
    ///
    /// # Errors
    /// A response, an effect, a prior that is not written in Stan's language, by its name; a missing
    /// response; several kinds of responses, and copies of effects; a prior of a column that there is not.
    ///
    /// Cost: O(n³) for an effect of n values that is no groups; its rows times n numbers of data.
    pub fn of(
        model: &HierarchicalModel,
        priors: &[(String, HyperparameterPrior)],
        about: &[&str],
    ) -> Result<Self, Error> {
        let unwritten = |what: &str, name: &str| Error::unwritten(what, name);
        let [part] = model.parts.as_slice() else {
            return Err(unwritten("a model with several kinds of responses", &model.parts[1].name));
        };
        if let Some(row) = model.y.iter().position(|y| y.is_nan()) {
            let (what, requirement) = ("the response".to_owned(), "known, to be written");
            return Err(Error::Observation { what, row, value: f64::NAN, requirement });
        }
        let response = part.response.written().ok_or_else(|| unwritten("the response", &part.name))?;
        let mut own = Sections::new(about);
        let hyperparameters = model.hyperparameters();
        own.rows(model.rows());
        responses(&mut own, &response, model)?;
        coefficients(&mut own, model, priors)?;
        let (of_response, mut of_effects) = hyperparameters.split_at(part.parameters.len());
        for (name, parameter) in response.parameters.iter().zip(of_response) {
            own.parameter(format!("real<lower=0> {name};"), &parameter.name);
            own.prior(name, parameter)?;
        }
        let mut names = Names::default();
        for placed in &model.effects {
            let (parameters, others) = of_effects.split_at(placed.hyperparameters.len());
            of_effects = others;
            effects::write(&mut own, placed, parameters, &names.give(placed.effect.name()))?;
        }
        likelihood(&mut own, &response, model);
        Ok(Self { text: own.text(), data: own.json() })
    }
}

/// The responses.
fn responses(own: &mut Sections, response: &WrittenResponse, model: &HierarchicalModel) -> Result<(), Error> {
    let whole = response.outcome.contains("int");
    if whole && let Some(row) = model.y.iter().position(|y| y.fract() != 0.0) {
        let (what, requirement) = ("the response".to_owned(), "a whole number, to be written");
        return Err(Error::Observation { what, row, value: model.y[row], requirement });
    }
    own.data(format!("{} y;", response.outcome), "the responses", "y", DataValue::Numbers(model.y.clone()));
    Ok(())
}

/// The fixed effects.
fn coefficients(
    own: &mut Sections,
    model: &HierarchicalModel,
    priors: &[(String, HyperparameterPrior)],
) -> Result<(), Error> {
    let columns = &model.columns;
    let known = || columns.iter().map(|column| column.name.as_str());
    if let Some((name, _)) = priors.iter().find(|(name, _)| !known().any(|own| own == name)) {
        return Err(Error::unknown("column", name, known()));
    }
    if columns.is_empty() {
        own.predictor("rep_vector(0, N)");
    } else {
        own.data("int<lower=0> K;".to_owned(), "columns", "K", DataValue::Count(columns.len()));
        let values = columns.iter().map(|column| column.values.clone()).collect();
        let named: Vec<String> = known().map(str::to_owned).collect();
        own.data("matrix[N, K] X;".to_owned(), &named.join(", "), "X", DataValue::Columns(values));
        own.parameter("vector[K] beta;".to_owned(), "coefficients of the columns of X");
        own.predictor("X * beta");
    }
    for (place, column) in columns.iter().enumerate() {
        let name = format!("beta[{}]", place + 1);
        let given = priors.iter().rev().find(|(other, _)| *other == column.name);
        match given {
            Some((_, prior)) => own.statements(&name, &column.name, prior)?,
            None if column.precision == 0.0 => own.flat(&name, &column.name),
            None => {
                let sd = column.precision.sqrt().recip();
                own.statement(format!("{name} ~ normal(0, {sd});"), &column.name);
            }
        }
    }
    if model.offset.iter().any(|own| *own != 0.0) {
        own.data(
            "vector[N] known;".to_owned(),
            "known part of the predictor",
            "known",
            DataValue::Numbers(model.offset.clone()),
        );
        own.predictor("known");
    }
    Ok(())
}

/// The statement of the responses, and what is generated.
fn likelihood(own: &mut Sections, response: &WrittenResponse, model: &HierarchicalModel) {
    let scaled = response.arguments.iter().any(|own| own.contains("{noise}"));
    let weighted = model.weights.iter().any(|own| *own != 1.0);
    let arguments = |eta: &str, noise: &str| {
        let own = response.arguments.iter().map(|own| own.replace("{eta}", eta).replace("{noise}", noise));
        own.collect::<Vec<_>>().join(", ")
    };
    let density = response.density;
    let suffix = if response.outcome.contains("int") { "lpmf" } else { "lpdf" };
    let noise = if scaled && weighted { [" * noise", " * noise[n]"] } else { ["", ""] };
    let (all, each) = (arguments("eta", noise[0]), arguments("eta[n]", noise[1]));
    match (weighted, scaled) {
        (false, _) => own.likelihood(format!("y ~ {density}({all});")),
        (true, true) => {
            let noise = model.weights.iter().map(|own| own.sqrt().recip()).collect();
            own.data(
                "vector<lower=0>[N] noise;".to_owned(),
                "1 / sqrt(weight)",
                "noise",
                DataValue::Numbers(noise),
            );
            own.likelihood(format!("y ~ {density}({all});"));
        }
        (true, false) => {
            let weights = DataValue::Numbers(model.weights.clone());
            own.data("vector<lower=0>[N] weight;".to_owned(), "numbers of equal rows", "weight", weights);
            own.likelihood(format!(
                "for (n in 1:N) target += weight[n] * {density}_{suffix}(y[n] | {each});"
            ));
        }
    }
    let replica = response.outcome.replace("lower=0, upper=1", "").replace("lower=0", "").replace("<>", "");
    own.generated(format!("vector[N] log_lik;\n  {replica} y_rep;\n  for (n in 1:N) {{\n    log_lik[n] = {density}_{suffix}(y[n] | {each});\n    y_rep[n] = {density}_rng({each});\n  }}"));
}
