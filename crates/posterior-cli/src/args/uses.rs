//! An option is used or refused: what each is for, by one table.

mod table;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

use crate::failure::Failure;
use table::{Rule, TABLE, Term};

/// The command with what each option is for in its help.
pub(crate) fn described(command: Command) -> Command {
    TABLE.iter().fold(command, |command, (verb, rules)| match verb.split_once(' ') {
        Some((area, verb)) => {
            command.mut_subcommand(area, |area| area.mut_subcommand(verb, |verb| with_rules(verb, rules)))
        }
        None => command.mut_subcommand(verb, |verb| with_rules(verb, rules)),
    })
}

fn with_rules(verb: Command, rules: &'static [Rule]) -> Command {
    rules.iter().fold(verb, |verb, rule| {
        let purpose = purpose(&verb, rule);
        rule.options.iter().fold(verb, |verb, option| {
            verb.mut_arg(id(option), |own| {
                let help = own.get_help().map(ToString::to_string).unwrap_or_default();
                own.help(format!("{help} [{purpose}]"))
            })
        })
    })
}

/// Refuses every option on the command line that the run has no use for.
pub(crate) fn check(command: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    refuse(command, matches, &[])
}

/// The same once the data are read: `facts` are names with their values.
pub(crate) fn check_facts(facts: &[(&str, &str)]) -> Result<(), Failure> {
    let mut command = <super::Cli as clap::CommandFactory>::command();
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    matches.map_or(Ok(()), |matches| refuse(&command, &matches, facts))
}

fn refuse(command: &Command, matches: &ArgMatches, facts: &[(&str, &str)]) -> Result<(), Failure> {
    let (mut path, mut command, mut matches) = (Vec::new(), command, matches);
    while let Some((name, inner)) = matches.subcommand() {
        let Some(below) = command.find_subcommand(name) else { return Ok(()) };
        path.push(name);
        (command, matches) = (below, inner);
    }
    let path = path.join(" ");
    let rules = TABLE.iter().filter(|(verb, _)| *verb == path).flat_map(|(_, rules)| *rules);
    let run = Run { command, matches, facts };
    for rule in rules {
        let given = rule.options.iter().find(|option| run.is_given(option));
        if let (Some(option), Err(what)) = (given, run.has_use(rule)) {
            let what = what.unwrap_or_else(|| format!("`posterior {path}`"));
            let purpose = purpose(command, rule);
            return Err(Failure::Usage(format!(
                "--{option}: {what} has no use for it{}",
                match rule.when {
                    [] => String::new(),
                    _ => format!("; it is {purpose}"),
                }
            )));
        }
    }
    Ok(())
}

/// A run of a verb, as far as it is known.
struct Run<'a> {
    command: &'a Command,
    matches: &'a ArgMatches,
    facts: &'a [(&'a str, &'a str)],
}

impl Run<'_> {
    fn is_given(&self, option: &str) -> bool {
        self.matches.value_source(&id(option)) == Some(ValueSource::CommandLine)
    }

    fn value(&self, option: &str) -> Option<String> {
        let known = self.facts.iter().find(|(name, _)| *name == option).map(|(_, value)| (*value).to_owned());
        known.or_else(|| {
            let last = self.matches.try_get_raw(&id(option)).ok().flatten()?.next_back()?;
            Some(last.to_string_lossy().into_owned())
        })
    }

    /// Whether the run has a use for the options of a rule; else what of it has none, the verb itself where
    /// there is nothing else.
    fn has_use(&self, rule: &Rule) -> Result<(), Option<String>> {
        let mut first = None;
        for terms in rule.when {
            match terms.iter().find_map(|term| self.fails(term)) {
                None => return Ok(()),
                Some(why) => first = first.or(Some(why)),
            }
        }
        Err(first)
    }

    /// What of the run a term does not hold of.
    fn fails(&self, term: &Term) -> Option<String> {
        match *term {
            Term::Is(option, values) => {
                let own = self.value(option)?;
                let holds = values.iter().any(|value| value.eq_ignore_ascii_case(&own));
                (!holds).then(|| format!("{} {own}", called(self.command, option)))
            }
            Term::IsNot(option, values) => {
                let own = self.value(option)?;
                let holds = values.iter().all(|value| !value.eq_ignore_ascii_case(&own));
                (!holds).then(|| format!("{} {own}", called(self.command, option)))
            }
            Term::Given(option) => {
                (!self.is_given(option)).then(|| format!("a run without {}", called(self.command, option)))
            }
            Term::Without(option) => {
                self.is_given(option).then(|| format!("a run with {}", called(self.command, option)))
            }
            Term::Fact(name, wanted, words) => {
                let own = self.value(name)?;
                (own != wanted).then(|| format!("a run without {words}"))
            }
        }
    }
}

/// What the options of a rule are for.
fn purpose(command: &Command, rule: &Rule) -> String {
    let term = |term: &Term| match *term {
        Term::Is(option, values) => format!("{} {}", called(command, option), either(values)),
        Term::IsNot(option, values) => format!("every {} but {}", called(command, option), either(values)),
        Term::Given(option) => format!("runs with {}", called(command, option)),
        Term::Without(option) => format!("runs without {}", called(command, option)),
        Term::Fact(_, _, words) => words.to_owned(),
    };
    let all = |terms: &&[Term]| terms.iter().map(term).collect::<Vec<_>>().join(" with ");
    match rule.when {
        [] => "not used here".to_owned(),
        when => format!("for {}", when.iter().map(all).collect::<Vec<_>>().join(", and for ")),
    }
}

fn either(values: &[&str]) -> String {
    match values {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

/// An option by its long name, an argument as the usage calls it.
fn called(command: &Command, option: &str) -> String {
    let own = command.get_arguments().find(|own| own.get_id().as_str() == id(option));
    match own {
        Some(own) if own.is_positional() => own
            .get_value_names()
            .and_then(<[_]>::first)
            .map_or_else(|| option.to_uppercase(), ToString::to_string),
        _ => format!("--{option}"),
    }
}

/// The identifier of an option with this long name.
fn id(option: &str) -> String {
    option.replace('-', "_")
}
