//! What things are called in other languages, and here.

/// A value of another language.
pub(crate) fn value(name: &str) -> Option<&'static str> {
    Some(match name {
        "nil" | "None" | "undefined" | "NULL" | "Null" | "nullptr" => "null",
        "True" | "TRUE" => "true",
        "False" | "FALSE" => "false",
        _ => return None,
    })
}

/// A function of another language that is called without anything before it.
pub(crate) fn function(name: &str) -> Option<&'static str> {
    Some(match name {
        "length" | "size" | "count_of" | "strlen" => "len",
        "println" | "echo" | "puts" | "printf" | "log" => "print",
        "string" | "String" | "to_string" | "toString" | "repr" => "str",
        "parseInt" | "parse_int" | "Int" | "integer" => "int",
        "parseFloat" | "parse_float" | "Number" | "number" => "float",
        "floor_div" => "floor",
        "ceiling" => "ceil",
        "fail" | "panic" | "throw" | "abort" => "error",
        "xrange" => "range",
        "iterate" | "for_each" | "forEach" => "each",
        "power" => "math.pow",
        "lowercase" | "toLowerCase" => "text.lower",
        "uppercase" | "toUpperCase" => "text.upper",
        "strip" => "text.trim",
        _ => return None,
    })
}

/// The entries of the library that other languages call so: `text.upper` for `uppercase`, `len` for `length`.
pub fn called_elsewhere(name: &str) -> Vec<String> {
    let methods = ["text", "list", "dict", "fs", "json", "time"].into_iter();
    let methods = methods.filter_map(|home| Some(format!("{home}.{}", method(home, name)?)));
    methods.chain(function(name).map(str::to_owned)).collect()
}

/// A method, or a function of a module of the library, that is called otherwise in another language.
pub(crate) fn method(home: &str, name: &str) -> Option<&'static str> {
    any(name).or_else(|| match home {
        "text" => text(name),
        "list" => list(name),
        "dict" => dict(name),
        "fs" => fs(name),
        "json" => json(name),
        "time" => time(name),
        _ => None,
    })
}

fn any(name: &str) -> Option<&'static str> {
    Some(match name {
        "length" | "size" => "len",
        "isEmpty" | "empty" => "is_empty",
        _ => return None,
    })
}

fn text(name: &str) -> Option<&'static str> {
    Some(match name {
        "toUpperCase" | "to_upper" | "to_uppercase" | "uppercase" | "upcase" => "upper",
        "toLowerCase" | "to_lower" | "to_lowercase" | "lowercase" | "downcase" | "casefold" => "lower",
        "strip" => "trim",
        "lstrip" | "trimStart" | "trimLeft" | "trim_left" => "trim_start",
        "rstrip" | "trimEnd" | "trimRight" | "trim_right" => "trim_end",
        "startsWith" | "startswith" | "has_prefix" => "starts_with",
        "endsWith" | "endswith" | "has_suffix" => "ends_with",
        "includes" | "has" => "contains",
        "indexOf" | "find" | "index" => "index_of",
        "lastIndexOf" | "rfind" => "last_index_of",
        "substring" | "substr" | "sub" => "slice",
        "replaceAll" | "replace_all" | "gsub" => "replace",
        "splitlines" | "split_lines" => "lines",
        "characters" => "chars",
        "padStart" | "rjust" | "ljust_left" => "pad_left",
        "padEnd" | "ljust" => "pad_right",
        "title_case" | "titlecase" | "titleize" => "title",
        "removeprefix" | "strip_prefix" => "remove_prefix",
        "removesuffix" | "strip_suffix" => "remove_suffix",
        "slugify" => "slug",
        "encode" => "to_bytes",
        "format" => "template",
        _ => return None,
    })
}

fn list(name: &str) -> Option<&'static str> {
    Some(match name {
        "forEach" | "for_each" | "collect" | "select" => "map",
        "flatMap" => "flat_map",
        "filterMap" => "filter_map",
        "reduce" | "foldl" | "inject" => "fold",
        "some" | "exists" => "any",
        "every" => "all",
        "includes" | "has" | "include" => "contains",
        "indexOf" | "index" => "index_of",
        "where" => "filter",
        "head" => "first",
        "tail" | "skip" => "drop",
        "limit" => "take",
        "reversed" => "reverse",
        "sorted" | "sort_by" | "sortBy" | "order_by" | "orderBy" => "sort",
        "uniq" | "distinct" | "dedup" => "unique",
        "groupBy" | "groupby" => "group_by",
        "keyBy" => "key_by",
        "average" | "avg" => "mean",
        "maximum" => "max",
        "minimum" => "min",
        "maxBy" => "max_by",
        "minBy" => "min_by",
        "sumBy" => "sum_by",
        "chunks" | "batched" | "batch" => "chunk",
        "flat" => "flatten",
        "with_index" | "entries" => "enumerate",
        "subarray" | "sublist" => "slice",
        "intersection" => "intersect",
        _ => return None,
    })
}

fn dict(name: &str) -> Option<&'static str> {
    Some(match name {
        "items" => "entries",
        "has_key" | "hasOwnProperty" | "contains" | "contains_key" | "includes" => "has",
        "put" | "insert" | "add" => "set",
        "delete" | "pop" | "del" => "remove",
        "update" | "assign" | "extend" => "merge",
        "mapValues" => "map_values",
        "pick" => "select",
        "fromEntries" | "from_entries" => "from",
        _ => return None,
    })
}

fn fs(name: &str) -> Option<&'static str> {
    Some(match name {
        "readFile" | "read_text" | "read_file" | "open" | "load" => "read",
        "writeFile" | "write_text" | "write_file" | "save" => "write",
        "unlink" | "delete" | "rm" => "remove",
        "rename" | "mv" => "move",
        "cp" | "copyFile" => "copy",
        "readdir" | "glob" | "listdir" | "ls" => "list",
        "exist" | "is_file" | "isfile" => "exists",
        "makedirs" | "create_dir" => "mkdir",
        _ => return None,
    })
}

fn json(name: &str) -> Option<&'static str> {
    Some(match name {
        "loads" | "decode" | "load" => "parse",
        "stringify" | "dumps" | "encode" | "dump" => "write",
        _ => return None,
    })
}

fn time(name: &str) -> Option<&'static str> {
    Some(match name {
        "strftime" => "format",
        "strptime" => "parse",
        "today" => "now",
        "timestamp" | "getTime" => "unix",
        "fromtimestamp" | "from_timestamp" => "from_unix",
        _ => return None,
    })
}
