//! Observations and places of questions, in the order of time.

use posterior_kalman::continuous::Process;
use posterior_kalman::{Initial, Matrices, ObservationEquation, Series, StateSpace, TransitionEquation};
use posterior_math::linalg::DMatrix;

use crate::{Error, Mean};

/// A state-space model over sorted times.
#[derive(Debug, Clone)]
pub(super) struct Timeline {
    pub(super) times: Vec<f64>,
    pub(super) series: Series,
    pub(super) model: StateSpace,
}

/// Observations in the order of their times.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Observations {
    pub(super) times: Vec<f64>,
    pub(super) outputs: Vec<f64>,
    /// One for all, or one for each.
    pub(super) variances: Vec<f64>,
}

impl Observations {
    /// Sorted; equal times stay in the order in which they came.
    pub(super) fn new(times: &[f64], outputs: &[f64], variances: Vec<f64>) -> Self {
        let same = variances.windows(2).all(|pair| pair[0] == pair[1]);
        let variances = if same { variances.first().copied().into_iter().collect() } else { variances };
        if times.is_sorted() {
            return Self { times: times.to_vec(), outputs: outputs.to_vec(), variances };
        }
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
        let sorted = |values: &[f64]| order.iter().map(|&index| values[index]).collect::<Vec<_>>();
        Self {
            times: sorted(times),
            outputs: sorted(outputs),
            variances: if same { variances } else { sorted(&variances) },
        }
    }

    /// The model of these observations.
    pub(super) fn timeline(&self, process: &Process, mean: &Mean) -> Result<Timeline, Error> {
        Timeline::new(process, mean, self.times.clone(), (&self.outputs, self.variances.clone()))
    }

    /// The model of these observations with other times among them at which nothing is seen, and the places
    /// of those.
    pub(super) fn with_questions(
        &self,
        process: &Process,
        mean: &Mean,
        questions: &[f64],
    ) -> Result<(Timeline, Vec<usize>), Error> {
        let mut order: Vec<usize> = (0..questions.len()).collect();
        order.sort_by(|&a, &b| questions[a].total_cmp(&questions[b]));
        let total = self.times.len() + questions.len();
        let mut times = Vec::with_capacity(total);
        let mut outputs = Vec::with_capacity(total);
        let mut variances = Vec::new();
        let mut places = vec![0; questions.len()];
        let mut next = order.iter().copied().peekable();
        for index in 0..=self.times.len() {
            let until = self.times.get(index).copied().unwrap_or(f64::INFINITY);
            while let Some(question) = next.next_if(|&question| questions[question] < until) {
                places[question] = times.len();
                times.push(questions[question]);
                outputs.push(f64::NAN);
                // Of what is missing, any will do.
                variances.push(1.0);
            }
            if let Some(&time) = self.times.get(index) {
                times.push(time);
                outputs.push(self.outputs[index]);
                variances.push(self.variances.get(index).or(self.variances.first()).copied().unwrap_or(1.0));
            }
        }
        if self.variances.len() <= 1 {
            variances.truncate(0);
            variances.extend(self.variances.first().copied().or(Some(1.0)));
        }
        Ok((Timeline::new(process, mean, times, (&outputs, variances))?, places))
    }
}

impl Timeline {
    fn new(
        process: &Process,
        mean: &Mean,
        times: Vec<f64>,
        (outputs, variances): (&[f64], Vec<f64>),
    ) -> Result<Self, Error> {
        let row = DMatrix::from_row_slice(1, process.states(), &process.observation());
        let noise = match variances[..] {
            [] => Matrices::constant(&DMatrix::from_element(1, 1, 1.0)),
            [variance] => Matrices::constant(&DMatrix::from_element(1, 1, variance)),
            _ => Matrices::from_entries(1, 1, variances)?,
        };
        let mut observation = ObservationEquation::varying(Matrices::constant(&row), noise)?;
        if !mean.is_zero() && !times.is_empty() {
            let offsets = mean.values(&DMatrix::from_column_slice(times.len(), 1, &times));
            observation =
                observation.with_offset(Matrices::from_entries(1, 1, offsets.as_slice().to_vec())?)?;
        }
        let transition: TransitionEquation = process.transition_equation(&times)?;
        let start = times.first().copied().unwrap_or_else(|| process.origin().max(0.0));
        let initial = Initial::known(&vec![0.0; process.states()], &process.covariance(start))?;
        let model = StateSpace::new(transition, observation, initial)?;
        let series = Series::with_missing(&DMatrix::from_column_slice(outputs.len(), 1, outputs))?;
        Ok(Self { times, series, model })
    }
}
