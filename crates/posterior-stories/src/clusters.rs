//! How many kinds of eruptions are there? Centres, mixtures, and what never falls.
//!
//! The eruptions of Old Faithful are short or long, and the wait for the next one goes with that. Prints how
//! k-means and EM go down and up step by step; how variational Bayes leaves eight of ten components empty;
//! how many groups a Dirichlet process sees in the velocities of 82 galaxies; and a bag of washed coins, on
//! which EM from most starts creeps into a saddle.

mod bayesian;
mod coins;
mod em;

use std::io::Write;

use posterior::datasets::tables::OLD_FAITHFUL;
use posterior::latent::Observations;
use posterior::latent::gaussian_mixture::GaussianMixture;
use posterior::math::linalg::DMatrix;
use posterior::report::{Ellipse, Page, Picture, Ribbon, ribbons, scatter};

use crate::{Ending, Outcome, Sources};

const NAMES: (&str, &str) = ("length of the eruption (minutes)", "wait for the next one (minutes)");

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, sources: &Sources) -> Outcome<Ending> {
    let values = DMatrix::from_row_slice(OLD_FAITHFUL.rows().len(), 2, OLD_FAITHFUL.values);
    let eruptions = Observations::new(&values)?;
    let mut page = Page::new("Clusters", "Two kinds of eruptions");
    em::centres(out, &eruptions, &mut page)?;
    em::proportions(out, &eruptions, &mut page)?;
    bayesian::empty_components(out, &eruptions, sources, &mut page)?;
    bayesian::galaxies(out, sources, &mut page)?;
    coins::coins(out, &mut page)?;
    OLD_FAITHFUL.title.clone_into(&mut page.source);
    Ok(Ending::Completed(page))
}

/// A curve with its name.
type Named = (String, Vec<(f64, f64)>);

fn curve(names: (&str, &str), lines: Vec<Named>) -> Picture {
    let line = |(name, line)| Ribbon::line(name, line);
    ribbons(names, &lines.into_iter().map(line).collect::<Vec<_>>(), &[], None)
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
