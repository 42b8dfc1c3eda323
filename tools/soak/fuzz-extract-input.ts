/** Pages made for breaking an extractor: our own pages, mutated. The same seed and number give the same bytes on every machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { generateWeb } from '../../datasets/generated-web/web.ts';
import type { Extractor } from '../../src/base/core/parts/reading.ts';
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { LABELS, NASTIES, PIECES } from './fuzz-extract-pieces.ts';

export type FuzzPage = Parameters<Extractor['extract']>[0];

/** No input is longer: the time cap is stated for this size. */
export const MAX_INPUT_BYTES = 64 * 1024;
/** What most inputs are cut to, so that a million of them are minutes. */
const USUAL_BYTES = 4096;
/** Share of inputs that may grow to the full size. */
const BIG_SHARE = 1 / 250;

const GOLDEN = new URL('../../test/golden/', import.meta.url);
const URLS = [
  'http://a.example/',
  'https://www.example.com/docs/page.html?x=1',
  'https://xn--fsq.example:8443/a/b/c/',
  'http://127.0.0.1/%E4%B8%AD',
];
const MIMES = [
  'text/html',
  'text/html',
  'text/html',
  'text/html',
  'application/xhtml+xml',
  'text/plain',
  '',
  'TEXT/HTML;;',
  'text/html, text/plain',
];

/** Golden pages, generated pages and hand-written nasties, as bytes. */
export function fuzzCorpus(): readonly Buffer[] {
  const golden = readdirSync(GOLDEN)
    .filter((name) => name.endsWith('.html'))
    .sort()
    .map((name) => readFileSync(new URL(name, GOLDEN)));
  const web = generateWeb({ seed: 3, pages: 60, hosts: 6, topics: 3, pageBytes: 1200 });
  const generated = web
    .urls()
    .slice(0, 16)
    .map((url) => Buffer.from(web.page(url)?.html ?? ''));
  return [...golden, ...generated, ...NASTIES.map((text) => Buffer.from(text))];
}

/** Input number `n` of a seed. */
export function fuzzPage(corpus: readonly Buffer[], seed: number, n: number): FuzzPage {
  const rng = seededRng(Math.imul(seed, 0x9e3779b1) ^ Math.imul(n + 1, 0x85ebca6b));
  const limit = rng() < BIG_SHARE ? MAX_INPUT_BYTES : USUAL_BYTES;
  let body = cut(pick(corpus, rng), limit, rng);
  for (let left = below(7, rng); left > 0; left--) body = pick(MUTATIONS, rng)({ body, corpus, limit, rng });
  if (rng() < 0.2) body = Buffer.concat([metaOf(pick(LABELS, rng), rng), body]);
  if (rng() < 0.03) body = asUtf16(body, rng);
  const url = canonicalize(pick(URLS, rng));
  if (url === null) throw new Error('a page URL of the fuzzer is not canonical');
  return { url, headers: headersOf(rng), body: new Uint8Array(body.subarray(0, limit)) };
}

function headersOf(rng: Rng): Record<string, string> {
  const charset = rng() < 0.25 ? `; charset=${pick(LABELS, rng)}` : rng() < 0.5 ? '; charset=utf-8' : '';
  const headers: Record<string, string> = { 'content-type': pick(MIMES, rng) + charset };
  if (rng() < 0.05) headers['x-robots-tag'] = pick(['noindex', 'forager: nofollow, all', ',,:', 'unavailable_after: 1 Jan'], rng);
  if (rng() < 0.05) headers['content-language'] = pick(['en', 'zh-Hant, ja', '*', '\u0130'], rng);
  return headers;
}

interface Job {
  readonly body: Buffer;
  readonly corpus: readonly Buffer[];
  readonly limit: number;
  readonly rng: Rng;
}

const MUTATIONS: readonly ((job: Job) => Buffer)[] = [
  flipBits,
  noiseBytes,
  truncate,
  splice,
  repeatPiece,
  insertPiece,
  insertPiece,
  dropPiece,
  entities,
  bomb,
  swapCase,
  freshNames,
];

function flipBits({ body, rng }: Job): Buffer {
  const out = Buffer.from(body);
  for (let left = 1 + below(8, rng); left > 0 && out.length > 0; left--) {
    const at = below(out.length, rng);
    out[at] = (out[at] ?? 0) ^ (1 << below(8, rng));
  }
  return out;
}

/** Bytes of any value: bad UTF-8, NUL, escapes. */
function noiseBytes(job: Job): Buffer {
  const noise = Buffer.from(Array.from({ length: 1 + below(24, job.rng) }, () => below(256, job.rng)));
  return inserted(job, noise);
}

function truncate({ body, rng }: Job): Buffer {
  const at = below(body.length + 1, rng);
  return rng() < 0.7 ? body.subarray(0, at) : body.subarray(at);
}

function splice({ body, corpus, limit, rng }: Job): Buffer {
  const other = cut(pick(corpus, rng), limit, rng);
  return Buffer.concat([body.subarray(0, below(body.length + 1, rng)), other.subarray(below(other.length + 1, rng))]).subarray(0, limit);
}

function repeatPiece(job: Job): Buffer {
  const { body, rng } = job;
  const from = below(body.length + 1, rng);
  const piece = body.subarray(from, from + 1 + below(60, rng));
  return piece.length === 0 ? body : inserted(job, repeated(piece, below(rng() < 0.1 ? 2000 : 30, rng)));
}

function insertPiece(job: Job): Buffer {
  const pieces = Array.from({ length: 1 + below(6, job.rng) }, () => pick(PIECES, job.rng));
  return inserted(job, Buffer.from(pieces.join(pick(['', ' ', '\n', 'x'], job.rng))));
}

function dropPiece({ body, rng }: Job): Buffer {
  const from = below(body.length + 1, rng);
  return Buffer.concat([body.subarray(0, from), body.subarray(from + 1 + below(40, rng))]);
}

function entities(job: Job): Buffer {
  const { rng } = job;
  const one = () =>
    pick(
      [
        () => `&#${below(1_200_000, rng)};`,
        () => `&#x${below(0x120000, rng).toString(16)}`,
        () =>
          `&${pick(['amp', 'nbsp', 'NotEqualTilde', 'lt', 'not', 'notit', 'shy', 'zwnj', 'hearts', 'AMP', ''], rng)}${pick([';', '', '='], rng)}`,
        () => `&#${'9'.repeat(below(40, rng))};`,
        () => pick(['&#0;', '&#xD83D;&#xDE00;', '&#128;', '&#x;', '&#;', '&&', '&#xfeff;', '&#13;', '&#xFFFF;'], rng),
      ],
      rng,
    )();
  return inserted(job, Buffer.from(Array.from({ length: 1 + below(12, rng) }, one).join('')));
}

/** One piece over and over, opened and perhaps never closed, up to the size of the input. */
function bomb(job: Job): Buffer {
  const { rng, limit } = job;
  const piece = Buffer.from(rng() < 0.7 ? pick(PIECES, rng) : pick(PIECES, rng) + pick(PIECES, rng));
  const most = Math.floor(limit / 2 / Math.max(1, piece.length));
  return inserted(job, repeated(piece, below(rng() < 0.3 ? most : Math.min(most, 60), rng)));
}

function swapCase({ body, rng }: Job): Buffer {
  const text = body.toString('latin1');
  return Buffer.from(rng() < 0.5 ? text.toUpperCase() : text.toLowerCase(), 'latin1');
}

/** Names no other page has, longer than what V8 copies out of a string: what remembers them remembers whole pages. */
function freshNames(job: Job): Buffer {
  const name = Array.from({ length: 20 + below(20, job.rng) }, () => String.fromCharCode(97 + below(26, job.rng))).join('');
  return inserted(job, Buffer.from(`<p class="${name}" id="i-${name}"><x-${name} ${name}=${name}><a href="/${name}" rel=${name}>x</a>`));
}

function inserted({ body, limit, rng }: Job, piece: Buffer): Buffer {
  const at = below(body.length + 1, rng);
  return Buffer.concat([body.subarray(0, at), piece, body.subarray(at)]).subarray(0, limit);
}

function repeated(piece: Buffer, times: number): Buffer {
  return Buffer.alloc(piece.length * times, piece);
}

function metaOf(label: string, rng: Rng): Buffer {
  const markup = [
    `<meta charset="${label}">`,
    `<meta http-equiv=content-type content='text/html; charset=${label}'>`,
    `<?xml version="1.0" encoding="${label}"?>`,
  ];
  return Buffer.from(pick(markup, rng));
}

function asUtf16(body: Buffer, rng: Rng): Buffer {
  const little = Buffer.from((rng() < 0.5 ? '\ufeff' : '') + body.toString('utf8'), 'utf16le');
  return rng() < 0.5 ? little : little.subarray(0, little.length & ~1).swap16();
}

function cut(page: Buffer, limit: number, rng: Rng): Buffer {
  if (page.length <= limit) return page;
  const from = below(page.length - limit, rng);
  return page.subarray(from, from + limit);
}

function below(count: number, rng: Rng): number {
  return Math.floor(rng() * count);
}

function pick<T>(items: readonly T[], rng: Rng): T {
  return items[below(items.length, rng)] as T;
}
