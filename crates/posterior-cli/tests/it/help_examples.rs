//! The examples of every `--help`, as their readers follow them: each is run by a shell, in a folder that
//! holds small files of the names that it uses.
//!
//! [`SHORTENED`] and [`WITHOUT`] name those that are run otherwise than they are printed.

mod files;

use std::path::Path;
use std::process::Command;

use crate::program::Place;

/// Examples that take long as they are printed, and what is added to them here.
const SHORTENED: [(&str, &str); 3] = [
    // A thousand sweeps over 241 addresses.
    ("posterior topics fit", "--iterations 3"),
    // Minutes: all stories have tests of their own, in their crate.
    ("posterior gallery --out gallery", "--only people_with_glasses"),
    ("posterior gallery --data texts/ --out gallery", "--only tagging"),
];

/// What is cut from examples, and why.
const WITHOUT: [(&str, &str); 2] = [
    // Graphviz is another program.
    ("posterior net dot alarm.bif | dot -Tsvg > alarm.svg", " | dot -Tsvg"),
    // A story of a minute.
    ("posterior gallery --only tracking --only clusters --out gallery", " --only clusters"),
];

/// What readers of a page have run before: the models that its examples use, as the page of the fit makes
/// them.
const BEFORE: [(&str, &str); 23] = [
    ("", "posterior optimize init study.json --input rate=0:1"),
    // A fit that was interrupted would have left it.
    (
        "topics fit",
        "posterior topics fit big.jsonl --text body --checkpoint fit.ckpt --checkpoint-every 0 && \
         posterior topics store big.jsonl big.corpus --text body",
    ),
    ("topics infer", "posterior topics fit speeches/ --topics 3 --iterations 20"),
    ("net learn", "posterior net sample alarm.bif -n 200 > alarm.csv"),
    ("net convert", "posterior net convert alarm.bif alarm.xml && gzip alarm.xml"),
    ("net uai", "posterior net convert alarm.bif model.uai && echo '1 0 1' > model.uai.evid"),
    (
        "series forecast",
        "posterior series smooth sales.csv --time month --y sold --model local-linear-trend+seasonal:12 --out out",
    ),
    (
        "gp predict",
        "posterior gp fit data.csv --x t --y value --kernel 'rbf(10)' --out out && \
         posterior gp fit sales.csv --time month --y sold --kernel 'rbf(24)' --noise 1 --out dated",
    ),
    ("cluster assign", "posterior cluster fit iris.csv --label species --method gmm --k 3 --out out"),
    ("regress predict", "posterior regress fit data.csv --y price --x area,rooms --out out"),
    (
        "compare",
        "posterior regress fit old.csv --y y --out line && posterior regress fit old.csv --y y --features poly:3 --out cubes && \
         posterior gp fit old.csv --x x --y y --kernel 'rbf(1)' --noise 0.1 --out process",
    ),
    ("pca transform", "posterior pca fit --out out"),
    ("sequence score", "posterior sequence ngram sentences.txt --unit token --lines --held-out 0 --out out"),
    ("crf tag", "posterior crf fit train.txt --templates chunking --out out"),
    ("crf eval", "posterior crf fit train.txt --templates chunking --out out"),
    ("classify predict", "posterior classify fit messages.csv --label class --out out"),
    ("classify update", "posterior classify fit messages.csv --label class --out out"),
    ("model generate", "posterior model sample schools.stan --data schools.json --out draws"),
    (
        "model compare",
        "posterior model sample pooled.stan --data schools.json --out runs/pooled && \
         posterior model sample apart.stan --data schools.json --out runs/apart",
    ),
    ("optimize ask", INIT),
    (
        "optimize tell",
        "posterior optimize init study.json --input rate=log:1e-5:1 --input layers=integer:1:8 --input unit=relu,tanh && \
         posterior optimize ask study.json -n 4",
    ),
    ("optimize show", SHOWN),
    ("classify eval", "posterior classify fit messages.csv --label class --out out"),
];

/// A study.
const INIT: &str = "posterior optimize init study.json --input rate=log:1e-5:1 --input layers=integer:1:8 --input unit=relu,tanh";
/// A study with an outcome.
const SHOWN: &str = "posterior optimize init study.json --input rate=log:1e-5:1 --input unit=relu,tanh && \
                     posterior optimize ask study.json && posterior optimize tell study.json 1=0.31";

/// The same of several pages.
const BEFORE_HMM: &str = "posterior hmm fit calls.csv --y calls --emission poisson --states 3 --out out";

/// How a command begins, or goes on.
const STARTS: [&str; 3] = ["posterior ", "echo ", "--"];

/// The names of the commands that a page of help lists.
fn commands(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.strip_prefix("  "));
    names
        .filter_map(|line| line.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .collect()
}

/// The examples of a page of help, without what is said beside them.
fn examples(help: &str) -> Vec<String> {
    let joined = help.replace("\\\n", "");
    let lines = joined.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
    let own = lines.take_while(|line| line.starts_with("  "));
    own.map(|line| {
        let command = line[2..].split("  ").map(str::trim).filter(|part| !part.is_empty());
        // The rest of a command that goes over two lines is indented.
        let command: Vec<&str> =
            command.take_while(|part| STARTS.iter().any(|start| part.starts_with(start))).collect();
        command.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    })
    .collect()
}

/// The pages of a command and of those below it: their names, and what they print.
fn pages(place: &Place, command: &str) -> Vec<(String, String)> {
    let words: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
    let help = place.succeed(&words).stdout;
    let below =
        commands(&help).into_iter().flat_map(|name| pages(place, format!("{command} {name}").trim_start()));
    let below: Vec<(String, String)> = below.collect();
    std::iter::once((command.to_owned(), help)).chain(below).collect()
}

/// Runs a command as a shell does, with our program in its path.
fn shell(place: &Place, command: &str) {
    let binary = Path::new(env!("CARGO_BIN_EXE_posterior")).parent().unwrap().display().to_string();
    let script = format!("PATH=\"{binary}:$PATH\"\nset -eu\n{command}");
    let ran = Command::new("sh").arg("-c").arg(script).current_dir(place.path("")).output().unwrap();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && !errors.contains("error: "), "{command}\n{errors}");
}

/// Runs the examples of one page in a folder of their own, and looks for what they promise to write.
fn follow(area: &str, page: &str, examples: &[String]) {
    let place = Place::new();
    files::furnish(&place, area);
    let before = BEFORE.iter().filter(|(name, _)| *name == page).map(|(_, command)| *command);
    let hmm = page.starts_with("hmm ").then_some(BEFORE_HMM);
    before.chain(hmm).for_each(|command| shell(&place, command));
    for example in examples {
        let cut = WITHOUT.iter().find(|(whole, _)| whole == example);
        let added = SHORTENED.iter().find(|(whole, _)| whole == example);
        let kept = cut.map_or_else(|| example.clone(), |(_, cut)| example.replace(cut, ""));
        shell(&place, &added.map_or_else(|| kept.clone(), |(_, added)| format!("{kept} {added}")));
        let mut words = example.split_whitespace();
        while let Some(word) = words.next() {
            if let ("--out" | ">", Some(written)) = (word, words.clone().next()) {
                assert!(place.path(written).exists(), "{example}: no {written}");
            }
        }
    }
}

/// The examples of an area, page by page; of the first page of all where `area` is empty.
fn follow_area(area: &str) {
    let place = Place::new();
    let mut pages = pages(&place, area);
    if area.is_empty() {
        pages.truncate(1);
    }
    for (page, help) in pages {
        let examples = examples(&help);
        // A page that lists commands leaves the examples to theirs.
        assert!(!examples.is_empty() || !commands(&help).is_empty(), "{page} has no example:\n{help}");
        assert!(examples.iter().all(|example| example.contains("posterior ")), "{page}: {examples:?}");
        follow(area, &page, &examples);
    }
}

macro_rules! areas {
    ($($area:ident),* $(,)?) => {
        const AREAS: &[&str] = &[$(stringify!($area)),*];
        $(
            #[test]
            #[cfg_attr(not(unix), ignore = "the examples are run by a POSIX shell")]
            fn $area() {
                follow_area(stringify!($area));
            }
        )*
    };
}

areas! {
    topics, net, dist, gp, cluster, compare, mcmc, regress, sequence, series, hmm, bandit, optimize, decide, pca, crf, classify, model, gallery, data,
}

/// The commands that the first page of the repository has in its table; `AREA VERB` and `DIR` stand for
/// others.
#[test]
#[cfg_attr(not(unix), ignore = "the examples are run by a POSIX shell")]
fn the_table_of_the_readme() {
    let readme = include_str!("../../../../README.md");
    let rows = readme.lines().skip_while(|line| !line.starts_with("| you have | the command"));
    let rows = rows.skip(2).take_while(|line| line.starts_with('|'));
    let commands: Vec<&str> = rows
        .flat_map(|row| row.split('`').skip(1).step_by(2))
        .filter(|word| word.starts_with("posterior "))
        .collect();
    assert!(commands.len() > 10, "{commands:?}");
    let place = Place::new();
    files::of_the_readme(&place);
    for command in commands {
        shell(&place, command);
    }
}

#[test]
#[cfg_attr(not(unix), ignore = "the examples are run by a POSIX shell")]
fn the_first_page() {
    follow_area("");
}

#[test]
fn no_area_and_no_exception_is_left_over() {
    let place = Place::new();
    let pages = pages(&place, "");
    let areas = commands(&pages[0].1);
    assert_eq!(areas, AREAS);
    let all: Vec<String> = pages.iter().flat_map(|(_, help)| examples(help)).collect();
    for (example, _) in SHORTENED.iter().chain(&WITHOUT) {
        assert!(all.iter().any(|own| own == example), "{example} is no example");
    }
    for (page, _) in BEFORE {
        assert!(pages.iter().any(|(name, _)| name == page), "{page} is no command");
    }
}

#[test]
fn examples_are_taken_from_help() {
    let help = "Commands:\n  fit    Fit\n           more\n  help   Print\n\nExamples:\n  posterior a b    said of it\n  \
                posterior c \"d e\" \\\n    --out out\n\nMore.\n";
    assert_eq!(commands(help), ["fit"]);
    assert_eq!(examples(help), ["posterior a b", "posterior c \"d e\" --out out"]);
}
