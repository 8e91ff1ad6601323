#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| ntl_fuzz::formatter(data));
