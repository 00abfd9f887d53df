//! The means of a filter, once its gains are known: of several series side by side.

#![expect(clippy::needless_range_loop, reason = "loops over lanes and states, which the compiler unrolls")]

use super::steps::{Step, Steps};
use crate::dimension::Dimension;
use crate::{Error, Series, StateSpace};

/// What the observations of one series say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Means {
    /// n for each time, before the observation.
    pub(crate) predicted: Vec<f64>,
    /// n for each time, after it.
    pub(crate) filtered: Vec<f64>,
    /// m for each time: the innovations, divided by their root; NaN where missing.
    pub(crate) whitened: Vec<f64>,
    /// For each time ln p(y(t) | what was before).
    pub(crate) terms: Vec<f64>,
}

impl Means {
    pub(crate) fn new(n: usize, m: usize, length: usize) -> Self {
        Self {
            predicted: vec![0.0; n * length],
            filtered: vec![0.0; n * length],
            whitened: vec![f64::NAN; m * length],
            terms: vec![0.0; length],
        }
    }
}

/// One time, and what is known about it before the observation.
#[derive(Debug, Clone, Copy)]
struct Now<'a> {
    t: usize,
    step: Step<'a>,
    /// How many components are not missing.
    observed: usize,
    /// Which of them are spent on what is diffuse.
    spent: &'a [usize],
}

/// Follows the means of L series in which the same is missing.
///
/// Each number is computed as if its series were alone: side by side the processor works on all of them at
/// once.
#[derive(Debug)]
pub(crate) struct MeanPass<'a, const L: usize> {
    model: &'a StateSpace,
    series: [&'a Series; L],
    /// The mean before the observation at the next time; the series is the fastest index.
    mean: Vec<[f64; L]>,
    moved: Vec<[f64; L]>,
    whitened: Vec<[f64; L]>,
    which: Vec<usize>,
    /// The sum of all terms.
    pub(crate) ln_likelihood: [f64; L],
}

impl<'a, const L: usize> MeanPass<'a, L> {
    pub(crate) fn new(model: &'a StateSpace, series: [&'a Series; L]) -> Self {
        let (n, m) = (model.states(), model.width());
        Self {
            model,
            series,
            mean: model.initial().distribution().mean().iter().map(|&entry| [entry; L]).collect(),
            moved: vec![[0.0; L]; n],
            whitened: vec![[0.0; L]; m],
            which: Vec::with_capacity(m),
            ln_likelihood: [0.0; L],
        }
    }

    /// Takes the observations at the times of these steps, the first of which is `first`.
    pub(crate) fn advance<N: Dimension, M: Dimension>(
        &mut self,
        (n, m): (N, M),
        (steps, first): (&Steps, usize),
        mut keep: Option<&mut [Means; L]>,
    ) -> Result<(), Error> {
        let (n, m) = (n.get(), m.get());
        for (place, &number) in steps.numbers.iter().enumerate() {
            let t = first + place;
            if t > 0 {
                self.predict(n, t)?;
            }
            if let Some(all) = &mut keep {
                for (lane, means) in all.iter_mut().enumerate() {
                    for (entry, mean) in means.predicted[t * n..(t + 1) * n].iter_mut().zip(&self.mean) {
                        *entry = mean[lane];
                    }
                }
            }
            self.which.clear();
            self.which.extend((0..m).filter(|&i| !self.series[0].at(t)[i].is_nan()));
            let now = Now {
                t,
                step: steps.stored(number as usize),
                observed: self.which.len(),
                spent: steps.spent.get(t).map_or(&[], Vec::as_slice),
            };
            let terms = if now.observed == m {
                self.observe((n, m), &Now { observed: m, ..now }, |i| i)
            } else {
                let which = std::mem::take(&mut self.which);
                let terms = self.observe((n, m), &now, |i| which[i]);
                self.which = which;
                terms
            };
            for lane in 0..L {
                if !terms[lane].is_finite() {
                    return Err(Error::Overflow { time: t });
                }
                self.ln_likelihood[lane] += terms[lane];
            }
            if let Some(all) = &mut keep {
                for (lane, means) in all.iter_mut().enumerate() {
                    for (entry, mean) in means.filtered[t * n..(t + 1) * n].iter_mut().zip(&self.mean) {
                        *entry = mean[lane];
                    }
                    for (i, &component) in self.which.iter().enumerate() {
                        means.whitened[t * m + component] = self.whitened[i][lane];
                    }
                    means.terms[t] = terms[lane];
                }
            }
        }
        Ok(())
    }

    /// A x + b.
    #[inline]
    fn predict(&mut self, n: usize, t: usize) -> Result<(), Error> {
        let transition = self.model.transition();
        let (matrix, offset) = (transition.matrix().at(t - 1), transition.offset().at(t - 1));
        for i in 0..n {
            self.moved[i] = [offset[i]; L];
        }
        for k in 0..n {
            let mean = self.mean[k];
            for i in 0..n {
                for lane in 0..L {
                    self.moved[i][lane] += matrix[k * n + i] * mean[lane];
                }
            }
        }
        std::mem::swap(&mut self.mean, &mut self.moved);
        let mut size = 0.0;
        for mean in &self.mean[..n] {
            for lane in 0..L {
                size += mean[lane];
            }
        }
        if size.is_finite() { Ok(()) } else { Err(Error::Overflow { time: t }) }
    }

    /// Takes the components that are not missing, of which the i-th is component `place(i)`.
    #[inline]
    fn observe(&mut self, (n, m): (usize, usize), now: &Now<'_>, place: impl Fn(usize) -> usize) -> [f64; L] {
        let Now { t, step, observed, spent } = *now;
        let equation = self.model.observation();
        let (matrix, offset) = (equation.matrix().at(t), equation.offset().at(t));
        let rows = self.series.map(|series| series.at(t));
        let mut terms = [0.0 - step.ln_scale; L];
        for i in 0..observed {
            let component = place(i);
            let mut innovation = [-offset[component]; L];
            for lane in 0..L {
                innovation[lane] += rows[lane][component];
            }
            for k in 0..n {
                for lane in 0..L {
                    innovation[lane] -= matrix[k * m + component] * self.mean[k][lane];
                }
            }
            for j in 0..i {
                for lane in 0..L {
                    innovation[lane] -= step.root[j * observed + i] * self.whitened[j][lane];
                }
            }
            for lane in 0..L {
                innovation[lane] *= step.reciprocals[i];
            }
            self.whitened[i] = innovation;
            if !spent.contains(&i) {
                for lane in 0..L {
                    terms[lane] -= 0.5 * innovation[lane] * innovation[lane];
                }
            }
        }
        for i in 0..observed {
            for k in 0..n {
                for lane in 0..L {
                    self.mean[k][lane] += step.gain[i * n + k] * self.whitened[i][lane];
                }
            }
        }
        terms
    }
}
