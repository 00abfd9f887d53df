//! The page: maps of both classes, side by side.

use posterior::gp::likelihood::LogisticLikelihood;
use posterior::gp::support_vectors::Losses;
use posterior::math::linalg::{DMatrix, DVector};
use posterior::report::{
    Body, Field, FieldDot, Figure, Page, PageTable, Picture, Section, Side, TableColumn, density, field,
};

use super::compare::{HEADINGS, Row, cells};
use super::{Answers, POINTS, Points, SEED};
use crate::Outcome;

/// Cells of a map along each side.
const CELLS: usize = 72;
/// The half-width of a map around the points, which are within about 1.5, and of one that sees what is far
/// away.
const NEAR: f64 = 2.2;
const FAR: f64 = 9.0;

/// A square around the points, cut into cells.
struct Map {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Map {
    fn new(half: f64) -> Self {
        let centers = |middle: f64| {
            (0..CELLS).map(|i| middle + half * (2.0 * (i as f64 + 0.5) / CELLS as f64 - 1.0)).collect()
        };
        Self { x: centers(0.0), y: centers(0.5) }
    }

    /// The centres of the cells, row by row.
    fn places(&self) -> DMatrix<f64> {
        DMatrix::from_fn(CELLS * CELLS, 2, |i, c| if c == 0 { self.x[i % CELLS] } else { self.y[i / CELLS] })
    }

    /// A map of something, with points on it.
    fn picture(&self, name: &str, values: &DVector<f64>, ends: (f64, f64), dots: &[FieldDot]) -> Picture {
        let plane = Field { x: self.x.clone(), y: self.y.clone(), values: values.as_slice().to_vec(), ends };
        field(name, ("x₁", "x₂"), &plane, dots)
    }
}

fn dots(train: &Points, radius: impl Fn(usize) -> f64) -> Vec<FieldDot> {
    let dot = |i: usize| FieldDot {
        at: (train.x[(i, 0)], train.x[(i, 1)]),
        radius: radius(i),
        side: if train.labels[i] > 0.0 { Side::High } else { Side::Low },
    };
    (0..POINTS).map(dot).collect()
}

pub(super) fn page(answers: &Answers, train: &Points, rows: &[Row]) -> Outcome<Page> {
    let title = "Two classes, and what is known of them far from the points";
    let mut page = Page::new("Classification", title);
    page.standfirst.push(format!(
        "{POINTS} points of two classes, learned by a network of neurons and by a Gaussian process. The deeper a colour, the more certain the \
         class; the colour of the page is one half. A trained network is certain of places that it has never seen. The average over the networks that fit the \
         points is less so, and a Gaussian process returns to one half."
    ));
    let far = far_and_wide(answers, train)?;
    if let Body::Figures(figures) = &far.body {
        page.lead = figures.get(1).cloned();
    }
    for row in rows.iter().filter(|row| row.ln_score.is_some()) {
        page.fact(
            format!("ln score on new points, {}", row.name),
            format!("{:.3}", row.ln_score.unwrap_or(f64::NAN)),
        );
    }
    "Points drawn from four overlapping clouds.".clone_into(&mut page.source);
    page.sections =
        vec![far, function(answers, train)?, weights(answers, train)?, comparison(rows), losses()];
    page.settings = [
        ("seed", SEED.to_string()),
        ("points", POINTS.to_string()),
        ("kernel", answers.propagation.prior().kernel().to_string()),
        (
            "precision of the network's weights",
            format!("{:.3}", answers.network.hyperparameters().precisions()[0]),
        ),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec();
    Ok(page)
}

/// The probabilities of three methods, also far from the points.
fn far_and_wide(answers: &Answers, train: &Points) -> Outcome<Section> {
    let (map, points) = (Map::new(FAR), dots(train, |_| 1.6));
    let places = map.places();
    let column = |matrix: &DMatrix<f64>| matrix.column(0).into_owned();
    let trained = column(&answers.network.plug_in_response(&places)?);
    let averaged = column(&answers.network.latent(&places)?.response());
    let process = answers.propagation.latent(&places)?.mean_response(&LogisticLikelihood);
    let figure = |name: &str, p: &DVector<f64>, caption: &str| {
        Figure::new(map.picture(name, p, (0.0, 1.0), &points), caption)
    };
    Ok(Section::new(
        "Far and wide",
        format!(
            "The probability of the second class. The network has {} parameters, of which the points determine {:.1}; its prior precision and the \
             kernel of the process are those of the highest evidence.",
            answers.network.network().parameters(),
            answers.network.effective_parameters()[0],
        ),
        vec![
            figure(
                "Trained network",
                &trained,
                "The trained network, its most probable weights alone: certain almost everywhere, most of all where it has seen nothing.",
            ),
            figure(
                "Average over networks",
                &averaged,
                "The average over networks, by Laplace's approximation: what the points leave open fades into the page.",
            ),
            figure(
                "Gaussian process",
                &process,
                "The Gaussian process, by expectation propagation: beyond the reach of its kernel nothing is known.",
            ),
        ],
    ))
}

/// The Gaussian process near the points.
fn function(answers: &Answers, train: &Points) -> Outcome<Section> {
    let (map, points) = (Map::new(NEAR), dots(train, |_| 2.4));
    let places = map.places();
    let latent = answers.propagation.latent(&places)?;
    let (sd, reach) = (latent.variance.map(f64::sqrt), latent.mean.amax());
    let response = |p: &DVector<f64>, name: &str| map.picture(name, p, (0.0, 1.0), &points);
    let trained = answers.network.plug_in_response(&places)?.column(0).into_owned();
    let averaged = answers.network.latent(&places)?.response().column(0).into_owned();
    Ok(Section::new(
        "Between the points",
        "The same close up: what the Gaussian process knows of its function, and the network.",
        vec![
            Figure::new(
                map.picture("Standard deviation of f", &sd, (-sd.amax(), sd.amax()), &points),
                "How well the function of the process is known: least in the corners.",
            ),
            Figure::new(
                response(&latent.plug_in_response(&LogisticLikelihood), "Plugged-in probability"),
                "The probability with the mean taken for the function.",
            ),
            Figure::new(
                response(&latent.mean_response(&LogisticLikelihood), "Averaged probability"),
                "The probability averaged over all functions.",
            ),
            Figure::new(
                map.picture("Mean of f", &latent.mean, (-reach, reach), &points),
                "The mean of the function, whose sign tells the classes apart.",
            ),
            Figure::new(
                response(&trained, "Trained network"),
                "The trained network: its border is made of lines.",
            ),
            Figure::new(response(&averaged, "Average over networks"), "The average over networks."),
        ],
    ))
}

fn comparison(rows: &[Row]) -> Section {
    let column = |(i, heading): (usize, &&str)| {
        if i == 0 {
            TableColumn::Text((*heading).to_owned())
        } else {
            TableColumn::Number((*heading).to_owned())
        }
    };
    Section::new(
        "On new points, and against draws of the exact posterior",
        "Errors and mean logarithms of the probabilities on 2,000 new points. For the process, elliptical slice sampling is the reference: \
               by how many of its standard deviations the means at the points are off, and how wide the approximations are.",
        PageTable {
            columns: HEADINGS.iter().enumerate().map(column).collect(),
            rows: rows.iter().map(cells).collect(),
        },
    )
}

/// The weights of both: which points hold the function where it is.
fn weights(answers: &Answers, train: &Points) -> Outcome<Section> {
    let map = Map::new(NEAR);
    let places = map.places();
    let sized = |weights: &DVector<f64>| {
        let largest = weights.amax();
        dots(train, |i| 6.0 * (weights[i].abs() / largest).sqrt())
    };
    let decision = answers.machine.decision(&places)?;
    let of_gp = answers.laplace.latent(&places)?.mean;
    let (gp, machine) = (of_gp.amax(), decision.amax());
    let support = answers.machine.support().count();
    Ok(Section::new(
        "Which points matter",
        format!(
            "Both functions are sums of kernels at the points, with weights that are the slopes of the losses. The machine's are exactly zero for \
             all but {support} points; the process's are small there. A dot's area is the size of its weight."
        ),
        vec![
            Figure::new(
                map.picture("Gaussian process", &of_gp, (-gp, gp), &sized(answers.laplace.weights())),
                "The Gaussian process: all points that are not sure count.",
            ),
            Figure::new(
                map.picture(
                    "Support vector machine",
                    &decision,
                    (-machine, machine),
                    &sized(answers.machine.weights()),
                ),
                "The support vector machine: points at the margin and beyond it count.",
            ),
        ],
    ))
}

/// Three losses of the margin.
fn losses() -> Section {
    let at: Vec<Losses> = (0..=120).map(|i| Losses::at(f64::from(i) / 20.0 - 3.0)).collect();
    let curve = |loss: fn(&Losses) -> f64| at.iter().map(|l| (l.margin, loss(l))).collect::<Vec<_>>();
    let curves = [curve(|l| l.hinge), curve(|l| l.logistic), curve(|l| l.probit)];
    Section::new(
        "Losses",
        "The hinge is flat beyond the margin 1; minus the logarithms of the two likelihoods never are. The hinge is minus the logarithm of \
               no likelihood: the masses of both labels add up to 0.74 at f = 0, and to 1.14 at f = 1.",
        Figure::new(density("losses", &curves), "Hinge, logistic and probit loss over the margin y f."),
    )
}
