import { appendFileSync, statSync } from 'node:fs';
import type { Clock } from '../../base/core/clock.ts';
import { DataError, messageOf, UsageError } from '../../base/core/errors.ts';
import type { Scope } from '../../base/core/parts.ts';
import type { Bytes, CanonicalUrl, EpochMs, HostKey, Ms } from '../../base/core/types.ts';
import { readGivenText, refusal } from '../../base/text/given-file.ts';
import { parseScope } from '../../base/web/scope.ts';

/** Least interval between checks of the file. */
const POLL: Ms = 5000;
/** A million names are 20 MB; a larger file is something else. */
const MAX_BYTES: Bytes = 64 * 1024 * 1024;
const FORMS = 'a line is a host name (which stands for all below it too), host:port, or the beginning of a URL';

const REMEDY = 'give a text file of hosts, domains and URLs, or none';

/** The version of the file that was read. */
type Version = string;

/**
 * Owners who asked never to be crawled: a text file of host names, domains and URL prefixes, one a line, `#` for comments. It is read again after a
 * change, so that a request to be left alone is obeyed without a restart.
 */
export class OptOutList {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  #version: Version;
  /** "Refuses" URLs that are not on the list; null for an empty list. */
  #listed: Scope | null;
  #lookAt: EpochMs;
  #warned = false;

  /** @throws UsageError if the file cannot be read, DataError for a line that cannot be parsed */
  constructor(path: string, clock: Clock, warn: (message: string) => void) {
    this.#path = path;
    this.#clock = clock;
    this.#warn = warn;
    this.#version = versionOf(path);
    this.#listed = readList(path);
    this.#lookAt = clock.now() + POLL;
  }

  has(url: CanonicalUrl): boolean {
    if (this.#clock.now() >= this.#lookAt) this.#look();
    return this.#listed !== null && this.#listed.refuses(url) === null;
  }

  /** Reads the file if it has changed. If it cannot be used, the last list stays valid. */
  #look(): void {
    this.#lookAt = this.#clock.now() + POLL;
    try {
      const version = versionOf(this.#path);
      if (version === this.#version) return;
      this.#listed = readList(this.#path);
      this.#version = version;
      this.#warned = false;
    } catch (error) {
      if (!this.#warned) this.#warn(`${messageOf(error)}; the list is used in its last version until then`);
      this.#warned = true;
    }
  }
}

/** The URL that a line of the file has for a host. It means the host alone, without the hosts below it, under both schemes. */
export function optOutLine(host: HostKey): CanonicalUrl {
  return `${host}/` as CanonicalUrl;
}

/**
 * Appends a host to the file, unless it is on the list. Crawls read the file again within `POLL`.
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
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
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
