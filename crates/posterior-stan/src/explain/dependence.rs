//! How a value depends on the parameters.

use std::collections::{BTreeMap, BTreeSet};

/// As what a parameter stands in a value: the elements of all parameters but this are held fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Degree {
    /// A polynomial of the first degree.
    Affine,
    /// A polynomial of the second degree.
    Quadratic,
    /// Anything.
    Any,
}

/// A value that holds, at each place, one element of a parameter and nothing else of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The element.
    Element,
    /// A multiple of it, by what does not depend on the parameter.
    Scaled,
    /// A multiple of its square root.
    Sqrt,
    /// A multiple of 1 / its square root.
    InvSqrt,
    /// A multiple of 1 / itself.
    Inverse,
}

impl Form {
    /// Of a multiple of it.
    const fn scaled(self) -> Self {
        match self {
            Self::Element => Self::Scaled,
            other => other,
        }
    }

    /// Of 1 / it.
    pub(super) const fn inverse(self) -> Self {
        match self {
            Self::Element | Self::Scaled => Self::Inverse,
            Self::Sqrt => Self::InvSqrt,
            Self::InvSqrt => Self::Sqrt,
            Self::Inverse => Self::Scaled,
        }
    }

    /// Of its square root.
    pub(super) const fn sqrt(self) -> Option<Self> {
        match self {
            Self::Element | Self::Scaled => Some(Self::Sqrt),
            Self::Inverse => Some(Self::InvSqrt),
            _ => None,
        }
    }
}

/// A parameter by its place among the declarations.
pub(super) type Place = usize;

/// The most pairs of parameters that are kept of a value: of one with more, nothing is known.
const MOST_PAIRS: usize = 10_000;

/// What a value depends on, all its elements together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Dependence {
    /// Those that it depends on.
    pub(super) degrees: BTreeMap<Place, Degree>,
    /// Pairs that are multiplied with each other, the smaller first.
    pub(super) products: BTreeSet<(Place, Place)>,
    /// Those pairs in which it may be of more than the second degree, with a third or by themselves.
    pub(super) beyond: BTreeSet<(Place, Place)>,
    /// Those that stand alone at each place.
    pub(super) forms: BTreeMap<Place, Form>,
    /// Those of which elements are in it, unchanged.
    pub(super) elements: BTreeSet<Place>,
    /// Whether data are in it.
    pub(super) data: bool,
    /// Whether a log density is in it.
    pub(super) density: bool,
}

impl Dependence {
    /// A variable of the data.
    pub(super) fn of_data() -> Self {
        Self { data: true, ..Self::default() }
    }

    /// A parameter.
    pub(super) fn of_parameter(own: Place) -> Self {
        Self {
            degrees: BTreeMap::from([(own, Degree::Affine)]),
            forms: BTreeMap::from([(own, Form::Element)]),
            elements: BTreeSet::from([own]),
            ..Self::default()
        }
    }

    /// A function of these parameters of which nothing is known.
    pub(super) fn of_all(all: impl IntoIterator<Item = Place>) -> Self {
        Self { degrees: all.into_iter().map(|one| (one, Degree::Any)).collect(), ..Self::default() }
    }

    pub(super) fn has(&self, one: Place) -> bool {
        self.degrees.contains_key(&one)
    }

    pub(super) fn is_affine_in(&self, one: Place) -> bool {
        matches!(self.degrees.get(&one), None | Some(Degree::Affine))
    }

    /// A value of which each element is of the one or of the other.
    pub(super) fn join(&mut self, other: &Self) {
        self.merge(other);
        self.forms.retain(|one, form| other.forms.get(one) == Some(form));
        self.elements.extend(&other.elements);
    }

    fn merge(&mut self, other: &Self) {
        for (&one, &degree) in &other.degrees {
            let own = self.degrees.entry(one).or_insert(degree);
            *own = degree.max(*own);
        }
        self.products.extend(&other.products);
        self.beyond.extend(&other.beyond);
        self.data |= other.data;
        self.density |= other.density;
        if self.products.len() > MOST_PAIRS {
            self.forget();
        }
    }

    /// A function of the same parameters of which nothing is known.
    fn forget(&mut self) {
        self.degrees.values_mut().for_each(|degree| *degree = Degree::Any);
        self.products.clear();
        self.beyond.clear();
    }

    /// A sum of them, by linear functions.
    pub(super) fn sum<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut sum = Self::default();
        for one in all {
            sum.merge(one);
        }
        sum
    }

    /// A function of them of which nothing is known.
    pub(super) fn mixed<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut mixed = Self::sum(all);
        mixed.forget();
        mixed
    }

    /// A product, or a sum of products of elements of the one and of the other. `each` says whether an
    /// element of it is one product.
    pub(super) fn product(one: &Self, other: &Self, each: bool) -> Self {
        if one.degrees.len() * other.degrees.len() > MOST_PAIRS {
            return Self::mixed([one, other]);
        }
        let mut product = Self::sum([one, other]);
        for (place, degree) in &mut product.degrees {
            if one.has(*place) && other.has(*place) {
                let affine = one.is_affine_in(*place) && other.is_affine_in(*place);
                *degree = if affine { Degree::Quadratic } else { Degree::Any };
            }
        }
        for &a in one.degrees.keys() {
            product.products.extend(other.pairs_with(a));
        }
        // What stands in any way in a term is Gaussian together with nothing.
        let of_degree = |factor: &Self| {
            let mut factor = factor.clone();
            factor.degrees.retain(|_, degree| *degree != Degree::Any);
            factor
        };
        for (own, factor) in [(one, of_degree(other)), (other, of_degree(one))] {
            for pair in own.products.iter().filter(|_| !factor.degrees.is_empty()) {
                product.beyond.insert(*pair);
                product.beyond.extend(factor.pairs_with(pair.0).chain(factor.pairs_with(pair.1)));
            }
            for (&a, _) in own.degrees.iter().filter(|(_, degree)| **degree != Degree::Affine) {
                product.beyond.extend(factor.pairs_with(a));
            }
        }
        if each {
            for (own, factor) in [(one, other), (other, one)] {
                let alone = own.forms.iter().filter(|(place, _)| !factor.has(**place));
                product.forms.extend(alone.map(|(place, form)| (*place, form.scaled())));
            }
        }
        product
    }

    fn pairs_with(&self, one: Place) -> impl Iterator<Item = (Place, Place)> {
        let others = self.degrees.keys().filter(move |other| **other != one);
        others.map(move |&other| (one.min(other), one.max(other)))
    }

    /// A quotient; `each` as in [`product`](Self::product).
    pub(super) fn quotient(one: &Self, other: &Self, each: bool) -> Self {
        let mut inverse = Self::mixed([other]);
        if each {
            inverse.forms = other.forms.iter().map(|(place, form)| (*place, form.inverse())).collect();
        }
        Self::product(one, &inverse, each)
    }

    /// A function of each element, and what it makes of the forms.
    pub(super) fn mapped(&self, form: impl Fn(Form) -> Option<Form>) -> Self {
        let mut mapped = Self::mixed([self]);
        mapped.forms = self.forms.iter().filter_map(|(place, own)| Some((*place, form(*own)?))).collect();
        mapped
    }

    /// The same where these parameters decide whether it is so.
    pub(super) fn decided_by(&mut self, control: &BTreeSet<Place>) {
        if !control.is_empty() {
            self.join(&Self::of_all(control.iter().copied()));
        }
    }
}
