//! Natives at their edges, through the table that the engine is handed: arguments and results as JSON, a failure as its
//! code. What is usual stands in the examples of the declarations, which a suite of its own runs.

mod core;
mod dict;
mod hash;
mod list;
mod math;
mod text;

use crate::generated::NATIVES;
use ntl_engine::native::{Calls, Failed, NativeFn, Stop};
use ntl_engine::value::text_of;
use ntl_engine::{Fault, Func, Value, json};
use std::sync::Arc;

/// Where every function value does the same.
struct Lambda(fn(&[Value]) -> Result<Value, &'static str>);

impl Calls for Lambda {
    fn call(&mut self, _: &Func, args: &[Value]) -> Result<Value, Failed> {
        (self.0)(args).map_err(|failure| Failed(Box::new(failure)))
    }
    fn read_as(&mut self, _: usize, value: &Value) -> Result<Value, Fault> {
        Ok(value.clone())
    }
}

/// Calls a pure native.
fn call(id: &str, args: &[Value], lambda: fn(&[Value]) -> Result<Value, &'static str>) -> Result<Value, String> {
    let native = NATIVES.iter().find(|n| n.id == format!("std.{id}@1")).unwrap_or_else(|| panic!("no native {id}"));
    let NativeFn::Pure(run) = native.run else { panic!("{id} is not pure") };
    run(&mut Lambda(lambda), args).map_err(|stop| match stop {
        Stop::Fault(fault) => fault.code.to_string(),
        Stop::Failed(failed) => failed.0.downcast_ref::<&str>().unwrap_or(&"?").to_string(),
    })
}

fn function() -> Value {
    Value::Func(Arc::new(Func { code: ntl_plan::CodeId(0), captures: Vec::new() }))
}

/// Each line: a native, its arguments as a JSON array (`"fn"` is the function), what it gives as text, or `!` and a code.
fn check(lambda: fn(&[Value]) -> Result<Value, &'static str>, cases: &[(&str, &str, &str)]) {
    for (id, args, want) in cases {
        let Value::List(args) = json::parse(args).unwrap() else { panic!("{args} is no list") };
        let args: Vec<Value> = args.iter().map(|a| if a == Value::str("fn") { function() } else { a }).collect();
        let got = match call(id, &args, lambda) {
            Ok(value) => text_of(&value).unwrap(),
            Err(code) => format!("!{code}"),
        };
        assert_eq!(got, *want, "{id} of {args:?}");
    }
}

/// A function that gives its first argument.
fn same(args: &[Value]) -> Result<Value, &'static str> {
    Ok(args[0].clone())
}

#[test]
fn every_native_has_an_id_of_its_own() {
    let mut ids: Vec<&str> = NATIVES.iter().map(|n| n.id).collect();
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn wrong_arguments_never_panic() {
    let values =
        [Value::Null, Value::Int(-1), Value::Float(0.5), Value::str("x"), Value::list(vec![Value::Null]), function()];
    for native in NATIVES {
        let NativeFn::Pure(run) = native.run else { continue };
        for value in &values {
            for count in 0..5 {
                let _ = run(&mut Lambda(same), &vec![value.clone(); count]);
            }
        }
    }
}
