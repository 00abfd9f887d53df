//! What was seen, and what is asked.

use posterior_graph::VarId;

use super::words::Words;
use super::writer::push_line;
use crate::{Error, Evidence, Finding, Format, ParseError, Variables};

/// What was seen: one evidence for each sample of the file.
///
/// Two styles are about: `n v s v s …` for one sample, and, older, the number of samples and then so many of
/// these. If a file can be read both ways, it is the second one if each of its samples stands on its own
/// line, otherwise the first one.
///
/// # Errors
/// What is wrong first, with its line and column.
///
/// ```
/// use posterior_pgm::{Variables, uai};
///
/// let variables = Variables::numbered(&[2, 3])?;
/// assert_eq!(uai::read_evidence(b"1 1 2", &variables)?[0].len(), 1);
/// assert_eq!(uai::read_evidence(b"2\n0\n1 1 2\n", &variables)?.len(), 2);
/// # Ok::<(), posterior_pgm::Error>(())
/// ```
pub fn read_evidence(bytes: &[u8], variables: &Variables) -> Result<Vec<Evidence>, ParseError> {
    let start = Words::new(bytes);
    let mut words = start.clone();
    let single = sample(&mut words, variables).and_then(|evidence| words.end().map(|()| vec![evidence]));
    let many = samples(&mut start.clone(), variables);
    let lines = Lines::of(start.source.bytes);
    match (single, many) {
        (Ok(_), Ok(many)) if lines.are(&many) => Ok(many),
        (Ok(single), _) => Ok(single),
        (Err(_), Ok(many)) => Ok(many),
        // What was meant: the number of samples stands alone, unless the first style has just so many words.
        (Err(_), Err(many)) if lines.0.first() == Some(&1) && !lines.fit_one_sample(start) => Err(many),
        (Err(single), Err(_)) => Err(single),
    }
}

/// How many words there are on each line that has some.
struct Lines(Vec<usize>);

impl Lines {
    fn of(bytes: &[u8]) -> Self {
        let words = |line: &[u8]| {
            let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            words.take_while(|word| !word.starts_with(b"#")).count()
        };
        Self(bytes.split(|&byte| byte == b'\n').map(words).filter(|&words| words > 0).collect())
    }

    /// Whether the number of samples stands on the first line, and one sample on each that follows.
    fn are(&self, samples: &[Evidence]) -> bool {
        let of_samples = samples.iter().map(|sample| 1 + 2 * sample.len());
        !samples.is_empty() && self.0.iter().copied().eq(std::iter::once(1).chain(of_samples))
    }

    /// Whether there are as many words as one sample has that begins so.
    fn fit_one_sample(&self, mut start: Words<'_>) -> bool {
        let pairs = start.integer("").ok();
        pairs.and_then(|pairs| pairs.checked_mul(2)) == self.0.iter().sum::<usize>().checked_sub(1)
    }
}

/// `n v s v s …`
fn sample(words: &mut Words<'_>, variables: &Variables) -> Result<Evidence, ParseError> {
    let count = words.count("the number of variables seen")?;
    let mut evidence = Evidence::none();
    for _ in 0..count {
        let at = words.at;
        let (v, state) = words.assignment(variables)?;
        if evidence.get(v).is_some() {
            return Err(words.source.error(at, format!("variable {} is seen twice", v.index())));
        }
        evidence.insert(v, Finding::State(state));
    }
    Ok(evidence)
}

/// The number of samples, and they.
fn samples(words: &mut Words<'_>, variables: &Variables) -> Result<Vec<Evidence>, ParseError> {
    let count = words.count("the number of samples")?;
    let samples = (0..count).map(|_| sample(words, variables)).collect::<Result<_, _>>()?;
    words.end()?;
    Ok(samples)
}

/// The evidence as a file of one sample.
///
/// # Errors
/// A finding that is no state: the format has no likelihoods.
pub fn write_evidence(evidence: &Evidence) -> Result<String, Error> {
    let mut numbers = vec![evidence.len()];
    for (v, finding) in evidence.iter() {
        let Finding::State(state) = finding else {
            let name = format!("the likelihoods of variable {}", v.index());
            return Err(Error::Unwritable { name, format: Format::Uai });
        };
        numbers.extend([v.index(), *state]);
    }
    let mut out = String::new();
    push_line(&mut out, numbers.into_iter());
    Ok(out)
}

/// The variables that the most probable joint state is asked of, all others summed out: how many, and which.
///
/// # Errors
/// What is wrong first, with its line and column.
pub fn read_query(bytes: &[u8], variables: &Variables) -> Result<Vec<VarId>, ParseError> {
    let mut words = Words::new(bytes);
    let count = words.count("the number of variables asked")?;
    let mut query: Vec<VarId> = Vec::with_capacity(count);
    let mut seen = vec![false; variables.len()];
    for _ in 0..count {
        let at = words.at;
        let v = words.variable(variables.len())?;
        if std::mem::replace(&mut seen[v.index()], true) {
            return Err(words.source.error(at, format!("variable {} is asked twice", v.index())));
        }
        query.push(v);
    }
    words.end()?;
    Ok(query)
}

/// The variables asked as a file.
pub fn write_query(query: &[VarId]) -> String {
    let mut out = String::new();
    push_line(&mut out, std::iter::once(query.len()).chain(query.iter().map(|v| v.index())));
    out
}
