import { appendFileSync, statSync } from 'node:fs';
import type { Clock } from '../../base/core/clock.ts';
import { DataError, messageOf, UsageError } from '../../base/core/errors.ts';
import type { Scope } from '../../base/core/parts.ts';
import type { Bytes, CanonicalUrl, EpochMs, HostKey, Ms } from '../../base/core/types.ts';
import { readGivenText, refusal } from '../../base/text/given-file.ts';
import { parseScope } from '../../base/web/scope.ts';

/**
 * Time for which a host that left the file is still refused, after the last change: an editor may empty the file before it writes it. A file that could
 * not be used is read again after it, too.
 */
const SETTLES: Ms = 5000;
/** A million names are 20 MB; a larger file is something else. */
const MAX_BYTES: Bytes = 64 * 1024 * 1024;
const FORMS = 'a line is a host name (which stands for all below it too), host:port, or the beginning of a URL';

const REMEDY = 'give a text file of hosts, domains and URLs, or none';

/** The version of the file that was read. */
type Version = string;

/**
 * Owners who asked never to be crawled: a text file of host names, domains and URL prefixes, one a line, `#` for comments. Each question looks whether
 * the file has changed (1 µs), so that a request to be left alone is obeyed before the next request.
 */
export class OptOutList {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  #version: Version;
  /** "Refuses" URLs that are not on the list; null for an empty list. */
  #listed: Scope | null;
  /** The list before the last changes, and the end of its time. */
  #before: Scope | null = null;
  #settledAt: EpochMs;
  /** Time of the next try to read a version that could not be used; null if it could. */
  #again: EpochMs | null = null;

  /** @throws UsageError if the file cannot be read, DataError for a line that cannot be parsed */
  constructor(path: string, clock: Clock, warn: (message: string) => void) {
    this.#path = path;
    this.#clock = clock;
    this.#warn = warn;
    this.#version = versionOf(path);
    this.#listed = readList(path);
    this.#settledAt = clock.now();
  }

  has(url: CanonicalUrl): boolean {
    const now = this.#clock.now();
    this.#look(now);
    return isOn(this.#listed, url) || (now < this.#settledAt && isOn(this.#before, url));
  }

  /** Reads the file if it has changed. If it cannot be used, the last list stays valid. */
  #look(now: EpochMs): void {
    const wasUsable = this.#again === null;
    try {
      const version = versionOf(this.#path);
      if (version === this.#version && (this.#again === null || now < this.#again)) return;
      this.#version = version;
      this.#replace(readList(this.#path), now);
      this.#again = null;
    } catch (error) {
      this.#again = now + SETTLES;
      if (wasUsable) this.#warn(`${messageOf(error)}; the list is used in its last version until then`);
    }
  }

  #replace(list: Scope | null, now: EpochMs): void {
    if (now >= this.#settledAt) this.#before = this.#listed;
    this.#settledAt = now + SETTLES;
    this.#listed = list;
  }
}

function isOn(list: Scope | null, url: CanonicalUrl): boolean {
  return list !== null && list.refuses(url) === null;
}

/** The URL that a line of the file has for a host. It means the host alone, without the hosts below it, under both schemes. */
export function optOutLine(host: HostKey): CanonicalUrl {
  return `${host}/` as CanonicalUrl;
}

/**
 * Appends a host to the file, unless it is on the list. Crawls read it before their next request.
 * @throws UsageError if the file cannot be read or written, DataError for a line that cannot be parsed
 */
export function optOutHost(path: string, host: HostKey): void {
  const line = optOutLine(host);
  if (readList(path)?.refuses(line) === null) return;
  const before = textOf(path);
  try {
    appendFileSync(path, `${before === '' || before.endsWith('\n') ? '' : '\n'}${line}\n`);
  } catch (error) {
    throw new UsageError(`--opt-out ${path}: cannot be written to (${messageOf(error)}); add this line to it: ${line}`, { cause: error });
  }
}

/** @throws UsageError */
function versionOf(path: string): Version {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
  } catch (error) {
    throw refusal(error, `--opt-out ${path}`, REMEDY);
  }
}

/** @throws UsageError, DataError */
function readList(path: string): Scope | null {
  const lines = textOf(path).split(/\r\n?|\n/);
  const rules = lines.flatMap(rulesOf);
  if (rules.length === 0) return null;
  try {
    return parseScope(rules);
  } catch {
    const bad = lines.findIndex((line) => !isUnderstood(line));
    throw new DataError(`${path}: line ${bad + 1}: "${lines[bad]?.trim().slice(0, 100)}" is not understood; ${FORMS}`);
  }
}

/** @throws UsageError */
function textOf(path: string): string {
  return readGivenText(path, { maxBytes: MAX_BYTES, what: 'hosts', name: `--opt-out ${path}`, remedy: REMEDY });
}

/** A line as rules of a scope; an opt-out means both schemes. */
function rulesOf(line: string): string[] {
  const text = line.replace(/(^|\s)#.*$/, '').trim();
  if (text === '') return [];
  const [, rest] = /^https?:\/\/(.*)$/i.exec(text) ?? [];
  if (rest !== undefined) return [`prefix:http://${rest}`, `prefix:https://${rest}`];
  return [/:\d+$/.test(text) ? `host:${text}` : `domain:${text}`];
}

function isUnderstood(line: string): boolean {
  try {
    parseScope(rulesOf(line));
    return true;
  } catch {
    return false;
  }
}
