/** A harvest as a form describes it. */

import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../../base/core/errors.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { pathWord } from '../../base/text/shell-line.ts';
import { FORMAT_NAMES } from '../../corpus/formats/format-names.ts';
import { SETTINGS } from '../../crawling/settings/settings.ts';
import type { HarvestChoice } from './background-work.ts';
import { STRINGS } from './strings.ts';

const TEXT = STRINGS.corpus;
/** Default format of `forager harvest`. */
export const DEFAULT_FORMAT = 'jsonl';
const DEDUPE: (typeof SETTINGS)['dedupe'] = SETTINGS.dedupe;
/**
 * One name, which leads to no other folder and which no shell, terminal or file system takes for something else: no separators, no control characters,
 * no dot or hyphen at its beginning. File systems have 255 bytes; the folder is written under a longer name first.
 */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_. -]{0,59}$/u;

/** The folder of the crawl's own folder: harvests are made beside it. */
export function placeOfHarvests(dir: string): string {
  return dirname(resolve(dir));
}

/** Named after the crawl, unless that name would not do. */
export function defaultName(dir: string): string {
  const name = `${basename(resolve(dir))}-corpus`;
  return NAME.test(name) ? name : 'corpus';
}

/** The copies to omit, in a word of `--dedupe`. */
export function dedupeOf(fields: URLSearchParams): string {
  return fields.get('dedupe') ?? DEDUPE.byDefault ?? '';
}

/** A harvest that omits near-duplicates too. */
export function nearHarvest(dir: string): HarvestChoice {
  return { out: join(placeOfHarvests(dir), `${defaultName(dir)}-near`), formats: [DEFAULT_FORMAT], dedupe: 'near' };
}

/** Is there a harvest in the fields at all? */
export function isAsked(fields: URLSearchParams): boolean {
  return fields.has('name');
}

/** @throws UsageError for a name with other characters, an invalid relevance, no or an unknown format, or an unknown choice of copies */
export function harvestChoice(dir: string, fields: URLSearchParams): HarvestChoice {
  const name = (fields.get('name') ?? '').trim();
  if (!NAME.test(name)) throw new UsageError(TEXT.badName);
  const formats = FORMAT_NAMES.filter((format) => fields.getAll('format').includes(format));
  if (formats.length === 0) throw new UsageError(TEXT.noFormat);
  const least = (fields.get('least') ?? '').trim();
  const dedupe = dedupeOf(fields);
  const languages = (fields.get('languages') ?? '').split(/[\s,]+/).filter((code) => code !== '');
  return {
    out: join(placeOfHarvests(dir), name),
    formats,
    ...(least !== '' && { minRelevance: relevanceOf(least) }),
    ...(languages.length > 0 && { languages }),
    ...(dedupe !== DEDUPE.byDefault && { dedupe: DEDUPE.kind.read([dedupe], '--dedupe') }),
  };
}

/** The command that does the same. */
export function harvestCommandText(dir: string, { out, formats = [], minRelevance, languages = [], dedupe }: HarvestChoice): string {
  return commandOn(
    'harvest',
    dir,
    ...['--out', pathWord(out), '--format', formats.join(',')],
    ...(minRelevance === undefined ? [] : ['--min-relevance', String(minRelevance)]),
    ...(languages.length === 0 ? [] : ['--lang', languages.join(',')]),
    ...(dedupe === undefined ? [] : ['--dedupe', dedupe]),
  );
}

function relevanceOf(text: string): number {
  const number = Number(text);
  if (!(number >= 0 && number <= 1)) throw new UsageError(TEXT.badRelevance(text.slice(0, 40)));
  return number;
}
