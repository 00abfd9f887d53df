//! A gallery of samplers: one narrow ridge, and how each kind of Monte Carlo gets along it.
//!
//! `cargo run --release -p posterior --example sampler_gallery [-- --out DIR]`
//!
//! The target is normal in two coordinates of variance one and correlation 0.97, so the answer is known: the mean of x₀² is 1. Prints what each
//! sampler says of it, how many independent draws its draws are worth, how fast, and whether its chains agree; a path of the leapfrog
//! integrator; what a funnel does to step sizes; and what rejection costs in many dimensions. With `--out` it writes a page with the pictures.

use std::error::Error;
use std::f64::consts::PI;
use std::path::PathBuf;
use std::time::Instant;

use posterior::dist::stream::stream;
use posterior::dist::target::{EvalError, FromGradFn, GradTarget, Target};
use posterior::report::{Body, Card, Figure, Page, Section, path, trace};
use posterior::sampling::diagnostics::{ess_bulk, mcse_mean, rhat};
use posterior::sampling::gibbs::{Conditionals, Gibbs};
use posterior::sampling::hamiltonian::{Hmc, Leapfrog, Metric, Nuts, Path as PathLength, Phase};
use posterior::sampling::importance::{Proposal, importance_sampling};
use posterior::sampling::metropolis::RandomWalk;
use posterior::sampling::rejection::{RejectionOptions, rejection};
use posterior::sampling::{Adapt, Draws, Fixed, Run, Sampled, Start, Transition};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

type Outcome<T> = Result<T, Box<dyn Error>>;

const RHO: f64 = 0.97;
const SEED: u64 = 15;
const DRAWS: usize = 2000;
const CHAINS: usize = 4;
const WARM_UP: usize = 500;

/// A normal law with variances 1 and correlation ρ.
struct Ridge;

impl Target for Ridge {
    fn dim(&self) -> usize {
        2
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(-0.5 * (x[0] * x[0] - 2.0 * RHO * x[0] * x[1] + x[1] * x[1]) / (1.0 - RHO * RHO))
    }
}

impl GradTarget for Ridge {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let precision = 1.0 / (1.0 - RHO * RHO);
        gradient.copy_from_slice(&[(RHO * x[1] - x[0]) * precision, (RHO * x[0] - x[1]) * precision]);
        self.ln_density(x)
    }
}

/// Each coordinate given the other is normal with mean ρ times it and variance 1 - ρ².
impl Conditionals for Ridge {
    fn blocks(&self) -> usize {
        2
    }

    fn draw_block<R: Rng + ?Sized>(&self, block: usize, x: &mut [f64], rng: &mut R) -> Result<(), EvalError> {
        let noise: f64 = StandardNormal.sample(rng);
        x[block] = RHO * x[1 - block] + (1.0 - RHO * RHO).sqrt() * noise;
        Ok(())
    }
}

/// Independent normal coordinates: an envelope of the ridge if they are as wide as the ridge is long.
struct Round {
    dim: usize,
    sd: f64,
}

impl Distribution<Vec<f64>> for Round {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let mut x = vec![0.0; self.dim];
        self.draw(rng, &mut x);
        x
    }
}

impl Target for Round {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(self.ln_pdf(x))
    }
}

impl Round {
    fn ln_pdf(&self, x: &[f64]) -> f64 {
        let squares: f64 = x.iter().map(|x| x * x).sum();
        -0.5 * squares / (self.sd * self.sd) - self.dim as f64 * (self.sd * (2.0 * PI).sqrt()).ln()
    }
}

impl Proposal for Round {
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
        for x in x {
            let z: f64 = StandardNormal.sample(rng);
            *x = self.sd * z;
        }
    }
}

/// What the page will show.
#[derive(Default)]
struct Pictures {
    /// Draws of the ridge, independent of each other.
    ridge: Vec<(f64, f64)>,
    cards: Vec<Card>,
}

fn main() -> Outcome<()> {
    let out = out_folder()?;
    let mut pictures = Pictures::default();
    println!(
        "One ridge, correlation {RHO}: the mean of x₀² is 1. {CHAINS} x {DRAWS} draws of each sampler\n"
    );
    println!(
        "{:28} {:>16} {:>6} {:>8} {:>8} {:>6} {:>9}",
        "sampler", "mean of x₀²", "ESS", "per draw", "per ms", "R-hat", "divergent"
    );
    independent(&mut pictures)?;
    for scale in [0.05, 0.5, 5.0] {
        chains(&format!("random walk, steps of {scale}"), &Fixed(RandomWalk::new(scale)?), &mut pictures)?;
    }
    chains("Gibbs", &Fixed(Gibbs::systematic()), &mut pictures)?;
    let length = PathLength::Length { time: PI / 2.0, jitter: 0.3, max_steps: 100 };
    chains("Hamiltonian, tuned", &Hmc::default().with_path(length), &mut pictures)?;
    chains("No-U-Turn, tuned", &Nuts::default(), &mut pictures)?;
    println!("\nGibbs moves along the axes, and forgets 1 - ρ² = {:.3} a sweep.", 1.0 - RHO * RHO);
    let walk = leapfrog()?;
    funnel()?;
    rejection_in_many_dimensions()?;
    if let Some(folder) = out {
        std::fs::create_dir_all(&folder)?;
        let file = folder.join("report.html");
        std::fs::write(&file, page(pictures, &walk).html())?;
        println!("\nThe pictures: {}", file.display());
    }
    Ok(())
}

/// The folder after `--out`.
fn out_folder() -> Outcome<Option<PathBuf>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => Ok(None),
        [option, folder] if option == "--out" => Ok(Some(PathBuf::from(folder))),
        _ => Err("usage: sampler_gallery [--out DIR]".into()),
    }
}

fn page(pictures: Pictures, walk: &[(f64, f64)]) -> Page {
    let mut page = Page::new("Monte Carlo", "A narrow ridge, and how each sampler gets along it");
    page.standfirst.push(format!(
        "The target is normal in two coordinates of variance 1 and correlation {RHO}. Small steps at random take thousands of moves from one end \
         to the other; momentum takes one."
    ));
    let caption = "Independent draws, and twenty leapfrog steps of one Hamiltonian path along them.";
    page.lead = Some(Figure::new(path("A leapfrog path", ("x₀", "x₁"), &pictures.ridge, walk), caption));
    page.sections.push(Section {
        title: "Seven samplers".to_owned(),
        text: "Four chains of x₀ in their order, and the first hundred moves of the first chain.".to_owned(),
        body: Body::Cards(pictures.cards),
    });
    "cargo run --release -p posterior --example sampler_gallery -- --out out".clone_into(&mut page.command);
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

/// Rejection and importance sampling, from the same round law.
fn independent(pictures: &mut Pictures) -> Outcome<()> {
    let wide = Round { dim: 2, sd: (1.0 + RHO).sqrt() };
    let begin = Instant::now();
    let ln_ratio = |x: &Vec<f64>| Ridge.ln_density(x).unwrap_or(f64::NEG_INFINITY) - wide.ln_pdf(x);
    let options = RejectionOptions::default().with_ln_bound(ln_ratio(&vec![0.0; 2]));
    let accepted = rejection(&wide, ln_ratio, CHAINS * DRAWS, &options, &mut stream(SEED, &[0]))?;
    let seconds = begin.elapsed().as_secs_f64();
    let quarters = accepted.draws.chunks(DRAWS).map(<[Vec<f64>]>::concat).collect();
    let draws = Draws::new(vec!["x[0]".to_owned(), "x[1]".to_owned()], quarters)?;
    let name = format!("rejection ({:.0} % accepted)", 100.0 * accepted.acceptance.value);
    pictures.ridge = places(&draws, 0, 600);
    row(&name, &draws, seconds, 0, pictures)?;

    let begin = Instant::now();
    let weighted = importance_sampling(&Ridge, &wide, CHAINS * DRAWS, &mut stream(SEED, &[1]))?;
    let estimate = weighted.expectation(|x| x[0] * x[0])?;
    let (ess, seconds) = (weighted.weights().ess(), begin.elapsed().as_secs_f64());
    println!(
        "{:28} {:7.3} ± {:6.3} {ess:6.0} {:8.3} {:8.1} {:>6} {:>9}",
        "importance",
        estimate.value,
        estimate.standard_error,
        ess / (CHAINS * DRAWS) as f64,
        ess / seconds / 1e3,
        "-",
        "-"
    );
    Ok(())
}

fn sampled<T, A>(target: &T, sampler: &A) -> Outcome<(Sampled<A::Tuned>, f64)>
where
    T: Target + Sync,
    A: Adapt<T, Progress: Send, Tuned: Transition<T, State: Send> + Send> + Sync,
{
    let begin = Instant::now();
    let run = Run::default().with_chains(CHAINS).with_draws(DRAWS).with_warm_up(WARM_UP).with_seed(SEED);
    let sampled = run.sample(target, sampler, &Start::default())?;
    Ok((sampled, begin.elapsed().as_secs_f64()))
}

fn chains<A>(name: &str, sampler: &A, pictures: &mut Pictures) -> Outcome<()>
where
    A: Adapt<Ridge, Progress: Send, Tuned: Transition<Ridge, State: Send> + Send> + Sync,
{
    let (sampled, seconds) = sampled(&Ridge, sampler)?;
    row(name, &sampled.draws, seconds, divergent(&sampled), pictures)
}

/// Divergences among the draws, those of the warm-up apart.
fn divergent<K>(sampled: &Sampled<K>) -> usize {
    let all = sampled.chains.iter().flat_map(|chain| &chain.divergences);
    all.filter(|divergence| divergence.iteration >= WARM_UP).count()
}

/// The first places of a chain.
fn places(draws: &Draws, chain: usize, count: usize) -> Vec<(f64, f64)> {
    (0..count.min(draws.len())).map(|i| draws.draw(chain, i)).map(|x| (x[0], x[1])).collect()
}

fn row(name: &str, draws: &Draws, seconds: f64, divergent: usize, pictures: &mut Pictures) -> Outcome<()> {
    let x = draws.parameter(0);
    let squares: Vec<Vec<f64>> = x.iter().map(|chain| chain.iter().map(|x| x * x).collect()).collect();
    let mean = squares.concat().iter().sum::<f64>() / (draws.chains() * draws.len()) as f64;
    let (ess, error) = (ess_bulk(&x)?, mcse_mean(&squares)?);
    println!(
        "{name:28} {mean:7.3} ± {error:6.3} {ess:6.0} {:8.3} {:8.1} {:6.3} {divergent:9}",
        ess / (draws.chains() * draws.len()) as f64,
        ess / seconds / 1e3,
        rhat(&x)?,
    );
    let walk = places(draws, 0, 100);
    pictures.cards.push(Card {
        title: name.to_owned(),
        meta: format!(
            "mean of x₀² {mean:.3} ± {error:.3}, worth {ess:.0} of {} draws, R-hat {:.3}",
            DRAWS * CHAINS,
            rhat(&x)?
        ),
        pictures: vec![trace("x₀", &x), path("The first moves", ("x₀", "x₁"), &pictures.ridge, &walk)],
    });
    Ok(())
}

/// One path along the ridge: the energy is off by a little and does not drift away. Returns its places.
fn leapfrog() -> Outcome<Vec<(f64, f64)>> {
    let metric = Metric::unit();
    let steps = Leapfrog { metric: &metric, step_size: 0.2 };
    let mut phase = Phase::new(&Ridge, &metric, &[-1.5, -1.4], &[1.1, 0.9])?;
    let start = phase.energy();
    println!("\nA path of the leapfrog integrator, steps of {}:\n", steps.step_size);
    println!("{:>5} {:>8} {:>8} {:>13}", "step", "x₀", "x₁", "energy error");
    let mut walk = Vec::new();
    for step in 0..=20 {
        let x = phase.position();
        walk.push((x[0], x[1]));
        if step % 2 == 0 {
            println!("{step:5} {:8.3} {:8.3} {:13.4}", x[0], x[1], phase.energy() - start);
        }
        phase = steps.flow(&Ridge, &phase, 1)?;
    }
    Ok(walk)
}

/// Neal's funnel: ln of the width of nine coordinates is the tenth, so that no step size fits its neck and its mouth.
fn funnel() -> Outcome<()> {
    let funnel = FromGradFn::new(10, |x, gradient| {
        let precision = (-x[0]).exp();
        let squares: f64 = x[1..].iter().map(|x| x * x).sum();
        gradient[0] = -x[0] / 9.0 - 4.5 + 0.5 * squares * precision;
        for (slope, x) in gradient[1..].iter_mut().zip(&x[1..]) {
            *slope = -x * precision;
        }
        -x[0] * x[0] / 18.0 - 4.5 * x[0] - 0.5 * squares * precision
    });
    println!(
        "\nNeal's funnel in 10 dimensions: the width exp(v/2) of nine coordinates is unknown, v ~ N(0, 3)\n"
    );
    println!("{:28} {:>8} {:>6} {:>6} {:>9}", "sampler", "least v", "ESS", "R-hat", "divergent");
    for target_accept in [0.8, 0.99] {
        let (sampled, _) = sampled(&funnel, &Nuts::default().with_target_accept(target_accept))?;
        let v = sampled.draws.parameter(0);
        let least = v.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let divergent = divergent(&sampled);
        let name = format!("No-U-Turn, acceptance {target_accept}");
        println!("{name:28} {least:8.2} {:6.0} {:6.3} {divergent:9}", ess_bulk(&v)?, rhat(&v)?);
    }
    println!(
        "\nThe neck needs small steps: what the first row says of v is wrong, and its divergences tell."
    );
    Ok(())
}

/// A standard normal law under one that is a tenth wider in each coordinate: 1.1ᴰ proposals for a draw.
fn rejection_in_many_dimensions() -> Outcome<()> {
    println!("\nRejection from a normal law that is 10 % too wide\n");
    println!("{:>10} {:>20} {:>14}", "dimensions", "proposals for a draw", "here");
    for dim in [1, 2, 5, 10, 20, 50, 100] {
        let wide = Round { dim, sd: 1.1 };
        let narrow = Round { dim, sd: 1.0 };
        let ln_ratio = |x: &Vec<f64>| narrow.ln_pdf(x) - wide.ln_pdf(x);
        let bound = dim as f64 * 1.1_f64.ln();
        let exact = bound.exp();
        if exact > 1000.0 {
            println!("{dim:10} {exact:20.2} {:>14}", "not tried");
            continue;
        }
        let options = RejectionOptions::default().with_ln_bound(bound);
        let accepted = rejection(&wide, ln_ratio, 1000, &options, &mut stream(SEED, &[2, dim as u64]))?;
        println!("{dim:10} {exact:20.2} {:14.2}", accepted.attempts as f64 / 1000.0);
    }
    Ok(())
}
