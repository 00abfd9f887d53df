//! What functions of the library make of dependences.

use super::dependence::{Dependence, Form};

/// Functions whose elements are elements of their first argument; the others are places and sizes.
const PLACES: &[&str] = &[
    "block",
    "col",
    "head",
    "plus",
    "rep_array",
    "rep_matrix",
    "rep_row_vector",
    "rep_vector",
    "reverse",
    "row",
    "segment",
    "sub_col",
    "sub_row",
    "tail",
    "to_array_1d",
    "to_array_2d",
    "to_matrix",
    "to_row_vector",
    "to_vector",
    "transpose",
];

/// Functions whose elements are elements of their arguments.
const JOINS: &[&str] = &["append_array", "append_col", "append_row"];

/// Functions that are linear in all arguments together.
const LINEAR: &[&str] = &[
    "add",
    "add_diag",
    "cumulative_sum",
    "diag_matrix",
    "diagonal",
    "mean",
    "minus",
    "subtract",
    "sum",
    "symmetrize_from_lower_tri",
    "trace",
];

/// Functions that are linear in each of two arguments.
const PRODUCTS: &[&str] = &[
    "columns_dot_product",
    "diag_post_multiply",
    "diag_pre_multiply",
    "dot_product",
    "elt_multiply",
    "multiply",
    "rows_dot_product",
];

/// Functions whose value is a size.
const SIZES: &[&str] = &["cols", "dims", "num_elements", "rows", "size"];

/// The value of a function of the library; `scalar` says of each argument whether it is one number.
pub(super) fn apply(function: &str, args: &[Dependence], scalar: &[bool]) -> Dependence {
    let each = scalar.iter().any(|one| *one);
    match (function, args) {
        _ if SIZES.contains(&function) => Dependence::sum([]),
        (_, [first, rest @ ..]) if PLACES.contains(&function) => {
            let mut value = first.clone();
            if rest.iter().any(|one| !one.degrees.is_empty()) {
                value = Dependence::mixed(args);
            }
            value
        }
        (_, [first, rest @ ..]) if JOINS.contains(&function) => {
            let mut value = first.clone();
            for one in rest {
                value.join(one);
            }
            value
        }
        _ if LINEAR.contains(&function) => Dependence::sum(args),
        (_, [one, other]) if PRODUCTS.contains(&function) => {
            Dependence::product(one, other, each || function == "elt_multiply")
        }
        ("fma", [a, b, c]) => Dependence::sum([&Dependence::product(a, b, false), c]),
        ("csr_matrix_times_vector", [_, _, w, _, _, b]) => Dependence::product(w, b, false),
        ("divide" | "elt_divide", [one, other]) => {
            Dependence::quotient(one, other, function == "elt_divide" || scalar[1])
        }
        ("mdivide_right" | "mdivide_right_spd" | "mdivide_right_tri_low", [b, a])
        | ("mdivide_left" | "mdivide_left_spd" | "mdivide_left_tri_low", [a, b]) => {
            Dependence::quotient(b, a, false)
        }
        ("square" | "dot_self" | "columns_dot_self" | "rows_dot_self" | "variance", [one]) => {
            Dependence::product(one, one, false)
        }
        ("squared_distance", [one, other]) => {
            let difference = Dependence::sum([one, other]);
            Dependence::product(&difference, &difference, false)
        }
        ("quad_form" | "quad_form_sym", [a, b]) => {
            Dependence::product(a, &Dependence::product(b, b, false), false)
        }
        ("sqrt", [one]) => one.mapped(Form::sqrt),
        ("inv", [one]) => one.mapped(|form| Some(form.inverse())),
        ("inv_sqrt", [one]) => one.mapped(|form| form.inverse().sqrt()),
        _ => Dependence::mixed(args),
    }
}

/// A power whose exponent is written as a number.
pub(super) fn power(base: &Dependence, exponent: f64) -> Dependence {
    let is = |number: f64| (exponent - number).abs() < f64::EPSILON;
    if is(2.0) {
        Dependence::product(base, base, false)
    } else if is(1.0) {
        base.clone()
    } else if is(0.5) {
        base.mapped(Form::sqrt)
    } else if is(-0.5) {
        base.mapped(|form| form.inverse().sqrt())
    } else if is(-1.0) {
        base.mapped(|form| Some(form.inverse()))
    } else {
        Dependence::mixed([base])
    }
}

/// Functions that sum over what is discrete, if log densities are among their arguments.
pub(super) const SUMS: [&str; 2] = ["log_mix", "log_sum_exp"];

/// Functions that sum over the states of a hidden Markov chain.
pub(super) const CHAINS: [&str; 1] = ["hmm_marginal"];

/// The name of the distribution of a density or of a tail.
pub(super) fn distribution(function: &str) -> Option<&str> {
    ["_lpdf", "_lpmf", "_lupdf", "_lupmf"].iter().find_map(|suffix| function.strip_suffix(suffix))
}

/// Whether its value is the logarithm of a density or of a probability.
pub(super) fn is_density(function: &str) -> bool {
    distribution(function).is_some()
        || function.ends_with("_lcdf")
        || function.ends_with("_lccdf")
        || CHAINS.contains(&function)
}
