//! Large valid projects, for measurements: ten items a hundred lines, each of which calls two earlier ones, of its own file or
//! of up to five others.

/// The files of a project: names and texts. The same for the same arguments, with at least one item a file.
pub fn project(files: usize, lines: usize, seed: u64) -> Vec<(String, String)> {
    let files = files.max(1);
    let per_file = (lines / LINES / files).max(1);
    let mut project = Project { random: Random(seed), items: Vec::new(), count: 0 };
    (0..files).map(|file| (name(file, files), project.file(file, files, per_file))).collect()
}

/// Lines of an item, with the empty one after it.
const LINES: usize = 10;

/// How many earlier files a file uses, besides the first.
const USES: usize = 4;

/// A function of the first of several files, `part_0000.ntl`, that every second file calls.
pub const SHARED: &str = "pick_0";

fn name(file: usize, files: usize) -> String {
    if file + 1 == files { "main.ntl".into() } else { format!("{}.ntl", module(file)) }
}

fn module(file: usize) -> String {
    format!("part_{file:04}")
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `n`, which is not 0.
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// What later items may refer to.
struct Item {
    kind: Kind,
    name: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Called with an int, gives an int.
    Function,
    /// The same, but what it gives is a str.
    Text,
    /// Called with a list before the int.
    Generic,
    /// A workflow with an output `total`.
    Workflow,
    /// An int.
    Const,
    /// A record type with a field `id`.
    Type,
}

struct Project {
    random: Random,
    /// The items so far, by file.
    items: Vec<Vec<Item>>,
    count: usize,
}

impl Project {
    fn file(&mut self, file: usize, files: usize, count: usize) -> String {
        let mut uses: Vec<usize> = (0..USES.min(file)).map(|_| self.random.below(file)).collect();
        let shares = file % 2 == 1;
        uses.extend(shares.then_some(0));
        uses.sort_unstable();
        uses.dedup();
        let mut body = String::new();
        self.items.push(Vec::new());
        for i in 0..count {
            let is_main = file + 1 == files && i + 1 == count;
            let shared = (shares && i == 0).then(|| format!("{}.{SHARED}(n)", module(0)));
            body.push_str(&self.item(file, &uses, is_main, shared));
            body.push('\n');
        }
        let mut text = format!("//! Part {} of {files} of a generated project.\n", file + 1);
        for used in uses.into_iter().map(module).filter(|m| body.contains(&format!("{m}."))) {
            text.push_str(&format!("use \"./{used}\"\n"));
        }
        text + "\n" + body.trim_end() + "\n"
    }

    /// An item of nine lines; it has a place for the call `shared`.
    fn item(&mut self, file: usize, uses: &[usize], is_main: bool, shared: Option<String>) -> String {
        let id = self.count;
        self.count += 1;
        let which = match id {
            _ if is_main => 7,
            0 => 0,
            // Types and constants call nothing.
            _ if shared.is_some() => self.random.below(8),
            _ => self.random.below(10),
        };
        let is_workflow = which == 7;
        let (a, b) = (self.call(file, uses, is_workflow), self.call(file, uses, is_workflow));
        let a = shared.unwrap_or(a);
        let (kind, name, text) = match which {
            0 => (
                Kind::Function,
                format!("pick_{id}"),
                format!(
                    "\
fn pick_{id}(n: int) -> int {{
  left  = {a}
  right = {b}
  match (left + right) % 3 {{
    0 => left % 1_000,
    1 | 2 => right % 1_000,
    rest => rest + n % 10,
  }}
}}
"
                ),
            ),
            1 => (
                Kind::Function,
                format!("spread_{id}"),
                format!(
                    "\
/// Adds up every other number of a range, weighted by its place.
fn spread_{id}(n: int) -> int {{
  base   = {a}
  extra  = {b}
  values = for k, i in base..base + 4 if k % 2 == 0 {{ k * (i + 1) }}
  evens  = values.filter(v => v % 4 == 0)
  weight = if evens.len() > 1 {{ n % 10 }} else if extra > 500 {{ 2 }} else {{ 1 }}
  (sum(values) * weight + extra) % 1_000
}}
"
                ),
            ),
            2 => (
                Kind::Generic,
                format!("at_{id}"),
                format!(
                    "\
/// The item at a place that depends on `n`.
///
/// If the list is too short for it, something else.
fn at_{id}[T](xs: list[T], n: int, otherwise: T) -> T {{
  from  = {a}
  by    = {b}
  place = (from + by) % 5
  if place < xs.len() {{ xs[place] }} else {{ otherwise }}
}}
"
                ),
            ),
            3 => {
                let made = match self.earlier(file, uses, |k| k == Kind::Type) {
                    Some(ty) => format!("{ty}(id: {a}, size: {b})"),
                    None => format!("(id: {a}, size: {b}, name: \"p{{n}}\")"),
                };
                (
                    Kind::Function,
                    format!("shift_{id}"),
                    format!(
                        "\
fn shift_{id}(n: int) -> int {{
  p = {made}
  q = (..p, id: p.id + n % 10)
  match q {{
    (id: 0, ..) => q.size,
    (id:, size: 1, ..) => id,
    (id:, size:, ..) => (id + size) % 1_000,
  }}
}}
"
                    ),
                )
            }
            4 => (
                Kind::Text,
                format!("label_{id}"),
                format!(
                    "\
/// A line of words, cut where it is too long.
fn label_{id}(n: int) -> str {{
  a     = {a}
  b     = {b}
  words = [\"item {{a}}\", \"of {{b + 1}}\", r\"raw {{n}}\", \"{{if n > 3 {{ \"many\" }} else {{ \"few\" }}}}\"]
  line  = words.map(w => w.upper()).join(\", \")
  cut   = if line.len() > 40 {{ line.slice(0, 40) }} else {{ line }}
  cut.trim()
}}
"
                ),
            ),
            5 => (
                Kind::Function,
                format!("chain_{id}"),
                format!(
                    "\
fn chain_{id}(n: int) -> int {{
  start = {a}
  by    = {b}
  (start..start + 20)
    .filter(k => k % 3 == 0)
    .map(k => k * (by % 50 + 1))
    .sort(by: k => -k)
    .fold(n % 10, (total, k) => (total + k) % 1_000)
}}
"
                ),
            ),
            6 => (
                Kind::Function,
                format!("settle_{id}"),
                format!(
                    "\
/// Walks in even steps until it is there.
fn settle_{id}(n: int) -> int {{
  goal = {a}
  step = {b}
  loop x = n % 10, max: 200 {{
    until x >= goal % 90 + 10
    next x + step % 9 + 1
  }}
}}
"
                ),
            ),
            7 => {
                let name = if is_main { "main".to_owned() } else { format!("flow_{id}") };
                (
                    Kind::Workflow,
                    name.clone(),
                    format!(
                        "\
/// Two parts and their total.
workflow {name}(n: int = 1, @min(1) scale: int = 2) -> (total: int, parts: list[int]) {{
  first  = {a}
  second = {b}
  require scale < 100 else \"{{scale}} is too large\"
  parts  = for p in [first, second, n] {{ p * scale }}
  share  = try 100 / (first % 2) else 0.0
  total  = (sum(parts) + round(share)) % 1_000
}}
"
                    ),
                )
            }
            8 => {
                let value = self.earlier(file, uses, |k| k == Kind::Const);
                let value = value.map_or_else(|| "7".into(), |c| format!("{c} % 100 + {}", id % 17));
                (
                    Kind::Const,
                    format!("LIMIT_{id}"),
                    format!(
                        "\
/// A limit, and the names of what it bounds.
const LIMIT_{id}: int = {value}

const NAMES_{id}: dict[str, list[str]] = [
  \"short\": [\"a\", \"b\", \"c\"],
  \"long\": [\"alpha\", \"beta\", \"gamma\", \"delta\"],
  \"once\": [\"omega\"],
  \"none\": [],
]
"
                    ),
                )
            }
            _ => {
                let parent = self.earlier(file, uses, |k| k == Kind::Type);
                let parent = parent.map_or_else(|| "int?".into(), |t| format!("{t}?"));
                (
                    Kind::Type,
                    format!("Entry{id}"),
                    format!(
                        "\
/// What is known of a thing.
type Entry{id}(
  id: int,
  size: int = {id},
  name: str = \"entry\",
  kind: \"new\" | \"old\" = \"new\",
  tags: list[str] = [],
  parent: {parent} = null,
)
"
                    ),
                )
            }
        };
        debug_assert_eq!(text.lines().count(), LINES - 1, "{text}");
        self.items[file].push(Item { kind, name });
        text
    }

    /// An earlier item of a kind, as it is named in `file`.
    fn earlier(&mut self, file: usize, uses: &[usize], is_kind: impl Fn(Kind) -> bool) -> Option<String> {
        // A few tries are enough: what is found seldom may as well be made anew.
        for _ in 0..12 {
            let at = self.random.below(uses.len() + 2);
            let from = uses.get(at).copied().unwrap_or(file);
            let candidates = self.items[from].len();
            let item = if candidates > 0 { &self.items[from][self.random.below(candidates)] } else { continue };
            if is_kind(item.kind) {
                let name = &item.name;
                return Some(if from == file { name.clone() } else { format!("{}.{name}", module(from)) });
            }
        }
        None
    }

    /// A call of an earlier item that gives an int.
    fn call(&mut self, file: usize, uses: &[usize], with_workflows: bool) -> String {
        let arg = match self.random.below(4) {
            0 => self.earlier(file, uses, |k| k == Kind::Const).unwrap_or_else(|| "n".into()),
            1 => "n % 10".into(),
            2 => format!("n + {}", self.random.below(9) + 1),
            _ => "n".to_owned(),
        };
        let callable = |k| match k {
            Kind::Function | Kind::Text | Kind::Generic => true,
            Kind::Workflow => with_workflows,
            Kind::Const | Kind::Type => false,
        };
        let Some(name) = self.earlier(file, uses, callable) else { return arg };
        let last = name.rsplit('.').next().unwrap_or(&name);
        match last.split('_').next() {
            Some("label") => format!("{name}({arg}).len()"),
            Some("at") => format!("{name}([{arg}, 1, 2], n, 3)"),
            Some("flow") => format!("{name}({arg}).total"),
            _ => format!("{name}({arg})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SHARED, project};

    #[test]
    fn the_same_arguments_give_the_same_project() {
        assert_eq!(project(3, 900, 7), project(3, 900, 7));
        assert_ne!(project(3, 900, 7), project(3, 900, 8));
    }

    #[test]
    fn it_has_the_files_and_lines_that_are_asked_for() {
        let made = project(4, 2000, 1);
        let lines: usize = made.iter().map(|(_, text)| text.lines().count()).sum();
        assert_eq!(made.len(), 4);
        assert!((1960..=2040).contains(&lines), "{lines}");
        assert!(made[3].0 == "main.ntl" && made[3].1.contains("workflow main("));
    }

    #[test]
    fn every_second_file_uses_what_is_shared() {
        let made = project(200, 50_000, 1);
        let users = made.iter().filter(|(_, text)| text.contains(&format!("part_0000.{SHARED}(n)"))).count();
        assert!(users >= 100, "{users}");
        assert!(made[0].0 == "part_0000.ntl" && made[0].1.contains(&format!("fn {SHARED}(n: int) -> int")));
    }
}
