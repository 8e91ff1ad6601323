//! Which addresses are those of the public internet. All others (loopback, private networks, what a cloud tells its own
//! machines, …) are reached only where a grant names them themselves.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks of IPv4 that are not public, after the registry of RFC 6890: first address, bits that count.
const SPECIAL_V4: &[([u8; 4], u8)] = &[
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 3),
];

/// Networks of IPv6 within 2000::/3 that are not public.
const SPECIAL_V6: &[(Ipv6Addr, u8)] = &[
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Whether an address is one of the public internet.
pub(super) fn is_public(ip: IpAddr) -> bool {
    match canonical(ip) {
        IpAddr::V4(v4) => !SPECIAL_V4.iter().any(|(net, bits)| within(v4.into(), Ipv4Addr::from(*net).into(), *bits)),
        IpAddr::V6(v6) => {
            within(v6.into(), Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0).into(), 3)
                && !SPECIAL_V6.iter().any(|(net, bits)| within(v6.into(), (*net).into(), *bits))
        }
    }
}

/// The address that is reached in the end: one of IPv4 may be written in IPv6, mapped, compatible, for NAT64 or 6to4.
pub(super) fn canonical(ip: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = ip else { return ip };
    let v4 = |high: u16, low: u16| IpAddr::V4(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)));
    match v6.segments() {
        [0, 0, 0, 0, 0, 0xffff, a, b] | [0x64, 0xff9b, 0, 0, 0, 0, a, b] | [0x2002, a, b, ..] => v4(a, b),
        // `::1` and `::` are not of IPv4.
        [0, 0, 0, 0, 0, 0, a, b] if a > 0 => v4(a, b),
        _ => ip,
    }
}

/// Whether an address is in the network of those that share its first bits.
pub(super) fn within(ip: IpAddr, net: IpAddr, bits: u8) -> bool {
    let shift = |width: u32| width.saturating_sub(u32::from(bits));
    match (ip, net) {
        (IpAddr::V4(a), IpAddr::V4(b)) => u64::from(u32::from(a)) >> shift(32) == u64::from(u32::from(b)) >> shift(32),
        (IpAddr::V6(a), IpAddr::V6(b)) => bits == 0 || u128::from(a) >> shift(128) == u128::from(b) >> shift(128),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_public;

    #[test]
    fn what_is_public() {
        for ip in ["1.1.1.1", "172.15.0.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"] {
            assert!(is_public(ip.parse().unwrap()), "{ip}");
        }
        for ip in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "198.19.0.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::7f00:1",
            "64:ff9b::10.0.0.1",
            "2002:7f00:1::",
            "2001:db8::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "ff02::1",
        ] {
            assert!(!is_public(ip.parse().unwrap()), "{ip}");
        }
    }
}
