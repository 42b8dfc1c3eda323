/** The findings of `forager init` for people. */
import { counted } from '../../base/text/number-text.ts';
import type { ExamplesFound, SeedHost } from '../app/init-project.ts';

/** `12 example pages, 3,400 words, of 4 hosts`. */
function examplesText({ pages, empty, words, hosts }: ExamplesFound): string {
  const of = hosts === 0 ? '' : `, of ${counted(hosts, 'host')}`;
  return `${counted(pages, 'example page')}, ${counted(words, 'word')}${of}${empty === 0 ? '' : `; ${empty} without text`}`;
}

/** Nothing for a project of keywords. */
export function examplesLines(found: ExamplesFound | null): string[] {
  return found === null ? [] : [examplesText(found)];
}

/** A line for each host that was asked. */
export function seedLines(hosts: readonly SeedHost[]): string[] {
  const asked = hosts.filter(({ state }) => state !== 'not-asked');
  const rest = hosts.length - asked.length;
  const lines = asked.map(({ host, state, cause }) => `seeds on ${host}: ${state}${cause === '' ? '' : ` (${cause})`}`);
  return rest === 0 ? lines : [...lines, `seeds on ${counted(rest, 'more host')}: not asked`];
}
