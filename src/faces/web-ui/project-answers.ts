/** The answers of the form that begins a project, and the words of the command that does the same. */

import { foragerCommand } from '../../base/text/forager-command.ts';
import { optionWords } from '../../base/text/shell-line.ts';
import { SETTINGS } from '../../crawling/settings/settings.ts';
import { DEFAULT_MAX_PAGES } from '../app/init-project.ts';
import { PROJECT_FILE, projectText } from '../app/project-file.ts';
import type { ProjectChoice } from './background-work.ts';
import type { ProjectOptions } from './project.ts';
import { STRINGS } from './strings.ts';

/** Fields of the form, as texts. Lists of pages have one entry a line, rules of the scope are words. `ownSeeds`: examples that are URLs are seeds too. */
export const FIELDS = [
  'subject',
  'contact',
  'examples',
  'keywords',
  'ownSeeds',
  'seeds',
  'scope',
  'documents',
  'maxPages',
  'delay',
  'userAgent',
  'proxy',
  'allowPrivate',
] as const;
export type ProjectFields = Readonly<Record<(typeof FIELDS)[number], string>>;

/** Fields as the form sends them; empty texts for those it lacks. */
export function fieldsIn(form: URLSearchParams): ProjectFields {
  return Object.fromEntries(FIELDS.map((name) => [name, (form.get(name) ?? '').trim()])) as ProjectFields;
}

/** Fields of a project that has a file of options. */
export function projectFieldsOf({ subject, train, crawl }: ProjectOptions): ProjectFields {
  const { examples = [], keywords = '' } = train;
  const { seeds = [], scope = [], documents = [], maxPages, contact = '', delay, userAgent = '', proxy = '', allowPrivate = false } = crawl;
  return {
    subject,
    contact,
    examples: examples.join('\n'),
    keywords,
    // The file has them among its seeds.
    ownSeeds: '',
    seeds: seeds.join('\n'),
    scope: scope.join('\n'),
    documents: typeof documents === 'string' ? documents : documents.join(','),
    maxPages: maxPages === undefined ? '' : limitText(maxPages),
    delay: delay === undefined ? '' : `${delay}ms`,
    userAgent,
    proxy,
    allowPrivate: allowPrivate ? 'on' : '',
  };
}

/** Fields of a choice, to be corrected. */
export function fieldsOfChoice({ subject, examples = [], keywords, ...crawl }: ProjectChoice): ProjectFields {
  return projectFieldsOf({ subject, train: { examples, ...(keywords !== undefined && { keywords }) }, crawl });
}

/**
 * Does the file hold nothing but the answers of the form, as `forager init` wrote them? Otherwise the form would take away options and comments of its
 * user, or write a password in clear.
 */
export function isOfForm(options: ProjectOptions, text: string): boolean {
  const { maxPages = DEFAULT_MAX_PAGES, scope = [], ...choice } = projectChoice(projectFieldsOf(options), false);
  return !(choice.proxy ?? '').includes('@') && projectText({ ...choice, dir: '.', maxPages, scope }) === text;
}

/** @param replaces is there a project already? @throws UsageError for an invalid number or time */
export function projectChoice(fields: ProjectFields, replaces: boolean): ProjectChoice {
  const { subject, contact, keywords, userAgent, proxy, allowPrivate } = fields;
  const examples = linesOf(fields.examples);
  return {
    ...{ subject, contact, seeds: seedsOf(fields) },
    ...((examples.length > 0 || keywords === '') && { examples }),
    ...(keywords !== '' && { keywords }),
    ...(fields.scope !== '' && { scope: wordsOf(fields.scope) }),
    ...(fields.documents !== '' && { documents: SETTINGS.documents.kind.read([fields.documents], STRINGS.start.documents) }),
    ...(fields.maxPages !== '' && { maxPages: SETTINGS.maxPages.kind.read([fields.maxPages], STRINGS.start.maxPages) }),
    ...(fields.delay !== '' && { delay: SETTINGS.delay.kind.read([fields.delay], STRINGS.start.delay) }),
    ...(userAgent !== '' && { userAgent }),
    ...(proxy !== '' && { proxy }),
    ...(allowPrivate !== '' && { allowPrivate: true }),
    ...(replaces && { force: true }),
  };
}

/** The command that does the work of the form, in the project's folder. */
export function projectCommand(fields: ProjectFields, replaces: boolean): string {
  const { subject, contact, keywords, documents, maxPages, delay, userAgent, proxy, allowPrivate } = fields;
  const option = (name: string, ...values: readonly string[]) =>
    values.every((value) => value === '') ? [] : optionWords(name, ...values);
  return foragerCommand(
    ...['init', '--yes', ...optionWords('--subject', subject), ...optionWords('--contact', contact)],
    ...option('--examples', ...linesOf(fields.examples)),
    ...option('--keywords', keywords),
    ...option('--seeds', ...seedsOf(fields)),
    ...option('--scope', ...wordsOf(fields.scope)),
    ...option('--documents', documents),
    ...[...option('--max-pages', maxPages), ...option('--delay', delay), ...option('--user-agent', userAgent), ...option('--proxy', proxy)],
    ...(allowPrivate === '' ? [] : ['--allow-private']),
    ...(replaces ? ['--force'] : []),
  );
}

/** A command that reads the file of options. */
export function stepCommand(command: string, ...more: readonly string[]): string {
  return foragerCommand(command, '--config', PROJECT_FILE, ...more);
}

/** The seeds: first the examples that are URLs, if these are wanted, then those of the field; each once. */
function seedsOf({ examples, ownSeeds, seeds }: ProjectFields): string[] {
  const own = ownSeeds === '' ? [] : linesOf(examples).filter(isUrl);
  return [...new Set([...own, ...linesOf(seeds)])];
}

/** A line may hold several URLs. A path may have spaces. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line) => (wordsOf(line).every(isUrl) ? wordsOf(line) : [line])).filter((line) => line !== '');
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function isUrl(word: string): boolean {
  return /^https?:\/\//i.test(word);
}

function limitText(limit: number): string {
  return Number.isFinite(limit) ? String(limit) : 'none';
}
