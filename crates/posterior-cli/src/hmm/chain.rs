//! Models whose states follow each other a row at a time, or a segment at a time.

use posterior::math::linalg::DMatrix;
use posterior::sequence::Error;
use posterior::sequence::emission::{DrawEmissions, Emissions, Sequence, Sequences};
use posterior::sequence::hmm::{Decoding, HiddenMarkovModel, Inference};
use posterior::sequence::semi_markov::{DurationFamily, Durations, SemiMarkovModel};
use rand::Rng;
use serde::{Deserialize, Serialize};

use super::said::{Asked, Said, WholePath};
use crate::args::DecodingKind;

/// A model of one of the two kinds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged, bound(serialize = "E: Clone + Serialize", deserialize = "E: Emissions + Deserialize<'de>"))]
pub(super) enum Chain<E> {
    /// The next state depends on the one before.
    Markov(HiddenMarkovModel<E>),
    /// So does that of the next segment, whose length has a distribution of its own.
    SemiMarkov(SemiMarkovModel<E>),
}

/// How long a state lasts.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Lasts {
    /// The mean number of rows.
    pub(super) mean: f64,
    #[serde(flatten)]
    pub(super) family: LastsFamily,
}

/// The distribution of the number of rows, and its parameters.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case", tag = "family")]
pub(super) enum LastsFamily {
    Table { probabilities: Vec<f64> },
    Poisson { rate: f64 },
    NegativeBinomial { size: f64, stay: f64 },
}

impl Lasts {
    fn of(durations: &Durations) -> Self {
        let p = |d: usize| durations.ln_pdf(d).exp();
        let family = match durations.family() {
            DurationFamily::Poisson { rate } => LastsFamily::Poisson { rate },
            DurationFamily::NegativeBinomial { size, stay } => LastsFamily::NegativeBinomial { size, stay },
            _ => LastsFamily::Table { probabilities: (1..=durations.longest()).map(p).collect() },
        };
        Self { mean: durations.mean(), family }
    }
}

impl<E: Emissions> Chain<E> {
    pub(super) fn initial(&self) -> Vec<f64> {
        match self {
            Self::Markov(model) => model.initial().to_vec(),
            Self::SemiMarkov(model) => model.initial(),
        }
    }

    pub(super) fn transition(&self) -> DMatrix<f64> {
        match self {
            Self::Markov(model) => model.transition().clone(),
            Self::SemiMarkov(model) => model.transitions(),
        }
    }

    pub(super) const fn emissions(&self) -> &E {
        match self {
            Self::Markov(model) => model.emissions(),
            Self::SemiMarkov(model) => model.emissions(),
        }
    }

    /// How long each state lasts, where that has a distribution of its own.
    pub(super) fn lasts(&self) -> Option<Vec<Lasts>> {
        match self {
            Self::Markov(_) => None,
            Self::SemiMarkov(model) => Some(model.durations().iter().map(Lasts::of).collect()),
        }
    }

    /// The same with other emissions.
    pub(super) fn with<F: Emissions>(&self, emissions: F) -> Result<Chain<F>, Error> {
        match self {
            Self::Markov(model) => {
                HiddenMarkovModel::new(model.initial(), model.transition(), emissions).map(Chain::Markov)
            }
            Self::SemiMarkov(model) => {
                let durations = model.durations().to_vec();
                SemiMarkovModel::new(&model.initial(), &model.transitions(), durations, emissions)
                    .map(Chain::SemiMarkov)
            }
        }
    }

    /// What the model says of these sequences.
    pub(super) fn says(&self, sequences: &Sequences<'_, E::Data>, asked: Asked) -> Result<Said, Error> {
        let mut said =
            Said { ln_likelihoods: Vec::new(), states: Vec::new(), probabilities: Vec::new(), best: None };
        for (number, sequence) in sequences.as_slice().iter().enumerate() {
            let one = match self {
                Self::Markov(model) => of_rows(model, sequence, asked, &mut said),
                Self::SemiMarkov(model) => of_segments(model, sequence, asked, &mut said),
            };
            one.map_err(|error| error.of_sequence(number))?;
        }
        Ok(said)
    }
}

impl<E: DrawEmissions> Chain<E> {
    /// States of this many rows, and what they show.
    pub(super) fn simulate<R: Rng + ?Sized>(
        &self,
        rows: usize,
        rng: &mut R,
    ) -> (Vec<usize>, <E::Data as ToOwned>::Owned) {
        match self {
            Self::Markov(model) => model.simulate(rows, rng),
            Self::SemiMarkov(model) => {
                let segments = model.simulate(rows, rng);
                let states: Vec<usize> =
                    segments.iter().flat_map(|own| std::iter::repeat_n(own.state, own.length)).collect();
                let data = model.emissions().draw(&states, rng);
                (states, data)
            }
        }
    }
}

fn of_rows<E: Emissions>(
    model: &HiddenMarkovModel<E>,
    sequence: &Sequence<'_, E::Data>,
    asked: Asked,
    said: &mut Said,
) -> Result<(), Error> {
    let decoding = match asked.decoding {
        DecodingKind::Viterbi => Decoding::Viterbi,
        DecodingKind::Posterior => Decoding::Posterior,
    };
    let mut inference = Inference::new(model);
    said.states.push(inference.decode(sequence, decoding)?.states);
    let smoothed = inference.smooth(sequence)?;
    let ln_z = smoothed.score().ln_z;
    said.ln_likelihoods.push(ln_z);
    said.probabilities.push(smoothed.marginals().to_vec());
    if let Some(count) = asked.best {
        let paths = inference.k_best(sequence, count)?.into_iter();
        let paths = paths.map(|path| WholePath::new(path.states, path.score - ln_z)).collect();
        said.best.get_or_insert_default().push(paths);
    }
    Ok(())
}

fn of_segments<E: Emissions>(
    model: &SemiMarkovModel<E>,
    sequence: &Sequence<'_, E::Data>,
    asked: Asked,
    said: &mut Said,
) -> Result<(), Error> {
    let posterior = model.posterior(sequence)?;
    said.states.push(match asked.decoding {
        DecodingKind::Viterbi => model.decode(sequence)?.states(),
        DecodingKind::Posterior => model.posterior_decoding(&posterior),
    });
    said.ln_likelihoods.push(posterior.ln_likelihood);
    said.probabilities.push(posterior.states);
    Ok(())
}
