//! Programs and the plans that they become.

use crate::support::lowered;

fn snapshot(name: &str, text: &str) {
    let plan = lowered(text).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(ntl_plan::read(&ntl_plan::write(&plan)).as_ref(), Ok(&plan));
    assert_eq!(lowered(text).map(|again| ntl_plan::write(&again)), Ok(ntl_plan::write(&plan)), "the same bytes");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, format!("{text}\n{}", plan.dump()));
    });
}

macro_rules! snapshots {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            snapshot(stringify!($name), include_str!(concat!("plans/", stringify!($name), ".ntl")));
        }
    )*};
}

snapshots! { hello lazy failures workflows streams order code functions ids }

#[test]
fn loops() {
    snapshot("for", include_str!("plans/for.ntl"));
}

#[test]
fn arms() {
    snapshot("match", include_str!("plans/match.ntl"));
}

/// The codes and messages of what cannot be lowered.
fn refused(text: &str) -> Vec<String> {
    let errors = lowered(text).map(|plan| plan.dump()).expect_err("must be refused");
    errors.iter().map(|d| format!("{} {}", d.code, d.message)).collect()
}

#[test]
fn what_is_not_supported_says_so() {
    let per = "workflow f(x: stream[int]) -> (y: int per x) { y = x + 1 }\nworkflow main() -> list[int] {\n  x = \
               each([1, 2])\n  collect(f(x))\n}";
    assert_eq!(refused(per), ["E0902 `f` has values per item of a stream that it takes, which is not supported yet"]);
    let generic = "fn read[T](x: json, y: T) -> T = x as T\nworkflow main() -> int { read(json ```1```, 2) }";
    assert_eq!(refused(generic), ["E0903 `as` and `is` cannot look at a type parameter yet"]);
    let mixed = "workflow main(n: int) -> list[int] {\n  x = each([1, 2])\n  \
                 if n > 1 { y = n * 2\n collect(x + y + y) } else { [] }\n}";
    assert_eq!(refused(mixed), ["E0905 values of a body cannot be put together with those of a stream around it yet"]);
}

#[test]
fn stream_functions_of_lists_are_natives() {
    let plan = lowered("workflow main() -> list[list[int]] { batch([1, 2, 3], 2) }").expect("a plan");
    assert!(plan.dump().contains("std.core.batch/0@1("), "{}", plan.dump());
}

#[test]
fn prompts_agents_and_nodes_of_code_are_natives_that_no_runtime_has_yet() {
    let text = "secret KEY\nprompt ask(q: str) -> str { model = \"openai/gpt-5.4-mini\"\n \"{q}\" }\n\
                node count(text: str) -> int js ```\n output(\"output\", 1)\n```\n\
                workflow main() -> (a: str, b: int) {\n a = ask(\"x\")\n b = count(a)\n}";
    let ids: Vec<_> = lowered(text).expect("a plan").natives.into_iter().map(|n| n.id).collect();
    assert_eq!(ids, ["prompt:ask", "node:count"]);
}

#[test]
fn long_chains_need_no_stack() {
    let fns =
        |n: usize| -> String { (1..n).map(|i| format!("fn f{i}(n: int) -> int = f{}(n) + 1\n", i - 1)).collect() };
    let sum = (0..200).map(|i| i.to_string()).collect::<Vec<_>>().join(" + ");
    let lets: String = (1..5_000).map(|i| format!("x{i} = x{} + 1\n", i - 1)).collect();
    let text = format!(
        "fn f0(n: int) -> int = n\n{}workflow main(x0: int = {sum}) -> int {{\n{lets} f998(x4999) + {sum}\n}}",
        fns(999)
    );
    assert!(lowered(&text).is_ok());
    let text = format!("fn f0(n: int) -> int = n\n{}workflow main() -> int {{ f1999(1) }}", fns(2_000));
    assert_eq!(refused(&text), ["E0904 functions here call one another more than 1000 deep"]);
    let workflows: String = (1..1_001).map(|i| format!("workflow w{i}() -> int {{ w{}() }}\n", i - 1)).collect();
    let text = format!("workflow w0() -> int {{ 1 }}\n{workflows}workflow main() -> int {{ w1000() }}");
    assert_eq!(refused(&text), ["E0904 workflows here call one another more than 1000 deep"]);
}
