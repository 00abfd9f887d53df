//! Options of the prior of the proportions.

use posterior_math::ParamError;
use serde::{Deserialize, Serialize};

use super::Lda;
use crate::{Error, TopicModel};

/// The range of prior concentrations: sums and reciprocals of them stay far from the ends of f64.
const RANGE: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

/// The Dirichlet concentrations of topics in a document.
///
/// ```
/// use posterior_topics::lda::Concentration;
///
/// assert_eq!(Concentration::Default.of_topics(10)?, vec![0.5; 10]);
/// assert_eq!(Concentration::from(0.2).of_topics(3)?, [0.2; 3]);
/// assert!(Concentration::from(vec![0.2, 0.3]).of_topics(3).is_err());
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Concentration {
    /// `5 / topics` for each topic.
    #[default]
    Default,
    /// The same for each topic.
    Symmetric(f64),
    /// One for each topic.
    Asymmetric(Vec<f64>),
}

impl From<f64> for Concentration {
    fn from(alpha: f64) -> Self {
        Self::Symmetric(alpha)
    }
}

impl From<Vec<f64>> for Concentration {
    fn from(alpha: Vec<f64>) -> Self {
        Self::Asymmetric(alpha)
    }
}

impl Concentration {
    /// The concentrations of so many topics.
    ///
    /// # Errors
    /// Another number of topics, or a concentration that is not from 1e-30 to 1e30.
    pub fn of_topics(&self, topics: usize) -> Result<Vec<f64>, ParamError> {
        self.of_topics_in("Lda", topics)
    }

    /// As [`of_topics`](Self::of_topics), with the name of another model in errors.
    pub(crate) fn of_topics_in(&self, of: &'static str, topics: usize) -> Result<Vec<f64>, ParamError> {
        let alpha = match self {
            Self::Default => return Ok(vec![5.0 / topics as f64; topics]),
            Self::Symmetric(alpha) => return Ok(vec![check(of, "alpha", *alpha)?; topics]),
            Self::Asymmetric(alpha) => alpha.clone(),
        };
        if alpha.len() != topics {
            return Err(ParamError::new(of, "alpha", alpha.len() as f64, "one number for each topic"));
        }
        for (k, &a) in alpha.iter().enumerate() {
            check(of, "alpha", a).map_err(|error| error.at(k))?;
        }
        Ok(alpha)
    }
}

/// Checks one concentration.
pub(crate) fn check(of: &'static str, name: &'static str, value: f64) -> Result<f64, ParamError> {
    if RANGE.contains(&value) {
        Ok(value)
    } else {
        Err(ParamError::new(of, name, value, "from 1e-30 to 1e30"))
    }
}

/// Checks a number of topics.
pub(crate) fn check_topics(of: &'static str, topics: usize) -> Result<(), ParamError> {
    posterior_math::check::require(
        (1..=usize::from(u16::MAX)).contains(&topics),
        of,
        "topics",
        topics as f64,
        "from 1 to 65535",
    )
    .map(|_| ())
}

/// Threads to work on; 0 for all cores.
pub(crate) fn thread_pool(threads: usize) -> Result<rayon::ThreadPool, ParamError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|_| ParamError::new("Lda", "threads", threads as f64, "as many as the system can start"))
}

/// Checks that a model has this vocabulary.
pub(super) fn check_vocabulary(model: &Lda, vocabulary: &[String]) -> Result<(), Error> {
    if model.topics().vocabulary() == vocabulary {
        Ok(())
    } else {
        Err(Error::Corpus("the model and the corpus have different vocabularies".to_owned()))
    }
}
