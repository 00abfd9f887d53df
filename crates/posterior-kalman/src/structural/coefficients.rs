//! The coefficients of fitted autoregressions, with their standard errors.

use posterior_math::autodiff::{Dual, Real};

use super::arma::Factors;
use super::kind::Kind;
use super::{SeriesComponent, Structural};
use crate::learning::{FittedParameters, ParameterEstimate, ParametricModel, Status};

/// All of them, factor after factor.
fn joined<R>(factors: Factors<R>) -> Vec<R> {
    factors.ar.into_iter().chain(factors.ma).chain(factors.seasonal_ar).chain(factors.seasonal_ma).collect()
}

impl Structural {
    /// The coefficients φ, θ, Φ and Θ of the ARMA and ARIMA components of a fit of this model, by the names
    /// of their parameters, which are partial autocorrelations. Standard errors are carried over by the delta
    /// method. A coefficient is fixed, or at a boundary, if all that it depends on is.
    ///
    /// ```
    /// use posterior_kalman::Series;
    /// use posterior_kalman::learning::{MarginalTarget, MaximizeOptions, fit};
    /// use posterior_kalman::structural::Structural;
    /// use posterior_math::iteration::Silent;
    ///
    /// let model: Structural = "arima:2,0,0".parse()?;
    /// let series = [Series::univariate(&[0.3, 0.9, 0.2, -0.8, -0.9, 0.1, 0.7, 0.4, -0.6, -0.5, 0.2, 0.8])?];
    /// let fitted = fit(&MarginalTarget::new(&model, &series)?, &MaximizeOptions::default(), &mut Silent)?;
    /// let coefficients = model.arma_coefficients(&fitted.model);
    /// assert_eq!(coefficients[1].name, "arima.ar[2]");
    /// assert!(coefficients[1].value < -0.5 && coefficients[1].standard_error.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn arma_coefficients(&self, fitted: &FittedParameters) -> Vec<ParameterEstimate> {
        let settings = self.settings();
        let mut first = 0;
        let mut coefficients = Vec::new();
        for component in &self.components {
            let names = settings[first..first + component.values.len()].iter().map(|own| own.name.as_str());
            first += component.values.len();
            if let Kind::Arma(_) = &component.kind {
                coefficients.extend(self.of_component(component, &names.collect::<Vec<_>>(), fitted));
            }
        }
        coefficients
    }

    /// The derivative of a parameter in its free value.
    fn slope(&self, name: &str, free: f64) -> f64 {
        let parameters = ParametricModel::parameters(self);
        let own = parameters.iter().find(|own| own.name() == name);
        own.map_or(0.0, |own| own.scale().slope(free))
    }

    fn of_component(
        &self,
        component: &SeriesComponent,
        names: &[&str],
        fitted: &FittedParameters,
    ) -> Vec<ParameterEstimate> {
        let Kind::Arma(arma) = &component.kind else { return Vec::new() };
        // Of each value: the estimate, and its place among those that were not fixed.
        let moved = |name: &str| {
            let mut place = 0;
            fitted.parameters.iter().find_map(|own| {
                let here = (own, (own.status != Status::Fixed).then_some(place));
                place += usize::from(own.status != Status::Fixed);
                (own.name == name).then_some(here)
            })
        };
        let found: Vec<_> = names.iter().map(|name| moved(name)).collect();
        let values: Vec<f64> = found
            .iter()
            .zip(&component.values)
            .map(|(own, &given)| own.map_or(given, |own| own.0.value))
            .collect();
        let count = values.len() - 1;
        let (mut slopes, mut statuses) =
            (vec![vec![0.0; fitted.free.len()]; count], vec![Status::Fixed; count]);
        for (index, own) in found.iter().enumerate().take(count) {
            let Some((estimate, Some(place))) = own else { continue };
            let slope = self.slope(&estimate.name, fitted.free[*place]);
            let at = |(k, &value): (usize, &f64)| Dual::<1>::new(value, [f64::from(u8::from(k == index))]);
            let moved: Vec<Dual<1>> = values.iter().enumerate().map(at).collect();
            for (k, coefficient) in joined(arma.factors(&moved)).into_iter().enumerate() {
                let derivative = coefficient.derivatives()[0];
                slopes[k][*place] = derivative * slope;
                if derivative != 0.0 && statuses[k] != Status::Inside {
                    statuses[k] = estimate.status;
                }
            }
        }
        let all = joined(arma.factors(&values)).into_iter().zip(slopes).zip(statuses).zip(names);
        all.map(|(((value, slopes), status), name)| ParameterEstimate {
            name: (*name).to_owned(),
            value: value.value(),
            standard_error: (status == Status::Inside).then(|| spread(fitted, &slopes)).flatten(),
            status,
        })
        .collect()
    }
}

/// The standard deviation of a sum of the free values.
fn spread(fitted: &FittedParameters, slopes: &[f64]) -> Option<f64> {
    let covariance = fitted.covariance.as_ref()?;
    let along =
        |i: usize| slopes.iter().enumerate().map(move |(j, slope)| covariance[(i, j)] * slope).sum::<f64>();
    Some(slopes.iter().enumerate().map(|(i, slope)| slope * along(i)).sum::<f64>().sqrt())
}
