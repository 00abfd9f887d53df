//! Programs in Stan's language: refused with a place, or printed so that reading and printing change nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_stan::Program;

fuzz_target!(|text: &str| {
    match Program::parse(text) {
        Ok(program) => {
            let printed = program.format();
            // Words of the language as names are read from old programs, and printed as they are.
            let again = Program::parse(&printed).expect("what was printed is read");
            assert_eq!(again.format(), printed);
            assert_eq!(again.comments().count(), program.comments().count());
            let _ = program.check().map(|typed| typed.explain()).map_err(|findings| findings.to_string());
        }
        Err(findings) => assert!(!findings.to_string().is_empty()),
    }
});
