//! Surrogates with kernels of one's own, whose parameters the evidence decides.

use posterior_decision::gp::Kernel;
use posterior_decision::math::linalg::DMatrix;
use posterior_decision::optimization::{
    Axis, KnowledgeGradient, LnExpectedImprovement, Optimizer, OptimizerOptions, Space,
};

use super::branin;

fn line(kernel: Kernel) -> Optimizer {
    let space = Space::new(&[Axis::Real { lower: 0.0, upper: 10.0 }]).unwrap();
    let options = OptimizerOptions { kernel: Some(kernel), restarts: 0, ..OptimizerOptions::default() };
    Optimizer::new(space, options).unwrap()
}

/// A wave with the period 3, which is known, on a slope, which is not: in the unit interval the period is
/// 0.3. What the sum says between and beyond twenty points is right, where Matérn's kernel has no idea.
#[test]
fn a_wave_goes_on() {
    let wave = |x: f64| (std::f64::consts::TAU * x / 3.0).sin() + 0.2 * x;
    let periodic = (1.0 * Kernel::periodic(1.0, 0.3).unwrap()).fixed();
    let mut optimizer = line(periodic + 1.0 * Kernel::linear() + Kernel::constant(1.0).unwrap());
    for i in 1..=20 {
        let x = 6.6 * (0.618_034 * f64::from(i)).fract();
        optimizer.tell(&[x], wave(x)).unwrap();
    }
    let surrogate = optimizer.surrogate().unwrap();
    let names: Vec<String> = surrogate.posterior().parameters().into_iter().map(|own| own.name).collect();
    assert!(names.len() == 2 && names.iter().all(|name| !name.contains("periodic")), "{names:?}");
    let found = surrogate.predict(&[vec![9.0], vec![3.3]]).unwrap().mean;
    assert!((found[0] - wave(9.0)).abs() < 0.1 && (found[1] - wave(3.3)).abs() < 0.02, "{found}");
    // The next two trials are near one of the lowest points of the wave.
    for _ in 0..2 {
        let point = optimizer.ask(&LnExpectedImprovement).unwrap();
        optimizer.tell(&point, wave(point[0])).unwrap();
    }
    assert!(optimizer.best().unwrap().1 < -0.52, "{:?}", optimizer.best());
}

/// Branin's function with kernels of other smoothness, and with a fixed one, whose parameters stay.
#[test]
fn other_kernels_find_the_least_value() {
    let axes = [Axis::Real { lower: -5.0, upper: 10.0 }, Axis::Real { lower: 0.0, upper: 15.0 }];
    let rational = 1.0 * Kernel::rational_quadratic_ard(&[0.5, 0.5], 2.0).unwrap();
    let fixed = (4.0 * Kernel::rbf_ard(&[0.3, 0.6]).unwrap()).fixed();
    for kernel in [1.0 * Kernel::rbf_ard(&[0.5, 0.5]).unwrap(), rational, fixed.clone()] {
        let options = OptimizerOptions { kernel: Some(kernel.clone()), ..OptimizerOptions::default() };
        let mut optimizer = Optimizer::new(Space::new(&axes).unwrap(), options).unwrap();
        for trial in 0..25 {
            let looks_ahead = trial % 2 == 0;
            let point = if looks_ahead {
                optimizer.ask(&LnExpectedImprovement).unwrap()
            } else {
                optimizer.ask(&KnowledgeGradient::default()).unwrap()
            };
            optimizer.tell(&point, branin(&point)).unwrap();
        }
        let (_, value) = optimizer.best().unwrap();
        assert!(value - 0.397_887 < 0.1, "{kernel:?} {value}");
        let posterior = optimizer.surrogate().unwrap().posterior().clone();
        if kernel == fixed {
            assert!(posterior.parameters().is_empty());
            assert_eq!(*posterior.prior().kernel(), fixed);
        } else {
            assert!(posterior.parameters().len() >= 3);
        }
    }
}

/// The evidence of the fitted kernel is not below that of the start.
#[test]
fn parameters_are_those_of_the_largest_evidence() {
    let start = 1.0 * Kernel::rational_quadratic(0.2, 1.0).unwrap();
    let mut optimizer = line(start.clone());
    for i in 0..9 {
        let x = f64::from(i);
        optimizer.tell(&[x], (0.7 * x).sin() + 0.05 * x * x).unwrap();
    }
    let fitted = optimizer.surrogate().unwrap().posterior().clone();
    let process = posterior_decision::gp::GaussianProcess::new(start);
    let (inputs, outputs): (&DMatrix<f64>, _) = (fitted.inputs(), fitted.outputs().as_slice());
    let before = process.condition(inputs, outputs, fitted.noise()).unwrap();
    assert!(fitted.ln_evidence() > before.ln_evidence() + 1.0);
    let alpha = fitted.parameters().into_iter().find(|own| own.name.ends_with("alpha")).unwrap();
    assert!(alpha.value != 1.0);
}

#[test]
fn kernels_of_other_spaces_are_refused() {
    let space = Space::new(&[Axis::Real { lower: 0.0, upper: 1.0 }, Axis::Category { count: 3 }]).unwrap();
    let with = |kernel| {
        Optimizer::new(
            space.clone(),
            OptimizerOptions { kernel: Some(kernel), ..OptimizerOptions::default() },
        )
    };
    // The surrogate sees one coordinate for the number and three for the categories.
    with(Kernel::rbf_ard(&[1.0; 2]).unwrap()).unwrap_err();
    with(Kernel::rbf_ard(&[1.0; 4]).unwrap()).unwrap();
    with(Kernel::rbf(1.0).unwrap()).unwrap();
}

#[cfg(feature = "serde")]
#[test]
fn a_file_holds_the_kernel() {
    let mut optimizer =
        line(1.0 * Kernel::rational_quadratic(0.5, 2.0).unwrap() + Kernel::constant(1.0).unwrap());
    for _ in 0..7 {
        let point = optimizer.ask(&LnExpectedImprovement).unwrap();
        optimizer.tell(&point, (point[0] - 3.0).powi(2)).unwrap();
    }
    let mut resumed: Optimizer = serde_json::from_str(&serde_json::to_string(&optimizer).unwrap()).unwrap();
    assert_eq!(resumed, optimizer);
    assert_eq!(resumed.ask(&LnExpectedImprovement).unwrap(), optimizer.ask(&LnExpectedImprovement).unwrap());
}
