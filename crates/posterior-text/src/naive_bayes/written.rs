//! The file form of a model: options and counts, from which all else follows exactly.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::class_counts::{ClassCounts, Counted};
use super::model::NaiveBayes;
use super::options::NaiveBayesOptions;

const FORMAT: &str = "posterior-naive-bayes-1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    options: NaiveBayesOptions,
    counted: Counted,
    vocabulary: usize,
    classes: Vec<Class>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    documents: f64,
    /// Word and count, of the words that were counted.
    words: Vec<(u32, f64)>,
}

impl Serialize for NaiveBayes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let class = |class: usize| {
            let counted = (0..).zip(self.counts().words_of(class)).filter(|&(_, &n)| n != 0.0);
            Class {
                documents: self.counts().documents[class],
                words: counted.map(|(word, &n)| (word, n)).collect(),
            }
        };
        let file = File {
            format: FORMAT.to_owned(),
            options: self.options.clone(),
            counted: self.counts.counted,
            vocabulary: self.counts.vocabulary,
            classes: (0..self.classes()).map(class).collect(),
        };
        file.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for NaiveBayes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let file = File::deserialize(deserializer)?;
        if file.format != FORMAT {
            return Err(D::Error::custom(format!("format {:?}, expected {FORMAT:?}", file.format)));
        }
        let counts = file.counts().map_err(D::Error::custom)?;
        Self::from_counts(counts, &file.options).map_err(D::Error::custom)
    }
}

impl File {
    fn counts(&self) -> Result<ClassCounts, String> {
        let counts = ClassCounts::new(self.counted, self.classes.len(), self.vocabulary);
        let mut counts = counts.map_err(|error| error.to_string())?;
        let good = |n: f64| n >= 0.0 && n.is_finite();
        for (index, class) in self.classes.iter().enumerate() {
            if !good(class.documents) || !class.words.is_sorted_by(|a, b| a.0 < b.0) {
                return Err(format!("class {index}: documents or the order of words"));
            }
            counts.documents[index] = class.documents;
            for &(word, n) in &class.words {
                if word as usize >= self.vocabulary || !good(n) {
                    return Err(format!("class {index}: word {word} of {} with count {n}", self.vocabulary));
                }
                counts.words[index * self.vocabulary + word as usize] = n;
                counts.totals[index] += n;
            }
        }
        Ok(counts)
    }
}
