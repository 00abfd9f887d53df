//! Parameters that can be integrated out.

use posterior_stan::{ConditionalKind, ExplainedParameter};

use super::{ParameterSizes, StanPosterior};

impl StanPosterior {
    /// The parameters that are Gaussian together given all others and the data: of several such sets the one
    /// with the most coordinates; none where there is none. They can be integrated out exactly.
    ///
    /// ```
    /// use posterior_model::StanModel;
    ///
    /// let schools = StanModel::parse("
    /// data { int<lower=0> J; vector[J] y; vector<lower=0>[J] sigma; }
    /// parameters { real mu; real<lower=0> tau; vector[J] theta; }
    /// model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); theta ~ normal(mu, tau); y ~ normal(theta, sigma); }")?;
    /// let posterior = schools.with_data(r#"{"J": 2, "y": [28, 8], "sigma": [15, 10]}"#)?;
    /// let names: Vec<String> = posterior.gaussian_parameters().into_iter().map(|own| own.name).collect();
    /// assert_eq!(names, ["mu", "theta"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gaussian_parameters(&self) -> Vec<ParameterSizes> {
        let explained = self.code.typed.explain();
        let is = |own: &&ExplainedParameter| own.conditional == ConditionalKind::Gaussian { within: false };
        let single = explained.parameters.iter().filter(is).map(|own| vec![own.name.clone()]);
        self.largest(explained.joint.iter().cloned().chain(single))
    }

    /// The parameters whose priors are Gaussian together given all others, whatever the likelihood: the
    /// latent values of a latent Gaussian model; of several such sets the one with the most coordinates.
    pub fn latent_parameters(&self) -> Vec<ParameterSizes> {
        self.largest(self.code.typed.explain().latent.into_iter())
    }

    /// The set with the most coordinates, the first of several.
    fn largest(&self, sets: impl Iterator<Item = Vec<String>>) -> Vec<ParameterSizes> {
        let all = self.parameters();
        let sizes = |set: Vec<String>| -> Vec<ParameterSizes> {
            all.iter().filter(|own| set.contains(&own.name)).cloned().collect()
        };
        let count = |set: &Vec<ParameterSizes>| set.iter().map(|own| own.free).sum::<usize>();
        sets.map(sizes)
            .reduce(|best, other| if count(&other) > count(&best) { other } else { best })
            .unwrap_or_default()
    }
}
