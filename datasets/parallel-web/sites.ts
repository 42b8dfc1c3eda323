/** The sites of the parallel web: which page is the twin of which, by their names. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type HostRow, parseHosts } from '../debian-web/hosts.ts';

/** Where the built sites lie, relative to the repository; git-ignored. */
export const PARALLEL_DIR = '.cache/parallel-web';

export type Split = 'dev' | 'report';

/** The rows of sites.tsv; the subject of a site is its split. */
export function siteRows(): readonly HostRow[] {
  return parseHosts(readFileSync(fileURLToPath(new URL('sites.tsv', import.meta.url)), 'utf8'), 'sites.tsv');
}

/** Names that these sites give to languages in folders and files: `fr`, `pt-br`, `zh_CN`, `de-DE`. */
const LANGUAGE_NAME = /^(?:ar|ca|cs|da|de|el|en|es|fa|fi|fr|hr|hu|id|it|ja|ko|nb|nl|pl|pt|ro|ru|sv|tr|vi|zh)(?:[-_][A-Za-z]{2})?$/;

export interface Twin {
  /** Name of the language in the URL, lower case with hyphen; the language of the site's pages without one: English. */
  readonly lang: string;
  /** The path without the names of the language: equal for pages of one content. */
  readonly key: string;
  /** The name of the language as written; '' for none. */
  readonly name: string;
}

/** Files that are numbered anew in each language, so that their names do not say which are twins. */
const NUMBERED = /ld-idm\d+\.html$/;

/** @param path below the host, e.g. `FAQ/de/index.de.html` @returns null for a page whose name does not say it */
export function twinOf(path: string): Twin | null {
  if (NUMBERED.test(path)) return null;
  const parts = path.split(/([/.])/);
  const name = parts.find((part) => LANGUAGE_NAME.test(part)) ?? '';
  const rest = parts.filter((part, i) => part !== name && !(parts[i - 1] === name && name !== ''));
  return { lang: name === '' ? 'en' : name.toLowerCase().replace('_', '-'), key: rest.join(''), name };
}
