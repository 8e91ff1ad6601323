use super::{check, same};

#[test]
fn where_a_function_is_not_defined() {
    check(
        same,
        &[
            ("math.sqrt/0", "[-0.0]", "-0.0"),
            ("math.sqrt/0", "[-1e-300]", "!invalid"),
            ("math.pow/0", "[0.0, -1.0]", "!division_by_zero"),
            ("math.pow/0", "[-8.0, 0.3333]", "!invalid"),
            ("math.pow/0", "[-8.0, 3.0]", "-512.0"),
            ("math.pow/0", "[0.0, 0.0]", "1.0"),
            ("math.exp/0", "[710.0]", "!overflow"),
            ("math.ln/0", "[-1.0]", "!invalid"),
            ("math.log10/0", "[0.0]", "!invalid"),
            ("math.log2/0", "[0.5]", "-1.0"),
            ("math.asin/0", "[1.1]", "!invalid"),
            ("math.acos/0", "[-1.1]", "!invalid"),
            ("math.hypot/0", "[1e308, 1.7e308]", "!overflow"),
            ("math.sign/0", "[-0.0]", "0"),
        ],
    );
}

#[test]
fn statistics() {
    check(
        same,
        &[
            ("math.median/0", "[[]]", "null"),
            ("math.median/0", "[[3.0, 1.0, 2.0]]", "2.0"),
            ("math.median/0", "[[1.7e308, 1.7e308]]", "1.7e308"),
            ("math.stdev/0", "[[1.0]]", "null"),
            ("math.stdev/0", "[[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]]", "2.138089935299395"),
            ("math.percentile/0", "[[], 50.0]", "null"),
            ("math.percentile/0", "[[1.0, 2.0, 3.0, 4.0], 0.0]", "1.0"),
            ("math.percentile/0", "[[1.0, 2.0, 3.0, 4.0], 100.0]", "4.0"),
            ("math.percentile/0", "[[1.0, 2.0, 3.0, 4.0], 25.0]", "1.75"),
            ("math.percentile/0", "[[1.0], 100.1]", "!invalid"),
        ],
    );
}
