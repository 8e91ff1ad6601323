//! Written by `cargo xtask codegen` from `stdlib/ntl`: do not edit.

use crate::convert::*;
use crate::{core, csv, dict, fs, hash, html, http, json, list, markdown, math, regex, rss, stream, sys, text, time, toml, url, uuid, xml, yaml};
use ntl_engine::native::{Native, NativeFn::*};
use ntl_engine::{Dict, Fault, Func, List, Text, Value};
use std::convert::Infallible;

/// Every native, in the order of the declarations.
pub(crate) const NATIVES: &[Native] = &[
    Native {
        id: "std.core.collect/0@1",
        run: Pure(|_, values| {
            let [values] = args(values)?;
            give::<List, _>(core::collect(arg::<&List>(values)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.zip/0@1",
        run: Pure(|_, values| {
            let [a, b] = args(values)?;
            give::<List, _>(core::zip(arg::<&List>(a)?, arg::<&List>(b)?))
        }),
        stream: Some(stream::zip),
    },
    Native {
        id: "std.core.cross/0@1",
        run: Pure(|_, values| {
            let [a, b] = args(values)?;
            give::<List, _>(core::cross(arg::<&List>(a)?, arg::<&List>(b)?))
        }),
        stream: Some(stream::cross),
    },
    Native {
        id: "std.core.take/0@1",
        run: Pure(|_, values| {
            let [values, n] = args(values)?;
            give::<List, _>(core::take(arg::<&List>(values)?, arg::<i64>(n)?))
        }),
        stream: Some(stream::take),
    },
    Native {
        id: "std.core.skip/0@1",
        run: Pure(|_, values| {
            let [values, n] = args(values)?;
            give::<List, _>(core::skip(arg::<&List>(values)?, arg::<i64>(n)?))
        }),
        stream: Some(stream::skip),
    },
    Native {
        id: "std.core.merge/0@1",
        run: Pure(|_, values| {
            let [a, b] = args(values)?;
            give::<List, _>(core::merge(arg::<&List>(a)?, arg::<&List>(b)?))
        }),
        stream: Some(stream::merge),
    },
    Native {
        id: "std.core.batch/0@1",
        run: Pure(|_, values| {
            let [values, size] = args(values)?;
            give::<List, _>(core::batch(arg::<&List>(values)?, arg::<i64>(size)?))
        }),
        stream: Some(stream::batch),
    },
    Native {
        id: "std.core.window/0@1",
        run: Pure(|_, values| {
            let [values, size, step] = args(values)?;
            give::<List, _>(core::window(arg::<&List>(values)?, arg::<i64>(size)?, arg::<i64>(step)?))
        }),
        stream: Some(stream::window),
    },
    Native {
        id: "std.core.running/0@1",
        run: Pure(|cx, values| {
            let [values, start, step] = args(values)?;
            give::<List, _>(core::running(cx, arg::<&List>(values)?, arg::<&Value>(start)?, arg::<&Func>(step)?))
        }),
        stream: Some(stream::running),
    },
    Native {
        id: "std.core.index/0@1",
        run: Pure(|_, values| {
            let [values] = args(values)?;
            give::<List, _>(core::index(arg::<&List>(values)?))
        }),
        stream: Some(stream::index),
    },
    Native {
        id: "std.core.last/0@1",
        run: Pure(|_, values| {
            let [values] = args(values)?;
            give::<Option<Value>, _>(core::last(arg::<&List>(values)?))
        }),
        stream: Some(stream::last),
    },
    Native {
        id: "std.core.count/0@1",
        run: Pure(|_, values| {
            let [values] = args(values)?;
            give::<i64, _>(core::count(arg::<&List>(values)?))
        }),
        stream: Some(stream::count),
    },
    Native {
        id: "std.core.len/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<i64, _>(core::len(arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.range/0@1",
        run: Pure(|_, values| {
            let [n] = args(values)?;
            give::<List, _>(core::range(arg::<i64>(n)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.min/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Option<Value>, _>(core::min(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.min/1@1",
        run: Pure(|_, values| {
            let [a, b] = args(values)?;
            give::<Value, _>(core::min_2(arg::<&Value>(a)?, arg::<&Value>(b)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.max/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Option<Value>, _>(core::max(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.max/1@1",
        run: Pure(|_, values| {
            let [a, b] = args(values)?;
            give::<Value, _>(core::max_2(arg::<&Value>(a)?, arg::<&Value>(b)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.sum/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<i64, _>(core::sum(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.sum/1@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Duration, _>(core::sum_2(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.sum/2@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Size, _>(core::sum_3(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.sum/3@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<f64, _>(core::sum_4(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.int/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<i64, _>(core::int(arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.float/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<f64, _>(core::float(arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.str/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<Text, _>(core::str(arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.round/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<i64, _>(core::round(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.round/1@1",
        run: Pure(|_, values| {
            let [x, digits] = args(values)?;
            give::<f64, _>(core::round_2(arg::<f64>(x)?, arg::<i64>(digits)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.floor/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<i64, _>(core::floor(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.ceil/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<i64, _>(core::ceil(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.abs/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<Value, _>(core::abs(arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.clamp/0@1",
        run: Pure(|_, values| {
            let [x, low, high] = args(values)?;
            give::<Value, _>(core::clamp(arg::<&Value>(x)?, arg::<&Value>(low)?, arg::<&Value>(high)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.error/0@1",
        run: Pure(|_, values| {
            let [message, code] = args(values)?;
            give::<Infallible, _>(core::error(arg::<&Text>(message)?, arg::<&Text>(code)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.hash/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<Text, _>(core::hash(arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.core.print/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [value] = args(&values)?;
            give::<(), _>(core::print(&cx, arg::<&Value>(value)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.core.model/0@1",
        run: Pure(|_, values| {
            let [id, temperature, max_tokens, top_p, seed] = args(values)?;
            give::<Value, _>(core::model(arg::<&Text>(id)?, arg::<Option<f64>>(temperature)?, arg::<Option<i64>>(max_tokens)?, arg::<Option<f64>>(top_p)?, arg::<Option<i64>>(seed)?))
        }),
        stream: None,
    },
    Native {
        id: "std.csv.parse/0@1",
        run: Pure(|_, values| {
            let [s, sep] = args(values)?;
            give::<List, _>(csv::parse(arg::<&Text>(s)?, arg::<&Text>(sep)?))
        }),
        stream: None,
    },
    Native {
        id: "std.csv.parse_rows/0@1",
        run: Pure(|_, values| {
            let [s, sep] = args(values)?;
            give::<List, _>(csv::parse_rows(arg::<&Text>(s)?, arg::<&Text>(sep)?))
        }),
        stream: None,
    },
    Native {
        id: "std.csv.parse_as/0@1",
        run: Pure(|cx, values| {
            let [s, sep] = args(values)?;
            give::<List, _>(csv::parse_as(cx, arg::<&Text>(s)?, arg::<&Text>(sep)?))
        }),
        stream: None,
    },
    Native {
        id: "std.csv.write/0@1",
        run: Pure(|_, values| {
            let [rows, sep] = args(values)?;
            give::<Text, _>(csv::write(arg::<&List>(rows)?, arg::<&Text>(sep)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.get/0@1",
        run: Pure(|_, values| {
            let [d, key] = args(values)?;
            give::<Option<Value>, _>(dict::get(arg::<&Dict>(d)?, arg::<&Value>(key)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.set/0@1",
        run: Pure(|_, values| {
            let [d, key, value] = args(values)?;
            give::<Dict, _>(dict::set(arg::<&Dict>(d)?, arg::<&Value>(key)?, arg::<&Value>(value)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.remove/0@1",
        run: Pure(|_, values| {
            let [d, key] = args(values)?;
            give::<Dict, _>(dict::remove(arg::<&Dict>(d)?, arg::<&Value>(key)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.merge/0@1",
        run: Pure(|_, values| {
            let [a, b] = args(values)?;
            give::<Dict, _>(dict::merge(arg::<&Dict>(a)?, arg::<&Dict>(b)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.has/0@1",
        run: Pure(|_, values| {
            let [d, key] = args(values)?;
            give::<bool, _>(dict::has(arg::<&Dict>(d)?, arg::<&Value>(key)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.keys/0@1",
        run: Pure(|_, values| {
            let [d] = args(values)?;
            give::<List, _>(dict::keys(arg::<&Dict>(d)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.values/0@1",
        run: Pure(|_, values| {
            let [d] = args(values)?;
            give::<List, _>(dict::values(arg::<&Dict>(d)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.entries/0@1",
        run: Pure(|_, values| {
            let [d] = args(values)?;
            give::<List, _>(dict::entries(arg::<&Dict>(d)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.from/0@1",
        run: Pure(|_, values| {
            let [entries] = args(values)?;
            give::<Dict, _>(dict::from(arg::<&List>(entries)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.map_values/0@1",
        run: Pure(|cx, values| {
            let [d, f] = args(values)?;
            give::<Dict, _>(dict::map_values(cx, arg::<&Dict>(d)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.filter/0@1",
        run: Pure(|cx, values| {
            let [d, f] = args(values)?;
            give::<Dict, _>(dict::filter(cx, arg::<&Dict>(d)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.select/0@1",
        run: Pure(|_, values| {
            let [d, keys] = args(values)?;
            give::<Dict, _>(dict::select(arg::<&Dict>(d)?, arg::<&List>(keys)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.sort_keys/0@1",
        run: Pure(|_, values| {
            let [d] = args(values)?;
            give::<Dict, _>(dict::sort_keys(arg::<&Dict>(d)?))
        }),
        stream: None,
    },
    Native {
        id: "std.dict.is_empty/0@1",
        run: Pure(|_, values| {
            let [d] = args(values)?;
            give::<bool, _>(dict::is_empty(arg::<&Dict>(d)?))
        }),
        stream: None,
    },
    Native {
        id: "std.fs.read/0@1",
        run: Blocking(|cx, values| {
            let [path] = args(&values)?;
            give::<Text, _>(fs::read(&cx, arg::<&Text>(path)?))
        }),
        stream: None,
    },
    Native {
        id: "std.fs.read_bytes/0@1",
        run: Blocking(|cx, values| {
            let [path] = args(&values)?;
            give::<Vec<u8>, _>(fs::read_bytes(&cx, arg::<&Text>(path)?))
        }),
        stream: None,
    },
    Native {
        id: "std.fs.exists/0@1",
        run: Blocking(|cx, values| {
            let [path] = args(&values)?;
            give::<bool, _>(fs::exists(&cx, arg::<&Text>(path)?))
        }),
        stream: None,
    },
    Native {
        id: "std.fs.stat/0@1",
        run: Blocking(|cx, values| {
            let [path] = args(&values)?;
            give::<records::fs::Stat, _>(fs::stat(&cx, arg::<&Text>(path)?))
        }),
        stream: None,
    },
    Native {
        id: "std.fs.list/0@1",
        run: Blocking(|cx, values| {
            let [pattern] = args(&values)?;
            give::<Vec<Text>, _>(fs::list(&cx, arg::<&Text>(pattern)?))
        }),
        stream: None,
    },
    Native {
        id: "std.fs.write/0@1",
        run: Blocking(|cx, values| {
            let [path, text] = args(&values)?;
            give::<(), _>(fs::write(&cx, arg::<&Text>(path)?, arg::<&Value>(text)?))
        }),
        stream: None,
    },
    Native {
        id: "std.fs.append/0@1",
        run: Blocking(|cx, values| {
            let [path, text] = args(&values)?;
            give::<(), _>(fs::append(&cx, arg::<&Text>(path)?, arg::<&Value>(text)?))
        }),
        stream: None,
    },
    Native {
        id: "std.fs.remove/0@1",
        run: Blocking(|cx, values| {
            let [path] = args(&values)?;
            give::<(), _>(fs::remove(&cx, arg::<&Text>(path)?))
        }),
        stream: None,
    },
    Native {
        id: "std.fs.copy/0@1",
        run: Blocking(|cx, values| {
            let [from, to] = args(&values)?;
            give::<(), _>(fs::copy(&cx, arg::<&Text>(from)?, arg::<&Text>(to)?))
        }),
        stream: None,
    },
    Native {
        id: "std.fs.move/0@1",
        run: Blocking(|cx, values| {
            let [from, to] = args(&values)?;
            give::<(), _>(fs::r#move(&cx, arg::<&Text>(from)?, arg::<&Text>(to)?))
        }),
        stream: None,
    },
    Native {
        id: "std.fs.mkdir/0@1",
        run: Blocking(|cx, values| {
            let [path] = args(&values)?;
            give::<(), _>(fs::mkdir(&cx, arg::<&Text>(path)?))
        }),
        stream: None,
    },
    Native {
        id: "std.hash.sha256/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<Text, _>(hash::sha256(arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.hash.sha1/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<Text, _>(hash::sha1(arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.hash.md5/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<Text, _>(hash::md5(arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.hash.hmac/0@1",
        run: Pure(|_, values| {
            let [key, x] = args(values)?;
            give::<Text, _>(hash::hmac(arg::<&Value>(key)?, arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.hash.base64/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<Text, _>(hash::base64(arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.hash.unbase64/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Vec<u8>, _>(hash::unbase64(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.hash.hex/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<Text, _>(hash::hex(arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.hash.unhex/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Vec<u8>, _>(hash::unhex(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.html.text/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(html::text(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.html.select/0@1",
        run: Pure(|_, values| {
            let [s, css] = args(values)?;
            give::<Vec<records::html::Element>, _>(html::select(arg::<&Text>(s)?, arg::<&Text>(css)?))
        }),
        stream: None,
    },
    Native {
        id: "std.html.links/0@1",
        run: Pure(|_, values| {
            let [s, base] = args(values)?;
            give::<Vec<records::html::Link>, _>(html::links(arg::<&Text>(s)?, arg::<&Text>(base)?))
        }),
        stream: None,
    },
    Native {
        id: "std.html.markdown/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(html::markdown(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.html.escape/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(html::escape(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.html.unescape/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(html::unescape(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.http.get/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [url, headers, query, timeout, allow_status, limit] = args(&values)?;
            give::<records::http::Response, _>(http::get(&cx, arg::<&Value>(url)?, arg::<&Dict>(headers)?, arg::<&Dict>(query)?, arg::<Duration>(timeout)?, arg::<&List>(allow_status)?, arg::<Size>(limit)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.http.post/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [url, body, headers, query, timeout, allow_status, limit] = args(&values)?;
            give::<records::http::Response, _>(http::post(&cx, arg::<&Value>(url)?, arg::<&Value>(body)?, arg::<&Dict>(headers)?, arg::<&Dict>(query)?, arg::<Duration>(timeout)?, arg::<&List>(allow_status)?, arg::<Size>(limit)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.http.put/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [url, body, headers, query, timeout, allow_status, limit] = args(&values)?;
            give::<records::http::Response, _>(http::put(&cx, arg::<&Value>(url)?, arg::<&Value>(body)?, arg::<&Dict>(headers)?, arg::<&Dict>(query)?, arg::<Duration>(timeout)?, arg::<&List>(allow_status)?, arg::<Size>(limit)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.http.patch/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [url, body, headers, query, timeout, allow_status, limit] = args(&values)?;
            give::<records::http::Response, _>(http::patch(&cx, arg::<&Value>(url)?, arg::<&Value>(body)?, arg::<&Dict>(headers)?, arg::<&Dict>(query)?, arg::<Duration>(timeout)?, arg::<&List>(allow_status)?, arg::<Size>(limit)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.http.delete/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [url, headers, query, timeout, allow_status, limit] = args(&values)?;
            give::<records::http::Response, _>(http::delete(&cx, arg::<&Value>(url)?, arg::<&Dict>(headers)?, arg::<&Dict>(query)?, arg::<Duration>(timeout)?, arg::<&List>(allow_status)?, arg::<Size>(limit)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.http.head/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [url, headers, query, timeout, allow_status] = args(&values)?;
            give::<records::http::Response, _>(http::head(&cx, arg::<&Value>(url)?, arg::<&Dict>(headers)?, arg::<&Dict>(query)?, arg::<Duration>(timeout)?, arg::<&List>(allow_status)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.http.request/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [method, url, body, headers, query, timeout, allow_status, limit] = args(&values)?;
            give::<records::http::Response, _>(http::request(&cx, arg::<&Text>(method)?, arg::<&Value>(url)?, arg::<&Value>(body)?, arg::<&Dict>(headers)?, arg::<&Dict>(query)?, arg::<Duration>(timeout)?, arg::<&List>(allow_status)?, arg::<Size>(limit)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.http.download/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [url, path, headers, query, timeout, limit] = args(&values)?;
            give::<Size, _>(http::download(&cx, arg::<&Value>(url)?, arg::<&Text>(path)?, arg::<&Dict>(headers)?, arg::<&Dict>(query)?, arg::<Duration>(timeout)?, arg::<Size>(limit)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.http.json/0@1",
        run: Pure(|_, values| {
            let [r] = args(values)?;
            give::<Value, _>(http::json(arg::<&Value>(r)?))
        }),
        stream: None,
    },
    Native {
        id: "std.http.bearer/0@1",
        run: Pure(|_, values| {
            let [token] = args(values)?;
            give::<Value, _>(http::bearer(arg::<&Value>(token)?))
        }),
        stream: None,
    },
    Native {
        id: "std.http.basic/0@1",
        run: Pure(|_, values| {
            let [user, password] = args(values)?;
            give::<Value, _>(http::basic(arg::<&Text>(user)?, arg::<&Value>(password)?))
        }),
        stream: None,
    },
    Native {
        id: "std.json.parse/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Value, _>(json::parse(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.json.write/0@1",
        run: Pure(|_, values| {
            let [x, indent] = args(values)?;
            give::<Text, _>(json::write(arg::<&Value>(x)?, arg::<i64>(indent)?))
        }),
        stream: None,
    },
    Native {
        id: "std.json.query/0@1",
        run: Pure(|_, values| {
            let [x, path] = args(values)?;
            give::<List, _>(json::query(arg::<&Value>(x)?, arg::<&Text>(path)?))
        }),
        stream: None,
    },
    Native {
        id: "std.json.get/0@1",
        run: Pure(|_, values| {
            let [x, path] = args(values)?;
            give::<Option<Value>, _>(json::get(arg::<&Value>(x)?, arg::<&Text>(path)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.first/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Option<Value>, _>(list::first(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.last/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Option<Value>, _>(list::last(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.get/0@1",
        run: Pure(|_, values| {
            let [xs, i] = args(values)?;
            give::<Option<Value>, _>(list::get(arg::<&List>(xs)?, arg::<i64>(i)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.slice/0@1",
        run: Pure(|_, values| {
            let [xs, from, to] = args(values)?;
            give::<List, _>(list::slice(arg::<&List>(xs)?, arg::<i64>(from)?, arg::<Option<i64>>(to)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.take/0@1",
        run: Pure(|_, values| {
            let [xs, n] = args(values)?;
            give::<List, _>(list::take(arg::<&List>(xs)?, arg::<i64>(n)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.drop/0@1",
        run: Pure(|_, values| {
            let [xs, n] = args(values)?;
            give::<List, _>(list::drop(arg::<&List>(xs)?, arg::<i64>(n)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.take_while/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<List, _>(list::take_while(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.drop_while/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<List, _>(list::drop_while(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.reverse/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<List, _>(list::reverse(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.unique/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<List, _>(list::unique(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.unique_by/0@1",
        run: Pure(|cx, values| {
            let [xs, key] = args(values)?;
            give::<List, _>(list::unique_by(cx, arg::<&List>(xs)?, arg::<&Func>(key)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.sort/0@1",
        run: Pure(|_, values| {
            let [xs, descending] = args(values)?;
            give::<List, _>(list::sort(arg::<&List>(xs)?, arg::<bool>(descending)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.sort/1@1",
        run: Pure(|cx, values| {
            let [xs, by, descending] = args(values)?;
            give::<List, _>(list::sort_2(cx, arg::<&List>(xs)?, arg::<&Func>(by)?, arg::<bool>(descending)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.map/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<List, _>(list::map(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.flat_map/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<List, _>(list::flat_map(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.filter/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<List, _>(list::filter(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.filter_map/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<List, _>(list::filter_map(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.compact/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<List, _>(list::compact(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.fold/0@1",
        run: Pure(|cx, values| {
            let [xs, start, step] = args(values)?;
            give::<Value, _>(list::fold(cx, arg::<&List>(xs)?, arg::<&Value>(start)?, arg::<&Func>(step)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.any/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<bool, _>(list::any(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.all/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<bool, _>(list::all(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.find/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<Option<Value>, _>(list::find(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.contains/0@1",
        run: Pure(|_, values| {
            let [xs, x] = args(values)?;
            give::<bool, _>(list::contains(arg::<&List>(xs)?, arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.index_of/0@1",
        run: Pure(|_, values| {
            let [xs, x] = args(values)?;
            give::<Option<i64>, _>(list::index_of(arg::<&List>(xs)?, arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.group_by/0@1",
        run: Pure(|cx, values| {
            let [xs, key] = args(values)?;
            give::<Dict, _>(list::group_by(cx, arg::<&List>(xs)?, arg::<&Func>(key)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.count_by/0@1",
        run: Pure(|cx, values| {
            let [xs, key] = args(values)?;
            give::<Dict, _>(list::count_by(cx, arg::<&List>(xs)?, arg::<&Func>(key)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.key_by/0@1",
        run: Pure(|cx, values| {
            let [xs, key] = args(values)?;
            give::<Dict, _>(list::key_by(cx, arg::<&List>(xs)?, arg::<&Func>(key)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.min/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Option<Value>, _>(list::min(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.max/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Option<Value>, _>(list::max(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.min_by/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<Option<Value>, _>(list::min_by(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.max_by/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<Option<Value>, _>(list::max_by(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.sum/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<i64, _>(list::sum(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.sum/1@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Duration, _>(list::sum_2(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.sum/2@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Size, _>(list::sum_3(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.sum/3@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<f64, _>(list::sum_4(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.mean/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Option<f64>, _>(list::mean(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.sum_by/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<i64, _>(list::sum_by(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.sum_by/1@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<Duration, _>(list::sum_by_2(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.sum_by/2@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<Size, _>(list::sum_by_3(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.sum_by/3@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<f64, _>(list::sum_by_4(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.join/0@1",
        run: Pure(|_, values| {
            let [xs, sep] = args(values)?;
            give::<Text, _>(list::join(arg::<&List>(xs)?, arg::<&Text>(sep)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.chunk/0@1",
        run: Pure(|_, values| {
            let [xs, size] = args(values)?;
            give::<List, _>(list::chunk(arg::<&List>(xs)?, arg::<i64>(size)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.flatten/0@1",
        run: Pure(|_, values| {
            let [xss] = args(values)?;
            give::<List, _>(list::flatten(arg::<&List>(xss)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.zip/0@1",
        run: Pure(|_, values| {
            let [xs, ys] = args(values)?;
            give::<List, _>(list::zip(arg::<&List>(xs)?, arg::<&List>(ys)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.enumerate/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<List, _>(list::enumerate(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.partition/0@1",
        run: Pure(|cx, values| {
            let [xs, f] = args(values)?;
            give::<(List, List), _>(list::partition(cx, arg::<&List>(xs)?, arg::<&Func>(f)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.intersect/0@1",
        run: Pure(|_, values| {
            let [a, b] = args(values)?;
            give::<List, _>(list::intersect(arg::<&List>(a)?, arg::<&List>(b)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.union/0@1",
        run: Pure(|_, values| {
            let [a, b] = args(values)?;
            give::<List, _>(list::union(arg::<&List>(a)?, arg::<&List>(b)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.difference/0@1",
        run: Pure(|_, values| {
            let [a, b] = args(values)?;
            give::<List, _>(list::difference(arg::<&List>(a)?, arg::<&List>(b)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.repeat/0@1",
        run: Pure(|_, values| {
            let [x, n] = args(values)?;
            give::<List, _>(list::repeat(arg::<&Value>(x)?, arg::<i64>(n)?))
        }),
        stream: None,
    },
    Native {
        id: "std.list.is_empty/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<bool, _>(list::is_empty(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.markdown.html/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(markdown::html(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.markdown.headings/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Vec<records::markdown::Heading>, _>(markdown::headings(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.markdown.links/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Vec<records::markdown::Link>, _>(markdown::links(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.markdown.code_blocks/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Vec<records::markdown::Code>, _>(markdown::code_blocks(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.sqrt/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<f64, _>(math::sqrt(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.pow/0@1",
        run: Pure(|_, values| {
            let [x, y] = args(values)?;
            give::<f64, _>(math::pow(arg::<f64>(x)?, arg::<f64>(y)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.exp/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<f64, _>(math::exp(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.ln/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<f64, _>(math::ln(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.log10/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<f64, _>(math::log10(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.log2/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<f64, _>(math::log2(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.sin/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<f64, _>(math::sin(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.cos/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<f64, _>(math::cos(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.tan/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<f64, _>(math::tan(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.asin/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<f64, _>(math::asin(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.acos/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<f64, _>(math::acos(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.atan/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<f64, _>(math::atan(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.atan2/0@1",
        run: Pure(|_, values| {
            let [y, x] = args(values)?;
            give::<f64, _>(math::atan2(arg::<f64>(y)?, arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.hypot/0@1",
        run: Pure(|_, values| {
            let [x, y] = args(values)?;
            give::<f64, _>(math::hypot(arg::<f64>(x)?, arg::<f64>(y)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.sign/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<i64, _>(math::sign(arg::<f64>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.median/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Option<f64>, _>(math::median(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.stdev/0@1",
        run: Pure(|_, values| {
            let [xs] = args(values)?;
            give::<Option<f64>, _>(math::stdev(arg::<&List>(xs)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.percentile/0@1",
        run: Pure(|_, values| {
            let [xs, p] = args(values)?;
            give::<Option<f64>, _>(math::percentile(arg::<&List>(xs)?, arg::<f64>(p)?))
        }),
        stream: None,
    },
    Native {
        id: "std.math.random/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [] = args(&values)?;
            give::<f64, _>(math::random(&cx).await)
        })),
        stream: None,
    },
    Native {
        id: "std.math.random_int/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [low, high] = args(&values)?;
            give::<i64, _>(math::random_int(&cx, arg::<i64>(low)?, arg::<i64>(high)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.math.shuffle/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [xs] = args(&values)?;
            give::<List, _>(math::shuffle(&cx, arg::<&List>(xs)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.math.choice/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [xs] = args(&values)?;
            give::<Option<Value>, _>(math::choice(&cx, arg::<&List>(xs)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.regex.is_match/0@1",
        run: Pure(|_, values| {
            let [s, pattern] = args(values)?;
            give::<bool, _>(regex::is_match(arg::<&Text>(s)?, arg::<&Text>(pattern)?))
        }),
        stream: None,
    },
    Native {
        id: "std.regex.find/0@1",
        run: Pure(|_, values| {
            let [s, pattern] = args(values)?;
            give::<Option<records::regex::Match>, _>(regex::find(arg::<&Text>(s)?, arg::<&Text>(pattern)?))
        }),
        stream: None,
    },
    Native {
        id: "std.regex.find_all/0@1",
        run: Pure(|_, values| {
            let [s, pattern] = args(values)?;
            give::<Vec<records::regex::Match>, _>(regex::find_all(arg::<&Text>(s)?, arg::<&Text>(pattern)?))
        }),
        stream: None,
    },
    Native {
        id: "std.regex.replace/0@1",
        run: Pure(|_, values| {
            let [s, pattern, with] = args(values)?;
            give::<Text, _>(regex::replace(arg::<&Text>(s)?, arg::<&Text>(pattern)?, arg::<&Text>(with)?))
        }),
        stream: None,
    },
    Native {
        id: "std.regex.split/0@1",
        run: Pure(|_, values| {
            let [s, pattern] = args(values)?;
            give::<Vec<Text>, _>(regex::split(arg::<&Text>(s)?, arg::<&Text>(pattern)?))
        }),
        stream: None,
    },
    Native {
        id: "std.regex.escape/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(regex::escape(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.rss.fetch/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [url, headers, timeout, limit] = args(&values)?;
            give::<Vec<records::rss::Item>, _>(rss::fetch(&cx, arg::<&Value>(url)?, arg::<&Dict>(headers)?, arg::<Duration>(timeout)?, arg::<Size>(limit)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.rss.parse/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Vec<records::rss::Item>, _>(rss::parse(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.rss.feed/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<records::rss::Feed, _>(rss::feed(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.sys.env/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [name] = args(&values)?;
            give::<Option<Text>, _>(sys::env(&cx, arg::<&Text>(name)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.sys.run/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [command, args, input, timeout, limit] = args(&values)?;
            give::<records::sys::Run, _>(sys::run(&cx, arg::<&Text>(command)?, arg::<&List>(args)?, arg::<&Value>(input)?, arg::<Duration>(timeout)?, arg::<Size>(limit)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.sys.sleep/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [d] = args(&values)?;
            give::<(), _>(sys::sleep(&cx, arg::<Duration>(d)?).await)
        })),
        stream: None,
    },
    Native {
        id: "std.text.upper/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(text::upper(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.lower/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(text::lower(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.title/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(text::title(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.capitalize/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(text::capitalize(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.trim/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(text::trim(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.trim_start/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(text::trim_start(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.trim_end/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(text::trim_end(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.collapse/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(text::collapse(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.reverse/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(text::reverse(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.split/0@1",
        run: Pure(|_, values| {
            let [s, sep] = args(values)?;
            give::<Vec<Text>, _>(text::split(arg::<&Text>(s)?, arg::<&Text>(sep)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.join/0@1",
        run: Pure(|_, values| {
            let [xs, sep] = args(values)?;
            give::<Text, _>(text::join(arg::<&List>(xs)?, arg::<&Text>(sep)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.lines/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Vec<Text>, _>(text::lines(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.words/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Vec<Text>, _>(text::words(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.chars/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Vec<Text>, _>(text::chars(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.replace/0@1",
        run: Pure(|_, values| {
            let [s, old, new] = args(values)?;
            give::<Text, _>(text::replace(arg::<&Text>(s)?, arg::<&Text>(old)?, arg::<&Text>(new)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.contains/0@1",
        run: Pure(|_, values| {
            let [s, part] = args(values)?;
            give::<bool, _>(text::contains(arg::<&Text>(s)?, arg::<&Text>(part)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.starts_with/0@1",
        run: Pure(|_, values| {
            let [s, prefix] = args(values)?;
            give::<bool, _>(text::starts_with(arg::<&Text>(s)?, arg::<&Text>(prefix)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.ends_with/0@1",
        run: Pure(|_, values| {
            let [s, suffix] = args(values)?;
            give::<bool, _>(text::ends_with(arg::<&Text>(s)?, arg::<&Text>(suffix)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.index_of/0@1",
        run: Pure(|_, values| {
            let [s, part] = args(values)?;
            give::<Option<i64>, _>(text::index_of(arg::<&Text>(s)?, arg::<&Text>(part)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.last_index_of/0@1",
        run: Pure(|_, values| {
            let [s, part] = args(values)?;
            give::<Option<i64>, _>(text::last_index_of(arg::<&Text>(s)?, arg::<&Text>(part)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.count/0@1",
        run: Pure(|_, values| {
            let [s, part] = args(values)?;
            give::<i64, _>(text::count(arg::<&Text>(s)?, arg::<&Text>(part)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.slice/0@1",
        run: Pure(|_, values| {
            let [s, from, to] = args(values)?;
            give::<Text, _>(text::slice(arg::<&Text>(s)?, arg::<i64>(from)?, arg::<Option<i64>>(to)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.pad_left/0@1",
        run: Pure(|_, values| {
            let [s, n, fill] = args(values)?;
            give::<Text, _>(text::pad_left(arg::<&Text>(s)?, arg::<i64>(n)?, arg::<&Text>(fill)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.pad_right/0@1",
        run: Pure(|_, values| {
            let [s, n, fill] = args(values)?;
            give::<Text, _>(text::pad_right(arg::<&Text>(s)?, arg::<i64>(n)?, arg::<&Text>(fill)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.repeat/0@1",
        run: Pure(|_, values| {
            let [s, n] = args(values)?;
            give::<Text, _>(text::repeat(arg::<&Text>(s)?, arg::<i64>(n)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.truncate/0@1",
        run: Pure(|_, values| {
            let [s, n, end] = args(values)?;
            give::<Text, _>(text::truncate(arg::<&Text>(s)?, arg::<i64>(n)?, arg::<&Text>(end)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.slug/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(text::slug(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.strip_accents/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(text::strip_accents(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.dedent/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(text::dedent(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.indent/0@1",
        run: Pure(|_, values| {
            let [s, by] = args(values)?;
            give::<Text, _>(text::indent(arg::<&Text>(s)?, arg::<&Text>(by)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.concat/0@1",
        run: Pure(|_, values| {
            let [a, b] = args(values)?;
            give::<Text, _>(text::concat(arg::<&Text>(a)?, arg::<&Text>(b)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.remove_prefix/0@1",
        run: Pure(|_, values| {
            let [s, prefix] = args(values)?;
            give::<Text, _>(text::remove_prefix(arg::<&Text>(s)?, arg::<&Text>(prefix)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.remove_suffix/0@1",
        run: Pure(|_, values| {
            let [s, suffix] = args(values)?;
            give::<Text, _>(text::remove_suffix(arg::<&Text>(s)?, arg::<&Text>(suffix)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.template/0@1",
        run: Pure(|_, values| {
            let [s, values] = args(values)?;
            give::<Text, _>(text::template(arg::<&Text>(s)?, arg::<&Dict>(values)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.format_number/0@1",
        run: Pure(|_, values| {
            let [x, digits, thousands] = args(values)?;
            give::<Text, _>(text::format_number(arg::<f64>(x)?, arg::<i64>(digits)?, arg::<&Text>(thousands)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.is_empty/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<bool, _>(text::is_empty(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.to_bytes/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Vec<u8>, _>(text::to_bytes(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.text.from_bytes/0@1",
        run: Pure(|_, values| {
            let [b] = args(values)?;
            give::<Text, _>(text::from_bytes(arg::<&[u8]>(b)?))
        }),
        stream: None,
    },
    Native {
        id: "std.time.now/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [] = args(&values)?;
            give::<Datetime, _>(time::now(&cx).await)
        })),
        stream: None,
    },
    Native {
        id: "std.time.parse/0@1",
        run: Pure(|_, values| {
            let [s, format] = args(values)?;
            give::<Datetime, _>(time::parse(arg::<&Text>(s)?, arg::<Option<&Text>>(format)?))
        }),
        stream: None,
    },
    Native {
        id: "std.time.format/0@1",
        run: Pure(|_, values| {
            let [t, pattern, zone] = args(values)?;
            give::<Text, _>(time::format(arg::<Datetime>(t)?, arg::<&Text>(pattern)?, arg::<&Text>(zone)?))
        }),
        stream: None,
    },
    Native {
        id: "std.time.add/0@1",
        run: Pure(|_, values| {
            let [t, d] = args(values)?;
            give::<Datetime, _>(time::add(arg::<Datetime>(t)?, arg::<Duration>(d)?))
        }),
        stream: None,
    },
    Native {
        id: "std.time.diff/0@1",
        run: Pure(|_, values| {
            let [a, b] = args(values)?;
            give::<Duration, _>(time::diff(arg::<Datetime>(a)?, arg::<Datetime>(b)?))
        }),
        stream: None,
    },
    Native {
        id: "std.time.weekday/0@1",
        run: Pure(|_, values| {
            let [t] = args(values)?;
            give::<i64, _>(time::weekday(arg::<Datetime>(t)?))
        }),
        stream: None,
    },
    Native {
        id: "std.time.start_of/0@1",
        run: Pure(|_, values| {
            let [t, unit] = args(values)?;
            give::<Datetime, _>(time::start_of(arg::<Datetime>(t)?, arg::<&Text>(unit)?))
        }),
        stream: None,
    },
    Native {
        id: "std.time.parts/0@1",
        run: Pure(|_, values| {
            let [t, zone] = args(values)?;
            give::<records::time::Parts, _>(time::parts(arg::<Datetime>(t)?, arg::<&Text>(zone)?))
        }),
        stream: None,
    },
    Native {
        id: "std.time.unix/0@1",
        run: Pure(|_, values| {
            let [t] = args(values)?;
            give::<i64, _>(time::unix(arg::<Datetime>(t)?))
        }),
        stream: None,
    },
    Native {
        id: "std.time.from_unix/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Datetime, _>(time::from_unix(arg::<i64>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.time.seconds/0@1",
        run: Pure(|_, values| {
            let [d] = args(values)?;
            give::<f64, _>(time::seconds(arg::<Duration>(d)?))
        }),
        stream: None,
    },
    Native {
        id: "std.time.hours/0@1",
        run: Pure(|_, values| {
            let [d] = args(values)?;
            give::<f64, _>(time::hours(arg::<Duration>(d)?))
        }),
        stream: None,
    },
    Native {
        id: "std.toml.parse/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Value, _>(toml::parse(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.toml.write/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<Text, _>(toml::write(arg::<&Value>(x)?))
        }),
        stream: None,
    },
    Native {
        id: "std.url.parse/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<records::url::Url, _>(url::parse(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.url.build/0@1",
        run: Pure(|_, values| {
            let [u] = args(values)?;
            give::<Text, _>(url::build(arg::<&Value>(u)?))
        }),
        stream: None,
    },
    Native {
        id: "std.url.encode/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(url::encode(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.url.decode/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(url::decode(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.url.join/0@1",
        run: Pure(|_, values| {
            let [base, s] = args(values)?;
            give::<Text, _>(url::join(arg::<&Text>(base)?, arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.uuid.v4/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [] = args(&values)?;
            give::<Text, _>(uuid::v4(&cx).await)
        })),
        stream: None,
    },
    Native {
        id: "std.uuid.v7/0@1",
        run: Io(|cx, values| Box::pin(async move {
            let [] = args(&values)?;
            give::<Text, _>(uuid::v7(&cx).await)
        })),
        stream: None,
    },
    Native {
        id: "std.xml.parse/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<records::xml::Element, _>(xml::parse(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.xml.select/0@1",
        run: Pure(|_, values| {
            let [e, path] = args(values)?;
            give::<Vec<records::xml::Element>, _>(xml::select(arg::<&Value>(e)?, arg::<&Text>(path)?))
        }),
        stream: None,
    },
    Native {
        id: "std.xml.escape/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Text, _>(xml::escape(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.yaml.parse/0@1",
        run: Pure(|_, values| {
            let [s] = args(values)?;
            give::<Value, _>(yaml::parse(arg::<&Text>(s)?))
        }),
        stream: None,
    },
    Native {
        id: "std.yaml.write/0@1",
        run: Pure(|_, values| {
            let [x] = args(values)?;
            give::<Text, _>(yaml::write(arg::<&Value>(x)?))
        }),
        stream: None,
    },
];

/// The record types of the modules.
pub(crate) mod records {
    pub(crate) mod fs {
        use super::super::*;

        pub(crate) struct Stat {
            pub(crate) path: Text,
            pub(crate) size: Size,
            pub(crate) modified: Datetime,
            pub(crate) is_dir: bool,
        }
        impl Give for Stat {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(Some("Stat"), &["path", "size", "modified", "is_dir"]));
                Ok(Value::record(SHAPE.clone(), vec![self.path.give()?, self.size.give()?, self.modified.give()?, self.is_dir.give()?]))
            }
        }
        impl Listed for Stat {}
    }
    pub(crate) mod html {
        use super::super::*;

        pub(crate) struct Element {
            pub(crate) name: Text,
            pub(crate) text: Text,
            pub(crate) attributes: Dict,
            pub(crate) children: Vec<records::html::Element>,
        }
        impl Give for Element {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(Some("Element"), &["name", "text", "attributes", "children"]));
                Ok(Value::record(SHAPE.clone(), vec![self.name.give()?, self.text.give()?, self.attributes.give()?, self.children.give()?]))
            }
        }
        impl Listed for Element {}

        pub(crate) struct Link {
            pub(crate) text: Text,
            pub(crate) url: Text,
        }
        impl Give for Link {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(Some("Link"), &["text", "url"]));
                Ok(Value::record(SHAPE.clone(), vec![self.text.give()?, self.url.give()?]))
            }
        }
        impl Listed for Link {}
    }
    pub(crate) mod http {
        use super::super::*;

        pub(crate) struct Response {
            pub(crate) status: i64,
            pub(crate) headers: Dict,
            pub(crate) body: Text,
            pub(crate) bytes: Vec<u8>,
            pub(crate) url: Text,
        }
        impl Give for Response {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(Some("Response"), &["status", "headers", "body", "bytes", "url"]));
                Ok(Value::record(SHAPE.clone(), vec![self.status.give()?, self.headers.give()?, self.body.give()?, self.bytes.give()?, self.url.give()?]))
            }
        }
        impl Listed for Response {}
    }
    pub(crate) mod markdown {
        use super::super::*;

        pub(crate) struct Heading {
            pub(crate) level: i64,
            pub(crate) text: Text,
        }
        impl Give for Heading {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(Some("Heading"), &["level", "text"]));
                Ok(Value::record(SHAPE.clone(), vec![self.level.give()?, self.text.give()?]))
            }
        }
        impl Listed for Heading {}

        pub(crate) struct Link {
            pub(crate) text: Text,
            pub(crate) url: Text,
        }
        impl Give for Link {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(Some("Link"), &["text", "url"]));
                Ok(Value::record(SHAPE.clone(), vec![self.text.give()?, self.url.give()?]))
            }
        }
        impl Listed for Link {}

        pub(crate) struct Code {
            pub(crate) lang: Text,
            pub(crate) code: Text,
        }
        impl Give for Code {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(Some("Code"), &["lang", "code"]));
                Ok(Value::record(SHAPE.clone(), vec![self.lang.give()?, self.code.give()?]))
            }
        }
        impl Listed for Code {}
    }
    pub(crate) mod regex {
        use super::super::*;

        pub(crate) struct Match {
            pub(crate) text: Text,
            pub(crate) start: i64,
            pub(crate) end: i64,
            pub(crate) groups: List,
            pub(crate) named: Dict,
        }
        impl Give for Match {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(Some("Match"), &["text", "start", "end", "groups", "named"]));
                Ok(Value::record(SHAPE.clone(), vec![self.text.give()?, self.start.give()?, self.end.give()?, self.groups.give()?, self.named.give()?]))
            }
        }
        impl Listed for Match {}
    }
    pub(crate) mod rss {
        use super::super::*;

        pub(crate) struct Item {
            pub(crate) title: Text,
            pub(crate) link: Text,
            pub(crate) summary: Text,
            pub(crate) published: Option<Datetime>,
            pub(crate) id: Text,
            pub(crate) author: Text,
        }
        impl Give for Item {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(Some("Item"), &["title", "link", "summary", "published", "id", "author"]));
                Ok(Value::record(SHAPE.clone(), vec![self.title.give()?, self.link.give()?, self.summary.give()?, self.published.give()?, self.id.give()?, self.author.give()?]))
            }
        }
        impl Listed for Item {}

        pub(crate) struct Feed {
            pub(crate) title: Text,
            pub(crate) link: Text,
            pub(crate) summary: Text,
            pub(crate) items: Vec<records::rss::Item>,
        }
        impl Give for Feed {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(Some("Feed"), &["title", "link", "summary", "items"]));
                Ok(Value::record(SHAPE.clone(), vec![self.title.give()?, self.link.give()?, self.summary.give()?, self.items.give()?]))
            }
        }
        impl Listed for Feed {}
    }
    pub(crate) mod sys {
        use super::super::*;

        pub(crate) struct Run {
            pub(crate) code: i64,
            pub(crate) out: Text,
            pub(crate) err: Text,
        }
        impl Give for Run {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(None, &["code", "out", "err"]));
                Ok(Value::record(SHAPE.clone(), vec![self.code.give()?, self.out.give()?, self.err.give()?]))
            }
        }
        impl Listed for Run {}
    }
    pub(crate) mod time {
        use super::super::*;

        pub(crate) struct Parts {
            pub(crate) year: i64,
            pub(crate) month: i64,
            pub(crate) day: i64,
            pub(crate) hour: i64,
            pub(crate) minute: i64,
            pub(crate) second: i64,
        }
        impl Give for Parts {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(None, &["year", "month", "day", "hour", "minute", "second"]));
                Ok(Value::record(SHAPE.clone(), vec![self.year.give()?, self.month.give()?, self.day.give()?, self.hour.give()?, self.minute.give()?, self.second.give()?]))
            }
        }
        impl Listed for Parts {}
    }
    pub(crate) mod url {
        use super::super::*;

        pub(crate) struct Url {
            pub(crate) scheme: Text,
            pub(crate) user: Text,
            pub(crate) password: Text,
            pub(crate) host: Text,
            pub(crate) port: Option<i64>,
            pub(crate) path: Text,
            pub(crate) query: List,
            pub(crate) fragment: Text,
        }
        impl Give for Url {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(Some("Url"), &["scheme", "user", "password", "host", "port", "path", "query", "fragment"]));
                Ok(Value::record(SHAPE.clone(), vec![self.scheme.give()?, self.user.give()?, self.password.give()?, self.host.give()?, self.port.give()?, self.path.give()?, self.query.give()?, self.fragment.give()?]))
            }
        }
        impl Listed for Url {}
    }
    pub(crate) mod xml {
        use super::super::*;

        pub(crate) struct Element {
            pub(crate) name: Text,
            pub(crate) text: Text,
            pub(crate) attributes: Dict,
            pub(crate) children: Vec<records::xml::Element>,
        }
        impl Give for Element {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(Some("Element"), &["name", "text", "attributes", "children"]));
                Ok(Value::record(SHAPE.clone(), vec![self.name.give()?, self.text.give()?, self.attributes.give()?, self.children.give()?]))
            }
        }
        impl Listed for Element {}
    }
}
