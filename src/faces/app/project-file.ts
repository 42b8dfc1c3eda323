/** The text of a new project's `forager.yaml`, and the names in it. */

import { relative, resolve } from 'node:path';
import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { Ms } from '../../base/core/types.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';

/** File of options in the folder of a project. */
export const PROJECT_FILE = 'forager.yaml';

/** The answers that a project starts from. */
export interface ProjectAnswers {
  readonly dir: string;
  readonly subject: string;
  /** Absent with `keywords`. */
  readonly examples?: readonly string[];
  readonly keywords?: string;
  readonly seeds: readonly string[];
  readonly contact: string;
  readonly scope: readonly string[];
  /** Kinds of documents to read as pages. Absent for none. */
  readonly documents?: readonly DocumentKindName[] | 'all' | 'none';
  /** Infinity: no limit. */
  readonly maxPages: number;
  readonly delay?: Ms;
  readonly userAgent?: string;
  readonly proxy?: string;
  readonly allowPrivate?: boolean;
}

/** File systems allow 255 bytes for a name; a character has at most four. */
const MAX_SLUG_CHARS = 60;

/** The subject as a name of folders: letters and digits of all scripts, in lower case. */
export function slugOf(subject: string): string {
  const words =
    subject
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const slug = [...words.join('-')].slice(0, MAX_SLUG_CHARS).join('').replace(/-$/, '');
  return slug || 'topic';
}

/** A double-quoted text of YAML. `${NAME}` would be a variable of the environment: a list of seeds may be somebody else's. */
function quoted(text: string): string {
  // A function, since `$$` in a replacement means one `$`.
  return JSON.stringify(text).replaceAll(/\$\{(?=[^}]*\})/g, () => '$${');
}

/** The path of an input as seen from the project's folder. A URL stays. */
function seenFrom(dir: string, input: string): string {
  return /^https?:\/\//i.test(input) ? input : relative(dir, resolve(input)) || '.';
}

function list(name: string, values: readonly string[]): string[] {
  return [`  ${name}:`, ...values.map((value) => `    - ${quoted(value)}`)];
}

const SUBJECT = '# Options of Forager for the subject: ';

/** Puts a subject on one line, without control characters. */
function plain(subject: string): string {
  return subject.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** The subject in the text of such a file; empty if it was written by hand. */
export function subjectIn(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return first.startsWith(SUBJECT) ? first.slice(SUBJECT.length) : '';
}

export function projectText(project: ProjectAnswers): string {
  const { dir, subject, seeds, contact, scope, documents, maxPages } = project;
  const slug = slugOf(subject);
  const lines = [
    `${SUBJECT}${plain(subject)}`,
    `# The commands of Forager read this file: ${foragerCommand('train', '--config', PROJECT_FILE)}`,
    '# An option on the command line overrides its line here.',
    '',
    '# The mail address or URL that site owners can reach you at; sent with every request.',
    `contact: ${quoted(contact)}`,
    ...networkLines(project),
    '',
    'train:',
    '  # The subject, for the cards of model and corpus.',
    `  subject: ${quoted(plain(subject))}`,
    ...wantedLines(project),
    '  # The folder of the topic model.',
    `  out: ${quoted(`models/${slug}`)}`,
    '',
    'crawl:',
    '  # The crawl directory. The same command resumes the crawl.',
    `  dir: ${quoted(`crawls/${slug}`)}`,
    `  topic: ${quoted(`models/${slug}`)}`,
    '  # The pages to start from: URLs, or files with one URL a line.',
    ...list(
      'seeds',
      seeds.map((input) => seenFrom(dir, input)),
    ),
    '  # The number of URLs to visit in total. A larger number continues the crawl.',
    `  max-pages: ${Number.isFinite(maxPages) ? maxPages : 'none'}`,
    ...scopeLines(scope),
    ...documentLines(documents),
    '',
    'harvest:',
    '  # The crawl to read, and the folder of the corpus.',
    `  dir: ${quoted(`crawls/${slug}`)}`,
    `  out: ${quoted(`corpora/${slug}`)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function wantedLines({ dir, examples = [], keywords }: ProjectAnswers): string[] {
  if (keywords !== undefined) return ['  # The words of the subject, instead of example pages.', `  keywords: ${quoted(keywords)}`];
  const inputs = examples.map((input) => seenFrom(dir, input));
  return ['  # Example pages: folders, files, or URLs.', ...list('examples', inputs)];
}

function scopeLines(scope: readonly string[]): string[] {
  if (scope.length > 0)
    return ['  # The URLs to visit: host:NAME, domain:NAME, prefix:URL or regex:RE; not:… excludes.', ...list('scope', scope)];
  return ['  # Remove the # to stay on certain sites: host:NAME, domain:NAME, prefix:URL or regex:RE.', '  # scope: [domain:example.org]'];
}

function documentLines(documents: ProjectAnswers['documents']): string[] {
  if (documents === undefined || documents === 'none' || documents.length === 0) return [];
  const value = documents === 'all' ? documents : documents.join(',');
  return ['  # The documents to read as pages.', `  documents: ${quoted(value)}`];
}

function networkLines({ delay, userAgent, proxy, allowPrivate }: ProjectAnswers): string[] {
  return [
    ...(delay === undefined ? [] : ['# The least gap between two requests to a host.', `delay: ${delay}ms`]),
    ...(userAgent === undefined ? [] : ['# The name to send instead of Forager/<version>.', `user-agent: ${quoted(userAgent)}`]),
    ...(proxy === undefined ? [] : ['# The HTTP proxy for all requests.', `proxy: ${quoted(proxy)}`]),
    ...(allowPrivate ? ['# Allow loopback and private addresses.', 'allow-private: true'] : []),
  ];
}
