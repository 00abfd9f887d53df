//! The variational models of hmmlearn 0.3.3 (`VariationalCategoricalHMM`, `VariationalGaussianHMM`,
//! implementation "log"), started at the same paths.

use posterior_dist::{Categorical, Dirichlet};
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_inference::variational::CoordinateAscent;
use posterior_math::linalg::DMatrix;
use posterior_sequence::bayesian::{BayesianHmm, DirichletRow, Observed};
use posterior_sequence::variational::VariationalProblem;
use posterior_testkit::accuracy::assert_close;

fn row(alpha: &[f64]) -> DirichletRow {
    DirichletRow::new(alpha).unwrap()
}

#[test]
fn symbols() {
    let digits = |text: &str| -> Vec<usize> { text.bytes().map(|b| usize::from(b - b'0')).collect() };
    let symbols =
        digits("110112210000112100021000001100001221222000222101100101011101000101120112222122012221000102");
    let states =
        digits("000001000000000000000000000000100111111111111100000000000000000000000111111111111111000001");
    let cut = |all: &[usize]| [all[..50].to_vec(), all[50..].to_vec()];
    let (sequences, paths) = (cut(&symbols), cut(&states));
    let data = Observed::new(&sequences);
    let model = BayesianHmm::<Categorical, _>::new(
        row(&[0.7, 0.7]),
        vec![row(&[1.5, 0.5]), row(&[0.5, 1.5])],
        vec![Dirichlet::symmetric(3, 0.8).unwrap(); 2],
        3,
    )
    .unwrap();
    let problem = VariationalProblem::new(&model, &data).unwrap();
    let mut q = problem.start_from_states(&paths).unwrap();
    // Their bound is computed after each E step.
    for expected in [
        -102.61354216673298,
        -102.47427866232655,
        -102.34814030944324,
        -102.225005403209,
        -102.11104961896625,
    ] {
        assert_close(problem.elbo(&q).unwrap(), expected, 1e-13);
        for factor in [1, 2, 0] {
            problem.update(&mut q, factor).unwrap();
        }
    }
    for factor in [1, 2, 0].into_iter().cycle().take(3 * 200) {
        problem.update(&mut q, factor).unwrap();
    }
    assert_close(problem.elbo(&q).unwrap(), -101.72515890610839, 1e-13);
    // Theirs stops where the bound changes by 1e-13, which leaves the parameters seven digits.
    for (k, steps, symbols) in [
        (
            0,
            [52.58744102204533, 8.866069004156504],
            [35.762744359123964, 24.82210626435522, 2.4531279991248427],
        ),
        (
            1,
            [8.09704107789367, 22.449448895904045],
            [1.8372556408760128, 7.777893735644775, 22.146872000875163],
        ),
    ] {
        for (i, step) in steps.into_iter().enumerate() {
            assert_close(q.row(k).alpha()[i], step, 1e-6);
        }
        for (v, symbol) in symbols.into_iter().enumerate() {
            assert_close(q.emissions()[k].posterior().concentration()[v], symbol, 1e-6);
        }
    }
    assert_close(q.initial().alpha()[0], 2.6534965226645495, 1e-6);
}

/// Their bound lacks the constant -D/2 ln 2π of each observation, and the distribution of the means under a
/// Wishart precision: the factors are compared.
#[test]
fn gaussians() {
    let numbers = [
        [0.441, 0.801],
        [2.431, 0.849],
        [0.11, 1.949],
        [-0.909, 0.645],
        [0.188, 0.802],
        [-1.193, 0.877],
        [-0.359, 1.362],
        [-1.665, 0.58],
        [3.651, 0.114],
        [0.989, -0.613],
        [1.519, -1.514],
        [1.628, -1.254],
        [3.496, -0.573],
        [2.559, -1.218],
        [2.503, -1.064],
        [3.293, -1.379],
        [-0.006, 0.939],
        [-0.052, 1.15],
        [0.198, 1.801],
        [-0.087, 1.937],
        [-0.306, 0.713],
        [0.101, 1.213],
        [0.27, 1.775],
        [1.139, 1.297],
        [2.164, -1.06],
        [3.913, -0.867],
        [1.189, -1.414],
        [1.922, -0.309],
        [2.393, 0.356],
        [3.157, -0.925],
        [2.064, -0.417],
        [2.259, -1.494],
        [3.068, -0.992],
        [3.689, -1.044],
        [-0.36, -0.526],
        [0.622, -0.077],
        [4.321, -1.256],
        [1.335, -1.838],
        [3.373, -1.121],
        [1.902, -1.146],
    ];
    let sequences = [numbers.map(|pair| pair.to_vec()).to_vec()];
    let data = Observed::new(&sequences);
    let psi = DMatrix::from_row_slice(2, 2, &[1.0, 0.2, 0.2, 0.7]);
    let prior = NormalInverseWishart::new(&[0.5, 0.2], 0.3, &psi, 4.0).unwrap();
    let model = BayesianHmm::<Gaussian, _>::new(
        row(&[0.5, 0.5]),
        vec![row(&[1.0, 0.5]), row(&[0.5, 1.0])],
        vec![prior; 2],
        2,
    )
    .unwrap();
    let problem = VariationalProblem::new(&model, &data).unwrap();
    let path = [0, 1, 0, 1, 1].iter().flat_map(|&state| [state; 8]).collect();
    let mut q = problem.start_from_states(&[path]).unwrap();
    super::climb(&problem, &mut q, 40);
    let expected = [
        (
            [14.993102819718427, 2.504789540178085],
            [0.027322661641980273, 1.1502285634868354],
            [13.871670508493938, 1.3904437153685194, 4.3397121599226836],
            16.29789236262363,
        ),
        (
            [1.5048115477645332, 22.9972960923393],
            [2.3374391657344833, -0.8874662906584038],
            [32.6039242872271, -1.0679457585228036, 7.914532699857901],
            24.302107637376366,
        ),
    ];
    for (k, (steps, mean, psi, kappa)) in expected.into_iter().enumerate() {
        let distribution = q.emissions()[k].posterior();
        for i in 0..2 {
            assert_close(q.row(k).alpha()[i], steps[i], 1e-7);
            assert_close(distribution.location()[i], mean[i], 1e-6);
        }
        assert_close(distribution.scale()[(0, 0)], psi[0], 1e-7);
        assert_close(distribution.scale()[(0, 1)], psi[1], 1e-6);
        assert_close(distribution.scale()[(1, 1)], psi[2], 1e-7);
        assert_close(distribution.kappa(), kappa, 1e-8);
    }
}
