//! The texts that `dump` of R writes: assignments of numbers, vectors and arrays.

use serde_json::{Map, Value as Json};

use super::number;
use crate::fault::ModelError;

/// The most numbers of one sequence `a:b`.
const LONGEST: f64 = 1e8;

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// Numbers, and their sizes; none of a single number.
struct Numbers {
    all: Vec<f64>,
    sizes: Option<Vec<usize>>,
}

pub(super) fn read(text: &str) -> Result<Map<String, Json>, ModelError> {
    let mut reader = Reader { text, at: 0 };
    let mut map = Map::new();
    loop {
        reader.skip();
        while reader.take(";") {}
        if reader.rest().is_empty() {
            return Ok(map);
        }
        let name = reader.name()?;
        if !(reader.take("<-") || reader.take("=")) {
            return Err(reader.wrong(&format!("`<-` behind `{name}`")));
        }
        let value = reader.value()?;
        if map.contains_key(&name) {
            return Err(reader.wrong(&format!("a new name: `{name}` has a value already")));
        }
        map.insert(name, value.json());
    }
}

impl Numbers {
    fn json(&self) -> Json {
        match &self.sizes {
            None => number(self.all[0]),
            Some(sizes) => nested(&self.all, sizes, 0, 1),
        }
    }
}

/// Lists of lists of numbers that are given with the first index fastest.
fn nested(all: &[f64], sizes: &[usize], from: usize, stride: usize) -> Json {
    let [first, rest @ ..] = sizes else { return number(all[from]) };
    Json::Array((0..*first).map(|i| nested(all, rest, from + i * stride, stride * first)).collect())
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Over white space and comments.
    fn skip(&mut self) {
        loop {
            let trimmed = self.rest().trim_start();
            self.at = self.text.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn take(&mut self, word: &str) -> bool {
        self.skip();
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn wrong(&self, expected: &str) -> ModelError {
        let line = self.text[..self.at].matches('\n').count() + 1;
        let found: String = self.rest().trim_start().chars().take_while(|c| *c != '\n').take(20).collect();
        let found = if found.is_empty() { "the end".to_owned() } else { format!("`{}`", found.trim_end()) };
        ModelError::plain(format!("line {line} of the R dump: expected {expected}, found {found}"))
    }

    fn require(&mut self, word: &str) -> Result<(), ModelError> {
        if self.take(word) { Ok(()) } else { Err(self.wrong(&format!("`{word}`"))) }
    }

    /// A name, with quotes or without.
    fn name(&mut self) -> Result<String, ModelError> {
        self.skip();
        for quote in ['"', '\'', '`'] {
            if let Some(quoted) = self.rest().strip_prefix(quote) {
                let Some(end) = quoted.find(quote) else { return Err(self.wrong("the end of a name")) };
                self.at += end + 2;
                return Ok(quoted[..end].to_owned());
            }
        }
        let word = self.word();
        if word.is_empty() {
            return Err(self.wrong("the name of a variable"));
        }
        Ok(word.to_owned())
    }

    fn word(&mut self) -> &'a str {
        self.skip();
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn value(&mut self) -> Result<Numbers, ModelError> {
        self.skip();
        let before = self.at;
        if !self.rest().starts_with(|c: char| c.is_alphabetic()) {
            return self.sequence();
        }
        let word = self.word();
        self.skip();
        let calls = self.rest().starts_with('(');
        match word {
            "c" if calls => self.vector(),
            "structure" if calls => self.structure(),
            "integer" | "double" | "numeric" | "logical" if calls => {
                self.require("(")?;
                let n = if self.take(")") { 0 } else { self.count_and_close()? };
                Ok(Numbers { all: vec![0.0; n], sizes: Some(vec![n]) })
            }
            _ => {
                self.at = before;
                self.sequence()
            }
        }
    }

    fn count_and_close(&mut self) -> Result<usize, ModelError> {
        let n = self.number()?;
        self.require(")")?;
        if n >= 0.0 && n.fract() == 0.0 && n <= LONGEST { Ok(n as usize) } else { Err(self.wrong("a count")) }
    }

    /// A number, or `a:b`.
    fn sequence(&mut self) -> Result<Numbers, ModelError> {
        let from = self.number()?;
        if !self.take(":") {
            return Ok(Numbers { all: vec![from], sizes: None });
        }
        let to = self.number()?;
        let n = (to - from).abs().floor();
        if !(n < LONGEST) {
            return Err(self.wrong("a sequence of fewer numbers"));
        }
        let sign = if to >= from { 1.0 } else { -1.0 };
        let all: Vec<f64> = (0..=n as usize).map(|i| from + sign * i as f64).collect();
        let sizes = Some(vec![all.len()]);
        Ok(Numbers { all, sizes })
    }

    fn vector(&mut self) -> Result<Numbers, ModelError> {
        self.require("(")?;
        let mut all = vec![];
        while !self.take(")") {
            if !all.is_empty() {
                self.require(",")?;
            }
            all.extend(self.value()?.all);
        }
        let sizes = Some(vec![all.len()]);
        Ok(Numbers { all, sizes })
    }

    /// `structure(c(...), .Dim = c(2L, 3L))`.
    fn structure(&mut self) -> Result<Numbers, ModelError> {
        self.require("(")?;
        let mut own = self.value()?;
        while self.take(",") {
            let attribute = self.name()?;
            self.require("=")?;
            if !matches!(attribute.as_str(), ".Dim" | "dim") {
                return Err(self.wrong(&format!("`.Dim`: the attribute `{attribute}` is not read")));
            }
            let given = self.value()?.all;
            let whole = given.iter().all(|n| n.fract() == 0.0 && (0.0..=LONGEST).contains(n));
            let sizes: Vec<usize> = given.iter().map(|n| *n as usize).collect();
            let total = sizes.iter().try_fold(1_usize, |all, n| all.checked_mul(*n));
            if !whole || total != Some(own.all.len()) {
                return Err(self.wrong(&format!(
                    "sizes whose product is {}, the numbers that there are, not {given:?}",
                    own.all.len()
                )));
            }
            own.sizes = Some(sizes);
        }
        self.require(")")?;
        Ok(own)
    }

    fn number(&mut self) -> Result<f64, ModelError> {
        self.skip();
        let before = self.at;
        let sign = if self.take("-") { -1.0 } else { 1.0 };
        if sign > 0.0 {
            self.take("+");
        }
        self.skip();
        let start = self.at;
        let rest = self.rest();
        let mut end = 0;
        for (place, c) in rest.char_indices() {
            let after_e = rest[..place].ends_with(['e', 'E'])
                && rest.starts_with(|c: char| c.is_ascii_digit() || c == '.');
            if !(c.is_ascii_alphanumeric() || c == '.' || (after_e && (c == '+' || c == '-'))) {
                break;
            }
            end = place + c.len_utf8();
        }
        let word = &rest[..end];
        self.at = start + end;
        let value = match word {
            "Inf" => Some(f64::INFINITY),
            "NaN" | "NA" | "NA_real_" => Some(f64::NAN),
            "TRUE" | "T" => Some(1.0),
            "FALSE" | "F" => Some(0.0),
            _ if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
                word.strip_suffix('L').unwrap_or(word).parse().ok()
            }
            _ => None,
        };
        value.map(|value: f64| sign * value).ok_or_else(|| {
            self.at = before;
            self.wrong("a number, `c(...)`, `a:b` or `structure(...)`")
        })
    }
}
