// SPDX-License-Identifier: Apache-2.0

//! Measures reqwest, with the arguments and the output of the other peers. Fails if a response has another version of
//! HTTP than the one demanded.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use brotli_decompressor::DecompressorWriter as BrotliWriter;
use flate2::write::GzDecoder;
use memchr::memchr;
use reqwest::{header, Body, Certificate, Client, Response, StatusCode, Version};
use serde::Deserialize;
use tokio::task::JoinHandle;
use tokio_util::io::ReaderStream;
use zstd::stream::write::Decoder as ZstdDecoder;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// The number of requests or values, and of their bytes.
type Sum = (usize, usize);

const FILE_CHUNK: usize = 256 << 10;

struct Arguments {
    benchmark: String,
    label: String,
    url: String,
    file: String,
    authority: Option<String>,
    version: Version,
    concurrency: usize,
    requests: Option<usize>,
    seconds: f64,
    cold: bool,
}

impl Arguments {
    fn read() -> Result<Self> {
        let mut words = std::env::args().skip(1);
        let mut arguments = Arguments {
            benchmark: words.next().ok_or("the case is missing")?,
            label: String::new(),
            url: String::new(),
            file: String::new(),
            authority: None,
            version: Version::HTTP_11,
            concurrency: 1,
            requests: None,
            seconds: 2.0,
            cold: false,
        };
        while let Some(option) = words.next() {
            if option == "--cold" {
                arguments.cold = true;
                continue;
            }
            let value = words.next().ok_or("an option has no value")?;
            match option.as_str() {
                "--label" => arguments.label = value,
                "--url" => arguments.url = value,
                "--file" => arguments.file = value,
                "--ca" => arguments.authority = Some(value),
                "--http" => arguments.version = if value == "2" { Version::HTTP_2 } else { Version::HTTP_11 },
                "--concurrency" => arguments.concurrency = value.parse()?,
                "--requests" => arguments.requests = Some(value.parse()?),
                "--seconds" => arguments.seconds = value.parse()?,
                _ => return Err(format!("{option} is unknown").into()),
            }
        }
        Ok(arguments)
    }
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Photo {
    photo: i64,
    favourites: i64,
    by: String,
}

#[derive(Clone, Copy)]
enum Limit {
    Count(usize),
    Until(Instant),
}

impl Limit {
    /// Whether the task with the given index may continue after it has made `done` requests.
    fn allows(self, done: usize, task: usize, tasks: usize) -> bool {
        match self {
            Limit::Count(count) => done * tasks + task < count,
            Limit::Until(end) => Instant::now() < end,
        }
    }
}

struct Peer {
    client: Client,
    arguments: Arguments,
}

impl Peer {
    fn new(arguments: Arguments) -> Result<Self> {
        let mut builder = Client::builder().no_proxy();
        if arguments.version != Version::HTTP_2 {
            builder = builder.http1_only();
        }
        if let Some(path) = &arguments.authority {
            let authority = Certificate::from_pem(&fs::read(path)?)?;
            builder = builder.tls_built_in_root_certs(false).add_root_certificate(authority);
        }
        Ok(Peer { client: builder.build()?, arguments })
    }

    fn check(&self, response: Response) -> Result<Response> {
        if response.status() != StatusCode::OK || response.version() != self.arguments.version {
            return Err(format!("{:?} {}", response.version(), response.status()).into());
        }
        Ok(response)
    }

    async fn get(&self, url: &str) -> Result<Response> {
        self.check(self.client.get(url).send().await?)
    }

    async fn warm_up(self: &Arc<Self>) -> Result<()> {
        let origin_length = self.arguments.url.match_indices('/').nth(2).map_or(0, |(index, _)| index);
        let small = format!("{}/small", &self.arguments.url[..origin_length]);
        self.get(&small).await?.bytes().await?;
        if self.arguments.benchmark == "get" {
            self.gets(Limit::Until(Instant::now() + Duration::from_millis(500))).await?;
        }
        Ok(())
    }

    // The functions below are measured. They return the number of requests or values, and of their bytes.

    async fn run(self: Arc<Self>) -> Result<Sum> {
        let end = Instant::now() + Duration::from_secs_f64(self.arguments.seconds);
        match self.arguments.benchmark.as_str() {
            "get" => self.gets(self.arguments.requests.map_or(Limit::Until(end), Limit::Count)).await,
            "download" => Ok((1, self.download(&self.arguments.file).await?)),
            "downloads" => self.downloads().await,
            "upload" => Ok((1, self.upload().await?)),
            "lines" => self.lines().await,
            "events" => self.events().await,
            "deltas" => self.deltas().await,
            "values" => self.values().await,
            "data" => Ok((1, self.get(&self.arguments.url).await?.bytes().await?.len())),
            "gzip" => Ok((1, self.decompressed("gzip", GzDecoder::new(Vec::new())).await?)),
            "brotli" => Ok((1, self.decompressed("br", BrotliWriter::new(Vec::new(), 64 << 10)).await?)),
            "zstd" => Ok((1, self.decompressed("zstd", ZstdDecoder::new(Vec::new())?).await?)),
            "start" => Ok((0, 0)),
            name => Err(format!("no case is called {name}").into()),
        }
    }

    async fn gets(self: &Arc<Self>, limit: Limit) -> Result<Sum> {
        let tasks = self.arguments.concurrency;
        sum((0..tasks).map(|task| {
            let peer = self.clone();
            tokio::spawn(async move {
                let (mut done, mut bytes) = (0, 0);
                while limit.allows(done, task, tasks) {
                    bytes += peer.get(&peer.arguments.url).await?.bytes().await?.len();
                    done += 1;
                }
                Ok((done, bytes))
            })
        }))
        .await
    }

    /// Writes to the file on this thread, which is faster than tokio's file: that one copies each chunk to another.
    async fn download(&self, path: &str) -> Result<usize> {
        let mut response = self.get(&self.arguments.url).await?;
        let mut file = fs::File::create(path)?;
        let mut bytes = 0;
        while let Some(chunk) = response.chunk().await? {
            file.write_all(&chunk)?;
            bytes += chunk.len();
        }
        Ok(bytes)
    }

    async fn downloads(self: &Arc<Self>) -> Result<Sum> {
        sum((0..self.arguments.requests.unwrap_or(1)).map(|index| {
            let peer = self.clone();
            tokio::spawn(async move { Ok((1, peer.download(&format!("{}-{index}", peer.arguments.file)).await?)) })
        }))
        .await
    }

    async fn upload(&self) -> Result<usize> {
        let file = tokio::fs::File::open(&self.arguments.file).await?;
        let bytes = file.metadata().await?.len();
        let body = Body::wrap_stream(ReaderStream::with_capacity(file, FILE_CHUNK));
        let request = self.client.put(&self.arguments.url).header(header::CONTENT_LENGTH, bytes).body(body);
        self.check(request.send().await?)?.bytes().await?;
        Ok(bytes as usize)
    }

    async fn lines(&self) -> Result<Sum> {
        let (mut bytes, mut last) = (0, String::new());
        split(self.get(&self.arguments.url).await?, |line| {
            last = String::from_utf8(line.to_vec())?; // outlives the chunk
            bytes += last.len() + 1;
            Ok(())
        })
        .await?;
        Ok((1, bytes))
    }

    async fn events(&self) -> Result<Sum> {
        let (mut sum, mut last) = ((0, 0), String::new());
        data(self.get(&self.arguments.url).await?, |data| {
            last = String::from_utf8(data.to_vec())?; // outlives the chunk
            sum = (sum.0 + 1, sum.1 + last.len());
            Ok(())
        })
        .await?;
        Ok(sum)
    }

    async fn deltas(&self) -> Result<Sum> {
        let mut sum = (0, 0);
        data(self.get(&self.arguments.url).await?, |data| {
            sum = (sum.0 + 1, sum.1 + serde_json::from_slice::<Photo>(data)?.by.len());
            Ok(())
        })
        .await?;
        Ok(sum)
    }

    async fn values(&self) -> Result<Sum> {
        let mut sum = (0, 0);
        split(self.get(&self.arguments.url).await?, |line| {
            sum = (sum.0 + 1, sum.1 + serde_json::from_slice::<Photo>(line)?.by.len());
            Ok(())
        })
        .await?;
        Ok(sum)
    }

    async fn decompressed(&self, coding: &str, mut decoder: impl Decoder) -> Result<usize> {
        let request = self.client.get(&self.arguments.url).header(header::ACCEPT_ENCODING, coding);
        let mut response = self.check(request.send().await?)?;
        while let Some(chunk) = response.chunk().await? {
            decoder.write_all(&chunk)?;
        }
        Ok(decoder.finished()?.len())
    }
}

/// Decompresses what is written to it.
trait Decoder: Write {
    fn finished(self) -> Result<Vec<u8>>;
}

impl Decoder for GzDecoder<Vec<u8>> {
    fn finished(self) -> Result<Vec<u8>> {
        Ok(self.finish()?)
    }
}

impl Decoder for BrotliWriter<Vec<u8>> {
    fn finished(self) -> Result<Vec<u8>> {
        self.into_inner().map_err(|_| "the content is incomplete".into())
    }
}

impl Decoder for ZstdDecoder<'_, Vec<u8>> {
    fn finished(mut self) -> Result<Vec<u8>> {
        self.flush()?;
        Ok(self.into_inner())
    }
}

/// Adds the results of tasks that run concurrently.
async fn sum(tasks: impl Iterator<Item = JoinHandle<Result<Sum>>>) -> Result<Sum> {
    let mut sum = (0, 0);
    for task in tasks.collect::<Vec<_>>() {
        let done = task.await??;
        sum = (sum.0 + done.0, sum.1 + done.1);
    }
    Ok(sum)
}

/// Passes each line to `each`, and copies only lines that span several chunks.
async fn split(mut response: Response, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let mut unfinished = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        let mut rest = &chunk[..];
        while let Some(end) = memchr(b'\n', rest) {
            if unfinished.is_empty() {
                each(&rest[..end])?;
            } else {
                unfinished.extend_from_slice(&rest[..end]);
                each(&unfinished)?;
                unfinished.clear();
            }
            rest = &rest[end + 1..];
        }
        unfinished.extend_from_slice(rest);
    }
    if unfinished.is_empty() {
        return Ok(());
    }
    each(&unfinished)
}

/// Passes the data of each server-sent event to `each`: of each line that begins with `data:`, as in the peer in Go.
async fn data(response: Response, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    split(response, |line| match line.strip_prefix(b"data:") {
        Some(data) => each(data.strip_prefix(b" ").unwrap_or(data)),
        None => Ok(()),
    })
    .await
}

/// The processor time of all threads in seconds, in user mode and system mode.
fn processor_seconds() -> f64 {
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    // SAFETY: the call only fills the structure, of which every bit pattern is valid.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// The number in one row of the process's status, in KiB.
fn status(name: &str) -> Result<usize> {
    let text = fs::read_to_string("/proc/self/status")?;
    let row = text.lines().find_map(|line| line.strip_prefix(name)).ok_or("the status has no such row")?;
    Ok(row.trim().trim_end_matches(" kB").parse()?)
}

#[tokio::main]
async fn main() -> Result<()> {
    let peer = Arc::new(Peer::new(Arguments::read()?)?);
    if !peer.arguments.cold {
        peer.warm_up().await?;
    }

    let _ = fs::write("/proc/self/clear_refs", "5"); // resets the peak of the resident memory
    let (idle, processor, start) = (status("VmRSS:")?, processor_seconds(), Instant::now());
    let (requests, bytes) = tokio::spawn(peer.clone().run()).await??; // not on the main thread, like users' tasks
    let (seconds, used) = (start.elapsed().as_secs_f64(), processor_seconds() - processor);
    println!(
        "{{\"peer\": \"reqwest\", \"case\": \"{}\", \"requests\": {requests}, \"bytes\": {bytes}, \
         \"seconds\": {seconds:.9}, \"cpuSeconds\": {used:.6}, \"rssIdleKiB\": {idle}, \"rssPeakKiB\": {}}}",
        peer.arguments.label,
        status("VmHWM:")?
    );
    Ok(())
}
