//! `cargo xtask codegen`: writes `stdlib/src/generated.rs` from the declarations in `stdlib/ntl`.
//!
//! Every declaration without a body is a native. Its id is `std.MODULE.NAME/OVERLOAD@VERSION`, its implementation the
//! function `NAME` of `stdlib/src/MODULE.rs`, or `NAME_2`, `NAME_3`, … for the second and third of several of that name.
//! What is generated calls it with exactly the declared types, so an implementation that is missing, too many or of
//! another type does not compile.
//!
//! A pure native runs inline (and takes the means to call functions first, where it is given any, or types); one that
//! touches files and nothing else blocks a thread; any other is `async`. A source (`each`) and what drops items (`filter`) are operations
//! of the engine and have no native.

mod declaration;
mod rust;

use declaration::Module;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Only say whether it is up to date
    #[arg(long)]
    check: bool,
}

pub fn run(args: &Args) -> Result<(), String> {
    let path = generated();
    let text = generate()?;
    if std::fs::read_to_string(&path).is_ok_and(|current| current == text) {
        return Ok(());
    }
    if args.check {
        return Err("stdlib/src/generated.rs is not what the declarations give: run `cargo xtask codegen`".into());
    }
    std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn generated() -> PathBuf {
    ntl_tests::root().join("stdlib/src/generated.rs")
}

/// The text that the declarations give.
fn generate() -> Result<String, String> {
    let mut modules = Vec::new();
    for path in ntl_tests::entries(&ntl_tests::root().join("stdlib/ntl")) {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        modules.push(Module::read(&ntl_tests::stem(&path), &text)?);
    }
    Ok(rust::file(&modules))
}

#[cfg(test)]
mod tests {
    use super::{Module, generate, generated, rust};

    #[test]
    fn the_generated_file_is_up_to_date() {
        let current = std::fs::read_to_string(generated()).unwrap();
        assert!(generate().unwrap() == current, "run `cargo xtask codegen`");
    }

    fn of(text: &str) -> Result<String, String> {
        Module::read("m", text).map(|module| rust::file(&[module]))
    }

    #[test]
    fn classes_overloads_and_types() {
        let text = of("fn a[T](xs: list[T], f: fn(T) -> bool) -> T?\n\
             fn a(s: str, `type`: int?) -> list[str]\n\
             @version(3) @read @fs_read(p) node b(p: str) -> bytes\n\
             @read node c() -> float\n\
             @pure node d[T](x: stream[T]) -> int per x\n\
             @pure node e[T](xs: list[T]) -> stream[T]\n\
             @drops @pure node f[T](x: T, keep: bool) -> T\n\
             fn g[T](s: str) -> list[T]\n\
             fn h(u: \"a\" | \"b\") -> (x: int, y: str?)\n\
             fn i(x: int) -> int = x\n")
        .unwrap();
        for expected in [
            "\"std.m.a/0@1\"",
            "give::<Option<Value>, _>(m::a(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))",
            "\"std.m.a/1@1\"",
            "let [s, r#type] = args(values)?",
            "give::<Vec<Text>, _>(m::a_2(arg::<&Text>(s)?, arg::<Option<i64>>(r#type)?))",
            "\"std.m.b/0@3\"",
            "Blocking(|cx, values|",
            "give::<Vec<u8>, _>(m::b(&cx, arg::<&Text>(p)?))",
            "give::<f64, _>(m::c(&cx).await)",
            "give::<List, _>(m::d(arg::<&List>(x)?))",
            "give::<List, _>(m::g(cx, arg::<&Text>(s)?))",
            "give::<records::m::H, _>(m::h(arg::<&Text>(u)?))",
            "pub(crate) y: Option<Text>,",
        ] {
            assert!(text.contains(expected), "{expected} is not in\n{text}");
        }
        for missing in ["std.m.e/", "std.m.f/", "std.m.i/"] {
            assert!(!text.contains(missing), "{missing} is in\n{text}");
        }
    }

    #[test]
    fn mistakes_are_told() {
        for (text, says) in [
            ("fn a(x: int -> int\n", "m.ntl"),
            ("workflow w() -> int { 1 }\n", "w"),
            ("fn a(x: int) -> Nowhere\n", "Nowhere"),
            ("@nodetool(\"n.T\", y: \"y\") fn a(x: int) -> int\n", "y"),
        ] {
            assert!(of(text).is_err_and(|e| e.contains(says)), "{text}");
        }
    }
}
