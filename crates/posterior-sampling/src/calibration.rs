//! Is the sampler right? Simulation-based calibration, coverage, and the test of joint laws.
