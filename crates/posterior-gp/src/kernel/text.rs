//! Kernels from texts: expressions as they are printed.

use std::str::FromStr;

use posterior_dist::text::{Arguments, Call, Form, TextError, Value};
use posterior_math::ParamError;

use super::{FeatureFunctions, Kernel};

/// A kernel that an expression can name.
#[derive(Debug, Clone, Copy)]
pub struct KernelEntry {
    /// Its name.
    pub name: &'static str,
    /// The names of its arguments, in order.
    pub arguments: &'static [&'static str],
    /// How many of them must be given.
    pub required: usize,
    /// What its functions are like.
    pub summary: &'static str,
    read: fn(&Arguments<'_>) -> Result<Kernel, TextError>,
}

impl KernelEntry {
    /// `rational_quadratic([length_scale], [alpha])`, with brackets around what may be left out.
    pub fn signature(&self) -> String {
        let argument = |(i, name): (usize, &&str)| {
            if i < self.required { (*name).to_owned() } else { format!("[{name}]") }
        };
        let arguments: Vec<String> = self.arguments.iter().enumerate().map(argument).collect();
        format!("{}({})", self.name, arguments.join(", "))
    }
}

/// A row of the table.
const fn entry(
    name: &'static str,
    arguments: &'static [&'static str],
    required: usize,
    summary: &'static str,
    read: fn(&Arguments<'_>) -> Result<Kernel, TextError>,
) -> KernelEntry {
    KernelEntry { name, arguments, required, summary, read }
}

/// Of polynomials that a text may ask for: a place has a number for each power.
const HIGHEST_DEGREE: u32 = 1000;

const LENGTH_SCALE: &[&str] = &["length_scale"];

/// Every kernel that an expression can name, by name.
pub const KERNELS: &[KernelEntry] = &[
    entry(
        "arc_cosine",
        &["order", "bias"],
        1,
        "infinitely many steps, rectified linear or quadratic units",
        |a| a.checked(Kernel::arc_cosine(count(a, 0)?, a.number_or(1, 1.0)?)),
    ),
    entry("bells", &["centres", "width"], 2, "a sum of bells", |a| {
        Ok(Kernel::features(a.checked(FeatureFunctions::bells(&a.numbers(0)?, a.number(1)?))?))
    }),
    entry(
        "change_point",
        &["before", "after", "location", "width"],
        4,
        "one kernel before, another after",
        |a| {
            let (before, after) = (expression(a.value(0)?)?, expression(a.value(1)?)?);
            a.checked(Kernel::change_point(before, after, a.number(2)?, a.number(3)?))
        },
    ),
    entry("constant", &["variance"], 0, "constants", |a| a.checked(Kernel::constant(a.number_or(0, 1.0)?))),
    entry("cosine", &["period"], 0, "sines of one period", |a| {
        a.checked(Kernel::cosine(a.number_or(0, 1.0)?))
    }),
    entry("cubic_spline", &[], 0, "the integral of a Wiener process", |_| Ok(Kernel::integrated_wiener())),
    entry("fix", &["kernel"], 1, "a kernel that fits leave as it is", |a| {
        Ok(expression(a.value(0)?)?.fixed())
    }),
    entry("fourier", &["period", "count"], 2, "a finite Fourier series", |a| {
        Ok(Kernel::features(a.checked(FeatureFunctions::fourier(a.number(0)?, count(a, 1)?))?))
    }),
    entry("integrated_wiener", &[], 0, "the integral of a Wiener process", |_| {
        Ok(Kernel::integrated_wiener())
    }),
    entry("linear", &["variance"], 0, "straight lines through the origin", |a| {
        if a.has(0) { a.checked(Kernel::linear_ard(&a.numbers(0)?)) } else { Ok(Kernel::linear()) }
    }),
    entry("matern", &["nu", "length_scale"], 1, "derivatives of orders below nu", |a| {
        let order = a.number(0)?;
        scaled_by(a, 1, |scale| Kernel::matern(order, scale), |scales| Kernel::matern_ard(order, scales))
    }),
    entry("matern12", LENGTH_SCALE, 0, "continuous functions", |a| {
        scaled_by(a, 0, Kernel::matern12, Kernel::matern12_ard)
    }),
    entry("matern32", LENGTH_SCALE, 0, "functions with a derivative", |a| {
        scaled_by(a, 0, Kernel::matern32, Kernel::matern32_ard)
    }),
    entry("matern52", LENGTH_SCALE, 0, "functions with two derivatives", |a| {
        scaled_by(a, 0, Kernel::matern52, Kernel::matern52_ard)
    }),
    entry("monomials", &["degree"], 1, "a polynomial", |a| {
        let degree = count(a, 0)?;
        if degree > HIGHEST_DEGREE {
            return Err(TextError::expected(a.column(0), "a degree of at most 1000", &degree.to_string()));
        }
        Ok(Kernel::features(FeatureFunctions::monomials(degree)))
    }),
    entry("neural_network", &["weight", "bias"], 0, "infinitely many sigmoid units", |a| {
        a.checked(Kernel::neural_network(a.number_or(0, 1.0)?, a.number_or(1, 1.0)?))
    }),
    entry("on", &["kernel", "coordinates"], 2, "a kernel of some coordinates, counted from 0", |a| {
        let mut coordinates = Vec::new();
        for coordinate in a.numbers(1)? {
            coordinates.push(whole(coordinate, a.column(1))? as usize);
        }
        a.checked(expression(a.value(0)?)?.on(&coordinates))
    }),
    entry("periodic", &["length_scale", "period"], 0, "functions that repeat themselves", |a| {
        a.checked(Kernel::periodic(a.number_or(0, 1.0)?, a.number_or(1, 1.0)?))
    }),
    entry("polynomial", &["degree", "offset"], 1, "polynomials", |a| {
        a.checked(Kernel::polynomial(count(a, 0)?, a.number_or(1, 1.0)?))
    }),
    entry(
        "rational_quadratic",
        &["length_scale", "alpha"],
        0,
        "smooth functions of many length scales",
        |a| {
            let alpha = a.number_or(1, 1.0)?;
            let one = |scale| Kernel::rational_quadratic(scale, alpha);
            scaled_by(a, 0, one, |scales| Kernel::rational_quadratic_ard(scales, alpha))
        },
    ),
    entry("rbf", LENGTH_SCALE, 0, "smooth functions", |a| scaled_by(a, 0, Kernel::rbf, Kernel::rbf_ard)),
    entry("rectifiers", &["centres"], 1, "a sum of rectified lines", |a| {
        Ok(Kernel::features(a.checked(FeatureFunctions::rectifiers(&a.numbers(0)?))?))
    }),
    entry("relu", &["bias"], 0, "infinitely many rectified linear units", |a| {
        a.checked(Kernel::relu(a.number_or(0, 1.0)?))
    }),
    entry("sigmoids", &["centres", "width"], 2, "a sum of sigmoids", |a| {
        Ok(Kernel::features(a.checked(FeatureFunctions::sigmoids(&a.numbers(0)?, a.number(1)?))?))
    }),
    entry(
        "spectral_mixture",
        &["weights", "means", "variances"],
        3,
        "stationary functions by their spectrum",
        |a| a.checked(Kernel::spectral_mixture(&a.numbers(0)?, &a.numbers(1)?, &a.numbers(2)?)),
    ),
    entry("steps", &["centres"], 1, "a sum of steps", |a| {
        Ok(Kernel::features(a.checked(FeatureFunctions::steps(&a.numbers(0)?))?))
    }),
    entry("white", &[], 0, "independent values", |_| Ok(Kernel::white())),
    entry("wiener", &[], 0, "a random walk from time 0", |_| Ok(Kernel::wiener())),
];

/// A kernel with one length scale, or with a list of them.
fn scaled_by(
    arguments: &Arguments<'_>,
    index: usize,
    one: impl Fn(f64) -> Result<Kernel, ParamError>,
    each: impl Fn(&[f64]) -> Result<Kernel, ParamError>,
) -> Result<Kernel, TextError> {
    if arguments.has(index) && matches!(arguments.value(index)?.form, Form::List(_)) {
        arguments.checked(each(&arguments.numbers(index)?))
    } else {
        arguments.checked(one(arguments.number_or(index, 1.0)?))
    }
}

fn count(arguments: &Arguments<'_>, index: usize) -> Result<u32, TextError> {
    whole(arguments.number(index)?, arguments.column(index))
}

/// A number that counts.
fn whole(number: f64, column: usize) -> Result<u32, TextError> {
    if number >= 0.0 && number <= f64::from(u32::MAX) && number.fract() == 0.0 {
        Ok(number as u32)
    } else {
        Err(TextError::expected(column, "a whole number that is not negative", &number.to_string()))
    }
}

/// The kernel that an expression is.
fn expression(value: &Value) -> Result<Kernel, TextError> {
    match &value.form {
        Form::Distribution(call) => named(call),
        Form::Sum(terms) => joined(terms, |sum, term| sum + term),
        Form::Product(factors) => product(factors),
        other => Err(TextError::expected(value.column, "a kernel", other.kind())),
    }
}

fn named(call: &Call) -> Result<Kernel, TextError> {
    let Some(entry) = KERNELS.iter().find(|entry| entry.name == call.name) else {
        let names: Vec<&str> = KERNELS.iter().map(|entry| entry.name).collect();
        let message = format!("there is no kernel {:?}", call.name);
        return Err(TextError::unknown(call.column, message, &call.name, &names));
    };
    (entry.read)(&Arguments::with_optional(call, entry.arguments, entry.required)?)
}

fn joined(parts: &[Value], join: impl Fn(Kernel, Kernel) -> Kernel) -> Result<Kernel, TextError> {
    let mut kernels = parts.iter().map(expression);
    let first = kernels.next().unwrap_or_else(|| Err(TextError::new(0, "an empty expression")))?;
    kernels.try_fold(first, |all, next| Ok(join(all, next?)))
}

/// Numbers in a product at most: each is a kernel around the one before, and a text must not decide how deep
/// the stack goes.
const MOST_NUMBERS: usize = 16;

/// Factors that are numbers are variances.
fn product(factors: &[Value]) -> Result<Kernel, TextError> {
    let (numbers, kernels): (Vec<Value>, Vec<Value>) =
        factors.iter().cloned().partition(|value| matches!(value.form, Form::Number(_)));
    if kernels.is_empty() {
        let column = factors.first().map_or(0, |value| value.column);
        return Err(TextError::expected(column, "a kernel", "numbers only"));
    }
    if let Some(value) = numbers.get(MOST_NUMBERS) {
        return Err(TextError::new(value.column, format!("more than {MOST_NUMBERS} numbers in a product")));
    }
    let mut product = joined(&kernels, |product, factor| product * factor)?;
    for value in numbers.iter().rev() {
        if let Form::Number(variance) = value.form {
            product =
                product.scaled(variance).map_err(|error| TextError::of_parameter(value.column, error))?;
        }
    }
    Ok(product)
}

impl FromStr for Kernel {
    type Err = TextError;

    /// Reads an expression: sums and products of calls and of numbers, which are variances, with parentheses.
    ///
    /// Arguments go by place or by name; a list of length scales is one for each coordinate. [`KERNELS`] are
    /// the names.
    ///
    /// ```
    /// use posterior_gp::Kernel;
    ///
    /// let kernel: Kernel = "rbf(1.0)*periodic(1.0, 0.5) + 2*matern32(length_scale = 10) + linear()".parse()?;
    /// assert_eq!(kernel.to_string(), "rbf(1)*periodic(1, 0.5) + 2*matern32(10) + linear()");
    ///
    /// let error = "rbf(1) + matren32(2)".parse::<Kernel>().unwrap_err();
    /// assert_eq!(error.to_string(), "column 10: there is no kernel \"matren32\"; did you mean \"matern32\"?");
    /// # Ok::<(), posterior_dist::text::TextError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, TextError> {
        expression(&text.parse()?)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Kernel {
    /// As the expression. An expression that could not be read back is an error that names it: one of
    /// [closures](Kernel::custom), of [texts](Kernel::texts), or of a covariance of your own.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.to_string();
        let refused = |reason: String| {
            let message =
                format!("the kernel {text} cannot be written, because it could not be read: {reason}");
            Err(serde::ser::Error::custom(message))
        };
        if let Some(name) = self.function_name() {
            return refused(format!("{name:?} is a function in Rust"));
        }
        match text.parse::<Self>() {
            Ok(read) if read == *self => serializer.serialize_str(&text),
            Ok(read) => refused(format!("it would become {read}")),
            Err(error) => refused(error.to_string()),
        }
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Kernel {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
