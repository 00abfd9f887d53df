//! Processes that are killed, and runs that go on with other numbers of them.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::{FIT, TO_END, ended, files, mpirun, place, printed, succeed};

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// The parent of a process, unless that has ended.
fn parent(name: &str) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{name}/stat")).ok()?;
    // The fields follow the name, which ends with a parenthesis.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let ended = matches!(fields.next()?, "Z" | "X");
    fields.next()?.parse().ok().filter(|_| !ended)
}

/// The processes that another one has started.
fn children(of: u32) -> Vec<u32> {
    let names = fs::read_dir("/proc").unwrap().flatten().map(|own| own.file_name());
    let is_child = |name: &str| parent(name) == Some(of);
    names.filter_map(|name| name.to_str().filter(|name| is_child(name))?.parse().ok()).collect()
}

fn kill(process: u32) {
    // It may have ended by itself.
    let _ = Command::new("kill").args(["-9", &process.to_string()]).status().unwrap();
}

/// Kills one process of a run, or its starter, at random moments so many times, and goes on from what is
/// saved with another number of processes each time.
fn kill_and_go_on(wanted: usize) {
    let folder = place();
    let place = folder.path();
    let fit = FIT.replace("--iterations 40", "--iterations 60");
    let begun = Instant::now();
    succeed(place, 2, &format!("{fit} --out whole"));
    // Checkpoints take more than the sweeps themselves.
    let longest = 2 * begun.elapsed().as_millis() as u64;
    let saving = format!("{fit} --checkpoint saved --checkpoint-every 0 --out out");
    let (mut kills, mut numbers) = (0, Numbers(7));
    for ranks in [3, 1, 4, 2, 8].into_iter().cycle() {
        if kills == wanted {
            break;
        }
        let resumed = if place.join("saved/commit.json").exists() { " --resume saved" } else { "" };
        let mut run = mpirun(place, ranks, &format!("{saving}{resumed}")).spawn().unwrap();
        let until = Instant::now() + Duration::from_millis(numbers.below(longest));
        let mut is_over = false;
        while !is_over && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
            is_over = run.try_wait().unwrap().is_some();
        }
        let all = children(run.id());
        if is_over {
            // Another fit, to be killed again.
            assert!(run.wait().unwrap().success(), "{}", printed(place, "stderr"));
            assert!(files(&place.join("out")) == files(&place.join("whole")), "after {kills} kills");
            fs::remove_dir_all(place.join("saved")).unwrap();
            continue;
        }
        let victim = numbers.below(all.len() as u64 + 1) as usize;
        kill(all.get(victim).copied().unwrap_or(run.id()));
        kills += 1;
        ended(&mut run, TO_END);
        // Processes whose starter was killed end by themselves.
        let until = Instant::now() + Duration::from_secs(TO_END);
        while all.iter().any(|own| parent(&own.to_string()).is_some()) {
            assert!(Instant::now() < until, "processes are left over");
            thread::sleep(Duration::from_millis(5));
        }
    }
    let resumed = if place.join("saved/commit.json").exists() { " --resume saved" } else { "" };
    succeed(place, 3, &format!("{fit} --out out{resumed}"));
    assert!(files(&place.join("out")) == files(&place.join("whole")), "after {kills} kills");
}

#[test]
fn a_run_that_is_killed_goes_on_with_any_number_of_processes() {
    kill_and_go_on(15);
}

#[test]
#[ignore = "slow: two minutes"]
fn a_run_that_is_killed_a_hundred_times_goes_on() {
    kill_and_go_on(100);
}
