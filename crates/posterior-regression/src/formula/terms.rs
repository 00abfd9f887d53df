//! The terms of a formula: sets of variables, by the algebra of Wilkinson and Rogers.

use std::collections::{BTreeMap, BTreeSet};

use posterior_dist::text::TextError;

use super::expression::{Expression, Form, Operator};

/// The most products of variables: each of them is compared with all others.
const MOST_PRODUCTS: usize = 20_000;

/// A product of variables, by their places.
pub(super) type Term = BTreeSet<usize>;

/// What a formula's right side comes to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Terms {
    /// In the order in which the formula names them.
    pub(super) variables: Vec<Expression>,
    /// Those of fewer variables first.
    pub(super) products: Vec<Term>,
    /// What is in `offset(...)`.
    pub(super) offsets: Vec<Expression>,
    pub(super) intercept: bool,
}

impl Terms {
    /// Of a formula in which `.` stands for these columns.
    pub(super) fn of(
        outcome: Option<&Expression>,
        right: &Expression,
        others: &[String],
    ) -> Result<Self, TextError> {
        let outcome = outcome.map(ToString::to_string);
        let mut encoder = Encoder {
            outcome,
            others,
            variables: Vec::new(),
            places: BTreeMap::new(),
            intercept: true,
            adds: true,
        };
        let mut terms = encoder.encode(right)?;
        let Encoder { variables, intercept, .. } = encoder;
        let mut offsets = Vec::new();
        for term in &terms {
            let Some(own) = term.iter().map(|&own| &variables[own]).find(|own| is_offset(own)) else {
                continue;
            };
            let Form::Call(_, arguments) = &own.form else { continue };
            match &arguments[..] {
                _ if term.len() > 1 => {
                    return Err(TextError::new(
                        own.place,
                        "an offset is a term of its own: + offset(log(n))",
                    ));
                }
                [one] => offsets.push(one.value.clone()),
                _ => return Err(TextError::new(own.place, "an offset has one argument: offset(log(n))")),
            }
        }
        terms.retain(|term| !term.iter().any(|&own| is_offset(&variables[own])));
        terms.sort_by_key(BTreeSet::len);
        Ok(Self { variables, products: terms, offsets, intercept })
    }

    /// The variables that are in a term.
    pub(super) fn used(&self) -> BTreeSet<usize> {
        self.products.iter().flatten().copied().collect()
    }

    /// The names of a term.
    pub(super) fn label(&self, term: &Term) -> String {
        let names: Vec<String> = term.iter().map(|&own| self.variables[own].to_string()).collect();
        names.join(":")
    }

    /// Whether the labels of a variable have a column for each level in a term, as R decides.
    ///
    /// So it is unless a term before has all that is left of this one without the variable. Without an
    /// intercept the first factor of all has all levels, too.
    pub(super) fn has_all_levels(
        &self,
        place: usize,
        variable: usize,
        is_factor: impl Fn(usize) -> bool,
    ) -> bool {
        if !self.intercept {
            let mut each = self
                .products
                .iter()
                .enumerate()
                .flat_map(|(at, term)| term.iter().map(move |&own| (at, own)));
            if each.find(|(_, own)| is_factor(*own)) == Some((place, variable)) {
                return true;
            }
        }
        let mut left = self.products[place].clone();
        left.remove(&variable);
        !left.is_empty() && !self.products[..place].iter().any(|term| left.is_subset(term))
    }
}

/// Whether an expression is added to the predictor as it is.
pub(super) fn is_offset(own: &Expression) -> bool {
    matches!(&own.form, Form::Call(name, _) if name == "offset")
}

struct Encoder<'a> {
    outcome: Option<String>,
    others: &'a [String],
    variables: Vec<Expression>,
    /// The place of each by its text.
    places: BTreeMap<String, usize>,
    intercept: bool,
    /// Whether terms are added here, or taken away.
    adds: bool,
}

impl Encoder<'_> {
    fn encode(&mut self, own: &Expression) -> Result<Vec<Term>, TextError> {
        match &own.form {
            Form::Number(number) if *number == 0.0 || *number == 1.0 => {
                self.intercept = (*number == 1.0) == self.adds;
                Ok(Vec::new())
            }
            Form::Number(_) | Form::Text(_) => Err(TextError::expected(
                own.place,
                "a term: a column, a function of one, 0 or 1",
                &format!("`{own}`"),
            )),
            Form::Name(name) if name == "." => {
                let column = |name: &String| Expression { place: own.place, form: Form::Name(name.clone()) };
                self.others.iter().map(|name| self.variable(&column(name))).collect()
            }
            Form::Name(_) | Form::Call(..) => Ok(vec![self.variable(own)?]),
            Form::Group(inner) | Form::Sign(false, inner) => self.encode(inner),
            Form::Sign(true, inner) => {
                self.taken_away(inner)?;
                Ok(Vec::new())
            }
            Form::Binary(operator, ..) if operator.compares() => Ok(vec![self.variable(own)?]),
            Form::Binary(Operator::Minus, left, right) => {
                let mut terms = self.encode(left)?;
                let away = self.taken_away(right)?;
                terms.retain(|term| !away.contains(term));
                Ok(terms)
            }
            Form::Binary(Operator::Power, base, exponent) => self.power(own, base, exponent),
            Form::Binary(Operator::Bar | Operator::DoubleBar, ..) => Err(TextError::new(
                own.place,
                "what varies between groups is a term of its own, in parentheses: y ~ x + (1 + x | g)",
            )),
            Form::Binary(operator, left, right) => {
                let (left, right) = (self.encode(left)?, self.encode(right)?);
                if *operator != Operator::Plus {
                    few(own.place, left.len().saturating_mul(right.len()))?;
                }
                let all_of = |terms: &[Term]| -> Term { terms.iter().flatten().copied().collect() };
                Ok(unique(match operator {
                    Operator::Colon => products(&left, &right),
                    Operator::Times => {
                        let both = products(&left, &right);
                        [left, right, both].concat()
                    }
                    Operator::In => products(&left, &[all_of(&right)]),
                    Operator::Over => {
                        let within = products(&right, &[all_of(&left)]);
                        [left, within].concat()
                    }
                    _ => [left, right].concat(),
                }))
            }
        }
    }

    fn taken_away(&mut self, own: &Expression) -> Result<Vec<Term>, TextError> {
        self.adds = !self.adds;
        let away = self.encode(own);
        self.adds = !self.adds;
        away
    }

    /// All products of so many terms or fewer.
    fn power(
        &mut self,
        own: &Expression,
        base: &Expression,
        exponent: &Expression,
    ) -> Result<Vec<Term>, TextError> {
        let times = match exponent.form {
            Form::Number(number) if number >= 1.0 && number.fract() == 0.0 => number,
            _ => {
                let found = format!("`{exponent}`");
                return Err(TextError::expected(
                    exponent.place,
                    "an exponent of terms, as in (a + b)^2",
                    &found,
                ));
            }
        };
        if times > 1.0 && matches!(base.form, Form::Call(..) | Form::Name(_)) && !is_dot(base) {
            let message = format!("`{own}` is `{base}` among terms: write I({own}) for the power");
            return Err(TextError::new(own.place, message));
        }
        let base = self.encode(base)?;
        let mut terms = base.clone();
        for _ in 1..(times.min(base.len() as f64) as usize) {
            few(own.place, terms.len().saturating_mul(base.len() + 1))?;
            let more = products(&terms, &base);
            terms = unique([terms, more].concat());
        }
        Ok(terms)
    }

    fn variable(&mut self, own: &Expression) -> Result<Term, TextError> {
        let text = own.to_string();
        if self.outcome.as_ref() == Some(&text) {
            return Err(TextError::new(own.place, format!("the outcome `{text}` explains itself")));
        }
        let place = *self.places.entry(text).or_insert(self.variables.len());
        if place == self.variables.len() {
            self.variables.push(own.clone());
        }
        Ok(Term::from([place]))
    }
}

fn is_dot(own: &Expression) -> bool {
    matches!(&own.form, Form::Name(name) if name == ".")
}

fn few(place: usize, count: usize) -> Result<(), TextError> {
    if count <= MOST_PRODUCTS {
        return Ok(());
    }
    Err(TextError::new(place, format!("these are more than {MOST_PRODUCTS} products of terms")))
}

fn products(left: &[Term], right: &[Term]) -> Vec<Term> {
    left.iter().flat_map(|a| right.iter().map(move |b| a | b)).collect()
}

/// Each once, where it is first.
fn unique(terms: Vec<Term>) -> Vec<Term> {
    let mut seen = BTreeSet::new();
    terms.into_iter().filter(|term| seen.insert(term.clone())).collect()
}
