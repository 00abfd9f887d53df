//! A regression as a program in Stan's language.

use posterior::hierarchical::{HyperparameterPrior, StanProgram};

use super::data_input::{Data, Source};
use super::hierarchical::{Known, priors};
use crate::args::{Family, LevelArgs, ModelWrite, Penalty, RegressFit, RegressPrior, ValidationArgs};
use crate::failure::{Failure, refused};
use crate::level::Level;

/// Families whose likelihood is written.
const WRITTEN: &str = "gaussian, bernoulli, poisson, negative-binomial, gamma, student, log-normal and beta";

/// A program with notes about rows and columns that were left out, and the priors of what has one.
pub(crate) struct Written {
    pub(crate) program: StanProgram,
    pub(crate) notes: Vec<String>,
}

/// A prior by the name of what it is of.
type NamedPrior = (String, HyperparameterPrior);

/// The model of `regress fit` with these options.
pub(crate) fn written(args: &ModelWrite) -> Result<Written, Failure> {
    if matches!(
        args.family,
        Family::Weibull
            | Family::Exponential
            | Family::ZeroInflatedPoisson
            | Family::Ordinal
            | Family::Softmax
            | Family::Mlp
    ) {
        return Err(Failure::Usage(format!("--family: programs are written of {WRITTEN}")));
    }
    if args.neighbours.is_some() && !args.formula.contains("car(") {
        return Err(Failure::Usage("--neighbours: the formula has no car(area)".to_owned()));
    }
    let fit = regression(args)?;
    let source = Source::open(&fit)?;
    let mut data = Data::of(&fit, &source, &source.table, None)?;
    data.effects = data.coding.formula_data(&source.table)?;
    let known = Known::of(&fit, &data)?;
    let given: Vec<NamedPrior> =
        args.priors.iter().map(|text| priors::parsed("--prior", text)).collect::<Result<_, _>>()?;
    let (formula, model) = known.model(None, None)?;
    if let Some(name) = formula.measured().first() {
        return Err(unwritten(&format!("measured({name})")));
    }
    let columns = formula.columns();
    let (of_columns, others): (Vec<NamedPrior>, Vec<NamedPrior>) = given
        .into_iter()
        .map(|(name, prior)| (called(name), prior))
        .partition(|(name, _)| columns.contains(name));
    let mut model = model;
    for (name, prior) in others {
        model = model.with_prior(&name, prior).map_err(|error| {
            let own = columns.iter().map(|own| format!("{own:?}")).collect::<Vec<_>>().join(", ");
            refused(error).with_hint(format!("coefficients are {own}"))
        })?;
    }
    let about = [
        format!(
            "{}, family {}{}",
            args.formula,
            name(args.family),
            known.link().map_or_else(String::new, |own| format!(", link {own}"))
        ),
        format!("written by posterior {}", env!("CARGO_PKG_VERSION")),
    ];
    let about: Vec<&str> = about.iter().map(String::as_str).collect();
    let program = StanProgram::of(&model, &of_columns, &about).map_err(|error| {
        refused(error).with_hint("`posterior regress fit` fits it, by nested Laplace approximation")
    })?;
    let notes = source.left_out.into_iter().chain(data.coding.left_out()).collect();
    Ok(Written { program, notes })
}

fn unwritten(term: &str) -> Failure {
    Failure::data(format!("the term {term:?} is not written in Stan's language"))
        .with_hint("`posterior regress fit` fits it, by nested Laplace approximation")
}

/// A coefficient's name in a formula.
fn called(name: String) -> String {
    if name == "intercept" { "(Intercept)".to_owned() } else { name }
}

fn name(family: Family) -> String {
    use clap::ValueEnum as _;
    family.to_possible_value().map_or_else(String::new, |own| own.get_name().to_owned())
}

/// The same as options of `regress fit`.
fn regression(args: &ModelWrite) -> Result<RegressFit, Failure> {
    let prior_sd = match args.prior_sd.as_str() {
        "flat" => None,
        text => match text.parse::<f64>() {
            Ok(sd) if sd > 0.0 && sd.is_finite() => Some(sd),
            _ => return Err(Failure::Usage("--prior-sd: expected a positive number, or flat".to_owned())),
        },
    };
    Ok(RegressFit {
        data: Some(args.data.clone()),
        formula: Some(args.formula.clone()),
        y: None,
        x: Vec::new(),
        categorical: Vec::new(),
        weights: args.weights.clone(),
        offset: args.offset.clone(),
        family: args.family,
        event: None,
        effect_priors: Vec::new(),
        link: args.link,
        levels: Vec::new(),
        features: "raw".to_owned(),
        engine: None,
        prior_sd,
        prior: RegressPrior::Normal,
        penalty: Penalty::Best,
        mixing: 0.5,
        effects: false,
        checks: false,
        errors: None,
        verify: false,
        neighbours: args.neighbours.clone(),
        hidden: 1,
        predict: None,
        validation: ValidationArgs::default(),
        level: LevelArgs { level: Level::default() },
        out: None,
        missing_rows: args.missing_rows.clone(),
        table: args.table.clone(),
        common: args.common.clone(),
    })
}
