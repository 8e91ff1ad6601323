use super::*;
use crate::build::Build;
use crate::native::{Cx, Native, NativeFn};
use ntl_host::Grants;
use ntl_plan::{CodeId, Const, Effect, Instr, OpKind, Ref, RegionId, RegionKind, Touch, Type, TypeId, What};
use std::path::PathBuf;

fn read(_: Cx, args: Vec<Value>) -> Result<Value, Fault> {
    Err(Fault::new("not_found", format!("no {}", brief(&args[0], 20))))
}
const NATIVES: [Native; 1] = [Native { stream: None, id: "read", run: NativeFn::Blocking(read) }];

/// A workflow whose inputs are its outputs.
fn echo(inputs: &[(&str, TypeId, Option<CodeId>)], mut b: Build) -> Build {
    b.region(RegionKind::Workflow, None, inputs.len() as u32);
    for (at, (name, ty, default)) in inputs.iter().enumerate() {
        let span = b.span();
        let (name, ty, default) = ((*name).into(), *ty, *default);
        b.inputs.push(ntl_plan::Input { name, ty, default, min: Some(1.0), max: Some(9.0), doc: None, span });
        b.output(inputs[at].0, Ref::Param(at as u32));
    }
    b
}

fn prepare(b: Build, given: &[(&str, &str)], host: &Host) -> Result<Prepared, (Vec<RunError>, u8)> {
    let given: Vec<_> = given.iter().map(|(n, v)| ((*n).to_owned(), Input::Text((*v).to_owned()))).collect();
    Prepared::new(Arc::new(b.plan()), &given, host, &Natives::new(&NATIVES))
}

/// Messages and exit status of a refusal.
fn refused(result: Result<Prepared, (Vec<RunError>, u8)>) -> (Vec<String>, u8) {
    let (errors, exit) = result.unwrap_err();
    (errors.iter().map(|e| format!("{}: {}", e.fault.code, e.fault.message)).collect(), exit)
}

fn copies() -> Build {
    let mut b = Build::default();
    let (int, string) = (b.ty(Type::Int), b.ty(Type::Str));
    let null = b.ty(Type::Null);
    let maybe = b.ty(Type::Union(vec![string, null]));
    let five = b.int(5);
    let default = b.code("copies", 0, 1, vec![Instr::Const { dst: 0, value: five }, Instr::Return { src: 0 }]);
    echo(&[("reader", string, None), ("copies", int, Some(default)), ("note", maybe, None)], b)
}

#[test]
fn inputs_are_named_typed_bounded_and_filled() {
    let host = Host::default();
    let prepared = prepare(copies(), &[("reader", "1"), ("reader", "Ada")], &host).unwrap();
    assert_eq!(prepared.inputs, [Value::str("Ada"), Value::Int(5), Value::Null]);
    let (errors, exit) = refused(prepare(copies(), &[("readr", "Ada"), ("x", "1")], &host));
    assert_eq!(exit, 2);
    assert_eq!(
        errors,
        [
            "invalid: there is no input `readr`; did you mean `reader`?",
            "invalid: there is no input `x`; there are `reader`, `copies`, `note`",
            "invalid: input `reader` is missing; give it as `reader=…` (str)",
        ]
    );
    let of = |text: &str| refused(prepare(copies(), &[("reader", "Ada"), ("copies", text)], &host)).0.remove(0);
    assert_eq!(of("12"), "invalid: input `copies`: 12 is more than the most, 9");
    assert_eq!(of("0"), "invalid: input `copies`: 0 is less than the least, 1");
    assert_eq!(of("two"), r#"type: input `copies`: expected int, found str "two""#);
    let given = [("reader".to_owned(), Input::Json(3.into()))];
    let refusal = Prepared::new(Arc::new(copies().plan()), &given, &host, &Natives::default());
    assert_eq!(refused(refusal).0, ["type: input `reader`: expected str, found int 3"]);
}

/// A workflow that reads a file: a literal, or its input.
fn reads(path: Option<&str>) -> Build {
    let mut b = Build::default();
    let string = b.ty(Type::Str);
    let mut b = echo(&[("path", string, None)], b);
    let native = b.native("read", Effect::Read, 1);
    let arg = match path {
        Some(path) => {
            let path = b.constant(Const::Str(path.into()));
            Ref::Op(b.op(RegionId(0), "path", OpKind::Const(path), vec![]))
        }
        None => Ref::Param(0),
    };
    let what = path.map_or(What::Computed("path".into()), |path| What::Known(path.into()));
    let read = b.op(RegionId(0), "read", OpKind::Native(native), vec![arg]);
    let (by, step, span) = ("read".into(), "main/read".into(), b.last_op(RegionId(0)).span);
    b.touches.push(Touch { kind: "fs_read".into(), what, by, step, span, calls: vec![] });
    b.output("read", Ref::Op(read));
    b
}

#[test]
fn what_is_not_granted_is_refused_before_it_starts() {
    let nothing = Host::default();
    let given = [("path", "a.txt")];
    let (errors, exit) = refused(prepare(reads(None), &given, &nothing));
    assert_eq!(errors, ["permission: `read` reads, which nothing grants; `--allow-fs-read=.` would"]);
    assert_eq!(exit, 2);
    let granted = Host::new(Grants { fs_read: vec![PathBuf::from("in")], ..Grants::default() }, PathBuf::from("/tmp"));
    assert!(prepare(reads(None), &given, &granted).is_ok());
    assert!(prepare(reads(Some("in/x")), &given, &granted).is_ok());
    let (errors, _) = refused(prepare(reads(Some("out/x")), &given, &granted));
    assert_eq!(errors, [r#"permission: `read` reads "out/x", which nothing grants; `--allow-fs-read=out/x` would"#]);
}

#[test]
fn what_is_not_there_is_refused_with_a_status_of_its_own() {
    let mut b = reads(None);
    b.natives[0].id = "prompt:judge".into();
    b.touches.clear();
    let result = prepare(b, &[("path", "a.txt")], &Host::default());
    assert_eq!(result.as_ref().unwrap_err().0[0].span.map(|s| s.line), Some(2));
    assert_eq!(refused(result), (vec!["unsupported: prompt `judge` cannot be run by this version".into()], 3));
}

#[test]
fn errors_show_what_was_given_shortened() {
    let granted = Host::new(Grants { fs_read: vec![PathBuf::from(".")], ..Grants::default() }, PathBuf::from("/tmp"));
    let long = "x".repeat(5000);
    let prepared = prepare(reads(None), &[("path", &long)], &granted).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let run = run(prepared, Arc::new(granted), Options::default(), Box::new(drop));
    fn sent<T: Send>(future: T) -> T {
        future
    }
    // A server may move it between threads.
    let outcome = runtime.block_on(sent(run));
    assert_eq!(outcome.status, Status::Failed);
    assert_eq!(outcome.outputs.len(), 1);
    let error = &outcome.errors[0];
    assert_eq!((error.fault.code.as_str(), error.step.as_str(), error.attempt), ("not_found", "main/read", 1));
    let (name, value) = &error.inputs[0];
    let text = value.as_str().unwrap();
    assert_eq!((name.as_str(), text.chars().count()), ("a", 2049));
    let secret = Value::Secret(Arc::new(crate::value::SecretText::new("hush")));
    assert_eq!(shortened(&Value::list(vec![secret])).to_string(), r#"["‹secret›"]"#);
}
