//! Values of a program: numbers that are known or nodes of the graph, in containers of known sizes.

use std::sync::Arc;

use posterior_stan::Type;

/// A number: known, or a node of the graph.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Num {
    /// Known.
    C(f64),
    /// The node's index.
    N(u32),
}

/// What the arrays of a container are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Elem {
    Scalar,
    Vector(usize),
    Row(usize),
    Matrix(usize, usize),
}

impl Elem {
    pub(crate) const fn len(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vector(n) | Self::Row(n) => n,
            Self::Matrix(r, c) => r * c,
        }
    }

    /// Sizes and strides of its axes; matrices are held by columns.
    fn axes(self) -> Vec<(usize, usize)> {
        match self {
            Self::Scalar => vec![],
            Self::Vector(n) | Self::Row(n) => vec![(n, 1)],
            Self::Matrix(r, c) => vec![(r, 1), (c, r)],
        }
    }
}

/// Sizes of an array, the slowest first, and what it is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) dims: Vec<usize>,
    pub(crate) elem: Elem,
}

impl Shape {
    pub(crate) const fn plain(elem: Elem) -> Self {
        Self { dims: vec![], elem }
    }

    pub(crate) fn len(&self) -> usize {
        self.dims.iter().product::<usize>() * self.elem.len()
    }

    /// Sizes of all axes, those of vector and matrix last.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        let inner = self.elem.axes();
        self.dims.iter().copied().chain(inner.iter().map(|axis| axis.0)).collect()
    }
}

/// Numbers in a shape.
#[derive(Debug, Clone)]
pub(crate) struct Tensor {
    pub(crate) shape: Shape,
    pub(crate) data: Arc<[Num]>,
}

/// An array of integers.
#[derive(Debug, Clone)]
pub(crate) struct Ints {
    pub(crate) dims: Vec<usize>,
    pub(crate) data: Arc<[i64]>,
}

/// A value.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Int(i64),
    Real(Num),
    Ints(Ints),
    Reals(Tensor),
    /// Real and imaginary parts, of one shape.
    Complex(Box<[Self; 2]>),
    Tuple(Vec<Self>),
    /// An array of tuples.
    List(Vec<Self>),
    /// A function's name: the index of its definition, or the name of a library's function.
    Function(Option<usize>, String),
    Void,
}

impl Value {
    pub(crate) fn constant(x: f64) -> Self {
        Self::Real(Num::C(x))
    }

    pub(crate) fn tensor(shape: Shape, data: Vec<Num>) -> Self {
        debug_assert_eq!(shape.len(), data.len());
        if shape.dims.is_empty() && shape.elem == Elem::Scalar {
            return Self::Real(data[0]);
        }
        Self::Reals(Tensor { shape, data: data.into() })
    }

    pub(crate) fn vector(data: Vec<Num>) -> Self {
        Self::tensor(Shape::plain(Elem::Vector(data.len())), data)
    }

    pub(crate) fn row(data: Vec<Num>) -> Self {
        Self::tensor(Shape::plain(Elem::Row(data.len())), data)
    }

    pub(crate) fn matrix(rows: usize, cols: usize, data: Vec<Num>) -> Self {
        Self::tensor(Shape::plain(Elem::Matrix(rows, cols)), data)
    }

    pub(crate) fn array(data: Vec<Num>) -> Self {
        Self::tensor(Shape { dims: vec![data.len()], elem: Elem::Scalar }, data)
    }

    pub(crate) fn ints(dims: Vec<usize>, data: Vec<i64>) -> Self {
        if dims.is_empty() { Self::Int(data[0]) } else { Self::Ints(Ints { dims, data: data.into() }) }
    }

    pub(crate) fn of_parts(parts: [Self; 2]) -> Self {
        Self::Complex(Box::new(parts))
    }

    pub(crate) fn complex(real: Self, imaginary: Self) -> Self {
        Self::of_parts([real, imaginary])
    }

    /// A complex value of this shape whose real and imaginary parts follow each other.
    pub(crate) fn of_pairs(shape: &Shape, pairs: &[Num]) -> Self {
        let [real, imaginary] =
            [0, 1].map(|at| Self::tensor(shape.clone(), pairs.iter().skip(at).step_by(2).copied().collect()));
        Self::complex(real, imaginary)
    }

    /// Real and imaginary parts: zeros of a value that is real.
    pub(crate) fn parts(&self) -> [Self; 2] {
        match self {
            Self::Complex(parts) => parts.as_ref().clone(),
            other => {
                let shape = other.shape();
                let zeros = vec![Num::C(0.0); shape.len()];
                [other.clone().promoted(), Self::tensor(shape, zeros)]
            }
        }
    }

    pub(crate) const fn is_complex(&self) -> bool {
        matches!(self, Self::Complex(_))
    }

    /// The shape as if it held reals.
    pub(crate) fn shape(&self) -> Shape {
        match self {
            Self::Ints(ints) => Shape { dims: ints.dims.clone(), elem: Elem::Scalar },
            Self::Reals(tensor) => tensor.shape.clone(),
            Self::List(list) => Shape { dims: vec![list.len()], elem: Elem::Scalar },
            Self::Complex(parts) => parts[0].shape(),
            _ => Shape::plain(Elem::Scalar),
        }
    }

    /// Its numbers, integers as reals.
    pub(crate) fn nums(&self) -> Vec<Num> {
        match self {
            Self::Int(i) => vec![Num::C(*i as f64)],
            Self::Real(x) => vec![*x],
            Self::Ints(ints) => ints.data.iter().map(|&i| Num::C(i as f64)).collect(),
            Self::Reals(tensor) => tensor.data.to_vec(),
            Self::Complex(parts) => {
                let [real, imaginary] = [0, 1].map(|at| parts[at].nums());
                real.into_iter().zip(imaginary).flat_map(|(x, y)| [x, y]).collect()
            }
            Self::Tuple(all) | Self::List(all) => all.iter().flat_map(Self::nums).collect(),
            Self::Function(..) | Self::Void => vec![],
        }
    }

    /// Its numbers but integers.
    pub(crate) fn reals(&self) -> Vec<Num> {
        match self {
            Self::Int(_) | Self::Ints(_) => vec![],
            Self::Tuple(all) | Self::List(all) => all.iter().flat_map(Self::reals).collect(),
            other => other.nums(),
        }
    }

    /// The same with the first of other numbers in place of [`reals`](Self::reals); they are taken away.
    pub(crate) fn with_reals(&self, numbers: &mut &[Num]) -> Self {
        let mut each = |all: &[Self]| all.iter().map(|one| one.with_reals(numbers)).collect();
        match self {
            Self::Tuple(all) => Self::Tuple(each(all)),
            Self::List(all) => Self::List(each(all)),
            Self::Real(_) | Self::Reals(_) | Self::Complex(_) => {
                let (shape, pairs) = (self.shape(), self.is_complex());
                let (own, others) = numbers.split_at(shape.len() * if pairs { 2 } else { 1 });
                *numbers = others;
                if pairs { Self::of_pairs(&shape, own) } else { Self::tensor(shape, own.to_vec()) }
            }
            other => other.clone(),
        }
    }

    /// Its integers.
    pub(crate) fn int_list(&self) -> Vec<i64> {
        match self {
            Self::Int(i) => vec![*i],
            Self::Ints(ints) => ints.data.to_vec(),
            _ => vec![],
        }
    }

    /// The same as a value of this type: reals in place of integers, complex numbers in place of reals.
    pub(crate) fn promoted_to(self, of: &Type) -> Self {
        match (self, of.element().0) {
            (value, Type::Int) => value,
            (Self::Tuple(members), Type::Tuple(types)) => {
                Self::Tuple(members.into_iter().zip(types).map(|(one, of)| one.promoted_to(of)).collect())
            }
            (Self::List(all), element) => {
                Self::List(all.into_iter().map(|one| one.promoted_to(element)).collect())
            }
            (value, Type::Complex | Type::ComplexVector | Type::ComplexRowVector | Type::ComplexMatrix)
                if !value.is_complex() =>
            {
                Self::of_parts(value.parts())
            }
            (value, _) => value.promoted(),
        }
    }

    /// The same with reals in place of integers.
    pub(crate) fn promoted(self) -> Self {
        match self {
            Self::Int(_) | Self::Ints(_) => {
                let (shape, data) = (self.shape(), self.nums());
                Self::tensor(shape, data)
            }
            other => other,
        }
    }

    pub(crate) fn is_int(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Ints(_))
    }

    /// The same numbers in a container of scalars, or another shape of the same length.
    pub(crate) fn reshaped(&self, shape: Shape) -> Self {
        match self {
            Self::Reals(tensor) if shape.len() == tensor.data.len() && shape.len() != 1 => {
                Self::Reals(Tensor { shape, data: Arc::clone(&tensor.data) })
            }
            other => Self::tensor(shape, other.nums()),
        }
    }
}

/// One index of an axis, from 0.
#[derive(Debug, Clone)]
pub(crate) enum Pick {
    One(usize),
    Many(Vec<usize>),
}

/// The positions that indices pick from a shape, and the shape of what is picked.
///
/// Indices are as many as axes or fewer, each within its axis.
pub(crate) fn select(shape: &Shape, picks: &[Pick]) -> (Vec<usize>, Shape) {
    let inner = shape.elem.axes();
    let block = shape.elem.len();
    let rank = shape.dims.len();
    let mut strides = vec![block; rank];
    for axis in (0..rank.saturating_sub(1)).rev() {
        strides[axis] = strides[axis + 1] * shape.dims[axis + 1];
    }
    let mut dims = vec![];
    let mut offsets = vec![0_usize];
    let axis_of = |axis: usize| picks.get(axis).cloned();
    for (axis, (&stride, &size)) in strides.iter().zip(&shape.dims).enumerate() {
        match axis_of(axis) {
            Some(Pick::One(i)) => offsets.iter_mut().for_each(|offset| *offset += i * stride),
            Some(Pick::Many(list)) => {
                offsets = offsets.iter().flat_map(|o| list.iter().map(move |i| o + i * stride)).collect();
                dims.push(list.len());
            }
            None => {
                offsets = offsets.iter().flat_map(|o| (0..size).map(move |i| o + i * stride)).collect();
                dims.push(size);
            }
        }
    }
    let all = |n: usize| Pick::Many((0..n).collect());
    let picked: Vec<Pick> =
        inner.iter().enumerate().map(|(i, axis)| axis_of(rank + i).unwrap_or_else(|| all(axis.0))).collect();
    let (places, elem) = match (shape.elem, picked.as_slice()) {
        (Elem::Vector(_), [Pick::Many(list)]) => (list.clone(), Elem::Vector(list.len())),
        (Elem::Row(_), [Pick::Many(list)]) => (list.clone(), Elem::Row(list.len())),
        (_, [Pick::One(i)]) => (vec![*i], Elem::Scalar),
        (Elem::Matrix(r, _), [one, other]) => match (one, other) {
            (Pick::One(i), Pick::One(j)) => (vec![i + j * r], Elem::Scalar),
            (Pick::One(i), Pick::Many(js)) => (js.iter().map(|j| i + j * r).collect(), Elem::Row(js.len())),
            (Pick::Many(is), Pick::One(j)) => {
                (is.iter().map(|i| i + j * r).collect(), Elem::Vector(is.len()))
            }
            (Pick::Many(is), Pick::Many(js)) => (
                js.iter().flat_map(|j| is.iter().map(move |i| i + j * r)).collect(),
                Elem::Matrix(is.len(), js.len()),
            ),
        },
        _ => (vec![0], Elem::Scalar),
    };
    let positions = if places.len() == 1 && places[0] == 0 {
        offsets
    } else {
        offsets.iter().flat_map(|o| places.iter().map(move |p| o + p)).collect()
    };
    (positions, Shape { dims, elem })
}
