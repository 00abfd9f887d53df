//! The same proportion from ten people and from a hundred, and with three priors.

use std::io::Write;

use posterior::dist::{Bernoulli, Beta, Conjugate, Mode, Univariate};
use posterior::report::{Figure, Interval, Page, Ribbon, intervals, ribbons};

use super::{curve, first, ln_fair_against, mean_and_sd};
use crate::Outcome;

pub(super) fn side_by_side(out: &mut dyn Write, prior: &Beta, page: &mut Page) -> Outcome<()> {
    let samples = [first(10)?, first(100)?];
    let posteriors = [Bernoulli::posterior(prior, &samples[0])?, Bernoulli::posterior(prior, &samples[1])?];
    let fair = [ln_fair_against(prior, &samples[0])?.exp(), ln_fair_against(prior, &samples[1])?.exp()];
    let both = |value: &dyn Fn(&Beta) -> f64| [value(&posteriors[0]), value(&posteriors[1])];
    let more = both(&|distribution| distribution.sf(0.5));
    let rows = [
        ("most probable", both(&|distribution| distribution.mode().unwrap_or(f64::NAN))),
        ("mean", both(&|distribution| mean_and_sd(distribution).0)),
        ("standard deviation", both(&|distribution| mean_and_sd(distribution).1)),
        (
            "width of the 95 % interval",
            both(&|distribution| distribution.upper_quantile(0.025) - distribution.quantile(0.025)),
        ),
        ("P(more than half)", more),
        ("fair coin against unknown", fair),
    ];
    writeln!(out, "\n{:32} {:>12} {:>12}", "The same proportion, twice", "6 of 10", "60 of 100")?;
    for (name, [few, many]) in rows {
        writeln!(out, "{name:32} {few:12.6} {many:12.6}")?;
    }
    page.standfirst.push(format!(
        "The most probable proportion is 0.6 after six of ten people, and after sixty of a hundred. That it is more than a half has the \
         probability {:.4} after the first, and {:.4} after the second.",
        more[0], more[1]
    ));
    page.fact("P(more than half), 6 of 10", format!("{:.4}", more[0]));
    page.fact("60 of 100", format!("{:.4}", more[1]));
    page.fact("fair coin against unknown, 6 of 10", format!("{:.2} : 1", fair[0]));
    page.fact("60 of 100", format!("{:.2} : 1", fair[1]));
    let ribbon = |name: &str, distribution: &Beta| Ribbon::line(name.to_owned(), curve(distribution));
    let lines = [ribbon("6 of 10", &posteriors[0]), ribbon("60 of 100", &posteriors[1])];
    page.lead = Some(Figure::new(
        ribbons(("proportion of people with glasses", "density"), &lines, &[], Some(0.5)),
        "What is known of the proportion, from nothing known before. The dashed line is one half.",
    ));
    Ok(())
}

pub(super) fn priors(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    writeln!(
        out,
        "\n{:32} {:>8} {:>17} {:>17}",
        "Three priors: mean ± sd", "before", "6 of 10", "60 of 100"
    )?;
    let priors = [
        ("uniform, Beta(1, 1)", 1.0),
        ("Jeffreys, Beta(1/2, 1/2)", 0.5),
        ("near a half, Beta(20, 20)", 20.0),
    ];
    let mut rows = Vec::new();
    for (name, strength) in priors {
        let prior = Beta::new(strength, strength)?;
        let posteriors =
            [Bernoulli::posterior(&prior, &first(10)?)?, Bernoulli::posterior(&prior, &first(100)?)?];
        let [few, many] = posteriors.each_ref().map(mean_and_sd);
        let before = mean_and_sd(&prior).0;
        writeln!(out, "{name:32} {before:8.4} {:8.4} ± {:.4} {:8.4} ± {:.4}", few.0, few.1, many.0, many.1)?;
        let short = name.split(',').next().unwrap_or(name);
        for (distribution, sample) in posteriors.iter().zip(["6 of 10", "60 of 100"]) {
            rows.push(Interval {
                name: format!("{short}, {sample}"),
                low: distribution.quantile(0.025),
                middle: mean_and_sd(distribution).0,
                high: distribution.upper_quantile(0.025),
            });
        }
    }
    page.section(
        "Three priors",
        "After ten people the prior matters, after a hundred much less.",
        Figure::new(
            intervals("Means and intervals of 95 %", &rows),
            "Posterior means with intervals of 95 %.",
        ),
    );
    Ok(())
}
