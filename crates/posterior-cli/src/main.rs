//! The command line of posterior: `posterior AREA VERB [INPUT] [OPTIONS]`.
//!
//! Results go to stdout, progress and notes to stderr. The exit code is 0 when done, 1 when the data or the
//! model is wrong, 2 for wrong usage, 128 and the number of the signal when interrupted (130 by Ctrl-C).

mod args;
mod atomic_file;
mod bandit;
mod checkpoint_file;
mod classify;
mod cluster;
mod compare;
mod complete_rows;
mod crf;
mod data;
mod decide;
mod dist;
mod failure;
mod folds;
mod gallery;
mod gp;
mod hmm;
mod interrupt;
mod json;
mod level;
mod long_work;
mod mcmc;
mod model;
mod model_file;
mod net;
mod npy;
mod optimize;
mod outcome;
mod output;
mod output_folder;
mod pca;
mod pictures;
mod predictions_file;
mod predictive;
mod rate_counts;
mod regress;
mod report;
mod rows_input;
mod run;
mod scores;
mod sequence;
mod series;
mod text_table;
mod topics;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use args::{
    Area, BanditVerb, ClassifyVerb, Cli, ClusterVerb, CrfVerb, DataVerb, DecideVerb, DistVerb, GpVerb,
    HmmVerb, McmcVerb, ModelVerb, OptimizeVerb, PcaVerb, RegressVerb, SequenceVerb, SeriesVerb, TopicsVerb,
    uses,
};
use failure::Failure;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.tell();
            failure.exit_code()
        }
    }
}

fn run() -> Result<(), Failure> {
    interrupt::listen().map_err(|error| Failure::data(format!("cannot wait for signals: {error}")))?;
    let mut command = uses::described(Cli::command());
    let matches = command.get_matches_mut();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    uses::check(&command, &matches)?;
    match &cli.area {
        None => output::print(&Cli::command().render_long_help().to_string()),
        Some(Area::Compare(args)) => compare::run(args),
        Some(Area::Cluster(ClusterVerb::Fit(args))) => cluster::fit::run(args),
        Some(Area::Cluster(ClusterVerb::Assign(args))) => cluster::assign::run(args),
        Some(Area::Topics(TopicsVerb::Fit(args))) => topics::fit::run(args),
        Some(Area::Topics(TopicsVerb::Infer(args))) => topics::infer::run(args),
        Some(Area::Topics(TopicsVerb::Store(args)) | Area::Data(DataVerb::Pack(args))) => {
            topics::store::run(args)
        }
        Some(Area::Net(verb)) => net::run(verb),
        Some(Area::Dist(DistVerb::Show(args))) => dist::show::run(args),
        Some(Area::Dist(DistVerb::Fit(args))) => dist::fit::run(args),
        Some(Area::Dist(DistVerb::List(args))) => dist::list::run(args),
        Some(Area::Gp(GpVerb::Fit(args))) => gp::fit::run(args),
        Some(Area::Gp(GpVerb::Predict(args))) => gp::predict::run(args),
        Some(Area::Hmm(HmmVerb::Fit(args))) => hmm::fit::run(args),
        Some(Area::Hmm(HmmVerb::Score(args))) => hmm::apply::score(args),
        Some(Area::Hmm(HmmVerb::Decode(args))) => hmm::apply::decode(args),
        Some(Area::Hmm(HmmVerb::Sample(args))) => hmm::apply::sample(args),
        Some(Area::Mcmc(McmcVerb::Diagnose(args))) => mcmc::diagnose::run(args),
        Some(Area::Mcmc(McmcVerb::Compare(args)) | Area::Model(ModelVerb::Compare(args))) => {
            mcmc::compare::run(args)
        }
        Some(Area::Mcmc(McmcVerb::Convert(args))) => mcmc::convert::run(args),
        Some(Area::Regress(RegressVerb::Fit(args))) => regress::fit::run(args),
        Some(Area::Regress(RegressVerb::Predict(args))) => regress::predict::run(args),
        Some(Area::Decide(DecideVerb::Ab(args))) => decide::ab::run(args),
        Some(Area::Decide(DecideVerb::Power(args))) => decide::power::run(args),
        Some(Area::Decide(DecideVerb::Table(args))) => decide::table::run(args),
        Some(Area::Decide(DecideVerb::Diagram(args))) => decide::diagram::run(args),
        Some(Area::Decide(DecideVerb::Process(args))) => decide::process::run(args),
        Some(Area::Decide(DecideVerb::Contextual(args))) => decide::contextual::run(args),
        Some(Area::Decide(DecideVerb::OffPolicy(args))) => decide::off_policy::run(args),
        Some(Area::Optimize(OptimizeVerb::Init(args))) => optimize::init::run(args),
        Some(Area::Optimize(OptimizeVerb::Ask(args))) => optimize::ask::run(args),
        Some(Area::Optimize(OptimizeVerb::Tell(args))) => optimize::tell::run(args),
        Some(Area::Optimize(OptimizeVerb::Show(args))) => optimize::show::run(args),
        Some(Area::Pca(PcaVerb::Fit(args))) => pca::fit::run(args),
        Some(Area::Pca(PcaVerb::Transform(args))) => pca::transform::run(args),
        Some(Area::Sequence(SequenceVerb::Cipher(args))) => sequence::cipher::run(args),
        Some(Area::Sequence(SequenceVerb::Ngram(args))) => sequence::ngram::run(args),
        Some(Area::Sequence(SequenceVerb::Score(args))) => sequence::score::run(args),
        Some(Area::Sequence(SequenceVerb::Punctuation(args))) => sequence::punctuation::run(args),
        Some(Area::Series(SeriesVerb::Smooth(args))) => series::smooth::run(args),
        Some(Area::Series(SeriesVerb::Forecast(args))) => series::forecast::run(args),
        Some(Area::Series(SeriesVerb::Backtest(args))) => series::backtest::run(args),
        Some(Area::Bandit(BanditVerb::Advise(args))) => bandit::advise::run(args),
        Some(Area::Bandit(BanditVerb::Simulate(args))) => bandit::simulate::run(args),
        Some(Area::Crf(CrfVerb::Fit(args))) => crf::fit::run(args),
        Some(Area::Crf(CrfVerb::Tag(args))) => crf::tag::run(args),
        Some(Area::Crf(CrfVerb::Eval(args))) => crf::tag::eval(args),
        Some(Area::Classify(ClassifyVerb::Fit(args))) => classify::fit::run(args),
        Some(Area::Classify(ClassifyVerb::Predict(args))) => classify::predict::run(args),
        Some(Area::Classify(ClassifyVerb::Eval(args))) => classify::fit::eval(args),
        Some(Area::Classify(ClassifyVerb::Update(args))) => classify::update::run(args),
        Some(Area::Model(ModelVerb::Check(args))) => model::check(args),
        Some(Area::Model(ModelVerb::Explain(args))) => model::explain::run(args),
        Some(Area::Model(ModelVerb::Fmt(args))) => model::fmt(args),
        Some(Area::Model(ModelVerb::Write(args))) => model::write::run(args),
        Some(Area::Model(ModelVerb::Sample(args))) => model::sample::run(args),
        Some(Area::Model(ModelVerb::Optimize(args))) => model::optimize::run(args),
        Some(Area::Model(ModelVerb::Laplace(args))) => model::laplace::run(args),
        Some(Area::Model(ModelVerb::Pathfinder(args))) => model::pathfinder::run(args),
        Some(Area::Model(ModelVerb::Variational(args))) => model::variational::run(args),
        Some(Area::Model(ModelVerb::Generate(args))) => model::generate::run(args),
        Some(Area::Model(ModelVerb::Ladder(args))) => model::ladder::run(args),
        Some(Area::Model(ModelVerb::Calibrate(args))) => model::calibrate::run(args),
        Some(Area::Gallery(args)) => gallery::run::run(args),
        Some(Area::Data(DataVerb::List(args))) => data::list(args),
        Some(Area::Data(DataVerb::Export(args))) => data::export(args),
        Some(Area::Data(DataVerb::Show(args))) => data::show::run(args),
    }
}
