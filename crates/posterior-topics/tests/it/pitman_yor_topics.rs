//! Topics whose words follow Pitman-Yor processes.

mod calibration;
mod enumeration;
mod fitting;
