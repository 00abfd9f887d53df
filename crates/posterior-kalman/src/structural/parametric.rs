//! Structural models as models to learn: exact derivatives by dual numbers.

use posterior_math::autodiff::{Dual, Real};
use posterior_math::linalg::DMatrix;

use super::Structural;
use crate::learning::{Derivative, EquationDerivative, Parameter, ParametricModel};
use crate::{Error, Matrices, StateSpace};

impl Structural {
    /// The values of all parameters where those that a fit moves have these free values. Those move by
    /// `direction`.
    fn values_at<R: Real>(&self, free: &[f64], number: impl Fn(usize, f64, f64) -> R) -> Vec<R> {
        let mut moving = free.iter().enumerate();
        let value = |setting: super::model::Setting| match setting.is_free.then(|| moving.next()).flatten() {
            Some((index, &free)) => number(index, setting.scale.natural(free), setting.scale.slope(free)),
            None => R::constant(setting.value),
        };
        self.settings().into_iter().map(value).collect()
    }
}

impl ParametricModel for Structural {
    fn parameters(&self) -> Vec<Parameter> {
        self.parameters()
    }

    fn at(&self, free: &[f64]) -> Result<StateSpace, Error> {
        self.state_space_of(&self.values_at(free, |_, natural, _| natural))
    }

    fn derivative(&self, free: &[f64], parameter: usize) -> Result<Derivative, Error> {
        let values = self.values_at(free, |index, natural, slope| {
            Dual::<1>::new(natural, [if index == parameter { slope } else { 0.0 }])
        });
        let numbers = self.assemble(&values);
        let n = self.width() * self.states_of_column();
        let slopes = |numbers: &[Dual<1>]| -> Option<Vec<f64>> {
            let slopes: Vec<f64> = numbers.iter().map(|number| number.derivatives()[0]).collect();
            slopes.iter().any(|&slope| slope != 0.0).then_some(slopes)
        };
        let mut transition = EquationDerivative::default();
        if let Some(entries) = slopes(&numbers.transitions) {
            transition =
                EquationDerivative { matrix: Some(Matrices::from_entries(n, n, entries)?), ..transition };
        }
        if let Some(entries) = slopes(&numbers.noises) {
            transition =
                EquationDerivative { noise: Some(Matrices::from_entries(n, n, entries)?), ..transition };
        }
        let mut derivative = Derivative { transition, ..Derivative::default() };
        if let Some(entries) = slopes(&[numbers.observation_noise]) {
            let noise = DMatrix::from_diagonal_element(self.width(), self.width(), entries[0]);
            let observation = EquationDerivative {
                noise: Some(Matrices::constant(&noise)),
                ..EquationDerivative::default()
            };
            derivative = Derivative { observation, ..derivative };
        }
        if let Some(entries) = slopes(&numbers.start) {
            derivative =
                Derivative { initial_covariance: Some(DMatrix::from_vec(n, n, entries)), ..derivative };
        }
        Ok(derivative)
    }
}
