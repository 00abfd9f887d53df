//! Mean field on a correlated Gaussian, in closed form; and what the driver says of models that are wrong.

use std::borrow::Cow;

use posterior_dist::KlDivergence;
use posterior_gaussian::Gaussian;
use posterior_inference::variational::{AscentOptions, CoordinateAscent, Watch, coordinate_ascent};
use posterior_math::ParamError;
use posterior_math::iteration::{Silent, Stop};
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_close, assert_within};

/// p = N(mean, precision⁻¹), approximated by independent normal distributions: their means and variances.
struct Correlated {
    mean: Vec<f64>,
    precision: DMatrix<f64>,
}

type Factors = Vec<(f64, f64)>;

impl CoordinateAscent for Correlated {
    type State = Factors;
    type Error = ParamError;

    fn factors(&self) -> usize {
        self.mean.len()
    }

    fn update(&self, q: &mut Factors, i: usize) -> Result<(), ParamError> {
        let pull: f64 =
            (0..q.len()).filter(|&j| j != i).map(|j| self.precision[(i, j)] * (q[j].0 - self.mean[j])).sum();
        q[i] = (self.mean[i] - pull / self.precision[(i, i)], 1.0 / self.precision[(i, i)]);
        Ok(())
    }

    fn elbo(&self, q: &Factors) -> Result<f64, ParamError> {
        let (means, variances): (Vec<f64>, Vec<f64>) = q.iter().copied().unzip();
        let exact = Gaussian::from_precision(&self.mean, &self.precision)?;
        Ok(-Gaussian::independent(&means, &variances)?.kl_divergence(&exact))
    }
}

fn correlated(coupling: f64) -> Correlated {
    let c = coupling;
    let precision = DMatrix::from_row_slice(3, 3, &[2.0, c, 0.0, c, 1.0, -0.5 * c, 0.0, -0.5 * c, 0.5]);
    Correlated { mean: vec![1.0, -2.0, 3.0], precision }
}

#[test]
fn factors_have_the_variances_of_conditionals() {
    let problem = correlated(0.9);
    let options = AscentOptions { tolerance: 1e-15, watch: Watch::Update, ..AscentOptions::default() };
    let fitted = coordinate_ascent(&problem, vec![(0.0, 1.0); 3], &options, &mut Silent).unwrap();
    assert!(fitted.report.converged() && fitted.report.falls.is_empty());
    let exact = Gaussian::from_precision(&problem.mean, &problem.precision).unwrap();
    for (i, &(mean, variance)) in fitted.model.iter().enumerate() {
        assert_within(mean, problem.mean[i], 1e-6);
        assert_eq!(variance, 1.0 / problem.precision[(i, i)]);
        assert!(variance < exact.covariance()[(i, i)], "too narrow");
    }
    // KL of product of conditionals to the joint: ½ ln (Π Pᵢᵢ / |P|).
    let diagonal: f64 = problem.precision.diagonal().iter().map(|p| p.ln()).sum();
    let gap = 0.5 * (diagonal + exact.cholesky().ln_determinant());
    assert_close(fitted.report.trace[fitted.report.iterations()], -gap, 1e-10);
    assert!(fitted.report.trace.iter().all(|&bound| bound < 0.0));
}

#[test]
fn what_is_independent_is_exact_after_one_sweep() {
    let problem = correlated(0.0);
    let fitted =
        coordinate_ascent(&problem, vec![(0.0, 1.0); 3], &AscentOptions::default(), &mut Silent).unwrap();
    assert_eq!(fitted.report.iterations(), 2);
    assert_within(fitted.report.trace[1], 0.0, 1e-15);
}

/// Bounds from a list: three factors a sweep, of which the driver reads one or three.
struct Listed(Vec<f64>);

impl CoordinateAscent for Listed {
    type State = usize;
    type Error = ParamError;

    fn factors(&self) -> usize {
        3
    }

    fn factor_name(&self, factor: usize) -> Cow<'static, str> {
        ["a", "b", "c"][factor].into()
    }

    fn update(&self, state: &mut usize, _: usize) -> Result<(), ParamError> {
        *state += 1;
        Ok(())
    }

    fn elbo(&self, &state: &usize) -> Result<f64, ParamError> {
        Ok(self.0[state])
    }
}

#[test]
fn falls_are_laid_to_their_factor() {
    // The second sweep falls at b, and as a whole.
    let bounds = vec![-9.0, -8.0, -7.0, -6.0, -5.5, -6.5, -6.25, -6.0, -5.0, -4.0];
    let run = |watch: Watch| {
        let options = AscentOptions { max_iterations: 3, watch, ..AscentOptions::default() };
        coordinate_ascent(&Listed(bounds.clone()), 0, &options, &mut Silent).unwrap().report
    };
    let report = run(Watch::Update);
    assert_eq!(report.trace, [-9.0, -6.0, -6.25, -4.0]);
    let seen: Vec<_> = report.falls.iter().map(|f| (f.iteration, f.part.as_deref(), f.drop)).collect();
    assert_eq!(seen, [(2, Some("b"), 1.0)]);
    let report = run(Watch::Sweep);
    let seen: Vec<_> = report.falls.iter().map(|f| (f.iteration, f.part.as_deref(), f.drop)).collect();
    assert_eq!(seen, [(2, None, 0.25)]);
}

#[test]
fn a_bound_that_is_not_a_number_ends_the_run() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let listed = Listed(vec![-9.0, -8.0, -7.0, bad]);
        let fitted = coordinate_ascent(&listed, 0, &AscentOptions::default(), &mut Silent).unwrap();
        assert_eq!((fitted.report.stop, fitted.report.iterations()), (Stop::Stalled, 0));
    }
}
