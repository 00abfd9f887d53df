//! Linear inequalities of inputs, as people write them: `width + 2 depth <= 10`.

use posterior::decision::optimization::LinearConstraint;

use super::input::Input;

/// A term, and what is left of the text.
type Term<'a> = (f64, Option<usize>, &'a str);

/// The constraint that a text says.
pub(super) fn parse(text: &str, inputs: &[Input]) -> Result<LinearConstraint, String> {
    let (left, right, sign) = if let Some((left, right)) = text.split_once("<=") {
        (left, right, 1.0)
    } else if let Some((left, right)) = text.split_once(">=") {
        (left, right, -1.0)
    } else {
        return Err("expected an inequality with <= or >=".to_owned());
    };
    let mut constraint = LinearConstraint { coefficients: vec![0.0; inputs.len()], bound: 0.0 };
    for (side, sign) in [(left, sign), (right, -sign)] {
        let mut rest = side.trim();
        if rest.is_empty() {
            return Err("expected a sum of numbers and inputs on both sides".to_owned());
        }
        let mut first = true;
        while !rest.is_empty() {
            let (factor, input, after) = term(rest, inputs, first)?;
            match input {
                Some(input) => constraint.coefficients[input] += sign * factor,
                None => constraint.bound -= sign * factor,
            }
            (rest, first) = (after, false);
        }
    }
    if constraint.coefficients.iter().all(|&own| own == 0.0) {
        return Err("no input is left in it".to_owned());
    }
    Ok(constraint)
}

/// A sign, a number and an input: one of the last two at least.
fn term<'a>(text: &'a str, inputs: &[Input], first: bool) -> Result<Term<'a>, String> {
    let mut rest = text.trim_start();
    let mut factor = 1.0;
    if let Some(after) = rest.strip_prefix('-') {
        (factor, rest) = (-1.0, after.trim_start());
    } else if let Some(after) = rest.strip_prefix('+') {
        rest = after.trim_start();
    } else if !first {
        return Err(format!("expected + or - before {rest:?}"));
    }
    let longest = |text: &str| {
        let all = inputs.iter().enumerate().filter(|(_, input)| begins(text, &input.name));
        all.max_by_key(|(_, input)| input.name.len()).map(|(place, _)| place)
    };
    let mut number = false;
    if longest(rest).is_none() {
        let length = number_length(rest);
        if length > 0 {
            let size: f64 =
                rest[..length].parse().map_err(|_| format!("no number: {:?}", &rest[..length]))?;
            (factor, number) = (factor * size, true);
            rest = rest[length..].trim_start();
            rest = rest.strip_prefix('*').map_or(rest, str::trim_start);
        }
    }
    match longest(rest) {
        Some(input) if !inputs[input].is_number() => {
            Err(format!("{} has words, not numbers", inputs[input].name))
        }
        Some(input) => Ok((factor, Some(input), rest[inputs[input].name.len()..].trim_start())),
        None if number => Ok((factor, None, rest)),
        None => {
            let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
            Err(format!("expected a number or one of {} at {rest:?}", names.join(", ")))
        }
    }
}

/// Whether a text begins with a name, and not with a longer word.
fn begins(text: &str, name: &str) -> bool {
    let after = text.strip_prefix(name).map(|rest| rest.chars().next());
    after.is_some_and(|next| next.is_none_or(|next| !(next.is_alphanumeric() || next == '_')))
}

/// How long the number is with which a text begins.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1);
    }
    if end > 0 && matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = if end + 1 + sign <= bytes.len() { digits(end + 1 + sign) } else { 0 };
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs() -> Vec<Input> {
        ["x=0:1", "x2=0:1", "depth=integer:1:9", "kind=a,b"].map(|text| Input::parse(text).unwrap()).to_vec()
    }

    fn parsed(text: &str) -> Result<(Vec<f64>, f64), String> {
        parse(text, &inputs()).map(|own| (own.coefficients, own.bound))
    }

    #[test]
    fn inequalities_read_as_people_write_them() {
        assert_eq!(parsed("x + 2 depth <= 10"), Ok((vec![1.0, 0.0, 2.0, 0.0], 10.0)));
        assert_eq!(parsed("2*x2 - x >= 1e-3"), Ok((vec![1.0, -2.0, 0.0, 0.0], -1e-3)));
        assert_eq!(parsed("x <= x2"), Ok((vec![1.0, -1.0, 0.0, 0.0], 0.0)));
        assert_eq!(parsed("-.5x2+3<=1+depth"), Ok((vec![0.0, -0.5, -1.0, 0.0], -2.0)));
        assert_eq!(parsed("1 <= 2.5e0 x"), Ok((vec![-2.5, 0.0, 0.0, 0.0], -1.0)));
    }

    #[test]
    fn what_is_none_is_refused_with_its_reason() {
        for (text, reason) in [
            ("x + 1", "<= or >="),
            ("x x2 <= 1", "expected + or -"),
            ("x <= ", "both sides"),
            ("kind <= 1", "has words"),
            ("width <= 1", "one of x, x2, depth, kind"),
            ("x <= x", "no input is left"),
            ("x < 1", "<= or >="),
            ("2 + <= x", "expected a number"),
        ] {
            let refused = parsed(text).unwrap_err();
            assert!(refused.contains(reason), "{text}: {refused}");
        }
    }
}
