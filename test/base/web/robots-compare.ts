/**
 * Real robots.txt files: how long ours takes to parse, and where robots-parser reads them another way.
 *
 *   npm run check -- robots
 *
 * Reads ../shared/data/robots/robots.jsonl.gz, 2,111 files. Exit code 1 when a disagreement is of no known kind.
 */
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { CanonicalUrl, Ms } from '../../../src/base/core/types.ts';
import { parseRobots } from '../../../src/base/web/robots.ts';
import { comparablePath } from '../../../src/base/web/robots-pattern.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { robotsParser } from './robots-parser.ts';

export const REAL_FILES = new URL('../../../../shared/data/robots/robots.jsonl.gz', import.meta.url);

export interface Comparison {
  readonly files: number;
  /** Longest parse of a file, best of three, of this process's CPU time. */
  readonly slowest: Ms;
  readonly questions: number;
  /** Questions answered in two ways, by why; `unexplained` for those of no known kind. */
  readonly kinds: Readonly<Record<Kind, number>>;
}

const HOST = 'http://h.example';
/** One that no file names, so that its group for all counts, and those that most files name. */
const AGENTS = ['forager', 'googlebot', 'bingbot'];
/** URLs of each file, drawn evenly from its rules. */
const URLS = 24;

interface Question {
  readonly body: string;
  readonly path: string;
  readonly agent: string;
}

const ENCODING = 'paths are compared in one encoding (§2.2.2)';

/** A file changed in one respect, so that robots-parser reads it there as RFC 9309 wants it read. */
const MENDS = {
  'robots.txt itself may always be fetched (§2.2.2)': ({ body, path }: Question) => (path.startsWith('/robots.txt') ? '' : body),
  [ENCODING]: ({ body }: Question) => inOneEncoding(body),
  'misspelt keys and forgotten colons are read as meant (§2.3.1.5)': ({ body }: Question) =>
    body
      .replace(/^[ \t]*(?:dis+al+ow|diasllow|disallaw)(?:[ \t]*:|[ \t]+)/gim, 'Disallow: ')
      .replace(/^[ \t]*allow(?:[ \t]*:|[ \t]+)/gim, 'Allow: ')
      .replace(/^[ \t]*user[ -]?agent(?:[ \t]*:|[ \t]+)/gim, 'User-agent: '),
  'other records do not end a group’s list of agents (§2.2.4)': ({ body }: Question) =>
    body.replace(/^[ \t]*(?!(?:user-agent|(?:dis)?allow)[ \t]*:)[^\r\n]*/gim, ''),
  'a group without rules allows everything (§2.2.1)': ({ body, agent }: Question) =>
    new RegExp(`^[ \\t]*user-agent[ \\t]*:[ \\t]*${agent}`, 'im').test(body) ? `${body}\nUser-agent: ${agent}\nDisallow:\n` : body,
} satisfies Readonly<Record<string, (question: Question) => string>>;
const SEVERAL = 'two or more of these at once';
const UNEXPLAINED = 'unexplained';

export type Kind = keyof typeof MENDS | typeof SEVERAL | typeof UNEXPLAINED;

/** The files of the collection, as bytes. */
export function* realFiles(): Generator<Uint8Array> {
  for (const line of gunzipSync(readFileSync(REAL_FILES)).toString().trim().split('\n'))
    yield Buffer.from((JSON.parse(line) as { body: string }).body, 'base64');
}

/** Compare on files of any number; takes a second for each hundred. */
export function compareOn(files: Iterable<Uint8Array>): Comparison {
  const kinds = Object.fromEntries([...Object.keys(MENDS), SEVERAL, UNEXPLAINED].map((kind) => [kind, 0])) as Record<Kind, number>;
  const found = { files: 0, slowest: 0, questions: 0, kinds };
  for (const body of files) {
    found.files++;
    found.slowest = Math.max(found.slowest, parseTime(body));
    for (const agent of AGENTS) found.questions += compareFile(body, agent, kinds);
  }
  return found;
}

/** Least CPU time of three parses: what else the machine does is no part of it. */
function parseTime(body: Uint8Array): Ms {
  const times = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    parseRobots(body, 'forager');
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** @returns how many questions were asked */
function compareFile(bytes: Uint8Array, agent: string, kinds: Record<Kind, number>): number {
  const body = Buffer.from(bytes)
    .toString()
    .replace(/^\uFEFF/, '');
  const ours = parseRobots(bytes, agent);
  const urls = urlsOf(body);
  const theirs = robotsParser(`${HOST}/robots.txt`, body);
  for (const url of urls) {
    const answer = ours.allows(url);
    if (answer !== (theirs.isAllowed(url, agent) ?? true)) kinds[kindOf({ body, agent, path: url.slice(HOST.length) }, answer)]++;
  }
  return urls.length;
}

/** Why robots-parser gives another answer: the one thing which, mended in the file, makes it give ours. */
function kindOf(question: Question, ours: boolean): Kind {
  const { path, agent } = question;
  const agrees = (body: string, url: string) => (robotsParser(`${HOST}/robots.txt`, body).isAllowed(url, agent) ?? true) === ours;
  const names = Object.keys(MENDS) as (keyof typeof MENDS)[];
  const one = names.find((name) => agrees(MENDS[name](question), HOST + (name === ENCODING ? encoded(path) : path)));
  if (one) return one;
  const all = names.toReversed().reduce((body, name) => MENDS[name]({ ...question, body }), question.body);
  return agrees(all, HOST + encoded(path)) ? SEVERAL : UNEXPLAINED;
}

/** robots-parser encodes brackets in rules, but not in URLs. */
function encoded(path: string): string {
  return comparablePath(path).replaceAll('[', '%5B').replaceAll(']', '%5D');
}

function inOneEncoding(body: string): string {
  return body.replace(/^([ \t]*(?:dis)?allow[ \t]*:[ \t]*)([^\s#]+)/gim, (_line, key: string, pattern: string) => {
    const parts = pattern.split(/(\*|\$$)/).map((part, i) => (i % 2 === 1 ? part : encoded(part)));
    return key + parts.join('');
  });
}

/** URLs that the rules of a file are about. */
function urlsOf(text: string): CanonicalUrl[] {
  const patterns = [...text.matchAll(/^[ \t]*(?:dis)?allow[ \t]*:[ \t]*(\/[^\s#]*)/gim)].map(([, pattern = '/']) => pattern);
  const drawn = patterns.filter((_, i) => Math.floor((i * URLS) / patterns.length) !== Math.floor(((i - 1) * URLS) / patterns.length));
  return drawn.flatMap((pattern) => canonicalize(HOST + pattern.replaceAll('*', 'xy').replace(/\$$/, '')) ?? []);
}

export function comparisonText({ files, slowest, questions, kinds }: Comparison): string {
  const rows = Object.entries(kinds).map(([kind, count]) => `${String(count).padStart(7)}  ${kind}`);
  const total = Object.values(kinds).reduce((sum, count) => sum + count, 0);
  return [
    `${files} files, none threw; slowest ${slowest.toFixed(1)} ms of CPU`,
    `${questions} questions for ${AGENTS.join(', ')}; robots-parser answers ${total} (${((total / questions) * 100).toFixed(2)} %) in another way:`,
    ...rows,
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (!existsSync(REAL_FILES)) throw new Error(`${REAL_FILES.pathname}: no such file; the real files are not part of the repository`);
  const comparison = compareOn(realFiles());
  console.log(comparisonText(comparison));
  if (comparison.kinds[UNEXPLAINED] > 0) process.exitCode = 1;
}
