//! `posterior dist fit`.

use std::fmt::Write as _;

use posterior::dist::fit::{EstimableFamily, FAMILIES, FitError, FitOptions, ParameterFit};
use posterior::dist::goodness::FitStatistic;
use posterior::table::listed;
use serde::Serialize;
use serde::ser::SerializeMap as _;

use super::fit_report;
use super::fitted::{Fit, Found, Refused, Tested, parameters};
use super::sample_input::Input;
use crate::args::DistFit;
use crate::failure::Failure;
use crate::level::Level;
use crate::output::{grouped, significant};
use crate::run::Run;
use crate::text_table;

/// What a run answers.
#[derive(Serialize)]
struct Answer<'a> {
    y: &'a str,
    rows: usize,
    #[serde(skip_serializing_if = "is_zero")]
    censored: usize,
    level: Level,
    families: Vec<FamilyAnswer<'a>>,
    refused: &'a [Refused],
    #[serde(skip_serializing_if = "Option::is_none")]
    goodness: Option<TestAnswer>,
    notes: &'a [String],
}

/// Whether the best fits at all, or why that is not known.
#[derive(Serialize)]
#[serde(untagged)]
enum TestAnswer {
    Tested {
        family: &'static str,
        test: String,
        statistic: Option<f64>,
        p_value: f64,
        simulations: usize,
        not_fitted: usize,
    },
    NotTested {
        family: &'static str,
        not_tested: String,
    },
}

impl TestAnswer {
    fn of(own: &Tested) -> Self {
        let family = own.family;
        match &own.answer {
            Ok(answer) => {
                let (simulations, not_fitted) = own.simulations();
                Self::Tested {
                    family,
                    test: FitStatistic::default().to_string(),
                    // JSON has no infinity.
                    statistic: Some(answer.statistic).filter(|own| own.is_finite()),
                    p_value: answer.p_value,
                    simulations,
                    not_fitted,
                }
            }
            Err(error) => Self::NotTested { family, not_tested: error.to_string() },
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[derive(Serialize)]
struct FamilyAnswer<'a> {
    family: &'a str,
    distribution: String,
    ln_likelihood: f64,
    aic: f64,
    bic: f64,
    behind: f64,
    parameters: Vec<ParameterAnswer<'a>>,
}

/// A parameter, the ends of whose interval are named by the level.
struct ParameterAnswer<'a> {
    own: &'a ParameterFit,
    level: Level,
}

impl Serialize for ParameterAnswer<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.own.name)?;
        map.serialize_entry("value", &self.own.value)?;
        if let Some(error) = self.own.standard_error {
            map.serialize_entry("standard_error", &error)?;
        }
        if let Some((low, high)) = self.own.interval {
            for (name, end) in self.level.names().iter().zip([low, high]) {
                // JSON has no infinity.
                map.serialize_entry(name, &Some(end).filter(|own| own.is_finite()))?;
            }
        }
        map.end()
    }
}

/// Runs the verb.
pub(crate) fn run(args: &DistFit) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let families = asked(args)?;
    let options = options(args)?;
    let input = Input::read(args)?;
    run.claim(args.out.as_deref(), fit_report::NAMES)?;
    run.notes(&input.notes);
    let mut found = run.during("fitting", || find(&families, args, &input, &options))?;
    found.test = run.during("simulating", || Tested::new(&found.fits[0], args, &input, &options));
    let answer = Answer {
        y: &input.y,
        rows: input.sample.observations().len(),
        censored: input.censored,
        level: found.level,
        families: found.fits.iter().map(|own| of_family(own, found.level)).collect(),
        refused: &found.refused,
        goodness: found.test.as_ref().map(TestAnswer::of),
        notes: &input.notes,
    };
    run.write("report.html", |folder| fit_report::write(folder, &run, &input, &found))?;
    run.print(|| &answer, || text(&input, &found))
}

fn of_family(fit: &Fit, level: Level) -> FamilyAnswer<'_> {
    FamilyAnswer {
        family: fit.family,
        distribution: fit.own.distribution.to_string(),
        ln_likelihood: fit.own.ln_likelihood,
        aic: fit.own.aic,
        bic: fit.own.bic,
        behind: fit.behind,
        parameters: fit.own.parameters.iter().map(|own| ParameterAnswer { own, level }).collect(),
    }
}

/// The families that were named; none if all that can have the values are meant.
fn asked(args: &DistFit) -> Result<Vec<EstimableFamily>, Failure> {
    let one = |name: &String| {
        EstimableFamily::named(name).map_err(|error| {
            let names: Vec<&str> = FAMILIES.iter().map(EstimableFamily::name).collect();
            Failure::Usage(format!("--family: {error}")).with_hint(format!("these can: {}", names.join(", ")))
        })
    };
    if let Some(twice) =
        (1..args.family.len()).find(|&place| args.family[..place].contains(&args.family[place]))
    {
        return Err(Failure::Usage(format!("--family: {} is there twice", args.family[twice])));
    }
    args.family.iter().map(one).collect()
}

/// The parameters that are not estimated.
fn options(args: &DistFit) -> Result<FitOptions, Failure> {
    args.known.iter().try_fold(FitOptions::default(), |options, text| {
        let parts =
            text.split_once('=').and_then(|(name, value)| Some((name.trim(), value.trim().parse().ok()?)));
        let wrong =
            || Failure::Usage(format!("--known: expected NAME=VALUE, such as trials=10, found {text:?}"));
        let (name, value): (&str, f64) = parts.ok_or_else(wrong)?;
        Ok(options.with_known(name, value))
    })
}

/// The fits, the best first, with intervals of those that were named, or of the best.
fn find(
    named: &[EstimableFamily],
    args: &DistFit,
    input: &Input,
    options: &FitOptions,
) -> Result<Found, Failure> {
    let level = args.level.level;
    let all = if named.is_empty() {
        // The density of a direction goes round, and is none of the numbers of the line.
        let of_line = FAMILIES.iter().copied().filter(|own| own.name() != "von_mises");
        of_line.filter(|own| own.is_discrete() == input.are_counts).collect()
    } else {
        named.to_vec()
    };
    let (mut fits, mut refused) = (Vec::new(), Vec::new());
    for family in all {
        let fitted = if named.is_empty() {
            family.fit_alone(&input.sample, options)
        } else {
            family.fit(&input.sample, options, level.probability())
        };
        match fitted {
            Ok(own) => fits.push(Fit { family: family.name(), own, behind: 0.0 }),
            Err(FitError::Wanted { .. }) if named.is_empty() => {}
            Err(error) => refused.push(Refused { family: family.name(), reason: input.reason(&error) }),
        }
    }
    fits.sort_by(|a, b| a.own.aic.total_cmp(&b.own.aic));
    let Some(best) = fits.first_mut() else { return Err(none_fits(input, &refused)) };
    if named.is_empty() {
        let family = EstimableFamily::named(best.family).map_err(crate::failure::refused)?;
        let again = family.fit(&input.sample, options, level.probability());
        best.own = again.map_err(crate::failure::refused)?;
    }
    let lowest = best.own.aic;
    for own in &mut fits {
        own.behind = own.own.aic - lowest;
    }
    Ok(Found { fits, refused, level, test: None })
}

/// Nothing could be fitted.
fn none_fits(input: &Input, refused: &[Refused]) -> Failure {
    let place = input.place();
    match refused {
        [one] => Failure::data(format!("{place}: {}: {}", one.family, one.reason)),
        all => {
            let reasons: Vec<String> =
                all.iter().map(|own| format!("{}: {}", own.family, own.reason)).collect();
            Failure::data(format!("{place}: nothing can be fitted: {}", listed(&reasons)))
        }
    }
}

fn text(input: &Input, found: &Found) -> String {
    let rows = grouped(input.sample.observations().len() as u64);
    let censored = match input.censored {
        0 => String::new(),
        count => format!(", {} of them known to be more", grouped(count as u64)),
    };
    let values = if rows == "1" { "value" } else { "values" };
    let mut text = format!("{}: {}, {rows} {values}{censored}\n", input.source, input.y);
    let header = ["distribution", "ln likelihood", "AIC", "behind", "BIC"];
    let line = |own: &Fit| {
        let numbers = [own.own.ln_likelihood, own.own.aic, own.behind, own.own.bic];
        let numbers = numbers.iter().map(|number| format!("{number:.2}"));
        std::iter::once(own.family.to_owned()).chain(numbers).collect()
    };
    text += &text_table::aligned(&header, found.fits.iter().map(line).collect());
    let [low, high] = found.level.names();
    let header = ["parameter", "value", "standard error", &low, &high];
    let rows = parameters(found, significant);
    text += "\n";
    text += &text_table::aligned(&header, rows.into_iter().map(|own| own[1..].to_vec()).collect());
    if let Some(test) = &found.test {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{}", test.sentence());
    }
    if !found.refused.is_empty() {
        text += "\n";
    }
    for own in &found.refused {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "not fitted: {}: {}", own.family, own.reason);
    }
    text
}
