//! Reports of iterative fits.

use posterior_math::iteration::{Report, Stop};

#[test]
fn the_starting_point_is_no_step() {
    assert_eq!(Report::new(vec![], Stop::MaxIterations).iterations(), 0);
    assert_eq!(Report::new(vec![-3.0], Stop::MaxIterations).iterations(), 0);
    assert_eq!(Report::new(vec![-3.0, -2.0, -1.0], Stop::Converged).iterations(), 2);
}

#[test]
fn only_convergence_satisfies_who_requires_it() {
    assert_eq!(Report::new(vec![-3.0], Stop::Converged).require_converged(), Ok(()));
    for (stop, message) in [
        (Stop::MaxIterations, "not converged after 1 iterations: the limit was reached"),
        (Stop::Stalled, "not converged after 1 iterations: no step improved the objective"),
        (Stop::Observer, "not converged after 1 iterations: the observer stopped it"),
    ] {
        let error = Report::new(vec![-3.0, -2.0], stop).require_converged().expect_err("it did not converge");
        assert_eq!((error.iterations(), error.stop(), error.to_string().as_str()), (1, stop, message));
    }
}
