//! `cargo xtask api [--check]`: what is public, as one text file for each crate, so that a change of it is
//! seen in review.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Outcome, cargo};

/// The toolchain whose rustdoc writes what `cargo public-api` reads.
const TOOLCHAIN: &str = "+nightly";

/// Writes `docs/api/CRATE.txt`, or compares the files with what is public now.
///
/// Without the toolchain or the tool the comparison is skipped, and says so: it is no part of
/// `cargo xtask ci`.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => return Err("usage: cargo xtask api [--check]".to_owned()),
    };
    if let Some(missing) = missing() {
        return if check {
            println!("api: skipped: {missing}");
            Ok(())
        } else {
            Err(missing)
        };
    }
    let folder = cargo::root().join("docs/api");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut changed = Vec::new();
    for (home, name) in cargo::published()? {
        if !home.join("src/lib.rs").is_file() {
            continue;
        }
        let now = listing(&name)?;
        let path = folder.join(format!("{name}.txt"));
        let before = fs::read_to_string(&path).unwrap_or_default();
        println!("{name}: {} public items", now.lines().count());
        if before != now {
            changed.push(name);
            if !check {
                write(&path, &now)?;
            }
        }
    }
    match changed.as_slice() {
        [] => println!("api: docs/api is up to date"),
        names if check => {
            return Err(format!(
                "docs/api is not what is public in {}; run `cargo xtask api`",
                names.join(", ")
            ));
        }
        names => println!("api: wrote {}", names.join(", ")),
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Outcome {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// What is not installed, and how to install it.
fn missing() -> Option<String> {
    let works = |arguments: &[&str]| {
        let status =
            Command::new("cargo").args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    if !works(&[TOOLCHAIN, "--version"]) {
        return Some("no nightly toolchain\nhint: rustup toolchain install nightly".to_owned());
    }
    if !works(&["public-api", "--version"]) {
        return Some(
            "cargo-public-api is not installed\nhint: cargo install cargo-public-api --locked".to_owned(),
        );
    }
    None
}

/// The public items of a crate with all its features, without what every type has by derive, blanket or
/// automatic impls.
fn listing(name: &str) -> Result<String, String> {
    let output = Command::new("cargo")
        .args([TOOLCHAIN, "public-api", "-p", name, "--all-features", "-sss", "--color", "never"])
        .current_dir(cargo::root())
        .env_remove("RUSTUP_TOOLCHAIN")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo public-api did not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo public-api -p {name} failed ({})", output.status));
    }
    let text =
        String::from_utf8(output.stdout).map_err(|error| format!("cargo public-api -p {name}: {error}"))?;
    Ok(without_trait_items(&text))
}

/// The listing with one line for all traits that a type implements, and without the items of these traits:
/// they are listed with the trait.
fn without_trait_items(listing: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    // The type whose traits the last line lists, and the beginning of the names of its items.
    let mut implementing: Option<(String, String)> = None;
    for line in listing.lines() {
        if let Some((traits, of)) = line.strip_prefix("impl").and_then(|rest| rest.split_once(" for ")) {
            let name = traits.rsplit(' ').next().unwrap_or_default();
            let name = name.split('<').next().unwrap_or_default().rsplit("::").next().unwrap_or_default();
            match (&implementing, lines.last_mut()) {
                (Some((own, _)), Some(last)) if own == of => *last = format!("{last}, {name}"),
                _ => lines.push(format!("impl for {of}: {name}")),
            }
            let path = of.split([' ', '<']).next().unwrap_or_default();
            implementing = Some((of.to_owned(), format!(" {path}")));
            continue;
        }
        let is_item = |(_, path): &(String, String)| {
            let kinds = ["pub const fn", "pub fn", "pub type", "pub const"];
            let item = kinds.iter().find_map(|kind| line.strip_prefix(kind)?.strip_prefix(path.as_str()));
            item.is_some_and(|item| item.starts_with(['<', ':']))
        };
        if implementing.as_ref().is_some_and(is_item) {
            continue;
        }
        implementing = None;
        lines.push(line.to_owned());
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits_of_a_type_are_one_line_and_their_items_none() {
        let listing = "pub struct a::B\nimpl a::B\npub const fn a::B::new() -> Self\nimpl a::Density for a::B\n\
                       pub type a::B::Point = f64\npub fn a::B::ln_pdf(&self, &f64) -> f64\n\
                       impl<T> core::convert::From<T> for a::B\npub fn a::B::from(T) -> Self\n\
                       pub struct a::C\npub fn a::free() -> a::B\n";
        let expected = "pub struct a::B\nimpl a::B\npub const fn a::B::new() -> Self\n\
                        impl for a::B: Density, From\npub struct a::C\npub fn a::free() -> a::B\n";
        assert_eq!(without_trait_items(listing), expected);
    }
}
