//! `posterior decide`: experiments against published figures, tables and diagrams of textbooks.

use std::fmt::Write as _;

use serde_json::Value;

use crate::program::{Place, Ran, read};

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

#[track_caller]
fn refused(ran: &Ran, code: i32, message: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{ran:?}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains(message), "{}", ran.stderr);
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

#[track_caller]
fn close(found: &Value, expected: f64, tolerance: f64) {
    assert!((number(found) - expected).abs() < tolerance, "{found} {expected}");
}

const COUNTS: &str = "arm,n,k\nold,100,10\nnew,100,18\n";

fn ab(table: &str, more: &[&str]) -> Ran {
    let place = Place::new();
    place.write("data.csv", table);
    place.run(&[&["decide", "ab", "data.csv", "--format", "json"], more].concat())
}

/// Ends of intervals by scipy.integrate.quad and brentq.
#[test]
fn counts_have_differences_and_lifts() {
    let output = json(&ab(COUNTS, &["--successes", "k", "--trials", "n"]));
    assert_eq!((&output["control"], &output["leader"]), (&"old".into(), &"new".into()));
    let new = &output["arms"][1];
    let versus = &new["versus_control"];
    close(&versus["difference"]["estimate"], 0.08, 1e-12);
    close(&versus["difference"]["interval"][0], -0.015_876_826_6, 1e-7);
    close(&versus["difference"]["interval"][1], 0.175_990_318_4, 1e-7);
    close(&versus["lift"]["estimate"], 0.8, 1e-12);
    close(&versus["lift"]["interval"][0], -0.106_641_216_7, 1e-6);
    close(&versus["lift"]["interval"][1], 2.798_688_144_3, 1e-5);
    close(&versus["probability_better"], 0.949_103_928_5, 1e-8);
    close(&new["probability_best"], 0.949_103_928_5, 1e-8);
    assert!(output["arms"][0]["versus_control"].is_null());
    // Intervals at all times are wider, and hold the others.
    let ends = |own: &Value| [number(&own[0]), number(&own[1])];
    let (once, always) =
        (ends(&versus["difference"]["interval"]), ends(&versus["difference"]["interval_at_all_times"]));
    assert!(always[0] < once[0] && once[1] < always[1]);
    // Few successes are good: the other way round.
    let output = json(&ab(COUNTS, &["--successes", "k", "--trials", "n", "--minimize", "--control", "new"]));
    assert_eq!((&output["control"], &output["leader"]), (&"new".into(), &"old".into()));
    close(&output["arms"][1]["versus_control"]["probability_better"], 0.949_103_928_5, 1e-8);
}

/// The same experiment as rows, as words, and as counts in several rows.
#[test]
fn every_form_of_a_table_says_the_same() {
    let mut rows = "arm,bought,word\n".to_owned();
    for (arm, units, successes) in [("old", 100, 10), ("new", 100, 18)] {
        for unit in 0..units {
            let won = unit < successes;
            writeln!(rows, "{arm},{},{}", u8::from(won), if won { "yes" } else { "no" }).unwrap();
        }
    }
    rows += "new,,\n";
    let of = |ran: &Ran| json(ran)["arms"].clone();
    let counts = of(&ab(COUNTS, &["--successes", "k", "--trials", "n"]));
    assert_eq!(of(&ab(&rows, &["--y", "bought"])), counts);
    assert_eq!(of(&ab(&rows, &["--y", "word", "--success", "yes"])), counts);
    let parts = "arm,n,k\nold,40,10\nnew,100,18\nold,60,0\n";
    assert_eq!(of(&ab(parts, &["--successes", "k", "--trials", "n"])), counts);
    assert!(ab(&rows, &["--y", "bought"]).stderr.contains("1 of 201 rows have no outcome"));
}

/// Means with unequal variances: ends by SciPy as above, three arms, and limits of outcomes.
#[test]
fn numbers_have_means_of_their_own_variance() {
    let table = "arm,y\na,12.1\na,9.8\na,11.2\na,10.5\na,13\nb,14.9\nb,11.7\nb,18.2\nb,13.3\nb,15\nb,16.1\nb,12.2\nc,1\nc,2\nc,4\n";
    let output = json(&ab(table, &[]));
    let versus = &output["arms"][1]["versus_control"];
    close(&versus["difference"]["interval"][0], 0.534_710_210_4, 1e-6);
    close(&versus["difference"]["interval"][1], 5.796_718_361_1, 1e-6);
    close(&versus["lift"]["interval"][1], 0.565_372_790_6, 1e-6);
    close(&versus["probability_better"], 0.987_559_061, 1e-7);
    assert!(versus["difference"]["interval_at_all_times"].is_null());
    let best: f64 =
        output["arms"].as_array().unwrap().iter().map(|arm| number(&arm["probability_best"])).sum();
    assert!((best - 1.0).abs() < 1e-8);
    let output = json(&ab(table, &["--bounds", "0:20"]));
    assert!(output["arms"][1]["versus_control"]["difference"]["interval_at_all_times"].is_array());
    refused(&ab(table, &["--bounds", "0:15"]), 1, "outcomes go from 1 to 18.2");
}

#[test]
fn the_text_and_the_page_answer() {
    let place = Place::new();
    place.write("data.csv", COUNTS);
    let ran =
        place.succeed(&["decide", "ab", "data.csv", "--successes", "k", "--trials", "n", "--out", "out"]);
    assert!(
        ran.stdout.starts_with("data.csv: 2 arms, proportions of successes, intervals of 95 %\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("against old:")
            && ran.stdout.contains("new is the best with probability 94.91 %")
    );
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(page.contains("new leads") && page.contains("fixed beforehand"));
    let table = String::from_utf8(read(place.path("out/arms.csv"))).unwrap();
    assert!(table.starts_with("arm,units,mean,mean_low,") && table.lines().count() == 3, "{table}");
}

#[test]
fn experiments_that_are_none_are_refused() {
    refused(&ab("arm,y\n", &[]), 1, "no rows");
    refused(&ab("arm,y\na,1\na,0\n", &[]), 1, "expected two arms at least, found 1");
    refused(&ab("arm,y\na,1.5\nb,2\nb,2\nb,2\n", &[]), 1, "arm a has 1 outcomes, expected 3 at least");
    refused(&ab("arm,y\na,x\nb,2\n", &[]), 1, "line 2, column y: expected a number");
    refused(&ab("arm,y\na,x\nb,z\n", &["--success", "w"]), 1, "no cell is \"w\"");
    refused(
        &ab("arm,n,k\na,5,6\nb,1,1\n", &["--successes", "k", "--trials", "n"]),
        1,
        "line 2, column k: expected at most the 5 of n",
    );
    refused(&ab("arm,n,k\na,0,0\nb,1,1\n", &["--successes", "k", "--trials", "n"]), 1, "arm a has no units");
    refused(
        &ab(COUNTS, &["--successes", "k", "--trials", "n", "--control", "red"]),
        2,
        "the arms of data.csv are",
    );
    refused(&ab(COUNTS, &["--successes", "k", "--trials", "n", "--bounds", "0:1"]), 2, "--bounds");
    refused(
        &ab(COUNTS, &["--successes", "k", "--trials", "n", "--level", "1"]),
        2,
        "expected a probability between 0 and 1",
    );
    refused(&ab(COUNTS, &["--y", "gain"]), 1, "gain");
}

/// 388 of each for 0.6 against 0.5 at 80 % by the normal formula (Fleiss, Levin and Paik).
#[test]
fn power_finds_the_size_of_an_experiment() {
    let place = Place::new();
    let output = json(&place.run(&["decide", "power", "--rate", "0.5", "--lift", "0.2", "--format", "json"]));
    assert!((350.0..420.0).contains(&number(&output["units"])), "{output}");
    assert!(number(&output["power"]) >= 0.8 && (number(&output["false_alarms"]) - 0.05).abs() < 0.02);
    // 17 of each show a difference of one standard deviation in 0.807 (noncentral t).
    let run = ["decide", "power", "--sd", "2", "--difference", "2", "--units", "17", "--out", "out"];
    let output = json(&place.run(&[&run[..], &["--format", "json"]].concat()));
    close(&output["power"], 0.807, 0.04);
    assert!(output["power_at_all_times"].is_null());
    assert!(
        String::from_utf8(read(place.path("out/report.html")))
            .unwrap()
            .contains("17 units of each arm find it")
    );
    let text = place
        .succeed(&[
            "decide",
            "power",
            "--rate",
            "0.3",
            "--difference",
            "0.1",
            "--units",
            "300",
            "--looks",
            "5",
        ])
        .stdout;
    assert!(text.contains("at any of 5 looks") && text.contains("at all times"), "{text}");
    let wrong = |options: &[&str], message: &str| {
        refused(&place.run(&[&["decide", "power"], options].concat()), 2, message);
    };
    wrong(&["--rate", "0.5", "--difference", "0.6"], "proportions of 0.5 and 1.1");
    wrong(&["--rate", "0.5", "--difference", "0"], "expected another number than 0");
    wrong(&["--sd", "1", "--lift", "0.1"], "say the control's --mean");
    wrong(&["--difference", "0.1"], "");
}

/// Umbrellas: actions in states, as textbooks have them.
#[test]
fn a_table_of_losses_is_decided() {
    let place = Place::new();
    place.write("losses.csv", "action,rain,sun\ntake,1,2\nleave,10,0\nboth,11,3\n");
    let run = ["decide", "table", "losses.csv", "--format", "json"];
    let output = json(&place.run(&[&run[..], &["--probabilities", "0.3,0.7"]].concat()));
    // take: 1.7; leave: 3; knowing the state: 0.3.
    assert_eq!(output["bayes"], serde_json::json!(["take"]));
    close(&output["actions"][0]["expected"], 1.7, 1e-12);
    close(&output["value_of_perfect_information"], 1.4, 1e-12);
    assert_eq!(output["minimax"], serde_json::json!(["take"]));
    assert_eq!(output["actions"][2]["dominated_by"], "take");
    close(&output["actions"][1]["worst_regret"], 9.0, 1e-12);
    // A forecast that is right in 8 of 10 sees rain in 0.38 of days: then take loses 0.24 + 0.28; else
    // leave 0.6 or take 0.06 + 1.12.
    place.write("forecast.csv", "state,says rain,says sun\nrain,0.8,0.2\nsun,0.2,0.8\n");
    let more = ["--probabilities", "0.3,0.7", "--likelihood", "forecast.csv"];
    let output = json(&place.run(&[&run[..], &more].concat()));
    close(&output["value_of_sample_information"], 1.7 - (0.24 + 0.28 + 0.6), 1e-12);
    // Without probabilities no expectations; gains are losses of the other sign.
    let output = json(&place.run(&run));
    assert!(output["bayes"].is_null() && output["value_of_perfect_information"].is_null());
    place.write("gains.csv", "action,rain,sun\ntake,-1,-2\nleave,-10,0\nboth,-11,-3\n");
    let gains = json(&place.run(&["decide", "table", "gains.csv", "--gains", "--format", "json"]));
    assert_eq!(
        (&gains["minimax"], &gains["minimax_regret"]),
        (&output["minimax"], &output["minimax_regret"])
    );
    close(&gains["actions"][1]["worst"], -10.0, 1e-12);
    let text = place
        .succeed(&["decide", "table", "losses.csv", "--probabilities", "0.3,0.7", "--out", "out"])
        .stdout;
    assert!(
        text.contains("best by expectation") && text.contains("to know the state is worth  1.400"),
        "{text}"
    );
    assert!(place.path("out/actions.svg").exists());
    refused(&place.run(&["decide", "table", "losses.csv", "--probabilities", "0.3"]), 2, "1 of 2 states");
    refused(&place.run(&["decide", "table", "losses.csv", "--probabilities", "0.3,0.9"]), 2, "");
    place.write("twice.csv", "action,rain\na,1\na,2\n");
    refused(&place.run(&["decide", "table", "twice.csv"]), 1, "line 3, column action");
    place.write("one.csv", "action\na\n");
    refused(&place.run(&["decide", "table", "one.csv"]), 1, "one for each state");
}

/// The oil wildcatter (Raiffa, 1968): test, and drill where the echo is open or closed: 22.5.
#[test]
fn the_wildcatter_tests_and_drills() {
    let place = Place::new();
    place.write(
        "oil.json",
        r#"{"variables": [{"name": "oil", "states": ["dry", "wet", "soaking"]}, {"name": "test", "states": ["no", "yes"]},
            {"name": "echo", "states": ["none", "open", "closed", "no test"]}, {"name": "drill", "states": ["no", "yes"]}],
          "chances": [{"of": "oil", "table": [0.5, 0.3, 0.2]},
            {"of": "echo", "given": ["oil", "test"], "table": [[[0, 0, 0, 1], [0.6, 0.3, 0.1, 0]],
              [[0, 0, 0, 1], [0.3, 0.4, 0.3, 0]], [[0, 0, 0, 1], [0.1, 0.4, 0.5, 0]]]}],
          "decisions": [{"of": "test"}, {"of": "drill", "knowing": ["echo"]}],
          "utilities": [{"name": "cost of the test", "of": ["test"], "table": [0, -10]},
            {"name": "yield", "of": ["oil", "drill"], "table": [[0, -70], [0, 50], [0, 200]]}]}"#,
    );
    let output = json(&place.run(&["decide", "diagram", "oil.json", "--format", "json", "--out", "out"]));
    close(&output["expected_utility"], 22.5, 1e-12);
    let choice = |decision: usize, row: usize| output["policies"][decision]["rows"][row]["choice"].clone();
    assert_eq!(choice(0, 0), "yes");
    let worth = output["information"]
        .as_array()
        .unwrap()
        .iter()
        .find(|own| own["variable"] == "oil" && own["decision"] == "drill");
    close(&worth.unwrap()["value"], 32.5, 1e-12);
    assert!(place.path("out/information.svg").exists());
    let seen =
        json(&place.run(&["decide", "diagram", "oil.json", "--evidence", "oil=soaking", "--format", "json"]));
    close(&seen["expected_utility"], 200.0, 1e-9);
    let text = place.succeed(&["decide", "diagram", "oil.json"]).stdout;
    assert!(text.contains("expected utility 22.50") && text.contains("is worth"), "{text}");
    refused(&place.run(&["decide", "diagram", "oil.json", "--evidence", "oil=blue"]), 2, "--evidence");
    place.write("bad.json", r#"{"variables": [{"name": "a", "states": ["x", "y"]}], "chances": [{"of": "a", "table": [1]}], "decisions": [], "utilities": []}"#);
    refused(&place.run(&["decide", "diagram", "bad.json"]), 1, "table of a: expected 2 numbers");
    place.write("bad.json", "{\"variables\": []");
    refused(&place.run(&["decide", "diagram", "bad.json"]), 1, "bad.json: ");
}

/// The example of the help.
#[test]
fn the_umbrella_of_the_help_is_taken_when_rain_is_forecast() {
    let place = Place::new();
    let help = place.succeed(&["decide", "diagram", "--help"]).stdout;
    let start = help.find("{\"variables\"").unwrap();
    let end = help[start..].find("]}]}").unwrap() + start + 4;
    place.write("umbrella.json", &help[start..end]);
    let output = json(&place.run(&["decide", "diagram", "umbrella.json", "--format", "json"]));
    // Rain is forecast in 0.31 of days: 0.24 70 + 0.07 20 with the umbrella; else 0.63 100 without.
    close(&output["expected_utility"], 0.24 * 70.0 + 0.07 * 20.0 + 0.63 * 100.0, 1e-9);
}

/// A coin chose; the other policy always plays the first arm: the mean of 2 r there.
#[test]
fn a_log_says_what_another_policy_earns() {
    let place = Place::new();
    let mut log = "reward,propensity,target,m,mq\n".to_owned();
    for play in 0..200 {
        let first = play % 2 == 0;
        let reward = u8::from(if first { play % 4 == 0 } else { play % 8 == 1 });
        writeln!(log, "{reward},0.5,{},0.4,0.5", u8::from(first)).unwrap();
    }
    place.write("log.csv", log);
    let run = [
        "decide",
        "off-policy",
        "log.csv",
        "--format",
        "json",
        "--predicted",
        "m",
        "--predicted-target",
        "mq",
    ];
    let output = json(&place.run(&run));
    let value = |method: usize| number(&output["estimates"][method]["value"]);
    assert!(
        (value(0) - 0.5).abs() < 1e-12 && (value(1) - 0.5).abs() < 1e-12 && (value(2) - 0.6).abs() < 1e-12
    );
    close(&output["estimates"][0]["effective_records"], 100.0, 1e-9);
    let text = place.succeed(&["decide", "off-policy", "log.csv", "--out", "out"]).stdout;
    assert!(text.contains("self-normalized") && place.path("out/values.svg").exists(), "{text}");
    place.write("log.csv", "reward,propensity,target\n1,0,1\n");
    refused(&place.run(&["decide", "off-policy", "log.csv"]), 1, "log.csv: line 2: ");
}

/// A machine by hand: v(new) = 8.65 / 0.127 with a discount of 0.9; by two steps 10 + 0.7 10 + 0.3 4.
#[test]
fn a_machine_is_replaced_when_it_is_old() {
    let place = Place::new();
    let rows = "new,run,new,10,0.7\nnew,run,old,10,0.3\nold,run,old,4,1\nold,replace,new,-5,1\n";
    place.write("machine.csv", format!("state,action,next,reward,probability\n{rows}"));
    let solve = |options: &[&str]| {
        let all = [&["decide", "process", "machine.csv", "--format", "json"], options].concat();
        json(&place.run(&all))
    };
    let output = solve(&["--discount", "0.9"]);
    close(&output["states"][0]["value"], 8.65 / 0.127, 1e-9);
    assert_eq!(output["states"][1]["action"], "replace");
    let output = solve(&["--horizon", "2"]);
    close(&output["states"][0]["value"], 18.2, 1e-12);
    close(&output["horizon"]["values"][1][1], 4.0, 1e-12);
    // Costs are the negative of rewards.
    place.write(
        "costs.csv",
        format!(
            "state,action,next,reward,probability\n{}",
            rows.replace(",-5,", ",5,").replace(",10,", ",-10,").replace(",4,", ",-4,")
        ),
    );
    let costs = ["decide", "process", "costs.csv", "--costs", "--discount", "0.9", "--format", "json"];
    close(&json(&place.run(&costs))["states"][0]["value"], -8.65 / 0.127, 1e-9);
    let text =
        place.succeed(&["decide", "process", "machine.csv", "--discount", "0.9", "--out", "out"]).stdout;
    assert!(text.contains("policy iteration") && place.path("out/values.svg").exists(), "{text}");
    refused(&place.run(&["decide", "process", "machine.csv"]), 1, "lead to an end");
    refused(
        &place.run(&["decide", "process", "machine.csv", "--discount", "0.9", "--draws", "10"]),
        2,
        "--draws",
    );
    place.write(
        "machine.csv",
        format!("state,action,next,reward,probability\n{}", rows.replace(",0.7", ",0.6")),
    );
    refused(
        &place.run(&["decide", "process", "machine.csv", "--discount", "0.9"]),
        1,
        "state new, action run",
    );
    let counted = "state,action,next,reward,count\na,go,b,1,7\na,go,a,0,3\nb,back,a,2,5\nb,stay,b,1,9\n";
    place.write("moves.csv", counted);
    let output =
        json(&place.run(&["decide", "process", "moves.csv", "--discount", "0.9", "--format", "json"]));
    let best = &output["states"][1]["actions"][0]["belief"];
    assert!(number(&best["sd"]) > 0.0 && number(&best["best"]) > 0.5, "{output}");
}

/// Two arms whose rewards cross: after each log, the program's probabilities are compared with what is true
/// of the new cases. What is the best with probability p is so in a proportion p of all cases.
#[test]
fn arms_of_cases_are_as_sure_as_they_say() {
    let place = Place::new();
    let mut state = 88_172_645_463_325_252_u64;
    let mut uniform = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut normal = || -> f64 { (0..12).map(|_| uniform()).sum::<f64>() - 6.0 };
    let (mut sure, mut right, mut inside, mut cases) = (0.0, 0.0, 0.0, 0.0);
    let mut unsure = [0.0; 3];
    for _ in 0..60 {
        let truth: Vec<[f64; 3]> =
            (0..2).map(|_| [normal(), normal(), normal()].map(|own| 0.5 * own)).collect();
        let reward = |arm: usize, x: f64, z: f64| truth[arm][0] + truth[arm][1] * x + truth[arm][2] * z;
        let mut log = "arm,reward,x,z\n".to_owned();
        for play in 0..30 {
            let (x, z) = (normal(), normal());
            writeln!(log, "{},{},{x},{z}", ["a", "b"][play % 2], reward(play % 2, x, z) + normal()).unwrap();
        }
        place.write("log.csv", log);
        let points: Vec<[f64; 2]> = (0..20).map(|_| [normal(), normal()]).collect();
        let rows: Vec<String> = points.iter().map(|[x, z]| format!("{x},{z}")).collect();
        place.write("cases.csv", format!("x,z\n{}\n", rows.join("\n")));
        let all =
            ["decide", "contextual", "log.csv", "--cases", "cases.csv", "--level", "0.9", "--format", "json"];
        let output = json(&place.run(&all));
        for (case, [x, z]) in output["cases"].as_array().unwrap().iter().zip(points) {
            let (a, b) = (reward(0, x, z), reward(1, x, z));
            let chosen = usize::from(case["arm"] == "b");
            let p = number(&case["arms"][chosen]["p_best"]);
            let is_best = u8::from(if chosen == 0 { a > b } else { b > a });
            sure += p;
            right += f64::from(is_best);
            if (0.7..0.9).contains(&p) {
                unsure = [unsure[0] + 1.0, unsure[1] + p, unsure[2] + f64::from(is_best)];
            }
            for (arm, truth) in [a, b].into_iter().enumerate() {
                let own = &case["arms"][arm];
                inside += f64::from(u8::from(number(&own["q05"]) <= truth && truth <= number(&own["q95"])));
            }
            cases += 1.0;
        }
    }
    let [found, expected, covered] = [right / cases, sure / cases, inside / (2.0 * cases)];
    assert!((found - expected).abs() < 0.04, "{found} of {expected}");
    assert!((unsure[2] - unsure[1]).abs() < 0.08 * unsure[0], "{unsure:?}");
    assert!((0.87..0.95).contains(&covered), "{covered}");
}

#[test]
fn arms_of_cases_are_written_and_refused() {
    let place = Place::new();
    let mut log = "arm,reward,age,device\n".to_owned();
    for play in 0..60_u32 {
        let (arm, age) = (play % 2, 20 + 7 * play % 40);
        let reward = f64::from(arm * age) / 20.0 + f64::from(play * play % 7) / 10.0;
        writeln!(
            log,
            "{},{reward},{age},{}",
            ["old", "new"][arm as usize],
            ["phone", "desk"][(play / 2 % 2) as usize]
        )
        .unwrap();
    }
    place.write("log.csv", &log);
    place.write("cases.csv", "age,device\n1,phone\n55,desk\n");
    let run = ["decide", "contextual", "log.csv", "--cases", "cases.csv"];
    let text = place.succeed(&[&run[..], &["--out", "out"]].concat()).stdout;
    assert!(text.contains("The best arm of each case earns"), "{text}");
    let rows = String::from_utf8(read(place.path("out/cases.csv"))).unwrap();
    assert!(
        rows.starts_with("row,arm,expected_loss,mean_new,q025_new,q975_new,p_best_new,mean_old"),
        "{rows}"
    );
    assert!(rows.lines().nth(2).unwrap().starts_with("2,new,"), "{rows}");
    let output = json(&place.run(&[&run[..], &["--formula", "~ age", "--format", "json"]].concat()));
    assert_eq!(output["columns"], serde_json::json!(["age"]));
    place.write("cases.csv", "age,device\n30,tablet\n");
    refused(&place.run(&run), 1, "cases.csv: ");
    place.write("cases.csv", "years\n30\n");
    refused(&place.run(&run), 1, "log.csv: ");
    place.write("cases.csv", "age\n30\n");
    place.write("log.csv", "arm,reward,age\na,1,30\nb,1,20\na,2,10\n");
    refused(&place.run(&run), 1, "log.csv: the 2 plays of arm a: fewer than 4");
    place
        .write("log.csv", "arm,reward,age\na,1,30\na,2,10\na,4,20\na,3,50\nb,1,20\nb,3,40\nb,2,25\nb,5,60\n");
    let output = json(&place.run(&[&run[..], &["--format", "json"]].concat()));
    let p = |arm: usize| number(&output["cases"][0]["arms"][arm]["p_best"]);
    assert!((p(0) + p(1) - 1.0).abs() < 1e-12 && p(0) > 0.0 && p(1) > 0.0, "{output}");
    // Without an intercept, a case of nothing earns nothing.
    place.write("cases.csv", "age\n0\n");
    let output = json(&place.run(&[&run[..], &["--formula", "~ age - 1", "--format", "json"]].concat()));
    assert!(number(&output["cases"][0]["arms"][0]["mean"]).abs() < 1e-12, "{output}");
    refused(
        &place.run(&[&run[..], &["--formula", "reward ~ age"]].concat()),
        2,
        "write nothing before the `~`",
    );
    refused(&place.run(&[&run[..], &["--formula", "~ offset(age)"]].concat()), 2, "rewards have no offset");
}
