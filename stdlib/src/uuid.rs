//! `std.uuid`: random bits, with the version and the variant in their places.

use ntl_engine::Text;
use ntl_engine::native::Cx;

pub(crate) async fn v4(cx: &Cx) -> Text {
    text(cx.host.random(), cx.host.random(), 4)
}

pub(crate) async fn v7(cx: &Cx) -> Text {
    let milliseconds = cx.host.now().div_euclid(1_000_000) as u64;
    text(milliseconds << 16 | cx.host.random() >> 48, cx.host.random(), 7)
}

fn text(high: u64, low: u64, version: u64) -> Text {
    let high = high & !0xf000 | version << 12;
    let low = low & (u64::MAX >> 2) | 1 << 63;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
    .into()
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn version_and_variant() {
        assert_eq!(text(0, 0, 4).as_str(), "00000000-0000-4000-8000-000000000000");
        assert_eq!(text(u64::MAX, u64::MAX, 7).as_str(), "ffffffff-ffff-7fff-bfff-ffffffffffff");
        // The example of RFC 9562, appendix A.6.
        assert_eq!(
            text(0x017f_22e2_79b0_0cc3, 0x18c4_dc0c_0c07_398f, 7).as_str(),
            "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
        );
    }
}
