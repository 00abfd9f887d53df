//! Temperatures.

use posterior_sampling::tempering::TemperatureSchedule;

#[test]
fn schedules_ascend_from_zero_to_one() {
    assert_eq!(TemperatureSchedule::power(4, 2.0).unwrap().betas(), [0.0, 0.0625, 0.25, 0.5625, 1.0]);
    let message = |betas: &[f64]| TemperatureSchedule::new(betas.to_vec()).unwrap_err().to_string();
    assert_eq!(message(&[]), "Schedule: first beta = NaN must be 0");
    assert_eq!(message(&[0.0]), "Schedule: last beta = 0 must be 1");
    assert_eq!(message(&[0.0, 0.5, 0.5, 1.0]), "Schedule: beta[2] = 0.5 must be above the one before it");
    assert_eq!(message(&[0.0, f64::NAN, 1.0]), "Schedule: beta[1] = NaN must be above the one before it");
    assert!(TemperatureSchedule::power(0, 1.0).is_err());
    assert!(TemperatureSchedule::power(10, f64::NAN).is_err());
    assert!(TemperatureSchedule::power(10, 1e9).is_err());
}
