import { EXIT } from '../../../base/core/errors.ts';
import { countText } from '../../../base/text/number-text.ts';
import type { WordPart } from '../../../corpus/search/word-diff.ts';
import type { VersionDiff, VersionPlace } from '../../../study/inspect/page-history.ts';
import { print, printJson } from '../command.ts';
import type { CommandOptions } from '../define.ts';

/** Words shown on each side of a difference. */
const CONTEXT = 8;

export async function runDiff({ dir, url, between, json }: CommandOptions<'diff'>): Promise<number> {
  const { versionDiff } = await import('../../app/page-past.ts');
  const found = await versionDiff(dir, url, between);
  if (json) printJson({ ...found, parts: found.parts.map(({ kind, words }) => ({ kind, text: words.join(' ') })) });
  else for (const line of linesOf(found)) print(line);
  return EXIT.done;
}

function* linesOf({ url, from, to, title, wordsAdded, wordsRemoved, parts }: VersionDiff): Generator<string> {
  yield url;
  yield `from ${placeText(from)}`;
  yield `to   ${placeText(to)}`;
  if (title) yield `title: ${title.from} → ${title.to}`;
  yield `${countText(wordsAdded)} words added, ${countText(wordsRemoved)} removed`;
  yield* hunks(parts);
}

function placeText({ version, at, recordId }: VersionPlace): string {
  return `version ${version}, ${at}, ${recordId}`;
}

/** Differences with the words around them, in the marks of wdiff. Those that are near to each other are on one line. */
function* hunks(parts: readonly WordPart[]): Generator<string> {
  let line = '';
  for (const [i, { kind, words }] of parts.entries()) {
    if (kind === 'removed') line += ` [-${words.join(' ')}-]`;
    else if (kind === 'added') line += ` {+${words.join(' ')}+}`;
    else {
      const [isFirst, isLast] = [i === 0, i === parts.length - 1];
      if (!isFirst && !isLast && words.length <= 2 * CONTEXT) {
        line += ` ${words.join(' ')}`;
        continue;
      }
      if (!isFirst) yield `  ${`${line} ${behind(words)}`.trim()}`;
      line = isLast ? '' : before(words);
    }
  }
  if (line !== '') yield `  ${line.trim()}`;
}

function before(words: readonly string[]): string {
  return `${words.length > CONTEXT ? '… ' : ''}${words.slice(-CONTEXT).join(' ')}`;
}

function behind(words: readonly string[]): string {
  return `${words.slice(0, CONTEXT).join(' ')}${words.length > CONTEXT ? ' …' : ''}`;
}
