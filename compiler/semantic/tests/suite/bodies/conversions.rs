//! Every implicit conversion is written out: wherever a value meets a type it is of that type as it stands.

use super::harness::{body_of, def_of, program, program_of, read};
use ntl_semantic::hir::{Block, Body, Call, Callee, Expr, ExprKind, Stmt, StmtKind};
use ntl_semantic::query::{self, Checked, Flow};
use ntl_semantic::ty::Type;
use ntl_semantic::types::{Conversion, as_record, display, fit, members, unfold};
use ntl_semantic::{Def, RootDb, each_expr};
use std::path::Path;

/// Finds values that would still have to be converted.
struct Audit<'a> {
    db: &'a RootDb,
    body: &'a Body,
    found: Vec<String>,
}

impl Audit<'_> {
    fn meets(&mut self, what: &str, value: &Expr, ty: &Type) {
        if fit(self.db, &value.ty, ty) != Ok(Conversion::None) {
            let (from, to) = (display(self.db, &value.ty), display(self.db, ty));
            self.found.push(format!("{what}: a `{from}` stands for a `{to}`: {:?}", value.span));
        }
    }

    fn block(&mut self, what: &str, block: &Block, ty: &Type) {
        if let Some(value) = &block.value {
            self.meets(what, value, ty);
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            if let StmtKind::Let(local, value) = &stmt.kind {
                let local = &self.body.locals[local.0 as usize];
                self.meets(&format!("local `{}`", local.name), value, &local.ty);
            }
        }
    }

    fn call(&mut self, call: &Call) {
        match &call.callee {
            Callee::Item(def) => {
                let signature = query::signature(self.db, def).expect("a signature");
                assert_eq!(signature.params.len(), call.args.len(), "{def:?}");
                assert_eq!(signature.type_params.len(), call.type_args.len(), "{def:?}");
                for (param, arg) in signature.params.iter().zip(&call.args) {
                    let ty = instance(&param.ty, signature, &call.type_args);
                    let ty = match param.flow {
                        Flow::Stream if arg.scope.is_empty() => Type::List(ty.into()),
                        _ => ty,
                    };
                    self.meets(&format!("argument `{}` of `{}`", param.name, def.name), arg, &ty);
                }
            }
            Callee::Value(local) => {
                let Type::Fn(params, _) = &self.body.locals[local.0 as usize].ty else { panic!("no function") };
                for (ty, arg) in params.iter().zip(&call.args) {
                    self.meets("argument of a function value", arg, ty);
                }
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let ty = unfold(self.db, &expr.ty);
        match &expr.kind {
            ExprKind::List(items) => {
                let Type::List(item) = &ty else { panic!("a list of type {ty:?}") };
                items.iter().for_each(|value| self.meets("an item", value, item));
            }
            ExprKind::Dict(entries) => {
                let Type::Dict(of_key, of_value) = &ty else { panic!("a dict of type {ty:?}") };
                for (key, value) in entries {
                    self.meets("a key", key, of_key);
                    self.meets("a value", value, of_value);
                }
            }
            ExprKind::Tuple(items) => {
                let Type::Tuple(types) = &ty else { panic!("a tuple of type {ty:?}") };
                items.iter().zip(types.iter()).for_each(|(value, ty)| self.meets("a part", value, ty));
            }
            ExprKind::Record(values) => {
                let record = as_record(self.db, &expr.ty).expect("a record");
                assert_eq!(record.fields.len(), values.len());
                record.fields.iter().zip(values).for_each(|(field, value)| self.meets(&field.name, value, &field.ty));
            }
            ExprKind::Update(base, changes) => {
                let record = as_record(self.db, &base.ty).expect("a record");
                changes.iter().for_each(|(at, value)| self.meets("a change", value, &record.fields[*at as usize].ty));
            }
            ExprKind::Not(a) => self.meets("`not`", a, &Type::Bool),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.meets("a condition", a, &Type::Bool);
                self.meets("a condition", b, &Type::Bool);
            }
            ExprKind::Coalesce(a, b) => {
                let kept = ntl_semantic::types::remove_null(self.db, &a.ty);
                let kept = Expr { ty: kept, ..(**a).clone() };
                self.meets("before `??`", &kept, &expr.ty);
                self.meets("after `??`", b, &expr.ty);
            }
            ExprKind::If(cond, then, otherwise) => {
                self.meets("`if`", cond, &Type::Bool);
                self.block("`then`", then, &expr.ty);
                otherwise.iter().for_each(|block| self.block("`else`", block, &expr.ty));
            }
            ExprKind::Match(_, arms) => arms.iter().for_each(|arm| self.block("an arm", &arm.body, &expr.ty)),
            ExprKind::Try(body, _, handler) => {
                self.meets("`try`", body, &expr.ty);
                self.block("a handler", handler, &expr.ty);
            }
            ExprKind::Seq(block) | ExprKind::Block(block) => self.block("a block", block, &expr.ty),
            ExprKind::For(looped) => {
                let Type::List(item) = &ty else { panic!("a `for` of type {ty:?}") };
                if !looped.flatten {
                    self.block("the body of a `for`", &looped.body, item);
                }
                self.stmts(&looped.lets);
            }
            ExprKind::Loop(looped) => {
                for ((local, first), next) in looped.vars.iter().zip(&looped.next) {
                    let ty = &self.body.locals[local.0 as usize].ty;
                    self.meets("the first of a `loop`", first, ty);
                    self.meets("`next`", next, ty);
                }
                self.stmts(&looped.stmts);
            }
            ExprKind::Lambda(lambda) => {
                let Type::Fn(params, result) = &ty else { panic!("a function of type {ty:?}") };
                assert_eq!(params.len(), lambda.params.len());
                self.meets("the value of a function", &lambda.body, result);
                self.stmts(&lambda.lets);
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::Field(base, at) => {
                let count = match unfold(self.db, &base.ty) {
                    Type::Record(record) => record.fields.len(),
                    Type::Tuple(items) => items.len(),
                    other => panic!("a field of {other:?}"),
                };
                assert!((*at as usize) < count);
            }
            ExprKind::Error => self.found.push(format!("an error is left: {:?}", expr.span)),
            _ => {}
        }
    }
}

/// A type of a signature with the type arguments of a call.
fn instance(ty: &Type, signature: &query::Signature, args: &[Type]) -> Type {
    let mut infer = ntl_semantic::types::Infer::new(&signature.type_params);
    infer.give(args);
    infer.close(&infer.instantiate(ty))
}

/// What of a body that has no error is not as it should be.
pub fn audit(db: &RootDb, def: &Def, checked: &Checked) -> Vec<String> {
    let body = &checked.body;
    let mut audit = Audit { db, body, found: Vec::new() };
    each_expr(body, &mut |expr| audit.expr(expr));
    audit.stmts(&body.block.stmts);
    if let Some(signature) = query::signature(db, def) {
        for (output, (_, value)) in signature.outputs.iter().zip(&body.outputs) {
            if let Some(ty) = &output.ty {
                audit.meets("an output", value, ty);
            }
        }
        if let ([output], Some(value)) = (signature.outputs.as_slice(), &body.block.value)
            && let Some(ty) = &output.ty
        {
            audit.meets("the result", value, ty);
        }
    }
    audit.found.iter().map(|found| format!("{}: {found}", def.name)).collect()
}

#[test]
fn nothing_is_left_to_convert_in_the_acceptance_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut audited = 0;
    for entry in std::fs::read_dir(folder).expect("the programs") {
        let folder = entry.expect("an entry").path();
        let (main, helper) = (read(&folder.join("main.ntl")), read(&folder.join("helper.ntl")));
        let (db, file) = program_of(&[("main.ntl", &main), ("helper.ntl", &helper)]);
        let files = query::files_in_use(&db, file);
        let diagnostics: Vec<_> = files.iter().flat_map(|file| query::file_diagnostics(&db, *file)).collect();
        if !diagnostics.is_empty() {
            continue;
        }
        for def in files.iter().flat_map(|file| query::defs(&db, *file)) {
            if let Some(checked) = query::body(&db, &def) {
                assert_eq!(audit(&db, &def, checked), Vec::<String>::new(), "{}", folder.display());
                audited += 1;
            }
        }
    }
    assert!(audited > 60, "only {audited} bodies are clean");
}

/// The value of a binding.
fn value_of<'a>(checked: &'a Checked, name: &str) -> &'a Expr {
    let found = checked.body.block.stmts.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Let(local, value) if checked.body.locals[local.0 as usize].name == name => Some(value),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("`{name}` is not bound"))
}

#[test]
fn records_get_the_layout_that_is_expected() {
    let text = r#"
type Point(x: float, y: float = 0.5, label: str?)
fn shift(p: (y: float, x: float)) -> float = p.x + p.y
workflow f(p: Point, ps: list[Point]) -> (a: float, b: Point, c: list[(x: float)], d: Point, e: Point?) {
  a = shift(p)
  b = (y: 1, x: 2)
  c = ps
  d = Point(x: 3)
  e = (x: 1, y: 2, z: 3)
}
"#;
    let (db, file) = program(text);
    assert_eq!(query::file_diagnostics(&db, file), []);
    let checked = body_of(&db, file, "f");
    assert_eq!(audit(&db, &def_of(&db, file, "f"), checked), Vec::<String>::new());
    let ExprKind::Call(call) = &value_of(checked, "a").kind else { panic!("a call") };
    assert!(matches!(call.args[0].kind, ExprKind::Fit(_)), "fields in another order are converted");
    let ExprKind::Record(fields) = &value_of(checked, "b").kind else { panic!("a record") };
    assert!(matches!(fields[2].kind, ExprKind::Const(_)), "a field that takes null is null");
    assert!(matches!(value_of(checked, "c").kind, ExprKind::Fit(_)), "in lists, too");
    let ExprKind::Record(fields) = &value_of(checked, "d").kind else { panic!("a record") };
    assert!(matches!(fields[1].kind, ExprKind::Default(..)), "a default is filled");
    assert!(matches!(value_of(checked, "e").kind, ExprKind::Fit(_)), "fields that nobody wants are cut");
}

#[test]
fn functions_are_wrapped_where_their_values_need_a_conversion() {
    let text = r#"
fn twice(n: int) -> int = n * 2
fn all(xs: list[int], f: fn(int) -> float) -> list[float] = xs.map(f)
workflow f(xs: list[int]) -> (a: list[float], b: list[int], c: list[str]) {
  a = all(xs, twice)
  b = xs.map(twice)
  c = ["a", "b"].map(upper_all)
}
fn upper_all(s: str?) -> str = s?.upper() ?? ""
"#;
    let (db, file) = program(text);
    assert_eq!(query::file_diagnostics(&db, file), []);
    let checked = body_of(&db, file, "f");
    assert_eq!(audit(&db, &def_of(&db, file, "f"), checked), Vec::<String>::new());
    let last = |name: &str| match &value_of(checked, name).kind {
        ExprKind::Call(call) => call.args.last().map(|arg| arg.kind.clone()),
        _ => None,
    };
    assert!(matches!(last("a"), Some(ExprKind::Lambda(_))));
    assert!(matches!(last("b"), Some(ExprKind::FnItem(_))));
}

#[test]
fn literals_of_ints_become_floats_without_a_conversion() {
    let (db, file) = program("const A: float = 3\nconst B = [1, 2.5]\nconst C: list[float?] = [1, null]\n");
    assert_eq!(query::file_diagnostics(&db, file), []);
    for name in ["A", "B", "C"] {
        let checked = body_of(&db, file, name);
        each_expr(&checked.body, &mut |expr| {
            assert!(!matches!(expr.kind, ExprKind::Fit(_)), "{name}");
            let is_float = members(&db, &expr.ty).contains(&Type::Float);
            assert!(is_float || !matches!(expr.kind, ExprKind::Const(ntl_semantic::hir::Const::Int(_))), "{name}");
        });
    }
}

#[test]
fn what_is_in_json_stays_as_it_is_written() {
    let (db, file) = program("const A: json = [\"a\": [1, 2.5, null], \"b\": (c: [1, 0.5])]\n");
    assert_eq!(query::file_diagnostics(&db, file), []);
    let mut ints = 0;
    each_expr(&body_of(&db, file, "A").body, &mut |expr| {
        ints += usize::from(matches!(expr.kind, ExprKind::Const(ntl_semantic::hir::Const::Int(1))));
    });
    assert_eq!(ints, 2);
}
