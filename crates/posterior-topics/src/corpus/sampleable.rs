//! What the samplers can count.

use crate::{Corpus, Error};

impl Corpus {
    /// Whether all counts of its tokens are numbers of 32 bits with a sign, which machines convert in
    /// vectors.
    pub(crate) fn check_sampleable(&self) -> Result<(), Error> {
        let tokens = self.tokens();
        if tokens < 1 << 31 {
            Ok(())
        } else {
            Err(Error::Corpus(format!("{tokens} tokens: at most 2^31 - 1 can be sampled")))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Corpus;

    #[test]
    fn the_most_tokens_that_can_be_sampled() {
        let of = |count: u32| {
            Corpus::from_rows(vec!["a".to_owned()], vec!["d".to_owned()], vec![vec![(0, count)]]).unwrap()
        };
        assert!(of((1 << 31) - 1).check_sampleable().is_ok());
        let error = of(1 << 31).check_sampleable().unwrap_err();
        assert_eq!(error.to_string(), "2147483648 tokens: at most 2^31 - 1 can be sampled");
    }
}
