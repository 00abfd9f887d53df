//! Complex numbers and tuples: data, parameters, names, and parts.

use posterior_dist::target::{GradTarget as _, Target as _};
use posterior_model::{StanData, StanModel, StanPosterior};

fn posterior(program: &str, data: &str) -> StanPosterior {
    StanModel::parse(program).unwrap().with_data(data).unwrap()
}

const PROGRAM: &str = "
functions {
  complex twice(complex z) { return 2 * z; }
}
data {
  int<lower=0> N;
  complex c;
  array[N] complex a;
  complex_matrix[2, 2] m;
}
transformed data {
  complex_matrix[2, 2] product = m * m';
}
parameters {
  complex z;
  array[2] complex_vector[2] v;
}
transformed parameters {
  complex_vector[2] w = m * v[2];
  w[1] = twice(z) + 1;
}
model {
  for (x in a) target += -norm(x - z);
  for (i in 1:2) target += -norm(v[i, 1]) - norm(v[i, 2] - c);
}
generated quantities {
  complex sum_of_product = sum(product);
  array[2] complex pair = {1, z};
  int same = z == pair[2];
}";

#[test]
fn complex_values_are_read_named_and_written() {
    let data = r#"{"N": 2, "c": [1, -2], "a": [[0, 1], [2, 0]], "m": [[[1, 0], [0, 1]], [[2, 0], [0, 3]]]}"#;
    let posterior = posterior(PROGRAM, data);
    assert_eq!(posterior.dim(), 10);
    let names = posterior.names(true, true).unwrap();
    assert_eq!(
        names.join(" "),
        "z.real z.imag v.1.1.real v.1.1.imag v.2.1.real v.2.1.imag v.1.2.real v.1.2.imag v.2.2.real v.2.2.imag \
         w.1.real w.1.imag w.2.real w.2.imag sum_of_product.real sum_of_product.imag \
         pair.1.real pair.1.imag pair.2.real pair.2.imag same"
    );
    // Coordinates: z, then v[1] and v[2], real and imaginary part of each element.
    let x = [0.5, -0.25, 1.0, 0.1, 2.0, 0.2, 3.0, 0.3, 4.0, 0.4];
    let values = posterior.values(&x, true, Some((1, 1))).unwrap();
    assert_eq!(values[..10], [0.5, -0.25, 1.0, 0.1, 3.0, 0.3, 2.0, 0.2, 4.0, 0.4]);
    // 2 z + 1, and 2 v[2][1] + 3i v[2][2].
    let expected = [2.0, -0.5, 6.0 - 3.0 * 0.4, 0.6 + 12.0];
    for (own, expected) in values[10..14].iter().zip(expected) {
        assert!((own - expected).abs() < 1e-14, "{own} {expected}");
    }
    // m mᵀ, without conjugates: [[1 − 1, 2 − 3], [2 − 3, 4 − 9]].
    assert_eq!(values[14..16], [-7.0, 0.0]);
    assert_eq!(values[16..], [1.0, 0.0, 0.5, -0.25, 1.0]);
    let ln = -(0.25 + 1.5625) - (2.25 + 0.0625) - 1.01 - (1.0 + 4.84) - 9.09 - (9.0 + 5.76);
    assert!((posterior.ln_density(&x).unwrap() - ln).abs() < 1e-13);
    let mut gradient = [0.0; 10];
    posterior.ln_density_grad(&x, &mut gradient).unwrap();
    assert!((gradient[0] - (2.0 * (0.0 - 0.5) + 2.0 * (2.0 - 0.5))).abs() < 1e-13, "{gradient:?}");
    let back = posterior.unconstrain(&values[..10]).unwrap();
    assert_eq!(back, x);
    assert_eq!(posterior.generate(&values[..10], (1, 1)).unwrap(), values[14..]);
    let mut start = vec![0.0; 10];
    posterior.put_values(&StanData::from_json(r#"{"z": [7, 8]}"#).unwrap(), &mut start).unwrap();
    assert_eq!(start[..3], [7.0, 8.0, 0.0]);
}

#[test]
fn a_complex_number_is_a_pair_in_data() {
    let model =
        StanModel::parse("data { complex c; } parameters { real x; } model { x ~ normal(get_real(c), 1); }");
    let error = model.unwrap().with_data(r#"{"c": 3}"#).unwrap_err().to_string();
    assert!(error.contains("`c` is declared with sizes [2], the data have one number"), "{error}");
}

#[test]
fn tuples_are_data_parameters_and_quantities() {
    let program = "
data {
  tuple(int, vector<lower=0>[2]) d;
  array[2] tuple(real, int) e;
}
parameters {
  tuple(real<lower=0>, simplex[3]) t;
  array[2] tuple(real, real<upper=1>) u;
}
model {
  target += -d.1 * t.1 + sum(d.2) * log(t.2[1]) - square(u[1].1) - square(u[2].2) + e[2].1;
}
generated quantities {
  tuple(int, array[2] real) g = (d.1, {t.1, u[2].2});
}";
    let data = r#"{"d": {"1": 3, "2": [0.5, 1.5]}, "e": [{"1": 0.5, "2": 1}, {"1": 0.25, "2": 2}]}"#;
    let posterior = posterior(program, data);
    assert_eq!(posterior.dim(), 7);
    let names = posterior.names(true, true).unwrap();
    assert_eq!(names.join(" "), "t:1 t:2.1 t:2.2 t:2.3 u.1:1 u.1:2 u.2:1 u.2:2 g:1 g:2.1 g:2.2");
    let x = [0.3, -0.2, 0.4, 1.0, 0.5, -1.0, 2.0];
    let values = posterior.values(&x, true, Some((1, 1))).unwrap();
    assert!((values[0] - 0.3_f64.exp()).abs() < 1e-15);
    assert!((values[1..4].iter().sum::<f64>() - 1.0).abs() < 1e-15);
    assert_eq!(values[8..], [3.0, values[0], values[7]]);
    let ln = -3.0 * values[0] + 2.0 * values[1].ln() - 1.0 - values[7] * values[7] + 0.25;
    assert!((posterior.ln_density_of(&x, false, None).unwrap() - ln).abs() < 1e-13);
    for (own, expected) in posterior.unconstrain(&values[..8]).unwrap().iter().zip(x) {
        assert!((own - expected).abs() < 1e-13, "{own} {expected}");
    }
    let mut start = vec![0.0; 7];
    let inits = r#"{"u": [{"1": 2, "2": 0}, {"1": 3, "2": -1}]}"#;
    posterior.put_values(&StanData::from_json(inits).unwrap(), &mut start).unwrap();
    assert_eq!(start[3..6], [2.0, 0.0, 3.0]);

    let model = StanModel::parse(program).unwrap();
    let refused = |from: &str, to: &str| model.with_data(&data.replace(from, to)).unwrap_err().to_string();
    let error = refused(r#", "2": [0.5, 1.5]"#, "");
    assert!(error.contains("`d` is a tuple: an object is wanted, with members \"1\" to \"2\""), "{error}");
    let error = refused("0.5, 1.5", "0.5, -1.5");
    assert!(error.contains("`d` does not fulfil its declaration"), "{error}");
}

/// y' = (a + ib) y as an equation of two numbers, with a + ib as a complex argument, and a factor in a tuple.
#[test]
fn equations_take_complex_numbers_and_tuples() {
    let program = "
functions {
  vector turn(real t, vector y, complex rate, tuple(int, real) weight) {
    complex slope = rate * to_complex(y[1], y[2]) * weight.2 ^ weight.1;
    return [get_real(slope), get_imag(slope)]';
  }
}
parameters { real a; real b; real w; }
model {
  array[1] vector[2] y = ode_rk45_tol(turn, [1, 0]', 0, {0.8}, 1e-10, 1e-10, 10000, to_complex(a, b), (2, w));
  target += y[1][1] + 3 * y[1][2];
}";
    let posterior = posterior(program, "{}");
    let x = [0.3, 1.1, 0.9];
    let value = |x: [f64; 3]| {
        let [a, b] = [x[0], x[1]].map(|part| part * x[2] * x[2] * 0.8);
        a.exp() * (b.cos() + 3.0 * b.sin())
    };
    let mut gradient = [0.0; 3];
    let own = posterior.ln_density_grad(&x, &mut gradient).unwrap();
    assert!((own - value(x)).abs() < 1e-8, "{own} {}", value(x));
    for k in 0..3 {
        let [mut low, mut high] = [x; 2];
        low[k] -= 1e-5;
        high[k] += 1e-5;
        let slope = (value(high) - value(low)) / 2e-5;
        assert!((gradient[k] - slope).abs() < 1e-7, "{k}: {} {slope}", gradient[k]);
    }
}
