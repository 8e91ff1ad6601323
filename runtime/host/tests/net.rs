//! Requests against a server on the loopback interface: where they may go, how they end, what they hold out.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests may fail")]

#[path = "../../../tests/src/server.rs"]
mod server;

use ntl_host::net::{Addresses, Answer, Request, Resolve};
use ntl_host::{Grants, Host, NetGrant, Refusal};
use server::{Received, answer};
use std::io::Write as _;
use std::net::{IpAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

fn serve(answer: impl Fn(&Received, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static) -> u16 {
    server::serve(answer).unwrap()
}

fn host(grants: &[String]) -> Host {
    let net = grants.iter().map(|g| NetGrant::parse(g).unwrap()).collect();
    Host::new(Grants { net, ..Grants::default() }, PathBuf::new())
}

fn request(url: String) -> Request {
    Request { method: "GET".into(), url, timeout: Duration::from_secs(60), limit: 1 << 20, ..Request::default() }
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

async fn whole(host: &Host, request: Request) -> Result<(Answer, String), Refusal> {
    let mut answer = host.fetch(request).await?;
    let body = answer.body().await?;
    Ok((answer, String::from_utf8_lossy(&body).into_owned()))
}

fn fetch(host: &Host, request: Request) -> Result<(Answer, String), Refusal> {
    wait(whole(host, request))
}

fn refused(host: &Host, request: Request) -> Refusal {
    fetch(host, request).err().expect("a refusal")
}

/// Tells what it is asked.
fn echo(received: &Received, stream: &mut TcpStream) -> std::io::Result<()> {
    let auth = [received.header("authorization"), received.header("x-key"), received.header("cookie")].join("|");
    answer(stream, 200, "", format!("{} {} {auth} {}", received.method, received.path, received.body.len()).as_bytes())
}

#[test]
fn only_what_is_granted_is_reached() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let port = serve(move |received, stream| {
        counted.fetch_add(1, Ordering::SeqCst);
        echo(received, stream)
    });
    let url = format!("http://127.0.0.1:{port}/x");
    for grants in [vec![], vec!["*".into()], vec![format!("127.0.0.1:{}", port ^ 1)], vec![format!("localhost:{port}")]]
    {
        let refusal = refused(&host(&grants), request(url.clone()));
        assert_eq!(refusal.code, "permission");
        assert!(refusal.message.contains(&format!("--allow-net=127.0.0.1:{port}")), "{}", refusal.message);
    }
    for odd in [
        format!("http://0x7f.1:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://[::ffff:7f00:1]:{port}/"),
    ] {
        assert_eq!(refused(&host(&["*".into()]), request(odd)).code, "permission");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    for (grant, url) in [
        (format!("127.0.0.1:{port}"), url.clone()),
        ("127.0.0.0/8".into(), url),
        ("localhost".into(), format!("http://localhost:{port}/x")),
    ] {
        assert_eq!(fetch(&host(&[grant]), request(url)).unwrap().1, "GET /x || 0");
    }
}

/// Knows some names, and how often it was asked.
struct Names(Vec<(&'static str, Vec<IpAddr>)>, AtomicUsize);

impl Resolve for Names {
    fn resolve(&self, name: &str) -> Addresses {
        self.1.fetch_add(1, Ordering::SeqCst);
        let found = self.0.iter().find(|(n, _)| *n == name).map(|(_, addresses)| addresses.clone());
        Box::pin(std::future::ready(found.ok_or_else(|| std::io::Error::other("no such name"))))
    }
}

#[test]
fn each_address_of_a_name_is_looked_at() {
    let port = serve(echo);
    let ip = |text: &str| text.parse::<IpAddr>().unwrap();
    let names = Arc::new(Names(
        vec![
            ("rebound.example", vec![ip("127.0.0.1")]),
            ("cloud.example", vec![ip("169.254.169.254"), ip("::ffff:10.0.0.1"), ip("fd00::1")]),
            ("mixed.example", vec![ip("10.0.0.1"), ip("127.0.0.1")]),
            ("none.example", vec![]),
        ],
        AtomicUsize::new(0),
    ));
    let asking = |grants: &[&str], url: &str| {
        let grants: Vec<String> = grants.iter().map(|g| (*g).to_owned()).collect();
        fetch(&host(&grants).resolving(names.clone()), request(format!("http://{url}:{port}/x")))
    };
    let error = |grants: &[&str], url: &str| asking(grants, url).err().expect("a refusal");
    for (name, leads) in [("rebound.example", "127.0.0.1"), ("cloud.example", "169.254.169.254")] {
        for grants in [&["*"][..], &[name], &[name, "localhost"], &[name, "127.0.0.1:1"]] {
            let refusal = error(grants, name);
            assert_eq!(refusal.code, "permission", "{}", refusal.message);
            assert!(refusal.message.contains(&format!("--allow-net={leads}:{port}")), "{}", refusal.message);
        }
    }
    assert_eq!(error(&["none.example"], "none.example").code, "network");
    let unknown = error(&["*"], "unknown.example");
    assert_eq!((unknown.code, unknown.retryable), ("network", true));
    // A name that is not granted is not even looked up.
    let before = names.1.load(Ordering::SeqCst);
    assert_eq!(error(&["127.0.0.1"], "rebound.example").code, "permission");
    assert_eq!(names.1.load(Ordering::SeqCst), before);
    // Named themselves they are reached, and only they; the name is resolved once.
    assert_eq!(asking(&["*", "127.0.0.1"], "mixed.example").unwrap().1, "GET /x || 0");
    assert_eq!(names.1.load(Ordering::SeqCst), before + 1);
}

#[test]
fn every_redirect_is_looked_at() {
    let inner = serve(echo);
    let port = serve(move |received, stream| {
        let to = match received.path.as_str() {
            "/in" => format!("http://127.0.0.1:{inner}/secret"),
            "/file" => "file:///etc/passwd".into(),
            "/loop" => "/loop".into(),
            "/see" | "/keep" => "./end?q=1".into(),
            "/cross" => format!("http://localhost:{inner}/x"),
            _ => return echo(received, stream),
        };
        let status = if received.path == "/keep" { 307 } else { 302 };
        answer(stream, status, &format!("location: {to}\r\n"), b"")
    });
    let granted = [format!("127.0.0.1:{port}"), format!("localhost:{inner}")];
    let at = |path: &str| request(format!("http://127.0.0.1:{port}{path}"));
    let host = host(&granted);
    let refusal = refused(&host, at("/in"));
    assert_eq!(refusal.code, "permission");
    assert!(refusal.message.contains("redirects") && refusal.message.contains(&format!("127.0.0.1:{inner}")));
    assert_eq!(refused(&host, at("/file")).code, "network");
    let endless = refused(&host, at("/loop"));
    assert_eq!((endless.code, endless.retryable), ("network", false));
    let post = |path: &str| Request { method: "POST".into(), body: b"data".to_vec(), ..at(path) };
    let (answer, body) = fetch(&host, post("/see")).unwrap();
    assert_eq!((body.as_str(), answer.url), ("GET /end?q=1 || 0", format!("http://127.0.0.1:{port}/end?q=1")));
    assert_eq!(fetch(&host, post("/keep")).unwrap().1, "POST /end?q=1 || 4");
    // What tells who asks stays with the one it was meant for.
    let known = |path: &str| Request {
        headers: [("authorization", "a"), ("cookie", "c"), ("x-key", "hush")].map(|(n, v)| (n.into(), v.into())).into(),
        secrets: vec!["hush".into()],
        ..at(path)
    };
    assert_eq!(fetch(&host, known("/see")).unwrap().1, "GET /end?q=1 a|hush|c 0");
    assert_eq!(fetch(&host, known("/cross")).unwrap().1, "GET /x || 0");
}

/// 16 MB of zeros, packed.
fn bomb() -> Vec<u8> {
    // One block of fixed codes: a zero, and the same again, 258 at a time.
    let mut bits = Bits::default();
    bits.put(0b1, 1);
    bits.put(0b01, 2);
    bits.put_reversed(0x30, 8);
    for _ in 0..(16 << 20) / 258 {
        bits.put_reversed(0b1100_0101, 8); // length 258
        bits.put_reversed(0, 5); // distance 1
    }
    bits.put_reversed(0, 7);
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    packed.extend(bits.bytes);
    packed
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    fn put(&mut self, value: u32, count: u32) {
        for at in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |= ((value >> at & 1) as u8) << (self.used % 8);
            self.used += 1;
        }
    }
    fn put_reversed(&mut self, value: u32, count: u32) {
        self.put(value.reverse_bits() >> (32 - count), count);
    }
}

#[test]
fn answers_are_bounded() {
    let packed = bomb();
    assert!(packed.len() < 1 << 20);
    let port = serve(move |received, stream| match received.path.as_str() {
        "/long" => answer(stream, 200, "", &vec![b'x'; 2 << 20]),
        "/announced" => {
            write!(stream, "HTTP/1.1 200 X\r\ncontent-length: 999999999999\r\n\r\n")?;
            std::thread::park();
            Ok(())
        }
        "/chunks" => {
            write!(stream, "HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n")?;
            loop {
                write!(stream, "5\r\nhello\r\n")?;
            }
        }
        "/bomb" => answer(stream, 200, "content-encoding: gzip\r\n", &packed),
        "/few" => {
            write!(stream, "HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n1;x=y\r\n!\r\n0\r\n\r\n")
        }
        "/broken" => write!(stream, "HTTP/1.1 200 X\r\ncontent-length: 9\r\n\r\nshort"),
        "/headers" => {
            write!(stream, "HTTP/1.1 200 X\r\n")?;
            loop {
                write!(stream, "x-{}: y\r\n", "n".repeat(1000))?;
            }
        }
        "/garbage" => write!(stream, "SSH-2.0-OpenSSH\r\n"),
        _ => Ok(()),
    });
    let host = host(&[format!("127.0.0.1:{port}")]);
    let at = |path: &str| request(format!("http://127.0.0.1:{port}{path}"));
    for path in ["/long", "/announced", "/chunks", "/bomb"] {
        let refusal = refused(&host, at(path));
        assert!(refusal.code == "invalid" && refusal.message.contains("1048576"), "{path}: {refusal:?}");
    }
    assert_eq!(fetch(&host, at("/few")).unwrap().1, "hello!");
    for path in ["/broken", "/headers", "/garbage", "/nothing"] {
        let refusal = refused(&host, at(path));
        assert_eq!((refusal.code, refusal.retryable), ("network", true), "{path}: {refusal:?}");
    }
}

#[test]
fn what_is_slow_or_cancelled_ends() {
    let (left, gone) = mpsc::channel();
    let left = std::sync::Mutex::new(left);
    let port = serve(move |received, stream| {
        if received.path != "/silent" {
            write!(stream, "HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n")?;
        }
        // A drop now and then, until the other end is gone.
        let mut ended = Ok(());
        while ended.is_ok() {
            ended = match received.path.as_str() {
                "/silent" => std::io::Read::read(stream, &mut [0])
                    .and_then(|n| if n == 0 { Err(std::io::Error::other("")) } else { Ok(()) }),
                _ => write!(stream, "1\r\nx\r\n"),
            };
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = left.lock().unwrap().send(received.path.clone());
        Ok(())
    });
    let host = host(&[format!("127.0.0.1:{port}")]);
    for path in ["/slow", "/silent"] {
        let short =
            Request { timeout: Duration::from_millis(100), ..request(format!("http://127.0.0.1:{port}{path}")) };
        let refusal = refused(&host, short);
        assert_eq!((refusal.code, refusal.retryable), ("timeout", true), "{refusal:?}");
        assert_eq!(gone.recv().unwrap(), path);
    }
    // Dropped in the middle, as a run that is cancelled does.
    wait(async {
        let mut answer = host.fetch(request(format!("http://127.0.0.1:{port}/middle"))).await.ok().unwrap();
        assert!(answer.chunk().await.unwrap().is_some());
        drop(answer);
        let seen = tokio::task::spawn_blocking(move || gone.recv().unwrap());
        assert_eq!(seen.await.unwrap(), "/middle");
    });
}

#[test]
fn secrets_are_in_no_message() {
    let port = serve(|received, stream| {
        let to = format!("location: http://nowhere.example{}&again=1\r\n", received.path);
        match received.path.starts_with("/end") {
            true => answer(stream, 200, &format!("x-echo: {}\r\n", received.header("x-key")), b""),
            false => answer(stream, 302, &to, b""),
        }
    });
    let host = host(&[format!("127.0.0.1:{port}")]);
    let asking = |path: &str, url_is_secret: bool| {
        let url = format!("http://ada:pw123@127.0.0.1:{port}{path}?token=t0ken");
        Request {
            query: vec![("key".into(), "s3 cr/et".into())],
            headers: vec![("x-key".into(), "s3 cr/et".into())],
            secrets: ["s3 cr/et".to_owned()].into_iter().chain(url_is_secret.then(|| url.clone())).collect(),
            ..request(url)
        }
    };
    let is_clean = |text: &str| ["s3 cr", "s3+cr", "cr%2Fet", "t0ken", "pw123"].iter().all(|s| !text.contains(s));
    for url_is_secret in [false, true] {
        let refusal = refused(&host, asking("/go/path", url_is_secret));
        assert!(refusal.code == "permission" && is_clean(&refusal.message), "{}", refusal.message);
        assert_eq!(refusal.message.contains("/go/path"), !url_is_secret, "{}", refusal.message);
    }
    let (answer, _) = fetch(&host, asking("/end", false)).unwrap();
    assert!(!answer.url.contains("cr%2Fet") && answer.url.contains("key=‹secret›"), "{}", answer.url);
    assert!(answer.headers.iter().all(|(_, value)| is_clean(value)));
    let (answer, _) = fetch(&host, asking("/end", true)).unwrap();
    assert_eq!(answer.url, format!("http://127.0.0.1:{port}/…"));
    for bad in ["ht!tp://s3cret", "ftp://h/s3cret", "/s3cret"] {
        let refusal = refused(&host, Request { secrets: vec![bad.into()], ..request(bad.into()) });
        assert!(refusal.code == "invalid" && !refusal.message.contains("s3cret"), "{}", refusal.message);
    }
    let header = |name: &str, value: &str| Request {
        headers: vec![(name.into(), value.into())],
        ..request(format!("http://127.0.0.1:{port}/end"))
    };
    for (name, value) in [("host", "evil"), ("x\n", "y"), ("x", "s3cret\r\ny: z"), ("Transfer-Encoding", "chunked")] {
        let refusal = refused(&host, header(name, value));
        assert!(refusal.code == "invalid" && !refusal.message.contains("s3cret"), "{}", refusal.message);
    }
}
