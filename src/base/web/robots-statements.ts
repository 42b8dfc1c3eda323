/** Statements of a robots.txt about use: Content-Usage (draft-ietf-aipref-attach), Content-Signal (contentsignals.org) and License (RSL 1.0). */
import type { WrittenStatement } from '../core/types.ts';
import { comparablePaths, matchesPath, type PathPattern, parsePatterns } from './robots-pattern.ts';
import { NOT_UNDERSTOOD, type Sense, signalSense, usageSense, writtenStatement } from './use-statements.ts';
import { NO_USES } from './use-words.ts';

/** Names of the lines. */
export type StatementKey = 'content-usage' | 'content-signal' | 'license';

/** A line of the file, without its comment and white space around. */
export interface StatementLine {
  readonly key: StatementKey;
  readonly value: string;
  /** Does it stand before the first group? Such a line applies to no crawler, unless it is of all groups. */
  readonly ungrouped: boolean;
}

/** Number of statements read of one file. Each is matched against each page of its host; known files have a few. */
export const MAX_STATEMENTS = 1000;

interface PathStatement {
  readonly patterns: readonly PathPattern[];
  readonly statement: WrittenStatement;
}

/** Finds the statements that apply to the page at a path with its query. */
export type StatementFinder = (target: string) => readonly WrittenStatement[];

const NONE: readonly WrittenStatement[] = [];
export const NO_STATEMENTS: StatementFinder = () => NONE;
const LICENCE: Sense = { understood: true, uses: NO_USES };

/** @param lines those of the group that applies to the crawler, and those of all groups */
export function statementFinder(lines: readonly StatementLine[]): StatementFinder {
  if (lines.length === 0) return NO_STATEMENTS;
  const read = lines.slice(0, MAX_STATEMENTS);
  const usages = read.filter(({ key, ungrouped }) => key === 'content-usage' && !ungrouped).map(usageOf);
  const always = read.filter(({ key, ungrouped }) => key !== 'content-usage' || ungrouped).map(statementOf);
  return (target) => [...longestMatches(usages, target), ...always];
}

/** The rules with the longest path that matches, all of them: “these preferences apply separately”. */
function longestMatches(usages: readonly PathStatement[], target: string): readonly WrittenStatement[] {
  if (usages.length === 0) return NONE;
  const paths = comparablePaths(target);
  let longest = -1;
  let found: WrittenStatement[] = [];
  for (const { patterns, statement } of usages) {
    const pattern = patterns.find((one) => paths.some((path) => matchesPath(one, path)));
    if (pattern === undefined || pattern.length < longest) continue;
    if (pattern.length > longest) found = [];
    longest = pattern.length;
    found.push(statement);
  }
  return found;
}

/** A value that starts with `/` has a path up to the first blank or tab. */
function usageOf({ value }: StatementLine): PathStatement {
  const [, path = '', rest = ''] = /^(\/[^ \t]*)?[ \t]*(.*)$/s.exec(value) ?? [];
  return {
    // A rule without a path applies to all, and any path is longer.
    patterns: path === '' ? [{ length: 0, literals: [''], anchored: false }] : parsePatterns(path),
    statement: writtenStatement({ protocol: 'content-usage', from: 'robots', path: path || null }, rest, usageSense),
  };
}

function statementOf({ key, value, ungrouped }: StatementLine): WrittenStatement {
  const protocol = key === 'license' ? 'rsl' : key;
  const senseOf = key === 'license' ? licenceSense : ungrouped ? () => NOT_UNDERSTOOD : signalSense;
  return writtenStatement({ protocol, from: 'robots', path: null }, value, senseOf);
}

/** The sense of a licence is in its document: RSL wants an absolute URL. */
function licenceSense(written: string): Sense {
  return URL.canParse(written) ? LICENCE : NOT_UNDERSTOOD;
}
