//! Two sensors that see one place: Bayes' rule twice, a saved posterior, and where the next reading will be.
//!
//! `cargo run -p posterior-gaussian --features serde --example fuse_two_sensors`

#![expect(clippy::panic_in_result_fn, reason = "the example checks what it reads back")]

use posterior_gaussian::math::linalg::DMatrix;
use posterior_gaussian::{Gaussian, LinearGaussian};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A ship is somewhere about the harbour, in kilometres east and north of it.
    let prior = Gaussian::new(&[0.0, 0.0], &DMatrix::from_diagonal_element(2, 2, 25.0))?;
    // A radar sees both coordinates; a buoy sees how far north the ship is, ten times as well.
    let radar = LinearGaussian::new(
        &DMatrix::identity(2, 2),
        &[0.0, 0.0],
        &DMatrix::from_diagonal_element(2, 2, 1.0),
    )?;
    let north = DMatrix::from_row_slice(1, 2, &[0.0, 1.0]);
    let buoy = LinearGaussian::new(&north, &[0.0], &DMatrix::from_element(1, 1, 0.01))?;

    let by_radar = prior.bayes(&radar, &[3.2, 4.4])?;
    let by_both = by_radar.posterior.bayes(&buoy, &[4.0])?;
    let place = by_both.posterior;
    let spread = |axis: usize| place.covariance()[(axis, axis)].sqrt();
    println!("east  {:.3} ± {:.3} km", place.mean()[0], spread(0));
    println!("north {:.3} ± {:.3} km", place.mean()[1], spread(1));
    println!("log evidence of both readings: {:.3}", by_radar.ln_evidence + by_both.ln_evidence);

    // A distribution is saved by the names of its parameters and read back to the same bits.
    let saved = serde_json::to_string(&place)?;
    let read: Gaussian = serde_json::from_str(&saved)?;
    assert_eq!(read, place);
    println!("saved as {saved}");

    let next = buoy.predictive(&read.moments())?;
    println!("next reading of the buoy: {:.3} ± {:.3} km", next.mean()[0], next.covariance()[(0, 0)].sqrt());
    Ok(())
}
