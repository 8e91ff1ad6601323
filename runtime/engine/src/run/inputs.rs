//! The inputs of a run: known, present, of their type, within bounds.

use super::{Input, RunError, forms, refusal, told};
use crate::conform;
use crate::failure::Within;
use crate::interp::{Cx, Machine, Place, passed_on};
use crate::json::from_json;
use crate::native::Stop;
use crate::program::Program;
use crate::value::{Fault, Value, brief};
use ntl_plan::Plan;
use smol_str::SmolStr;

/// The values of the plan's inputs, in its order; or all that is wrong with them.
pub(super) fn check(program: &Program, given: &[(String, Input)]) -> Result<Vec<Value>, Vec<RunError>> {
    let plan = &program.plan;
    let mut errors = Vec::new();
    for (name, _) in given {
        if !plan.inputs.iter().any(|i| i.name == *name) {
            errors.push(refusal(plan, unknown(plan, name), None));
        }
    }
    let mut values = Vec::new();
    for input in &plan.inputs {
        // What stands on the command line comes last, and wins.
        let found = given.iter().rev().find(|(name, _)| input.name == *name);
        match value(program, input, found.map(|(_, given)| given)) {
            Ok(value) => values.push(value),
            Err(mut wrong) => errors.append(&mut wrong),
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(errors) }
}

fn value(program: &Program, input: &ntl_plan::Input, given: Option<&Input>) -> Result<Value, Vec<RunError>> {
    let plan = &program.plan;
    let refuse = |fault: Fault| {
        // The fault is in what was given; the place says what was expected.
        vec![refusal(plan, fault, plan.spans.get(input.span.at()).copied())]
    };
    let place = InputPlace(SmolStr::new(format!("{}/{}", plan.workflow, input.name)));
    let cx = Cx { program, place: &place };
    let mut machine = Machine::default();
    let Some(given) = given else {
        return match input.default {
            Some(code) => machine
                .run_to_end(cx, code, std::iter::empty())
                .map_err(|failures| failures.list(plan).iter().map(|f| told(plan, f)).collect()),
            None if conform::takes_null(program, input.ty) => Ok(Value::Null),
            None => Err(refuse(missing(program, input))),
        };
    };
    let converted = machine.convert(cx, |outside| match given {
        Input::Text(text) => conform::input(program, outside, text, input.ty),
        Input::Json(json) => {
            let value = from_json(json);
            Ok(conform::cast(program, outside, &value, input.ty)?.unwrap_or(value))
        }
    });
    let value = converted.map_err(|stop| match stop {
        Stop::Fault(fault) => {
            let fault = match given {
                Input::Text(text) => forms::told(program, &input.name, text, input.ty, fault),
                Input::Json(_) => fault,
            };
            refuse(Fault { message: format!("input `{}`: {}", input.name, fault.message), ..fault })
        }
        Stop::Failed(failed) => match passed_on(failed) {
            Ok(failures) => failures.list(plan).iter().map(|f| told(plan, f)).collect(),
            Err(fault) => refuse(fault),
        },
    })?;
    within_bounds(input, &value).map_err(refuse)?;
    Ok(value)
}

fn within_bounds(input: &ntl_plan::Input, value: &Value) -> Result<(), Fault> {
    let number = match value {
        Value::Int(i) => *i as f64,
        Value::Float(f) => *f,
        _ => return Ok(()),
    };
    let wrong = |bound: f64, what: &str| {
        let bound = if bound.fract() == 0.0 { format!("{bound:.0}") } else { bound.to_string() };
        let message = format!("input `{}`: {} is {what} {bound}", input.name, brief(value, 40));
        Err(Fault::new("invalid", message))
    };
    match (input.min, input.max) {
        (Some(min), _) if number < min => wrong(min, "less than the least,"),
        (_, Some(max)) if number > max => wrong(max, "more than the most,"),
        _ => Ok(()),
    }
}

fn missing(program: &Program, input: &ntl_plan::Input) -> Fault {
    let doc = input.doc.as_deref().and_then(|doc| doc.trim().lines().next());
    let doc = doc.map(|line| format!(": {}", line.trim_end_matches('.'))).unwrap_or_default();
    let ty = conform::type_text(program, input.ty);
    let message = format!("input `{}` is missing; give it as `{}=…` ({ty}{doc})", input.name, input.name);
    Fault::new("invalid", message)
}

fn unknown(plan: &Plan, name: &str) -> Fault {
    let names = || plan.inputs.iter().map(|i| i.name.as_str());
    let nearest =
        names().map(|known| (distance(name, known), known)).min().filter(|(d, _)| *d <= name.len().max(3) / 2);
    let hint = match (nearest, plan.inputs.len()) {
        (Some((_, known)), _) => format!("; did you mean `{known}`?"),
        (None, 0) => format!("; `{}` takes none", plan.workflow),
        (None, _) => format!("; there are {}", names().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")),
    };
    Fault::new("invalid", format!("there is no input `{name}`{hint}"))
}

/// How many characters have to be added, left out, changed or swapped with their neighbour to make one of the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (rows[i][j] + usize::from(x != y)).min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or(0)
}

/// The place of code that runs for an input.
struct InputPlace(SmolStr);

impl Place for InputPlace {
    fn step(&self) -> SmolStr {
        self.0.clone()
    }
    fn key(&self) -> Vec<u64> {
        Vec::new()
    }
    fn within(&self) -> Within {
        Within::default()
    }
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances() {
        for (a, b, far) in
            [("readr", "reader", 1), ("raeder", "reader", 1), ("", "abc", 3), ("abc", "abc", 0), ("größe", "grösse", 2)]
        {
            assert_eq!((distance(a, b), distance(b, a)), (far, far), "{a} {b}");
        }
    }
}
