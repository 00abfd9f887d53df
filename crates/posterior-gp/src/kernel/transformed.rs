//! Kernels of transformed inputs: some coordinates, a warped space, a function that is stronger in some
//! places.

use std::fmt;
use std::sync::Arc;

use posterior_math::check::{DimensionError, ParamError};
use posterior_math::linalg::DMatrix;

use super::{CovarianceFunction, InputTile, Kernel, KernelParameter, Tile};
use crate::Error;

/// k(φ(x), φ(x'))
#[derive(Debug)]
struct Warped {
    kernel: Kernel,
    warp: Warp,
}

/// φ
#[derive(Clone)]
enum Warp {
    /// These coordinates.
    Coordinates(Vec<usize>),
    /// A function with a name.
    Function(String, Arc<Function>),
}

type Function = dyn Fn(&[f64]) -> Vec<f64> + Send + Sync;

impl fmt::Debug for Warp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Coordinates(coordinates) => coordinates.fmt(f),
            Self::Function(name, _) => name.fmt(f),
        }
    }
}

impl Kernel {
    /// The kernel of these coordinates of the inputs, counted from 0.
    ///
    /// # Errors
    /// If there are not as many as the kernel needs.
    ///
    /// ```
    /// use posterior_gp::Kernel;
    ///
    /// let kernel = Kernel::rbf(1.0)?.on(&[0])? * Kernel::linear().on(&[2])?;
    /// assert_eq!(kernel.value(&[1.0, 5.0, 2.0], &[1.0, 6.0, 3.0]), 6.0);
    /// assert_eq!(kernel.to_string(), "on(rbf(1), [0])*on(linear(), [2])");
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    pub fn on(self, coordinates: &[usize]) -> Result<Self, ParamError> {
        match self.covariance().dimension() {
            Some(expected) if expected != coordinates.len() => {
                let requirement = "as many as the kernel has";
                Err(ParamError::new("on", "number of coordinates", coordinates.len() as f64, requirement))
            }
            _ => Ok(Self::new(Warped { kernel: self, warp: Warp::Coordinates(coordinates.to_vec()) })),
        }
    }

    /// k(φ(x), φ(x')): the kernel of warped inputs.
    ///
    /// The function must return as many numbers for each input, as many as the kernel needs. Such a kernel is
    /// printed with the name of the function, and cannot be read back.
    ///
    /// ```
    /// use posterior_gp::Kernel;
    ///
    /// let ratios = Kernel::rbf(0.5)?.warped("ln", |x| vec![x[0].ln()]);
    /// assert!((ratios.value(&[1.0], &[2.0]) - ratios.value(&[10.0], &[20.0])).abs() < 1e-15);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    #[must_use]
    pub fn warped(self, name: &str, warp: impl Fn(&[f64]) -> Vec<f64> + Send + Sync + 'static) -> Self {
        let warp = Warp::Function(name.to_owned(), Arc::new(warp));
        Self::new(Warped { kernel: self, warp })
    }
}

impl Warped {
    fn apply(&self, x: &[f64]) -> Vec<f64> {
        match &self.warp {
            Warp::Coordinates(coordinates) => coordinates.iter().map(|&i| x[i]).collect(),
            Warp::Function(_, function) => function(x),
        }
    }

    /// The coordinates of the warped points, and how many each has.
    fn coordinates(&self, points: &InputTile<'_>) -> (Vec<f64>, usize) {
        match &self.warp {
            Warp::Coordinates(chosen) => {
                (chosen.iter().flat_map(|&i| points.coordinate(i)).copied().collect(), chosen.len())
            }
            Warp::Function(..) => {
                let (len, mut dimension) = (points.len(), 0);
                let mut coordinates = Vec::new();
                points.for_each(|index, x| {
                    let warped = self.apply(x);
                    dimension = warped.len();
                    coordinates.resize(len * dimension, 0.0);
                    for (i, value) in warped.into_iter().enumerate() {
                        coordinates[i * len + index] = value;
                    }
                });
                (coordinates, dimension)
            }
        }
    }

    fn with_tile<T>(&self, tile: &Tile<'_>, then: impl FnOnce(&Tile<'_>) -> T) -> T {
        let (rows, dimension) = self.coordinates(&tile.rows);
        let (columns, _) = self.coordinates(&tile.columns);
        then(&Tile {
            rows: InputTile::from_coordinates(&rows, tile.rows.len(), dimension),
            columns: InputTile::from_coordinates(&columns, tile.columns.len(), dimension),
        })
    }
}

impl CovarianceFunction for Warped {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.kernel.value(&self.apply(x), &self.apply(y))
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        self.kernel.covariance().gradient(&self.apply(x), &self.apply(y), gradient);
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        self.kernel.covariance().parameters()
    }

    fn number_of_parameters(&self) -> usize {
        self.kernel.covariance().number_of_parameters()
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        let kernel = self.kernel.with_parameters(values)?;
        Ok(Kernel::new(Self { kernel, warp: self.warp.clone() }))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.warp {
            Warp::Coordinates(coordinates) => write!(f, "on({}, {coordinates:?})", self.kernel),
            Warp::Function(name, _) => write!(f, "warped({}, {name})", self.kernel),
        }
    }

    fn function_name(&self) -> Option<String> {
        match &self.warp {
            Warp::Coordinates(_) => self.kernel.function_name(),
            Warp::Function(name, _) => Some(name.clone()),
        }
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        if let Warp::Coordinates(coordinates) = &self.warp
            && let Some(&largest) = coordinates.iter().max()
            && largest >= inputs.ncols()
        {
            let what = "coordinates of an input";
            let expected = largest.saturating_add(1);
            return Err(DimensionError::new(what, expected, inputs.ncols()).into());
        }
        if inputs.nrows() == 0 {
            return Ok(());
        }
        let (coordinates, dimension) = self.coordinates(&InputTile::all(inputs));
        let mut other = None;
        InputTile::all(inputs).for_each(|_, x| {
            let found = self.apply(x).len();
            if found != dimension {
                other = Some(found);
            }
        });
        if let Some(found) = other {
            let what = "coordinates of a warped input";
            return Err(DimensionError::new(what, dimension, found).into());
        }
        self.kernel.check(&DMatrix::from_vec(inputs.nrows(), dimension, coordinates))
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        self.with_tile(tile, |tile| self.kernel.covariance().fill(tile, values));
    }

    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        self.with_tile(tile, |tile| self.kernel.covariance().pull_back(tile, weights, gradient));
    }

    fn fill_and_pull_back(&self, tile: &Tile<'_>, weights: &[f64], values: &mut [f64], gradient: &mut [f64]) {
        self.with_tile(tile, |tile| {
            self.kernel.covariance().fill_and_pull_back(tile, weights, values, gradient);
        });
    }

    fn diagonal(&self, points: &InputTile<'_>, values: &mut [f64]) {
        let (coordinates, dimension) = self.coordinates(points);
        let points = InputTile::from_coordinates(&coordinates, points.len(), dimension);
        self.kernel.covariance().diagonal(&points, values);
    }

    fn pull_back_diagonal(&self, points: &InputTile<'_>, weights: &[f64], gradient: &mut [f64]) {
        let (coordinates, dimension) = self.coordinates(points);
        let points = InputTile::from_coordinates(&coordinates, points.len(), dimension);
        self.kernel.covariance().pull_back_diagonal(&points, weights, gradient);
    }
}
