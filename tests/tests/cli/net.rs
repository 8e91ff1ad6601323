//! The network, as users meet it.

use crate::{Folder, assert_status, first_code};
use ntl_tests::server::{answer, serve};
use std::sync::atomic::{AtomicUsize, Ordering};

const GET: &str = "use std.http\n\nworkflow f(url: str) -> (body: str) {\n  @retry(2, backoff: 1ms) r = http.get(url)\n  body = r.body\n}\n";

#[test]
fn a_host_is_reached_where_it_is_granted() {
    let port = serve(|_, stream| answer(stream, 200, "", b"there")).unwrap();
    let folder = Folder::new(&[("main.ntl", GET)]);
    let url = format!("url=http://127.0.0.1:{port}/x?token=t0ken");
    let run = |grant: &str| folder.ntl(["run", "main.ntl", &url, "--json", grant]);
    assert_eq!(run(&format!("--allow-net=127.0.0.1:{port}")).json().unwrap()["outputs"]["body"], "there");
    // Granted is something, but not this: it is known at the call, and the token is not shown.
    for grant in ["--allow-net", "--allow-net=example.org", "--allow-net=127.0.0.1:1"] {
        let output = run(grant);
        assert_status(&output, 1);
        let text = output.json().unwrap()["errors"].to_string();
        assert!(text.contains("permission") && text.contains(&format!("--allow-net=127.0.0.1:{port}")), "{text}");
        assert!(!text.contains("t0ken"), "{text}");
    }
    // Nothing is granted: it does not begin.
    assert_status(&folder.ntl(["run", "main.ntl", &url]), 2);
    let output = folder.ntl(["run", "main.ntl", &url, "--allow-net=http://x"]);
    assert_status(&output, 2);
    assert!(output.stderr.contains("example.org:443"), "{}", output.stderr);
    let manifest = format!("[permissions]\nnet = [\"127.0.0.1:{port}\"]\n");
    folder.write("ntl.toml", manifest.as_bytes());
    assert_status(&folder.ntl(["run", "main.ntl", &url]), 0);
    folder.write("ntl.toml", b"[permissions]\nnet = [\"127.0.0.1:x\"]\n");
    assert_status(&folder.ntl(["run", "main.ntl", &url]), 2);
}

#[test]
fn a_literal_url_outside_the_grant_is_refused_before_the_start() {
    let source = GET.replace("http.get(url)", "http.get(\"https://api.example.com/v1?key=hush\")");
    let folder = Folder::new(&[("main.ntl", &source)]);
    let output = folder.ntl(["run", "main.ntl", "url=x", "--allow-net=example.com", "--json"]);
    assert_status(&output, 2);
    let error = &output.json().unwrap()["errors"][0];
    assert_eq!(error["line"], 4);
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("--allow-net=api.example.com:443") && !message.contains("hush"), "{message}");
    assert_status(&folder.ntl(["run", "main.ntl", "url=x", "--allow-net=*.example.com", "--check"]), 0);
}

#[test]
fn what_fails_for_now_is_tried_again() {
    let asked = std::sync::Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let port = serve(move |received, stream| match (received.path.as_str(), count.fetch_add(1, Ordering::SeqCst)) {
        ("/busy", 0) => answer(stream, 503, "retry-after: 0\r\n", b""),
        ("/busy", 1) => answer(stream, 429, "", b""),
        ("/busy", _) => answer(stream, 200, "", b"at last"),
        ("/down", _) => answer(stream, 500, "content-type: text/plain\r\n", b"all is lost"),
        _ => answer(stream, 404, "", b""),
    })
    .unwrap();
    let folder = Folder::new(&[("main.ntl", GET)]);
    let run = |path: &str| {
        asked.store(0, Ordering::SeqCst);
        let url = format!("url=http://127.0.0.1:{port}{path}");
        let output = folder.ntl(["run", "main.ntl", &url, "--json", &format!("--allow-net=127.0.0.1:{port}")]);
        (output, asked.load(Ordering::SeqCst))
    };
    let (output, tries) = run("/busy");
    assert_eq!((output.json().unwrap()["outputs"]["body"].as_str(), tries), (Some("at last"), 3));
    let (output, tries) = run("/down");
    assert_eq!((first_code(&output), tries), ("http_500".to_owned(), 3));
    assert!(output.stdout.contains("all is lost"), "{}", output.stdout);
    let (output, tries) = run("/none");
    assert_eq!((first_code(&output), tries), ("http_404".to_owned(), 1));
}

#[test]
fn a_download_that_breaks_off_leaves_what_was_there() {
    let port = serve(|received, stream| match received.path.as_str() {
        "/whole" => answer(stream, 200, "", b"new"),
        _ => std::io::Write::write_all(stream, b"HTTP/1.1 200 X\r\ncontent-length: 9\r\n\r\nhalf"),
    })
    .unwrap();
    let source = "use std.http\n\nworkflow f(url: str) -> size {\n  http.download(url, path: \"out/a.txt\")\n}\n";
    let folder = Folder::new(&[("main.ntl", source), ("out/a.txt", "old")]);
    let net = format!("--allow-net=127.0.0.1:{port}");
    let run = |path: &str| {
        let url = format!("url=http://127.0.0.1:{port}{path}");
        folder.ntl(["run", "main.ntl", &url, &net, "--allow-fs-write=out/a.txt", "--json"])
    };
    let files = || ntl_tests::entries(&folder.path().join("out")).len();
    assert_eq!(first_code(&run("/half")), "network");
    assert_eq!((folder.read("out/a.txt"), files()), ("old".to_owned(), 1));
    assert_eq!(run("/whole").json().unwrap()["outputs"]["output"], "3b");
    assert_eq!((folder.read("out/a.txt"), files()), ("new".to_owned(), 1));
}
