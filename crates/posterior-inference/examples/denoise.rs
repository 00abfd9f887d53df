//! Cleans a binary image by a minimum cut: the most probable image of a Markov random field, given a noisy one.

use posterior_inference::graph_cut::{Error, GridEnergy};

const ROWS: usize = 18;
const COLUMNS: usize = 54;
/// The chance that a pixel is wrong.
const NOISE: f64 = 0.15;
/// How much neighbours of different colour cost, in units of ln probability.
const SMOOTHNESS: f64 = 1.0;

fn main() -> Result<(), Error> {
    let clean: Vec<bool> = (0..ROWS * COLUMNS).map(|p| picture(p / COLUMNS, p % COLUMNS)).collect();
    let seen = flip_some(&clean);
    // -ln p(seen | true) for both colours of each pixel.
    let unary = seen.iter().map(|&bright| {
        let (right, wrong) = (-f64::ln(1.0 - NOISE), -f64::ln(NOISE));
        if bright { [wrong, right] } else { [right, wrong] }
    });
    let energy = GridEnergy::new(ROWS, COLUMNS, unary.collect())?.with_smoothness(SMOOTHNESS)?;
    let minimum = energy.minimize()?;

    println!("seen, {} pixels wrong:\n{}", differences(&seen, &clean), text(&seen));
    println!("cleaned, {} pixels wrong:\n{}", differences(&minimum.labels, &clean), text(&minimum.labels));
    println!("energy {:.6}, and no image is below {:.6}", minimum.energy, minimum.bound());
    println!("(that of the noisy image: {:.6})", energy.energy(&seen)?);
    Ok(())
}

/// A disc, a ring and a bar.
fn picture(row: usize, column: usize) -> bool {
    let (y, x) = (row as f64 - 8.5, column as f64 / 2.0);
    let from = |center: f64| y.hypot(x - center);
    from(6.0) < 5.0 || (3.0..6.0).contains(&from(17.0)) || (x - 25.0).abs() < 1.5
}

/// A wrong pixel now and then, by a generator of Lehmer's.
fn flip_some(clean: &[bool]) -> Vec<bool> {
    let mut state = 42_u64;
    let mut flip = |pixel: &bool| {
        state = state * 48271 % 2_147_483_647;
        pixel ^ (((state % 1000) as f64) < 1000.0 * NOISE)
    };
    clean.iter().map(&mut flip).collect()
}

fn differences(a: &[bool], b: &[bool]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}

fn text(image: &[bool]) -> String {
    let row = |row: &[bool]| row.iter().map(|&bright| if bright { '#' } else { '.' }).chain(['\n']).collect();
    image.chunks(COLUMNS).map::<String, _>(row).collect()
}
