//! Priors of variance components as they are written: `sd(school) ~ exponential(0.1)`.

use posterior::dist::{Beta, Exponential, Gamma, HalfNormal, HalfStudentT, LogNormal, Normal};
use posterior::hierarchical::HyperparameterPrior;
use posterior::math::ParamError;

use crate::failure::Failure;

/// A prior by its name and its parameters.
type Family = (&'static str, &'static [&'static str]);

const FAMILIES: [Family; 8] = [
    ("exponential", &["RATE"]),
    ("gamma", &["SHAPE", "RATE"]),
    ("beta", &["A", "B"]),
    ("normal", &["MEAN", "SD"]),
    ("half-normal", &["SD"]),
    ("half-student", &["DF", "SD"]),
    ("log-normal", &["MEAN", "SD"]),
    ("flat", &[]),
];

/// The name of the component, and its prior, of an option.
pub(in super::super) fn parsed(option: &str, text: &str) -> Result<(String, HyperparameterPrior), Failure> {
    let wrong = |message: String| Failure::Usage(format!("{option} {text:?}: {message}"));
    let (name, prior) = text
        .split_once('~')
        .ok_or_else(|| wrong("expected NAME ~ PRIOR, as in \"sd(school) ~ exponential(0.1)\"".to_owned()))?;
    let prior = prior.trim();
    let (family, inside) = match prior.split_once('(') {
        Some((family, rest)) => (family.trim(), rest.trim_end().strip_suffix(')')),
        None => (prior, Some("")),
    };
    let inside = inside.ok_or_else(|| wrong(format!("`{prior}` has no closing parenthesis")))?;
    let known = FAMILIES.iter().find(|(own, _)| *own == family);
    let Some((_, names)) = known else {
        let all: Vec<&str> = FAMILIES.iter().map(|(own, _)| *own).collect();
        return Err(wrong(format!("there is no prior {family:?}: there are {}", all.join(", "))));
    };
    let number = |own: &str| own.trim().parse::<f64>().map_err(|_| wrong(format!("{own:?} is not a number")));
    let given = inside.split(',').filter(|own| !own.trim().is_empty());
    let given = given.map(number).collect::<Result<Vec<f64>, _>>()?;
    if given.len() != names.len() {
        return Err(wrong(format!("expected {family}({})", names.join(", "))));
    }
    let prior = prior_of(family, &given).map_err(|error| wrong(error.to_string()))?;
    Ok((name.trim().to_owned(), prior))
}

fn prior_of(family: &str, given: &[f64]) -> Result<HyperparameterPrior, ParamError> {
    Ok(match (family, given) {
        ("exponential", [rate]) => HyperparameterPrior::density(Exponential::new(*rate)?),
        ("gamma", [shape, rate]) => HyperparameterPrior::density(Gamma::shape_rate(*shape, *rate)?),
        ("beta", [a, b]) => HyperparameterPrior::density(Beta::new(*a, *b)?),
        ("normal", [mean, sd]) => HyperparameterPrior::density(Normal::mean_sd(*mean, *sd)?),
        ("half-normal", [sd]) => HyperparameterPrior::density(HalfNormal::new(*sd)?),
        ("half-student", [degrees, sd]) => HyperparameterPrior::density(HalfStudentT::new(*degrees, *sd)?),
        ("log-normal", [mean, sd]) => HyperparameterPrior::density(LogNormal::new(*mean, *sd)?),
        _ => HyperparameterPrior::flat(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_are_read() {
        let (name, prior) = parsed("--prior", "sd(school) ~ exponential(0.5)").unwrap();
        assert_eq!(name, "sd(school)");
        assert!((prior.ln_pdf(2.0) - (0.5_f64.ln() - 1.0)).abs() < 1e-15);
        assert!(parsed("--prior", "correlation(g: 1, x)~flat").is_ok());
        for (text, message) in [
            ("sd(a)", "expected NAME ~ PRIOR"),
            ("sd(a) ~ uniform(0, 1)", "there is no prior \"uniform\": there are exponential, gamma"),
            ("sd(a) ~ gamma(1)", "expected gamma(SHAPE, RATE)"),
            ("sd(a) ~ gamma(1, b)", "\" b\" is not a number"),
            ("sd(a) ~ gamma(1, 2", "no closing parenthesis"),
            ("sd(a) ~ exponential(-1)", "rate"),
        ] {
            let Err(Failure::Usage(found)) = parsed("--prior", text) else { panic!("{text}") };
            assert!(found.contains(message), "{found}");
        }
    }
}
