//! Plans of features as texts.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use posterior_dist::text::TextError;

use super::FeaturePlan;
use super::MOST_FUNCTIONS;
use super::placement::{Family, Places};
use super::plan::{PlannedFactor, Term};

const NAMES: &[&str] = &[
    "0",
    "raw",
    "standard",
    "poly",
    "chebyshev",
    "orthogonal",
    "fourier",
    "step",
    "relu",
    "sigmoid",
    "rbf",
    "spline",
    "bspline",
    "haar",
    "onehot",
    "treatment",
    "pairs",
];

impl FromStr for FeaturePlan {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut reader = Reader { rest: text.chars().collect(), at: 0 };
        let mut plan = Self { intercept: true, terms: Vec::new() };
        loop {
            reader.term(&mut plan)?;
            if !reader.takes('+') {
                break;
            }
        }
        match reader.peek() {
            None => Ok(plan),
            Some(other) => {
                Err(TextError::expected(reader.column(), "`+`, `*` or the end", &format!("`{other}`")))
            }
        }
    }
}

struct Reader {
    rest: Vec<char>,
    at: usize,
}

enum Argument {
    Number(f64),
    List(Vec<f64>),
}

impl Reader {
    fn column(&self) -> usize {
        self.at + 1
    }

    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        while self.rest.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.rest.get(self.at).copied()
    }

    fn takes(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        self.at += usize::from(there);
        there
    }

    fn require(&mut self, wanted: char) -> Result<(), TextError> {
        if self.takes(wanted) {
            return Ok(());
        }
        let found = self.peek().map_or("the end".to_owned(), |c| format!("`{c}`"));
        Err(TextError::expected(self.column(), &format!("`{wanted}`"), &found))
    }

    fn taken_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        self.peek();
        let text: String = self.rest[self.at..].iter().take_while(|&&c| wanted(c)).collect();
        self.at += text.chars().count();
        text
    }

    fn term(&mut self, plan: &mut FeaturePlan) -> Result<(), TextError> {
        self.peek();
        let column = self.column();
        let mut factors = Vec::new();
        loop {
            self.peek();
            let start = self.column();
            let name = self.taken_while(|c| c.is_alphanumeric() || c == '_');
            let alone = factors.is_empty() && !matches!(self.peek(), Some('*' | ':' | '('));
            match name.as_str() {
                "0" if alone => {
                    plan.intercept = false;
                    return Ok(());
                }
                "pairs" if alone => {
                    plan.terms.push(Term::Pairs);
                    return Ok(());
                }
                "0" | "pairs" => {
                    return Err(TextError::new(column, format!("`{name}` is a term of its own")));
                }
                _ => factors.push(self.factor(&name, start)?),
            }
            if !self.takes('*') {
                break;
            }
        }
        plan.terms.push(Term::Product(factors));
        Ok(())
    }

    fn factor(&mut self, name: &str, start: usize) -> Result<PlannedFactor, TextError> {
        if name.is_empty() {
            let found = self.peek().map_or("the end".to_owned(), |c| format!("`{c}`"));
            return Err(TextError::expected(start, "the name of features", &found));
        }
        if !NAMES.contains(&name) {
            return Err(TextError::unknown(start, format!("there are no features {name:?}"), name, NAMES));
        }
        let mut arguments = Vec::new();
        while self.takes(':') {
            arguments.push(self.argument()?);
        }
        let family = family(name, start, arguments)?;
        let columns = if self.takes('(') { Some(self.columns()?) } else { None };
        Ok(PlannedFactor { family, columns })
    }

    fn argument(&mut self) -> Result<Argument, TextError> {
        if !self.takes('[') {
            return Ok(Argument::Number(self.number()?));
        }
        let mut numbers = vec![self.number()?];
        while self.takes(',') {
            numbers.push(self.number()?);
        }
        self.require(']')?;
        Ok(Argument::List(numbers))
    }

    fn number(&mut self) -> Result<f64, TextError> {
        self.peek();
        let start = self.column();
        let mut text = String::new();
        // A sign belongs to the number at its start and after its `e` only.
        while let Some(&c) = self.rest.get(self.at) {
            let sign = matches!(c, '+' | '-') && (text.is_empty() || text.ends_with(['e', 'E']));
            if !(sign || c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E')) {
                break;
            }
            text.push(c);
            self.at += 1;
        }
        let finite = text.parse().ok().filter(|number: &f64| number.is_finite());
        finite.ok_or_else(|| TextError::expected(start, "a number", &format!("{text:?}")))
    }

    fn columns(&mut self) -> Result<Vec<String>, TextError> {
        let mut columns = Vec::new();
        loop {
            self.peek();
            let start = self.column();
            let name = self.taken_while(|c| c != ',' && c != ')').trim_end().to_owned();
            if name.is_empty() {
                return Err(TextError::expected(start, "the name of a column", "nothing"));
            }
            columns.push(name);
            if !self.takes(',') {
                break;
            }
        }
        self.require(')')?;
        Ok(columns)
    }
}

fn family(name: &str, column: usize, arguments: Vec<Argument>) -> Result<Family, TextError> {
    let most = match name {
        "raw" | "standard" | "onehot" | "treatment" => 0,
        "fourier" | "sigmoid" | "rbf" => 2,
        _ => 1,
    };
    if arguments.len() > most {
        return Err(TextError::new(
            column,
            format!("`{name}` takes {most} numbers, found {}", arguments.len()),
        ));
    }
    let mut arguments = arguments.into_iter();
    let (first, second) = (arguments.next(), arguments.next());
    let places = || match &first {
        Some(Argument::List(places)) => Ok(Places::At(places.clone())),
        first => whole(name, column, first.as_ref()).map(Places::Count),
    };
    let count = || whole(name, column, first.as_ref());
    let width = match second {
        None => None,
        Some(Argument::Number(number)) => Some(number),
        Some(Argument::List(_)) => {
            return Err(TextError::expected(column, "a number after the places", "a list"));
        }
    };
    Ok(match name {
        "raw" => Family::Raw,
        "standard" => Family::Standard,
        "poly" => Family::Powers(count()?),
        "chebyshev" => Family::Chebyshev(count()?),
        "orthogonal" => Family::Orthogonal(count()?),
        "fourier" => Family::Fourier { count: count()?, period: width },
        "step" => Family::Steps(places()?),
        "relu" => Family::Rectifiers(places()?),
        "sigmoid" => Family::Sigmoids { places: places()?, width },
        "rbf" => Family::Bells { places: places()?, width },
        "spline" => Family::NaturalSpline(places()?),
        "bspline" => Family::BSpline(places()?),
        "haar" => Family::Haar(count()?),
        "onehot" => Family::OneHot,
        _ => Family::Treatment,
    })
}

fn whole(name: &str, column: usize, argument: Option<&Argument>) -> Result<usize, TextError> {
    match argument {
        Some(&Argument::Number(number))
            if number >= 1.0 && number <= MOST_FUNCTIONS as f64 && number.fract() == 0.0 =>
        {
            Ok(number as usize)
        }
        None => Err(TextError::expected(column, &format!("a count, as in `{name}:3`"), "none")),
        Some(Argument::Number(number)) => {
            Err(TextError::expected(column, "a whole number from 1 to 100000", &number.to_string()))
        }
        Some(Argument::List(_)) => Err(TextError::expected(column, "a whole number", "a list")),
    }
}

impl fmt::Display for FeaturePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut terms: Vec<String> = Vec::new();
        if !self.intercept {
            terms.push("0".to_owned());
        }
        for term in &self.terms {
            terms.push(match term {
                Term::Pairs => "pairs".to_owned(),
                Term::Product(factors) => {
                    factors.iter().map(ToString::to_string).collect::<Vec<_>>().join("*")
                }
            });
        }
        f.write_str(&terms.join(" + "))
    }
}

impl fmt::Display for PlannedFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, first, second) = match &self.family {
            Family::Raw => ("raw", String::new(), None),
            Family::Standard => ("standard", String::new(), None),
            Family::OneHot => ("onehot", String::new(), None),
            Family::Treatment => ("treatment", String::new(), None),
            Family::Powers(degree) => ("poly", format!(":{degree}"), None),
            Family::Chebyshev(degree) => ("chebyshev", format!(":{degree}"), None),
            Family::Orthogonal(degree) => ("orthogonal", format!(":{degree}"), None),
            Family::Haar(levels) => ("haar", format!(":{levels}"), None),
            Family::Fourier { count, period } => ("fourier", format!(":{count}"), *period),
            Family::Steps(places) => ("step", places.to_string(), None),
            Family::Rectifiers(places) => ("relu", places.to_string(), None),
            Family::Sigmoids { places, width } => ("sigmoid", places.to_string(), *width),
            Family::Bells { places, width } => ("rbf", places.to_string(), *width),
            Family::NaturalSpline(places) => ("spline", places.to_string(), None),
            Family::BSpline(places) => ("bspline", places.to_string(), None),
        };
        write!(f, "{name}{first}")?;
        if let Some(second) = second {
            write!(f, ":{second}")?;
        }
        match &self.columns {
            Some(columns) => write!(f, "({})", columns.join(", ")),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, ":{count}"),
            Self::At(places) => {
                let list: Vec<String> = places.iter().map(ToString::to_string).collect();
                f.write_char(':')?;
                write!(f, "[{}]", list.join(", "))
            }
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for FeaturePlan {
    /// As the text.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for FeaturePlan {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
