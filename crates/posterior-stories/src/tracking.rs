//! Where has it been? A walk seen through noise, with a stretch in which nothing was seen.
//!
//! `cargo run --release -p posterior --example tracking [-- --out DIR]`
//!
//! Something moves in the plane with a velocity that wanders, and each second its position is measured, badly, or not at all. Prints how far measurements,
//! filter and smoother are from the truth; how the error bars widen while nothing is seen, and close again; that a Gaussian process
//! says the same, number by number; what the filter's gain comes to; what EM learns of the noise; and the same walk seen by a radar, which
//! measures distance and direction, so that nothing is linear. With `--out` it writes a page with the pictures.

use std::error::Error;
use std::path::PathBuf;

use posterior::dist::stream::stream;
use posterior::gp::{GaussianProcess, Kernel, Noise};
use posterior::inference::em::EmOptions;
use posterior::kalman::learning::{CovarianceShape, Learn, expectation_maximization};
use posterior::kalman::nonlinear::{
    Differentiated, Formula, NonlinearOptions, NonlinearStateSpace, SigmaPoints, Taylor,
};
use posterior::kalman::{
    FilterOptions, Filtered, Initial, ObservationEquation, Series, Smoothed, StateSpace, TransitionEquation,
    filter, nonlinear, steady_state,
};
use posterior::math::autodiff::Real;
use posterior::math::iteration::Silent;
use posterior::math::linalg::{DMatrix, DVector};
use posterior::report::{Body, Card, Figure, Page, Picture, Ribbon, Section, path, ribbons};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

type Outcome<T> = Result<T, Box<dyn Error>>;

const SECONDS: usize = 60;
const UNSEEN: std::ops::Range<usize> = 28..40;
/// How much the velocity wanders: the variance that it gains in a second.
const INTENSITY: f64 = 0.05;
const NOISE_SD: f64 = 1.5;
const START_VARIANCE: f64 = 100.0;
const SEED: u64 = 11;

/// What is to be known and what was seen.
struct Walk {
    model: StateSpace,
    /// A row for each second: position and velocity along x, then along y.
    truth: DMatrix<f64>,
    series: Series,
}

fn main() -> Outcome<()> {
    let out = out_folder()?;
    let walk = walk()?;
    let filtered = filter(&walk.model, &walk.series, &FilterOptions::default())?;
    let smoothed = filtered.smooth(&walk.model)?;
    let mut page = Page::new("Tracking", "The walk, smoothed");
    distances(&walk, &filtered, &smoothed, &mut page);
    bands(&walk, &filtered, &smoothed, &mut page);
    gaussian_process(&walk, &smoothed)?;
    gain(&walk, &filtered)?;
    learn(&walk, &mut page)?;
    radar(&walk, &mut page)?;
    if let Some(folder) = out {
        std::fs::create_dir_all(&folder)?;
        "cargo run --release -p posterior --example tracking -- --out DIR".clone_into(&mut page.command);
        page.source = format!("Drawn from the model with seed {SEED}.");
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

/// Twice the same 2 x 2 block: along x, and along y.
fn twice(block: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::identity(2, 2).kronecker(block)
}

/// Velocities wander, positions add them up; positions are seen.
fn model(intensity: f64, noise_sd: f64) -> Outcome<StateSpace> {
    let moves = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 0.0, 1.0]);
    let wanders = DMatrix::from_row_slice(2, 2, &[1.0 / 3.0, 0.5, 0.5, 1.0]) * intensity;
    let sees = DMatrix::from_row_slice(1, 2, &[1.0, 0.0]);
    Ok(StateSpace::new(
        TransitionEquation::constant(&twice(&moves), &twice(&wanders))?,
        ObservationEquation::constant(
            &twice(&sees),
            &DMatrix::from_diagonal_element(2, 2, noise_sd * noise_sd),
        )?,
        Initial::known(&[0.0; 4], &DMatrix::from_diagonal_element(4, 4, START_VARIANCE))?,
    )?)
}

fn draw<R: Rng>(root: &DMatrix<f64>, rng: &mut R) -> DVector<f64> {
    root * DVector::from_fn(root.ncols(), |_, _| StandardNormal.sample(rng))
}

fn walk() -> Outcome<Walk> {
    let (model, mut rng) = (model(INTENSITY, NOISE_SD)?, stream(SEED, &[]));
    let (transition, observation) = (model.transition(), model.observation());
    let mut truth = DMatrix::zeros(SECONDS, 4);
    let mut seen = DMatrix::zeros(SECONDS, 2);
    let mut state = DVector::from_column_slice(&[-20.0, 1.5, 10.0, -0.5]);
    for t in 0..SECONDS {
        truth.set_row(t, &state.transpose());
        let position =
            observation.matrix().matrix(t) * &state + draw(&observation.noise_root().matrix(t), &mut rng);
        seen.set_row(t, &position.transpose());
        if UNSEEN.contains(&t) {
            seen.row_mut(t).fill(f64::NAN);
        }
        state = transition.matrix().matrix(t) * state + draw(&transition.noise_root().matrix(t), &mut rng);
    }
    Ok(Walk { series: Series::with_missing(&seen)?, model, truth })
}

/// The root of the mean squared distance from the truth, over the seconds in which something was seen, or in which nothing was.
fn distance<'a>(walk: &Walk, of: impl Fn(usize) -> [f64; 2] + 'a, seen: &[usize]) -> f64 {
    let squares = seen.iter().map(|&t| {
        let [x, y] = of(t);
        (x - walk.truth[(t, 0)]).powi(2) + (y - walk.truth[(t, 2)]).powi(2)
    });
    (squares.sum::<f64>() / seen.len() as f64).sqrt()
}

fn distances(walk: &Walk, filtered: &Filtered, smoothed: &Smoothed, page: &mut Page) {
    let (unseen, seen): (Vec<usize>, Vec<usize>) = (0..SECONDS).partition(|t| UNSEEN.contains(t));
    let place = |mean: &[f64]| [mean[0], mean[2]];
    println!("Distance from the truth (root mean square)\n");
    println!("{:14} {:>10} {:>16}", "", "when seen", "when not seen");
    let measured = distance(walk, |t| [walk.series.at(t)[0], walk.series.at(t)[1]], &seen);
    println!("{:14} {measured:10.2} {:>16}", "measurements", "–");
    let of = |name: &str, at: &dyn Fn(usize) -> [f64; 2]| {
        let (near, far) = (distance(walk, at, &seen), distance(walk, at, &unseen));
        println!("{name:14} {near:10.2} {far:16.2}");
        near
    };
    let by_filter = of("filter", &|t| place(filtered.mean(t)));
    let by_smoother = of("smoother", &|t| place(smoothed.mean(t)));
    page.standfirst.push(format!(
        "Measurements are {measured:.2} from the truth, the filter {by_filter:.2}, and the smoother, which knows the future too, {by_smoother:.2}."
    ));
    let dots: Vec<(f64, f64)> = seen.iter().map(|&t| (walk.series.at(t)[0], walk.series.at(t)[1])).collect();
    let line: Vec<(f64, f64)> = (0..SECONDS).map(|t| (smoothed.mean(t)[0], smoothed.mean(t)[2])).collect();
    let picture = path("The walk", ("x", "y"), &dots, &line);
    page.lead =
        Some(Figure::new(picture, "Dots are measurements, the line is the walk that the smoother finds."));
}

/// How sure filter and smoother are, over time.
fn bands(walk: &Walk, filtered: &Filtered, smoothed: &Smoothed, page: &mut Page) {
    println!(
        "\nStandard deviation of the position along x\n\n{:>8} {:>8} {:>9}",
        "second", "filter", "smoother"
    );
    for t in [5, 20, 27, 30, 33, 36, 39, 40, 42, 59] {
        let [of, with] = [filtered.covariance(t)[(0, 0)].sqrt(), smoothed.covariance(t)[(0, 0)].sqrt()];
        let unseen = if UNSEEN.contains(&t) { "  nothing seen" } else { "" };
        println!("{t:8} {of:8.2} {with:9.2}{unseen}");
    }
    println!(
        "\nThe filter's error grows until something is seen again; the smoother's is largest in the middle of the gap."
    );
    let times: Vec<f64> = (0..SECONDS).map(|t| t as f64).collect();
    let ribbon = |name: &str, at: &dyn Fn(usize) -> (f64, f64)| {
        let (means, sds): (Vec<f64>, Vec<f64>) = (0..SECONDS).map(at).unzip();
        Ribbon::around(name, &times, &means, &sds, 2.0)
    };
    let filter = ribbon("filter", &|t| (filtered.mean(t)[0], filtered.covariance(t)[(0, 0)].sqrt()));
    let smoother = ribbon("smoother", &|t| (smoothed.mean(t)[0], smoothed.covariance(t)[(0, 0)].sqrt()));
    let dots: Vec<(f64, f64)> =
        times.iter().zip(0..).map(|(&time, t)| (time, walk.series.at(t)[0])).collect();
    let card = |title: &str, meta: &str, pictures: Vec<Picture>| Card {
        title: title.to_owned(),
        meta: meta.to_owned(),
        pictures,
    };
    page.sections.push(Section {
        title: "Knowing the past, and knowing all".to_owned(),
        text: "The position along x with two standard deviations to either side.".to_owned(),
        body: Body::Cards(vec![
            card(
                "The filter",
                "given what was seen so far",
                vec![ribbons(("second", "x"), &[filter], &dots, None)],
            ),
            card(
                "The smoother",
                "given everything",
                vec![ribbons(("second", "x"), &[smoother], &dots, None)],
            ),
        ]),
    });
}

/// The same posterior by a dense Gaussian process: a position whose velocity is a Wiener process is a cubic spline.
fn gaussian_process(walk: &Walk, smoothed: &Smoothed) -> Outcome<()> {
    let kernel = INTENSITY * Kernel::integrated_wiener()
        + START_VARIANCE * Kernel::linear()
        + Kernel::constant(START_VARIANCE)?;
    let seen: Vec<usize> = (0..SECONDS).filter(|t| !UNSEEN.contains(t)).collect();
    let times = DMatrix::from_iterator(seen.len(), 1, seen.iter().map(|&t| t as f64));
    let all = DMatrix::from_fn(SECONDS, 1, |t, _| t as f64);
    let mut apart: f64 = 0.0;
    for axis in 0..2 {
        let values: Vec<f64> = seen.iter().map(|&t| walk.series.at(t)[axis]).collect();
        let process = GaussianProcess::new(kernel.clone());
        let posterior = process.condition(&times, &values, &Noise::variance(NOISE_SD * NOISE_SD)?)?;
        let prediction = posterior.predict(&all)?;
        for t in 0..SECONDS {
            let place = 2 * axis;
            apart = apart
                .max((prediction.mean[t] - smoothed.mean(t)[place]).abs())
                .max((prediction.variance[t] - smoothed.covariance(t)[(place, place)]).abs());
        }
    }
    println!(
        "\nA Gaussian process with the kernel {kernel} says the same: means and variances differ by at most {apart:.1e}."
    );
    Ok(())
}

/// What the gain comes to.
fn gain(walk: &Walk, filtered: &Filtered) -> Outcome<()> {
    let limit = steady_state(&walk.model)?;
    let (position, velocity) = (limit.gain[(0, 0)], limit.gain[(1, 0)]);
    let away = (filtered.covariance(SECONDS - 1) - &limit.covariance).amax();
    println!(
        "\nIn the long run a measurement moves the position by {position:.3} of its surprise, and the velocity by {velocity:.3};"
    );
    println!("after {SECONDS} seconds the filter's covariance is {away:.1e} from that of the steady state.");
    Ok(())
}

/// Both noises, from values that are far off.
fn learn(walk: &Walk, page: &mut Page) -> Outcome<()> {
    let learn = Learn::default().with_observation_noise(CovarianceShape::Diagonal);
    let start = model(20.0 * INTENSITY, 4.0 * NOISE_SD)?;
    let options = EmOptions::default();
    let fitted =
        expectation_maximization(start, std::slice::from_ref(&walk.series), &learn, &options, &mut Silent)?;
    let trace = &fitted.report.trace;
    let noise = fitted.model.observation().noise().matrix(0);
    println!("\nEM from {} times the wandering and {} times the noise:", 20, 4);
    for iteration in [0, 1, 2, 5, 10, 20, 50, 100].into_iter().filter(|&i| i < trace.len()) {
        println!("  iteration {iteration:3}: ln likelihood {:9.3}", trace[iteration]);
    }
    println!(
        "  the noise has the standard deviations {:.2} and {:.2} (drawn with {NOISE_SD}); the likelihood fell {} times",
        noise[(0, 0)].sqrt(),
        noise[(1, 1)].sqrt(),
        fitted.report.falls.len()
    );
    let line = trace.iter().enumerate().map(|(i, &value)| (i as f64, value)).collect();
    let ribbon = Ribbon { line, ..Ribbon::default() };
    let picture = ribbons(("iteration", "ln likelihood"), &[ribbon], &[], None);
    page.sections.push(Section {
        title: "What EM learns".to_owned(),
        text: "The ln likelihood of the measurements, from noises that are far off. It never falls."
            .to_owned(),
        body: Body::Figure(Figure::new(picture, "The course of EM.")),
    });
    Ok(())
}

/// Distance and direction from a radar at (-30, -30).
struct Radar;

impl Formula for Radar {
    fn inputs(&self) -> usize {
        4
    }

    fn outputs(&self) -> usize {
        2
    }

    fn evaluate<R: Real>(&self, _: usize, x: &[R], seen: &mut [R]) {
        let (east, north) = (x[0] + 30.0, x[2] + 30.0);
        seen[0] = (east * east + north * north).sqrt();
        seen[1] = (north / east).atan();
    }
}

/// The same walk by distance and direction.
fn radar(walk: &Walk, page: &mut Page) -> Outcome<()> {
    let noise = DMatrix::from_diagonal(&DVector::from_column_slice(&[0.25, 0.0025]));
    let transition = walk.model.transition().clone();
    let wanders = transition.noise().matrix(0);
    let start = Initial::known(&[-15.0, 0.0, 5.0, 0.0], &DMatrix::from_diagonal_element(4, 4, 30.0))?;
    let model = NonlinearStateSpace::new((transition, &wanders), (Differentiated(Radar), &noise), &start)?;
    let mut rng = stream(SEED, &[1]);
    let root = noise.map(f64::sqrt);
    let mut seen = DMatrix::zeros(SECONDS, 2);
    for t in 0..SECONDS {
        let mut exact = [0.0; 2];
        Radar.evaluate(t, walk.truth.row(t).transpose().as_slice(), &mut exact);
        seen.set_row(t, &(DVector::from_column_slice(&exact) + draw(&root, &mut rng)).transpose());
    }
    let series = Series::new(&seen)?;
    let all: Vec<usize> = (0..SECONDS).collect();
    println!("\nBy radar, distance ± 0.5 and direction ± 3°: distance from the truth\n");
    println!("{:24} {:>8} {:>9} {:>14}", "", "filter", "smoother", "ln likelihood");
    let once = NonlinearOptions::default();
    let runs = [
        ("extended", nonlinear::filter(&model, &series, &Taylor, &once)?),
        ("extended, iterated", nonlinear::filter(&model, &series, &Taylor, &once.with_iterations(20))?),
        ("cubature", nonlinear::filter(&model, &series, &SigmaPoints::cubature(), &once)?),
        (
            "Gauss-Hermite, 3 nodes",
            nonlinear::filter(&model, &series, &SigmaPoints::gauss_hermite(3)?, &once)?,
        ),
    ];
    let mut items = Vec::new();
    for (name, filtered) in runs {
        let smoothed = filtered.smooth(&model)?;
        let of = distance(walk, |t| [filtered.mean(t)[0], filtered.mean(t)[2]], &all);
        let with = distance(walk, |t| [smoothed.mean(t)[0], smoothed.mean(t)[2]], &all);
        println!("{name:24} {of:8.3} {with:9.3} {:14.3}", filtered.ln_likelihood());
        items.push(format!("{name}: filter {of:.3}, smoother {with:.3} from the truth"));
    }
    page.sections.push(Section {
        title: "By radar".to_owned(),
        text: "Distance and direction are no linear functions of the position.".to_owned(),
        body: Body::List(items),
    });
    Ok(())
}
