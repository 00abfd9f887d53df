//! Texts without labels help: EM with the missing labels as what is hidden.

use posterior_inference::em::{EmOptions, Expected, Problem, expectation_maximization};
use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer};
use posterior_math::log_space::x_ln_y;

use super::class_counts::ClassCounts;
use super::class_prior::ClassPrior;
use super::class_weights::ClassWeights;
use super::model::NaiveBayes;
use super::options::{DocumentLength, EventModel, NaiveBayesOptions};
use crate::checks::size;
use crate::{Corpus, Error};

/// A model of labelled and of unlabelled texts, each of the latter counting as `weight` (Nigam et al. 2000).
/// Bernoulli and multinomial models.
///
/// EM starts from the labelled texts. Its objective, which never falls, is ln p(labelled texts and labels) +
/// weight · ln p(unlabelled texts) + the logarithm of the prior under which smoothed counts are the most
/// probable parameters: Dirichlet with concentrations 1 + smoothing.
///
/// # Errors
/// Another event model, weights of classes, a weight that is negative or not finite, a text that no class
/// explains, counts that do not fit the corpus, or as [`NaiveBayes::from_counts`].
///
/// # References
/// K. Nigam, A. McCallum, S. Thrun, T. Mitchell, Text classification from labeled and unlabeled documents
/// using EM, Machine Learning 39, 2000.
pub fn semi_supervised(
    labelled: &ClassCounts,
    unlabelled: &Corpus,
    weight: f64,
    options: &NaiveBayesOptions,
    em: &EmOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<NaiveBayes>, Error> {
    if !matches!(options.model, EventModel::Bernoulli | EventModel::Multinomial) {
        return Err(Error::Corpus("texts without labels need the Bernoulli or multinomial model".to_owned()));
    }
    if options.weights != ClassWeights::Equal {
        return Err(Error::Corpus("texts without labels have no place for weights of classes".to_owned()));
    }
    check::non_negative("semi_supervised", "weight", weight)?;
    size("words of the texts without labels", labelled.vocabulary(), unlabelled.vocabulary().len())?;
    let start = NaiveBayes::from_counts(labelled.clone(), options)?;
    let problem = SomeLabels { labelled, unlabelled, weight, options };
    expectation_maximization(&problem, start, em, observer)
}

struct SomeLabels<'a> {
    labelled: &'a ClassCounts,
    unlabelled: &'a Corpus,
    weight: f64,
    options: &'a NaiveBayesOptions,
}

impl Problem for SomeLabels<'_> {
    type Model = NaiveBayes;
    type Statistics = ClassCounts;
    type Error = Error;

    fn e_step(&self, model: &NaiveBayes) -> Result<Expected<ClassCounts>, Error> {
        let mut counts = self.labelled.clone();
        let mut ln_likelihood = ln_parameters_score(model, self.labelled);
        for (d, posterior) in model.posteriors(self.unlabelled).into_iter().enumerate() {
            let posterior = posterior.ok_or_else(|| {
                let name = &self.unlabelled.names()[d];
                Error::Corpus(format!("no class explains document {name}: more smoothing is needed"))
            })?;
            ln_likelihood += self.weight * posterior.ln_evidence;
            for (class, probability) in posterior.probabilities.iter().enumerate() {
                counts.push_weighted(self.unlabelled.document(d), class, self.weight * probability)?;
            }
        }
        Ok(Expected::new(counts, ln_likelihood))
    }

    fn m_step(&self, statistics: &ClassCounts, _: &NaiveBayes) -> Result<NaiveBayes, Error> {
        NaiveBayes::from_counts(statistics.clone(), self.options)
    }

    fn ln_prior(&self, model: &NaiveBayes) -> f64 {
        let (classes, words) = (model.classes(), self.labelled.vocabulary());
        let add = self.options.smoothing;
        // The prior's pseudo-counts, scored as if they were data.
        let mut pseudo = ClassCounts {
            documents: vec![0.0; classes],
            totals: vec![add * words as f64; classes],
            words: vec![add; classes * words],
            ..*model.counts()
        };
        let mut ln = 0.0;
        if let ClassPrior::Learned { add } = self.options.prior {
            ln += model.ln_prior().iter().map(|p| if add == 0.0 { 0.0 } else { add * p }).sum::<f64>();
        }
        if let (DocumentLength::Poisson { documents }, Some(means)) =
            (self.options.length, &model.mean_lengths)
        {
            let all = model.counts();
            let common = all.totals().iter().sum::<f64>() / all.documents().iter().sum::<f64>();
            ln += means.iter().map(|&mean| documents * (x_ln_y(common, mean) - mean)).sum::<f64>();
        }
        if self.options.model == EventModel::Bernoulli {
            pseudo.documents.fill(2.0 * add);
        }
        ln + ln_words_score(model, &pseudo)
    }
}

/// ln p(texts, labels | model) of counted texts, but for what the model does not change.
fn ln_parameters_score(model: &NaiveBayes, counts: &ClassCounts) -> f64 {
    let times = |n: f64, ln: f64| if n == 0.0 { 0.0 } else { n * ln };
    let mut ln: f64 =
        counts.documents().iter().zip(model.ln_prior()).map(|(&n, &prior)| times(n, prior)).sum();
    if let Some(means) = &model.mean_lengths {
        for ((&total, &documents), &mean) in counts.totals().iter().zip(counts.documents()).zip(means) {
            ln += x_ln_y(total, mean) - documents * mean;
        }
    }
    ln + ln_words_score(model, counts)
}

/// Σ n ln θ, of the Bernoulli model with Σ (documents - n) ln(1 - θ).
fn ln_words_score(model: &NaiveBayes, counts: &ClassCounts) -> f64 {
    let fitted = model.counts();
    let add = model.options().smoothing;
    let bernoulli = model.options().model == EventModel::Bernoulli;
    let mut ln = 0.0;
    for class in 0..counts.classes() {
        let (n, documents) = (counts.words_of(class), counts.documents()[class]);
        let (own, all) = (fitted.words_of(class), fitted.documents()[class]);
        if bernoulli {
            let total = all + 2.0 * add;
            for (&n, &own) in n.iter().zip(own) {
                ln += x_ln_y(n, (own + add) / total);
                ln += x_ln_y((documents - n).max(0.0), ((all - own).max(0.0) + add) / total);
            }
        } else {
            let total = fitted.totals()[class] + add * counts.vocabulary() as f64;
            ln += n.iter().zip(own).map(|(&n, &own)| x_ln_y(n, (own + add) / total)).sum::<f64>();
        }
    }
    ln
}
