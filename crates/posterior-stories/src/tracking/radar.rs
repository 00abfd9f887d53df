//! The same walk by distance and direction.

use std::io::Write;

use posterior::dist::stream::stream;
use posterior::kalman::nonlinear::{Formula, NonlinearOptions, NonlinearStateSpace, SigmaPoints, Taylor};
use posterior::kalman::{Initial, Series, nonlinear};
use posterior::math::autodiff::Real;
use posterior::math::linalg::{DMatrix, DVector};
use posterior::report::{Body, Page, Section};

use super::walk::{Walk, draw};
use super::{SECONDS, SEED, distance};
use crate::Outcome;

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
pub(super) fn radar(out: &mut dyn Write, walk: &Walk, page: &mut Page) -> Outcome<()> {
    let noise = DMatrix::from_diagonal(&DVector::from_column_slice(&[0.25, 0.0025]));
    let transition = walk.model.transition().clone();
    let wanders = transition.noise().matrix(0);
    let start = Initial::known(&[-15.0, 0.0, 5.0, 0.0], &DMatrix::from_diagonal_element(4, 4, 30.0))?;
    let model = NonlinearStateSpace::new((transition, &wanders), (Radar, &noise), &start)?;
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
    writeln!(out, "\nBy radar, distance ± 0.5 and direction ± 3°: distance from the truth\n")?;
    writeln!(out, "{:24} {:>8} {:>9} {:>14}", "", "filter", "smoother", "ln likelihood")?;
    let once = NonlinearOptions::default();
    let runs = [
        ("extended", nonlinear::filter(&model, &series, &Taylor, &once)?),
        (
            "extended, iterated",
            nonlinear::filter(&model, &series, &Taylor, &NonlinearOptions { max_iterations: 20, ..once })?,
        ),
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
        writeln!(out, "{name:24} {of:8.3} {with:9.3} {:14.3}", filtered.ln_likelihood())?;
        items.push(format!("{name}: filter {of:.3}, smoother {with:.3} from the truth"));
    }
    page.sections.push(Section {
        title: "By radar".to_owned(),
        text: "Distance and direction are no linear functions of the position.".to_owned(),
        body: Body::List(items),
    });
    Ok(())
}
