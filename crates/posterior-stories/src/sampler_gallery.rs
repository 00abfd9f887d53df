//! A gallery of samplers: one narrow ridge, and how each kind of Monte Carlo gets along it.
//!
//! The target is normal in two coordinates of variance one and correlation 0.97, so the answer is known: the
//! mean of x₀² is 1. Prints what each sampler says of it, how many independent draws its draws are worth, how
//! fast, and whether its chains agree; a path of the leapfrog integrator; what a funnel does to step sizes;
//! and what rejection costs in many dimensions.

mod asides;
mod samplers;
mod targets;

use std::io::Write;

use posterior::report::{Card, Figure, Page, grouped, path};

use crate::{Ending, Outcome, Sources};

const RHO: f64 = 0.97;
const SEED: u64 = 15;
const DRAWS: usize = 2000;
const CHAINS: usize = 4;
const WARM_UP: usize = 500;

/// What the page will show.
#[derive(Default)]
struct Pictures {
    /// Draws of the ridge, independent of each other.
    ridge: Vec<(f64, f64)>,
    cards: Vec<Card>,
    /// What the draws of each sampler are worth.
    worth: Vec<(String, f64)>,
}

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, _: &Sources) -> Outcome<Ending> {
    let mut pictures = Pictures::default();
    writeln!(
        out,
        "One ridge, correlation {RHO}: the mean of x₀² is 1. {CHAINS} x {DRAWS} draws of each sampler\n"
    )?;
    writeln!(
        out,
        "{:28} {:>16} {:>6} {:>8} {:>8} {:>6} {:>9}",
        "sampler", "mean of x₀²", "ESS", "per draw", "per ms", "R-hat", "divergent"
    )?;
    samplers::all(out, &mut pictures)?;
    writeln!(out, "\nGibbs moves along the axes, and forgets 1 - ρ² = {:.3} a sweep.", 1.0 - RHO * RHO)?;
    let walk = asides::leapfrog(out)?;
    let mut page = page(pictures, &walk);
    asides::funnel(out, &mut page)?;
    asides::rejection_in_many_dimensions(out, &mut page)?;
    Ok(Ending::Completed(page))
}

fn page(pictures: Pictures, walk: &[(f64, f64)]) -> Page {
    let mut page = Page::new("Monte Carlo", "A narrow ridge, and how each sampler gets along it");
    page.standfirst.push(format!(
        "The target is normal in two coordinates of variance 1 and correlation {RHO}. Small steps at random take thousands of moves from one end \
         to the other; momentum takes one."
    ));
    let caption = "Independent draws, and twenty leapfrog steps of one Hamiltonian path along them.";
    page.lead = Some(Figure::new(path("A leapfrog path", ("x₀", "x₁"), &pictures.ridge, walk), caption));
    page.section(
        "Seven samplers",
        "Four chains of x₀ in their order, and the first hundred moves of the first chain.",
        pictures.cards,
    );
    "Drawn from the density itself.".clone_into(&mut page.source);
    for (name, ess) in pictures.worth {
        page.fact(format!("{name}: 8,000 draws are worth"), grouped(ess.round() as u64));
    }
    page.settings = [
        ("seed", SEED),
        ("chains", CHAINS as u64),
        ("draws of each chain", DRAWS as u64),
        ("warm-up", WARM_UP as u64),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_string()))
    .to_vec();
    page
}
