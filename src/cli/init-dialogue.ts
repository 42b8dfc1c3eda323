/** The questions of `forager init`. */

import { createInterface } from 'node:readline';
import {
  type CheckOptions,
  checkContact,
  checkSeeds,
  checkSubject,
  checkWanted,
  DEFAULT_MAX_PAGES,
  type InitOptions,
  type InitReport,
  writeProject,
} from '../app/init-project.ts';
import { CrawlerError, UsageError } from '../core/errors.ts';
import { isPathThere } from '../core/on-disk.ts';
import { isSeed } from '../input/url-file.ts';
import { SETTINGS } from '../settings/settings.ts';
import { harmless } from '../text/harmless.ts';
import { ENOUGH_EXAMPLES } from '../topic/enough-examples.ts';
import { parseScope } from '../web/scope.ts';
import { examplesLines, seedLines } from './init-text.ts';

/** The person at the terminal. */
export interface Person {
  /** @throws the reason of the signal, at Ctrl-C and at the end of the input */
  ask(question: string): Promise<string>;
  tell(line: string): void;
}

type Answers = Partial<Pick<InitOptions, 'subject' | 'examples' | 'keywords' | 'seeds' | 'contact' | 'scope' | 'maxPages'>>;

/** Asks for the answers that the options do not give, checks each, and writes the file. */
export async function dialogue(
  person: Person,
  given: Answers & Omit<InitOptions, keyof Answers>,
  options: CheckOptions,
): Promise<InitReport> {
  const asks = <T>(question: string, value: T | undefined, read: (answer: string) => T, check: (value: T) => Promise<void> | void) =>
    answerOf(person, question, value, read, check);
  const subject = await asks('Subject, in a few words; it names the folders: ', given.subject, trimmed, checkSubject);
  const contact = await asks(
    'Contact for site owners, a mail address or URL, sent with every request: ',
    given.contact,
    trimmed,
    checkContact,
  );
  const network = { ...options, contact };
  const wanted = await wantedOf(person, given, network);
  let hosts: InitReport['seeds'] = [];
  const own = given.seeds === undefined ? await ownSeeds(person, wanted.answers.examples ?? []) : [];
  const question = own.length > 0 ? 'More seeds, URLs or a file of them [none]: ' : 'Seeds, URLs to start from, or a file of them: ';
  const withOwn = (answer: string) => [...own, ...inputsOf(answer)];
  const seeds = await asks(question, given.seeds, withOwn, async (inputs) => {
    hosts = await checkSeeds(inputs, network);
    for (const line of seedLines(hosts)) person.tell(line);
  });
  const scope = await asks(
    'Scope, where the crawl may go, e.g. domain:example.org [everywhere]: ',
    given.scope,
    (answer) => (trimmed(answer) === 'everywhere' ? [] : inputsOf(answer)),
    (rules) => void parseScope(rules),
  );
  const maxPages = await asks(
    `Budget, the number of URLs to visit [${DEFAULT_MAX_PAGES}]: `,
    given.maxPages,
    (answer) => (trimmed(answer) === '' ? DEFAULT_MAX_PAGES : SETTINGS.maxPages.kind.read([trimmed(answer)], '--max-pages')),
    () => undefined,
  );
  return {
    ...(await writeProject({ ...given, ...wanted.answers, subject, contact, seeds, scope, maxPages })),
    examples: wanted.found,
    seeds: hosts,
  };
}

/** Examples with URLs that the person also wants to start from; [] for examples without. */
async function ownSeeds(person: Person, examples: readonly string[]): Promise<readonly string[]> {
  const known = examples.filter(isSeed);
  if (known.length === 0) return [];
  return answerOf(
    person,
    'Also start from your examples? [yes]: ',
    undefined,
    (answer) => (isYes(answer) ? known : []),
    () => undefined,
  );
}

/** @throws UsageError */
function isYes(answer: string): boolean {
  const word = trimmed(answer).toLowerCase();
  if (word === '' || word === 'y' || word === 'yes') return true;
  if (word === 'n' || word === 'no') return false;
  throw new UsageError(`${word}: answer yes or no`);
}

/** Example pages, unless the options give keywords. */
async function wantedOf(person: Person, given: Answers, network: CheckOptions) {
  if (given.keywords !== undefined) return { answers: {}, found: await checkWanted(given, network) };
  let found: InitReport['examples'] = null;
  const question = `Example pages, a folder, files, or URLs; ${ENOUGH_EXAMPLES} or more are best: `;
  const examples = await answerOf(person, question, given.examples, inputsOf, async (inputs) => {
    found = await checkWanted({ examples: inputs }, network);
    for (const line of examplesLines(found)) person.tell(line);
  });
  return { answers: { examples }, found };
}

/** Asks until the answer passes its check. A given answer is checked once. */
async function answerOf<T>(
  person: Person,
  question: string,
  given: T | undefined,
  read: (answer: string) => T,
  check: (value: T) => Promise<void> | void,
): Promise<T> {
  if (given !== undefined) {
    await check(given);
    return given;
  }
  for (;;) {
    const answer = await person.ask(question);
    try {
      const value = read(answer);
      await check(value);
      return value;
    } catch (error) {
      if (!(error instanceof CrawlerError)) throw error;
      person.tell(error.message);
    }
  }
}

function trimmed(answer: string): string {
  return answer.trim();
}

/** A path with spaces counts as one if it exists. */
function inputsOf(answer: string): string[] {
  const whole = answer.trim();
  return isPathThere(whole) ? [whole] : whole.split(/\s+/).filter((word) => word !== '');
}

/** A person at a terminal. Lines typed before their question are kept. Ctrl-C and the end of the input call `end`. */
export function personAt(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, signal: AbortSignal, end: () => void) {
  const reader = createInterface({ input, output, terminal: true });
  const typed: string[] = [];
  let waiting: ((line: string) => void) | null = null;
  reader.on('line', (line) => {
    if (waiting) waiting(line);
    else typed.push(line);
  });
  reader.on('SIGINT', end);
  reader.on('close', end);
  const person: Person = {
    tell: (line) => void output.write(`${harmless(line)}\n`),
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        reader.setPrompt(question);
        reader.prompt();
        const stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
        waiting = (line) => {
          waiting = null;
          signal.removeEventListener('abort', stop);
          resolve(line);
        };
        const early = typed.shift();
        if (early !== undefined) waiting(early);
      }),
  };
  const close = () => {
    reader.off('close', end);
    reader.close();
  };
  return { person, close };
}
