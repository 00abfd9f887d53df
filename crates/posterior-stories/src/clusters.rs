//! How many kinds of eruptions are there? Centres, mixtures, and what never falls.
//!
//! `cargo run --release -p posterior --example clusters [-- --out DIR]`
//!
//! The eruptions of Old Faithful are short or long, and the wait for the next one goes with that. Prints how k-means and EM go down and up step by
//! step; how variational Bayes leaves eight of ten components empty; how many groups a Dirichlet process sees in the velocities of 82
//! galaxies; and a bag of washed coins, on which EM from most starts creeps into a saddle. With `--out` it writes a page with the pictures.

use std::error::Error;
use std::path::PathBuf;

use posterior::datasets::tables::{GALAXIES, OLD_FAITHFUL};
use posterior::dist::{Binomial, Gaussian, Mixture, NormalInverseWishart, PitmanYor};
use posterior::inference::em::EmOptions;
use posterior::inference::variational::AscentOptions;
use posterior::latent::Observations;
use posterior::latent::dirichlet_process::ProcessGibbs;
use posterior::latent::gaussian_mixture::{
    Covariances, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem, fraley_raftery_prior,
};
use posterior::latent::gibbs::{GaussianComponents, sample};
use posterior::latent::k_means::{self, KMeansOptions, Start};
use posterior::latent::mixture::{MaximumLikelihood, MixtureProblem};
use posterior::latent::partition::Search;
use posterior::latent::variational::{BayesianMixture, Points, Problem};
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::report::{Body, Ellipse, Figure, Page, Picture, Ribbon, Section, bars, ribbons, scatter};
use posterior::sampling::Run;

type Outcome<T> = Result<T, Box<dyn Error>>;

const NAMES: (&str, &str) = ("length of the eruption (minutes)", "wait for the next one (minutes)");
/// EM steps after which the picture is drawn.
const SHOWN: [usize; 6] = [0, 1, 3, 6, 10, 100];

fn main() -> Outcome<()> {
    let out = out_folder()?;
    let values = DMatrix::from_row_slice(OLD_FAITHFUL.rows().len(), 2, OLD_FAITHFUL.values);
    let eruptions = Observations::new(&values)?;
    let mut page = Page::new("Clusters", "Two kinds of eruptions");
    centres(&eruptions)?;
    shares(&eruptions, &mut page)?;
    empty_components(&eruptions, &mut page)?;
    galaxies(&mut page)?;
    coins(&mut page)?;
    if let Some(folder) = out {
        std::fs::create_dir_all(&folder)?;
        "cargo run --release -p posterior --example clusters -- --out DIR".clone_into(&mut page.command);
        OLD_FAITHFUL.title.clone_into(&mut page.source);
        std::fs::write(folder.join("report.html"), page.html())?;
        println!("\nwrote {}", folder.join("report.html").display());
    }
    Ok(())
}

fn out_folder() -> Outcome<Option<PathBuf>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(None),
        ["--out", folder] => Ok(Some(PathBuf::from(folder))),
        _ => Err("expected nothing, or --out DIR".into()),
    }
}

/// A start that is wrong on purpose: both centres among the long eruptions.
fn start() -> DMatrix<f64> {
    DMatrix::from_row_slice(2, 2, &[4.0, 90.0, 4.5, 70.0])
}

fn centres(eruptions: &Observations) -> Outcome<()> {
    let options = KMeansOptions::new(2).with_start(Start::Centres(start()));
    let found = k_means::fit(eruptions, &options, 0, &mut Silent)?;
    println!("k-means: the sum of squared distances after each half step, which never rises");
    let trace: Vec<String> = found.half_steps.iter().map(|value| format!("{value:.0}")).collect();
    println!("  {}", trace.join(" "));
    Ok(())
}

fn shares(eruptions: &Observations, page: &mut Page) -> Outcome<()> {
    let covariance = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 150.0]);
    let first = GaussianMixture::new(&[0.5, 0.5], &start(), Covariances::Full(vec![covariance; 2]))?;
    let mut pictures = Vec::new();
    let mut trace = Vec::new();
    for steps in SHOWN {
        let mixture = if steps == 0 {
            first.clone()
        } else {
            let em = EmOptions::default().with_max_iterations(steps);
            let problem =
                GaussianMixtureProblem::new(eruptions, GaussianMixtureOptions::default().with_em(em))?;
            let fitted = problem.fit(first.clone(), &mut Silent)?;
            trace.clone_from(&fitted.report.trace);
            fitted.model.mixture
        };
        pictures.push(picture(&mixture, eruptions, &format!("After {steps} steps"))?);
    }
    println!("\nEM: the logarithm of the likelihood after each step, which never falls");
    let shown: Vec<String> = trace.iter().map(|value| format!("{value:.2}")).collect();
    println!("  {}", shown.join(" "));
    if let Some(last) = pictures.pop() {
        page.lead = Some(Figure::new(
            last,
            "Each eruption in the colour of its component, and two standard deviations of each.",
        ));
    }
    page.sections.push(Section {
        title: "From a wrong start".to_owned(),
        text: "Both components begin among the long eruptions. Every step of EM raises the likelihood; the fit above is where it ends.".to_owned(),
        body: Body::Figures(pictures.into_iter().map(|own| Figure::new(own, "")).collect()),
    });
    let line = trace.iter().enumerate().map(|(step, &value)| (step as f64, value)).collect();
    page.sections.push(Section {
        title: "It never falls".to_owned(),
        text: "ln p of the data after each step.".to_owned(),
        body: Body::Figure(Figure::new(curve(("step", "ln likelihood"), vec![(String::new(), line)]), "")),
    });
    Ok(())
}

fn picture(mixture: &GaussianMixture, eruptions: &Observations, name: &str) -> Outcome<Picture> {
    let labels = mixture.labels(eruptions)?;
    let points: Vec<(f64, f64)> = eruptions.values().row_iter().map(|row| (row[0], row[1])).collect();
    let ellipse = |group: usize| {
        let covariance = mixture.covariance(group);
        Ellipse {
            group,
            centre: mixture.means().row(group).iter().copied().collect(),
            covariance: (0..2).map(|i| (0..2).map(|j| covariance[(i, j)]).collect()).collect(),
        }
    };
    let ellipses: Vec<Ellipse> = (0..mixture.components()).map(ellipse).collect();
    Ok(scatter(name, NAMES, &points, &labels, &ellipses))
}

/// A curve with its name.
type Named = (String, Vec<(f64, f64)>);

fn curve(names: (&str, &str), lines: Vec<Named>) -> Picture {
    let line = |(name, line)| Ribbon { name, line, bands: Vec::new() };
    ribbons(names, &lines.into_iter().map(line).collect::<Vec<_>>(), &[], None)
}

fn empty_components(eruptions: &Observations, page: &mut Page) -> Outcome<()> {
    let prior = fraley_raftery_prior(eruptions, 10)?;
    let model = BayesianMixture::<Gaussian, _>::finite(10, 1e-3, prior, 2)?;
    let options = AscentOptions::default().with_max_iterations(1000);
    let found = Problem::new(&model, eruptions)?.fit_best(20, 0, &options)?.best.model;
    let mut counts = found.counts();
    counts.sort_by(|a, b| b.total_cmp(a));
    println!("\nvariational Bayes with ten components: {} have a row or more", found.occupied(1.0).len());
    page.sections.push(Section {
        title: "Ten components, two of them used".to_owned(),
        text: "Variational Bayes pays for every component. Those that the data do not need lose their rows."
            .to_owned(),
        body: Body::Figure(Figure::new(
            bars("Rows of each component", "component; upwards its rows", &counts, &[], ""),
            "",
        )),
    });
    Ok(())
}

fn galaxies(page: &mut Page) -> Outcome<()> {
    let velocities = DMatrix::from_column_slice(82, 1, GALAXIES.values) / 1000.0;
    let prior = NormalInverseWishart::new(&[20.0], 0.01, &DMatrix::from_element(1, 1, 2.0), 4.0)?;
    let components = GaussianComponents::new(&velocities, &prior)?;
    let sampler = ProcessGibbs::new(&components, PitmanYor::new(0.0, 1.0)?);
    let sampled = sample(&sampler, &Run::default().with_warm_up(1000).with_draws(2000).with_seed(1))?;
    let estimate = Search::default().run(sampled.partitions())?;
    let posterior = sampled.blocks();
    println!("\nDirichlet process, 82 galaxies: probabilities of the number of groups");
    for own in posterior.iter().filter(|own| own.probability > 0.01) {
        println!(
            "  {:>2}  {:.3} (standard error {:.3})",
            own.blocks,
            own.probability,
            own.standard_error.unwrap_or(f64::NAN)
        );
    }
    println!("  one partition for all: groups of {:?}", estimate.partition.sizes());
    let heights: Vec<f64> = posterior.iter().skip(1).map(|own| own.probability).collect();
    let picture = bars("Number of groups", "groups; upwards their probability", &heights, &[], "");
    page.sections.push(Section {
        title: "How many groups of galaxies".to_owned(),
        text: format!(
            "The velocities of 82 galaxies under a Dirichlet process. The partition that is nearest to all draws has groups of {:?}.",
            estimate.partition.sizes()
        ),
        body: Body::Figure(Figure::new(picture, "Bars: posterior probabilities.")),
    });
    Ok(())
}

/// Heads in three tosses of each of five coins, of two kinds that look the same.
const HEADS: [u64; 5] = [3, 1, 1, 2, 1];

fn coins(page: &mut Page) -> Outcome<()> {
    let points = Points::new(&HEADS);
    let problem = MixtureProblem::<Binomial, _, _>::new(&points, 3, MaximumLikelihood)?;
    println!("\nA bag of washed coins: where EM ends");
    println!("  {:>22}  {:>10}  {:>8}  {:>8}", "start", "ln L", "heads", "heads");
    let mut lines = Vec::new();
    for (share, first, second) in [(0.5, 0.6, 0.4), (0.5, 0.55, 0.5), (0.3, 0.8, 0.5), (0.2, 0.95, 0.4)] {
        let start = Mixture::from_weights(
            &[share, 1.0 - share],
            vec![Binomial::new(3, first)?, Binomial::new(3, second)?],
        )?;
        let options = EmOptions::default().with_tolerance(0.0).with_max_iterations(60);
        let fitted = problem.fit(start, &options, &mut Silent)?;
        let ends = fitted.model.mixture.components();
        let last = fitted.report.trace.last().copied().unwrap_or(f64::NAN);
        let name = format!("{share}, {first}, {second}");
        println!("  {name:>22}  {last:>10.5}  {:>8.4}  {:>8.4}", ends[0].success(), ends[1].success());
        let line =
            fitted.report.trace.iter().enumerate().map(|(step, &value)| (step as f64, value)).collect();
        lines.push((name, line));
    }
    println!(
        "  8/15 twice is the saddle of two equal coins; the top is on the boundary, where one kind always shows heads"
    );
    page.sections.push(Section {
        title: "Never falls, and yet".to_owned(),
        text: "Five coins of two kinds, washed. Starts that treat both kinds nearly alike creep into a saddle, two equal coins, and stay; the top has \
               one kind that always shows heads. That the likelihood never falls does not mean that it gets to the top."
            .to_owned(),
        body: Body::Figure(Figure::new(curve(("step", "ln likelihood"), lines), "Share and chances of heads where each line begins.")),
    });
    Ok(())
}
