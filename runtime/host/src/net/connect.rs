//! Connections: a name is resolved once, each of its addresses is looked at, and only those are connected to.

use super::Net;
use super::address::{canonical, is_public};
use super::grant::is_loopback_name;
use crate::Refusal;
use reqwest::Client;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);
/// How many hosts keep connections for the next request.
const KEPT: usize = 64;

/// The addresses of a name, in time.
pub type Addresses = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Who knows the addresses of names.
pub trait Resolve: Send + Sync {
    /// The addresses of a name.
    fn resolve(&self, name: &str) -> Addresses;
}

/// The machine's own resolver.
pub(super) struct System;

impl Resolve for System {
    fn resolve(&self, name: &str) -> Addresses {
        let name = name.to_owned();
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.map(|a| a.ip()).collect()) })
    }
}

/// The resolver of the connections to one port: what it gives is granted.
struct Checked {
    net: Arc<Net>,
    port: u16,
}

impl reqwest::dns::Resolve for Checked {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let (net, port) = (self.net.clone(), self.port);
        Box::pin(async move {
            let addresses = addresses(&net, name.as_str(), port).await?;
            let addresses: reqwest::dns::Addrs = Box::new(addresses.into_iter().map(|ip| SocketAddr::new(ip, 0)));
            Ok(addresses)
        })
    }
}

/// The addresses of a name that may be connected to.
async fn addresses(net: &Net, name: &str, port: u16) -> Result<Vec<IpAddr>, Refusal> {
    if is_loopback_name(name) {
        return Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
    }
    let found = net.resolver.resolve(name).await;
    let found = found.map_err(|e| Refusal::network(format!("the address of `{name}` is not to be had: {e}")))?;
    let is_granted = |ip: &IpAddr| is_public(*ip) || net.grants.iter().any(|g| g.names_address(*ip, port));
    let granted: Vec<IpAddr> = found.iter().copied().filter(is_granted).collect();
    match found.first() {
        None => Err(Refusal::network(format!("`{name}` has no address"))),
        Some(first) if granted.is_empty() => {
            let first = canonical(*first);
            let address = SocketAddr::new(first, port).to_string();
            let message = format!(
                "`{name}` leads to {first}, which is no public address: it is reached only where it is named itself; \
                 `--allow-net={address}` would"
            );
            Err(Refusal::new("permission", message).asking("net", address))
        }
        Some(_) => Ok(granted),
    }
}

/// What makes the requests to the host of a URL. It keeps connections for the next ones.
pub(super) fn client(net: &Arc<Net>, url: &Url) -> Result<Client, Refusal> {
    let origin = url.origin().ascii_serialization();
    if let Some(client) = net.clients().get(&origin) {
        return Ok(client.clone());
    }
    let port = url.port_or_known_default().unwrap_or_default();
    let client = Client::builder()
        .tls_backend_preconfigured(trust(net, url)?)
        .dns_resolver(Arc::new(Checked { net: net.clone(), port }))
        // A proxy would resolve names without asking us.
        .no_proxy()
        // Each place that a redirect leads to is looked at first.
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .gzip(true)
        .connect_timeout(CONNECT)
        .user_agent(concat!("ntl/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|e| Refusal::new("failed", format!("no connection can be made: {e}")))?;
    let mut clients = net.clients();
    if clients.len() >= KEPT {
        clients.clear();
    }
    clients.insert(origin, client.clone());
    Ok(client)
}

/// Whom an encrypted connection trusts: those that this machine does. They are read only where one is made.
fn trust(net: &Net, url: &Url) -> Result<ClientConfig, Refusal> {
    let failed = |e: rustls::Error| Refusal::new("failed", format!("no encrypted connection can be made: {e}"));
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(failed)?;
    if url.scheme() != "https" {
        return Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth());
    }
    if let Some(known) = net.tls.get() {
        return Ok(known.clone());
    }
    let config = builder.with_platform_verifier().map_err(failed)?.with_no_client_auth();
    Ok(net.tls.get_or_init(|| config).clone())
}
