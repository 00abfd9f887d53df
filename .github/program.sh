#!/usr/bin/env bash
# Builds the command line for a target, and puts it where the wheel of the Python package takes it from.
set -euo pipefail
target=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
rustup target add "$target"
cargo build --release --locked -p posterior-cli --target "$target" --manifest-path "$root/Cargo.toml" --target-dir "$root/target"
scripts=$root/crates/posterior-python/posterior_rs.data/scripts
mkdir -p "$scripts"
case $target in
    *windows*) cp "$root/target/$target/release/posterior.exe" "$scripts/" ;;
    *) cp "$root/target/$target/release/posterior" "$scripts/" ;;
esac
