//! The folder of `--out`: what a run may replace there, and what it must not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::{Place, Ran, read};

/// All files below a folder, with their contents.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            all.insert(format!("{name}/"), Vec::new());
            all.extend(files(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            all.insert(name, read(&path));
        }
    }
    all
}

fn refused(ran: &Ran, message: &str) {
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let error = ran.stderr.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
    assert_eq!(error, format!("error: {message}"), "{ran:?}");
    assert!(ran.stderr.lines().any(|line| line.starts_with("hint: ")), "{ran:?}");
}

const NUMBERS: &str =
    "x,y,kind\n1,2.1,a\n2,3.9,a\n3,6.2,a\n4,7.8,a\n9,18.1,b\n10,20.2,b\n11,21.9,b\n12,24.3,b\n";

/// The data of all verbs.
fn furnish(place: &Place) {
    place.themes();
    place.write("numbers.csv", NUMBERS);
    place
        .write("texts.csv", "text,label\nriver stone,a\nriver bridge,a\nviolin melody,b\nviolin concert,b\n");
    place.write("tokens.txt", "a X\nb Y\n\na X\nb Y\nb Y\n\n");
    place.write("plays.csv", "arm,reward\nA,1\nA,0\nB,1\nB,1\n");
    place.write(
        "prose.txt",
        "we went to the river, and it was cold. the bridge is old; we sat there.\n".repeat(20),
    );
    place.write("secret.txt", "zh zhqw wr wkh ulyhu dqg lw zdv frog wkh eulgjh lv rog zh vdw wkhuh");
    let draws = (0..40).map(|i| format!("{},{}\n", i % 2, f64::from(i * 7 % 11)));
    place.write("draws.csv", format!("chain,theta\n{}", draws.collect::<String>()));
    place.write(
        "net.bif",
        "network n {}\nvariable rain { type discrete [ 2 ] { yes, no }; }\nvariable wet { type discrete [ 2 ] { yes, no }; }\n\
         probability ( rain ) { table 0.2, 0.8; }\nprobability ( wet | rain ) { (yes) 0.9, 0.1; (no) 0.1, 0.9; }\n",
    );
    place.write(
        "study.json",
        "{\"goal\":\"minimize\",\"noise\":\"none\",\"inputs\":[{\"name\":\"x\",\"real\":[0,1]}]}",
    );
    let trial = |(number, x, value): (u32, f64, f64)| {
        format!("{{\"trial\":{number},\"point\":{{\"x\":{x}}},\"value\":{value}}}\n")
    };
    let trials = [(1, 0.1, 2.0), (2, 0.5, 1.0), (3, 0.9, 3.0)].map(trial);
    place.write("study.trials.jsonl", trials.concat());
    place.write("losses.csv", "action,rain,sun\ntake,1,2\nleave,10,0\n");
    place.write("log.csv", "reward,propensity,target\n1,0.5,1\n0,0.5,0\n0,0.5,1\n");
    place.write("records.csv", "rain,wet\nyes,yes\nno,no\nno,yes\nno,no\n");
    place.write("net.uai", "MARKOV\n1\n2\n1\n1 0\n2\n0.3 0.7\n");
}

/// A short run of each verb that has `--out`, without the folder.
const RUNS: [&[&str]; 26] = [
    &[
        "topics",
        "fit",
        "docword.txt",
        "--topics",
        "2",
        "--iterations",
        "5",
        "--meta",
        "meta.csv",
        "--time",
        "year",
    ],
    &["regress", "fit", "numbers.csv", "--x", "x", "--y", "y"],
    &["cluster", "fit", "numbers.csv", "--k", "1:2"],
    &["pca", "fit", "numbers.csv"],
    &["dist", "fit", "numbers.csv", "--y", "y"],
    &[
        "gp",
        "fit",
        "numbers.csv",
        "--x",
        "x",
        "--y",
        "y",
        "--kernel",
        "rbf(3) + linear()",
        "--noise",
        "1",
        "--components",
    ],
    &["series", "smooth", "numbers.csv", "--y", "y", "--forecast", "2"],
    &["hmm", "fit", "numbers.csv", "--y", "y"],
    &["crf", "fit", "tokens.txt"],
    &["classify", "fit", "texts.csv"],
    &["classify", "eval", "texts.csv"],
    &["mcmc", "diagnose", "draws.csv"],
    &["bandit", "advise", "plays.csv"],
    &["bandit", "simulate", "--arms", "0.9,0.5", "--horizon", "50", "--runs", "5"],
    &["optimize", "show", "study.json"],
    &["decide", "ab", "plays.csv"],
    &["decide", "power", "--rate", "0.3", "--difference", "0.3", "--units", "20", "--runs", "100"],
    &["decide", "table", "losses.csv", "--probabilities", "0.5,0.5"],
    &["decide", "off-policy", "log.csv"],
    &["sequence", "cipher", "secret.txt", "--restarts", "1"],
    &["sequence", "punctuation", "prose.txt", "--n", "2"],
    &["net", "info", "net.bif"],
    &["net", "query", "net.bif"],
    &["net", "map", "net.bif"],
    &["net", "learn", "net.bif", "records.csv", "--pseudocount", "1"],
    &["data", "export", "nile"],
];

#[test]
fn a_file_of_somebody_else_is_never_replaced() {
    let place = Place::new();
    furnish(&place);
    for run in RUNS {
        let out = |folder: &str| place.run(&[run, &["--out", folder]].concat());
        let whole = out("whole");
        assert_eq!(whole.code, Some(0), "{run:?} {whole:?}");
        let made = files(&place.path("whole"));
        assert!(made.len() > 1 && made.contains_key("manifest.json"), "{run:?} {:?}", made.keys());
        // Again, and all is replaced.
        assert_eq!(out("whole").code, Some(0), "{run:?}");
        assert_eq!(files(&place.path("whole")).len(), made.len(), "{run:?}");
        for name in made.keys() {
            place.write(&format!("foreign/{name}"), "mine");
            let why = if name == "manifest.json" {
                "is in the way: no list of the files of a run"
            } else {
                "is in the way: no run of posterior has written it"
            };
            refused(&out("foreign"), &format!("foreign/{name}: {why}"));
            let left = files(&place.path("foreign"));
            assert_eq!(left, BTreeMap::from([(name.clone(), b"mine".to_vec())]), "{run:?}");
            fs::remove_dir_all(place.path("foreign")).unwrap();
        }
        fs::remove_dir_all(place.path("whole")).unwrap();
    }
}

/// `posterior gallery` has a folder for each story.
#[test]
fn the_files_of_stories_are_not_written_over_others() {
    let place = Place::new();
    let tell = || place.run(&["gallery", "--only", "people_with_glasses", "--out", "gallery"]);
    assert_eq!(tell().code, Some(0));
    assert_eq!(tell().code, Some(0));
    place.write("gallery/people_with_glasses/findings.txt", "my own notes");
    refused(&tell(), "gallery/people_with_glasses/findings.txt: was changed after it was written");
    assert_eq!(read(place.path("gallery/people_with_glasses/findings.txt")), b"my own notes");
}

#[test]
fn no_run_writes_over_what_it_reads() {
    let place = Place::new();
    furnish(&place);
    let table = place.write("own/predictions.csv", NUMBERS);
    let named = "own/predictions.csv: is named by this command, and would be replaced";
    let fit = ["regress", "fit", "own/predictions.csv", "--x", "x", "--y", "y", "--out", "own"];
    refused(&place.run(&fit), named);
    refused(
        &place.run(
            &[&["regress", "fit", "numbers.csv"], &fit[3..], &["--predict", "own/predictions.csv"]].concat(),
        ),
        named,
    );
    refused(
        &place.run(
            &[&["regress", "fit", "numbers.csv"], &fit[3..], &["--predict=./own/../own/predictions.csv"]]
                .concat(),
        ),
        named,
    );
    assert_eq!(files(&place.path("own")).keys().collect::<Vec<_>>(), ["predictions.csv"]);
    assert_eq!(read(table), NUMBERS.as_bytes());
    // By another name it stays as it is, beside the results.
    place.write("own/numbers.csv", NUMBERS);
    fs::remove_file(place.path("own/predictions.csv")).unwrap();
    place.succeed(&["regress", "fit", "own/numbers.csv", "--x", "x", "--y", "y", "--out", "own"]);
    assert_eq!(read(place.path("own/numbers.csv")), NUMBERS.as_bytes());

    // A model is an input, whether it is named or its folder: it would go with the files of the run before.
    place.succeed(&["hmm", "fit", "numbers.csv", "--y", "y", "--out", "model"]);
    let before = files(&place.path("model"));
    let decode = |model| place.run(&["hmm", "decode", model, "numbers.csv", "--out", "model"]);
    refused(&decode("model/model.json"), "model/model.json: is named by this command, and would be replaced");
    refused(&decode("model"), "model: is read by this run, and its own files would be among them");
    assert_eq!(files(&place.path("model")), before);

    // A folder of texts, a checkpoint, a network.
    place.write("texts/a.txt", "river stone bridge");
    refused(
        &place.run(&["topics", "fit", "texts", "--min-df", "1", "--max-df", "1", "--out", "texts"]),
        "texts: is read by this run, and its own files would be among them",
    );
    let fit = ["topics", "fit", "docword.txt", "--iterations", "2", "--out", "out", "--checkpoint"];
    for input in ["docword.txt", "vocab.txt"] {
        let before = read(place.path(input));
        let named = format!("{input}: is read by this run, and would be replaced");
        refused(&place.run(&[&fit[..], &[input, "--vocab", "vocab.txt"]].concat()), &named);
        assert_eq!(read(place.path(input)), before);
    }
    fs::create_dir(place.path("out")).unwrap();
    refused(
        &place.run(&[&fit[..], &["out/model.json"]].concat()),
        "out/model.json: is named by this command, and would be replaced",
    );
    let network = read(place.path("net.bif"));
    refused(
        &place.run(&["net", "convert", "net.bif", "./net.bif", "--to", "xmlbif"]),
        "./net.bif: is read by this run, and would be replaced",
    );
    assert_eq!(read(place.path("net.bif")), network);
}

#[cfg(unix)]
#[test]
fn an_input_behind_a_link_is_an_input() {
    let place = Place::new();
    place.write("own/predictions.csv", NUMBERS);
    std::os::unix::fs::symlink("own/predictions.csv", place.path("link.csv")).unwrap();
    std::os::unix::fs::symlink("own", place.path("other")).unwrap();
    for out in ["own", "other"] {
        let ran = place.run(&["regress", "fit", "link.csv", "--x", "x", "--y", "y", "--out", out]);
        refused(&ran, &format!("{out}/predictions.csv: is named by this command, and would be replaced"));
    }
    assert_eq!(files(&place.path("own")), BTreeMap::from([("predictions.csv".to_owned(), NUMBERS.into())]));
}

#[test]
fn a_second_run_leaves_nothing_of_the_first() {
    let place = Place::new();
    furnish(&place);
    place.succeed(&["classify", "fit", "texts.csv", "--out", "out"]);
    place.write("out/notes.txt", "mine");
    assert!(place.path("out/words_0.svg").exists() && place.path("out/top_words.csv").exists());
    place.succeed(&[
        "classify",
        "fit",
        "numbers.csv",
        "--label",
        "kind",
        "--method",
        "gaussian-nb",
        "--out",
        "out",
    ]);
    let now = files(&place.path("out"));
    let manifest: Value = serde_json::from_slice(&now["manifest.json"]).unwrap();
    let mut listed: Vec<&str> =
        manifest["files"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    listed.extend(["manifest.json", "notes.txt"]);
    listed.sort_unstable();
    assert_eq!(now.keys().map(String::as_str).collect::<Vec<_>>(), listed);
    assert!(!now.contains_key("words_0.svg") && !now.contains_key("top_words.csv"), "{:?}", now.keys());
    assert_eq!(now["notes.txt"], b"mine");
    let command = manifest["command"].as_str().unwrap();
    assert!(command.starts_with("posterior classify fit numbers.csv"), "{command}");
    assert_eq!(manifest["files"][0]["bytes"], now["model.json"].len());

    // What was written and then changed by hand is nobody's to take away.
    place.write("out/confusion.csv", "mine, too");
    let before = files(&place.path("out"));
    refused(
        &place.run(&["classify", "fit", "texts.csv", "--out", "out"]),
        "out/confusion.csv: was changed after it was written",
    );
    assert_eq!(files(&place.path("out")), before);
}

#[test]
fn answers_of_many_models_and_data_sets_share_a_folder() {
    let place = Place::new();
    furnish(&place);
    for task in ["PR", "MAR", "PR"] {
        place.succeed(&["net", "uai", "net.uai", "none", task, "--out", "answers"]);
    }
    let names: Vec<String> = files(&place.path("answers")).into_keys().collect();
    assert_eq!(names, ["manifest.json", "net.uai.MAR", "net.uai.PR"]);
    for name in ["nile", "iris", "nile"] {
        place.succeed(&["data", "export", name, "--out", "data"]);
    }
    assert!(place.path("data/nile.csv").exists() && place.path("data/iris.csv").exists());
}

#[test]
fn a_folder_that_another_run_is_using_is_refused() {
    let place = Place::new();
    furnish(&place);
    let fit = ["regress", "fit", "numbers.csv", "--x", "x", "--y", "y", "--out", "out"];
    place.succeed(&fit);
    let before = files(&place.path("out"));
    let lock = place.write("out/.posterior/lock", "");
    let held = fs::File::options().write(true).open(lock).unwrap();
    held.lock().unwrap();
    refused(&place.run(&fit), "out: is in use by another run");
    drop(held);
    place.succeed(&fit);
    let after = files(&place.path("out"));
    assert_eq!(after.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    // A folder of this name that is somebody else's.
    place.write("out/.posterior/notes.txt", "mine");
    refused(&place.run(&fit), "out/.posterior: holds files that are not of posterior");
    assert_eq!(read(place.path("out/.posterior/notes.txt")), b"mine");
}
