//! Texts that a class makes: the most likely one, and any.

use posterior_dist::AliasTable;
use rand::distr::Distribution;
use rand::{Rng, RngExt};

use super::model::NaiveBayes;
use super::options::EventModel;
use super::posterior::first_largest;
use crate::Error;

impl NaiveBayes {
    /// The words of the most likely text of a class. Of the Bernoulli model, those that are rather there than
    /// not; of the multinomial models every text of `n` times the most frequent word is the most likely of
    /// its length, and the word is what is returned.
    ///
    /// # Errors
    /// There is no such class, or the model is a complement model, which makes no texts.
    pub fn most_likely_words(&self, class: usize) -> Result<Vec<u32>, Error> {
        self.check_generative(class)?;
        let counts = self.counts.words_of(class);
        if self.options.model == EventModel::Bernoulli {
            let documents = self.counts.documents[class];
            let likely = |&(_, &n): &(u32, &f64)| n > documents - n;
            return Ok((0..).zip(counts).filter(likely).map(|(word, _)| word).collect());
        }
        Ok(vec![first_largest(counts) as u32])
    }

    /// A text drawn from a class: words and counts in order of words. Of the multinomial models its length is
    /// Poisson with the mean length of the class's documents, a Pólya text from words drawn one after the
    /// other, each with what it makes more probable.
    ///
    /// # Errors
    /// There is no such class, or it has no document to take the length from, or the model is a complement
    /// model, which makes no texts.
    pub fn sample<R: Rng + ?Sized>(&self, class: usize, rng: &mut R) -> Result<Vec<(u32, u32)>, Error> {
        self.check_generative(class)?;
        let counts = self.counts.words_of(class);
        let (documents, add) = (self.counts.documents[class], self.options.smoothing);
        if self.options.model == EventModel::Bernoulli {
            let drawn = |&(_, n): &(u32, &f64)| rng.random::<f64>() * (documents + 2.0 * add) < n + add;
            return Ok((0..).zip(counts).filter(drawn).map(|(word, _)| (word, 1)).collect());
        }
        let mean = match &self.mean_lengths {
            Some(means) => means[class],
            None if documents > 0.0 => self.counts.totals[class] / documents,
            None => return Err(Error::Corpus(format!("class {class} has no document to tell the length"))),
        };
        let length = poisson(mean, rng)?;
        let smoothed: Vec<f64> = counts.iter().map(|n| n + add).collect();
        let table = AliasTable::from_weights(&smoothed)?;
        let total: f64 = smoothed.iter().sum();
        let mut words: Vec<u32> = Vec::new();
        for _ in 0..length {
            let own = words.len() as f64;
            // With probability of the words so far against all, one of them comes again.
            let again = self.options.model == EventModel::Polya && rng.random::<f64>() * (total + own) < own;
            let word = if again { words[rng.random_range(0..words.len())] } else { table.sample(rng) as u32 };
            words.push(word);
        }
        words.sort_unstable();
        Ok(words.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect())
    }

    fn check_generative(&self, class: usize) -> Result<(), Error> {
        self.counts.check_class(class)?;
        if self.options.model.is_generative() {
            return Ok(());
        }
        Err(Error::Corpus("a complement model makes no texts: choose multinomial or Bernoulli".to_owned()))
    }
}

fn poisson<R: Rng + ?Sized>(mean: f64, rng: &mut R) -> Result<u64, Error> {
    if mean == 0.0 {
        return Ok(0);
    }
    Ok(posterior_dist::Poisson::new(mean)?.sample(rng))
}
