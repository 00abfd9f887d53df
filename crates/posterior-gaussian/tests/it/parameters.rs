//! One name for each parameter: in the constructor's refusal, in the text and in `PARAMETERS`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::Dirichlet;
use posterior_dist::text::{Call, Written, from_call};
use posterior_gaussian::text::MULTIVARIATE;
use posterior_gaussian::{
    Gaussian, InverseWishart, Lkj, MatrixNormal, MatrixT, MultivariateT, NormalInverseWishart, NormalWishart,
    VonMisesFisher, Wishart,
};
use posterior_testkit::consistency::{parameter_names_agree, written_names_agree};

#[test]
fn a_refusal_names_the_parameter_as_the_text_does() {
    parameter_names_agree::<Lkj>(&[3.0, 2.0]);
    let matrix = "[[2, 0.5], [0.5, 1]]";
    let lists = [
        written::<Dirichlet>("dirichlet([1, 2])"),
        written::<Gaussian>(&format!("multivariate_normal([0, 1], {matrix})")),
        written::<MultivariateT>(&format!("multivariate_t(5, [0, 1], {matrix})")),
        written::<MatrixNormal>(&format!("matrix_normal({matrix}, {matrix}, {matrix})")),
        written::<MatrixT>(&format!("matrix_t(4, {matrix}, {matrix}, {matrix})")),
        written::<VonMisesFisher>("von_mises_fisher([0, 1], 2)"),
        written::<Wishart>(&format!("wishart(4, {matrix})")),
        written::<InverseWishart>(&format!("inverse_wishart(4, {matrix})")),
        written::<NormalWishart>(&format!("normal_wishart([0, 1], 1, {matrix}, 4)")),
        written::<NormalInverseWishart>(&format!("normal_inverse_wishart([0, 1], 1, {matrix}, 4)")),
    ];
    for entry in MULTIVARIATE {
        assert!(lists.contains(&entry.name), "{} is missing from the list above", entry.name);
    }
}

fn written<D: Written>(text: &str) -> &'static str {
    written_names_agree(&from_call::<D>(&text.parse::<Call>().unwrap()).unwrap())
}

#[test]
fn names_of_textbooks_are_read_and_one_form_is_printed() {
    let wishart: NormalInverseWishart =
        "normal_inverse_wishart(mu = [0], kappa = 1, psi = [[2]], nu = 3)".parse().unwrap();
    assert_eq!(wishart.to_string(), "normal_inverse_wishart([0], 1, [[2]], 3)");
}
