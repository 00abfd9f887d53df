//! Plates: a model drawn once, and copied for each item of a collection.

mod unroll;

pub use self::unroll::Unrolled;
use crate::marks::Marks;
use crate::{Dag, Error, VarId};

/// The largest number of plates on which a variable can lie.
const MOST_PLATES: usize = 64;

/// What is known about a variable before inference, for drawings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mark {
    /// Nothing: it is to be inferred.
    #[default]
    Latent,
    /// Its value is observed.
    Observed,
    /// It is a number that was chosen, not a random variable.
    Fixed,
}

/// A collection: everything on the plate is there once for each of its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plate {
    name: String,
    size: Size,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Size {
    Items(usize),
    /// For each copy of the plate around it, in order.
    Inside {
        outer: String,
        sizes: Vec<usize>,
    },
}

impl Plate {
    /// A collection of `items`.
    pub fn new(name: impl Into<String>, items: usize) -> Self {
        Self { name: name.into(), size: Size::Items(items) }
    }

    /// A collection inside of each item of `outer`, of a size of its own in each: the words of each document.
    /// If the outer plate is inside of another one, the sizes are those of all its copies, the last plate's
    /// index changing fastest.
    pub fn inside(name: impl Into<String>, outer: impl Into<String>, sizes: Vec<usize>) -> Self {
        Self { name: name.into(), size: Size::Inside { outer: outer.into(), sizes } }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All items, those of all copies of the outer plate together.
    fn items(&self) -> usize {
        match &self.size {
            Size::Items(items) => *items,
            Size::Inside { sizes, .. } => sizes.iter().fold(0, |sum, &size| sum.saturating_add(size)),
        }
    }
}

/// A variable of a model with plates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlateVariable {
    name: String,
    plates: Vec<String>,
    mark: Mark,
}

impl PlateVariable {
    /// A latent variable on no plate.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), plates: Vec::new(), mark: Mark::Latent }
    }

    /// The same on these plates, which is the order of its indices.
    #[must_use]
    pub fn on<S: Into<String>>(self, plates: impl IntoIterator<Item = S>) -> Self {
        Self { plates: plates.into_iter().map(Into::into).collect(), ..self }
    }

    /// The same with this mark.
    #[must_use]
    pub fn marked(self, mark: Mark) -> Self {
        Self { mark, ..self }
    }
}

/// A model with plates: variables, on which plates they lie, and arrows between them.
///
/// An arrow leads from each copy of the parent to each copy of the child whose items agree on the plates that
/// both lie on. A parent outside of the child's plates is shared by all copies; a parent on plates on which
/// the child is not gives it one parent for each item. Plates may lie inside of each other and may cross.
///
/// ```
/// use posterior_graph::{Mark, Plate, PlateVariable, Plates};
///
/// // Two documents of two words and one word, and topics shared by all.
/// let model = Plates::new(
///     [Plate::new("documents", 2), Plate::inside("words", "documents", vec![2, 1]), Plate::new("topics", 3)],
///     [
///         PlateVariable::new("alpha").marked(Mark::Fixed),
///         PlateVariable::new("theta").on(["documents"]),
///         PlateVariable::new("z").on(["documents", "words"]),
///         PlateVariable::new("w").on(["documents", "words"]).marked(Mark::Observed),
///         PlateVariable::new("phi").on(["topics"]),
///     ],
///     [("alpha", "theta"), ("theta", "z"), ("z", "w"), ("phi", "w")],
/// )?;
/// let dag = model.unroll()?.dag;
/// let names = dag.names();
/// assert_eq!(dag.len(), 1 + 2 + 3 + 3 + 3);
/// let parents = dag.parents(names.require("w[1,0]")?).iter().map(|&v| names.get(v));
/// assert_eq!(parents.collect::<Vec<_>>(), ["z[1,0]", "phi[0]", "phi[1]", "phi[2]"]);
/// # Ok::<(), posterior_graph::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plates {
    /// One node for each variable, as it is drawn.
    template: Dag,
    collections: Vec<Plate>,
    /// The plate around each plate, always an earlier one.
    outer: Vec<Option<usize>>,
    /// The plates of each variable, those around others first.
    on: Vec<Vec<usize>>,
    marks: Vec<Mark>,
}

impl Plates {
    /// These plates, variables, and arrows between variables of these names.
    ///
    /// # Errors
    /// As [`Dag::named`]; and [`Error::Plate`] for two plates of one name, a plate that does not exist, comes
    /// twice or comes before the one around it, or has not as many sizes as there are copies of the one
    /// around it; [`Error::TooLarge`] for a variable on more than 64 plates.
    pub fn new<'a>(
        plates: impl IntoIterator<Item = Plate>,
        variables: impl IntoIterator<Item = PlateVariable>,
        arrows: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Error> {
        let plates: Vec<Plate> = plates.into_iter().collect();
        let variables: Vec<PlateVariable> = variables.into_iter().collect();
        let template = Dag::named(variables.iter().map(|v| v.name.as_str()), arrows)?;
        let outer = outer_plates(&plates)?;
        let on = variables.iter().map(|v| plates_of(v, &plates, &outer)).collect::<Result<_, Error>>()?;
        let marks = variables.iter().map(|v| v.mark).collect();
        Ok(Self { template, collections: plates, outer, on, marks })
    }

    /// The graph as it is drawn, with one node for each variable.
    pub const fn template(&self) -> &Dag {
        &self.template
    }

    /// The plates.
    pub fn plates(&self) -> &[Plate] {
        &self.collections
    }

    /// The plates on which a variable of the template lies, in the order of its indices.
    #[track_caller]
    pub fn plates_of(&self, v: VarId) -> impl ExactSizeIterator<Item = &Plate> {
        self.on[v.index()].iter().map(|&plate| &self.collections[plate])
    }

    /// What is known about a variable of the template.
    #[track_caller]
    pub fn mark(&self, v: VarId) -> Mark {
        self.marks[v.index()]
    }

    /// The variables of the template with this mark, as a set.
    pub(crate) fn marked(&self, mark: Mark) -> Marks {
        let mut set = Marks::none(self.template.len());
        for v in self.template.variables().filter(|v| self.marks[v.index()] == mark) {
            set.insert(v);
        }
        set
    }
}

fn problem(plate: &str, problem: impl Into<String>) -> Error {
    Error::Plate { name: plate.to_owned(), problem: problem.into() }
}

/// The plate around each plate.
fn outer_plates(plates: &[Plate]) -> Result<Vec<Option<usize>>, Error> {
    let outer_of = |(place, plate): (usize, &Plate)| {
        let earlier = &plates[..place];
        if plate.name.is_empty() || earlier.iter().any(|other| other.name == plate.name) {
            return Err(problem(&plate.name, "its name is empty or another plate's name"));
        }
        let Size::Inside { outer, sizes } = &plate.size else { return Ok(None) };
        let Some(found) = earlier.iter().position(|other| other.name == *outer) else {
            return Err(problem(&plate.name, format!("the plate {outer:?} around it must come before it")));
        };
        let (copies, found_sizes) = (earlier[found].items(), sizes.len());
        if found_sizes == copies {
            return Ok(Some(found));
        }
        let mismatch = format!("it has {found_sizes} sizes, and there are {copies} copies of {outer:?}");
        Err(problem(&plate.name, mismatch))
    };
    plates.iter().enumerate().map(outer_of).collect()
}

/// The plates of one variable.
fn plates_of(
    variable: &PlateVariable,
    plates: &[Plate],
    outer: &[Option<usize>],
) -> Result<Vec<usize>, Error> {
    let size = variable.plates.len();
    if size > MOST_PLATES {
        return Err(Error::TooLarge { what: "plates of a variable", size, limit: MOST_PLATES });
    }
    let mut on = Vec::new();
    for name in &variable.plates {
        let in_variable = |text: &str| problem(name, format!("{text} among those of {:?}", variable.name));
        let Some(plate) = plates.iter().position(|plate| plate.name == *name) else {
            return Err(in_variable("it does not exist, but is"));
        };
        if on.contains(&plate) {
            return Err(in_variable("it comes twice"));
        }
        if outer[plate].is_some_and(|around| !on.contains(&around)) {
            return Err(in_variable("the plate around it must come before it"));
        }
        on.push(plate);
    }
    Ok(on)
}
