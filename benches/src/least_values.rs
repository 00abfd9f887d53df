//! Functions whose least values are known, on which optimisers are compared; the same as in
//! `peers/optimizers.py`.

use std::f64::consts::{E, PI, TAU};

use posterior::decision::optimization::Axis;

/// A function to be minimised.
#[derive(Debug)]
pub struct LeastValue {
    /// What it is called.
    pub name: &'static str,
    /// The function.
    pub value: fn(&[f64]) -> f64,
    /// The limits of each coordinate.
    pub limits: &'static [[f64; 2]],
    /// Its least value.
    pub least: f64,
    /// How many trials an optimiser has.
    pub trials: usize,
}

impl LeastValue {
    /// The axes of its space.
    pub fn axes(&self) -> Vec<Axis> {
        self.limits.iter().map(|&[lower, upper]| Axis::Real { lower, upper }).collect()
    }
}

/// Six functions of two to six coordinates.
pub const FUNCTIONS: [LeastValue; 6] = [
    LeastValue {
        name: "Branin",
        value: branin,
        limits: &[[-5.0, 10.0], [0.0, 15.0]],
        least: 0.397_887_357_729_738,
        trials: 30,
    },
    LeastValue {
        name: "Goldstein-Price",
        value: goldstein_price,
        limits: &[[-2.0, 2.0]; 2],
        least: 3.0,
        trials: 40,
    },
    LeastValue {
        name: "Hartmann 3",
        value: hartmann_3,
        limits: &[[0.0, 1.0]; 3],
        least: -3.862_779_787_332_660,
        trials: 30,
    },
    LeastValue { name: "Levy 4", value: levy, limits: &[[-10.0, 10.0]; 4], least: 0.0, trials: 50 },
    LeastValue { name: "Ackley 5", value: ackley, limits: &[[-15.0, 30.0]; 5], least: 0.0, trials: 60 },
    LeastValue {
        name: "Hartmann 6",
        value: hartmann_6,
        limits: &[[0.0, 1.0]; 6],
        least: -3.322_368_011_391_339,
        trials: 60,
    },
];

fn branin(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    (b - 5.1 / (4.0 * PI * PI) * a * a + 5.0 / PI * a - 6.0).powi(2)
        + 10.0 * (1.0 - 1.0 / (8.0 * PI)) * a.cos()
        + 10.0
}

fn goldstein_price(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    let near = 19.0 - 14.0 * a + 3.0 * a * a - 14.0 * b + 6.0 * a * b + 3.0 * b * b;
    let far = 18.0 - 32.0 * a + 12.0 * a * a + 48.0 * b - 36.0 * a * b + 27.0 * b * b;
    (1.0 + (a + b + 1.0).powi(2) * near) * (30.0 + (2.0 * a - 3.0 * b).powi(2) * far)
}

/// Minus a sum of four bells, of these widths at these places.
fn hartmann<const N: usize>(x: &[f64], widths: &[[f64; N]; 4], places: &[[f64; N]; 4]) -> f64 {
    let bell = |(height, (widths, places)): (f64, (&[f64; N], &[f64; N]))| {
        let square: f64 = (0..N).map(|j| widths[j] * (x[j] - places[j]).powi(2)).sum();
        -height * (-square).exp()
    };
    [1.0, 1.2, 3.0, 3.2].into_iter().zip(widths.iter().zip(places)).map(bell).sum()
}

fn hartmann_3(x: &[f64]) -> f64 {
    const WIDTHS: [[f64; 3]; 4] =
        [[3.0, 10.0, 30.0], [0.1, 10.0, 35.0], [3.0, 10.0, 30.0], [0.1, 10.0, 35.0]];
    const PLACES: [[f64; 3]; 4] = [
        [0.3689, 0.1170, 0.2673],
        [0.4699, 0.4387, 0.7470],
        [0.1091, 0.8732, 0.5547],
        [0.0381, 0.5743, 0.8828],
    ];
    hartmann(x, &WIDTHS, &PLACES)
}

fn hartmann_6(x: &[f64]) -> f64 {
    const WIDTHS: [[f64; 6]; 4] = [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ];
    const PLACES: [[f64; 6]; 4] = [
        [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
        [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
        [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
        [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
    ];
    hartmann(x, &WIDTHS, &PLACES)
}

fn levy(x: &[f64]) -> f64 {
    let w: Vec<f64> = x.iter().map(|x| 1.0 + (x - 1.0) / 4.0).collect();
    let last = w[w.len() - 1];
    let middle = |w: &f64| (w - 1.0).powi(2) * (1.0 + 10.0 * (PI * w + 1.0).sin().powi(2));
    (PI * w[0]).sin().powi(2)
        + w[..w.len() - 1].iter().map(middle).sum::<f64>()
        + (last - 1.0).powi(2) * (1.0 + (TAU * last).sin().powi(2))
}

fn ackley(x: &[f64]) -> f64 {
    let count = x.len() as f64;
    let squares: f64 = x.iter().map(|x| x * x).sum();
    let waves: f64 = x.iter().map(|x| (TAU * x).cos()).sum();
    20.0 + E - 20.0 * (-0.2 * (squares / count).sqrt()).exp() - (waves / count).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_values_are_where_they_are_known_to_be() {
        let at: [&[f64]; 6] = [
            &[PI, 2.275],
            &[0.0, -1.0],
            &[0.114_589, 0.555_649, 0.852_547],
            &[1.0; 4],
            &[0.0; 5],
            &[0.201_690, 0.150_011, 0.476_874, 0.275_332, 0.311_652, 0.657_300],
        ];
        for (function, at) in FUNCTIONS.iter().zip(at) {
            let found = (function.value)(at);
            assert!((found - function.least).abs() < 1e-8, "{}: {found}", function.name);
        }
    }
}
