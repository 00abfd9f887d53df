//! What a filter knows before it sees the observations: covariances and gains, stored once where they repeat.

use posterior_math::special::HALF_LN_TAU;

/// For each time the covariances before and after the observation and the gain.
///
/// Of m components those that are observed count: of the roots the first observed x observed entries are
/// used, of the gains the first n x observed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Steps {
    pub(crate) n: usize,
    pub(crate) m: usize,
    /// For each time the number of what is stored.
    pub(crate) numbers: Vec<u32>,
    /// Whether distributions are stored, and not gains alone.
    keeps: bool,
    predicted: Vec<f64>,
    filtered: Vec<f64>,
    roots: Vec<f64>,
    reciprocals: Vec<f64>,
    gains: Vec<f64>,
    ln_scales: Vec<f64>,
    /// For the first times, until nothing is diffuse: which innovations were spent on that.
    pub(crate) spent: Vec<Vec<usize>>,
}

/// What is stored of one time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step<'a> {
    /// Lower root of the covariance of the innovations, observed x observed.
    pub(crate) root: &'a [f64],
    /// 1 / its diagonal.
    pub(crate) reciprocals: &'a [f64],
    /// What an innovation, divided by the root, adds to the mean.
    pub(crate) gain: &'a [f64],
    /// ln of the diagonal, and of √(2π) for each.
    pub(crate) ln_scale: f64,
}

impl Steps {
    pub(crate) const fn new(n: usize, m: usize) -> Self {
        Self {
            n,
            m,
            numbers: Vec::new(),
            keeps: true,
            predicted: Vec::new(),
            filtered: Vec::new(),
            roots: Vec::new(),
            reciprocals: Vec::new(),
            gains: Vec::new(),
            ln_scales: Vec::new(),
            spent: Vec::new(),
        }
    }

    /// The same, and from now on no distributions: [`predicted`](Self::predicted) and
    /// [`filtered`](Self::filtered) have none.
    pub(crate) fn gains_only(self) -> Self {
        Self { keeps: false, predicted: Vec::new(), filtered: Vec::new(), ..self }
    }

    /// Forgets all times, and all that is stored but the last.
    pub(crate) fn restart(&mut self) {
        let (n, m) = (self.n, self.m);
        for (each, entries) in [
            (n * n, &mut self.predicted),
            (n * n, &mut self.filtered),
            (m * m, &mut self.roots),
            (m, &mut self.reciprocals),
            (n * m, &mut self.gains),
            (1, &mut self.ln_scales),
        ] {
            let from = entries.len().saturating_sub(each);
            entries.copy_within(from.., 0);
            entries.truncate(each);
        }
        self.numbers.clear();
        self.spent.clear();
    }

    pub(crate) const fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The next time has what the last has.
    pub(crate) fn repeat(&mut self) {
        self.numbers.push(self.ln_scales.len() as u32 - 1);
    }

    /// Adds the distribution before an observation.
    pub(crate) fn push_predicted(&mut self, distribution: &[f64]) {
        if self.keeps {
            self.predicted.extend_from_slice(distribution);
        }
    }

    /// Adds the distribution after it, with the root (observed x observed) and the gain (n x observed).
    pub(crate) fn push_filtered(
        &mut self,
        distribution: &[f64],
        observed: usize,
        root: &[f64],
        gain: &[f64],
    ) {
        self.numbers.push(self.ln_scales.len() as u32);
        if self.keeps {
            self.filtered.extend_from_slice(distribution);
        }
        let count = self.ln_scales.len() + 1;
        self.roots.extend_from_slice(root);
        self.roots.resize(count * self.m * self.m, 0.0);
        self.gains.extend_from_slice(gain);
        self.gains.resize(count * self.n * self.m, 0.0);
        let mut ln_scale = 0.0;
        for i in 0..observed {
            let scale = root[i * observed + i];
            self.reciprocals.push(1.0 / scale);
            ln_scale += scale.ln() + HALF_LN_TAU;
        }
        self.reciprocals.resize(count * self.m, 0.0);
        self.ln_scales.push(ln_scale);
    }

    /// Says of the last time which innovations, among those observed, were spent on what was diffuse, and
    /// what ln of the scales is.
    pub(crate) fn spend(&mut self, which: Vec<usize>, ln_scale: f64) {
        self.spent.push(which);
        if let Some(last) = self.ln_scales.last_mut() {
            *last = ln_scale;
        }
    }

    /// What is stored under a number.
    #[inline]
    pub(crate) fn stored(&self, number: usize) -> Step<'_> {
        let (n, m) = (self.n, self.m);
        Step {
            root: &self.roots[number * m * m..(number + 1) * m * m],
            reciprocals: &self.reciprocals[number * m..(number + 1) * m],
            gain: &self.gains[number * n * m..(number + 1) * n * m],
            ln_scale: self.ln_scales[number],
        }
    }

    /// The distribution before the observation at time `t`.
    #[track_caller]
    pub(crate) fn predicted(&self, t: usize) -> &[f64] {
        let (number, each) = (self.numbers[t] as usize, self.n * self.n);
        &self.predicted[number * each..(number + 1) * each]
    }

    /// The distribution after it.
    #[track_caller]
    pub(crate) fn filtered(&self, t: usize) -> &[f64] {
        let (number, each) = (self.numbers[t] as usize, self.n * self.n);
        &self.filtered[number * each..(number + 1) * each]
    }
}
