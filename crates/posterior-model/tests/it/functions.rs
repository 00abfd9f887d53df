//! Which functions of the table of signatures are executed.

use posterior_model::is_executed;
use posterior_stan::function_names;

#[test]
fn functions_that_are_not_executed_are_those_of_the_list() {
    let missing: Vec<String> =
        function_names().filter(|name| !is_executed(name)).map(str::to_owned).collect();
    let listed: Vec<&str> = include_str!("missing.txt").lines().collect();
    assert_eq!(missing, listed, "\n{}", missing.join("\n"));
}
