//! Answers: the files of results.

use posterior_graph::VarId;

use super::words::Words;
use super::writer::push_line;
use crate::ParseError;
use crate::format::number;

/// What a solver answers.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// `PR`: the logarithm, **of base ten**, of the partition function, or of the probability of the
    /// evidence.
    Pr {
        /// log₁₀ Z; −∞ if the evidence is impossible.
        log10_z: f64,
    },
    /// `MAR`: the probabilities of the states of each variable.
    Mar(Vec<Vec<f64>>),
    /// `MPE`, which is also called `MAP`: the most probable joint state.
    Mpe(Vec<usize>),
    /// `MMAP`: the most probable joint state of the variables asked.
    Mmap(Vec<(VarId, usize)>),
}

impl Answer {
    /// The answer `PR` with this ln Z.
    pub fn of_ln_z(ln_z: f64) -> Self {
        Self::Pr { log10_z: ln_z / std::f64::consts::LN_10 }
    }

    /// ln Z, if this is `PR`.
    pub fn ln_z(&self) -> Option<f64> {
        match self {
            Self::Pr { log10_z } => Some(log10_z * std::f64::consts::LN_10),
            _ => None,
        }
    }
}

/// The answer in a file: the last block, if it has several that `-BEGIN-` separates. Whether the answer
/// begins with the number of samples of evidence, as in files up to 2012, is seen from how many numbers there
/// are; only one is read.
///
/// # Errors
/// What is wrong first, with its line and column.
pub fn read_answer(bytes: &[u8]) -> Result<Answer, ParseError> {
    let mut words = Words::new(bytes);
    let read: fn(&mut Words<'_>) -> Result<Answer, ParseError> = match words.peek() {
        b"PR" => pr,
        b"MAR" => mar,
        b"MPE" | b"MAP" => mpe,
        b"MMAP" => mmap,
        _ => return Err(words.expected("`PR`, `MAR`, `MPE`, `MAP` or `MMAP`")),
    };
    words.next();
    let mut last = words.clone();
    while !words.is_empty() {
        if words.next() == b"-BEGIN-" {
            last = words.clone();
        }
    }
    let first = last.clone();
    let plain = read(&mut last).and_then(|answer| last.end().map(|()| answer));
    plain.or_else(|error| {
        let mut last = first;
        if last.next() != b"1" {
            return Err(error);
        }
        read(&mut last).and_then(|answer| last.end().map(|()| answer)).map_err(|_| error)
    })
}

fn pr(words: &mut Words<'_>) -> Result<Answer, ParseError> {
    Ok(Answer::Pr { log10_z: words.logarithm("a logarithm")? })
}

fn mar(words: &mut Words<'_>) -> Result<Answer, ParseError> {
    let count = words.count("the number of variables")?;
    let mut marginals = Vec::with_capacity(count);
    for _ in 0..count {
        let states = words.count("the number of states of a variable")?;
        marginals.push((0..states).map(|_| words.weight("a probability")).collect::<Result<_, _>>()?);
    }
    Ok(Answer::Mar(marginals))
}

fn mpe(words: &mut Words<'_>) -> Result<Answer, ParseError> {
    let count = words.count("the number of variables")?;
    Ok(Answer::Mpe((0..count).map(|_| words.integer("a state")).collect::<Result<_, _>>()?))
}

fn mmap(words: &mut Words<'_>) -> Result<Answer, ParseError> {
    let count = words.count("the number of variables asked")?;
    let one = |words: &mut Words<'_>| {
        let v = words.below(u32::MAX as usize, "a variable")?;
        Ok((VarId::new(v), words.integer("a state")?))
    };
    Ok(Answer::Mmap((0..count).map(|_| one(words)).collect::<Result<_, _>>()?))
}

/// The answer as a file, in the style of 2014 and later: the name of the question on a line, the answer on
/// the next.
pub fn write_answer(answer: &Answer) -> String {
    let mut out = String::new();
    match answer {
        Answer::Pr { log10_z } => {
            out.push_str("PR\n");
            number::push(&mut out, *log10_z);
            out.push('\n');
        }
        Answer::Mar(marginals) => {
            out.extend(["MAR\n", &marginals.len().to_string()]);
            for marginal in marginals {
                out.extend([" ", &marginal.len().to_string()]);
                for &value in marginal {
                    out.push(' ');
                    number::push(&mut out, value);
                }
            }
            out.push('\n');
        }
        Answer::Mpe(states) => {
            out.push_str("MPE\n");
            push_line(&mut out, std::iter::once(states.len()).chain(states.iter().copied()));
        }
        Answer::Mmap(states) => {
            out.push_str("MMAP\n");
            let pairs = states.iter().flat_map(|&(v, state)| [v.index(), state]);
            push_line(&mut out, std::iter::once(states.len()).chain(pairs));
        }
    }
    out
}
