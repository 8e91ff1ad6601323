//! What of the network is granted: hosts and ports.

use super::address::{canonical, is_public, within};
use std::net::IpAddr;
use url::Host;

/// A part of the network that is granted: `example.org`, `example.org:443`, `*.example.org`, `127.0.0.1:8080`,
/// `10.0.0.0/8`, or `*` for every public host. Without a port, all ports.
#[derive(Clone, Debug, PartialEq)]
pub struct NetGrant {
    what: What,
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    /// Every host, as far as its addresses are public.
    Public,
    Name(String),
    /// The hosts below a name, not itself.
    Below(String),
    /// The addresses that share these bits.
    Addresses(IpAddr, u8),
}

impl NetGrant {
    /// Reads a grant; the error says how one is written.
    pub fn parse(text: &str) -> Result<NetGrant, String> {
        let wrong = |why: &str| {
            format!(
                "`{text}` is no host{why}: write `example.org`, `example.org:443`, `*.example.org`, `127.0.0.1:8080` or `*`"
            )
        };
        if text.contains("://") {
            return Err(wrong(", but a URL"));
        }
        let (host, port) = match (text.parse::<IpAddr>(), text.strip_prefix('[').and_then(|t| t.split_once(']'))) {
            (Ok(_), _) => (text, None),
            (_, Some((host, ""))) => (host, None),
            (_, Some((host, rest))) => (host, Some(rest.strip_prefix(':').ok_or_else(|| wrong(""))?)),
            _ => match text.rsplit_once(':') {
                // A network of IPv6: `fc00::/7`.
                Some((_, end)) if end.contains('/') => (text, None),
                Some((host, port)) => (host, Some(port)),
                None => (text, None),
            },
        };
        let port = match port.map(str::parse::<u16>) {
            None => None,
            Some(Ok(port)) if port > 0 => Some(port),
            Some(_) => return Err(wrong(" with a port")),
        };
        let name = |name: &str| match Host::parse(name) {
            Ok(Host::Domain(name)) if !name.contains('*') => Ok(undotted(&name).to_owned()),
            _ => Err(wrong("")),
        };
        let what = if host == "*" {
            What::Public
        } else if let Some(above) = host.strip_prefix("*.") {
            What::Below(name(above)?)
        } else if let Some((net, bits)) = host.split_once('/') {
            let (Ok(net), Ok(bits)) = (net.parse::<IpAddr>(), bits.parse::<u8>()) else { return Err(wrong("")) };
            if bits > if net.is_ipv4() { 32 } else { 128 } {
                return Err(wrong(""));
            }
            What::Addresses(net, bits)
        } else if let Ok(ip) = host.parse::<IpAddr>() {
            one(ip)
        } else {
            match Host::parse(host) {
                Ok(Host::Ipv4(ip)) => one(ip.into()),
                Ok(Host::Ipv6(ip)) => one(ip.into()),
                _ => What::Name(name(host)?),
            }
        };
        Ok(NetGrant { what, port })
    }

    /// Whether it names this host and port.
    pub(super) fn names(&self, host: &Host<&str>, port: u16) -> bool {
        if self.port.is_some_and(|p| p != port) {
            return false;
        }
        match (&self.what, host) {
            (What::Public, Host::Domain(name)) => !is_loopback_name(name),
            (What::Public, host) => address(host).is_some_and(is_public),
            (What::Name(granted), Host::Domain(name)) => granted == undotted(name),
            (What::Below(above), Host::Domain(name)) => {
                undotted(name).strip_suffix(above).is_some_and(|below| below.len() > 1 && below.ends_with('.'))
            }
            (What::Addresses(..), host) => address(host).is_some_and(|ip| self.names_address(ip, port)),
            _ => false,
        }
    }

    /// Whether it names this very address, or a network that it is in.
    pub(super) fn names_address(&self, ip: IpAddr, port: u16) -> bool {
        let What::Addresses(net, bits) = self.what else { return false };
        self.port.is_none_or(|p| p == port) && (within(canonical(ip), net, bits) || within(ip, net, bits))
    }
}

fn one(ip: IpAddr) -> What {
    let ip = canonical(ip);
    What::Addresses(ip, if ip.is_ipv4() { 32 } else { 128 })
}

/// The address that a host is, if it is no name.
pub(super) fn address(host: &Host<&str>) -> Option<IpAddr> {
    match host {
        Host::Domain(_) => None,
        Host::Ipv4(ip) => Some((*ip).into()),
        Host::Ipv6(ip) => Some((*ip).into()),
    }
}

/// `localhost` and the names below it mean this machine itself (RFC 6761), whatever anybody else says.
pub(super) fn is_loopback_name(name: &str) -> bool {
    let name = undotted(name);
    name == "localhost" || name.ends_with(".localhost")
}

/// A name without the dot that may end it.
fn undotted(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::NetGrant;
    use url::Url;

    fn names(grant: &str, url: &str) -> bool {
        let url = Url::parse(url).unwrap();
        NetGrant::parse(grant).unwrap().names(&url.host().unwrap(), url.port_or_known_default().unwrap())
    }

    #[test]
    fn a_grant_names_hosts_and_ports() {
        for (grant, url) in [
            ("example.org", "https://example.org/"),
            ("example.org", "http://EXAMPLE.org.:8080/"),
            ("Example.Org:443", "https://example.org/"),
            ("bücher.example", "http://xn--bcher-kva.example/"),
            ("*.example.org", "http://a.b.example.org/"),
            ("*", "http://example.org/"),
            ("*", "http://1.1.1.1/"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080/"),
            ("127.0.0.1", "http://2130706433:99/"),
            ("127.0.0.1", "http://[::ffff:127.0.0.1]/"),
            ("::1", "http://[::1]:5/"),
            ("[::1]:5", "http://[::1]:5/"),
            ("10.0.0.0/8", "http://10.9.8.7/"),
            ("10.0.0.0/8:80", "http://10.9.8.7/"),
            ("fc00::/7", "http://[fd00::1]/"),
            ("localhost", "http://localhost:3000/"),
        ] {
            assert!(names(grant, url), "{grant} {url}");
        }
        for (grant, url) in [
            ("example.org", "http://a.example.org/"),
            ("example.org", "http://example.org.evil/"),
            ("example.org:443", "http://example.org/"),
            ("*.example.org", "http://example.org/"),
            ("*.example.org", "http://badexample.org/"),
            ("*", "http://localhost/"),
            ("*", "http://a.localhost/"),
            ("*", "http://127.0.0.1/"),
            ("*", "http://[::1]/"),
            ("*", "http://169.254.169.254/"),
            ("*", "http://0x7f.1/"),
            ("127.0.0.1:8080", "http://127.0.0.1/"),
            ("127.0.0.1", "http://127.0.0.2/"),
            ("10.0.0.0/8", "http://11.0.0.1/"),
            ("localhost", "http://127.0.0.1/"),
        ] {
            assert!(!names(grant, url), "{grant} {url}");
        }
    }

    #[test]
    fn what_is_no_grant() {
        for text in [
            "",
            "https://example.org",
            "example.org/x",
            "example.org:0",
            "example.org:99999",
            "example.org:",
            "a b",
            "10.0.0.0/33",
            "*.",
            "[::1",
            "[::1]x",
            "[::1]:",
            "**",
        ] {
            assert!(NetGrant::parse(text).is_err(), "{text}");
        }
    }
}
