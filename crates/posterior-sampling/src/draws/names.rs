//! What columns are called here, and in the files of CmdStan.

use std::collections::BTreeSet;

/// Statistics of CmdStan beside ArviZ's names for them.
const STATISTICS: [(&str, &str); 6] = [
    ("accept_stat", "acceptance_rate"),
    ("stepsize", "step_size"),
    ("treedepth", "tree_depth"),
    ("n_leapfrog", "n_steps"),
    ("divergent", "diverging"),
    ("energy", "energy"),
];

/// The statistic in a column `name__`; `None` of a parameter's column.
pub(super) fn statistic(column: &str) -> Option<String> {
    let own = column.strip_suffix("__").filter(|own| !own.is_empty())?;
    let known = STATISTICS.iter().find(|(theirs, _)| *theirs == own);
    Some(known.map_or(own, |(_, ours)| ours).to_owned())
}

/// The column of a statistic.
pub(super) fn statistic_column(name: &str) -> String {
    let known = STATISTICS.iter().find(|(_, ours)| *ours == name);
    format!("{}__", known.map_or(name, |(theirs, _)| theirs))
}

/// `theta[1,2]` of `theta.1.2`.
pub(super) fn from_dots(column: &str) -> String {
    let is_index = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let indices = column.rsplit('.').take_while(is_index).count();
    if indices == 0 || indices > column.matches('.').count() {
        return column.to_owned();
    }
    let parts: Vec<&str> = column.split('.').collect();
    let (name, indices) = parts.split_at(parts.len() - indices);
    format!("{}[{}]", name.join("."), indices.join(","))
}

/// The name before the brackets, and the indices; none where these are not numbers.
pub(super) fn parts(name: &str) -> (&str, Vec<usize>) {
    let split = || {
        let (base, rest) = name.split_once('[')?;
        let indices: Option<Vec<usize>> =
            rest.strip_suffix(']')?.split(',').map(|index| index.trim().parse().ok()).collect();
        Some((base, indices?)).filter(|(base, _)| !base.is_empty())
    };
    split().unwrap_or((name, Vec::new()))
}

/// The columns of parameters as CmdStan has them: `theta.1.2`, counted from 1; indices of a name that has a 0
/// are moved up by one.
pub(super) fn dotted(names: &[String]) -> Vec<String> {
    let split: Vec<(&str, Vec<usize>)> = names.iter().map(|name| parts(name)).collect();
    let from_zero: BTreeSet<&str> =
        split.iter().filter(|(_, indices)| indices.contains(&0)).map(|(base, _)| *base).collect();
    let column = |(base, indices): &(&str, Vec<usize>)| {
        let shift = usize::from(from_zero.contains(base));
        indices.iter().fold((*base).to_owned(), |text, index| format!("{text}.{}", index + shift))
    };
    let columns: Vec<String> = split.iter().map(column).collect();
    // Two names that look alike in dots keep their own.
    let distinct: BTreeSet<&String> = columns.iter().collect();
    if distinct.len() == columns.len() { columns } else { names.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_become_brackets_and_back() {
        for (dots, brackets) in
            [("theta.1.2", "theta[1,2]"), ("mu", "mu"), ("a.b.3", "a.b[3]"), ("z.1.real", "z.1.real")]
        {
            assert_eq!(from_dots(dots), brackets);
            assert_eq!(dotted(&[brackets.to_owned()]), [dots]);
        }
        assert_eq!(from_dots("1.2"), "1.2");
        assert_eq!(from_dots("5"), "5");
        assert_eq!(dotted(&["x[0]".to_owned(), "x[1]".to_owned(), "y[1]".to_owned()]), ["x.1", "x.2", "y.1"]);
        assert_eq!(dotted(&["x[1]".to_owned(), "x.1".to_owned()]), ["x[1]", "x.1"]);
    }

    #[test]
    fn statistics_have_the_names_of_arviz() {
        assert_eq!(statistic("divergent__").as_deref(), Some("diverging"));
        assert_eq!(statistic("lp__").as_deref(), Some("lp"));
        assert_eq!(statistic("__"), None);
        assert_eq!(statistic("mu"), None);
        assert_eq!(statistic_column("diverging"), "divergent__");
        assert_eq!(statistic_column("reached_max_treedepth"), "reached_max_treedepth__");
    }
}
