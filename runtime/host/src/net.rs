//! The network. A request goes only where it is granted: the host and port of its URL, those of every redirect, and every
//! address that a name leads to.

mod address;
mod connect;
mod grant;

pub use connect::{Addresses, Resolve};
pub use grant::NetGrant;

use crate::{Host, Refusal, flag};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, COOKIE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use std::collections::BTreeMap;
use std::error::Error as _;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use url::Url;

/// How many redirects are followed.
const REDIRECTS: usize = 10;
/// What stands for a secret.
const MASK: &str = "‹secret›";

/// A request. What of it is secret is shown nowhere: in no message, and not in the URL of the answer.
#[derive(Clone, Default)]
pub struct Request {
    /// `GET`.
    pub method: String,
    /// Where to, `http` or `https`.
    pub url: String,
    /// What is added to the URL's query.
    pub query: Vec<(String, String)>,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    /// Parts of the request that are never shown: the whole URL, values of the query and of headers.
    pub secrets: Vec<String>,
    /// What is sent.
    pub body: Vec<u8>,
    /// How long it may all take: connecting, sending, redirects, and reading the answer to its end.
    pub timeout: Duration,
    /// How many bytes the body of the answer may have, unpacked.
    pub limit: u64,
}

/// An answer whose body is still to be read.
pub struct Answer {
    /// The status: 200.
    pub status: u16,
    /// Names, in lower case, and values, as they came.
    pub headers: Vec<(String, String)>,
    /// Where the answer came from in the end, secrets masked.
    pub url: String,
    body: reqwest::Response,
    bounds: Bounds,
    taken: u64,
}

/// What bounds a request, and how it is called in messages.
struct Bounds {
    deadline: Instant,
    timeout: Duration,
    limit: u64,
    shown: String,
}

/// The part of the host that reaches the network.
pub(crate) struct Net {
    grants: Vec<NetGrant>,
    resolver: Arc<dyn Resolve>,
    clients: Mutex<BTreeMap<String, reqwest::Client>>,
    tls: OnceLock<rustls::ClientConfig>,
}

impl std::fmt::Debug for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Net").field("grants", &self.grants).finish_non_exhaustive()
    }
}

impl Net {
    pub(crate) fn new(grants: Vec<NetGrant>) -> Self {
        Net { grants, resolver: Arc::new(connect::System), clients: Mutex::default(), tls: OnceLock::new() }
    }

    fn clients(&self) -> MutexGuard<'_, BTreeMap<String, reqwest::Client>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether anything is granted, or the host of this URL. One that cannot be read is told at the call.
    pub(crate) fn allows(&self, url: Option<&str>) -> bool {
        match url.map(read) {
            Some(Ok(url)) => self.names(&url),
            None | Some(Err(_)) => !self.grants.is_empty(),
        }
    }

    fn names(&self, url: &Url) -> bool {
        let Some((host, port)) = url.host().zip(url.port_or_known_default()) else { return false };
        self.grants.iter().any(|g| g.names(&host, port))
    }
}

impl Host {
    /// The same host, which asks somebody else for the addresses of names.
    pub fn resolving(mut self, resolver: Arc<dyn Resolve>) -> Self {
        self.net = Arc::new(Net { resolver, ..Net::new(self.net.grants.clone()) });
        self
    }

    /// Sends a request, follows redirects, and gives the answer whatever its status is. Dropping the future or the answer
    /// ends the connection.
    pub async fn fetch(&self, request: Request) -> Result<Answer, Refusal> {
        let mut method = Method::from_bytes(request.method.to_uppercase().as_bytes())
            .ok()
            .filter(|m| *m != Method::CONNECT)
            .ok_or_else(|| Refusal::new("invalid", format!("{:?} is no method", request.method)))?;
        let mut headers = request.headers()?;
        let mut url = request.target()?;
        let mut body = request.body.clone();
        let mut bounds = Bounds {
            deadline: Instant::now() + request.timeout.min(Duration::from_secs(1 << 30)),
            timeout: request.timeout,
            limit: request.limit,
            shown: String::new(),
        };
        for _ in 0..=REDIRECTS {
            let from = std::mem::replace(&mut bounds.shown, request.shown(&url));
            if !self.net.names(&url) {
                return Err(not_granted(&url, &from, &bounds.shown));
            }
            let sent = connect::client(&self.net, &url)?
                .request(method.clone(), url.clone())
                .headers(headers.clone())
                .body(body.clone())
                .send();
            let answer = bounds.hold(sent).await?;
            let next = match redirect(&answer, &url) {
                None => return Ok(request.answer(answer, bounds)),
                Some(next) => next.ok_or_else(|| {
                    Refusal::network(format!("`{}` redirects to what is no URL of the web", bounds.shown))
                })?,
            };
            let status = answer.status();
            if status == 303 || method == Method::POST && matches!(status.as_u16(), 301 | 302) {
                method = if method == Method::HEAD { method } else { Method::GET };
                body.clear();
                headers = without(&headers, |name, _| name.as_str().starts_with("content-"));
            }
            if next.origin() != url.origin() {
                // What was meant for one host is nobody else's business.
                headers =
                    without(&headers, |name, value| *name == AUTHORIZATION || *name == COOKIE || value.is_sensitive());
            }
            url = next;
        }
        let message = format!("`{}`: more than {REDIRECTS} redirects", bounds.shown);
        Err(Refusal { retryable: false, ..Refusal::network(message) })
    }
}

impl Request {
    /// The URL with the query.
    fn target(&self) -> Result<Url, Refusal> {
        let mut url = read(&self.url).map_err(|why| {
            // It may be secret, and is not known well enough to hide a part of it.
            let shown = if self.secrets.contains(&self.url) { MASK.to_owned() } else { format!("{:?}", self.url) };
            Refusal::new("invalid", format!("{shown} is no URL of the web: {why}"))
        })?;
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        Ok(url)
    }

    fn headers(&self) -> Result<HeaderMap, Refusal> {
        let mut headers = HeaderMap::new();
        for (name, text) in &self.headers {
            let wrong = |why: &str| Refusal::new("invalid", format!("the header {name:?} {why}"));
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong("has no name of a header"))?;
            // They say where the request goes and where it ends.
            if OURS.contains(&name.as_str()) {
                return Err(wrong("is not for the program to set"));
            }
            let mut value =
                HeaderValue::from_bytes(text.as_bytes()).map_err(|_| wrong("has a value that no header may have"))?;
            value.set_sensitive(self.secrets.contains(text));
            headers.append(name, value);
        }
        Ok(headers)
    }

    /// A URL as messages show it: without what tells who asks, and for what.
    fn shown(&self, url: &Url) -> String {
        if self.secrets.contains(&self.url) {
            return format!("{}/…", url.origin().ascii_serialization());
        }
        self.masked(&shown(url))
    }

    /// A text without the secrets.
    pub fn masked(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in self.secrets.iter().filter(|s| !s.is_empty()) {
            let encoded: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
            text = text.replace(secret.as_str(), MASK).replace(&encoded, MASK);
        }
        text
    }

    fn answer(&self, body: reqwest::Response, bounds: Bounds) -> Answer {
        let header = |name: &HeaderName, value: &HeaderValue| {
            (name.as_str().to_owned(), self.masked(&String::from_utf8_lossy(value.as_bytes())))
        };
        let url =
            if self.secrets.contains(&self.url) { self.shown(body.url()) } else { self.masked(body.url().as_str()) };
        Answer {
            status: body.status().as_u16(),
            headers: body.headers().iter().map(|(name, value)| header(name, value)).collect(),
            url,
            body,
            bounds,
            taken: 0,
        }
    }
}

impl Answer {
    /// The next part of the body, unpacked; `None` at its end.
    pub async fn chunk(&mut self) -> Result<Option<impl AsRef<[u8]> + use<>>, Refusal> {
        let Some(chunk) = self.bounds.hold(self.body.chunk()).await? else { return Ok(None) };
        self.taken += chunk.len() as u64;
        if self.taken > self.bounds.limit {
            return Err(self.too_long());
        }
        Ok(Some(chunk))
    }

    /// The whole body.
    pub async fn body(&mut self) -> Result<Vec<u8>, Refusal> {
        // What is announced is believed only where it is too much.
        if !self.body.headers().contains_key(CONTENT_ENCODING)
            && self.body.content_length().is_some_and(|n| n > self.bounds.limit)
        {
            return Err(self.too_long());
        }
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            body.extend_from_slice(chunk.as_ref());
        }
        Ok(body)
    }

    /// How messages call where the answer comes from.
    pub fn shown(&self) -> &str {
        &self.bounds.shown
    }

    fn too_long(&self) -> Refusal {
        let message =
            format!("what `{}` answers is longer than {} bytes, which is the limit", self.shown(), self.bounds.limit);
        Refusal::new("invalid", message)
    }
}

impl Bounds {
    /// Waits for it, as long as there is time.
    async fn hold<T>(&self, work: impl Future<Output = reqwest::Result<T>>) -> Result<T, Refusal> {
        match tokio::time::timeout_at(self.deadline, work).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error)) => Err(self.told(error)),
            Err(_) => {
                let message = format!("`{}` has not answered in full after {:?}", self.shown, self.timeout);
                Err(Refusal { retryable: true, ..Refusal::new("timeout", message) })
            }
        }
    }

    fn told(&self, error: reqwest::Error) -> Refusal {
        // Our own word, said while a name was resolved.
        let mut cause = error.source();
        let mut last = None;
        while let Some(inner) = cause {
            if let Some(refusal) = inner.downcast_ref::<Refusal>() {
                return refusal.clone();
            }
            last = Some(inner);
            cause = inner.source();
        }
        let why = last.map_or_else(|| error.to_string(), ToString::to_string);
        let what = if error.is_connect() {
            "cannot be reached"
        } else if error.is_body() || error.is_decode() {
            "broke off its answer"
        } else if error.is_builder() {
            return Refusal::new("invalid", format!("the request to `{}` cannot be made: {why}", self.shown));
        } else {
            "does not answer as a web server does"
        };
        let is_timeout = error.is_timeout();
        let code = if is_timeout { "timeout" } else { "network" };
        // An encryption that fails will fail again.
        let retryable = !last.is_some_and(|e| e.is::<rustls::Error>());
        Refusal { retryable, ..Refusal::new(code, format!("`{}` {what}: {why}", self.shown)) }
    }
}

/// Headers that say where a request goes, or where it ends.
const OURS: &[&str] =
    &["connection", "content-length", "host", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade"];

/// A URL of the web.
fn read(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|e| e.to_string())?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(format!("its scheme is `{other}`, not `http` or `https`")),
    }
}

/// A URL as messages show it: no user, no password, and of the query the names only.
pub(crate) fn shown(url: &Url) -> String {
    let mut text = format!("{}{}", url.origin().ascii_serialization(), url.path());
    for (at, (name, _)) in url.query_pairs().enumerate() {
        text.push_str(if at == 0 { "?" } else { "&" });
        text.push_str(&format!("{name}=…"));
    }
    text
}

/// Where a redirect leads: `None` if it is no redirect, `Some(None)` if it leads nowhere.
fn redirect(answer: &reqwest::Response, from: &Url) -> Option<Option<Url>> {
    if !matches!(answer.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let to = answer.headers().get(LOCATION)?;
    let to = to.to_str().ok().and_then(|to| from.join(to).ok());
    Some(to.filter(|to| matches!(to.scheme(), "http" | "https")))
}

fn without(headers: &HeaderMap, is_out: impl Fn(&HeaderName, &HeaderValue) -> bool) -> HeaderMap {
    let kept = headers.iter().filter(|(name, value)| !is_out(name, value));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn not_granted(url: &Url, from: &str, shown: &str) -> Refusal {
    let leads = if from.is_empty() {
        format!("`{shown}` may not be reached")
    } else {
        format!("`{from}` redirects to `{shown}`")
    };
    let what = place(url);
    Refusal::new("permission", format!("{leads}: nothing grants it; `{}` would", flag("net", &what)))
        .asking("net", what)
}

/// What a grant of a URL's host is.
fn place(url: &Url) -> String {
    let port = url.port_or_known_default().map(|p| format!(":{p}")).unwrap_or_default();
    format!("{}{port}", url.host_str().unwrap_or_default())
}

/// What would grant a URL, if it can be read: `example.org:443`.
pub(crate) fn grant_of(url: &str) -> Option<String> {
    read(url).ok().map(|url| place(&url))
}

/// A text that may be a URL, as errors show what a call was given: no user, no password, and of the query the names only.
pub fn without_secrets(text: &str) -> Option<String> {
    let url = read(text).ok()?;
    (!url.username().is_empty() || url.password().is_some() || url.query().is_some()).then(|| shown(&url))
}
