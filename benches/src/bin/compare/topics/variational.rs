//! Variational inferences at K = 50: perplexity by CPU seconds.

use posterior::math::iteration::Silent;
use posterior::topics::lda::collapsed_variational::Order;
use posterior::topics::lda::online::OnlineVariationalBayes;
use posterior::topics::lda::variational::{VariationalBayes, VariationalStart};
use posterior::topics::lda::{Lda, collapsed_variational, online, variational};
use posterior_benches::comparison::{Outcome, figure, print_head, print_row, ratio};
use posterior_benches::peers::Measurements;
use posterior_benches::texts::{Foreign, Texts};
use posterior_benches::timing::{cpu_seconds_of_all_threads, on_one_thread};

use super::{BETA, perplexity};

const TOPICS: usize = 50;
const ALPHA: f64 = 0.2;
/// Passes that are shown.
const SHOWN: [usize; 6] = [1, 2, 3, 6, 10, 20];
const PEERS: [&str; 3] = ["scikit-learn batch", "scikit-learn online", "gensim"];
/// The one whose last perplexity is the goal.
const GOAL: &str = "scikit-learn batch";

/// CPU seconds and perplexity after each pass.
struct Course {
    name: String,
    points: Vec<(usize, f64, f64)>,
}

/// Compares the inferences.
pub(super) fn compare(peers: &Measurements, texts: &Texts) -> Outcome {
    println!(
        "K = {TOPICS}, alpha = {ALPHA}, beta = {BETA}: CPU seconds, and the perplexity then, after passes\n"
    );
    let mut figures = SHOWN.map(|pass| format!("pass {pass}")).to_vec();
    figures.extend([format!("CPU s to {GOAL}'s last"), "passes".to_owned(), "ours / it".to_owned()]);
    print_head(&["inference"], &figures.iter().map(String::as_str).collect::<Vec<_>>());
    let mut goal = None;
    for peer in PEERS {
        let course = course_of_peer(peers, texts, peer)?;
        if peer == GOAL {
            goal = course.points.last().copied();
        }
        if !course.points.is_empty() {
            show(&course, None);
        }
    }
    let goal = goal.map(|(_, seconds, perplexity)| (seconds, perplexity));
    // Some inferences work in the pool that calls them, and some make one of their own: one thread works in
    // either case.
    for course in on_one_thread(|| ours(texts))? {
        show(&course, goal);
    }
    Ok(())
}

fn show(course: &Course, goal: Option<(f64, f64)>) {
    let mut cells = vec![course.name.clone()];
    for pass in SHOWN {
        let point = course.points.iter().find(|point| point.0 == pass);
        cells
            .push(point.map_or(String::new(), |(_, seconds, perplexity)| {
                format!("{seconds:.2} s, {perplexity:.1}")
            }));
    }
    let reached = goal.map(|(theirs, goal)| match course.points.iter().find(|point| point.2 <= goal) {
        Some((pass, seconds, _)) => [figure(*seconds, 2), pass.to_string(), ratio(*seconds, theirs)],
        None => ["not reached", "-", "-"].map(str::to_owned),
    });
    cells.extend(reached.unwrap_or_default());
    print_row(&cells);
}

fn course_of_peer(peers: &Measurements, texts: &Texts, peer: &str) -> Outcome<Course> {
    let mut points = Vec::new();
    for pass in SHOWN {
        if let (Some(seconds), Some(folder)) =
            (peers.of(TOPICS, peer, &format!("pass {pass}")), peers.folder())
        {
            let model = Foreign::read(folder, &format!("{peer}_{TOPICS}_{pass}"), TOPICS, ALPHA)?;
            points.push((pass, seconds, perplexity(&model, texts)?));
        }
    }
    Ok(Course { name: peer.to_owned(), points })
}

/// Times passes, each of which leaves a model; what it costs to score the model does not count.
fn course(
    name: &str,
    texts: &Texts,
    passes: usize,
    mut pass: impl FnMut() -> Outcome<Lda>,
) -> Outcome<Course> {
    let (mut points, mut seconds) = (Vec::new(), 0.0);
    for n in 1..=passes {
        let began = cpu_seconds_of_all_threads();
        let model = pass()?;
        seconds += cpu_seconds_of_all_threads() - began;
        points.push((n, seconds, perplexity(&model, texts)?));
    }
    Ok(Course { name: name.to_owned(), points })
}

/// A course whose points are fits of so many passes each.
fn course_of_fits(name: &str, texts: &Texts, mut fit: impl FnMut(usize) -> Outcome<Lda>) -> Outcome<Course> {
    let point = |&passes: &usize| {
        let began = cpu_seconds_of_all_threads();
        let model = fit(passes)?;
        Ok((passes, cpu_seconds_of_all_threads() - began, perplexity(&model, texts)?))
    };
    Ok(Course { name: name.to_owned(), points: SHOWN.iter().map(point).collect::<Outcome<_>>()? })
}

fn ours(texts: &Texts) -> Outcome<Vec<Course>> {
    let training = &texts.training;
    let mut courses = Vec::new();
    for (name, start) in [
        ("variational, noise", VariationalStart::Noise),
        ("variational, default start", VariationalStart::Collapsed(5)),
    ] {
        let options = variational::LdaVariationalOptions {
            topics: TOPICS,
            alpha: ALPHA.into(),
            beta: BETA,
            ..variational::LdaVariationalOptions::default()
        };
        let options = variational::LdaVariationalOptions { start, ..options };
        let mut state = None;
        courses.push(course(name, texts, 20, || {
            let state = match &mut state {
                Some(state) => state,
                empty => empty.insert(VariationalBayes::new(training, &options)?),
            };
            state.update_topics();
            state.update_documents();
            Ok(state.estimates().0)
        })?);
    }
    for (name, order) in [("CVB0", Order::Zeroth), ("collapsed variational", Order::Second)] {
        courses.push(course_of_fits(name, texts, |passes| {
            let options = collapsed_variational::LdaCollapsedVariationalOptions {
                topics: TOPICS,
                alpha: ALPHA.into(),
                ..collapsed_variational::LdaCollapsedVariationalOptions::default()
            };
            let options = collapsed_variational::LdaCollapsedVariationalOptions {
                beta: BETA,
                order,
                max_iterations: passes,
                tolerance: 0.0,
                threads: 1,
                ..options
            };
            Ok(collapsed_variational::fit(training, &options, &mut Silent)?.model)
        })?);
    }
    let documents: Vec<usize> = (0..training.documents()).collect();
    let batches = documents.chunks(256).map(|batch| training.select(batch)).collect::<Result<Vec<_>, _>>()?;
    let options = online::LdaOnlineOptions {
        topics: TOPICS,
        alpha: ALPHA.into(),
        beta: BETA,
        ..online::LdaOnlineOptions::default()
    };
    let options = online::LdaOnlineOptions { documents: Some(training.documents()), threads: 1, ..options };
    let mut stream = OnlineVariationalBayes::new(training.vocabulary().to_vec(), &options)?;
    courses.push(course("online variational", texts, 6, || {
        for batch in &batches {
            stream.push(batch)?;
        }
        Ok(stream.model())
    })?);
    Ok(courses)
}
