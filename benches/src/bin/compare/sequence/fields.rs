//! Linear-chain conditional random fields.

use posterior::math::iteration::{Fitted, Silent};
use posterior::sequence::crf::{
    ConditionalRandomField, Dataset, FeatureOptions, Features, TrainingOptions, WeightChoice, fit,
};
use posterior::text::columns::AttributeLists;
use posterior_benches::comparison::{Outcome, Settings, figure, print_head, print_row, ratio};
use posterior_benches::labels::{Labels, fill};
use posterior_benches::peers::Measurements;
use posterior_benches::timing::{cpu_seconds, elapsed_seconds, least, on_one_thread};

use super::{RUNS, line};

/// Steps of training.
const STEPS: usize = 50;

/// The tables.
pub(super) fn compare(peers: &Measurements, settings: &Settings) -> Outcome {
    let labels = match peers.folder() {
        Some(folder) => Labels::read(folder)?,
        None => Labels::generate(settings.size(5000, 200), settings.size(1000, 50)),
    };
    let data = fill(Dataset::new(), &labels.train)?;
    println!(
        "CPU seconds; train: {STEPS} steps of L-BFGS on {} positions, all in one thread; tag: {} positions; value: the objective, or the \
         proportion of right labels\n",
        data.tokens(),
        labels.test.iter().map(|own| own.labels.len()).sum::<usize>()
    );
    let figures = ["sequences", "posterior", "CRFsuite", "ours / CRFsuite", "value", "CRFsuite's"];
    print_head(&["task"], &figures);
    let mut elapsed = Vec::new();
    for (name, choice) in [("observed", WeightChoice::Observed), ("all", WeightChoice::All)] {
        let options = FeatureOptions { states: choice, transitions: choice, ..FeatureOptions::default() };
        measure(name, &data, options, &labels.test, peers)?;
        elapsed.push((name, seconds_of_threads(&data, options)?));
    }
    let figures = ["one thread", "two threads", "two / one"];
    println!("\nSeconds that pass in training\n");
    print_head(&["weights"], &figures);
    for (name, [one, two]) in elapsed {
        print_row(&[name.to_owned(), figure(one, 4), figure(two, 4), ratio(two, one)]);
    }
    Ok(())
}

fn learn(data: &Dataset, options: FeatureOptions) -> Outcome<Fitted<ConditionalRandomField>> {
    let features = Features::select(data, &options)?;
    let training =
        TrainingOptions { gradient_tolerance: 0.0, max_iterations: STEPS, ..TrainingOptions::default() };
    Ok(fit(data, features, &training, &mut Silent)?)
}

fn measure(
    name: &str,
    data: &Dataset,
    options: FeatureOptions,
    test: &[AttributeLists],
    peers: &Measurements,
) -> Outcome {
    let line = |what: &str, measured: (f64, f64)| {
        line(peers, "crfsuite", data.len(), &format!("{what} {name}"), measured);
    };
    on_one_thread(|| {
        let (seconds, fitted) = least(RUNS, cpu_seconds, || learn(data, options))?;
        let reached = fitted.report.trace.get(STEPS).ok_or("training ended early")?;
        line("train", (seconds, *reached));
        line("tag", least(RUNS, cpu_seconds, || proportion_right(&fitted.model, test))?);
        Ok(())
    })
}

/// The proportion of labels that the model gets right, from the names of attributes to the names of labels.
fn proportion_right(model: &ConditionalRandomField, test: &[AttributeLists]) -> Outcome<f64> {
    let (mut right, mut all) = (0, 0);
    for own in test {
        let mut sequence = model.sequence();
        for attributes in &own.attributes {
            sequence.token(attributes.iter().map(|own| (own.name.as_str(), own.value)))?;
        }
        let output = model.tag(&sequence.finish());
        let names = output.states.iter().map(|&label| model.vocabulary().labels().name(label));
        right += names.zip(&own.labels).filter(|(output, truth)| *output == Some(truth.as_str())).count();
        all += own.labels.len();
    }
    Ok(right as f64 / all as f64)
}

/// The fewest seconds in which one thread learns, and two.
fn seconds_of_threads(data: &Dataset, options: FeatureOptions) -> Outcome<[f64; 2]> {
    let mut seconds = [0.0; 2];
    for (seconds, threads) in seconds.iter_mut().zip(1..) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        *seconds = pool.install(|| least(RUNS, elapsed_seconds, || learn(data, options)))?.0;
    }
    Ok(seconds)
}
