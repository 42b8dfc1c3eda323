/** The test suite of robots-parser, run as it stands in the package with our parser behind its interface. Nothing of it is copied here. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { parseRobots } from '../../../src/base/web/robots.ts';
import { canonicalize, hostKeyOf } from '../../../src/base/web/url.ts';

/** What the suite asks that RFC 9309 does not know: a check of it holds whatever the value. */
const NO_RFC_MATTER = Symbol('line numbers of rules, and the Host record');

interface Suite {
  /** Titles of its cases, in order. */
  readonly cases: readonly string[];
  /** Checks that were compared, and those that are no matter of the RFC. */
  readonly checks: number;
  readonly skipped: number;
  /** Checks that do not hold for us: `case: last question`. */
  readonly disagreements: readonly string[];
}

const LENIENT = 'a delay that begins with a number is read as that number: the site asks for a rest';
const SURROGATE = 'as URLs carry U+FFFD for a lone surrogate, so does a rule: a site that writes it means that URL';

/** Where we answer another thing than the suite wants, and why. */
const EXPLAINED: readonly (readonly [check: string, why: string])[] = [
  ['should handle lone high / low surrogates: isAllowed http://www.example.com/\uDC00', SURROGATE],
  ['should handle lone high / low surrogates: isAllowed http://www.example.com/\uD800', SURROGATE],
  ['should ignore invalid crawl-delay directives: getCrawlDelay a', LENIENT],
  ['should ignore invalid crawl-delay directives: getCrawlDelay b', LENIENT],
  ['should ignore invalid crawl-delay directives: getCrawlDelay c', LENIENT],
  ['should ignore invalid crawl-delay directives: getCrawlDelay d', LENIENT],
  [
    'should handle large wildcards efficiently: isAllowed http://www.example.com/subsubsubsub',
    'a URL of six thousand characters is none to us; patterns of stars have a bound on time of their own in robots.test.ts',
  ],
];

test('robots-parser’s own suite holds for us, but for the disagreements listed here', () => {
  const { cases, checks, skipped, disagreements } = runSuite();
  expect(cases).toHaveLength(41);
  expect([checks, skipped]).toEqual([195, 16]);
  expect(disagreements).toEqual(EXPLAINED.map(([check]) => check));
});

function runSuite(): Suite {
  const suite = { cases: [] as string[], checks: 0, skipped: 0, disagreements: [] as string[] };
  let title = '';
  let asked = '';
  const ask = (question: string) => {
    asked = question.slice(0, 'isAllowed http://www.example.com/subsubsubsub'.length);
  };
  const check = (holds: boolean, actual: unknown) => {
    if (actual === NO_RFC_MATTER) suite.skipped++;
    else suite.checks++;
    if (!holds && actual !== NO_RFC_MATTER) suite.disagreements.push(`${title}: ${asked}`);
  };
  const chai = {
    expect: (actual: unknown) => ({
      to: {
        equal: (wanted: unknown) => check(actual === wanted, actual),
        eql: (wanted: unknown) => check(isDeepStrictEqual(actual, wanted), actual),
        be: { lessThan: (bound: number) => check(typeof actual === 'number' && actual < bound, actual) },
      },
    }),
  };
  const parser = (url: unknown, contents: unknown) => new BehindTheirInterface(url, contents, ask);
  const modules: Readonly<Record<string, unknown>> = { '../index': parser, chai };
  const it = (name: string, body: () => void) => {
    title = name;
    suite.cases.push(name);
    body();
  };
  const run = new Function('require', 'describe', 'it', suiteSource());
  run(
    (name: string) => modules[name],
    (_name: string, body: () => void) => body(),
    it,
  );
  return suite;
}

function suiteSource(): string {
  const main = createRequire(import.meta.url).resolve('robots-parser/package.json');
  return readFileSync(new URL('test/Robots.js', `file://${main}`), 'utf8');
}

/** The methods of robots-parser that its suite calls, answered by our parser. What a crawl keeps apart, such as the rules of two hosts, is kept apart here. */
class BehindTheirInterface {
  readonly #host: string | null;
  readonly #body: string;
  readonly #ask: (question: string) => void;

  constructor(url: unknown, contents: unknown, ask: (question: string) => void) {
    this.#host = hostOf(url);
    this.#body = typeof contents === 'string' ? contents : '';
    this.#ask = ask;
  }

  isAllowed(url: string, agent?: string): boolean | undefined {
    this.#ask(`isAllowed ${url}`);
    const absolute = canonicalize(url, RELATIVE);
    if (absolute === null || hostOf(url) !== this.#host) return undefined;
    return this.#rules(agent).allows(absolute);
  }

  isDisallowed(url: string, agent?: string): boolean {
    return !this.isAllowed(url, agent);
  }

  /** In seconds. */
  getCrawlDelay(agent?: string): number | undefined {
    this.#ask(`getCrawlDelay ${agent}`);
    const { crawlDelay } = this.#rules(agent);
    return crawlDelay === null ? undefined : crawlDelay / 1000;
  }

  getSitemaps(): readonly string[] {
    this.#ask('getSitemaps');
    return this.#rules().sitemaps;
  }

  getPreferredHost(): unknown {
    return NO_RFC_MATTER;
  }

  getMatchingLineNumber(): unknown {
    return NO_RFC_MATTER;
  }

  /** The suite asks with user agents such as `d / 1.0`; a crawler knows its own product token. */
  #rules(agent = '*') {
    return parseRobots(this.#body, (agent.split('/')[0] ?? '').trim());
  }
}

/** Relative addresses of the suite are those of one host that no other address has. */
const RELATIVE = 'http://relative.invalid/';

function hostOf(url: unknown): string | null {
  const absolute = canonicalize(String(url), RELATIVE);
  return absolute === null ? null : hostKeyOf(absolute);
}
