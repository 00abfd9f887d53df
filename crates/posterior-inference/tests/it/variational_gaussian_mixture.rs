//! Variational mixtures of Gaussians: the driver and the conjugate factors fit them as they are.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::finite::information::entropy;
use posterior_dist::{Categorical, Conjugate, Dirichlet, Stats};
use posterior_gaussian::{Gaussian, NormalWishart};
use posterior_inference::variational::{
    AscentOptions, ConjugateFactor, CoordinateAscent, Watch, coordinate_ascent,
};
use posterior_math::ParamError;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::{ln_sum_exp, softmax_in_place};
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_testkit::reference::{list, load, number, numbers, rows};
use proptest::prelude::*;
use serde_json::Value;

struct Mixture {
    points: Vec<Vec<f64>>,
    alpha: f64,
    prior: NormalWishart,
}

/// q: responsibilities, the distribution of the weights, and those of the components.
#[derive(Debug, Clone, PartialEq)]
struct Factors {
    proportions: Vec<Vec<f64>>,
    weights: ConjugateFactor<Categorical, Dirichlet>,
    components: Vec<ConjugateFactor<Gaussian, NormalWishart>>,
}

impl Mixture {
    fn start(&self, proportions: Vec<Vec<f64>>) -> Factors {
        let k = proportions[0].len();
        let component = ConjugateFactor::new(self.prior.clone(), self.prior.dimension()).unwrap();
        Factors {
            proportions,
            weights: ConjugateFactor::new(Dirichlet::symmetric(k, self.alpha).unwrap(), k).unwrap(),
            components: vec![component; k],
        }
    }

    fn counts(proportions: &[Vec<f64>]) -> Result<Stats<Categorical>, ParamError> {
        let mut counts = Stats::new(proportions[0].len());
        for row in proportions {
            row.iter().enumerate().try_for_each(|(k, &proportion)| counts.push_weighted(&k, proportion))?;
        }
        Ok(counts)
    }

    fn statistics(&self, proportions: &[Vec<f64>], k: usize) -> Result<Stats<Gaussian>, ParamError> {
        let mut statistics: Stats<Gaussian> = Stats::new(self.prior.dimension());
        self.points.iter().zip(proportions).try_for_each(|(x, row)| statistics.push_weighted(x, row[k]))?;
        Ok(statistics)
    }
}

impl CoordinateAscent for Mixture {
    type State = Factors;
    type Error = ParamError;

    fn factors(&self) -> usize {
        3
    }

    fn factor_name(&self, factor: usize) -> std::borrow::Cow<'static, str> {
        ["weights", "components", "assignments"][factor].into()
    }

    fn update(&self, q: &mut Factors, factor: usize) -> Result<(), ParamError> {
        match factor {
            0 => q.weights.update(Self::counts(&q.proportions)?),
            1 => {
                for k in 0..q.components.len() {
                    q.components[k].update(self.statistics(&q.proportions, k)?)?;
                }
                Ok(())
            }
            _ => {
                for (x, row) in self.points.iter().zip(&mut q.proportions) {
                    for (k, proportion) in row.iter_mut().enumerate() {
                        *proportion = q.weights.expected().ln_pdf(&k) + q.components[k].expected().ln_pdf(x);
                    }
                    softmax_in_place(row);
                }
                Ok(())
            }
        }
    }

    fn elbo(&self, q: &Factors) -> Result<f64, ParamError> {
        let mut bound: f64 = q.proportions.iter().map(|row| entropy(row)).sum();
        bound += q.weights.bound(&Self::counts(&q.proportions)?);
        for (k, component) in q.components.iter().enumerate() {
            bound += component.bound(&self.statistics(&q.proportions, k)?);
        }
        Ok(bound)
    }
}

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows = rows(value);
    DMatrix::from_fn(rows.len(), rows.len(), |i, j| rows[i][j])
}

/// The parameters of the posterior against a table's.
#[track_caller]
fn assert_posterior(q: &Factors, expected: &Value) {
    for (k, expected) in list(expected).iter().enumerate() {
        let distribution = q.components[k].posterior();
        assert_close(q.weights.posterior().concentration()[k], number(&expected["alpha"]), 1e-13);
        assert_close(distribution.kappa(), number(&expected["beta"]), 1e-13);
        assert_close(distribution.degrees_of_freedom(), number(&expected["nu"]), 1e-13);
        assert_all_close(distribution.location().as_slice(), &numbers(&expected["m"]), 1e-12);
        let scale = matrix(&expected["w"]);
        assert!((distribution.scale() - &scale).amax() <= 1e-12 * scale.amax());
    }
}

#[test]
fn two_sweeps_are_those_of_the_reference_table() {
    for case in list(&load("gmm_vb")["cases"]) {
        let w = matrix(&case["w0"]);
        let prior =
            NormalWishart::new(&numbers(&case["m0"]), number(&case["beta0"]), &w, number(&case["nu0"]))
                .unwrap();
        let problem = Mixture { points: rows(&case["x"]), alpha: number(&case["alpha0"]), prior };
        let mut q = problem.start(rows(&case["responsibilities"]));
        problem.update(&mut q, 0).unwrap();
        problem.update(&mut q, 1).unwrap();
        assert_posterior(&q, &case["posterior"]);
        assert_close(problem.elbo(&q).unwrap(), number(&case["elbo_terms"]["elbo"]), 1e-13);

        problem.update(&mut q, 2).unwrap();
        for (row, expected) in q.proportions.iter().zip(rows(&case["new_responsibilities"])) {
            assert_all_close(row, &expected, 1e-11);
        }
        assert_close(problem.elbo(&q).unwrap(), number(&case["elbo_terms_after_e_step"]["elbo"]), 1e-13);

        problem.update(&mut q, 0).unwrap();
        problem.update(&mut q, 1).unwrap();
        assert_posterior(&q, &case["posterior_after_second_m_step"]);
        let after = number(&case["elbo_terms_after_second_m_step"]["elbo"]);
        assert_close(problem.elbo(&q).unwrap(), after, 1e-13);

        let options = AscentOptions { watch: Watch::Update, ..AscentOptions::default() };
        let fitted = coordinate_ascent(&problem, q, &options, &mut Silent).unwrap();
        assert!(fitted.report.converged());
        assert_eq!(fitted.report.falls, []);
    }
}

fn seven_points() -> Mixture {
    let points = [-2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 2.5].iter().map(|&x| vec![x]).collect();
    Mixture {
        points,
        alpha: 1.0,
        prior: NormalWishart::new(&[0.0], 1.0, &DMatrix::identity(1, 1), 2.0).unwrap(),
    }
}

/// The parameters first, then the assignments; the bound after the parameters.
fn seven_point_start() -> Vec<Vec<f64>> {
    (0..7).map(|i| if i < 3 { vec![0.95, 0.05] } else { vec![0.05, 0.95] }).collect()
}

#[test]
fn seven_points_on_the_line_go_where_they_should() {
    let problem = seven_points();
    let mut q = problem.start(seven_point_start());
    for expected in [-17.9830844022, -17.6904880691] {
        problem.update(&mut q, 0).unwrap();
        problem.update(&mut q, 1).unwrap();
        assert_within(problem.elbo(&q).unwrap(), expected, 1e-10);
        problem.update(&mut q, 2).unwrap();
    }
    let options = AscentOptions { tolerance: 0.0, ..AscentOptions::default() };
    let fitted = coordinate_ascent(&problem, q, &options, &mut Silent).unwrap();
    assert!(fitted.report.converged() && fitted.report.falls.is_empty());
    assert_close(fitted.report.trace[fitted.report.iterations()], -17.62281754356518, 1e-13);
    let q = fitted.model;
    for (actual, expected) in
        q.weights.posterior().concentration().iter().zip([3.987176720297, 5.012823279703])
    {
        assert_within(*actual, expected, 1e-7);
    }
    for (k, (mean, scale)) in
        [(-1.102717513102, 0.295893903755), (1.375817421139, 0.198672122891)].into_iter().enumerate()
    {
        assert_within(q.components[k].posterior().location()[0], mean, 1e-7);
        assert_within(q.components[k].posterior().scale()[(0, 0)], scale, 1e-7);
    }
}

#[test]
fn the_bound_is_below_the_evidence() {
    // ln p(x) over all 2⁷ assignments, parameters integrated out.
    let problem = seven_points();
    let mut terms = Vec::new();
    for assignment in 0_u32..128 {
        let mut parts = [Stats::<Gaussian>::new(1), Stats::new(1)];
        let mut labels = Stats::<Categorical>::new(2);
        for (i, x) in problem.points.iter().enumerate() {
            let k = (assignment >> i & 1) as usize;
            labels.push(&k).unwrap();
            parts[k].push(x).unwrap();
        }
        let of_parts: f64 =
            parts.iter().map(|part| Gaussian::ln_evidence(&problem.prior, part).unwrap()).sum();
        let of_labels = Categorical::ln_evidence(&Dirichlet::symmetric(2, 1.0).unwrap(), &labels).unwrap();
        terms.push(of_parts + of_labels);
    }
    let exact = ln_sum_exp(&terms);
    assert_close(exact, -15.883858064826583, 1e-14);
    let start = problem.start(seven_point_start());
    let fitted = coordinate_ascent(&problem, start, &AscentOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.trace.iter().all(|&bound| bound < exact - 2_f64.ln()));
}

#[test]
fn equal_components_stay_equal_and_empty_ones_stay_the_prior() {
    let problem = seven_points();
    let fitted = coordinate_ascent(
        &problem,
        problem.start(vec![vec![0.5, 0.5]; 7]),
        &AscentOptions::default(),
        &mut Silent,
    )
    .unwrap();
    assert_eq!(fitted.model.components[0], fitted.model.components[1]);

    let mut q = problem.start(vec![vec![1.0, 0.0]; 7]);
    problem.update(&mut q, 0).unwrap();
    problem.update(&mut q, 1).unwrap();
    assert_eq!(q.components[1].posterior(), &problem.prior);
    // With one component only, the bound is the evidence of the data under it, and of the labels.
    let stats = Stats::of(1, problem.points.iter().map(Vec::as_slice)).unwrap();
    let labels =
        Categorical::ln_evidence(q.weights.prior(), &Mixture::counts(&q.proportions).unwrap()).unwrap();
    let exact = Gaussian::ln_evidence(&problem.prior, &stats).unwrap() + labels;
    assert_close(problem.elbo(&q).unwrap(), exact, 1e-14);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_update_lowers_the_bound(
        points in prop::collection::vec((-5.0..5.0_f64, -5.0..5.0_f64), 2..12),
        proportions in prop::collection::vec(0.01..0.99_f64, 12),
        alpha in 0.05..3.0_f64,
    ) {
        let prior = NormalWishart::new(&[0.0, 0.5], 0.3, &DMatrix::identity(2, 2), 2.5).unwrap();
        let problem = Mixture { points: points.iter().map(|p| vec![p.0, p.1]).collect(), alpha, prior };
        let proportions = proportions[..points.len()].iter().map(|&s| vec![s, 1.0 - s]).collect();
        let options = AscentOptions { watch: Watch::Update, max_iterations: 40, ..AscentOptions::default() };
        let fitted = coordinate_ascent(&problem, problem.start(proportions), &options, &mut Silent).unwrap();
        prop_assert!(fitted.report.falls.is_empty(), "{:?}", fitted.report.falls);
    }
}
