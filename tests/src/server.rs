//! A web server on the loopback interface, for tests: it answers each request by writing whatever bytes the test says. It
//! depends on nothing, so that the tests of any crate may take it in.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// A request that has arrived.
#[derive(Clone, Debug)]
pub struct Received {
    /// `GET`.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// What was sent.
    pub body: Vec<u8>,
}

impl Received {
    /// The value of a header, or nothing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
    }
}

/// Starts a server that lives as long as the test's process, and gives its port.
pub fn serve(
    answer: impl Fn(&Received, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
) -> std::io::Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = answer.clone();
            std::thread::spawn(move || -> std::io::Result<()> {
                let mut stream = stream;
                let received = receive(&stream)?;
                answer(&received, &mut stream)
            });
        }
    });
    Ok(port)
}

fn receive(stream: &TcpStream) -> std::io::Result<Received> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut received = Received { method, path, headers, body: Vec::new() };
    let length: usize = received.header("content-length").parse().unwrap_or(0);
    received.body = vec![0; length];
    reader.read_exact(&mut received.body)?;
    Ok(received)
}

/// Writes a whole answer: a status, further headers (each line with its end), and a body.
pub fn answer(stream: &mut TcpStream, status: u16, headers: &str, body: &[u8]) -> std::io::Result<()> {
    let length = body.len();
    write!(stream, "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n")?;
    stream.write_all(body)
}
