//! Small files of the names that examples use, with columns of the names that they use.

#![expect(clippy::type_complexity, reason = "the type is written once")]

use std::fmt::Write as _;
use std::io::Write as _;

use crate::program::Place;

/// Numbers that look random, from -1 to 1.
fn wave(i: usize, j: usize) -> f64 {
    ((17 * i + 5 * j) as f64 * 0.7).sin()
}

/// A table of so many rows.
fn table(header: &str, rows: usize, row: impl Fn(usize) -> String) -> String {
    (0..rows).fold(format!("{header}\n"), |text, i| text + &row(i) + "\n")
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}

/// Writes what the examples of an area name; what those of all areas name, where it is empty.
pub(super) fn furnish(place: &Place, area: &str) {
    let all: [(&str, fn(&Place)); 18] = [
        ("topics", topics),
        ("net", net),
        ("gp", gp),
        ("cluster", cluster),
        ("compare", compare),
        ("mcmc", mcmc),
        ("regress", regress),
        ("sequence", sequence),
        ("series", series),
        ("hmm", hmm),
        ("bandit", bandit),
        ("decide", decide),
        ("optimize", optimize),
        ("model", model),
        ("pca", pca),
        ("crf", crf),
        ("classify", classify),
        ("dist", dist),
    ];
    for (_, write) in all.iter().filter(|(name, _)| area.is_empty() || *name == area) {
        write(place);
    }
    if area == "gallery" {
        let tagged = "the\tD\t-\ndog\tN\t-\nbarks\tV\t-\n\ndogs\tN\t-\nbark\tV\t-\n\n";
        place.write("texts/sequence/ewt_train.tsv", tagged);
        place.write("texts/sequence/ewt_dev.tsv", tagged);
    }
    if area == "data" {
        place.write("lakes.csv", table("lake,depth", 5, |i| format!("lake {i},{}", 10 + i)));
        // What is packed.
        topics(place);
    }
}

/// Waits, lamps that burn or not, seeds of pots, and what insurances paid above 500.
fn dist(place: &Place) {
    place.write("waits.csv", table("minutes", 30, |i| format!("{}", 3.0 + 2.5 * wave(i, 1))));
    let alight = |i: usize| if i % 4 == 3 { "yes" } else { "no" };
    place.write("lamps.csv", table("hours,alight", 20, |i| format!("{},{}", 20 + 7 * i, alight(i))));
    place.write("pots.csv", table("seeds", 12, |i| format!("{}", 5 + i % 4)));
    place.write("claims.csv", table("paid", 40, |i| format!("{}", 900.0 + 390.0 * wave(i, 2))));
}

/// Words of two themes.
const THEMES: [&str; 2] = ["river stone bridge water", "violin concert melody evening"];

fn topics(place: &Place) {
    let text = |i: usize| format!("{} {}", THEMES[i % 2], THEMES[(i / 2) % 2]);
    for i in 0..30 {
        place.write(&format!("speeches/{i:02}.txt"), text(i));
    }
    place.write("seeds.json", "{\"nature\": [\"river\", \"stone\"], \"music\": {\"violin\": 80}}");
    place.write("new-speeches/one.txt", "A bridge of stone over the water.");
    place.themes();
    place.write("docword.txt.gz", gzip(&crate::program::read(place.path("docword.txt"))));
    let lines = (0..30).map(|i| format!("{{\"body\": \"{}\"}}\n", text(i)));
    place.write("big.jsonl", lines.collect::<String>());
}

/// A network with the names of the ALARM network (Beinlich et al. 1989), and numbers made up here.
const ALARM: &str = "network alarm { }
variable HYPOVOLEMIA { type discrete [ 2 ] { TRUE, FALSE }; }
variable LVFAILURE { type discrete [ 2 ] { TRUE, FALSE }; }
variable HISTORY { type discrete [ 2 ] { TRUE, FALSE }; }
variable CVP { type discrete [ 3 ] { LOW, NORMAL, HIGH }; }
variable PCWP { type discrete [ 3 ] { LOW, NORMAL, HIGH }; }
variable HRBP { type discrete [ 3 ] { LOW, NORMAL, HIGH }; }
probability ( HYPOVOLEMIA ) { table 0.2, 0.8; }
probability ( LVFAILURE ) { table 0.05, 0.95; }
probability ( HISTORY | LVFAILURE ) { (TRUE) 0.9, 0.1; (FALSE) 0.01, 0.99; }
probability ( CVP | HYPOVOLEMIA, LVFAILURE ) {
  (TRUE, TRUE) 0.05, 0.15, 0.8; (TRUE, FALSE) 0.1, 0.3, 0.6; (FALSE, TRUE) 0.2, 0.6, 0.2; (FALSE, FALSE) 0.1, 0.8, 0.1; }
probability ( PCWP | HYPOVOLEMIA, LVFAILURE ) {
  (TRUE, TRUE) 0.05, 0.15, 0.8; (TRUE, FALSE) 0.1, 0.2, 0.7; (FALSE, TRUE) 0.3, 0.5, 0.2; (FALSE, FALSE) 0.1, 0.85, 0.05; }
probability ( HRBP | HYPOVOLEMIA ) { (TRUE) 0.2, 0.3, 0.5; (FALSE) 0.1, 0.8, 0.1; }
";

fn net(place: &Place) {
    place.write("alarm.bif", ALARM);
    place.write("student.bif", include_str!("../../../../../docs/data/student.bif"));
}

fn gp(place: &Place) {
    let row = |i: usize| {
        let (t, a, b) = (2.0 * i as f64, wave(i, 0), wave(i, 1));
        format!("{t},{},{a},{b},{}", (t / 15.0).sin() + 0.1 * wave(i, 2), a * b + 0.1 * wave(i, 3))
    };
    place.write("data.csv", table("t,value,a,b,z", 50, row));
    place.write("places.csv", table("t,a,b", 4, |i| format!("{i},{},0", 0.1 * i as f64)));
    let class = |i: usize| if wave(i, 0) + 0.3 * wave(i, 5) > 0.0 { "yes" } else { "no" };
    place.write(
        "labels.csv",
        table("a,b,class", 20, |i| format!("{},{},{}", wave(i, 0), wave(i, 1), class(i))),
    );
    let month = |i: usize| {
        format!("{}-{:02},{}", 2020 + i / 12, 1 + i % 12, 50.0 + 9.0 * (i as f64 * 0.52).sin() + wave(i, 1))
    };
    place.write("sales.csv", table("month,sold", 36, month));
    place.write(
        "long.csv",
        table("t,value", 300, |i| format!("{i},{}", (i as f64 * 0.9).sin() + 0.2 * wave(i, 0))),
    );
}

/// Three kinds of wine, with the column of kinds under a name.
fn wine(place: &Place, kind: &str) {
    let row = |i: usize| {
        let cells = (0..4).map(|j| (3.0 * ((i + j) % 3) as f64 + wave(i, j)).to_string());
        format!("{},kind {}", cells.collect::<Vec<_>>().join(","), i % 3)
    };
    place.write("wine.csv", table(&format!("acid,sugar,ash,colour,{kind}"), 60, row));
}

/// The embedded irises, and some of their rows as new ones.
fn iris(place: &Place) {
    place.succeed(&["data", "export", "iris", "--out", "."]);
    let iris = std::fs::read_to_string(place.path("iris.csv")).unwrap();
    place.write("new.csv", iris.lines().take(12).collect::<Vec<_>>().join("\n"));
}

fn cluster(place: &Place) {
    iris(place);
    wine(place, "target");
    place.write(
        "galaxies.csv",
        table("velocity", 20, |i| (20.0 + 3.0 * (i % 3) as f64 + wave(i, 0)).to_string()),
    );
}

fn compare(place: &Place) {
    let row = |i: usize| format!("{},{}", wave(i, 0), wave(i, 0).powi(3) + 0.1 * wave(i, 1));
    place.write("old.csv", table("x,y", 40, row));
    place.write("new.csv", table("x,y", 10, |i| row(i + 40)));
}

fn mcmc(place: &Place) {
    place.write("docs/data/chains.csv", include_str!("../../../../../docs/data/chains.csv"));
    place.write("draws.csv", include_str!("../../../../../docs/data/chains.csv"));
    for chain in 1..=4 {
        let row = |i: usize| {
            let (mu, more) = (wave(i, chain), wave(i, chain + 4));
            format!("{},0.9,{mu},{},{}", -mu.powi(2), mu + more, mu - more)
        };
        place.write(&format!("output_{chain}.csv"), table("lp__,accept_stat__,mu,y_rep.1,y_rep.2", 50, row));
    }
    place.write("schools.json", r#"{"J": 2, "y": [28, 8]}"#);
    for (name, part) in [("one_mean.csv", 5), ("two_means.csv", 6)] {
        let row = |i: usize| {
            format!("{},{},{}", 1 + i / 50, -1.0 - wave(i, part).powi(2), -1.5 + 0.1 * wave(i, part + 2))
        };
        place.write(name, table("chain,log_lik[1],log_lik[2]", 100, row));
    }
}

fn pupils(place: &Place) {
    let pupil = |i: usize| {
        let (hours, school, year) = (5.0 + 3.0 * wave(i, 0), i % 6, 2015 + i / 6 % 5);
        let score = 40.0 + 4.0 * hours + 3.0 * wave(school, 1) + 2.0 * wave(year, 2) + 4.0 * wave(i, 3);
        format!("{score},{hours},s{school},{year}")
    };
    place.write("pupils.csv", table("score,hours,school,year", 90, pupil));
    let time =
        |row: usize| format!("{},{},{}", 10 + row * 37 % 90, row / 3, u8::from(!row.is_multiple_of(4)));
    place.write("kidney.csv", table("days,patient,seen", 30, time));
}

fn claims(place: &Place) {
    let claims = |i: usize| format!("{},{},{}", [0, 1, 0, 2, 5, 1][i * i % 6], 20 + i, 0.1 * wave(i, 2));
    place.write("claims.csv", table("claims,age,ln_exposure", 40, claims));
}

fn regress(place: &Place) {
    pupils(place);
    let house = |i: usize| {
        let (area, rooms) = (90.0 + 40.0 * wave(i, 0), 2 + i % 4);
        let (price, site) = (3.0 * area + 20.0 * rooms as f64 + 10.0 * wave(i, 1), ["lake", "hill"][i % 2]);
        format!("{price},{area},{rooms},{},{site}", 10 + i * 7 % 50)
    };
    place.write("data.csv", table("price,area,rooms,age,site", 40, house));
    claims(place);
    iris(place);
    place.write("new.csv", table("area,rooms", 4, |i| format!("{},{}", 60 + 20 * i, 2 + i)));
    let grade = |i: usize| {
        let (gpa, tuce, psi) = (3.0 + 0.5 * wave(i, 0), 20 + i % 9, i % 2);
        format!("{gpa},{tuce},{psi},{}", u8::from(gpa + psi as f64 + wave(i, 3) > 3.6))
    };
    place.write("spector.csv", table("GPA,TUCE,PSI,GRADE", 32, grade));
    let hit = |i: usize| {
        format!("{},{}", 2 + i, -50.0 * (-(i as f64 - 15.0).powi(2) / 40.0).exp() + 9.0 * wave(i, 0))
    };
    place.write("mcycle.csv", table("times,accel", 50, hit));
    let class = |i: usize| if wave(i, 0) * wave(i, 1) + 0.1 * wave(i, 7) > 0.0 { "same" } else { "other" };
    place.write(
        "classes.csv",
        table("a,b,class", 40, |i| format!("{},{},{}", wave(i, 0), wave(i, 1), class(i))),
    );
}

const BOOK: &str = "It was late, and the street was long. \"Shall we go on?\" she asked; nobody said a word. The rain fell, the wind blew, \
and in the dark the dogs of the farm barked at what they could not see. Well, I never said she would come; did you? In the \
morning the river was wide and brown. The bridge, old as the town, stood in the water: nothing moved but the mill.\n";

fn sequence(place: &Place) {
    place.write("book.txt", BOOK.repeat(3));
    place.write("sentences.txt", BOOK.repeat(3).replace(". ", " .\n"));
    place.write("other.txt", BOOK.to_uppercase());
    place.write("letters/a.txt", BOOK);
    place.write("letters/b.txt", BOOK.to_uppercase());
    let turned =
        |c: char| if c.is_ascii_lowercase() { char::from(b'a' + (c as u8 - b'a' + 7) % 26) } else { c };
    place.write("secret.txt", BOOK.to_lowercase().chars().map(turned).collect::<String>());
}

fn series(place: &Place) {
    let season = |i: usize, period: usize| (i as f64 * std::f64::consts::TAU / period as f64).sin();
    let quarter = |i: usize| {
        format!("{}-Q{},{}", 2015 + i / 4, 1 + i % 4, 100.0 + i as f64 + 9.0 * season(i, 4) + wave(i, 0))
    };
    place.write("gas.csv", table("quarter,use", 32, quarter));
    let month = |i: usize| {
        format!("{}-{:02},{}", 2018 + i / 12, 1 + i % 12, 50.0 + i as f64 + 9.0 * season(i, 12) + wave(i, 1))
    };
    place.write("sales.csv", table("month,sold", 96, month));
    let carnival = ["2018-02-10", "2019-03-02", "2020-02-22", "2021-02-13", "2022-02-26", "2026-02-14"];
    place.write("holidays.csv", table("day,name", carnival.len(), |i| format!("{},carnival", carnival[i])));
    let day = |i: usize| {
        let (holiday, price) = (u8::from(i % 9 == 4), 2.0 + wave(i, 1));
        let sold = 20.0 + 4.0 * f64::from(holiday) - 3.0 * price + season(i, 7) + 0.5 * wave(i, 0);
        // Of the last week, nothing is known but the regressors.
        let sold = if i < 63 { sold.to_string() } else { String::new() };
        format!("{i},{sold},{price},{holiday}")
    };
    place.write("shop.csv", table("day,sold,price,holiday", 70, day));
    place.write("this-year.csv", table("month,sold", 6, |i| month(i + 96)));
    place.write(
        "track.csv",
        table("t,x,y", 30, |i| format!("{i},{},{}", 1.2 * i as f64 + wave(i, 0), 5.0 - wave(i, 1))),
    );
    let counts = |t: usize| format!("{t},{}", 3 + t % 4 + t * t % 5);
    place.write("calls.csv", table("week,calls", 40, counts));
    let poll = |t: usize| format!("{t},{},{}", 8 + t * t % 7, 20 + t % 3);
    place.write("polls.csv", table("week,yes,asked", 20, poll));
    place.write(
        "flow.csv",
        table("year,flow", 50, |i| format!("{},{}", 1900 + i, 1000.0 + 150.0 * wave(i, 0))),
    );
}

fn hmm(place: &Place) {
    let calls = |i: usize| [2, 9, 25][i / 10 % 3] + i * 7 % 4;
    place.write("calls.csv", table("calls", 90, |i| calls(i).to_string()));
    place.write("more.csv", table("word,calls", 30, |i| format!("{},{}", i / 10, calls(i))));
    let tagged =
        |i: usize| format!("{},{}", i / 6, [["the", "D"], ["dog", "N"], ["barks", "V"]][i % 3].join(","));
    place.write("tagged.csv", table("sentence,word,tag", 60, tagged));
    let letter = |i: usize| ["a", "b", "o", "t", "e", "n"][i * i % 6];
    place.write("words.csv", table("word,letter", 60, |i| format!("{},{}", i / 6, letter(i))));
}

fn bandit(place: &Place) {
    let row = |i: usize| format!("{},{},{}", ["A", "B"][i % 2], i % 2, u8::from(wave(i, i % 2) > -0.2));
    place.write("plays.csv", table("treatment,day,recovered", 40, row));
}

/// An umbrella, taken or not after a forecast.
const UMBRELLA: &str = r#"{"variables": [{"name": "rain", "states": ["yes", "no"]}, {"name": "forecast", "states": ["rain", "sun"]},
 {"name": "take", "states": ["yes", "no"]}],
 "chances": [{"of": "rain", "table": [0.3, 0.7]}, {"of": "forecast", "given": ["rain"], "table": [[0.8, 0.2], [0.1, 0.9]]}],
 "decisions": [{"of": "take", "knowing": ["forecast"]}],
 "utilities": [{"name": "comfort", "of": ["rain", "take"], "table": [[70, 0], [20, 100]]}]}"#;

fn decide(place: &Place) {
    let row = |i: usize| {
        let (bought, revenue) = (u8::from(wave(i, i % 2) > 0.3), 20.0 + 5.0 * wave(i, 2));
        format!("{},{bought},{revenue},{}", ["old", "new"][i % 2], ["yes", "no"][usize::from(bought)])
    };
    place.write("visits.csv", table("variant,bought,revenue,answer", 60, row));
    place.write("counts.csv", "arm,visitors,bought\nold,1000,52\nnew,1000,71\n");
    place.write("losses.csv", "action,dry,rain\nleave,0,10\ntake,3,1\n");
    place.write("yields.csv", "crop,dry,mild,wet\nwheat,40,60,50\nmillet,55,45,40\n");
    place.write("test.csv", "state,low,high\ndry,0.8,0.2\nmild,0.5,0.5\nwet,0.1,0.9\n");
    place.write("umbrella.json", UMBRELLA);
    place.write(
        "machine.csv",
        "state,action,next,reward,probability\nnew,run,new,10,0.7\nnew,run,old,10,0.3\nold,run,old,4,1\nold,replace,new,-5,1\n",
    );
    place.write(
        "moves.csv",
        "state,action,next,reward,count\na,go,b,1,7\na,go,a,0,3\nb,back,a,2,5\nb,stay,b,1,9\n",
    );
    let row =
        |i: usize| format!("{},0.5,{},0.4,0.5", u8::from(i.is_multiple_of(3)), 0.3 + 0.4 * (i % 2) as f64);
    place.write("log.csv", table("click,p,q,m,mq", 60, row));
    let row = |i: usize| {
        let (age, device) = (20 + 7 * i % 40, ["phone", "desk"][i / 2 % 2]);
        format!("{},{},{age},{device}", ["old", "new"][i % 2], wave(i, 0) + 0.02 * (age * (i % 2)) as f64)
    };
    place.write("plays.csv", table("arm,reward,age,device", 80, row));
    place.write(
        "visitors.csv",
        table("age,device", 30, |i| format!("{},{}", 20 + i, ["phone", "desk"][i % 2])),
    );
}

fn model(place: &Place) {
    pupils(place);
    claims(place);
    let program = |declared: &str| {
        format!(
            "data {{\n  int<lower=0> J;\n  {declared}\n}}\nparameters {{\n  real mu;\n}}\nmodel {{\n  y ~ normal(mu, 1);\n}}\n"
        )
    };
    place.write("schools.stan", program("vector[J] y;"));
    place.write("schools.json", r#"{"J": 4, "y": [28, 8, -3, 7]}"#);
    place.write(
        "predict.stan",
        program("vector[J] y;") + "generated quantities {\n  real next = normal_rng(mu, 1);\n}\n",
    );
    place.write(
        "means.stan",
        "data {\n  int N;\n  vector[N] score;\n  real prior_sd;\n}\nparameters {\n  real mu;\n}\nmodel {\n  mu ~ normal(0, prior_sd);\n  score ~ normal(mu, 1);\n}\n",
    );
    place.write("scores.csv", table("score,other", 12, |i| format!("{},{i}", wave(i, 0))));
    place.write("old.stan", program("array[J] real y;"));
    let scored = |mean: &str| {
        let scores =
            format!("vector[J] log_lik;\n  for (j in 1:J) log_lik[j] = normal_lpdf(y[j] | {mean}, 1);");
        program("vector[J] y;") + &format!("generated quantities {{\n  {scores}\n}}\n")
    };
    place.write("pooled.stan", scored("mu"));
    place.write("apart.stan", scored("mu + 1"));
    place.write(
        "calibrated.stan",
        "data {\n  int N;\n}\ntransformed data {\n  real mu_sim = normal_rng(0, 1);\n  \
         vector[N] y = to_vector(normal_rng(rep_vector(mu_sim, N), 2));\n}\nparameters {\n  real mu;\n}\nmodel {\n  mu ~ normal(0, 1);\n  \
         y ~ normal(mu, 2);\n}\ngenerated quantities {\n  array[1] int lt_sim = {mu < mu_sim};\n}\n",
    );
}

fn optimize(place: &Place) {
    let row = |i: usize| {
        format!("{},{},{},{}", 0.001 * (i + 1) as f64, 1 + i % 8, ["relu", "tanh"][i % 2], wave(i, 0))
    };
    place.write("earlier.csv", table("rate,layers,unit,loss", 6, row));
}

fn pca(place: &Place) {
    wine(place, "cultivar");
    iris(place);
    let answer = |i: usize, j: usize| (wave(i, j % 2) + 0.3 * wave(i, j + 3)).to_string();
    let row = |i: usize| (0..6).map(|j| answer(i, j)).collect::<Vec<_>>().join(",");
    place.write("survey.csv", table("a,b,c,d,e,f", 50, row));
}

fn crf(place: &Place) {
    let mut text = String::new();
    for (noun, verb) in [("dog", "barks"), ("cat", "sleeps"), ("bird", "sings"), ("child", "reads")] {
        for article in ["the", "a"] {
            writeln!(text, "{article} DT B-NP\n{noun} NN I-NP\n{verb} VB B-VP\n. . O\n").unwrap();
            writeln!(text, "they PR B-NP\nsee VB B-VP\n{article} DT B-NP\nold JJ I-NP\n{noun} NN I-NP\n")
                .unwrap();
        }
    }
    for name in ["train.txt", "test.txt", "new.txt"] {
        place.write(name, &text);
    }
    place.write("words.tsv", "the\tD\ndog\tN\nbarks\tV\n\na\tD\ncat\tN\nsleeps\tV\n\n");
    place.write("my.template", "U0:%x[0,0]\nU1:%x[-1,1]/%x[0,1]\nB\n");
    let listed = "D\tw=the\nN\tw=dog\tends:0.5\nV\tw=barks\n\n";
    let word = |i: usize| {
        let (form, tag) = [("the", "DET"), ("dog", "NOUN"), ("barks", "VERB")][i % 3];
        format!("{}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t_\n{}", i % 3 + 1, ["", "", "\n"][i % 3])
    };
    place.write("train.conllu", (0..12).map(word).collect::<String>());
    place.write("train.crfsuite", listed.repeat(3));
    place.write("test.crfsuite", listed);
}

fn classify(place: &Place) {
    let class = |i: usize| ["river", "music"][i % 2];
    let text = |i: usize| format!("{} {}", THEMES[i % 2], ["old", "new", "old water", "evening"][i % 4]);
    place.write("messages.csv", table("class,text", 40, |i| format!("{},{}", class(i), text(i))));
    let tabs = (0..40).map(|i| format!("{}\t{}\n", class(i), text(i)));
    place.write("sms_spam.tsv", tabs.collect::<String>());
    let notes = (0..40).map(|i| {
        format!(
            "{{\"topic\": \"{0}\", \"tags\": \"{0}{1}\", \"body\": \"{2}\"}}\n",
            class(i),
            ["", ";long"][i % 3 / 2],
            text(i)
        )
    });
    place.write("notes.jsonl", notes.collect::<String>());
    iris(place);
    place.write("new.csv", table("class,text", 8, |i| format!("{},{}", class(i), text(i))));
    place.write("new.tsv", (0..8).map(|i| text(i) + "\n").collect::<String>());
}

/// What the table of the README names.
pub(super) fn of_the_readme(place: &Place) {
    for write in [topics, net, mcmc, sequence, crf, dist] {
        write(place);
    }
    place.write("docs/data/student.bif", include_str!("../../../../../docs/data/student.bif"));
    place.write("chains.csv", include_str!("../../../../../docs/data/chains.csv"));
    place.write(
        "a.csv",
        table("chain,log_lik[1],log_lik[2]", 100, |i| {
            format!("{},{},{}", 1 + i / 50, -1.0 - wave(i, 5).powi(2), wave(i, 6))
        }),
    );
    place.write(
        "b.csv",
        table("chain,log_lik[1],log_lik[2]", 100, |i| {
            format!("{},{},{}", 1 + i / 50, -1.2 - wave(i, 7).powi(2), wave(i, 8))
        }),
    );
    let body = |i: usize| format!("{} {}", THEMES[i % 2], ["old", "new", "old water", "evening"][i % 4]);
    let class = |i: usize| ["river", "music"][i % 2];
    place.write("mails.csv", table("body,class", 40, |i| format!("{},{}", body(i), class(i))));
    place.write(
        "nile.csv",
        table("year,flow", 50, |i| format!("{},{}", 1900 + i, 1000.0 + 150.0 * wave(i, 0))),
    );
    pupils(place);
    let grade = |i: usize| u8::from(wave(i, 1) + 0.5 * wave(i, 3) > 0.0);
    let row = |i: usize| format!("{i},{},{}", (i as f64 * 0.9).sin() + 0.2 * wave(i, 0), grade(i));
    place.write("data.csv", table("t,value,grade", 60, row));
    let group = |i: usize| 4.0 * (i % 3) as f64;
    let row = |i: usize| format!("{},{},{}", group(i) + wave(i, 0), group(i) + wave(i, 1), wave(i, 2));
    place.write("rows.csv", table("a,b,c", 60, row));
    place.write("prices.csv", table("price", 60, |i| (100.0 + group(i / 7) + wave(i, 0)).to_string()));
    place.write("history.csv", table("arm,reward", 30, |i| format!("{},{}", ["A", "B"][i % 2], i % 3 % 2)));
}
