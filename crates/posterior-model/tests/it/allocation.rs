//! Nothing is allocated by a gradient.

use posterior_dist::target::{GradTarget, Target};
use posterior_model::StanModel;

const PROGRAM: &str = "
data { int N; int J; array[N] int<lower=1, upper=J> g; vector[N] x; vector[N] y; }
parameters { vector[J] a; real b; real<lower=0> s; simplex[J] p; ordered[3] c; }
model {
  a ~ normal(0, 1);
  p ~ dirichlet(rep_vector(2, J));
  c ~ student_t(4, 0, 1);
  for (n in 1:N) {
    target += log_sum_exp(normal_lpdf(y[n] | a[g[n]] + b * x[n], s) + log(p[g[n]]), log1m(p[g[n]]));
  }
}";

#[test]
fn a_gradient_allocates_nothing() {
    let data = r#"{"N": 4, "J": 2, "g": [1, 2, 2, 1], "x": [0.1, 0.2, 0.3, 0.5], "y": [1, 2, 3, 2.5]}"#;
    let posterior = StanModel::parse(PROGRAM).unwrap().with_data(data).unwrap();
    let x = vec![0.1; posterior.dim()];
    let mut gradient = vec![0.0; posterior.dim()];
    posterior.ln_density_grad(&x, &mut gradient).unwrap();
    let counted = allocation_counter::measure(|| {
        posterior.ln_density_grad(&x, &mut gradient).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
