//! Kernels as texts.

use posterior_gp::Kernel;
use posterior_gp::kernel::KERNELS;
use proptest::prelude::*;

use super::any_kernel::{expression, inputs};

proptest! {
    #[test]
    fn what_a_kernel_prints_is_read(kernel in expression(), x in inputs(3, 1)) {
        let text = kernel.to_string();
        let read: Kernel = text.parse().unwrap();
        prop_assert_eq!(&read.to_string(), &text);
        prop_assert_eq!(read.parameters(), kernel.parameters());
        prop_assert_eq!(read.gram(&x), kernel.gram(&x));
        prop_assert_eq!(&kernel.with_free_parameters(&kernel.free_parameters()).unwrap().parameters().len(), &kernel.parameters().len());
        prop_assert_eq!(&kernel.with_parameters(&kernel.parameters().iter().map(|p| p.value).collect::<Vec<_>>()).unwrap(), &kernel);
    }

    #[test]
    fn no_text_is_too_strange(text in "[a-z0-9+*(),.=\\[\\] -]{0,40}") {
        let _ = text.parse::<Kernel>();
    }
}

#[track_caller]
fn reads_as(text: &str, expected: &str) {
    assert_eq!(text.parse::<Kernel>().unwrap().to_string(), expected);
}

#[test]
fn expressions_and_what_they_mean() {
    reads_as(
        "rbf(1.0)*periodic(1.0,0.5) + 2*matern32(10) + linear()",
        "rbf(1)*periodic(1, 0.5) + 2*matern32(10) + linear()",
    );
    reads_as("rbf", "rbf(1)");
    reads_as(" rbf ( length_scale = [1, 2.5] ) ", "rbf([1, 2.5])");
    reads_as("2*(rbf(1)+linear)*3", "2*3*(rbf(1) + linear())");
    reads_as("(rbf(1) + rbf(2)) + rbf(3)", "rbf(1) + rbf(2) + rbf(3)");
    reads_as("rbf(1)*(2*rbf(2))", "rbf(1)*(2*rbf(2))");
    reads_as("(2*rbf(1))*rbf(2)", "2*rbf(1)*rbf(2)");
    reads_as("cubic_spline", "integrated_wiener()");
    reads_as("relu(0.5)", "arc_cosine(1, 0.5)");
    reads_as("on(rbf(1) + linear(), [0, 2])*fix(white)", "on(rbf(1) + linear(), [0, 2])*fix(white())");
    reads_as("rational_quadratic(alpha=0.5)", "rational_quadratic(1, 0.5)");
    reads_as("matern(nu=2, length_scale=[1,2])", "matern(2, [1, 2])");
    reads_as("1e-300*rbf(1e300)", &format!("{}*rbf({})", 1e-300, 1e300));
    let same: Kernel = "2*rbf(1)".parse().unwrap();
    assert_eq!(same, 2.0 * Kernel::rbf(1.0).unwrap());
}

#[test]
fn every_kernel_of_the_list_is_read_with_what_it_needs() {
    for entry in KERNELS {
        let argument = |name: &&str| match *name {
            "kernel" | "before" | "after" => "rbf",
            "coordinates" => "[0]",
            "centres" | "weights" | "means" | "variances" => "[1, 2]",
            _ => "2",
        };
        let arguments: Vec<&str> = entry.arguments.iter().take(entry.required).map(argument).collect();
        let text = format!("{}({})", entry.name, arguments.join(", "));
        assert!(text.parse::<Kernel>().is_ok(), "{text}");
        assert!(entry.signature().starts_with(entry.name));
    }
    assert!(KERNELS.is_sorted_by_key(|entry| entry.name));
}

#[track_caller]
fn refused(text: &str, message: &str) {
    assert_eq!(text.parse::<Kernel>().unwrap_err().to_string(), message);
}

#[test]
fn errors_name_the_place() {
    // As many numbers for each place as one asks for, within reason.
    refused(
        "rbf(1) + monomials(4294967295)",
        "column 20: expected a degree of at most 1000, found 4294967295",
    );
    refused("fourier(1, 4294967295)", "column 12: fourier: count = 4294967295 must be at most 100000");
    refused("matern(2000000)", "column 8: matern: nu = 2000000 must be at most 10^6, where rbf is as good");
    refused("rbf(1) + matren32(2)", "column 10: there is no kernel \"matren32\"; did you mean \"matern32\"?");
    refused("rbf(-1)", "column 5: rbf: length_scale = -1 must be positive and finite");
    refused("rbf([1, 0])", "column 9: rbf: length_scale[1] = 0 must be positive and finite");
    refused("2*rbf(1) + -3*linear()", "column 12: Kernel: variance = -3 must be positive and finite");
    refused(
        "periodic(lenght_scale = 2)",
        "column 10: periodic has no parameter \"lenght_scale\": expected periodic(length_scale, period); did you mean \"length_scale\"?",
    );
    refused("polynomial()", "column 1: polynomial lacks degree: expected polynomial(degree, offset)");
    refused("polynomial(1.5)", "column 12: expected a whole number that is not negative, found 1.5");
    refused("rbf(1) +", "column 9: expected a number, a list or a distribution, found the end");
    refused("rbf(1) - rbf(2)", "column 8: expected the end, found '-'");
    refused("(rbf(1)", "column 8: expected ')', found the end");
    refused("3", "column 1: expected a kernel, found a number");
    refused("2*3", "column 1: expected a kernel, found numbers only");
    refused("rbf(rbf(1))", "column 5: expected a number, found a distribution");
    refused(
        "on(wiener(), [0, 1])",
        "column 1: on: number of coordinates = 2 must be as many as the kernel has",
    );
    refused("", "column 1: expected a number, a list or a distribution, found the end");
}

#[test]
fn names_of_parameters_differ() {
    let names = |text: &str| {
        let kernel: Kernel = text.parse().unwrap();
        kernel.parameters().into_iter().map(|parameter| parameter.name).collect::<Vec<_>>()
    };
    assert_eq!(
        names("2*rbf(1)*periodic(1, 2) + 3*rbf(10) + constant(2)"),
        [
            "rbf*periodic.variance",
            "1.rbf.length_scale",
            "periodic.length_scale",
            "periodic.period",
            "rbf.variance",
            "2.rbf.length_scale",
            "constant.variance"
        ]
    );
    assert_eq!(names("rbf([1, 2])"), ["rbf.length_scale[0]", "rbf.length_scale[1]"]);
    assert_eq!(names("fix(rbf(1))*2"), ["rbf.variance"]);
    assert_eq!(names("2*(rbf(1) + white())"), ["(rbf + white).variance", "rbf.length_scale"]);
}

/// What could not be read again is refused when it is written, wherever in the expression it is: a closure
/// under the name of a kernel of the list would come back as that kernel.
#[cfg(feature = "serde")]
#[test]
fn what_cannot_be_read_is_not_written() {
    let custom = |name: &str| Kernel::custom(name, |x, y| x[0] * y[0]);
    let rbf = || Kernel::rbf(1.0).unwrap();
    let in_a_change_point = Kernel::change_point(rbf(), custom("mine"), 0.0, 1.0).unwrap();
    for (kernel, named) in [
        (custom("mine"), "mine"),
        (2.0 * (rbf() + custom("mine")), "mine"),
        ((rbf() * custom("white")).fixed(), "white"),
        (in_a_change_point, "mine"),
        (custom("linear").on(&[0]).unwrap(), "linear"),
        (rbf().warped("doubled", |x| vec![2.0 * x[0]]), "doubled"),
        (rbf().modulated("fading", |x| x[0].exp()), "modulated"),
        (Kernel::texts(&["one", "two"], 2).unwrap(), "texts"),
    ] {
        let error = serde_json::to_string(&kernel).unwrap_err().to_string();
        assert!(error.contains(&kernel.to_string()) && error.contains(named), "{error}");
    }
    let kernel = 2.0 * rbf() + Kernel::linear().on(&[0]).unwrap();
    let written = serde_json::to_string(&kernel).unwrap();
    assert_eq!(written, "\"2*rbf(1) + on(linear(), [0])\"");
    assert_eq!(serde_json::from_str::<Kernel>(&written).unwrap(), kernel);
}

#[test]
fn length_scales_of_each_coordinate_are_printed_and_read() {
    let scales = [1.0, 2.5];
    for kernel in [
        Kernel::matern12_ard(&scales),
        Kernel::matern32_ard(&scales),
        Kernel::matern52_ard(&scales),
        Kernel::matern_ard(0.7, &scales),
        Kernel::rational_quadratic_ard(&scales, 2.0),
    ] {
        let kernel = kernel.unwrap();
        let text = kernel.to_string();
        assert!(text.contains("[1, 2.5]"), "{text}");
        assert_eq!(text.parse::<Kernel>().unwrap(), kernel);
        // A coordinate counts by its distance in units of its own scale.
        assert_eq!(kernel.value(&[0.0, 0.0], &[1.0, 0.0]), kernel.value(&[0.0, 0.0], &[0.0, 2.5]));
    }
}
