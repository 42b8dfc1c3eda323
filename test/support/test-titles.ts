/** Titles of tests, for tables that name them. */
import { readFileSync } from 'node:fs';

const known = new Map<string, readonly RegExp[]>();

/** What the titles of groups and tests in a file match. @param file from the root */
export function titlesIn(file: string): readonly RegExp[] {
  const titles = known.get(file) ?? titlesOf(readFileSync(file, 'utf8'));
  known.set(file, titles);
  return titles;
}

/** What the titles of groups and tests in a source match; a placeholder of `test.each` stands for anything. */
function titlesOf(source: string): RegExp[] {
  const titles = [...source.matchAll(/(?:[tT]est|describe|\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs)].map(([, , title = '']) => title);
  return titles.map((title) => {
    const parts = title.replaceAll(/\\(.)/g, '$1').split(/%[sijdfo]|\$\{[^}]*\}|\$\w+/);
    return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`, 's');
  });
}
