//! A closed form against the reference draws of posteriordb, which Stan made.

use posterior_math::linalg::DMatrix;
use posterior_regression::linear::{LinearData, NoisePrior, WeightPrior, unknown_noise};
use posterior_testkit::shared::shared_file;
use serde_json::Value;

/// Mesquite bushes: seven weights and σ, all flat. 10 000 nearly independent draws have standard errors of
/// sd/100 in a mean and of 0.7 sd/100 in an sd: within 4.5 of them; the draws are fixed, so this holds or
/// does not.
#[test]
fn mesquite_bushes() {
    let path = "data/posteriors/mesquite-logmesquite.json";
    let Some(path) = shared_file("mesquite bushes", path) else { return };
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let column = |name: &str| -> Vec<f64> {
        file["data"][name].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let logs = ["diam1", "diam2", "canopy_height", "total_height", "density"].map(&column);
    let (group, weight) = (column("group"), column("weight"));
    let design = DMatrix::from_fn(group.len(), 7, |i, j| match j {
        0 => 1.0,
        6 => group[i],
        _ => logs[j - 1][i].ln(),
    });
    let response: Vec<f64> = weight.iter().map(|y| y.ln()).collect();
    let data = LinearData::new(&design, &response).unwrap();
    let fit = unknown_noise(&data, &WeightPrior::flat(7), NoisePrior::flat_deviation()).unwrap();
    for (index, line) in fit.coefficients().unwrap().iter().enumerate() {
        let reference = &file["summary"][format!("beta[{}]", index + 1)];
        let [mean, sd] = ["mean", "sd"].map(|key| reference[key].as_f64().unwrap());
        assert!((line.mean - mean).abs() < 4.5 * sd / 100.0, "{} and {mean} ± {sd}", line.mean);
        // The t distribution of 40 degrees of freedom has nearly the kurtosis of a normal one.
        assert!((line.sd / sd - 1.0).abs() < 4.5 * 0.008, "{} and {sd}", line.sd);
    }
}
