//! How many components the data ask for.

use std::io::Write;

use posterior::datasets::tables::GALAXIES;
use posterior::dist::PitmanYor;
use posterior::gaussian::{Gaussian, NormalInverseWishart};
use posterior::inference::variational::AscentOptions;
use posterior::latent::Observations;
use posterior::latent::dirichlet_process::ProcessGibbs;
use posterior::latent::gaussian_mixture::fraley_raftery_prior;
use posterior::latent::gibbs::{ConjugateGaussians, sample};
use posterior::latent::partition::PartitionSearch;
use posterior::latent::variational::{BayesianMixture, MixtureAscent};
use posterior::math::linalg::DMatrix;
use posterior::report::{Figure, Page, bars};
use posterior::sampling::Run;

use crate::{Outcome, Sources};

pub(super) fn empty_components(
    out: &mut dyn Write,
    eruptions: &Observations,
    sources: &Sources,
    page: &mut Page,
) -> Outcome<()> {
    let prior = fraley_raftery_prior(eruptions, 10)?;
    let model = BayesianMixture::<Gaussian, _>::finite(10, 1e-3, prior, 2)?;
    let options = AscentOptions { max_iterations: 1000, ..AscentOptions::default() };
    let found =
        MixtureAscent::new(&model, eruptions)?.fit_best(sources.either(20, 2), 0, &options)?.best.model;
    let mut counts = found.counts();
    counts.sort_by(|a, b| b.total_cmp(a));
    writeln!(
        out,
        "\nvariational Bayes with ten components: {} have a row or more",
        found.occupied(1.0).len()
    )?;
    page.facts.push(("components used of ten".to_owned(), found.occupied(1.0).len().to_string()));
    page.section(
        "Ten components, two of them used",
        "Variational Bayes pays for every component. Those that the data do not need lose their rows.",
        Figure::new(bars("Rows of each component", "component; upwards its rows", &counts, &[], ""), ""),
    );
    Ok(())
}

pub(super) fn galaxies(out: &mut dyn Write, sources: &Sources, page: &mut Page) -> Outcome<()> {
    let velocities = DMatrix::from_column_slice(82, 1, GALAXIES.values) / 1000.0;
    let prior = NormalInverseWishart::new(&[20.0], 0.01, &DMatrix::from_element(1, 1, 2.0), 4.0)?;
    let components = ConjugateGaussians::new(&velocities, &prior)?;
    let sampler = ProcessGibbs::new(&components, PitmanYor::new(0.0, 1.0)?);
    let (warm_up, draws) = (sources.either(1000, 200), sources.either(2000, 300));
    let sampled = sample(&sampler, &Run { warm_up, draws, seed: 1, ..Run::default() })?;
    let search = PartitionSearch { starts: sources.either(16, 2), ..PartitionSearch::default() };
    let estimate = search.run(sampled.partitions())?;
    let posterior = sampled.blocks();
    writeln!(out, "\nDirichlet process, 82 galaxies: probabilities of the number of groups")?;
    for own in posterior.iter().filter(|own| own.probability > 0.01) {
        writeln!(
            out,
            "  {:>2}  {:.3} (standard error {:.3})",
            own.blocks,
            own.probability,
            own.standard_error.unwrap_or(f64::NAN)
        )?;
    }
    writeln!(out, "  one partition for all: groups of {:?}", estimate.partition.sizes())?;
    if let Some(most) = posterior.iter().max_by(|a, b| a.probability.total_cmp(&b.probability)) {
        let output = format!("{} ({:.0} %)", most.blocks, 100.0 * most.probability);
        page.facts.push(("groups of galaxies, most probably".to_owned(), output));
    }
    let heights: Vec<f64> = posterior.iter().skip(1).map(|own| own.probability).collect();
    let picture = bars("Number of groups", "groups; upwards their probability", &heights, &[], "");
    let text = format!(
        "The velocities of 82 galaxies under a Dirichlet process. The partition that is nearest to all draws has groups of {:?}.",
        estimate.partition.sizes()
    );
    page.section("How many groups of galaxies", text, Figure::new(picture, "Bars: posterior probabilities."));
    Ok(())
}
